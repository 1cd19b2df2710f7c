"""The lines of `expect`: questions about the table, what may be chosen, what is seen, what is in a log, who has won.

A line is read as an `Expectation`, and `referee` finds out whether it is so.
"""

from __future__ import annotations

from typing import TypeAlias

from attrs import field

from rulebook.classes import frozen
from rulebook.diagnostics import did_you_mean
from rulebook.dsl import document as d
from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.parsing.parser import parse_expectation, parse_expression
from rulebook.playtest.scenarios.answers import STATED, Wanted, check_states, read_named
from rulebook.playtest.scenarios.ground import Reader
from rulebook.source import Span


@frozen
class Holds:
    """`wealth(Ana) is 500 CU`"""

    question: ir.Expr


@frozen
class MayChoose:
    """`Ana may choose [take, put]`: exactly these; `pass` counts only where it is named."""

    player: ir.Expr
    wanted: tuple[Wanted, ...]


@frozen
class MayNotChoose:
    """`Ana may not choose flip`: she is asked, and it is not among the options."""

    player: ir.Expr
    wanted: tuple[Wanted, ...]


@frozen
class MayChooseUpTo:
    """`Ana may choose up to 2`: she is asked, and not for more."""

    player: ir.Expr
    most: int


@frozen
class IsAsked:
    """`Ana is asked`, `Ana is not asked`"""

    player: ir.Expr
    wanted: bool


@frozen
class SeesNobodyAsked:
    """`Ben sees nobody asked`: as far as Ben can know, the game waits for no player."""

    player: ir.Expr


@frozen
class SeesCount:
    """`Ben sees 5 cards in Ana.hand`: so many lie there of which Ben does not know which they are."""

    player: ir.Expr
    count: int
    place: ir.Expr


@frozen
class SeesCards:
    """`Ben sees pearls in Ana.hand`: Ben knows that it lies there; of a family, any one; of `"die[face=5]"`, a copy
    with this on it.
    """

    player: ir.Expr
    wanted: tuple[tuple[str, ...], ...]
    place: ir.Expr


@frozen
class LogHas:
    """`log of Ben has "Pearls"`: a line that Ben was told contains it; `has no`, and none does."""

    player: ir.Expr
    text: str
    wanted: bool = True


@frozen
class Wins:
    """`Ana wins`, `[Ana, Ben] win`, `nobody wins`: the game is over, and these have won it and nobody else."""

    players: ir.Expr | None


Form: TypeAlias = (
    Holds | MayChoose | MayNotChoose | MayChooseUpTo | IsAsked | SeesNobodyAsked | SeesCount | SeesCards | LogHas | Wins
)


@frozen
class Expectation:
    """One line of `expect`, as it was written and as it is tested."""

    text: str
    form: Form = field(repr=False)
    span: Span = field(eq=False, repr=False)


def read_question(reader: Reader, node: d.Scalar) -> ir.Expr | None:
    """Read a question with the answer yes or no: `until`."""
    tree, mistakes = parse_expression(node, reader.where)
    reader.messages.extend(mistakes)
    if tree is None:
        return None
    return reader.open_expressions().check_question(tree)


def read_expectation(reader: Reader, node: d.Node) -> Expectation | None:
    if not isinstance(node, d.Scalar):
        help = 'A line with a list at its end needs quotes: `"Ana may choose [take, put]"`.'
        what, wanted, got = "An expectation", "a line of text", d.kind_of(node)
        reader.report("RB112", node.span, help, what=what, wanted=wanted, got=got)
        return None
    tree, mistakes = parse_expectation(node, reader.where)
    reader.messages.extend(mistakes)
    form = None if tree is None else _read_form(reader, tree)
    return None if form is None else Expectation(node.text.strip(), form, node.span)


def _read_form(reader: Reader, tree: s.Expectation) -> Form | None:
    """Find the form of a line, and check its parts; None for a mistake that leaves nothing to test."""
    match tree.form, tree.subject, tree.value:
        case "holds", _, s.Compare(("is" | "is not") as operator, subject, s.Word("asked")):
            return IsAsked(_read_player(reader, subject), operator == "is")
        case "holds", _, value if value is not None:
            return Holds(reader.open_expressions().check_question(value))
        case "may choose", subject, value if subject is not None and value is not None:
            return MayChoose(_read_player(reader, subject), read_named(reader, value))
        case "may not choose", subject, value if subject is not None and value is not None:
            return MayNotChoose(_read_player(reader, subject), read_named(reader, value))
        case "may choose up to", subject, s.Number(most) if subject is not None:
            return MayChooseUpTo(_read_player(reader, subject), most)
        case "nobody asked", subject, _ if subject is not None:
            return SeesNobodyAsked(_read_player(reader, subject))
        case "sees", subject, s.Compare("in", what, place) if subject is not None:
            return _read_sight(reader, subject, what, place)
        case ("has" | "has no") as has, s.Of("log", player), s.Text(parts):
            text = "".join(part for part in parts if isinstance(part, str))
            return LogHas(_read_player(reader, player), text, wanted=has == "has")
        case "wins" | "win", subject, _ if subject is not None:
            return Wins(reader.open_expressions().check_players(subject))
        case "nobody wins", _, _:
            return Wins(None)
    expected = {
        "sees": "`Ben sees 5 cards in Ana.hand`, `Ben sees pearls in Ana.hand` or `Ben sees nobody asked`",
        "has": '`log of Ben has "…"`',
        "has no": '`log of Ben has no "…"`',
    }.get(tree.form, "an expectation")
    text = tree.at.words
    reader.report("RB201", tree.at.span, "", doing="an expectation", expected=expected, found=f"`{text}`")
    return None


def _read_player(reader: Reader, tree: s.Expr) -> ir.Expr:
    """Read who is asked, or looks."""
    e = reader.open_expressions()
    return e.expect(e.check_value(tree), t.PLAYER, tree.at, "This")


def _read_sight(reader: Reader, subject: s.Expr, what: s.Expr, where: s.Expr) -> Form:
    """Read how many cards, or which ones, a player sees in a place."""
    player, e = _read_player(reader, subject), reader.open_expressions()
    place = e.check_spot(where)
    if isinstance(what, s.Number) and what.unit in ("card", "cards", "piece", "pieces"):
        return SeesCount(player, what.value, place)
    families = []
    for item in what.items if isinstance(what, s.Listed) else (what,):
        family = e.find_definitions(item)
        if isinstance(item, s.Text) and (card := STATED.fullmatch("".join(map(str, item.parts)))):
            family = e.world.find_definitions(card[1])
            if len(family) == 1:
                check_states(reader, family[0], card[2], item.at.span)
                family = (f"{family[0]}[{card[2]}]",)
        if not family:
            text = item.at.words
            help = "Say which card, or how many: `5 cards`."
            if not isinstance(item, s.Number):
                help = did_you_mean(text, reader.ground.world.cards)
            reader.report("RB301", item.at.span, help, wanted="card", name=text)
        families.append(family)
    return SeesCards(player, tuple(families), place)
