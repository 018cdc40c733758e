"""What a run says that it took, and what it holds when all is over."""

import asyncio
from pathlib import Path

from stagehooks.run.lifecycle import Run
from tests.stagehooks.driving import REGIONS, Recorder, calls, drive, modify, stage, write_agent

LEDGER = '[context.regions.ledger]\nkind = "custom"\nscript = "ledger.rhai"\nseed = { literal = "first" }\n'


def with_ledger(directory: Path, script: str) -> int:
    """The operations of a run whose only script is that of a region."""
    (directory / "agent").mkdir(parents=True)
    (directory / "agent" / "ledger.rhai").write_text(script)
    return drive(directory, top=LEDGER + REGIONS).result.totals.operations


def test_the_operations_of_region_scripts_count(tmp_path: Path) -> None:
    plain = with_ledger(tmp_path / "a", "fn render(ctx) { ctx.region.name }")
    busy = with_ledger(tmp_path / "b", "fn render(ctx) { let sum = 0; for i in 0..100 { sum += i; } ctx.region.name }")
    writes = with_ledger(
        tmp_path / "c", "fn render(ctx) { ctx.region.name } fn on_write(ctx) { let sum = 0; for i in 0..100 { sum += i; } true }"
    )
    assert 0 < plain < 20
    assert busy > plain + 100
    assert writes > plain + 100


def test_a_region_script_that_fails_has_used_what_it_has_used(tmp_path: Path) -> None:
    assert with_ledger(tmp_path, 'fn render(ctx) { let sum = 0; for i in 0..100 { sum += i; } throw "no" }') > 100


def test_the_region_with_the_final_output_holds_what_on_completion_made_of_it(tmp_path: Path) -> None:
    script = f"fn on_completion(ctx) {{ {modify('ctx.output + `, checked`')} }}"
    agent = write_agent(tmp_path, script, stage("main", ["on_completion"], ["submit_output"]))
    run = Run(agent, {"model": Recorder(calls(("submit_output", {"content": "paid"})), "done")})
    result = asyncio.run(run.drive())
    assert result.output == "paid, checked"
    assert run._window.region("final_output").text == "paid, checked"


def test_a_region_that_refuses_what_on_completion_made_does_no_harm(tmp_path: Path) -> None:
    top = REGIONS + '[context.regions.final_output]\nkind = "pinned"\nmax_tokens = 10\nadmission = "reject"\n'
    script = f"fn on_completion(ctx) {{ {modify('ctx.output + ctx.output')} }}"
    content = "word " * 30
    stages = stage("main", ["on_completion"], ["submit_output"])
    driven = drive(tmp_path, script, calls(("submit_output", {"content": content})), "done", stages=stages, top=top)
    assert (driven.result.status, driven.result.output) == ("complete", content * 2)
