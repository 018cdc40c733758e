"""The commands that drive no agent: validate and explain."""

import argparse
from pathlib import Path

from stagehooks.agent.blueprint import Blueprint, Stage
from stagehooks.agent.findings import Finding
from stagehooks.call_command import unknown_hook
from stagehooks.check import Report, check, unreadable
from stagehooks.console import Console, one_line
from stagehooks.errors import OK, USAGE, SpawnError
from stagehooks.explain import EXPLANATIONS, as_data, describe, explanation, overview
from stagehooks.scripts import json_text
from stagehooks.scripts.outcome import Json


def validate_command(options: argparse.Namespace, console: Console) -> int:
    """Check an agent and say what was found."""
    try:
        report = check(Path(options.agent))
    except SpawnError as error:
        if options.json:
            console.result(json_text.line(_report_json(unreadable(options.agent, error))))
        raise
    if options.json:
        console.result(json_text.line(_report_json(report)))
    else:
        for finding in report.findings:
            console.fault(finding.where, finding.severity, f"{finding.text} [{finding.code}]", finding.excerpt, finding.fix)
        _print_report(report, console)
    return OK if report.valid else USAGE


def _print_report(report: Report, console: Console) -> None:
    if not report.valid or report.blueprint is None:
        console.say(f"✗ {report.file}: {_counted(report.count('error'), 'error')}", "red")
        return
    blueprint = report.blueprint
    console.result(one_line(f"✓ Blueprint '{blueprint.name}' is valid."), "green")
    console.result(one_line(f"  {_counted(len(blueprint.stages), 'stage')}, version {blueprint.version}"))
    for stage in blueprint.stages:
        console.result(f"  {_graph_line(blueprint, stage)}")
        for entry in stage.hooks.entries:
            console.result(f"      {entry.hook:<16}  {entry.path}", "dim")


def _graph_line(blueprint: Blueprint, stage: Stage) -> str:
    edges = [edge.target + (f" ({edge.condition})" if edge.condition != "always" else "") for edge in stage.transitions] + [
        "done"
    ] * (stage.allow_complete or not stage.transitions)
    mark = "▸" if stage.name == blueprint.entry_stage else " "
    return f"{mark} {stage.name} → {', '.join(edges)}"


def _report_json(report: Report) -> Json:
    errors = [finding for finding in report.findings if finding.severity == "error"]
    return {
        "valid": report.valid,
        "file": report.file,
        "blueprint": report.blueprint.name if report.blueprint else None,
        "stages": [_stage_json(stage) for stage in report.blueprint.stages] if report.blueprint else [],
        "scripts": [{"path": entry.path, "sha256": entry.sha256} for entry in report.scripts],
        "error": f"{errors[0].where}: {errors[0].text}" if errors else None,
        "findings": [_finding_json(finding) for finding in report.findings],
        "errors": report.count("error"),
        "warnings": report.count("warning"),
        "notes": report.count("note"),
    }


def _stage_json(stage: Stage) -> Json:
    return {
        "name": stage.name,
        "hooks": {entry.hook: entry.path for entry in stage.hooks.entries},
        "transitions": [{"target": edge.target, "condition": edge.condition} for edge in stage.transitions],
    }


def _finding_json(finding: Finding) -> Json:
    return {
        "severity": finding.severity,
        "code": finding.code,
        "file": finding.file,
        "line": finding.line or None,
        "column": finding.column or None,
        "text": finding.text,
        "fix": finding.fix or None,
    }


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def explain_command(options: argparse.Namespace, console: Console) -> int:
    """Explain one hook, or all of them in short."""
    if options.hook is None:
        console.result(json_text.line([as_data(entry) for entry in EXPLANATIONS]) if options.json else overview())
        return OK
    entry = explanation(options.hook)
    if entry is None:
        raise unknown_hook(options.hook)
    console.result(json_text.line(as_data(entry)) if options.json else describe(entry))
    return OK
