"""Programs typed line by line. Variables and functions stay; what is unfinished goes on in the next line.

Knows nothing of terminals: lines come from `read`, results go to `write`, errors to `complain`.
"""

from collections.abc import Callable

from rhaipy.compiled import AST
from rhaipy.display import debug
from rhaipy.engine import Engine
from rhaipy.errors import RhaiError
from rhaipy.modules import Library, ScriptFunction
from rhaipy.parse_errors import ParseError
from rhaipy.records import replaced
from rhaipy.report import report
from rhaipy.scope import Scope
from rhaipy.syntax.lexer import lex
from rhaipy.syntax.program import Function
from rhaipy.syntax.tokens import ERROR
from rhaipy.typings import Final

PROMPT: Final = "rhai> "
MORE: Final = "    > "
NAME: Final = "repl"


class Session:
    """What a session remembers: the variables, the functions, all lines, and those of an unfinished program.

    Lines are counted through the whole session, so that errors in a function show the line where it was typed.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.scope = Scope()
        self.functions: tuple[Function, ...] = ()
        self.done: list[str] = []
        self.pending: list[str] = []

    def enter(self, line: str) -> str:
        """Take one line; what there is to show of it. Raises RhaiError.

        An empty line ends an unfinished program, unless it stands in a text or a comment.
        """
        self.pending.append(line)
        text = "\n" * len(self.done) + "\n".join(self.pending)
        if in_text(text) or in_comment(text):
            return ""
        try:
            ast = self.engine.compile(text, NAME, self.scope)
        except ParseError as error:
            if line.strip() and at_the_end(text, error):
                return ""
            self.finish()
            raise
        self.finish()
        value = self.engine.eval(self._with_functions(ast), self.scope)
        return "" if value is None else debug(value)

    def finish(self) -> None:
        """The next line begins a new program."""
        self.done += self.pending
        self.pending.clear()

    def _with_functions(self, ast: AST) -> AST:
        """`ast` with the functions of before, as far as it does not define them anew; they are all remembered."""
        defined = {_signature(function) for function in ast.program.functions}
        kept = [function for function in self.functions if _signature(function) not in defined]
        self.functions = (*kept, *ast.program.functions)
        library = Library([ScriptFunction(function) for function in self.functions])
        return replaced(ast, text="\n".join(self.done), program=replaced(ast.program, functions=self.functions), library=library)


def repl(session: Session, read: Callable[[str], str], write: Callable[[str], object], complain: Callable[[str], object]) -> None:
    """Read, run and show until the input ends. An interrupt ends what is being typed or run, not the session."""
    while True:
        try:
            shown = session.enter(read(MORE if session.pending else PROMPT))
        except EOFError:
            return
        except KeyboardInterrupt:
            session.finish()
            complain("")
        except RhaiError as error:
            complain(report(error, NAME))
        else:
            if shown:
                write(shown)


def _signature(function: Function) -> tuple[str, int, str | None]:
    return function.name, len(function.params), function.this_type


def at_the_end(text: str, error: ParseError) -> bool:
    """Is the end of `text` what the parser did not expect?"""
    lexed = lex(text)
    return ERROR not in lexed.kinds and error.at == lexed.ats[-1]


def in_text(text: str) -> bool:
    """Does `text` end within a string that may go on in the next line?"""
    if not _is_unterminated(text):
        return False
    closings, hashes = ["`", '"'], "#"
    while hashes in text:
        closings.append(f'"{hashes}')
        hashes += "#"
    return any(not _is_unterminated(f"{text}\n{closing}") for closing in closings)


def _is_unterminated(text: str) -> bool:
    error = lex(text).values[-2:][0]  # an error is the last token but the EOF
    return isinstance(error, ParseError) and error.lex_kind == "UnterminatedString"


def in_comment(text: str) -> bool:
    """Does `text` end within a block comment?"""
    return len(lex(text).kinds) == len(lex(f"{text}\n;").kinds) and ERROR not in lex(text).kinds
