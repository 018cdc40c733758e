"""The JSON Schema of an agent file, for editors: what may stand where, made of the very lists that the readers use.

It knows each table by itself. What one table says about another (a region that does not exist, a stage that cannot be reached) is
for `validate` to find. Keys of the original system that have no effect here are marked as deprecated.
"""

from typing import Final

from stagehooks.agent.blueprint import EdgeGate, Nudge, Stage
from stagehooks.agent.graph import CONDITIONS, STUCK, TRANSFORMS
from stagehooks.agent.interactions import STYLES, UNATTENDED
from stagehooks.agent.layout import KINDS, STRATEGIES, VOLATILITIES
from stagehooks.agent.layout import OTHER_NAMES as OTHER_KINDS
from stagehooks.agent.reader import AGENT_LATER, MAX_ITERATIONS, MODES_HERE, STAGE_LATER, TOP_LATER
from stagehooks.agent.region import DEFAULT_TOKENS, Region
from stagehooks.agent.schema_pieces import Schema, flag, list_of, map_of, number, one_of, path, ref, table, text, texts, whole
from stagehooks.agent.script_permissions import GRANTS, HOST_FUNCTIONS
from stagehooks.agent.sections import POLICIES
from stagehooks.agent.seeds import FORMS, REFRESH
from stagehooks.scripts.outcome import HOOK_NAMES

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
PERCENTAGE: Final = r"^\s*[0-9]+(\.[0-9]+)?\s*%\s*$"


def agent_schema() -> Schema:
    """The whole schema."""
    top: Schema = {
        "agent": table("The agent itself.", _agent(), AGENT_LATER),
        "stages": map_of("The stages, in the order of the file.", ref("stage")),
        "context": ref("context"),
        "tool_permissions": ref("permissions"),
        "tool_script_permissions": table(
            "What scripts of tools may ask of the host.", {name: one_of(GRANTS, "", folded=True) for name in HOST_FUNCTIONS}
        ),
        "security": ref("security"),
        "sandbox": ref("sandbox"),
        "compaction": table("How regions are summarised.", _compaction()),
        "model": {"description": "Ignored: a model belongs to a stage.", "deprecated": True},
    }
    whole = table("An agent: its stages, what each sees, may do, and is watched by.", top, TOP_LATER, required=("agent",))
    return {"$schema": DIALECT, "title": "agent file of stagehooks", **whole, "$defs": {**_definitions()}}


def _agent() -> Schema:
    return {
        "name": text("The agent's name.", "unnamed"),
        "version": text("The agent's version.", "0.1.0"),
        "description": text("What the agent is for."),
        "entry_stage": text("The stage that a run begins in; by default the first of the file."),
        "nudge": ref("nudge"),
        "output": ref("output"),
    }


def _compaction() -> Schema:
    return {
        "max_summary_tokens": whole("The most that a summary may take.", least=1),
        "temperature": number("The temperature of a summary."),
        "system_prompt": text("What the model is told when it sums up."),
        **_candidate("Who is asked first; by default the stage's own model.", provider=None),
    }


def _definitions() -> Schema:
    usual = Nudge()
    return {
        "stage": table("One stage.", _stage(), STAGE_LATER),
        "stageHooks": table("The scripts that the stage's hooks are in.", {name: _hook(name) for name in HOOK_NAMES}),
        "context": table("What the model sees.", {"regions": map_of("The regions, by name.", ref("region"))}),
        "region": table("One region of the context.", _region()),
        "seed": _seed(),
        "transition": table("An edge to another stage.", _transition()),
        "model": table("The model that answers.", _model(), ("allow_user_default",)),
        "candidate": table("A model.", _candidate(), required=("provider",)),
        "interactionPoint": table("What a person is asked.", _point(), required=("name", "prompt")),
        "toolRouting": table("Where results of tools go.", _routing()),
        "nudge": table(
            "What a model that only talks is told.",
            {
                "enabled": flag("Is it told anything?", usual.enabled),
                "max": whole("How often, in one visit of a stage.", usual.max),
                "text": text("What it is told; {stage} and {regions} stand for names.", usual.text),
            },
        ),
        "output": table(
            "What the final output is to be.",
            {
                "format": text("A label; json, xml, csv and toml are checked."),
                "instructions": text("What the model is told of it."),
                "example": {"description": "An example of it."},
                "schema": {"description": "A JSON Schema of it, as a table or as a text.", "type": ["object", "string"]},
                "validator": path("A script with fn validate(content)."),
            },
        ),
        "permissions": map_of("A policy for each tool.", one_of(POLICIES, "", folded=True)),
        "security": table(
            "Taint tracking.",
            {"taint_tracking": flag("Keep confidential text from tools that send it.", False)},
            ("allow_env_vars",),
        ),
        "sandbox": {"type": "object", "description": "Only none is accepted.", "properties": {"kind": {"const": "none"}}},
    }


def _stage() -> Schema:
    usual = Stage("", 0)
    return {
        "mode": one_of(MODES_HERE, "What kind of stage it is.", "autonomous"),
        "description": text("What the stage is for."),
        "system_prompt": text("The instructions of the stage."),
        "transition_prompt": text("Added to the question for the next stage."),
        "model": ref("model"),
        "hooks": ref("stageHooks"),
        "available_tools": texts("The tools that the stage offers."),
        "required_tools": texts("Tools that the stage cannot do without."),
        "tool_permissions": ref("permissions"),
        "context": ref("context"),
        "transitions": map_of("Where the stage may lead, by target.", ref("transition")),
        "nudge": ref("nudge"),
        "max_iterations": whole("Requests to the model in one visit, 0 for no limit.", MAX_ITERATIONS),
        "max_revisits": whole("How often the stage may be entered again."),
        "max_attempts": whole("How often one reply is asked for, where after_inference answers retry.", usual.max_attempts, 1),
        "allow_complete": flag("The run may end here; the model chooses.", usual.allow_complete),
        "require_output": flag("The run may not complete without a submitted output.", usual.require_output),
        "security": ref("security"),
        "sandbox": ref("sandbox"),
        "interaction_points": list_of("What a person is asked before the stage is left.", ref("interactionPoint")),
        "tool_routing": ref("toolRouting"),
        "output": ref("output"),
    }


def _hook(name: str) -> Schema:
    return path(f"The file that defines fn {name}(ctx).")


def _region() -> Schema:
    usual = Region("")
    return {
        "kind": one_of((*KINDS, *OTHER_KINDS), "What it keeps and what it drops.", usual.kind),
        "budget": {"description": 'A part of what the model takes, "35%".', "type": "string", "pattern": PERCENTAGE},
        "max_tokens": whole("Its budget.", DEFAULT_TOKENS, 1),
        "min_tokens": whole("The least that a percentage comes to.", least=1),
        "admission": one_of(("evict", "reject"), "What becomes of what does not fit.", usual.admission),
        "description": text("What it is for."),
        "describe_in_prompt": flag("Tell the model what it is for.", usual.describe_in_prompt),
        "seed": ref("seed"),
        "required": flag("The stage is not over while it is empty.", usual.required),
        "required_message": text("What the model is told then; {region} stands for the name."),
        "summarizable": flag("May an edge put a summary in its place?", usual.summarizable),
        "volatility": one_of(VOLATILITIES, "How often it changes.", usual.volatility),
        "max_items": whole("Entries that a sliding_window keeps.", usual.max_items, 1),
        "strategy": one_of(STRATEGIES, "How a sliding_window drops older ones.", usual.strategy),
        "overflow": whole("With bulk: as many more may come together.", usual.overflow),
        "compact_count": whole("With compact: as many more come together before they are summarised.", usual.compact_count),
        "compact_at": {"description": "When a compacting region is summarised.", "type": "string", "pattern": PERCENTAGE},
        "threshold_tokens": whole("The same in tokens."),
        "source_region": text("The region whose summaries a compact_history keeps."),
        "max_entries": whole("The most keys of a hashmap.", least=1),
        "script": path("The script of a custom region."),
        "persistent": flag("Does a custom region outlive an edge that clears?", usual.persistent),
    }


def _seed() -> Schema:
    call = table("One call.", {"name": text("The tool."), "args": {"description": "Its arguments."}})
    forms: Schema = {
        "literal": text("This text."),
        "caller": text("The input of this name."),
        "files": texts("What these files of the work directory hold."),
        "glob": text("What the matching files of the work directory hold."),
        "rhai": text("What this script of the work directory evaluates to."),
        "command": text("What this command prints, where the run is started with --allow shell."),
        "tool": text("What this tool says."),
        "tools": list_of("What these tools say.", {"anyOf": [{"type": "string"}, call]}),
        "refresh": one_of(REFRESH, "When the tools are called.", REFRESH[0]),
    }
    with_one: Schema = {**table("", forms), "oneOf": [{"required": [form]} for form in FORMS]}
    word: Schema = {"type": "string", "description": '"task_input", "input", or the name of an input.'}
    return {"description": "What the region holds at first.", "anyOf": [word, with_one]}


def _transition() -> Schema:
    gate = EdgeGate()
    return {
        "condition": one_of(CONDITIONS, "When the edge may be taken.", "always"),
        "hint": text("Told to the model where it chooses."),
        "transform": one_of(TRANSFORMS, "What becomes of the regions.", "direct"),
        "transform_config": table(
            "The lists of the transform custom.",
            {
                "carry": texts("These stay as they are."),
                "compact": texts("These are summarised."),
                "clear": texts("These are emptied."),
                "compact_prompt": text("What the model is told when it sums up."),
            },
        ),
        "gate": table(
            "What must be so before the edge is taken.",
            {
                "require_modifications": flag("A file was changed.", gate.require_modifications),
                "require_regions": texts("These hold something."),
                "require_region_updated": text("This one has changed."),
                "require_no_open_items": text("This checklist has no open item."),
                "region": text("Holding something, it stands for a changed file."),
                "tools": texts("These count as changing files."),
                "message": text("What a stage that is held is told."),
                "max_attempts": whole("How often the stage is held.", gate.max_attempts),
            },
        ),
        **{key: number(f"Opens a stuck edge: {key.removeprefix('stuck_after_').replace('_', ' ')}.") for key in STUCK},
    }


def _candidate(who: str = "Who answers.", provider: str | None = "scripted") -> Schema:
    return {
        "provider": text(who, provider),
        "model": text("The model's name."),
        "base_url": text("The server, for a provider that needs one."),
    }


def _model() -> Schema:
    parameters: Schema = {
        "type": "object",
        "description": "Parameters of the request; those that are not named here are passed on.",
        "properties": {"temperature": number("The temperature."), "max_output_tokens": whole("The most it may say.", least=1)},
    }
    return {
        **_candidate(),
        "models": list_of("All of them, in order of preference.", ref("candidate")),
        "fallbacks": list_of("More of them, in order of preference.", ref("candidate")),
        "parameters": parameters,
        "request_timeout_secs": number("Seconds that a request may take."),
        "context_window": whole("The tokens that the model takes in one request.", least=1),
    }


def _point() -> Schema:
    directives = map_of("Options that send the stage back, each with what it is told.", {"type": "string"})
    return {
        "name": text("The point's name."),
        "prompt": text("The question."),
        "required": flag("Without an answer the run ends in error.", True),
        "unattended": one_of(UNATTENDED, "What happens where nobody is there.", UNATTENDED[0]),
        "style": one_of(STYLES, "How it is answered."),
        "options": texts("What may be chosen."),
        "choices": texts("Another name for options."),
        "directives": directives,
        "followups": {**directives, "description": "Another name for directives."},
        "abort_options": texts("Options that cancel the run."),
        "edit_options": texts("Options that let the person write a new document."),
        "document_region": text("The region that holds the document."),
    }


def _routing() -> Schema:
    route = table("", {"region": text("The region."), "max_result_tokens": whole("The most of one result.", least=1)})
    return {
        "default_region": text("Where results go.", "tool_results"),
        "persist": flag("No: they go to the region scratch, if there is one.", True),
        "max_result_tokens": whole("The most that is kept of one result.", least=1),
        "max_result_tokens_per_tool": map_of("The same for each tool.", whole("", least=1)),
        "overrides": map_of("For each tool a region, or a table.", {"anyOf": [{"type": "string"}, route]}),
    }
