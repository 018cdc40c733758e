"""What reads what strangers write, each target a function of bytes. It returns, or it raises a Fault."""

import asyncio
import io
import resource
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from rhaipy import Ref, RhaiError, Scope
from rhaipy.display import debug
from rhaipy.tiers import Tier
from stagehooks.agent.document import Document
from stagehooks.agent.lines import lines_of
from stagehooks.agent.reader import read_blueprint
from stagehooks.agent.toml_text import NoToml, read_toml
from stagehooks.console import Console
from stagehooks.errors import BlueprintError, HookError, ModelError, StageHooksError, StoreError
from stagehooks.models import http
from stagehooks.models.anthropic import Messages
from stagehooks.models.http import HttpError, read_address
from stagehooks.models.openai_compatible import ChatCompletions
from stagehooks.models.wire import Malformed, NoReply
from stagehooks.schema import SchemaError, check_schema, violations
from stagehooks.scripts import json_text
from stagehooks.scripts.directives import DirectiveError, read_directives
from stagehooks.scripts.isolated import _Reading
from stagehooks.scripts.outcome import BadAnswer, read_outcome
from stagehooks.scripts.stage_hook import compile, run
from stagehooks.scripts.tool import ToolFailed, compile_tool, run_tool_script
from stagehooks.store import coding
from tests.attacks.closed import strangers
from tests.attacks.crash.trees import HostTree, Tree
from tests.attacks.speed import slowness_now
from tests.attacks.tiers import TIERS, engine_for

SECONDS: Final = 4.0
"""Of processor time for one input, on the machine that the ceilings were set on; twice what one call is promised to take."""
SMALL: Final = {"max_operations": 20_000, "fuel": 100_000}
HTTP_HEAD: Final = b"HTTP/1.1 200 OK\r\n\r\n"
SHOWN: Final = ("\x1b", "\x07", "\x9b", "\u202e", "\r", "\x00")


class Fault(Exception):
    """Something else came out than may; the text says what."""


Target = Callable[[bytes], None]


def text_of(data: bytes) -> str:
    """The text in `data`: lone surrogates are let in, and what is no UTF-8 is something."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "surrogateescape" if data[:1] > b"\x80" else "replace")


# --- scripts --------------------------------------------------------------------------------------------------------------


def _compile(data: bytes) -> None:
    """A text is a script, and runs on every tier, with the same end."""
    ends = {_end(tier, text_of(data)) for tier in TIERS}
    out = [said for said, _ in ends if said.startswith(("ErrorOutOfFuel", "ErrorOutOfMemory"))]
    if len(ends) > 1 and not out:  # counting what is alive costs by the evaluator's own frames
        raise Fault(f"the tiers differ: {sorted(ends)}")


def _end(tier: str, source: str) -> tuple[str, int]:
    engine = engine_for(tier, "hook", SMALL)
    meter = engine.meter()
    try:
        said = debug(engine.eval(engine.compile(source), meter=meter))
    except RhaiError as error:
        said = f"{error.innermost.kind} {_judged(error)} {error.excerpt()}"
    return said[:200], meter.operations


def _judged(error: RhaiError) -> str:
    """What the error says. An exception of Python that was caught at the boundary is a fault all the same."""
    if error.innermost.kind == "ErrorSystem":
        raise Fault(error.message)
    return error.message


def _expression(data: bytes) -> None:
    """A text is one expression, or JSON as Rhai reads it."""
    engine = engine_for(TIERS[0], "hook", SMALL)
    for read in (engine.eval_expression, engine.parse_json):
        try:
            read(text_of(data))
        except RhaiError as error:
            _judged(error)


def _say(*texts: str) -> None:
    if not all(isinstance(text, str) for text in texts):
        raise Fault("an error that says nothing")


SCRIPT: Final = """
fn on_error(ctx) {
    let all = [ctx, ctx.a, ctx["b"]];
    for item in all { if type_of(item) == "array" || type_of(item) == "map" { all[0] = item.len(); } }
    #{ action: "modify", value: [ctx, ctx == ctx, `${ctx}`, all.to_string(), [ctx].to_json()] }
}
fn on_completion(ctx) { ctx }
"""
HOOKS: Final = compile("hooks.rhai", SCRIPT)


def _call(data: bytes) -> None:
    """A tree of odd values is the ctx of a hook, and what it returns."""
    tree = Tree(data).value(0)
    for hook in ("on_error", "on_completion"):
        try:
            outcome = run(HOOKS, hook, tree)
        except HookError as error:
            _say(_judged(error.inner) if error.inner is not None else error.message)
        else:
            repr(outcome)


ARGUMENTS: Final = """
fn f(x) { x.len() }
fn g(x) { let y = x; try { y[0] = 1; y.a = [y]; } catch {} [y, x, `${x}`, y == x] }
fn swap(x, y) { let z = x; x = y; y = z; this = [x, y]; [x, y, z].to_debug() }
fn all(x, y) {
    let seen = []; let n = 0;
    for item in [x, y] {
        try { seen.push(item.call(1)); } catch {}
        try { seen.push([item, item].map(|i| type_of(i))); item.push(x); item += 1; } catch {}
        try { for part in item { n += 1; seen.push(part); } } catch {}
        try { seen.push(item.to_json()); seen.sort(); } catch {}
    }
    this = seen; [n, seen.len(), x == y, #{a: x, b: y}.to_string()]
}
"""
ARGUMENTS_SCRIPT: Final = engine_for("reference").compile(ARGUMENTS)
CALLED: Final = (("f", 1), ("g", 1), ("swap", 2), ("all", 2), ("nothing", 1))


def _call_fn(data: bytes) -> None:
    """What a host can make, on every tier: arguments of a function of a script, its `this`, and a variable that it sees."""
    ends = {_called(tier, data) for tier in TIERS}
    if len(ends) > 1 and not any(said.startswith("ErrorOutOfMemory") for said, *_ in ends):
        raise Fault(f"the tiers differ: {sorted(ends)}")


def _called(tier: Tier, data: bytes) -> tuple[str, str, int, int]:
    tree = HostTree(data)
    name, count = CALLED[next(tree.bytes, 0) % len(CALLED)]
    this, scope, args = Ref(tree.value(0)), Scope(), [tree.value(0) for _ in range(count)]
    scope.push("outer", tree.value(0))
    engine = engine_for(tier, "hook", SMALL)
    meter = engine.meter()
    try:
        value = engine.call_fn(ARGUMENTS_SCRIPT, name, *args, scope=scope, this=this, meter=meter)
        odd = strangers([value, this.value])
        said = debug(value)
    except RhaiError as error:
        odd, said = set(), f"{error.innermost.kind} {_judged(error)}"
        if error.innermost.kind == "Conversion":
            return said, "", 0, 0
    if odd:
        raise Fault(f"a script holds {odd}")
    return said[:200], debug(this.value)[:200], meter.operations, meter.fuel


def _tool(data: bytes) -> None:
    """A text is a script tool."""
    try:
        read_directives(text_of(data))
    except DirectiveError as error:
        _say(str(error))
    try:
        tool = compile_tool("x.rhai", text_of(data))
    except HookError:
        return
    try:
        run_tool_script(tool, {"text": text_of(data)[:1000].encode("utf-8", "replace").decode()}, [])
    except ToolFailed as error:
        _say(str(error))


# --- files ----------------------------------------------------------------------------------------------------------------


def _agent(data: bytes) -> None:
    """Bytes are an agent file, and another TOML file."""
    try:
        read_blueprint("agent.toml", data)
    except BlueprintError as error:
        _say(error.message)
    try:
        Document("other.toml", data)
    except BlueprintError as error:
        _say(error.message)


def _toml(data: bytes) -> None:
    """A text is TOML, and where its lines are is known."""
    text = data.decode("utf-8", "replace")
    try:
        entries, lines = read_toml(text)
    except NoToml:
        return
    if any(line > text.count("\n") + 1 for line in lines.values()) or lines_of(text) != lines:
        raise Fault("a line that is not there")
    for key in entries:
        if (key,) not in lines and "\\" not in text:
            raise Fault(f"the line of {key!r} is not known")


def _json(data: bytes) -> None:
    """A text is JSON, a schema, what a schema judges, and what a hook returned."""
    try:
        value = json_text.parse(text_of(data))
    except (ValueError, RecursionError):
        return
    json_text.show(value)
    if json_text.parse(json_text.dump(value)) != value and value == value:
        raise Fault("JSON that changes")
    with suppress(SchemaError):
        check_schema(value)
        violations(value, [value])
    with suppress(BadAnswer):
        read_outcome(value)
    for read in (coding.read_event, coding.read_reply, coding.read_outcome):
        try:
            read(value)
        except (StoreError, ModelError, HookError):
            continue


# --- models and processes -------------------------------------------------------------------------------------------------


def _wire(data: bytes) -> None:
    """Bytes are what a model's server sends, and what its JSON says in each format."""
    for sent in (data, HTTP_HEAD + data):
        asyncio.run(_answered(sent))
    try:
        answer = json_text.parse(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return
    for wire in (ChatCompletions(), Messages()):
        try:
            wire.reply(answer if isinstance(answer, dict) else {"choices": answer, "content": answer})
        except (Malformed, NoReply):
            continue


async def _answered(sent: bytes) -> None:
    reader = asyncio.StreamReader(limit=http.MOST_LINE)
    reader.feed_data(sent)
    reader.feed_eof()
    try:
        await http._read_answer(reader)
    except (HttpError, asyncio.IncompleteReadError):
        return


def _address(data: bytes) -> None:
    """A text is an address."""
    try:
        str(read_address(text_of(data)))
    except ValueError as error:
        _say(str(error))


def _process(data: bytes) -> None:
    """A line is what an isolated process says."""
    for hook in ("on_error", "on_completion"):
        try:
            repr(_Reading(HOOKS, hook).call(data))
        except HookError as error:
            _say(error.message, error.excerpt())


def _shown(data: bytes) -> None:
    """A text is shown on a terminal."""
    text, shown = text_of(data), io.StringIO()
    console = Console(shown, shown)
    console.say(text)
    console.error(StageHooksError(text, file=text, hint=text))
    if any(character in shown.getvalue() for character in SHOWN):
        raise Fault("a terminal gets what it should not")


TARGETS: Final[dict[str, Target]] = {
    "compile": _compile, "expression": _expression, "call": _call, "call_fn": _call_fn, "tool": _tool, "agent": _agent,
    "toml": _toml, "json": _json, "wire": _wire, "address": _address, "process": _process, "shown": _shown,
}  # fmt: skip


def give(name: str, data: bytes) -> None:
    """Give `data` to the target; a Fault where something else comes out than may, or it takes too long."""
    started = time.process_time()
    try:
        TARGETS[name](data)
    except Fault:
        raise
    except Exception as error:
        raise Fault(f"{type(error).__name__}: {str(error)[:200]}") from error
    taken = time.process_time() - started
    if taken > SECONDS and taken > SECONDS * slowness_now():
        raise Fault(f"took {taken:.1f} seconds")


def limit_memory(most: int = 3 * 2**30) -> None:
    """Let no input take the machine's memory."""
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
