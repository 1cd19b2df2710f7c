"""A large game, checked in shares: each looks at what some of the cards do, and all of them at the rest.

In: `schema.Authored`. Out: what belongs to no share, checked; the shares; for each of them a conversation that returns
what is wrong there; and all of that together. Never: other messages than `passes.check` has, or processes.

Names, types, questions, rules and what is printed on cards belong to no share, so every share knows them whole. What
cards do is most of a large game, and what is done by one card is looked at in one share alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from attrs import define, field

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir, schema
from rulebook.dsl.checking.checker import Checker
from rulebook.dsl.checking.goals import check_goals
from rulebook.dsl.checking.statements import MOST_FOUND
from rulebook.dsl.document import Node, Scalar
from rulebook.dsl.meaning import examine_share
from rulebook.dsl.meaning.book import Book
from rulebook.dsl.meaning.printed import CardSet
from rulebook.dsl.naming.gathering import gather
from rulebook.dsl.passes import Checked, once
from rulebook.dsl.secrets.following import secrets_of_share
from rulebook.dsl.secrets.reads import Reads
from rulebook.dsl.secrets.sharing import Files
from rulebook.dsl.settling.forbidding import check_forbidden
from rulebook.dsl.sharing.share import Share
from rulebook.dsl.sharing.telling import Conversation, Said, said
from rulebook.dsl.world import World
from rulebook.record import Record, evolve, record

__all__ = ["Common", "Found", "begun", "divided", "left_of", "share_of"]

_STAGE = re.compile(r"\bstage\b")


@record
class Found(Record):
    """What a share has found.

    `parts` are how many messages there were when all that is wrong in types was said, and what leaks: if there is a
    certain error anywhere, in another share as well, there are no others. `looked_beyond` if it had to know just what
    cards of other shares do.
    """

    found: list[Diagnostic]
    parts: tuple[int, int]
    looked_beyond: bool = False


@define(eq=False)
class Common:
    """What belongs to no share, checked."""

    world: World
    rulebook: ir.Rulebook
    files: Files
    found: list[Diagnostic]
    _checker: Checker
    _read: frozenset[str]
    """Cards whose scripts have been read: they enter stages, which others may end."""
    _meant: bool = field(kw_only=True)

    @cached_property
    def made_of(self) -> dict[str, list[str]]:
        """The definitions of each family of cards."""
        found: dict[str, list[str]] = {}
        for id, info in self.world.cards.items():
            found.setdefault(info.family, []).append(id)
        return found

    @cached_property
    def card_set(self) -> CardSet:
        """What all shares have to know of the cards."""
        return CardSet(self.rulebook)

    @cached_property
    def reads(self) -> Reads:
        """What all questions read: those of all cards belong to no share."""
        return Reads(self.rulebook, self.world)

    @cached_property
    def book(self) -> Book:
        """What belongs to no share, as those look at it who ask what means nothing."""
        nobody = Share(-1, (), frozenset(), frozenset())
        return Book(self.rulebook, self.world, nobody)

    @cached_property
    def _whole(self) -> Book:
        """The book of all cards. Texts may speak of what others do: that has to be known to the letter."""
        checker = self._checker.beside([])
        checker.read_cards(id for id in self.world.authored.cards if id not in self._read)
        checker.check_scripts(self.world.authored.cards)
        return Book(self._with(checker), self.world)

    def _with(self, checker: Checker) -> ir.Rulebook:
        return evolve(self.rulebook, scripts=self.rulebook.scripts | checker.scripts)

    def scripts_of(self, id: str) -> list[tuple[str, str, Node]]:
        """What a card does: the hook, its key at the card, and the script."""
        return self._checker.scripts_of(id)

    def conversation(self, share: Share) -> Conversation[Found]:
        """What is wrong with a share, in the order of `passes.check`."""
        found: list[Diagnostic] = []
        checker = self._checker.beside(found)
        checker.read_cards(id for id in share.families if id not in self._read)
        checker.check_scripts(share.families)
        rulebook = self._with(checker)
        broken = _has_error(found, certain=True)
        count = {"count": [[share.number, len(found)]] if found else []}
        heard = yield said(count | {"error": [True] if _has_error(found) else [], "broken": [True] if broken else []})
        types = len(found)
        many = len(self.found) + sum(number for _, number in heard["sets"]["count"]) >= MOST_FOUND
        if many or heard["sets"]["broken"] or _has_error(self.found, certain=True):
            return Found(found, (types, types))
        if not heard["sets"]["error"] and not _has_error(self.found):
            found += check_goals(rulebook, self.world)
            found += yield from secrets_of_share(rulebook, self.reads, share, self.files)
        heard = yield said({"broken": [True] if _has_error(found, certain=True) else []})
        if not self._meant or heard["sets"]["broken"]:
            return Found(found, (types, len(found)))
        leaks = len(found)
        more, looked_beyond = yield from examine_share(
            rulebook, self.world, share, self.card_set, self.book, lambda: self._whole
        )
        return Found(found + more, (types, leaks), looked_beyond)

    def together(self, shares: Sequence[Found]) -> Checked | None:
        """What all shares have found; None if that is so much that the rest is not looked at."""
        found = [*self.found, *(one for share in shares for one in share.found)]
        if len(found) >= MOST_FOUND:
            return None
        broken = _has_error(found, certain=True)
        return Checked(None if broken else self.rulebook, self.world, once(found))


def begun(authored: schema.Authored, files: Files, *, meant: bool) -> Common | None:
    """What belongs to no share; None if the game cannot be divided: it tells texts, which takes all scripts at once."""
    world, found = gather(authored)
    checker = Checker(world, found)
    checker.begin()
    read = frozenset(id for id in authored.cards if _may_enter_a_stage(checker, id))
    checker.read_cards(read)
    checker.check_rules()
    checker.check_cards(later=True)
    rulebook = checker.whole()
    found += check_forbidden(rulebook)
    return None if checker.told else Common(world, rulebook, files, found, checker, read, meant=meant)


def _may_enter_a_stage(checker: Checker, id: str) -> bool:
    nodes = (node for _, _, node in checker.scripts_of(id))
    texts = (node.text for node in nodes if isinstance(node, Scalar))
    return any("stage" in text and _STAGE.search(text) for text in texts)


def divided(common: Common, most: int, least: int) -> list[Share]:
    """The cards, file by file, in up to `most` shares of about equally many scripts, and of `least` or more.

    How long a script is does not count, so that one that is changed stays in its share, and all others in theirs.
    """
    files: dict[str, list[str]] = {}
    scripts: dict[str, int] = {}
    for id, card in common.world.authored.cards.items():
        name = card.key.span.file.name
        files.setdefault(name, []).append(id)
        scripts[name] = scripts.get(name, 0) + len(common.scripts_of(id))
    whole = sum(scripts.values())
    count = max(1, min(most, whole // least))
    parts: list[list[str]] = [[] for _ in range(count)]
    before = 0
    for name, ids in files.items():
        parts[min(count - 1, before * count // max(whole, 1))] += ids
        before += scripts[name]
    return [share_of(common, number, ids) for number, ids in enumerate(filter(None, parts))]


def share_of(common: Common, number: int, families: Iterable[str]) -> Share:
    families = tuple(families)
    definitions = frozenset(id for family in families for id in common.made_of.get(family, ()))
    names = (f"cards.{id}.{hook}" for id in families for hook, _, _ in common.scripts_of(id))
    return Share(number, families, definitions, frozenset(names))


def left_of(found: Sequence[Any], parts: Sequence[int], step: int, heard: Said) -> Sequence[Any] | None:
    """What a share has found when it hears at a step that there is a certain error; None if it hears of none."""
    return found[: parts[0 if step == 1 else 1]] if heard["sets"].get("broken") else None


def _has_error(found: Iterable[Diagnostic], *, certain: bool = False) -> bool:
    return any(one.severity == "error" and (not certain or one.confidence == "certain") for one in found)
