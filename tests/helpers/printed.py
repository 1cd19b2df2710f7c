"""A game of which every text is drawn, and every command that prints something of it.

In: a random stream, a folder. Out: each command's words, exit code and output. Never: starts a process, except for the
one program that sits at the table.
"""

from __future__ import annotations

import json
import os
import random
import shlex
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from click.testing import CliRunner

from rulebook.cli import main

PIECES = (
    "\x1b[5;41m", "\x1b[8m", "\x1b]0;title\x07", "\x1b[2J", "\x1b[?1049h", "\x1bc", "\x1b_x\x1b\\", "\x9b2J", "\x85",
    "\u2028", "\u2029", "\u202e", "\u2066", "\u200b", "\u200d", "\ufe0f", "\ufeff", "\r", "\r\n", "\x08", "\x7f", "\0",
    "\x0c", "\x0b", "\U000e0041", "\u3164", "\u2800", "\x9d0;x\x9c", "\x1b]8;;http://x\x1b\\", "\u061c", "\x1b",
)  # fmt: skip
MARK = "§"
"""Where a text of the template may be anything."""

GAME: dict[str, Any] = {
    "format": 1,
    "name": "Odd§ Poker",
    "players": "2..3",
    "units": {"chip": 1},
    "words": {"hue": {"warm": "Warm§", "cold": "§Cold"}},
    "options": {
        "fast": {"type": "yes_no", "default": False, "text": "Leave out§ the last day"},
        "toll": {"type": "1..4", "default": 1, "text": "§ What it costs"},
    },
    "forbid": {"Too fast§ for that": "options.fast and options.toll > 3"},
    "kinds": {"piece": {"has": {"rank": "1..9", "tone": "hue"}, "text": "Worth {rank}§."}},
    "places": {
        "table": {"deck": {"holds": "piece", "kept": "pile", "seen_by": "nobody"}},
        "player": {"hand": {"holds": "piece", "kept": "row", "seen_by": "owner"}},
    },
    "memory": {"player": {"paid": 1, "has_folded": False}},
    "cards": {
        "jack": {"kind": "piece", "rank": 1, "tone": "warm", "name": "Jack§", "text": "A §text of its own."},
        "queen": {"kind": "piece", "rank": 2, "tone": "cold", "name": "§Queen", "copies": 2},
        "king": {"kind": "piece", "rank": 3, "tone": "cold", "name": "K§ing", "copies": 2},
    },
    "actions": {
        "bet": {"name": "Bet§ one", "text": "One more§ chip.", "effect": "add 1 to me.paid"},
        "rest": {"name": "Re§st", "text": "Nothing§.", "effect": "set me.has_folded = yes"},
    },
    "values": {
        "winnings(p)": {"what is§ in the pot": "sum(paid of players)", "less§ paid": "-p.paid"},
        "may_give(piece c)": {"is not§ too dear": "c.rank < 4"},
    },
    "rules": {
        "game": "move cards to deck\nshuffle deck\ndeal 2 from deck to each hand\n"
        'stage betting "Bet§ting":\n  each me in players:\n    choose act from actions "What§ now?"\n'
        '    do act.effect(me)\n    say "{me} did§ it with {me.hand}" to me\n'
        '    choose c from me.hand where may_give(c) "Which§ card?" else skip\n'
        "    reveal c\n    move c to deck\n"
        '    choose one "Yes§?":\n      "Yes§":\n        add 1 to me.paid\n      "No§":\n        say "No§." to me\n',
    },
    "phrases": {"paid": "pay§ment", "may_give": "{c} may§ be given"},
    "display": {"aim": "Win§ all.", "titles": {"deck": "the §deck", "hand": "ha§nd"}, "colours": {"piece": "red"}},
    "measures": {"what is§ paid": "sum(paid of players)"},
    "result": {"payoff(p)": "winnings(p)"},
}
VARIANT: dict[str, Any] = {
    "variant": "odd", "name": "Odd§ one", "about": "Why§ not.", "extends": "table",
    "change": {"cards.jack.name": "Kna§ve", "rules.game": "say \"A variant§.\"\n"},
}  # fmt: skip
SCENARIOS: dict[str, Any] = {
    "scenarios": {
        "It is§ so": {"given": {"players": ["Ana", "Ben"]}, "expect": ["count(cards) is 5"]},
        "It is§ not so": {"given": {"players": ["Ana", "Ben"]}, "expect": ["count(cards) is 6"]},
    }
}


def odd(chance: random.Random) -> str:
    """One or several characters of which none may be printed."""
    if chance.random() < 0.6:
        return chance.choice(PIECES)
    return "".join(chr(chance.choice([*range(32), *range(0x7F, 0xA0), 0x200E, 0x202D])) for _ in range(3))


def filled(value: Any, chance: random.Random, wild: float) -> Any:
    """The template with odd characters at its marks, and with some odds within any other text or key."""
    if isinstance(value, dict):
        return {filled(key, chance, wild): filled(one, chance, wild) for key, one in value.items()}
    if isinstance(value, list):
        return [filled(one, chance, wild) for one in value]
    if not isinstance(value, str):
        return value
    if chance.random() < wild:
        at = chance.randrange(len(value) + 1)
        value = value[:at] + odd(chance) + value[at:]
    pieces = value.split(MARK)
    within = [odd(chance) if chance.random() < 0.8 else "" for _ in pieces[1:]]
    if "\n" in value:
        # In a script, a text ends with its line.
        within = [piece if piece.splitlines() == [piece] and "\\" not in piece else "\u202e" for piece in within]
    return "".join([pieces[0], *(one + piece for one, piece in zip(within, pieces[1:], strict=True))])


def put(folder: Path, chance: random.Random, wild: float) -> Path:
    """A game with a variant and scenarios."""
    for name, template in (("rulebook", GAME), ("variants/odd", VARIANT), ("scenarios/some", SCENARIOS)):
        file = folder / f"{name}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        text = yaml.safe_dump(filled(template, chance, wild), sort_keys=False, width=1000)
        file.write_text(text.replace(": false\n", ": no\n"), "utf-8")
    return folder


class Done(NamedTuple):
    """A command that has ended. `data` is what it printed."""

    words: tuple[str, ...]
    code: int
    data: str


def commands(folder: Path, chance: random.Random, charset: str = "utf-8") -> Iterator[Done]:
    """Every command that prints something of this game, with odd words of its own."""
    game, here, strange = str(folder), folder.parent, odd(chance).replace("\0", "\x01")
    os.environ["XDG_DATA_HOME"] = str(here / "data")
    runner = CliRunner(charset=charset)

    def run(*words: str, typed: str = "") -> Done:
        result = runner.invoke(main, list(words), input=typed.encode("utf-8"))
        return Done(words, result.exit_code, result.stdout + result.stderr)

    answers = here / f"answers{strange.replace('/', '')}.txt"
    answers.write_text(f"1\n1\n{strange}\n", "utf-8")
    program = f"import sys; sys.stderr.write({strange!r} + ' last words'); print({json.dumps(strange)!r})"
    spec = f"exec:{shlex.quote(sys.executable)} -S -c {shlex.quote(program.replace(',', ';'))}"
    yield run("show", game)
    for flag in ("--options", "--resolved", "--english"):
        yield run("show", game, flag)
    yield run("show", game, "jack", "--variant", "odd")
    yield run("show", game, strange)
    yield run("show", strange)
    yield run("show", game, "--color", "always")
    yield run("show", game, "--set", f"fast={strange}")
    yield run("list", "--variants")
    report = here / "report.html"
    yield run("simulate", game, "--games", "6", "--seed", "1", "--report", str(report))
    if report.is_file():
        yield Done(("the page",), 0, report.read_text("utf-8").replace("\x1b", "(escape)"))
    yield run("simulate", game, "--games", "4", "--seed", "1", "--details", "--coverage", "--assert", "length < 1")
    yield run("simulate", game, "--games", "4", "--seed", "1", "--json")
    yield run("simulate", game, "--games", "4", "--bots", strange)
    yield run("simulate", game, "--games", "1", "--bots", f"{spec},random")
    yield run("compare", game, "--variant", "odd", "--games", "4", "--seed", "1")
    yield run("tree", game, "--limit", "300")
    aim = ("--vary", "copies(queen)=1..2", "--until", "length > 1", "--games", "200", "--levels", "random")
    yield run("tune", game, *aim, "--seed", "1")
    yield run("leaks", game, "--games", "1")
    yield run("leaks", game, "--games", "1", "--variant", strange)
    yield run("play", game, "--bots", "random", "--seed", "1")
    yield run("play", game, "--bots", "random", "--seed", "1", "--color", "always")
    yield run("play", game, "--bots", "random", "--seed", "1", "--json")
    yield run("play", game, "--bots", "random", "--seed", "1", "--variant", "odd")
    yield run("play", game, "--seats", f"An{strange}a,{spec}", "--seed", "1", typed="1\n1\n")
    yield run("play", game, "--seats", f"An{strange}a,bot", "--seed", "1", "--script", str(answers))
    yield run("play", game, "--seats", "Ana,bot", "--seed", "1", typed=f"?\nv\nl\n{strange}\n1\n1\ns\nq\n")
    yield run("play", game, "--seats", "Ana,Ben", "--seed", "1", "--protocol", typed=f'{{"keys": ["{strange}"]}}\n')
    yield run("play", "--resume")
    saves = sorted((here / "data").rglob("*.jsonl"))
    for save in saves[:2]:
        yield run("replay", str(save))
        yield run("replay", str(save), "--seat", strange)
        yield run("replay", str(save), "--public", "--at", "1")
        yield run("record", str(save), "--title", f"Once{strange}")
        yield run("play", "--resume", str(save), typed="q\n")
        lines = save.read_text("utf-8").splitlines()
        bent = here / f"bent{strange.replace('/', '')}.jsonl"
        header = json.loads(lines[0])
        header["seats"] = [f"{one}{strange}" for one in header["seats"]]
        header[chance.choice(["game", "rulebook", "at", "bots"])] = [strange]
        bent.write_text("\n".join([json.dumps(header), *lines[1:]]), "utf-8")
        yield run("replay", str(bent))
        yield run("play", "--resume", str(bent), typed="q\n")
    for form in ("text", "concise", "json", "sarif", "github", "junit"):
        yield run("validate", game, "--format", form)
    yield run("validate", game, "--color", "always")
    yield run("validate", game, "--diff")
    yield run("validate", game, "--play", "1")
    yield run("validate", str(here / f"no{strange}where"))
    yield run("fmt", game, "--diff")
    yield run("test", game)
    yield run("test", game, "--json")
    yield run("test", game, "--coverage")
    yield run("diff", game, "odd")
    yield run("diff", game, "odd", "--patch")
    yield run("diff", game, "odd", "--json")
    yield run("dis", game, "game")
    yield run("dis", game, strange)
    yield run("schema", game, "--out", "-")
    yield run("cards", "export", game)
    yield run("print", game, "--for", "nandeck", "--to", str(here / "printed.csv"))
    yield run("print", game, "--for", "nandeck", "--cards", strange, "--to", str(here / "printed.csv"))
    yield run("explain", strange)
    yield run("new", "card", game, strange)
    yield run(strange)
    yield run("play", f"--{strange}")


def faults(text: str) -> set[str]:
    """The characters of an output that no terminal should be sent. Colours of our own are none."""
    for codes in ("1;31", "1;33", "1;36", "34", "1", "32", "2", "33", "31", "31;1", "0", "7", "1;7"):
        text = text.replace(f"\x1b[{codes}m", "")
    invisible = "\u3164\u2800\ufe0f\U000e0041"
    return {
        char for char in text
        if (unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in "\n\t") or char in invisible
    }  # fmt: skip
