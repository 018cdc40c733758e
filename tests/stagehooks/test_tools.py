"""The built-in tools, the directory they are confined to, and tools made of Python functions."""

import asyncio
import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from stagehooks.errors import SpawnError
from stagehooks.gate.approval import approve_all
from stagehooks.models.protocol import ToolCall
from stagehooks.tools.answer import LARGEST_ANSWER, FinalAnswer
from stagehooks.tools.catalogue import Catalogue, check_tools, run_tool
from stagehooks.tools.shell import LARGEST_OUTPUT, run_command
from stagehooks.tools.tool import Parameter, Tool, ToolError, tool
from stagehooks.tools.workdir import LARGEST_READ, WorkDirectory
from tests.stagehooks.driving import Recorder, calls, drive, drive_agent, stage, write_agent

OUTSIDE = ["../secret", "/etc/passwd", "inner/../../secret", "link", "inner/link/secret", "..", "a\0b", "../work2/near"]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A work directory with a file and a folder, beside a secret that links point to."""
    root = tmp_path / "work"
    (root / "inner").mkdir(parents=True)
    (root / "notes.txt").write_text("one\ntwo\nthree\n")
    (root / "inner" / "deep.txt").write_text("deep")
    (tmp_path / "secret").write_text("hush")
    (tmp_path / "work2").mkdir()
    (tmp_path / "work2" / "near").write_text("hush")
    (root / "link").symlink_to(tmp_path / "secret")
    (root / "inner" / "link").symlink_to(tmp_path)
    return root


def use(root: Path, name: str, **arguments: object) -> tuple[str, bool]:
    """Call a built-in tool."""
    catalogue = Catalogue(WorkDirectory.at(root), FinalAnswer(["main"]))
    made = catalogue._tools[name]
    return asyncio.run(run_tool(made, ToolCall("1", name, dict(arguments))))


# --- files ----------------------------------------------------------------------------------------------------------------


def test_read_file_returns_the_text(place: Path) -> None:
    assert use(place, "read_file", path="notes.txt") == ("one\ntwo\nthree\n", True)
    assert use(place, "read_file", path=str(place / "inner" / "deep.txt")) == ("deep", True)


def test_read_file_returns_the_first_lines_and_says_how_many_are_left(place: Path) -> None:
    assert use(place, "read_file", path="notes.txt", max_lines=2) == ("one\ntwo\n[...1 more lines]", True)


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("name", ["read_file", "write_file", "list_files"])
def test_nothing_outside_the_work_directory_is_reached(place: Path, name: str, path: str) -> None:
    more = {"content": "overwritten"} if name == "write_file" else {}
    text, worked = use(place, name, path=path, **more)
    assert not worked
    assert "is outside the work directory" in text or "NUL" in text
    assert (place.parent / "secret").read_text() == "hush"
    assert (place.parent / "work2" / "near").read_text() == "hush"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("nowhere", "[error] cannot read 'nowhere': No such file or directory"),
        ("inner", "[error] cannot read 'inner': not a regular file"),
        ("pipe", "[error] cannot read 'pipe': not a regular file"),
        ("binary", "[error] cannot read 'binary': not UTF-8 text (byte 1)"),
        ("huge", f"[error] cannot read 'huge': larger than {LARGEST_READ} bytes"),
    ],
)
def test_what_cannot_be_read_says_why(place: Path, path: str, text: str) -> None:
    os.mkfifo(place / "pipe")
    (place / "binary").write_bytes(b"a\xff")
    (place / "huge").write_bytes(b"x" * (LARGEST_READ + 1))
    assert use(place, "read_file", path=path) == (text, False)


def test_list_files_names_directories_with_a_slash(place: Path) -> None:
    assert use(place, "list_files") == ("inner/\nlink\nnotes.txt", True)
    assert use(place, "list_files", path="inner") == ("deep.txt\nlink", True)
    assert use(place, "list_files", recursive=True) == ("inner/\ninner/deep.txt\ninner/link\nlink\nnotes.txt", True)


def test_an_empty_directory_says_so(tmp_path: Path) -> None:
    assert use(tmp_path, "list_files") == ("(empty)", True)


def test_write_file_makes_directories_and_replaces_what_was_there(place: Path) -> None:
    assert use(place, "write_file", path="new/there.txt", content="héllo") == ("Wrote 6 bytes to new/there.txt.", True)
    use(place, "write_file", path="notes.txt", content="x")
    assert (place / "new" / "there.txt").read_text() == "héllo"
    assert (place / "notes.txt").read_text() == "x"


def test_write_file_refuses_what_is_too_large_and_what_is_no_file(place: Path) -> None:
    assert use(place, "write_file", path="big", content="x" * 1_000_001)[1] is False
    assert not (place / "big").exists()
    assert use(place, "write_file", path="inner", content="x") == ("[error] cannot write 'inner': Is a directory", False)


def test_a_name_that_is_no_text_is_still_shown(place: Path) -> None:
    (place / os.fsdecode(b"odd\xff")).write_text("")
    text, worked = use(place, "list_files")
    assert worked
    assert "odd?" in text


def test_a_link_that_is_put_there_after_the_check_leads_nowhere(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = WorkDirectory.at(place)
    swapped = {path: place / path for path in ("inner/deep.txt", "inner/new.txt", "inner")}
    monkeypatch.setattr(WorkDirectory, "resolve", lambda _, path: swapped[path])
    shutil.rmtree(place / "inner")
    (place.parent / "outside").mkdir()
    (place.parent / "outside" / "deep.txt").write_text("hush")
    (place / "inner").symlink_to(place.parent / "outside")
    for reach in (
        lambda: directory.read("inner/deep.txt"),
        lambda: directory.write("inner/new.txt", "x"),
        lambda: directory.write("inner/deep.txt", "x"),
        lambda: directory.names("inner"),
    ):
        with pytest.raises(ToolError):
            reach()
    assert [(path.name, path.read_text()) for path in (place.parent / "outside").iterdir()] == [("deep.txt", "hush")]


def test_a_work_directory_that_was_removed_is_not_made_again(place: Path) -> None:
    directory = WorkDirectory.at(place)
    shutil.rmtree(place)
    for reach in (lambda: directory.read("a"), lambda: directory.write("b/a", "x"), lambda: directory.names(".")):
        with pytest.raises(ToolError, match="No such file or directory"):
            reach()
    assert not place.exists()


def test_no_descriptor_stays_open(place: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for name, more in (("read_file", {}), ("write_file", {"content": "x"}), ("list_files", {})):
        for path in ("inner/deep.txt", "inner", ".", "nowhere/at/all", "inner/link/secret"):
            use(place, name, path=path, **more)
    assert len(os.listdir("/proc/self/fd")) == before


# --- shell ----------------------------------------------------------------------------------------------------------------


def test_shell_runs_in_the_work_directory(place: Path) -> None:
    assert use(place, "shell", command="pwd && cat notes.txt") == (f"{place}\none\ntwo\nthree\n", True)


def test_shell_tells_how_a_command_ended_badly(place: Path) -> None:
    assert use(place, "shell", command="echo out; echo err >&2; exit 3") == ("out\nerr\n\n[exit status 3]", True)
    assert use(place, "shell", command="exit 1") == ("[exit status 1]", True)


def test_shell_inherits_nothing_of_the_environment(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_KEY", "hush")
    text, _ = use(place, "shell", command="env")
    assert "hush" not in text
    assert f"HOME={place}" in text


def test_shell_has_no_input(place: Path) -> None:
    assert use(place, "shell", command="cat") == ("", True)


def test_shell_output_is_capped(place: Path) -> None:
    text, _ = use(place, "shell", command=f"head -c {LARGEST_OUTPUT * 3} /dev/zero | tr '\\0' x")
    assert text == "x" * LARGEST_OUTPUT + "\n[...truncated]"


def ends(pid: int, tries: int = 200) -> bool:
    """Does the process of that id end within two seconds? (One that waits to be collected has ended.)"""
    for _ in range(tries):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state in "ZX":
            return True
        time.sleep(0.01)
    return False


def test_a_command_that_takes_too_long_is_stopped_with_all_its_children(place: Path) -> None:
    text = asyncio.run(run_command("sleep 30 & echo $!; sleep 30", WorkDirectory.at(place), 0.3))
    assert text.endswith("[stopped after 0.3 seconds]")
    assert ends(int(text.split()[0]))


def test_a_cancelled_command_leaves_no_process_behind(place: Path) -> None:
    async def cancel() -> None:
        running = asyncio.ensure_future(run_command("echo $$ > pid; sleep 30", WorkDirectory.at(place), 60))
        while not (place / "pid").exists() or not (place / "pid").read_text().strip():
            await asyncio.sleep(0.01)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(cancel())
    assert ends(int((place / "pid").read_text()))


@pytest.mark.parametrize("steps", range(8))
def test_a_command_that_is_cancelled_while_it_starts_leaves_no_process_behind(place: Path, steps: int) -> None:
    async def cancel() -> None:
        running = asyncio.ensure_future(run_command("echo $$ > pid; sleep 30", WorkDirectory.at(place), 60))
        for _ in range(steps):
            await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(running, 20)

    asyncio.run(cancel())
    said = (place / "pid").read_text().strip() if (place / "pid").exists() else ""
    assert not said or ends(int(said))


@pytest.mark.parametrize("aside", ["> /dev/null 2>&1", ""])
def test_a_background_process_does_not_outlive_its_command(place: Path, aside: str) -> None:
    text, _ = use(place, "shell", command=f"sleep 30 {aside} & echo $!")
    assert ends(int(text))


def test_a_process_that_left_the_session_holds_nobody_up(place: Path) -> None:
    text, worked = use(place, "shell", command="setsid sleep 20 & echo $!; sleep 0.3")
    assert worked
    assert not ends(int(text), tries=1)
    os.kill(int(text), signal.SIGKILL)


# --- the final output -----------------------------------------------------------------------------------------------------


def test_the_last_answer_counts_and_a_refused_one_leaves_the_earlier() -> None:
    answer = FinalAnswer(["Plan"])
    assert answer.submit("first") == "Recorded as this run's final output."
    answer.submit("second")
    for refused in ("", " \n", "plan", " PLAN "):
        with pytest.raises(ToolError):
            answer.submit(refused)
    assert answer.content == "second"


def test_an_answer_is_cut_at_its_largest_size() -> None:
    answer = FinalAnswer([])
    answer.submit("é" * LARGEST_ANSWER)
    assert answer.truncated
    assert answer.content == "é" * (LARGEST_ANSWER // 2)


def test_the_answer_stands_in_its_region(tmp_path: Path) -> None:
    driven = drive(tmp_path, "", calls(("submit_output", {"content": "the answer"})), "done", tools=["submit_output"])
    assert driven.model.saw("## final_output\\nthe answer")
    assert driven.result.output == "the answer"


# --- custom tools ---------------------------------------------------------------------------------------------------------


def greet(name: str, times: int = 1, loud: bool = False) -> str:
    """Greet somebody.

    More than the first line is for people.
    """
    return ", ".join([f"hello {name}"] * times).upper() if loud else ", ".join([f"hello {name}"] * times)


async def wait(seconds: float) -> str:
    """Wait."""
    await asyncio.sleep(seconds)
    return "waited"


def fail() -> str:
    raise RuntimeError("no line")


def number() -> int:
    return 7


def drive_custom(directory: Path, made: Tool, arguments: dict) -> tuple[str, bool]:
    agent = write_agent(directory / "agent", "", stage(tools=[made.name]))
    driven = drive_agent(
        agent, Recorder(calls((made.name, arguments)), "done"), tools=[made], approve=approve_all, workdir=directory
    )
    return driven.tools[0].result, driven.tools[0].ok


def test_a_python_function_is_a_tool(tmp_path: Path) -> None:
    made = tool(greet)
    assert (made.name, made.description) == ("greet", "Greet somebody.")
    assert made.parameters == (
        Parameter("name"),
        Parameter("times", "integer", required=False),
        Parameter("loud", "boolean", required=False),
    )
    assert drive_custom(tmp_path, made, {"name": "you", "times": 2}) == ("hello you, hello you", True)


def test_an_asynchronous_function_is_a_tool(tmp_path: Path) -> None:
    assert drive_custom(tmp_path, tool(wait), {"seconds": 0}) == ("waited", True)


def test_a_failing_function_goes_back_to_the_model(tmp_path: Path) -> None:
    assert drive_custom(tmp_path, tool(fail), {}) == ("[error] fail: RuntimeError: no line", False)


def test_a_function_must_return_text(tmp_path: Path) -> None:
    assert drive_custom(tmp_path, tool(number), {}) == ("[error] number: returned int, not text", False)


def test_a_parameter_of_another_type_is_refused_at_once() -> None:
    def odd(what: set) -> str:
        return str(what)

    with pytest.raises(TypeError, match="odd: parameter 'what' must be str, int, float, bool, list or dict"):
        tool(odd)


def test_arguments_are_given_by_name() -> None:
    def anything(**more: str) -> str:
        return ""

    def listed(items: list[str]) -> str:
        return ",".join(items)

    with pytest.raises(TypeError, match="parameter 'more' must be one that is given by its name"):
        tool(anything)
    assert tool(listed).parameters == (Parameter("items", "array"),)


def test_the_model_sees_a_json_schema_of_each_offered_tool(tmp_path: Path) -> None:
    driven = drive(tmp_path, "", "one", "two", "three", "four", tools=["list_files"])
    (offer,) = driven.model.requests[0].tools
    assert offer.name == "list_files"
    assert offer.parameters == {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "The directory (default: all of it)."},
            "recursive": {"type": "boolean", "description": "List what its directories hold, too."},
        },
        "required": [],
    }


def test_a_stage_that_names_a_tool_nobody_provides_is_refused_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(SpawnError, match="stage 'main': there is no tool 'write_flie'"):
        drive(tmp_path, "", "done", tools=["write_flie"])


def test_a_custom_tool_cannot_take_the_name_of_another() -> None:
    with pytest.raises(SpawnError, match="there is already a tool called 'shell'"):
        check_tools([], [Tool("shell", "", (), fail)])


# --- the work directory of a run ------------------------------------------------------------------------------------------


def test_a_run_gets_a_fresh_copy_of_what_the_agent_brings_along(tmp_path: Path) -> None:
    (tmp_path / "agent" / "workspace").mkdir(parents=True)
    (tmp_path / "agent" / "workspace" / "a.txt").write_text("brought")
    wanted = calls(("write_file", {"path": "a.txt", "content": "changed"}), ("read_file", {"path": "a.txt"}))
    driven = drive(tmp_path, "", wanted, "done", tools=["write_file", "read_file"], approve=approve_all)
    assert driven.tools[1].result == "changed"
    assert (tmp_path / "agent" / "workspace" / "a.txt").read_text() == "brought"
    kept = Path(driven.events[0].workdir)
    assert (kept / "a.txt").read_text() == "changed"
    shutil.rmtree(kept)


def test_a_fresh_work_directory_in_which_nothing_changed_is_removed(tmp_path: Path) -> None:
    driven = drive(tmp_path, "", calls(("list_files", {})), "done", tools=["list_files"])
    assert not Path(driven.events[0].workdir).exists()


def test_what_an_agent_brings_along_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    agent = write_agent(tmp_path / "agent", "")
    (tmp_path / "agent" / "workspace").symlink_to(tmp_path / "private")
    with pytest.raises(SpawnError, match="workspace' resolves outside the agent's directory"):
        drive_agent(agent, Recorder("done"))


def test_a_work_directory_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpawnError, match="is not a directory"):
        drive(tmp_path, workdir=tmp_path / "nowhere")
