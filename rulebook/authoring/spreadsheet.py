"""The cards of a game as a spreadsheet, which gives the same cards when they are read from it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

from rulebook.diagnostics import has_errors
from rulebook.dsl.document import Mapping, Node, Scalar, Sequence
from rulebook.dsl.reading.spreadsheets import FROM, ID, lay_sheets
from rulebook.source import LARGEST_FILE, SourceFile, Span

_FIRST = (ID, "kind", "name", "text", "copies")
_STARTS = ("=", "+", "@", "\t")
"""With these, spreadsheet programs take a text for something to work out."""
_NAME = "cards.csv"


IGNORE = "# rulebook: ignore"


class Unfit(ValueError):
    """Cards that no spreadsheet can hold as they are; the text says which, and why."""


def write_sheet(cards: Mapping, separator: str = ",") -> str:
    """Write a row for each card, and a column for each attribute, hook, and word of a table. Raises Unfit."""
    rows = {id: dict(_list_cells(id, entry)) for id, entry in cards.items()}
    columns = _order_columns(rows.values())
    lines = [columns, *([id, *(cells.get(column, "") for column in columns[1:])] for id, cells in rows.items())]
    text = "".join(separator.join(_quote_cell(cell, separator) for cell in line) + "\n" for line in lines)
    if len(text) > LARGEST_FILE:
        raise Unfit("The spreadsheet would have more than 1 MiB, and no such file is read.")
    _check_again(cards, text)
    return text


def split_off_ignored(cards: Mapping) -> tuple[Mapping, list[str]]:
    """Split off what stands below or beside a comment that ignores a message, since no cell can hold the comment: the
    cards without it, and the name of each such field after its card's id.
    """
    rest, split = Mapping(cards.span), list[str]()
    for id, entry in cards.items():
        if isinstance(entry, Mapping):
            whole, entry = entry, Mapping(entry.span)
            for name, value in whole.items():
                if _is_ignored(whole.keys_at[name], value):
                    split.append(f"{id}.{name}")
                else:
                    entry.put(whole.keys_at[name], value)
        rest.put(cards.keys_at[id], entry)
    return rest, split


def _is_ignored(key: Scalar, value: Node) -> bool:
    text = key.span.file.text
    line = text.rfind("\n", 0, key.span.start) + 1
    above = text[:line].rstrip().rpartition("\n")[2].strip()
    beside = text[line : value.span.end] + text[value.span.end :].partition("\n")[0]
    return above.startswith(IGNORE) or IGNORE in beside


def _order_columns(rows: Collection[dict[str, str]]) -> list[str]:
    """Order the columns as the cards have their fields, where they agree: what stands beneath `each` counts up so."""
    written = dict.fromkeys(path for cells in rows for path in cells)
    before: dict[str, set[str]] = {path: set() for path in written}
    for cells in rows:
        for path, following in pairwise(cells):
            before[following].add(path)
    ordered = [name for name in _FIRST if name == ID or name in written]
    left = [path for path in written if path not in ordered]
    while left:
        # Words of one table stand side by side, wherever the first card that has one is.
        head = ordered[-1].partition(".")[0]
        free = [path for path in left if not before[path] & {*left}] or left
        ordered.append(next((path for path in free if path.partition(".")[0] == head), free[0]))
        left.remove(ordered[-1])
    return ordered


def _list_cells(id: str, entry: Node) -> Iterator[tuple[str, str]]:
    """Yield the cells of a card, each with the heading of its column."""
    if not isinstance(entry, Mapping):
        raise Unfit(f"The card {id} says nothing of itself.")
    for name, value in entry.items():
        if name == ID:
            raise Unfit(f"The card {id} has a field `{ID}`, and so is called the column of the cards' ids.")
        yield from _flatten_value(id, name, value)


def _flatten_value(id: str, path: str, value: Node) -> Iterator[tuple[str, str]]:
    match value:
        case Mapping() if value and "(" not in path:
            for name, inner in value.items():
                yield from _flatten_value(id, f"{path}.{name}", inner)
        case Sequence() if all(isinstance(item, Scalar) for item in value):
            yield f"{path}[]", ", ".join(item.text for item in value if isinstance(item, Scalar)) or "[]"
        case Scalar() if type(value) is Scalar and value.text.strip():
            is_number = value.text.lstrip("-").isdigit()
            if value.text.startswith(_STARTS) and not is_number:
                begins = f"`{path}` of the card {id} begins with `{value.text[0]}`"
                raise Unfit(f"{begins}: a spreadsheet would reckon with it.")
            yield path, value.text
        case _:
            raise Unfit(f"`{path}` of the card {id} fits into no cell.")


def _quote_cell(text: str, separator: str) -> str:
    plain = text == text.strip() and not {separator, '"', "\n", "\r"} & {*text} and not text.startswith("sep=")
    return text if plain else '"' + text.replace('"', '""') + '"'


def _check_again(cards: Mapping, text: str) -> None:
    """Read what was written, and raise Unfit if a card came back as another one."""
    top, section = Mapping(cards.span), Mapping(cards.span)
    place = Span(SourceFile("", _NAME), 0, len(_NAME))
    section.put(Scalar(FROM, "plain", place), Scalar(_NAME, "plain", place))
    top.put(Scalar("cards", "plain", place), section)
    laid = lay_sheets(top, lambda _: text, "")
    back = top["cards"]
    assert isinstance(back, Mapping)
    for id, card in cards.items():
        if id not in back or not _is_same(card, back[id]):
            raise Unfit(f"The card {id} would come back from a spreadsheet as another one: leave it in YAML.")
    if has_errors(laid.messages) or list(back) != list(cards):
        raise Unfit(f"A spreadsheet cannot hold these cards: {' '.join(one.message for one in laid.messages[:1])}")


def _is_same(one: Node, other: Node) -> bool:
    match one, other:
        case Mapping(), Mapping():
            if "each" in one and list(_find_keys(one, "each")) != list(_find_keys(other, "each")):
                return False
            return one.keys() == other.keys() and all(_is_same(one[name], other[name]) for name in one)
        case Sequence(), Sequence():
            return len(one) == len(other) and all(map(_is_same, one, other))
    return isinstance(one, Scalar) and isinstance(other, Scalar) and one.text == other.text


def _find_keys(node: Mapping, name: str) -> Iterator[str]:
    inner = node.get(name)
    return iter(inner) if isinstance(inner, Mapping) else iter(())
