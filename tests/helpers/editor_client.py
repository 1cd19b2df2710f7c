"""An editor with files of one game open, as a language server of games meets it; and edits as people make them.

In: a game's folder, and what is typed. Out: what the server says, in the form that `problems_of` has from `validate`.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

from language_server import LanguageServer

from rulebook.validation import find_problems


class Editor(LanguageServer):
    """An editor with files of one game open."""

    def __init__(self, root: Path) -> None:
        super().__init__([sys.executable, "-m", "rulebook", "lsp"], root)

    def open(self, file: Path) -> str:
        """Open a file, wait until something is said of it, and return its text."""
        text = file.read_text("utf-8")
        document = {"uri": file.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        self._tell("textDocument/didOpen", {"textDocument": document})
        self.wait(file)
        return text

    def type(self, file: Path, text: str) -> list[dict[str, Any]]:
        """Change a file, and return what is said at once."""
        self._said.pop(file.as_uri(), None)
        self.times[file.as_uri()] = 0
        self.versions[file.as_uri()] = self.versions.get(file.as_uri(), 1) + 1
        named = {"uri": file.as_uri(), "version": self.versions[file.as_uri()]}
        self._tell("textDocument/didChange", {"textDocument": named, "contentChanges": [{"text": text}]})
        return self.wait(file)

    def wait(self, file: Path) -> list[dict[str, Any]]:
        """Wait for the next word on a file."""
        while file.as_uri() not in self._said:
            self._hear()
        return self._said[file.as_uri()]

    def wait_for_all(self, file: Path) -> list[dict[str, Any]]:
        """Wait for what the whole check says of a file: it comes third, behind the rules and their secrets."""
        while self.times[file.as_uri()] < 3:
            self._hear()
        return self._said[file.as_uri()]

    def at(self, what: str, file: Path, text: str, word: str, **more: Any) -> Any:
        """Ask about the first place of a word in a text."""
        offset = text.index(word.replace("|", "")) + max(word.find("|"), 0)
        line, before = text.count("\n", 0, offset), text[text.rfind("\n", 0, offset) + 1 : offset]
        position = {"line": line, "character": len(before.encode("utf-16-le")) // 2}
        return self.ask(f"textDocument/{what}", {"textDocument": {"uri": file.as_uri()}, "position": position, **more})


def draw_edit(text: str, chance: random.Random) -> str:
    """Change the beginning of a word as a slip of the hand does."""
    words = [at for at in range(1, len(text) - 1) if text[at - 1] == " " and text[at].isalpha()]
    at = chance.choice(words)
    return text[:at] + chance.choice(["", "x", "not ", ": "]) + text[at + 1 :]


def facts_of(said: list[dict[str, Any]]) -> list[tuple[str, int, str]]:
    """Code, line and first sentence of what a server said, sorted."""
    return sorted((one["code"], one["range"]["start"]["line"] + 1, one["message"].partition("\n")[0]) for one in said)


def problems_of(game: Path, file: Path) -> list[tuple[str, int, str]]:
    """The same of what `validate` says of a file."""
    found = [problem for problem in find_problems(game) if problem.span is not None]
    own = [problem for problem in found if problem.span and Path(problem.span.file.name).resolve() == file]
    return sorted((problem.code, problem.span.line, problem.message) for problem in own if problem.span)
