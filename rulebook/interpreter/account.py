"""Events told in short plain sentences, each as one seat noticed it.

A text has more than one line only where a value is explained line by line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, assert_never

from rulebook.classes import frozen
from rulebook.interpreter.events import Event, EventKind, How
from rulebook.interpreter.layout import PlaceSlot
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import (
    Names,
    join_texts,
    name_position,
    place_key,
    split_table,
    word_table,
    word_value,
)
from rulebook.plurals import plural


def describe_event(program: Program, names: Names, event: Event, you: int | None = None) -> str:
    """An event in words; `you` is the seat that reads, whom the sentence then addresses."""
    text = _SENTENCES[event.kind](Teller(program, tuple(names), you), event.facts)
    return text if event.kind == "said" else text[:1].upper() + text[1:]


@frozen
class Teller:
    """The teller of all sentences to one reader: the program, and what the players are called for that reader."""

    program: Program
    names: tuple[str, ...]
    you: int | None

    # ── people ──

    def is_you(self, name: str) -> bool:
        return self.you is not None and self.names[self.you] == name

    def name_person(self, name: str) -> str:
        return "you" if self.is_you(name) else name

    def does(self, who: Sequence[str], verb: str) -> str:
        """`Ana draws`, `you draw`, `Ana and Ben draw`; the verb as `draw`, `is` or `pass`."""
        if len(who) == len(self.names) > 2:
            return f"everyone {_verb(verb, False)}"
        subject = join_texts([self.name_person(name) for name in who])
        are_many = len(who) > 1 or (len(who) == 1 and self.is_you(who[0]))
        return f"{subject} {_verb(verb, are_many)}"

    # ── places ──

    def name_place(self, key: str) -> str:
        """`the deck`, `Ana's hand`, `your hand`, `position 3 of the row`, `c2 of the board`, `the oil of Lamp`."""
        place = _map_places(self.program, self.names).get(key)
        if place is None:
            inside, _, index = key.rpartition(".")
            if not (inside and index.isdigit()):
                return spaced(key)
            whole = self.find_slot(inside)
            is_grid = whole is not None and whole.kept == "grid"
            where = (
                name_position(int(index) - 1, whole.columns) if whole is not None and is_grid else f"position {index}"
            )
            return f"{where} of {self.name_place(inside)}"
        if place.owner is None:
            return f"the {self.program.looks.called(place.name)}"
        if place.owned_by == "player":
            return f"{self.possessive(self.names[place.owner])} {self.program.looks.called(place.name)}"
        return f"the {self.program.looks.called(place.name)} of {self.name_card(self.program.definition[place.owner])}"

    def _name_unknown(self, where: str) -> str:
        """`a card in Ana's hand`, `the card in position 3 of the row`."""
        is_one = where.rpartition(".")[2].isdigit()
        return f"{'the' if is_one else 'a'} card in {self.name_place(where)}"

    def possessive(self, name: str) -> str:
        if self.is_you(name):
            return "your"
        return f"{name}'" if name.endswith("s") else f"{name}'s"

    def find_slot(self, key: str) -> PlaceSlot | None:
        return _map_places(self.program, self.names).get(key)

    def find_owner(self, key: str) -> str | None:
        """The player to whom a place belongs."""
        slot = self.find_slot(key)
        return self.names[slot.owner] if slot and slot.owned_by == "player" and slot.owner is not None else None

    # ── cards, values, keys ──

    def name_card(self, definition: str) -> str:
        return self.program.definitions.get(definition, definition)

    def name_cards(self, facts: dict[str, Any]) -> tuple[str, bool]:
        """`Pearls and 2 more cards`, and whether these are several."""
        known, others = [self.name_card(id) for id in facts.get("cards", ())], facts.get("count", 0)
        parts = [*merge_names(known), *([self._count_others(others, facts, bool(known))] if others else [])]
        return join_texts(parts) or "nothing", len(known) + others > 1

    def _count_others(self, count: int, facts: dict[str, Any], is_more: bool) -> str:
        """`a token`, `2 more cards`: unknown cards are called after the one kind that the places can hold."""
        keys = [key for end in ("from", "to", "place") if isinstance(key := facts.get(end), str)]  # or who is shown it
        holds = [slot.holds for key in keys if (slot := self.find_slot(key)) is not None and slot.holds]
        kinds = frozenset.intersection(*holds) if holds else frozenset()
        noun, nouns = self.program.looks.kinds.get(next(iter(kinds)) if len(kinds) == 1 else "", ("card", "cards"))
        more = "more " if is_more else ""
        return number_of(1, f"{more}{noun}") if count == 1 else f"{count} {more}{nouns}"

    def describe_key(self, key: str) -> str:
        """Return the words for an option's key."""
        sort, _, rest = key.partition(":")
        if sort == "card":
            parts = _CARD_KEY.match(rest)
            definition, states, where = parts.groups("") if parts else ("?", "", "")
            if definition == "?" and where:
                return self._name_unknown(where)
            named = "a card" if definition == "?" else f"{self.name_card(definition)}{self._word_states(states)}"
            return f"{named} in {self.name_place(where)}" if where else named
        if sort == "player":
            return self.name_person(rest)
        if sort in ("place", "cell"):
            return self.name_place(rest)
        if sort == "action":
            objects = self.program.names[self.program.cards :]
            return objects[self.program.actions.index(rest)] if rest in self.program.actions else rest
        if sort == "label":
            return f"“{rest}”"
        if sort == "amount":
            return self.describe_value(int(rest), sort)
        if sort == "list":
            return join_texts([self._describe_member(member) for member in rest.split("+")]) or "nothing"
        return self.describe_value(rest, "any") if sort == "word" else rest

    def _word_states(self, states: str) -> str:
        """Word the states by which a key tells copies apart, `face=5,exposed=yes`: ` (face 5, exposed)`."""
        pairs = (state.split("=", 1) for state in states.split(",") if "=" in state)
        words = self._join_states((name, value == "yes", value) for name, value in pairs)
        return f" ({words})" if words else ""

    def _join_states(self, states: Iterable[tuple[str, Any, str]]) -> str:
        """Join what is seen on a card, by the names of its states, each with its value and that in words: `face 5,
        exposed`."""
        looks, slots, parts = self.program.looks, self.program.layout.states, list[str]()
        for name, value, words in states:
            if name in slots and name not in looks.hidden:
                parts.append(looks.word_state(name, bool(value) if slots[name].sort == "yes_no" else words, words))
        return ", ".join(parts)

    def word_faces(self, facts: _Facts) -> str:
        """Word what is seen on cards that are turned up, beyond what is printed on them: `face 1, 2 × face 4`, with
        names where they have several."""
        ids, slots, seen = facts.get("cards", ()), self.program.layout.states, list[str]()
        for id, states in zip(ids, facts.get("faces", ()), strict=False):
            named = ((name, value, self.describe_value(value, slots[name].sort)) for name, value in states.items())
            if words := self._join_states(named):
                seen.append(f"{self.name_card(id)} {words}" if len({*ids}) > 1 else words)
        return ", ".join(merge_names(sorted(seen)))

    def _describe_member(self, member: str) -> str:
        """One of the values of a list, of which the key does not say what it is."""
        if member in self.program.definitions:
            return self.name_card(member)
        if member in self.program.actions:
            return self.describe_key(f"action:{member}")
        if member in self.names:
            return self.name_person(member)
        word = self.describe_value(member, "any")
        return word if word != member else self.name_place(member)

    def name_pieces(self, count: int, *keys: str) -> str:
        """`a coin`, `3 coins`: pieces of a pool are called after the one kind that it holds."""
        kinds = [slot.holds for key in keys if (slot := self.find_slot(key)) is not None and slot.kept == "pool"]
        return number_of(count, spaced(next(iter(kinds[0]))) if kinds and len(kinds[0]) == 1 else "piece")

    def describe_value(self, value: Any, sort: str) -> str:
        """A value that an event holds, of a sort that the program declared."""
        if value is None:
            return "nothing"
        if isinstance(value, dict):
            item, keys = split_table(self.program, self.names, sort)
            named = [(self.name_person(of) if of in self.names else keys[of], entry) for of, entry in value.items()]
            return word_table([(of, entry, self.describe_value(entry, item)) for of, entry in named], sort)
        if isinstance(value, list):
            return join_texts([self.describe_value(part, sort.removeprefix("list of ")) for part in value]) or "nothing"
        if isinstance(value, str) and sort.endswith("card"):
            return "a card" if value == "?" else self.name_card(value)
        if isinstance(value, str) and sort == "player":
            return self.name_person(value)
        if isinstance(value, str) and not sort.startswith("word "):
            sort = "any"
        return word_value(self.program, self.names, value, sort)

    def describe_target(self, what: str) -> tuple[str, str]:
        """Return the words for what was set, and the sort of its values."""
        layout = self.program.layout
        if what in layout.memory:
            return self.program.looks.called(what), layout.memory[what].sort
        owner, _, name = what.rpartition(".")
        if owner in self.names and name in layout.player_memory:
            sort = layout.player_memory[name].sort
            # “Ana, cleared: no” is said of Ana; “Ana's points: 3” of what is hers.
            whose = f"{self.name_person(owner)}," if sort == "yes_no" else self.possessive(owner)
            return f"{whose} {self.program.looks.called(name)}", sort
        sort = layout.states[name].sort if name in layout.states else "any"
        card = self._name_unknown(owner[2:]) if owner.startswith("?@") else self.name_card(owner)
        return f"{card}, {self.program.looks.called(name)}", sort

    def word_change(self, what: str, value: Any) -> str:
        """Word the new state of cards, behind their names: `: exposed`, `: not exposed`, `, currency: Yen`."""
        name, looks = what.rpartition(".")[2], self.program.looks
        called = looks.called(name)
        if isinstance(value, bool):
            return f": {looks.word_answer(name, value) or (called if value else f'not {called}')}"
        return f", {called}: {self.describe_value(value, self.describe_target(what)[1])}"


_CARD_KEY = re.compile(r"([^\[@#]*)(?:\[([^\]]*)\])?(?:@([^#]*))?")


@lru_cache(maxsize=64)
def _map_places(program: Program, names: tuple[str, ...]) -> dict[str, PlaceSlot]:
    return {place_key(program, names, place): place for place in program.layout.places}


# ── words ───────────────────────────────────────────────────────────────────────────────────────────────────


def number_of(count: int, noun: str) -> str:
    """`a card`, `3 cards`, `1 more card`."""
    if count == 1:
        return f"1 {noun}" if noun.startswith("more ") else f"{'an' if noun[0] in 'aeiouAEIOU' else 'a'} {noun}"
    return f"{count} {plural(noun)}"


def merge_names(names: Sequence[str]) -> list[str]:
    """Equal names together: `2 × 100 Dollar`."""
    numbers: dict[str, int] = {}
    for name in names:
        numbers[name] = numbers.get(name, 0) + 1
    return [name if count == 1 else f"{count} × {name}" for name, count in numbers.items()]


def spaced(name: str) -> str:
    """An id as people write it."""
    return name.replace("_", " ")


def _verb(verb: str, are_many: bool) -> str:
    if verb in ("is", "has"):
        return {"is": "are", "has": "have"}[verb] if are_many else verb
    return verb if are_many else verb + ("es" if verb.endswith(("s", "o")) else "s")


# ── sentences ───────────────────────────────────────────────────────────────────────────────────────────────

_Facts = dict[str, Any]


def _describe_stage_began(teller: Teller, facts: _Facts) -> str:
    return f"{spaced(facts['title'])} begins."


def _describe_stage_ended(teller: Teller, facts: _Facts) -> str:
    return f"The {spaced(facts['stage'])} ends."


def _describe_chose(teller: Teller, facts: _Facts) -> str:
    who = [facts["player"]]
    if "what" not in facts and "count" not in facts:
        return f"{teller.does(who, 'has')} answered."
    known, others = merge_names([teller.describe_key(key) for key in facts.get("what", ())]), facts.get("count", 0)
    what = join_texts([*known, *([number_of(others, "card")] if others else [])]) or "nothing"
    return f"{teller.does(who, 'choose')} {what}{', the only choice' if facts.get('forced') else ''}."


def _describe_passed(teller: Teller, facts: _Facts) -> str:
    return f"{teller.does([facts['player']], 'pass')}."


def describe_move(teller: Teller, facts: _Facts) -> str:
    what, are_many = teller.name_cards(facts)
    source, goal = teller.name_place(facts["from"]), teller.name_place(facts["to"])
    giver, taker = teller.find_owner(facts["from"]), teller.find_owner(facts["to"])
    face, verb = face_words(teller, facts), "go" if are_many else "goes"
    match How(facts["how"]):
        case How.DRAW:
            if taker:
                return f"{teller.does([taker], 'draw')} {what} from {source}{face}."
            return f"{what} {'are' if are_many else 'is'} drawn from {source} to {goal}{face}."
        case How.DEAL:
            if taker:
                return f"{teller.does([taker], 'is')} dealt {what} from {source}{face}."
            return f"{what} {verb} from {source} to {goal}{face}."
        case How.PASS:
            if giver and taker:
                return f"{teller.does([giver], 'pass')} {what} to {teller.name_person(taker)}."
            return f"{what} {verb} from {source} to {goal}{face}."
        case How.SWAP:
            return f"{what} {verb} from {source} to {goal}{face} in exchange."
        case How.MOVE:
            return f"{what} {verb} from {source} to {goal}{face}."
        case how:
            assert_never(how)


def face_words(teller: Teller, facts: _Facts) -> str:
    """Said only where it is not what one expects of the place."""
    goal = teller.find_slot(facts["to"])
    if goal is None or (facts["face"] == "up") == goal.arrives_up:
        return ""
    return f", face {facts['face']}"


def _describe_pieces(teller: Teller, facts: _Facts) -> str:
    verb = "goes" if facts["count"] == 1 else "go"
    what = teller.name_pieces(facts["count"], facts["to"], facts["from"])
    return f"{what} {verb} from {teller.name_place(facts['from'])} to {teller.name_place(facts['to'])}."


def _describe_shuffled(teller: Teller, facts: _Facts) -> str:
    return f"{teller.name_place(facts['place'])} is shuffled."


def _describe_picked(teller: Teller, facts: _Facts) -> str:
    count = len(facts["what"]) if "what" in facts else facts["count"]
    what = (
        join_texts([teller.describe_key(key) for key in facts["what"]]) if "what" in facts else number_of(count, "card")
    )
    title = teller.program.looks.titles.get(facts.get("name", ""), "")
    called = f" ({title})" if title else ""  # a name that only the script says is for nobody else
    if "player" in facts and not any(key.startswith("player:") for key in facts.get("what", ())):
        return f"{teller.does([facts['player']], 'pick')} {what} at random{called}."
    return f"{what} {'are' if count > 1 or what == 'you' else 'is'} picked at random{called}."


def _describe_rolled(teller: Teller, facts: _Facts) -> str:
    values: dict[str, list[str]] = {}
    for die, value in facts.get("dice", ()):
        values.setdefault(teller.name_card(die), []).append(teller.describe_value(value, "any"))
    # Dice that are called the same need no name.
    shown = [join_texts(sides) if len(values) == 1 else f"{die} {', '.join(sides)}" for die, sides in values.items()]
    hidden = facts.get("count", 0)
    parts = [
        *shown,
        *([f"{number_of(hidden, 'die').replace('dies', 'dice')} stay hidden"] if hidden > 1 else []),
    ]
    if hidden == 1:
        parts.append("a die stays hidden")
    return f"A roll in {teller.name_place(facts['place'])}: {join_texts(parts)}."


def _describe_turned(face: str) -> Callable[[Teller, _Facts], str]:
    def describe_face(teller: Teller, facts: _Facts) -> str:
        what, are_many = teller.name_cards(facts)
        seen = f": {words}" if (words := teller.word_faces(facts)) else ""
        return f"{what} in {teller.name_place(facts['place'])} {'are' if are_many else 'is'} turned face {face}{seen}."

    return describe_face


def _describe_uncovered(teller: Teller, facts: _Facts) -> str:
    what, _ = teller.name_cards(facts)
    return f"{what} now lies open on {teller.name_place(facts['place'])}."


def _describe_opened(teller: Teller, facts: _Facts) -> str:
    what, are_many = teller.name_cards(facts)
    return f"{what} {'were' if are_many else 'was'} in {teller.name_place(facts['place'])}."


def _describe_shown(teller: Teller, facts: _Facts) -> str:
    what, _ = teller.name_cards(facts)
    return f"{teller.does(facts['to'], 'is')} shown {what} in {teller.name_place(facts['place'])}."


def _describe_told(teller: Teller, facts: _Facts) -> str:
    answer = f": {teller.describe_value(facts['answer'], 'yes_no')}" if "answer" in facts else ""
    return f"{teller.does(facts['to'], 'learn')} whether {facts['question']}{answer}."


def _describe_said(teller: Teller, facts: _Facts) -> str:
    return str(facts["text"])


def _describe_set(teller: Teller, facts: _Facts) -> str:
    return f"{_word_value(teller, facts)}."


def _word_value(teller: Teller, facts: _Facts) -> str:
    """Word a new value: `Ana's points: 3`; where there is a word for it, `Ana is guilty`."""
    owner, _, name = facts["what"].rpartition(".")
    answer = teller.program.looks.word_answer(name, facts["value"])
    if answer and owner in teller.names:
        return f"{teller.does([owner], 'is')} {answer}"
    what, sort = teller.describe_target(facts["what"])
    if name in teller.program.layout.states and owner not in teller.names:
        return f"{what.rpartition(', ')[0]}{teller.word_change(facts['what'], facts['value'])}"
    if answer:
        return f"{what.rpartition(', ')[0]}: {answer}" if owner else answer
    return f"{what}: {teller.describe_value(facts['value'], sort)}"


def _because(teller: Teller, facts: _Facts) -> str:
    """The value, then the named conditions or sums that it was made of: `Bo is guilty. Not met: one ID (Spy).`"""
    answer, sort = _word_value(teller, facts), teller.describe_target(facts["what"])[1]
    of = "amount" if sort == "amount" else "any"
    groups = facts["lines"]
    if len(groups) == 1 and groups[0]["card"] is None and _adds_up(groups[0]["lines"], facts["value"]):
        return f"{answer} = {word_sum(teller, groups[0]['lines'], of)}."
    judged = [group for group in groups if is_judged(group)]
    # What a sum lacks is what failed; what it got stands in it.
    value = facts["value"] is True
    parts = [_word_judgement(teller, find_decisive(judged, value), value)]
    for group in groups:
        if group not in judged:
            name = spaced(group["name"]) if group["card"] is None else teller.name_card(group["card"])
            parts.append(f"{name}: {word_sum(teller, group['lines'], of)}.")
    return " ".join([f"{answer}.", *(part[:1].upper() + part[1:] for part in parts if part)])


def is_judged(group: dict[str, Any]) -> bool:
    """Tell whether the lines of a question are conditions, not sums."""
    return all(isinstance(answer, bool) for _, answer in group["lines"])


def find_decisive(groups: Sequence[dict[str, Any]], value: bool) -> list[tuple[dict[str, Any], list[str]]]:
    """Find the questions that decided it, with their conditions: those met for a yes, those that failed for a no. What
    all the others come to explains nothing by itself.
    """
    decisive = [(group, [line for line, answer in group["lines"] if answer == value]) for group in groups]
    if value:
        decisive = [(group, lines) for group, lines in decisive if len(lines) == len(group["lines"])]
        return [pair for pair in decisive if pair[0]["card"] is not None] or decisive
    decisive = [(group, lines) for group, lines in decisive if lines]
    return decisive[1:] if len(decisive) > 1 and decisive[0][0]["card"] is None else decisive


def _word_judgement(teller: Teller, decisive: Sequence[tuple[dict[str, Any], list[str]]], value: bool) -> str:
    """Word conditions, those of cards with these behind them: `Not met: one ID and no badge (John); one ID (Bo).`"""
    cards: dict[tuple[str, ...], list[str]] = {}
    for group, lines in decisive:
        cards.setdefault(tuple(lines), []).extend([] if group["card"] is None else [teller.name_card(group["card"])])
    texts = [join_texts(lines) + (f" ({join_texts(named)})" if named else "") for lines, named in cards.items()]
    return f"{'met' if value else 'not met'}: {'; '.join(texts)}." if texts else ""


def _adds_up(lines: Sequence[Sequence[Any]], value: Any) -> bool:
    """Tell whether the value is the sum of its lines, as far as the reader knows them."""
    numbers = [number for _, number in lines]
    return not any(isinstance(term, bool) or not isinstance(term, int) for term in numbers) and sum(numbers) == value


def word_sum(teller: Teller, lines: Sequence[Sequence[Any]], of: str) -> str:
    """`in hand 300 CU + coin 1 cent`; what adds nothing is left out, unless there is nothing else."""
    parts = [line for line in lines if line[1] != 0] or lines
    return " + ".join(f"{name} {teller.describe_value(value, of)}" for name, value in parts)


def _describe_eliminated(teller: Teller, facts: _Facts) -> str:
    return f"{teller.does(facts['players'], 'is')} eliminated."


def _describe_won(teller: Teller, facts: _Facts) -> str:
    if not facts["players"]:
        return "You have lost together." if facts.get("together") else "Nobody wins."
    behind = [join_texts([teller.name_person(name) for name in group]) for group in facts.get("behind", ())]
    return f"{', then '.join([teller.does(facts['players'], 'win'), *behind])}."


def _describe_over(teller: Teller, facts: _Facts) -> str:
    ranks = sorted(facts["ranks"].items(), key=lambda item: item[1])
    if len(facts.get("teams", ())) == 1:
        return "The game is over."
    scores = facts["scores"]
    counts = any(scores.values())
    of = teller.program.score_sort
    shown = {name: f" ({teller.describe_value(score, of)})" if counts else "" for name, score in scores.items()}
    lines = [f"{rank}. {teller.name_person(name)}{shown[name]}" for name, rank in ranks]
    return f"The game is over: {', '.join(lines)}."


_SENTENCES: dict[EventKind, Callable[[Teller, _Facts], str]] = {
    "stage_began": _describe_stage_began,
    "stage_ended": _describe_stage_ended,
    "chose": _describe_chose,
    "passed": _describe_passed,
    "moved": describe_move,
    "pieces": _describe_pieces,
    "shuffled": _describe_shuffled,
    "picked": _describe_picked,
    "rolled": _describe_rolled,
    "revealed": _describe_turned("up"),
    "covered": _describe_turned("down"),
    "uncovered": _describe_uncovered,
    "shown": _describe_shown,
    "opened": _describe_opened,
    "told": _describe_told,
    "said": _describe_said,
    "set": _describe_set,
    "because": _because,
    "eliminated": _describe_eliminated,
    "won": _describe_won,
    "over": _describe_over,
}
