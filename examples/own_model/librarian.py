"""A model of one's own: any class with a `complete`. This one asks no server, it finds its answer by counting words.

Run it from the checkout: python3 -m examples.own_model.librarian "How long may a book be kept?"
"""

import sys
from pathlib import Path

import stagehooks
from stagehooks import Json, ModelError, Reply, Request, ToolCall, ToolResult, ToolResults, UserMessage


class Librarian:
    """Lists the files, reads them all, and submits the line that has the most words of the question."""

    async def complete(self, request: Request) -> Reply:
        """The next turn, after everything that `request.messages` tells of the turns before."""
        last = request.messages[-1]
        if not isinstance(last, ToolResults):
            return self._call(request, "list_files", {})
        self._check(last.results)
        texts = [result.text for result in last.results]
        match last.results[0].tool:
            case "list_files":
                everything: list[dict[str, Json]] = [{"path": path} for path in texts[0].splitlines()]
                return self._call(request, "read_file", *everything)
            case "read_file":
                return self._call(request, "submit_output", {"content": self._answer(request, "\n".join(texts))})
            case _:
                return Reply("I have answered from the notes.")

    def _call(self, request: Request, tool: str, *arguments: dict[str, Json]) -> Reply:
        """Ask for calls of `tool`. Every call of a run needs an id of its own."""
        calls = (ToolCall(f"{request.stage}-{request.turn}-{place}", tool, given) for place, given in enumerate(arguments))
        return Reply(f"I need {tool}.", tuple(calls), tokens=len(arguments))

    def _check(self, results: tuple[ToolResult, ...]) -> None:
        """A model that cannot go on raises ModelError: the stage has failed then."""
        for result in results:
            if result.text.startswith(("[error]", "[denied]", "[unavailable]")):
                raise ModelError(f"the librarian cannot do without {result.tool}: {result.text}")

    def _answer(self, request: Request, notes: str) -> str:
        question = next(message.text for message in request.messages if isinstance(message, UserMessage))
        lines = [line for line in notes.splitlines() if line.endswith(".")]
        return max(lines, key=lambda line: len(words(line) & words(question)))


def words(text: str) -> set[str]:
    """The words of `text`, in lower case and without what stands around them."""
    return {word.strip(".,?!").lower() for word in text.split()}


def main() -> None:
    """Answer the question on the command line."""
    question = " ".join(sys.argv[1:]) or "When is the library open on Sundays?"
    agent = stagehooks.load(Path(__file__).parent)
    result = stagehooks.run_agent_sync(agent, task=question, model=Librarian())
    print(result.output if result.status == "complete" else f"{result.status}: {result.error}")


if __name__ == "__main__":
    main()
