"""The first pass: every declared name, its type and its signature, gathered into a `World`.

A card with `each` or a table of copies is one definition for each value, and companions stand behind their owners.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as MappingOf
from typing import Any

from attrs import evolve

from rulebook.diagnostics import Diagnostic, diagnose, did_you_mean
from rulebook.dsl import schema
from rulebook.dsl import types as t
from rulebook.dsl.document import Mapping, Node, Scalar, Sequence, find_layers
from rulebook.dsl.naming.builtins import BUILT_INS
from rulebook.dsl.parsing.parser import parse_expression, parse_signature
from rulebook.dsl.structuring.declarations import BANNED, SNAKE
from rulebook.dsl.structuring.forms import BOX
from rulebook.dsl.syntax import Every, Number, Range, YesNo
from rulebook.dsl.walk import reach
from rulebook.dsl.world import (
    TYPE_WORDS,
    CardInfo,
    FieldInfo,
    HookInfo,
    MemoryInfo,
    Parameter,
    PlaceInfo,
    Signature,
    Value,
    World,
    make_table,
    part_of_id,
    type_of_parameter,
    type_of_words,
    who_may_look,
)
from rulebook.source import Span

_MOST_CARDS = 1000  # that one entry makes
_DEEPEST = 10  # cards that bring cards that bring cards …
ACTION_HOOKS = ("possible", "effect")
_Group = tuple[int | None, tuple[tuple[str, Value], ...]]
_DEEPEST_KINDS = 50  # one above the other


def gather(authored: schema.Authored) -> tuple[World, list[Diagnostic]]:
    naming = _Naming(authored)
    naming.gather()
    return naming.world, naming.messages


_ELIMINATE = "eliminate"
_OR_A_START = "A type stands here, or what it starts with: `no`, `yes`, `0` …"


class _Naming:
    def __init__(self, authored: schema.Authored) -> None:
        self.authored = authored
        self.world = World(authored, words={k: dict(v) for k, v in authored.words.items()}, units=dict(authored.units))
        self.messages: list[Diagnostic] = []

    def _report(self, code: str, span: Span | None, help: str | None = None, **values: Any) -> None:
        self.messages.append(diagnose(code, span, help=help, **values))

    def gather(self) -> None:
        self._gather_kinds()
        self._gather_options()
        self._gather_fields()
        self._gather_places()
        self._gather_memory()
        self._gather_hooks()
        self.circles = self._find_circles()
        self._gather_cards()
        self.world.actions = frozenset(self.authored.actions)
        self.world.values = self._gather_signatures(self.authored.values, questions=True)
        self.world.rules = self._gather_signatures(self.authored.rules, questions=False)
        triggers = tuple(entry for entry in self.authored.whenever if SNAKE.fullmatch(entry.key.name))
        self.world.triggers = self._gather_signatures(triggers, questions=False)
        self.world.eliminates = self._find_elimination()

    def _find_elimination(self) -> Span | None:
        """Find the first word in a script by which somebody may be eliminated."""
        scripts: list[Node] = [rule.body for rule in (*self.authored.rules, *self.authored.whenever)]
        scripts += [action.effect for action in self.authored.actions.values()]
        done = {name for name, hook in self.world.hooks.items() if hook.answer is None}
        scripts += [node for card in self.authored.cards.values() for key, node in card.fields.items() if key in done]
        for layer in (layer for script in scripts for layer in find_layers(script)):
            if isinstance(layer, Scalar) and _ELIMINATE in layer.text:
                start = layer.text.index(_ELIMINATE)
                return layer.locate(start, start + len(_ELIMINATE))
        return None

    # ── kinds ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _gather_kinds(self) -> None:
        kinds = self.authored.kinds
        circles: set[str] = set()
        reported = False
        for name, kind in kinds.items():
            line: list[str] = []
            current = kind
            while current.parent is not None:
                parent = current.parent.text
                if parent not in kinds:
                    self._report_unknown(current.parent, "kind", parent, kinds)
                    break
                if parent in line or parent == name:
                    what = f"What stands above `{name}`"
                    wanted, got = "another kind", f"a circle: {' is '.join([name, *line, parent])}"
                    if not circles & {name, *line}:
                        self._report("RB401", current.parent.span, what=what, wanted=wanted, got=got)
                    circles |= {name, *line}
                    break
                if len(line) == _DEEPEST_KINDS:
                    if not reported:
                        problem = f"a kind with more than {_DEEPEST_KINDS} kinds above it"
                        self._report("RB106", current.parent.span, problem=problem)
                    reported = True
                    break
                line.append(parent)
                current = kinds[parent]
            self.world.ancestors[name] = tuple(line)
        used = {card.kind.text for card in self.authored.cards.values()}
        used |= {goal.text for kind in kinds.values() for goal in kind.comes_with.values()}
        parents = {above for line in self.world.ancestors.values() for above in line}
        concrete = {name for name in kinds if name in used or name not in parents}
        below: dict[str, set[str]] = {name: {name} & concrete for name in kinds}
        for kind_name in sorted(concrete):
            for name in self.world.ancestors[kind_name]:
                below[name].add(kind_name)
        self.world.concrete |= {name: frozenset(kinds) for name, kinds in below.items()}

    # ── fields ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _gather_fields(self) -> None:
        for kind, entry in self.authored.kinds.items():
            kinds = self.world.concrete[kind]
            changing = {scalar.text for scalar in entry.may_change.names}
            for name, field in entry.has.items():
                self._gather_field(self.world.attributes, name, field, kinds, changes=name in changing)
            for name, field in entry.state.items():
                self._gather_field(self.world.states, name, field, kinds, changes=True)
            for name, goal in entry.comes_with.items():
                self._gather_companion(name, goal, kinds)
        for kind, entry in self.authored.kinds.items():
            for scalar in entry.may_change.names:
                info = self.world.attributes.get(scalar.text)
                if info is None:
                    self._report_no_attribute(kind, scalar.text, scalar.span)
                else:
                    self.world.attributes[scalar.text] = evolve(info, changes=True)
            for scalar in entry.for_set_up:
                if scalar.text not in self.world.attributes:
                    self._report_no_attribute(kind, scalar.text, scalar.span)

    def _gather_companion(self, name: str, goal: Scalar, kinds: frozenset[str]) -> None:
        """Gather an attribute that is read like the others; the card behind it is made with its owner."""
        if goal.text not in self.world.concrete:
            self._report_unknown(goal, "kind", goal.text, self.world.concrete)
            return
        type = t.Card(frozenset([goal.text]))
        if self._add_field(self.world.attributes, FieldInfo(name, type, None, kinds, changes=False), goal.span):
            for kind in sorted(kinds):
                self.world.companions.setdefault(kind, {})[name] = goal.text

    def _add_field(self, table: dict[str, FieldInfo], info: FieldInfo, span: Span | None) -> bool:
        """Puts a field among those of its name, which must have the same type in all kinds."""
        before = table.get(info.name)
        if before is not None:
            if before.type != info.type and t.UNKNOWN not in (before.type, info.type):
                wanted = f"{t.word_type(before.type)}, as another kind declares it"
                what, got = f"`{info.name}`", t.word_type(info.type)
                self._report("RB401", span, what=what, wanted=wanted, got=got)
                return False
            values = info.values and before.values and tuple(dict.fromkeys((*before.values, *info.values)))
            info = evolve(info, kinds=info.kinds | before.kinds, values=values)
        table[info.name] = info
        return True

    def _gather_field(
        self, table: dict[str, FieldInfo], name: str, field: schema.Field, kinds: frozenset[str], *, changes: bool
    ) -> None:
        attribute = table is self.world.attributes
        type, values = self._find_type(name, field) if attribute else self._find_starting_type(name, field)
        if attribute and isinstance(type, t.TableOf) and type.key == t.PLAYER and field.type is not None:
            help = "Nobody sits at the table yet when cards are printed: a `state` may be there for each player."
            wanted, got = "a table by the words of a list", "one by players"
            self._report("RB401", field.type.span, help, what=f"`{name}`", wanted=wanted, got=got)
        if attribute and type == t.PLAYER and not self._belongs_to_seats(name):
            type, values = t.maybe(type), None
        span = field.type.span if field.type else field.start.span if field.start else None
        self._add_field(table, FieldInfo(name, type, values, kinds, changes), span)

    def _belongs_to_seats(self, attribute: str) -> bool:
        """Tell whether each card with this attribute is one of `every player`, so that it is surely somebody's."""
        having = (self.world.concrete[kind] for kind, entry in self.authored.kinds.items() if attribute in entry.has)
        kinds = frozenset[str]().union(*having)
        for kind, entry in self.authored.kinds.items():
            if self.world.concrete[kind] and any(goal.text in kinds for goal in entry.comes_with.values()):
                return False
        for card in self.authored.cards.values():
            each = card.fields.get("each")
            of_seats = each.get(attribute) if isinstance(each, Mapping) else None
            if card.kind.text in kinds and not (isinstance(of_seats, Scalar) and of_seats.text == "every player"):
                return False
        return True

    def _find_type(self, name: str, field: schema.Field) -> tuple[t.Type, tuple[Value, ...] | None]:
        if field.type is not None:
            start = field.start is None and len(field.type.words) <= 2
            return self._find_named_type(name, field.type, _OR_A_START if start else None)
        if field.start is None:
            return t.UNKNOWN, None
        return self._find_type_of_start(field.start)

    def _find_starting_type(self, name: str, field: schema.Field) -> tuple[t.Type, tuple[Value, ...] | None]:
        """Return the type of a memory or state: without a start it is nothing at first, or an empty list."""
        type, values = self._find_type(name, field)
        if field.start is None and not isinstance(type, t.ListOf | t.TableOf):
            return t.maybe(type), None if values is None else (None, *values)
        return type, values

    def _find_type_of_start(self, start: Node) -> tuple[t.Type, tuple[Value, ...] | None]:
        if isinstance(start, Sequence):
            items = [self._find_type_of_start(item)[0] for item in start]
            return t.ListOf(t.either(*items) if items else t.UNKNOWN), None
        if isinstance(start, Scalar):
            tree, mistakes = parse_expression(start)
            self.messages += mistakes
            match tree:
                case YesNo():
                    return t.YES_NO, (False, True)
                case Number(_, None):
                    return t.NUMBER, None
                case Number(_, unit):
                    if unit not in self.world.units:
                        help = did_you_mean(unit or "", self.world.units) or None
                        self._report("RB308", start.span, name=unit, help=help)
                    return t.AMOUNT, None
                case None:
                    return t.UNKNOWN, None
        self._report("RB112", start.span, what="this", wanted="a value or a type", got="something else")
        return t.UNKNOWN, None

    def _find_named_type(
        self, name: str, named: schema.TypeName, otherwise: str | None = None
    ) -> tuple[t.Type, tuple[Value, ...] | None]:
        """Return the type of that name, and its values; `otherwise` is what to do about one that nothing is like.

        Of a table, the values are those that each entry may have.
        """
        if named.by:
            return self._find_table(name, named)
        if named.choices is not None:
            return self._gather_choices(name, named.choices), named.choices
        if named.low is not None and named.high is not None:
            return t.NUMBER, tuple(range(named.low, named.high + 1)) if named.high - named.low < 1000 else None
        type = type_of_words(self.world, named.words)
        if type is None:
            self._report_no_type(named.words.removeprefix("set of "), named.span, otherwise)
            return t.UNKNOWN, None
        return type, self._values_of(type)

    def _find_table(self, name: str, named: schema.TypeName) -> tuple[t.Type, tuple[Value, ...] | None]:
        """Return the type of a table, and the values of an entry."""
        before = len(self.messages)
        item, values = self._find_named_type(name, evolve(named, by=""))
        key = type_of_words(self.world, named.by)
        if key is None:
            help = did_you_mean(named.by, ["player", *self.world.words]) or None
            self._report("RB301", named.span, help, wanted="list of words", name=named.by)
        elif not isinstance(key, t.Symbol | t.Player):
            wanted = "the name of a list in `words:`, or `player`"
            self._report("RB401", named.span, what="What stands behind `by`", wanted=wanted, got=f"`{named.by}`")
        if len(self.messages) > before or item == t.UNKNOWN or key is None:
            return t.UNKNOWN, None
        table = make_table(item, key)
        if table is None:
            what, wanted = f"What there is for each {named.by}", "a number, a range or an amount"
            self._report("RB401", named.span, what=what, wanted=wanted, got=self.world.describe_type(item))
            return t.UNKNOWN, None
        if not t.has_numbers(table):
            return table, None if values is None else (None, *values)
        if values is not None and 0 not in values:
            help = "Each entry is 0 until something else is said of it."
            self._report("RB411", named.span, help, value=f"{named.low}..{named.high}", wanted="a range with 0 in it")
        return table, values

    def _values_of(self, of: t.Type) -> tuple[Value, ...] | None:
        match of:
            case t.YesNo():
                return (False, True)
            case t.Symbol(enumeration):
                return tuple(self.world.words[enumeration])
        return None

    def _gather_choices(self, name: str, choices: tuple[Value, ...]) -> t.Type:
        types: list[t.Type] = []
        words = [choice for choice in choices if isinstance(choice, str)]
        if words:
            if not any(set(words) == set(known) for key, known in self.world.words.items() if key == name):
                self.world.words[name] = {word: word.replace("_", " ") for word in words}
            types.append(t.Symbol(name))
        if any(isinstance(choice, bool) for choice in choices):
            types.append(t.YES_NO)
        if any(isinstance(choice, int) and not isinstance(choice, bool) for choice in choices):
            types.append(t.NUMBER)
        if None in choices:
            types.append(t.NOTHING)
        return t.either(*types)

    # ── the rest ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _gather_options(self) -> None:
        for name, option in self.authored.options.items():
            if option.type.words == "steps":
                self.world.steps.add(name)
                self.world.options[name] = t.AMOUNT if self._has_units(option.default) else t.NUMBER
            else:
                self.world.options[name] = self._find_named_type(f"options.{name}", option.type)[0]

    def _has_units(self, steps: Node) -> bool:
        """Tell whether the entries of a table of steps are amounts, which have a unit."""
        entries = steps.values() if isinstance(steps, Mapping) else ()
        return any(isinstance(entry, Scalar) and entry.text.split(" ")[-1] in self.authored.units for entry in entries)

    def _gather_places(self) -> None:
        box, holds = self.authored.box, self.world.all_kinds
        seen_by = frozenset({"nobody"}) if box is None or box.seen_by is None else who_may_look(box.seen_by)
        counted = who_may_look(None if box is None else box.counted)
        self.world.places[BOX] = PlaceInfo(BOX, "table", frozenset(), "loose", holds, seen_by, counted)
        for name, place in self.authored.table_places.items():
            self._gather_place(name, place, "table", frozenset())
        for name, place in self.authored.places.player.items():
            self._gather_place(name, place, "player", frozenset())
        for kind, entry in self.authored.kinds.items():
            for name, place in entry.places.items():
                self._gather_place(name, place, "card", self.world.concrete[kind])
        table = self.authored.table_places
        beside = [table, self.authored.places.player, *(entry.places for entry in self.authored.kinds.values())]
        for places in beside:
            for name, place in places.items():
                if place.refill is not None:
                    self._check_refill(name, place, place.refill, table | places)

    def _gather_place(self, name: str, place: schema.Place, owner: str, of: frozenset[str]) -> None:
        holds: frozenset[str] = frozenset()
        for scalar in place.holds:
            if scalar.text in self.world.concrete:
                holds |= self.world.concrete[scalar.text]
            else:
                self._report_unknown(scalar, "kind", scalar.text, self.world.concrete)
        if place.kept.text == "grid" and place.size is None:
            self._report("RB111", place.key.span, thing=f"The grid `{name}`", field="size")
        if place.alike is not None and place.kept.text in ("grid", "slot", "pool"):
            help = "There each thing is chosen by where it lies, or none is: leave `alike:` out."
            self._report("RB409", place.alike.span, help, place=name, kept=place.kept.text, verb="alike:")
        seen_by, counted = who_may_look(place.seen_by), who_may_look(place.counted)
        self.world.places[name] = PlaceInfo(name, owner, of, place.kept.text, holds, seen_by, counted)
        if "others" in seen_by and owner != "player" and place.seen_by is not None:
            self._report_no_others(place.seen_by.span, name)

    def _report_no_others(self, span: Span, name: str) -> None:
        help = f"`{name}` belongs to no player, so there is nobody from whom alone it could be hidden."
        self._report("RB411", span, help, value="others", wanted="`nobody` or `everyone`")

    def _check_refill(
        self, name: str, place: schema.Place, refill: Scalar, legal: MappingOf[str, schema.Place]
    ) -> None:
        """Check that a pile or bag is refilled from another place, of the table or its owner, with what it may hold."""
        others, holds = [other for other in legal if other != name], self.world.places[name].holds
        if refill.text == name:
            help = "Nothing lies in a place that is empty: name the one in which the cards lie that are shuffled in."
            self._report("RB301", refill.span, wanted="other place", name=name, help=help)
        elif refill.text not in others:
            self._report_unknown(refill, "place of the table or of the same owner", refill.text, others)
        elif place.kept.text not in ("pile", "bag"):
            help = "Only a pile or a bag is refilled, when a draw finds it empty: leave `refill:` out."
            self._report("RB409", refill.span, help, place=name, kept=place.kept.text, verb="refill:")
        elif legal[refill.text].kept.text == "pool":
            help = "Pieces in a pool are no cards any more, so nothing of it can be shuffled in. Name a place of cards."
            self._report("RB409", refill.span, help, place=refill.text, kept="pool", verb="refill:")
        elif holds and (rest := self.world.places[refill.text].holds - holds):
            help = f"What lies in `{refill.text}` is shuffled into `{name}`: let it hold that, or name another place."
            got = f"{t.with_article(self.world.family_of(rest))} card"
            self._report("RB410", refill.span, help, place=name, got=got)

    def _gather_memory(self) -> None:
        for owner, entries in (("table", self.authored.memory.table), ("player", self.authored.memory.player)):
            for name, entry in entries.items():
                type, values = self._find_starting_type(name, entry)
                self.world.memories[name] = MemoryInfo(name, owner, type, values, entry.seen_by)
                value = entry.type or entry.start
                if entry.seen_by == "others" and owner != "player" and value is not None:
                    self._report_no_others(value.span, name)

    def _gather_hooks(self) -> None:
        effect = Signature("effect", (Parameter("me", t.PLAYER),))
        possible = Signature("possible", (Parameter("me", t.PLAYER),))
        self.world.hooks["effect"] = HookInfo(effect, None, frozenset(), required=True)
        self.world.hooks["possible"] = HookInfo(possible, t.YES_NO, frozenset(), required=False)
        for kind, entry in self.authored.kinds.items():
            kinds = self.world.concrete[kind]
            for hook in entry.asks:
                answer: t.Type = t.YES_NO
                if hook.type is not None and hook.type.words != "conditions":
                    answer = self._find_named_type(hook.key.text, hook.type)[0]
                self._gather_hook(hook, kinds, answer, required=hook.default is None)
            for hook in entry.does:
                self._gather_hook(hook, kinds, None, required=True)
            for hook in entry.may_do:
                self._gather_hook(hook, kinds, None, required=False)

    def _gather_hook(self, hook: schema.Hook, kinds: frozenset[str], answer: t.Type | None, *, required: bool) -> None:
        signature = self._read_question(hook.key) if answer is not None else self._read_signature(hook.key)
        if signature is None:
            return
        before = self.world.hooks.get(signature.name)
        if before is not None:
            same = [p.type for p in before.signature.parameters] == [p.type for p in signature.parameters]
            if not same or before.answer != answer:
                self._report("RB113", hook.key.span, name=signature.name)
                return
            kinds = kinds | before.kinds
            required = required and before.required
        self.world.hooks[signature.name] = HookInfo(signature, answer, kinds, required)

    def _gather_signatures(self, entries: tuple[schema.Named, ...], *, questions: bool) -> dict[str, Signature]:
        signatures = {}
        for entry in entries:
            signature = self._read_question(entry.key) if questions else self._read_signature(entry.key)
            if signature is not None:
                signatures[signature.name] = signature
        return signatures

    def _read_question(self, key: schema.Key) -> Signature | None:
        """Return the signature of something asked in expressions, where the built-in questions are asked too."""
        signature = self._read_signature(key)
        if signature is not None and signature.name in BUILT_INS:
            self._report("RB114", key.span, name=signature.name)
        return signature

    def _read_signature(self, key: schema.Key) -> Signature | None:
        tree, mistakes = parse_signature(key.scalar)
        self.messages += mistakes
        if tree is None:
            return None
        parameters = []
        for parameter in tree.parameters:
            type = type_of_parameter(self.world, parameter)
            if type is None:
                self._report_no_type(parameter.type or "", parameter.name.at.span)
                type = t.UNKNOWN
            name, taken = parameter.name.text, self.world.describe_meaning(parameter.name.text)
            if name in BANNED and name != "me":
                self._report("RB114", parameter.name.at.span, name=name)
            elif taken:
                help = f"Choose another name here, for example `the_{name}`."
                first = "what comes between the brackets"
                self._report("RB305", parameter.name.at.span, name=name, one=first, two=taken, help=help)
            parameters.append(Parameter(name, type))
        # Who looks a name up has the key: the one place that says what a key names.
        return Signature(key.name, tuple(parameters))

    def _report_unknown(self, scalar: Scalar, wanted: str, name: str, legal: Iterable[str]) -> None:
        names = list(legal)
        self._report("RB301", scalar.span, wanted=wanted, name=name, help=did_you_mean(name, names) or None)

    def _report_no_type(self, name: str, span: Span, otherwise: str | None = None) -> None:
        legal = [*TYPE_WORDS, *self.world.concrete, *self.world.words]
        self._report("RB301", span, wanted="type", name=name, help=did_you_mean(name, legal) or otherwise)

    def _report_no_attribute(self, kind: str, name: str, span: Span) -> None:
        """Report that the cards of a kind have no attribute of that name."""
        below = self.world.concrete[kind]
        legal = [known for known, info in self.world.attributes.items() if info.kinds & below]
        help, owner = did_you_mean(name, legal) or None, t.with_article(kind).capitalize()
        self._report("RB303", span, owner=owner, name=name, help=help)

    # ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _gather_cards(self) -> None:
        """Gather every definition: those of the entries, and behind each the companions that it brings."""
        for id, card in self.authored.cards.items():
            kind = card.kind.text
            if kind not in self.authored.kinds:
                self._report_unknown(card.kind, "kind", kind, self.authored.kinds)
                continue
            family = self._gather_family(id, card)
            for info in family:
                self.world.cards[info.id] = info
            split = "each" in card.fields or any(info.group is not None for info in family)
            if split:
                self.world.families[id] = tuple(info.id for info in family)
            self._bring_companions(family, split=split)

    def _gather_family(self, id: str, card: schema.Card) -> list[CardInfo]:
        kind, each, groups = card.kind.text, card.fields.get("each"), self._find_groups(card)
        if each is not None and not isinstance(each, Mapping):
            wanted = "a map like `{currency: every currency}`"
            self._report("RB112", each.span, what="`each`", wanted=wanted, got="text")
            return []
        ranges = [
            [(name, value) for value in self._each_values(node, name, kind)] for name, node in (each or {}).items()
        ]
        if math.prod(map(len, ranges)) * len(groups) > _MOST_CARDS:
            wanted = f"so few values that they make at most {_MOST_CARDS} cards"
            what = "copies" if each is None else "each"
            self._report("RB411", card.fields[what].span, value=f"`{what}`", wanted=wanted)
            return []
        family: dict[str, CardInfo] = {}
        for values in itertools.product(*ranges):
            for group, own in groups:
                name = ".".join([id, *(self._part_of_id(*printed) for printed in (*values, *own))])
                if name in family and group is not None:
                    self._report("RB113", card.fields["copies"].span, name=name)
                family[name] = CardInfo(name, id, kind, (*values, *own), group=group)
        return [*family.values()]

    def _part_of_id(self, attribute: str, value: Value) -> str:
        """The part of a card's id that a value is; seats count from 1."""
        is_seat = t.surely(self.world.attributes[attribute].type) == t.PLAYER
        return part_of_id(value + 1 if is_seat and isinstance(value, int) else value)

    def _find_groups(self, card: schema.Card) -> list[_Group]:
        """Return the entries of a table of copies, each with what it prints.

        A number, and a table whose attributes only sort the cards before play, are one entry without a number.
        """
        kind, copies = card.kind.text, card.fields.get("copies")
        one_definition: list[_Group] = [(None, ())]
        if not isinstance(copies, Mapping) or "by" in copies:
            return one_definition
        line = (self.authored.kinds[name] for name in (kind, *self.world.ancestors[kind]))
        if {scalar.text for count in line for scalar in count.for_set_up}.issuperset(copies):
            return one_definition
        values = []
        for name, counts in copies.items():
            info = self.world.attributes.get(name)
            if info is None or kind not in info.kinds or not isinstance(counts, Mapping):
                return one_definition  # which is a mistake
            values += [(name, self._read_value(text, info.type)) for text in counts]
        return [(number, (value,)) for number, value in enumerate(values)] or one_definition

    def _read_value(self, text: str, type: t.Type) -> Value:
        """Return what a leaf stands for, as far as the names of cards need it."""
        if text == "none" and t.may_be_nothing(type):
            return None
        sure, (number, _, unit) = t.surely(type), text.partition(" ")
        if sure == t.YES_NO and text in ("yes", "no"):
            return text == "yes"
        if sure == t.AMOUNT and number.isdecimal() and (unit in self.world.units or number == "0"):
            return int(number) * self.world.units.get(unit, 1)
        return int(text) if sure == t.NUMBER and text.isdecimal() else text

    def _each_values(self, node: Node, attribute: str, kind: str) -> list[Value]:
        info = self.world.attributes.get(attribute)
        if info is None or kind not in info.kinds:
            self._report_no_attribute(kind, attribute, node.span)
            return []
        if isinstance(node, Sequence):
            return [self._read_value(leaf.text, info.type) for leaf in node if isinstance(leaf, Scalar)]
        if not isinstance(node, Scalar):
            wanted = "`every …`, a range or a list"
            self._report("RB112", node.span, what="`each`", wanted=wanted, got="a map")
            return []
        tree, mistakes = parse_expression(node)
        self.messages += mistakes
        match tree:
            case Every("player") if t.surely(info.type) == t.PLAYER:
                return list(range(max(self.authored.players)))
            case Every(enumeration) if enumeration in self.world.words:
                return list(self.world.words[enumeration])
            case Every(enumeration):
                self._report_unknown(node, "list of words", enumeration, self.world.words)
            case Range(Number(low), Number(high)) if high - low >= _MOST_CARDS:
                wanted = f"a range of at most {_MOST_CARDS} numbers"
                self._report("RB411", node.span, value=node.text, wanted=wanted)
            case Range(Number(low), Number(high)):
                return list(range(low, high + 1))
            case None:
                pass
            case _:
                wanted, got = "`every …`, a range `1..13` or a list", f"`{node.text}`"
                self._report("RB112", node.span, what="`each`", wanted=wanted, got=got)
        return []

    def _bring_companions(self, owners: list[CardInfo], *, split: bool) -> None:
        """One companion of each sort for each owner; of a family `relic` they are the family `relic.box`."""
        copies, left = 0, [(owners, self._brought_by(owners))]
        while left:
            owners, brought = left[-1]
            name, goal = next(brought, ("", ""))
            if not name:
                left.pop()
                continue
            family = f"{owners[0].family}.{name}"
            entry = self.authored.cards[family.split(".")[0]]
            copies += len(owners)
            if family in self.world.cards:
                self._report("RB113", entry.key.span, name=family)
            elif copies > _MOST_CARDS or len(left) > _DEEPEST:
                wanted = f"a kind whose cards bring at most {_MOST_CARDS} others, and those in at most {_DEEPEST} steps"
                self._report("RB411", entry.kind.span, value=entry.kind.text, wanted=wanted)
                return
            else:
                companions = [CardInfo(f"{owner.id}.{name}", family, goal, owner.each, owner.id) for owner in owners]
                for info in companions:
                    self.world.cards[info.id] = info
                if split:
                    self.world.families[family] = tuple(info.id for info in companions)
                left.append((companions, self._brought_by(companions)))

    def _brought_by(self, owners: list[CardInfo]) -> Iterator[tuple[str, str]]:
        """Yield what comes with each of these cards: its name and its kind."""
        kind = owners[0].kind if owners else ""
        return iter(() if kind in self.circles else self.world.companions.get(kind, {}).items())

    def _find_circles(self) -> set[str]:
        """Find the kinds whose cards would bring companions without end; they bring a message, and no companions."""
        brought = {kind: companions.values() for kind, companions in self.world.companions.items()}
        circles = {kind for kind in brought if kind in reach(brought[kind], lambda goal: brought.get(goal, ()))}
        for name, entry in self.authored.kinds.items():
            for goal_ in entry.comes_with.values():
                if goal_.text in circles and self.world.concrete[name] & circles:
                    what, got = f"What comes with a {name}", "a circle, which would bring cards without end"
                    self._report("RB401", goal_.span, what=what, wanted="another kind", got=got)
        return circles
