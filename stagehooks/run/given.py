"""What a run is given beside its task, as far as it is plain data: kept with the run, so that a resumed one has it again.

Nothing of it is secret: of variables the names are kept, of questions only whether all are answered alike.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Final, Literal, TypedDict, cast

from stagehooks.agent.document import did_you_mean
from stagehooks.agent.output import OutputSpec
from stagehooks.errors import UsageError
from stagehooks.gate.approval import Approver, approve_all, deny_all
from stagehooks.models.protocol import Model
from stagehooks.scripts.json_text import Json

Reply = Literal["asked", "yes", "no"]
"""What becomes of questions: whoever is there is asked, or each is answered with yes or with no."""
PATIENCE: Final = 3600.0
"""Seconds for which a person is waited for."""
NEVER: Final = float("inf")


class GivenOptions(TypedDict, total=False):
    """The options that a run is given at first, and less of them when it is resumed; `RunOptions` says what they mean."""

    allow: Iterable[str]
    allow_variables: Iterable[str]
    allow_local_network: bool
    approve: Approver | None
    unattended: bool
    patience: float | None
    seconds: float | None
    model: Model | None


@dataclass(frozen=True, slots=True)
class Given:
    """The fields are those of `RunOptions`. `own_model`: a program gave the model, so that no one else can."""

    allow: tuple[str, ...] = ()
    allow_variables: tuple[str, ...] = ()
    allow_local_network: bool = False
    approvals: Reply = "asked"
    unattended: bool = False
    patience: float | None = PATIENCE
    seconds: float | None = None
    own_model: bool = False
    output: OutputSpec | None = None

    def data(self) -> Json:
        """As plain data."""
        return cast(Json, asdict(self))

    def check(self, run: str, wanted: "Given") -> None:
        """UsageError where `wanted` is more than this, which the run `run` has."""
        more = "; ".join(self._beyond(wanted))
        if more:
            raise UsageError(
                f"run '{run}' was begun without leave for {more}",
                hint="a run that is resumed may be allowed less than it was, not more: leave that out, or begin a new run",
            )

    def _beyond(self, wanted: "Given") -> Iterator[str]:
        """What of `wanted` is more than this, in words."""
        yield from (f"tool '{name}'" for name in wanted.allow if name not in self.allow)
        yield from (f"variable '{name}'" for name in wanted.allow_variables if name not in self.allow_variables)
        if wanted.allow_local_network and not self.allow_local_network:
            yield "the local network"
        if STRICTNESS.index(wanted.approvals) < STRICTNESS.index(self.approvals):
            yield ANSWERS[wanted.approvals]
        if wanted.unattended and not self.unattended:
            yield "going on where nobody is asked"
        for name, limit, most in (("run", wanted.seconds, self.seconds), ("answer", wanted.patience, self.patience)):
            if (NEVER if limit is None else limit) > (NEVER if most is None else most):
                yield f"more than {most:g} seconds for {'the run' if name == 'run' else 'an answer'}"


STRICTNESS: Final[tuple[Reply, ...]] = ("yes", "asked", "no")
ANSWERS: Final[dict[Reply, str]] = {
    "yes": "a yes to every question",
    "asked": "asking anybody, since every question was answered with no",
    "no": "",
}


NOTHING: Final = Given()


def ensure_known(options: Mapping[str, object], known: Iterable[str]) -> None:
    """UsageError for an option that there is not: a limit that is misspelt would be no limit."""
    for name in options:
        if name not in known:
            raise UsageError(
                f"there is no option '{name}'", hint=did_you_mean(name, known) or f"there are {', '.join(sorted(known))}"
            )


def given_of(options: GivenOptions, otherwise: Given = NOTHING) -> Given:
    """What of `options` is kept; what they leave out is as in `otherwise`."""
    approve = options.get("approve")
    return Given(
        allow=tuple(sorted({*options.get("allow", otherwise.allow)})),
        allow_variables=tuple(sorted({*options.get("allow_variables", otherwise.allow_variables)})),
        allow_local_network=options.get("allow_local_network", otherwise.allow_local_network),
        approvals=reply_of(approve) if approve is not None else otherwise.approvals,
        unattended=options.get("unattended", otherwise.unattended),
        patience=options.get("patience", otherwise.patience),
        seconds=options.get("seconds", otherwise.seconds),
        own_model=options.get("model") is not None or otherwise.own_model,
        output=otherwise.output,
    )


def reply_of(approve: Approver | None) -> Reply:
    """What becomes of questions where `approve` is asked."""
    return "yes" if approve is approve_all else "no" if approve is deny_all else "asked"


def approver_of(reply: Reply, approve: Approver | None = None) -> Approver | None:
    """Who gives that reply; `approve` where somebody is asked."""
    return {"yes": approve_all, "no": deny_all}.get(reply, approve)
