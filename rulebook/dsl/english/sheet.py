"""All that can be told of a game, in the order of a rules sheet.

In: a rulebook under some house rules. Out: entries with headings, each of which can be told. Never: the same card
twice.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulebook.dsl import ir
from rulebook.dsl.english.house_rules import HouseRules
from rulebook.dsl.english.steps import Line
from rulebook.dsl.english.telling import Teller
from rulebook.dsl.english.words import bare, titled

CARDS, ACTIONS, RULES, VALUES = "Cards", "Actions", "Rules", "Values"


@frozen
class Entry:
    """One card, family of cards, action, rule or value: `sort` is its section, `kind` that of a card, `about` the id
    that is told.
    """

    sort: str
    id: str
    name: str
    about: str
    kind: str = ""


class Sheet:
    """What a game does, entry by entry."""

    def __init__(self, rulebook: ir.Rulebook) -> None:
        """Under the house rules that hold if nobody says otherwise."""
        usual = {option.name: option.default for option in rulebook.options.values()}
        self.rulebook = rulebook
        self.teller = Teller(rulebook, HouseRules(rulebook.options, usual))

    def entries(self) -> list[Entry]:
        """Everything that can be told. Cards of one entry that do the same stand once."""
        rulebook, name = self.rulebook, self.teller.lexicon.name
        found = [Entry(ACTIONS, id, name(action.name), id) for id, action in rulebook.actions.items()]
        for sort, names in ((RULES, rulebook.scripts), (VALUES, rulebook.functions)):
            mine = [one for one in names if one.startswith(f"{sort.lower()}.")]
            found += [Entry(sort, bare(one), titled(bare(one)), bare(one)) for one in mine]
        cards = list(self._cards())
        kinds = list(dict.fromkeys(card.kind for card in cards))
        return [*sorted(cards, key=lambda card: kinds.index(card.kind)), *found]

    def _cards(self) -> Iterator[Entry]:
        families = {id: family for family, ids in self.rulebook.families.items() for id in ids}
        seen = set()
        for id, card in self.rulebook.cards.items():
            entry = families.get(id, id)
            if entry not in seen:
                seen.add(entry)
                name = self.teller.lexicon.name(card.name) if entry == id else titled(entry)
                yield Entry(CARDS, entry, name, id, card.kind)

    def lines(self, entry: Entry) -> list[Line]:
        """What an entry does."""
        match entry.sort:
            case "Cards":
                return self.teller.card(entry.about)
            case "Actions":
                return self.teller.action(entry.about)
            case "Rules":
                return self.teller.rule(entry.about)
        return self.teller.value(entry.about)
