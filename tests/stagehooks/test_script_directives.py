"""What a script tool says of itself, and what its results are."""

import pytest

from stagehooks.scripts.directives import DirectiveError, Param, read_directives
from stagehooks.scripts.html_text import html_text
from stagehooks.scripts.tool import ToolFailed, compile_tool, run_tool_script
from tests.stagehooks.tool_agents import COUNT, run_script


def test_directives_stand_in_comments_anywhere_and_unknown_ones_are_ignored() -> None:
    source = '// @tool one\nlet x = 1;\n   //   @param a string required "An a."\n// @author me\n// @requires net, fs\n// text\n'
    found = read_directives(source + "// @param b number optional\n// @description Does.\n// @target a")
    assert (found.name, found.description, found.target) == ("one", "Does.", "a")
    assert found.params == (Param("a", "string", True, "An a."), Param("b", "number", False))
    assert found.requires == ("network", "filesystem")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("", "script tool is missing a `// @tool <name>` directive"),
        ("// @tool", "@tool directive requires a tool name"),
        ("// @tool a b", "a tool's name is made of letters, digits, '_' and '-', got: `a b`"),
        ("// @tool a\n// @param x string", "@param requires `<name> <type> <required|optional>`, got: `x string`"),
        ("// @tool a\n// @param x string maybe", "@param requiredness must be `required` or `optional`, got: `maybe`"),
        ("// @tool a\n// @param x text required", "@param type must be one of string, integer, number, boolean, array, object"),
        ("// @tool a\n// @param x string required\n// @param x string required", "@param `x` is no name, or stands there twice"),
        ("// @tool a\n// @requires magic", "@requires must be network, shell or filesystem, got: `magic`"),
        ("// @tool a\n// @target url", "@target must be one of the parameters, got: `url`"),
    ],
)
def test_directives_that_are_wrong_say_how_they_should_be(source: str, text: str) -> None:
    with pytest.raises(DirectiveError) as error:
        read_directives(source)
    assert str(error.value).startswith(text)


def test_a_file_beside_the_script_says_it_otherwise() -> None:
    overrides = {
        "tool": {
            "name": "two",
            "description": "Else.",
            "requires": ["shell"],
            "params": [{"name": "n", "type": "integer", "required": True, "schema": {"minimum": 3}}],
        }
    }
    found = read_directives(COUNT, overrides)
    assert (found.name, found.description, found.requires) == ("two", "Else.", ("shell",))
    assert found.params == (Param("n", "integer", True, "", {"minimum": 3}),)


@pytest.mark.parametrize(
    "overrides",
    [
        {"tool": 1}, {"tool": {"name": 1}}, {"tool": {"params": {}}}, {"tool": {"params": [{}]}},
        {"tool": {"params": [{"name": "a", "required": "yes"}]}}, {"tool": {"requires": "shell"}},
    ],
)  # fmt: skip
def test_overrides_that_are_wrong_are_refused(overrides: dict[str, object]) -> None:
    with pytest.raises(DirectiveError):
        read_directives(COUNT, overrides)


# --- results --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ('"as it is"', "as it is"),
        ("()", ""),
        ("42", "42"),
        ("#{ b: [1, 2.5, ()], a: 'c' }", '{"a":"c","b":[1,2.5,null]}'),
        ("params.missing", ""),
        ('parse_json("[1, 2]")', "[1,2]"),
        ('to_json("a\\n")', '"a\\n"'),
        ("to_json(#{ a: 1 })", '{"a":1}'),
        ('encode_uri("a b/é-._~")', "a%20b%2F%C3%A9-._~"),
        ('html_to_text("<h1>A &amp; B</h1><script>x()</script><p>one<br>two  <b>three</b>")', "A & B\none\ntwo three"),
        ('" x ".trim()', "x"),
        ("let n = 0; for i in 0..100000 { n += i } n", "4999950000"),
    ],
)
def test_what_a_script_evaluates_to_is_the_result(body: str, result: str) -> None:
    assert run_script(body) == result


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('throw "no"', "t: Runtime error: no (line 2, position 1)"),
        ("loop { }", "t: Too many operations"),
        ("|x| x", "cannot serialize result: "),
        ('parse_json("{")', "t: Runtime error: parse_json: "),
        ("to_json(|| 1)", "t: Runtime error: to_json: "),
        ("sleep(1)", "t: Function not found: sleep (i64)"),
        ('read_file("x")', "t: Function not found: read_file"),
        ('import "x" as y;', "t: Module not found: x"),
    ],
)
def test_a_script_that_fails_says_why(body: str, text: str) -> None:
    with pytest.raises(ToolFailed) as error:
        run_script(body)
    assert str(error.value).startswith(text)


def test_nothing_of_one_call_is_left_for_the_next() -> None:
    tool = compile_tool("t.rhai", "// @tool t\nlet x = params.a; params.a += 1; x")
    arguments = {"a": 1}
    assert [run_tool_script(tool, arguments, []) for _ in range(2)] == ["1", "1"]


# --- web pages ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("a < b and c > d", "a < b and c > d"),
        ("x<3 < p>", "x<3 < p>"),
        ("<a title='x>y'>one</a> <b class=\"p>q\">two</b>", "one two"),
        ("<!-- <p>no</p> --> one <!doctype html> two <?pi?> three </>", "one two three"),
        ("<SCRIPT>no('<p>')</sCript >one<style>no<b></style>two", "onetwo"),
        ("<head><title>no</title></head><body>one<noscript>no</noscript><template>no</template>", "one"),
        ("<script>never closed <p>", ""),
        ("<p/>one<br/>two<P>three", "one\ntwo\nthree"),
        ("&lt;b&gt; &#65;&#x42; &amp;amp; &nosuch;", "<b> AB &amp; &nosuch;"),
        ("&#" + "1" * 6000 + "; &#0;", "\ufffd \ufffd"),
        ("<a href='never closed>one", "one"),
        ("<a '>'one<b title='x>y'", "'oney'"),
        ("one<a ", "one"),
        ("one<", "one<"),
        ("", ""),
    ],
)
def test_what_a_person_reads_of_a_page(html: str, text: str) -> None:
    assert html_text(html) == text


@pytest.mark.parametrize(
    "part",
    ["<", "<a", "<a ", "<a '", '<a "<a>"', '<a ">', "</", "</a", "<!", "<!--", "<![CDATA[", "<?", "<script>", "<script></scrip",
     "<template>", "&", "&#", "&#1", "\n<", "<p>", "<a'>'", '<a">"', "<a '>' \">\""],
)  # fmt: skip
def test_a_broken_page_of_any_length_is_read_in_one_pass(part: str) -> None:
    assert len(html_text(part * (900_000 // len(part)) + "'")) <= 900_001
