"""Small games with one thing that not everybody knows, drawn so that it surely stays untold, or surely comes out.

In: a random number. Out: a game (`Drawn`) of one of two sorts. In a *right* one, what everybody sees hangs only on what
everybody has seen, heard or been told by then. In a *leaking* one it hangs on something that somebody may not know, for
nothing has told it: what was laid open was something else, or was so for one player, or on one of two ways, or cards
have come there since. Both are wrapped in the same ifs, loops, rules, hooks and places that are passed. Never: decides
by the pass that follows secrets which of the two a game is.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from typing import TypeAlias

from attrs import frozen

from rulebook.examples import of_its_own
from rulebook.interpreter.random import Source
from rulebook.playtest.leaking.messages import search_leaks

Below: TypeAlias = Callable[[int], int]
Lines: TypeAlias = tuple[str, ...]

GAME = """\
format: 1
name: Drawn secrets
players: 3..3
kinds: {gem: {has: {worth: 1..4}}, token: {}, trick: {does: {effect(me): }}}
cards:
  stone: {kind: gem, each: {worth: 1..4}, copies: 10}
  chip: {kind: token, copies: 40}
  imp:
    kind: trick
    copies: 6
    effect: |
EFFECT
places:
  table:
    stock: {holds: gem, kept: pile, seen_by: nobody}
    heap: {holds: gem, kept: pile, seen_by: top}
    fund: {holds: gem, kept: loose, seen_by: everyone}
    supply: {holds: token, kept: pool, seen_by: everyone}
    played: {holds: trick, kept: loose, seen_by: everyone}
  player:
    hand: {holds: gem, kept: loose, seen_by: owner}
    tricks: {holds: trick, kept: loose, seen_by: owner}
    shelf: {holds: gem, kept: row, seen_by: owner}
    cellar: {holds: gem, kept: row, seen_by: nobody}
    line: {holds: gem, kept: row, seen_by: everyone}
    brow: {holds: gem, kept: row, seen_by: others}
    stash: {holds: token, kept: pool, seen_by: everyone}
memory:
  table: {turns: 0, named: player, loud: 0, side: yes}
  player:
    score: 0
    wish: {type: 0..9, default: 0, seen_by: owner}
    marked: {type: yes_no, default: no, seen_by: nobody}
rules:
  game: |
    move cards where it is gem to stock
    move cards where it is token to supply
    shuffle stock
    deal 3 from stock to each hand
    deal 2 from stock to each shelf
    deal 3 from stock to each cellar
    deal 1 from stock to each line
    deal 2 from stock to each brow
    draw 1 from stock to heap
    draw 1 from stock to fund
    each p in players:
      move first(box where it is trick) to p.tricks
    repeat 2:
      each me in players:
        me chooses one:
          "Wait":
            add 1 to turns
          "Count":
            add 1 to me.score
        do probe(me)
RULES
result: {rank: most score}
"""


@frozen
class Drawn:
    """A drawn game: the parts it is made of, its text, and of that what was drawn."""

    parts: tuple[str, ...]
    text: str
    script: str


@frozen
class Fact:
    """Something that not everybody knows: how it comes about, as a question and as a number or a player, what it is
    called where it is handed to a rule, what tells all of it, and what seems to.
    """

    name: str
    begin: Lines
    question: str
    number: str = ""
    player: str = ""
    given: tuple[tuple[str, str], ...] = ()
    openers: tuple[Lines, ...] = ()
    decoys: tuple[Lines, ...] = ()
    of_cards: bool = True
    """Hands may do what they like because of it: that is said by the rule itself."""
    there: str = ""
    """The name of what may not be there."""


def _split(*blocks: str) -> tuple[Lines, ...]:
    return tuple(tuple(textwrap.dedent(block).strip("\n").split("\n")) for block in blocks)


_RICH = "any(me.hand where worth > 2)"
_SIDE = "(me.hand if side else me.brow)"
_RULES = {
    "open_up": "(p): reveal p.hand",
    "open_or_not": "(p): |\n  if turns > 3:\n    return\n  reveal p.hand",
    "lay": "(p, gem c): move c to p.line",
    "lay_at": "(gem c, place goal): move c to goal",
    "lay_on": "(gem c, place goal): |\n  if turns > 1:\n    do lay_at(c, goal)\n  else:\n    do lay_at(c, goal)",
    "say_number": '(number n): say "{n}" publicly',
    "say_name": '(p): say "{p}, come here." publicly',
    "show_place": "(place shown): reveal shown",
}
"""Rules by which something is laid open, or is not."""

CHANGES = (
    "draw 1 from stock to me.hand", "choose gone from me.hand\nmove gone to stock bottom", "pass each hand left",
    "swap first(me.hand) with first(me.cellar)", "do lay_at(first(me.cellar), me.hand)",
)  # fmt: skip
"""Ways in which another card comes to lie in a hand, or to lie there no more, and nobody else sees which."""

FACTS = (
    Fact(
        "hand", (), _RICH, "count(me.hand where worth > 2)",
        openers=_split(
            "reveal me.hand", "show me.hand to players", "each p in players:\n  reveal p.hand", "do open_up(me)",
            "if turns > 2:\n  reveal me.hand\nelse:\n  show me.hand to players",
            "if turns > 2:\n  do open_up(me)\nelse:\n  reveal me.hand",
            "if turns > 2:\n  reveal me.hand\nelse:\n  reveal hand of players",
            f"if turns > 2:\n  tell players whether {_RICH}\n  reveal me.hand\nelse:\n  move me.hand to fund",
            "may choose bare from fund:\n  reveal me.hand\nelse:\n  reveal hand of players",
            "show me.hand to others", "do show_place(me.hand)", "reveal me.hand + me.shelf", "reveal hand of players",
        ),
        decoys=_split(
            "", "reveal me.left.hand", "show me.hand to me.left", "do open_up(me.left)", "do open_or_not(me)",
            "reveal hand of others",
            "reveal me.hand\ndraw 1 from stock to me.hand", "reveal me.shelf", "if turns > 2:\n  reveal me.hand",
            f"tell me.left whether {_RICH}", "tell players whether any(me.shelf where worth > 2)",
            "reveal first(me.hand)", "reveal me.hand where worth is 1", "do show_place(me.left.hand)",
            "if turns > 2:\n  reveal hand of others\nelse:\n  reveal hand of players",
            "may choose bare from fund:\n  reveal me.hand\nelse:\n  reveal me.left.hand",
            'me may choose one:\n  "Show":\n    reveal me.hand',
            *(f"reveal me.hand\n{change}" for change in CHANGES),
        ),
    ),
    Fact(
        "brow", (), "any(me.brow where worth > 2)", "count(me.brow where worth > 2)",
        openers=_split(
            "reveal me.brow", "show me.brow to players", "show me.brow to me", "do show_place(me.brow)",
            "each p in players:\n  reveal p.brow", "if turns > 2:\n  show me.brow to me\nelse:\n  reveal me.brow",
        ),
        decoys=_split(
            "", "show me.brow to others", "show me.brow to me.left", "reveal me.left.brow", "show me.left.brow to me",
            "if turns > 2:\n  reveal me.brow", "reveal first(me.brow)",
            "show me.brow to me\ndraw 1 from stock to me.brow",
            "reveal me.brow\ndo lay_at(first(me.cellar), me.brow)", "reveal me.hand",
        ),
    ),
    Fact(
        "list that may be another", (), f"any({_SIDE} where worth > 2)", f"count({_SIDE} where worth > 2)",
        openers=_split(f"reveal {_SIDE}", f"show {_SIDE} to players", "reveal me.hand + me.shelf + me.brow"),
        decoys=_split("", f"show {_SIDE} to me.right", f"reveal {_SIDE}\nset side = not side", "reveal me.left.hand",
                      f"reveal {_SIDE.replace('me.', 'me.left.')}", f"if turns > 2:\n  reveal {_SIDE}",
                      f"show {_SIDE} to players\ndraw 1 from stock to me.hand"),
    ),
    Fact(
        "question of a hand", (), _RICH,
        openers=_split(f"tell players whether {_RICH}", f"tell players whether not {_RICH}",
                       f"if turns > 2:\n  tell players whether {_RICH}\nelse:\n  reveal hand of players"),
        decoys=_split(
            f"tell others whether {_RICH.replace('me.', 'me.left.')}",
            *(f"tell players whether {_RICH}\n{change}" for change in CHANGES),
            "tell players whether any(me.hand where worth > 3)",
        ),
    ),
    Fact(
        "named question", (f"let rich = {_RICH}",), "rich", given=(("yes_no rich", "rich"),),
        openers=_split('say "{rich}" publicly', "tell players whether rich", "tell others whether rich",
                       "reveal me.hand\nlet rich = any(me.hand where worth > 1)"),
        decoys=_split("", "tell me.left whether rich", 'say "{turns}"'),
    ),
    Fact(
        "named number", ("let n = count(me.hand where worth > 2)",), "n > 1", "n", given=(("number n", "n"),),
        openers=_split('say "{n}" publicly', "set loud = n publicly", "do say_number(n)"),
        decoys=_split(
            "", 'say "{n}" to me', "tell players whether n > 2", "do say_number(turns)",
            "choose gone from me.hand\nmove gone to stock bottom\nreveal me.hand",
        ),
    ),
    Fact(
        "number", ("me secretly chooses n from 0..3",), "n > 1", "n", given=(("number n", "n"),), of_cards=False,
        openers=_split('say "{n}" publicly', "set loud = n publicly", "do say_number(n)",
                       'say "{n} of {count(me.hand)}." publicly'),
        decoys=_split("", 'say "{n}" to me.left', "set me.wish = n", "do say_number(turns)",
                      'if turns > 2:\n  say "{n}" publicly', "reveal me.hand"),
    ),
    Fact(
        "player", ("me secretly chooses whom from others",), "whom is me.left", player="whom",
        given=(("whom", "whom"),), of_cards=False,
        openers=_split('say "{whom}" publicly', "set named = whom publicly", "do say_name(whom)"),
        decoys=_split("", 'say "{me.left}"', "do say_name(me.left)", 'say "{whom}" to me.left', "reveal me.hand"),
    ),
    Fact(
        "card", ("choose c from me.hand",), "c.worth > 2", "c.worth", given=(("gem c", "c"),), there="c",
        openers=_split(
            "reveal c", "move c to heap", "move c to me.line", "do lay(me, c)", "do lay_at(c, me.line)",
            "do lay_at(c, heap)", "do lay_on(c, fund)", "show c to players", 'say "{c.worth}" publicly',
            "move c to stock face up", "reveal me.hand\nmove c to me.line",
            "if turns > 2:\n  move c to me.line\nelse:\n  reveal c",
            "if turns > 2:\n  do lay(me, c)\nelse:\n  show c to players",
        ),
        decoys=_split(
            "", "move c to me.left.hand", "move c to stock bottom", "do lay_at(c, me.cellar)", "show c to me.left",
            "do lay_on(c, stock)", "reveal me.left.hand", "move c to me.cellar", "reveal me.shelf", "reveal me.hand",
            "if turns > 2:\n  move c to heap", "move c to heap bottom",
        ),
    ),
    Fact(
        "card of two places", ("choose c from me.hand, fund",), "c.worth > 2", "c.worth", given=(("gem c", "c"),),
        there="c",
        openers=_split("reveal c", "move c to me.line", "do lay_at(c, me.line)", 'say "{c.worth}" publicly'),
        decoys=_split(
            "", "if c in fund:\n  add 1 to turns", "if c in fund:\n  return", "if not (c in fund):\n  add 1 to turns",
            'if c in fund and turns > 1:\n  say "{c.worth}"', "do lay_at(first(me.hand), fund)", "reveal fund",
        ),
    ),
    Fact(
        "drawn card", ("draw 1 from stock to me.cellar as d", "if d is nothing:", "  return"), "d.worth > 2",
        "d.worth", given=(("gem d", "d"),),
        openers=_split("reveal d", "move d to me.line", "do lay_at(d, heap)", "show d to players"),
        decoys=_split("", "move d to me.shelf", "show d to me.left", "do lay_at(d, me.hand)"),
    ),
    Fact(
        "picked card", ("pick d from me.left.hand at random",), "d.worth > 2", "d.worth", given=(("gem d", "d"),),
        there="d",
        openers=_split("reveal d", "move d to me.line", "do lay_at(d, me.left.line)", "move d to fund"),
        decoys=_split("", "move d to me.hand", "do lay_at(d, me.hand)", "reveal me.hand", "reveal me.left.hand"),
    ),
    Fact(
        "memory", ("set me.marked = no", f"if {_RICH}:", "  set me.marked = yes"), "me.marked", of_cards=False,
        openers=_split("tell players whether me.marked", 'say "{me.marked}" publicly'),
        decoys=_split(
            "", "tell me.left whether me.marked", "tell players whether me.left.marked",
            'say "{me.marked}" publicly\nif any(me.hand where worth is 1):\n  set me.marked = no',
        ),
    ),
    Fact(
        "sealed answer", ("each p in players secretly chooses bid from 0..3",), "bid[me] > 1", "bid[me]",
        of_cards=False,
        openers=_split('say "{bid[me]}" publicly', 'each p in players:\n  say "{bid[p]}" publicly'),
        decoys=_split("", 'say "{bid[me]}" to me', 'say "{bid[me.left]}" publicly'),
    ),
)  # fmt: skip

PUBLIC = (
    Fact("size of a hand", (), "count(me.hand) > 3", "count(me.hand)"),
    Fact("top of a pile", (), "any(first(heap, 1) where worth > 2)", "count(first(heap, 1) where worth > 2)"),
    Fact("top of a pile under a name", ("let t = first(heap)",), "t is something and t.worth > 2"),
    Fact("open place", (), "any(me.line where worth > 2)", "count(fund where worth > 1)"),
    Fact("open choice of a player", ("choose whom from others",), "whom is me.left", player="whom",
         given=(("whom", "whom"),)),
    Fact("open choice of a number", ("choose n from 0..3",), "n > 1", "n", given=(("number n", "n"),)),
    Fact("open sealed choice", ("each p in players chooses bid from 0..3",), "bid[me] > 1", "bid[me]"),
    Fact("drawn open", ("draw 1 from stock to me.line as d", "if d is nothing:", "  return"), "d.worth > 2", "d.worth",
         given=(("gem d", "d"),)),
)  # fmt: skip
"""What everybody knows as it is."""

DEEDS = (
    "add 1 to me.score", 'say "Aha!"', "set named = me.left", "move 1 from supply to me.stash", "do reward(me)",
    "choose friend from others\nadd 1 to friend.score",
    "choose friend from others\neach r in [me, friend] chooses k from 0..2\nadd k[me] to turns",
    'offer others in turn as r:\n  "Mine":\n    add 1 to r.score\nelse:\n  add 1 to turns',
)  # fmt: skip
"""What everybody sees."""

HAND_DEEDS = (
    "draw 1 from stock to me.hand", "move first(me.cellar) to stock bottom", "deal 1 from stock to each hand",
    "move first(me.cellar) to me.shelf", "do pay_in(me)", "swap first(me.cellar) with first(me.shelf)",
    "do lay_at(first(me.cellar), stock)",
)  # fmt: skip
"""What everybody sees hands do with cards that lie face down."""

OF_QUESTION = {
    "whether": "if Q:\n  DEED",
    "else": "if Q:\n  let x = 1\nelse:\n  DEED",
    "return": "if Q:\n  return\nDEED",
    "stop": "repeat 2:\n  if Q:\n    stop\n  DEED",
    "skip": "repeat 2:\n  if not (Q):\n    skip\n  DEED",
    "handed question": "do follow_up(me, yes if Q else no)",
    "name that is set": "let x = 0\nif Q:\n  set x = 1\nif x is 1:\n  DEED",
    "condition of a list": "each w in players where Q:\n  DEED",
}
"""What all see, or see hands do, hangs on a question."""
OF_QUESTION_ALONE = {
    "value": "let x = 1 if Q else 0\nadd x to turns",
    "handed number": "do judge(me, 1 if Q else 0)",
    "what is offered": 'let asked = me.left\nasked chooses one:\n  "Pay" if Q:\n    add 1 to turns\n  "Wait":\n'
    "    add 2 to turns",
    "player of a value": "set named = me if Q else me.left",
}
OF_HAND = {
    "asked of a passed place": "do ask_place(me, me.hand)",
    "counted in a passed place": "do count_place(me.hand)",
}
OF_NUMBER = {
    "loop bound": "repeat N:\n  DEED",
}
OF_NUMBER_ALONE = {
    "number that is set": "add N to turns",
    "number that is said": 'say "{N}"',
    "count of pieces": "move (N) from supply to me.stash",
    "count of drawn cards": "draw (N) from stock to me.hand",
    "range that is offered": "let asked = me.left\nasked chooses k from 0..(N)",
    "handed number": "do judge(me, N)",
}
OF_PLAYER_ALONE = {
    "whose memory": "add 1 to P.score",
    "whose stash": "move 1 from supply to P.stash",
    "who is asked": "each r in [me, P] chooses k from 0..2",
    "to whom it is offered": 'offer [P] in turn as r:\n  "Mine":\n    say "Mine!"',
    "name that is set": "set named = P",
    "handed player": "do reward(P)",
    "player of a loop": "each r in [P]:\n  add 1 to r.score",
    "order of a loop": "each r in players sorted by most (1 if it is P else 0):\n  say \"{r}\"",
}
BY_HANDS_OF_PLAYER = {
    "from where": "move first(P.cellar) to stock bottom",
    "to where": "move first(me.cellar) to P.shelf",
    "to whom it is drawn": "draw 1 from stock to P.hand",
    "handed place": "do lay_at(first(me.cellar), P.shelf)",
    "order of moves": "each r in players sorted by most (1 if it is P else 0):\n  move first(r.cellar) to stock bottom",
}
BY_HANDS_OF_NUMBER = {
    "count of hidden cards": "move first(me.cellar, N) to stock bottom",
    "rounds of hidden moves": "repeat N:\n  move first(me.cellar) to stock bottom",
}
BY_HANDS_OF_QUESTION = {
    "from where": "if Q:\n  move first(me.cellar) to stock bottom\nelse:\n  move first(me.shelf) to stock bottom",
    "to where": "if Q:\n  move first(me.cellar) to stock bottom\nelse:\n  move first(me.cellar) to me.shelf",
    "which of a list": "move (me.cellar if Q else me.shelf) to stock bottom",
}

_DONE = {
    "reward": "(p): add 1 to p.score",
    "judge": "(p, number m): |\n  if m > 1:\n    add 1 to p.score",
    "ask_place": "(p, place asked): |\n  if any(asked where it is gem and worth > 2):\n    add 1 to p.score",
    "count_place": "(place asked): add count(asked where it is gem and worth > 2) to turns",
    "pay_in": "(p): move first(p.cellar) to stock bottom",
}
SECRET_WAYS = ("any(me.shelf where worth > 2)", "any(me.hand where worth is 1)", "any(me.left.hand where worth > 2)")
FILLERS = (
    "add 1 to turns", 'say "On."', "move 1 from supply to me.left.stash", "let y = count(me.hand where worth > 1)",
    "move first(me.left.cellar) to me.left.shelf",
)  # fmt: skip


def draw_game(seed: int, *, is_right: bool) -> Drawn:
    """Draw a game of one of both sorts."""
    below = Source(seed, "right" if is_right else "leaking").below
    fact = PUBLIC[below(len(PUBLIC))] if is_right and below(5) == 0 else FACTS[below(len(FACTS))]
    # What hidden cards make hands do with hidden cards, the rule says by itself.
    by_hands = is_right and fact.of_cards and below(4) == 0
    tellings = (*fact.openers, *fact.decoys) if by_hands else fact.openers if is_right else fact.decoys
    telling = tellings[below(len(tellings))] if tellings else ()
    effect_name, effect, rules = _draw_effect(below, fact, by_hands=by_hands or (not fact.of_cards and below(3) == 0))
    parts, hook = [fact.name, effect_name], ("add 1 to me.score",)
    cannot_be_handed = "sealed" in fact.name or fact.name == "top of a pile under a name"
    sort = below(4)
    if sort == 0 and not cannot_be_handed:
        parts.append("effect in a rule")
        handed, names = "".join(f", {one}" for one, _ in fact.given), "".join(f", {one}" for _, one in fact.given)
        rules["follow"] = f"(me{handed}): |\n" + _indent("\n".join(effect))
        effect = (f"do follow(me{names})",)
    elif sort == 1 and not fact.given and not cannot_be_handed and not fact.begin:
        parts.append("effect in a hook")
        hook = effect
        effect = ("let played_one = first(me.tricks)", "if played_one is nothing:", "  return",
                  "move played_one to played", "do played_one.effect(me)")  # fmt: skip
    told = is_right and telling in fact.openers and telling != ()
    lines = (*fact.begin, *telling, *_fill(below), *effect)
    if below(3) == 0 and (told or not is_right) and not (is_right and fact.name == "sealed answer"):
        # Below a secret, what is told first tells that, too; and whoever is asked in secret has learnt it.
        parts.append("below a secret")
        way = SECRET_WAYS[below(len(SECRET_WAYS))]
        if fact.there:  # else nobody may see anything of it
            lines = (*fact.begin, f"if {fact.there} is something:", *_indent_all(lines[len(fact.begin) :]))
        lines = (f"if {way}:", *_indent_all(lines))
    else:
        lines = (*_fill(below), *lines)
    for _ in range(below(3)):
        name, lines = _wrap(below, lines)
        parts.append(name)
    if below(4) == 0:
        parts.append("all in a rule")
        rules["whole"] = "(me): |\n" + _indent("\n".join(lines))
        lines = ("do whole(me)",)
    rules["probe"] = "(me): |\n" + _indent("\n".join(line for line in lines if line))
    own = "\n".join(f"{name}{body}" for name, body in rules.items())
    script = f"{own}\nimp: |\n{_indent(chr(10).join(hook))}" if "effect in a hook" in parts else own
    rules |= _find_needed(script)
    text = GAME.replace("EFFECT", textwrap.indent("\n".join(hook), "      "))
    written = "\n".join(f"{name}{body}" for name, body in rules.items())
    return Drawn((*parts, " / ".join(telling)), text.replace("RULES", _indent(written)), script)


def _draw_effect(below: Below, fact: Fact, *, by_hands: bool) -> tuple[str, Lines, dict[str, str]]:
    """Draw what hangs on a fact, in the sight of all, or done by hands with hidden cards; and the rules it needs."""
    several = {**OF_QUESTION, **(BY_HANDS_OF_QUESTION if by_hands else OF_QUESTION_ALONE)}
    if fact.number:
        several |= {**OF_NUMBER, **(BY_HANDS_OF_NUMBER if by_hands else OF_NUMBER_ALONE)}
    if fact.name == "hand" and not by_hands:
        several |= OF_HAND
    if fact.player:
        several |= BY_HANDS_OF_PLAYER if by_hands else OF_PLAYER_ALONE
    name = [*several][below(len(several))]
    deeds = HAND_DEEDS if by_hands else DEEDS
    deed = deeds[below(len(deeds))]
    lines: list[str] = []
    for line in several[name].split("\n"):
        indent, _, _ = line.rpartition("DEED")
        lines += [f"{indent}{part}" for part in deed.split("\n")] if line.endswith("DEED") else [line]
    filled = (re.sub(r"\bQ\b", fact.question, line) for line in lines)
    filled = (re.sub(r"\bN\b", fact.number, line) for line in filled)
    effect = tuple(re.sub(r"\bP\b", fact.player, line) for line in filled)
    rules = {"follow_up": "(me, yes_no so): |\n  if so:\n" + textwrap.indent(deed, "    ")}
    return name, effect, rules if name == "handed question" else {}


def _fill(below: Below) -> Lines:
    """Draw a sentence that has nothing to do with it, or none."""
    return (FILLERS[below(len(FILLERS))],) if below(4) == 0 else ()


def _wrap(below: Below, lines: Lines) -> tuple[str, Lines]:
    """Put lines into a sentence that tells nothing."""
    match below(5):
        case 0:
            return "in a loop", ("repeat 2:", *_indent_all(lines))
        case 1:
            return "for each player", ("each v in players:", *_indent_all(lines))
        case 2:
            return "below a question", ("if turns > 1:", *_indent_all(lines), "else:", *_indent_all(lines))
        case 3:
            return "in a stage", (f"stage part_{below(9)}:", *_indent_all(lines))
        case _:
            return "behind an answer", ("choose way from 1..2", "if way is 1:", *_indent_all(lines))


def _indent(text: str) -> str:
    return textwrap.indent(text, "  ")


def _indent_all(lines: Lines) -> Lines:
    return tuple("  " + line for line in lines if line)


def _find_needed(script: str) -> dict[str, str]:
    """Find the rules that a script does, and those that these do."""
    known, needed, ahead = _RULES | _DONE, dict[str, str](), [script]
    while ahead:
        inside = ahead.pop()
        for name, body in known.items():
            if f"do {name}(" in inside and name not in needed:
                needed[name] = body
                ahead.append(body)
    return needed


def make_game(script: str) -> str:
    """Return the text of the small game in which this is done in each turn."""
    hook, rule = "      add 1 to me.score", _indent("probe(me): |\n" + _indent(script))
    return GAME.replace("EFFECT", hook).replace("RULES", rule)


CODES = frozenset({"RB404", "RB601", "RB602", "RB603", "RB604", "RB605"})
"""The messages about secrets, and about what may not be there."""


def find_codes(game: Drawn) -> set[str]:
    """Return the codes of what is said about a drawn game; all of them are about secrets, or lack."""
    _, messages = of_its_own(game.text)
    codes = {message.code for message in messages}
    assert codes <= CODES, (codes, game.script)
    return codes


def comes_out(game: Drawn, games: int = 20, most: int = 2_000) -> bool:
    """Tell whether twin games show that a game gives its secret away."""
    rulebook, messages = of_its_own(game.text)
    assert rulebook is not None, messages
    return bool(search_leaks(rulebook, None, {}, games, most).messages)
