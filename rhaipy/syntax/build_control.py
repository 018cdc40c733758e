"""Reductions of conditions, loops, jumps and try."""

from rhaipy.parse_errors import ParseError, lex_error
from rhaipy.source import NONE
from rhaipy.syntax.build_operators import be_boolean, be_iterable
from rhaipy.syntax.build_statements import TYPO
from rhaipy.syntax.builder import Builder, Values, reduces
from rhaipy.syntax.dialects import ONLY
from rhaipy.syntax.nodes import Block, Break, Continue, Do, Expr, For, If, Return, Throw, Try, While

# --- conditions and loops -------------------------------------------------------------------------------------------------


@reduces("no_brace")
def no_brace(builder: Builder, _values: Values) -> None:
    """The keyword before the condition is on top of the stack; what comes next must not be a block."""
    index = builder.stack[-1] + 1
    if builder.kinds[index] in ("{", ONLY):
        raise ParseError(builder.ats[index], "ExprExpected", "a boolean")


@reduces("condition", moving=True)
def condition(builder: Builder, values: Values) -> Expr:
    node: Expr = values[1]
    be_boolean(node)
    if builder.kinds[builder.index] == "=":
        raise lex_error(builder.ats[builder.index], "ImproperSymbol", "=", TYPO)
    return node


@reduces("if_chain")
def if_chain(builder: Builder, values: Values) -> If:
    word, test, body, *rest = values
    otherwise = rest[1] if rest else Block(NONE, NONE, ())
    if type(otherwise) is If:
        otherwise = Block(otherwise.at, NONE, (otherwise,))
    return If(builder.ats[word], test, body, otherwise)


@reduces("while_head")
def while_head(builder: Builder, values: Values) -> Values:
    builder.scope.loops += 1
    return values


@reduces("while_loop")
def while_loop(builder: Builder, values: Values) -> While:
    (word, test), body = values
    builder.scope.loops -= 1
    return While(builder.ats[word], test, body)


@reduces("loop_head", "do_head")
def loop_head(builder: Builder, values: Values) -> int:
    builder.scope.loops += 1
    word: int = values[0]
    return word


@reduces("endless_loop")
def endless_loop(builder: Builder, values: Values) -> While:
    word, body = values
    builder.scope.loops -= 1
    return While(builder.ats[word], None, body)


@reduces("do_body")
def do_body(builder: Builder, values: Values) -> Values:
    builder.scope.loops -= 1
    return values


@reduces("do_loop")
def do_loop(builder: Builder, values: Values) -> Do:
    (word, body), keyword, test = values
    return Do(builder.ats[word], body, test, builder.kinds[keyword] == "until")


@reduces("for_first")
def for_first(_builder: Builder, values: Values) -> tuple[int, int]:
    word, _, name = values
    return word, name


@reduces("for_pair")
def for_pair(builder: Builder, values: Values) -> tuple[int, int, int]:
    (word, name), _, counter = values
    if builder.values[name] == builder.values[counter]:
        raise ParseError(builder.ats[counter], "DuplicatedVariable", builder.text(counter))
    return word, name, counter


@reduces("for_names")
def for_names(_builder: Builder, values: Values) -> tuple[int, ...]:
    first, second = values
    return first if isinstance(first, tuple) else (first, second)


@reduces("for_head")
def for_head(builder: Builder, values: Values) -> tuple[int, tuple[int, ...], Expr]:
    (word, *names), _, _, iterable = values
    be_iterable(iterable)
    for index in reversed(names):
        builder.scope.push(builder.text(index))
    builder.scope.loops += 1
    return word, tuple(names), iterable


@reduces("for_loop")
def for_loop(builder: Builder, values: Values) -> For:
    (word, names, iterable), body = values
    builder.scope.loops -= 1
    builder.scope.pop(len(names))
    name, *rest = names
    counter, counter_at = (builder.text(rest[0]), builder.ats[rest[0]]) if rest else (None, NONE)
    return For(builder.ats[word], builder.text(name), builder.ats[name], counter, counter_at, iterable, body)


# --- jumps and try --------------------------------------------------------------------------------------------------------


@reduces("jump_word", moving=True)
def jump_word(builder: Builder, values: Values) -> int:
    index: int = values[0]
    if builder.kinds[index] == "break":
        _be_in_loop(builder, index)
    builder.go_deeper(builder.ats[index])
    return index


@reduces("jump", moving=True)
def jump(builder: Builder, values: Values) -> Return | Throw | Break:
    builder.level -= 1
    word, *value = values
    result = value[0] if value else None
    match builder.kinds[word]:
        case "return":
            return Return(builder.ats[word], result)
        case "throw":
            return Throw(builder.ats[word], result)
        case _:
            return Break(builder.ats[word], result)


@reduces("continue_loop")
def continue_loop(builder: Builder, values: Values) -> Continue:
    _be_in_loop(builder, values[0])
    return Continue(builder.ats[values[0]])


def _be_in_loop(builder: Builder, index: int) -> None:
    if not builder.scope.loops:
        raise ParseError(builder.ats[index], "LoopBreak")


@reduces("try_head")
def try_head(_builder: Builder, values: Values) -> int:
    word: int = values[0]
    return word


@reduces("catch_name")
def catch_name(builder: Builder, values: Values) -> int:
    index: int = values[2]
    builder.scope.push(builder.text(index))
    return index


@reduces("try_catch")
def try_catch(builder: Builder, values: Values) -> Try:
    word, body, *catch, handler = values
    if len(catch) == 1 and builder.kinds[catch[0]] != "catch":
        builder.scope.pop(1)
        return Try(builder.ats[word], body, builder.text(catch[0]), builder.ats[catch[0]], handler)
    return Try(builder.ats[word], body, None, NONE, handler)
