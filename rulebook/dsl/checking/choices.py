"""The checker of choices: who is asked, for what, from what, and which names hold the answers.

In: `choose`, `chooses`, `choose one`, `may`, `offer` as written. Out: IR with every pick in a slot. Never: marks a
choice quiet; that needs to know who may learn what, and is the next pass.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking.scope import when_true
from rulebook.dsl.checking.sentences import Sentences
from rulebook.record import evolve

_SORTS: tuple[tuple[type, str], ...] = (
    (t.Card, "card"), (t.Player, "player"), (t.Action, "action"), (t.Number, "number"), (t.Amount, "number"),
    (t.Symbol, "word"), (t.Text, "label"), (t.YesNo, "label"), (t.Cell, "cell"), (t.Place, "place"),
)  # fmt: skip


class Choices(Sentences):
    """Sentences that wait for an answer."""

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
            unfiltered = listed.list.type if isinstance(listed, ir.Filter) else listed.type
            about_both = isinstance(unfiltered, t.ListOf) and t.agree(items[0] if items else t.UNKNOWN, unfiltered.item)
            if last and number and filtered[-1] and not any(filtered[:-1]) and about_both:
                help = "The `where` belongs only to the last source. Write `a + b where …`, or give each its own."
                e.report("RB305", tree.at, help, name="where", one="about the last source", two="about all of them")
            sort = next(
                (
                    sort
                    for kind, sort in _SORTS
                    if any(isinstance(m, kind) for m in t.members(t.surely(listed.type.item)))
                ),
                "label",
            )
            sources.append(ir.Source(listed, sort))
            items.append(t.surely(listed.type.item))
        return tuple(sources), t.either(*items)

    def _picks(self, choice: s.Choice) -> list[tuple[s.Name, Callable[[int], ir.Pick], t.Type]]:
        """One pick for each name, made of its slot by the caller, who knows what type it has afterwards."""
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
            case "any number of" | "order":
                least, most = none, None
        self.scope.alias = frozenset(name.text for name in choice.names)
        sources, item = self._sources(choice)
        self.scope.alias = frozenset()
        many = count.how != "one"
        ordered = count.how == "order"
        type = t.ListOf(item) if many else item

        def pick(name: str, slot: int) -> ir.Pick:
            return ir.Pick(slot, name, many, least, most, ordered, sources, None)

        return [(name, partial(pick, name.text), type) for name in choice.names]

    def _so_that(self, choice: s.Choice, picks: list[ir.Pick]) -> list[ir.Pick]:
        if choice.so_that is None:
            return picks
        test = self.expressions.question(choice.so_that)
        return [*picks[:-1], evolve(picks[-1], so_that=test)]

    def prompt(self, text: s.Text | None) -> ir.Expr | None:
        return None if text is None else self.expressions.text(text.parts, text.at)

    def choose(self, tree: s.Choose) -> ir.Statement:
        player = self.asked(tree.asking)
        choice = tree.choice
        prompt = self.prompt(choice.prompt)
        drafts = self._picks(choice)
        guards = self.guards()
        leaving = tree.leave is not None and isinstance(tree.leave, s.Leave | s.Return)
        sure = leaving or tree.body is not None
        picks = []
        for name, made_in, type in drafts:
            nothing = tree.asking.may and not sure
            picks.append(made_in(self.bind(name, t.maybe(type) if nothing else type)))
        picks = self._so_that(choice, picks)
        slots = {pick.slot for pick in picks}
        taken = None
        if tree.body is not None:
            self.scope.absent -= slots
            taken = self.block(tree.body)
        otherwise: ir.Block | None = None
        if tree.leave is not None:
            made = self.statement(tree.leave)
            otherwise = () if made is None else (made,)
        elif tree.otherwise is not None:
            otherwise = self.block(tree.otherwise)
        if tree.body is not None or not (sure or tree.asking.may) or guards:
            self.scope.absent |= slots
        elif sure:
            self.scope.absent -= slots
        return ir.Choose(
            player, tree.asking.may, tree.asking.secretly, False, prompt, tuple(picks), taken, otherwise,
            guards=guards, at=tree.at,
        )  # fmt: skip

    def each_chooses(self, tree: s.EachChooses) -> ir.Statement:
        e = self.expressions
        self.scope.alias = frozenset([tree.name.text])
        players = e.players(tree.players)
        self.scope.alias = frozenset()
        slot = self.bind(tree.name, t.PLAYER, actor=True)
        picks: list[ir.Pick] = []
        prompt = None
        bound: list[tuple[s.Name, t.Type]] = []
        for choice in tree.choices:
            prompt = prompt or self.prompt(choice.prompt)
            # While the sources of a later pick are read, an earlier one is the decider's own single answer.
            made = []
            for name, made_in, type in self._picks(choice):
                e.new_name(name.text, name.at)
                made.append(made_in(self.scope.add(name.text, type)))
                bound.append((name, type))
            picks += self._so_that(choice, made)
        guards = self.guards()
        for (name, type), pick in zip(bound, picks, strict=True):
            self.scope.types[pick.slot] = t.PerPlayer(type)
            self.scope.bound[name.text] = pick.slot
        otherwise: ir.Block | None = None
        if tree.leave is not None:
            left = self.statement(tree.leave)
            otherwise = () if left is None else (left,)
        return ir.ChooseEach(
            slot, players, tree.may, tree.secretly, False, prompt, tuple(picks), otherwise, guards=guards, at=tree.at
        )

    def _options(self, options: tuple[s.MenuOption, ...]) -> tuple[ir.Option, ...]:
        e = self.expressions
        made = []
        heads = []
        for option in options:
            heads.append(
                (
                    e.text(option.label.parts, option.label.at),
                    e.question(option.condition) if option.condition else None,
                )
            )
        for option, (label, condition) in zip(options, heads, strict=True):
            with self.scope.assuming(when_true(condition) if condition is not None else {}):
                made.append(ir.Option(label, condition, self.block(option.body)))
        return tuple(made)

    def menu(self, tree: s.Menu) -> ir.Statement:
        player = self.asked(tree.asking)
        prompt = self.prompt(tree.prompt)
        guards = self.guards()
        options = self._options(tree.options)
        otherwise = None if tree.otherwise is None else self.block(tree.otherwise)
        return ir.Menu(player, tree.asking.may, False, prompt, options, otherwise, guards=guards, at=tree.at)

    def offer(self, tree: s.Offer) -> ir.Statement:
        players = self.expressions.players(tree.players)
        guards = self.guards()
        bodies = tuple(line for option in tree.options for line in option.body)
        with self.inside(tree.name, t.PLAYER) as slot:
            prompt = self.prompt(tree.prompt)
            with self.round(tree.name.text, bodies, over_list=True):
                options = self._options(tree.options)
        # The window is closed by then: `stop` in its `else` leaves the loop around it.
        otherwise = None if tree.otherwise is None else self.block(tree.otherwise)
        return ir.Offer(
            players, tree.together, slot, tree.name.text, prompt, options, otherwise, guards=guards, at=tree.at
        )
