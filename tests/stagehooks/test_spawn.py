"""From a directory to an agent: what is read, what is compiled, what is refused before anything runs."""

import os
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from stagehooks.agent import scripts, spawn
from stagehooks.agent.spawn import load
from stagehooks.check import check
from stagehooks.errors import BlueprintError, SpawnError
from stagehooks.scripts.outcome import Modify
from stagehooks.scripts.stage_hook import run

posix = pytest.mark.skipif(sys.platform == "win32", reason="symbolic links and FIFOs of POSIX systems")
ALLOW = "fn {}(ctx) {{ () }}\n"


def agent(directory: Path, hooks: str = "", **files: str) -> Path:
    (directory / "agent.toml").write_text(f'[agent]\nname = "a"\n[stages.main]\n[stages.main.hooks]\n{hooks}', encoding="utf-8")
    for name, text in files.items():
        (directory / f"{name}.rhai").write_bytes(text.encode())
    (directory / "replies.toml").write_text("")
    return directory


def refusal(directory: Path) -> str:
    with pytest.raises(SpawnError) as caught:
        load(directory)
    return caught.value.message


def test_an_agent_without_hooks_has_no_scripts(tmp_path: Path):
    assert load(agent(tmp_path)).scripts == ()


def test_an_agent_without_hooks_reads_no_script_and_builds_no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scripts, "read_text", None)
    monkeypatch.setattr(spawn, "compile", None)
    assert load(agent(tmp_path, guard="not a program at all")).scripts == ()


def test_scripts_are_compiled_and_keyed_by_their_path_as_written(tmp_path: Path):
    loaded = load(
        agent(
            tmp_path,
            'on_error = "h.rhai"\non_completion = "./h.rhai"',
            h=ALLOW.format("on_error") + ALLOW.format("on_completion"),
        )
    )
    assert sorted(entry.path for entry in loaded.scripts) == ["./h.rhai", "h.rhai"]


def test_two_hooks_in_one_file_are_one_script(tmp_path: Path):
    source = ALLOW.format("on_error") + ALLOW.format("on_completion")
    loaded = load(agent(tmp_path, 'on_error = "h.rhai"\non_completion = "h.rhai"', h=source))
    assert [entry.path for entry in loaded.scripts] == ["h.rhai"]
    assert loaded.scripts[0].script.defined == ("on_completion", "on_error")


@pytest.mark.parametrize("lacking", ["on_error", "on_completion"])
def test_a_file_must_define_every_hook_that_any_stage_names_it_for(tmp_path: Path, lacking: str):
    defined = "on_completion" if lacking == "on_error" else "on_error"
    home = agent(tmp_path, 'on_error = "h.rhai"\n[stages.next.hooks]\non_completion = "h.rhai"', h=ALLOW.format(defined))
    assert f"it defines no fn {lacking}(ctx)" in refusal(home)


def test_a_missing_file_stops_the_spawn(tmp_path: Path):
    full = tmp_path / "h.rhai"
    message = refusal(agent(tmp_path, 'on_error = "h.rhai"'))
    assert message == f"cannot read stage hook script '{full}': No such file or directory"


def test_a_broken_script_stops_the_spawn_and_shows_its_place(tmp_path: Path):
    with pytest.raises(SpawnError) as caught:
        load(agent(tmp_path, 'on_error = "h.rhai"', h="fn on_error(ctx) {\n    let x = ;\n}\n"))
    error = caught.value
    assert error.message.startswith("stage hook script 'h.rhai' failed to compile: Script compilation failed: h.rhai: ")
    assert (Path(error.file), error.line) == (tmp_path / "h.rhai", 2)
    assert error.excerpt().split("\n")[0] == "    let x = ;"


def test_a_file_that_lacks_its_hook_stops_the_spawn(tmp_path: Path):
    message = refusal(agent(tmp_path, 'on_error = "h.rhai"', h=ALLOW.format("on_completion")))
    assert message == (
        "stage hook script 'h.rhai' failed to compile: Script validation failed: h.rhai: the blueprint names this file for "
        "'on_error', but it defines no fn on_error(ctx)"
    )


@pytest.mark.parametrize("path", ["../h.rhai", "/etc/passwd", "a/../../h.rhai", "../agent2/h.rhai", "..", "/h.rhai", "a\\0.rhai"])
def test_a_path_outside_the_directory_is_refused_before_anything_is_read(tmp_path: Path, path: str):
    (tmp_path / "h.rhai").write_text(ALLOW.format("on_error"))
    home = tmp_path / "agent"
    home.mkdir()
    message = refusal(agent(home, f"on_error = '{path}'" if "\\0" not in path else 'on_error = "a\\u0000.rhai"'))
    assert "resolves outside the blueprint's directory" in message
    assert message.endswith("; a script must live beside the agent that declares it")


@pytest.mark.parametrize("path", ["", ".", "./", "h\\\\x.rhai", "C:h.rhai", "C:/h.rhai", "h.txt", "agent.toml"])
def test_a_path_that_is_no_plain_relative_path_to_a_script_is_refused(tmp_path: Path, path: str):
    assert "must be a " in refusal(agent(tmp_path, f'on_error = "{path}"')) or "resolves outside" in refusal(tmp_path)


def test_a_file_in_a_folder_beside_the_agent_file_loads(tmp_path: Path):
    (tmp_path / "hooks").mkdir()
    (tmp_path / "hooks" / "h.rhai").write_text(ALLOW.format("on_error"))
    assert [entry.path for entry in load(agent(tmp_path, 'on_error = "hooks/h.rhai"')).scripts] == ["hooks/h.rhai"]


@posix
def test_a_symbolic_link_may_point_inside_the_directory_but_not_outside(tmp_path: Path):
    home = tmp_path / "agent"
    home.mkdir()
    (tmp_path / "secret.rhai").write_text(ALLOW.format("on_error"))
    (home / "real.rhai").write_text(ALLOW.format("on_error"))
    (home / "inner.rhai").symlink_to("real.rhai")
    (home / "outer.rhai").symlink_to("../secret.rhai")
    assert load(agent(home, 'on_error = "inner.rhai"')).scripts
    assert "resolves outside" in refusal(agent(home, 'on_error = "outer.rhai"'))


@posix
def test_what_is_no_regular_file_is_refused_without_waiting_for_it(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.rhai")
    (tmp_path / "folder.rhai").mkdir()
    assert refusal(agent(tmp_path, 'on_error = "pipe.rhai"')).endswith(": not a regular file")
    assert refusal(agent(tmp_path, 'on_error = "folder.rhai"')).endswith(": not a regular file")


def test_a_script_that_is_no_utf8_or_too_large_is_refused(tmp_path: Path):
    home = agent(tmp_path, 'on_error = "h.rhai"')
    (home / "h.rhai").write_bytes(b"fn on_error(ctx) { '\xff' }")
    assert refusal(home).endswith(": not UTF-8 text (byte 20)")
    (home / "h.rhai").write_bytes(b" " * 262_145)
    assert refusal(home).endswith(": larger than 262144 bytes")


def test_a_byte_order_mark_is_refused_as_the_engine_does(tmp_path: Path):
    assert "Unexpected '\ufeff'" in refusal(agent(tmp_path, 'on_error = "h.rhai"', h="\ufeff" + ALLOW.format("on_error")))


def test_each_hook_resolves_to_its_own_file(tmp_path: Path):
    one = 'fn on_error(ctx) { #{ action: "modify", value: "one" } }'
    two = 'fn on_completion(ctx) { #{ action: "modify", value: "two" } } fn on_error(ctx) { () }'
    loaded = load(agent(tmp_path, 'on_error = "one.rhai"\non_completion = "two.rhai"', one=one, two=two))
    stage = loaded.blueprint.stages[0]
    for hook, value in (("on_error", "one"), ("on_completion", "two")):
        script = loaded.script_for(stage, hook)
        assert script is not None
        assert run(script, hook, {}) == Modify(value)


def test_what_is_undeclared_or_unknown_resolves_to_nothing(tmp_path: Path):
    loaded = load(agent(tmp_path, 'on_error = "h.rhai"', h=ALLOW.format("on_error") + ALLOW.format("on_completion")))
    stage = loaded.blueprint.stages[0]
    assert loaded.script_for(stage, "on_completion") is None
    assert loaded.script_for(stage, "no_such_hook") is None


def test_a_script_that_was_not_compiled_resolves_to_nothing(tmp_path: Path):
    loaded = load(agent(tmp_path, 'on_error = "h.rhai"', h=ALLOW.format("on_error")))
    bare = spawn.Agent(loaded.directory, loaded.file, loaded.blueprint)
    assert bare.script_for(loaded.blueprint.stages[0], "on_error") is None


def test_the_bytes_that_were_compiled_are_named_by_their_digest(tmp_path: Path):
    source = "fn on_error(ctx) { () }\r\n"
    loaded = load(agent(tmp_path, 'on_error = "h.rhai"', h=source))
    assert loaded.scripts[0].sha256 == sha256(source.encode()).hexdigest()


def test_an_agent_file_may_be_named_as_in_the_original_or_given_directly(tmp_path: Path):
    (tmp_path / "agent.leviath").write_text('[agent]\nname = "old"\n')
    assert load(tmp_path).blueprint.name == "old"
    assert load(tmp_path / "agent.leviath").blueprint.name == "old"


def test_a_place_without_an_agent_is_one_clear_error(tmp_path: Path):
    assert refusal(tmp_path) == f"{tmp_path}: no agent here: the directory has no agent.toml or agent.leviath"
    assert refusal(tmp_path / "none") == f"{tmp_path / 'none'}: no such file or directory"
    assert refusal(tmp_path / ("a" * 5000)).endswith(": file name too long")
    assert refusal(Path("a\0b")).endswith(": embedded null byte")


@posix
def test_an_agent_file_must_be_a_regular_one(tmp_path: Path):
    os.mkfifo(tmp_path / "agent.toml")
    assert refusal(tmp_path) == f"cannot read agent file '{tmp_path / 'agent.toml'}': not a regular file"
    assert refusal(tmp_path / "agent.toml") == f"cannot read agent file '{tmp_path / 'agent.toml'}': not a regular file"


def test_the_first_error_of_an_agent_file_stops_the_spawn(tmp_path: Path):
    with pytest.raises(BlueprintError) as caught:
        load(agent(tmp_path, "on_error = 3"))
    assert caught.value.message == (
        f"{tmp_path / 'agent.toml'}:5: stage 'main': hook 'on_error' must be a path to a .rhai file, got: 3"
    )


# --- validate -------------------------------------------------------------------------------------------------------------


def test_checking_finds_every_fault_of_every_script(tmp_path: Path):
    report = check(
        agent(tmp_path, 'on_error = "a.rhai"\non_completion = "b.rhai"\non_stage_exit = "c.rhai"', a="fn (", b="let x = 1;")
    )
    assert not report.valid
    assert sorted((found.code, Path(found.file).name, found.line) for found in report.findings) == [
        ("hook-script", "a.rhai", 1),
        ("hook-script", "agent.toml", 6),
        ("hook-script", "agent.toml", 7),
    ]


def test_a_hook_that_no_stage_names_is_a_warning(tmp_path: Path):
    report = check(agent(tmp_path, 'on_error = "h.rhai"', h=ALLOW.format("on_error") + ALLOW.format("on_completion")))
    assert report.valid
    assert [found.text for found in report.findings] == [
        "'h.rhai' defines on_completion, but no stage names it for that: it never runs"
    ]


def test_a_tool_hook_of_a_stage_without_tools_is_a_note(tmp_path: Path):
    report = check(agent(tmp_path, 'on_tool_call = "h.rhai"', h=ALLOW.format("on_tool_call")))
    assert [(found.severity, found.code) for found in report.findings] == [("note", "idle-hook")]
    assert report.valid


def test_what_the_command_line_cannot_provide_is_a_warning(tmp_path: Path):
    home = agent(tmp_path)
    (home / "agent.toml").write_text(
        '[agent]\nname = "a"\n[stages.main]\navailable_tools = ["shel", "fetch"]\n[stages.main.model]\nprovider = "elsewhere"'
    )
    report = check(home)
    assert report.valid
    assert [(found.severity, found.code) for found in report.findings] == [("warning", "tool")] * 2 + [("warning", "model")]
    assert report.findings[0].line == 3
    assert report.findings[0].fix == "did you mean 'shell'? Or give it to run_agent(tools=...)"
