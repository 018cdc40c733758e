"""Programs put into a frame: the body of a function, a closure, a loop, a module, an `eval`, a `try` that shows its error.

Most of what a program does must not depend on where it stands; where it does, the two engines have to agree about how.
"""

import json
from random import Random
from typing import Any, Final

from conformance.fuzz.texts import pieces_of

_BLOCKS: Final = (
    "§",
    "{ § }",
    "let framed = { § }; framed",
    "if true { § }",
    "let framed = 0; while framed < 2 { framed += 1; § }",
    "for framed in 0..2 { § }",
    "for (framed, index) in [3, `x`] { § }",
    "loop { § ; break 7; }",
    "do { § } until true",
    "switch 1 { 1 => { § } _ => 2 }",
    "let framed = switch 5 { 1..9 => { § } _ => 2 }; [framed]",
    "try { § } catch (framed) { print(framed); framed }",
    "try { § } catch (framed) { throw }",
    "try { § } catch { throw 5 }",
    "try { throw #{a: 1} } catch (framed) { § }",
    "`framed ${ § } twice ${ § }`",
    "let framed = [{ § }, 1]; framed.len()",
    "let framed = #{a: { § }}; framed.a",
    "true && { § }",
    "() ?? { § }",
    "let framed = |x| { § }; framed.call(1)",
    "let y = 5; let framed = || { y; § }; framed.call()",
    "[1, 2].map(|x| { § })",
    "[2, 1].for_each(|| { § })",
    "[2, 1].sort(|x, y| { § })",
    "[1].filter(|| { § ; true })",
    "let framed = #{f: || { § }}; framed.f()",
    "print({ § })",
)
"""Where the statements of a program may stand."""

_FUNCTIONS: Final = (
    "fn framed() { § } framed()",
    "fn framed() { § } let x = 1; x.framed()",
    "fn framed(x) { return { § }; } framed([1])",
    "fn int.framed() { § } 1.framed()",
    "fn framed() { § } let a = 1; framed!()",
    "fn framed() { § } call(Fn(`framed`))",
    "fn framed() { § } [1].map(Fn(`framed`))",
    "private fn framed() { § } fn outer() { framed() } outer()",
    "fn framed() { let f = || { § }; f.call() } framed()",
    "fn framed(n) { if n > 0 { framed(n - 1) } else { § } } framed(2)",
)


def framed(random: Random, asked: dict[str, Any]) -> dict[str, Any]:
    """The request with its program in a frame. Functions of the program stay at its top."""
    functions, statements = _parted(asked["src"])
    match random.randrange(8):
        case 0 | 1:
            return {**asked, "src": functions + random.choice(_FUNCTIONS).replace("§", statements)}
        case 2:
            quoted = json.dumps(statements, ensure_ascii=False).replace("\\b", "\\x08").replace("\\f", "\\x0c")
            return {**asked, "src": f"{functions}eval({quoted})"}
        case 3:
            return _in_module(random, asked, functions, statements)
        case 4 if "call" not in asked and not asked.get("expression"):
            call: dict[str, Any] = {"fn": "framed", "args": []}
            return {
                **asked,
                "src": f"{functions}fn framed() {{ {statements} }}",
                "call": call | ({"this": 5} if random.random() < 0.5 else {}),
            }
    return {**asked, "src": functions + random.choice(_BLOCKS).replace("§", statements)}


def _in_module(random: Random, asked: dict[str, Any], functions: str, statements: str) -> dict[str, Any]:
    """The program as a module, or in a function of one."""
    others = asked.get("modules") or {}
    if random.random() < 0.3:
        return {**asked, "modules": {**others, "framed": asked["src"]}, "src": 'import "framed" as framed; 1'}
    module = f"{functions}fn framed(x) {{ {statements} }}"
    call = random.choice(
        ("framed::framed(1)", "try { framed::framed([1]) } catch (e) { print(e); throw e; }", "call(framed::framed, 2)")
    )
    return {**asked, "modules": {**others, "framed": module}, "src": f'import "framed" as framed; {call}'}


def _parted(source: str) -> tuple[str, str]:
    """The functions of a program, more or less, and its other statements."""
    functions: list[str] = []
    statements: list[str] = []
    depth, inside = 0, False
    for piece in pieces_of(source):
        if depth == 0 and piece == "fn":
            inside = True
        (functions if inside else statements).append(piece)
        if piece in ("{", "(", "["):
            depth += 1
        elif piece in ("}", ")", "]"):
            depth -= 1
            if depth == 0 and piece == "}" and inside:
                inside = False
                functions.append(" ")
    return "".join(functions), "".join(statements)
