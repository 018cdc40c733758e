"""The pytest plugin: collects hook cases, and nothing else."""

import tomllib
from pathlib import Path

import pytest

from stagehooks.pytest_plugin import is_case_file
from tests.stagehooks.driving import write_agent
from tests.stagehooks.test_hook_cases import SCRIPT, case

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes find the package of this checkout, installed or not."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def run(pytester: pytest.Pytester, *cases: str) -> pytest.RunResult:
    """pytest with the plugin, in a directory with an agent."""
    write_agent(pytester.path / "agent", SCRIPT)
    (pytester.path / "agent" / "tests").mkdir()
    (pytester.path / "agent" / "tests" / "guard.toml").write_text("".join(cases))
    return pytester.runpytest_subprocess("-p", "stagehooks.pytest_plugin", "-p", "no:cacheprovider", "-v")


def test_each_case_is_a_test(pytester: pytest.Pytester) -> None:
    done = run(pytester, case(1, "allow", 'name = "looking is free"'), case(3, "allow", 'name = "no refusing"'))
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(
        [
            "agent/tests/guard.toml::looking is free PASSED*",
            "agent/tests/guard.toml::no refusing FAILED*",
            "*on_tool_call: no refusing*",
            "tests/guard.toml:7: expected allow, got cancel: no",
        ]
    )
    assert "Traceback" not in done.stdout.str()


def test_a_file_that_is_wrong_is_one_message(pytester: pytest.Pytester) -> None:
    done = run(pytester, case(1, "alow"))
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(['*guard.toml:5: *unknown expect "alow"*', "did you mean 'allow'?"])


def test_only_case_files_beside_an_agent_are_collected(tmp_path: Path) -> None:
    write_agent(tmp_path / "agent", SCRIPT)
    assert is_case_file(tmp_path / "agent" / "tests" / "guard.toml")
    assert is_case_file(tmp_path / "agent" / "hooks" / "tests.toml")
    for path in ("agent/agent.toml", "agent/hooks/other.toml", "agent/tests/guard.py", "other/tests/guard.toml"):
        assert not is_case_file(tmp_path / path), path


def test_an_installation_makes_it_known_to_pytest() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"stagehooks": "stagehooks.pytest_plugin"}
