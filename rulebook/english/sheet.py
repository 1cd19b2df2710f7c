"""Rules sheets: what a card, an action, a rule, a value or a whole game does, and the texts `auto` of its cards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.words import readable
from rulebook.english.context import Context, Frame
from rulebook.english.expressions import (
    describe_best,
    describe_claim,
    find_answer,
    is_question,
    spell,
    spell_claim,
)
from rulebook.english.grammar import (
    YOU,
    Claims,
    Group,
    Thing,
    capitalise,
    claim_text,
    small,
    strip_section,
    titled,
)
from rulebook.english.lexicon import CLOSE, NUMBER, OPEN, PLAYER, HouseRules, Lexicon, Undecided
from rulebook.english.prose import Line, make_lines, make_sentence, print_lines
from rulebook.english.scripts import bind_names, describe_block
from rulebook.plurals import ordinal

if TYPE_CHECKING:
    from rulebook.dsl.passes import Checked

CARDS, ACTIONS, RULES, WHENEVER, VALUES = "Cards", "Actions", "Rules", "Whenever", "Values"
_LONGEST = 260  # letters of conditions in one sentence
_MOST_OPTIONS = 4  # options that one text goes by; what it asks beyond that stays in words
_VALUE = re.compile(f"{OPEN}([a-z0-9_]*){CLOSE}")


@frozen
class Entry:
    """One card, family of cards, action, rule or value: `sort` is its section, `kind` that of a card, `about` the id
    that is told.
    """

    sort: str
    id: str
    name: str
    about: str
    kind: str = ""


class Sheet:
    """The rules sheet of a game, entry by entry."""

    def __init__(self, rulebook: ir.Rulebook, rules: HouseRules | None = None) -> None:
        """Begin a sheet under these house rules; the usual ones if there are none."""
        usual = {option.name: option.default for option in rulebook.options.values()}
        self.rulebook = rulebook
        self.lexicon = Lexicon(rulebook, rules or HouseRules(rulebook.options, usual))

    def list_entries(self) -> list[Entry]:
        """List everything that can be told. Cards of one entry that do the same stand once."""
        rulebook, name = self.rulebook, self.lexicon.name_expression
        entries = [Entry(ACTIONS, id, name(action.name), id) for id, action in rulebook.actions.items()]
        for sort, names in ((RULES, rulebook.scripts), (WHENEVER, rulebook.scripts), (VALUES, rulebook.functions)):
            mine = [strip_section(name) for name in names if name.startswith(f"{sort.lower()}.")]
            entries += [Entry(sort, name, titled(name), name) for name in mine]
        cards = list(self._list_cards())
        kinds = list(dict.fromkeys(card.kind for card in cards))
        return [*sorted(cards, key=lambda card: kinds.index(card.kind)), *entries]

    def _list_cards(self) -> Iterator[Entry]:
        families = {id: family for family, ids in self.rulebook.families.items() for id in ids}
        seen = set()
        for id, card in self.rulebook.cards.items():
            entry = families.get(id, id)
            if entry not in seen:
                seen.add(entry)
                name = self.lexicon.name_expression(card.name) if entry == id else titled(entry)
                yield Entry(CARDS, entry, name, id, card.kind)

    def tell_entry(self, entry: Entry) -> list[Line]:
        if entry.sort in (CARDS, ACTIONS):
            return self.tell_thing(entry.about)
        if entry.sort == WHENEVER:
            return self.tell_trigger(entry.about)
        return self.tell_rule(entry.about) if entry.sort == RULES else self.tell_value(entry.about)

    def tell_rule(self, name: str) -> list[Line]:
        return self.tell_script(self.rulebook.scripts[f"rules.{name}"])

    def tell_trigger(self, name: str) -> list[Line]:
        """Tell what happens as soon as a value becomes true."""
        script, about = self.rulebook.scripts[f"{ir.TRIGGERS}.{name}"], tuple[ir.Expr, ...]()
        ctx = make_context(self.lexicon, script.slots, script.parameters)
        if script.parameters:
            ctx.bind_slot(0, Thing("a player", person=True))
            about = (ir.Local(0, script.slots.names[0], type=t.PLAYER),)
        title = f"As soon as {spell_claim(ctx, ir.CallValue(f'values.{name}', about, type=t.YES_NO))}"
        if script.parameters:
            ctx.bind_slot(0, Thing("that player", person=True))
        return _put_below(title, make_lines(describe_block(ctx, script.body)))

    def tell_value(self, name: str) -> list[Line]:
        return self.tell_question(self.rulebook.functions[f"values.{name}"], capitalise(readable(name)))

    def tell_result(self) -> list[Line]:
        """Tell who wins, or what players get; nothing where only scripts say it."""
        result, slot = self.rulebook.result, 0
        ctx = make_context(self.lexicon, result.slots, 0)
        if result.payoff is not None:
            with ctx.bind_it(slot, PLAYER, many=True):
                return [Line(make_sentence(f"players get {spell(ctx, result.payoff)}"))]
        best = ", then ".join(describe_best(ctx, result.rank, slot, PLAYER))
        if result.team is None:
            return [Line(make_sentence(f"whoever has {best} wins"))] if best else []
        told = [self._describe_teams(ctx, result.team)]
        if best and not isinstance(result.team, ir.Const):
            told.append(f"the team that has {best}, all of it together, wins")
        return [Line(make_sentence(sentence)) for sentence in told]

    def describe_best(self) -> str:
        """Describe what decides first: "the most points"; nothing where no ranking does."""
        result = self.rulebook.result
        ctx = make_context(self.lexicon, result.slots, 0)
        return next(iter(describe_best(ctx, result.rank, 0, PLAYER)), "")

    def _describe_teams(self, ctx: Context, team: ir.Expr) -> str:
        """Describe who is of one team."""
        if isinstance(team, ir.Const):
            return "all players win or lose together"
        with ctx.bind_it(0, PLAYER, many=False):
            if t.surely(team.type) == t.YES_NO:
                return f"the two teams are told apart by whether {spell_claim(ctx, team)}"
            return f"players are a team for whom {spell(ctx, team)} is the same"

    def tell_thing(self, id: str) -> list[Line]:
        """Tell all that a card or action does and answers itself; nothing of what a card's kind answers for it."""
        names = {hook: cards[id] for hook, cards in self.rulebook.hooks.items() if id in cards}
        scripts = {hook: name for hook, name in names.items() if name in self.rulebook.scripts}
        main = (
            "effect" if id in self.rulebook.actions else next((name for name in scripts if self._is_main(name, id)), "")
        )
        lines: list[Line] = []
        for hook, name in names.items():
            if name in self.rulebook.functions and not name.startswith("kinds."):
                lines += self.tell_question(self.rulebook.functions[name], capitalise(self.lexicon.name_head(hook)))
        for hook in sorted(scripts, key=lambda script: script != main):
            script = self.tell_script(self.rulebook.scripts[scripts[hook]])
            lines += script if hook == main else _put_below(capitalise(self.lexicon.name_head(hook)), script)
        return lines

    def _is_main(self, hook: str, id: str) -> bool:
        """Tell if each card of the kind does this: then it need not be said what it is."""
        kind = self.rulebook.cards[id].kind
        return all(name in self.rulebook.hooks[hook] for name, card in self.rulebook.cards.items() if card.kind == kind)

    def tell_script(self, script: ir.Script) -> list[Line]:
        return make_lines(describe_block(make_context(self.lexicon, script.slots, script.parameters), script.body))

    def tell_question(self, function: ir.Function, title: str) -> list[Line]:
        """Tell what a question answers: "Playable if …", "Bonus: the number of …"."""
        ctx, rules = make_context(self.lexicon, function.slots, function.parameters), self.lexicon.rules
        if isinstance(function.body, ir.Total):
            return [Line(f"{title}, added up:"), *_describe_sum_lines(ctx, function.body.lines)]
        body = find_answer(ctx, function.body)
        if isinstance(body, ir.Conditions):
            return _describe_conditions(ctx, body, title)
        if body is None:
            assert isinstance(function.body, tuple)
            return _put_below(title, make_lines(describe_block(ctx, function.body)))
        if not is_question(function.type):
            return [Line(make_sentence(f"{title}: {spell(ctx, body)}"))]
        so = rules.decided(body)
        if so is None:
            return [Line(make_sentence(f"{title} if {spell_claim(ctx, body)}"))]
        return [] if so else [Line(f"Never {small(title)}.")]


def word_question(lexicon: Lexicon, script: ir.Script, question: ir.Expr, known: Mapping[int, Thing]) -> str:
    """Write a question of a script as a clause by itself, for anybody; `known` are names that need no description."""
    ctx = make_context(lexicon, script.slots, script.parameters)
    for slot, of in enumerate(script.slots.types):
        if t.surely(of) == t.PLAYER:
            ctx.bind_slot(slot, Thing("that player", person=True))
    for slot, thing in known.items():
        ctx.bind_slot(slot, thing)
    bind_names(ctx, script.body)
    return spell_claim(ctx, question)


def make_context(lexicon: Lexicon, slots: ir.Slots, parameters: int) -> Context:
    """Begin the telling of one script, with words for what it is given."""
    ctx = Context(lexicon, Frame(slots))
    own = list(zip(slots.names, slots.types, strict=True))[:parameters]
    nouns = [
        None
        if name in ("this", "me")
        else lexicon.find_item_noun(of)
        if isinstance(of, t.ListOf)
        else lexicon.find_noun(of)
        for name, of in own
    ]
    for slot, ((name, of), noun) in enumerate(zip(own, nouns, strict=True)):
        which = f"{ordinal(nouns[:slot].count(noun))} " if nouns.count(noun) > 1 else ""
        if noun is None:
            ctx.bind_slot(slot, YOU if name == "me" else Thing("this action" if of == t.ACTION else "this card"))
        elif isinstance(of, t.ListOf):
            ctx.bind_slot(
                slot, Group(noun, whole=Thing(f"the {which}{noun.many} given", "many", noun.person), only=True)
            )
        elif noun == NUMBER or t.has_numbers(of):
            text = f"the {readable(name)}"
            ctx.bind_slot(slot, Thing(text) if which else Thing("that number", counts="that many"))
        else:
            ctx.bind_slot(slot, Thing(f"the {which}{noun.one}", person=noun.person))
    return ctx


def _describe_conditions(ctx: Context, body: ir.Conditions, title: str) -> list[Line]:
    answers = [ctx.lexicon.rules.decided(line.value) for line in body.lines]
    if False in answers or all(answers):
        return [Line(f"Never {small(title)}.")] if False in answers else []
    lines = [line for line, answer in zip(body.lines, answers, strict=True) if answer is None]
    claims = [describe_claim(ctx, line.value) for line in lines]
    text = claim_text(claims[0] if len(claims) == 1 else Claims(tuple(claims), "and"))
    if len(claims) == 1 or (len(text) <= _LONGEST and not any(isinstance(claim, Claims) for claim in claims)):
        return [Line(make_sentence(f"{title} if {text}"))]
    named = zip(lines, claims, strict=True)
    points = [Line(make_sentence(f"{line.name}: {claim_text(claim)}"), 1) for line, claim in named]
    return [Line(f"{title} if all of this is so:"), *points]


def _describe_sum_lines(ctx: Context, lines: Sequence[ir.Line]) -> Iterator[Line]:
    for line in lines:
        if ctx.lexicon.rules.constant(line.value) != (True, 0):
            ctx.focus = None
            yield Line(make_sentence(f"{line.name}: {spell(ctx, line.value)}"), 1)


def _put_below(title: str, lines: list[Line]) -> list[Line]:
    """Put lines under a title; a single one behind it."""
    if len(lines) == 1:
        return [Line(f"{title}: {lines[0].text}")]
    return [Line(f"{title}:"), *(Line(line.text, line.depth + 1) for line in lines)]


# ── texts that are printed ───────────────────────────────────────────────────────────────────────────────────────────


def write_texts(checked: Checked) -> Checked:
    """Write the texts `auto` of a checked rulebook, with messages about what does nothing."""
    # Who reads a game has them already; who only plays one needs nothing that checks.
    from rulebook.dsl.checking.declarations import nothing_told
    from rulebook.dsl.passes import drop_repeated

    rulebook = checked.rulebook
    assert rulebook is not None, "only a whole rulebook has texts to write"
    written: dict[tuple[str | None, ...], ir.Expr | None] = {}
    tables: tuple[dict[str, Any], dict[str, Any]] = (dict(rulebook.cards), dict(rulebook.actions))
    problems = list(checked.messages)
    for id in checked.texts_to_write:
        scripts = tuple(table.get(id) for table in rulebook.hooks.values())
        if scripts not in written:
            written[scripts] = write_text(rulebook, id, {})
        for table in tables:
            if id in table:
                table[id] = evolve(table[id], text=written[scripts])
        if written[scripts] is None:
            problems += nothing_told(checked.world, id)
    cards, actions = tables
    return evolve(
        checked,
        rulebook=evolve(rulebook, cards=cards, actions=actions),
        messages=drop_repeated(problems),
        texts_to_write=(),
    )


def write_text(rulebook: ir.Rulebook, id: str, settled: dict[str, Any]) -> ir.Expr | None:
    """Write what a card or action does as one text, for every choice of the options that it turns out to depend on;
    None if it does nothing. `settled`: the options that are already chosen.
    """
    rules = HouseRules(rulebook.options, settled, asking=len(settled) < _MOST_OPTIONS)
    try:
        lines = Sheet(rulebook, rules).tell_thing(id)
    except Undecided as undecided:
        cases = [(value, write_text(rulebook, id, {**settled, undecided.name: value})) for value in undecided.values]
        texts = tuple((value, text or ir.Const("", type=t.TEXT)) for value, text in cases)
        return texts[0][1] if len({text for _, text in texts}) == 1 else ir.ByOption(undecided.name, texts, type=t.TEXT)
    return _fill_in_options(rulebook, print_lines(lines)) if lines else None


def _fill_in_options(rulebook: ir.Rulebook, text: str) -> ir.Expr:
    pieces = _VALUE.split(text)
    if len(pieces) == 1:
        return ir.Const(text, type=t.TEXT)
    parts: list[str | ir.Expr] = []
    for index, piece in enumerate(pieces):
        if index % 2:
            parts.append(ir.OptionValue(piece, type=rulebook.options[piece].type))
        elif piece:
            parts.append(piece)
    return ir.Joined(tuple(parts), type=t.TEXT)
