"""Cards from a spreadsheet: each row a card, in the nodes that YAML gives, each with its place in the file.

A first row names the columns. Where a cell could mean two things, a message says so.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, NamedTuple

from attrs import evolve, field

from rulebook.cells import Cell, SheetFile
from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, Label, diagnose, did_you_mean
from rulebook.dsl.document import Mapping, Node, Scalar, is_nothing, kind_of
from rulebook.dsl.document import Sequence as ListNode
from rulebook.dsl.reading.reader import LEADS_OUT, LONGEST_SCALAR, MOST_NODES, NOTHING_OUTSIDE, find_odd_characters
from rulebook.files import read_bytes
from rulebook.library import SHEETS, is_below
from rulebook.plurals import count_unit
from rulebook.source import LARGEST_FILE, Span

FROM = "from"
ID = "id"
_IN_VARIANTS = "cards."
_WORKBOOK = ".xlsx"
_LARGEST_UNPACKED = 32 * 1024 * 1024
_MOST_ROWS, _MOST_COLUMNS = 5000, 500
_MOST_PROBLEMS = 100
_NAME = re.compile(r"[^/\\:.\x00-\x1f][^/\\:\x00-\x1f]*")
_FAULT = re.compile(r"#(?:REF|N/A|NAME|DIV/0|VALUE|NUM|NULL|SPILL|CALC|GETTING_DATA)[!?]?|(?:Err|Fehler):\d+")
_ADD_A_LINE = re.compile(r"Add a line `(.+?): …` here\.")
_DATE = "#DATE "
"""The text in place of a date in a workbook: nobody knows what was typed there."""

Fetch = Callable[[str], str]
"""From the name of a file to its text; raises Unreadable."""


class Unreadable(Exception):
    """A spreadsheet of which there is no text: the problem, and what to do."""

    def __init__(self, problem: str, help: str = "") -> None:
        super().__init__(problem)
        self.problem, self.help = problem, help


@frozen
class Laid:
    """The spreadsheets that a file names: their texts by name, what is wrong, and which cannot be read."""

    texts: dict[str, str] = field(factory=dict)
    messages: list[Diagnostic] = field(factory=list)
    unread: list[str] = field(factory=list)


def lay_sheets(top: Mapping, fetch: Fetch, before: str) -> Laid:
    """Put the rows of spreadsheets in the place of `from` among the cards of a file. `before` stands before their names
    in messages.
    """
    cards = top.get("cards")
    if not isinstance(cards, Mapping) or FROM not in cards:
        return Laid()
    laid = Laid()
    top[top.keys_at["cards"].text] = _lay_rows(cards, FROM, "", fetch, before, laid)
    return laid


def lay_sheets_in_variant(top: Mapping, fetch: Fetch, before: str) -> Laid:
    """The same for what a variant adds at the path `cards.from`."""
    added = top.get("add")
    if not isinstance(added, Mapping) or _IN_VARIANTS + FROM not in added:
        return Laid()
    laid = Laid()
    top[top.keys_at["add"].text] = _lay_rows(added, _IN_VARIANTS + FROM, _IN_VARIANTS, fetch, before, laid)
    return laid


def is_row(node: Node) -> bool:
    """Tell whether an entry is a row of a spreadsheet, so that YAML may say more of the same card."""
    return isinstance(node, Mapping) and isinstance(node.span.file, SheetFile)


def join_row(one: Mapping, other: Mapping, messages: list[Diagnostic]) -> Mapping:
    """Make one entry of a row and of what YAML says of the same card; what both say is a mistake."""
    joined = Mapping(one.span if is_row(one) else other.span)
    joined.take_entries(one)
    for name, value in other.items():
        if name in joined:
            messages.append(_say_twice(other.keys_at[name], joined.keys_at[name], "A card says it in one place."))
        else:
            joined.put(other.keys_at[name], value)
    return joined


def label_cells(messages: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The messages, those about a cell with its row, its column, and the heading of the column. Spreadsheets are
    changed by their own programs, so nothing is mended in them.
    """
    messages = list(messages)
    faulty = {_find_row(message) for message in messages if message.code == "RB119"} - {None}
    # What a cell lacks that could not be read has been said.
    said = [one for one in messages if one.code != "RB111" or _find_row(one) not in faulty]
    return [_label_cell(one) for one in _tell_once(said)]


_FEW = 3


def _tell_once(messages: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield messages, but what is wrong in one column of many rows only at the first of them, with the others."""
    same: dict[object, list[Diagnostic]] = {}
    for message in messages:
        span = message.span
        place = span.file.find_cell(span.start) if span is not None and isinstance(span.file, SheetFile) else None
        # What a card lacks is said with its name.
        said = message.message.replace(span.text, "") if span and message.code == "RB111" else message.message
        key = (message.code, said, span.file.name, place[1]) if span and place else id(message)
        same.setdefault(key, []).append(message)
    for first, *others in same.values():
        rows = list(dict.fromkeys(row[1] + 1 for one in others if (row := _find_row(one)) is not None))
        if len(rows) < _FEW - 1:
            yield from (first, *others)
            continue
        some = ", ".join(map(str, rows[:_FEW])) + (", …" if len(rows) > _FEW else "")
        yield evolve(first, help=f"{first.help} The same is wrong in {len(rows)} more rows: {some}.".lstrip())


def _find_row(message: Diagnostic) -> tuple[str, int] | None:
    span = message.span
    place = span.file.find_cell(span.start) if span is not None and isinstance(span.file, SheetFile) else None
    return None if span is None or place is None else (span.file.name, place[0])


def fetch_file(folder: Path) -> Fetch:
    """Make what reads the spreadsheets in a folder, and none elsewhere."""

    def fetch(name: str) -> str:
        path = folder / name
        if os.path.islink(path) and not is_below(path, folder):
            raise Unreadable(LEADS_OUT, NOTHING_OUTSIDE)
        if not path.is_file():
            there = sorted(file.name for file in folder.iterdir() if file.name.lower().endswith(SHEETS))
            raise Unreadable(
                "there is no such file beside this one",
                did_you_mean(name, there) or "Put the spreadsheet into the folder of the file that names it.",
            )
        try:
            data = read_bytes(path, LARGEST_FILE)
        except (OSError, ValueError) as error:
            if os.path.getsize(path) > LARGEST_FILE:
                raise Unreadable("it has more than 1 MiB", "Split it into several files.") from None
            raise Unreadable(f"it cannot be opened ({getattr(error, 'strerror', None) or error})") from None
        return _read_workbook(data) if name.lower().endswith(_WORKBOOK) else decode_text(data)

    return fetch


def fetch_text(texts: dict[str, str], before: str = "") -> Fetch:
    """Make what finds the texts of spreadsheets among others, as a save carries them."""

    def fetch(name: str) -> str:
        if before + name not in texts:
            raise Unreadable("its text is not among those of this game")
        return texts[before + name]

    return fetch


def decode_text(data: bytes) -> str:
    """Decode the bytes of a file with separators: UTF-8, or UTF-16 with its mark. Raises Unreadable."""
    try:
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return data.decode("utf-16")
        return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        row = data[: error.start].count(b"\n") + 1
        raise Unreadable(
            f"it is not UTF-8: line {row} has the byte {data[error.start]:#04x}",
            "Export it once more as `CSV UTF-8`: programs ask for the encoding (or the character set) when they save.",
        ) from None


def _lay_rows(into: Mapping, key: str, prefix: str, fetch: Fetch, before: str, laid: Laid) -> Mapping:
    """Make the map with rows in the place of one of its keys; each has its name behind the prefix."""
    new = Mapping(into.span)

    def put(name: Scalar, node: Node) -> None:
        there = new.get(name.text)
        if isinstance(there, Mapping) and isinstance(node, Mapping) and is_row(there) != is_row(node):
            new[name.text] = join_row(there, node, laid.messages)
        elif there is not None:
            laid.messages.append(_say_twice(name, new.keys_at[name.text], "Each card has a row of its own."))
        else:
            new.put(name, node)

    for name, node in into.items():
        if name != key:
            put(into.keys_at[name], node)
            continue
        for file in _list_files(node, into.keys_at[name], laid):
            for id, row in _read_sheet(file, fetch, before, laid):
                put(Scalar(prefix + id.text, id.style, id.span), row)
    return new


def _list_files(node: Node, key: Scalar, laid: Laid) -> Iterator[Scalar]:
    wanted = "the name of a file, `cards.csv`, or a list of such names"
    seen = set[str]()
    for item in node if isinstance(node, ListNode) and node else [node]:
        if not isinstance(item, Scalar) or is_nothing(item):
            span = key.span if is_nothing(item) else item.span
            laid.messages.append(diagnose("RB112", span, what="`from`", wanted=wanted, got=kind_of(item)))
        elif not _NAME.fullmatch(item.text):
            help = "Name a file that lies beside this one, without a folder: nothing elsewhere is read."
            laid.messages.append(_complain(item.span, f"`{item.text}` is no name of a file", help))
        elif not item.text.lower().endswith(SHEETS):
            help = "Export the table as CSV, or save it as .xlsx."
            laid.messages.append(_complain(item.span, f"`{item.text}` does not end in `.csv`, `.tsv` or `.xlsx`", help))
        elif item.text in seen:
            laid.messages.append(diagnose("RB113", item.span, name=item.text, help="Name it once."))
        else:
            seen.add(item.text)
            yield item
            continue
        laid.unread.append(key.text)


def _read_sheet(name: Scalar, fetch: Fetch, before: str, laid: Laid) -> Iterator[tuple[Scalar, Mapping]]:
    """Yield the cards of a spreadsheet, each with its id."""
    try:
        text = fetch(name.text)
    except Unreadable as bad:
        laid.messages.append(_complain(name.span, f"`{name.text}` cannot be read: {bad.problem}", bad.help))
        laid.unread.append(name.text)
        return
    laid.texts[name.text] = text
    shown = before + name.text
    file = SheetFile(shown, text)
    odd = find_odd_characters(file, text)
    told = [*odd, *(_complain(Span(file, start, end), said, help) for start, end, said, help in file.cut[1])]
    if told:
        laid.messages.extend(told[:_MOST_PROBLEMS])
        laid.unread.append(name.text)
        return
    reading = _Reading(file)
    cards = reading.read_cards()
    laid.messages.extend(reading.messages[:_MOST_PROBLEMS])
    if cards is None:
        laid.unread.append(name.text)
    yield from cards or ()


class _Column(NamedTuple):
    """A column: its heading, the keys that this is, whether its cells hold lists."""

    heading: Scalar
    keys: tuple[Scalar, ...]
    is_list: bool


class _Reading:
    """Reads the rows of one spreadsheet."""

    def __init__(self, file: SheetFile) -> None:
        self.file = file
        self.rows = [row for row in file.rows if any(cell.text.strip() for cell in row)]
        self.messages: list[Diagnostic] = []
        self.headless: set[int] = set()
        """The columns without a heading that have been told."""

    def report(self, cell: Cell, problem: str, help: str = "", labels: Sequence[Label] = ()) -> None:
        self.messages.append(_complain(Span(self.file, cell.start, cell.end), problem, help, labels))

    def make_scalar(self, cell: Cell, text: str | None = None, start: int = 0) -> Scalar:
        """Make the scalar of a cell, or of a part of one."""
        if text is not None:
            span = Span(self.file, cell.start + start, cell.start + start + len(text))
            return Scalar(text, "plain", span)
        span = Span(self.file, cell.start, cell.end)
        return Scalar(cell.text, "plain" if span.text == cell.text else "cell", span)

    def read_cards(self) -> list[tuple[Scalar, Mapping]] | None:
        if not self.rows:
            self.messages.append(_complain(Span(self.file, 0, 0), "this spreadsheet is empty", _FIRST_ROW))
            return None
        if sum(map(len, self.rows)) > MOST_NODES:
            self.messages.append(diagnose("RB106", Span(self.file, 0, 0), problem=f"more than {MOST_NODES:,} cells"))
            return None
        columns = self.read_headings()
        if columns is None:
            return None
        cards, widths = [], [len(row) for row in self.rows]
        for row in self.rows[1:]:
            if len(row) < widths[0] and widths.count(widths[0]) == len(widths) - 1 > 1:
                help = "Write all of it, `,,` where nothing stands: one that was forgotten moves all behind it."
                self.report(row[-1], f"this row has {count_unit(len(row), 'cell')}, all others have {widths[0]}", help)
            read = self.read_row(row, columns)
            if read is not None:
                cards.append(read)
        return cards

    def read_headings(self) -> list[_Column | None] | None:
        columns: list[_Column | None] = []
        seen: dict[str, Cell] = {}
        before = len(self.messages)
        for cell in self.rows[0]:
            text = cell.text.strip()
            if not text:
                columns.append(None)
                continue
            if text in seen:
                first = Label(Span(self.file, seen[text].start, seen[text].end), "the first one is here")
                self.report(cell, f"two columns are called `{text}`", "Give one of them another heading.", [first])
            seen.setdefault(text, cell)
            columns.append(self.read_heading(cell))
        if ID not in seen and len(self.messages) == before:
            near = next((name for name in seen if name.lower() in ("id", "key", "card")), None)
            help = f"Call the column `{near}` just `id`." if near else _FIRST_ROW
            self.report(self.rows[0][0], "no column is called `id`", help)
        return columns if len(self.messages) == before else None

    def read_heading(self, cell: Cell) -> _Column | None:
        heading = self.make_scalar(cell)
        text = cell.text
        is_list = text.endswith("[]")
        path = text.removesuffix("[]")
        parts = [path] if "(" in path else path.split(".")
        if "" in (part.strip() for part in parts) or "\n" in text or len(parts) > 8:
            help = "A heading is the name of an attribute, `cost`, or of one word of a table, `cost.wood`."
            self.report(cell, f"`{text}` heads no column", help)
            return None
        if parts[0] == ID and (is_list or parts[1:]):
            self.report(cell, "an id is one word", "Call the column just `id`.")
            return None
        keys, at = [], 0
        for part in parts:
            keys.append(self.make_scalar(cell, part, at) if heading.style == "plain" else evolve(heading, text=part))
            at += len(part) + 1
        return _Column(heading, tuple(keys), is_list)

    def read_row(self, row: list[Cell], columns: list[_Column | None]) -> tuple[Scalar, Mapping] | None:
        span = Span(self.file, row[0].start, row[-1].end)
        card, id, before = Mapping(span), None, len(self.messages)
        for number, cell in enumerate(row):
            text = cell.text.strip()
            if not text:
                continue
            column = columns[number] if number < len(columns) else None
            if column is None and number not in self.headless:
                self.headless.add(number)
                self.report(cell, f"`{_shorten(text)}` stands below no heading", "Head its column, or empty its cells.")
            elif column is None:
                continue  # once a column
            elif self.is_sound(cell, text):
                if column.keys[0].text == ID:
                    id = self.make_scalar(cell)
                else:
                    self.put(card, column, self.make_list(cell) if column.is_list else self.make_scalar(cell))
        if id is None:
            filled = next(cell for cell in row if cell.text.strip())
            if len(self.messages) == before:
                help = "Write a word like `clay_mug` in the column `id`; if the row is no card, empty it."
                self.report(filled, "this row has no id", help)
            return None
        return id, card

    def is_sound(self, cell: Cell, text: str) -> bool:
        if len(cell.text) > LONGEST_SCALAR:
            self.report(cell, f"a text of {len(cell.text)} characters; {LONGEST_SCALAR} are the most", "Split it up.")
        elif _FAULT.fullmatch(text):
            self.report(cell, f"`{text}` is the sign of a formula that failed", "Correct it in the spreadsheet.")
        elif text.startswith(_DATE):
            help = "Format the column as text and type it again; dates are made of what looks like `1-2`."
            self.report(cell, f"the spreadsheet has made the date {text.removeprefix(_DATE)} of this cell", help)
        elif text.startswith("="):
            help = "Export what the cells show, not their formulas."
            self.report(cell, f"`{_shorten(text)}` is a formula, and here stands what comes of it", help)
        else:
            return True
        return False

    def make_list(self, cell: Cell) -> ListNode:
        items = ListNode(Span(self.file, cell.start, cell.end))
        if cell.text.strip() == "[]":
            return items
        for match in re.finditer(r"[^,]+", cell.text):
            text = match[0].strip()
            at = match.start() + len(match[0]) - len(match[0].lstrip())
            if text:
                whole = self.make_scalar(cell)
                items.append(self.make_scalar(cell, text, at) if whole.style == "plain" else evolve(whole, text=text))
        return items

    def put(self, card: Mapping, column: _Column, value: Node) -> None:
        """Put a value below the keys of its column."""
        into = card
        for key in column.keys[:-1]:
            inner = into.get(key.text)
            if inner is None:
                inner = Mapping(value.span)
                into.put(key, inner)
            if not isinstance(inner, Mapping):
                self.report_both(value, key.text, column)
                return
            into = inner
        last = column.keys[-1]
        if last.text in into:
            self.report_both(value, last.text, column)
        else:
            into.put(last, value)

    def report_both(self, value: Node, name: str, column: _Column) -> None:
        help = f"Fill either the column `{name}` or those of its words, `{name}.…`."
        problem = f"this row has both `{name}` and a word of it"
        self.messages.append(_complain(value.span, problem, help))


_FIRST_ROW = "The first row names the columns: `id`, `kind`, `name`, and one for each attribute of the kind."


def _label_cell(message: Diagnostic) -> Diagnostic:
    span = message.span
    if span is None or not isinstance(span.file, SheetFile):
        return message
    file, place = span.file, span.file.find_cell(span.start)
    headings = next((row for row in file.rows if any(cell.text.strip() for cell in row)), None)
    named = {re.split(r"[.\[]", cell.text.strip())[0] for cell in headings or ()}
    lacking = _ADD_A_LINE.search(message.help)
    is_there = lacking is not None and lacking[1] in named
    there = r"Fill the column `\1` in this row." if is_there else r"Add a column `\1`, and fill it."
    message = evolve(message, fix=None, help=_ADD_A_LINE.sub(there, message.help))
    if place is None or headings is None:
        return message
    number, column = place
    if file.rows[number] is headings:
        # A heading is wrong for all rows, or for that of the card alone that the message is about.
        card = message.where.removeprefix("card ").partition(",")[0]
        ids = next((at for at, cell in enumerate(headings) if cell.text == ID), 0)
        for at, row in enumerate(file.rows):
            if ids < len(row) and row[ids].text == card and column < len(row):
                cell = row[column]
                label = Label(Span(file, cell.start, cell.end), f"row {at + 1}, column {name_column(column)}")
                return evolve(message, labels=(*message.labels, label))
        return message
    if column >= len(headings):
        return message
    cell = headings[column]
    where = f"row {number + 1}, column {name_column(column)}: `{_shorten(cell.text)}`"
    return evolve(message, labels=(*message.labels, Label(Span(file, cell.start, cell.end), where)))


def name_column(number: int) -> str:
    """Name a column as spreadsheets do: A, B, … Z, AA, by its number from 0."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _read_workbook(data: bytes) -> str:
    """Read the cards' sheet of a workbook, as the text of a CSV. Raises Unreadable."""
    try:
        import openpyxl
    except ImportError:
        help = "Install it with `pip install 'tabletop-rulebook[sheet]'`, or export the table as CSV."
        raise Unreadable("a workbook needs the package openpyxl, which is not installed", help) from None
    import zipfile

    try:
        with zipfile.ZipFile(BytesIO(data)) as packed:
            if sum(item.file_size for item in packed.infolist()) > _LARGEST_UNPACKED:
                raise Unreadable("it unpacks to more than 32 MiB", "Keep only the table of cards in it.")
        shown = openpyxl.load_workbook(BytesIO(data), data_only=True, keep_links=False)
        written = openpyxl.load_workbook(BytesIO(data), keep_links=False)
        sheet = _choose_sheet(shown.worksheets)
        return _write_sheet(sheet, written[sheet.title])
    except Unreadable:
        raise
    except Exception as error:  # whatever a damaged workbook makes of a library that is not ours
        reason = " ".join(str(error).split())[:80] or type(error).__name__
        raise Unreadable(f"it is no workbook ({reason})", "Save it once more as .xlsx, or export it as CSV.") from None


def _choose_sheet(sheets: Sequence[Any]) -> Any:
    filled = [sheet for sheet in sheets if sheet.max_row > 1 or sheet.cell(1, 1).value is not None]
    called = [sheet for sheet in filled if sheet.title.lower() == "cards"]
    for found in (filled, called):
        if len(found) == 1:
            return found[0]
    if not filled:
        raise Unreadable("all its sheets are empty", _FIRST_ROW)
    names = ", ".join(f"`{sheet.title}`" for sheet in filled[:8])
    raise Unreadable(f"it has several sheets ({names})", "Call the one with the cards `cards`.")


def _write_sheet(sheet: Any, written: Any) -> str:
    if sheet.max_row > _MOST_ROWS or sheet.max_column > _MOST_COLUMNS:
        size = f"{sheet.max_row} rows and {sheet.max_column} columns"
        help = "Delete the rows and columns that are empty: formatted cells count."
        raise Unreadable(f"it has {size}; {_MOST_ROWS} and {_MOST_COLUMNS} are the most", help)
    merged = [str(cells) for cells in written.merged_cells.ranges]
    if merged:
        raise Unreadable(f"the cells {merged[0]} are merged", "Split them: each row is a card of its own.")
    formulas = [cell.coordinate for row in written.iter_rows() for cell in row if cell.data_type == "f"]
    if formulas and all(sheet[at].value is None for at in formulas):
        help = "Open it in a spreadsheet program and save it there."
        raise Unreadable(f"its formulas, as in {formulas[0]}, were never worked out", help)
    table = StringIO(newline="")
    writer = csv.writer(table, lineterminator="\n")
    writer.writerows([_show_value(cell) for cell in row] for row in sheet.iter_rows())
    if len(table.getvalue()) > LARGEST_FILE:
        raise Unreadable("it has more than 1 MiB of text", "Split it into several files.")
    return table.getvalue()


def _show_value(cell: Any) -> str:
    """Write a value of a workbook as people see it."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if cell.is_date or hasattr(value, "isoformat"):
        return f"{_DATE}{value.isoformat() if hasattr(value, 'isoformat') else value}"
    if isinstance(value, int | float):
        if "%" in cell.number_format:
            return f"{value * 100:.10g}%"
        return str(int(value)) if value == int(value) else repr(value)
    return str(value)


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:39] + "…"


def _say_twice(key: Scalar, first: Scalar, help: str) -> Diagnostic:
    return diagnose("RB113", key.span, labels=[Label(first.span, "the first one is here")], name=key.text, help=help)


def _complain(span: Span, problem: str, help: str = "", labels: Sequence[Label] = ()) -> Diagnostic:
    return diagnose("RB119", span, labels=labels, problem=problem[0].upper() + problem[1:], help=help)
