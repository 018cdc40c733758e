"""Which stages lie on a way back to themselves. In linear time: an agent file may hold thousands of stages."""

from collections.abc import Iterable, Mapping

Edges = Mapping[str, tuple[str, ...]]


def on_a_loop(edges: Edges) -> set[str]:
    """The nodes of the graph from which a way leads back to them. Every target is a key of `edges`."""
    backwards: dict[str, list[str]] = {node: [] for node in edges}
    for node, targets in edges.items():
        for target in targets:
            backwards[target].append(node)
    found = {node for node, targets in edges.items() if node in targets}
    seen: set[str] = set()
    for start in reversed(_finished(edges)):
        if start not in seen:
            # What leads to `start` and was not seen yet is also reached from it: together they make one component.
            component = _spread(start, backwards, seen)
            if len(component) > 1:
                found |= component
    return found


def reached(start: str, edges: Edges) -> set[str]:
    """`start`, and every node that a way leads to from there."""
    return _spread(start, edges, set())


def _spread(start: str, edges: Mapping[str, Iterable[str]], seen: set[str]) -> set[str]:
    """What is reached from `start` outside of `seen`, to which it is added."""
    found, waiting = {start}, [start]
    seen.add(start)
    while waiting:
        for target in edges[waiting.pop()]:
            if target not in seen:
                seen.add(target)
                found.add(target)
                waiting.append(target)
    return found


def _finished(edges: Edges) -> list[str]:
    """All nodes in the order in which a walk in depth is done with them."""
    order: list[str] = []
    seen: set[str] = set()
    for start in edges:
        if start in seen:
            continue
        seen.add(start)
        walk = [(start, iter(edges[start]))]
        while walk:
            node, targets = walk[-1]
            target = next((target for target in targets if target not in seen), None)
            if target is None:
                order.append(node)
                walk.pop()
            else:
                seen.add(target)
                walk.append((target, iter(edges[target])))
    return order
