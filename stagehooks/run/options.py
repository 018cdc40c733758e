"""What a run may be given."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from stagehooks.agent.output import OutputSpec
from stagehooks.run.effects import Recorder
from stagehooks.run.events import Observer
from stagehooks.run.given import GivenOptions
from stagehooks.run.interaction import Interactor
from stagehooks.tools.tool import Tool

TASK: Final = "task"


class RunOptions(GivenOptions, total=False):
    """What a run may be given.

    `task` and `inputs` fill the regions that are seeded by the caller. `model` answers for every stage; without it each stage has
    the one that the agent file names, by default the offline one. `tools` are offered beside the built-in ones to the stages that
    name them. `approve` is asked where a policy says so; without it such calls are denied. `workdir` is what tools are confined
    to; without it a fresh directory is made. `observe` gets every event. `store` keeps the run, so that it can be resumed.

    `output` says what the final output is to be; it goes before what the agent file says, field by field. Where it names another
    format, the agent's own schema and validator are left out.

    `allow` names tools that need not be asked about (what a policy denies stays denied). Script tools may read the environment
    variables `allow_variables` though they look like credentials, and with `allow_local_network` reach this machine's network.

    `interact` is asked at interaction points; without it those pass that may pass unattended, and with `unattended` as well. A
    person has `patience` seconds for an answer that comes later (an hour), the whole run has `seconds` (as long as it takes).
    """

    task: str
    inputs: Mapping[str, str]
    output: OutputSpec | None
    tools: Iterable[Tool]
    workdir: str | Path | None
    observe: Observer | None
    store: Recorder | None
    interact: Interactor | None
