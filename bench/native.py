"""The work in plain Python. Peers that speak a kind of Python get these functions too, so they keep to what all of them know."""

from typing import Any


def on_tool_call(ctx: Any) -> Any:
    kept = []
    for asked in ctx["tool_calls"]:
        if asked["name"] == "shell" and "rm -rf" in asked["arguments"]["command"]:
            return {"action": "cancel", "reason": "no recursive deletion"}
        if asked["arguments"]["lines"] <= 1000:
            kept.append(asked)
    if len(kept) == len(ctx["tool_calls"]):
        return True
    return {"action": "modify", "value": kept}


def copied(value: Any) -> Any:
    """Plain data, copied through and through."""
    if type(value) is dict:
        return {name: copied(item) for name, item in value.items()}
    if type(value) is list:
        return [copied(item) for item in value]
    return value


def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def fib_of_20() -> int:
    return fib(20)


def count() -> int:
    i = 0
    while i < 100000:
        i += 1
    return i


def sieve() -> int:
    prime = [True] * 10000
    found = 0
    for n in range(2, 10000):
        if prime[n]:
            found += 1
            for multiple in range(n * n, 10000, n):
                prime[multiple] = False
    return found


def words() -> int:
    text = ""
    for i in range(10000):
        text += "  line " + str(i) + "  \n"
    trimmed = [line.strip() for line in text.split("\n")]
    joined = ""
    for line in trimmed:
        joined += line
        joined += ","
    return len(joined)


def closures() -> int:
    rows = [{"id": i, "value": i * 3} for i in range(10000)]
    total = 0
    for value in [row["value"] for row in rows if row["id"] % 2 == 0]:
        total += value
    return total


def filled(size: int, factor: int) -> list[list[int]]:
    return [[i * factor + j for j in range(size)] for i in range(size)]


def matrix() -> int:
    size = 30
    a = filled(size, 3)
    b = filled(size, 5)
    trace = 0
    for i in range(size):
        for j in range(size):
            total = 0
            for k in range(size):
                total += a[i][k] * b[k][j]
            if i == j:
                trace += total
    return trace
