"""Interaction points: [[stages.NAME.interaction_points]], what a person is asked before a stage may be left."""

from typing import Final, cast

from stagehooks.agent.blueprint import InteractionPoint, Style, Unattended
from stagehooks.agent.document import Table

POINT: Final = (
    "name", "prompt", "required", "unattended", "style", "options", "directives", "abort_options", "edit_options",
    "document_region",
)  # fmt: skip
OTHER_NAMES: Final = {"choices": "options", "followups": "directives"}
"""Keys that have two names."""
STYLES: Final = ("free_text", "multiple_choice", "confirm")
UNATTENDED: Final = ("auto_approve", "ask")


def read_interaction_points(stage: Table, mode: str) -> tuple[InteractionPoint, ...]:
    """The points of `stage`, in the order of the file. They count in every mode: what was to be approved is never skipped."""
    points = tuple(_read_point(table) for table in stage.tables("interaction_points"))
    names = [point.name for point in points]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            stage.error("interaction_points", f"{stage.subject}: there are two interaction points '{name}'", "rename one of them")
    if mode == "interactive_points" and not points:
        text = f'{stage.subject}: mode "{mode}" without any interaction point asks nobody'
        stage.warn("mode", text, f"add a table [[stages.{stage.name}.interaction_points]]", "no-interaction-points")
    return points


def _read_point(table: Table) -> InteractionPoint:
    table.allow((*POINT, *OTHER_NAMES))
    for key in ("name", "prompt"):
        if not table.text(key).strip():
            table.error(key, f"{table.subject}: an interaction point needs a '{key}'", f'write {key} = "..."')
    options = table.texts(_spelt(table, "options"))
    directives = table.table(_spelt(table, "directives"))
    point = InteractionPoint(
        name=table.text("name").strip(),
        prompt=table.text("prompt").strip(),
        required=table.flag("required", True),
        unattended=cast(Unattended, table.word("unattended", UNATTENDED, "auto_approve")),
        style=cast(Style, table.word("style", STYLES, "multiple_choice" if options else "free_text")),
        options=options,
        directives=tuple((option, directives.text(option)) for option in directives),
        abort_options=table.texts("abort_options"),
        edit_options=table.texts("edit_options"),
        document_region=table.text("document_region"),
    )
    _check_options(table, point)
    return point


def _spelt(table: Table, key: str) -> str:
    other = next(other for other, usual in OTHER_NAMES.items() if usual == key)
    return other if other in table and key not in table else key


def _check_options(table: Table, point: InteractionPoint) -> None:
    """An option that stands in a list of what it does, but is not on offer, would never be chosen."""
    if point.style == "multiple_choice" and not point.options:
        text = f"{table.subject}: a choice needs 'options'"
        table.error("options", text, 'write options = ["Approve", "Revise"]')
        return
    if not all(option.strip() for option in point.options):
        table.error("options", f"{table.subject}: an option is blank", "write what can be chosen")
    special = {
        "directives": tuple(option for option, _ in point.directives),
        "abort_options": point.abort_options,
        "edit_options": point.edit_options,
    }
    for key, named in special.items():
        for option in named:
            if option not in point.options:
                table.error(key, f"{table.subject}: {key} names '{option}', which is none of the options", "add it to options")
