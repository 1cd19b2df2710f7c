"""Mistakes of meaning, put at random places of a game: rules that can be read, and say something else than was meant.

In: the lines of one file of a game's rules. Out: by operator each place where the mistake can be made, as an edit. Some
edits give rules that nobody could tell from those before; `is_alike` finds them by play. Never: knows the messages.
"""

from __future__ import annotations

import random
import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TypeAlias

from attrs import frozen

from rulebook.diagnostics import LISTED, Diagnostic
from rulebook.dsl import ir
from rulebook.dsl.settling.options import settle_options
from rulebook.interpreter.core.door import SEATS, WORK, core_of
from rulebook.interpreter.decisions import BadSetup, RuleError
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.playtest.ablation.playing import list_settings
from rulebook.playtest.bots import make_bot

__all__ = ["OPERATORS", "WORDS", "Edit", "Operators", "Slip", "draw_slips", "is_alike", "judge"]

Edit: TypeAlias = tuple[int, int, list[str]]
"""The first line that is replaced, from 0, the line behind the last one, and what stands there instead."""
Operator: TypeAlias = Callable[[Sequence[str]], Iterator[Edit]]
Operators: TypeAlias = Mapping[str, Operator]

VERBS = (
    "move|draw|deal|set|add|each|repeat|loop|if|else|do|choose|may|show|reveal|shuffle|stage|say|tell|return|stop|end|"
    "win|let|roll|turn|offer|swap|arrange|eliminate"
)
_SENTENCE = re.compile(rf"\s+(?:\w+ (?:may |secretly )?)?(?:{VERBS})\b")
_PROSE = re.compile(r"\s*(?:- )?(?:text|name|about|aim|title|sort|colours)\b.*:|\s*#|\s*$")
_FORMULA = re.compile(r"\s+(?:[^\"':#{}]+): .*(?:\(|\bis\b|[<>+*]| - |\.\w)")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|#.*")
_SAID = {"display", "phrases", "words", "format", "name", "units"}
_WORD = re.compile(r"[a-z_]\w*")


# ── lines ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def list_rules(lines: Sequence[str]) -> Iterator[int]:
    """Number the lines that are rules: sentences of scripts, and formulas."""
    section, prose = "", -1
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if line and not indent:
            section = line.partition(":")[0]
        if line.strip() and indent <= prose:
            prose = -1
        if _PROSE.match(line):
            prose = indent if prose < 0 and line.rstrip().endswith(("|", ">")) else prose
        elif prose < 0 and section not in _SAID and (_SENTENCE.match(line) or _FORMULA.match(line)):
            yield number


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _mask(line: str) -> str:
    """The line with blanks where texts and comments stand."""
    return _QUOTED.sub(lambda quoted: " " * len(quoted[0]), line)


def replacing(pattern: str, new: Callable[[re.Match[str]], str]) -> Operator:
    """An operator that replaces one match of a pattern in a line of the rules."""
    wanted = re.compile(pattern)

    def operate(lines: Sequence[str]) -> Iterator[Edit]:
        for number in list_rules(lines):
            for match in wanted.finditer(_mask(lines[number])):
                line = lines[number]
                yield number, number + 1, [line[: match.start()] + new(match) + line[match.end() :]]

    return operate


def leaving_out(pattern: str) -> Operator:
    """An operator that leaves a sentence out which is not the only one of its block."""
    wanted = re.compile(rf"\s+(?:{pattern})\b")

    def operate(lines: Sequence[str]) -> Iterator[Edit]:
        for number in list_rules(lines):
            if wanted.match(lines[number]) and _has_neighbour(lines, number) and not _has_block(lines, number):
                yield number, number + 1, []

    return operate


def _has_block(lines: Sequence[str], number: int) -> bool:
    return number + 1 < len(lines) and _indent(lines[number + 1]) > _indent(lines[number]) and bool(lines[number + 1])


def _has_neighbour(lines: Sequence[str], number: int) -> bool:
    beside = [lines[other] for other in (number - 1, number + 1) if 0 <= other < len(lines)]
    return any(_SENTENCE.match(line) and _indent(line) == _indent(lines[number]) for line in beside)


# ── operators ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _nothing(_: re.Match[str]) -> str:
    return ""


def _other(words: str) -> Callable[[re.Match[str]], str]:
    """Replace one of two words by the other."""
    first, second = words.split()
    return lambda match: match[0].replace(first, second) if first in match[0] else match[0].replace(second, first)


def _limit(match: re.Match[str]) -> str:
    """`>` for `>=`, and the other way round."""
    return match[0].replace("=", "") if "=" in match[0] else f"{match[0].rstrip()}= "


def _turn(match: re.Match[str]) -> str:
    return match[0].translate(str.maketrans("<>", "><"))


def _negate(match: re.Match[str]) -> str:
    return "is" if "not" in match[0] else "is not"


def _one_more(match: re.Match[str]) -> str:
    return str(int(match[0]) + 1)


def mistake_persons(lines: Sequence[str]) -> Iterator[Edit]:
    """Write another person who is there: `me` for `p`, `p` for `me`."""
    persons: list[tuple[int, str]] = []
    rules = set(list_rules(lines))
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        masked = _mask(line)
        persons = [(indent, name) for indent, name in persons if indent < _indent(line)]
        head = re.match(r"\s*\w+\(([\w, ]*)\):", masked)
        loop = re.search(r"\beach (\w+) in (?:players|others|clockwise)", masked)
        names = {name for _, name in persons}
        for match in re.finditer(r"\b\w+\b", masked) if number in rules else ():
            if match[0] in names and not (loop and match.start() == loop.start(1)):
                for other in sorted(names - {match[0]}):
                    yield number, number + 1, [line[: match.start()] + other + line[match.end() :]]
        if head is not None:
            persons += [(_indent(line), name) for name in head[1].split(", ") if re.fullmatch("me|p|q|[a-z]+", name)]
        elif re.match(r"\s+(?:effect|ability):", masked):
            persons.append((_indent(line), "me"))
        if loop is not None:
            persons.append((_indent(line), loop[1]))


def mistake_places(lines: Sequence[str]) -> Iterator[Edit]:
    """Write another place that holds the same."""
    holds: dict[str, tuple[str, str]] = {}
    owner = ""
    for line in lines:
        owner = match[1] if (match := re.match(r"  (table|player):$", line)) else owner
        if match := re.match(r"    (\w+):\s+\{holds: (\w+)", line):
            holds[match[1]] = owner, match[2]
    for number in list_rules(lines):
        line, masked = lines[number], _mask(lines[number])
        if "holds:" in line:
            continue
        for match in re.finditer(r"\b\w+\b", masked):
            for other, kept in holds.items():
                if other != match[0] and holds.get(match[0]) == kept:
                    yield number, number + 1, [line[: match.start()] + other + line[match.end() :]]


def turn_conditions(lines: Sequence[str]) -> Iterator[Edit]:
    """Turn the condition of an `if` round."""
    for number in list_rules(lines):
        if match := re.fullmatch(r"(\s+(?:else )?if )(.*)(:)", lines[number]):
            yield number, number + 1, [f"{match[1]}not ({match[2]}){match[3]}"]


def swap_sentences(lines: Sequence[str]) -> Iterator[Edit]:
    """Change the order of two sentences."""
    rules = set(list_rules(lines))
    for number in sorted(rules):
        if number + 1 in rules and _indent(lines[number]) == _indent(lines[number + 1]):
            first, second = lines[number : number + 2]
            if first != second and not _has_block(lines, number + 1) and all(map(_is_movable, (first, second))):
                yield number, number + 2, [second, first]


def _is_movable(line: str) -> bool:
    return _SENTENCE.match(line) is not None and not re.match(r"\s+(?:else|let|stop|return)\b", line)


def leave_blocks(lines: Sequence[str]) -> Iterator[Edit]:
    """Write the last sentence of a block behind it."""
    rules = set(list_rules(lines))
    for number in sorted(rules):
        line, before = lines[number], lines[number - 1]
        after = lines[number + 1] if number + 1 < len(lines) else ""
        if number - 1 in rules and _SENTENCE.match(line) and _indent(before) == _indent(line) > _indent(after):
            head = _find_head(lines, number)
            if _SENTENCE.match(head) and not before.rstrip().endswith(":"):
                yield number, number + 1, [" " * _indent(head) + line.strip()]


def _find_head(lines: Sequence[str], number: int) -> str:
    """Return the line that a block hangs on."""
    return next(line for line in reversed(lines[:number]) if line.strip() and _indent(line) < _indent(lines[number]))


def enter_blocks(lines: Sequence[str]) -> Iterator[Edit]:
    """Write the sentence behind a block into it."""
    rules = set(list_rules(lines))
    for number in sorted(rules):
        line, before = lines[number], lines[number - 1]
        is_behind = number - 1 in rules and _indent(before) > _indent(line)
        if is_behind and not _has_block(lines, number) and _is_movable(line):
            yield number, number + 1, [" " * _indent(before) + line.strip()]


def count_twice(lines: Sequence[str]) -> Iterator[Edit]:
    """Count a line of a total twice."""
    rules = set(list_rules(lines))
    for number in sorted(rules):
        match = re.fullmatch(r"(\s+)([a-zA-Z][a-z A-Z]+): (.*)", lines[number])
        if match is not None and re.fullmatch(r"\s+\w+\([\w, ]*\):", _find_head(lines, number)):
            yield number, number + 1, [lines[number], f"{match[1]}{match[2]} again: {match[3]}"]


def do_twice(lines: Sequence[str]) -> Iterator[Edit]:
    """Write a sentence down twice."""
    for number in list_rules(lines):
        if re.match(r"\s+(?:move|draw|deal|add|set)\b", lines[number]) and not _has_block(lines, number):
            yield number, number + 1, [lines[number]] * 2


def mistake_copies(lines: Sequence[str]) -> Iterator[Edit]:
    """Put another number of copies into the game."""
    for number, line in enumerate(lines):
        if match := re.search(r"copies: (\d+)", line):
            for many in (1, 0) if match[1] not in "01" else (0,):
                yield number, number + 1, [line[: match.start(1)] + str(many) + line[match.end(1) :]]


def mistake_printed(lines: Sequence[str]) -> Iterator[Edit]:
    """Print another word of the same list on a card, as another card of the file has it."""
    values: dict[str, set[str]] = {}
    fields = [(number, re.fullmatch(r"(    (\w+): )([a-z]\w*)", line)) for number, line in enumerate(lines)]
    printed = [(number, match) for number, match in fields if match is not None]
    for _, match in printed:
        values.setdefault(match[2], set()).add(match[3])
    for number, match in printed:
        if match[2] not in ("kind", "copy", "type", "kept", "name", "text"):
            for other in sorted(values[match[2]] - {match[3], "yes", "no"}):
                yield number, number + 1, [match[1] + other]


def misquote_numbers(lines: Sequence[str]) -> Iterator[Edit]:
    """Say another number in a card's text than its script does."""
    numbers = ["one", "two", "three", "four", "five", "six"]
    for number, line in enumerate(lines):
        if re.match(r"\s+text: ", line):
            for match in re.finditer(r"\b(?:two|three|four|five|[2-9])\b", line):
                word = match[0]
                other = str(int(word) + 1) if word.isdigit() else numbers[numbers.index(word) + 1]
                yield number, number + 1, [line[: match.start()] + other + line[match.end() :]]


def start_otherwise(lines: Sequence[str]) -> Iterator[Edit]:
    """Begin a memory with another number."""
    section = ""
    for number, line in enumerate(lines):
        section = line.partition(":")[0] if line and line[0] != " " else section
        if section == "memory" and (match := re.match(r"(\s+\w+: |.*default: |.*\{\w+: )(\d+)(?=[ ,}]|$)", line)):
            yield number, number + 1, [line[: match.start(2)] + str(int(match[2]) + 1) + line[match.end(2) :]]


OPERATORS: Operators = {
    "wrong person": mistake_persons,
    "wrong place": mistake_places,
    "players for others": replacing(r"\b(?:players|others)\b(?! chooses)", _other("players others")),
    "neighbour on the other side": replacing(r"\.(?:left|right)\b", _other("left right")),
    "condition turned round": turn_conditions,
    "any for all": replacing(r"\b(?:any|all)\(", _other("any all")),
    "and for or": replacing(r" (?:and|or) ", _other("and or")),
    "one more": replacing(r"(?<![\w.])\d+(?![\w.])", _one_more),
    "limit itself": replacing(r" (?:>=|<=|>|<) ", _limit),
    "wrong way": replacing(r" (?:>=|<=|>|<) ", _turn),
    "most for least": replacing(r"\b(?:most|least)\b", _other("most least")),
    "top for bottom": replacing(r"\b(?:top|bottom)\b", _other("top bottom")),
    "greater for smaller": replacing(r"\b(?:max|min)\(", _other("max min")),
    "minus for plus": replacing(r" [+-] ", _other("+ -")),
    "filter forgotten": replacing(r" where [^:\"]*?(?= sorted| with| as|:|$)", _nothing),
    "tie-break forgotten": replacing(r" then [^:\"]*?(?= as|:|$)", _nothing),
    "may forgotten": replacing(r"\bmay (?=choose\b)", _nothing),
    "no limit": replacing(r" until [^:]*(?=:)", _nothing),
    "not for is": replacing(r"\bis(?: not)?\b(?! (?:empty|nothing|something))", _negate),
    "forgotten move": leaving_out("move|draw|deal"),
    "forgotten shuffle": leaving_out("shuffle"),
    "forgotten reset": leaving_out("set"),
    "reward never paid": leaving_out("add"),
    "forgotten look": leaving_out("reveal|show|tell"),
    "forgotten rule": leaving_out("do"),
    "wrong order": swap_sentences,
    "out of the block": leave_blocks,
    "into the block": enter_blocks,
    "counted twice": count_twice,
    "done twice": do_twice,
    "wrong copies": mistake_copies,
    "wrong word printed": mistake_printed,
    "wrong start": start_otherwise,
    "text against script": misquote_numbers,
}
WORDS = {"text against script"}
"""Operators of what only people read, which no game shows."""


# ── drawing ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Slip:
    """A mistake in a file of a game: the operator, the edit, and the text with it."""

    operator: str
    file: str
    edit: Edit
    text: str

    @property
    def lines(self) -> range:
        """The numbers of the lines where it is, from 1; where some were left out, those before and behind."""
        first, _, new = self.edit
        return range(first + 1, first + 1 + len(new)) if new else range(first, first + 2)


def draw_slips(
    texts: Mapping[str, str], many: int, seed: str, operators: Operators = OPERATORS
) -> Iterator[tuple[str, Slip]]:
    """Draw files and slips in them, each operator as often as another; `texts` by the path of the file."""
    chance = random.Random(f"meaning:{seed}")
    places: dict[str, list[tuple[str, Edit]]] = {}
    for name, operator in operators.items():
        places[name] = [(file, edit) for file, text in texts.items() for edit in operator(text.splitlines())]
    for _ in range(many):
        name = chance.choice(sorted(name for name, edits in places.items() if edits))
        # A large game does not have all of them.
        file = chance.choice(sorted({file for file, _ in places[name]}))
        edit = chance.choice([edit for other, edit in places[name] if other == file])
        lines = texts[file].splitlines()
        first, after, new = edit
        yield file, Slip(name, file, edit, "\n".join([*lines[:first], *new, *lines[after:]]) + "\n")


# ── by play ──────────────────────────────────────────────────────────────────────────────────────────────────────────

_IN_CORE = 60
"""The games of each setting of which the core compares how they go by their decisions and results."""
_MOST_ANSWERS, _A_SETTING = 5_000, 400
"""The answers in the machine, where all that anybody is sent is compared: in all settings, and in one at least."""
_MOST_WORK = 2_000_000


def is_alike(rules: ir.Rulebook, changed: ir.Rulebook) -> bool:
    """Play random games of both, and tell whether nobody at a table could tell one from the other."""
    if rules.players != changed.players or [*rules.options] != [*changed.options]:
        return False
    plain, _ = settle_options(rules.options, {}, rules.units)
    others, _ = settle_options(changed.options, {}, changed.units)
    if plain != others:
        return False
    pairs: list[tuple[Program, Program]] = []
    for setting in list_settings(rules, plain):
        try:
            pairs.append(
                (lower(rules, setting.players, setting.options), lower(changed, setting.players, setting.options))
            )
        except BadSetup:
            return False
        if not _is_like(*pairs[-1]):
            return False
    share = max(_A_SETTING, _MOST_ANSWERS // max(len(pairs), 1))
    return all(_is_same(*pair, share) for pair in pairs)


def _is_like(program: Program, other: Program) -> bool:
    """Tell whether the core finds the same decisions and results in games of both."""
    rows: list[array[int]] = []
    for core in map(core_of, (program, other)):
        if isinstance(core, str):
            return True
        core.bound_work(_MOST_WORK)
        row, wide = core.play_games(array("Q", range(_IN_CORE))), SEATS + 3 * program.players
        for game in range(_IN_CORE):
            row[game * wide + WORK] = 0
        rows.append(row)
    return rows[0] == rows[1]


def _is_same(program: Program, other: Program, answers: int) -> bool:
    """Tell whether everybody is sent the same in games of both, of so many answers together."""
    seed = 0
    while answers > 0 and seed < _IN_CORE:
        steps = 0
        for first, second in zip_longest(_follow(program, seed, answers), _follow(other, seed, answers)):
            steps += 1
            if first != second:
                return False
        answers -= steps // (program.players + 1)
        seed += 1
    return True


def _follow(program: Program, seed: int, most: int) -> Iterator[object]:
    """All that happens to somebody, decision by decision, in a game in which everybody answers at random; at the end,
    also all that each of them sees. It is left after so many answers.
    """
    try:
        game = Game(program, seed)
        below = Source(seed, "meaning").below
        bots = [make_bot("random", seed, seat) for seat in range(program.players)]
        heard = [0] * program.players
        for _ in range(most):
            for seat in range(program.players):
                events = game.events(seat)
                yield [event.to_json() for event in events[heard[seat] :]]
                heard[seat] = len(events)
            decision = game.decision
            if decision is None:
                yield [game.view(seat).to_json() for seat in range(program.players)], game.outcome
                return
            ask = decision.asks[below(len(decision.asks))]
            yield ask.to_json()
            game.answer(ask.seat, bots[ask.seat].answer(game.machine, game.state, ask), ask.number)
    except RuleError as error:
        yield f"went wrong: {error}"


# ── judging ──────────────────────────────────────────────────────────────────────────────────────────────────────────

VERDICTS = ("right", "near", "named", "elsewhere")


@frozen
class Told:
    """A message: its code, its file by name, its line from 1, the words that it points at."""

    code: str
    file: str
    line: int
    words: str

    @classmethod
    def of(cls, message: Diagnostic) -> Told:
        if message.span is None:
            return cls(message.code, "", 0, "")
        return cls(message.code, Path(message.span.file.name).name, message.span.line, message.span.text)


def judge(slip: Slip, messages: Sequence[Told]) -> dict[str, str]:
    """Say where a slip is told and where it is listed, by the new messages: `right` at its line, `near` within two
    lines or at the head of what it stands in, `named` at another place of what its line names, `elsewhere`; no verdict
    where there is no message.
    """
    verdicts: dict[str, str] = {}
    named = {word for line in _changed_lines(slip) for word in _WORD.findall(_mask(line))}
    words = {word for word in named if not re.fullmatch(VERBS, word)}
    heads = {*_find_heads(slip)}
    for message in messages:
        way, verdict = "listed" if message.code == LISTED else "told", "elsewhere"
        away = min(abs(message.line - line) for line in slip.lines)
        if message.file == Path(slip.file).name and (away <= 2 or message.line in heads):
            verdict = "near" if away else "right"
        elif words & {*_WORD.findall(message.words)}:
            verdict = "named"
        verdicts[way] = min(verdicts.get(way, "elsewhere"), verdict, key=VERDICTS.index)
    return verdicts


def _find_heads(slip: Slip) -> Iterator[int]:
    """Number the lines, from 1, that the slip stands below, but for the section."""
    lines = slip.text.splitlines()
    inner = _indent(lines[slip.lines[0] - 1])
    for number in range(slip.lines[0] - 1, 0, -1):
        if lines[number - 1].strip() and 0 < _indent(lines[number - 1]) < inner:
            inner = _indent(lines[number - 1])
            yield number


def _changed_lines(slip: Slip) -> list[str]:
    first, _, new = slip.edit
    return new or slip.text.splitlines()[max(first - 1, 0) : first + 1]
