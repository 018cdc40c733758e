"""Thirty mistakes in agent directories: each is one clear message that says where, and exit code 2, before anything ran."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from stagehooks.cli import main

GOOD = '[agent]\nname = "a"\n[stages.main.hooks]\non_tool_call = "guard.rhai"\n'
GUARD = "fn on_tool_call(ctx) { () }"


@dataclass(frozen=True)
class Mistake:
    """A wrong agent: its agent file and other files. `line` is where the message points to, `says` is part of it."""

    name: str
    says: str
    agent: str | bytes | None = GOOD
    line: int = 0
    hint: str = ""
    files: dict[str, str | bytes] = field(default_factory=dict)
    at: str = "agent.toml"


OUTPUT = '[agent.output]\nvalidator = "v.rhai"'
CUSTOM = '[context.regions.r]\nkind = "custom"\nscript = "r.rhai"'


def stages(text: str) -> str:
    return f'[agent]\nname = "a"\n{text}\n'


MISTAKES = [
    Mistake("no agent file", "no agent here", agent=None),
    Mistake("a file that is no TOML", "Failed to parse agent.toml: Invalid value", "[agent]\nname =\n", 2),
    Mistake("a key that is written twice", "Failed to parse agent.toml", '[agent]\nname = "a"\nname = "b"\n', 3),
    Mistake("a file that is no UTF-8", "is not UTF-8 text (byte 16)", b'[agent]\nname = "\xff"\n', 2),
    Mistake("a file that is too large", "larger than 65536 bytes", "#" * 70_000),
    Mistake("brackets without end", "nested deeper than 32", "[agent]\nname = " + "[" * 40, 2),
    Mistake("no [agent]", "Missing [agent] section", "[stages.main]\n"),
    Mistake("an unknown table", "has unknown key 'agents'", GOOD + "[agents]\n", 5, "did you mean 'agent'?"),
    Mistake(
        "an unknown key of a stage",
        "stage 'main' has unknown key 'max_iteration'",
        stages("[stages.main]\nmax_iteration = 3"),
        4,
        "did you mean 'max_iterations'?",
    ),
    Mistake("a number where a text belongs", "[agent]: 'name' must be a text, got: 7", "[agent]\nname = 7\n", 2),
    Mistake(
        "a negative number", "'max_iterations' must be a whole number, 0 or more", stages("[stages.main]\nmax_iterations = -1"), 4
    ),
    Mistake("an unknown mode", 'unknown mode "auto"', stages('[stages.main]\nmode = "auto"'), 4),
    Mistake(
        "a mode that is not supported",
        'mode "fan_out" is not supported in this version',
        stages('[stages.main]\nmode = "fan_out"'),
        4,
    ),
    Mistake(
        "an unknown hook",
        "unknown hook 'on_tool_calls'",
        stages('[stages.main.hooks]\non_tool_calls = "guard.rhai"'),
        4,
        "did you mean 'on_tool_call'?",
    ),
    Mistake(
        "a hook that is no path",
        "hook 'on_error' must be a path to a .rhai file",
        stages("[stages.main.hooks]\non_error = true"),
        4,
    ),
    Mistake("hooks that are no table", "'hooks' must be a table", stages('[stages.main]\nhooks = "guard.rhai"'), 4),
    Mistake(
        "a script that is not there",
        "cannot read stage hook script",
        files={"guard.rhai": ""},
        agent=GOOD.replace("guard", "gard"),
        line=4,
    ),
    Mistake(
        "a script that does not compile",
        "failed to compile",
        line=1,
        at="guard.rhai",
        files={"guard.rhai": "fn on_tool_call(ctx) {"},
    ),
    Mistake(
        "a script without its hook", "defines no fn on_tool_call(ctx)", line=4, files={"guard.rhai": "fn on_tool_cal(ctx) { }"}
    ),
    Mistake(
        "a hook with two parameters",
        "must take exactly one parameter (ctx), found 2",
        line=4,
        files={"guard.rhai": "fn on_tool_call(a, b) { }"},
    ),
    Mistake("a script that is no UTF-8", "cannot read stage hook script", line=4, files={"guard.rhai": b"// \xff"}),
    Mistake("a script outside the directory", "resolves outside the blueprint's directory", GOOD.replace("guard", "../guard"), 4),
    Mistake(
        "a script that is no .rhai",
        "must be a path to a .rhai file",
        GOOD.replace(".rhai", ".txt"),
        4,
        files={"guard.txt": GUARD},
    ),
    Mistake(
        "an entry stage that is not there",
        "entry_stage 'mian' does not match any defined stage",
        '[agent]\nentry_stage = "mian"\n[stages.main]\n',
        2,
        "did you mean 'main'?",
    ),
    Mistake(
        "a target that is not there",
        "target stage does not exist",
        stages(
            "[stages.main]\n[stages.main.transitions.end]\n[stages.main.transitions.ende]\n[stages.end]\n[stages.end.transitions]"
        ),
        5,
        "did you mean 'end'?",
    ),
    Mistake(
        "a run without an end",
        "no terminal path exists from entry stage",
        stages("[stages.a]\n[stages.a.transitions.b]\n[stages.b]\n[stages.b.transitions.a]"),
        3,
        "allow_complete = true",
    ),
    Mistake(
        "a loop without a bound",
        "self-loop transition requires max_revisits",
        stages("[stages.a]\nallow_complete = true\n[stages.a.transitions.a]"),
        5,
        "set max_revisits in [stages.a]",
    ),
    Mistake(
        "a condition that does not exist",
        "has unknown condition 'allways'",
        stages('[stages.a]\n[stages.a.transitions.b]\ncondition = "allways"\n[stages.b]'),
        5,
        "did you mean 'always'?",
    ),
    Mistake(
        "a stuck edge without a threshold",
        "has condition 'stuck' but no threshold",
        stages('[stages.a]\n[stages.a.transitions.b]\ncondition = "stuck"\n[stages.b]'),
        5,
        "stuck_after_iterations = 20",
    ),
    Mistake(
        "a gate on a region that is not there",
        "names region 'plann', which the stage does not have",
        stages('[context.regions.plan]\n[stages.a]\n[stages.a.transitions.b.gate]\nrequire_regions = ["plann"]\n[stages.b]'),
        6,
        "did you mean 'plan'?",
    ),
    Mistake(
        "a region of an unknown kind",
        'unknown kind "pined"',
        stages('[context.regions.r]\nkind = "pined"'),
        4,
        "did you mean 'pinned'?",
    ),
    Mistake("a percentage that is none", "region 'r': budget", stages('[context.regions.r]\nbudget = "35"'), 4),
    Mistake(
        "a policy that is none",
        'tool_permissions.shell = "maybe" is not a policy',
        GOOD + '[tool_permissions]\nshell = "maybe"\n',
        6,
    ),
    Mistake(
        "a required tool that is not offered",
        "required_tools entry 'shell' is not in available_tools",
        stages('[stages.main]\nrequired_tools = ["shell"]'),
        4,
        "add 'shell' to available_tools",
    ),
    Mistake(
        "an output that cannot be submitted",
        "require_output is set but 'submit_output' is not in available_tools",
        stages("[stages.main]\nrequire_output = true"),
        4,
        "add 'submit_output' to available_tools",
    ),
    Mistake(
        "a choice without options",
        "a choice needs 'options'",
        stages('[[stages.a.interaction_points]]\nname = "p"\nprompt = "?"\nstyle = "multiple_choice"'),
        3,
    ),
    Mistake("a sandbox", "an agent that asks for one is not run without it", GOOD + '[sandbox]\nkind = "container"\n', 5),
    Mistake("a sandbox of no kind", "an agent that asks for one is not run without it", GOOD + '[sandbox]\nimage = "x"\n', 5),
    Mistake("a byte order mark", "it begins with a byte order mark: save it as UTF-8 without one", b"\xef\xbb\xbf[agent]\n", 1),
    Mistake("a name that nobody can see", "the name of a stage is made of characters", stages('[stages."\\u200b"]'), 3),
    Mistake("a list of no models", "'models' names no model", stages("[stages.main.model]\nmodels = []"), 4),
    Mistake("a seed that names nothing", "'glob' names nothing", stages('[context.regions.r]\nseed = { glob = "" }'), 4),
    Mistake(
        "a schema with a keyword that is misspelt",
        "'requird' is no keyword of JSON Schema, did you mean 'required'?",
        stages('[agent.output.schema]\nrequird = ["a"]'),
        3,
    ),
    Mistake(
        "a validator without its function", "script must define fn validate(content)", stages(OUTPUT), 4, files={"v.rhai": ""}
    ),
    Mistake("a region's script without render", "script must define fn render(ctx)", stages(CUSTOM), 3, files={"r.rhai": ""}),
    Mistake(
        "a rule that does not compile",
        "policy rule 'rules/a.rhai' failed to compile",
        line=1,
        at="rules/a.rhai",
        files={"rules/a.rhai": "let = 1"},
    ),
    Mistake(
        "a policy with an unknown key",
        "allowlist has unknown key 'chanel'",
        line=3,
        at="policy.toml",
        hint="did you mean 'channel'?",
        files={"policy.toml": '[[allowlist]]\ntool = "x"\nchanel = ["y"]'},
    ),
    Mistake(
        "a policy that is no TOML",
        "Failed to parse policy.toml: a key has more than 32 parts",
        line=1,
        at="policy.toml",
        files={"policy.toml": ".".join("a" * 1000) + " = 1"},
    ),
]


def written(directory: Path, mistake: Mistake) -> Path:
    agent = directory / "agent"
    agent.mkdir()
    files = {"guard.rhai": GUARD, **mistake.files}
    if mistake.agent is not None:
        files["agent.toml"] = mistake.agent
    for name, text in files.items():
        (agent / name).parent.mkdir(exist_ok=True)
        (agent / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return agent


def test_there_are_thirty_and_more() -> None:
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES) >= 30


@pytest.mark.parametrize("command", ["validate", "run"])
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_is_one_clear_message_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, mistake: Mistake, command: str
) -> None:
    agent = written(tmp_path, mistake)
    code = main([command, str(agent)])
    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    lines = err.splitlines()
    faults = [line for line in lines if re.match(rf"(stagehooks|{re.escape(str(tmp_path))}[^ ]*): (?!(warning|note): )", line)]
    assert len(faults) == 1, err
    assert mistake.says in faults[0]
    # `run` stops at the first fault; one of a script it names by the script alone.
    of_a_script = mistake.files or "guard" in mistake.says or "blueprint's directory" in mistake.says
    place = f"{agent / mistake.at}:{mistake.line}" if mistake.line and not (of_a_script and command == "run") else ""
    assert place in faults[0]
    hints = [line for line in lines if line.startswith("  hint: ")]
    assert (mistake.hint in " ".join(hints)) if mistake.hint else True
    assert "Traceback" not in err


def test_a_script_that_does_not_compile_is_shown_with_a_caret(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    agent = written(tmp_path, Mistake("", "", files={"guard.rhai": "fn on_tool_call(ctx) {\n    let x = ;\n}"}))
    assert main(["validate", str(agent)]) == 2
    assert "        let x = ;\n                ^\n" in capsys.readouterr().err


def test_several_mistakes_are_all_told_at_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = stages('[stages.a]\nmode = "x"\nspeed = 1\nmax_iterations = "y"\n[stages.a.hooks]\non_error = "none.rhai"')
    assert main(["validate", str(written(tmp_path, Mistake("", "", agent=text)))]) == 2
    err = capsys.readouterr().err
    assert all(
        said in err for said in ('unknown mode "x"', "unknown key 'speed'", "'max_iterations' must be", "none.rhai", "4 errors")
    )
