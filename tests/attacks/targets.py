"""What attacks on the runtime are made against, each kind a function: from the attack and its place to what came of it.

A verdict is "value" with a text, or the name of the error with its message. What is not an error of stagehooks is "foreign".
"""

import asyncio
import contextlib
import io
import json
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from stagehooks import cli
from stagehooks.agent.spawn import load
from stagehooks.console import Console
from stagehooks.errors import StageHooksError
from stagehooks.gate.approval import Answer, Question
from stagehooks.gate.terminal import TerminalApprover, TerminalInteractor
from stagehooks.models.anthropic import Messages
from stagehooks.models.http import read_address
from stagehooks.models.openai_compatible import ChatCompletions
from stagehooks.models.protocol import Reply, Request, ToolCall
from stagehooks.models.remote import RemoteModel, Server
from stagehooks.models.wire import Wire
from stagehooks.run.interaction import Interaction
from stagehooks.scripts.stage_hook import compile, run
from stagehooks.store.database import Database
from stagehooks.store.resume import resume_run_sync
from stagehooks.store.store import Store
from stagehooks.tools.files import file_tools
from stagehooks.tools.tool import ToolError
from stagehooks.tools.workdir import WorkDirectory
from tests.attacks.places import harm, place
from tests.attacks.running import Puppet, drive, told

Attack = Mapping[str, Any]


def against(attack: Attack) -> tuple[str, str]:
    """Make the attack: its verdict. Whatever else it did, reaching what it must not is harm."""
    with place(attack) as root:
        try:
            verdict = "value", TARGETS[attack["what"]](attack, root)
        except (StageHooksError, ToolError) as error:
            verdict = next(kind.__name__ for kind in type(error).__mro__ if not kind.__name__.startswith("_")), str(error)
        except BaseException as error:
            verdict = f"foreign {type(error).__name__}", str(error)
        done = harm(root, verdict[1])
        return ("harm", done) if done else verdict


# --- files ----------------------------------------------------------------------------------------------------------------


def _load(attack: Attack, root: Path) -> str:
    """An agent directory is loaded."""
    agent = load(root / "agent")
    return f"{len(agent.scripts)} scripts; {'; '.join(finding.text for finding in agent.findings)}"


def _command(attack: Attack, root: Path) -> str:
    """A command is typed, in the place: its exit code, then all it printed."""
    out, err = io.StringIO(), io.StringIO()
    before = os.getcwd()
    os.chdir(root)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = cli.main(attack["arguments"])
    finally:
        os.chdir(before)
    return f"{code} {out.getvalue()}{err.getvalue()}"


def _tool(attack: Attack, root: Path) -> str:
    """A tool of the work directory is called."""
    tools = {tool.name: tool for tool in file_tools(WorkDirectory.at(root / "work"))}
    return str(tools[attack["tool"]].function(**attack["arguments"]))


def _race(attack: Attack, root: Path) -> str:
    """A tool is called again and again, while somebody swaps what is there for a link to outside: what came of all calls."""
    stop = threading.Event()
    real, link = root / "work" / "real", root / "work" / "link"
    victim = root / "work" / attack["victim"]
    link.symlink_to(root / attack["leads_to"])

    def swap() -> None:
        while not stop.is_set():
            with contextlib.suppress(OSError):
                os.rename(victim, real)
                os.rename(link, victim)
                os.rename(victim, link)
                os.rename(real, victim)

    swapper = threading.Thread(target=swap)
    swapper.start()
    found = set()
    try:
        for _ in range(attack["turns"]):
            try:
                found.add(_tool(attack, root))
            except ToolError as error:
                found.add(type(error).__name__)
    finally:
        stop.set()
        swapper.join()
    return " ".join(sorted(found))


# --- models ---------------------------------------------------------------------------------------------------------------

WIRES: Final[dict[str, Wire]] = {"openai": ChatCompletions(), "anthropic": Messages()}
SECONDS: Final = 0.5


def _server(attack: Attack, root: Path) -> str:
    """A model's server sends these bytes: the reply that is made of them."""
    return repr(asyncio.run(_asked(attack)))


async def _asked(attack: Attack) -> Reply:
    sent = bytes.fromhex(attack["sends"])

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        with contextlib.suppress(OSError):
            writer.write(sent)
            await writer.drain()
        if not attack.get("hangs"):
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    address = read_address(f"http://127.0.0.1:{port}")
    model = RemoteModel("test", "m", Server(address, WIRES[attack["format"]], None, SECONDS if attack.get("hangs") else 20.0))
    try:
        return await model.complete(Request("main", 1, "reply", "m", (), ()))
    finally:
        server.close()


# --- hooks and runs -------------------------------------------------------------------------------------------------------


def _hook(attack: Attack, root: Path) -> str:
    """A hook is called once."""
    script = compile("hooks.rhai", attack["script"], [attack["hook"]])
    return repr(run(script, attack["hook"], attack.get("ctx", {})))


def _run(attack: Attack, root: Path) -> str:
    """An agent is driven to its end: what is known of it then."""
    return told(drive(attack, root))


# --- the store ------------------------------------------------------------------------------------------------------------


def _store(attack: Attack, root: Path) -> str:
    """A run that stopped half-way is damaged in the store; all that can be asked of it is asked then."""
    path = root / "store" / "runs.db"
    with Store(path) as store:
        drive(attack, root, store)
    if "overwrites" in attack:
        path.write_bytes(bytes.fromhex(attack["overwrites"]))
    else:
        database = Database(path)
        for statement in attack["statements"]:
            database.write((statement,))
        database.close()
    return json.dumps({name: _tried(ask, path) for name, ask in ASKED.items()})


def _tried(ask: Callable[[Store], object], path: Path) -> str:
    try:
        with Store(path) as store:
            ask(store)
    except StageHooksError as error:
        return f"{type(error).__name__}: {error}"
    return "value"


ASKED: Final[dict[str, Callable[[Store], object]]] = {
    "runs": lambda store: [run.status for run in store.runs()],
    "events": lambda store: [list(store.events(run.id)) for run in store.runs()],
    "hooks": lambda store: [list(store.hook_calls(run.id)) for run in store.runs()],
    "resume": lambda store: [resume_run_sync(store, run.id, model=Puppet(()), by_force=True) for run in store.runs()],
}

# --- what is shown --------------------------------------------------------------------------------------------------------


def _shown(attack: Attack, root: Path) -> str:
    """A person is asked on a terminal about a call, and at an interaction point: all that is printed."""
    text, printed = attack["text"], io.StringIO()
    question = Question("policy", text, ToolCall(text, text, {text: [text]}), text, tuple(Answer))
    interaction = Interaction(text, text, text, "free_text", (text,), text, True)
    asyncio.run(TerminalApprover(io.StringIO("d\n"), printed)(question))
    asyncio.run(TerminalApprover(io.StringIO("dd\n"), printed).together([question, question]))
    asyncio.run(TerminalInteractor(io.StringIO("1\n"), printed)(interaction))
    Console(printed, printed).error(StageHooksError(text, file=text, hint=text))
    return printed.getvalue()


TARGETS: Final[dict[str, Callable[[Attack, Path], str]]] = {
    "load": _load, "command": _command, "tool": _tool, "race": _race, "server": _server, "hook": _hook, "run": _run,
    "store": _store, "shown": _shown,
}  # fmt: skip
