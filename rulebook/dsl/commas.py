"""Rejoin texts that a comma cut in two: within brackets, YAML reads `{cost: max(1, 2)}` as `cost: max(1` and `2)`."""

from collections.abc import Sequence
from typing import TypeAlias

from rulebook.classes import frozen
from rulebook.dsl.document import Mapping, Node, Scalar
from rulebook.dsl.sourcemap import unfold
from rulebook.source import Span

_LONGEST_QUOTED = 60

Entry: TypeAlias = tuple[Scalar | None, Node]  # a key and its value; no key in a list


@frozen
class Cut:
    """A comma that cut a text, and the bracket that was still open there.

    `quoted` is the whole text as it should have been written, or empty if that is too long to show.
    """

    comma: Span
    bracket: Span
    quoted: str


def opens(text: str) -> bool:
    """Tell whether a text leaves a round bracket open."""
    return text.count("(") > text.count(")")


def mend(entries: Sequence[Entry]) -> tuple[list[Entry], list[Cut]]:
    """The entries with the pieces of each cut text put together again, and the cuts."""
    mended: list[Entry] = []
    cuts: list[Cut] = []
    closed_in = _closings(entries)
    at = 0
    while at < len(entries):
        last = closed_in.get(at)
        if last is None:
            mended.append(entries[at])
        else:
            whole, entry = _join_text(entries[at], entries[last])
            mended.append(entry)
            cuts.append(_make_cut(entries[at], whole.text))
            at = last
        at += 1
    return mended, cuts


def cut_off(mapping: Mapping, name: str) -> str | None:
    """Return advice about a key that is the rest of a text without brackets: `{text: Flights, in each night}`.

    None if it is a key: it has a value, or stands on a line of its own.
    """
    names, key = list(mapping), mapping.keys_at[name].span
    at = names.index(name)
    if not at or _has_a_value(mapping, name):
        return None
    before = mapping[names[at - 1]]
    whole = unfold(key.file.text[before.span.start : key.end])
    short = isinstance(before, Scalar) and before.style == "plain" and len(whole) <= _LONGEST_QUOTED
    quoted = f': `"{whole}"`' if short and not set('"\\\n') & set(whole) else ""
    return f"The comma before it cut a text in two. Put quotes around all of it{quoted}."


def find_cut_items(mapping: Mapping, name: str) -> list[Scalar]:
    """Find the keys that stand behind an entry as if they were more of its value: `{wish: pepper, cumin}`."""
    names = list(mapping)
    items: list[Scalar] = []
    for key in names[names.index(name) + 1 :]:
        if _has_a_value(mapping, key):
            break
        items.append(mapping.keys_at[key])
    return items


def _has_a_value(mapping: Mapping, name: str) -> bool:
    """Tell whether a key has a value, or stands on a line of its own."""
    key = mapping.keys_at[name].span
    behind = key.file.text[key.end : key.end + _LONGEST_QUOTED].lstrip()[:1]
    return bool(mapping[name].span.text) or behind not in (",", "}")


def _closings(entries: Sequence[Entry]) -> dict[int, int]:
    """For each entry that leaves brackets open, the later entry that closes them, if there is one."""
    closings: dict[int, int] = {}
    waiting: list[tuple[int, int]] = []  # entries still open, with the brackets that were open before them
    depth = 0
    for at, (key, value) in enumerate(entries):
        if not isinstance(value, Scalar):
            waiting.clear()  # a map or list within a text is more than a cut
            continue
        raw = value.span.text if key is None else key.span.text + value.span.text
        before, depth = depth, depth + raw.count("(") - raw.count(")")
        while waiting and depth <= waiting[-1][1]:
            closings[waiting.pop()[0]] = at
        if depth > before:
            waiting.append((at, before))
    return closings


def _make_cut(entry: Entry, whole: str) -> Cut:
    """The comma behind an entry that leaves a bracket open."""
    span = max((piece.span for piece in entry if piece is not None), key=lambda span: span.end)
    file = span.file
    comma = file.text.index(",", span.end)
    bracket = min(piece.span.text.find("(") + piece.span.start for piece in entry if piece and _leaves_open(piece))
    quoted = f'"{whole}"' if len(whole) <= _LONGEST_QUOTED and not set('"\\\n') & set(whole) else ""
    return Cut(Span(file, comma, comma + 1), Span(file, bracket, bracket + 1), quoted)


def _leaves_open(piece: Node) -> bool:
    return isinstance(piece, Scalar) and opens(piece.span.text)


def _join_text(first: Entry, last: Entry) -> tuple[Scalar, Entry]:
    """The text that was cut, whole again, and the entry that it stands in."""
    key, value = first
    last_key, last_value = last
    end = max(last_value.span.end, last_key.span.end if last_key else 0)
    if key is None or not opens(key.text):
        whole = _make_plain(value.span, end)
        return whole, (key, whole)
    # The key itself was cut: `{ability(me, guest mark): }`. Does it end in the last key, or behind it?
    if last_key is not None and last_key.text.count(")") > last_key.text.count("("):
        whole = _make_plain(key.span, last_key.span.end)
        return whole, (whole, last_value)
    whole = _make_plain(key.span, end)
    return whole, (whole, Scalar("", "plain", Span(key.span.file, end, end)))


def _make_plain(start: Span, end: int) -> Scalar:
    span = Span(start.file, start.start, end)
    return Scalar(unfold(span.text), "plain", span)
