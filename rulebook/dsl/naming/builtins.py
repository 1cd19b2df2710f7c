"""The questions that are built into the language: their names, what they take and what they answer."""

from __future__ import annotations

from collections.abc import Callable

from rulebook.classes import frozen
from rulebook.dsl import types as t


class Wanted(Exception):
    """The arguments do not fit: which (from 0), and what it should be, in words."""

    def __init__(self, argument: int, wanted: str) -> None:
        super().__init__(argument, wanted)
        self.argument, self.wanted = argument, wanted


@frozen
class BuiltIn:
    """One question: how many arguments it takes, how it types, and a sentence for the reference."""

    name: str
    least: int
    most: int
    answer: Callable[[tuple[t.Type, ...]], t.Type]
    about: str


def _find_item_type(types: tuple[t.Type, ...]) -> t.Type:
    """The item type of the first argument, which is a list."""
    first = types[0]
    if first == t.UNKNOWN:
        return t.UNKNOWN
    if isinstance(first, t.TableOf) and not t.has_numbers(first):
        return t.surely(first.item)
    if not isinstance(first, t.ListOf):
        raise Wanted(0, "a list")
    return first.item


def _check_numeric(item: t.Type, index: int, wanted: str) -> t.Type:
    if item == t.UNKNOWN or t.fits(item, t.NUMBER) or t.fits(item, t.AMOUNT):
        return item
    raise Wanted(index, wanted)


def _type_sum(types: tuple[t.Type, ...]) -> t.Type:
    first = types[0]
    if isinstance(first, t.TableOf) and t.has_numbers(first):
        return first.item
    return _check_numeric(_find_item_type(types), 0, "a list of numbers or amounts (`value of …`)")


def _type_count(types: tuple[t.Type, ...]) -> t.Type:
    if not (isinstance(types[0], t.Place) and types[0].kept == "pool"):
        _find_item_type(types)
    return t.NUMBER


def _type_extreme(types: tuple[t.Type, ...]) -> t.Type:
    for index, one in enumerate(types):
        if isinstance(one, t.TableOf) and t.has_numbers(one):
            return one.item if len(types) == 1 else _type_extreme_of_table(one, types[1 - index], 1 - index)
    if isinstance(types[0], t.ListOf) or types[0] == t.UNKNOWN:
        item = _check_numeric(_find_item_type(types), 0, "a list of numbers or amounts")
        if len(types) == 1:
            return t.maybe(item)
        return t.either(item, _check_numeric(types[1], 1, "a number, for when the list is empty"))
    if len(types) == 1:
        raise Wanted(0, "a list, or two numbers")
    first = _check_numeric(types[0], 0, "a number or an amount")
    second = _check_numeric(types[1], 1, "a number or an amount")
    return first if first == second or second == t.NUMBER else second


def _type_extreme_of_table(table: t.TableOf, other: t.Type, index: int) -> t.Type:
    """Check what a table is compared with, entry by entry: one like it, or one number for all."""
    if other not in (table, table.item):
        raise Wanted(index, f"{t.word_type(table)}, or {t.word_type(table.item)}")
    return table


def _type_any(types: tuple[t.Type, ...]) -> t.Type:
    item = _find_item_type(types)
    if isinstance(item, t.ListOf) and t.fits(item.item, t.YES_NO):
        raise Wanted(0, "a list of yes or no (`any(x.ok for x in S)`)")
    return t.YES_NO


def _type_all(types: tuple[t.Type, ...]) -> t.Type:
    if not t.fits(_find_item_type(types), t.YES_NO):
        raise Wanted(0, "a list of yes or no (`all(x.ok for x in S)`)")
    return t.YES_NO


def _type_end(types: tuple[t.Type, ...]) -> t.Type:
    item = _find_item_type(types)
    if len(types) == 1:
        return t.maybe(item)
    _check_numeric(types[1], 1, "how many")
    return t.ListOf(item)


def _type_same(types: tuple[t.Type, ...]) -> t.Type:
    return t.ListOf(_find_item_type(types))


def _type_holder(types: tuple[t.Type, ...]) -> t.Type:
    if not all(isinstance(member, t.Card | t.Nothing) for member in t.members(types[0])):
        raise Wanted(0, "a card")
    return t.maybe(t.PLAYER)


def _type_seat(types: tuple[t.Type, ...]) -> t.Type:
    if not all(member in (t.PLAYER, t.NOTHING) for member in t.members(types[0])):
        raise Wanted(0, "a player")
    return t.NUMBER


def _type_around(types: tuple[t.Type, ...]) -> t.Type:
    if isinstance(types[0], t.Card) or types[0] == t.UNKNOWN:
        return t.ListOf(types[0])
    if isinstance(types[0], t.Cell):
        return t.ListOf(t.CELL)
    raise Wanted(0, "a card that lies on a grid, or a cell")


def _type_lines(types: tuple[t.Type, ...]) -> t.Type:
    if isinstance(types[0], t.Place) and types[0].kept in ("grid", "row"):
        if len(types) > 1:
            return t.ListOf(t.ListOf(t.maybe(t.Card(types[0].holds))))
        return t.ListOf(t.ListOf(t.Card(types[0].holds)))
    raise Wanted(0, "a grid")


def _type_cells(types: tuple[t.Type, ...]) -> t.ListOf:
    if isinstance(types[0], t.Place) and types[0].kept in ("grid", "row"):
        return t.ListOf(t.CELL)
    raise Wanted(0, "a grid or a row")


def _type_cell(types: tuple[t.Type, ...]) -> t.Type:
    return t.maybe(t.surely(_type_cells(types).item))


def _type_number_on_grid(types: tuple[t.Type, ...]) -> t.Type:
    _type_around(types)
    return t.NUMBER


BUILT_INS = {
    built_in.name: built_in
    for built_in in (
        BuiltIn("sum", 1, 1, _type_sum, "The sum of a list of numbers or amounts, or of a table; 0 of an empty one."),
        BuiltIn("count", 1, 1, _type_count, "How many there are in a list, a place or a pool."),
        BuiltIn(
            "min",
            1,
            2,
            _type_extreme,
            "The smaller of two, or the smallest of a list (a second argument for an empty one); of tables by entry.",
        ),
        BuiltIn(
            "max",
            1,
            2,
            _type_extreme,
            "The larger of two, or the largest of a list (a second argument for an empty one); of tables by entry.",
        ),
        BuiltIn(
            "any", 1, 1, _type_any, "Whether there is any in the list; of a list of yes or no, whether one is yes."
        ),
        BuiltIn("all", 1, 1, _type_all, "Whether every answer of the list is yes."),
        BuiltIn("distinct", 1, 1, _type_same, "The list with every value once, in the order of first appearance."),
        BuiltIn("first", 1, 2, _type_end, "The first of a list, or nothing; with a number, that many from the front."),
        BuiltIn("last", 1, 2, _type_end, "The last of a list, or nothing; with a number, that many from the end."),
        BuiltIn("holder", 1, 1, _type_holder, "The player in one of whose places a card lies, or nothing."),
        BuiltIn("seat", 1, 1, _type_seat, "The number of a player's seat, 1 for the first, in the order of play."),
        BuiltIn("beside", 1, 1, _type_around, "The up to four neighbours on a grid."),
        BuiltIn("around", 1, 1, _type_around, "The up to eight neighbours on a grid."),
        BuiltIn("row", 1, 1, _type_around, "Everything in the same row of a grid, itself included."),
        BuiltIn("column", 1, 1, _type_around, "Everything in the same column of a grid, itself included."),
        BuiltIn("rows", 1, 1, _type_lines, "The rows of a grid, each a list."),
        BuiltIn("columns", 1, 1, _type_lines, "The columns of a grid, each a list."),
        BuiltIn(
            "lines", 2, 2, _type_lines, "Every straight line of that many positions of a grid, in all four directions."
        ),
        BuiltIn("cells", 1, 1, _type_cells, "The positions of a grid or row."),
        BuiltIn("cell", 3, 3, _type_cell, "The position in a row and a column of a grid, from 1; or nothing."),
        BuiltIn("row_number", 1, 1, _type_number_on_grid, "The number of the row in which it lies, 1 at the top."),
        BuiltIn("column_number", 1, 1, _type_number_on_grid, "The number of its column, 1 at the left."),
    )
}
PLACES_ITSELF = frozenset({"rows", "columns", "lines", "cells", "cell"})
"""Questions about a place and not about the cards in it."""
