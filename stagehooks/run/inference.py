"""Asking a stage's model: for the next turn, with its two hooks around it, or for the stage to go to."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from stagehooks.agent.blueprint import Compaction, Stage, Transition
from stagehooks.errors import ModelError, StoreError
from stagehooks.models.protocol import Message, Model, Purpose, Reply, Request, ToolCall, UserMessage
from stagehooks.run.assembly import assemble
from stagehooks.run.control import Control
from stagehooks.run.custom import Scene
from stagehooks.run.effects import Effects
from stagehooks.run.events import ModelAsked, ModelReplied
from stagehooks.run.hooks import HookPoints
from stagehooks.run.points import BEFORE_INFERENCE
from stagehooks.run.replacements import LONGEST_NAME, MOST_CALLS
from stagehooks.run.stages import question, read_choice
from stagehooks.run.tally import Tally
from stagehooks.run.window import Window
from stagehooks.scripts.json_text import I64_MAX, Json, as_plain, dump
from stagehooks.tools.catalogue import Catalogue

CHOICE_TOKENS: Final = 256


class Inference:
    """The models of one run, and how often each stage has asked its own."""

    def __init__(
        self,
        models: Mapping[str, Model],
        hooks: HookPoints,
        window: Window,
        catalogue: Catalogue,
        tally: Tally,
        effects: Effects,
        control: Control,
    ) -> None:
        self._models = models
        self._hooks = hooks
        self._window = window
        self._catalogue = catalogue
        self._tally = tally
        self._effects = effects
        self._control = control
        self._asked: Counter[tuple[str, Purpose]] = Counter()

    async def next_turn(self, stage: Stage) -> Reply:
        """The model's next turn in `stage`, its text as after_inference left it. ModelError where the model has none.

        A reply that the hook sends back is as if it had never come, but for what it has cost.
        """
        attempt, text = 0, None
        while text is None:
            attempt += 1
            reply = await self._attempt(stage, attempt)
            text = self._hooks.response(stage, reply, attempt)
        return replace(reply, text=text)

    async def _attempt(self, stage: Stage, attempt: int) -> Reply:
        await self._control.checkpoint()
        self._hooks.regions(BEFORE_INFERENCE, stage, self._window, attempt)
        system, messages = assemble(self._window, self._scene(stage))
        offers = tuple(tool.offer() for tool in self._catalogue.offered(stage))
        request = replace(self._request(stage, "reply", system, messages), tools=offers)
        return await self._ask(stage, request, attempt)

    async def choice(self, stage: Stage, edges: tuple[Transition, ...]) -> Transition | None:
        """The edge that the model chooses, None where it says that the task is done. No hook fires."""
        system, messages = assemble(self._window, self._scene(stage))
        messages = (*messages, UserMessage(question(stage, edges)))
        request = self._request(stage, "transition", system, messages)
        await self._control.checkpoint()
        reply = await self._ask(stage, replace(request, temperature=0.0, max_output_tokens=CHOICE_TOKENS))
        return read_choice(reply.text, stage, edges)

    async def summary(self, stage: Stage, prompt: str, text: str, asked: Compaction) -> str:
        """The summary of `text` by the model of `stage`. No hook fires. ModelError where the model has none."""
        request = self._request(stage, "summary", (prompt,), (UserMessage(text),))
        await self._control.checkpoint()
        limits = replace(request, temperature=asked.temperature, max_output_tokens=asked.max_summary_tokens)
        return (await self._ask(stage, limits)).text

    def _scene(self, stage: Stage) -> Scene:
        total = sum(region.tokens for region in self._window.shown)
        return Scene(stage.name, self._tally.iteration, _model(stage), total, stage.model.window)

    def _request(self, stage: Stage, purpose: Purpose, system: tuple[str, ...], messages: tuple[Message, ...]) -> Request:
        self._asked[stage.name, purpose] += 1
        wanted = stage.model
        return Request(
            stage=stage.name,
            turn=self._asked[stage.name, purpose],
            purpose=purpose,
            model=_model(stage),
            system=system,
            messages=messages,
            temperature=wanted.temperature,
            max_output_tokens=wanted.max_output_tokens,
            extra=wanted.extra,
        )

    async def _ask(self, stage: Stage, request: Request, attempt: int = 1) -> Reply:
        self._tally.tell(ModelAsked(stage.name, request.turn, request.purpose, attempt))
        reply = await self._effects.reply(request, self._ask_now)
        said = ModelReplied(stage.name, request.turn, request.purpose, reply.text, reply.tool_calls, reply.tokens)
        self._tally.take(said)
        return reply

    async def _ask_now(self, request: Request) -> Reply:
        try:
            answer: object = await self._models[request.stage].complete(request)
        except (ModelError, StoreError):  # a store that fails while a model's troubles are told is not the model's fault
            raise
        except Exception as error:
            raise ModelError(f"the model failed: {type(error).__name__}: {error}") from error
        return _checked(answer)


def _model(stage: Stage) -> str:
    return stage.model.candidates[0].model if stage.model.candidates else ""


def _checked(reply: object) -> Reply:
    """`reply`, if it is one of texts and plain data, else ModelError: what comes from outside is not taken on trust."""
    try:
        if not isinstance(reply, Reply):
            raise ValueError(f"{type(reply).__name__} is no reply")
        if type(reply.tokens) is not int or not 0 <= reply.tokens <= I64_MAX:
            raise ValueError("its tokens are no whole number of 64 bits")
        if not isinstance(reply.tool_calls, tuple | list) or not all(isinstance(call, ToolCall) for call in reply.tool_calls):
            raise ValueError("its tool calls are no list of calls")
        if len(reply.tool_calls) > MOST_CALLS:
            raise ValueError(f"it asks for {len(reply.tool_calls)} tool calls; at most {MOST_CALLS} are made")
        if any(len(_text(call.name)) > LONGEST_NAME for call in reply.tool_calls):
            raise ValueError(f"it asks for a tool whose name is longer than {LONGEST_NAME} characters")
        calls = tuple(ToolCall(_text(call.id), _text(call.name), _plain(call.arguments)) for call in reply.tool_calls)
        return Reply(_text(reply.text), calls, reply.tokens)
    except ValueError as error:
        raise ModelError(f"the model's reply cannot be used: {error}") from None


def _text(value: object) -> str:
    if type(value) is not str:
        raise ValueError(f"{type(value).__name__} where a text belongs")
    value.encode()
    return value


def _plain(value: object) -> Json:
    data = as_plain(value)
    dump(data).encode()
    return data
