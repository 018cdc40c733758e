"""Programs of any length, the same in Rhai and in Python: what W3 compiles."""

from typing import Final

_RHAI: Final = """\
fn check_{number}(ctx) {{
    let seen = [];
    for asked in ctx.tool_calls {{
        if asked.name == "tool_{number}" && asked.arguments.lines > {number} {{
            let text = asked.arguments.path + ":" + asked.arguments.lines;
            seen.push(#{{ path: text, weight: asked.arguments.lines * 2 - {number} }});
        }} else if asked.name.len() > 20 {{
            return #{{ action: "cancel", reason: "name too long: " + asked.name }};
        }}
    }}
    if seen.len() == 0 {{
        return true;
    }}
    #{{ action: "modify", value: seen }}
}}
"""

_PYTHON: Final = """\
def check_{number}(ctx):
    seen = []
    for asked in ctx["tool_calls"]:
        if asked["name"] == "tool_{number}" and asked["arguments"]["lines"] > {number}:
            text = asked["arguments"]["path"] + ":" + str(asked["arguments"]["lines"])
            seen.append({{"path": text, "weight": asked["arguments"]["lines"] * 2 - {number}}})
        elif len(asked["name"]) > 20:
            return {{"action": "cancel", "reason": "name too long: " + asked["name"]}}
    if len(seen) == 0:
        return True
    return {{"action": "modify", "value": seen}}
"""

_LINES: Final = _RHAI.count("\n")


def in_rhai(lines: int) -> str:
    """A Rhai program of about so many lines: functions as hooks have them."""
    return _functions(_RHAI, lines)


def in_python(lines: int) -> str:
    """The same functions in Python."""
    return _functions(_PYTHON, lines)


def _functions(template: str, lines: int) -> str:
    return "\n".join([template.format(number=number) for number in range(round(lines / _LINES))])
