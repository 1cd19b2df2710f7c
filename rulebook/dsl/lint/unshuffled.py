"""Lint: a pile that is filled in the order of the file, dealt from face down, and shuffled nowhere.

Bad: `move cards to deck`, then `deal 5 from deck to each hand`. Good: `shuffle deck` between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook.diagnostics import Diagnostic, Label
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.lint.book import Book
from rulebook.dsl.walk import everything

_HIDDEN = frozenset({"nobody", "owner"})


def find_unshuffled(book: Book) -> Iterator[Diagnostic]:
    """Find every pile that nobody sees, and from which each game deals the same cards; told where it is filled.

    A pile whose cards are laid open may mean them to come in the order of the file.
    """
    mixed = _find_mixed(book)
    for name, place in book.rulebook.places.items():
        if mixed is None or name in mixed or place.kept != "pile" or not _is_hidden(book, name):
            continue
        dealt = next((move for move in book.all(ir.Moving) if _is_dealt(book, name, move)), None)
        if dealt is None or dealt.at is None:
            continue
        for home in book.homes.values():
            for move in home.of(ir.Move):
                if _goes_to(move, name) and _is_as_printed(book, place, move.cards):
                    labels = [Label(dealt.at.span, "dealt here, the same in every game")]
                    yield from book.report("RB519", home, move.at, name=name, labels=labels)


def _find_mixed(book: Book) -> set[str] | None:
    """Find the places of which chance or a player may put the cards in order; None if that may be any."""
    mixed = {name for name, place in book.rulebook.places.items() if place.kept == "bag"}
    for mix in book.all(ir.Shuffle, ir.PickRandom, ir.Arrange):
        goal = mix.place if isinstance(mix, ir.Shuffle) else mix.cards if isinstance(mix, ir.Arrange) else mix.source
        names = {part.name for part in everything(goal) if isinstance(part, ir.PlaceOf)}
        if not names and not isinstance(mix, ir.PickRandom):
            return None
        mixed |= names
    for handing in book.all(ir.DoRule, ir.DoHook):
        # There the place has another name.
        mixed |= {argument.name for argument in handing.arguments if isinstance(argument, ir.PlaceOf)}
    moves = book.all(ir.Moving)
    before: set[str] = set()
    while before != mixed:
        before = set(mixed)
        for name in book.rulebook.places:
            if any(_goes_to(move, name) and _comes_from(move, before) for move in moves):
                mixed.add(name)
    return mixed


def _goes_to(move: ir.Moving, name: str) -> bool:
    return any(not isinstance(goal, ir.PlaceOf) or goal.name == name for goal in ir.find_goals(move))


def _comes_from(move: ir.Moving, mixed: set[str]) -> bool:
    """Tell whether chance may have a say in which cards a sentence moves."""
    if isinstance(move, ir.Move) and _is_box(_strip_filters(move.cards)):
        return False
    taken = everything(*ir.find_taken(move))
    drawn = isinstance(move, ir.Drawing) and not any(isinstance(node, ir.PlaceOf) for node in taken)
    return drawn or any(isinstance(node, ir.PlaceOf) and node.name in mixed | {"box"} for node in taken)


def _is_hidden(book: Book, name: str) -> bool:
    return book.world.places[name].seen_by <= _HIDDEN


def _is_dealt(book: Book, name: str, move: ir.Moving) -> bool:
    """Tell whether a sentence takes cards from the top of this pile to where not all see them."""
    match move:
        case ir.Deal(source=ir.PlaceOf(source), place=goal):
            return source == name and _is_hidden(book, goal)
        case ir.Draw(source=ir.PlaceOf(source), goal=ir.PlaceOf(goal), face=face):
            return source == name and face != "up" and _is_hidden(book, goal)
        case ir.Move(ir.BuiltIn("first", (ir.Cards(ir.PlaceOf(source)), *_)), ir.PlaceOf(goal), face=face):
            return source == name and face != "up" and _is_hidden(book, goal)
    return False


def _is_box(cards: ir.Expr) -> bool:
    """Tell whether these are all cards of the box, which lie there in the order of the file."""
    match cards:
        case ir.Cards(ir.PlaceOf("box")) | ir.PlaceOf("box"):
            return True
    return False


def _strip_filters(cards: ir.Expr) -> ir.Expr:
    while isinstance(cards, ir.Filter):
        cards = cards.list
    return cards


def _is_as_printed(book: Book, place: ir.PlaceDef, cards: ir.Expr) -> bool:
    """Tell whether these are different cards, in the order of the file."""
    source = cards
    while isinstance(source, ir.Filter):
        for part in everything(source.condition):
            if isinstance(part, ir.IsCard | ir.SameCards) or (isinstance(part, ir.Compare) and part.operator == "=="):
                return False  # they may all be alike
        source = source.list
    if not _is_box(source) and (not isinstance(source, ir.AllCards) or source.only is not None):
        return False
    kinds = t.kinds_of(*(member.item if isinstance(member, t.ListOf) else member for member in t.members(cards.type)))
    return sum(card.kind in kinds & place.holds for card in book.rulebook.cards.values()) > 1
