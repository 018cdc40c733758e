"""The commands that drive no agent: validate, call, explain."""

import argparse
import sys
from pathlib import Path
from typing import Final

from stagehooks.agent.blueprint import Blueprint, Stage
from stagehooks.agent.document import did_you_mean
from stagehooks.agent.files import SCRIPT_BYTES, Unreadable, read_text, real_path
from stagehooks.agent.findings import Finding
from stagehooks.check import Report, check, unreadable
from stagehooks.console import Console
from stagehooks.errors import FAILED, OK, USAGE, HookError, SpawnError, UsageError
from stagehooks.explain import describe, explanation, overview
from stagehooks.scripts import json_text
from stagehooks.scripts.outcome import HOOK_NAMES, Allow, Cancel, HookOutcome, Json, Modify
from stagehooks.scripts.stage_hook import HookCall, call, compile

CTX_BYTES: Final = 16 * 1024 * 1024


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
            console.finding(finding)
        _print_report(report, console)
    return OK if report.valid else USAGE


def _print_report(report: Report, console: Console) -> None:
    if not report.valid or report.blueprint is None:
        console.say(f"✗ {report.file}: {_counted(report.count('error'), 'error')}", "red")
        return
    blueprint = report.blueprint
    console.result(f"✓ Blueprint '{blueprint.name}' is valid.", "green")
    console.result(f"  {_counted(len(blueprint.stages), 'stage')}, version {blueprint.version}")
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


def call_command(options: argparse.Namespace, console: Console) -> int:
    """Call one hook of one script, once."""
    if options.hook not in HOOK_NAMES:
        hint = did_you_mean(options.hook, HOOK_NAMES) or f"the hooks are: {', '.join(HOOK_NAMES)}"
        raise UsageError(f"unknown hook '{options.hook}'", hint=hint)
    ctx = read_ctx(options.ctx)
    try:
        source, _ = read_text(real_path(Path(options.file)), SCRIPT_BYTES)
    except Unreadable as error:
        raise UsageError(f"cannot read '{options.file}': {error}") from None
    try:
        answer = call(compile(options.file, source, [options.hook]), options.hook, ctx)
    except HookError as error:
        if options.json:
            console.result(json_text.line(_failure_json(error)))
        raise
    console.result(json_text.line(_call_json(answer)) if options.json else _call_text(answer))
    return FAILED if outcome_name(answer.outcome) in ("cancel", "retry") else OK


def read_ctx(argument: str) -> Json:
    """The data that `--ctx` stands for: JSON text, the path of a file that holds it, or - for standard input."""
    if argument == "-":
        text, name = sys.stdin.buffer.read(CTX_BYTES + 1), "standard input"
        return _parsed(_decoded(text, name), name)
    try:
        return json_text.parse(argument)
    except ValueError as error:
        if argument.lstrip()[:1] in ("{", "["):
            raise UsageError(f"--ctx is not JSON: {error}") from None
    try:
        return _parsed(read_text(real_path(Path(argument)), CTX_BYTES)[0], argument)
    except Unreadable as error:
        raise UsageError(f"--ctx is neither JSON nor a readable file: '{argument}': {error}") from None


def _decoded(data: bytes, name: str) -> str:
    if len(data) > CTX_BYTES:
        raise UsageError(f"{name} is larger than {CTX_BYTES} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is not UTF-8 text (byte {error.start})") from None


def _parsed(text: str, name: str) -> Json:
    try:
        return json_text.parse(text)
    except ValueError as error:
        raise UsageError(f"{name} is not JSON: {error}") from None


def outcome_name(outcome: HookOutcome) -> str:
    """allow, modify, cancel or retry."""
    return type(outcome).__name__.lower()


def _call_json(answer: HookCall) -> Json:
    outcome = answer.outcome
    return {
        "outcome": outcome_name(outcome),
        "value": outcome.value if isinstance(outcome, Modify) else None,
        "reason": outcome.reason if isinstance(outcome, Cancel) else None,
        "operations": answer.operations,
        "fuel": answer.fuel,
    }


def _failure_json(error: HookError) -> Json:
    return {
        "outcome": "error",
        "error": error.message,
        "kind": error.inner.innermost.kind if error.inner else type(error).__name__,
        "line": error.line or None,
        "column": error.column or None,
        "operations": error.operations,
        "fuel": error.fuel,
    }


def _call_text(answer: HookCall) -> str:
    used = f"({answer.operations} operations, {answer.fuel} fuel)"
    match answer.outcome:
        case Modify(value):
            return f"modify {json_text.dump(value)}\n{used}"
        case Cancel(reason):
            return f"cancel: {reason if reason is not None else 'no reason given'}\n{used}"
        case Allow():
            return f"allow\n{used}"
        case _:
            return f"retry\n{used}"


def explain_command(options: argparse.Namespace, console: Console) -> int:
    """Explain one hook, or all of them in short."""
    if options.hook is None:
        console.result(overview())
        return OK
    entry = explanation(options.hook)
    if entry is None:
        hint = did_you_mean(options.hook, HOOK_NAMES) or f"the hooks are: {', '.join(HOOK_NAMES)}"
        raise UsageError(f"unknown hook '{options.hook}'", hint=hint)
    console.result(describe(entry))
    return OK
