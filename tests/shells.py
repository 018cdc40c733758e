"""What real shells offer when a person presses the tab key. A shell that is not installed is passed over."""

import os
import select
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

PATIENCE = 20.0
"""Seconds that a shell may take before the test gives up on it."""


def needs(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")


def bash_offers(source: str, *words: str, here: str = "/") -> list[str]:
    """What bash offers for the last of `words`."""
    needs("bash")
    line = " ".join(f"'{word}'" for word in words)
    asked = f"_{words[0]}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return _told("bash", "--norc", "-c", f"{source}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; {asked}", here=here)


def fish_offers(source: str, line: str) -> list[str]:
    """What fish offers for the line, without the help texts."""
    needs("fish")
    return [offer.split("\t")[0] for offer in _told("fish", "--no-config", "-c", f"{source}\ncomplete -C '{line}'")]


def zsh_completes(file: Path, line: str) -> str:
    """The line that zsh makes of `line`, of which it knows only one way to go on; `file` holds the script."""
    needs("zsh")
    pty = pytest.importorskip("pty")
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb"})
    try:
        program = line.split()[0]
        tell = f"{program}() {{ print -r -- \"GOT $*\" E''ND }}"
        _type(terminal, f"PS1=; autoload -Uz compinit; compinit -u -D; source '{file}'; {tell}; print READ''Y\n")
        _read_until(terminal, b"READY")
        _type(terminal, f"{line}\t\n")
        return _read_until(terminal, b" END").rpartition(b"GOT ")[2].decode().removesuffix(" END").strip()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


def is_a_script(shell: str, source: str) -> None:
    """Does `shell` read it without a complaint?"""
    needs(shell)
    checked = subprocess.run([shell, "-n"], input=source, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")


def _told(*command: str, here: str = "/") -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True, cwd=here)
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if line]


def _type(terminal: int, text: str) -> None:
    os.write(terminal, text.encode())


def _read_until(terminal: int, mark: bytes) -> bytes:
    found = b""
    while mark not in found:
        if not select.select([terminal], [], [], PATIENCE)[0]:
            pytest.fail(f"zsh said no {mark!r}: {found!r}")
        found += os.read(terminal, 4096)
    return found[: found.index(mark) + len(mark)]
