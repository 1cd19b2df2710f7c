"""Answers of a scenario: matching its words to an option of a decision, or to an outcome of chance.

An option is meant by its whole key (`card:note_20.euro[currency=yen]`), by the key without its sort
(`note_20.euro`), without what only tells equal things apart, or by its label; an option that is a list by the words of
its members (`[ruby, opal]`), in their order where they have one. A position of a grid is meant by its number or as the
screen names it (`Ana.grid.6`, `Ana.grid.c2`). Words that fit two options fit none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from attrs import evolve, field

from rulebook.classes import frozen
from rulebook.diagnostics import did_you_mean
from rulebook.dsl import document as d
from rulebook.dsl import syntax as s
from rulebook.dsl.commas import cut_off
from rulebook.dsl.sourcemap import unfold
from rulebook.interpreter.decisions import PASS, Option
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.wording import name_position, place_key
from rulebook.playtest.scenarios.ground import Reader
from rulebook.source import Span

_SORTS = frozenset({"card", "player", "word", "number", "action", "label", "place", "cell", "list"})
_LIST = "list:"
_NUMBER = re.compile(r"-?[0-9]+")
_AMOUNT = re.compile(r"(-?[0-9]+) *([A-Za-z]\w*)")
_SPOT = re.compile(r"(\[[^\]]*\]|@[^@]*|#[0-9]+)+$")
STATED = re.compile(r"([^\[\]]+)\[([^\[\]]*=[^\[\]]*)\]")
"""A card as options tell copies apart, `die[face=5]`: which card, and what is seen on it."""
_ORDINAL = re.compile(r"#[0-9]+$")
_POSITION = re.compile(r"(.+\.)([a-z]+[1-9][0-9]*)")

Positions: TypeAlias = Mapping[str, Mapping[str, int]]
"""The number of each position of each grid, from 1, by the grid and the name that the screen has for the position."""


class Unfit(Exception):
    """Words that mean no option, or more than one; the sentence says so."""


@frozen
class Wanted:
    """One option in the words of a scenario; `number` is an amount in the smallest unit, `members` are of a list."""

    text: str
    number: int | None = None
    span: Span | None = field(default=None, eq=False, repr=False)
    members: tuple[Wanted, ...] | None = None

    @classmethod
    def list_of(cls, members: Sequence[Wanted], span: Span | None = None) -> Wanted:
        return cls(f"[{', '.join(member.text for member in members)}]", None, span, tuple(members))


@frozen
class Answer:
    """One entry of `answers`: what each of these seats answers in one decision."""

    by_seat: tuple[tuple[int, tuple[Wanted, ...]], ...]
    span: Span = field(eq=False, repr=False)


@frozen
class Rest:
    """The way of playing on when the answers are used up: "first", "random", or at random but for some options."""

    how: str
    avoid: tuple[Wanted, ...] = ()


# ── matching ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def map_positions(machine: Machine) -> Positions:
    """Number the positions of all grids."""
    program = machine.program
    return {
        place_key(program, machine.names, place): {
            name_position(at, place.columns): at + 1 for at in range(place.rows * place.columns)
        }
        for place in program.layout.places
        if place.kept == "grid"
    }


def _number_position(wanted: Wanted, positions: Positions) -> Wanted:
    """Name a position by its number, where it is named as on the screen."""
    if wanted.members is not None:
        return Wanted.list_of([_number_position(member, positions) for member in wanted.members], wanted.span)
    named = _POSITION.fullmatch(wanted.text)
    number = positions.get(named[1].rpartition("@")[2][:-1], {}).get(named[2]) if named else None
    return wanted if number is None or named is None else evolve(wanted, text=f"{named[1]}{number}")


def matching(wanted: Wanted, options: Iterable[tuple[str, str]], positions: Positions | None = None) -> list[str]:
    """The keys that these words may mean, of (key, label) pairs: those that fit best, all equally well."""
    pairs = list(dict.fromkeys(options))
    wanted = _number_position(wanted, positions or {})
    text = wanted.text
    if wanted.members is not None:
        return _lists(wanted.members, pairs)
    numbers = (f"number:{wanted.number}", f"amount:{wanted.number}")
    ways: tuple[Callable[[str, str], bool], ...] = (
        lambda key, label: key == text,
        lambda key, label: text == _body(key) or key in numbers,
        lambda key, label: text in (_SPOT.sub("", _body(key)), _body(key).lstrip("?@")),
        lambda key, label: text == label,
    )
    fitting = ([key for key, label in pairs if fits(key, label)] for fits in ways)
    return next((keys for keys in fitting if keys), [])


def _lists(members: Sequence[Wanted], pairs: Sequence[tuple[str, str]]) -> list[str]:
    """The keys of the lists with these members, if there are any in this order, else in any order."""
    wanted = [member.text if member.number is None else str(member.number) for member in members]
    lists = {key: _members(key) for key, _ in pairs if key.startswith(_LIST)}
    return [key for key, members in lists.items() if members == wanted] or [
        key for key, members in lists.items() if sorted(members) == sorted(wanted)
    ]


def _members(key: str) -> list[str]:
    listed = key.removeprefix(_LIST)
    return listed.split("+") if listed else []


def wanted_by(wanted: Wanted, options: Sequence[Option], positions: Positions) -> str:
    """The key of the one option that these words mean, or Unfit."""
    keys = matching(wanted, [(option.key, option.label) for option in options], positions)
    if len(keys) == 1:
        return keys[0]
    if keys:
        raise Unfit(f"`{wanted.text}` could be {' or '.join(f'`{key}`' for key in keys)}")
    raise Unfit(f"`{wanted.text}` is not among the options: {shown(option.key for option in options)}")


def shown(keys: Iterable[str]) -> str:
    """Keys as a scenario would name them."""
    return f"[{', '.join(map(_show, keys))}]"


def _show(key: str) -> str:
    """Name an option as a scenario would: a list in brackets, a copy that is told apart in quotes."""
    if key.startswith(_LIST):
        return f"[{', '.join(_members(key))}]"
    return f'"{_body(key)}"' if key.startswith("card:") and _SPOT.search(key) else _body(key)


def _body(key: str) -> str:
    sort, colon, rest = key.partition(":")
    return rest if colon and sort in _SORTS else key


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_wanted(reader: Reader, node: d.Node) -> tuple[Wanted, ...]:
    """Read one option, or a list of them: `chance`, `not`."""
    leaves = _whole_labels(reader, node) if isinstance(node, d.Sequence) else [node]
    read = [_read_leaf(reader, leaf) for leaf in leaves]
    return tuple(leaf for leaf in read if leaf is not None)


def _whole_labels(reader: Reader, node: d.Sequence) -> list[d.Node]:
    """Return the entries of a list without labels that a comma cut in two; each is reported once."""
    whole: list[d.Node] = []
    left = list(node)
    while left:
        for end in range(len(left), 1, -1):
            span = Span(left[0].span.file, left[0].span.start, left[end - 1].span.end)
            if (text := unfold(span.text)) in reader.ground.labels:
                help = f'The comma cut a text in two. Put quotes around all of it: `"{text}"`.'
                reader.report("RB301", span, help, wanted="option", name=left[0].span.text)
                del left[:end]
                break
        else:
            whole.append(left.pop(0))
    return whole


def _read_leaf(reader: Reader, node: d.Node) -> Wanted | None:
    if isinstance(node, d.Sequence):
        return Wanted.list_of(read_wanted(reader, node), node.span)
    if isinstance(node, d.Scalar) and d.kind_of(node) != "nothing":
        return _read_words(reader, node.text, node.span, quoted=node.style != "plain")
    help = ""
    if isinstance(node, d.Mapping) and all(isinstance(below, d.Mapping) for below in node.values()):
        help = 'Copies are told apart by what is seen on them, in brackets and quotes: `"die[face=5]"`.'
    reader.report("RB112", node.span, help, what="An answer", wanted="the name of an option", got=d.kind_of(node))
    return None


def read_answers(reader: Reader, node: d.Node) -> tuple[Answer, ...]:
    """Read `answers`: a list with a map for each decision."""
    if not isinstance(node, d.Sequence):
        reader.report("RB112", node.span, what="`answers`", wanted="a list", got=d.kind_of(node))
        return ()
    answers = []
    for entry in node:
        if not isinstance(entry, d.Mapping):
            wanted = "a player and the answer, like `Ana: take`"
            reader.report("RB112", entry.span, what="An entry of `answers`", wanted=wanted, got=d.kind_of(entry))
            continue
        by_seat = []
        rests = {name: help for name in entry if name not in reader.seats and (help := cut_off(entry, name))}
        cut = {before for before, name in pairwise(entry) if name in rests}
        for name, value in entry.items():
            if name in reader.seats:
                # Of a text that a comma cut in two the rest is reported, and no half of it is a mistake by itself.
                by_seat.append((reader.seats.index(name), () if name in cut else read_wanted(reader, value)))
            elif name not in rests or name == next(iter(rests)):
                help = rests.get(name) or did_you_mean(name, reader.seats)
                reader.report("RB301", entry.keys_at[name].span, help, wanted="player", name=name)
        answers.append(Answer(tuple(by_seat), entry.span))
    return tuple(answers)


def read_rest(reader: Reader, node: d.Node) -> Rest | None:
    """Read `rest`: `first`, `random`, or `{not: [flip]}`."""
    if isinstance(node, d.Scalar) and node.text in ("first", "random"):
        return Rest(node.text)
    if isinstance(node, d.Mapping) and list(node) == ["not"]:
        return Rest("random", read_wanted(reader, node["not"]))
    reader.report_misfit(node, "`rest`", "`first`, `random` or `{not: [option]}`")
    return None


def read_named(reader: Reader, tree: s.Expr) -> tuple[Wanted, ...]:
    """Read the options that an expression names: `[take, put]`, `flip`, `200 CU`, `"Keep it"`."""
    return tuple(_read_tree(reader, item) for item in (tree.items if isinstance(tree, s.Listed) else (tree,)))


def _read_tree(reader: Reader, tree: s.Expr) -> Wanted:
    text = tree.at.words
    match tree:
        case s.Text((str(words),)):
            return _read_words(reader, words, tree.at.span, quoted=True)
        case s.Listed():
            return Wanted.list_of(read_named(reader, tree), tree.at.span)
        case s.Word() | s.Dot() | s.Number() | s.YesNo() | s.Negative(s.Number()):
            return _read_words(reader, text, tree.at.span)
    wanted = "the name of one: a card, a player, a word, an amount or a label in quotes"
    reader.report("RB112", tree.at.span, what="An option", wanted=wanted, got=f"`{text}`")
    return Wanted(text)


def _read_words(reader: Reader, text: str, span: Span, *, quoted: bool = False) -> Wanted:
    """Read an option, with a message if none of this game can ever be meant by these words."""
    ground, world, units = reader.ground, reader.ground.world, reader.ground.rulebook.units
    plain, amount, (sort, colon, rest) = Wanted(text, None, span), _AMOUNT.fullmatch(text), text.partition(":")
    if amount is not None and amount[2] in units:
        return evolve(plain, number=int(amount[1]) * units[amount[2]])
    if (colon and sort in (*_SORTS, "amount") and rest) or text in (PASS, "yes", "no") or _NUMBER.fullmatch(text):
        return plain
    words = [word for words in world.words.values() for word in words]
    names = [*reader.seats, *world.cards, *world.actions, *words]
    copy = _ORDINAL.sub("", text)
    if text in names or ground.is_label(text) or _is_spot(reader, copy):
        return plain
    if amount is not None and not quoted:
        reader.report("RB308", span, did_you_mean(amount[2], units), name=amount[2])
        return plain
    known = list(dict.fromkeys([*names, *ground.labels, PASS]))
    card, at, place = copy.partition("@")
    stated = STATED.fullmatch(card)
    if (stated[1] if stated else card) in world.cards:
        if stated:
            check_states(reader, stated[1], stated[2], span)
        if at and not _is_spot(reader, place):
            reader.report("RB301", span, did_you_mean(place, world.places), wanted="place", name=place)
        return plain
    help = reader.list_family(text) or _name_positions(reader, text) or did_you_mean(text, known) or None
    wanted = "card" if text.partition(".")[0] in {*world.families, *world.cards} else "option"
    reader.report("RB301", span, help, wanted=wanted, name=text)
    return plain


def check_states(reader: Reader, card: str, states: str, span: Span) -> None:
    """Report what is no state of a card, in `face=5,exposed=yes`."""
    world = reader.ground.world
    known = [name for name, state in world.states.items() if world.cards[card].kind in state.kinds]
    for name, _, _ in (state.partition("=") for state in states.split(",")):
        if name not in known:
            reader.report("RB301", span, did_you_mean(name, known), wanted=f"state of `{card}`", name=name)


def _is_spot(reader: Reader, text: str) -> bool:
    """True for a place, or a position of one: `Ana.hand`, `board.3`, and `board.c1` of a grid."""
    place, _, position = text.lstrip("?@").rpartition(".")
    if place and position.isdecimal():
        return _find_kept(reader, place) is not None
    if place and _POSITION.fullmatch(text) and _find_kept(reader, place) == "grid":
        return True
    return _find_kept(reader, text.lstrip("?@")) is not None


def _find_kept(reader: Reader, text: str) -> str | None:
    """Tell how cards lie in the place that these words name; None if they name none."""
    owner, _, name = text.rpartition(".")
    place = reader.ground.world.places.get(name)
    if place is None:
        return None
    is_there = owner in reader.seats if place.owner == "player" else owner in reader.ground.world.cards or not owner
    return place.kept if is_there else None


def _name_positions(reader: Reader, text: str) -> str:
    """Say how a position is named, for whoever wrote a grid or row and no position of it."""
    place = text.lstrip("?@").rpartition(".")[0]
    match _find_kept(reader, place):
        case "grid":
            return (
                f"The positions of `{place}` are numbers, row by row, as in `{place}.1`; "
                f"or what the screen calls them, column and row, as in `{place}.a1`."
            )
        case "row":
            return f"The positions of `{place}` are numbers, from the left, as in `{place}.1`."
    return ""
