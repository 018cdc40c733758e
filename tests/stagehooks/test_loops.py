"""Ways back in the graph of stages: the same as the obvious, slow search finds, and in linear time."""

import time

from hypothesis import given
from hypothesis import strategies as st

from stagehooks.agent.loops import on_a_loop, reached
from stagehooks.agent.reader import read_blueprint

NODES = "abcdefg"
GRAPHS = st.dictionaries(st.sampled_from(NODES), st.lists(st.sampled_from(NODES), max_size=4, unique=True).map(tuple)).map(
    lambda edges: {node: edges.get(node, ()) for node in NODES}
)


def slowly(start: str, edges: dict[str, tuple[str, ...]]) -> set[str]:
    """What at least one step leads to from `start`."""
    found: set[str] = set()
    new = set(edges[start])
    while new:
        found |= new
        new = {target for node in new for target in edges[node]} - found
    return found


@given(GRAPHS)
def test_a_node_is_on_a_loop_if_a_way_leads_back_to_it(edges: dict[str, tuple[str, ...]]) -> None:
    assert on_a_loop(edges) == {node for node in edges if node in slowly(node, edges)}


@given(GRAPHS)
def test_what_is_reached_is_what_ways_lead_to(edges: dict[str, tuple[str, ...]]) -> None:
    assert reached("a", edges) == {"a"} | slowly("a", edges)


def test_a_file_of_thousands_of_stages_is_read_at_once() -> None:
    text = "[agent]\n" + "".join(f"[stages.s{number}]\n" for number in range(4000))
    began = time.process_time()
    blueprint, findings = read_blueprint("agent.toml", text.encode())
    assert time.process_time() - began < 10
    assert (len(blueprint.stages), findings) == (4000, [])


def test_a_long_ring_is_found_to_be_one() -> None:
    ring = {str(number): (str((number + 1) % 5000),) for number in range(5000)}
    assert len(on_a_loop(ring)) == 5000
