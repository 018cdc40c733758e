"""What regions hold at first: files, scripts and tools, confined and judged; and what happens where a seed cannot be had."""

from pathlib import Path

import pytest

from stagehooks import Event, Store, resume_run_sync
from stagehooks.agent.reader import read_blueprint
from stagehooks.check import check
from stagehooks.errors import SpawnError
from stagehooks.run.events import RegionChanged, Warned
from stagehooks.run.lifecycle import run_agent_sync
from stagehooks.tools.tool import Tool
from tests.stagehooks.driving import Driven, Recorder, drive_agent, stage, write_agent
from tests.stagehooks.resuming import in_a_child, killer


def seeded(
    directory: Path,
    seed: str,
    more: str = "",
    tools: tuple[Tool, ...] = (),
    stages: str | None = None,
    allow: tuple[str, ...] = (),
    **files: str,
) -> Driven:
    """A run whose region `notes` has this seed, in a work directory with these files (`a__b_txt` is `a/b.txt`)."""
    work = directory / "work"
    for name, text in files.items():
        path = work / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    work.mkdir(parents=True, exist_ok=True)
    agent = write_agent(directory / "agent", "", stages or stage(), top=f"[context.regions.notes]\nseed = {seed}\n{more}\n")
    return drive_agent(agent, Recorder("done", "done"), workdir=work, tools=tools, allow=allow)


def warnings(driven: Driven) -> list[str]:
    return [event.text for event in driven.events if isinstance(event, Warned)]


def tool(name: str = "now", policy: str = "allow", **more: object) -> Tool:
    return Tool(name, "", (), lambda: "it is late", policy=policy, **{"direction": "inbound", **more})  # any layer


def test_the_text_of_one_file_is_all_there_is(tmp_path: Path) -> None:
    driven = seeded(tmp_path, '{ files = ["a/b.txt"] }', a__b_txt="hello")
    assert driven.model.requests[0].system == ("[notes]:\nhello",)
    (event,) = [event for event in driven.events if isinstance(event, RegionChanged)]
    assert (event.region, event.what, event.before, event.after) == ("notes", "seeded", 0, 2)


def test_several_files_stand_under_their_names(tmp_path: Path) -> None:
    driven = seeded(tmp_path, '{ files = ["b.txt", "a.txt"] }', a_txt="one", b_txt="two")
    assert driven.model.requests[0].system == ("[notes]:\n=== b.txt ===\ntwo\n=== a.txt ===\none",)


def test_a_pattern_finds_files_in_order_and_leaves_links_out(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "secret.md").write_text("secret")
    (tmp_path / "work" / "link.md").symlink_to(tmp_path / "secret.md")
    driven = seeded(tmp_path, '{ glob = "**/*.md" }', b_md="b", sub__a_md="a", c_txt="c")
    assert driven.model.requests[0].system == ("[notes]:\n=== b.md ===\nb\n=== sub/a.md ===\na",)


def test_a_seed_that_is_too_long_is_cut(tmp_path: Path) -> None:
    driven = seeded(tmp_path, '{ files = ["a.txt"] }', "max_tokens = 30", a_txt="x" * 4000)
    assert driven.model.requests[0].system[0].endswith("x\n[...truncated: seed exceeded this region's budget]")


@pytest.mark.parametrize(
    ("source", "text"), [("40 + 2", "42"), ('"text"', "text"), ("[1, #{ a: () }]", '[1,{"a":null}]'), ("fn f() { `x` } f()", "x")]
)
def test_a_script_seed_is_what_it_evaluates_to(tmp_path: Path, source: str, text: str) -> None:
    driven = seeded(tmp_path, '{ rhai = "plan.rhai" }', plan_rhai=source)
    assert driven.model.requests[0].system == (f"[notes]:\n{text}",)


@pytest.mark.parametrize(
    ("seed", "why"),
    [
        ('{ files = ["nope.txt"] }', "cannot read 'nope.txt': No such file or directory"),
        ('{ files = ["../secret"] }', "'../secret' is outside the work directory"),
        ('{ files = ["/etc/hostname"] }', "'/etc/hostname' is outside the work directory"),
        ('{ rhai = "../plan.rhai" }', "'../plan.rhai' is outside the work directory"),
        ('{ rhai = "loop.rhai" }', "loop.rhai: Too many operations"),
        ('{ rhai = "broken.rhai" }', "Script compilation failed: broken.rhai: "),
        ('{ rhai = "closure.rhai" }', "closure.rhai: Fn has no form in JSON"),
        (
            '{ command = "ls" }',
            '\'shell\' may not be called here: its policy is "ask", and only "allow" asks nobody; whoever starts the run may',
        ),
        ('{ tool = "nope" }', "there is no tool 'nope'"),
        ('{ tool = "shell" }', '\'shell\' may not be called here: its policy is "ask", and only "allow" asks nobody'),
        ('{ tool = "read_file" }', "invalid arguments for 'read_file': at /: \"path\" is a required property"),
        (
            '{ tools = [{ name = "read_file", args = { path = "nope" } }] }',
            "[error] cannot read 'nope': No such file or directory",
        ),
    ],
)
def test_a_seed_that_cannot_be_had_leaves_its_region_empty_unless_it_is_required(tmp_path: Path, seed: str, why: str) -> None:
    files = {"loop_rhai": "loop {}", "broken_rhai": "fn (", "closure_rhai": "|x| x"}
    driven = seeded(tmp_path / "one", seed, **files)
    assert driven.result.status == "complete"
    assert driven.model.requests[0].system == ()
    (warning,) = warnings(driven)
    assert warning.startswith(f"region 'notes': its seed cannot be had: {why}")
    required = seeded(tmp_path / "two", seed, "required = true", **files)
    assert (required.result.status, required.result.error) == ("error", warning)


def test_a_command_fills_a_region_where_whoever_starts_the_run_allows_the_shell(tmp_path: Path) -> None:
    driven = seeded(tmp_path, '{ command = "cat a.txt; echo $SECRET; pwd" }', allow=("shell",), a_txt="hello\n")
    assert driven.model.requests[0].system == (f"[notes]:\nhello\n\n{tmp_path / 'work'}\n",)
    assert warnings(driven) == []


@pytest.mark.parametrize("table", ["[tool_permissions]", "[stages.main.tool_permissions]"])
def test_no_command_runs_where_the_agent_denies_the_shell(tmp_path: Path, table: str) -> None:
    more = f'{table}\nshell = "deny"\n'
    driven = seeded(tmp_path, '{ command = "touch made" }', more, allow=("shell",))
    assert not (tmp_path / "work" / "made").exists()
    (warning,) = warnings(driven)
    assert warning.endswith('its policy is "deny", and only "allow" asks nobody')


def test_no_command_runs_where_nobody_allows_it(tmp_path: Path) -> None:
    seeded(tmp_path / "a", '{ command = "touch made" }')
    seeded(tmp_path / "b", '{ command = "touch made" }', allow=("write_file",))
    assert not [*tmp_path.rglob("made")]


def test_no_command_runs_where_it_could_give_something_away(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "a.txt").write_text("secret")
    seeds = {"first": '{ files = ["a.txt"] }', "second": '{ command = "touch made" }'}
    regions = "".join(f"[context.regions.{name}]\nseed = {seed}\n" for name, seed in seeds.items())
    top = f"[security]\ntaint_tracking = true\n{regions}"
    driven = drive_agent(write_agent(tmp_path / "agent", "", stage(), top=top), Recorder("done"), workdir=work, allow=["shell"])
    assert not (work / "made").exists()
    assert "[blocked] Tool 'shell' would send Internal-level data" in warnings(driven)[0]


def test_a_command_that_ends_badly_says_so(tmp_path: Path) -> None:
    driven = seeded(tmp_path, '{ command = "echo no; exit 3" }', allow=("shell",))
    assert driven.model.requests[0].system == ("[notes]:\nno\n\n[exit status 3]",)


def test_a_tool_that_the_run_allows_may_fill_a_region(tmp_path: Path) -> None:
    driven = seeded(tmp_path, '{ tool = "now" }', tools=(tool(policy="ask"),), allow=("now",))
    assert driven.model.saw("it is late", 0)


def test_no_command_runs_before_every_script_is_compiled(tmp_path: Path) -> None:
    with pytest.raises(SpawnError):
        seeded(tmp_path, '{ command = "touch made" }', stages=stage(hooks=["on_error"]), allow=("shell",))
    assert not (tmp_path / "work" / "made").exists()


def test_a_glob_that_leaves_the_work_directory_finds_nothing(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    driven = seeded(tmp_path, '{ glob = "../*.md" }')
    assert driven.model.requests[0].system == ()


def test_tools_that_may_be_called_without_asking_fill_a_region(tmp_path: Path) -> None:
    seed = '{ tools = ["now", { name = "read_file", args = { path = "a.txt" } }] }'
    driven = seeded(tmp_path, seed, tools=(tool(),), a_txt="hello")
    assert driven.model.requests[0].system == ("[notes]:\n## now\nit is late\n\n## read_file\nhello",)


def test_a_tool_that_fails_is_left_out_with_a_warning(tmp_path: Path) -> None:
    driven = seeded(tmp_path, '{ tools = ["now", "nope"] }', tools=(tool(),))
    assert (
        driven.model.requests[0].system == ("[notes]:\nit is late",) or "## now\nit is late" in driven.model.requests[0].system[0]
    )
    assert warnings(driven) == ["region 'notes': there is no tool 'nope'"]


@pytest.mark.parametrize("more", ['[tool_permissions]\nnow = "ask"', '[tool_permissions]\nnow = "deny"'])
def test_the_policy_of_the_agent_holds_for_seeds_too(tmp_path: Path, more: str) -> None:
    driven = seeded(tmp_path, '{ tool = "now" }', more, (tool(),))
    assert "may not be called here" in warnings(driven)[0]


def test_a_tool_seed_is_filled_again_with_each_stage_where_it_says_so(tmp_path: Path) -> None:
    told: list[str] = []

    def count() -> str:
        told.append("x")
        return f"call {len(told)}"

    counter = Tool("count", "", (), count, policy="allow", direction="inbound")
    stages = stage("one") + stage("two")
    driven = seeded(tmp_path, '{ tool = "count", refresh = "each_stage" }', "", (counter,), stages)
    assert [request.system for request in driven.model.requests] == [("[notes]:\ncall 1",), ("[notes]:\ncall 2",)]


def test_a_seed_is_filled_once_otherwise(tmp_path: Path) -> None:
    driven = seeded(tmp_path, '{ tool = "now" }', "", (tool(),), stage("one") + stage("two"))
    assert len([event for event in driven.events if isinstance(event, RegionChanged)]) == 1


def test_an_outbound_tool_is_not_called_where_it_would_leak(tmp_path: Path) -> None:
    other = '[context.regions.other]\nseed = { tool = "now" }'
    more = f"[security]\ntaint_tracking = true\n{other}"
    driven = seeded(tmp_path, '{ files = ["a.txt"] }', more, (tool(direction="outbound"),), a_txt="hello")
    assert "[blocked] Tool 'now' would send Internal-level data" in warnings(driven)[0]


# --- reading the file -----------------------------------------------------------------------------------------------------


def findings(seed: str) -> list[tuple[str, str]]:
    _, found = read_blueprint("agent.toml", f"[agent]\n[stages.main]\n[context.regions.x]\nseed = {seed}\n".encode())
    return [(finding.severity, finding.code) for finding in found]


@pytest.mark.parametrize(
    ("seed", "found"),
    [
        ('{ files = ["a"] }', []),
        ('{ tools = ["a", { name = "b" }], refresh = "once" }', []),
        ('{ command = "ls" }', [("warning", "region-seed-needs-leave")]),
        ("{}", [("error", "region-seed-not-understood")]),
        ('{ literal = "a", glob = "b" }', [("error", "region-seed-not-understood")]),
        ('{ literals = "a" }', [("error", "unknown-key"), ("error", "region-seed-not-understood")]),
        ('{ files = "a" }', [("error", "invalid-value")]),
        ('{ files = ["a"], refresh = "once" }', [("warning", "ignored")]),
        ('{ tool = "a", refresh = "often" }', [("error", "invalid-value")]),
        ("{ tools = [1] }", [("error", "invalid-value")]),
        ("{ tools = [] }", [("error", "region-seed-not-understood")]),
        ("{ tools = [{ args = { a = 1 } }] }", [("error", "invalid-value")]),
        ("{ files = [] }", [("error", "region-seed-not-understood")]),
        ('{ glob = " " }', [("error", "region-seed-not-understood")]),
        ('{ rhai = "" }', [("error", "region-seed-not-understood")]),
        ('{ tool = "" }', [("error", "region-seed-not-understood")]),
        ('{ literal = "" }', []),
        ('{ tools = [{ nam = "x" }] }', [("error", "unknown-key"), ("error", "invalid-value")]),
    ],
)
def test_what_is_said_of_a_seed(seed: str, found: list[tuple[str, str]]) -> None:
    assert findings(seed) == found


def test_a_seed_that_calls_a_tool_which_is_not_there_is_said_by_validate(tmp_path: Path) -> None:
    seed = '{ tools = ["list_file", "list_files"] }'
    write_agent(tmp_path, "", stage(), top=f"[context.regions.notes]\nseed = {seed}\n")
    (found,) = [finding for finding in check(tmp_path).findings if finding.code == "tool"]
    assert found.text == "region 'notes': there is no tool 'list_file' for its seed"
    assert found.fix.startswith("did you mean 'list_files'?")
    assert found.line == 3


def test_a_command_of_a_seed_is_not_run_again_by_a_run_that_is_resumed(tmp_path: Path) -> None:
    work, paid = tmp_path / "work", tmp_path / "work" / "paid"
    work.mkdir()
    top = '[context.regions.notes]\nseed = { command = "echo once >> paid; cat paid" }\n'
    agent = write_agent(tmp_path / "agent", "", stage(), top=top)
    (tmp_path / "agent" / "replies.toml").write_text('[[main]]\ntext = "done"\n')
    store = Store(tmp_path / "runs.db")
    observed: list[Event] = []
    whole = run_agent_sync(agent, workdir=work, store=store, allow=["shell"], observe=observed.append)
    assert (whole.status, paid.read_text()) == ("complete", "once\n")
    for at in range(1, len(observed)):
        paid.unlink()
        in_a_child(
            lambda at=at: run_agent_sync(agent, workdir=work, store=Store(store.path), allow=["shell"], observe=killer(at))
        )
        run = next(run for run in store.runs() if not run.over)
        assert resume_run_sync(store, run.id).status == "complete", at
        assert paid.read_text() == "once\n", at
