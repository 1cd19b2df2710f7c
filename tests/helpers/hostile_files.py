"""Rulebooks that mean harm: files that are too large, too deep or no text, and declarations that would never end.

In: nothing. Out: for each name, the bytes of a `rulebook.yaml`. All of them but those in `HARMLESS` must be refused
with a message at its place, soon, and with little memory. Never: anything that a designer would write.
"""

from __future__ import annotations

HEAD = "format: 1\nname: Hostile\nplayers: 2..2\n"
TAIL = """
kinds: {pawn: {has: {rank: number}, state: {pips: {type: 1..6, seen: with_face}}}}
cards: {piece: {kind: pawn, rank: 1}}
places: {table: {heap: {holds: pawn, kept: pile, seen_by: everyone}}}
memory: {table: {total: 0}}
"""
END = "result: {payoff(p): 0}\n"


def rules(*scripts: str) -> str:
    """A game whose rules are these, the first of them `game`."""
    named = ["game", *(f"rule_{n}" for n in range(1, len(scripts)))]
    lines = [
        f"  {name}: |\n" + "".join(f"    {line}\n" for line in script.split("\n"))
        for name, script in zip(named, scripts, strict=True)
    ]
    return HEAD + TAIL + "rules:\n" + "".join(lines) + END


def other(text: str) -> str:
    """A game that says this too."""
    return HEAD + "rules: {game: win nobody}\n" + END + text


def chain(section: str, entry: str, many: int = 2000) -> str:
    """A section of entries that each name the next one; the last of them names one that is not there."""
    return f"{section}:\n" + "".join(f"  {entry.format(n, n + 1)}\n" for n in range(many))


def asking(question: str) -> str:
    """Hundreds of cards that each answer with this question about themselves or others."""
    kinds = "kinds: {pawn: {has: {rank: number}, asks: {worth(p): {type: number, default: 0}}}}\n"
    place = "places: {table: {heap: {holds: pawn, kept: pile, seen_by: everyone}}}\n"
    cards = "".join(f"  c{n}: {{kind: pawn, rank: {n}, worth: {question}}}\n" for n in range(250))
    rest = "memory: {player: {score: 0}}\nrules:\n  game: |\n    move cards to heap\n"
    script = "    each p in players:\n      each c in heap:\n        add c.worth(p) to p.score\n"
    return HEAD + kinds + place + "cards:\n" + cards + rest + script + END


def nested(depth: int) -> str:
    """Blocks within blocks."""
    return "\n".join("  " * n + "if total > 0:" for n in range(depth)) + "\n" + "  " * depth + "stop"


LONG = 16_000  # characters, just below what a script may have
TEXTS = {
    # Files
    "nothing at all": "",
    "ten MB": other("words: {a: [" + "b, " * 3_500_000 + "c]}\n"),
    "a line of a million letters": other("words: {a: " + "x" * 1_000_000 + "}\n"),
    "a line of a million letters without a key": "x" * 1_000_000,
    "open brackets": "[" * 100_000,
    "blocks within blocks": "\n".join(" " * depth + "a:" for depth in range(1000)),
    "alias bomb": "a: &a [x, x]\n" + "".join(f"b{n}: &b{n} [*a, *a, *a, *a]\n" for n in range(30)),
    "merge bomb": "a: &a {x: 1}\n" + "b: {<<: [*a, *a]}\n" * 30,
    "nul": other("words: {a: [b\0c]}\n"),
    "a line separator": other("words: {a: [b\u2028c]}\n"),
    "a byte order mark in the middle": other("\ufeffwords: {a: [b]}\n"),
    # Numbers
    "5000 digits of players": other("").replace("2..2", "2.." + "9" * 5000),
    "5000 digits to start with": other("memory: {table: {total: " + "9" * 5000 + "}}\n"),
    "5000 digits in a script": rules("set total = " + "9" * 5000),
    "an option with very many choices": other("options: {x: {type: 0..999999999999, default: 0}}\n"),
    "a memory with very many values": rules("set total = 1").replace("total: 0", "total: {type: 0..999999999999}"),
    "very many copies": rules("win nobody").replace("rank: 1}", "rank: 1, copies: 999999999999}"),
    "very many copies for each player": rules("win nobody").replace(
        "rank: 1}", "rank: 1, copies: 100000 * 10000 * count(players)}"
    ),
    "very many cards of a thousand copies": rules("win nobody").replace(
        "piece:", "".join(f"c{n}: {{kind: pawn, rank: 1, copies: 1000}}, " for n in range(400)) + "piece:"
    ),
    "cards for every number": rules("win nobody").replace("rank: 1}", "each: {rank: 1..999999999999}}"),
    "cards for every pair of numbers": rules("win nobody")
    .replace("rank: number", "rank: number, file: number")
    .replace("rank: 1}", "each: {rank: 1..100000, file: 1..100000}}"),
    "a die with very many sides": rules("win nobody").replace("1..6", "1..999999999999"),
    "a huge board": rules("win nobody").replace("kept: pile", "kept: grid, size: [999999999, 999999999]"),
    # Declarations in a circle
    "a value that asks itself": other("values: {a(): b(), b(): a()}\n"),
    "a kind above itself": other("kinds: {a: {is: b}, b: {is: a}}\n"),
    "kinds in a circle that bring cards": other("kinds: {a: {is: b, comes_with: {x: c}}, b: {is: a}, c: }\n"),
    "a comment in the name of a value": other("values: {points#p): 1}\n"),
    "a card that copies itself": other("kinds: {a: }\ncards: {b: {copy: c}, c: {copy: b}}\n"),
    "cards that bring cards": other("kinds: {a: {comes_with: {b: a}}}\ncards: {c: {kind: a}}\n"),
    # Scripts
    "brackets in a script": rules("set total = " + "(" * (LONG // 2)),
    "closed brackets in a script": rules("set total = " + "(" * 7000 + "1" + ")" * 7000),
    "a tower of not": rules("if " + "not " * (LONG // 4 - 10) + "yes:\n  stop"),
    "a long sum": rules("set total = 1" + " + 1" * (LONG // 4 - 10)),
    "a long path": rules("set total = a" + ".a" * (LONG // 2 - 20)),
    "deep blocks in a script": rules(nested(150)),
    "a script with an end too far": rules("\n".join(["set total = 1"] * 5000)),
    "a text with thousands of open braces": rules('say "' + "{" * 15_001 + '"'),
    "thousands of unknown names": rules(*["\n".join("set totl = totla + tota" for _ in range(600))] * 5),
    "thousands of misspelt words": rules(*["\n".join(f"f total us {n} o nt yes:" for n in range(250))] * 5),
    "one endless sentence of slips": rules(*["if " + "total us 1 o " * 1200 + "yes:"] * 5),
    "two thousand values in a chain": other("values:\n" + "".join(f"  v{n}(): v{n + 1}()\n" for n in range(2000))),
    "a chain of values from its end": other(
        "values:\n  v0(): 1\n" + "".join(f"  v{n + 1}(): v{n}()\n" for n in range(2000))
    ),
    "a chain of rules": rules(*(f"do rule_{n}" for n in range(1, 2001)), "stop"),
    "a chain of kinds": other(chain("kinds", "k{}: {{is: k{}}}") + "  k2000: {}\n"),
    "a chain of kinds from its end": other("kinds:\n  k0: {}\n" + chain("", "k{1}: {{is: k{0}}}")[2:]),
    "a chain of kinds without an end": other(chain("kinds", "k{}: {{is: k{}}}")),
    "a chain of cards that copy": other("kinds: {a: }\n" + chain("cards", "c{}: {{copy: c{}}}")),
    "companions of companions": other(
        chain("kinds", "k{}: {{comes_with: {{a: k{}}}}}") + "  k2000: {}\ncards: {c: {kind: k0}}\n"
    ),
    "companions that become more and more": other(
        chain("kinds", "k{0}: {{comes_with: {{a: k{1}, b: k{1}}}}}", 30) + "  k30: {}\ncards: {c: {kind: k0}}\n"
    ),
    "a chain of places": other(
        "kinds: {a: }\nplaces:\n  table:\n" + chain("", "  p{}: {{holds: a, kept: pile, refill: p{}}}")[2:]
    ),
    "a chain of words and attributes": other(
        chain("words", "w{}: [x{}]") + "kinds:\n  a:\n    has:\n" + chain("", "    b{}: w{}")[2:]
    ),
    "options that forbid one another": other(
        chain("options", "o{}: {{type: 1..9, default: 1}}", 200)
        + "forbid:\n"
        + "".join(f"  Reason {n}: options.o{n} > options.o{n + 1}\n" for n in range(200))
    ),
    # Scripts that go on
    "a loop without an end": rules("loop:\n  add 1 to total"),
    "a loop in a loop without an end": rules("loop:\n  loop:\n    shuffle heap"),
    "a loop that only talks": rules('loop:\n  say "{total}"\n  add 1 to total'),
    "rules in a circle": rules("do rule_1", "do rule_2", "do rule_1"),
    "very many rounds": rules("repeat 999999999999:\n  add 1 to total"),
    "rounds in rounds": rules("repeat 9000:\n  repeat 1000000:\n    add 1 to total"),
    "a walk through very many numbers": rules("each n in 1..999999999999:\n  add n to total"),
    "a sum of very many numbers": rules("set total = sum(n for n in 1..999999999)"),
    "very many numbers counted": rules("set total = count(-5..999999999999)"),
    "a choice from very many numbers": rules("each p in players:\n  p chooses n from 1..999999999\n  set total = n"),
}
BYTES = {
    "a lone surrogate": HEAD.encode() + b"words: {a: [\xed\xa0\x80]}\n",
    "UTF-16": other("").encode("utf-16"),
    "no text": bytes(range(256)) * 64,
}
HARMLESS = {
    "a byte order mark": b"\xef\xbb\xbf" + rules("win nobody").encode(),
    "line breaks of another system": rules("win nobody").replace("\n", "\r\n").encode(),
}
AT_PLAY = {
    "a number that doubles": rules("set total = 1\nrepeat 9000:\n  add total to total"),
    "a number that is squared": rules("set total = 3\nrepeat 60:\n  set total = total * total"),
    "a list that doubles": rules("let some = [1]\nrepeat 60:\n  set some = some + some\nset total = count(some)"),
    "a range known at play": rules("set total = 1\nrepeat 40:\n  add total to total\neach n in 1..total:\n  stop"),
    "rounds of rounds": rules("repeat 9000:\n  repeat 9000:\n    repeat 9000:\n      add 1 to total"),
    "sums of sums": rules("set total = sum(sum(sum(1..9000) for n in 1..9000) for m in 1..9000)"),
    "a rule that does itself": rules("do rule_1", "add 1 to total\nif total > 0:\n  do rule_1"),
    "values that ask each other twice": rules("set total = v29()").replace(
        "rules:", "values:\n  v0(): 1\n" + "".join(f"  v{n + 1}(): v{n}() + v{n}()\n" for n in range(29)) + "rules:"
    ),
    "a text without an end": rules('each n in 1..9000:\n  each m in 1..9000:\n    say "' + "{n}" * 2000 + '"'),
    "cards that ask one another": asking("sum(c.worth(p) for c in heap where rank > this.rank)"),
}
"""Rulebooks that are right in every word, and stop with a message at its place when somebody plays them."""
TEXTS |= AT_PLAY
TEXTS["cards that ask all"] = asking("sum(rank of heap where rank > this.rank)")
ODD = (
    "a memory with very many values", "a die with very many sides", "closed brackets in a script",
    "a chain of values from its end", "cards that ask all", *AT_PLAY,
)  # fmt: skip
"""Texts that look like harm and do none: what they name is never counted out, and they can be played."""
HARMLESS |= {name: TEXTS.pop(name).encode() for name in ODD}
HOSTILE = {name: text.encode() for name, text in TEXTS.items()} | BYTES
