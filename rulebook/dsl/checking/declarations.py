"""Declarations to IR: options, kinds, states, places, memories, cards, actions, phrases, display, each with its checks.

A leaf of YAML is read as the type its field has; `{by: options.x, …}` may stand wherever one stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from collections.abc import Mapping as Map
from typing import Any, TypeAlias

from attrs import fields

from rulebook.cells import SheetFile
from rulebook.diagnostics import Diagnostic, diagnose, did_you_mean, near, nearest, perhaps
from rulebook.dsl import ir, schema
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking import advice
from rulebook.dsl.checking.expressions import BROKEN, Expressions, check_range
from rulebook.dsl.checking.looks import Looks
from rulebook.dsl.checking.scope import Scope
from rulebook.dsl.commas import cut_off, find_cut_items
from rulebook.dsl.document import At, Layered, Mapping, Node, Scalar, Sequence, kind_of
from rulebook.dsl.parsing.parser import parse_expression
from rulebook.dsl.settling.laying_out import MOST_COPIES
from rulebook.dsl.settling.options import choices_of, value_text
from rulebook.dsl.structuring.forms import BOX, ONCE, Printed
from rulebook.dsl.structuring.leaves import advise_on_start, quoted, read_sheet_cell
from rulebook.dsl.words import is_clause
from rulebook.dsl.world import CardInfo, FieldInfo, MemoryInfo, Value, World, kinds_with, words_of_type
from rulebook.plurals import word_amount
from rulebook.seats import word_seat
from rulebook.source import Span

Plain = int | bool | str | None | tuple[int | str, ...]

AUTO = "auto"
"""In place of a text: it is told from what a card or action does."""


_NOT_FIELDS = tuple(field.name for field in fields(Printed) if field.name != "copy")  # a copy is resolved before
_COLOURS_KNOWN = "Known: " + ", ".join(f"`{colour}`" for colour in schema.COLOURS)
_ATTRIBUTE = re.compile(r"\{([a-z_][a-z0-9_]*)\}")
_HOLE = re.compile(r"\{([^{}]*)\}")

Known: TypeAlias = dict[str, ir.Expr]
"""Plain values that are printed on a card, by attribute."""


class Definitions:
    """Makes the definitions of one rulebook."""

    def __init__(self, world: World, messages: list[Diagnostic], value_type: Callable[[str], t.Type]) -> None:
        self.world, self.messages, self._value_type = world, messages, value_type
        self.auto: list[str] = []
        """The cards and actions whose text is told from their scripts."""
        self._unsaid: dict[tuple[str, str], ir.Expr | None] = {}
        self._words: dict[tuple[str, t.Type], ir.Const] = {}
        """Constants already read, by their text and the wanted type: many cards print the same."""

    def _report(self, code: str, span: Span, where: str, help: str | None = None, **values: Any) -> None:
        self.messages.append(diagnose(code, span, where=where, help=help or None, **values))

    def make_options(self) -> dict[str, ir.OptionDef]:
        options = {}
        for name, option in self.world.authored.options.items():
            type, declared, where = self.world.options[name], option.type, f"option {name}"
            default: int | bool | str | tuple[tuple[int, int], ...] | None
            if name in self.world.steps:
                default = self._read_steps(option.default, type, where)
            else:
                read = self._read_plain(option.default, type, where)
                default = None if isinstance(read, tuple) else read  # no option is a list: the reading has said so
                legal = choices_of(declared, self.world.words)
                if legal and default is not None and default not in legal:
                    listed = len(legal) < 9 or declared.low is None
                    wanted = ", ".join(map(value_text, legal)) if listed else f"{declared.low} to {declared.high}"
                    help = f"Choose one of these, or let `options.{name}.type` allow more."
                    self._report("RB411", option.default.span, where, help, value=default, wanted=wanted)
            at = At(option.default, 0, len(option.default.text)) if isinstance(option.default, Scalar) else None
            words = self.world.words.get(declared.words)
            choices = declared.choices if words is None else tuple(words)
            options[name] = ir.OptionDef(name, type, default, choices, declared.low, declared.high, option.text, at)
        return options

    def _read_steps(self, node: Node, type: t.Type, where: str) -> tuple[tuple[int, int], ...]:
        if not isinstance(node, Mapping):
            what, wanted = "A table of steps", "a map like `{3: 3, 4: 5}`"
            self._report("RB112", node.span, where, what=what, wanted=wanted, got="text")
            return ()
        steps = []
        for key, value in node.items():
            number = self._read_plain(value, type, where)
            if key.isdigit() and isinstance(number, int):
                steps.append((int(key), number))
        return tuple(sorted(steps))

    def make_kinds(self) -> dict[str, ir.Kind]:
        return {name: ir.Kind(name, self.world.ancestors[name]) for name in self.world.authored.kinds}

    def make_states(self) -> dict[str, ir.StateDef]:
        """Make what changes on cards: declared states, and attributes that may change."""
        states = {}
        kinds = self.world.authored.kinds.values()
        for kind in kinds:
            for name, field in kind.state.items():
                info = self.world.states[name]
                start = self._read_start(field.start, info, f"kind {kind.key.text}, state {name}")
                lasts = self._check_stage(field.lasts)
                states[name] = ir.StateDef(
                    name, info.type, info.kinds, start, info.values, field.with_face, lasts, printed=False
                )
        lasting = {name: stage for kind in kinds for name, stage in kind.may_change.lasts.items()}
        for info in self.world.attributes.values():
            if info.changes:
                lasts = self._check_stage(lasting.get(info.name))
                states[info.name] = ir.StateDef(
                    info.name, info.type, info.kinds, None, info.values, with_face=True, lasts=lasts, printed=True
                )
        return states

    def make_places(self) -> dict[str, ir.PlaceDef]:
        """Make every declared place; the box is none of them."""
        authored = self.world.authored
        entries = [*authored.table_places.items(), *authored.places.player.items()]
        for kind in authored.kinds.values():
            entries += kind.places.items()
        places = {}
        for name, place in entries:
            size = None
            if place.size is not None:
                rows, columns = (self._read_leaf(side, t.NUMBER, f"place {name}") for side in place.size)
                size = (rows, columns)
            places[name] = self._make_place(name, place, "everyone", size, place.refill.text if place.refill else None)
        return places

    def make_box(self) -> ir.PlaceDef:
        """Make the place in which all cards begin, as hidden as the rulebook says."""
        return self._make_place(BOX, self.world.authored.box, "nobody", None, None)

    def _make_place(
        self,
        name: str,
        place: schema.Place | schema.Box | None,
        usual: str,
        size: tuple[ir.Expr, ir.Expr] | None,
        refill: str | None,
    ) -> ir.PlaceDef:
        info, key = self.world.places[name], place.key if isinstance(place, schema.Place) else None

        def read_switched(field: str, usual: str | bool, type: t.Type) -> ir.Expr:
            node = None if place is None else getattr(place, field)
            return ir.Const(usual, type=type) if node is None else self._read_leaf(node, type, f"place {name}")

        return ir.PlaceDef(
            name, info.owner, info.of, info.kept, info.holds, read_switched("seen_by", usual, t.TEXT), size, refill,
            read_switched("recall", True, t.YES_NO), read_switched("counted", "everyone", t.TEXT),
            read_switched("opened_at_end", False, t.YES_NO),
            isinstance(place, schema.Place) and place.alike is not None and place.alike.text == ONCE,
            At(key.scalar, 0, len(key.text)) if key else None,
        )  # fmt: skip

    def make_memories(self) -> dict[str, ir.MemoryDef]:
        authored = self.world.authored
        memories = {}
        for name, entry in (*authored.memory.table.items(), *authored.memory.player.items()):
            info = self.world.memories[name]
            start = self._read_start(entry.start, info, f"memory {name}")
            lasts = self._check_stage(entry.lasts)
            memories[name] = ir.MemoryDef(name, info.owner, info.type, start, info.values, info.seen_by, lasts)
        return memories

    def _check_stage(self, stage: Scalar | None) -> str | None:
        """Check that some script enters the stage whose end brings a start back."""
        if stage is not None and stage.text not in self.world.stages:
            help = did_you_mean(stage.text, sorted(self.world.stages)) or "No script enters a stage of that name."
            self._report("RB301", stage.span, "", help, wanted="stage", name=stage.text)
        return None if stage is None else stage.text

    def _read_start(self, node: Node | None, info: FieldInfo | MemoryInfo, where: str) -> Plain:
        """Read a declared start; without one, a set is empty and everything else is nothing."""
        if isinstance(info.type, t.TableOf) and info.type.key == t.PLAYER:
            if node is not None:
                help = "Before anybody plays, each entry is 0, or nothing. Set it when the game begins."
                self._report("RB112", node.span, where, help, what="This", wanted="no default", got=quoted(node))
            return ()
        if node is None and isinstance(info.type, t.TableOf):
            return (0,) * len([*self.world.symbols(info.type.key)])
        if node is None:
            return () if isinstance(info.type, t.ListOf) else None
        advised = advise_on_start(node.text) if isinstance(node, Scalar) else None
        start = self._read_plain(node, info.type, where, advised)
        if isinstance(start, int):
            self.messages += check_range(ir.Const(start, type=info.type), info.values, node, where)
        if isinstance(start, tuple) and isinstance(info.type, t.TableOf):
            entries = tuple(ir.Const(entry, type=info.type.item) for entry in start)
            self.messages += check_range(ir.Listed(entries, type=info.type), info.values, node, where)
        return start

    # ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────

    def make_cards(self) -> dict[str, ir.CardDef]:
        """Make every definition, one for each value of `each` and `copies`; companions stand behind their owners."""
        cards: dict[str, ir.CardDef] = {}
        for info in self.world.cards.values():
            if info.owner:
                cards[info.id] = self._make_companion(info, cards[info.owner])
                continue
            card, before = self.world.authored.cards[info.family], len(self.messages)
            cards[info.id] = self._make_card(info, card)
            # What is wrong with all of a family is said once.
            self.messages[before:] = [new for new in self.messages[before:] if new not in self.messages[:before]]
        self.messages += unknown_fields(self.world)
        self._check_companions()
        return cards

    def _make_card(self, info: CardInfo, card: schema.Card) -> ir.CardDef:
        where = f"card {info.family}"
        self._check_each(card.fields.get("each"), where)
        fixed = dict(info.each)
        attributes: dict[str, ir.Expr] = {}
        unsaid: list[str] = []
        for name, type in fields_of(self.world, info.kind).items():
            if name in fixed:
                attributes[name] = ir.Const(fixed[name], type=type)
                continue
            if name in self.world.companions.get(info.kind, {}):
                attributes[name] = companions_of(self.world, info, name)
                continue
            node, printed = card.fields.get(name), self._find_printed(info.kind, name, where)
            if node is not None:
                node = join_cut(self.world, card, name)
                attributes[name] = self._read_attribute(node, name, f"{where}, {name}")
                self._check_seat(node, name, attributes[name], where)
            elif printed is not None:
                attributes[name] = printed
            elif name not in misspelt(self.world, card):
                unsaid.append(name)
        settled = {name: ir.as_constant(value) for name, value in attributes.items()}
        known: Known = {name: value for name, value in settled.items() if isinstance(value, ir.Const)}
        groups = self._read_copies(card.fields.get("copies"), info, where, known)
        if info.group is not None:
            groups = [(count, {}) for count, _ in groups[info.group : info.group + 1]]
        seats = [value for name, value in info.each if isinstance(value, int) and self._is_of_a_seat(name)]
        groups = [(_count_for_seats(count, seats), own) for count, own in groups]
        varied = {name for _, attrs in groups for name in attrs}
        for name in unsaid:
            if name not in varied:
                self._report("RB111", card.key.span, where, thing=f"Card `{info.family}`", field=name)
        shown_name = self._read_name(card.fields.get("name"), info, where)
        families = (self.world.authored.kinds[name] for name in (info.kind, *self.world.ancestors[info.kind]))
        of_kind = next((family.text for family in families if family.text is not None), None)
        text = self._unless_told(info.id, card.fields.get("text") or of_kind)
        printed = None if text is None else self._read_text(text, where, attributes)
        at = At(card.key.scalar, 0, len(card.key.text))
        return ir.CardDef(info.id, info.kind, shown_name, printed, attributes, tuple(groups), at=at)

    def _is_of_a_seat(self, name: str) -> bool:
        return t.surely(self.world.attributes[name].type) == t.PLAYER

    def _check_seat(self, node: Node, name: str, printed: ir.Expr, where: str) -> None:
        """Report a card of which one of the players is printed on it: it is one for everybody, or nobody's."""
        if self._is_of_a_seat(name) and printed.type not in (t.NOTHING, t.UNKNOWN):
            help = f"One card for each player is `each: {{{name}: every player}}`. For what changes, take a `state`."
            got = f"`{node.text}`" if isinstance(node, Scalar) else "a table"
            self._report("RB401", node.span, where, help, what=f"`{name}`", wanted="`none` here", got=got)

    def _make_companion(self, info: CardInfo, owner: ir.CardDef) -> ir.CardDef:
        """Make a companion: as many copies as its owner, its name, and those of its attributes that both have."""
        attributes: dict[str, ir.Expr] = {}
        names = fields_of(self.world, info.kind)
        copies = tuple((count, {name: own[name] for name in names if name in own}) for count, own in owner.copies)
        for name in names:
            if name in self.world.companions.get(info.kind, {}):
                attributes[name] = companions_of(self.world, info, name)
            elif name in owner.attributes:
                attributes[name] = owner.attributes[name]
            elif not any(name in differing for _, differing in copies):
                own = self._find_printed(info.kind, name, f"card {info.family}")
                if own is not None:
                    attributes[name] = own
        return ir.CardDef(info.id, info.kind, owner.name, None, attributes, copies, at=owner.at)

    def _check_companions(self) -> None:
        """Report what companions need and get from nowhere, shown where their kind is named."""
        world = self.world
        attributes = kinds_with(world.attributes)
        for kind, entry in world.authored.kinds.items():
            for goal in entry.comes_with.values():
                if goal.text in world.concrete and world.concrete[kind]:
                    owners = [set(attributes.get(owner, ())) for owner in world.concrete[kind]]
                    thing = f"{t.with_article(goal.text).capitalize()} that comes with {t.with_article(kind)}"
                    for field, help in find_needs(world, goal.text, set.intersection(*owners), attributes):
                        help = f"No card is written for it. {help}"
                        self._report("RB111", goal.span, f"kind {kind}", help, thing=thing, field=field)

    def _read_attribute(self, node: Node, name: str, where: str) -> ir.Expr:
        info = self.world.attributes[name]
        expr = self._read_leaf(node, info.type, where)
        self.messages += check_range(expr, info.values, node, where)
        return expr

    def _check_each(self, each: Node | None, where: str) -> None:
        """Check the values under `each`: the names of the cards are made of them before any type is known."""
        for name, node in each.items() if isinstance(each, Mapping) else ():
            info = self.world.attributes.get(name)
            if info is not None and isinstance(node, Sequence):
                for scalar in node:
                    self._read_attribute(scalar, name, f"{where}, each")
            elif info is not None and isinstance(node, Scalar) and self._is_list(node):
                expr = self._read_leaf(node, t.ListOf(t.surely(info.type)), f"{where}, each")
                for end in (expr.first, expr.last) if isinstance(expr, ir.Span) else ():
                    self.messages += check_range(end, info.values, node, f"{where}, each")

    def _is_list(self, node: Scalar) -> bool:
        """Tell whether it is `every …` or a range; anything else has been told already."""
        tree, _ = parse_expression(node)
        return isinstance(tree, s.Range) or (isinstance(tree, s.Every) and tree.enumeration in self.world.words)

    def _read_count(self, node: Node, where: str, printed: Known | None = None) -> ir.Expr:
        count = self._read_leaf(node, t.NUMBER, where, printed)
        for least in [value for _, value in count.cases] if isinstance(count, ir.ByOption) else [count]:
            negative = _is_negative(least)
            if negative or (isinstance(least, ir.Const) and isinstance(least.value, int) and least.value > MOST_COPIES):
                span = least.at.span if least.at else node.span
                wanted = "0 or more" if negative else f"{MOST_COPIES} or less"
                self._report("RB411", span, where, value=span.text, wanted=wanted)
        return count

    def _find_printed(self, kind: str, name: str, where: str) -> ir.Expr | None:
        """Find what an attribute is where a card says nothing: its default, nothing, no items; None if it must say."""
        if (kind, name) in self._unsaid:
            return self._unsaid[kind, name]
        before, type = len(self.messages), self.world.attributes[name].type
        lines = (self.world.authored.kinds[family].has for family in (kind, *self.world.ancestors[kind]))
        default = next((has[name].start for has in lines if name in has), None)
        printed: ir.Expr | None = None
        if default is not None:
            printed = self._read_attribute(default, name, f"{where}, {name}")
        elif t.may_be_nothing(type):
            printed = ir.Const(None, type=t.NOTHING)
        elif isinstance(type, t.ListOf):
            printed = ir.Listed((), type=type)
        elif isinstance(type, t.TableOf):
            printed = self._make_table(type, {})
        if len(self.messages) == before:
            self._unsaid[kind, name] = printed
        return printed

    def _read_name(self, node: Node | None, info: CardInfo, where: str) -> ir.Expr:
        fields = self.world.attributes
        types = {name: fields[name].type if name in fields else t.UNKNOWN for name, _ in info.each}
        known = {name: self._spell(value, types[name]) for name, value in info.each}
        if node is None:
            words = info.family.replace("_", " ").capitalize()
            return ir.Const(" ".join([words, *known.values()]), type=t.TEXT)
        written = self._read_leaf(node, t.TEXT, where)
        if info.group is not None:
            written = _tell_apart(written, *info.each[-1])
        return self._fill_in(written, known, node, "Only what stands under `each` or `copies` can stand in a name.")

    def _read_text(self, node: Node, where: str, attributes: dict[str, ir.Expr]) -> ir.Expr:
        """Read what stands on a card; `{value}` is its own attribute, as far as house rules do not change it."""
        printed = {name: self._spell_constant(expr) for name, expr in attributes.items()}
        known = {name: text for name, text in printed.items() if text is not None}
        help = "An attribute that all copies share can stand in a text."
        return self._fill_in(self._read_leaf(node, t.TEXT, where), known, node, help)

    def _unless_told(self, id: str, text: Node | None) -> Node | None:
        """Return a text that somebody wrote; None if it is told from what the card or action does."""
        # A text that is told goes by options anyway.
        for node in text.values() if isinstance(text, Mapping) else ():
            if is_told(node):
                help = "Write `text: auto`: what is told goes by the options that the scripts ask for."
                self._report("RB112", node.span, id, help, what="This", wanted="a text for this choice", got="`auto`")
        if is_told(text):
            self.auto.append(id)
            return None
        return text

    def _spell_constant(self, expr: ir.Expr) -> str | None:
        """Spell a constant in the words people read; None for what goes by an option."""
        match ir.as_constant(expr):
            case ir.Const(None):
                return "none"
            case ir.Const(int() | str() as value):
                return self._spell(value, expr.type)
            case ir.Listed(items, type=t.TableOf() as table):
                return self._spell_table(items, table)
            case ir.Listed(items):
                parts = [self._spell_constant(item) for item in items]
                return ", ".join(part for part in parts if part is not None) or "none"
        return None

    def _spell_table(self, entries: tuple[ir.Expr, ...], of: t.TableOf) -> str:
        """Spell what there is in a table, as `2 wood, 1 stone` or `wood: 2 crowns`."""
        parts = []
        for entry, (word, enumeration) in zip(entries, self.world.symbols(of.key), strict=True):
            text, called = self._spell_constant(entry), self.world.words[enumeration][word]
            if text is not None and entry != ir.Const(0, type=of.item):
                parts.append(f"{called}: {text}" if of.item == t.AMOUNT else f"{text} {called}")
        return ", ".join(parts) or "nothing"

    def _spell(self, value: Value, type: t.Type) -> str:
        for word, enumeration in self.world.symbols(type):
            if word == value:
                return self.world.words[enumeration][word]
        if t.surely(type) == t.PLAYER and isinstance(value, int):
            return word_seat(value)
        if type == t.AMOUNT and isinstance(value, int):
            return word_amount(value, self.world.units)
        return value_text(value)

    def _fill_in(self, expr: ir.Expr, known: dict[str, str], node: Node, otherwise: str) -> ir.Expr:
        """Fill in a name's or text's `{currency}`, in the words people read."""
        match expr:
            case ir.Const(str(text)):
                for hole in _ATTRIBUTE.findall(text):
                    if hole not in known:
                        self._report("RB304", node.span, "", did_you_mean(hole, known) or otherwise, name=hole)
                return ir.Const(_ATTRIBUTE.sub(lambda hole: known.get(hole[1], hole[1]), text), type=t.TEXT)
            case ir.ByOption(option, cases):
                filled = tuple((key, self._fill_in(case, known, node, otherwise)) for key, case in cases)
                return ir.ByOption(option, filled, type=t.TEXT)
        return expr

    def _read_copies(
        self, node: Node | None, info: CardInfo, where: str, known: Known
    ) -> list[tuple[ir.Expr, dict[str, ir.Expr]]]:
        """Read how many copies there are; a question may ask what is printed on the card, as far as it is `known`."""
        if node is None:
            return [(ir.Const(1, type=t.NUMBER), {})]
        if not isinstance(node, Mapping) or "by" in node:
            return [(self._read_count(node, f"{where}, copies", known), {})]
        groups: list[tuple[ir.Expr, dict[str, ir.Expr]]] = []
        fields = fields_of(self.world, info.kind)
        for name, counts in node.items():
            if name not in fields:
                help = advice.about_copies(self.world, fields, name)
                owner = t.with_article(f"{info.kind} card").capitalize()
                self._report("RB303", node.keys_at[name].span, where, help, owner=owner, name=name)
                break
            if not isinstance(counts, Mapping):
                wanted = "a map from a value to how many"
                self._report("RB112", counts.span, where, what="`copies`", wanted=wanted, got="text")
                continue
            values = self.world.attributes[name].values
            for value, count in counts.items():
                key = counts.keys_at[value]
                printed = self._read_leaf(key, fields[name], f"{where}, copies")
                if values is not None and isinstance(printed, ir.Const) and printed.value not in values:
                    wanted = f"one of {', '.join(map(value_text, values))}"
                    self._report("RB411", key.span, "", value=key.text, wanted=wanted)
                groups.append((self._read_count(count, f"{where}, copies"), {name: printed}))
        return groups

    def make_actions(self) -> dict[str, ir.ActionDef]:
        actions = {}
        for id, action in self.world.authored.actions.items():
            where, text = f"action {id}", self._unless_told(id, action.text)
            name: ir.Expr = ir.Const(id.replace("_", " ").capitalize(), type=t.TEXT)
            if action.name is not None:
                name = self._read_leaf(action.name, t.TEXT, where)
            words = None if text is None else self._read_leaf(text, t.TEXT, where)
            actions[id] = ir.ActionDef(id, name, words, at=At(action.key.scalar, 0, len(action.key.text)))
        return actions

    # ── leaves ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _read_leaf(
        self, node: Node, wanted: t.Type, where: str, printed: Known | None = None
    ) -> ir.Expr:
        """Read a leaf of a type, perhaps by option. It may ask for what is `printed`, attributes by name."""
        if isinstance(node, Mapping) and isinstance(wanted, t.TableOf) and "by" not in node:
            return self._read_table(node, wanted, where)
        if isinstance(node, Mapping):
            return self._read_by_option(node, wanted, where, printed)
        if isinstance(wanted, t.TableOf):
            legal = [word for word, _ in self.world.symbols(wanted.key)][:2]
            example = ", ".join(f"{word}: {number}" for number, word in enumerate(legal, 1))
            help = f"What is not named is 0: write `{{{example}}}`."
            self._report("RB112", node.span, where, help, what="This", wanted="a map of words", got=quoted(node))
            return BROKEN
        if isinstance(wanted, t.ListOf) and (items := advice.find_loose_items(self.world, node, wanted.item)):
            # Nothing else could be meant, so no more is said of it.
            name, words, shown = where.rpartition(" ")[2], words_of_type(self.world, wanted), ", ".join(items)
            help = f"`{name}` is a {words}: write `[{shown}]`." if words else f"Write `[{shown}]`."
            got = "one with a comma too few" if isinstance(node, Sequence) else "one without its brackets"
            got = self.world.describe_type(t.surely(wanted.item)) if len(items) == 1 else got
            listed = self.world.describe_type(wanted)
            self._report("RB401", node.span, where, help, what="This", wanted=listed, got=got)
            return BROKEN
        if isinstance(node, Sequence):
            if isinstance(wanted, t.ListOf):
                return ir.Listed(tuple(self._read_leaf(item, wanted.item, where) for item in node), type=wanted)
            words = self.world.describe_type(wanted)
            self._report("RB401", node.span, where, what="This", wanted=words, got="a list")
            return BROKEN
        if isinstance(node, Layered):
            return self._refuse(node, wanted, where, quoted(node))
        if isinstance(node.span.file, SheetFile):
            node, unclear = read_sheet_cell(node, wanted)
            if unclear:
                words, got = self.world.describe_type(wanted), quoted(node)
                self._report("RB112", node.span, where, unclear, what="This", wanted=words, got=got)
                return BROKEN
        at = At(node, 0, len(node.text))
        is_printed = printed is not None and node.text in printed  # another value on another card
        if not is_printed and (known := self._words.get((node.text, wanted))):
            return ir.Const(known.value, type=known.type, at=at)
        if wanted == t.TEXT:
            return ir.Const(node.text, type=t.TEXT, at=at)
        if node.text == "none" and t.may_be_nothing(wanted):
            return ir.Const(None, type=t.NOTHING, at=at)
        if (meant := advice.find_printed_word(self.world, wanted, node.text)) is not None:
            self._report("RB301", node.span, where, meant[2], wanted=meant[0], name=node.text)
            return BROKEN
        tree, mistakes = parse_expression(node, where)
        self.messages += mistakes
        if tree is None:
            return BROKEN
        before = len(self.messages)
        checker = Expressions(self.world, Scope(hidden=printed or {}), where, self.messages, self._value_type)
        expr = checker.check_number(tree) if wanted == t.NUMBER else checker.check_value(tree, wanted)
        expr = checker.expect(expr, wanted, tree.at, "This")
        is_word = isinstance(tree, s.Word | s.Number) and not is_printed
        if is_word and isinstance(expr, ir.Const) and len(self.messages) == before:
            self._words[node.text, wanted] = expr
        return expr

    def _refuse(self, node: Node, wanted: t.Type, where: str, got: str) -> ir.Expr:
        self._report("RB112", node.span, where, what="This", wanted=self.world.describe_type(wanted), got=got)
        return BROKEN

    def _read_plain(self, node: Node, wanted: t.Type, where: str, help: str | None = None) -> Plain:
        """Read a value that must be known as it stands: a start, a default."""
        return self._find_constant(self._read_leaf(node, wanted, where), node.span, where, help)

    def _find_constant(self, expr: ir.Expr, span: Span, where: str, help: str | None) -> Plain:
        match ir.as_constant(expr):
            case ir.Const(value):
                return value
            case ir.Listed(items):
                constants = [self._find_constant(item, span, where, help) for item in items]
                return tuple(constant for constant in constants if isinstance(constant, int | str))
        if expr.type != t.UNKNOWN:
            wanted, got = "a value as it stands", "something to be worked out"
            self._report("RB401", span, where, help, what="This", wanted=wanted, got=got)
        return None

    def _read_table(self, node: Mapping, wanted: t.TableOf, where: str) -> ir.Expr:
        """Read a map from words to what there is of each; what is not named is 0."""
        named, words = {}, [word for word, _ in self.world.symbols(wanted.key)]
        for word, value in node.items():
            if word in words:
                named[word] = self._read_leaf(value, wanted.item, where)
            else:
                key = wanted.key.enumeration if isinstance(wanted.key, t.Symbol) else "player"
                self._report("RB301", node.keys_at[word].span, where, did_you_mean(word, words), wanted=key, name=word)
        return self._make_table(wanted, named)

    def _make_table(self, of: t.TableOf, named: Known) -> ir.Expr:
        zero = ir.Const(0, type=of.item)
        return ir.Listed(tuple(named.get(word, zero) for word, _ in self.world.symbols(of.key)), type=of)

    def _read_by_option(
        self, node: Mapping, wanted: t.Type, where: str, printed: Known | None = None
    ) -> ir.Expr:
        by = node.get("by")
        if not isinstance(by, Scalar):
            return self._refuse(node, wanted, where, kind_of(node))
        option = by.text.removeprefix("options.")
        declared = self.world.authored.options.get(option)
        if declared is None or not by.text.startswith("options."):
            help = did_you_mean(by.text, [f"options.{name}" for name in self.world.options])
            help = help if help.startswith("Did") else "Write `by: options.NAME`."
            self._report("RB301", by.span, where, help, wanted="option", name=by.text)
            return BROKEN
        named = {value_text(choice): choice for choice in choices_of(declared.type, self.world.words)}
        cases: list[tuple[Value, ir.Expr]] = []
        slips = set()
        for key, value in node.items():
            if key in named:
                cases.append((named[key], self._read_leaf(value, wanted, where, printed)))
            elif key != "by":
                slips.add(nearest(key, named))
                help, legal = did_you_mean(key, named), f"a choice of `{option}`"
                self._report("RB411", node.keys_at[key].span, where, help, value=key, wanted=legal)
        missing = [name for name in named if name not in node and name not in slips]
        if missing:
            self._report("RB111", by.span, where, thing=f"What goes by `{option}`", field=missing[0])
        return ir.ByOption(option, tuple(cases), type=wanted)


def fields_of(world: World, kind: str) -> dict[str, t.Type]:
    return {name: info.type for name, info in world.attributes.items() if kind in info.kinds}


def join_cut(world: World, card: schema.Card, name: str) -> Node:
    """Join what a card gives for an attribute with the items behind it, if it is a list without brackets."""
    node, of = card.fields[name], t.surely(world.attributes[name].type)
    items = find_cut_items(card.fields, name) if isinstance(of, t.ListOf) and isinstance(node, Scalar) else []
    if not items:
        return node
    span = Span(node.span.file, node.span.start, items[-1].span.end)
    joined = Scalar(", ".join([node.span.text, *(item.text for item in items)]), "plain", span)
    assert isinstance(of, t.ListOf)
    return joined if advice.find_loose_items(world, joined, of.item) else node


def _list_joined(world: World, card: schema.Card) -> Iterator[str]:
    """Yield the keys of a card that are items of a list without brackets."""
    for name in fields_of(world, card.kind.text):
        if name in card.fields and join_cut(world, card, name) is not card.fields[name]:
            yield from (item.text for item in find_cut_items(card.fields, name))


def _is_negative(number: ir.Expr) -> bool:
    """Tell whether this is a number below 0, as it is written: `-3`."""
    match number:
        case ir.Arithmetic("-", ir.Const(0), ir.Const(int(below))):
            return below > 0
    return False


def _tell_apart(name: ir.Expr, attribute: str, value: Value) -> ir.Expr:
    """Let a name speak of an attribute: players must tell apart what scripts tell apart."""
    hole = f"{{{attribute}}}"
    match name:
        case ir.Const(str(text)) if hole not in text:
            detail = hole if isinstance(value, str) else f"{attribute.replace('_', ' ')} {hole}"
            return ir.Const(f"{text} ({detail})", type=t.TEXT)
        case ir.ByOption(option, cases):
            apart = tuple((key, _tell_apart(case, attribute, value)) for key, case in cases)
            return ir.ByOption(option, apart, type=t.TEXT)
    return name


def _count_for_seats(count: ir.Expr, seats: list[int]) -> ir.Expr:
    """Count cards that belong to these seats: none where fewer play."""
    players = ir.BuiltIn("count", (ir.Seats(True, type=t.ListOf(t.PLAYER)),), type=t.NUMBER)
    for seat in seats:
        is_there = ir.Compare(">", players, ir.Const(seat, type=t.NUMBER), type=t.YES_NO)
        count = ir.IfElse(is_there, count, ir.Const(0, type=t.NUMBER), type=t.NUMBER, at=count.at)
    return count


def companions_of(world: World, info: CardInfo, name: str) -> ir.AllCards:
    """Make what an attribute of `comes_with` holds: all copies of the companion, one for each copy of the owner."""
    return ir.AllCards(only=f"{info.id}.{name}", type=t.ListOf(world.attributes[name].type))


def find_needs(world: World, kind: str, own: set[str], attributes: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Yield the attributes and hooks of a kind that only a card of its own could say, each with what to do."""
    brought = world.companions.get(kind, {})
    lines = [world.authored.kinds[above] for above in (kind, *world.ancestors[kind])]
    for name in attributes.get(kind, ()):
        type = world.attributes[name].type
        silent = t.may_be_nothing(type) or isinstance(type, t.ListOf | t.TableOf)
        default = any(line.has[name].start for line in lines if name in line.has)
        if name not in brought and name not in own and not silent and not default:
            yield name, f"Give `{name}` a default, or its owner a `{name}` of the same type."
    for line in lines:
        for hook in line.asks:
            if hook.default is None:
                yield hook.key.name, f"Give `{hook.key.name}` a default in the kind {line.key.text}."
        for hook in line.does:
            yield hook.key.name, f"Put `{hook.key.name}` under `may_do`, or let its owner do it."


def legal_fields(world: World, kind: str) -> list[str]:
    """Return what a card of a kind may say: what every card has, its attributes, its hooks."""
    brought = world.companions.get(kind, {})
    attributes = [name for name in fields_of(world, kind) if name not in brought]
    return [*_NOT_FIELDS, *attributes, *(name for name, info in world.hooks.items() if kind in info.kinds)]


def misspelt(world: World, card: schema.Card) -> set[str]:
    """Return the fields that a card gives under a slip of their name: they are not missing too."""
    legal = legal_fields(world, card.kind.text)
    unknown = [name for field in card.fields if (name := schema.name_in_key(field)) not in legal]
    return {close for name in unknown if (close := nearest(name, legal))}


def unknown_fields(world: World) -> Iterator[Diagnostic]:
    """Report the fields that cards give and that their kinds have not."""
    legal_of = {kind: legal_fields(world, kind) for kind in world.concrete}
    for id, card in world.authored.cards.items():
        legal = legal_of.get(card.kind.text)
        if legal is None:
            continue
        thing = t.with_article(f"{card.kind.text} card").capitalize()
        unknown = [field for field in card.fields if schema.name_in_key(field) not in legal]
        joined = set(_list_joined(world, card)) if unknown else set()
        for field in unknown:
            if field in joined:
                continue
            close = near(field, legal)
            help = cut_off(card.fields, field) or (perhaps(field, close) if close else advice.elsewhere(world, field))
            help = help or f"{thing} has: {', '.join(f'`{field}`' for field in legal)}."
            span = card.fields.keys_at[field].span
            yield diagnose("RB110", span, where=f"card {id}", thing=thing, field=field, help=help)


def is_told(text: Node | None) -> bool:
    """Tell whether a text is told: `auto`, not in quotes."""
    return isinstance(text, Scalar) and text.text == AUTO and text.style == "plain"


def nothing_told(world: World, id: str) -> Iterator[Diagnostic]:
    """Report a card that is to be told and does nothing. One that only has the text of its kind may have none."""
    card = world.authored.cards.get(world.cards[id].family)
    text = None if card is None else card.fields.get("text")
    if text is not None and is_told(text):
        help = "Write what stands on it, or leave `text` out."
        wanted, got = "a card that does or answers something", "one that does nothing of its own"
        yield diagnose("RB401", text.span, where=f"card {id}", what="`auto`", wanted=wanted, got=got, help=help)


def phrases_of(world: World, functions: Map[str, ir.Function], messages: list[Diagnostic]) -> dict[str, str]:
    phrases = {}
    takes = _takes(world)
    for name, phrase in world.authored.phrases.items():
        text = " ".join(phrase.text.text.split())
        if name not in takes:
            help = did_you_mean(name, takes)
            wanted = "kind, place, memory, attribute, value or rule"
            messages.append(diagnose("RB301", phrase.key.span, wanted=wanted, name=name, help=help))
            continue
        messages += _holes(name, phrase.text.span, text, takes[name])
        question = functions.get(f"values.{name}")
        if question is not None and t.members(question.type) == {t.YES_NO} and not _is_clause(text):
            help = f"Write it as what is so when the answer is yes, for example `{{p}} is {name.replace('_', ' ')}`."
            got, wanted = f"`{text}`", "a clause with `is`, `has`, `can` or the like"
            messages.append(diagnose("RB401", phrase.text.span, what="This", wanted=wanted, got=got, help=help))
        phrases[name] = text
    return phrases


def _takes(world: World) -> dict[str, tuple[str, ...]]:
    """Return every name that may have a phrase, with the parameters that may stand in it."""
    names: dict[str, tuple[str, ...]] = {}
    things = (world.authored.kinds, world.words, world.places, world.memories)
    for table in (*things, world.attributes, world.states, world.hooks):
        names.update(dict.fromkeys(table, ()))
    for signatures in (world.values, world.rules):
        names.update({name: tuple(parameter.name for parameter in of.parameters) for name, of in signatures.items()})
    return names


def _holes(name: str, span: Span, text: str, parameters: tuple[str, ...]) -> Iterator[Diagnostic]:
    for hole in _HOLE.findall(text):
        if hole not in parameters:
            help = did_you_mean(hole, parameters) or f"`{name}` is given nothing."
            yield diagnose("RB304", span, name=hole, help=help)


def _is_clause(text: str) -> bool:
    hole = _HOLE.match(text)
    behind = text[hole.end() :] if hole is not None else ""
    return bool(behind.startswith(" ") and behind.strip()) or is_clause(text)


_TITLES = re.compile(r"[^/]*[^/ ]( / [^/ ][^/]*)?")
_WANTED_TITLES = "a text, or one for yes and one for no with ` / ` between them"


def _join_paragraphs(text: str) -> str:
    """Join the lines of each paragraph; an empty line parts two of them."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))


_SHOWN = (t.Number, t.Amount, t.YesNo, t.Symbol, t.Player, t.Nothing)


def _check_shown(
    world: World, functions: Map[str, ir.Function], messages: list[Diagnostic]
) -> Iterator[tuple[str, ir.Shown]]:
    """Check each value that stands beside the table or a player: that it asks for nothing else, and is shown as one
    thing."""
    display = world.authored.display
    named = {name: (shown.key.scalar, shown.key.span, shown.title) for name, shown in display.shown.items()}
    scored = {word.text: (word, word.span, None) for word in display.scores if word.text in world.values}
    for name, (scalar, span, written) in {**scored, **named}.items():
        at = At(scalar, 0, len(scalar.text))
        signature = world.values.get(name)
        if signature is None:
            help = did_you_mean(name, world.values)
            if name in world.memories:
                help = "A memory is shown to whoever its `seen_by` says; only values need to be named here."
            messages.append(diagnose("RB301", span, wanted="value", name=name, help=help))
            continue
        function, parameters = functions.get(f"values.{name}"), signature.parameters
        if len(parameters) > 1 or any(parameter.type != t.PLAYER for parameter in parameters):
            got = f"one that is asked about `{', '.join(parameter.name for parameter in parameters)}`"
            wanted = "a value of the table or of one player"
            messages.append(diagnose("RB401", span, what=f"`{name}`", wanted=wanted, got=got))
        elif function is None or not all(map(_may_be_shown, t.members(function.type))):
            wanted = "a number, an amount, a table of these, a word, a player, or yes or no"
            got = world.describe_type(t.UNKNOWN if function is None else function.type)
            messages.append(diagnose("RB401", span, what=f"`{name}`", wanted=wanted, got=got))
        else:
            title = name.replace("_", " ") if written is None else " ".join(written.text.split())
            yield name, ir.Shown(title, bool(parameters), function.type, at)


def _may_be_shown(of: t.Type) -> bool:
    return isinstance(of, _SHOWN) or t.has_numbers(of)


def check_display(
    world: World,
    functions: Map[str, ir.Function],
    cards: Map[str, ir.CardDef],
    chosen: Collection[str],
    messages: list[Diagnostic],
) -> ir.Display:
    """Check the hints of a rulebook for whoever shows the game; `chosen` are the names of what players choose."""
    written = world.authored.display
    kinds = world.authored.kinds
    lying = [*world.places, *world.memories]

    def check_known(name: str, span: Span, names: Collection[str], wanted: str, otherwise: str = "") -> bool:
        if name in names:
            return True
        help = did_you_mean(name, names) or otherwise
        messages.append(diagnose("RB301", span, wanted=wanted, name=name, help=help))
        return False

    def check_listed(words: tuple[Scalar, ...], names: Collection[str], wanted: str) -> tuple[str, ...]:
        return tuple(word.text for word in words if check_known(word.text, word.span, names, wanted))

    types = [option.type for option in world.authored.options.values()]
    choices = [value_text(choice) for of in types for choice in of.choices or () if not isinstance(choice, int)]
    called = [*lying, *world.states, *world.options, *choices]
    titles = {
        name: " ".join(title.text.text.split())
        for name, title in written.titles.items()
        if check_known(name, title.key.span, called, "place, memory, state, option or choice")
    }
    for name, title in titles.items():
        memory = world.memories.get(name) or world.states.get(name)
        if memory is not None and t.surely(memory.type) == t.YES_NO and not _TITLES.fullmatch(title):
            what, at = f"The title of `{name}`", written.titles[name].text.span
            messages.append(diagnose("RB112", at, what=what, wanted=_WANTED_TITLES, got=f"“{title}”"))
    sort = {}
    for kind, attributes in written.sort.items():
        span = attributes[0].span if attributes else None
        if span is not None and check_known(kind, span, kinds, "kind"):
            sort[kind] = check_listed(attributes, world.attributes, "attribute")
    words = [word for words in world.words.values() for word in words]
    colours = {}
    for name, colour in written.colours.items():
        is_known = check_known(name, colour.key.span, [*kinds, *words], "kind or word")
        if check_known(colour.text.text, colour.text.span, schema.COLOURS, "colour", _COLOURS_KNOWN) and is_known:
            colours[name] = colour.text.text
    shown = dict(_check_shown(world, functions, messages))
    own = [name for name, memory in world.memories.items() if memory.owner == "player"]
    counted = [*own, *(name for name, value in shown.items() if value.of_each)]
    if written.language is not None and not re.fullmatch(schema.LANGUAGE, written.language.text):
        wanted, got = "a language as browsers know it, such as `en`, `de` or `pt-BR`", f"`{written.language.text}`"
        messages.append(diagnose("RB112", written.language.span, what="`language`", wanted=wanted, got=got))
    verbs = {}
    for name, verb in written.verbs.items():
        text = " ".join(verb.text.text.split())
        if not 0 < len(text) <= schema.LONGEST_VERB:
            what, wanted = f"The verb of `{name}`", f"a word or two of at most {schema.LONGEST_VERB} letters"
            messages.append(diagnose("RB112", verb.text.span, what=what, wanted=wanted, got=f"“{text}”"))
        elif name in chosen:
            verbs[name] = text
        elif not messages:  # else it may be chosen in a script that is wrong
            wanted, help = "the name of something that is chosen in a script", did_you_mean(name, chosen)
            what, got = "This", f"`{name}`, which nobody chooses"
            messages.append(diagnose("RB401", verb.key.span, what=what, wanted=wanted, got=got, help=help))
    looks = Looks(world, fields_of, messages, chosen)
    symbols, numerals = looks.check_symbols()
    return ir.Display(
        symbols=symbols,
        numerals=numerals,
        looks=looks.make_looks(cards),
        language="" if written.language is None else written.language.text,
        aim="" if written.aim is None else " ".join(written.aim.text.split()),
        about={heading: _join_paragraphs(text.text.text) for heading, text in written.about.items()},
        titles=titles,
        shown=shown,
        scores=check_listed(written.scores, counted, "memory or value of a player"),
        order=check_listed(written.order, [*lying, *kinds], "place, memory or kind"),
        sort=sort,
        hidden=check_listed(written.hidden, [*lying, *world.states], "place, memory or state"),
        colours=colours,
        verbs=verbs,
    )
