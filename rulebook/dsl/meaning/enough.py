"""Counts that disagree: set-up needs more cards, or more room, than the rulebook declares.

In: the book. Out: one message for each such sentence, with the first number of players and the first house rules that
come to it, and what is declared. Never: a message about what depends on play.

Every number of players is tried with each choice of each option that set-up asks for, the others as they are by
default, with all ranges at their highest and with all at their lowest. Where that falls short, it is looked for the one
range, and the value nearest to its default, that is enough for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulebook.diagnostics import Diagnostic, Label, diagnose
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.meaning.beginning import Beginning, Shortage
from rulebook.dsl.meaning.book import Book
from rulebook.dsl.meaning.groups import Groups
from rulebook.dsl.meaning.settled import Settled
from rulebook.dsl.settling.forbidding import allowed
from rulebook.dsl.settling.options import setting_text
from rulebook.dsl.walk import everything

_MOST_LABELS = 3

Rules = Mapping[str, Any]


def counts_that_disagree(book: Book) -> Iterator[Diagnostic]:
    """Every sentence of set-up that asks for more than there is."""
    search = _Search(book)
    least, most = book.rulebook.players
    for players in range(least, most + 1):
        search.with_players(players)
    yield from search.found.values()


class _Search:
    """One game after the other. What is printed on cards is worked out once for all games that agree about it."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.options = book.rulebook.options
        self.defaults = {name: option.default for name, option in self.options.items()}
        self.found: dict[tuple[str, int], Diagnostic] = {}
        self.players = 0
        reckoned = _reckoned(book)
        self._printing = _printing(book, reckoned)
        self._all_alike = not reckoned
        """Whether all games have the same cards."""
        self._groups: dict[tuple[int, tuple[Any, ...]], Groups] = {}

    def with_players(self, players: int) -> None:
        """All games of so many players that are looked at."""
        self.players = players
        short, settled = self._begun({})
        if short is not None:
            self._report({}, short, settled)
            return
        for name in sorted(settled.asked):
            for value in _choices(self.options[name]):
                if self._falls_short({name: value}):
                    break
        for ends in _ends([self.options[name] for name in sorted(settled.asked)]):
            # Only if all together fall short it is asked which one does so alone.
            if self._begun(ends)[0] is not None:
                for name, value in ends.items():
                    self._falls_short({name: value})
                self._falls_short(ends)

    def _begun(self, chosen: Rules) -> tuple[Shortage | None, Settled]:
        """How a game begins, where these house rules are not as by default."""
        rules = {**self.defaults, **chosen}
        key = self.players, tuple(rules[name] for name in self._printing)
        groups = self._groups.get(key)
        if groups is None and self._all_alike and self._groups:
            groups = next(iter(self._groups.values())).for_others()
        settled = Settled(self.book, self.players, rules, groups)
        settled.asked.update(self._printing)
        self._groups[key] = settled.groups
        # What is forbidden is never begun.
        possible = allowed(self.book.rulebook, rules, self.players)
        return Beginning(settled).shortage() if possible else None, settled

    def _falls_short(self, chosen: Rules) -> bool:
        short, settled = self._begun(chosen)
        if short is not None:
            self._report(chosen, short, settled)
        return short is not None

    def _report(self, chosen: Rules, short: Shortage, settled: Settled) -> None:
        key = short.at.span.file.name, short.at.span.start
        if key in self.found:
            return
        if len(chosen) == 1:
            ((name, value),) = chosen.items()
            default = self.defaults[name]
            # Of a range, the value nearest to the default that falls short in the same sentence.
            ranged = self.options[name].high is not None and isinstance(default, int)
            for nearer in _from(default, value) if ranged else ():
                found, about = self._begun({name: nearer})
                if found is not None and found.at == short.at:
                    short, settled, chosen = found, about, {name: nearer}
                    break
        self.found[key] = _message(self.book, self.players, chosen, short, settled)


def _from(default: Any, value: int) -> range:
    return range(default, value, 1 if value > default else -1)


def _reckoned(book: Book) -> list[ir.Expr]:
    """What is printed on cards, or says how many there are, and is no plain value."""
    found: list[ir.Expr] = []
    for card in book.rulebook.cards.values():
        leaves = [*card.attributes.values(), *(copies for copies, _ in card.copies)]
        leaves += [leaf for _, differing in card.copies for leaf in differing.values()]
        found += (leaf for leaf in leaves if not isinstance(leaf, ir.Const))
    return found


def _printing(book: Book, reckoned: Iterable[ir.Expr]) -> tuple[str, ...]:
    """The options that what is reckoned on cards may depend on."""
    found: dict[str, None] = {}
    for leaf in reckoned:
        for one in everything(leaf):
            match one:
                case ir.OptionValue(name) | ir.ByOption(name):
                    found[name] = None
                case ir.CallValue():
                    return tuple(book.rulebook.options)
    return tuple(found)


def _choices(option: ir.OptionDef) -> list[Any]:
    """What an option that is no range may be beside its default."""
    if option.choices is not None:
        return [one for one in option.choices if one != option.default]
    return [not option.default] if option.type == t.YES_NO else []


def _ends(options: Iterable[ir.OptionDef]) -> Iterator[dict[str, Any]]:
    """All ranges at their highest, and all at their lowest."""
    ranges = [one for one in options if one.choices is None and isinstance(one.default, int)]
    for ends in ({one.name: one.high for one in ranges}, {one.name: one.low for one in ranges}):
        known = {name: value for name, value in ends.items() if value is not None}
        if known:
            yield known


def _message(book: Book, players: int, chosen: Rules, short: Shortage, settled: Settled) -> Diagnostic:
    rules = " and ".join(f"{name}={_text(book, name, value)}" for name, value in chosen.items())
    game = f"{players} players" + (f" and {rules}" if rules else "")
    labels = tuple(_declared(book, short.cards, settled))
    return diagnose("RB505", short.at.span, game=game, needs=short.needs, there=short.there, labels=labels)


def _text(book: Book, name: str, value: Any) -> str:
    return setting_text(book.rulebook.options[name], value, book.rulebook.units)


def _declared(book: Book, cards: int, settled: Settled) -> Iterable[Label]:
    """The cards that are meant, where they are declared, with how many there are."""
    families: dict[str, int] = {}
    for mask, (id, _) in settled.groups.members.items():
        if mask & cards:
            family = book.world.cards[id].family
            families[family] = families.get(family, 0) + (mask & cards).bit_count()
    for number, (family, count) in enumerate(families.items(), 1):
        span = book.span("cards", family)
        if span is None:
            continue
        if number == _MOST_LABELS and len(families) > number:
            rest = sum(families.values()) - sum(list(families.values())[:number])
            yield Label(span, f"{count} of this, and {rest} of the other cards")
            return
        yield Label(span, f"{count} of this")
