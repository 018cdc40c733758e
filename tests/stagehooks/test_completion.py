"""Shell completion of this command: `tests/rhaipy/test_completion.py` has what is the same for every one."""

from pathlib import Path

import pytest

from rhaipy.completion import SHELLS
from stagehooks.cli import main
from stagehooks.scripts.outcome import HOOK_NAMES
from tests.shells import bash_offers, fish_offers, is_a_script, zsh_completes


def script(capsys: pytest.CaptureFixture[str], shell: str) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def test_bash(capsys: pytest.CaptureFixture[str]) -> None:
    source = script(capsys, "bash")
    assert {"run", "validate", "call", "explain", "completion", "resume"} <= set(bash_offers(source, "stagehooks", ""))
    assert bash_offers(source, "stagehooks", "va") == ["validate"]
    assert bash_offers(source, "stagehooks", "run", "--js") == ["--json"]
    assert bash_offers(source, "stagehooks", "validate", "--ta") == []
    assert tuple(bash_offers(source, "stagehooks", "explain", "on_")) == HOOK_NAMES[:2] + HOOK_NAMES[4:]
    assert bash_offers(source, "stagehooks", "resume", "l") == ["last"]
    assert "etc" in bash_offers(source, "stagehooks", "run", "et")
    assert "etc" in bash_offers(source, "stagehooks", "run", "--workdir", "et")
    assert bash_offers(source, "stagehooks", "run", "--task", "et") == []


def test_fish(capsys: pytest.CaptureFixture[str]) -> None:
    source = script(capsys, "fish")
    assert fish_offers(source, "stagehooks va") == ["validate"]
    assert fish_offers(source, "stagehooks explain on_c") == ["on_completion"]
    assert fish_offers(source, "stagehooks resume l") == ["last"]
    assert "/etc/" in fish_offers(source, "stagehooks run --workdir /et")
    assert fish_offers(source, "stagehooks run --task /et") == []


def test_zsh(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "stagehooks.zsh"
    file.write_text(script(capsys, "zsh"))
    assert zsh_completes(file, "stagehooks va") == "validate"
    assert zsh_completes(file, "stagehooks explain on_c") == "explain on_completion"
    assert zsh_completes(file, "stagehooks run --js") == "run --json"


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_knows_every_command_and_option(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    source = script(capsys, shell)
    for word in ("run", "validate", "call", "explain", "completion", "task", "workdir", "ctx", *HOOK_NAMES, *SHELLS):
        assert word in source, word


@pytest.mark.parametrize("shell", SHELLS)
def test_what_is_printed_is_a_script(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    is_a_script(shell, script(capsys, shell))
