"""What a scenario expects in the end: questions about the table, what may be chosen, what is seen, what is in
a log, who has won.

In: the lines of `expect`, then the end of a run, seen by a `Referee`. Out: an `Expectation` for each line,
checked against the game, and of each either nothing or a sentence that says what came instead. Never: changes
a state; asks with less than the full knowledge of a referee, but for the forms that say whose eyes they look
through.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import field, frozen

from rulebook.diagnostics import Diagnostic, diagnose, did_you_mean
from rulebook.dsl import document as d
from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking.expressions import Expressions
from rulebook.dsl.parsing.parser import parse_expectation, parse_expression
from rulebook.interpreter.decisions import PASS, Ask
from rulebook.playtest.scenarios.answers import Wanted, matching, shown, wanted_in
from rulebook.playtest.scenarios.ground import Ground, Question
from rulebook.source import Span

if TYPE_CHECKING:
    from rulebook.playtest.scenarios.referee import Referee

__all__ = ["Expectation", "read_expectation", "read_question"]

_LAST_LINES = 6


# ── forms ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Holds:
    """`wealth(Ana) is 500 CU`"""

    question: Question

    def fault(self, table: Referee) -> str | None:
        """None if it is so, else what is so."""
        if table.answer(self.question):
            return None
        # To read an expectation, nothing needs to run.
        from rulebook.playtest.scenarios.reasons import reason

        return reason(self.question, table)


@frozen
class MayChoose:
    """`Ana may choose [take, put]`: exactly these; `pass` counts only where it is named."""

    player: Question
    wanted: tuple[Wanted, ...]

    def fault(self, table: Referee) -> str | None:
        """None if these are all the options."""
        ask = _asked(self.player, table)
        if isinstance(ask, str):
            return ask
        pairs = [(option.key, option.label) for option in ask.options]
        named = {key for one in self.wanted for key in matching(one, pairs)}
        missing = [one.text for one in self.wanted if not matching(one, pairs)]
        more = [key for key in ask.keys if key not in named and key != PASS]
        if not missing and not more:
            return None
        parts = [f"not {_list(missing)}"] if missing else []
        parts += [f"also {_list([shown([key])[1:-1] for key in more])}"] if more else []
        return f"the options are {shown(ask.keys)} ({', '.join(parts)})"


@frozen
class MayNotChoose:
    """`Ana may not choose flip`: she is asked, and it is not among the options."""

    player: Question
    wanted: tuple[Wanted, ...]

    def fault(self, table: Referee) -> str | None:
        """None if none of these is an option."""
        ask = _asked(self.player, table)
        if isinstance(ask, str):
            return ask
        pairs = [(option.key, option.label) for option in ask.options]
        there = [one.text for one in self.wanted if matching(one, pairs)]
        return f"{_list(there)} is among the options: {shown(ask.keys)}" if there else None


@frozen
class MayChooseUpTo:
    """`Ana may choose up to 2`: she is asked, and not for more."""

    player: Question
    most: int

    def fault(self, table: Referee) -> str | None:
        """None if the most that may be chosen is this number."""
        ask = _asked(self.player, table)
        if isinstance(ask, str):
            return ask
        return None if ask.at_most == self.most else f"{table.names[ask.seat]} may choose up to {ask.at_most}"


@frozen
class IsAsked:
    """`Ana is asked`, `Ana is not asked`"""

    player: Question
    wanted: bool

    def fault(self, table: Referee) -> str | None:
        """None if it is so."""
        ask = _asked(self.player, table)
        if isinstance(ask, str):
            return ask if self.wanted else None
        return None if self.wanted else f"{table.names[ask.seat]} is asked for one of {shown(ask.keys)}"


@frozen
class SeesNobodyAsked:
    """`Ben sees nobody asked`: as far as Ben can know, the game waits for no player."""

    player: Question

    def fault(self, table: Referee) -> str | None:
        """None if Ben sees nobody whom the game waits for."""
        waiting = table.view(_seat(self.player, table))["waiting"]
        return f"{_list(waiting)} is asked" if isinstance(waiting, list) and waiting else None


@frozen
class SeesCount:
    """`Ben sees 5 cards in Ana.hand`: so many lie there of which Ben does not know which they are."""

    player: Question
    count: int
    place: Question

    def fault(self, table: Referee) -> str | None:
        """None if so many unknown cards are seen."""
        seat, contents = _looked_at(self.player, self.place, table)
        known, unknown = _seen(contents)
        return None if unknown == self.count else _sees(table.names[seat], known, unknown)


@frozen
class SeesCards:
    """`Ben sees pearls in Ana.hand`: Ben knows that it lies there; of a family, any one."""

    player: Question
    wanted: tuple[tuple[str, ...], ...]
    place: Question

    def fault(self, table: Referee) -> str | None:
        """None if all these cards are known to lie there."""
        seat, contents = _looked_at(self.player, self.place, table)
        known, unknown = _seen(contents)
        left = Counter(known)
        for family in self.wanted:
            found = next((one for one in family if left[one]), None)
            if found is None:
                return _sees(table.names[seat], known, unknown)
            left[found] -= 1
        return None


@frozen
class LogHas:
    """`log of Ben has "Pearls"`: a line that Ben was told contains it; `has no`, and none does."""

    player: Question
    text: str
    wanted: bool = True

    def fault(self, table: Referee) -> str | None:
        """None if a line contains the text, or none does."""
        lines = table.log(_seat(self.player, table))
        found = next((line for line in lines if self.text in line), None)
        if not self.wanted:
            return None if found is None else f"the log has “{found}”"
        if found is not None:
            return None
        if not lines:
            return "the log is empty"
        last = " ".join(f"“{line}”" for line in lines[-_LAST_LINES:])
        return f"the log {'ends with' if len(lines) > _LAST_LINES else 'is'} {last}"


@frozen
class Wins:
    """`Ana wins`, `[Ana, Ben] win`, `nobody wins`: the game is over, and these have won it and nobody else."""

    players: Question | None

    def fault(self, table: Referee) -> str | None:
        """None if it is these who have won."""
        found = table.outcome()
        if not found.finished:
            return "the game is not over"
        wanted = set() if self.players is None else set(table.answer(self.players))
        if wanted == set(found.winners):
            return None
        names = [table.names[seat] for seat in sorted(found.winners)]
        return f"{_list(names)} {'win' if len(names) > 1 else 'wins'}" if names else "nobody wins"


Form: TypeAlias = (
    Holds
    | MayChoose
    | MayNotChoose
    | MayChooseUpTo
    | IsAsked
    | SeesNobodyAsked
    | SeesCount
    | SeesCards
    | LogHas
    | Wins
)


@frozen
class Expectation:
    """One line of `expect`, as it was written and as it is tested."""

    text: str
    form: Form = field(repr=False)
    span: Span = field(eq=False, repr=False)


def _seat(player: Question, table: Referee) -> int:
    seat = table.answer(player)
    assert isinstance(seat, int), "the checker saw that it is a player"
    return seat


def _asked(player: Question, table: Referee) -> Ask | str:
    """What the player is asked, or who is asked instead."""
    asks = table.decision.asks if table.decision is not None else ()
    seat = _seat(player, table)
    for ask in asks:
        if ask.seat == seat:
            return ask
    others = [f"{table.names[ask.seat]} is asked for one of {shown(ask.keys)}" for ask in asks]
    return f"{table.names[seat]} is not asked; {_list(others) or 'nobody is'}"


def _looked_at(player: Question, place: Question, table: Referee) -> tuple[int, dict[str, Any]]:
    seat, where = _seat(player, table), table.answer(place)
    if where is None:
        return seat, {}  # the place of nobody: nothing lies there
    contents: dict[str, Any] = table.view(seat)["places"][table.place_key(where)]
    return seat, contents


def _seen(contents: dict[str, Any]) -> tuple[list[str], int | None]:
    """The cards that are known to lie in a place, and how many others there are."""
    cards = contents.get("cards", [])
    known = [card for card in cards if card] + contents.get("among", [])
    if "pieces" in contents:
        return [], contents["pieces"]
    if "unknown" in contents:
        return known, contents["unknown"]
    return known, sum(card is None for card in cards) - len(contents.get("among", []))


def _sees(name: str, known: Sequence[str], unknown: int | None) -> str:
    cards = [*known]
    if unknown is None:
        cards.append("a number of cards that is hidden")
    elif unknown:
        cards.append(f"{unknown} {'card' if unknown == 1 else 'cards'} without knowing which")
    return f"{name} sees {_list(cards) if cards else 'no card'}"


def _list(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_question(
    ground: Ground, node: d.Scalar, seats: Sequence[str], where: str, found: list[Diagnostic]
) -> Question | None:
    """A question with the answer yes or no: `until`."""
    tree, mistakes = parse_expression(node, where)
    found += mistakes
    if tree is None:
        return None
    e = ground.expressions(seats, where, found)
    return _asked_by(e, e.question(tree))


def read_expectation(
    ground: Ground, node: d.Node, seats: Sequence[str], where: str, found: list[Diagnostic]
) -> Expectation | None:
    """One line of `expect`."""
    if not isinstance(node, d.Scalar):
        help = 'A line with a list at its end needs quotes: `"Ana may choose [take, put]"`.'
        what, wanted, got = "An expectation", "a line of text", d.kind_of(node)
        found.append(diagnose("RB112", node.span, where=where, help=help, what=what, wanted=wanted, got=got))
        return None
    tree, mistakes = parse_expectation(node, where)
    found += mistakes
    if tree is None:
        return None
    form = _Forms(ground, seats, where, found).form(tree)
    return None if form is None else Expectation(node.text.strip(), form, node.span)


def _asked_by(e: Expressions, expr: ir.Expr) -> Question:
    return Question(expr, ir.Slots(tuple(e.scope.names), tuple(e.scope.types)))


class _Forms:
    """Finds out which form a line has, and checks its parts."""

    def __init__(self, ground: Ground, seats: Sequence[str], where: str, found: list[Diagnostic]) -> None:
        self.ground, self.seats, self.where, self.found = ground, seats, where, found

    def report(self, code: str, at: s.At, help: str | None = None, **values: Any) -> None:
        self.found.append(diagnose(code, at.span, where=self.where, help=help, **values))

    def form(self, tree: s.Expectation) -> Form | None:
        """The line as it is tested; None if it has a mistake that leaves nothing to test."""
        match tree.form, tree.subject, tree.value:
            case "holds", _, s.Compare(("is" | "is not") as operator, subject, s.Word("asked")):
                return IsAsked(self.player(subject), operator == "is")
            case "holds", _, value if value is not None:
                e = self.ground.expressions(self.seats, self.where, self.found)
                return Holds(_asked_by(e, e.question(value)))
            case "may choose", subject, value if subject is not None and value is not None:
                return MayChoose(self.player(subject), self.wanted(value))
            case "may not choose", subject, value if subject is not None and value is not None:
                return MayNotChoose(self.player(subject), self.wanted(value))
            case "may choose up to", subject, s.Number(most) if subject is not None:
                return MayChooseUpTo(self.player(subject), most)
            case "nobody asked", subject, _ if subject is not None:
                return SeesNobodyAsked(self.player(subject))
            case "sees", subject, s.Compare("in", what, place) if subject is not None:
                return self.sees(subject, what, place)
            case ("has" | "has no") as has, s.Of("log", player), s.Text(parts):
                text = "".join(part for part in parts if isinstance(part, str))
                return LogHas(self.player(player), text, wanted=has == "has")
            case "wins" | "win", subject, _ if subject is not None:
                e = self.ground.expressions(self.seats, self.where, self.found)
                return Wins(_asked_by(e, e.players(subject)))
            case "nobody wins", _, _:
                return Wins(None)
        expected = {
            "sees": "`Ben sees 5 cards in Ana.hand`, `Ben sees pearls in Ana.hand` or `Ben sees nobody asked`",
            "has": '`log of Ben has "…"`',
            "has no": '`log of Ben has no "…"`',
        }.get(tree.form, "an expectation")
        text = tree.at.scalar.text[tree.at.start : tree.at.end].strip()
        self.report("RB201", tree.at, "", doing="an expectation", expected=expected, found=f"`{text}`")
        return None

    def player(self, tree: s.Expr) -> Question:
        """Who is asked, or looks."""
        e = self.ground.expressions(self.seats, self.where, self.found)
        return _asked_by(e, e.want(e.value(tree), t.PLAYER, tree.at, "This"))

    def wanted(self, tree: s.Expr) -> tuple[Wanted, ...]:
        """The options that are named."""
        return wanted_in(self.ground, tree, self.seats, self.where, self.found)

    def sees(self, subject: s.Expr, what: s.Expr, where: s.Expr) -> Form:
        """How many cards, or which ones, a player sees in a place."""
        player, e = self.player(subject), self.ground.expressions(self.seats, self.where, self.found)
        place = _asked_by(e, e.place(where))
        if isinstance(what, s.Number) and what.unit in ("card", "cards", "piece", "pieces"):
            return SeesCount(player, what.value, place)
        items = what.items if isinstance(what, s.Listed) else (what,)
        families = []
        for item in items:
            family = e.definition(item)
            if not family:
                text = item.at.scalar.text[item.at.start : item.at.end].strip()
                help = "Say which card, or how many: `5 cards`."
                if not isinstance(item, s.Number):
                    help = did_you_mean(text, self.ground.world.cards)
                self.report("RB301", item.at, help, wanted="card", name=text)
            families.append(family)
        return SeesCards(player, tuple(families), place)
