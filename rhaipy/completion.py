"""Completion scripts for shells, made from a command line's own parser, so that they know what it knows.

For programs whose first word is a command, as this package has two. It knows neither of them.
"""

import argparse
from collections.abc import Iterable, Mapping

from rhaipy.records import record
from rhaipy.typings import Final

SHELLS: Final = ("bash", "zsh", "fish")
FILES: Final = frozenset({"AGENT", "CTX", "DIR", "FILE", "PATH"})
"""The names in help texts of values that may be files."""
NO_WORDS: Final[Mapping[str, tuple[str, ...]]] = {}


@record
class Option:
    """One option, with its two dashes. Where it `takes` a value: the `words` that may be it, and whether `files` may."""

    name: str
    help: str
    takes: bool
    words: tuple[str, ...]
    files: bool


@record
class Command:
    """One command: `words` are what its arguments may be, as far as they are known; `files` says that they may be files."""

    name: str
    help: str
    options: tuple[Option, ...]
    words: tuple[str, ...]
    files: bool


def completion(shell: str, parser: argparse.ArgumentParser, words: Mapping[str, tuple[str, ...]] = NO_WORDS) -> str:
    """The script that teaches `shell` (one of SHELLS) the commands of `parser`.

    `words` has what arguments may be that the parser does not know the choices of, by their names in help texts.
    """
    commands = commands_of(parser, words)
    options = _options(parser, words)
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](parser.prog, commands, options)


def commands_of(parser: argparse.ArgumentParser, words: Mapping[str, tuple[str, ...]] = NO_WORDS) -> tuple[Command, ...]:
    """The commands of `parser`, in its order."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            return tuple([_command(name, helps.get(name, ""), parser, words) for name, parser in action.choices.items()])
    return ()


def _command(name: str, help: str, parser: argparse.ArgumentParser, words: Mapping[str, tuple[str, ...]]) -> Command:
    arguments = [action for action in parser._actions if not action.option_strings]
    known = tuple([word for action in arguments for word in _words(action, words)])
    return Command(name, help, _options(parser, words), known, any(_metavar(action) in FILES for action in arguments))


def _options(parser: argparse.ArgumentParser, words: Mapping[str, tuple[str, ...]]) -> tuple[Option, ...]:
    return tuple(
        [
            Option(name, action.help or "", action.nargs != 0, _words(action, words), _metavar(action) in FILES)
            for action in parser._actions
            for name in action.option_strings
            if name.startswith("--")
        ]
    )


def _words(action: argparse.Action, words: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    choices: Iterable[object] = action.choices or words.get(_metavar(action), ())
    return tuple([str(choice) for choice in choices])


def _metavar(action: argparse.Action) -> str:
    return action.metavar if isinstance(action.metavar, str) else ""


# --- bash -----------------------------------------------------------------------------------------------------------------


def _bash(program: str, commands: tuple[Command, ...], options: tuple[Option, ...]) -> str:
    first = " ".join([*(command.name for command in commands), *(option.name for option in options)])
    cases = "\n".join(_bash_case(command) for command in commands)
    return f"""\
# In ~/.bashrc: eval "$({program} completion bash)"
_{program}() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" words="" files="" found
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="{first}"
    else
        case "${{COMP_WORDS[1]}}" in
{cases}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    if [ -n "$files" ]; then
        while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen -f -- "$word")
    fi
}}
complete -o filenames -F _{program} {program}"""


def _bash_case(command: Command) -> str:
    values = [_bash_value(option) for option in command.options if option.takes]
    here = f'words="{" ".join([*(option.name for option in command.options), *command.words])}"'
    rest = [f"                *) {here}{' files=1' if command.files else ''} ;;"]
    return "\n".join([f'            {command.name}) case "$before" in', *values, *rest, "            esac ;;"])


def _bash_value(option: Option) -> str:
    does = "files=1" if option.files else f'words="{" ".join(option.words)}"'
    return f"                {option.name}) {does} ;;"


# --- zsh ------------------------------------------------------------------------------------------------------------------


def _zsh(program: str, commands: tuple[Command, ...], options: tuple[Option, ...]) -> str:
    described = "\n".join(f"        {_quoted(f'{_plain(command.name)}:{command.help}')}" for command in commands)
    described += "".join(f"\n        {_quoted(f'{option.name}:{option.help}')}" for option in options)
    cases = "\n".join(_zsh_case(command) for command in commands)
    return f"""\
#compdef {program}
# In ~/.zshrc, after compinit: eval "$({program} completion zsh)"
_{program}() {{
    local -a commands
    commands=(
{described}
    )
    if (( CURRENT == 2 )); then
        _describe 'command' commands
        return
    fi
    local command="$words[2]"
    words=("${{(@)words[2,-1]}}")
    (( CURRENT-- ))
    case "$command" in
{cases}
    esac
}}
compdef _{program} {program}"""


def _zsh_case(command: Command) -> str:
    options = [f"{option.name}[{_plain(option.help)}]{_zsh_value(option)}" for option in command.options]
    words = [f"compadd -- {' '.join(command.words)}"] if command.words else []
    does = "; ".join(words + ["_files"] * command.files)
    rest = [f"*:word:{{{does}}}"] if does else []
    return f"        {command.name}) _arguments {' '.join(_quoted(text) for text in [*options, *rest])} ;;"


def _zsh_value(option: Option) -> str:
    if not option.takes:
        return ""
    return f":value:({' '.join(option.words)})" if option.words else ":value:_files" if option.files else ":value: "


# --- fish -----------------------------------------------------------------------------------------------------------------


def _fish(program: str, commands: tuple[Command, ...], options: tuple[Option, ...]) -> str:
    begin = f"complete -c {program} -n __fish_use_subcommand"
    first = [f"{begin} -f -a {command.name} -d {_quoted(command.help)}" for command in commands]
    first += [f"{begin} -f -l {option.name[2:]} -d {_quoted(option.help)}" for option in options]
    later = [line for command in commands for line in _fish_lines(program, command)]
    return "\n".join([f"# In ~/.config/fish/config.fish: {program} completion fish | source", *first, *later])


def _fish_lines(program: str, command: Command) -> list[str]:
    here = f"complete -c {program} -n '__fish_seen_subcommand_from {command.name}'"
    lines = [f"{here} -l {option.name[2:]}{_fish_value(option)} -d {_quoted(option.help)}" for option in command.options]
    words = f" -a {_quoted(' '.join(command.words))}" if command.words else ""
    return [*lines, f"{here}{' -F' if command.files else ' -f'}{words}"]


def _fish_value(option: Option) -> str:
    if not option.takes:
        return ""
    return f" -x -a {_quoted(' '.join(option.words))}" if option.words else " -r -F" if option.files else " -x"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _plain(text: str) -> str:
    """`text` without what means something between the brackets of zsh."""
    return text.replace("[", "(").replace("]", ")").replace(":", ",")
