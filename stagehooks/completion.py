"""Completion scripts for shells, made from the command line's own parser, so that they know what it knows."""

import argparse
from dataclasses import dataclass
from typing import Final

from stagehooks.scripts.outcome import HOOK_NAMES

SHELLS: Final = ("bash", "zsh", "fish")
HOOK_ARGUMENT: Final = "hook"


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a command, with its two dashes. `takes` says that a value follows."""

    name: str
    help: str
    takes: bool


@dataclass(frozen=True, slots=True)
class Command:
    """One command: `words` are what its arguments may be, as far as they are known; `files` says that they may be files."""

    name: str
    help: str
    options: tuple[Option, ...]
    words: tuple[str, ...]
    files: bool


def commands_of(parser: argparse.ArgumentParser) -> tuple[Command, ...]:
    """The commands of `parser`, in its order."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            return tuple(_command(name, helps.get(name, ""), parser) for name, parser in action.choices.items())
    return ()


def _command(name: str, help: str, parser: argparse.ArgumentParser) -> Command:
    options: list[Option] = []
    words: list[str] = []
    files = False
    for action in parser._actions:
        options += [Option(name, action.help or "", action.nargs != 0) for name in action.option_strings if name.startswith("--")]
        if not action.option_strings:
            known = [str(choice) for choice in action.choices or (HOOK_NAMES if action.dest == HOOK_ARGUMENT else ())]
            words += known
            files = files or not known
    return Command(name, help, tuple(options), tuple(words), files)


def completion(shell: str, program: str, commands: tuple[Command, ...]) -> str:
    """The script that teaches `shell` (one of SHELLS) the commands of `program`."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](program, commands)


def _bash(program: str, commands: tuple[Command, ...]) -> str:
    cases = "\n".join(_bash_case(command) for command in commands)
    return f"""\
# In ~/.bashrc: eval "$({program} completion bash)"
_{program}() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" words="" files=""
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{" ".join(command.name for command in commands)}" -- "$word"))
        return
    fi
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word") ${{files:+$(compgen -f -- "$word")}})
}}
complete -o filenames -F _{program} {program}"""


def _bash_case(command: Command) -> str:
    words = " ".join([*(option.name for option in command.options), *command.words])
    return f'        {command.name}) words="{words}"{" files=1" if command.files else ""} ;;'


def _zsh(program: str, commands: tuple[Command, ...]) -> str:
    described = "\n".join(f"        {_quoted(f'{command.name}:{command.help}')}" for command in commands)
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
    case "$words[2]" in
{cases}
    esac
}}
compdef _{program} {program}"""


def _zsh_case(command: Command) -> str:
    options = [f"{option.name}[{_plain(option.help)}]{':value:_files' if option.takes else ''}" for option in command.options]
    words = f"compadd {' '.join(command.words)}; " if command.words else ""
    rest = f"*:word:{{{words}{'_files' if command.files else ''}}}"
    return f"        {command.name}) _arguments {' '.join(_quoted(text) for text in [*options, rest])} ;;"


def _fish(program: str, commands: tuple[Command, ...]) -> str:
    first = [
        f"complete -c {program} -n __fish_use_subcommand -f -a {command.name} -d {_quoted(command.help)}" for command in commands
    ]
    later = [line for command in commands for line in _fish_lines(program, command)]
    return "\n".join([f"# In ~/.config/fish/config.fish: {program} completion fish | source", *first, *later])


def _fish_lines(program: str, command: Command) -> list[str]:
    here = f"complete -c {program} -n '__fish_seen_subcommand_from {command.name}'"
    options = [
        f"{here} -l {option.name[2:]}{' -r' if option.takes else ''} -d {_quoted(option.help)}" for option in command.options
    ]
    words = f"{here}{'' if command.files else ' -f'} -a {_quoted(' '.join(command.words))}"
    return [*options, words] if command.words else options


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _plain(text: str) -> str:
    """`text` without what means something between the brackets of zsh."""
    return text.replace("[", "(").replace("]", ")").replace(":", ",")
