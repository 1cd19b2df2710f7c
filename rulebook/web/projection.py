"""The page of one seat as data: places with their cards, what may be chosen and where it lies, the log in words.

Made from the facts of a view, the question that the seat was sent, and what is printed on cards; a browser that shows
it has nothing to work out, and no id of a card is in it. Options are told apart by their place in the list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from attrs import field

from rulebook.classes import frozen
from rulebook.interpreter.account import Teller
from rulebook.interpreter.choosing import Barred
from rulebook.interpreter.decisions import PASS, Ask, Option, not_met
from rulebook.interpreter.layout import PlaceSlot
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import UNKNOWN, join_texts, name_position, place_key
from rulebook.table import answers, grids, view
from rulebook.table.faces import Face, Faces, Texts, find_id
from rulebook.table.grids import Grid
from rulebook.table.looks import write_sign
from rulebook.table.telling import titled

Json = dict[str, Any]
Facts = Mapping[str, Any]
Where = Callable[[Option], set[str]]
"""Finds the keys of the places in which the copies of an option lie."""

_NOWHERE = (-1, "")
_LYING = ("card:", "cell:")
"""Sorts of things that lie on the page and say there why they may not be chosen; of others the question says it."""


@frozen
class Asked:
    """A question to a seat, with what may not be chosen. `where` is asked only about cards that the seat sees lie in
    more than one place. `cause` is a sentence, empty where none is known. `is_public` says whether everybody may know
    that this seat is asked.
    """

    ask: Ask
    barred: Sequence[Barred]
    where: Where
    cause: str = ""
    is_public: bool = False


def make_page(program: Program, faces: Faces, facts: Facts, question: Asked | None = None) -> Json:
    """Make the page of a seat, or of somebody who sits nowhere and sees what all may know."""
    return _Page(program, faces, facts, question).to_json()


@frozen
class _Page:
    program: Program
    faces: Faces
    facts: Facts
    question: Asked | None
    grids: Sequence[Grid] = field(init=False)
    targets: Mapping[tuple[str, int, str], int] = field(init=False)
    """The options on the page, by place, position (-1: anywhere there) and card (empty: any card there)."""
    texts: Texts = field(init=False)
    centre: Collection[int] = field(init=False)
    """The ordinals of places that belong into the middle: what every player has played, one card each."""
    reasons: Mapping[str, str] = field(init=False)
    """The reasons why a card or a cell may not be chosen, by the beginning of its key."""

    @grids.default
    def _lay_grids(self) -> Sequence[Grid]:
        return grids.find_grids(self.program, self.facts)

    @centre.default
    def _find_centre(self) -> set[int]:
        slots = [place for place in self.program.layout.places if place.owned_by == "player"]
        held = {kind for place in slots if place.kept in ("bag", "loose") for kind in place.holds}
        return {
            place.ordinal
            for place in slots
            if place.kept == "slot" and place.seen_by == "everyone" and held & place.holds
        }

    @targets.default
    def _find_targets(self) -> dict[tuple[str, int, str], int]:
        targets: dict[tuple[str, int, str], int] = {}
        twice = set()
        for number, option in enumerate(self.question.ask.options) if self.question is not None else ():
            target = self._locate(option)
            if target is not None:
                twice |= {target} & targets.keys()
                targets[target] = number
        return {target: number for target, number in targets.items() if target not in twice}

    @texts.default
    def _find_texts(self) -> Texts:
        return Texts(self.program.definitions, {id: face.text for id, face in self.faces.items()})

    @reasons.default
    def _find_reasons(self) -> dict[str, str]:
        barred = self.question.barred if self.question is not None else ()
        lying = [(option.key, not_met(lines)) for option, lines in barred if option.key.startswith(_LYING)]
        return {find_id(key) or key.partition(":")[2]: why for key, why in lying}

    def _locate(self, option: Option) -> tuple[str, int, str] | None:
        """Find the place, position and card of an option on the page; None if it lies nowhere."""
        sort, _, rest = option.key.partition(":")
        if sort == "player":
            return ("player", *_NOWHERE) if rest not in self.facts["players"] else (rest, -1, "player")
        before, _, index = rest.rpartition(".")
        if sort == "cell":
            return before, int(index) - 1, ""
        if sort != "card" or "#" in rest or "[" in rest:
            return None
        id, _, where = rest.partition("@")
        if where:
            place, _, position = where.rpartition(".")
            if place in self._grid_keys() and position.isdigit():
                return place, int(position) - 1, ""
            if id == "?" and position.isdigit() and place in self.facts["places"]:
                return place, int(position) - 1, "?"
            return where, -1, id
        places = self.facts["places"].items()
        keys = [key for key, content in places if id in (*content.get("cards", ()), *content.get("among", ()))]
        if len(keys) > 1 and self.question is not None:
            keys = [key for key in keys if key in self.question.where(option)]
        if len(keys) != 1:
            return None
        for grid in self.grids:
            if grid.key == keys[0]:
                return (keys[0], grid.ids.index(id), "") if grid.ids.count(id) == 1 else None
        return keys[0], -1, id

    def _grid_keys(self) -> set[str]:
        return {grid.key for grid in self.grids}

    # ── the whole ──

    def to_json(self) -> Json:
        facts, me = self.facts, self.facts.get("you")
        others = [name for name in _from(facts["players"], me) if name != me]
        placed: set[int] = set()
        page: Json = {
            "game": self.program.name,
            "language": self.program.looks.language,
            "stages": [titled(title) for title in facts["stages"]],
            "waiting": facts["waiting"],
            "you": me,
            "mine": [] if me is None else [*self._places(facts["players"].index(me), placed)],
            "noted": [] if me is None else self._make_notes(me),
            "out": me in facts["eliminated"],
            "others": [self._make_other(name, placed) for name in others],
            "table": [*self._places(None, placed)],
            "grids": [self._grid(grid, placed) for grid in self.grids],
            "table_noted": self._make_notes(None),
            "remarks": [[row.label, row.text] for row in view.lay_out_remarks(self.program, facts, self.grids)],
        }
        if self.question is not None:
            page["ask"] = self._question(self.question.ask, placed)
        return page

    def _make_other(self, name: str, placed: set[int]) -> Json:
        player: Json = {
            "name": name,
            "places": [*self._places(self.facts["players"].index(name), placed)],
            "noted": self._make_notes(name),
            "out": name in self.facts["eliminated"],
        }
        self._mark(player, (name, -1, "player"), set())  # it has a button too: a seat may be out of sight
        return player

    def _make_notes(self, owner: str | None) -> list[list[str]]:
        return [[row.label, row.text] for row in view.lay_out_noted(self.program, self.facts, owner)]

    def _mark(self, what: Json, target: tuple[str, int, str], placed: set[int]) -> None:
        """Say of something on the page which option it is, if it is one."""
        number = self.targets.get(target)
        if number is not None:
            what["option"] = number
            placed.add(number)

    # ── places ──

    def _places(self, seat: int | None, placed: set[int]) -> Iterator[Json]:
        """The places of a seat, or of the table, in the order that is wanted; grids stand for themselves."""
        program, owned_by = self.program, "table" if seat is None else "player"
        slots = [place for place in program.layout.places if place.owned_by == owned_by and place.owner == seat]
        for place in sorted(slots, key=lambda slot: program.looks.place_of(slot.name)):
            key = place_key(program, self.facts["players"], place)
            content = self.facts["places"].get(key)
            if content is None or key in self._grid_keys() or key == view.BOX or place.name in program.looks.hidden:
                continue
            yield self._place(place, key, content, placed)

    def _place(self, place: PlaceSlot, key: str, content: Facts, placed: set[int]) -> Json:
        place_json: Json = {"key": key, "title": self.program.looks.called(place.name), "kept": place.kept}
        if place.ordinal in self.centre:
            place_json["at"] = "centre"
        if printed := self._find_back(place):
            place_json["looks"] = printed
        if "pieces" in content:
            count = content["pieces"]
            teller = Teller(self.program, tuple(self.facts["players"]), None)
            return {**place_json, "pieces": "some" if count is None else teller.name_pieces(count, key), "count": count}
        cards, hidden = content["cards"], content.get("unknown", 0)
        is_ordered = place.ordered and place.kept != "slot"
        stacks = self._lay_in_order(key, cards, placed) if is_ordered else self._group_cards(key, cards, placed)
        if is_ordered:
            hidden = sum(card is None for card in cards)
            if hidden == len(cards) and not any("option" in card or "changed" in card for card in stacks):
                stacks = []
        # Equal cards of one place are one option; where nothing else tells them apart it stands for all of them.
        back: Json = {"hidden": hidden}
        self._mark(back, (key, -1, "?"), placed)
        among = [self._card(key, id, number, placed) for id, number in self._count_alike(content.get("among", ()))]
        count = None if hidden is None else len([card for card in cards if card]) + hidden
        hint = {"told": view.KNOWN} if view.is_known_alone(self.program, self.facts, place, content) else {}
        return {**place_json, "cards": stacks, **back, "count": count, **({"among": among} if among else {}), **hint}

    def _find_back(self, place: PlaceSlot) -> Json | None:
        """Find the back of all cards that may lie in a place: where they have several, none says which lies there."""
        program = self.program
        backs = {
            face.look.back
            for id, kind in zip(program.definition, program.kind, strict=True)
            if kind in place.holds and (face := self.faces.get(id)) is not None
        }
        back = backs.pop() if len(backs) == 1 else None
        return None if back is None else write_sign(back)

    def _count_alike(self, cards: Sequence[str]) -> list[tuple[str, int]]:
        order = view.ranks(self.program)
        return [*Counter(sorted(cards, key=order.__getitem__)).items()]

    def _group_cards(self, key: str, cards: Sequence[str | None], placed: set[int]) -> list[Json]:
        shown = []
        for id, number in self._count_alike([card for card in cards if card]):
            states = self._states(key, id)
            changed = [word_states(self.program, state) for state in states]
            dots = (find_dots(self.program, state) for state in states)
            signs = dict(zip(changed, dots, strict=True))
            for words, times in Counter([*changed, *[""] * (number - len(changed))]).items():
                shown.append(self._card(key, id, times, placed, words, signs.get(words, ())))
        return shown

    def _lay_in_order(self, key: str, cards: Sequence[str | None], placed: set[int]) -> list[Json]:
        """Lay out cards as they lie; neighbours that are alike share a stack."""
        row: list[Json] = []
        for at, id in enumerate(cards):
            if id is None:
                card: Json = {"back": True, "times": 1}
                told = [state for state in self._states(key, UNKNOWN) if state.get("position") == at + 1]
                if changed := "".join(word_states(self.program, state) for state in told):
                    card["changed"] = changed
                self._mark(card, (key, at, "?"), placed)
                if "option" in card or "changed" in card:
                    card["spot"] = f"card {at + 1}"
            else:
                states = [state for state in self._states(key, id) if state.get("position", at + 1) == at + 1]
                dots = [sign for state in states for sign in find_dots(self.program, state)]
                changed = "".join(word_states(self.program, state) for state in states)
                card = self._card(key, id, 1, placed, changed, dots)
            if row and {**row[-1], "times": 1} == card:
                row[-1]["times"] += 1
            else:
                row.append(card)
        return row

    def _card(
        self, key: str, id: str, times: int, placed: set[int], changed: str = "", signs: Sequence[Json] = ()
    ) -> Json:
        face = self.faces.get(id) or Face(self.program.definitions.get(id, id), "", "", "", "")
        card: Json = {**face.to_json(), "times": times}
        if text := face.text or self.texts.by_name.get(face.title):
            card["text"] = text
        if changed:
            card["changed"] = changed
        if signs:
            card["dots"] = [*signs]
        self._mark(card, (key, -1, id), placed)
        if self.question is not None and "option" not in card and id in self.reasons:
            card["why"] = self.reasons[id]
        return card

    def _states(self, key: str, id: str) -> list[Facts]:
        return [state for state in self.facts["states"] if state["place"] == key and state["card"] == id]

    def _grid(self, grid: Grid, placed: set[int]) -> Json:
        cells = []
        for at, (cell, id) in enumerate(zip(grid.cells, grid.ids, strict=True)):
            shown: Json = {"spot": name_position(at, grid.columns)}
            if id is None:
                shown["back"] = True
            elif id:
                shown |= self._card(grid.key, id, 1, placed)
                shown["signs"] = cell.counts
                if cell.is_own:
                    shown["own"] = True
                states = [state for state in self._states(grid.key, id) if state.get("position") == at + 1]
                if changed := ", ".join(filter(None, (word_states(self.program, state) for state in states))):
                    shown["changed"] = changed
            self._mark(shown, (grid.key, at, ""), placed)
            cells.append(shown)
        may_choose = any("option" in cell for cell in cells)
        for at, shown in enumerate(cells):
            if "option" in shown:
                shown.pop("why", None)  # of equal ones another may not be chosen
            elif may_choose and "title" in shown:
                why = self.reasons.get(f"{grid.key}.{at + 1}") or shown.get("why")
                shown["why"] = why or f"{shown['title']} {answers.NO_OPTION}"
        # What changed on a card is said in words there.
        legend = [*grid.counts, *grid.roles]
        return {
            "key": grid.key,
            "title": grid.name,
            "rows": grid.rows,
            "columns": grid.columns,
            "cells": cells,
            "legend": legend,
        }

    # ── the question ──

    def _question(self, ask: Ask, placed: set[int]) -> Json:
        worded = grids.word_positions(self.program, self.facts, self.grids, ask)
        teller = Teller(self.program, tuple(self.facts["players"]), None)
        verb = self.program.looks.verbs.get(ask.name)
        options = [
            {
                "label": option.label,
                "count": option.count,
                **({"look": look} if (look := self._find_look(ask.name, option)) else {}),
                **({"text": text} if (text := self.texts.find(option.key, option.label)) else {}),
                **({"placed": True} if number in placed else {}),
                **({"pass": True} if option.key == PASS else {}),
            }
            for number, option in enumerate(worded.options)
        ]
        return {
            "number": ask.number,
            "picked": len(ask.picked),
            "so_far": join_texts([teller.describe_key(key) for key in ask.picked]),
            **({"cause": self.question.cause} if self.question is not None and self.question.cause else {}),
            **({"public": True} if self.question is not None and self.question.is_public else {}),
            **({"verb": verb} if verb else {}),
            "prompt": ask.prompt or answers.word_question(ask),
            "at_least": ask.at_least,
            "at_most": ask.at_most,
            "ordered": ask.ordered,
            "single": answers.is_single(ask),
            "wanted": "" if answers.is_single(ask) else answers.word_wanted(ask),
            "options": options,
            "barred": [
                {"label": option.label, "why": not_met(lines)}
                for option, lines in (self.question.barred if self.question is not None else ())
                if not option.key.startswith(_LYING)
            ],
        }

    def _find_look(self, name: str, option: Option) -> Json:
        """The signs of the card or the number that an option is."""
        face = self.faces.get(find_id(option.key))
        sort, _, number = option.key.partition(":")
        if sort == "number" and (sign := _find_numeral(self.program, name, int(number))):
            return {"dots": [sign]}
        return {} if face is None else {name: value for name, value in face.to_json().items() if name in _SIGNS}


_SIGNS = ("corner", "middle", "colour")


def _from(names: Sequence[str], me: str | None) -> list[str]:
    """All players in seat order, from who sits behind this one."""
    at = 0 if me is None else names.index(me)
    return [*names[at:], *names[:at]]


def word_states(program: Program, states: Facts) -> str:
    """Word the states of a card that differ from what is printed: `exposed`, `currency Euro`."""
    return ", ".join(view.list_changed(program, states["card"], 1, [states]))


def find_dots(program: Program, states: Facts) -> list[Json]:
    """Find the signs for all that has changed on a card; none, if something has none."""
    changed = [states[name] for name in program.layout.states if name in states]
    signs = [sign for name in program.layout.states if (sign := _find_numeral(program, name, states.get(name)))]
    return signs if len(signs) == len(changed) else []


def _find_numeral(program: Program, name: str, number: Any) -> Json:
    """Find the sign of a number of what has a name."""
    form, said = program.looks.numerals.get(name, {}).get(number, ("", ""))
    return {form: said} if form else {}


def show_states(program: Program, states: Facts) -> Json:
    """Show what is seen on a card beyond what is printed there, as a page has it: in words, and in signs."""
    changed, dots = word_states(program, states), find_dots(program, states)
    return {**({"changed": changed} if changed else {}), **({"dots": dots} if dots else {})}
