"""What an agent's scripts were made of, so that a change can be told."""

import os
from hashlib import sha256

from stagehooks.agent.beside import POLICY, RULES, SCRIPT, TOOLS
from stagehooks.agent.files import SCRIPT_BYTES, Unreadable, inside, read_bounded
from stagehooks.agent.spawn import Agent


def fingerprints(agent: Agent) -> dict[str, str]:
    """The SHA-256 of every script of `agent`, and of its policy, by path: of what was compiled, or of what stands beside it."""
    return {
        **{entry.path: entry.sha256 for entry in agent.scripts},
        **{entry.path: entry.sha256 for entry in agent.region_scripts},
        **{entry.path: entry.sha256 for entry in agent.validators},
        **_beside(agent),
    }


def _beside(agent: Agent) -> dict[str, str]:
    found = {}
    for path in (POLICY, *_scripts(agent, TOOLS), *_scripts(agent, RULES)):
        real = inside(agent.directory, path)
        try:
            found[path] = sha256(read_bounded(real, SCRIPT_BYTES)).hexdigest() if real is not None else ""
        except Unreadable:
            continue
    return found


def _scripts(agent: Agent, folder: str) -> list[str]:
    try:
        return [f"{folder}/{name}" for name in sorted(os.listdir(agent.directory / folder)) if name.endswith(SCRIPT)]
    except OSError:
        return []
