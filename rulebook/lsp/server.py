"""The server itself: what an editor asks in the Language Server Protocol, answered for games.

In: texts as they are typed, places in them. Out: messages, places, suggestions, edits. Messages about the game come
right behind each change, those about its secrets behind these; those of its variants and scenarios, and what only a
sound game is asked, when nobody has typed for a moment, from a process beside this one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from attrs import define, field
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from rulebook.diagnostics import Diagnostic
from rulebook.dsl.ir import Rulebook
from rulebook.dsl.secrets.taint import CODES
from rulebook.library import RULES, SCENARIOS
from rulebook.lsp.checking import check_all
from rulebook.lsp.renaming import CannotRename, find_definitions, find_references, rename
from rulebook.lsp.workspace import ABOVE_SCENARIOS, OpenGame, find_folder
from rulebook.lsp.writing import name_section, suggest
from rulebook.source import SourceFile, Span

__all__ = ["Server", "make_server"]

Describe = Callable[[Rulebook, str], Sequence[str]]
"""Says what there is to say about a name, in lines."""

_SOON, _LATER = 0.02, 0.4
"""Seconds after a change until the game is looked at, and until all of it is."""
_SEVERITIES = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}
_SYMBOLS = {
    "cards": lsp.SymbolKind.Object,
    "kinds": lsp.SymbolKind.Class,
    "rules": lsp.SymbolKind.Method,
    "values": lsp.SymbolKind.Function,
    "actions": lsp.SymbolKind.Event,
    "places": lsp.SymbolKind.Array,
    "memory": lsp.SymbolKind.Variable,
    "options": lsp.SymbolKind.Property,
    "words": lsp.SymbolKind.Enum,
    "word": lsp.SymbolKind.EnumMember,
}
_MOST_LINES = 24


@define(eq=False)
class Desk:
    """A game with open files, its last messages, and what is still looked at."""

    game: OpenGame
    messages: list[Diagnostic] = field(factory=list)
    told: set[str] = field(factory=set)
    work: asyncio.Task[None] | None = None


Place = tuple[Desk, Path, str, int]
"""A game, one of its files, the text of that, and an offset in it."""


class Server(LanguageServer):
    """The games that are open in one editor."""

    def __init__(self, version: str, describe: Describe) -> None:
        # Whole texts: what ends a line is not the same for everybody.
        super().__init__("rulebook", version, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self.describe = describe
        self.desks: dict[Path, Desk] = {}
        self.uris: dict[Path, str] = {}
        """The editor's own address of each file that it has opened."""

    def find_desk(self, uri: str) -> tuple[Desk, Path] | None:
        """Find the game of a file, and the file; None if it belongs to none."""
        file = _path_of(uri)
        folder = None if file is None else find_folder(file)
        if file is None or folder is None:
            return None
        return self.desks.setdefault(folder, Desk(OpenGame(folder))), file

    def text_of(self, uri: str) -> str:
        """The text that a file has in the editor."""
        return self.workspace.get_text_document(uri).source

    def take_text(self, uri: str, text: str | None) -> None:
        """Take the text of a file, None where it is closed, and look at its game again."""
        if found := self.find_desk(uri):
            desk, file = found
            self.uris[file] = uri
            desk.game.take_text(file, text)
            self.look_again(desk)

    def look_again(self, desk: Desk) -> None:
        """Look at a game from the beginning, soon: whatever is still looked at is out of date."""
        if desk.work is not None:
            desk.work.cancel()
        desk.work = asyncio.get_running_loop().create_task(self._look(desk))

    async def _look(self, desk: Desk) -> None:
        own = {self.name_file(file) for file in desk.game.own_files}
        for secrets in (False, True):
            await asyncio.sleep(_SOON)
            quick = desk.game.check_quickly(secrets=secrets)
            # What was known of secrets, variants and scenarios stands until they are looked at again.
            kept = [
                old
                for old in desk.messages
                if (old.code in CODES and not secrets) or (old.span is not None and self.uri_of(old.span) not in own)
            ]
            self._tell(desk, [*quick, *kept])
        await asyncio.sleep(_LATER)
        messages = await check_all(desk.game.folder, desk.game.texts)
        if messages is not None:
            self._tell(desk, messages)

    def _tell(self, desk: Desk, messages: Iterable[Diagnostic]) -> None:
        """Send all messages, file by file; none for a file that had some and has none now."""
        desk.messages = list(messages)
        by_file: dict[str, list[lsp.Diagnostic]] = {uri: [] for uri in desk.told}
        for file in desk.game.texts:
            by_file.setdefault(self.name_file(file), [])
        for message in desk.messages:
            span = message.span or Span(SourceFile(str(desk.game.folder / RULES), ""), 0, 0)
            by_file.setdefault(self.uri_of(span), []).append(self.make_diagnostic(message, span))
        desk.told = {uri for uri, found in by_file.items() if found}
        for uri, found in by_file.items():
            # Whatever changes a text begins the look anew, so these are about the newest of each.
            opened = self.workspace.text_documents.get(uri)
            version = None if opened is None else opened.version
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, version))

    # ── places ──

    def find_place(self, given: Any) -> Place | None:
        """Find the place that a question is about; None if it is in no game."""
        uri: str = given.text_document.uri
        if (found := self.find_desk(uri)) is None:
            return None
        text = self.text_of(uri)
        return (*found, text, self._find_offset(text, given.position))

    def name_file(self, file: Path) -> str:
        """The address of a file, as the editor has it."""
        return self.uris.get(file) or file.as_uri()

    def uri_of(self, span: Span) -> str:
        """The address of the file in which something stands."""
        return self.name_file(Path(span.file.name).resolve())

    def range_of(self, span: Span) -> lsp.Range:
        """From where to where something stands."""
        start, end = (self._find_position(span.file, offset) for offset in (span.start, span.end))
        return lsp.Range(start=start, end=end)

    def location_of(self, span: Span) -> lsp.Location:
        """The file and the range of something."""
        return lsp.Location(uri=self.uri_of(span), range=self.range_of(span))

    def make_diagnostic(self, message: Diagnostic, span: Span) -> lsp.Diagnostic:
        """Make of a message what an editor marks."""
        also = [
            lsp.DiagnosticRelatedInformation(location=self.location_of(label.span), message=label.text)
            for label in message.labels
        ]
        return lsp.Diagnostic(
            range=self.range_of(span),
            severity=_SEVERITIES.get(message.severity, lsp.DiagnosticSeverity.Information),
            code=message.code,
            source="rulebook",
            message=f"{message.message}\n{message.help}" if message.help else message.message,
            related_information=also or None,
        )

    def _find_position(self, file: SourceFile, offset: int) -> lsp.Position:
        line, column = file.position(offset)
        return lsp.Position(line=line - 1, character=self._count_units(file.text[offset - column + 1 : offset]))

    def _find_offset(self, text: str, position: lsp.Position) -> int:
        at, units = SourceFile("", text).offset(position.line + 1, 1), 0
        while units < position.character and at < len(text) and text[at] not in "\r\n":
            units += self._count_units(text[at])
            at += 1
        return at

    def _count_units(self, text: str) -> int:
        """Count as this editor does the columns of a line."""
        match self.workspace.position_encoding:
            case lsp.PositionEncodingKind.Utf8:
                return len(text.encode("utf-8"))
            case lsp.PositionEncodingKind.Utf32:
                return len(text)
        return len(text.encode("utf-16-le")) // 2


# ── what editors ask ─────────────────────────────────────────────────────────────────────────────────────────────────


def _on_open(server: Server, given: lsp.DidOpenTextDocumentParams) -> None:
    server.take_text(given.text_document.uri, given.text_document.text)


def _on_change(server: Server, given: lsp.DidChangeTextDocumentParams) -> None:
    server.take_text(given.text_document.uri, server.text_of(given.text_document.uri))


def _on_close(server: Server, given: lsp.DidCloseTextDocumentParams) -> None:
    server.take_text(given.text_document.uri, None)


def _on_change_elsewhere(server: Server, given: lsp.DidChangeWatchedFilesParams) -> None:
    desks = [found[0] for change in given.changes if (found := server.find_desk(change.uri))]
    for desk in {id(desk): desk for desk in desks}.values():
        desk.game.forget()
        server.look_again(desk)


def _find_definition(server: Server, given: lsp.DefinitionParams) -> list[lsp.Location]:
    if (place := server.find_place(given)) is None:
        return []
    desk, file, _, offset = place
    return [server.location_of(span) for span in find_definitions(desk.game.list_names(), file, offset)]


def _find_references(server: Server, given: lsp.ReferenceParams) -> list[lsp.Location]:
    if (place := server.find_place(given)) is None:
        return []
    desk, file, _, offset = place
    return [server.location_of(span) for _, span in find_references(desk.game.list_names(), file, offset)]


def _rename(server: Server, given: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    if (place := server.find_place(given)) is None:
        return None
    desk, file, _, offset = place
    try:
        places = rename(desk.game, file, offset, given.new_name)
    except CannotRename as why:
        raise JsonRpcInvalidParams(str(why)) from None
    edits = {
        server.name_file(at): [lsp.TextEdit(range=server.range_of(span), new_text=given.new_name) for span in spans]
        for at, spans in places.items()
    }
    return lsp.WorkspaceEdit(changes=edits)


def _hover(server: Server, given: lsp.HoverParams) -> lsp.Hover | None:
    if (place := server.find_place(given)) is None:
        return None
    desk, file, _, offset = place
    names = desk.game.list_names()
    piece = names.find_piece(file, offset)
    if piece is None or piece.word not in names.declared:
        return None
    entries = names.declared[piece.word]
    lines = [] if desk.game.sound is None else list(server.describe(desk.game.sound, piece.word))
    lines = lines or [f"{entries[0].key.text}:", *entries[0].node.span.text.splitlines()]
    heading = f"`{piece.word}`: {', '.join(dict.fromkeys(map(name_section, entries)))}"
    text = "\n".join([heading, "", "```text", *lines[:_MOST_LINES], "```"])
    content = lsp.MarkupContent(kind=lsp.MarkupKind.Markdown, value=text)
    return lsp.Hover(contents=content, range=server.range_of(piece.scalar.locate(piece.start, piece.end)))


def _complete(server: Server, given: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    if (place := server.find_place(given)) is None:
        return []
    desk, file, text, offset = place
    above = ABOVE_SCENARIOS if file.parent.name == SCENARIOS else ()
    kinds = {True: lsp.CompletionItemKind.Variable, False: lsp.CompletionItemKind.Keyword}
    return [
        lsp.CompletionItem(label=found.word, detail=found.what, kind=kinds[found.is_name], sort_text=f"{number:05}")
        for number, found in enumerate(suggest(text, offset, desk.game.list_names(), above))
    ]


def _list_symbols(server: Server, given: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    if (found := server.find_desk(given.text_document.uri)) is None:
        return []
    entries = [entry for several in found[0].game.list_names().declared.values() for entry in several]
    return [
        lsp.DocumentSymbol(
            name=entry.key.text,
            detail=name_section(entry),
            kind=_SYMBOLS.get(entry.section, lsp.SymbolKind.Field),
            range=server.range_of(_join(entry.key.span, entry.node.span)),
            selection_range=server.range_of(entry.span),
        )
        for entry in sorted(entries, key=lambda entry: entry.span.start)
        if server.uri_of(entry.span) == given.text_document.uri
    ]


def _list_fixes(server: Server, given: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    if (found := server.find_desk(given.text_document.uri)) is None:
        return []
    actions = []
    for message in found[0].messages:
        if message.fix is None or message.span is None or server.uri_of(message.span) != given.text_document.uri:
            continue
        at = server.range_of(message.span)
        if at.end.line < given.range.start.line or at.start.line > given.range.end.line:
            continue
        edits: dict[str, list[lsp.TextEdit]] = {}
        for edit in message.fix.edits:
            change = lsp.TextEdit(range=server.range_of(edit.span), new_text=edit.text)
            edits.setdefault(server.uri_of(edit.span), []).append(change)
        action = lsp.CodeAction(
            title=message.fix.title[:1].upper() + message.fix.title[1:],
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[server.make_diagnostic(message, message.span)],
            is_preferred=message.fix.safe,
            edit=lsp.WorkspaceEdit(changes=edits),
        )
        actions.append(action)
    return actions


def make_server(version: str, describe: Describe) -> Server:
    """Make a server, which `start_io` starts."""
    server = Server(version, describe)
    answers: dict[str, tuple[Callable[..., Any], Any]] = {
        lsp.TEXT_DOCUMENT_DID_OPEN: (_on_open, None),
        lsp.TEXT_DOCUMENT_DID_CHANGE: (_on_change, None),
        lsp.TEXT_DOCUMENT_DID_CLOSE: (_on_close, None),
        lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: (_on_change_elsewhere, None),
        lsp.TEXT_DOCUMENT_DEFINITION: (_find_definition, None),
        lsp.TEXT_DOCUMENT_REFERENCES: (_find_references, None),
        lsp.TEXT_DOCUMENT_RENAME: (_rename, None),
        lsp.TEXT_DOCUMENT_HOVER: (_hover, None),
        lsp.TEXT_DOCUMENT_COMPLETION: (_complete, lsp.CompletionOptions(trigger_characters=[".", " "])),
        lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (_list_symbols, None),
        lsp.TEXT_DOCUMENT_CODE_ACTION: (
            _list_fixes,
            lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]),
        ),
    }
    for question, (answer, options) in answers.items():
        server.feature(question, options)(answer)
    return server


def _join(first: Span, last: Span) -> Span:
    """From the one to the other, where they stand in this order in one file."""
    return Span(first.file, first.start, max(first.end, last.end if last.file is first.file else 0))


def _path_of(uri: str) -> Path | None:
    """The file that an address means; None if it means none on this computer."""
    parts = urlsplit(uri)
    return Path(url2pathname(unquote(parts.path))).resolve() if parts.scheme == "file" else None
