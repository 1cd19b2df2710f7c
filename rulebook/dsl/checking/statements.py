"""The checker of statements: blocks of what happens, from what was written to the IR.

Names live to the end of the script; those of a loop or a window, to the end of its block. What may be absent is tracked
so that each sentence knows its guards. `Statements.check_statement` is the one dispatch, over the table `_CHECKS`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from attrs import define, evolve, field

from rulebook.diagnostics import did_you_mean
from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking import advice
from rulebook.dsl.checking.expressions import (
    BROKEN,
    Expressions,
    check_length,
    check_range,
    count_from_one,
    find_item_type,
    has_always,
    is_answers,
    is_zero,
    quote_source,
    typed,
)
from rulebook.dsl.checking.scope import (
    Elsewhere,
    Facts,
    Original,
    Scope,
    answered_in_every_round,
    bare,
    find_answered,
    find_named,
    find_originals,
    find_stages,
    in_either,
    known_in_every_round,
    still_answered,
    still_known,
    when_false,
    when_true,
)
from rulebook.dsl.document import At
from rulebook.dsl.structuring.forms import BOX
from rulebook.dsl.walk import everything, statements
from rulebook.dsl.world import FieldInfo, MemoryInfo

MOST_FOUND = 500  # messages of one game; after so many, the rest is not looked at, and the last one says so
_PURE = (s.Let, s.If, s.Each, s.Repeat, s.Return, s.Original)  # of the last, it is said what to write
_SAID = {
    s.EachChooses: "chooses", s.OfferChoice: "offer", s.Menu: "choose one", s.MovePieces: "move", s.PickRandom: "pick",
    s.Cover: "turn",
}  # fmt: skip
"""The verbs of sentences that are not called so."""
_SORTS: tuple[tuple[type, str], ...] = (
    (t.Card, "card"), (t.Player, "player"), (t.Action, "action"), (t.Number, "number"), (t.Amount, "number"),
    (t.Symbol, "word"), (t.Text, "label"), (t.YesNo, "label"), (t.Cell, "cell"), (t.Place, "place"),
)  # fmt: skip
UNFIT: dict[str, tuple[str, ...]] = {
    "draw": ("loose", "row", "slot", "grid"),
    "deal": ("loose", "row", "slot", "grid"),
    "shuffle": ("loose", "slot", "pool"),
    "arrange": ("bag", "loose"),
    "top": ("loose", "bag", "slot", "pool"),
    "bottom": ("loose", "bag", "slot", "pool"),
}
"""By verb, or end of a pile, how a place with which it does not work is kept. From the box one may draw."""
_ONE, _NONE = ir.Const(1, type=t.NUMBER), ir.Const(0, type=t.NUMBER)
_Memory = ir.TableMemory | ir.PlayerMemory | ir.State


@define
class Round:
    """A loop around the current line: its name for `stop` and `skip`, and whether it goes through a list."""

    label: str
    over_list: bool


@define
class Statements:
    """Checks the statements of one script.

    `ended` are the stages that some script of the game ends, `elsewhere` is what changes beside sentences, `returned`
    what it gives back, `unfilled` its lists without items, `kept` the slot of what the original gave back, where the
    script gives that back by itself.
    """

    expr: Expressions
    rule_type: Callable[[str], t.Type]
    pure: bool
    ended: Collection[str] = ()
    elsewhere: Elsewhere = field(factory=Elsewhere)
    returned: list[ir.Expr | None] = field(factory=list)
    unfilled: list[tuple[int, At]] = field(factory=list)
    rounds: list[Round] = field(factory=list)
    kept: int | None = None
    variants: list[str] = field(factory=list)
    """The variants whose sentences stand around the current line, in those of each other."""
    at_end: Facts = field(factory=dict)
    """Everything known where the last block that was checked comes to its end."""
    behind_if: Facts = field(factory=dict)
    """Everything that an `if`, the last one that was checked, leaves known behind it."""
    scope: Scope = field(init=False)
    actor: int | None = field(init=False)
    """The slot of who is `me` here: behind `each me in …` nobody is."""

    def __attrs_post_init__(self) -> None:
        self.scope = self.expr.scope
        self.actor = self.scope.bound.get("me")

    def check_script(self, trees: s.Block) -> ir.Block:
        """Check a script from its first sentence to its last."""
        self.scope.script = trees
        original = self.expr.original
        script = self.check_block(trees) if original is None else self._check_layer(trees, original)
        for slot, at in self.unfilled:
            if self.scope.types[slot] == t.ListOf(t.UNKNOWN):
                name = self.scope.names[slot]
                help = f"Put something into it, like `set {name} = {name} + [me]`, or remove it."
                wanted, got = "a list that gets something", "one that stays empty"
                self.expr.report("RB401", at, help, what=f"`{name}`", wanted=wanted, got=got)
        return script

    def find_answer(self, body: ir.Block) -> t.Type:
        """Return the type of what the script gives back: also nothing, where it may end without a `return`."""
        values = [value for value in self.returned if value is not None]
        # Of nothing there is as much in every unit.
        amounts = any(value.type == t.AMOUNT for value in values)
        types = [t.AMOUNT if amounts and is_zero(value) else value.type for value in values]
        sure = len(values) == len(self.returned) and self._always_answers(body)
        return t.either(*types, *(() if sure else (t.NOTHING,)))

    def _always_answers(self, block: ir.Block) -> bool:
        """Tell whether a script that comes to this block surely does a `return`, or leaves what did it, too."""
        if not block or block[-1].guards:
            return False
        ways: list[ir.Block | None]
        match statement := block[-1]:
            case ir.Return():
                return True
            case ir.Win(groups):
                return not any(t.may_be_nothing(players.type) for players in groups)
            case ir.EndStage(name):
                return name not in find_stages(self.scope.script)
            case ir.If(_, then, otherwise):
                ways = [then, otherwise]
            case ir.Choose() | ir.Menu() if self.expr.world.eliminates:
                return False  # who is out is not asked
            case ir.Choose(taken=taken, otherwise=otherwise, player=player) if not t.may_be_nothing(player.type):
                ways = [taken, otherwise]
            case ir.Menu(options=options, otherwise=otherwise, player=player) if not t.may_be_nothing(player.type):
                there = not statement.may and any(option.condition is None for option in options)
                ways = [*(option.body for option in options), *(() if there else (otherwise,))]
            case ir.Stage(name, until=None, body=body) if name not in self.ended:
                ways = [body]
            case ir.Repeat(body=body) | ir.Iterate(body=body) if ir.goes_on(statement):
                return not any(isinstance(statement, ir.Leave) and not statement.skip for statement in statements(body))
            case _:
                return False
        return all(way is not None and self._always_answers(way) for way in ways)

    def check_block(self, trees: s.Block) -> ir.Block:
        """Check every sentence in turn; what an `if` that always leaves rules out is known after it."""
        sentences: list[ir.Statement] = []
        facts, answered = self.scope.facts, self.scope.answered
        self._check_sentences(trees, sentences)
        self.at_end = self.scope.facts
        if self.scope.facts is not facts:
            self.scope.facts = {known: type for known, type in self.scope.facts.items() if known in facts}
        self.scope.answered = answered
        return tuple(sentences)

    def _check_sentences(self, trees: s.Block, sentences: list[ir.Statement]) -> None:
        """Check every sentence in turn, also those that variants put between them."""
        for tree in trees:
            if len(self.expr.messages) >= MOST_FOUND:
                break
            if isinstance(tree, s.Seam):
                self.variants.append(tree.variant)
                known, answered, first = self.scope.facts, self.scope.answered, len(sentences)
                absent = self.scope.absent & {self.scope.bound.get(name) for name in tree.reads}
                with self.scope.among(tree.variant, tree.gives):
                    self._check_sentences(tree.body, sentences)
                if absent:
                    sentences[first:] = self._skip_with(absent, sentences[first:])
                    still = self.scope.facts
                    self.scope.facts = {fact: type for fact, type in known.items() if still.get(fact) == type}
                    self.scope.answered = {
                        name: players & self.scope.answered.get(name, frozenset()) for name, players in answered.items()
                    }
                self.variants.pop()
                continue
            if isinstance(tree, s.Beneath):
                variant = self.variants.pop()
                with self.scope.beneath(variant):
                    self._check_sentences(tree.body, sentences)
                self.variants.append(variant)
                continue
            loop = isinstance(tree, s.Iterate) or (isinstance(tree, s.Repeat) and tree.count is None)
            if self.pure and (loop or not isinstance(tree, _PURE)) and not self._sets_own_name(tree):
                word = _SAID.get(type(tree)) or type(tree).__name__.lower()
                verb = tree.how if isinstance(tree, s.Leave) else "loop" if loop else word
                help = "A question comes to an end: go round so often with `repeat n:`, or through a list with `each`."
                self.expr.report("RB407", tree.at, help if loop else None, sentence=verb)
            if isinstance(tree, s.Let) and len(tree.names) > 1:
                sentences += self._check_members(tree)
                continue
            statement = self.check_statement(tree)
            if statement is None:
                continue
            sentences.append(statement)
            self.scope.facts = still_known(self.scope.facts, statement, self.elsewhere)
            self.scope.answered = still_answered(self.scope.answered, statement)
            if isinstance(statement, ir.If):
                self.scope.facts = {**self.scope.facts, **self.behind_if}
            elif isinstance(statement, ir.Assign):
                target, value = statement.target, statement.value.type
                if t.may_be_nothing(target.type) and not t.may_be_nothing(value):
                    self.scope.facts = {**self.scope.facts, bare(target): value}
            elif isinstance(statement, ir.Let) and not statement.guards:
                slot, value = statement.slot, statement.value.type
                if t.may_be_nothing(self.scope.types[slot]) and not t.may_be_nothing(value):
                    name = ir.Local(slot, self.scope.names[slot], type=value)
                    self.scope.facts = {**self.scope.facts, bare(name): value}

    def _skip_with(self, absent: set[int], sentences: list[ir.Statement]) -> list[ir.Statement]:
        """Let sentences that stand instead of another be skipped where that would be, as they do not set its names."""
        bound = {slot for sentence in statements(tuple(sentences)) for slot in ir.find_bound(sentence)}
        guards = absent - bound
        self.scope.absent |= bound if guards else set()
        return [evolve(sentence, guards=tuple(sorted({*sentence.guards, *guards}))) for sentence in sentences]

    def check_statement(self, tree: s.Statement) -> ir.Statement | None:
        """Check one sentence; None when it is broken."""
        # Collects the slots that the sentence's own expressions read.
        outer, self.scope.reads = self.scope.reads, set()
        statement = _CHECKS[type(tree)](self, tree)
        if statement is not None and statement.is_plain and (guards := self.guards()):
            statement = evolve(statement, guards=guards)
        self.scope.reads |= outer
        return statement

    # ── what several sentences share ─────────────────────────────────────────────────────────────────────────────

    def guards(self) -> tuple[int, ...]:
        """The slots that this sentence reads and that may be absent: then it is skipped."""
        return tuple(sorted(self.scope.reads & self.scope.absent)) if self.scope.absent else ()

    def bind_name(self, name: s.Name, type: t.Type, *, actor: bool = False) -> int:
        """Return the slot of a name that this sentence binds.

        The name may have no other meaning, and only an `actor` may be `me`.
        """
        self.expr.check_new_name(name.text, name.at, actor=actor)
        if self.scope.is_of_the_game(name.text):
            help = f"`set {name.text} = …` gives it another value. For something else take another name."
            one, two = "a new name of this variant", "a name that the game gives in this script"
            self.expr.report("RB305", name.at, help, name=name.text, one=one, two=two)
            return self.scope.add_slot(name.text, type)
        guarded = bool(self.guards())
        slot = self.scope.bind_slot(name.text, type)
        if slot is None:
            slot, got = self.scope.bound[name.text], self.expr.describe_type(type)
            known = self.expr.describe_type(self.scope.types[slot])
            help = f"`{name.text}` was {known} before. A name has one type: choose another name."
            self.expr.report("RB401", name.at, help, what=f"`{name.text}`", wanted=known, got=got)
        elif guarded:
            self.scope.absent.add(slot)
        return slot

    @contextmanager
    def _bind_inside(self, word: str, *names: tuple[s.Name, t.Type], actor: bool = False) -> Iterator[list[int]]:
        """Bind names inside a sentence only, which begins with a word; behind it, they mean what they meant before.

        What the sentence goes through is never absent.
        """
        outer = {name.text: self.scope.bound.pop(name.text, None) for name, _ in names}
        slots = [self.bind_name(name, type, actor=actor) for name, type in names]
        self.scope.absent -= {*slots}
        yield slots
        for name, _ in names:
            self.scope.bound.pop(name.text, None)
            self.scope.ended[name.text] = word, name.at
        self.scope.bound |= {name: slot for name, slot in outer.items() if slot is not None}

    @contextmanager
    def _round(self, label: str, body: s.Block, *, over_list: bool) -> Iterator[None]:
        self.rounds.append(Round(label, over_list))
        facts = self.scope.facts
        self.scope.facts, answered = known_in_every_round(facts, body), self.scope.answered
        self.scope.answered = answered_in_every_round(answered, body)
        yield
        self.scope.facts, self.scope.answered = facts, answered
        self.rounds.pop()

    @contextmanager
    def _within(self, guards: Collection[int]) -> Iterator[None]:
        """Look into a sentence that is skipped if one of these is absent: inside, all are there."""
        outer = self.scope.absent
        self.scope.absent = outer - {*guards}
        yield
        self.scope.absent |= outer

    @staticmethod
    def _count_rounds(label: s.Name | None) -> tuple[str, list[tuple[s.Name, t.Type]]]:
        """Return the name of a loop, and that name as one of a number: it counts the rounds."""
        return ("", []) if label is None else (label.text, [(label, t.NUMBER)])

    def _is_never_empty(self, pick: ir.Pick) -> bool:
        """Tell whether there is always something to choose, from what is written: `0..count(p.purse)`, `every suit`."""
        lists = (count_from_one(listed, self.scope.counters) for listed in _lists_of(pick))
        return any(has_always(listed, self.expr.world) for listed in lists)

    def _check_decider(self, subject: s.Expr | None, at: At) -> ir.Expr:
        """Check who is asked: somebody that was named, or `me`."""
        if subject is not None:
            return self.expr.expect(self.expr.check_value(subject), t.PLAYER, subject.at, "Who chooses")
        if "me" not in self.scope.bound:
            return self.expr.report("RB306", at, "Nobody is `me` here: say who chooses (`p chooses …`).", name="me")
        return self.scope.read_local(self.scope.bound["me"], at)

    def _check_text(self, text: s.Text | None) -> ir.Expr | None:
        return None if text is None else self.expr.check_text(text.parts, text.at)

    def _check_else(self, block: s.Block | None) -> ir.Block | None:
        return None if block is None else self.check_block(block)

    # ── flow ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _check_let(self, tree: s.Let) -> ir.Statement:
        (name,) = tree.names
        known = self.scope.bound.get(name.text)
        expr = self.expr.check_value(tree.value, self.scope.types[known] if known is not None else None)
        guards = self.guards()
        slot = self.bind_name(name, expr.type)
        if t.may_be_nothing(expr.type) and (why := self.expr.find_unbounded(expr)):
            self.scope.unbounded[slot] = why
        if expr.type == t.ListOf(t.UNKNOWN):
            self.unfilled.append((slot, name.at))
        return ir.Let(slot, expr, guards=guards, at=tree.at)

    def _check_members(self, tree: s.Let) -> list[ir.Statement]:
        """Check `let a, b = S`: a name for the list, and one for each member, nothing where there are fewer."""
        outer, self.scope.reads = self.scope.reads, set()
        listed = self.expr.check_list(tree.value, "What gets several names")
        guards, item, at = self.guards(), find_item_type(listed.type), tree.at
        surely = isinstance(listed, ir.Listed) and len(listed.items) >= len(tree.names)
        whole = ir.Local(self.scope.add_unnamed("members", listed.type), "members", type=listed.type, at=at)
        lets: list[ir.Statement] = [ir.Let(whole.slot, listed, guards=guards, at=at)]
        for before, name in enumerate(tree.names):
            count = ir.BuiltIn("count", (whole,), type=t.NUMBER, at=at)
            rest = ir.Arithmetic("-", count, ir.Const(before, type=t.NUMBER), type=t.NUMBER, at=at)
            left = ir.BuiltIn("last", (whole, rest), type=listed.type, at=at) if before else whole
            member = ir.BuiltIn("first", (left,), type=item if surely else t.maybe(item), at=at)
            lets.append(ir.Let(self.bind_name(name, member.type), member, guards=guards, at=at))
        self.scope.reads |= outer
        return lets

    def _check_set(self, tree: s.Set) -> ir.Statement | None:
        return self._make_assign(tree, lambda goal: self.expr.check_value(tree.value, goal.type))

    def _check_add(self, tree: s.Add) -> ir.Statement | None:
        def total(goal: ir.Expr) -> ir.Expr:
            goal = self.expr.narrow_type(goal)
            return self.expr.check_arithmetic("+", goal, self.expr.check_value(tree.value), tree.at)

        return self._make_assign(tree, total)

    def _check_return(self, tree: s.Return) -> ir.Statement | None:
        if tree.value is None:
            return self._hand_back(tree.at)
        value = self.expr.check_value(tree.value)
        others = {value.type for value in self.returned if value is not None and not is_zero(value)}
        if not is_zero(value) and others | {value.type} >= {t.NUMBER, t.AMOUNT}:
            bare = [other for other in (*self.returned, value) if other is not None and other.type == t.NUMBER]
            self.expr.report_unit(bare[0].at)
        self.returned.append(value)
        return ir.Return(value, guards=self.guards(), at=tree.at)

    def _sets_own_name(self, tree: s.Statement) -> bool:
        """Tell whether a sentence gives a name of this script another value, or an entry of it, and changes no more."""
        target = tree.target if isinstance(tree, s.Set | s.Add) else None
        if isinstance(target, s.Index):
            target = target.owner
        return isinstance(target, s.Word) and target.name in self.scope.bound

    def _check_target(self, tree: s.Expr) -> ir.Expr:
        """Check what is set. What is known of its value now does not bind the next one."""
        if isinstance(tree, s.Word) and tree.name in self.scope.bound:
            return self.scope.read_local(self.scope.bound[tree.name], tree.at)
        if isinstance(tree, s.Index):
            return self.expr.check_entry(self._check_target(tree.owner), tree)
        goal = self.expr.check(tree)
        return typed(goal, self._find_declared(goal).type) if isinstance(goal, _Memory) else goal

    def _find_declared(self, goal: _Memory) -> FieldInfo | MemoryInfo:
        world = self.expr.world
        if isinstance(goal, ir.State):
            return world.states.get(goal.name) or world.attributes[goal.name]
        return world.memories[goal.name]

    def _make_assign(self, tree: s.Set | s.Add, value: Callable[[ir.Expr], ir.Expr]) -> ir.Statement | None:
        e = self.expr
        goal = self._check_target(tree.target)
        if goal.type == t.UNKNOWN and not isinstance(goal, ir.Local):
            value(goal)
            return None
        if isinstance(goal, ir.Entry) and not (isinstance(goal.table, ir.Local) and is_answers(goal.table.type)):
            return self._make_assign_entry(tree, goal, value)
        if isinstance(goal, ir.Local):
            return self._make_assign_local(tree, goal, value)
        if isinstance(goal, _Memory):
            wanted, expr = goal.type, value(goal)
            if not isinstance(wanted, t.ListOf) or wanted.item != t.UNKNOWN:
                expr = e.expect(expr, wanted, tree.value.at, f"`{goal.name}`")
            e.messages += check_range(expr, self._find_declared(goal).values, tree.value.at, e.where)
            return ir.Assign(goal, expr, publicly=tree.publicly, guards=self.guards(), at=tree.at)
        name = goal.name if isinstance(goal, ir.Attribute | ir.PlaceOf) else quote_source(tree.target)
        help = "Only a memory, a card's state and a name of this script can be set."
        if isinstance(goal, ir.Attribute):
            help = f"It is printed on the card. To let it change, list it: `may_change: [{name}]`."
        elif isinstance(goal, ir.PlaceOf):
            help = "Cards come and go with `move`."
        e.report("RB406", tree.target.at, help, name=name)
        value(goal)
        return None

    def _make_assign_entry(
        self, tree: s.Set | s.Add, goal: ir.Entry, value: Callable[[ir.Expr], ir.Expr]
    ) -> ir.Statement | None:
        """Set one entry of a table: the table becomes one in which that is another."""
        what = f"`{quote_source(tree.target)}`"
        table, expr = goal.table, self.expr.expect(value(goal), goal.type, tree.value.at, what)
        if isinstance(table, _Memory):
            self.expr.messages += check_range(expr, self._find_declared(table).values, tree.value.at, self.expr.where)
        whole = ir.WithEntry(table, goal.key, expr, type=table.type, at=tree.at)
        assert isinstance(tree.target, s.Index)
        return self._make_assign(evolve(tree, target=tree.target.owner), lambda _: whole)

    def _make_assign_local(
        self, tree: s.Set | s.Add, goal: ir.Local, value: Callable[[ir.Expr], ir.Expr]
    ) -> ir.Statement | None:
        slot, name = goal.slot, goal.name
        fixed = "It says who this is about." if name in ("me", "this", "it") else self.expr.find_given(slot)
        if fixed:
            self.expr.report("RB406", tree.target.at, fixed, name=name)
            return None
        expr = value(goal)
        if expr.type == t.ListOf(t.UNKNOWN) and any(part.type == t.UNKNOWN for part in everything(expr)):
            # It gets something, of which is said elsewhere what is wrong with it.
            self.unfilled = [unfilled for unfilled in self.unfilled if unfilled[0] != slot]
        known = self.scope.types[slot]
        if known in (t.UNKNOWN, t.ListOf(t.UNKNOWN)) or t.fits(known, expr.type):
            self.scope.types[slot] = expr.type
        else:
            expr = self.expr.expect(expr, known, tree.value.at, f"`{name}`")
        guards = self.guards()
        self.scope.forget_facts(slot)
        if guards:
            self.scope.absent.add(slot)
        reads = any(isinstance(node, ir.Local) and node.slot == slot for node in everything(expr))
        return ir.Let(slot, expr, guards=tuple(guard for guard in guards if guard != slot or reads), at=tree.at)

    def _check_jump(self, tree: s.Leave) -> ir.Statement | None:
        e, how, name = self.expr, tree.how, tree.name
        if how == "end":
            assert name is not None
            if name.text in e.world.stages:
                return ir.EndStage(name.text, at=tree.at)
            help = did_you_mean(name.text, sorted(e.world.stages))
            e.report("RB302", name.at, help, wanted=f"stage called `{name.text}`", verb="end")
            return None
        if not self.rounds:
            help = f"`{how}` stands inside a `loop`, `repeat`, `each` or `offer`. To leave a script, write `return`."
            e.report("RB302", tree.at, help, wanted="loop around this line", verb=how)
            return None
        if name is None:
            outer = any(not loop.over_list for loop in self.rounds[:-1])
            if self.rounds[-1].over_list and outer and how == "stop":
                help = "Give the one you mean a name, like `loop as lap:`, and name it here: `stop lap`."
                inner, two = "about the `each` or `offer` around this line", "about the loop around that"
                e.report("RB305", tree.at, help, name=how, one=inner, two=two)
            return ir.Leave(how == "skip", 0, at=tree.at)
        for depth, around in enumerate(reversed(self.rounds)):
            if around.label == name.text:
                return ir.Leave(how == "skip", depth, at=tree.at)
        labels = [loop.label for loop in self.rounds if loop.label]
        help = did_you_mean(name.text, labels) or f"Give the loop its name: `loop as {name.text}:`."
        e.report("RB302", name.at, help, wanted=f"loop called `{name.text}` around this line", verb=how)
        return None

    def _check_do(self, tree: s.Do) -> ir.Statement | None:
        e, call = self.expr, tree.call
        if isinstance(call, s.Method):
            return self._check_do_hook(tree, call)
        if isinstance(call, s.Word):
            call = s.Call(call.name, (), at=call.at)
        if not isinstance(call, s.Call):
            help = "It stands alone, without `do`." if isinstance(call, s.OriginalAnswer) else ""
            if isinstance(call, s.Dot) and (hook := e.world.hooks.get(call.name)):
                names = ", ".join(parameter.name for parameter in hook.signature.parameters)
                help = f"What is done needs its brackets: `do {quote_source(call)}({names})`."
            e.report("RB201", call.at, help, doing="`do`", expected="a rule or `card.hook(…)`", found="something else")
            return None
        rule = e.world.rules.get(call.name)
        if rule is None:
            help = did_you_mean(call.name, e.world.rules)
            if call.name in e.world.values:
                help = f"`{call.name}` is a question, not something that is done."
            elif call.name in e.world.actions:
                help = f"An action is done for somebody: `do {call.name}.effect(me)`."
            e.report("RB301", call.at, help, wanted="rule", name=call.name)
            return None
        arguments = e.check_arguments(rule, call.arguments, call.at)
        guards = self.guards()
        slot = (
            self.bind_name(tree.name, self._find_returned(self.rule_type(call.name), arguments)) if tree.name else None
        )
        return ir.DoRule(f"rules.{call.name}", arguments, slot, guards=guards, at=tree.at)

    def _find_returned(self, type: t.Type, arguments: tuple[ir.Expr, ...]) -> t.Type:
        """Return the type of what a rule gives back; nothing, where it is not done because something is not there."""
        return t.maybe(type) if any(t.may_be_nothing(argument.type) for argument in arguments) else type

    def _check_do_hook(self, tree: s.Do, call: s.Method) -> ir.Statement | None:
        e = self.expr
        target = e.check_hook_owner(call.owner)
        hook = e.world.hooks.get(call.name)
        if target.type == t.UNKNOWN:
            return None
        if hook is None or not e.has_hook(target, call.name):
            kinds = [member.kinds for member in t.members(t.surely(target.type)) if isinstance(member, t.Card)]
            hooks = e.world.hooks.items()
            does = [name for name, info in hooks if info.answer is None and all(k & info.kinds for k in kinds)]
            source = quote_source(call.owner)
            if isinstance(target.type, t.ListOf) and hook is not None:
                asked = ", ".join(map(quote_source, call.arguments))
                done = f"`each c in {source}:` and below it `do c.{call.name}({asked})`"
                help, owner = f"Here are several, so say of each: {done}.", e.describe_type(target.type).capitalize()
                e.report("RB303", call.at, help, owner=owner, name=call.name)
                return None
            who = e.describe_type(t.surely(target.type))
            help = did_you_mean(call.name, does)
            if hook is not None and kinds:
                family = e.world.family_of(hook.kinds)
                help = f"Only {family} cards have it: ask `is {family}` first."
            e.report("RB303", call.at, help, owner=who[0].upper() + who[1:], name=call.name)
            return None
        if hook.answer is not None:
            help = "Use it where a question stands, like behind `if`."
            what, wanted = f"`{call.name}`", "something that is done"
            e.report("RB401", call.at, help, what=what, wanted=wanted, got="a question")
            return None
        arguments = e.check_arguments(hook.signature, call.arguments, call.at)
        stand_in = e.check_value(tree.stand_in) if tree.stand_in else None
        guards = self.guards()
        slot = self.bind_name(tree.name, t.UNKNOWN) if tree.name else None
        return ir.DoHook(call.name, target, arguments, stand_in, slot, guards=guards, at=tree.at)

    def _check_if(self, tree: s.If) -> ir.Statement:
        condition = self.expr.check_question(tree.condition)
        guards = self.guards()
        ends: list[Facts] = []
        blocks: list[ir.Block] = []
        for facts, body in ((when_true(condition), tree.body), (when_false(condition), tree.otherwise or ())):
            with self.scope.assuming(facts), self._within(guards):
                blocks.append(self.check_block(body))
            if not always_leaves(blocks[-1]):
                ends.append(self.at_end)
        then, otherwise = blocks
        self.behind_if = in_either(*ends) if len(ends) == 2 else ends[0] if ends else {}
        return ir.If(condition, then, otherwise, guards=guards, at=tree.at)

    def _check_each(self, tree: s.Each) -> ir.Statement:
        with self.scope.binding(tree.name.text):
            listed = self.expr.check_list(tree.list, "What `each` goes through")
        guards = self.guards()
        member = find_item_type(listed.type)
        label, counted = self._count_rounds(tree.label)
        with (
            self._bind_inside("each", (tree.name, member), *counted, actor=True) as [slot, *index],
            self._round(label, tree.body, over_list=True),
            self._within(guards),
        ):
            self.scope.answered = find_answered(self.scope, listed, slot)
            counter = self.scope.note_counter(index)
            body = self._check_rounds_of(tree, slot)
        return ir.ForEach(slot, listed, counter, label, body, member == t.PLAYER, guards=guards, at=tree.at)

    def _check_repeat(self, tree: s.Repeat) -> ir.Statement:
        count = None if tree.count is None else self.expr.check_number(tree.count, "How often")
        if count is not None:
            self.expr.messages += check_length(_ONE, count, count.at, self.expr.where)
        guards = self.guards()
        word, (label, counted) = "loop" if count is None else "repeat", self._count_rounds(tree.label)
        with (
            self._bind_inside(word, *counted) as index,
            self._round(label, tree.body, over_list=False),
            self._within(guards),
        ):
            counter = self.scope.note_counter(index)
            body = self.check_block(tree.body)
        return ir.Repeat(count, counter, label, body, guards=guards, at=tree.at)

    def _check_rounds_of(self, tree: s.Each | s.Iterate, slot: int) -> ir.Block:
        """Check the block of a loop that has somebody or something in each round: it may be about `me`."""
        outer, self.actor = self.actor, slot if tree.name.text == "me" else self.actor
        body = self.check_block(tree.body)
        self.actor = outer
        return body

    def _check_iterate(self, tree: s.Iterate) -> ir.Statement:
        first = self.expr.check_value(tree.first)
        label, counted = self._count_rounds(tree.label)
        with (
            self._bind_inside("loop", (tree.name, t.surely(first.type)), *counted, actor=True) as [slot, *index],
            self._round(label, tree.body, over_list=False),
        ):
            counter = self.scope.note_counter(index)
            following = self.expr.check_value(tree.next, first.type)
            following = self.expr.expect(following, t.maybe(first.type), tree.next.at, "What comes next")
            guards = self.guards()
            with self._within(guards):
                body = self._check_rounds_of(tree, slot)
        return ir.Iterate(slot, first, following, counter, label, body, guards=guards, at=tree.at)

    def _check_stage(self, tree: s.Stage) -> ir.Statement:
        title = self._check_text(tree.title)
        until = self.expr.check_question(tree.until) if tree.until else None
        guards = self.guards()
        with self._within(guards):
            body = self.check_block(tree.body)
        return ir.Stage(tree.name.text, title, until, body, tree.publicly, guards=guards, at=tree.at)

    # ── choices ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _check_sources(self, choice: s.Choice) -> tuple[tuple[ir.Source, ...], t.Type]:
        sources: list[ir.Source] = []
        items: list[t.Type] = []
        filtered = [isinstance(source, s.Where) for source in choice.sources]
        for number, tree in enumerate(choice.sources, 1):
            listed = self.expr.check_list(tree, "What one chooses from")
            if listed.type == t.UNKNOWN:
                return (), t.UNKNOWN
            unfiltered = listed.list.type if isinstance(listed, ir.Filter) else listed.type
            about_both = isinstance(unfiltered, t.ListOf) and t.agree(items[0] if items else t.UNKNOWN, unfiltered.item)
            if 1 < number == len(choice.sources) and filtered[-1] and not any(filtered[:-1]) and about_both:
                help = "The `where` belongs only to the last source. Write `a + b where …`, or give each its own."
                last, two = "about the last source", "about all of them"
                self.expr.report("RB305", tree.at, help, name="where", one=last, two=two)
            items.append(t.surely(find_item_type(listed.type)))
            members = t.members(items[-1])
            sort = next((sort for kind, sort in _SORTS if any(isinstance(m, kind) for m in members)), "label")
            sources.append(ir.Source(listed, sort))
        return tuple(sources), t.either(*items)

    def _check_picks(self, choice: s.Choice) -> list[tuple[s.Name, Callable[[int], ir.Pick], t.Type]]:
        """Make one pick for each name; the caller gives its slot, and knows what type it has afterwards."""
        how, low, high = choice.count.how, choice.count.low, choice.count.high
        least: ir.Expr = _ONE
        most: ir.Expr | None = _ONE
        if how == "exactly" and low is not None:
            least = most = self.expr.check_number(low, "How many")
        elif how == "range" and low is not None and high is not None:
            least, most = self.expr.check_number(low), self.expr.check_number(high)
        elif how == "up to" and high is not None:
            least, most = _NONE, self.expr.check_number(high, "How many")
        elif how in ("any number of", "order"):
            least, most = _NONE, None
        with self.scope.binding(*(name.text for name in choice.names)):
            sources, item = self._check_sources(choice)
        is_many, ordered = how != "one", how == "order"

        def pick(name: str, slot: int) -> ir.Pick:
            return ir.Pick(slot, name, is_many, least, most, ordered, sources, None)

        return [(name, partial(pick, name.text), t.ListOf(item) if is_many else item) for name in choice.names]

    def _check_so_that(self, choice: s.Choice, picks: list[ir.Pick]) -> list[ir.Pick]:
        if choice.so_that is None:
            return picks
        return [*picks[:-1], evolve(picks[-1], so_that=self.expr.check_question(choice.so_that))]

    def _check_leave(self, tree: s.Statement | None) -> ir.Block | None:
        """Check the sentence that is done instead, where one stands."""
        statement = None if tree is None else self.check_statement(tree)
        return None if tree is None else () if statement is None else (statement,)

    def _check_choose(self, tree: s.Choose) -> ir.Statement:
        asking, choice = tree.asking, tree.choice
        player = self._check_decider(asking.subject, asking.at)
        prompt = self._check_text(choice.prompt)
        drafts = self._check_picks(choice)
        guards = self.guards()
        sure = isinstance(tree.leave, s.Leave | s.Return) or tree.body is not None
        maybe = asking.may and not sure
        picks = [made_in(self.bind_name(name, t.maybe(type) if maybe else type)) for name, made_in, type in drafts]
        slots = {pick.slot for pick in picks}
        absent = self.scope.absent - slots
        # What is tested was chosen.
        chosen = {
            bare(self.scope.read_local(pick.slot, None)): type for pick, (_, _, type) in zip(picks, drafts, strict=True)
        }
        with self.scope.assuming(chosen):
            picks = self._check_so_that(choice, picks)
        guards = tuple(sorted({*guards, *(self.scope.reads & absent)}))
        taken = None
        if tree.body is not None:
            self.scope.absent -= slots
            taken = self.check_block(tree.body)
        otherwise = self._check_leave(tree.leave) if tree.leave is not None else self._check_else(tree.otherwise)
        eliminates = self.expr.world.eliminates is not None
        unasked = guards or (sure and eliminates)  # who is out is not asked
        # One of what is surely there is chosen, whatever is chosen with it.
        always = not (asking.may or guards or eliminates or t.may_be_nothing(player.type)) and all(
            not pick.many and pick.so_that is None and self._is_never_empty(pick) for pick in picks[:1]
        )
        if always and len(picks) == 1:
            self.scope.absent -= slots
        elif tree.body is not None or not (sure or asking.may) or unasked:
            self.scope.absent |= slots
        elif sure:
            self.scope.absent -= slots
        checked = tuple(picks)
        return ir.Choose(
            player, asking.may, asking.secretly, False, prompt, checked, taken, otherwise, always=asking.always,
            guards=guards, at=tree.at,
        )  # fmt: skip

    def _check_each_chooses(self, tree: s.EachChooses) -> ir.Statement:
        with self.scope.binding(tree.name.text):
            players = self.expr.check_players(tree.players)
        picks: list[ir.Pick] = []
        prompt = None
        bound: list[tuple[s.Name, t.Type]] = []
        with self._bind_inside("each", (tree.name, t.PLAYER), actor=True) as [slot]:
            for line, choice in enumerate(tree.choices):
                prompt = prompt or self._check_text(choice.prompt)
                # While the sources of a later pick are read, an earlier one is the decider's own single answer.
                checked = []
                for name, made_in, type in self._check_picks(choice):
                    self.expr.check_new_name(name.text, name.at)
                    checked.append(evolve(made_in(self.scope.add_slot(name.text, type)), line=line))
                    bound.append((name, type))
                picks += self._check_so_that(choice, checked)
        guards = self.guards()
        for (name, type), pick in zip(bound, picks, strict=True):
            self.scope.types[pick.slot] = t.TableOf(t.maybe(type), t.PLAYER)
            self.scope.bound[name.text] = pick.slot
            whys = [why for listed in _lists_of(pick) if (why := self.expr.find_unbounded(listed))]
            self.scope.unbounded |= {pick.slot: whys[0]} if whys and not (pick.many or tree.may) else {}
        otherwise = self._check_leave(tree.leave)
        if not (tree.may or guards or self.expr.world.eliminates):
            # Of what two names of one line choose from, the first may take the last.
            first = [pick for at, pick in enumerate(picks) if not at or picks[at - 1].line != pick.line]
            single = [pick for pick in first if not pick.many and pick.so_that is None]
            asked = frozenset(map(bare, (players, *(players.items if isinstance(players, ir.Listed) else ()))))
            always = {pick.slot: asked for pick in single if self._is_never_empty(pick)}
            self.scope.answered = {**self.scope.answered, **always}
        return ir.ChooseEach(
            slot, players, tree.may, tree.secretly, False, prompt, tuple(picks), otherwise, always=tree.always,
            guards=guards, at=tree.at,
        )  # fmt: skip

    def _check_options(
        self, options: tuple[s.MenuOption, ...], guards: tuple[int, ...]
    ) -> tuple[tuple[ir.Option, ...], tuple[int, ...]]:
        """Check options; with them come the guards of the sentence and what the conditions of its options read."""
        absent = frozenset(self.scope.absent)
        labels = [self.expr.check_text(option.label.parts, option.label.at) for option in options]
        # What a label speaks of need not be there.
        outer, self.scope.reads = self.scope.reads, set()
        conditions = [self.expr.check_question(option.condition) if option.condition else None for option in options]
        guards = tuple(sorted({*guards, *(self.scope.reads & absent)}))
        self.scope.reads |= outer
        checked = []
        for option, label, condition in zip(options, labels, conditions, strict=True):
            with self.scope.assuming(when_true(condition) if condition is not None else {}):
                checked.append(ir.Option(label, condition, self.check_block(option.body)))
        return tuple(checked), guards

    def _check_menu(self, tree: s.Menu) -> ir.Statement:
        player = self._check_decider(tree.asking.subject, tree.asking.at)
        prompt = self._check_text(tree.prompt)
        options, guards = self._check_options(tree.options, self.guards())
        otherwise = self._check_else(tree.otherwise)
        may, always = tree.asking.may, tree.asking.always
        return ir.Menu(player, may, False, prompt, options, otherwise, always=always, guards=guards, at=tree.at)

    def _check_may(self, tree: s.May) -> ir.Statement:
        asking = s.Asking(tree.subject, may=True, secretly=False, at=tree.at)
        option = s.MenuOption(tree.label, None, tree.body, at=tree.at)
        return self._check_menu(s.Menu(asking, None, (option,), tree.otherwise, at=tree.at))

    def _check_offer(self, tree: s.Offer) -> ir.Statement:
        players = self.expr.check_players(tree.players)
        guards = self.guards()
        bodies = tuple(line for option in tree.options for line in option.body)
        with self._bind_inside("offer", (tree.name, t.PLAYER)) as [slot]:
            prompt = self._check_text(tree.prompt)
            with self._round(tree.name.text, bodies, over_list=True):
                options, guards = self._check_options(tree.options, guards)
        # The window is closed by then: `stop` in its `else` leaves the loop around it.
        otherwise = self._check_else(tree.otherwise)
        return ir.Offer(
            players, tree.together, slot, tree.name.text, prompt, options, (), (), otherwise, guards=guards, at=tree.at
        )

    def _check_offer_choice(self, tree: s.OfferChoice) -> ir.Statement | None:
        """Check a window in which whoever takes it chooses a thing, for which there is a name in its block only."""
        players = self.expr.check_players(tree.players)
        with self._bind_inside("offer", (tree.name, t.PLAYER)) as [slot]:
            prompt = self._check_text(tree.choice.prompt)
            (name, made_in, type), *more = self._check_picks(tree.choice)
            if more:
                help = "Who takes a window chooses by one name. For more of a thing, write how many: `choose 2 …`."
                at, found = more[0][0].at, f"`{more[0][0].text}`"
                self.expr.report("RB201", at, help, doing="`offer`", expected="`from`", found=found)
            known = self.scope.reads & self.scope.absent
            with self._bind_inside("offer", (name, type)) as [chosen]:
                with self.scope.assuming({bare(self.scope.read_local(chosen, None)): type}):
                    picks = self._check_so_that(tree.choice, [made_in(chosen)])
                guards = tuple(sorted(known | (self.scope.reads & self.scope.absent)))
                with self._round(tree.name.text, tree.body, over_list=True), self._within(guards):
                    body = self.check_block(tree.body)
        otherwise = self._check_else(tree.otherwise)
        return ir.Offer(
            players, tree.together, slot, tree.name.text, prompt, (), tuple(picks), body, otherwise, guards=guards,
            at=tree.at,
        )  # fmt: skip

    # ── acts ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _check_cards(self, tree: s.Expr, what: str, help: str | None = None) -> ir.Expr:
        """Check cards to act on: a list, one card, or nothing; `help` is what to write instead of anything else."""
        expr = self.expr.check_value(tree)
        kind = t.surely(expr.type)
        if is_answers(kind):
            return self.expr.report("RB405", tree.at, name=quote_source(tree))
        member = kind.item if isinstance(kind, t.ListOf) else kind
        if t.UNKNOWN in (expr.type, member) or isinstance(t.surely(member), t.Card):
            return expr
        got = self.expr.describe_type(expr.type)
        help = advice.OF_A_POSITION if member == t.CELL else help
        return self.expr.report("RB401", tree.at, help, what=what, wanted="a card or cards", got=got)

    def _report_kept(self, place: t.Place, tree: s.Expr, at: At, verb: str, help: str) -> None:
        self.expr.report("RB409", at, help, place=quote_source(tree), kept=place.kept, verb=verb)

    def _check_holds(
        self, place: t.Place, name: str, cards: ir.Expr, at: At, source: tuple[str, str] | None = None
    ) -> None:
        """Check that a place may hold what comes there: cards, a list of them, or all that lies in another place.

        `source` is the verb that takes what comes next, and what it takes from.
        """
        world, kind = self.expr.world, t.surely(cards.type)
        rest = find_kinds(kind) - place.holds
        if rest and place.kept and not (isinstance(kind, t.Place) and not kind.kept):
            held = world.family_of(place.holds)
            help = f"It holds {held} cards. Ask what the card is first, or let the place hold more."
            if source is not None and find_kinds(kind) & place.holds:
                verb, pile = source
                help = (
                    f"It holds {held} cards, and what comes next from `{pile}` may be another. Let `{name}` hold more, "
                    f"or {verb} from a pile that holds only {held} cards, before the others are shuffled in."
                )
            self.expr.report("RB410", at, help, place=name, got=f"{t.with_article(world.family_of(rest))} card")

    def _check_pieces(self, goal: t.Type, tree: s.Expr | s.Name, start: ir.Expr, verb: str) -> None:
        """Check that pieces of a pool, which are no cards any more, go only to other pools."""
        if not isinstance(goal, t.Place):
            return
        name = tree.text if isinstance(tree, s.Name) else quote_source(tree)
        if goal.kept == "pool":
            self._check_holds(goal, name, start, tree.at)
        elif goal.kept:
            help = f"Pieces lie in pools. Declare it `kept: pool`, or keep {name} out of this."
            self.expr.report("RB409", tree.at, help, place=name, kept=goal.kept, verb=verb)
        else:
            self.expr.report_no_fit(tree.at, goal, t.POOL)

    def _check_goal(
        self, goal: s.Destination, cards: ir.Expr, place: ir.Expr, source: tuple[str, str] | None = None
    ) -> ir.Expr:
        if isinstance(place.type, t.Place):
            self._check_holds(place.type, quote_source(goal.place), cards, goal.at, source)
            if goal.end and place.type.kept in UNFIT[goal.end]:
                self._report_kept(place.type, goal.place, goal.at, goal.end, "It has no top and no bottom.")
        return place

    def _check_move(self, tree: s.Move) -> ir.Statement:
        goal, what, to = tree.goal, quote_source(tree.what), quote_source(tree.goal.place)
        places = [self.expr.world.places.get(name.rpartition(".")[2]) for name in (what, to)]
        help = None
        if not goal.end and not goal.face and all(place is not None and place.kept == "pool" for place in places):
            help = f"Write `move all from {what} to {to}`: pieces in a pool are no single cards."
        cards = self._check_cards(tree.what, "What is moved", help)
        place = self._check_goal(goal, cards, self.expr.check_spot(goal.place))
        return ir.Move(cards, place, goal.end, goal.face, at=tree.at)

    def _check_move_pieces(self, tree: s.MovePieces) -> ir.Statement | None:
        goal, place = tree.goal, self.expr.check_place(tree.source)
        if isinstance(place.type, t.Place) and place.type.kept != "pool":
            if tree.count is None:
                cards = self.expr.read_place(place)
                to = self._check_goal(goal, cards, self.expr.check_spot(goal.place))
                return ir.Move(cards, to, goal.end, goal.face, at=tree.at)
            if kept := place.type.kept:
                verb = "draw" if kept in ("bag", "pile") else "choose"
                help = f"`move n from …` takes pieces of a pool. What is kept as `{kept}`, you `{verb}`."
                self._report_kept(place.type, tree.source, tree.source.at, "move … from", help)
            else:
                self.expr.report_no_fit(tree.source.at, place.type, t.POOL)
            return None
        number = None if tree.count is None else self.expr.check_number(tree.count, "How many")
        to = self._check_goal(goal, BROKEN, self.expr.check_place(goal.place))
        if isinstance(place.type, t.Place):
            self._check_pieces(to.type, goal.place, place, "move … from")
        return ir.MovePieces(number, place, to, at=tree.at)

    def _check_drawable(self, tree: s.Expr, verb: str) -> None:
        place, text = self.expr.check(tree).type, quote_source(tree)
        if isinstance(place, t.Place) and place.kept in UNFIT[verb] and text != BOX:
            help = f"It has no top to take from. Write `pick x from {text} at random`, or `choose`."
            self._report_kept(place, tree, tree.at, verb, help)

    def _check_draw(self, tree: s.Draw) -> ir.Statement:
        count = self.expr.check_number(tree.count, "How many")
        self._check_drawable(tree.source, "draw")
        start = self.expr.check_place(tree.source)
        cards = t.ListOf(t.Card(find_kinds(start.type)))
        goal = self.expr.check_place(tree.goal.place)
        pieces = isinstance(start.type, t.Place) and start.type.kept == "pool"
        cards_or_pieces = ir.Const(None, type=t.UNKNOWN if pieces else cards)
        self._check_goal(tree.goal, cards_or_pieces, goal, ("draw", quote_source(tree.source)))
        if pieces:
            self._check_pieces(goal.type, tree.goal.place, start, "draw")
        guards = self.guards()
        is_many = not (isinstance(count, ir.Const) and count.value == 1)
        is_there = not guards and self.expr.is_known_filled(start)
        card = cards.item if is_there else t.maybe(cards.item)
        slot = None if tree.name is None else self.bind_name(tree.name, cards if is_many else card)
        return ir.Draw(count, start, goal, tree.goal.end, tree.goal.face, slot, is_many, guards=guards, at=tree.at)

    def _check_deal(self, tree: s.Deal) -> ir.Statement:
        self._check_drawable(tree.source, "deal")
        number, start = self.expr.check_number(tree.count, "How many"), self.expr.check_place(tree.source)
        deal = ir.Deal(number, start, self._check_each_place(tree.place), at=tree.at)
        goal = self.expr.world.places.get(tree.place.text)
        if goal is not None and goal.owner == "player":
            if isinstance(start.type, t.Place) and start.type.kept == "pool":
                self._check_pieces(goal.type, tree.place, start, "deal")
            else:
                source = "deal", quote_source(tree.source)
                self._check_holds(goal.type, tree.place.text, start, tree.place.at, source)
        return deal

    def _check_each_place(self, name: s.Name) -> str:
        places = self.expr.world.places
        if name.text not in places or places[name.text].owner != "player":
            own = [place.name for place in places.values() if place.owner == "player"]
            help = advice.about_each(name.text, own) or did_you_mean(name.text, own)
            self.expr.report("RB301", name.at, help, wanted="place of each player", name=name.text)
        return name.text

    def _check_pass(self, tree: s.Pass) -> ir.Statement:
        return ir.Pass(self._check_each_place(tree.place), 1 if tree.direction == "left" else -1, at=tree.at)

    def _check_swap(self, tree: s.Swap) -> ir.Statement:
        first, second = self._check_swapped(tree.first), self._check_swapped(tree.second)
        if isinstance(first.type, t.Place) != isinstance(second.type, t.Place):
            # Two slots change contents, empty or not; with a card only the card of a slot can change.
            first, second = self.expr.read_place(first), self.expr.read_place(second)
        for swapped, other in ((first, second), (second, first)):
            if isinstance(t.surely(swapped.type), t.Cell) and isinstance(t.surely(other.type), t.Card):
                self.expr.report_type(tree.at, "What is swapped with a cell", "a cell", other.type)
        return ir.Swap(first, second, at=tree.at)

    def _check_swapped(self, tree: s.Expr) -> ir.Expr:
        """Check one of two cards, two places of one card each, or two cells."""
        expr = self.expr.check(tree)
        if isinstance(expr.type, t.Place) and expr.type.kept == "slot":
            return expr
        expr = self.expr.read_place(expr)
        if expr.type == t.UNKNOWN or isinstance(t.surely(expr.type), t.Card | t.Cell):
            return expr
        are_cards = isinstance(t.surely(find_item_type(expr.type)), t.Card)
        help = "To exchange several cards, give the ones a name with `let`, move the others, then those of that name."
        wanted, got = "a card, a slot or a cell", self.expr.describe_type(expr.type)
        what = "What is swapped"
        return self.expr.report("RB401", tree.at, help if are_cards else None, what=what, wanted=wanted, got=got)

    def _check_shuffle(self, tree: s.Shuffle) -> ir.Statement:
        place = self.expr.check_place(tree.place)
        if isinstance(place.type, t.Place) and place.type.kept in UNFIT["shuffle"]:
            self._report_kept(place.type, tree.place, tree.place.at, "shuffle", "It has no order to lose.")
        return ir.Shuffle(place, at=tree.at)

    def _check_roll(self, tree: s.Roll) -> ir.Statement | None:
        cards = self._check_cards(tree.dice, "What is rolled")
        kind = t.surely(cards.type)
        die = t.surely(kind.item if isinstance(kind, t.ListOf) else kind)
        if not isinstance(die, t.Card):
            return None
        for info in self.expr.world.states.values():
            if die.kinds <= info.kinds and info.values:
                return ir.Roll(cards, info.name, at=tree.at)
        wanted, got = "a thing with a `state:` of a range or of words", self.expr.describe_type(die)
        self.expr.report("RB401", tree.dice.at, what="What is rolled", wanted=wanted, got=got)
        return None

    def _check_pick_random(self, tree: s.PickRandom) -> ir.Statement | None:
        start = self.expr.check_list(tree.source, "What is picked from")
        member = t.surely(find_item_type(start.type))
        count: ir.Expr | None = None
        if tree.count.how == "exactly" and tree.count.low is not None:
            count = self.expr.check_number(tree.count.low, "How many")
        elif tree.count.how != "one":
            word = f"`{tree.count.how}`"
            self.expr.report("RB201", tree.at, doing="`pick`", expected="how many", found=word)
        guards = self.guards()
        slots = [self.bind_name(name, t.ListOf(member) if count is not None else member) for name in tree.names]
        if count is None:
            self.scope.absent |= set(slots)
        return ir.PickRandom(tuple(slots), start, count, self.actor, guards=guards, at=tree.at)

    def _check_arrange(self, tree: s.Arrange) -> ir.Statement:
        player = self._check_decider(tree.subject, tree.at)
        line = self.expr.check_list(tree.what, "What is arranged")
        member = t.surely(find_item_type(line.type))
        if not isinstance(member, t.Card) and member != t.UNKNOWN:
            self.expr.report_type(tree.what.at, "What is arranged", "cards", line.type)
        place = line.place.type if isinstance(line, ir.Cards) else None
        if isinstance(place, t.Place) and place.kept in UNFIT["arrange"]:
            self._report_kept(place, tree.what, tree.what.at, "arrange", "It has no order to choose.")
        return ir.Arrange(player, line, False, at=tree.at)

    def _check_say(self, tree: s.Say) -> ir.Statement:
        listeners = None if tree.to is None else self.expr.check_players(tree.to)
        return ir.Say(self.expr.check_text(tree.text.parts, tree.text.at), listeners, tree.publicly, at=tree.at)

    # ── layers ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _check_layer(self, trees: s.Block, original: Original) -> ir.Block:
        """Check a script that hangs on another: before its first or after its last sentence stands the original."""
        scalar = trees[0].at.scalar
        first, last = At(scalar, 0, 0), At(scalar, len(scalar.text), len(scalar.text))
        if original.place == "before":
            answer = s.Return(s.OriginalAnswer(at=last), at=last)
            trees = (*trees, answer if self.pure else s.Original(None, at=last))
        elif original.place == "after":
            trees = (s.Original(None, at=first), *trees)
        kept = self._keep_given(trees, original, first)
        if any(isinstance(original, s.Original) and original.name is None for original in find_originals(trees)):
            answer_type = original.answer()
            if not t.fits(answer_type, t.NOTHING):
                self.kept = self.scope.add_unnamed("original", t.maybe(answer_type))
        block = self.check_block(trees)
        if original.place == "before" and always_leaves(block[:-1]):
            help = "Hang this `instead of`, and leave `original` out."
            self.expr.report("RB309", trees[0].at, help, problem="is never reached behind this")
        if self.kept is not None and not always_leaves(block):
            block = (*block, self._hand_back(last))
        return (*kept, *block)

    def _hand_back(self, at: At) -> ir.Return:
        """Make a `return` of what the original gave back, or of nothing where there is none."""
        slot = self.kept
        value = None if slot is None else ir.Local(slot, self.scope.names[slot], type=self.scope.types[slot], at=at)
        self.returned.append(value)
        return ir.Return(value, at=at)

    def _keep_given(self, trees: s.Block, original: Original, at: At) -> list[ir.Statement]:
        """Keep what the script was given, where it uses the name for something else first: `each me in players`."""
        again = find_named(trees) if original.place != "after" and find_originals(trees) else set()
        sentences: list[ir.Statement] = []
        for slot, parameter in enumerate(original.parameters):
            if parameter.name in again:
                original.kept_as[slot] = self.scope.add_unnamed(parameter.name, parameter.type)
                sentences.append(ir.Let(original.kept_as[slot], self.scope.read_local(slot, at), at=at))
        return sentences

    def _check_original(self, tree: s.Original) -> ir.Statement | None:
        original = self.expr.find_original(tree.at, question=False)
        if original is None:
            return None
        arguments = original.arguments(self.scope, tree.at)
        slot = self.bind_name(tree.name, original.answer()) if tree.name else self.kept
        return ir.DoRule(original.name, arguments, slot, guards=self.guards(), at=tree.at)


_CHECKS: dict[type, Callable[[Statements, Any], ir.Statement | None]] = {
    s.If: Statements._check_if, s.Each: Statements._check_each, s.Repeat: Statements._check_repeat,
    s.Iterate: Statements._check_iterate, s.Stage: Statements._check_stage,
    s.Leave: Statements._check_jump, s.Return: Statements._check_return, s.Let: Statements._check_let,
    s.Set: Statements._check_set,
    s.Add: Statements._check_add, s.Do: Statements._check_do, s.Original: Statements._check_original,
    s.Choose: Statements._check_choose, s.EachChooses: Statements._check_each_chooses, s.Menu: Statements._check_menu,
    s.May: Statements._check_may, s.Offer: Statements._check_offer,
    s.OfferChoice: Statements._check_offer_choice, s.Draw: Statements._check_draw,
    s.PickRandom: Statements._check_pick_random,
    s.Move: Statements._check_move, s.MovePieces: Statements._check_move_pieces, s.Deal: Statements._check_deal,
    s.Pass: Statements._check_pass,
    s.Swap: Statements._check_swap,
    s.Shuffle: Statements._check_shuffle, s.Roll: Statements._check_roll, s.Arrange: Statements._check_arrange,
    s.Reveal: lambda c, tree: ir.Reveal(c._check_cards(tree.what, "What is revealed"), at=tree.at),
    s.Cover: lambda c, tree: ir.Cover(c._check_cards(tree.what, "What is turned face down"), at=tree.at),
    s.Show: lambda c, tree: ir.Show(
        c._check_cards(tree.what, "What is shown"), c.expr.check_players(tree.to), at=tree.at
    ),
    s.Tell: lambda c, tree: ir.Tell(c.expr.check_players(tree.to), c.expr.check_question(tree.question), at=tree.at),
    s.Say: Statements._check_say,
    s.Win: lambda c, tree: ir.Win(tuple(map(c.expr.check_players, tree.groups)), at=tree.at),
    s.Eliminate: lambda c, tree: ir.Eliminate(c.expr.check_players(tree.players), at=tree.at),
}  # fmt: skip
"""The method that checks each sort of sentence."""

def _lists_of(pick: ir.Pick) -> list[ir.Expr]:
    return [source.list for source in pick.sources]


def always_leaves(block: ir.Block) -> bool:
    """Tell whether a block never comes to its end."""
    match block[-1] if block else None:
        case ir.Leave() | ir.Return() | ir.EndStage() | ir.Win():
            return True
        case ir.If(_, then, otherwise):
            return always_leaves(then) and always_leaves(otherwise)
    return False


def find_kinds(of: t.Type) -> frozenset[str]:
    """Return the kinds of a card, of the cards in a list, or of those that a place holds."""
    kind = t.surely(of)
    match t.surely(kind.item) if isinstance(kind, t.ListOf) else kind:
        case t.Card(kinds):
            return kinds
        case t.Place(_, holds):
            return holds
    return frozenset()
