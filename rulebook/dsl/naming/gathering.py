"""The first pass: every declared name, its type and its signature, gathered into a `World`.

In: the authored rulebook. Out: a `World` and located messages. Never: reads a script's body or a card's values.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulebook.diagnostics import Diagnostic, diagnose, did_you_mean
from rulebook.dsl import schema
from rulebook.dsl import types as t
from rulebook.dsl.document import Node, Scalar, Sequence
from rulebook.dsl.naming.builtins import BUILT_INS
from rulebook.dsl.naming.families import Families, no_attribute
from rulebook.dsl.parsing.parser import parse_expression, parse_signature
from rulebook.dsl.structuring.declarations import BANNED
from rulebook.dsl.structuring.forms import BOX
from rulebook.dsl.syntax import Number, YesNo
from rulebook.dsl.world import (
    TYPE_WORDS,
    FieldInfo,
    HookInfo,
    MemoryInfo,
    Parameter,
    PlaceInfo,
    Signature,
    Value,
    World,
    type_of_parameter,
    type_of_words,
    who_may_look,
)
from rulebook.record import evolve
from rulebook.source import Span

ACTION_HOOKS = ("possible", "effect")
_DEEPEST_KINDS = 50  # one above the other


def gather(authored: schema.Authored) -> tuple[World, list[Diagnostic]]:
    """All names of a rulebook."""
    naming = _Naming(authored)
    naming.run()
    return naming.world, naming.found

_OR_A_START = "A type stands here, or what it starts with: `no`, `yes`, `0` …"


class _Naming:
    def __init__(self, authored: schema.Authored) -> None:
        self.authored = authored
        self.world = World(authored, words={k: dict(v) for k, v in authored.words.items()}, units=dict(authored.units))
        self.found: list[Diagnostic] = []

    def run(self) -> None:
        self._kinds()
        self._options()
        self._fields()
        self._places()
        self._memory()
        self._hooks()
        Families(self.world, self.found).gather()
        self.world.actions = frozenset(self.authored.actions)
        self.world.values = self._signatures(self.authored.values, asked=True)
        self.world.rules = self._signatures(self.authored.rules, asked=False)

    # ── kinds ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _kinds(self) -> None:
        kinds = self.authored.kinds
        circles: set[str] = set()
        told = False
        for name, kind in kinds.items():
            line: list[str] = []
            current = kind
            while current.parent is not None:
                parent = current.parent.text
                if parent not in kinds:
                    self._unknown(current.parent, "kind", parent, kinds)
                    break
                if parent in line or parent == name:
                    what = f"What stands above `{name}`"
                    wanted, got = "another kind", f"a circle: {' is '.join([name, *line, parent])}"
                    if not circles & {name, *line}:
                        self.found.append(diagnose("RB401", current.parent.span, what=what, wanted=wanted, got=got))
                    circles |= {name, *line}
                    break
                if len(line) == _DEEPEST_KINDS:
                    if not told:
                        problem = f"a kind with more than {_DEEPEST_KINDS} kinds above it"
                        self.found.append(diagnose("RB106", current.parent.span, problem=problem))
                    told = True
                    break
                line.append(parent)
                current = kinds[parent]
            self.world.ancestors[name] = tuple(line)
        used = {card.kind.text for card in self.authored.cards.values()}
        used |= {goal.text for kind in kinds.values() for goal in kind.comes_with.values()}
        parents = {above for line in self.world.ancestors.values() for above in line}
        concrete = {name for name in kinds if name in used or name not in parents}
        below: dict[str, set[str]] = {name: {name} & concrete for name in kinds}
        for one in sorted(concrete):
            for name in self.world.ancestors[one]:
                below[name].add(one)
        self.world.concrete |= {name: frozenset(found) for name, found in below.items()}

    # ── fields ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _fields(self) -> None:
        for kind, entry in self.authored.kinds.items():
            kinds = self.world.concrete[kind]
            back = {scalar.text for scalar in entry.back}
            changing = {scalar.text for scalar in entry.may_change.names}
            for name, one in entry.has.items():
                self._field(self.world.attributes, name, one, kinds, changes=name in changing, public=name in back)
            for name, one in entry.state.items():
                self._field(
                    self.world.states,
                    name,
                    one,
                    kinds,
                    changes=True,
                    public=not one.with_face,
                    may_start_as_nothing=True,
                )
            for name, goal in entry.comes_with.items():
                self._companion(name, goal, kinds)
        for kind, entry in self.authored.kinds.items():
            for scalar in entry.may_change.names:
                info = self.world.attributes.get(scalar.text)
                if info is None:
                    self.found.append(no_attribute(self.world, kind, scalar.text, scalar.span))
                else:
                    self.world.attributes[scalar.text] = FieldInfo(
                        info.name, info.type, info.values, info.kinds, changes=True, public=info.public
                    )

    def _companion(self, name: str, goal: Scalar, kinds: frozenset[str]) -> None:
        """An attribute that is read like the others; the card behind it is made with its owner."""
        if goal.text not in self.world.concrete:
            self._unknown(goal, "kind", goal.text, self.world.concrete)
            return
        type = t.Card(frozenset([goal.text]))
        if self._known(self.world.attributes, FieldInfo(name, type, None, kinds, False, False), goal.span):
            for kind in sorted(kinds):
                self.world.companions.setdefault(kind, {})[name] = goal.text

    def _known(self, table: dict[str, FieldInfo], info: FieldInfo, span: Span | None) -> bool:
        """Puts a field among those of its name, which must have the same type in all kinds."""
        before = table.get(info.name)
        if before is not None:
            if before.type != info.type and t.UNKNOWN not in (before.type, info.type):
                wanted = f"{t.words(before.type)}, as another kind declares it"
                what, got = f"`{info.name}`", t.words(info.type)
                self.found.append(diagnose("RB401", span, what=what, wanted=wanted, got=got))
                return False
            values = info.values and before.values and tuple(dict.fromkeys((*before.values, *info.values)))
            info = evolve(info, kinds=info.kinds | before.kinds, values=values)
        table[info.name] = info
        return True

    def _field(
        self,
        table: dict[str, FieldInfo],
        name: str,
        one: schema.Field,
        kinds: frozenset[str],
        *,
        changes: bool,
        public: bool,
        may_start_as_nothing: bool = False,
    ) -> None:
        type, values = self._type(name, one)
        if may_start_as_nothing and one.start is None and not isinstance(type, t.ListOf):
            type, values = t.maybe(type), None if values is None else (None, *values)
        span = one.type.span if one.type else one.start.span if one.start else None
        self._known(table, FieldInfo(name, type, values, kinds, changes, public), span)

    def _type(self, name: str, one: schema.Field) -> tuple[t.Type, tuple[Value, ...] | None]:
        if one.type is not None:
            start = one.start is None and len(one.type.words) <= 2
            return self._type_name(name, one.type, _OR_A_START if start else None)
        if one.start is None:
            return t.UNKNOWN, None
        return self._type_of_start(one.start)

    def _type_of_start(self, start: Node) -> tuple[t.Type, tuple[Value, ...] | None]:
        if isinstance(start, Sequence):
            items = [self._type_of_start(item)[0] for item in start]
            return t.ListOf(t.either(*items) if items else t.UNKNOWN), None
        if isinstance(start, Scalar):
            tree, mistakes = parse_expression(start)
            self.found += mistakes
            match tree:
                case YesNo():
                    return t.YES_NO, (False, True)
                case Number(_, None):
                    return t.NUMBER, None
                case Number(_, unit):
                    if unit not in self.world.units:
                        help = did_you_mean(unit or "", self.world.units) or None
                        self.found.append(diagnose("RB308", start.span, name=unit, help=help))
                    return t.AMOUNT, None
                case None:
                    return t.UNKNOWN, None
        self.found.append(diagnose("RB112", start.span, what="this", wanted="a value or a type", got="something else"))
        return t.UNKNOWN, None

    def _type_name(
        self, name: str, given: schema.TypeName, otherwise: str | None = None
    ) -> tuple[t.Type, tuple[Value, ...] | None]:
        """The type of that name, and its values; `otherwise` is what to do about one that nothing is like."""
        if given.choices is not None:
            return self._choices(name, given.choices), given.choices
        if given.low is not None and given.high is not None:
            return t.NUMBER, tuple(range(given.low, given.high + 1)) if given.high - given.low < 1000 else None
        found = type_of_words(self.world, given.words)
        if found is None:
            legal = [*TYPE_WORDS, *self.world.concrete, *self.world.words]
            word = given.words.removeprefix("set of ")
            help = did_you_mean(word, legal) or otherwise
            self.found.append(diagnose("RB301", given.span, wanted="type", name=word, help=help))
            return t.UNKNOWN, None
        return found, self._values_of(found)

    def _values_of(self, of: t.Type) -> tuple[Value, ...] | None:
        match of:
            case t.YesNo():
                return (False, True)
            case t.Symbol(enumeration):
                return tuple(self.world.words[enumeration])
        return None

    def _choices(self, name: str, choices: tuple[Value, ...]) -> t.Type:
        found: list[t.Type] = []
        words = [choice for choice in choices if isinstance(choice, str)]
        if words:
            if not any(set(words) == set(known) for key, known in self.world.words.items() if key == name):
                self.world.words[name] = {word: word.replace("_", " ") for word in words}
            found.append(t.Symbol(name))
        if any(isinstance(choice, bool) for choice in choices):
            found.append(t.YES_NO)
        if any(isinstance(choice, int) and not isinstance(choice, bool) for choice in choices):
            found.append(t.NUMBER)
        if None in choices:
            found.append(t.NOTHING)
        return t.either(*found)

    # ── the rest ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _options(self) -> None:
        for name, option in self.authored.options.items():
            if option.type.words == "steps":
                self.world.steps.add(name)
                self.world.options[name] = t.NUMBER
            else:
                self.world.options[name] = self._type_name(f"options.{name}", option.type)[0]

    def _places(self) -> None:
        box, holds = self.authored.box, self.world.all_kinds
        seen_by = frozenset({"nobody"}) if box is None or box.seen_by is None else who_may_look(box.seen_by)
        counted = who_may_look(None if box is None else box.counted)
        self.world.places[BOX] = PlaceInfo(BOX, "table", frozenset(), "loose", holds, seen_by, counted)
        for name, place in self.authored.table_places.items():
            self._place(name, place, "table", frozenset())
        for name, place in self.authored.player_places.items():
            self._place(name, place, "player", frozenset())
        for kind, entry in self.authored.kinds.items():
            for name, place in entry.places.items():
                self._place(name, place, "card", self.world.concrete[kind])

    def _place(self, name: str, place: schema.Place, owner: str, of: frozenset[str]) -> None:
        holds: frozenset[str] = frozenset()
        for scalar in place.holds:
            if scalar.text in self.world.concrete:
                holds |= self.world.concrete[scalar.text]
            else:
                self._unknown(scalar, "kind", scalar.text, self.world.concrete)
        if place.refill is not None and place.refill.text not in self.authored.table_places:
            self._unknown(place.refill, "place of the table", place.refill.text, self.authored.table_places)
        if place.kept.text == "grid" and place.size is None:
            self.found.append(diagnose("RB111", place.key.span, thing=f"The grid `{name}`", field="size"))
        seen_by, counted = who_may_look(place.seen_by), who_may_look(place.counted)
        self.world.places[name] = PlaceInfo(name, owner, of, place.kept.text, holds, seen_by, counted)

    def _memory(self) -> None:
        for owner, entries in (("table", self.authored.table_memory), ("player", self.authored.player_memory)):
            for name, one in entries.items():
                type, values = self._type(name, one)
                if one.start is None and not isinstance(type, t.ListOf):
                    type = t.maybe(type)
                    values = None if values is None else (None, *values)
                self.world.memories[name] = MemoryInfo(name, owner, type, values, one.seen_by)

    def _hooks(self) -> None:
        effect = Signature("effect", (Parameter("me", t.PLAYER),))
        possible = Signature("possible", (Parameter("me", t.PLAYER),))
        self.world.hooks["effect"] = HookInfo(effect, None, frozenset(), required=True)
        self.world.hooks["possible"] = HookInfo(possible, t.YES_NO, frozenset(), required=False)
        for kind, entry in self.authored.kinds.items():
            kinds = self.world.concrete[kind]
            for hook in entry.asks:
                answer: t.Type = t.YES_NO
                if hook.type is not None and hook.type.words != "conditions":
                    answer = self._type_name(hook.key.text, hook.type)[0]
                self._hook(hook, kinds, answer, required=hook.default is None)
            for hook in entry.does:
                self._hook(hook, kinds, None, required=True)
            for hook in entry.may_do:
                self._hook(hook, kinds, None, required=False)

    def _hook(self, hook: schema.Hook, kinds: frozenset[str], answer: t.Type | None, *, required: bool) -> None:
        signature = self._question(hook.key) if answer is not None else self._signature(hook.key)
        if signature is None:
            return
        before = self.world.hooks.get(signature.name)
        if before is not None:
            same = [p.type for p in before.signature.parameters] == [p.type for p in signature.parameters]
            if not same or before.answer != answer:
                self.found.append(diagnose("RB113", hook.key.span, name=signature.name))
                return
            kinds = kinds | before.kinds
            required = required and before.required
        self.world.hooks[signature.name] = HookInfo(signature, answer, kinds, required)

    def _signatures(self, entries: tuple[schema.Named, ...], *, asked: bool) -> dict[str, Signature]:
        found = {}
        for entry in entries:
            signature = self._question(entry.key) if asked else self._signature(entry.key)
            if signature is not None:
                found[signature.name] = signature
        return found

    def _question(self, key: schema.Key) -> Signature | None:
        """The signature of something asked in expressions, where the built-in questions are asked too."""
        signature = self._signature(key)
        if signature is not None and signature.name in BUILT_INS:
            self.found.append(diagnose("RB114", key.span, name=signature.name))
        return signature

    def _signature(self, key: schema.Key) -> Signature | None:
        tree, mistakes = parse_signature(key.scalar)
        self.found += mistakes
        if tree is None:
            return None
        parameters = []
        for one in tree.parameters:
            type = type_of_parameter(self.world, one)
            if type is None:
                legal = [*TYPE_WORDS, *self.world.concrete, *self.world.words]
                help = did_you_mean(one.type or "", legal) or None
                span = one.name.at.span
                self.found.append(diagnose("RB301", span, wanted="type", name=one.type, help=help))
                type = t.UNKNOWN
            name, taken = one.name.text, self.world.meaning(one.name.text)
            if name in BANNED and name != "me":
                self.found.append(diagnose("RB114", one.name.at.span, name=name))
            elif taken:
                help = f"Choose another name here, for example `the_{name}`."
                first = "what comes between the brackets"
                self.found.append(diagnose("RB305", one.name.at.span, name=name, one=first, two=taken, help=help))
            parameters.append(Parameter(name, type))
        return Signature(tree.name, tuple(parameters))

    def _unknown(self, scalar: Scalar, wanted: str, name: str, legal: Iterable[str]) -> None:
        names = list(legal)
        self.found.append(
            diagnose("RB301", scalar.span, wanted=wanted, name=name, help=did_you_mean(name, names) or None)
        )
