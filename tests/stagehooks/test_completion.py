"""Shell completion: made of the command line's own parser, and true to what a shell does with it."""

import shutil
import subprocess

import pytest

from stagehooks.cli import main
from stagehooks.completion import SHELLS
from stagehooks.scripts.outcome import HOOK_NAMES


def script(capsys: pytest.CaptureFixture[str], shell: str) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def completed(source: str, *words: str) -> list[str]:
    """What bash offers for the last of `words`."""
    line = " ".join(f"'{word}'" for word in words)
    ask = f"{source}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _stagehooks; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "--norc", "-c", ask], capture_output=True, text=True, timeout=30, check=True, cwd="/")
    assert done.stderr == ""
    return done.stdout.split()


needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")


@needs_bash
def test_bash_offers_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    offered = completed(script(capsys, "bash"), "stagehooks", "")
    assert {"run", "validate", "call", "explain", "completion"} <= set(offered)
    assert completed(script(capsys, "bash"), "stagehooks", "va") == ["validate"]


@needs_bash
def test_bash_offers_the_options_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    source = script(capsys, "bash")
    assert completed(source, "stagehooks", "run", "--js") == ["--json"]
    assert completed(source, "stagehooks", "validate", "--ta") == []


@needs_bash
def test_bash_offers_hooks_and_shells_where_they_belong(capsys: pytest.CaptureFixture[str]) -> None:
    source = script(capsys, "bash")
    assert tuple(completed(source, "stagehooks", "explain", "on_")) == tuple(
        name for name in HOOK_NAMES if name.startswith("on_")
    )
    assert completed(source, "stagehooks", "completion", "f") == ["fish"]


@needs_bash
def test_bash_offers_files_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert "etc" in completed(script(capsys, "bash"), "stagehooks", "run", "et")


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_knows_every_command_and_option(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    source = script(capsys, shell)
    main(["explain"])
    for word in ("run", "validate", "call", "explain", "completion", "task", "workdir", "ctx", *HOOK_NAMES, *SHELLS):
        assert word in source, word


@pytest.mark.parametrize("shell", SHELLS)
def test_what_is_printed_is_a_script(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    checked = subprocess.run([shell, "-n"], input=script(capsys, shell), capture_output=True, text=True, timeout=30, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize("arguments", [[], ["tcsh"]])
def test_another_shell_is_wrong_usage(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["completion", *arguments])
    assert ended.value.code == 2
