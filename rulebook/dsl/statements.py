"""The checker of statements: blocks of what happens, from what was written to the IR.

In: a syntax block and a scope. Out: an IR block. Names it binds live to the end of the script; what may be absent is
tracked so that each sentence knows its guards. Never: decides who may learn what (that is the next pass).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import define, evolve, field

from rulebook.diagnostics import diagnose, did_you_mean
from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.expressions import BROKEN, Expressions
from rulebook.dsl.scope import Scope, when_false, when_true

_RANDOM = "`pick x from {place} at random`"
_PURE = (s.Let, s.If, s.Each, s.Return)
_SORTS: tuple[tuple[type, str], ...] = (
    (t.Card, "card"), (t.Player, "player"), (t.Action, "action"), (t.Number, "number"), (t.Amount, "number"),
    (t.Symbol, "word"), (t.Text, "label"), (t.YesNo, "label"), (t.Cell, "cell"), (t.Place, "place"),
)  # fmt: skip
VERBS = {
    s.Choose: "choose", s.EachChooses: "chooses", s.Menu: "choose one", s.May: "may", s.Offer: "offer", s.Move: "move",
    s.MovePieces: "move", s.Draw: "draw", s.Deal: "deal", s.Pass: "pass", s.Swap: "swap", s.Shuffle: "shuffle",
    s.Roll: "roll", s.PickRandom: "pick", s.Arrange: "arrange", s.Reveal: "reveal", s.Cover: "turn", s.Show: "show",
    s.Tell: "tell", s.Say: "say", s.Set: "set", s.Add: "add", s.Let: "let", s.Do: "do", s.Win: "win",
    s.Eliminate: "eliminate", s.Original: "original", s.Leave: "leave", s.Return: "return", s.If: "if", s.Each: "each",
    s.Repeat: "repeat", s.Stage: "stage",
}  # fmt: skip


@define
class _Round:
    """A loop around the current line: its name for `stop` and `skip`, and whether it goes through a list."""

    label: str
    over_list: bool


@define
class Statements:
    """Checks the statements of one script. `returned` collects the types it gives back."""

    expressions: Expressions
    rule_type: Callable[[str], t.Type]
    pure: bool
    returned: list[t.Type] = field(factory=list)
    _rounds: list[_Round] = field(factory=list)

    @property
    def scope(self) -> Scope:
        """The script's locals."""
        return self.expressions.scope

    def block(self, trees: s.Block) -> ir.Block:
        """Every sentence in turn; what an `if` that always leaves rules out is known after it."""
        made: list[ir.Statement] = []
        facts = self.scope.facts
        for tree in trees:
            self._first_word(tree)
            statement = self._statement(tree)
            if statement is None:
                continue
            made.append(statement)
            if isinstance(statement, ir.If) and not statement.otherwise and _leaves(statement.then):
                self.scope.facts = {**self.scope.facts, **when_false(statement.condition)}
            elif isinstance(statement, ir.Assign | ir.DoRule | ir.DoHook):
                self._changed(statement)
        self.scope.facts = {known: type for known, type in self.scope.facts.items() if known in facts}
        return tuple(made)

    def _changed(self, statement: ir.Assign | ir.DoRule | ir.DoHook) -> None:
        """What was known of a memory or a card may no longer hold."""
        if isinstance(statement, ir.Assign):
            target = statement.target
            type = t.surely(statement.value.type)
            self.scope.facts.pop(target, None)
            if not t.may_be_nothing(statement.value.type) and t.may_be_nothing(target.type):
                self.scope.facts = {**self.scope.facts, target: type}
        else:
            kept = (ir.Local,)
            self.scope.facts = {known: type for known, type in self.scope.facts.items() if isinstance(known, kept)}

    def _first_word(self, tree: s.Statement) -> None:
        if self.pure and not isinstance(tree, _PURE):
            self.expressions.report("RB407", tree.at, sentence=VERBS[type(tree)])

    @contextmanager
    def _sentence(self) -> Iterator[set[int]]:
        """Collects the slots that the sentence's own expressions read."""
        outer, self.scope.reads = self.scope.reads, set()
        yield self.scope.reads
        self.scope.reads = outer | self.scope.reads

    def _guards(self) -> tuple[int, ...]:
        return tuple(sorted(self.scope.reads & self.scope.absent))

    def _bind(self, name: s.Name, type: t.Type) -> int:
        """The slot of a name that this sentence binds. A name must not have a second meaning at this spot."""
        world = self.expressions.world
        taken = world.places.get(name.text) or world.memories.get(name.text)
        if taken is not None and taken.owner == "table" or name.text in ("players", "others", "cards", "actions", "options", "seats"):
            self.expressions.report("RB305", name.at, name=name.text, one="the name bound here", two=f"`{name.text}` of the table")
        guarded = bool(self._guards())
        slot = self.scope.bind(name.text, type)
        if slot is None:
            known = self.expressions.words(self.scope.types[self.scope.bound[name.text]])
            help = f"`{name.text}` was {known} before. A name has one type: choose another name."
            self.expressions.report("RB401", name.at, help, what=f"`{name.text}`", wanted=known, got=self.expressions.words(type))
            return self.scope.bound[name.text]
        if guarded:
            self.scope.absent.add(slot)
        return slot

    # ── dispatch ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _statement(self, tree: s.Statement) -> ir.Statement | None:
        with self._sentence():
            match tree:
                case s.If():
                    return self._if(tree)
                case s.Each():
                    return self._each(tree)
                case s.Repeat():
                    return self._repeat(tree)
                case s.Stage():
                    return self._stage(tree)
                case s.Choose():
                    return self._choose(tree)
                case s.EachChooses():
                    return self._each_chooses(tree)
                case s.Menu():
                    return self._menu(tree)
                case s.May():
                    asking = s.Asking(tree.subject, may=True, secretly=False, at=tree.at)
                    option = s.MenuOption(tree.label, None, tree.body, at=tree.at)
                    return self._menu(s.Menu(asking, None, (option,), tree.otherwise, at=tree.at))
                case s.Offer():
                    return self._offer(tree)
                case s.Let() | s.Set() | s.Add() | s.Do() | s.Return() | s.Leave():
                    return self._flow(tree)
                case s.Original():
                    self.expressions.report("RB308", tree.at, "`original` stands in a variant's `instead of`, nowhere else.", name="original")
                    return None
                case _:
                    return self._act(tree)

    # ── flow ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _flow(self, tree: s.Let | s.Set | s.Add | s.Do | s.Return | s.Leave) -> ir.Statement | None:
        e = self.expressions
        match tree:
            case s.Let(name, tree_value):
                known = self.scope.bound.get(name.text)
                expr = e.value(tree_value, self.scope.types[known] if known is not None else None)
                guards = self._guards()
                return ir.Let(self._bind(name, expr.type), expr, guards=guards, at=tree.at)
            case s.Set(target, wanted, publicly):
                made = self._assign(target, lambda goal: e.value(wanted, goal.type), wanted.at, tree.at)
                return self._public(made, publicly)
            case s.Add(value, target, publicly):
                return self._public(self._add(value, target, tree.at), publicly)
            case s.Do():
                return self._do(tree)
            case s.Return(value):
                given = None if value is None else e.value(value)
                self.returned.append(t.NOTHING if given is None else given.type)
                return ir.Return(given, guards=self._guards(), at=tree.at)
            case s.Leave(how, name):
                return self._leave(how, name, tree.at)

    @staticmethod
    def _public(statement: ir.Statement | None, publicly: bool) -> ir.Statement | None:
        return evolve(statement, publicly=True) if publicly and isinstance(statement, ir.Assign) else statement

    def _target(self, tree: s.Expr) -> ir.Expr:
        e = self.expressions
        if isinstance(tree, s.Word) and tree.name in self.scope.bound:
            return self.scope.local(self.scope.bound[tree.name], tree.at)
        facts, self.scope.facts = self.scope.facts, {}
        goal = e.raw(tree)
        self.scope.facts = facts
        return goal

    def _assign(
        self, tree: s.Expr, value: Callable[[ir.Expr], ir.Expr], value_at: s.At, at: s.At
    ) -> ir.Statement | None:
        e = self.expressions
        goal = self._target(tree)
        if goal.type == t.UNKNOWN and not isinstance(goal, ir.Local):
            value(goal)
            return None
        match goal:
            case ir.Local(slot, name):
                if name in ("me", "this", "it"):
                    e.report("RB406", tree.at, "It says who this is about.", name=name)
                    return None
                expr = value(goal)
                known = self.scope.types[slot]
                if known in (t.UNKNOWN, t.ListOf(t.UNKNOWN)) or t.fits(known, expr.type):
                    self.scope.types[slot] = expr.type
                else:
                    expr = e.want(expr, known, value_at, f"`{name}`")
                guards = self._guards()
                self.scope.forget(slot)
                if guards:
                    self.scope.absent.add(slot)
                return ir.Let(slot, expr, guards=tuple(g for g in guards if g != slot or _reads(expr, slot)), at=at)
            case ir.TableMemory() | ir.PlayerMemory() | ir.State():
                wanted = goal.type
                expr = value(goal)
                if not isinstance(wanted, t.ListOf) or wanted.item != t.UNKNOWN:
                    expr = e.want(expr, t.maybe(wanted) if t.may_be_nothing(wanted) else wanted, value_at, f"`{_name(goal)}`")
                return ir.Assign(goal, expr, guards=self._guards(), at=at)
            case ir.Attribute(name, _):
                e.report("RB406", tree.at, f"It is printed on the card. To let it change, list it: `may_change: [{name}]`.", name=name)
            case ir.PlaceOf():
                e.report("RB406", tree.at, "Cards come and go with `move`.", name=goal.name)
            case _:
                e.report("RB406", tree.at, "Only a memory, a card's state and a name of this script can be set.", name=tree.at.scalar.text[tree.at.start : tree.at.end])
        value(goal)
        return None

    def _add(self, value: s.Expr, target: s.Expr, at: s.At) -> ir.Statement | None:
        def total(goal: ir.Expr) -> ir.Expr:
            more = self.expressions.value(value)
            return self.expressions._arithmetic("+", goal, more, at)

        return self._assign(target, total, value.at, at)

    def _leave(self, how: str, name: s.Name | None, at: s.At) -> ir.Statement | None:
        e = self.expressions
        if how == "end":
            assert name is not None
            if name.text not in e.world.stages:
                e.report("RB302", name.at, did_you_mean(name.text, e.world.stages) or "No stage has that name.", name=name.text)
                return None
            return ir.EndStage(name.text, at=at)
        if not self._rounds:
            e.report("RB302", at, f"`{how}` leaves a loop, and there is none around it. To leave a script, say `return`.", name=how)
            return None
        if name is None:
            inner = self._rounds[-1]
            outer = any(not one.over_list for one in self._rounds[:-1])
            if inner.over_list and outer and how == "stop":
                help = f"An `each` or `offer` stands inside a loop here. Name the one you mean: `{how} NAME`, with `as NAME` behind it."
                e.report("RB302", at, help, name=how)
            return ir.Leave(how == "skip", 0, at=at)
        for depth, one in enumerate(reversed(self._rounds)):
            if one.label == name.text:
                return ir.Leave(how == "skip", depth, at=at)
        labels = [one.label for one in self._rounds if one.label]
        e.report("RB302", name.at, did_you_mean(name.text, labels) or f"Give the loop a name: `… as {name.text}:`.", name=name.text)
        return None

    def _do(self, tree: s.Do) -> ir.Statement | None:
        e = self.expressions
        call = tree.call
        if isinstance(call, s.Word):
            call = s.Call(call.name, (), at=call.at)
        if isinstance(call, s.Call):
            rule = e.world.rules.get(call.name)
            if rule is None:
                help = did_you_mean(call.name, e.world.rules)
                if call.name in e.world.values:
                    help = f"`{call.name}` is a question, not something that is done."
                elif call.name in e.world.actions:
                    help = f"An action is done for somebody: `do {call.name}.effect(me)`."
                e.report("RB301", call.at, help, wanted="rule", name=call.name)
                return None
            given = e.arguments(rule, call.arguments, call.at)
            guards = self._guards()
            slot = self._bind(tree.name, self.rule_type(call.name)) if tree.name else None
            return ir.DoRule(call.name, given, slot, guards=guards, at=tree.at)
        if isinstance(call, s.Method):
            return self._do_hook(tree, call)
        e.report("RB201", call.at, doing="`do`", expected="a rule or `card.hook(…)`", found="something else")
        return None

    def _do_hook(self, tree: s.Do, call: s.Method) -> ir.Statement | None:
        e = self.expressions
        target = e.target(call.owner)
        hook = e.world.hooks.get(call.name)
        if target.type == t.UNKNOWN:
            return None
        if hook is None or not e.has_hook(target, call.name):
            kinds = [one.kinds for one in t.members(t.surely(target.type)) if isinstance(one, t.Card)]
            does = [name for name, info in e.world.hooks.items() if info.answer is None and all(k & info.kinds for k in kinds)]
            who = e.words(t.surely(target.type))
            help = did_you_mean(call.name, does)
            if hook is not None and kinds:
                help = f"Only {e.world.family_of(hook.kinds)} cards have it: ask `is {e.world.family_of(hook.kinds)}` first."
            e.report("RB303", call.at, help, owner=who[0].upper() + who[1:], name=call.name)
            return None
        if hook.answer is not None:
            e.report("RB407", call.at, f"`{call.name}` is a question: use it in a condition.", sentence=call.name)
            return None
        given = e.arguments(hook.signature, call.arguments, call.at)
        stand_in = e.value(tree.stand_in) if tree.stand_in else None
        guards = self._guards()
        slot = self._bind(tree.name, t.UNKNOWN) if tree.name else None
        return ir.DoHook(call.name, target, given, stand_in, slot, guards=guards, at=tree.at)

    # ── blocks ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _if(self, tree: s.If) -> ir.Statement:
        condition = self.expressions.question(tree.condition)
        guards = self._guards()
        with self.scope.assuming(when_true(condition)):
            then = self.block(tree.body)
        with self.scope.assuming(when_false(condition)):
            otherwise = self.block(tree.otherwise) if tree.otherwise else ()
        return ir.If(condition, then, otherwise, guards=guards, at=tree.at)

    @contextmanager
    def _round(self, label: str, *, over_list: bool) -> Iterator[None]:
        self._rounds.append(_Round(label, over_list))
        facts = self.scope.facts
        self.scope.facts = {known: type for known, type in facts.items() if isinstance(known, ir.Local)}
        yield
        self.scope.facts = facts
        self._rounds.pop()

    def _each(self, tree: s.Each) -> ir.Statement:
        e = self.expressions
        self.scope.alias = frozenset([tree.name.text])
        listed = e.listed(tree.list, "What `each` goes through")
        self.scope.alias = frozenset()
        guards = self._guards()
        item = listed.type.item if isinstance(listed.type, t.ListOf) else t.UNKNOWN
        slot = self._bind(tree.name, item)
        index = self._bind(tree.label, t.NUMBER) if tree.label else None
        label = tree.label.text if tree.label else ""
        with self._round(label, over_list=True):
            body = self.block(tree.body)
        players = item == t.PLAYER
        return ir.ForEach(slot, listed, index, label, body, players, guards=guards, at=tree.at)

    def _repeat(self, tree: s.Repeat) -> ir.Statement:
        count = None if tree.count is None else self.expressions.number(tree.count, "How often")
        guards = self._guards()
        index = self._bind(tree.label, t.NUMBER) if tree.label else None
        label = tree.label.text if tree.label else ""
        with self._round(label, over_list=False):
            body = self.block(tree.body)
        return ir.Repeat(count, index, label, body, guards=guards, at=tree.at)

    def _stage(self, tree: s.Stage) -> ir.Statement:
        e = self.expressions
        title = e.text(tree.title.parts, tree.title.at) if tree.title else None
        until = e.question(tree.until) if tree.until else None
        guards = self._guards()
        body = self.block(tree.body)
        return ir.Stage(tree.name.text, title, until, body, tree.publicly, guards=guards, at=tree.at)

    # ── choices ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _asked(self, asking: s.Asking) -> ir.Expr:
        e = self.expressions
        if asking.subject is not None:
            return e.want(e.value(asking.subject), t.PLAYER, asking.subject.at, "Who chooses")
        if "me" not in self.scope.bound:
            return e.report("RB306", asking.at, "Nobody is `me` here: say who chooses (`p chooses …`).", name="me")
        return self.scope.local(self.scope.bound["me"], asking.at)

    def _sources(self, choice: s.Choice) -> tuple[tuple[ir.Source, ...], t.Type]:
        e = self.expressions
        sources: list[ir.Source] = []
        items: list[t.Type] = []
        for number, tree in enumerate(choice.sources):
            listed = e.listed(tree, "What one chooses from")
            if listed.type == t.UNKNOWN:
                return (), t.UNKNOWN
            assert isinstance(listed.type, t.ListOf)
            last = number == len(choice.sources) - 1
            filtered = [isinstance(one, s.Where) for one in choice.sources]
            if last and number and filtered[-1] and not any(filtered[:-1]) and t.agree(items[0], listed.type.item):
                help = "The `where` belongs only to the last source. Write `a + b where …`, or give each its own."
                e.report("RB305", tree.at, help, name="where", one="about the last source", two="about all of them")
            sort = next((sort for kind, sort in _SORTS if any(isinstance(m, kind) for m in t.members(t.surely(listed.type.item)))), "label")
            sources.append(ir.Source(listed, sort))
            items.append(t.surely(listed.type.item))
        return tuple(sources), t.either(*items)

    def _picks(self, choice: s.Choice) -> list[tuple[s.Name, ir.Pick, t.Type]]:
        """One pick for each name; the slot is filled in by the caller, who knows what type it has afterwards."""
        e = self.expressions
        count = choice.count
        one = ir.Const(1, type=t.NUMBER)
        none = ir.Const(0, type=t.NUMBER)
        least: ir.Expr = one
        most: ir.Expr | None = one
        match count.how:
            case "exactly":
                assert count.low is not None
                least = most = e.number(count.low, "How many")
            case "range":
                assert count.low is not None and count.high is not None
                least, most = e.number(count.low), e.number(count.high)
            case "up to":
                assert count.high is not None
                least, most = none, e.number(count.high, "How many")
            case "any number of":
                least, most = none, None
            case "order":
                least = most = None  # type: ignore[assignment]
        self.scope.alias = frozenset(name.text for name in choice.names)
        sources, item = self._sources(choice)
        self.scope.alias = frozenset()
        many = count.how != "one"
        ordered = count.how == "order"
        if ordered:
            least, most = none, None
        type = t.ListOf(item) if many else item
        return [(name, ir.Pick(-1, name.text, many, least, most, ordered, sources, None), type) for name in choice.names]

    def _so_that(self, choice: s.Choice, picks: list[ir.Pick]) -> list[ir.Pick]:
        if choice.so_that is None:
            return picks
        test = self.expressions.question(choice.so_that)
        return [*picks[:-1], evolve(picks[-1], so_that=test)]

    def _prompt(self, text: s.Text | None) -> ir.Expr | None:
        return None if text is None else self.expressions.text(text.parts, text.at)

    def _choose(self, tree: s.Choose) -> ir.Statement:
        player = self._asked(tree.asking)
        choice = tree.choice
        prompt = self._prompt(choice.prompt)
        drafts = self._picks(choice)
        guards = self._guards()
        leaving = tree.leave is not None and isinstance(tree.leave, s.Leave | s.Return)
        sure = leaving or tree.body is not None
        picks = []
        for name, pick, type in drafts:
            nothing = tree.asking.may and not sure
            picks.append(evolve(pick, slot=self._bind(name, t.maybe(type) if nothing else type)))
        picks = self._so_that(choice, picks)
        slots = {pick.slot for pick in picks}
        taken = None
        if tree.body is not None:
            self.scope.absent -= slots
            taken = self.block(tree.body)
        otherwise: ir.Block | None = None
        if tree.leave is not None:
            made = self._statement(tree.leave)
            otherwise = () if made is None else (made,)
        elif tree.otherwise is not None:
            otherwise = self.block(tree.otherwise)
        if tree.body is not None or not (sure or tree.asking.may):
            self.scope.absent |= slots
        elif guards:
            self.scope.absent |= slots
        elif sure:
            self.scope.absent -= slots
        return ir.Choose(
            player, tree.asking.may, tree.asking.secretly, False, prompt, tuple(picks), taken, otherwise,
            guards=guards, at=tree.at,
        )  # fmt: skip

    def _each_chooses(self, tree: s.EachChooses) -> ir.Statement:
        e = self.expressions
        players = e.players(tree.players)
        slot = self._bind(tree.name, t.PLAYER)
        picks: list[ir.Pick] = []
        prompt = None
        bound: list[tuple[s.Name, t.Type]] = []
        for choice in tree.choices:
            prompt = prompt or self._prompt(choice.prompt)
            # While the sources of a later pick are read, an earlier one is the decider's own single answer.
            made = []
            for name, pick, type in self._picks(choice):
                made.append(evolve(pick, slot=self.scope.add(name.text, type)))
                bound.append((name, type))
            picks += self._so_that(choice, made)
        guards = self._guards()
        for (name, type), pick in zip(bound, picks, strict=True):
            self.scope.types[pick.slot] = t.PerPlayer(type)
            self.scope.bound[name.text] = pick.slot
        otherwise: ir.Block | None = None
        if tree.leave is not None:
            left = self._statement(tree.leave)
            otherwise = () if left is None else (left,)
        return ir.ChooseEach(
            slot, players, tree.may, tree.secretly, False, prompt, tuple(picks), otherwise, guards=guards, at=tree.at
        )

    def _options(self, options: tuple[s.MenuOption, ...]) -> tuple[ir.Option, ...]:
        e = self.expressions
        made = []
        heads = []
        for option in options:
            heads.append((e.text(option.label.parts, option.label.at), e.question(option.condition) if option.condition else None))
        for option, (label, condition) in zip(options, heads, strict=True):
            with self.scope.assuming(when_true(condition) if condition is not None else {}):
                made.append(ir.Option(label, condition, self.block(option.body)))
        return tuple(made)

    def _menu(self, tree: s.Menu) -> ir.Statement:
        player = self._asked(tree.asking)
        prompt = self._prompt(tree.prompt)
        guards = self._guards()
        options = self._options(tree.options)
        otherwise = None if tree.otherwise is None else self.block(tree.otherwise)
        return ir.Menu(player, tree.asking.may, False, prompt, options, otherwise, guards=guards, at=tree.at)

    def _offer(self, tree: s.Offer) -> ir.Statement:
        players = self.expressions.players(tree.players)
        guards = self._guards()
        slot = self._bind(tree.name, t.PLAYER)
        prompt = self._prompt(tree.prompt)
        with self._round(tree.name.text, over_list=True):
            options = self._options(tree.options)
            otherwise = None if tree.otherwise is None else self.block(tree.otherwise)
        return ir.Offer(
            players, tree.together, slot, tree.name.text, prompt, options, otherwise, guards=guards, at=tree.at
        )

    # ── acts ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _act(self, tree: s.Statement) -> ir.Statement | None:
        e = self.expressions
        made: ir.Statement | None
        match tree:
            case s.Move(what, goal):
                made = self._move(what, goal, tree.at)
            case s.MovePieces(count, source, goal):
                made = self._move_from(count, source, goal, tree.at)
            case s.Draw():
                made = self._draw(tree)
            case s.Deal(count, source, place):
                self._drawable(source, "deal")
                made = ir.Deal(e.number(count, "How many"), e.place(source), self._each_place(place), at=tree.at)
            case s.Pass(place, direction):
                made = ir.Pass(self._each_place(place), 1 if direction == "left" else -1, at=tree.at)
            case s.Swap(first, second):
                made = ir.Swap(self._swapped(first), self._swapped(second), at=tree.at)
            case s.Shuffle(place):
                goal_place = e.place(place)
                if isinstance(goal_place.type, t.Place) and goal_place.type.kept in ("loose", "slot", "pool"):
                    e.report("RB409", place.at, "It has no order to lose.", place=_written(place), kept=goal_place.type.kept, verb="shuffle")
                made = ir.Shuffle(goal_place, at=tree.at)
            case s.Roll(dice):
                made = self._roll(dice, tree.at)
            case s.PickRandom():
                made = self._pick_random(tree)
            case s.Arrange(subject, what):
                player = self._asked(s.Asking(subject, may=False, secretly=False, at=tree.at))
                made = ir.Arrange(player, e.listed(what, "What is arranged"), False, at=tree.at)
            case s.Reveal(what):
                made = ir.Reveal(self._cards(what, "What is revealed"), at=tree.at)
            case s.Cover(what):
                made = ir.Cover(self._cards(what, "What is turned face down"), at=tree.at)
            case s.Show(what, to):
                made = ir.Show(self._cards(what, "What is shown"), e.players(to), at=tree.at)
            case s.Tell(to, question):
                made = ir.Tell(e.players(to), e.question(question), at=tree.at)
            case s.Say(text, to, publicly):
                listeners = None if to is None else e.players(to)
                made = ir.Say(e.text(text.parts, text.at), listeners, publicly, at=tree.at)
            case s.Win(players):
                made = ir.Win(None if players is None else e.players(players), at=tree.at)
            case s.Eliminate(players):
                made = ir.Eliminate(e.players(players), at=tree.at)
            case _:
                raise AssertionError(f"no check for {type(tree).__name__}")
        guards = self._guards()
        if made is None:
            return None
        if isinstance(made, ir.Draw | ir.PickRandom):
            return made
        return evolve(made, guards=guards)

    def _cards(self, tree: s.Expr, what: str) -> ir.Expr:
        """Cards to act on: a list, one card, or nothing."""
        e = self.expressions
        expr = e.value(tree)
        kind = t.surely(expr.type)
        if isinstance(kind, t.PerPlayer):
            return e.report("RB405", tree.at, name=_written(tree))
        item = kind.item if isinstance(kind, t.ListOf) else kind
        if expr.type == t.UNKNOWN or item == t.UNKNOWN or isinstance(t.surely(item), t.Card):
            return expr
        return e.report("RB401", tree.at, what=what, wanted="a card or cards", got=e.words(expr.type))

    def _goal(self, goal: s.Destination, cards: ir.Expr) -> ir.Expr:
        e = self.expressions
        place = e.place(goal.place)
        if isinstance(place.type, t.Place):
            kind = t.surely(cards.type)
            item = t.surely(kind.item if isinstance(kind, t.ListOf) else kind)
            if isinstance(item, t.Card) and not item.kinds <= place.type.holds and place.type.kept:
                rest = e.words(t.Card(item.kinds - place.type.holds))
                help = f"It holds {e.world.family_of(place.type.holds)}. Ask what the card is first, or let the place hold more."
                e.report("RB410", goal.at, help, place=_written(goal.place), got=rest)
            if goal.end and place.type.kept in ("loose", "bag", "slot", "pool"):
                e.report("RB409", goal.at, "It has no top and no bottom.", place=_written(goal.place), kept=place.type.kept, verb=goal.end)
        return place

    def _move(self, what: s.Expr, goal: s.Destination, at: s.At) -> ir.Statement:
        cards = self._cards(what, "What is moved")
        return ir.Move(cards, self._goal(goal, cards), goal.end, goal.face, at=at)

    def _move_from(self, count: s.Expr | None, source: s.Expr, goal: s.Destination, at: s.At) -> ir.Statement | None:
        e = self.expressions
        place = e.place(source)
        if isinstance(place.type, t.Place) and place.type.kept not in ("pool", ""):
            if count is None:
                cards = e.contents(place)
                return ir.Move(cards, self._goal(goal, cards), goal.end, goal.face, at=at)
            verb = "draw" if place.type.kept in ("bag", "pile") else "choose"
            help = f"`move n from …` takes pieces of a pool. From a {place.type.kept}, `{verb}` the cards."
            e.report("RB409", source.at, help, place=_written(source), kept=place.type.kept, verb="move … from")
            return None
        number = None if count is None else e.number(count, "How many")
        return ir.MovePieces(number, place, e.place(goal.place), at=at)

    def _drawable(self, source: s.Expr, verb: str) -> None:
        e = self.expressions
        place = e.raw(source)
        if isinstance(place.type, t.Place) and place.type.kept not in ("bag", "pile", "pool", "") and _written(source) != "box":
            help = f"A {place.type.kept} has no top: {_RANDOM.format(place=_written(source))}, or `choose`."
            e.report("RB409", source.at, help, place=_written(source), kept=place.type.kept, verb=verb)

    def _draw(self, tree: s.Draw) -> ir.Statement:
        e = self.expressions
        count = e.number(tree.count, "How many")
        self._drawable(tree.source, "draw")
        source = e.place(tree.source)
        kinds = source.type.holds if isinstance(source.type, t.Place) else frozenset()
        cards = ir.Const(None, type=t.ListOf(t.Card(kinds)))
        goal = self._goal(tree.goal, cards)
        guards = self._guards()
        many = not (isinstance(count, ir.Const) and count.value == 1)
        slot = None
        if tree.name is not None:
            slot = self._bind(tree.name, t.ListOf(t.Card(kinds)) if many else t.maybe(t.Card(kinds)))
        return ir.Draw(count, source, goal, tree.goal.end, tree.goal.face, slot, many, guards=guards, at=tree.at)

    def _each_place(self, name: s.Name) -> str:
        e = self.expressions
        place = e.world.places.get(name.text)
        if place is None or place.owner != "player":
            legal = [one.name for one in e.world.places.values() if one.owner == "player"]
            e.report("RB301", name.at, did_you_mean(name.text, legal), wanted="place of each player", name=name.text)
        return name.text

    def _swapped(self, tree: s.Expr) -> ir.Expr:
        """Two cards, two places of one card each, or two cells."""
        e = self.expressions
        expr = e.raw(tree)
        if isinstance(expr.type, t.Place) and expr.type.kept == "slot":
            return expr
        expr = e.contents(expr)
        if expr.type == t.UNKNOWN or isinstance(t.surely(expr.type), t.Card | t.Cell):
            return expr
        return e.report("RB401", tree.at, what="What is swapped", wanted="a card, a slot or a cell", got=e.words(expr.type))

    def _roll(self, dice: s.Expr, at: s.At) -> ir.Statement | None:
        e = self.expressions
        cards = self._cards(dice, "What is rolled")
        kind = t.surely(cards.type)
        item = t.surely(kind.item if isinstance(kind, t.ListOf) else kind)
        if not isinstance(item, t.Card):
            return None
        for info in e.world.states.values():
            if item.kinds <= info.kinds and info.values:
                return ir.Roll(cards, info.name, at=at)
        e.report("RB401", dice.at, what="What is rolled", wanted="a thing with a `state:` of a range or of words", got=e.words(item))
        return None

    def _pick_random(self, tree: s.PickRandom) -> ir.Statement | None:
        e = self.expressions
        source = e.listed(tree.source, "What is picked from")
        item = t.surely(source.type.item) if isinstance(source.type, t.ListOf) else t.UNKNOWN
        count: ir.Expr | None = None
        match tree.count.how:
            case "one":
                pass
            case "exactly" if tree.count.low is not None:
                count = e.number(tree.count.low, "How many")
            case _:
                e.report("RB201", tree.at, doing="`pick`", expected="how many", found=f"`{tree.count.how}`")
        guards = self._guards()
        slots = []
        for name in tree.names:
            slots.append(self._bind(name, t.ListOf(item) if count is not None else item))
        if count is None:
            self.scope.absent |= set(slots)
        return ir.PickRandom(tuple(slots), source, count, guards=guards, at=tree.at)


def _leaves(block: ir.Block) -> bool:
    """Whether a block never comes to its end."""
    if not block:
        return False
    match block[-1]:
        case ir.Leave() | ir.Return() | ir.EndStage() | ir.Win():
            return True
        case ir.If(_, then, otherwise):
            return _leaves(then) and _leaves(otherwise)
    return False


def _name(goal: ir.TableMemory | ir.PlayerMemory | ir.State) -> str:
    return goal.name


def _reads(expr: ir.Expr, slot: int) -> bool:
    return f"Local(slot={slot}," in repr(expr) or expr == BROKEN


def _written(tree: s.Expr) -> str:
    return tree.at.scalar.text[tree.at.start : tree.at.end].strip()


__all__ = ["Statements", "diagnose"]
