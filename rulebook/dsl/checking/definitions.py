"""The declarations of a rulebook as IR: options, kinds, states, places, memories, cards and actions.

In: the world and the authored entries. Out: `ir` definitions. Never: checks a script; what cards do is the checker's.
"""

from __future__ import annotations

import re

from rulebook.diagnostics import diagnose, did_you_mean
from rulebook.dsl import ir, schema
from rulebook.dsl import types as t
from rulebook.dsl.checking.advice import about_copies
from rulebook.dsl.checking.card_fields import is_told, misplaced, misspelt, unknown_fields
from rulebook.dsl.checking.companions import companion, companions_of, lacking
from rulebook.dsl.checking.ranges import out_of_range
from rulebook.dsl.checking.readings import Plain, Readings, choices_of, shown
from rulebook.dsl.document import Mapping, Node, Scalar, Sequence
from rulebook.dsl.settling.options import amount_text
from rulebook.dsl.structuring.forms import BOX
from rulebook.dsl.syntax import At
from rulebook.dsl.world import CardInfo, Value, World

_MOST_COPIES = 10_000  # of one card
_HOLE = re.compile(r"\{([a-z_][a-z0-9_]*)\}")


class Definitions:
    """Makes the definitions of one rulebook."""

    def __init__(self, world: World, readings: Readings) -> None:
        self.world, self.readings = world, readings
        self.found = readings.found
        self.told: list[str] = []
        """The cards and actions whose text is told from their scripts."""
        self._fields: dict[str, dict[str, t.Type]] = {}
        self._unsaid: dict[tuple[str, str], ir.Expr | None] = {}

    def options(self) -> dict[str, ir.OptionDef]:
        """Every switch."""
        made = {}
        for name, option in self.world.authored.options.items():
            type, given = self.world.options[name], option.type
            where = f"option {name}"
            default: int | bool | str | tuple[tuple[int, int], ...] | None
            if name in self.world.steps:
                default = self._steps(option.default, where)
            else:
                read = self.readings.plain(option.default, type, where)
                default = None if isinstance(read, tuple) else read  # no option is a list: the reading has said so
                legal = choices_of(given, self.world.words)
                if legal and default is not None and default not in legal:
                    listed = len(legal) < 9 or given.low is None
                    wanted = ", ".join(shown(one) for one in legal) if listed else f"{given.low} to {given.high}"
                    help = f"Choose one of these, or let `options.{name}.type` allow more."
                    span = option.default.span
                    self.found.append(diagnose("RB411", span, where=where, help=help, value=default, wanted=wanted))
            at = At(option.default, 0, len(option.default.text)) if isinstance(option.default, Scalar) else None
            choices = given.choices
            if given.words in self.world.words:
                choices = tuple(self.world.words[given.words])
            made[name] = ir.OptionDef(name, type, default, choices, given.low, given.high, option.text, at)
        return made

    def _steps(self, node: Node, where: str) -> tuple[tuple[int, int], ...]:
        if not isinstance(node, Mapping):
            self.found.append(
                diagnose(
                    "RB112",
                    node.span,
                    where=where,
                    what="A table of steps",
                    wanted="a map like `{3: 3, 4: 5}`",
                    got="text",
                )
            )
            return ()
        steps = []
        for key, value in node.items():
            number = self.readings.plain(value, t.NUMBER, where)
            if key.isdigit() and isinstance(number, int):
                steps.append((int(key), number))
        return tuple(sorted(steps))

    def kinds(self) -> dict[str, ir.Kind]:
        """Every family."""
        return {name: ir.Kind(name, self.world.ancestors[name]) for name in self.world.authored.kinds}

    def states(self) -> dict[str, ir.StateDef]:
        """What changes on cards: declared states, and attributes that may change."""
        made = {}
        for kind in self.world.authored.kinds.values():
            for name, one in kind.state.items():
                info = self.world.states[name]
                where = f"kind {kind.key.text}, state {name}"
                start = self._start(one.start, info.type, where, info.values)
                made[name] = ir.StateDef(
                    name,
                    info.type,
                    info.kinds,
                    start,
                    info.values,
                    one.with_face,
                    self._lasts(one.lasts),
                    printed=False,
                )
        lasting = {
            name: stage for kind in self.world.authored.kinds.values() for name, stage in kind.may_change.lasts.items()
        }
        for info in self.world.attributes.values():
            if info.changes:
                made[info.name] = ir.StateDef(
                    info.name,
                    info.type,
                    info.kinds,
                    None,
                    info.values,
                    with_face=True,
                    lasts=self._lasts(lasting.get(info.name)),
                    printed=True,
                )
        return made

    def places(self) -> dict[str, ir.PlaceDef]:
        """Every declared place; the box is none of them."""
        authored = self.world.authored
        entries = [*authored.table_places.items(), *authored.player_places.items()]
        for kind in authored.kinds.values():
            entries += kind.places.items()
        made = {}
        for name, place in entries:
            info = self.world.places[name]
            size = None
            if place.size is not None:
                if len(place.size) != 2:
                    self.found.append(
                        diagnose(
                            "RB112", place.size.span, what="`size`", wanted="`[rows, columns]`", got="another list"
                        )
                    )
                    continue
                rows, columns = (self.readings.leaf(one, t.NUMBER, f"place {name}") for one in place.size)
                size = (rows, columns)
            where = f"place {name}"
            made[name] = ir.PlaceDef(
                name,
                info.owner,
                info.of,
                info.kept,
                info.holds,
                self._switched(place.seen_by, "everyone", t.TEXT, where),
                size,
                place.refill.text if place.refill else None,
                self._switched(place.recall, True, t.YES_NO, where),
                self._switched(place.counted, "everyone", t.TEXT, where),
                self._switched(place.opened_at_end, False, t.YES_NO, where),
            )
        return made

    def box(self) -> ir.PlaceDef:
        """The place in which all cards begin, as hidden as the rulebook says."""
        info, said = self.world.places[BOX], self.world.authored.box
        seen_by, recall, counted, opened = (
            (None, None, None, None)
            if said is None
            else (said.seen_by, said.recall, said.counted, said.opened_at_end)
        )
        where = f"place {BOX}"
        return ir.PlaceDef(
            BOX,
            info.owner,
            info.of,
            info.kept,
            info.holds,
            self._switched(seen_by, "nobody", t.TEXT, where),
            None,
            None,
            self._switched(recall, True, t.YES_NO, where),
            self._switched(counted, "everyone", t.TEXT, where),
            self._switched(opened, False, t.YES_NO, where),
        )

    def _switched(self, node: Node | None, usual: str | bool, type: t.Type, where: str) -> ir.Expr:
        """What a place's field says, perhaps by option."""
        return ir.Const(usual, type=type) if node is None else self.readings.leaf(node, type, where)

    def memories(self) -> dict[str, ir.MemoryDef]:
        """Every memory."""
        authored = self.world.authored
        made = {}
        for entries in (authored.table_memory, authored.player_memory):
            for name, one in entries.items():
                info = self.world.memories[name]
                start = self._start(one.start, info.type, f"memory {name}", info.values)
                made[name] = ir.MemoryDef(
                    name, info.owner, info.type, start, info.values, info.seen_by, self._lasts(one.lasts)
                )
        return made

    def _lasts(self, stage: Scalar | None) -> str | None:
        """The stage whose end brings a start back; some script must enter it."""
        if stage is not None and stage.text not in self.world.stages:
            help = did_you_mean(stage.text, sorted(self.world.stages)) or "No script enters a stage of that name."
            self.found.append(diagnose("RB301", stage.span, wanted="stage", name=stage.text, help=help))
        return None if stage is None else stage.text

    def _start(self, node: Node | None, type: t.Type, where: str, values: tuple[Value, ...] | None) -> Plain:
        """A declared start; without one, a set is empty and everything else is nothing."""
        if node is None:
            return () if isinstance(type, t.ListOf) else None
        start = self.readings.plain(node, type, where)
        if isinstance(start, int):
            self.found += out_of_range(ir.Const(start, type=type), values, node, where)
        return start

    # ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────

    def cards(self) -> dict[str, ir.CardDef]:
        """Every definition; `each` has made one for each value, and companions stand behind their owners."""
        made: dict[str, ir.CardDef] = {}
        for info in self.world.cards.values():
            if info.owner:
                made[info.id] = companion(self.world, info, made[info.owner], self._printed)
                continue
            card = self.world.authored.cards[info.family]
            first = info.id == (self.world.families.get(info.family) or (info.id,))[0]
            made[info.id] = self._card(info, card, report=first)
        self.found += unknown_fields(self.world)
        self.found += lacking(self.world)
        return made

    def fields_of(self, kind: str) -> dict[str, t.Type]:
        """The attributes that a card of a kind has."""
        if kind not in self._fields:
            attributes = self.world.attributes.items()
            self._fields[kind] = {name: info.type for name, info in attributes if kind in info.kinds}
        return self._fields[kind]

    def _card(self, info: CardInfo, card: schema.Card, *, report: bool) -> ir.CardDef:
        where = f"card {info.family}"
        kept = len(self.found)
        self._listed_each(card.fields.get("each"), where)
        fixed = dict(info.each)
        attributes: dict[str, ir.Expr] = {}
        groups = self._copies(card.fields.get("copies"), info, where)
        varied = {name for _, attrs in groups for name in attrs}
        for name, type in self.fields_of(info.kind).items():
            if name in fixed:
                attributes[name] = ir.Const(fixed[name], type=type)
                continue
            if name in self.world.companions.get(info.kind, {}):
                attributes[name] = companions_of(self.world, info, name)
                continue
            node = card.fields.get(name)
            printed = self._printed(info.kind, name, where)
            if node is not None:
                attributes[name] = self._attribute(node, name, f"{where}, {name}")
            elif printed is not None:
                attributes[name] = printed
            elif name in varied:
                continue
            elif name not in misspelt(self.world, card):
                self.found.append(
                    diagnose("RB111", card.key.span, where=where, thing=f"Card `{info.family}`", field=name)
                )
        shown_name = self._name(card.fields.get("name"), info, where)
        text = self._unless_told(info.id, card.fields.get("text") or self._text_of_kind(info.kind))
        made = ir.CardDef(
            info.id, info.kind, shown_name, None if text is None else self._text(text, info, where, attributes),
            attributes, tuple(groups), at=At(card.key.scalar, 0, len(card.key.text)),
        )  # fmt: skip
        if not report:
            del self.found[kept:]
        return made

    def _attribute(self, node: Node, name: str, where: str) -> ir.Expr:
        info = self.world.attributes[name]
        expr = self.readings.leaf(node, info.type, where)
        self.found += out_of_range(expr, info.values, node, where)
        return expr

    def _listed_each(self, each: Node | None, where: str) -> None:
        """The words of a list under `each`: the names of the cards are made of them before any type is known."""
        for name, node in each.items() if isinstance(each, Mapping) else ():
            if isinstance(node, Sequence) and name in self.world.attributes:
                for one in node:
                    self._attribute(one, name, f"{where}, each")

    def _count(self, node: Node, where: str) -> ir.Expr:
        """How many copies there are of a card."""
        count = self.readings.leaf(node, t.NUMBER, where)
        for one in [value for _, value in count.cases] if isinstance(count, ir.ByOption) else [count]:
            negative = isinstance(one, ir.Arithmetic) and one.left == ir.Const(0, type=t.NUMBER)
            if negative or (isinstance(one, ir.Const) and isinstance(one.value, int) and one.value > _MOST_COPIES):
                span = one.at.span if one.at else node.span
                wanted = "0 or more" if negative else f"{_MOST_COPIES} or less"
                self.found.append(diagnose("RB411", span, where=where, value=span.text, wanted=wanted))
        return count

    def _printed(self, kind: str, name: str, where: str) -> ir.Expr | None:
        """What an attribute is where a card says nothing: its default, nothing, an empty list; None if it must say."""
        if (kind, name) in self._unsaid:
            return self._unsaid[kind, name]
        many = len(self.found)
        default, type = self._default(kind, name), self.world.attributes[name].type
        printed: ir.Expr | None = None
        if default is not None:
            printed = self._attribute(default, name, f"{where}, {name}")
        elif t.may_be_nothing(type):
            printed = ir.Const(None, type=t.NOTHING)
        elif isinstance(type, t.ListOf):
            printed = ir.Listed((), type=type)
        if len(self.found) == many:
            self._unsaid[kind, name] = printed
        return printed

    def _default(self, kind: str, name: str) -> Node | None:
        for family in (kind, *self.world.ancestors[kind]):
            field = self.world.authored.kinds[family].has.get(name)
            if field is not None:
                return field.start
        return None

    def _name(self, node: Node | None, info: CardInfo, where: str) -> ir.Expr:
        if node is None:
            words = info.family.replace("_", " ").capitalize()
            return ir.Const(" ".join([words, *(self._display(info, key) for key, _ in info.each)]), type=t.TEXT)
        known = {name: self._display(info, name) for name, _ in info.each}
        help = "Only what stands under `each` can stand in a name."
        return self._filled(self.readings.leaf(node, t.TEXT, where), known, node, help)

    def _text(self, node: Node, info: CardInfo, where: str, attributes: dict[str, ir.Expr]) -> ir.Expr:
        """What stands on a card; `{value}` is its own attribute, as far as that is the same under all house rules."""
        printed = {name: self._as_read(expr) for name, expr in attributes.items()}
        known = {name: text for name, text in printed.items() if text is not None}
        help = "An attribute that all copies share can stand in a text."
        return self._filled(self.readings.leaf(node, t.TEXT, where), known, node, help)

    def _unless_told(self, id: str, text: Node | None) -> Node | None:
        """A text that somebody wrote; none if it is told from what the card or action does."""
        self.found += misplaced(text, id)
        if is_told(text):
            self.told.append(id)
        return None if is_told(text) else text

    def _text_of_kind(self, kind: str) -> Node | None:
        """What stands on the cards of a kind that say nothing themselves: the nearest family's text."""
        families = (self.world.authored.kinds[name] for name in (kind, *self.world.ancestors[kind]))
        return next((family.text for family in families if family.text is not None), None)

    def _as_read(self, expr: ir.Expr) -> str | None:
        """A constant in the words people read; none for what goes by an option."""
        match expr:
            case ir.Const(None):
                return "none"
            case ir.Const(int() | str() as value):
                return self._worded(value, expr.type)
            case ir.Arithmetic("-", ir.Const(0), ir.Const(int(value))):
                return self._worded(-value, expr.type)
            case ir.Listed(items):
                parts = [self._as_read(item) for item in items]
                return ", ".join(part for part in parts if part is not None) or "none"
        return None

    def _filled(self, expr: ir.Expr, known: dict[str, str], node: Node, otherwise: str) -> ir.Expr:
        """A name's or text's `{currency}`, in the words people read."""
        match expr:
            case ir.Const(str(text)):
                for hole in _HOLE.findall(text):
                    if hole not in known:
                        help = did_you_mean(hole, known) or otherwise
                        self.found.append(diagnose("RB304", node.span, name=hole, help=help))
                return ir.Const(_HOLE.sub(lambda hole: known.get(hole[1], hole[1]), text), type=t.TEXT)
            case ir.ByOption(option, cases):
                made = tuple((key, self._filled(one, known, node, otherwise)) for key, one in cases)
                return ir.ByOption(option, made, type=t.TEXT)
        return expr

    def _display(self, info: CardInfo, name: str) -> str:
        type = self.world.attributes[name].type if name in self.world.attributes else t.UNKNOWN
        return self._worded(dict(info.each).get(name), type)

    def _worded(self, value: Value, type: t.Type) -> str:
        for word, enumeration in self.world.symbols(type):
            if word == value:
                return self.world.words[enumeration][word]
        if type == t.AMOUNT and isinstance(value, int):
            return amount_text(value, self.world.units)
        return shown(value) if isinstance(value, bool) else str(value)

    def _copies(self, node: Node | None, info: CardInfo, where: str) -> list[tuple[ir.Expr, dict[str, ir.Expr]]]:
        if node is None:
            return [(ir.Const(1, type=t.NUMBER), {})]
        if not isinstance(node, Mapping) or "by" in node:
            return [(self._count(node, f"{where}, copies"), {})]
        groups: list[tuple[ir.Expr, dict[str, ir.Expr]]] = []
        fields = self.fields_of(info.kind)
        for attribute, counts in node.items():
            if attribute not in fields:
                span = node.keys_at[attribute].span
                help = about_copies(self.world, fields, attribute) or None
                owner = t.with_article(f"{info.kind} card").capitalize()
                self.found.append(diagnose("RB303", span, where=where, owner=owner, name=attribute, help=help))
                break
            if not isinstance(counts, Mapping):
                wanted = "a map from a value to how many"
                self.found.append(
                    diagnose("RB112", counts.span, where=where, what="`copies`", wanted=wanted, got="text")
                )
                continue
            for value, count in counts.items():
                key = counts.keys_at[value]
                printed = self.readings.leaf(key, fields[attribute], f"{where}, copies")
                self._legal(printed, attribute, key)
                groups.append((self._count(count, f"{where}, copies"), {attribute: printed}))
        return groups

    def _legal(self, expr: ir.Expr, attribute: str, scalar: Scalar) -> None:
        values = self.world.attributes[attribute].values
        if values is not None and isinstance(expr, ir.Const) and expr.value not in tuple(values):
            wanted = ", ".join(shown(one) for one in values)
            self.found.append(diagnose("RB411", scalar.span, value=scalar.text, wanted=f"one of {wanted}"))

    def actions(self) -> dict[str, ir.ActionDef]:
        """What a player may choose to do."""
        made = {}
        for id, action in self.world.authored.actions.items():
            name = ir.Const(id.replace("_", " ").capitalize(), type=t.TEXT)
            where = f"action {id}"
            text = self._unless_told(id, action.text)
            made[id] = ir.ActionDef(
                id,
                name if action.name is None else self.readings.leaf(action.name, t.TEXT, where),
                None if text is None else self.readings.leaf(text, t.TEXT, where),
                at=At(action.key.scalar, 0, len(action.key.text)),
            )
        return made
