"""Every document tells the truth: its programs give what it says, its commands work, its agent files load, its links lead on.

A block that nobody can check is a failure, unless an HTML comment before it gives the reason (`documents`).
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import stagehooks
from conformance import subject
from conformance.compare import differences
from conformance.oracle_client import BINARY, Peer
from stagehooks.agent.reader import read_blueprint
from stagehooks.models.scripted import read_replies
from stagehooks.scripts.outcome import HOOK_NAMES
from tests.docs.commands import UNRUN, Checkout, commands, inline_commands
from tests.docs.documents import MARKS, ROOT, Block, anchors, blocks, documents, links, named_files
from tests.docs.programs import Ask, judge, programs

DOCUMENTS = {path.relative_to(ROOT).as_posix(): path for path in documents()}
BLOCKS = {name: blocks(path) for name, path in DOCUMENTS.items()}
CHECKED = ("json", "python", "rhai", "toml", "sh", "console")
HOOK_CALL = re.compile(r"^\$ python3 -m stagehooks call (\S+) (\w+) --ctx ('[^']*'|\S+)", re.MULTILINE)
ANNOTATED = re.compile(r"# (error|warning|note): (.+)$")


def with_blocks(*languages: str) -> list[str]:
    """The documents with a block to check in one of `languages`."""
    return [name for name, found in BLOCKS.items() if any(item.language in languages and item.is_checked for item in found)]


def checked(name: str, *languages: str) -> list[Block]:
    """The blocks to check of the document `name` in `languages`."""
    return [item for item in BLOCKS[name] if item.language in languages and item.is_checked]


@pytest.fixture(scope="module")
def oracle() -> Iterator[Ask]:
    """The real engine, where it is built."""
    if not BINARY.exists():
        pytest.skip("the real engine is not built here")
    with Peer([BINARY]) as peer:
        yield peer.ask


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A copy of the repository in a room of its own."""
    return Checkout(tmp_path_factory.mktemp("newcomer"))


# --- programs -------------------------------------------------------------------------------------------------------------


def faults_of(ask: Ask, name: str) -> list[str]:
    """Where the programs of the document `name` do not give what it says."""
    faults: list[str] = []
    modules: dict[str, str] = {}
    for block in checked(name, "rhai"):
        for program in programs(block):
            faults += judge(ask, program, modules)
        saved = Path(block.marks.get("file", ""))
        if saved.suffix == ".rhai":
            modules[saved.stem] = block.text
    return faults


@pytest.mark.parametrize("name", with_blocks("rhai"))
def test_programs_give_what_the_document_says(name: str) -> None:
    faults = faults_of(subject.answer, name)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", with_blocks("rhai"))
def test_the_real_engine_says_the_same(name: str, oracle: Ask) -> None:
    faults = faults_of(oracle, name)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", with_blocks("rhai"))
def test_hooks_in_documents_keep_the_contract(name: str) -> None:
    for block in checked(name, "rhai"):
        if any(f"fn {hook}(" in block.text for hook in HOOK_NAMES):
            assert stagehooks.compile(block.where, block.text).defined, block.where


@pytest.mark.parametrize("name", with_blocks("python"))
def test_python_runs(name: str, checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout.directory)
    namespace: dict[str, object] = {"__name__": "__document__"}
    for block in BLOCKS[name]:
        if "file" in block.marks:
            checkout.save(block.marks["file"], block.text)
        elif block.language == "python" and block.is_checked:
            source = "\n" * (block.line - 1) + block.text
            exec(compile(source, name, "exec"), namespace)


@pytest.mark.parametrize("name", with_blocks("console"))
def test_the_real_engine_answers_hook_calls_in_the_same_way(name: str, oracle: Ask) -> None:
    saved = {block.marks["file"]: block.text for block in BLOCKS[name] if "file" in block.marks}
    for block in checked(name, "console"):
        for file, hook, ctx in HOOK_CALL.findall(block.text):
            argument = json.loads(saved.get(ctx, ctx.strip("'")))
            request: dict[str, object] = {"src": saved[file], "profile": "hook", "call": {"fn": hook, "args": [argument]}}
            assert not differences(oracle(request), subject.answer(request)), f"{block.where}: {file}"


# --- data -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", with_blocks("toml"))
def test_agent_files_say_what_the_document_says_of_them(name: str, tmp_path: Path) -> None:
    for block in checked(name, "toml"):
        if block.marks.get("file", "").endswith("replies.toml"):
            (tmp_path / "replies.toml").write_text(block.text, encoding="utf-8")
            read_replies(tmp_path, "replies.toml")
            continue
        if "/tests/" in block.marks.get("file", ""):
            assert "[[case]]" in block.text, f"{block.where}: no hook cases"
            continue  # `stagehooks test`, which the document tells to type, reads them and compares
        whole = block.text if "[agent]" in block.text else f'{block.text}\n[agent]\nname = "document"\n'
        _, findings = read_blueprint("agent.toml", whole.encode())
        remarks = [item for item in findings if item.code != "no-stages"]
        found: dict[tuple[int, str], str] = {(item.line + block.line - 1, item.severity): item.text for item in remarks}
        expected = {
            (number, said[1]): said[2]
            for number, line in enumerate(block.text.split("\n"), block.line)
            if (said := ANNOTATED.search(line))
        }
        assert found.keys() == expected.keys(), f"{block.where}: {found}"
        for place, text in expected.items():
            assert text in found[place], f"{name}:{place[0]}: {found[place]}"


@pytest.mark.parametrize("name", with_blocks("json"))
def test_json_is_json(name: str) -> None:
    for block in checked(name, "json"):
        json.loads(block.text)


# --- commands -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DOCUMENTS)
def test_commands_in_running_text_work(name: str, checkout: Checkout) -> None:
    faults = [checkout.run(command) for command in inline_commands(DOCUMENTS[name]) if command.text not in UNRUN]
    assert not any(faults), "\n".join(faults)


@pytest.mark.parametrize("name", with_blocks("sh", "console"))
def test_commands_do_what_the_document_says(name: str, checkout: Checkout) -> None:
    faults = []
    for block in BLOCKS[name]:
        if "file" in block.marks:
            checkout.save(block.marks["file"], block.text)
        elif block.language in ("sh", "console") and block.is_checked:
            faults += [checkout.run(command) for command in commands(block) if command.text not in UNRUN]
    assert not any(faults), "\n".join(faults)


def test_every_command_that_is_not_run_is_documented() -> None:
    shells = [block for found in BLOCKS.values() for block in found if block.language == "sh"]
    typed = {command.text for block in shells for command in commands(block)}
    typed |= {command.text for path in DOCUMENTS.values() for command in inline_commands(path)}
    assert UNRUN.keys() <= typed, UNRUN.keys() - typed


# --- the documents themselves ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_block_is_checked_or_says_why_not(name: str) -> None:
    for block in BLOCKS[name]:
        assert block.marks.keys() <= set(MARKS), f"{block.where}: unknown mark"
        assert block.language in CHECKED or not block.is_checked, f"{block.where}: nobody checks '{block.language}' blocks"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    for link in links(DOCUMENTS[name]):
        path, _, anchor = link.partition("#")
        target = DOCUMENTS[name].parent / path if path else DOCUMENTS[name]
        assert target.exists(), f"{name}: {link}"
        assert not anchor or anchor in anchors(target), f"{name}: {link}"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_files_that_a_document_names_exist(name: str) -> None:
    saved = {block.marks["file"] for block in BLOCKS[name] if "file" in block.marks}
    places = (ROOT, DOCUMENTS[name].parent, ROOT / "rhaipy", ROOT / "stagehooks", ROOT / "examples" / "planner")
    for path in named_files(DOCUMENTS[name]):
        assert path in saved or any([*place.glob(path.rstrip("/"))] for place in places), f"{name}: there is no {path}"
