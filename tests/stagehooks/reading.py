"""A blueprint read from the text of an agent file, or what is said of it."""

from stagehooks.agent.findings import Finding
from stagehooks.agent.reader import read_blueprint

AGENT = '[agent]\nname = "planner"\n'


def blueprint(text: str):
    read, findings = read_blueprint("agent.toml", (AGENT + text).encode())
    assert [finding.text for finding in findings if finding.severity == "error"] == []
    return read


def findings_of(text: str, severity: str) -> list[Finding]:
    return [finding for finding in read_blueprint("agent.toml", (AGENT + text).encode())[1] if finding.severity == severity]


def error(text: str) -> Finding:
    errors = findings_of(text, "error")
    assert len(errors) == 1, errors
    return errors[0]
