"""What each of the seven hooks is for, as data: when it fires, what it sees, what its answers do, and a script that works."""

from dataclasses import dataclass
from typing import Final

from stagehooks.run.points import POINTS
from stagehooks.scripts.json_text import Json
from stagehooks.scripts.outcome import HOOK_NAMES

WIDTH: Final = 100
"""Columns of a text that is read."""
ANSWERS: Final = """\
() or true                                   allow, unchanged (also #{ action: "allow" })
false                                        refuse, no reason given
#{ action: "modify", value: ... }            proceed with value
#{ action: "cancel", reason: "..." }         refuse
#{ action: "retry" }                         do it again: after_inference asks for another reply, as often as the stage's
                                             max_attempts allows; any other hook ends the run in error with it"""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One hook. `sees` lists the fields of ctx, `modify` says what its value is; `example` is a script for `example_ctx`."""

    hook: str
    fires: str
    sees: tuple[tuple[str, str], ...]
    modify: str
    example: str
    example_ctx: Json

    @property
    def refusals(self) -> tuple[str, ...]:
        """The texts that a run ends with when the hook does not let it go on."""
        point = POINTS[self.hook]
        return point.refused("{stage}", "{reason}"), point.failed("{error}"), point.cannot_retry("{stage}")


_STAGE: Final = (
    ("stage", "the stage's name"),
    ("stage_index", "its place in the agent file, from 0"),
    ("iteration", "the turn of the model in this visit of the stage, from 1; 0 before the first"),
    ("totals", "what the run has taken so far: #{ stages, inferences, tokens, tool_calls }"),
)
_REGIONS: Final = (*_STAGE, ("regions", "a map: the text of every region by its name"))
_ATTEMPT: Final = ("attempt", "how often this reply has been asked for, from 1")
_TERMINAL: Final = (
    *_STAGE,
    ("status", '"complete", or "error: " and the message'),
    ("output", 'the final output; "" when there is none'),
    ("error", 'the error message; "" when the run completed'),
)
_TOTALS: Final[Json] = {"stages": 2, "inferences": 5, "tokens": 4200, "tool_calls": 3}
_WRITES_REGIONS: Final = "a map of region name to text: each named region then holds that text alone; others stay as they are"

EXPLANATIONS: Final = (
    Explanation(
        "on_stage_enter",
        "entering a stage, before its first inference; the entry stage too, and every visit again",
        _REGIONS,
        _WRITES_REGIONS,
        """\
fn on_stage_enter(ctx) {
    #{ action: "modify", value: #{ notes: "Focus on the failing test first." } }
}""",
        {"stage": "implement", "stage_index": 1, "iteration": 0, "totals": _TOTALS, "regions": {"notes": ""}},
    ),
    Explanation(
        "on_stage_exit",
        "a stage is really left, before the next one is chosen; not where a gate or a person sends it back",
        (*_REGIONS, ("ended", '"normal", "max_iterations", "stuck" or "error"')),
        _WRITES_REGIONS,
        """\
fn on_stage_exit(ctx) {
    if ctx.regions.plan.trim() == "" {
        return #{ action: "cancel", reason: "the plan is empty" };
    }
    #{ action: "modify", value: #{ scratch: "" } }
}""",
        {
            "stage": "plan",
            "stage_index": 0,
            "iteration": 4,
            "totals": _TOTALS,
            "regions": {"plan": "1. read the test", "scratch": "..."},
            "ended": "normal",
        },
    ),
    Explanation(
        "before_inference",
        "the context is assembled, before the request goes to the model; once for each request",
        (*_REGIONS, _ATTEMPT),
        _WRITES_REGIONS,
        """\
fn before_inference(ctx) {
    if count_tokens(ctx.regions.conversation) > 10000 {
        return #{ action: "cancel", reason: "context is larger than this stage should need" };
    }
    ()
}""",
        {
            "stage": "plan",
            "stage_index": 0,
            "iteration": 1,
            "totals": _TOTALS,
            "regions": {"conversation": "hello"},
            "attempt": 1,
        },
    ),
    Explanation(
        "after_inference",
        "the model's reply is in hand, before it reaches the context",
        (
            *_STAGE,
            ("response", "the text of the reply"),
            ("tokens_used", "tokens of the whole call"),
            ("tool_calls", "the names of the tools it asks for; they cannot be changed here"),
            _ATTEMPT,
        ),
        "a text, which replaces that of the reply; its tool calls stay as they are",
        """\
fn after_inference(ctx) {
    if ctx.response.contains("BEGIN PRIVATE KEY") {
        return #{ action: "modify", value: "[a private key was removed here]" };
    }
    true
}""",
        {
            "stage": "plan",
            "stage_index": 0,
            "iteration": 1,
            "totals": _TOTALS,
            "response": "All tests pass.",
            "tokens_used": 12,
            "tool_calls": [],
            "attempt": 1,
        },
    ),
    Explanation(
        "on_tool_call",
        "the model asked for tools, before policy, taint gate and approval see the calls; never for an empty list",
        (*_STAGE, ("tool_calls", "a list of #{ name, arguments }")),
        "a list of #{ name, arguments }, which replaces all calls; an empty list drops them. "
        '#{ deny: "reason" } in the place of a call refuses that one: the model reads the reason as its result. '
        "The gate judges what is left: "
        "a hook can narrow what runs, never widen it",
        """\
fn on_tool_call(ctx) {
    let kept = ctx.tool_calls.filter(|asked| asked.name != "shell");
    if kept.len() == ctx.tool_calls.len() { return (); }
    #{ action: "modify", value: kept }
}""",
        {
            "stage": "plan",
            "stage_index": 0,
            "iteration": 2,
            "totals": _TOTALS,
            "tool_calls": [{"name": "shell", "arguments": {"command": "ls"}}, {"name": "list_files", "arguments": {}}],
        },
    ),
    Explanation(
        "on_completion",
        "the run finished successfully; once, on the stage it finished in",
        _TERMINAL,
        "a text, which replaces the final output",
        """\
fn on_completion(ctx) {
    #{ action: "modify", value: ctx.output.trim() }
}""",
        {
            "stage": "build",
            "stage_index": 1,
            "iteration": 3,
            "totals": _TOTALS,
            "status": "complete",
            "output": "  done \n",
            "error": "",
        },
    ),
    Explanation(
        "on_error",
        "the run finished in error; once, on the stage it failed in. A cancelled run fires neither terminal hook",
        _TERMINAL,
        "a text, which replaces the error message; the run stays in error",
        """\
fn on_error(ctx) {
    #{ action: "modify", value: `stage ${ctx.stage} failed: ${ctx.error}` }
}""",
        {
            "stage": "build",
            "stage_index": 1,
            "iteration": 3,
            "totals": _TOTALS,
            "status": "error: no network",
            "output": "",
            "error": "no network",
        },
    ),
)


def explanation(hook: str) -> Explanation | None:
    """The explanation of `hook`, or None: there is no such hook."""
    return next((entry for entry in EXPLANATIONS if entry.hook == hook), None)


def overview() -> str:
    """All seven hooks in one table, and the answers they may give."""
    width = max(len(name) for name in HOOK_NAMES)
    hooks = "\n".join(f"  {entry.hook:<{width}}  {entry.fires}" for entry in EXPLANATIONS)
    answers = f"Every hook is fn NAME(ctx) and returns one of:\n{_indented(ANSWERS)}"
    return f"{hooks}\n\n{answers}\n\nstagehooks explain HOOK tells more."


def describe(entry: Explanation) -> str:
    """Everything about one hook, for reading."""
    from textwrap import fill  # who checks an agent does not load it

    width = max(len(name) for name, _ in entry.sees)
    sees = "\n".join(f"ctx.{name:<{width}}  {meaning}" for name, meaning in entry.sees)
    sections = (
        ("fires", fill(entry.fires, WIDTH)),
        ("sees", sees),
        ("returns", ANSWERS),
        ("modify: value is", fill(entry.modify, WIDTH)),
        ("the run ends in error with", "\n".join(entry.refusals)),
        ("example", entry.example),
    )
    return f"{entry.hook}(ctx)\n" + "\n".join(f"\n{title}\n{_indented(body)}" for title, body in sections)


def as_data(entry: Explanation) -> Json:
    """Everything about one hook, for programs."""
    return {
        "hook": entry.hook,
        "fires": entry.fires,
        "sees": {**dict(entry.sees)},
        "modify": entry.modify,
        "errors": [*entry.refusals],
        "example": entry.example,
        "example_ctx": entry.example_ctx,
    }


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else line for line in text.split("\n"))
