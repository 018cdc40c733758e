"""What an agent file may say of its regions, of their summaries, and of what edges do to them."""

import pytest

from stagehooks.agent.blueprint import Blueprint, Candidate, Compaction
from stagehooks.agent.context_windows import context_window
from stagehooks.agent.findings import Finding
from stagehooks.agent.reader import read_blueprint
from stagehooks.agent.region import Budget, Region


def read(text: str) -> tuple[Blueprint, list[Finding]]:
    return read_blueprint("agent.toml", f"[agent]\n{text}".encode())


def region(keys: str, stages: str = "[stages.main]") -> Region:
    blueprint, findings = read(f"{stages}\n[context.regions.r]\n{keys}\n")
    assert not [finding for finding in findings if finding.severity == "error"], findings
    return blueprint.stages[0].regions[0]


def found(text: str) -> list[tuple[str, str, str]]:
    return [(finding.severity, finding.code, finding.text) for finding in read(text)[1]]


def finding(keys: str) -> tuple[str, str, str]:
    (only,) = found(f"[stages.main]\n[context.regions.r]\n{keys}\n")
    return only


# --- kinds and their keys -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["hashmap", "hash_map"])
def test_a_hashmap_has_two_names(kind: str) -> None:
    assert region(f'kind = "{kind}"\nmax_entries = 3') == Region("r", "hashmap", max_entries=3)


def test_every_key_of_a_sliding_window_is_read() -> None:
    keys = 'kind = "sliding_window"\nmax_items = 3\nstrategy = "compact"\noverflow = 4\ncompact_count = 5'
    assert region(keys) == Region("r", "sliding_window", max_items=3, strategy="compact", overflow=4, compact_count=5)


def test_every_key_of_any_region_is_read() -> None:
    keys = (
        'required = true\nrequired_message = "Fill {region}."\nsummarizable = false\nvolatility = "grows"\nadmission = "reject"'
    )
    wanted = Region(
        "r", required=True, required_message="Fill {region}.", summarizable=False, volatility="grows", admission="reject"
    )
    assert region(keys) == wanted


@pytest.mark.parametrize(
    ("keys", "kind"),
    [
        ("max_items = 1", "sliding_window"),
        ('strategy = "bulk"', "sliding_window"),
        ('compact_at = "50%"', "compacting"),
        ("max_entries = 1", "hashmap"),
        ("persistent = true", "custom"),
        ('source_region = "x"', "compact_history"),
    ],
)
def test_a_key_that_another_kind_has_is_a_warning(keys: str, kind: str) -> None:
    key = keys.partition(" ")[0]
    assert finding(keys) == ("warning", "ignored", f"region 'r': '{key}' counts only for a {kind}")


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ('kind = "sliding_window"\nstrategy = "bulky"', 'strategy "bulky" is not valid (valid: per_item, bulk, compact)'),
        ('volatility = "fixed"', 'volatility "fixed" is not valid (valid: stable, grows, rewritten)'),
        ('kind = "custom"', 'kind = "custom" requires script = "<path>.rhai"'),
        ('budget = "35"', "budget '35' must end with '%' (e.g. \"35%\")"),
        ('budget = "x%"', "budget 'x%' is not a valid number"),
        ('budget = "1_0%"', "budget '1_0%' is not a valid number"),
        ('budget = "-5%"', "budget '-5%' is not a valid number"),
        ('budget = "nan%"', "budget 'nan%' is not a valid number"),
        ('budget = "%"', "budget '%' is not a valid number"),
        ('budget = ".%"', "budget '.%' is not a valid number"),
        ('budget = "0%"', "budget '0%' must be greater than 0% and at most 100%"),
        ('budget = "100.5%"', "budget '100.5%' must be greater than 0% and at most 100%"),
        ("budget = 35", "'budget' must be a text, got: 35"),
        ('kind = "compacting"\ncompact_at = "80"', "compact_at '80' must end with '%' (e.g. \"35%\")"),
    ],
)
def test_a_value_that_is_none_is_an_error(keys: str, text: str) -> None:
    assert finding(keys) == ("error", "invalid-value", f"region 'r': {text}")


@pytest.mark.parametrize(("source", "what"), [("", "it has no source_region"), ("q", "source_region 'q' is no region beside it")])
def test_a_history_of_nothing_is_a_warning(source: str, what: str) -> None:
    keys = 'kind = "compact_history"' + (f'\nsource_region = "{source}"' if source else "")
    assert finding(keys) == ("warning", "no-source-region", f"region 'r': {what}; it stays empty")


# --- percentages ----------------------------------------------------------------------------------------------------------


def test_a_percentage_is_worked_out_for_the_model_of_each_stage() -> None:
    stages = (
        '[stages.one]\n[stages.one.model]\nprovider = "anthropic"\nmodel = "claude-x"\n'
        "[stages.two]\n[stages.two.model]\ncontext_window = 1000\n[stages.three]\n"
    )
    blueprint, _ = read(f'{stages}[context.regions.r]\nbudget = "12.5%"\nmax_tokens = 20000\nmin_tokens = 200\n')
    assert [stage.regions[0].max_tokens for stage in blueprint.stages] == [20_000, 200, 16_000]
    assert blueprint.stages[0].regions[0].budget == Budget(12.5, 20_000, 200)


def test_the_smallest_window_of_all_candidates_counts() -> None:
    models = 'models = [{ provider = "anthropic", model = "claude-x" }, { provider = "openai", model = "gpt-3.5-turbo" }]'
    assert region('budget = "100%"', f"[stages.main]\n[stages.main.model]\n{models}").max_tokens == 16_385


@pytest.mark.parametrize(
    ("model", "tokens"),
    [
        ("claude-sonnet-4-6", 200_000),
        ("anthropic/claude-x", 200_000),
        ("GPT-4.1-mini", 1_047_576),
        ("gpt-4", 8192),
        ("mine", 128_000),
    ],
)
def test_what_models_take_is_told_by_their_names(model: str, tokens: int) -> None:
    assert context_window(model) == tokens


def test_percentages_may_come_to_more_than_the_whole() -> None:
    regions = "".join(f'[context.regions.{name}]\nkind = "pinned"\nbudget = "90%"\n' for name in "ab")
    assert found(f"[stages.main]\n{regions}") == []


def test_a_floor_without_a_percentage_is_a_warning() -> None:
    assert finding("min_tokens = 5") == ("warning", "ignored", "region 'r': 'min_tokens' counts only beside a 'budget'")


@pytest.mark.parametrize(
    "keys",
    [
        'kind = "hashmap"',
        'kind = "compact_history"\nsource_region = "b"',
        'kind = "custom"\nscript = "a.rhai"\npersistent = true',
    ],
)
def test_a_large_layout_must_leave_room_beside_all_that_keeps_everything(keys: str) -> None:
    text = f"[stages.main]\n[context.regions.a]\n{keys}\nmax_tokens = 19000\n[context.regions.b]\nmax_tokens = 7000\n"
    assert [code for _, code, _ in found(text)] == ["layout"]


# --- summaries ------------------------------------------------------------------------------------------------------------


def test_the_compaction_table_is_read() -> None:
    blueprint, findings = read('[stages.main]\n[compaction]\nmax_summary_tokens = 5\ntemperature = 0\nsystem_prompt = " x "\n')
    assert (blueprint.compaction, findings) == (Compaction(5, 0.0, "x"), [])
    assert read("[stages.main]\n[compaction]\n")[0].compaction == Compaction()
    assert read("[stages.main]\n")[0].compaction is None


def test_another_model_for_summaries_is_read() -> None:
    blueprint, _ = read('[stages.main]\n[compaction]\nprovider = "openai"\nmodel = "small"\n')
    assert blueprint.compaction == Compaction(candidate=Candidate("openai", "small"))


def test_another_provider_for_summaries_needs_a_model() -> None:
    (only,) = found('[stages.main]\n[compaction]\nprovider = "openai"\n')
    assert only == ("error", "invalid-value", "[compaction]: the provider needs a 'model' beside it")
    assert found('[stages.main]\n[compaction]\nprovider = "scripted"\n') == []


def test_a_model_for_summaries_without_its_provider_is_a_warning() -> None:
    assert found('[stages.main]\n[compaction]\nmodel = "small"\n') == [
        ("warning", "ignored", "[compaction]: 'model' counts only beside a 'provider'; the stage's own model is asked")
    ]


# --- edges ----------------------------------------------------------------------------------------------------------------


def edge(keys: str) -> str:
    return f"[stages.one]\n[stages.one.transitions.two]\n{keys}\n[stages.two]\n[stages.two.transitions]\n[context.regions.r]\n"


def test_the_lists_of_an_edge_are_read() -> None:
    lists = 'carry = ["r"], compact = ["conversation"], clear = ["tool_results"], compact_prompt = "Be brief."'
    blueprint, findings = read(edge(f'transform = "custom"\ntransform_config = {{ {lists} }}'))
    (transition,) = blueprint.stages[0].transitions
    assert findings == []
    assert (transition.transform, transition.compact, transition.clear) == ("custom", ("conversation",), ("tool_results",))
    assert transition.compact_prompt == "Be brief."


@pytest.mark.parametrize(
    ("keys", "severity", "code"),
    [
        ('transform = "clear"\ntransform_config = { clear = ["r"] }', "warning", "ignored"),
        ('transform = "compact"\ntransform_config = { compact_prompt = "x" }', "", ""),
        ('transform = "custom"\ntransform_config = { clear = ["q"] }', "error", "unknown-region"),
        ('transform = "custom"\ntransform_config = { clear = ["r"], carry = ["r"] }', "error", "invalid-value"),
        ('transform = "custom"\ntransform_config = { clean = ["r"] }', "error", "unknown-key"),
        ('transform = "shrink"', "error", "invalid-value"),
    ],
)
def test_what_is_said_of_the_lists_of_an_edge(keys: str, severity: str, code: str) -> None:
    assert [said[:2] for said in found(edge(keys))] == ([(severity, code)] if code else [])
