"""The looks of cards: signs, what stands in a corner and in the middle, pictures, backs; no rule can read them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from collections.abc import Mapping as Map

from rulebook.diagnostics import Diagnostic, diagnose, did_you_mean
from rulebook.dsl import ir, schema
from rulebook.dsl.document import At, Mapping, Node, Scalar
from rulebook.dsl.structuring.leaves import NUMBER, quoted
from rulebook.dsl.world import CardInfo, World
from rulebook.glyphs import list_glyphs
from rulebook.pictures import ENDINGS, find_path_fault, is_picture_name
from rulebook.source import Span

_HOLE = re.compile(r"\{([^{}]*)\}")
_CARD = "card"
_MOST_LETTERS = 3
_WANTED = "glyph, one to three characters, or file of this folder"


class Looks:
    """Checks the looks of one rulebook. `fields` are the attributes of the cards of a kind, `chosen` the names of what
    players choose.
    """

    def __init__(
        self,
        world: World,
        fields: Callable[[World, str], Collection[str]],
        messages: list[Diagnostic],
        chosen: Collection[str],
    ) -> None:
        self.world, self.messages, self._chosen = world, messages, chosen
        self._attributes = {kind: [*fields(world, kind)] for kind in world.concrete}

    def check_symbols(self) -> tuple[dict[str, ir.Sign], dict[str, dict[int, ir.Sign]]]:
        """Check the signs of what has a name, and those of numbers; `die` stands for the glyphs `die_1` to `die_6`."""
        world, signs, numerals = self.world, dict[str, ir.Sign](), dict[str, dict[int, ir.Sign]]()
        words = [word for enumeration in world.words.values() for word in enumeration]
        counted = [*world.attributes, *world.states, *world.memories, *self._chosen]
        named = [*words, *world.authored.kinds, *world.authored.cards, *counted]
        for name, symbol in world.authored.display.symbols.items():
            of_numbers = isinstance(symbol.sign, Mapping)
            if name not in (counted if of_numbers else named):
                of_counted = "attribute, state, memory or name of something that is chosen"
                wanted = of_counted if of_numbers else f"word, kind, card, {of_counted}"
                meant = did_you_mean(name, named)
                if meant or not self.messages:  # else it may be chosen in a script that is wrong
                    self._report("RB301", symbol.key.span, meant, wanted=wanted, name=name)
            elif isinstance(symbol.sign, Mapping):
                numerals[name] = dict(self._read_numerals(symbol.sign))
            elif name in counted and (numbered := _list_numbered(symbol.sign.text)):
                numerals[name] = numbered
            elif (sign := self._read_sign(symbol.sign)) is not None:
                signs[name] = sign
        return signs, numerals

    def _read_numerals(self, node: Mapping) -> Iterator[tuple[int, ir.Sign]]:
        for number, sign in node.items():
            if not NUMBER.fullmatch(number):
                wanted, got = "a number before each sign: `{11: J, 12: Q}`", f"`{number}`"
                self._report("RB112", node.keys_at[number].span, what="This", wanted=wanted, got=got)
            elif not isinstance(sign, Scalar):
                self._report("RB112", sign.span, what="A sign", wanted="text", got=quoted(sign))
            elif (read := self._read_sign(sign)) is not None:
                yield int(number), read

    def make_looks(self, cards: Map[str, ir.CardDef]) -> dict[str, ir.Look]:
        """Make the look of each card of which the rulebook says something: of its kind, its family, or itself."""
        world = self.world
        written = world.authored.display.card
        families = {info.family for info in world.cards.values()}
        known = [*world.authored.kinds, *families, *cards]
        for name, look in written.items():
            if name not in known:
                help = did_you_mean(name, known)
                self._report("RB301", look.key.span, help, wanted="kind or card", name=name)
        looks = {}
        for id, info in world.cards.items():
            if id not in cards:
                continue
            names = (id, info.family, info.kind, *world.ancestors[info.kind])
            made = self._make_look(info, cards[id], [written[name] for name in names if name in written])
            if made != ir.Look():
                looks[id] = made
        self.messages[:] = dict.fromkeys(self.messages)
        return looks

    def _make_look(self, info: CardInfo, card: ir.CardDef, nearest: list[schema.Look]) -> ir.Look:
        corner = next((look.corner for look in nearest if look.corner is not None), None)
        middle = next((look.middle for look in nearest if look.middle is not None), None)
        back = next((look.back for look in nearest if look.back is not None), None)
        picture: Node | None = next((look.picture for look in nearest if look.picture is not None), None)
        written = self.world.authored.cards.get(info.family)
        if written is not None and not info.owner:
            picture = written.fields.get("picture", picture)
        return ir.Look(
            None if corner is None else tuple(word.text for word in corner if self._is_attribute(word, info.kind)),
            None if middle is None else self._read_middle(middle, info.kind),
            None if picture is None else self._read_picture(picture, card),
            None if back is None else self._read_sign(back),
            next((look.cut.text for look in nearest if look.cut is not None), ""),
        )

    def _is_attribute(self, word: Scalar, kind: str) -> bool:
        known = self._attributes[kind]
        if word.text in known:
            return True
        self._report("RB301", word.span, did_you_mean(word.text, known), wanted="attribute", name=word.text)
        return False

    def _read_middle(self, word: Scalar, kind: str) -> str | ir.Sign | None:
        return word.text if word.text in self._attributes[kind] else self._read_sign(word)

    def _read_picture(self, node: Node, card: ir.CardDef) -> ir.Sign | None:
        """Read the path of a picture; what stands in braces is the card's id, or what is printed on it."""
        if not isinstance(node, Scalar):
            self._report("RB112", node.span, what="`picture`", wanted="text", got=quoted(node))
            return None
        printed = {name: ir.plain_constant(value) for name, value in card.attributes.items()}
        known = {_CARD: card.id, **{name: str(value) for name, value in printed.items() if value is not None}}
        for hole in _HOLE.findall(node.text):
            if hole not in known:
                help = did_you_mean(hole, known) or "`{card}` is the name of the card, and each attribute what it says."
                self._report("RB304", node.span, help, name=hole)
                return None
        return self._check_path(_HOLE.sub(lambda hole: known[hole[1]], node.text.strip()), node)

    def _read_sign(self, scalar: Scalar) -> ir.Sign | None:
        text, at = scalar.text.strip(), At(scalar, 0, len(scalar.text))
        if text in list_glyphs():
            return ir.Sign("glyph", text, at)
        if is_picture_name(text):
            return self._check_path(text, scalar)
        if 0 < sum(not unicodedata.combining(letter) and letter != "\ufe0f" for letter in text) <= _MOST_LETTERS:
            return ir.Sign("letters", text, at)
        help = did_you_mean(text, list_glyphs()) or f"Glyphs: {', '.join(list_glyphs())}. Files end in {ENDINGS}."
        self._report("RB301", scalar.span, help, wanted=_WANTED, name=text)
        return None

    def _check_path(self, path: str, scalar: Scalar) -> ir.Sign | None:
        fault = find_path_fault(path)
        if not fault:
            return ir.Sign("file", path, At(scalar, 0, len(scalar.text)))
        self._report("RB118", scalar.span, name=path, problem=fault)
        return None

    def _report(self, code: str, span: Span, help: str | None = None, **values: object) -> None:
        self.messages.append(diagnose(code, span, where="", help=help or None, labels=(), fix=None, **values))


def _list_numbered(name: str) -> dict[int, ir.Sign]:
    """List the glyphs of numbers that begin with a name: `die_1` to `die_6` of `die`."""
    found = (re.fullmatch(rf"{re.escape(name)}_(\d+)", glyph) for glyph in list_glyphs())
    return {int(match[1]): ir.Sign("glyph", match[0]) for match in found if match is not None}
