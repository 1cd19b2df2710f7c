"""The checker: every script of an authored rulebook gets its meaning, and the rulebook becomes IR."""

from __future__ import annotations

from collections.abc import Mapping as Map
from typing import Any

from attrs import define, field

from rulebook.diagnostics import Advice, Diagnostic, diagnose, did_you_mean, near
from rulebook.dsl import ir, schema
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking.declarations import Definitions, check_display, misspelt, phrases_of
from rulebook.dsl.checking.expressions import BROKEN, Expressions, things
from rulebook.dsl.checking.scope import (
    Elsewhere,
    Original,
    Scope,
    find_ended_stages,
    find_lasting,
    find_originals,
    find_set,
    find_stages,
)
from rulebook.dsl.checking.statements import MOST_FOUND, Statements
from rulebook.dsl.document import (
    At,
    Layered,
    Mapping,
    Node,
    Scalar,
    Seamed,
    find_layers,
    find_seams,
    kind_of,
)
from rulebook.dsl.naming.layer_names import name_beneath
from rulebook.dsl.parsing.parser import is_block, parse_expression, parse_ranking, parse_rest
from rulebook.dsl.parsing.rereading import Reread
from rulebook.dsl.parsing.weaving import parse_woven
from rulebook.dsl.settling.reckoning import KNOWN
from rulebook.dsl.structuring.leaves import folded, without_bar
from rulebook.dsl.walk import everything, rewrite, statements
from rulebook.dsl.world import Parameter, Signature, World, kinds_with
from rulebook.source import Span

_CARD_WORDS = ("kind", "name", "text", "copies", "each")
_EVERYONE = "everyone"
_OF_A_TEAM = t.Number | t.Amount | t.YesNo | t.Symbol | t.Player
_DEEPEST = 32  # questions that ask one another


@define
class Checker:
    """Checks the scripts of one rulebook, values when they are first asked, so that their answers have types."""

    world: World
    messages: list[Diagnostic]
    functions: dict[str, ir.Function] = field(factory=dict)
    _bodies: dict[str, schema.Named] = field(factory=dict)
    _answers: dict[str, t.Type] = field(factory=dict)
    _begun: set[str] = field(factory=set)
    """The rules that are being checked."""
    _supposed: dict[str, t.Type] = field(factory=dict)
    """The types that rules were supposed to give back that were met while they were being checked."""
    _under_way: list[str] = field(factory=list)
    scripts: dict[str, ir.Script] = field(factory=dict)
    hooks: dict[str, dict[str, str]] = field(factory=dict)
    auto: list[str] = field(factory=list)
    """The cards and actions whose text is told from their scripts."""
    _hung: dict[str, Layered] = field(factory=dict)
    _trees: dict[str, s.Block] = field(factory=dict)
    _rests: dict[str, tuple[s.Block, Reread]] = field(factory=dict)
    _ended: set[str] = field(factory=set)
    """The stages that some script ends."""
    _elsewhere: Elsewhere = field(factory=Elsewhere)
    _done: dict[str, str] = field(factory=dict)
    """The hooks of what is done, by the keys that cards have for them."""

    def _report(self, code: str, span: Span, help: str | None = None, **values: Any) -> None:
        self.messages.append(diagnose(code, span, help=help, **values))

    def check_rulebook(self) -> ir.Rulebook:
        """Check the whole of it."""
        self._bodies = {entry.key.name: entry for entry in self.world.authored.values}
        fields = set().union(*(card.fields for card in self.world.authored.cards.values())).difference(_CARD_WORDS)
        for key in sorted(fields):
            hook = self.world.hooks.get(schema.name_in_key(key))
            if hook is not None and hook.answer is None:
                self._done[key] = hook.signature.name
        self._read_scripts()
        triggers = [tree for name, tree in self._trees.items() if name.startswith(f"{ir.TRIGGERS}.")]
        self._elsewhere = Elsewhere(find_lasting(self.world.authored), find_set(triggers))
        for name in self.world.values:
            self.value_type(name)
        for name in self.world.rules:
            self.rule_type(name)
        self._check_triggers()
        self._check_actions()
        self._check_cards()
        authored = self.world.authored
        definitions = Definitions(self.world, self.messages, self.value_type)
        self.auto = definitions.auto
        if "game" not in self.world.rules:
            names = {entry.key.name: entry.key.span for entry in authored.rules}
            close = near("game", names)
            span = names[close[0]] if close else next(iter(names.values()), authored.rules_at)
            help = "A game begins with the rule `game`: write `game: |` below `rules:`."
            help = Advice("Did you mean `game`?", close[0], "game" if len(close) == 1 else None) if close else help
            self._report("RB111", span, thing="`rules`", field="game", help=help)
        return ir.Rulebook(
            id=authored.id,
            name=authored.name,
            players=authored.players,
            units=authored.units,
            words=self.world.words,
            options=definitions.make_options(),
            kinds=definitions.make_kinds(),
            states=definitions.make_states(),
            cards=(cards := definitions.make_cards()),
            actions=definitions.make_actions(),
            places=definitions.make_places(),
            box=definitions.make_box(),
            memories=definitions.make_memories(),
            functions=self.functions,
            scripts=self.scripts,
            hooks=self.hooks,
            result=self._check_result(),
            forbid=tuple(self._check_forbidden(entry) for entry in authored.forbid),
            measures=tuple(self._check_measure(entry) for entry in authored.measures),
            families=self.world.families,
            phrases=phrases_of(self.world, self.functions, self.messages),
            display=check_display(self.world, self.functions, cards, _list_chosen(self.scripts), self.messages),
            source=authored.source,
        )

    # ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _read_scripts(self) -> None:
        """Parse every script of statements first: stages may be ended from a script above the one that enters them."""
        for entry in self.world.authored.rules:
            name = entry.key.name
            self._read_layers(f"rules.{name}", entry.body, f"rule {name}")
        for entry in self.world.authored.whenever:
            name = entry.key.name
            self._read_layers(f"{ir.TRIGGERS}.{name}", entry.body, f"whenever {name}")
        for id, action in self.world.authored.actions.items():
            self._read_layers(f"actions.{id}.effect", action.effect, f"action {id}, effect")
        for id, card in self.world.authored.cards.items():
            for key, node in card.fields.items():
                if key in self._done and not _is_none(node):
                    self._read_layers(f"cards.{id}.{self._done[key]}", node, f"card {id}, {key}")

    def _read_layers(self, name: str, node: Node, where: str) -> None:
        """Read a script and all that it hangs on, as far down as that is still done."""
        seams = find_seams(node)
        for layer in find_layers(node):
            self._read_one(name, layer, seams, where)
            if not isinstance(layer, Layered) or not self._has_beneath(name, layer):
                break
            self._hung[name] = layer
            name, where = name_beneath(name), name_beneath(where)

    def _has_beneath(self, name: str, hung: Layered) -> bool:
        rest = self._rests.get(name)
        tree = self._trees.get(name, rest[0] if rest else ())
        return hung.place != "instead of" or bool(find_originals(tree))

    def _read_one(self, name: str, node: Node, seams: tuple[Seamed, ...], where: str) -> None:
        if not isinstance(node, Scalar):
            help = without_bar(where.rpartition(", ")[2]) if isinstance(node, Mapping) else None
            got = kind_of(node)
            self._report("RB112", node.span, where=where, help=help, what="A script", wanted="text", got=got)
            return
        if len(self.messages) >= MOST_FOUND:
            return
        if node.style == "folded":
            self.messages.append(folded(node, where))
            return
        tree, mistakes = parse_woven(node, seams, where)
        self.messages += mistakes
        if mistakes and seams and (own := parse_woven(node, (), where)[0]) is not None:
            # What a variant cannot say takes no stage from the game: nothing else would be told of it.
            self.world.stages |= set(find_stages(own))
        if tree is not None:
            self._trees[name] = tree
            if seams or "stage" in node.text:
                self.world.stages |= set(find_stages(tree))
            if seams or "end" in node.text:
                self._ended |= set(find_ended_stages(tree))
        elif rest := parse_rest(node):
            self._rests[name] = rest
            self.world.stages |= set(find_stages(rest[0]))
            self._ended |= set(find_ended_stages(rest[0]))

    # ── what is done ─────────────────────────────────────────────────────────────────────────────────────────────

    def rule_type(self, name: str) -> t.Type:
        """Return the type of what a rule gives back; check the rule when nobody has yet.

        A rule that reaches itself is checked again, with all that it does, until its type is the one it was supposed to
        have.
        """
        key = f"rule {name}"
        if key in self._begun:
            self._supposed.setdefault(key, t.UNKNOWN)
            return self._supposed[key]
        if key in self._answers:
            return self._answers[key]
        scripts, answers, found = {**self.scripts}, {**self._answers}, len(self.messages)
        while True:
            self._begun.add(key)
            script = self._check_script(f"rules.{name}", self.world.rules[name].parameters, f"rule {name}")
            self._begun.discard(key)
            self._answers[key] = t.UNKNOWN if script is None else script[1]
            if script is not None:
                self.scripts[f"rules.{name}"] = script[0]
            types = {rule: self._answers[rule] for rule in self._supposed if rule in self._answers}
            if self._begun or types == self._supposed or len(self.messages) > found:
                return self._answers[key]
            self._supposed |= types
            self.scripts, self._answers = {**scripts}, {**answers}

    def _check_triggers(self) -> None:
        """Check what happens whenever something becomes so, and write the script that asks for all of it."""
        seats, sentences = Scope(), list[ir.Statement]()
        for entry in self.world.authored.whenever:
            name, key = entry.key.name, entry.key
            signature, value = self.world.triggers.get(name), self.world.values.get(name)
            if signature is None:
                continue
            name_span, where = key.scalar.locate(*_find_name(key)), f"whenever {name}"
            script = self._check_script(f"{ir.TRIGGERS}.{name}", signature.parameters, where)
            if value is None:
                help = did_you_mean(name, self.world.values) or f"Say below `values:` what `{name}` is."
                self._report("RB301", name_span, help=help, where=where, wanted="value", name=name)
                continue
            wanted, given = [[one.type for one in of.parameters] for of in (value, signature)]
            if wanted not in ([], [t.PLAYER]):
                help = "It is asked again and again: about nothing, or about each player who still plays."
                got = " and ".join(f"`{parameter.name}`" for parameter in value.parameters)
                self._report("RB401", name_span, help=help, where=where, what=f"`{name}`", wanted=_ASKED, got=got)
            elif wanted != given:
                names = " and ".join(f"`{parameter.name}`" for parameter in value.parameters) or "nothing"
                self._report("RB307", key.span, where=where, name=name, wanted=names, got=things(len(given)))
            elif not t.fits(answer := self.value_type(name), t.YES_NO):
                self._report("RB402", name_span, where=where, got=self.world.describe_type(answer))
            elif script is not None:
                self.scripts[script[0].name], at = script[0], At(key.scalar, *_find_name(key))
                sentences.append(_watch_value(name, seats, script[0], at))
        if sentences:
            slots = ir.Slots(tuple(seats.names), tuple(seats.types))
            self.scripts[ir.TRIGGERS] = ir.Script(ir.TRIGGERS, 0, slots, tuple(sentences))

    def _check_script(
        self, name: str, parameters: tuple[Parameter, ...], where: str
    ) -> tuple[ir.Script, t.Type] | None:
        scope = Scope()
        for parameter in parameters:
            scope.add_slot(parameter.name, parameter.type)
        original = self._check_beneath(name, parameters, where)
        tree = self._trees.get(name)
        if tree is None:
            if name in self._rests:
                self._check_rest(*self._rests.pop(name), scope, where, original)
            return None
        e = self._make_expressions(scope, where)
        e.original = original
        statements = Statements(e, self.rule_type, pure=False, ended=self._ended, elsewhere=self._elsewhere)
        body = statements.check_script(tree)
        answer = statements.find_answer(body)
        slots = ir.Slots(tuple(scope.names), tuple(scope.types))
        own = [node.at for node in tree if not isinstance(node, s.Seam)]
        at = next(iter(own or [node.at for node in tree]), None)
        return ir.Script(name, len(parameters), slots, body, at=at), answer

    def _check_beneath(self, name: str, parameters: tuple[Parameter, ...], where: str) -> Original | None:
        """Check what a script hangs on; None if it hangs on nothing."""
        hung = self._hung.get(name)
        if hung is None:
            return None
        below = name_beneath(name)
        script = self._check_script(below, parameters, name_beneath(where))
        answer: t.Type = t.UNKNOWN
        if script is not None:
            self.scripts[below], answer = script
        return Original(below, hung.place, parameters, lambda: answer, question=False)

    def _check_rest(self, block: s.Block, rest: Reread, scope: Scope, where: str, original: Original | None) -> None:
        """Check a script besides the sentences that could not be read."""
        messages: list[Diagnostic] = []
        e = Expressions(self.world, scope, where, messages, self.value_type)
        e.original = original
        Statements(e, self.rule_type, pure=False).check_script(block)
        self.messages += [message for message in messages if rest.holds(message)]

    def _check_hook_script(self, name: str, signature: Signature, this: t.Type, where: str) -> bool:
        script = self._check_script(name, (Parameter("this", this), *signature.parameters), where)
        if script is not None:
            self.scripts[name] = script[0]
        return script is not None

    # ── actions and cards ────────────────────────────────────────────────────────────────────────────────────────

    def _check_actions(self) -> None:
        for id, action in self.world.authored.actions.items():
            name = f"actions.{id}.effect"
            # An action's hooks are always about the player who acts, whatever the cards' hooks of that name take.
            me = (Parameter("me", t.PLAYER),)
            if self._check_hook_script(name, Signature("effect", me), t.ACTION, f"action {id}, effect"):
                self.hooks.setdefault("effect", {})[id] = name
            condition = f"actions.{id}.possible"
            this = (Parameter("this", t.ACTION), *me)
            where = f"action {id}, possible"
            if action.possible is None:
                slots = ir.Slots(("this", "me"), (t.ACTION, t.PLAYER))
                self.functions[condition] = ir.Function(condition, 2, slots, t.YES_NO, ir.Const(True, type=t.YES_NO))
            else:
                self.functions[condition] = self._check_question(condition, this, action.possible, where, t.YES_NO)
            self.hooks.setdefault("possible", {})[id] = condition

    def _check_cards(self) -> None:
        hooks = self.world.hooks
        hooks_of = {kind: [(name, hooks[name]) for name in names] for kind, names in kinds_with(hooks).items()}
        for id, card in self.world.authored.cards.items():
            kind = card.kind.text
            answers = {schema.name_in_key(key): key for key in card.fields if key not in _CARD_WORDS}
            for hook, info in hooks_of.get(kind, ()):
                if hook not in answers:
                    name = self._check_default(hook, kind)
                    needed = info.required or info.answer is not None
                    if not name and needed and hook not in misspelt(self.world, card):
                        thing = f"Card `{id}`"
                        self._report("RB111", card.key.span, where=f"card {id}", thing=thing, field=hook)
                else:
                    name = self._check_hook(id, hook, kind, card.fields[answers[hook]])
                if name:
                    table = self.hooks.setdefault(hook, {})
                    for member in self.world.families.get(id, (id,)):
                        table[member] = name
        self._share_defaults()

    def _check_hook(self, id: str, hook: str, kind: str, body: Node) -> str:
        """Check what a card does or answers; return its name, if it has one."""
        info, this = self.world.hooks[hook], t.Card(frozenset([kind]))
        name, where = f"cards.{id}.{hook}", f"card {id}, {hook}"
        if info.answer is None and _is_none(body):
            given = (Parameter("this", this), *info.signature.parameters)
            slots = ir.Slots(tuple(one.name for one in given), tuple(one.type for one in given))
            self.scripts[name] = ir.Script(name, len(given), slots, ())
            return name
        if info.answer is None:
            return name if self._check_hook_script(name, info.signature, this, where) else ""
        parameters = (Parameter("this", this), *info.signature.parameters)
        self.functions[name] = self._check_question(name, parameters, body, where, info.answer)
        return name

    def _share_defaults(self) -> None:
        """Let cards that come with others answer as their kind does; `declarations` says what they need beside that."""
        for card in [info for info in self.world.cards.values() if info.owner]:
            for hook, info in self.world.hooks.items():
                if card.kind in info.kinds and (name := self._check_default(hook, card.kind)):
                    self.hooks.setdefault(hook, {})[card.id] = name

    def _check_default(self, hook: str, kind: str) -> str:
        """Check the answer of a card that does not say: its kind's default, shared by all; empty if there is none."""
        for family in (kind, *self.world.ancestors[kind]):
            for asks in self.world.authored.kinds[family].asks:
                if asks.key.name != hook:
                    continue
                if asks.default is None:
                    return ""
                info = self.world.hooks[hook]
                name = f"kinds.{family}.{hook}"
                if name not in self.functions:
                    parameters = (Parameter("this", t.Card(self.world.concrete[family])), *info.signature.parameters)
                    where = f"kind {family}, {hook}"
                    self.functions[name] = self._check_question(name, parameters, asks.default, where, info.answer)
                return name
        return ""

    # ── result ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _check_result(self) -> ir.Result:
        result = self.world.authored.result
        scope = Scope()
        e = self._make_expressions(scope, "result")
        rank: tuple[ir.Key, ...] = ()
        payoff: ir.Expr | None = None
        team: ir.Expr | None = None
        if result.payoff is not None:
            key = result.payoff.key.text
            scope.add_slot(key[key.find("(") + 1 : key.rfind(")")].strip() or "p", t.PLAYER)
            payoff = self._check_payoff(result.payoff.body, e)
            scope.it = 0
            if payoff.type not in (t.NUMBER, t.AMOUNT, t.UNKNOWN):
                e.report_type(payoff.at, "`payoff`", "a number or an amount", payoff.type)
            team = self._check_team(result.team, scope)
        if result.rank is not None or (result.team is not None and payoff is None):
            tree, mistakes = parse_ranking(result.rank, "result, rank") if result.rank is not None else (None, [])
            self.messages += mistakes
            with scope.element("it", t.PLAYER):
                rank = () if tree is None else e.check_keys(tree)
                team = self._check_team(result.team, scope)
        return ir.Result(rank, payoff, result.zero_sum, ir.Slots(tuple(scope.names), tuple(scope.types)), team)

    def _check_team(self, text: Scalar | None, scope: Scope) -> ir.Expr | None:
        """Check what players of one team have in common: anything of which two are the same or not."""
        if text is None:
            return None
        e = self._make_expressions(scope, "result, team")
        tree, mistakes = parse_expression(text, e.where)
        self.messages += mistakes
        if tree is None:
            return None
        if isinstance(tree, s.Word) and tree.name == _EVERYONE:
            return ir.Const(True, type=t.YES_NO, at=tree.at)
        team = e.check_value(tree)
        if team.type != t.UNKNOWN and not isinstance(t.surely(team.type), _OF_A_TEAM):
            wanted = "a number, a word, yes or no, or a player"
            return e.report_type(team.at or tree.at, "`team`", wanted, team.type)
        return team

    def _put_in_place(self, _: object, part: Any) -> Any:
        """Put the answer of a value in its place, if it is given nothing and asks for no more than is known before."""
        function = self.functions.get(part.function) if isinstance(part, ir.CallValue) and not part.arguments else None
        if function is None or not isinstance(function.body, ir.Node):
            return part
        body = rewrite(function.body, self._put_in_place)
        return body if all(isinstance(node, KNOWN) for node in everything(body) if isinstance(node, ir.Node)) else part

    def _check_forbidden(self, entry: schema.Named) -> ir.Forbidden:
        """Check what house rules must not come to; `forbidding` looks at what it asks for."""
        assert isinstance(entry.body, Scalar)
        e = self._make_expressions(Scope(), f"forbid, {entry.key.text}")
        condition = self._check_leaf(e, entry.body, t.YES_NO)
        settled = rewrite(condition, self._put_in_place)
        return ir.Forbidden(entry.key.text, settled, at=At(entry.key.scalar, 0, len(entry.key.text)))

    def _check_measure(self, entry: schema.Named) -> ir.Measure:
        """Check a number of the game, or with `(p)` behind its name of each player."""
        assert isinstance(entry.body, Scalar)
        name, of_each, rest = entry.key.text.partition("(")
        scope = Scope()
        if of_each:
            scope.add_slot(rest.rpartition(")")[0].strip() or "p", t.PLAYER)
        e = self._make_expressions(scope, f"measures, {entry.key.text}")
        value = self._check_leaf(e, entry.body, None)
        if not isinstance(t.surely(value.type), type(t.NUMBER) | type(t.AMOUNT) | type(t.YES_NO) | type(t.UNKNOWN)):
            e.report_type(value.at, "A measure", "a number, an amount, or yes or no", value.type)
        at = At(entry.key.scalar, 0, len(entry.key.text))
        slots = ir.Slots(tuple(scope.names), tuple(scope.types))
        return ir.Measure(name.strip(), value, bool(of_each), slots, at)

    def _check_payoff(self, body: Scalar | Mapping, e: Expressions) -> ir.Expr:
        """Check one expression; all else is a question with a name, about the same player."""
        if isinstance(body, Scalar) and not isinstance(body, Layered | Seamed) and not is_block(body.text):
            return self._check_leaf(e, body, t.NUMBER)
        (name,) = e.scope.names
        question = self._check_question("result.payoff", (Parameter(name, t.PLAYER),), body, "result, payoff", None)
        self.functions[question.name] = question
        lines = question.body.lines if isinstance(question.body, ir.Conditions | ir.Total) else ()
        at = lines[0].at if lines else question.at
        return ir.CallValue(question.name, (e.scope.read_local(0, at),), type=question.type, at=at)

    # ── questions ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _make_expressions(self, scope: Scope, where: str) -> Expressions:
        return Expressions(self.world, scope, where, self.messages, self.value_type)

    def value_type(self, name: str) -> t.Type:
        """Return the type of what a value answers; check the value when nobody has yet."""
        if name in self._answers:
            return self._answers[name]
        if name in self._under_way:
            entry = self._bodies[name]
            chain = " asks ".join([*self._under_way[self._under_way.index(name) :], name])
            got, wanted = f"a circle: {chain}", "a question that ends"
            self._report("RB401", entry.key.span, what=f"`{name}`", wanted=wanted, got=got)
            return t.UNKNOWN
        if len(self._under_way) == _DEEPEST:
            span, help = self._bodies[name].key.span, "Reckon it in fewer steps."
            problem = f"a question behind {_DEEPEST} others"
            self._report("RB106", span, problem=problem, help=help)
            return t.UNKNOWN
        self._under_way.append(name)
        signature = self.world.values[name]
        body = self._bodies[name].body
        function = self._check_question(f"values.{name}", signature.parameters, body, f"value {name}", None)
        self._under_way.pop()
        self._answers[name] = function.type
        self.functions[function.name] = function
        return function.type

    def _check_question(
        self,
        name: str,
        parameters: tuple[Parameter, ...],
        body: Node,
        where: str,
        wanted: t.Type | None,
        seams: tuple[Seamed, ...] = (),
    ) -> ir.Function:
        """Check a pure question: one expression, named lines, or a pure script, with what that hangs on. `seams` are
        what variants do at sentences of it, if that is known already.
        """
        seams, body = seams or find_seams(body), next(find_layers(body))
        scope = Scope()
        for parameter in parameters:
            scope.add_slot(parameter.name, parameter.type)
        e = self._make_expressions(scope, where)
        if isinstance(body, Layered):
            if body.place == "after":
                self._report("RB412", body.span, where=where)
                return self._check_question(name, parameters, body.beneath, where, wanted, seams)
            e.original = self._find_original(name, parameters, body, where, wanted, seams)
        answer: t.Type = t.UNKNOWN
        checked: ir.Body = BROKEN
        at = None
        if isinstance(body, Mapping) and "by" not in body:
            lines = []
            for label, node in body.items():
                if not isinstance(node, Scalar):
                    what, wants, got = f"`{label}`", "a question or a sum", "a map or a list"
                    self._report("RB112", node.span, where=where, what=what, wanted=wants, got=got)
                    continue
                inner = self._make_expressions(scope, f"{where}, {label}")
                lines.append(
                    (ir.Line(label, self._check_leaf(inner, node, wanted), at=At(node, 0, len(node.text))), node)
                )
            answer, checked = self._join_lines(e, lines, wanted)
        elif isinstance(body, Scalar):
            at = At(body, 0, len(body.text))
            if body.style == "folded":
                self.messages.append(folded(body, where))
            elif (is_block(body.text) and body.style == "literal") or _is_before(e):
                tree, mistakes = parse_woven(body, seams, where)
                self.messages += _no_script(body, where) or mistakes if mistakes and _is_before(e) else mistakes
                if tree is not None:
                    checked, answer = self._check_pure_script(tree, e, at)
            else:
                checked = self._check_leaf(e, body, wanted)
                answer = checked.type
        else:
            wants = "text, or a map of named lines"
            self._report("RB112", body.span, where=where, what="A question", wanted=wants, got="a list")
        if wanted is not None and not t.fits(answer, wanted):
            code, wants, got = (
                "RB402" if wanted == t.YES_NO else "RB401",
                e.describe_type(wanted),
                e.describe_type(answer),
            )
            self._report(code, body.span, where=where, what="This", wanted=wants, got=got)
        slots = ir.Slots(tuple(scope.names), tuple(scope.types))
        return ir.Function(name, len(parameters), slots, answer, checked, at=at)

    def _check_pure_script(self, tree: s.Block, e: Expressions, whole: At) -> tuple[ir.Block, t.Type]:
        statements = Statements(e, self.rule_type, pure=True)
        script = statements.check_script(tree)
        before = _is_before(e)
        if len(statements.returned) > before:  # what hangs before a question returns its answer by itself
            return script, statements.find_answer(script)
        help = "A question ends with `return` and the answer."
        if before:
            help = "Hung `before` a question, a script may `return` an answer, or leave it to the original."
        at = tree[0].at if tree else whole
        e.report("RB401", at, help, what="This", wanted="an answer", got="a script without one")
        return script, t.UNKNOWN

    def _find_original(
        self,
        name: str,
        parameters: tuple[Parameter, ...],
        hung: Layered,
        where: str,
        wanted: t.Type | None,
        seams: tuple[Seamed, ...],
    ) -> Original:
        """Find what a layer hangs on; it is checked when the layer asks it, else it is no part of the game any more."""
        below = name_beneath(name)

        def find_type() -> t.Type:
            if below not in self.functions:
                self.functions[below] = self._check_question(
                    below, parameters, hung.beneath, name_beneath(where), wanted, seams
                )
            return self.functions[below].type if wanted is None else wanted

        return Original(below, hung.place, parameters, find_type, question=True)

    def _check_leaf(self, e: Expressions, node: Scalar, wanted: t.Type | None) -> ir.Expr:
        tree, mistakes = parse_expression(node, e.where)
        self.messages += mistakes
        if tree is None:
            return BROKEN
        return e.check_question(tree) if wanted == t.YES_NO else e.check_value(tree, wanted)

    def _join_lines(
        self, e: Expressions, lines: list[tuple[ir.Line, Scalar]], wanted: t.Type | None
    ) -> tuple[t.Type, ir.Body]:
        """Make named conditions if every line is a yes or no, named sums otherwise."""
        checked = tuple(line for line, _ in lines)
        if wanted == t.YES_NO or all(t.fits(line.value.type, t.YES_NO) for line in checked):
            return t.YES_NO, ir.Conditions(checked)
        summed = [line.value.type for line in checked if not _is_zero(line.value)]
        answer = t.AMOUNT if summed.count(t.AMOUNT) > summed.count(t.NUMBER) else t.NUMBER
        alike = f"{'an amount' if answer == t.AMOUNT else 'a number'}, as the other lines are"
        wanted_line = alike if {t.NUMBER, t.AMOUNT} <= {*summed} else "a number or an amount"
        allowed = (answer, t.UNKNOWN)
        for line, node in lines:
            if line.value.type not in allowed and not _is_zero(line.value):
                e.report_type(At(node, 0, len(node.text)), f"`{line.name}`", wanted_line, line.value.type)
        return answer, ir.Total(checked)


_ASKED = "a question about nothing, or about a player"


def _is_zero(value: ir.Expr) -> bool:
    """Recognize nothing to add, which is so much in every unit."""
    return isinstance(value, ir.Const) and value.value == 0 and value.type == t.NUMBER


def _is_none(body: Node) -> bool:
    """Tell whether a card says that it does not do what others of its kind do."""
    return isinstance(body, Scalar) and not isinstance(body, Layered) and body.text.strip() == "none"


def _find_name(key: schema.Key) -> tuple[int, int]:
    """Find where the name begins and ends in a key with parameters."""
    start = key.text.find(key.name)
    return start, start + len(key.name)


def _watch_value(name: str, seats: Scope, script: ir.Script, at: At) -> ir.Statement:
    """Return the sentence that asks a value, and does a script where it is so: for each player who plays, if it takes
    one.
    """
    if not script.parameters:
        return ir.If(_ask_value(name, (), at), (ir.DoRule(script.name, (), None, at=at),), ())
    slot = seats.add_slot(script.slots.names[0], t.PLAYER)
    player = ir.Local(slot, script.slots.names[0], type=t.PLAYER)
    body = ir.If(_ask_value(name, (player,), at), (ir.DoRule(script.name, (player,), None, at=at),), ())
    return ir.ForEach(slot, ir.Seats(False, type=t.ListOf(t.PLAYER)), None, "", (body,), True)


def _ask_value(name: str, arguments: tuple[ir.Expr, ...], at: At) -> ir.Expr:
    return ir.CallValue(f"values.{name}", arguments, type=t.YES_NO, at=at)


def _is_before(e: Expressions) -> bool:
    """Tell whether this hangs before a question, and so is a script, be it one of one line."""
    return e.original is not None and e.original.place == "before"


def _no_script(body: Scalar, where: str) -> list[Diagnostic]:
    """Return the message about an answer where a script was wanted; none if it is no answer either."""
    if parse_expression(body)[0] is None:
        return []
    help = f"Under an `if`, write `return {body.text.strip()}`. To answer anew, hang this `instead of` it."
    what, wanted = "What hangs `before` a question", "a script that may `return` an answer"
    return [diagnose("RB112", body.span, where=where, help=help, what=what, wanted=wanted, got="the answer alone")]


def _list_chosen(scripts: Map[str, ir.Script]) -> list[str]:
    """List the names of all that players choose."""
    asking = (line for script in scripts.values() for line in statements(script.body))
    picks = (pick for line in asking if isinstance(line, ir.Choose | ir.ChooseEach) for pick in line.picks)
    return [*dict.fromkeys(pick.name for pick in picks)]
