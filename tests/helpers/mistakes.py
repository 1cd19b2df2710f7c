"""Mistakes that people make when they change a game: what they write, and the message that it gives."""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet
from attrs import frozen

from rulebook.library import bundled

WALLET = bundled() / "wallet"


@frozen
class Mistake:
    """An edit of one file, `old` for `new`; the message's code, its first character (behind `«`), a piece of it."""

    code: str
    file: str
    old: str
    new: str
    piece: str


def mistake(code: str, title: str, file: str, piece: str, old: str, new: str) -> ParameterSet:
    return pytest.param(Mistake(code, f"{file}.yaml", old, new, piece), id=f"{code} {title}")


RULES, CARDS, SPECIALS, PIECES = "rulebook", "playing_cards", "specials", "pieces"
MISTAKES = [
    # YAML
    mistake(
        "RB101", "a second colon", SPECIALS, "needs quotes",
        "text: Choose a card of your hand and give",
        "text: Choose a card«: give",
    ),
    mistake(
        "RB102", "a tab", RULES, "Indent with spaces",
        "  inspect(me): |",
        "«\tinspect(me): |",
    ),
    mistake(
        "RB103", "a key twice", CARDS, "Keep one of them",
        "    name: Police Badge\n",
        "    name: Police Badge\n    «name: Badge\n",
    ),
    mistake(
        "RB104", "true", SPECIALS, "Write `yes`",
        "stays: yes\n    text: Hide",
        "stays: «true\n    text: Hide",
    ),
    mistake(
        "RB105", "a text that is a comment", SPECIALS, "put quotes around it",
        "text: Do two",
        "«text: # Do two",
    ),
    mistake(
        "RB106", "an anchor", CARDS, "`copy: goblin`",
        "  millionaire:\n",
        "  millionaire: «&rich\n",
    ),
    mistake(
        "RB107", "a folded script", RULES, "Write `|` instead of `>`",
        "    effect: |\n      add -1 to",
        "    effect: «>\n      add -1 to",
    ),
    mistake(
        "RB108", "a comma in braces", PIECES, "Put quotes around all of it: `\"1 cent (small, old)\"`",
        "name: 1 cent,",
        "name: 1 cent (small«, old),",
    ),
    mistake(
        "RB109", "a number that is a comment", SPECIALS, "put quotes around all of it",
        "name: Shared Fund\n",
        "name: Shared Fund «#1\n",
    ),
    # What a rulebook declares
    mistake(
        "RB110", "an unknown field", PIECES, "Did you mean `value`?",
        "1 cent, value: 1",
        "1 cent, «valeu: 1",
    ),
    mistake(
        "RB110", "an unknown hook", SPECIALS, "Did you mean `effect`?",
        "effect: |\n      repeat 2:\n        choose deed",
        "«efect: |\n      repeat 2:\n        choose deed",
    ),
    mistake(
        "RB111", "a missing field", PIECES, "Card `coin_2` needs a `value`",
        "coin_2:  {kind: coin, name: 2 cents, value: 2 cent}",
        "«coin_2:  {kind: coin, name: 2 cents}",
    ),
    mistake(
        "RB112", "the wrong kind of value", RULES, "a range like `2..7`",
        "players: 2..7",
        "players: «many",
    ),
    mistake(
        "RB113", "one name for two things", SPECIALS, "two things called `tiara`",
        "  shared_fund:\n",
        "  «tiara:\n",
    ),
    mistake(
        "RB114", "a word of the language as a name", RULES, "Choose another name",
        "  put:\n",
        "  «order:\n",
    ),
    mistake(
        "RB115", "a name that scripts cannot say", CARDS, "small letters",
        "  pearls: ",
        "  «Pearls: ",
    ),
    # Sentences
    mistake(
        "RB201", "a wrong word", SPECIALS, "Did you mean `to`?",
        "move unwanted to",
        "move unwanted «too",
    ),
    mistake(
        "RB202", "a sentence that stops", RULES, "I expected",
        "move lost[p] to pocket",
        "move lost[p] t«o",
    ),
    mistake(
        "RB203", "an unknown verb", RULES, "Did you mean `draw`?",
        "effect: draw 1",
        "effect: «drw 1",
    ),
    mistake(
        "RB204", "a line too deep", SPECIALS, "do not line up",
        "      move kept to",
        "       «move kept to",
    ),
    # Names
    mistake(
        "RB301", "an unknown card", CARDS, "`credit_card`",
        "it is credit_card):",
        "it is «credit_crad):",
    ),
    mistake(
        "RB301", "an unknown place", RULES, "Did you mean `compartment`?",
        "to compartment\n",
        "to «comparment\n",
    ),
    mistake(
        "RB301", "an unknown rule", RULES, "Did you mean `pay_out`?",
        "do pay_out",
        "do «pay_uot",
    ),
    mistake(
        "RB301", "an unknown word", SPECIALS, "`extra_action`",
        "timing: extra_action",
        "timing: «extra_acton",
    ),
    mistake(
        "RB302", "an unknown stage", SPECIALS, "Did you mean `turn`?",
        "end turn",
        "end «trun",
    ),
    mistake(
        "RB302", "a stop outside a loop", SPECIALS, "write `return`",
        '"Whose card do you look at?" else return',
        '"Whose card do you look at?" else «stop',
    ),
    mistake(
        "RB303", "an unknown attribute", SPECIALS, "Did you mean `hand`?",
        "to p.left.hand",
        "to «p.left.hnad",
    ),
    mistake(
        "RB303", "an attribute of other cards", RULES, "A token has no `value`",
        "sum(worth of p.tokens)",
        "sum(«value of p.tokens)",
    ),
    mistake(
        "RB304", "a name before its choice", RULES, "Move this line below that one",
        'choose card from me.hand "Which card do you put into the wallet?"\n      move card to wallet',
        "move «card to wallet\n      choose card from me.hand",
    ),
    mistake(
        "RB305", "a name with two meanings", SPECIALS, "`the_fund`",
        'choose kept from me.aside "Which card do you keep?"\n      move kept to',
        "choose «fund from me.aside\n      move fund to",
    ),
    mistake(
        "RB306", "nobody to point at", RULES, "Write who it is",
        "      else:\n        do inspect(officer)",
        "      else:\n        do inspect(«me)",
    ),
    mistake(
        "RB307", "too little in brackets", SPECIALS, "needs `p` and `goal`",
        "do draw_a_note(me, me.hand)",
        "do «draw_a_note(me)",
    ),
    mistake(
        "RB308", "an unknown unit", RULES, "Did you mean `CU`?",
        "default: 300 CU",
        "default: «300 CUs",
    ),
    # Types
    mistake(
        "RB401", "a list compared", CARDS, "`count(ids(me))` is a number",
        "a second ID: count(ids(me)) >= 2",
        "a second ID: «ids(me) >= 2",
    ),
    mistake(
        "RB402", "a list for a question", SPECIALS, "`me.hand is not empty`",
        "playable: me.hand is not empty\n    effect: |\n      choose unwanted",
        "playable: «me.hand\n    effect: |\n      choose unwanted",
    ),
    mistake(
        "RB403", "a list is one card", CARDS, "any(me.hand where it is police_badge)",
        "not any(me.hand where it is police_badge)",
        "not any(«me.hand is police_badge)",
    ),
    mistake(
        "RB404", "what may be nothing", RULES, "p.cleared is something",
        "if p.cleared is nothing:",
        "if «p.cleared:",
    ),
    mistake(
        "RB405", "whose answer", SPECIALS, "`given[me]`",
        "move given[me] to",
        "move «given to",
    ),
    mistake(
        "RB406", "what cannot change", SPECIALS, "may_change: [value]",
        "set changed.currency = new",
        "set «changed.value = 5 CU",
    ),
    mistake(
        "RB407", "acting in a question", RULES, "Do it in a rule",
        "    if options.end_order is coin_ascending:",
        "    «shuffle wallet\n    if options.end_order is coin_ascending:",
    ),
    mistake(
        "RB408", "an amount and a number", CARDS, "`500 cent` or `500 CU`",
        "more than the limit: money(me) > options.limit",
        "more than the limit: money(me) > «500",
    ),
    mistake(
        "RB409", "the wrong verb", RULES, "`pick x from compartment at random`",
        "effect: draw 1 from wallet",
        "effect: draw 1 from «compartment",
    ),
    mistake(
        "RB410", "the wrong place", SPECIALS, "cannot hold",
        "move found to me.hand",
        "move found to «me.specials",
    ),
    mistake(
        "RB411", "an impossible value", RULES, "`bag`",
        "{holds: coin, kept: bag,",
        "{holds: coin, kept: «bga,",
    ),
    # Secrets
    mistake(
        "RB601", "a leak", RULES, "`publicly`",
        "(wealth(p) if p.cleared is yes else 0 cent) publicly",
        "(«wealth(p) if p.cleared is yes else 0 cent)",
    ),
    mistake(
        "RB602", "asking whom it concerns", SPECIALS, "Ask everybody",
        "each p in players chooses gift from",
        "each p in «players where valuables(it) is not empty chooses gift from",
    ),
    mistake(
        "RB603", "choosing unseen cards", SPECIALS, "`pick … at random`",
        "pick loot from victim.hand at random",
        "choose loot from «victim.hand",
    ),
]  # fmt: skip


def seeded(case: ParameterSet) -> Mistake:
    (one,) = case.values
    assert isinstance(one, Mistake)
    return one
