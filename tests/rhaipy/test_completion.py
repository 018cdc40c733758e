"""Shell completion: made of a command line's own parser, and true to what a shell does with it."""

from pathlib import Path

import pytest

from rhaipy.cli import main
from rhaipy.completion import SHELLS
from tests.shells import bash_offers, fish_offers, is_a_script, zsh_completes


def script(capsys: pytest.CaptureFixture[str], shell: str) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def test_bash(capsys: pytest.CaptureFixture[str]) -> None:
    source = script(capsys, "bash")
    assert bash_offers(source, "rhaipy", "") == [
        "run", "eval", "check", "tokens", "tree", "repl", "completion", "--help", "--version",
    ]  # fmt: skip
    assert bash_offers(source, "rhaipy", "tok") == ["tokens"]
    assert bash_offers(source, "rhaipy", "run", "--op") == ["--optimize", "--ops"]
    assert bash_offers(source, "rhaipy", "run", "--optimize", "") == ["none", "simple"]
    assert bash_offers(source, "rhaipy", "run", "--max-operations", "") == []
    assert bash_offers(source, "rhaipy", "completion", "f") == ["fish"]


def test_bash_offers_files_where_they_belong(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = script(capsys, "bash")
    (tmp_path / "two words *.rhai").touch()
    (tmp_path / "two.rhai").touch()
    assert sorted(bash_offers(source, "rhaipy", "run", "tw", here=str(tmp_path))) == ["two words *.rhai", "two.rhai"]
    assert bash_offers(source, "rhaipy", "eval", "tw", here=str(tmp_path)) == []


def test_fish(capsys: pytest.CaptureFixture[str]) -> None:
    source = script(capsys, "fish")
    assert fish_offers(source, "rhaipy tok") == ["tokens"]
    assert sorted(fish_offers(source, "rhaipy run --op")) == ["--ops", "--optimize"]
    assert fish_offers(source, "rhaipy run --optimize ") == ["none", "simple"]
    assert fish_offers(source, "rhaipy completion f") == ["fish"]
    assert "/etc/" in fish_offers(source, "rhaipy run /et")
    assert fish_offers(source, "rhaipy eval /et") == []


def test_zsh(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "rhaipy.zsh"
    file.write_text(script(capsys, "zsh"))
    assert zsh_completes(file, "rhaipy tok") == "tokens"
    assert zsh_completes(file, "rhaipy run --opt") == "run --optimize"
    assert zsh_completes(file, "rhaipy run --optimize s") == "run --optimize simple"
    assert zsh_completes(file, "rhaipy completion f") == "completion fish"
    (tmp_path / "only.rhai").touch()
    assert zsh_completes(file, f"rhaipy run {tmp_path}/on") == f"run {tmp_path}/only.rhai"


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_knows_every_command_and_option(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    source = script(capsys, shell)
    for word in ("run", "eval", "check", "tokens", "tree", "repl", "completion", "optimize", "max-operations", "ops", *SHELLS):
        assert word in source, word


@pytest.mark.parametrize("shell", SHELLS)
def test_what_is_printed_is_a_script(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    is_a_script(shell, script(capsys, shell))


@pytest.mark.parametrize("arguments", [[], ["tcsh"]])
def test_another_shell_is_wrong_usage(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["completion", *arguments])
    assert ended.value.code == 2
