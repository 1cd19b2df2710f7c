"""Expressions in English: things, groups of things, places, and claims.

`describe_expression` has a case for each class; the other entrances ask it for one thing, a list, a place, a claim or
a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Concatenate, ParamSpec, TypeAlias, TypeVar, assert_never

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import everything
from rulebook.dsl.words import MODAL, VERBS, readable
from rulebook.english.context import About, Answers, Context, Frame, Gathered, Given, Named, Referent
from rulebook.english.grammar import (
    EVERYONE,
    YOU,
    Agreement,
    Claim,
    Claims,
    Group,
    Noun,
    Said,
    Spot,
    Thing,
    base_form,
    capitalise,
    claim_text,
    conjugate,
    is_adverb,
    join_list,
    parse_clause,
    possessed,
    put_article,
    quoted,
    strip_section,
    titled,
)
from rulebook.english.lexicon import ACTION, CARD, NUMBER, PLAYER, parse_noun
from rulebook.plurals import is_plural, ordinal, plural

Phrase: TypeAlias = "Thing | Group | Claim | Claims"
"""The words that an expression becomes, by the part of speech."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


def follow_names(
    function: Callable[Concatenate[Context, ir.Expr, _P], _T],
) -> Callable[Concatenate[Context, ir.Expr, _P], _T]:
    """Describe what a parameter was given, in the frame where it was given, instead of the parameter."""

    def follow(ctx: Context, expr: ir.Expr, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        bound = ctx.bound(expr.slot) if isinstance(expr, ir.Local) else None
        if not isinstance(bound, Given):
            return function(ctx, expr, *args, **kwargs)
        with ctx.enter_frame(bound.frame):
            return follow(ctx, bound.expr, *args, **kwargs)

    return follow


# ── as what a sentence needs ─────────────────────────────────────────────────────────────────────────────────────────


def describe_thing(ctx: Context, expr: ir.Expr) -> Thing:
    phrase = describe_expression(ctx, expr)
    if isinstance(phrase, Thing):
        return phrase
    return phrase.name_all() if isinstance(phrase, Group) else Thing(f"whether {claim_text(phrase)}", long=True)


def spell(ctx: Context, expr: ir.Expr) -> str:
    """Write an expression as the object of a verb."""
    return describe_thing(ctx, expr).to


def describe_group(ctx: Context, expr: ir.Expr) -> Group:
    expression = describe_expression(ctx, expr)
    if isinstance(expression, Group):
        return expression
    whole = expression if isinstance(expression, Thing) else Thing(f"whether {claim_text(expression)}", long=True)
    return Group(ctx.lexicon.find_item_noun(expr.type), whole=whole, only=True)


@follow_names
def describe_spot(ctx: Context, expr: ir.Expr) -> Spot:
    """Describe a place, or a position of one, as where something lies or goes."""
    if isinstance(expr, ir.PlaceOf):
        return ctx.lexicon.name_spot(expr.name, None if expr.owner is None else describe_thing(ctx, expr.owner))
    thing = describe_thing(ctx, expr)
    return Spot(thing, "on", "onto") if t.CELL in t.members(expr.type) else Spot(thing)


@follow_names
def describe_cards(ctx: Context, place: ir.Expr) -> Group:
    """Describe the cards that lie somewhere."""
    spot = describe_spot(ctx, place)
    return (
        ctx.lexicon.name_lying(place.name, spot)
        if isinstance(place, ir.PlaceOf)
        else Group(CARD, spot, whole=spot.thing)
    )


def spell_claim(ctx: Context, expr: ir.Expr, yes: bool = True) -> str:
    """Write a question as a clause: that it is so, or not."""
    return claim_text(describe_claim(ctx, expr, yes))


def is_question(of: t.Type) -> bool:
    return t.members(of) == {t.YES_NO}


# ── every construct ──────────────────────────────────────────────────────────────────────────────────────────────────


@follow_names
def describe_expression(ctx: Context, expr: ir.Expr) -> Phrase:
    match expr:
        case ir.Const():
            return _describe_constant(ctx, expr)
        case ir.Local():
            return _describe_local(ctx, expr)
        case ir.OptionValue():
            return _describe_option(ctx, expr)
        case ir.ByOption(option, cases):
            if ctx.lexicon.rules.is_settled(option):
                return describe_expression(ctx, dict(cases)[ctx.lexicon.rules.options[option]])
            return Thing(f"what {ctx.lexicon.name_option(option)} says", long=True)
        case ir.Joined():
            return Thing(quoted(fill_text(ctx, expr)))
        case ir.TableMemory(name):
            return _describe_memory(ctx, expr, name, None)
        case ir.PlayerMemory(name, owner) | ir.State(name, owner) | ir.Attribute(name, owner):
            return _describe_memory(ctx, expr, name, describe_thing(ctx, owner))
        case ir.PlaceOf():
            return describe_spot(ctx, expr).thing
        case ir.Cards():
            return describe_cards(ctx, expr.place)
        case ir.TheCard():
            return _describe_slot(ctx, expr.place)
        case ir.Pieces(place):
            return Thing(f"the number of {describe_cards(ctx, place).name_bare()}", long=True)
        case ir.AllCards(None):
            return Group(ctx.lexicon.anything)
        case ir.AllCards(only):
            words = ctx.lexicon.name_cards(frozenset([only] if only is not None else []))
            noun = parse_noun(words)
            return Group(noun, whole=Thing(words), single=True) if noun.only else Group(noun)
        case ir.AllActions():
            return Group(ACTION)
        case ir.TheAction(id):
            return Thing(f"the action {ctx.lexicon.name_action(id)}")
        case ir.Seats(everyone):
            return Group(PLAYER, after="who began the game") if everyone else Group(PLAYER, whole=EVERYONE)
        case ir.Clockwise():
            return _describe_clockwise(describe_thing(ctx, expr.start), expr.after, expr.backwards)
        case ir.Neighbour():
            return _describe_neighbour(describe_thing(ctx, expr.player), "left" if expr.step == 1 else "right")
        case ir.Listed(items):
            noun = ctx.lexicon.find_item_noun(expr.type)
            parts = tuple(Group(noun, whole=describe_thing(ctx, item), single=True) for item in items)
            return parts[0] if len(parts) == 1 else Group(noun, whole=Thing("nothing"), parts=parts)
        case ir.Span(first, last):
            return Group(NUMBER, Spot(Thing(f"{spell(ctx, first)} to {spell(ctx, last)}"), "from", "from"))
        case ir.Chain():
            parts = (describe_group(ctx, expr.first), describe_group(ctx, expr.second))
            return Group(_find_noun(ctx, parts[0].noun, parts[1].noun, expr.type), parts=parts)
        case ir.Arithmetic():
            return _describe_arithmetic(ctx, expr)
        case ir.IfElse():
            return _describe_choice(ctx, expr)
        case ir.Filter():
            return _describe_filter(ctx, expr)
        case ir.Each():
            return _describe_each(ctx, expr)
        case ir.Sorted():
            return _describe_sorted(ctx, expr)
        case ir.Best():
            return _describe_best(ctx, expr)
        case ir.Entry():
            return _describe_entry(ctx, expr)
        case ir.WithEntry(table, key, value):
            words = f"{spell(ctx, table)} with {spell(ctx, value)} for {spell(ctx, key)}"
            return Thing(words, "many", long=True)
        case ir.CallValue():
            return _describe_call(ctx, expr)
        case ir.AskHook():
            return _describe_hook(ctx, expr)
        case ir.BuiltIn(name):
            return _BUILT_INS[name](ctx, expr)
        case (
            ir.Compare() | ir.SameCards() | ir.Within() | ir.IsKind() | ir.IsCard() | ir.IsFaceUp() | ir.IsNothing()
            | ir.IsText() | ir.IsEmpty() | ir.IsEmptyCell() | ir.Not() | ir.And() | ir.Or()
        ):  # fmt: skip
            return describe_claim(ctx, expr)
    assert_never(expr)


@follow_names
def describe_claim(ctx: Context, expr: ir.Expr, yes: bool = True) -> Said:
    """Describe a question as a claim: that it is so, or not."""
    lexicon = ctx.lexicon
    so = lexicon.rules.decided(expr)
    if so is not None:
        return Claim(Thing("this"), "be", "always so" if so == yes else "never so")
    match expr:
        case ir.Not():
            return describe_claim(ctx, expr.value, not yes)
        case ir.And() | ir.Or():
            return _claim_several(ctx, expr, expr.left, expr.right, yes)
        case ir.Compare():
            return _claim_compared(ctx, expr.operator if yes else ir.OPPOSITE[expr.operator], expr.left, expr.right)
        case ir.SameCards():
            names = lexicon.name_cards(frozenset(expr.definitions)) if expr.definitions else "nothing"
            return Claim(describe_thing(ctx, expr.cards), "be", f"exactly {names}", not yes)
        case ir.Within(value, ir.Seats(False)):
            return Claim(describe_thing(ctx, value), "be", "still in the game" if yes else "out of the game")
        case ir.Within():
            return _claim_within(ctx, expr.value, expr.list, yes)
        case ir.IsKind():
            thing, noun = describe_thing(ctx, expr.value), lexicon.name_kind(expr.kinds)
            return Claim(thing, "be", noun.many if thing.agrees == "many" else Group(noun).name_one(), not yes)
        case ir.IsText():
            return Claim(describe_thing(ctx, expr.value), "be", "a label", not yes)
        case ir.IsCard():
            return Claim(describe_thing(ctx, expr.value), "be", lexicon.name_cards(expr.definitions), not yes)
        case ir.IsFaceUp():
            return Claim(describe_thing(ctx, expr.card), "be", "face up" if yes else "face down")
        case ir.IsNothing():
            return _claim_presence(ctx, expr.value, not yes)
        case ir.IsEmpty():
            return _claim_any(ctx, expr.list, not yes)
        case ir.IsEmptyCell():
            return Claim(describe_thing(ctx, expr.cell), "be", "empty", not yes)
        case ir.IfElse():
            first = ir.And(expr.condition, expr.then, type=t.YES_NO)
            second = ir.And(ir.Not(expr.condition, type=t.YES_NO), expr.otherwise, type=t.YES_NO)
            return describe_claim(ctx, ir.Or(first, second, type=t.YES_NO), yes)
        case ir.BuiltIn("any", (group,)):
            return _claim_any(ctx, group, yes)
        case ir.BuiltIn("all", (group,)):
            return _claim_all(ctx, group, yes)
        case ir.CallValue() | ir.AskHook():
            claim = _describe_call(ctx, expr, yes) if isinstance(expr, ir.CallValue) else _describe_hook(ctx, expr, yes)
            if isinstance(claim, Claim | Claims):
                return claim
            return Claim(claim.name_all() if isinstance(claim, Group) else claim, "be", "yes" if yes else "no")
        case ir.TableMemory(name):
            return claim_property(ctx, None, name, yes)
        case ir.PlayerMemory(name, owner) | ir.State(name, owner) | ir.Attribute(name, owner):
            return claim_property(ctx, describe_thing(ctx, owner), name, yes)
        case ir.OptionValue(name):
            return Claim(Thing(lexicon.name_option(name)), "say", "yes" if yes else "no")
        case ir.Local(slot) if isinstance(named := ctx.bound(slot), Named) and named not in ctx.described:
            with ctx.enter_frame(named.frame):
                return describe_claim(ctx, named.expr, yes)
    return Claim(describe_thing(ctx, expr), "be", "yes" if yes else "no")


# ── constants, names, options ────────────────────────────────────────────────────────────────────────────────────────


def _describe_constant(ctx: Context, expr: ir.Const) -> Thing | Group:
    value = expr.value
    if isinstance(value, tuple):
        return Group(ctx.lexicon.find_item_noun(expr.type))
    if isinstance(value, int) and not isinstance(value, bool):
        return ctx.lexicon.write_number(value, expr.type)
    return Thing(ctx.lexicon.write_value(value, expr.type))


def _describe_local(ctx: Context, expr: ir.Local) -> Phrase:
    match ctx.bound(expr.slot):
        case Thing() | Group() as phrase:
            return phrase
        case Referent() as referent:
            return ctx.refer(referent)
        case Named() as named:
            return _describe_named(ctx, named)
        case Gathered(noun):
            return Group(noun, whole=Thing(f"the {noun.many} chosen before", "many"), only=True)
        case Answers(noun, which):
            return Thing(f"the {which}{noun.many} that were chosen", "many")
        case About() as about:
            it = ctx.it(about)
            is_list = isinstance(t.surely(expr.type), t.ListOf)
            return Group(ctx.lexicon.find_item_noun(expr.type), Spot(it)) if is_list else it
    return Thing(f"the {ctx.lexicon.find_noun(expr.type).one}")


def _describe_named(ctx: Context, named: Named) -> Phrase:
    """Describe a name that stands for something: first what it is, then that it is the same."""
    if named in ctx.described:
        return ctx.refer(named.referent)
    with ctx.enter_frame(named.frame):
        expression = describe_expression(ctx, named.expr)
    if isinstance(expression, Thing) and (expression.number is not None or expression.is_reader):
        return expression
    ctx.introduced.append(named.referent)
    ctx.mention(named.referent)
    ctx.described.add(named)
    return expression


def _describe_option(ctx: Context, expr: ir.OptionValue) -> Thing:
    known, value = ctx.lexicon.rules.constant(expr)
    if known:
        constant = _describe_constant(ctx, ir.Const(value, type=expr.type))
        return constant if isinstance(constant, Thing) else constant.name_all()
    if expr.key is not None:
        return Thing(f"what {ctx.lexicon.name_option(expr.name)} gives for {spell(ctx, expr.key)}", long=True)
    return Thing(ctx.lexicon.mark_hole(expr.name), counts=ctx.lexicon.mark_hole(expr.name))


def fill_text(ctx: Context, expr: ir.Expr) -> str:
    """Write a text with what stands in it, as it is said to whoever reads; what play fills in is in brackets."""
    if not isinstance(expr, ir.Joined):
        return ctx.lexicon.name_expression(expr)
    return "".join(part if isinstance(part, str) else f"({_word_part(ctx, part)})" for part in expr.parts)


def _word_part(ctx: Context, expr: ir.Expr) -> str:
    """Write what is put into a text; of a player, the name."""
    expression = describe_expression(ctx, expr)
    if isinstance(expression, Group):
        return expression.name_known()
    thing = expression if isinstance(expression, Thing) else describe_thing(ctx, expr)
    return possessed(thing, "name").to if expr.type == t.PLAYER or thing.to == "it" else thing.to


def _describe_choice(ctx: Context, expr: ir.IfElse) -> Phrase:
    so = ctx.lexicon.rules.decided(expr.condition)
    if so is not None:
        return describe_expression(ctx, expr.then if so else expr.otherwise)
    if is_question(expr.type):
        return describe_claim(ctx, expr)
    then, other = describe_thing(ctx, expr.then), describe_thing(ctx, expr.otherwise)
    words = f"{then.to} if {spell_claim(ctx, expr.condition)}, otherwise {other.to},"
    return _make_list(ctx, Thing(words, then.agrees, then.person, long=True), expr.type)


def _make_list(ctx: Context, whole: Thing, of: t.Type) -> Thing | Group:
    return (
        Group(ctx.lexicon.find_item_noun(of), whole=whole, only=True) if isinstance(t.surely(of), t.ListOf) else whole
    )


# ── what belongs to somebody ─────────────────────────────────────────────────────────────────────────────────────────


def _describe_memory(ctx: Context, expr: ir.Expr, name: str, owner: Thing | None) -> Phrase:
    if is_question(expr.type):
        return describe_claim(ctx, expr)
    return _make_list(ctx, ctx.lexicon.name_memory(name, expr.type, owner), expr.type)


def _describe_slot(ctx: Context, place: ir.Expr) -> Thing:
    """Describe what lies in a slot: "your coin", "the card in your hand"."""
    spot = describe_spot(ctx, place)
    known = ctx.lexicon.rulebook.places.get(place.name) if isinstance(place, ir.PlaceOf) else None
    if known is None or ctx.lexicon.is_named_after_card(known):
        return spot.thing
    return Thing(f"the {ctx.lexicon.name_kind(known.holds, all_there=True).one} {spot.say_at()}", long=True)


def _describe_clockwise(start: Thing, after: bool, backwards: bool) -> Group:
    if not after:
        return Group(PLAYER, whole=EVERYONE, order=f"{'counter' if backwards else ''}clockwise from {start.to}")
    return Group(PLAYER, before="other") if start.is_reader else Group(PLAYER, after=f"other than {start.to}")


def _describe_neighbour(player: Thing, side: str) -> Thing:
    where = f"the {side} of {player.to}" if player.long else f"{player.of} {side}"
    return Thing(f"the player to {where}", person=True, long=True)


def _describe_entry(ctx: Context, expr: ir.Entry) -> Thing:
    """Describe an entry of a table: "the wood among your goods", "the card you chose"."""
    player = describe_thing(ctx, expr.key)
    answers = ctx.bound(expr.table.slot) if isinstance(expr.table, ir.Local) else None
    if not isinstance(answers, Answers) and isinstance(expr.table.type, t.TableOf) and t.has_numbers(expr.table.type):
        return _describe_entry_of_numbers(ctx, expr)
    if not isinstance(answers, Answers):
        return Thing(f"what {player.text} chose", long=True)
    noun = answers.noun.many if answers.many else answers.noun.one
    text = f"the {answers.which}{noun} {player.text} chose"
    return Thing(text, "many" if answers.many else "one", answers.noun.person, long=True)


def _describe_entry_of_numbers(ctx: Context, expr: ir.Entry) -> Thing:
    table = describe_thing(ctx, expr.table)
    if isinstance(expr.table.type, t.TableOf) and expr.table.type.key == t.PLAYER:
        return Thing(f"{table.to} for {spell(ctx, expr.key)}", table.agrees, long=True)
    if isinstance(expr.key, ir.Const):
        return Thing(f"the {spell(ctx, expr.key)} in {table.to}", long=True)
    noun = ctx.lexicon.find_noun(expr.type).one
    return Thing(f"the {noun} of {spell(ctx, expr.key)} in {table.to}", long=True)


def _find_noun(ctx: Context, noun: Noun, other: Noun, of: t.Type) -> Noun:
    if noun == other:
        return noun
    of = t.surely(of)
    if isinstance(of, t.ListOf) and isinstance(t.surely(of.item), t.ListOf):
        return Noun(f"{noun.one} or {other.one}", f"{noun.many} and {other.many}")
    return ctx.lexicon.find_item_noun(of)


# ── lists ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _describe_filter(ctx: Context, expr: ir.Filter) -> Group:
    so = ctx.lexicon.rules.decided(expr.condition)
    group = describe_group(ctx, expr.list)
    if so is not None:
        return group if so else Group(group.noun, whole=Thing("nothing"), only=True)
    ctx.focus = None  # "it" would be one of them
    conjuncts = _split_conjuncts(expr.condition)
    for part in sorted(conjuncts, key=lambda conjunct: not isinstance(conjunct, ir.IsKind | ir.IsCard)):
        if ctx.lexicon.rules.decided(part) is None:
            group = _narrow_group(ctx, group, part, expr.slot)
    return group


def _split_conjuncts(condition: ir.Expr) -> list[ir.Expr]:
    if isinstance(condition, ir.And):
        return [*_split_conjuncts(condition.left), *_split_conjuncts(condition.right)]
    return [condition]


def _narrow_group(ctx: Context, group: Group, condition: ir.Expr, slot: int) -> Group:
    """Keep those for which one condition is so; a noun or an adjective says it, or else a clause."""
    if not any(isinstance(node, ir.Local) and node.slot == slot for node in everything(condition)):
        return group.with_words(f"if {spell_claim(ctx, condition)}")
    match condition:
        case ir.IsKind(ir.Local(it), kinds) if it == slot and not group.before:
            return _rename(group, ctx.lexicon.name_kind(kinds))
        case ir.IsCard(ir.Local(it), definitions, kinds) if it == slot and kinds and not group.before:
            name = ctx.lexicon.name_cards(definitions)
            if " or " not in name:
                return _rename(group, parse_noun(name))
        case ir.Not(ir.Compare("==", ir.Local(it), other)) | ir.Compare("!=", ir.Local(it), other) if (
            it == slot and group.noun == PLAYER and group.plain and describe_expression(ctx, other) == YOU
        ):
            return Group(PLAYER, before="other")
    before = ctx.remember()
    with ctx.bind_it(slot, group.noun, many=False):
        claim = describe_claim(ctx, condition)
    if (word := _find_adjective(claim)) and not (group.only or group.single):
        return group.described(word)
    ctx.go_back_to(before)
    with ctx.bind_it(slot, group.noun, many=True):
        of_many = describe_claim(ctx, condition)
    return group.narrowed(claim, of_many)


def _rename(group: Group, noun: Noun) -> Group:
    """Call those of a kind or name by it, instead of a clause."""
    if group.parts:
        return evolve(group, noun=noun, parts=tuple(_rename(part, noun) for part in group.parts))
    if group.only or group.single:
        is_one = Claim(Thing("it", it=True), "be", Group(noun).name_one())
        return group.narrowed(is_one, Claim(Thing("they", "many", it=True), "be", noun.many))
    return evolve(group, noun=noun, whole=None)


def _find_adjective(claim: Said) -> str:
    """Find the one word that a claim says, which stands before the noun as well: "exposed"; empty if it is more."""
    if not isinstance(claim, Claim) or not claim.subject.it or claim.verb != "be" or claim.negative or claim.past:
        return ""
    word = {"face up": "face-up", "face down": "face-down"}.get(claim.rest, claim.rest)
    return word if word.replace("-", "").isalpha() and word.islower() else ""


def _describe_each(ctx: Context, expr: ir.Each) -> Group:
    group = describe_group(ctx, expr.list)
    if (head := _find_head(ctx, expr)) is not None:
        heads = head if is_plural(head) else plural(head)
        return Group(Noun(head, heads), Spot(Thing(group.name_known()), "of", "of", "of"))
    match expr.body:
        case ir.Cards(ir.PlaceOf(name, ir.Local(slot))) | ir.TheCard(ir.PlaceOf(name, ir.Local(slot))) if (
            slot == expr.slot
        ):
            spot = ctx.lexicon.name_spots(name, group)
            return evolve(ctx.lexicon.name_lying(name, spot), whole=spot.thing)
    texts = []
    before = ctx.remember()
    for who in (f"any {group.name_one().partition(' ')[2]}", group.name_each()):
        ctx.go_back_to(before)
        ctx.bind_slot(expr.slot, Thing(who, person=group.noun.person, long=group.that is not None or bool(group.after)))
        body = describe_expression(ctx, expr.body)
        texts.append(
            body.name_bare() if isinstance(body, Group) else body.to if isinstance(body, Thing) else claim_text(body)
        )
    whole = Thing(texts[1], "many", long=True)
    return Group(ctx.lexicon.find_item_noun(expr.type), whole=whole, only=True, any_one=texts[0])


def _find_head(ctx: Context, each: ir.Each) -> str | None:
    """Find what each of a list is asked for, if it is one word: its value."""
    match each.body:
        case (
            ir.Attribute(name, ir.Local(it)) | ir.State(name, ir.Local(it)) | ir.PlayerMemory(name, ir.Local(it))
        ) if it == each.slot:  # fmt: skip
            return ctx.lexicon.name_head(name)
        case ir.CallValue(function, (ir.Local(it),)) if it == each.slot:
            head = ctx.lexicon.name_head(strip_section(function))
            return None if "{" in head else head
    return None


def _describe_keys(ctx: Context, keys: Sequence[ir.Key], slot: int, noun: Noun) -> list[tuple[bool, Thing]]:
    """Describe what an order goes by, told of many, each with whether the most comes first."""
    described = []
    for key in keys:
        if not ctx.lexicon.rules.constant(key.value)[0]:
            with ctx.bind_it(slot, noun, many=True):
                described.append((key.most, describe_thing(ctx, key.value)))
    return described


def _describe_sorted(ctx: Context, expr: ir.Sorted) -> Group:
    described = _describe_keys(ctx, expr.keys, expr.slot, ctx.lexicon.find_item_noun(expr.list.type))
    keys = [(thing, "highest first" if most else "lowest first") for most, thing in described]
    group = describe_group(ctx, expr.list)
    if len(keys) == 1 and keys[0][0].it:
        return evolve(group, order=keys[0][1])
    texts = [f"{thing.text}, {which}" for thing, which in keys]
    return evolve(group, order=f"in order of {', then '.join(texts)}" if texts else "")


def _describe_best(ctx: Context, expr: ir.Best) -> Group:
    """Describe those who have most of something: "with the most points, then the lowest score"."""
    group = describe_group(ctx, expr.list)
    texts = list(describe_best(ctx, expr.keys, expr.slot, ctx.lexicon.find_item_noun(expr.list.type)))
    among = "" if group.plain else " among them"
    ends = "," if len(texts) > 1 else ""
    return group.with_words(f"with {', then '.join(texts)}{among}{ends}") if texts else group


def describe_best(ctx: Context, keys: Sequence[ir.Key], slot: int, noun: Noun) -> Iterator[str]:
    """Describe what one must have most, or least, of: "the most points", "the lowest score"."""
    for most, thing in _describe_keys(ctx, keys, slot, noun):
        if thing.whose is not None and thing.whose.it and not thing.long:
            more, less = ("most", "fewest") if is_plural(thing.head) else ("highest", "lowest")
            yield f"the {more if most else less} {thing.head}"
        elif thing.text.startswith(_NUMBER_OF):
            what, among, owned = thing.text.removeprefix(_NUMBER_OF).partition(" among their ")
            yield f"the {'most' if most else 'fewest'} {what}{'' if what == owned else among + owned}"
        elif thing.text.startswith("the "):
            yield f"the {'highest' if most else 'lowest'} {thing.text.removeprefix('the ')}"
        else:
            yield f"{thing.text} {'highest' if most else 'lowest'}"


# ── claims that combine or compare ───────────────────────────────────────────────────────────────────────────────────

_MEASURE = {"==": "", "!=": "not ", "<": "less than ", ">=": "at least ", ">": "more than ", "<=": "at most "}
_COUNT = _MEASURE | {"==": "exactly ", "!=": "not exactly ", "<": "fewer than "}
_THERE = Thing("there")


def _claim_several(ctx: Context, expr: ir.And | ir.Or, left: ir.Expr, right: ir.Expr, yes: bool) -> Said:
    """Claim both, or one of both; what house rules settle is left out."""
    undecided = [part for part in (left, right) if ctx.lexicon.rules.decided(part) is None]
    if len(undecided) == 1:
        return describe_claim(ctx, undecided[0], yes)
    both = isinstance(expr, ir.And) == yes
    parts: list[Said] = []
    for part in undecided:
        claim = describe_claim(ctx, part, yes)
        parts += claim.parts if isinstance(claim, Claims) and (claim.word == "and") == both else [claim]
    return Claims(tuple(parts), "and" if both else "or")


def _claim_compared(ctx: Context, operator: str, left: ir.Expr, right: ir.Expr) -> Said:
    equal, negative = operator in ("==", "!="), operator == "!="
    if equal and isinstance(right, ir.Const) and isinstance(right.value, bool):
        so = describe_claim(ctx, left, right.value != negative)
        unknown = negative and t.may_be_nothing(left.type)
        return Claims((so, _claim_known(ctx, left, there=False)), "or") if unknown else so
    if isinstance(left, ir.OptionValue) and left.key is None and isinstance(right, ir.Const):
        rest = f"{_MEASURE[operator]}{ctx.lexicon.write_choice(right.value, right.type)}"
        return Claim(Thing(ctx.lexicon.name_option(left.name)), "say", rest.removeprefix("not "), negative)
    counted = _claim_count(ctx, operator, left, right)
    if counted is not None:
        return counted
    if not equal and t.has_numbers(left.type):
        return _claim_cover(ctx, operator, left, right)
    if not equal:
        return Claim(describe_thing(ctx, left), "be", f"{_MEASURE[operator]}{spell(ctx, right)}")
    if _is_it(right) and not _is_it(left):
        left, right = right, left
    subject = describe_thing(ctx, left)
    ctx.focus = None  # "is it" reads as a question
    phrase = describe_expression(ctx, right)
    rest = phrase.to if isinstance(phrase, Thing) else phrase.name_bare() if isinstance(phrase, Group) else "so"
    return Claim(subject, "be", rest, negative)


def _claim_cover(ctx: Context, operator: str, left: ir.Expr, right: ir.Expr) -> Claim:
    """Claim that a table has as much in each entry as another one, or not: "your goods cover its cost"."""
    one, negative = describe_thing(ctx, left), operator in ("<", ">")
    if operator in (">=", "<"):
        return Claim(one, "cover", spell(ctx, right), negative)
    return Claim(one, "be", f"covered by {spell(ctx, right)}", negative)


def _is_it(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Local) and expr.name == "it"


def _claim_count(ctx: Context, operator: str, left: ir.Expr, right: ir.Expr) -> Said | None:
    """Claim how many there are of something, against a number: fewer than 3, not "not at least 3"."""
    match left:
        case ir.BuiltIn("count", (of,)) | ir.Pieces(of):
            number = describe_thing(ctx, right)
        case _:
            return None
    if not number.counts:
        return None
    is_place = isinstance(left, ir.Pieces) or isinstance(of.type, t.Place)
    group = describe_cards(ctx, of) if is_place else describe_group(ctx, of)
    if number.number == 0 and operator in ("==", "<="):
        return group.claim_there("no", many=True)
    if number.number == 0 and operator in ("!=", ">"):
        return group.claim_there("a", many=False)
    return group.claim_there(f"{_COUNT[operator]}{number.to}", many=number.number != 1)


def _claim_within(ctx: Context, value: ir.Expr, expr: ir.Expr, yes: bool) -> Said:
    if isinstance(expr, ir.Local) and isinstance(ctx.bound(expr.slot), Gathered):
        return Claim(describe_thing(ctx, value), "be", "chosen before", not yes, past=True)
    subject, group = describe_thing(ctx, value), describe_group(ctx, expr)
    return Claim(
        subject, "be", group.spot.say_at() if group.plain and group.spot is not None else group.name_one(), not yes
    )


# ── claims that something is there ───────────────────────────────────────────────────────────────────────────────────


@follow_names
def _claim_presence(ctx: Context, expr: ir.Expr, there: bool) -> Said:
    """Claim that something is there, or is not."""
    lexicon = ctx.lexicon
    match expr:
        case ir.Local(slot) if isinstance(named := ctx.bound(slot), Named) and named not in ctx.described:
            with ctx.enter_frame(named.frame):
                claim = _claim_presence(ctx, named.expr, there)
            if there:
                ctx.described.add(named)
                ctx.introduce(named.referent)
            return claim
        case ir.Entry(ir.Local(slot), player) if isinstance(answers := ctx.bound(slot), Answers):
            noun = f"any {answers.noun.many}" if answers.many else put_article(answers.which + answers.noun.one)
            return Claim(describe_thing(ctx, player), "have", f"chosen {noun}", not there, helps=True)
        case ir.PlayerMemory(name, owner) | ir.State(name, owner) | ir.Attribute(name, owner):
            whose = describe_thing(ctx, owner)
            if t.YES_NO in t.members(expr.type):
                return _claim_known(ctx, expr, there)
            return _claim_owned(whose, lexicon.name_head(name), there)
        case ir.TableMemory(name):
            head = lexicon.name_head(name)
            return Group(Noun(head, head)).claim_there("a" if there else "no", many=False)
        case ir.TheCard(ir.PlaceOf(name, owner) as place):
            if not lexicon.is_named_after_card(lexicon.rulebook.places[name]):
                return describe_cards(ctx, place).claim_there("a" if there else "no", many=False)
            return _claim_owned(None if owner is None else describe_thing(ctx, owner), lexicon.name_head(name), there)
        case ir.BuiltIn("first" | "last", (group,)):
            return _claim_any(ctx, group, there)
        case ir.OptionValue(name):
            return Claim(Thing(lexicon.name_option(name)), "say", "“none”", there)
    subject = describe_thing(ctx, expr)
    if subject.whose is not None and not subject.long:
        return _claim_owned(subject.whose, subject.head, there)
    if isinstance(expr, ir.Local) and not subject.it:
        referent = ctx.bound(expr.slot)
        noun = referent.noun.one if isinstance(referent, Referent) else lexicon.find_noun(expr.type).one
        return Claim(_THERE, "be", f"such {put_article(noun)}" if there else f"no such {noun}")
    return Claim(subject, "be", "there", not there)


def _claim_owned(owner: Thing | None, head: str, there: bool) -> Claim:
    """Claim that somebody has something, or that there is one on the table."""
    rest = put_article(head) if there else f"no {head}"
    return Claim(_THERE, "be", rest) if owner is None else Claim(owner, "have", rest)


def _claim_known(ctx: Context, question: ir.Expr, there: bool) -> Claim:
    """Claim that there is an answer of yes or no, or not yet."""
    return Claim(Thing("it"), "be", f"known whether {spell_claim(ctx, question)}", not there)


def _claim_any(ctx: Context, expr: ir.Expr, there: bool) -> Said:
    """Claim that there is any of a list, or that one of its answers is yes."""
    match expr:
        case ir.Each() if is_question(expr.body.type):
            return _claim_of_each(ctx, expr, every=not there, yes=there)
        case ir.Cards(place) if (spot := describe_spot(ctx, place)).thing.agrees != "many" and spot.inside == "in":
            return Claim(spot.thing, "be", "empty", there)
    group = describe_group(ctx, expr)
    if group.only and group.whole is not None and group.plain:
        whole = group.whole
        if whole.whose is None:
            return Claim(whole, "be", "empty", there)
        return Claim(whole.whose, "have", f"{'any' if there else 'no'} {whole.head}")
    return group.claim_there("a" if there else "no", many=not there)


def _claim_all(ctx: Context, expr: ir.Expr, yes: bool) -> Said:
    if isinstance(expr, ir.Each):
        return _claim_of_each(ctx, expr, every=yes, yes=yes)
    every = "all of it" if yes else "not all of it"
    return Claim(Thing(f"{every} in {describe_group(ctx, expr).name_bare()}"), "be", "yes")


def _claim_of_each(ctx: Context, each: ir.Each, *, every: bool, yes: bool) -> Said:
    """Claim something of every one of a list, or of at least one."""
    group = describe_group(ctx, each.list)
    with ctx.bind_it(each.slot, group.noun, many=False):
        claim = describe_claim(ctx, each.body, yes)
    if isinstance(claim, Claim) and claim.subject.it:
        if every and claim.verb == "have" and claim.rest.startswith("no "):
            return Claim(Thing(group.name_none()), "have", f"any {claim.rest.removeprefix('no ')}")
        if every and claim.negative and (claim.verb == "be" or claim.helps or claim.modal):
            return evolve(claim, subject=Thing(group.name_none()), negative=False, past=False)
        who = group.name_each().replace("each", "every", 1) if every else group.name_quantity("at least 1", many=False)
        return evolve(claim, subject=Thing(who), past=False)
    if every:
        who = group.name_each().replace("each", "every", 1)
        return Claim(Thing(f"for {who}, this"), "be", f"so: {claim_text(claim)}")
    return group.narrowed(claim, claim).claim_there("a", many=False)


def claim_property(ctx: Context, owner: Thing | None, name: str, yes: bool) -> Claim:
    """Claim a yes or no that somebody or something has, by its name: "you have folded", "it is exposed"."""
    phrase = ctx.lexicon.phrase(name)
    words = phrase or readable(name)
    if owner is None:
        claim = parse_clause(words) if phrase else None
        return claim.turned(yes) if claim else Claim(Thing(quoted(capitalise(words))), "be", "so", not yes)
    head, _, rest = words.partition(" ")
    if head in ("is", "are"):
        return Claim(owner, "be", rest, not yes)
    if head in ("has", "have"):
        return Claim(owner, "have", rest, not yes, helps=True)
    if head in MODAL and rest:
        modal, _, more = rest.partition(" ") if head == "need" and rest.startswith("not ") else (head, "", rest)
        return Claim(owner, more or rest, "", not yes, "need not" if modal == "not" else head)
    if head.endswith("s") and not head.endswith("ss"):
        return Claim(owner, base_form(head), rest, not yes)
    return Claim(owner, "be", words, not yes)


# ── numbers ──────────────────────────────────────────────────────────────────────────────────────────────────────────

_SIGN = {"+": "plus", "-": "minus", "*": "times", "/": "divided by", "%": "modulo"}
_NAME = {"+": "the sum of", "-": "the difference of", "*": "the product of"}


def describe_count(ctx: Context, expr: ir.Expr, group: Group) -> str:
    """Name so many of a group, to be taken away: "1 card from the deck", "2 cards from the deck if …, otherwise 1,", "a
    number of coins equal to …"."""
    if isinstance(expr, ir.OptionValue) and expr.key is None:
        ctx.lexicon.rules.ask_number(expr.name)
    number = describe_thing(ctx, expr)
    if number.number is not None:
        return group.name_some(number.text, number.number != 1, away=True)
    if number.counts:
        return group.name_some(number.counts, many=True, away=True)
    if isinstance(expr, ir.IfElse):
        first = describe_thing(ctx, expr.then)
        if first.number is not None and number.to.startswith(f"{first.text} if "):
            named = group.name_some(first.text, first.number != 1, away=True)
            return f"{named}{number.to.removeprefix(first.text)},"
    return group.name_some("a number of", many=True, away=True) + f" equal to {number.to},"


def _describe_arithmetic(ctx: Context, expr: ir.Arithmetic) -> Thing:
    known, value = ctx.lexicon.rules.constant(expr)
    if known and isinstance(value, int):
        return ctx.lexicon.write_number(value, expr.type)

    def spell_part(operand: ir.Expr) -> str:
        return _describe_operand(ctx, operand)

    match expr:
        case ir.Arithmetic("-", ir.Const(0), right):
            text = f"minus {spell_part(right)}"
        case ir.Arithmetic("*", left, ir.Const(2)) | ir.Arithmetic("*", ir.Const(2), left):
            text = f"twice {spell_part(left)}"
        case ir.Arithmetic("/", left, ir.Const(2)):
            text = f"half of {spell_part(left)}, rounded down,"
        case ir.Arithmetic("-", left, ir.Const(int(number))):
            text = f"{number} less than {spell_part(left)}"
        case ir.Arithmetic("%", left, right):
            text = f"the remainder of {spell_part(left)} divided by {spell_part(right)}"
        case ir.Arithmetic("/", left, right):
            text = f"{spell_part(left)} divided by {spell_part(right)}, rounded down,"
        case ir.Arithmetic(operator, left, right):
            goes_on = operator in "+-" and isinstance(left, ir.Arithmetic) and left.operator in "+-"
            first = spell(ctx, left) if goes_on else spell_part(left)
            first += "," if _is_ambiguous(ctx, left) and not first.endswith(",") else ""
            text = f"{first} {_SIGN[operator]} {spell_part(right)}"
    return Thing(text, long=True)


def _is_ambiguous(ctx: Context, expr: ir.Expr) -> bool:
    """Tell if what follows could be taken for a part of it."""
    if ctx.lexicon.rules.constant(expr)[0]:
        return False
    if isinstance(expr, ir.Arithmetic):
        return expr.operator in "*/%" or _is_ambiguous(ctx, expr.left) or _is_ambiguous(ctx, expr.right)
    return isinstance(expr, ir.IfElse) or (isinstance(expr, ir.BuiltIn) and expr.name in ("min", "max"))


def _describe_operand(ctx: Context, expr: ir.Expr) -> str:
    """Write a part of something worked out, so that it cannot be taken apart."""
    if not ctx.lexicon.rules.constant(expr)[0]:
        if isinstance(expr, ir.Arithmetic) and expr.operator in _NAME:
            return f"{_NAME[expr.operator]} {spell(ctx, expr.left)} and {spell(ctx, expr.right)}"
        if isinstance(expr, ir.BuiltIn) and expr.name in ("min", "max"):
            return _describe_extreme(ctx, expr, inside=True).to
    return spell(ctx, expr)


# ── built-ins ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _describe_sum(ctx: Context, expr: ir.BuiltIn) -> Thing:
    each = expr.arguments[0]
    if not isinstance(each, ir.Each):
        return Thing(f"the total of {spell(ctx, each)}", long=True)
    group, head = describe_group(ctx, each.list), _find_head(ctx, each)
    if head is not None:
        plural_head = is_plural(head)
        return Thing(
            f"the {'' if plural_head else 'total '}{head} of {group.name_known()}",
            "many" if plural_head else "one",
            long=True,
        )
    with ctx.bind_it(each.slot, group.noun, many=False):
        return Thing(f"the total, for {group.name_each()}, of {spell(ctx, each.body)}", long=True)


_NUMBER_OF = "the number of "


def _describe_number(ctx: Context, expr: ir.BuiltIn) -> Thing:
    of = expr.arguments[0]
    group = describe_cards(ctx, of) if isinstance(of.type, t.Place) else describe_group(ctx, of)
    return Thing(f"{_NUMBER_OF}{group.name_bare()}", long=True)


def _describe_extreme(ctx: Context, expr: ir.BuiltIn, *, inside: bool = False) -> Thing:
    least = expr.name == "min"
    if isinstance(t.surely(expr.arguments[0].type), t.ListOf) or len(expr.arguments) == 1:
        return _describe_extreme_of_list(ctx, expr, least)
    first, other = (describe_thing(ctx, argument) for argument in expr.arguments)
    if first.number is not None:
        first, other = other, first
    word = "smaller" if least else "larger"
    if other.number is None:
        return Thing(f"the {word} of {first.to} and {other.to}", long=True)
    if inside:
        return Thing(f"the {word} of {other.text} and {first.to}", long=True)
    return Thing(f"{first.to}, but at {'most' if least else 'least'} {other.text}", long=True)


def _describe_extreme_of_list(ctx: Context, expr: ir.BuiltIn, least: bool) -> Thing:
    of = expr.arguments[0]
    words = f"the {'smallest' if least else 'largest'} of {spell(ctx, of)}"
    if isinstance(of, ir.Each) and (head := _find_head(ctx, of)) is not None:
        words = f"the {'lowest' if least else 'highest'} {head} of {describe_group(ctx, of.list).name_known()}"
    if len(expr.arguments) > 1 and ctx.lexicon.rules.constant(expr.arguments[1]) != (True, 0):
        words += f", or {spell(ctx, expr.arguments[1])} if there is none"
    return Thing(words, long=True)


def _describe_distinct(ctx: Context, expr: ir.BuiltIn) -> Group:
    group = describe_group(ctx, expr.arguments[0])
    if group.only or group.single or group.parts:
        return group
    spot = group.spot
    if spot is not None and spot.inside == "of":
        spot = Spot(spot.thing, "among", "among", "among")
    return evolve(group, before=f"different {group.before}".strip(), spot=spot, whole=None)


def _describe_end(ctx: Context, expr: ir.BuiltIn) -> Phrase:
    """Describe the first or last of a list, or so many of them: "the top card of the deck"."""
    items, before = expr.arguments[0], 0
    match expr:  # as `let a, b = S` names its second member
        case ir.BuiltIn("first", (ir.BuiltIn("last", (whole_list, ir.Arithmetic("-", _, ir.Const(int(before))))),)):
            items = whole_list
    group = describe_group(ctx, items)
    of = items.list if isinstance(items, ir.Filter) else items
    kept = of.place.type if isinstance(of, ir.Cards) else None
    pile = isinstance(kept, t.Place) and kept.kept == "pile"
    which = ("top" if pile else "first") if expr.name == "first" else "bottom" if pile else "last"
    which = ordinal(before) if before else which
    person, whole = group.noun.person, group.only or group.parts
    if len(expr.arguments) == 1:
        if whole:
            return Thing(f"the {which} of {group.name_bare()}", person=person, long=True)
        narrowed = evolve(group, noun=Noun(group.noun.one, group.noun.one, person), whole=None)
        rest = evolve(narrowed, before=f"{which} {group.before}".strip()).name_one().partition(" ")[2]
        return Thing(f"the {rest}", person=person, long=True)
    number = describe_thing(ctx, expr.arguments[1])
    if not number.counts or number.counts == "that many" or whole:
        words = f"the {which} of {group.name_items()}, as many as {number.to},"
        return Group(group.noun, whole=Thing(words, "many", long=True), only=True)
    noun = group.noun if number.number != 1 else Noun(group.noun.one, group.noun.one)
    so_many = "" if number.number == 1 else number.counts
    top = evolve(group, noun=noun, before=" ".join(f"{which} {so_many} {group.before}".split()), whole=None)
    return Group(noun, whole=Thing(f"the {top.name_bare()}", "many"), only=True)


def _describe_near(where: str) -> Callable[[Context, ir.BuiltIn], Group]:
    def describe_near(ctx: Context, expr: ir.BuiltIn) -> Group:
        spot = Spot(describe_thing(ctx, expr.arguments[0]), where, where, where)
        return Group(ctx.lexicon.find_item_noun(expr.type), spot)

    return describe_near


def _describe_lines(ctx: Context, expr: ir.BuiltIn) -> Group:
    spot, line, lines = describe_spot(ctx, expr.arguments[0]), expr.name.removesuffix("s"), expr.name
    if len(expr.arguments) > 1:
        length = spell(ctx, expr.arguments[1])
        line, lines = f"{line} of {length}", f"{lines} of {length}"
    return Group(Noun(line, lines), Spot(spot.thing, "of", "of", "of"))


def _describe_seat(ctx: Context, seat: ir.BuiltIn) -> Phrase:
    whose = possessed(describe_thing(ctx, seat.arguments[0]), "seat", "one")
    return Thing(f"the number of {whose.to}", long=True)


_BUILT_INS: dict[str, Callable[[Context, ir.BuiltIn], Phrase]] = {
    "sum": _describe_sum,
    "count": _describe_number,
    "min": _describe_extreme,
    "max": _describe_extreme,
    "any": describe_claim,
    "all": describe_claim,
    "distinct": _describe_distinct,
    "first": _describe_end,
    "last": _describe_end,
    "holder": lambda ctx, it: Thing(f"the player who has {spell(ctx, it.arguments[0])}", person=True, long=True),
    "seat": _describe_seat,
    "beside": _describe_near("beside"),
    "around": _describe_near("around"),
    "row": _describe_near("in the same row as"),
    "column": _describe_near("in the same column as"),
    "rows": _describe_lines,
    "columns": _describe_lines,
    "lines": _describe_lines,
    "cell": lambda ctx, it: Thing(
        f"the position in row {spell(ctx, it.arguments[1])} and column {spell(ctx, it.arguments[2])} of "
        f"{describe_spot(ctx, it.arguments[0]).thing.to}", long=True,
    ),
    "row_number": lambda ctx, it: Thing(f"the number of the row of {spell(ctx, it.arguments[0])}", long=True),
    "column_number": lambda ctx, it: Thing(f"the number of the column of {spell(ctx, it.arguments[0])}", long=True),
    "cells": lambda ctx, it: Group(ctx.lexicon.find_item_noun(it.type), describe_spot(ctx, it.arguments[0])),
}

# ── values of the rulebook ───────────────────────────────────────────────────────────────────────────────────────────

_SHORT = {Thing: 48, Group: 64, Claim: 90, Claims: 110}
"""The most letters of a value that is told in place."""
_DEEPEST = 4  # values within values that are told in place
_PREPOSITIONS = ("of", "for", "above", "below", "at", "in", "on", "from", "with", "to", "by")
_HOLE = re.compile(r"\{([a-z_][a-z0-9_]*)\}('s)?")
_MORE = re.compile(r" (and|or) \{([a-z_][a-z0-9_]*)\}(?!'s)")
_DETERMINERS = "(?:a|an|the|it|them|one|all|no|any|their|that|this|these|every|each)"
_FURTHER = re.compile(
    rf"(\b(?:and|or|but|then)(?: (?:then|also|never))? )(?!{_DETERMINERS}\b)([a-z]+)(?= (?:{_DETERMINERS}\b|[0-9{{]))"
    r"|(^(?:and|or) )([a-z]+)"
)
"""A further verb of a phrase: before a noun, or right behind the first verb (“rolls and moves”)."""


def bind_arguments(ctx: Context, slots: ir.Slots, arguments: tuple[ir.Expr, ...]) -> Frame:
    """Make the frame of a script that is called: its parameters stand for what it was given."""
    return Frame(slots, {slot: Given(argument, ctx.frame) for slot, argument in enumerate(arguments)})


def _describe_call(ctx: Context, expr: ir.CallValue, yes: bool = True) -> Phrase:
    """Describe a value of the rulebook: by its phrase, in place where that is short, else by its name."""
    function, name = ctx.lexicon.rulebook.functions[expr.function], strip_section(expr.function)
    frame = bind_arguments(ctx, function.slots, expr.arguments)
    phrase, arguments = ctx.lexicon.phrase(name), expr.arguments
    if not is_question(expr.type):
        if phrase is not None:
            return _fill_noun(ctx, phrase, frame, expr.type)
        of_player = len(arguments) == 1 and t.PLAYER in t.members(arguments[0].type)
        if not of_player or isinstance(expr.type, t.ListOf):
            call = _expand(ctx, function, frame, yes)
            if call is not None:
                return call
        return _describe_by_name(ctx, expr)
    if phrase is not None:
        claim = fill_clause(ctx, phrase, frame)
        return (claim or Claim(Thing("it"), "be", f"so that {fill_phrase(ctx, phrase, frame)}")).turned(yes)
    head, _, rest = name.partition("_")
    if len(arguments) == 1 and rest and head in VERBS:
        return claim_property(ctx, describe_thing(ctx, arguments[0]), name, yes)
    call = _expand(ctx, function, frame, yes)
    if call is not None:
        return call
    name = quoted(titled(name))
    if not arguments:
        return Claim(Thing(name), "hold", "", not yes)
    things = [describe_thing(ctx, argument) for argument in arguments]
    subject = next((thing for thing in things if thing.it), things[0])
    held = join_list([thing.to for thing in things if thing is not subject])
    return Claim(subject, "meet", name + (f" with {held}" if held else ""), not yes)


def _expand(ctx: Context, function: ir.Function, frame: Frame, yes: bool) -> Phrase | None:
    """Describe a value in place, if that is short."""
    body = find_answer(ctx, function.body)
    if body is None or ctx.depth >= _DEEPEST:
        return None
    ctx.depth += 1
    before = ctx.remember()
    phrase: Phrase
    with ctx.enter_frame(frame):
        if isinstance(body, ir.Conditions):
            lines = list_open_lines(ctx, body)
            claims = tuple(describe_claim(ctx, line, yes) for line in lines)
            phrase = claims[0] if len(claims) == 1 else Claims(claims, "and" if yes else "or")
        else:
            phrase = describe_claim(ctx, body, yes) if is_question(body.type) else describe_expression(ctx, body)
    ctx.depth -= 1
    text = (
        phrase.to
        if isinstance(phrase, Thing)
        else phrase.name_one()
        if isinstance(phrase, Group)
        else claim_text(phrase)
    )
    if len(text) <= _SHORT[type(phrase)]:
        return phrase
    ctx.go_back_to(before)
    return None


def list_open_lines(ctx: Context, body: ir.Conditions) -> list[ir.Expr]:
    """List the conditions that house rules leave open; the first that can never be met says all; where none is left,
    the first that always is."""
    settled = [(line.value, ctx.lexicon.rules.decided(line.value)) for line in body.lines]
    never = [value for value, so in settled if so is False]
    return never[:1] or [value for value, so in settled if so is None] or [settled[0][0]]


def find_answer(ctx: Context, body: ir.Body) -> ir.Expr | ir.Conditions | None:
    """Find the one expression that a question answers with, house rules settled; None if there is more to it."""
    if not isinstance(body, tuple):
        return None if isinstance(body, ir.Total) else body
    for statement in body:
        match statement:
            case ir.Return(value):
                return value
            case ir.If(condition, then, otherwise) if (so := ctx.lexicon.rules.decided(condition)) is not None:
                branch = then if so else otherwise
                if branch:
                    return find_answer(ctx, branch)
            case _:
                return None
    return None


def _describe_by_name(ctx: Context, expr: ir.CallValue) -> Thing | Group:
    arguments = list(expr.arguments)
    owner = next((argument for argument in arguments if t.PLAYER in t.members(argument.type)), None)
    if len(arguments) == 1 and isinstance(arguments[0].type, t.Card):
        owner = arguments[0]
    words = readable(strip_section(expr.function))
    before, _, last = words.rpartition(" ")
    ends = last in _PREPOSITIONS
    if owner is not None:
        arguments.remove(owner)
        words = before if ends else words
        thing = possessed(describe_thing(ctx, owner), words, "many" if is_plural(words) else "one")
    elif is_plural(words) and not isinstance(t.surely(expr.type), t.ListOf):
        thing = Thing(f"the number of {words}", long=True)
    else:
        thing = Thing(f"the {words}", "many" if is_plural(words) else "one")
    if arguments:
        rest = join_list([spell(ctx, argument) for argument in arguments])
        glue = "" if ends and owner is None else " of" if owner is None else " for"
        thing = evolve(thing, text=f"{thing.text}{glue} {rest}", long=True)
    named = _make_list(ctx, thing, expr.type)
    return evolve(named, person=t.PLAYER in t.members(expr.type)) if isinstance(named, Thing) else named


def _describe_hook(ctx: Context, expr: ir.AskHook, yes: bool = True) -> Phrase:
    """Describe what a card answers."""
    target = describe_thing(ctx, expr.target)
    things = [describe_thing(ctx, argument) for argument in expr.arguments]
    held = join_list([thing.to for thing in things if not thing.is_reader])
    if is_question(expr.type):
        claim = claim_property(ctx, target, expr.hook, yes)
        return evolve(claim, rest=f"{claim.rest} for {held}".strip()) if held else claim
    words = ctx.lexicon.name_head(expr.hook)
    thing = possessed(target, words, "many" if is_plural(words) else "one")
    thing = evolve(thing, text=f"{thing.text} for {held}", long=True) if held else thing
    return _make_list(ctx, thing, expr.type)


# ── phrases that somebody wrote ──────────────────────────────────────────────────────────────────────────────────────


def fill_phrase(ctx: Context, phrase: str, frame: Frame) -> str:
    """Fill what a value or rule is given into its phrase."""

    def fill_hole(hole: re.Match[str]) -> str:
        thing = _describe_parameter(ctx, hole[1], frame)
        return thing.of if hole[2] else thing.to

    return _HOLE.sub(fill_hole, phrase)


def _describe_parameter(ctx: Context, name: str, frame: Frame) -> Thing:
    slot = frame.slots.names.index(name)
    with ctx.enter_frame(frame):
        return describe_thing(ctx, ir.Local(slot, name, type=frame.slots.types[slot]))


def _fill_noun(ctx: Context, phrase: str, frame: Frame, of: t.Type) -> Thing | Group:
    """Fill the phrase of a value that is a noun: "{p}'s valuables", "tile in {p}'s reach / tiles in …"."""
    hole = _HOLE.match(phrase)
    is_list = isinstance(t.surely(of), t.ListOf)
    if hole is not None and hole[2] and (is_list or phrase[hole.end() : hole.end() + 1] == " "):
        owner, head = _describe_parameter(ctx, hole[1], frame), fill_phrase(ctx, phrase[hole.end() + 1 :], frame)
        thing = possessed(owner, head, "many" if is_list or is_plural(head) else "one")
    elif is_list:
        singular, _, plural_form = phrase.partition("/")
        noun = ctx.lexicon.find_item_noun(of)
        words = [fill_phrase(ctx, part.strip(), frame) for part in (singular, plural_form or plural(singular.strip()))]
        return Group(Noun(words[0], words[1], noun.person, called=noun))
    else:
        thing = Thing(f"the {fill_phrase(ctx, phrase, frame)}", long=True)
    named = _make_list(ctx, thing, of)
    return evolve(named, person=t.PLAYER in t.members(of)) if isinstance(named, Thing) else named


def fill_clause(ctx: Context, phrase: str, frame: Frame) -> Claim | None:
    """Fill a phrase that is a clause, about who or what stands first in it."""
    hole = _HOLE.match(phrase)
    if hole is None or hole[2]:
        return parse_clause(fill_phrase(ctx, phrase, frame))
    subject, behind = _describe_parameter(ctx, hole[1], frame), phrase[hole.end() :]
    while (more := _MORE.match(behind)) is not None:
        other = _describe_parameter(ctx, more[2], frame)
        are_several = more[1] == "and"
        subject = Thing(f"{subject.text} {more[1]} {other.to}", "many" if are_several else other.agrees, subject.person)
        behind = behind[more.end() :]
    verb, _, rest = behind.strip().partition(" ")
    before = verb if is_adverb(verb) and rest else ""
    if before:
        verb, _, rest = rest.partition(" ")
    if verb in MODAL and verb != "need":
        return Claim(subject, f"{before} {fill_phrase(ctx, rest, frame)}".strip(), "", modal=verb)
    rest = fill_phrase(ctx, _FURTHER.sub(lambda match: _agree_further(match, subject.agrees), rest), frame)
    return Claim(subject, f"{before} {_find_base(verb)}".strip(), rest)


def _find_base(verb: str) -> str:
    return base_form(verb) if verb.endswith("s") or verb == "are" else verb


def _agree_further(match: re.Match[str], agrees: Agreement) -> str:
    """Let a further verb of a phrase agree with the subject: “you draw a card and discard it”."""
    before, verb = (match[1], match[2]) if match[2] else (match[3], match[4])
    return f"{before}{conjugate(_find_base(verb), agrees)}"
