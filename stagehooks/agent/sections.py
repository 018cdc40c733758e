"""The smaller tables of an agent file: hooks, model, nudge, tool permissions, security."""

from typing import Final, cast

from stagehooks.agent.blueprint import Candidate, Compaction, HookPath, Hooks, Model, Nudge, Permission, Permissions, Policy
from stagehooks.agent.document import Table, did_you_mean
from stagehooks.agent.routing import OTHER_NAMES
from stagehooks.scripts.outcome import HOOK_NAMES

CANDIDATE: Final = ("provider", "model", "base_url")
MODEL: Final = (*CANDIDATE, "models", "fallbacks", "parameters", "request_timeout_secs", "context_window")
COMPACTION: Final = ("max_summary_tokens", "temperature", "system_prompt", *CANDIDATE)
WITH_BASE_URL: Final = "openai-compatible"
OFFLINE: Final = "scripted"
POLICIES: Final = ("allow", "ask", "deny")


def read_hooks(stage: Table) -> Hooks:
    """[stages.X.hooks]: only the seven names, each with a script's path."""
    table = stage.table("hooks", f"{stage.subject}: hooks")
    entries = [entry for name in HOOK_NAMES if name in table and (entry := _hook_path(stage, table, name))]
    for name in table:
        if name not in HOOK_NAMES:
            text = f"{stage.subject}: unknown hook '{name}' (this build implements: {', '.join(HOOK_NAMES)})"
            table.error(name, text, did_you_mean(name, HOOK_NAMES), "unknown-hook")
    return Hooks(tuple(entries))


def _hook_path(stage: Table, table: Table, name: str) -> HookPath | None:
    if not table.holds(name, str):
        text = f"{stage.subject}: hook '{name}' must be a path to a .rhai file, got: {table.shown(name)}"
        table.error(name, text, f'write {name} = "hooks/{name}.rhai"')
        return None
    return HookPath(name, table.text(name), table.line(name))


def read_model(stage: Table) -> Model:
    """[stages.X.model]: `models`, or `provider` and `model` with `fallbacks`."""
    table = stage.table("model")
    table.allow(MODEL, ("allow_user_default",))
    for key in (*CANDIDATE, "fallbacks"):
        if "models" in table and key in table:
            table.warn(key, f"{table.subject}: '{key}' beside 'models' is ignored", f"remove '{key}'", "ignored")
    parameters = table.table("parameters")
    return Model(
        candidates=_candidates(table),
        temperature=parameters.optional_number("temperature"),
        max_output_tokens=parameters.optional_whole("max_output_tokens", at_least=1),
        request_timeout_seconds=table.optional_number("request_timeout_secs"),
        extra=tuple((key, parameters.plain(key)) for key in parameters if key not in ("temperature", "max_output_tokens")),
        context_window=table.optional_whole("context_window", at_least=1),
    )


def _candidates(table: Table) -> tuple[Candidate, ...]:
    if "models" in table:
        found = tuple(_candidate(entry) for entry in table.tables("models"))
        if not found and table.holds("models", list):
            table.error(
                "models", f"{table.subject}: 'models' names no model", 'write models = [{ provider = "...", model = "..." }]'
            )
        return found
    if not any(key in table for key in (*CANDIDATE, "fallbacks")):
        return ()
    first = Candidate(table.text("provider", OFFLINE), table.text("model"), _base_url(table))
    return (first, *(_candidate(entry) for entry in table.tables("fallbacks")))


def _candidate(entry: Table) -> Candidate:
    entry.allow(CANDIDATE)
    if "provider" not in entry:
        entry.error("provider", f"{entry.subject}: a model needs a 'provider'", 'write { provider = "...", model = "..." }')
    return _candidate_of(entry)


def _candidate_of(entry: Table) -> Candidate:
    return Candidate(entry.text("provider"), entry.text("model"), _base_url(entry))


def _base_url(entry: Table) -> str:
    """A server of one's own. Where the keys of known providers go is not for an agent file to say."""
    if "base_url" in entry and entry.text("provider") != WITH_BASE_URL:
        text = f"{entry.subject}: 'base_url' is for the provider \"{WITH_BASE_URL}\" only"
        entry.error("base_url", text, f'write provider = "{WITH_BASE_URL}"')
    return entry.text("base_url")


def read_nudge(owner: Table, outer: Nudge) -> Nudge:
    """The `nudge` table of a stage or of the agent; what it leaves out is as in `outer`."""
    table = owner.table("nudge")
    table.allow(("enabled", "max", "text"))
    return Nudge(table.flag("enabled", outer.enabled), table.whole("max", outer.max), table.text("text", outer.text))


def read_permissions(owner: Table) -> Permissions:
    """[tool_permissions] of a stage or of the agent: a policy for each tool. Of two for one tool the stricter counts."""
    table = owner.table("tool_permissions")
    read = [(OTHER_NAMES.get(tool, tool), policy) for tool in table if (policy := _policy(owner, table, tool))]
    found: dict[str, Policy] = {}
    for tool, policy in read:
        found[tool] = max(found.get(tool, policy), policy, key=POLICIES.index)
    return Permissions(tuple(Permission(tool, policy) for tool, policy in found.items()))


def _policy(owner: Table, table: Table, tool: str) -> Policy | None:
    said = table.text(tool).lower() if table.holds(tool, str) else ""
    if said in POLICIES:
        return cast(Policy, said)
    text = f"tool_permissions.{tool} = {table.shown(tool)} is not a policy (valid: {', '.join(POLICIES)})"
    table.error(tool, f"{owner.subject}: {text}", did_you_mean(said, POLICIES))
    return None


def read_compaction(root: Table) -> Compaction | None:
    """[compaction]: None where there is no such table."""
    table = root.table("compaction", "[compaction]")
    table.allow(COMPACTION)
    if "compaction" not in root:
        return None
    usual = Compaction()
    temperature = table.optional_number("temperature")
    return Compaction(
        max_summary_tokens=table.whole("max_summary_tokens", usual.max_summary_tokens, at_least=1),
        temperature=usual.temperature if temperature is None else temperature,
        system_prompt=table.text("system_prompt").strip(),
        candidate=_summariser(table),
        line=table.line(),
    )


def _summariser(table: Table) -> Candidate | None:
    if "provider" in table:
        found = _candidate_of(table)
        if not found.model and found.provider != OFFLINE:
            table.error("provider", f"{table.subject}: the provider needs a 'model' beside it", 'write model = "..."')
        return found
    for key in CANDIDATE:
        if key in table:
            text = f"{table.subject}: '{key}' counts only beside a 'provider'; the stage's own model is asked"
            table.warn(key, text, 'write provider = "..." beside it', "ignored")
    return None


def tracks_taint(owner: Table) -> bool:
    """[security] of a stage or of the agent: taint tracking can only be turned on."""
    table = owner.table("security")
    table.allow(("taint_tracking",), ("allow_env_vars",))
    return table.flag("taint_tracking")


def refuse_sandbox(owner: Table) -> None:
    """An agent that asks for a sandbox of the operating system, of whatever kind, must not run without it."""
    table = owner.table("sandbox")
    if not len(table) or table.text("kind") == "none":
        return
    owner.error(
        "sandbox",
        f"{owner.subject}: a sandbox is not supported in this version, and an agent that asks for one is not run without it",
        'remove the table, or write kind = "none"',
        "not-supported",
    )
