"""The rules on paper: what is needed, the aim, how it is played, house rules; in the author's words, else told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.settling.options import setting_text
from rulebook.dsl.words import word_players
from rulebook.english.lexicon import HouseRules
from rulebook.english.sheet import ACTIONS, RULES, WHENEVER, Sheet
from rulebook.interpreter.program import Looks
from rulebook.plurals import word_amount
from rulebook.printed.pieces import Set

Sort = Literal["title", "heading", "text", "point"]


@frozen
class Block:
    """A title, a heading, a paragraph, or a point."""

    sort: Sort
    text: str
    depth: int = 0


def tell_rules(pieces: Set) -> list[Block]:
    """Tell the rules of a game, in the order in which one reads them before the first game."""
    book = pieces.game.rulebook
    blocks = [Block("title", book.title), Block("text", f"For {word_players(book.players)} players.")]
    if book.display.aim:
        blocks += [Block("heading", "The aim"), Block("text", book.display.aim)]
    blocks += [Block("heading", "What you need"), *_tell_needs(pieces)]
    if starts := list(_tell_starts(book)):
        blocks += [Block("heading", "At the beginning"), *starts]
    about = book.display.about
    for heading, text in about.items():
        blocks.append(Block("heading", heading))
        blocks += [Block("text", paragraph) for paragraph in text.split("\n\n")]
    blocks += [] if about else _tell_scripts(pieces)
    result = Sheet(book, HouseRules(book.options, dict(pieces.game.options))).tell_result()
    if result:
        blocks += [Block("heading", "Who wins"), *(Block("text", line.text) for line in result)]
    if book.options:
        blocks.append(Block("heading", "House rules"))
        for option in book.options.values():
            setting = setting_text(option, pieces.game.options[option.name], book.units)
            words = option.text or book.display.titles.get(option.name) or option.name.replace("_", " ")
            blocks.append(Block("point", f"{words}: {book.display.titles.get(setting, setting).replace('_', ' ')}", 1))
    return blocks


def _tell_needs(pieces: Set) -> Iterator[Block]:
    """Tell how many pieces there are, by what they are cut as and their kinds."""
    look = pieces.game.lower(pieces.players).looks
    counts = Counter[tuple[str, str]]()
    for piece in pieces.pieces:
        counts[piece.form, piece.face.kind] += piece.copies
    for (form, kind), count in counts.items():
        noun = f"{form}s" if count != 1 else form
        yield Block("point", f"{count} {noun}: {kind}", 1)
    for name, count in pieces.needed.items():
        yield Block("point", f"{count} × {name} (not printed)", 1)
    if look.scores:
        yield Block("point", "paper and a pencil, for scores", 1)


def _tell_starts(book: ir.Rulebook) -> Iterator[Block]:
    """Tell what is counted for everybody or for all together, and not from 0, as far as anybody may know it."""
    for owner, whose in (("player", ", for each player"), ("table", "")):
        for name, memory in book.memories.items():
            start = memory.start
            if memory.owner != owner or memory.seen_by == "nobody" or isinstance(start, bool):
                continue
            if isinstance(start, int) and start:
                worded = word_amount(start, book.units) if memory.type == t.AMOUNT else str(start)
                title = book.display.titles.get(name, name.replace("_", " "))
                yield Block("point", f"{title}: {worded}{whose}", 1)


def _tell_scripts(pieces: Set) -> Iterator[Block]:
    """Tell rules and actions from their scripts."""
    whole = Sheet(pieces.game.rulebook, HouseRules(pieces.game.rulebook.options, dict(pieces.game.options)))
    for entry in whole.list_entries():
        lines = whole.tell_entry(entry) if entry.sort in (RULES, ACTIONS, WHENEVER) else []
        if lines:
            yield Block("heading", entry.name)
        for line in lines:
            yield Block("point" if line.depth else "text", line.text, line.depth)


_KEPT = {
    "bag": "mixed up in a bag or face down", "pile": "a pile", "row": "in a row", "loose": "in no order",
    "slot": "one at most", "pool": "a heap", "grid": "on the board",
}  # fmt: skip
_SEEN = {
    "nobody": "face down, nobody looks", "owner": "only you look", "others": "all look but you",
    "everyone": "face up", "top": "the uppermost face up",
}  # fmt: skip


def word_place(book: ir.Rulebook, place: ir.PlaceDef, look: Looks) -> str:
    """Word what lies in a place, how, and who sees it: `special cards, a pile, face down, nobody looks`."""
    kinds = sorted(place.holds)
    shared = [name for name in book.kinds if all(name in (kind, *book.kinds[kind].ancestors) for kind in kinds)]
    names = shared[-1:] or kinds
    nouns = [look.kinds[name][1] if name in look.kinds else name.replace("_", " ") for name in names]
    seen = place.seen_by.value if isinstance(place.seen_by, ir.Const) else ""
    words = ", ".join([*nouns, _KEPT[place.kept], *([_SEEN[str(seen)]] if seen in _SEEN else [])])
    return words[:1].upper() + words[1:]
