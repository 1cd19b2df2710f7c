"""The printed side of each card and action, in words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from attrs import define, evolve, field

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.ir import CardDef, Expr, Rulebook, Sign
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import word_table
from rulebook.plurals import word_amount
from rulebook.seats import name_seats, word_seat
from rulebook.table.looks import CardLook, make_looks
from rulebook.table.view import find_colours


@frozen
class Face:
    """A card as it is printed. `attributes` leaves out what the title says already; `colour` may be empty. What stands
    in the corner of a `small` card tells all that there is to it.

    Pages, printed cards and virtual tabletops all show this record.
    """

    title: str
    kind: str
    attributes: str
    text: str
    colour: str
    look: CardLook = field(factory=CardLook)
    small: bool = False

    def to_json(self) -> dict[str, Any]:
        """All words that are not empty, and what it looks like."""
        fields: dict[str, Any] = {"title": self.title, "kind": self.kind, "attributes": self.attributes}
        fields |= {"text": self.text, "colour": self.colour, "small": self.small, **self.look.write_fields()}
        return {name: value for name, value in fields.items() if value and name != "back"}


Faces = Mapping[str, Face]


@define(slots=False)
class Texts:
    """Texts of cards and actions, `by_id`, found by what names them; `definitions` are names of cards."""

    definitions: Mapping[str, str]
    by_id: Mapping[str, str]

    @cached_property
    def by_name(self) -> dict[str, str]:
        texts: dict[str, str] = {}
        for id, name in self.definitions.items():
            if name:
                texts[name] = texts.get(name) or self.by_id.get(id, "")  # a tile is called like the guest on it
        return texts

    def find(self, key: str, label: str) -> str:
        """Find the text of an option: of the card or action that it is, or of the cards that its words name."""
        return self.by_id.get(find_id(key), "") or "; ".join(self.find_in(label))

    def find_in(self, label: str) -> list[str]:
        """Find the texts of the cards whose names stand in a label, each behind its name; “Old Ruby” is no “Ruby”."""
        texts = self.by_name
        names = "|".join(re.escape(name) for name in sorted(texts, key=len, reverse=True))
        named = dict.fromkeys(re.findall(rf"(?<!\w)(?:{names})(?!\w)", label)) if names else {}
        return [texts[name] if name == label else f"{name}: {texts[name]}" for name in named if texts[name]]


def find_id(key: str) -> str:
    """Find the id of an option's card or action; its key may be longer, to tell copies apart."""
    sort, _, id = key.partition(":")
    return re.split(r"[\[@#]", id)[0] if sort in ("card", "action") else ""


def make_faces(rulebook: Rulebook, program: Program, texts: Mapping[str, str]) -> dict[str, Face]:
    """Make the face of each card and action by its id. `texts` maps ids to what they say under these house rules."""
    colour, faces = find_colours(program), dict[str, Face]()
    looks = make_looks(rulebook, program.definitions)
    for id, name in program.definitions.items():
        card, text = rulebook.cards[id], texts.get(id, "")
        text = name_seats(text, program.seats)
        shown = _attributes(rulebook, card, name, text, program.seats)
        kind = rulebook.phrases.get(card.kind, card.kind.replace("_", " "))
        faces[id] = Face(name, kind, shown, text, colour.get(id, ""), looks[id])
    titles = defaultdict[tuple[Sign, ...], set[str]](set)
    for face in faces.values():
        titles[face.look.corner].add(face.title)
    for id, face in faces.items():
        corner = face.look.corner
        is_small = bool(corner) and not face.text and not face.look.picture and len(titles[corner]) == 1
        faces[id] = evolve(face, small=is_small)
    for id, name in zip(program.actions, program.names[program.cards :], strict=True):
        faces[id] = Face(name, "", "", texts.get(id, ""), "")
    return faces


def show_pictures(face: Face, addresses: Mapping[str, str]) -> Face:
    """Make a face whose pictures go by addresses; one that has none falls back to words."""
    look = face.look
    corner = tuple(sign for one in look.corner if (sign := _find_address(one, addresses)) is not None)
    return evolve(
        face,
        look=CardLook(
            corner,
            _find_address(look.middle, addresses),
            addresses.get(look.picture, ""),
            _find_address(look.back, addresses),
        ),
    )


def _find_address(sign: Sign | None, addresses: Mapping[str, str]) -> Sign | None:
    if sign is None or sign.form != "file":
        return sign
    return Sign("file", addresses[sign.said]) if sign.said in addresses else None


def _attributes(rulebook: Rulebook, card: CardDef, name: str, text: str, seats: tuple[str, ...]) -> str:
    """Word the attributes that all copies of a card have alike, unless its name or text says them already."""
    differing = {attribute for _, group in card.copies for attribute in group}
    amounts = [name for name, value in card.attributes.items() if t.AMOUNT in t.members(value.type)]
    words = []
    for attribute, value in card.attributes.items():
        called = attribute.replace("_", " ")
        worded = "" if attribute in differing else name_seats(value_text(rulebook, called, value), seats)
        is_amount = attribute in amounts
        if worded and not _is_said(worded, called, is_amount, name, text):
            words.append(f"{called} {worded}" if is_amount and len(amounts) > 1 else worded)
    return " · ".join(words)


def _is_said(worded: str, called: str, is_amount: bool, name: str, text: str) -> bool:
    """Tell whether a name or a text says an attribute, all of it. “Old Ruby” says its colour, and “7 of Hearts” its
    `rank 7`; but the 3 of a text may be any three things, so a number is said there only with what it counts.
    """
    parts = (worded.removeprefix(called).lstrip(": ") or worded).split(", ")
    if all(_stands_in(part, name) for part in parts):
        return True
    if any(sign.isdigit() for sign in worded):
        return _stands_in(f"{called} {worded}" if is_amount else worded, text)
    return all(_stands_in(part, text) for part in parts)


def _stands_in(words: str, text: str) -> bool:
    words, text = words.replace("\u00a0", " "), text.replace("\u00a0", " ")
    before = r"[\w\-−]" if words[:1].isdigit() else r"\w"
    return bool(re.search(rf"(?<!{before}){re.escape(words)}(?!\w)", text, re.IGNORECASE))


def value_text(rulebook: Rulebook, attribute: str, value: Expr) -> str:
    """A printed value in words; nothing if it is none, or is known only in play."""
    if isinstance(value, ir.Listed) and isinstance(value.type, t.TableOf):
        return _table_text(rulebook, attribute, value, value.type)
    printed = ir.as_constant(value)
    if isinstance(printed, ir.Listed):
        words = [word for item in printed.items if (word := ir.plain_constant(item)) is not None]
        printed = ir.Const(tuple(words), type=value.type) if len(words) == len(printed.items) else value
    if not isinstance(printed, ir.Const):
        return ""
    match printed.value:
        case None | False | ():
            return ""
        case True:
            return attribute
        case int() as seat if t.PLAYER in t.members(value.type):
            return f"{attribute} {word_seat(seat)}".strip()
        case int() as number if t.AMOUNT in t.members(value.type):
            return word_amount(number, rulebook.units)
        case int() as number:
            return f"{attribute} {number}"
        case str() as word:
            return _spell_out(rulebook, word)
        case members:
            return f"{attribute}: {', '.join(_spell_out(rulebook, member) for member in members)}"


def _table_text(rulebook: Rulebook, attribute: str, value: ir.Listed, of: t.TableOf) -> str:
    """A printed table in words, as `cost: 2 wood, 1 stone`; nothing of one that is empty."""
    if not isinstance(of.key, t.Symbol):
        return ""
    words, sort = rulebook.words[of.key.enumeration], "amount" if of.item == t.AMOUNT else "number"
    entries = [
        (word, entry.value, value_text(rulebook, "", entry).strip() or "0")
        for word, entry in zip(words.values(), map(ir.as_constant, value.items), strict=True)
        if isinstance(entry, ir.Const)
    ]
    text = word_table(entries, f"{sort} by {of.key.enumeration}") if any(amount for _, amount, _ in entries) else ""
    return f"{attribute}: {text}" if attribute and text else text


def _spell_out(rulebook: Rulebook, word: Any) -> str:
    return next((words[word] for words in rulebook.words.values() if word in words), str(word)).replace("_", " ")
