"""Which model a stage uses: the first of its candidates that is available here."""

from stagehooks.agent.blueprint import Stage
from stagehooks.agent.spawn import Agent
from stagehooks.errors import SpawnError
from stagehooks.models.protocol import Model
from stagehooks.models.scripted import read_replies

SCRIPTED = "scripted"
REPLIES = "replies.toml"


def models_of(agent: Agent, given: Model | None = None) -> dict[str, Model]:
    """The model of each stage by the stage's name: `given` for all, or what the agent file asks for.

    A stage that names no model gets the offline one, with the replies in `replies.toml`. SpawnError where none is available.
    """
    if given is not None:
        return {stage.name: given for stage in agent.blueprint.stages}
    files = {stage.name: _replies_file(stage) for stage in agent.blueprint.stages}
    read = {file: read_replies(agent.directory, file) for file in dict.fromkeys(files.values())}
    return {name: read[file] for name, file in files.items()}


def _replies_file(stage: Stage) -> str:
    candidates = stage.model.candidates
    if not candidates:
        return REPLIES
    for candidate in candidates:
        if candidate.provider == SCRIPTED:
            return candidate.model or REPLIES
    tried = ", ".join(f"{candidate.provider}/{candidate.model}" for candidate in candidates)
    raise SpawnError(
        f"stage '{stage.name}' has no usable provider (tried: {tried}). This version has the offline model only: "
        f'provider = "{SCRIPTED}", model = "{REPLIES}".'
    )
