"""What the lexer makes of a text. The expected positions and messages are the real engine's."""

import time

import pytest

from rhaipy.parse_errors import ParseError
from rhaipy.source import SATURATED, Position, unpack
from rhaipy.syntax.lexer import lex
from rhaipy.syntax.precedence import PRECEDENCE
from rhaipy.syntax.tokens import BEFORE_OPERAND, KINDS, SYMBOLS

NONE_DISABLED: frozenset[str] = frozenset()


def kinds(text: str, max_string_size: int = 0, disabled: frozenset[str] = NONE_DISABLED) -> str:
    """The kinds of all tokens but the EOF, in one line."""
    return " ".join(lex(text, max_string_size, disabled).kinds[:-1])


def values(text: str) -> list[object]:
    return list(lex(text).values[:-1])


def places(text: str) -> list[Position | None]:
    """Line and column of every token, the EOF too."""
    return [unpack(at) for at in lex(text).ats]


def error(text: str, max_string_size: int = 0, disabled: frozenset[str] = NONE_DISABLED) -> str:
    """The message of the ERROR token."""
    lexed = lex(text, max_string_size, disabled)
    found = lexed.values[lexed.kinds.index("ERROR")]
    assert isinstance(found, ParseError)
    assert lexed.kinds[-2:] == ["ERROR", "EOF"]
    return found.message


def test_keywords_and_symbols_are_named_by_their_own_text() -> None:
    assert kinds("let x = 1 ;") == "let ID = INT ;"
    for symbol in SYMBOLS - {"+", "-"}:
        assert kinds(f"x {symbol}") == f"ID {symbol}"
    assert set(PRECEDENCE) <= KINDS
    assert BEFORE_OPERAND <= KINDS


def test_the_longest_symbol_wins() -> None:
    assert kinds("a<<=b<<c<=d<e") == "ID <<= ID << ID <= ID < ID"
    assert kinds("a**=b**c*=d*e") == "ID **= ID ** ID *= ID * ID"
    assert kinds("a..=b..c.d") == "ID ..= ID .. ID . ID"
    assert kinds("a||>b&&=c=>d==e") == "ID || > ID && = ID => ID == ID"
    assert kinds("f()(x)") == "ID () ( ID )"


def test_not_in_is_one_symbol_unless_a_longer_word_begins_there() -> None:
    assert kinds("a !in b") == "ID !in ID"
    assert kinds("!inside !i !in2") == "! ID ! ID ! ID"


def test_a_sign_after_what_cannot_end_an_operand_is_unary() -> None:
    assert kinds("- x") == "UNARY_MINUS ID"
    assert kinds("a - b + -c") == "ID - ID + UNARY_MINUS ID"
    assert kinds("return +x; -y") == "return UNARY_PLUS ID ; UNARY_MINUS ID"
    assert kinds("=> -x") == "=> - ID"


def test_a_minus_is_folded_into_the_number_right_after_it() -> None:
    assert values("-5") == [-5]
    assert values("[-9223372036854775808]")[1] == -(2**63)
    assert kinds("a -5") == "ID - INT"
    assert kinds("- 5") == "UNARY_MINUS INT"
    assert error("-0x10") == "Invalid number: 'x10' (line 1, position 1)"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("007", 7),
        ("1_", 1),
        ("1__0", 10),
        ("9223372036854775807", 2**63 - 1),
        ("0xff_ff", 65535),
        ("0XFFFFFFFFFFFFFFFF", -1),
        ("0o17", 15),
        ("0_b101", 5),
    ],
)
def test_integers(text: str, value: int) -> None:
    assert (kinds(text), values(text)) == ("INT", [value])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.5", 1.5),
        ("1_000.5_0", 1000.5),
        ("1. ", 1.0),
        ("1e3", 1000.0),
        ("1.5E-3", 0.0015),
        ("9223372036854775808", 2.0**63),
        ("-9223372036854775809", -(2.0**63)),
        ("1e999", float("inf")),
        ("9" * 5000, float("inf")),
    ],
)
def test_floats_and_integers_too_great_for_64_bits(text: str, value: float) -> None:
    assert (kinds(text), values(text)) == ("FLOAT", [value])


def test_a_point_belongs_to_the_number_unless_a_range_or_a_property_follows() -> None:
    assert kinds("1..2 1.e5 1._5 1.") == "INT .. INT INT . ID INT . ERROR"
    assert kinds("1.") == "INT ."
    assert kinds("1.5.5") == "FLOAT . INT"
    assert kinds("0b12 1e 1.0f") == "INT INT INT ID FLOAT ID"


@pytest.mark.parametrize(("text", "shown"), [("0x", ""), ("1E+", "1e+"), ("0X1ffffFFFFFFFFFFFF", "1ffffFFFFFFFFFFFF")])
def test_malformed_numbers(text: str, shown: str) -> None:
    assert error(text) == f"Invalid number: '{shown}' (line 1, position 1)"


def test_escapes_in_strings() -> None:
    assert values(r'"a\tb\\\"\x41\u00e9\U0001F600"') == ['a\tb\\"A\u00e9\U0001f600']
    assert values('"a""b"') == ['a"b']
    assert error(r'"\q"') == r"Invalid escape sequence: '\q' (line 1, position 3)"
    assert error(r'"\x4"') == "Invalid escape sequence: '\\x4\"' (line 1, position 5)"
    assert error(r'"\ud800"') == r"Invalid escape sequence: '\ud800' (line 1, position 7)"
    assert error('"\\u12') == r"Invalid escape sequence: '\u12' (line 1, position 5)"


def test_a_backslash_at_the_end_of_a_line_continues_the_string_and_drops_the_indentation() -> None:
    assert values('"a\\\n   b"') == ["a  b"]
    assert values('    "a\\\n     b"') == ["ab"]
    assert values('"a\\\r\n b"') == ["ab"]
    assert places('"a\\\n b" c') == [(1, 1), (2, 5), (2, 6)]


def test_a_string_ends_on_its_line() -> None:
    for text in ('"abc', '"a\nb"', '"a\r\nb"', '"a\\', "'a", "'\\\n'"):
        assert error(text) == "Open string is not terminated (line 1, position 1)"


def test_characters() -> None:
    assert kinds("'x' '\\'' '\\n'") == "CHAR CHAR CHAR"
    assert values(r"'x' '\'' '\x41'") == ["x", "'", "A"]
    assert error("''") == "Invalid character: '' (line 1, position 1)"
    assert error("'ab'") == "Invalid character: 'ab' (line 1, position 1)"


def test_raw_strings_end_at_a_quote_with_as_many_hashes() -> None:
    assert values('#"a"b\\n"#') == ['a"b\\n']
    assert values('##"a"#b"##') == ['a"#b']
    assert error('#"abc') == "Open string is not terminated (line 1, position 1)"
    assert error("##x") == "Unexpected 'x' (line 1, position 1)"


def test_a_newline_after_a_quote_in_a_raw_string_is_not_counted() -> None:
    assert places('#"a\nb"# x')[1] == (2, 5)
    assert places('#"a"\nb"# x')[1] == (1, 10)
    assert places('##"a"#\nb"## x')[1] == (1, 13)


def test_back_tick_text_keeps_its_lines_and_drops_the_first_newline() -> None:
    assert values("`a\nb\\n`") == ["a\nb\\n"]
    assert values("`\na`") == ["a"]
    assert values("`\r\na\r\nb`") == ["a\nb"]
    assert values("`a``b`") == ["a`b"]
    assert error("`abc") == "Open string is not terminated (line 1, position 1)"


def test_code_within_text_is_read_as_tokens_between_its_pieces() -> None:
    lexed = lex("`a ${x} b ${ {1} } c`")
    assert lexed.kinds[:-1] == ["TEXT_HEAD", "{", "ID", "}", "TEXT_MIDDLE", "{", "{", "INT", "}", "}", "TEXT_TAIL"]
    assert [value for kind, value in zip(lexed.kinds, lexed.values, strict=True) if kind.startswith("TEXT")] == [
        "a ",
        " b ",
        " c",
    ]
    assert kinds("`${`${1}`}`") == "TEXT_HEAD { TEXT_HEAD { INT } TEXT_TAIL } TEXT_TAIL"
    assert kinds("`${#{a: 1}}`") == "TEXT_HEAD { #{ ID : INT } } TEXT_TAIL"
    assert kinds("`$1 {2} \\${3}`") == "STRING"


def test_an_escaped_dollar_counts_as_one_column() -> None:
    assert places("`\\${1}` x")[1] == (1, 8)


def test_text_that_code_leaves_open_has_no_position_if_it_is_empty() -> None:
    assert error("`${1}") == "Open string is not terminated"
    assert error("`${1}ab") == "Open string is not terminated (line 1, position 6)"


def test_look_alikes_of_other_languages_get_a_hint() -> None:
    assert error("a === b") == "'===' is not a valid operator. This is not JavaScript! Should it be '=='? (line 1, position 3)"
    assert error("a -> b") == "'->' is not a valid symbol. This is not C or C++! (line 1, position 3)"
    assert "This is not Go or Pascal! Should it be simply '='?" in error("x := 1")
    assert error("# {") == "'#' is not a valid symbol. Should it be '#{'? (line 1, position 1)"
    for symbol in ("!==", "<-", ":;", "::<", "(*", "*)"):
        assert symbol[:2] in error(f"a {symbol}")


def test_reserved_words_and_symbols() -> None:
    assert kinds("match ~ @ $ ? ++ -- ... <| |> !. #") == "RESERVED_WORD" + " RESERVED_SYMBOL" * 11
    assert kinds("#!/usr/bin") == "RESERVED_SYMBOL ! / ID / ID"
    assert kinds("this exit self") == "this ID ID"


def test_function_words_are_reserved_unless_they_are_called() -> None:
    assert kinds("print(x) eval! (x) Fn()") == "CALLABLE ( ID ) CALLABLE ! ( ID ) CALLABLE ()"
    assert kinds("x.call(1) type_of // why\n (x)") == "ID . METHOD ( INT ) METHOD ( ID )"
    assert kinds("print; x.call debug") == "RESERVED_WORD ; ID . RESERVED_WORD RESERVED_WORD"


def test_disabled_keywords_and_symbols_are_reserved() -> None:
    assert kinds("while x + -y", disabled=frozenset({"while", "+"})) == "RESERVED_WORD ID RESERVED_SYMBOL UNARY_MINUS ID"
    assert kinds("a - -b - 1", disabled=frozenset({"-"})) == "ID RESERVED_SYMBOL RESERVED_SYMBOL ID RESERVED_SYMBOL INT"
    assert error("x; eval(1)", disabled=frozenset({"eval"})) == "reserved keyword 'eval' is disabled (line 1, position 4)"
    assert error("a ~ b", disabled=frozenset({"~"})) == "reserved symbol '~' is disabled (line 1, position 3)"
    assert kinds("print(1)", disabled=frozenset({"("})) == "RESERVED_WORD RESERVED_SYMBOL INT )"


def test_names_are_ascii() -> None:
    assert kinds("_x x_1 __a1 _") == "ID ID ID _"
    assert error("x + \u00e9") == "Unexpected '\u00e9' (line 1, position 5)"
    assert error("\ufeffx") == "Unexpected '\ufeff' (line 1, position 1)"
    assert error("a\x00") == "Unexpected '\x00' (line 1, position 2)"
    assert error("_1a") == "Variable name is not proper: '_1a' (line 1, position 1)"
    assert error("__") == "Variable name is not proper: '__' (line 1, position 1)"


def test_a_lone_surrogate_is_no_text() -> None:
    assert error('"a"\n"\ud800"') == r"Unexpected '\ud800' (line 2, position 2)"


def test_comments_are_no_tokens() -> None:
    assert kinds("1 /* a /* b */ c */ + 2 // d") == "INT + INT"
    assert kinds("1 /*/ 2 */") == "INT"
    assert kinds("/* open /* 1 */") == ""
    assert places("/* a\n b */ x // y\rz") == [(2, 7), (3, 1), (3, 2)]


def test_doc_comments_are_kept_for_the_token_that_follows() -> None:
    lexed = lex("x;\n/// one\n// two\n  /** three\n      four */\nfn f() {}\n//// five\n/*** six */ y")
    assert lexed.docs == {2: ["/// one", "/** three", "    four */"]}
    assert lexed.kinds[2] == "fn"


def test_carriage_returns_are_blanks_and_end_no_line() -> None:
    assert places("a\rb\r\nc") == [(1, 1), (1, 3), (2, 1), (2, 2)]


def test_lines_and_columns_saturate() -> None:
    assert places(" " * 70_000 + "x")[0] == (1, SATURATED)
    assert places("\n" * 70_000 + " x")[0] == (SATURATED, 2)
    assert error("\n" * 70_000 + "\u00e9") == f"Unexpected '\u00e9' (line {SATURATED}, position 1)"


def test_strings_longer_than_the_limit_are_refused_where_they_begin() -> None:
    message = "Length of string exceeds the maximum limit (3) (line 1, position 3)"
    for text in ('"abcd"', '"a\u00e9\u00e9"', "`abcd`", '#"abcd"#', "`abcd${1}`", "'\\U0001F600'", '"abcdx\\q"'):
        assert error(f"x={text}", max_string_size=3) == message
    for text in ('"abc"', '"\\x41\\x41\\x41"', "`abc`", '#"abc"#', "`abc${1}abc`", '"\u00e9a"'):
        assert "ERROR" not in kinds(text, max_string_size=3)
    assert error('"abcd', max_string_size=3) == "Open string is not terminated (line 1, position 1)"


def test_nothing_is_lexed_after_an_error() -> None:
    assert kinds("a \u00e9 b 'cd'") == "ID ERROR"


@pytest.mark.parametrize(
    "piece",
    ["a", "_", "1", "1_ ", "#", '"#', '"##\n', '\\n"', '""', "\\\n", "`", "$", "\\${", "${", "/*", "/* */", "//\n", "///\n",
     " \n", "\r", ".", "- ", "!i", "{", "}", "()", "print ", "call(", "0_", "0x1", "1e+", "1.", "\\", "'", "x\\x41", "\u00e9"],
)  # fmt: skip
def test_time_is_linear_in_the_length_of_the_text(piece: str) -> None:
    for opening in ("", '"', "`", '##"', "/*"):
        started = time.perf_counter()
        lex(opening + piece * (50_000 // len(piece)))
        assert time.perf_counter() - started < 2.0
