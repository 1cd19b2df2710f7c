"""What the declarations of a rulebook mean: options, kinds, states, places, memories, cards, actions, phrases, display.

In: the world and the authored entries. Out: `ir` definitions, and messages about what they cannot say. A leaf of YAML
is read as the type its field has; `{by: options.x, …}` may stand wherever one stands and needs a value for every
choice. Never: checks a script; what cards do is the checker's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from collections.abc import Mapping as Map

from attrs import fields

from rulebook.diagnostics import Diagnostic, diagnose, did_you_mean, near, nearest, perhaps
from rulebook.dsl import ir, schema
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking import advice
from rulebook.dsl.checking.expressions import BROKEN, Expressions, check_range
from rulebook.dsl.checking.scope import Scope
from rulebook.dsl.commas import cut_off
from rulebook.dsl.document import Layered, Mapping, Node, Scalar, Sequence, kind_of
from rulebook.dsl.parsing.parser import parse_expression
from rulebook.dsl.settling.options import amount_text, value_text
from rulebook.dsl.structuring.forms import BOX, Printed
from rulebook.dsl.structuring.leaves import quoted
from rulebook.dsl.syntax import At
from rulebook.dsl.words import is_clause
from rulebook.dsl.world import CardInfo, Value, World
from rulebook.source import Span

_MOST_COPIES = 10_000  # of one card
Plain = int | bool | str | None | tuple[int | str, ...]

AUTO = "auto"
"""In place of a text: it is told from what a card or action does."""


_NOT_FIELDS = tuple(one.name for one in fields(Printed) if one.name != "copy")  # a copy is resolved before
_COLOURS_KNOWN = "Known: " + ", ".join(f"`{colour}`" for colour in schema.COLOURS)
_ATTRIBUTE = re.compile(r"\{([a-z_][a-z0-9_]*)\}")
_HOLE = re.compile(r"\{([^{}]*)\}")


class Definitions:
    """Makes the definitions of one rulebook."""

    def __init__(self, world: World, found: list[Diagnostic], value_type: Callable[[str], t.Type]) -> None:
        self.world, self.found, self._value_type = world, found, value_type
        self.told: list[str] = []
        """The cards and actions whose text is told from their scripts."""
        self._fields: dict[str, dict[str, t.Type]] = {}
        self._unsaid: dict[tuple[str, str], ir.Expr | None] = {}
        self._words: dict[tuple[str, t.Type], ir.Const] = {}
        """What a word or number alone is where a type is wanted: much of what is printed is printed on many cards."""

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
                read = self.plain(option.default, type, where)
                default = None if isinstance(read, tuple) else read  # no option is a list: the reading has said so
                legal = choices_of(given, self.world.words)
                if legal and default is not None and default not in legal:
                    listed = len(legal) < 9 or given.low is None
                    wanted = ", ".join(value_text(one) for one in legal) if listed else f"{given.low} to {given.high}"
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
            number = self.plain(value, t.NUMBER, where)
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
                rows, columns = (self.leaf(one, t.NUMBER, f"place {name}") for one in place.size)
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
            (None, None, None, None) if said is None else (said.seen_by, said.recall, said.counted, said.opened_at_end)
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
        return ir.Const(usual, type=type) if node is None else self.leaf(node, type, where)

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
        start = self.plain(node, type, where)
        if isinstance(start, int):
            self.found += check_range(ir.Const(start, type=type), values, node, where)
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
        expr = self.leaf(node, info.type, where)
        self.found += check_range(expr, info.values, node, where)
        return expr

    def _listed_each(self, each: Node | None, where: str) -> None:
        """The words of a list under `each`: the names of the cards are made of them before any type is known."""
        for name, node in each.items() if isinstance(each, Mapping) else ():
            if isinstance(node, Sequence) and name in self.world.attributes:
                for one in node:
                    self._attribute(one, name, f"{where}, each")

    def _count(self, node: Node, where: str) -> ir.Expr:
        """How many copies there are of a card."""
        count = self.leaf(node, t.NUMBER, where)
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
        return self._filled(self.leaf(node, t.TEXT, where), known, node, help)

    def _text(self, node: Node, info: CardInfo, where: str, attributes: dict[str, ir.Expr]) -> ir.Expr:
        """What stands on a card; `{value}` is its own attribute, as far as that is the same under all house rules."""
        printed = {name: self._as_read(expr) for name, expr in attributes.items()}
        known = {name: text for name, text in printed.items() if text is not None}
        help = "An attribute that all copies share can stand in a text."
        return self._filled(self.leaf(node, t.TEXT, where), known, node, help)

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
                for hole in _ATTRIBUTE.findall(text):
                    if hole not in known:
                        help = did_you_mean(hole, known) or otherwise
                        self.found.append(diagnose("RB304", node.span, name=hole, help=help))
                return ir.Const(_ATTRIBUTE.sub(lambda hole: known.get(hole[1], hole[1]), text), type=t.TEXT)
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
        return value_text(value) if isinstance(value, bool) else str(value)

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
                help = advice.about_copies(self.world, fields, attribute) or None
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
                printed = self.leaf(key, fields[attribute], f"{where}, copies")
                self._legal(printed, attribute, key)
                groups.append((self._count(count, f"{where}, copies"), {attribute: printed}))
        return groups

    def _legal(self, expr: ir.Expr, attribute: str, scalar: Scalar) -> None:
        values = self.world.attributes[attribute].values
        if values is not None and isinstance(expr, ir.Const) and expr.value not in tuple(values):
            wanted = ", ".join(value_text(one) for one in values)
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
                name if action.name is None else self.leaf(action.name, t.TEXT, where),
                None if text is None else self.leaf(text, t.TEXT, where),
                at=At(action.key.scalar, 0, len(action.key.text)),
            )
        return made

    # ── leaves ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def leaf(self, node: Node, wanted: t.Type, where: str) -> ir.Expr:
        """A leaf of a type, perhaps by option."""
        if isinstance(node, Mapping):
            return self._by_option(node, wanted, where)
        if isinstance(node, Sequence):
            return self._list(node, wanted, where)
        if isinstance(node, Layered):
            words, got = self.world.describe(wanted), quoted(node)
            self.found.append(diagnose("RB112", node.span, where=where, what="This", wanted=words, got=got))
            return BROKEN
        at = At(node, 0, len(node.text))
        if known := self._words.get((node.text, wanted)):
            return ir.Const(known.value, type=known.type, at=at)
        if wanted == t.TEXT:
            return ir.Const(node.text, type=t.TEXT, at=at)
        if node.text == "none" and t.may_be_nothing(wanted):
            return ir.Const(None, type=t.NOTHING, at=at)
        if (meant := advice.printed(self.world, wanted, node.text)) is not None:
            self.found.append(diagnose("RB301", node.span, where=where, wanted=meant[0], name=node.text, help=meant[2]))
            return BROKEN
        tree, mistakes = parse_expression(node, where)
        self.found += mistakes
        if tree is None:
            return BROKEN
        alone = isinstance(tree, s.Word | s.Number)
        many = len(self.found)
        checker = Expressions(self.world, Scope(), where, self.found, self._value_type)
        expr = checker.check_number(tree) if wanted == t.NUMBER else checker.check_value(tree, wanted)
        expr = checker.expect(expr, wanted, tree.at, "This")
        if alone and isinstance(expr, ir.Const) and len(self.found) == many:
            self._words[node.text, wanted] = expr
        return expr

    def plain(self, node: Node, wanted: t.Type, where: str) -> Plain:
        """A value that must be known as it stands: a start, a default."""
        return self._constant(self.leaf(node, wanted, where), node.span, where)

    def _constant(self, expr: ir.Expr, span: Span, where: str) -> Plain:
        match expr:
            case ir.Const(value):
                return value
            case ir.Arithmetic("-", ir.Const(0), ir.Const(int(value))):
                return -value
            case ir.Listed(items):
                made = [self._constant(item, span, where) for item in items]
                return tuple(one for one in made if isinstance(one, int | str))
        if expr.type != t.UNKNOWN:
            wanted, got = "a value as it stands", "something to be worked out"
            self.found.append(diagnose("RB401", span, where=where, what="This", wanted=wanted, got=got))
        return None

    def _list(self, node: Sequence, wanted: t.Type, where: str) -> ir.Expr:
        if not isinstance(wanted, t.ListOf):
            words = self.world.describe(wanted)
            self.found.append(diagnose("RB401", node.span, where=where, what="This", wanted=words, got="a list"))
            return BROKEN
        return ir.Listed(tuple(self.leaf(one, wanted.item, where) for one in node), type=wanted)

    def _by_option(self, node: Mapping, wanted: t.Type, where: str) -> ir.Expr:
        by = node.get("by")
        if not isinstance(by, Scalar):
            words = self.world.describe(wanted)
            self.found.append(diagnose("RB112", node.span, where=where, what="This", wanted=words, got=kind_of(node)))
            return BROKEN
        option = by.text.removeprefix("options.")
        declared = self.world.authored.options.get(option)
        if declared is None or not by.text.startswith("options."):
            help = did_you_mean(by.text, [f"options.{one}" for one in self.world.options])
            help = help if help.startswith("Did") else "Write `by: options.NAME`."
            self.found.append(diagnose("RB301", by.span, where=where, wanted="option", name=by.text, help=help))
            return BROKEN
        choices = choices_of(declared.type, self.world.words)
        named = {value_text(choice): choice for choice in choices}
        cases: list[tuple[Value, ir.Expr]] = []
        for key, value in node.items():
            if key == "by":
                continue
            if key in named:
                cases.append((named[key], self.leaf(value, wanted, where)))
                continue
            span = node.keys_at[key].span
            suggestion = did_you_mean(key, named) or None
            self.found.append(
                diagnose("RB411", span, where=where, value=key, wanted=f"a choice of `{option}`", help=suggestion)
            )
        slips = {nearest(key, named) for key in node if key != "by" and key not in named}
        missing = [name for name in named if name not in node and name not in slips]
        if missing:
            self.found.append(
                diagnose("RB111", by.span, where=where, thing=f"What goes by `{option}`", field=missing[0])
            )
        return ir.ByOption(option, tuple(cases), type=wanted)


def choices_of(option: schema.TypeName, words: Map[str, Map[str, str]]) -> tuple[Value, ...]:
    """All values of a closed option type; none for an open one. `words` are the lists of words of the game."""
    if option.choices is not None:
        return option.choices
    if option.words == "yes_no":
        return (False, True)
    if option.low is not None and option.high is not None:
        return tuple(range(option.low, option.high + 1))
    return tuple(words.get(option.words, ()))


# Cards that come with other cards.


def companions_of(world: World, info: CardInfo, name: str) -> ir.AllCards:
    """What an attribute of `comes_with` holds: all copies of the companion, of which each copy has the one of its
    number.
    """
    return ir.AllCards(only=f"{info.id}.{name}", type=t.ListOf(world.attributes[name].type))


def companion(
    world: World, info: CardInfo, owner: ir.CardDef, printed: Callable[[str, str, str], ir.Expr | None]
) -> ir.CardDef:
    """A companion: as many copies as its owner, its name, and those of its attributes that both have."""
    attributes: dict[str, ir.Expr] = {}
    fields = [name for name, field in world.attributes.items() if info.kind in field.kinds]
    copies = tuple(
        (count, {name: differing[name] for name in fields if name in differing}) for count, differing in owner.copies
    )
    for name in fields:
        if name in world.companions.get(info.kind, {}):
            attributes[name] = companions_of(world, info, name)
        elif name in owner.attributes:
            attributes[name] = owner.attributes[name]
        elif not any(name in differing for _, differing in copies):
            own = printed(info.kind, name, f"card {info.family}")
            if own is not None:
                attributes[name] = own
    return ir.CardDef(info.id, info.kind, owner.name, None, attributes, copies, at=owner.at)


def lacking(world: World) -> list[Diagnostic]:
    """What companions need and get from nowhere, shown where their kind is named."""
    found = []
    for kind, entry in world.authored.kinds.items():
        for goal in entry.comes_with.values():
            if goal.text in world.concrete:
                owners = [
                    {name for name, one in world.attributes.items() if owner in one.kinds}
                    for owner in world.concrete[kind]
                ]
                thing = f"{t.with_article(goal.text).capitalize()} that comes with {t.with_article(kind)}"
                for field, help in _needs(world, goal.text, set.intersection(*owners)):
                    found.append(
                        diagnose("RB111", goal.span, where=f"kind {kind}", help=help, thing=thing, field=field)
                    )
    return found


def _needs(world: World, kind: str, given: set[str]) -> Iterator[tuple[str, str]]:
    """The attributes and hooks of a kind that only a card of its own could say, each with what to do."""
    made = world.companions.get(kind, {})
    lines = [world.authored.kinds[one] for one in (kind, *world.ancestors[kind])]
    for name, info in world.attributes.items():
        silent = t.may_be_nothing(info.type) or isinstance(info.type, t.ListOf)
        default = any(line.has[name].start for line in lines if name in line.has)
        if kind in info.kinds and name not in {*made, *given} and not silent and not default:
            yield name, f"No card is written for it. Give `{name}` a default, or its owner a `{name}` of the same type."
    for line in lines:
        for hook in line.asks:
            if hook.default is None:
                name = hook.key.name
                yield name, f"No card is written for it. Give `{name}` a default in the kind {line.key.text}."
        for hook in line.does:
            name = hook.key.name
            yield name, f"No card is written for it. Put `{name}` under `may_do`, or let its owner do it."


# What the entry of a card or action may say.


def legal_fields(world: World, kind: str) -> list[str]:
    """What a card of a kind may say: what every card has, its attributes, its hooks."""
    made = world.companions.get(kind, {})
    attributes = [name for name, info in world.attributes.items() if kind in info.kinds and name not in made]
    return [*_NOT_FIELDS, *attributes, *(name for name, info in world.hooks.items() if kind in info.kinds)]


def misspelt(world: World, card: schema.Card) -> set[str]:
    """The fields that a card gives under a slip of their name: they are not missing too."""
    legal = legal_fields(world, card.kind.text)
    unknown = [name for field in card.fields if (name := schema.named(field)) not in legal]
    return {close for name in unknown if (close := nearest(name, legal))}


def unknown_fields(world: World) -> Iterator[Diagnostic]:
    """The fields that cards give and that their kinds have not."""
    legal_of = {kind: legal_fields(world, kind) for kind in world.concrete}
    for id, card in world.authored.cards.items():
        legal = legal_of.get(card.kind.text)
        if legal is None:
            continue
        thing = t.with_article(f"{card.kind.text} card").capitalize()
        for field in card.fields:
            if schema.named(field) in legal:
                continue
            close = near(field, legal)
            help = cut_off(card.fields, field) or (perhaps(field, close) if close else advice.elsewhere(world, field))
            help = help or f"{thing} has: {', '.join(f'`{one}`' for one in legal)}."
            span = card.fields.keys_at[field].span
            yield diagnose("RB110", span, where=f"card {id}", thing=thing, field=field, help=help)


def is_told(text: Node | None) -> bool:
    """Whether a text is told: `auto`, not in quotes."""
    return isinstance(text, Scalar) and text.text == AUTO and text.style == "plain"


def misplaced(text: Node | None, where: str) -> Iterator[Diagnostic]:
    """`auto` as one of several texts by option: a text that is told goes by options anyway."""
    if isinstance(text, Mapping):
        for node in text.values():
            if is_told(node):
                help = "Write `text: auto`: what is told goes by the options that the scripts ask for."
                wanted, got = "a text for this choice", "`auto`"
                yield diagnose("RB112", node.span, where=where, what="This", wanted=wanted, got=got, help=help)


def nothing_told(world: World, id: str) -> Iterator[Diagnostic]:
    """A card that is to be told and does nothing. One that only has the text of its kind may have none."""
    card = world.authored.cards.get(world.cards[id].family)
    text = None if card is None else card.fields.get("text")
    if text is not None and is_told(text):
        help = "Write what stands on it, or leave `text` out."
        wanted, got = "a card that does or answers something", "one that does nothing of its own"
        yield diagnose("RB401", text.span, where=f"card {id}", what="`auto`", wanted=wanted, got=got, help=help)


# Phrases and hints.


def phrases_of(world: World, functions: Map[str, ir.Function], found: list[Diagnostic]) -> dict[str, str]:
    """The phrases of a rulebook, and what is wrong with any."""
    made = {}
    takes = _takes(world)
    for name, phrase in world.authored.phrases.items():
        text = " ".join(phrase.text.text.split())
        if name not in takes:
            help = did_you_mean(name, takes)
            wanted = "kind, place, memory, attribute, value or rule"
            found.append(diagnose("RB301", phrase.key.span, wanted=wanted, name=name, help=help))
            continue
        found += _holes(name, phrase.text.span, text, takes[name])
        question = functions.get(f"values.{name}")
        if question is not None and t.members(question.type) == {t.YES_NO} and not _is_clause(text):
            help = f"Write it as what is so when the answer is yes, for example `{{p}} is {name.replace('_', ' ')}`."
            got, wanted = f"`{text}`", "a clause with `is`, `has`, `can` or the like"
            found.append(diagnose("RB401", phrase.text.span, what="This", wanted=wanted, got=got, help=help))
        made[name] = text
    return made


def _takes(world: World) -> dict[str, tuple[str, ...]]:
    """Every name that may have a phrase, and the parameters that may stand in it."""
    names: dict[str, tuple[str, ...]] = {}
    things = (world.authored.kinds, world.words, world.places, world.memories)
    for several in (*things, world.attributes, world.states, world.hooks):
        names.update(dict.fromkeys(several, ()))
    for signatures in (world.values, world.rules):
        names.update({name: tuple(one.name for one in of.parameters) for name, of in signatures.items()})
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


def display_of(world: World, found: list[Diagnostic]) -> ir.Display:
    """The hints of a rulebook, and what is wrong with any."""
    written = world.authored.display
    kinds = world.authored.kinds
    lying = [*world.places, *world.memories]

    def known(name: str, span: Span, names: Collection[str], wanted: str, otherwise: str = "") -> bool:
        if name in names:
            return True
        help = did_you_mean(name, names) or otherwise
        found.append(diagnose("RB301", span, wanted=wanted, name=name, help=help))
        return False

    def listed(several: tuple[Scalar, ...], names: Collection[str], wanted: str) -> tuple[str, ...]:
        return tuple(one.text for one in several if known(one.text, one.span, names, wanted))

    titles = {
        name: " ".join(title.text.text.split())
        for name, title in written.titles.items()
        if known(name, title.key.span, [*lying, *world.states], "place, memory or state")
    }
    sort = {}
    for kind, attributes in written.sort.items():
        span = attributes[0].span if attributes else None
        if span is not None and known(kind, span, kinds, "kind"):
            sort[kind] = listed(attributes, world.attributes, "attribute")
    words = [word for words in world.words.values() for word in words]
    colours = {}
    for name, colour in written.colours.items():
        is_known = known(name, colour.key.span, [*kinds, *words], "kind or word")
        if known(colour.text.text, colour.text.span, schema.COLOURS, "colour", _COLOURS_KNOWN) and is_known:
            colours[name] = colour.text.text
    return ir.Display(
        aim="" if written.aim is None else " ".join(written.aim.text.split()),
        titles=titles,
        order=listed(written.order, [*lying, *kinds], "place, memory or kind"),
        sort=sort,
        hidden=listed(written.hidden, [*lying, *world.states], "place, memory or state"),
        colours=colours,
    )
