"""Scripts in English: statements become steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, assert_never

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import blocks, everything
from rulebook.dsl.words import readable
from rulebook.english.context import Answers, Context, Frame, Gathered, Given, Named, Referent
from rulebook.english.expressions import (
    bind_arguments,
    claim_property,
    describe_count,
    describe_expression,
    describe_group,
    describe_spot,
    describe_thing,
    fill_clause,
    fill_phrase,
    fill_text,
    follow_names,
    spell,
    spell_claim,
)
from rulebook.english.grammar import (
    NOBODY,
    YOU,
    Group,
    Noun,
    Thing,
    capitalise,
    claim_text,
    join_list,
    often,
    possessed,
    quoted,
    strip_section,
    titled,
)
from rulebook.english.lexicon import CARD, PLAYER
from rulebook.english.prose import Act, Branch, Loop, Point, Points, Step
from rulebook.plurals import ordinal, plural

_BOX = "box"
_ANSWER = Noun("answer", "answers")
_MOST_EXPANDED = 3  # statements of a rule that is told in place, and rules within rules


# ── blocks ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def describe_block(ctx: Context, block: ir.Block) -> list[Step]:
    """Describe a block, up to the sentence behind which nothing is ever done."""
    steps: list[Step] = []
    rest = list(block)
    while rest:
        statement, *rest = rest
        match statement:
            case ir.Choose(may=True, taken=None) if (
                not statement.otherwise and (guarded := _count_guarded(statement, rest))
            ):
                steps += _describe_choose(ctx, evolve(statement, taken=tuple(rest[:guarded])))
                rest = rest[guarded:]
                continue
            case ir.If(condition, (ir.Return(value),), ()) if value is not None:
                if ctx.lexicon.rules.decided(condition) is None:
                    # A question that is answered at once: what follows is for when the condition is not met.
                    ctx.focus = None
                    claim = spell_claim(ctx, condition)
                    return [
                        *steps,
                        Branch(claim, tuple(describe_block(ctx, statement.then)), _describe_inner(ctx, tuple(rest))),
                    ]
        steps += _describe_statement(ctx, statement, tuple(rest))
        if _always_leaves(ctx, statement):
            break
    return steps


def _describe_inner(ctx: Context, block: ir.Block | None) -> tuple[Step, ...]:
    """Describe a block inside another: what it brings up is not spoken of outside."""
    steps = tuple(describe_block(ctx, block or ()))
    ctx.focus = None
    return steps


def _always_leaves(ctx: Context, statement: ir.Statement) -> bool:
    """Tell if nothing behind a statement is ever done under these house rules."""
    match statement:
        case ir.Return() | ir.Leave() | ir.EndStage() | ir.Win():
            return True
        case ir.If(condition, then, otherwise) if (so := ctx.lexicon.rules.decided(condition)) is not None:
            return any(_always_leaves(ctx, follow) for follow in (then if so else otherwise))
    return False


def _count_guarded(choice: ir.Choose, rest: Sequence[ir.Statement]) -> int:
    """Count the statements after a choice that may be declined which are skipped with it."""
    slots = {pick.slot for pick in choice.picks}
    for number, follow in enumerate(rest):
        if not slots & _slots_read(follow) or isinstance(follow, ir.If):
            return number
    return len(rest)


def _describe_statement(ctx: Context, statement: ir.Statement, rest: ir.Block) -> list[Step]:
    """Describe any statement; `rest` follows it in its block."""
    match statement:
        case ir.Let():
            return _describe_let(ctx, statement, rest)
        case ir.Choose():
            return _describe_choose(ctx, statement)
        case ir.ChooseEach():
            return _describe_choose_each(ctx, statement)
        case ir.Menu():
            return _describe_menu(ctx, statement)
        case ir.Offer():
            return _describe_offer(ctx, statement)
        case ir.If():
            return _describe_if(ctx, statement)
        case ir.ForEach():
            return _describe_for_each(ctx, statement)
        case ir.Repeat():
            return _describe_repeat(ctx, statement)
        case ir.Iterate():
            return _describe_iterate(ctx, statement)
        case ir.Stage():
            return _describe_stage(ctx, statement, last=not rest)
        case ir.Leave(skip, depth):
            return [_describe_leave(ctx, skip, depth)]
    last, ctx.spoken = ctx.focus, set()
    if isinstance(statement, ir.Assign):
        steps = _describe_assign(ctx, statement)
    else:
        steps = _describe_rule(ctx, statement) if isinstance(statement, ir.DoRule) else [_describe_act(ctx, statement)]
    goes_on = last is not None and last in ctx.spoken
    return [evolve(act, goes_on=goes_on) if isinstance(act, Act) else act for act in steps]


_SingleAct = (
    ir.Move | ir.MovePieces | ir.Draw | ir.Deal | ir.Pass | ir.Shuffle | ir.Roll | ir.PickRandom | ir.Swap | ir.Arrange
    | ir.Reveal | ir.Cover | ir.Show | ir.Tell | ir.Say | ir.EndStage | ir.Return | ir.DoHook | ir.Win | ir.Eliminate
)  # fmt: skip


def _describe_act(ctx: Context, statement: _SingleAct) -> Act:
    match statement:
        case ir.Move():
            return _describe_move(ctx, statement)
        case ir.MovePieces():
            return _describe_pieces(ctx, statement)
        case ir.Draw():
            return _describe_draw(ctx, statement)
        case ir.Deal():
            return _describe_deal(ctx, statement)
        case ir.Pass(place, step):
            side, passed = "left" if step == 1 else "right", ctx.lexicon.name_head(place)
            words = f"their {passed} to the player to their {side}"
            return Act(Thing("each player", person=True), "pass", words, lead="at the same time")
        case ir.Shuffle(place):
            return _make_act(ctx, (place,), "shuffle", describe_spot(ctx, place).thing.to)
        case ir.Roll(dice):
            are_dice = isinstance(dice.type, t.ListOf)
            return _make_act(
                ctx, (dice,), "roll", describe_group(ctx, dice).name_items() if are_dice else spell(ctx, dice)
            )
        case ir.PickRandom():
            return _describe_pick(ctx, statement)
        case ir.Swap(first, second):
            return _make_act(ctx, (first, second), "swap", _describe_swap(ctx, first, second))
        case ir.Arrange(player, cards):
            return Act(describe_thing(ctx, player), "put", f"{spell(ctx, cards)} in any order")
        case ir.Reveal(cards):
            return _make_act(ctx, (cards,), "reveal", spell(ctx, cards))
        case ir.Cover(cards):
            return _make_act(ctx, (cards,), "turn", f"{spell(ctx, cards)} face down")
        case ir.Show(cards, to):
            what, seers = spell(ctx, cards), describe_thing(ctx, to)
            actor = _find_actor(ctx, cards)
            look = seers in (actor, YOU)
            return Act(seers, "look", f"at {what}") if look else Act(actor, "show", f"{what} to {seers.to}")
        case ir.Tell(to, question):
            so = ctx.lexicon.rules.decided(question)
            words = f"whether {spell_claim(ctx, question)}" if so is None else quoted("yes" if so else "no")
            words = f"{spell(ctx, to)} {words}"
            return _make_act(ctx, (question,), "tell", words)
        case ir.Say(text, to):
            words = quoted(fill_text(ctx, text))
            return Act(YOU, "announce", words) if to is None else Act(YOU, "tell", f"{spell(ctx, to)} {words}")
        case ir.Win(groups):
            then = "".join(f", then {spell(ctx, players)}" for players in groups[1:])
            winner = describe_thing(ctx, groups[0]) if groups else NOBODY
            team = ctx.lexicon.rulebook.result.team
            whole = ", with all of their team" if groups and team is not None and not isinstance(team, ir.Const) else ""
            return Act(winner, "win", f"the game{then}{whole}", stated=True)
        case ir.Eliminate(players):
            return Act(describe_thing(ctx, players), "be", "out of the game", stated=True)
        case ir.EndStage(name):
            return Act(Thing(f"the {readable(name)}"), "end", stated=True)
        case ir.Return(value):
            if value is None:
                return Act(Thing("this"), "end", "here", stated=True)
            return Act(Thing("the answer"), "be", _describe_returned(ctx, value), stated=True)
        case ir.DoHook():
            return _describe_hook(ctx, statement)
    assert_never(statement)


def _describe_returned(ctx: Context, value: ir.Expr) -> str:
    phrase = describe_expression(ctx, value)
    if isinstance(phrase, Thing):
        return phrase.to
    return phrase.name_all().to if isinstance(phrase, Group) else f"yes if {claim_text(phrase)}, otherwise no"


# ── who acts, and when names are read ────────────────────────────────────────────────────────────────────────────────

_LOOKS = (ir.Let, ir.Tell, ir.Say, ir.Show, ir.Return, ir.Leave, ir.EndStage)
"""Statements after which everything lies as it lay before."""


def _make_act(ctx: Context, about: tuple[Any, ...], verb: str, rest: str, *, opens: bool = False) -> Act:
    """Make an act of whoever does what these records say."""
    return Act(_find_actor(ctx, *about), verb, rest, opens=opens, inferred=True)


def _find_actor(ctx: Context, *about: Any) -> Thing:
    """Find who does what these records say: whom a loop is about, `me`, the player a rule was called with; else who
    reads.
    """
    slots = _slots_read(*(record for record in about if record is not None))
    names = ctx.frame.slots.names
    mine = [slot for slot, name in enumerate(names) if name == "me" and ctx.bound(slot) is not None]
    called_with = [slot for slot in ctx.frame.bound if _stands_for_loop(ctx, slot)]
    for slot in [*reversed(ctx.players), *mine, *called_with]:
        if slot in slots:
            return describe_thing(ctx, ir.Local(slot, names[slot], type=t.PLAYER))
    return describe_thing(ctx, ir.Local(mine[0], "me", type=t.PLAYER)) if mine else YOU


def _stands_for_loop(ctx: Context, slot: int) -> bool:
    """Tell if a rule was called with the player whom a loop is about."""
    match ctx.bound(slot):
        case Given(ir.Local(other), frame):
            outer = frame.bound.get(other)
            return isinstance(outer, Referent) and outer.they and outer.noun.person
    return False


def _slots_read(*records: object) -> set[int]:
    return {local.slot for local in everything(*records) if isinstance(local, ir.Local)}


def _reads(record: object, slot: int) -> bool:
    return isinstance(record, ir.Local) and record.slot == slot


def _list_nested_blocks(block: ir.Block) -> Iterator[ir.Block]:
    yield block
    for statement in block:
        for inner in blocks(statement):
            yield from _list_nested_blocks(inner)


def _is_read_in_time(slot: int, rest: ir.Block) -> bool:
    """Tell if a name can be described where it is first read: nothing has changed until there, and all else that reads
    it comes after that, if it is done at all.
    """
    for index, statement in enumerate(rest):
        inner = list(blocks(statement))
        if slot not in _slots_read(statement):
            if not isinstance(statement, (*_LOOKS, ir.Choose, ir.ChooseEach)) or inner:
                return False
            continue
        nested = {id(node) for part in inner for node in everything(*part)}
        if any(_reads(node, slot) and id(node) not in nested for node in everything(statement)):
            return True
        if any(slot in _slots_read(later) for later in rest[index + 1 :]):
            return False
        if isinstance(statement, ir.Loop | ir.Stage):
            inside = [follow for part in inner for deep in _list_nested_blocks(part) for follow in deep]
            return all(isinstance(follow, (*_LOOKS, ir.If)) for follow in inside)
        return all(_is_read_in_time(slot, part) for part in inner)
    return True


# ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@follow_names
def _describe_source(ctx: Context, place: ir.Expr) -> Group:
    """Describe the cards of a place, for what takes some of them away."""
    spot = describe_spot(ctx, place)
    known = ctx.lexicon.rulebook.places.get(place.name) if isinstance(place, ir.PlaceOf) else None
    return Group(ctx.lexicon.anything if known is None else ctx.lexicon.name_kind(known.holds, all_there=True), spot)


def _describe_goal(ctx: Context, goal: ir.Expr, end: str = "", face: str = "") -> str:
    spot = describe_spot(ctx, goal)
    if end:
        where = f"{'on top' if end == 'top' else 'at the bottom'} of {spot.thing.to}"
    elif isinstance(goal.type, t.Place) and goal.type.kept == "pile":
        where = f"onto {spot.thing.to}"
    else:
        where = spot.to()
    return f"{where}{f' face {face}' if face else ''}"


def _find_role(ctx: Context, goal: ir.Expr) -> str | None:
    """Find what a card becomes in a slot that has the name of what lies in it."""
    place = ctx.lexicon.rulebook.places.get(goal.name) if isinstance(goal, ir.PlaceOf) else None
    if place is None or place.kept != "slot" or not ctx.lexicon.is_named_after_card(place):
        return None
    return describe_spot(ctx, goal).thing.to


def _describe_move(ctx: Context, statement: ir.Move) -> Act:
    what, role, about = spell(ctx, statement.cards), _find_role(ctx, statement.goal), (statement.cards, statement.goal)
    if role is not None:
        return _make_act(ctx, about, "make", f"{what} {role}")
    return _make_act(ctx, about, "put", f"{what} {_describe_goal(ctx, statement.goal, statement.end, statement.face)}")


def _describe_pieces(ctx: Context, statement: ir.MovePieces) -> Act:
    source = _describe_source(ctx, statement.source)
    match statement.count:
        case None:
            words = source.name_some("all", many=True, away=True)
        case ir.Arithmetic("-", ir.BuiltIn("count", (place,)) | ir.Pieces(place), ir.Const(left)) if (
            place == statement.source
        ):
            words = f"all {source.noun.many} but {left} {describe_spot(ctx, place).say_away()}"
        case count:
            words = describe_count(ctx, count, source)
    about = (statement.count, statement.source, statement.goal)
    return _make_act(ctx, about, "move", f"{words} {_describe_goal(ctx, statement.goal)}")


def _describe_draw(ctx: Context, statement: ir.Draw) -> Act:
    group = _describe_source(ctx, statement.source)
    words, role = describe_count(ctx, statement.count, group), _find_role(ctx, statement.goal)
    where = f"as {role}" if role is not None else _describe_goal(ctx, statement.goal, statement.end, statement.face)
    about, opens = (statement.source, statement.goal, statement.count), statement.slot is not None
    act = _make_act(ctx, about, "draw", f"{words} {where}", opens=opens)
    ctx.bring_up(statement.slot, Referent(group.noun.short, "drawn", many=statement.many))
    return act


def _describe_deal(ctx: Context, statement: ir.Deal) -> Act:
    place = ctx.lexicon.rulebook.places[statement.place]
    group = _describe_source(ctx, statement.source)
    if isinstance(statement.source, ir.PlaceOf) and statement.source.name == _BOX:
        group = evolve(group, noun=ctx.lexicon.name_kind(place.holds, all_there=True))
    words = describe_count(ctx, statement.count, group)
    hands = possessed(Thing("each player"), ctx.lexicon.name_head(statement.place)).to
    return Act(YOU, "deal", f"{words} {'to each player' if place.kept == 'slot' else f'into {hands}'}")


def _describe_pick(ctx: Context, statement: ir.PickRandom) -> Act:
    group = describe_group(ctx, statement.source)
    if statement.count is not None:
        words = describe_count(ctx, statement.count, group)
    elif len(statement.slots) > 1:
        words = group.name_some(str(len(statement.slots)), many=True, away=True)
    else:
        words = group.name_one(away=True)
    rest = f"at random {words}" if words.endswith(",") else f"{words} at random"
    act = _make_act(ctx, (statement.source,), "pick", rest, opens=True)
    for slot in statement.slots:
        ctx.bring_up(slot, Referent(group.noun.short, "picked", many=statement.count is not None))
    return act


def _describe_swap(ctx: Context, first: ir.Expr, second: ir.Expr) -> str:
    """Describe what is swapped; two that were just brought up, or what they own, as "the two"."""
    giver, other = _find_owner(ctx, first), _find_owner(ctx, second)
    last = ctx.introduced[-2:]
    if len(last) == 2 and last[0].noun == last[1].noun and giver in last and other in last and giver is not other:
        place = first.place if isinstance(first, ir.TheCard) else first
        if isinstance(place, ir.Local):
            return "the two"
        if isinstance(place, ir.PlaceOf):
            return f"the {plural(ctx.lexicon.name_head(place.name))} of the two"
    return f"{_describe_given(ctx, first)} with {_describe_given(ctx, second)}"


def _find_owner(ctx: Context, expr: ir.Expr) -> object:
    """Find what was brought up and is meant, itself or by what it owns."""
    match expr:
        case ir.TheCard(ir.PlaceOf(_, ir.Local(slot))) | ir.PlaceOf(_, ir.Local(slot)) | ir.Local(slot):
            return ctx.bound(slot)
    return None


def _describe_given(ctx: Context, expr: ir.Expr) -> str:
    """Write what a rule is given: a place by its name."""
    return describe_spot(ctx, expr).thing.to if isinstance(expr.type, t.Place) else spell(ctx, expr)


# ── remembering ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _describe_assign(ctx: Context, statement: ir.Assign) -> list[Step]:
    if not isinstance(statement.value, ir.IfElse):
        return [_describe_change(ctx, statement)]
    so = ctx.lexicon.rules.decided(statement.value.condition)
    then, otherwise = (evolve(statement, value=part) for part in (statement.value.then, statement.value.otherwise))
    if so is not None:
        return _describe_assign(ctx, then if so else otherwise)
    condition = spell_claim(ctx, statement.value.condition)
    return [Branch(condition, (_describe_change(ctx, then),), (_describe_change(ctx, otherwise),))]


def _describe_change(ctx: Context, statement: ir.Assign) -> Act:
    nothing = isinstance(statement.value, ir.Const) and statement.value.value is None
    if t.YES_NO in t.members(statement.target.type) and not nothing:
        return _describe_yes_no(ctx, statement.target, statement.value)
    return _describe_new_value(ctx, statement.target, statement.value, _describe_lasting(ctx, statement.target))


def _describe_new_value(ctx: Context, target: ir.Expr, value: ir.Expr, until: str) -> Act:
    """Describe what becomes of a value; of a table in which one entry is another, what becomes of that."""
    target, value = ir.find_change(target, value)
    nothing = isinstance(value, ir.Const) and value.value is None
    what = describe_thing(ctx, target)
    match value:
        case ir.BuiltIn("distinct", (ir.Chain(left, ir.Listed((added,))),)) if ir.are_same(left, target):
            return _make_act(ctx, (target, added), "add", f"{spell(ctx, added)} to {what.to}{until}")
        case ir.Chain(ir.Filter(left, slot, ir.Not(ir.Compare("==", ir.Local(it), old))), ir.Listed((new,))) if (
            ir.are_same(left, target) and it == slot
        ):
            rest = f"{spell(ctx, old)} with {spell(ctx, new)} in {what.to}{until}"
            return _make_act(ctx, (target, old, new), "replace", rest)
        case ir.Arithmetic("+", left, ir.Arithmetic("-", ir.Const(0), ir.BuiltIn("min", (there, less)))) if (
            ir.are_same(left, target) and ir.are_same(target, there)
        ):
            return _make_act(ctx, (target, less), "reduce", f"{what.to} by {spell(ctx, less)}, but never below nothing")
        case (
            ir.Arithmetic("+", left, ir.Arithmetic("-", ir.Const(0), less))
            | ir.Arithmetic("+", left, ir.Arithmetic("*", less, ir.Const(-1)))
        ) if ir.are_same(left, target):
            return _make_act(ctx, (target, less), "reduce", f"{what.to} by {spell(ctx, less)}")
        case ir.Arithmetic("+", left, ir.Const(int(less))) if ir.are_same(left, target) and less < 0:
            return _make_act(ctx, (target,), "reduce", f"{what.to} by {spell(ctx, ir.Const(-less, type=value.type))}")
        case ir.Arithmetic("+", left, more) | ir.Chain(left, ir.Listed((more,))) if ir.are_same(left, target):
            return _make_act(ctx, (target, more), "add", f"{spell(ctx, more)} to {what.to}")
    if nothing or value == ir.Listed((), type=value.type):
        return _make_act(ctx, (target,), "clear", what.to)
    if t.PLAYER in t.members(target.type):
        return Act(describe_thing(ctx, value), "become", f"{what.to}{until}", stated=True)
    ctx.focus = None
    return Act(what, "become", f"{spell(ctx, value)}{until}", stated=True)


def _describe_lasting(ctx: Context, target: ir.TableMemory | ir.PlayerMemory | ir.State) -> str:
    book = ctx.lexicon.rulebook
    slot = book.states.get(target.name) if isinstance(target, ir.State) else book.memories.get(target.name)
    return f" until the end of the {readable(slot.lasts)}" if slot is not None and slot.lasts else ""


def _describe_yes_no(ctx: Context, target: ir.TableMemory | ir.PlayerMemory | ir.State, value: ir.Expr) -> Act:
    """Describe what becomes of a yes or no: "it becomes exposed", "you are no longer ready"."""
    until = _describe_lasting(ctx, target)
    owner = (
        None if isinstance(target, ir.TableMemory) else target.card if isinstance(target, ir.State) else target.player
    )
    so = claim_property(ctx, None if owner is None else describe_thing(ctx, owner), target.name, yes=True)
    known, answer = ctx.lexicon.rules.constant(value)
    verb = "become" if so.verb == "be" else so.verb
    if known and answer is True:
        return Act(so.subject, verb, f"{so.rest}{until}", so.modal, stated=True)
    if known:
        return Act(so.subject, "be", f"no longer {so.rest}{until}", stated=True)
    if value == ir.Not(target, type=value.type):
        return Act(so.subject, "become", f"the opposite of what it was{until}", stated=True)
    return Act(
        so.subject, verb, f"{so.rest}{until} if {spell_claim(ctx, value)}, and otherwise not", so.modal, stated=True
    )


# ── rules and what cards do ──────────────────────────────────────────────────────────────────────────────────────────


def _describe_rule(ctx: Context, statement: ir.DoRule) -> list[Step]:
    """Describe a rule that is carried out: by its phrase, in place where it is short, else by its name."""
    script = ctx.lexicon.rulebook.scripts[statement.script]
    phrase = ctx.lexicon.phrase(strip_section(statement.script))
    steps: list[Step] | None
    if phrase is None:
        steps = _expand_rule(ctx, statement, script) or [_describe_rule_by_name(ctx, statement, script)]
    else:
        frame = bind_arguments(ctx, script.slots, statement.arguments)
        claim = fill_clause(ctx, phrase, frame)
        act = Act(claim.subject, claim.verb, claim.rest, claim.modal) if claim else None
        steps = [act or Act(YOU, fill_phrase(ctx, phrase, frame))]
    if statement.slot is not None:
        noun = ctx.lexicon.find_noun(t.surely(ctx.frame.slots.types[statement.slot]))
        ctx.bring_up(statement.slot, Referent(noun, "found"))
    return steps


def _expand_rule(ctx: Context, statement: ir.DoRule, script: ir.Script) -> list[Step] | None:
    """Describe what a rule does in place, if that is only an act or two."""
    leaves = any(isinstance(node, ir.Return | ir.Leave) for node in everything(*script.body))
    if leaves or len(script.body) > _MOST_EXPANDED or ctx.depth >= _MOST_EXPANDED or statement.slot is not None:
        return None
    before = ctx.remember()
    ctx.depth += 1
    players, ctx.players = ctx.players, []
    frame = bind_arguments(ctx, script.slots, statement.arguments)
    in_time = all(_bind_in_time(ctx, slot, frame, script.body) for slot in range(len(statement.arguments)))
    with ctx.enter_frame(frame):
        steps = describe_block(ctx, script.body) if in_time else []
    ctx.players = players
    ctx.depth -= 1
    if steps and all(isinstance(step, Act) for step in steps) and len(steps) <= _MOST_EXPANDED:
        return steps
    ctx.go_back_to(before)
    return None


def _bind_in_time(ctx: Context, slot: int, frame: Frame, body: ir.Block) -> bool:
    """Let a parameter stand for what it was when the rule began; no, if that cannot be described in time."""
    bound = frame.bound[slot]
    assert isinstance(bound, Given)
    expr = bound.expr
    if isinstance(expr.type, t.Place) or isinstance(expr, ir.Local | ir.Const | ir.OptionValue | ir.TheAction):
        return True
    frame.bound[slot] = Named(expr, bound.frame, _make_referent(ctx, expr.type, "given"))
    return _is_read_in_time(slot, body)


def _make_referent(ctx: Context, of: t.Type, how: str) -> Referent:
    of = t.surely(of)
    are_many = isinstance(of, t.ListOf)
    return Referent(ctx.lexicon.find_item_noun(of) if are_many else ctx.lexicon.find_noun(of), how, many=are_many)


def _describe_rule_by_name(ctx: Context, statement: ir.DoRule, script: ir.Script) -> Act:
    who: ir.Expr | None = None
    arguments: dict[str, list[str]] = {"for": [], "with": []}
    for name, argument in zip(script.slots.names, statement.arguments, strict=False):
        if name == "me":
            who = argument
        else:
            arguments["for" if t.PLAYER in t.members(argument.type) else "with"].append(_describe_given(ctx, argument))
    words = "".join(f" {word} {join_list(held)}" for word, held in arguments.items() if held)
    subject = YOU if who is None else describe_thing(ctx, who)
    return Act(subject, "carry out", f"{quoted(titled(strip_section(statement.script)))}{words}")


def _describe_hook(ctx: Context, statement: ir.DoHook) -> Act:
    """Describe that a card's effect, or an action, is carried out."""
    me = next((argument for argument in statement.arguments if t.PLAYER in t.members(argument.type)), None)
    others = [_describe_given(ctx, argument) for argument in statement.arguments if argument is not me]
    held = f" with {join_list(others)}" if others else ""
    stand_in = f" as if it were on {spell(ctx, statement.stand_in)}" if statement.stand_in is not None else ""
    verb, target = "carry out", describe_thing(ctx, statement.target)
    if isinstance(statement.target, ir.TheAction):
        verb, what = "take", f"{target.to}{held}"
    elif t.ACTION in t.members(statement.target.type):
        what = f"{target.to}{held}"
        if target.to in ("it", "them"):
            verb, what = "carry", f"{target.to} out{held}"
    elif (phrase := ctx.lexicon.phrase(statement.hook)) is None:
        what = f"{possessed(target, readable(statement.hook)).to}{held}{stand_in}"
    else:
        what = f"{quoted(capitalise(phrase))} of {target.to}{held}{stand_in}"
    who = _find_actor(ctx, *statement.arguments) if me is None else describe_thing(ctx, me)
    ctx.bring_up(statement.slot, Referent(CARD, "found"))
    return Act(who, verb, what)


# ── choices ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _describe_choose(ctx: Context, statement: ir.Choose) -> list[Step]:
    """Describe a choice of one player, with its own blocks."""
    who = describe_thing(ctx, statement.player)
    rest = _describe_picks(ctx, statement.picks)
    adverbs = ["always"] * statement.always + ["secretly"] * statement.secretly
    act = Act(who, "choose", rest, "may" if statement.may else "", " ".join(adverbs), opens=True)
    for pick in statement.picks:
        _bind_pick(ctx, pick)
    if statement.taken is not None:
        then, otherwise = _describe_inner(ctx, statement.taken), _describe_inner(ctx, statement.otherwise)
        if not otherwise and (same := _acts_of(who.text, then)) and len(same) == 1:
            return [act, evolve(same[0], modal=act.modal, goes_on=True, opens=True)]
        return [act, Branch(f"{who.pronoun} do", then, otherwise, close=True)]
    if not statement.otherwise:
        return [act]
    focus = ctx.focus
    otherwise = _describe_inner(ctx, statement.otherwise)
    ctx.focus = focus
    return [act, Branch(f"{who.pronoun} do not" if statement.may else "there is none", otherwise, close=True)]


def _acts_of(who: str, steps: Sequence[Step]) -> list[Act]:
    """Return the acts, if all steps are plain acts of one subject: "you may choose X and do Y"."""
    acts = [
        act for act in steps if isinstance(act, Act) and act.subject.text == who and not act.stated and not act.modal
    ]
    return acts if len(acts) == len(steps) else []


def _describe_picks(ctx: Context, picks: tuple[ir.Pick, ...]) -> str:
    texts: list[str] = []
    for index, pick in enumerate(picks):
        group = _describe_options(ctx, pick)
        again = index and _is_another(pick, picks[index - 1])
        texts.append("another one" if again else _describe_picked(ctx, pick, group))
    return " and ".join(texts) + _describe_so_that(ctx, picks[-1])


def _is_another(pick: ir.Pick, before: ir.Pick) -> bool:
    """Tell whether a pick is of one more thing from the list of the pick before it."""
    if pick.many or pick.sources == before.sources:
        return not pick.many and pick.line == before.line
    listed = pick.sources[0].list
    if (
        not isinstance(listed, ir.Filter)
        or before.many
        or (listed.list,) != tuple(pick.list for pick in before.sources)
    ):
        return False
    names = {node.slot for node in everything(listed.condition) if isinstance(node, ir.Local)}
    match listed.condition:
        case ir.Not(ir.Compare("==", ir.Local(), ir.Local())) | ir.Compare("!=", ir.Local(), ir.Local()):
            return names == {listed.slot, before.slot}
    return False


def _describe_options(ctx: Context, pick: ir.Pick) -> Group:
    groups = tuple(describe_group(ctx, source.list) for source in pick.sources)
    if len(groups) == 1:
        return groups[0]
    nouns = {group.noun for group in groups}
    return Group(nouns.pop() if len(nouns) == 1 else _ANSWER, parts=groups)


def _describe_picked(ctx: Context, pick: ir.Pick, group: Group) -> str:
    if not pick.many:
        return group.name_one(away=True)
    least = describe_thing(ctx, pick.least)
    if pick.most is None:
        return f"an order for {group.name_all(away=True).to}" if pick.ordered else _any_number(group)
    most = describe_thing(ctx, pick.most)
    if least == most:
        return describe_count(ctx, pick.most, group)
    if least.number != 0:
        return group.name_some(f"{least.to} to {most.to}", many=True, away=True)
    if most.counts:
        return group.name_some(f"up to {most.to}", most.number != 1, away=True)
    return f"{_any_number(group)}, up to {most.to}"


def _any_number(group: Group) -> str:
    return group.name_some("any number of", many=True, away=True)


def _describe_so_that(ctx: Context, pick: ir.Pick) -> str:
    so = None if pick.so_that is None else ctx.lexicon.rules.decided(pick.so_that)
    if pick.so_that is None or so is not None:
        return "" if so is not False else ", although nothing may be chosen"
    before = ctx.remember()
    noun = _describe_options(ctx, pick).noun.short
    ctx.bind_slot(pick.slot, Thing(f"the chosen {noun.many}", "many") if pick.many else Thing(f"the chosen {noun.one}"))
    condition = spell_claim(ctx, pick.so_that)
    ctx.go_back_to(before)
    return f" so that {condition}"


def _bind_pick(ctx: Context, pick: ir.Pick) -> None:
    """Let the name of a pick stand for what was chosen."""
    group = _describe_options(ctx, pick)
    item = t.surely(pick.sources[0].list.type)
    inner = t.surely(item.item) if isinstance(item, t.ListOf) else item
    items = ctx.lexicon.find_item_noun(inner) if isinstance(inner, t.ListOf) else None
    ctx.bring_up(pick.slot, Referent(group.noun.short, "chosen", many=pick.many, items=items))


def _describe_choose_each(ctx: Context, statement: ir.ChooseEach) -> list[Step]:
    """Describe one sealed decision of several players."""
    players = describe_group(ctx, statement.players)
    before = ctx.remember()
    ctx.bring_up(statement.slot, Referent(PLAYER, they=True))
    rest = _describe_picks(ctx, statement.picks)
    are_alike = len({_describe_options(ctx, pick).noun for pick in statement.picks}) < len(statement.picks)
    ctx.go_back_to(before)
    who = (
        Thing(players.name_all().to, "many", person=True) if players.parts else Thing(players.name_each(), person=True)
    )
    adverbs = ["each"] * bool(players.parts) + ["always"] * statement.always + ["secretly"] * statement.secretly
    act = Act(who, "choose", rest, "may" if statement.may else "", " ".join(adverbs), "at the same time")
    for index, pick in enumerate(statement.picks):
        noun = _describe_options(ctx, pick).noun.short
        ctx.bind_slot(pick.slot, Answers(noun, f"{ordinal(index)} " if are_alike else "", pick.many))
    otherwise = _describe_inner(ctx, statement.otherwise)
    return [act, Branch("nobody chooses anything", otherwise)] if otherwise else [act]


# ── menus and windows ────────────────────────────────────────────────────────────────────────────────────────────────


def _describe_menu(ctx: Context, statement: ir.Menu) -> list[Step]:
    who = describe_thing(ctx, statement.player)
    options = _find_open(ctx, statement.options)
    if statement.may and len(options) == 1:
        return _describe_single(ctx, who, options[0], statement.otherwise)
    if statement.is_button:
        return [Act(who, "choose", quoted(fill_text(ctx, options[0].label))), *_describe_inner(ctx, options[0].body)]
    head = Act(who, "choose", "one", "may" if statement.may else "", "always" if statement.always else "").clause()
    steps: list[Step] = [Points(head, tuple(_describe_option(ctx, option) for option in options))]
    otherwise = _describe_inner(ctx, statement.otherwise)
    return [*steps, Branch(f"{who.pronoun} choose none", otherwise)] if otherwise else steps


def _find_open(ctx: Context, options: Sequence[ir.Option]) -> list[ir.Option]:
    """Return the options that house rules do not rule out."""
    decided = ctx.lexicon.rules.decided
    return [option for option in options if option.condition is None or decided(option.condition) is not False]


def _describe_condition(ctx: Context, option: ir.Option) -> str:
    if option.condition is None or ctx.lexicon.rules.decided(option.condition) is True:
        return ""
    return spell_claim(ctx, option.condition)


def _describe_single(ctx: Context, who: Thing, option: ir.Option, declined: ir.Block | None) -> list[Step]:
    """Describe a label that may be taken: by its acts, if they are few, else by the label."""
    condition = _describe_condition(ctx, option)
    body, otherwise = _describe_inner(ctx, option.body), _describe_inner(ctx, declined)
    same = _acts_of(who.text, body)
    if same and len(same) < 3:
        may: list[Step] = [evolve(step, modal="may") for step in same]
        may += [Branch(f"{who.pronoun} do not", otherwise, close=True)] if otherwise else []
    else:
        may = [Act(who, "choose", quoted(fill_text(ctx, option.label)), "may")]
        may.append(Branch(f"{who.pronoun} do", body, otherwise, close=True))
    return [Branch(condition, tuple(may))] if condition else may


def _describe_option(ctx: Context, option: ir.Option) -> Point:
    label = quoted(fill_text(ctx, option.label))
    return Point(label, _describe_condition(ctx, option), _describe_inner(ctx, option.body))


def _describe_offer(ctx: Context, statement: ir.Offer) -> list[Step]:
    players = describe_group(ctx, statement.players)
    before, body, what = ctx.remember(), list[Step](), ""
    if statement.picks:
        ctx.bring_up(statement.slot, Referent(PLAYER, they=True))
        what = _describe_picks(ctx, statement.picks)
        ctx.go_back_to(before)
    ctx.bring_up(statement.slot, Referent(PLAYER, "stepping in"))
    ctx.loops.append("offer")
    ctx.players.append(statement.slot)
    points = tuple(_describe_option(ctx, option) for option in _find_open(ctx, statement.options))
    if statement.picks:
        _bind_pick(ctx, statement.picks[0])
        body = describe_block(ctx, statement.body)
    ctx.players.pop()
    ctx.go_back_to(before)
    what = what or ("this" if len(points) == 1 else "one of these")
    ctx.loops.pop()  # what stands behind a window is out of it
    otherwise = _describe_inner(ctx, statement.otherwise)
    asked, does = f"{players.name_all().to} in turn until one of them chooses {what}", "somebody does"
    is_alone = isinstance(statement.players, ir.Listed) and len(statement.players.items) == 1
    if is_alone:
        asked, does = f"{players.name_all().to} whether to choose {what}", "they do"
    if statement.together and not is_alone:
        head = f"{players.name_all().to} decide at the same time whether to choose {what}, and those who do act in turn"
    elif statement.picks:
        return [Act(_find_actor(ctx), "ask", asked), Branch(does, tuple(body), otherwise, close=True)]
    else:
        head = f"ask {asked}"
    steps: list[Step] = [Loop(head, tuple(body)) if statement.picks else Points(head, points)]
    return [*steps, Branch("nobody does", otherwise)] if otherwise else steps


# ── names for what is looked up ──────────────────────────────────────────────────────────────────────────────────────


def _describe_let(ctx: Context, statement: ir.Let, rest: ir.Block) -> list[Step]:
    """Describe a name: where it is first read, if that is in time, else as a note."""
    known = ctx.bound(statement.slot)
    if isinstance(known, Gathered):
        return []
    again = [let for let in everything(*rest) if isinstance(let, ir.Let) and let.slot == statement.slot]
    if again and _gathers(statement, rest, again):
        added = [item for let in again for item in everything(let.value) if isinstance(item, ir.Local)]
        ctx.bind_slot(statement.slot, Gathered(ctx.lexicon.find_noun(added[-1].type)))
        return []
    if again or known is not None:
        if isinstance(statement.value, ir.WithEntry) and _reads(statement.value.table, statement.slot):
            return [_describe_new_value(ctx, statement.value.table, statement.value, "")]
        value, words = _describe_given(ctx, statement.value), quoted(readable(ctx.frame.slots.names[statement.slot]))
        ctx.bind_slot(statement.slot, Thing(words))
        return [_make_act(ctx, (statement.value,), "note", f"{value} as {words}")]
    chosen = isinstance(statement.value, ir.IfElse) and ctx.lexicon.rules.decided(statement.value.condition) is None
    if not chosen and _is_read_in_time(statement.slot, rest):
        referent = _make_referent(ctx, statement.value.type, "found")
        ctx.bind_slot(statement.slot, Named(statement.value, ctx.frame, referent))
        return []
    act = _make_act(ctx, (statement.value,), "note", spell(ctx, statement.value))
    ctx.bring_up(statement.slot, _make_referent(ctx, statement.value.type, "noted"))
    return [act]


def _gathers(statement: ir.Let, rest: ir.Block, again: list[ir.Let]) -> bool:
    """Tell if a list begins empty and then takes up what was chosen, and is asked only for what is in it."""
    if statement.value != ir.Listed((), type=statement.value.type):
        return False
    inside = list(_list_nested_blocks(rest))
    for let in again:
        match let.value:
            case ir.Chain(ir.Local(slot), ir.Listed(items)) if slot == statement.slot:
                block = next(block for block in inside if let in block)
                before = block[: block.index(let)]
                chosen = {pick.slot for choice in before if isinstance(choice, ir.Choose) for pick in choice.picks}
                if not all(isinstance(item, ir.Local) and item.slot in chosen for item in items):
                    return False
            case _:
                return False
    records = everything(*rest)
    tests = [record for record in records if isinstance(record, ir.Within) and _reads(record.list, statement.slot)]
    return sum(_reads(record, statement.slot) for record in records) == len(tests) + len(again)


def bind_names(ctx: Context, body: ir.Block) -> None:
    """Bind the names that `let` gives once, but for those of players: to what they stand for where that is still so,
    else to themselves if they are not bound yet.
    """
    lets = [node for node in everything(*body) if isinstance(node, ir.Let)]
    for block in _list_nested_blocks(body):
        for index, line in enumerate(block):
            if not isinstance(line, ir.Let) or t.surely(line.value.type) == t.PLAYER:
                continue
            if sum(let.slot == line.slot for let in lets) == 1 and _is_read_in_time(line.slot, block[index + 1 :]):
                ctx.bind_slot(line.slot, Named(line.value, ctx.frame, _make_referent(ctx, line.value.type, "found")))
            elif ctx.bound(line.slot) is None:
                ctx.bind_slot(line.slot, Thing(quoted(readable(ctx.frame.slots.names[line.slot]))))


# ── branches and loops ───────────────────────────────────────────────────────────────────────────────────────────────


def _describe_if(ctx: Context, statement: ir.If) -> list[Step]:
    so = ctx.lexicon.rules.decided(statement.condition)
    if so is not None:
        return describe_block(ctx, statement.then if so else statement.otherwise)
    ctx.focus = None
    condition = spell_claim(ctx, statement.condition)
    then, otherwise = _describe_inner(ctx, statement.then), _describe_inner(ctx, statement.otherwise)
    if then:
        return [Branch(condition, then, otherwise)]
    negative = spell_claim(ctx, statement.condition, yes=False)
    return [Branch(negative, otherwise)] if otherwise else []


def _describe_for_each(ctx: Context, statement: ir.ForEach) -> list[Step]:
    group = describe_group(ctx, statement.list)
    before, known = ctx.remember(), ctx.bound(statement.slot)
    each, noun = group.name_each(), group.noun.short
    ctx.bring_up(statement.slot, Referent(noun, "present", they=True))
    if statement.index is not None:
        ctx.bind_slot(statement.index, Thing("their place in this order" if group.order else "their number", long=True))
    ctx.players += [statement.slot] * statement.players
    body = _describe_round(ctx, "each", statement.body)
    if statement.players:
        ctx.players.pop()
    ctx.go_back_to(before)
    ctx.focus = None
    ctx.restore(statement.slot, known)
    order = f", {group.order}" if group.order else ""
    return [Loop(f"for {each}{order}", body, each if noun.person else "", group.order)]


def _describe_round(ctx: Context, loop: str, block: ir.Block) -> tuple[Step, ...]:
    ctx.loops.append(loop)
    steps = _describe_inner(ctx, block)
    ctx.loops.pop()
    return steps


def _describe_repeat(ctx: Context, statement: ir.Repeat) -> list[Step]:
    number = None if statement.count is None else describe_thing(ctx, statement.count)
    if statement.index is not None:
        ctx.bind_slot(statement.index, Thing("the number of this round", long=True))
    if number is None:
        times = "again and again"
    elif number.number is not None:
        times = often(number.number)
    elif number.to == "that number":
        times = "that many times"
    else:
        times = f"{number.to} times" if number.counts else f"a number of times equal to {number.to}"
    ctx.focus = None
    body = _describe_round(ctx, "repeat", statement.body)
    match body:
        case (Act(modal="may") as first, Branch(_, (Act(verb="stop"),), ()), *others) if first.subject.is_reader:
            often_so = "do this as often as you like" if number is None else f"do this up to {times}"
            return [Loop(often_so, (evolve(first, modal=""), *others))]
    return [Loop(f"do this {times}", body)]


def _describe_iterate(ctx: Context, statement: ir.Iterate) -> list[Step]:
    first, before, known = describe_thing(ctx, statement.first), ctx.remember(), ctx.bound(statement.slot)
    of, name = t.surely(statement.first.type), readable(ctx.frame.slots.names[statement.slot])
    noun = PLAYER if of == t.PLAYER else Noun(name, plural(name))
    if isinstance(of, t.Card):
        noun = ctx.lexicon.name_kind(of.kinds)
    ctx.bring_up(statement.slot, Referent(noun, "present", they=True))
    if statement.index is not None:
        ctx.bind_slot(statement.index, Thing("the number of this round", long=True))
    following, so = _describe_next(ctx, statement.next)
    ctx.players += [statement.slot] * noun.person
    body = _describe_round(ctx, "iterate", statement.body)
    if noun.person:
        ctx.players.pop()
    ctx.go_back_to(before)
    ctx.focus = None
    ctx.restore(statement.slot, known)
    return [Loop(f"for {first.to}, then for {following.to.rstrip(',')}, {so}", body)]


def _describe_next(ctx: Context, following: ir.Expr) -> tuple[Thing, str]:
    """Describe who or what comes next in a loop, and until when that goes on."""
    match following:
        case ir.IfElse(condition, then, ir.Const(None)):
            return describe_thing(ctx, then), f"as long as {spell_claim(ctx, condition)}"
        case ir.IfElse(condition, ir.Const(None), otherwise):
            return describe_thing(ctx, otherwise), f"as long as {spell_claim(ctx, condition, yes=False)}"
    so = "as long as there is one" if t.may_be_nothing(following.type) else "and so on"
    return describe_thing(ctx, following), so


def _describe_leave(ctx: Context, skip: bool, depth: int) -> Act:
    which = ctx.loops[-1 - depth] if depth < len(ctx.loops) else "repeat"
    outer = depth > 0 and which in ctx.loops[len(ctx.loops) - depth :]
    if which == "offer":
        return Act(Thing("nobody else"), "act", stated=True, modal="may")
    if skip:
        return Act(_find_actor(ctx), "go on", "with the next round" if which == "repeat" else "with the next")
    what = "going round all of it" if outer else "there" if which == "each" else "repeating"
    return Act(_find_actor(ctx), "stop", what)


def _describe_stage(ctx: Context, statement: ir.Stage, *, last: bool) -> list[Step]:
    name = readable(statement.name)
    body = describe_block(ctx, statement.body)
    if statement.until is not None:
        ctx.focus = None
        so = ctx.lexicon.rules.decided(statement.until)
        if so is False:
            return body if last else [Loop(capitalise(name), tuple(body), title=True)]
        soon = "at once" if so else f"as soon as {spell_claim(ctx, statement.until)}"
        body.append(Act(Thing("this" if last else f"the {name}"), "end", lead=soon, stated=True))
        return body if last else [Loop(capitalise(name), tuple(body), title=True)]
    scripts = ctx.lexicon.rulebook.scripts.values()
    ends = any(isinstance(node, ir.EndStage) and node.name == statement.name for node in everything(*scripts))
    return [Loop(capitalise(name), tuple(body), title=True)] if ends else body
