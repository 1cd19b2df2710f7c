"""Numbers of a game that can be varied: house rules, copies of cards, numbers by their paths, also inside of scripts.

In: `limit=300..700`, `copies(pickpocket)=1..4`, `cards.dove.points=1,2,5`, `rules.turn.draw 3=1..5`. Out: knobs,
and the variant that turns them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from rulebook.classes import frozen
from rulebook.diagnostics import did_you_mean
from rulebook.dsl.document import Mapping, Node, Scalar, find_layers, find_node, find_seams
from rulebook.dsl.overlay.applying import is_script
from rulebook.dsl.overlay.paths import Keys, Lost, Place, find_path, strip_parameters, suggest_path
from rulebook.dsl.overlay.seams import Sentence, find_fitting, find_sentences, name_sentence, read_words
from rulebook.dsl.settling.leaving_out import NoSuchCard, cards_named
from rulebook.dsl.settling.options import choices_of, setting_text, settle_options, value_text
from rulebook.loading import CheckedGame

MOST_VALUES = 11
"""The most values of one number, if nobody says how far they are apart."""
_RANGE = re.compile(r"\s*(-?[0-9]{1,15})\s*\.\.\s*(-?[0-9]{1,15})\s*(?:by\s+([0-9]{1,15})\s*)?([A-Za-z_]\w*)?\s*")
_COPIES = re.compile(r"copies\s*\(\s*([^()]+?)\s*\)\s*")
_SAID = re.compile(r"\s*(-?[0-9]{1,15})((?:\s+[A-Za-z_]\w*)?)\s*")
_DIGITS = re.compile(r"[0-9]{1,15}")
_NUMBERS = re.compile(r"(?<![\w.\"])[0-9]{1,15}(?![\w.\"])")
_FEW = 10
"""Beside a number up to this one stand those that are one less and one more, beside others those a fifth away."""


class BadKnob(ValueError):
    """It cannot be varied so; the sentence says why."""


@frozen
class Turn:
    """A deed at a path: a number goes between `before` and `behind`."""

    verb: str
    path: str
    before: str = ""
    behind: str = ""


    def spell_value(self, value: str) -> str:
        """Write what stands there with another value."""
        return f"{self.before}{value}{self.behind}"


@frozen
class Knob:
    """A number with its values as people write them. `here` is which of them the game has now, if it is one.

    A house rule has no turns: it is set.
    """

    name: str
    values: tuple[str, ...]
    here: int | None
    turns: tuple[Turn, ...] = ()


def read_knobs(game: CheckedGame, words: Sequence[str], now: dict[str, str]) -> list[Knob]:
    """Read what is to be varied. `now` are the house rules as they are. Raises BadKnob."""
    knobs = [_read_knob(game, word, now) for word in words]
    names = [knob.name for knob in knobs]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise BadKnob(f"`{twice}` is varied twice: say all its values at once.")
    return knobs


def _read_knob(game: CheckedGame, word: str, now: dict[str, str]) -> Knob:
    # A sentence of a script may hold signs, so the last one is ours.
    name, sign, wanted = (part.strip() for part in word.rpartition("="))
    if not sign or not name or not wanted:
        raise BadKnob(f"`{word}` does not say what to vary: write it like limit=300..700, or copies(dove)=1,2,4.")
    if name in game.rulebook.options:
        return _read_option(game, name, wanted, now[name])
    copies = _COPIES.fullmatch(name)
    if copies is not None:
        turns, said = _find_copies(game, copies[1])
    else:
        turns, said = _find_turned(game, name)
    values = _list_values(wanted, "")
    if odd := next((value for value in values if not re.fullmatch(r"-?[0-9]+", value)), None):
        raise BadKnob(f"`{name}` is a number, and cannot be `{odd}`.")
    return Knob(name, values, values.index(said) if said in values else None, turns)


def _read_option(game: CheckedGame, name: str, wanted: str, now: str) -> Knob:
    option, units = game.rulebook.options[name], game.rulebook.units
    unit = now.partition(" ")[2] if _SAID.fullmatch(now) else ""
    values = [value_text(value) for value in choices_of(option)] if wanted == "all" else _list_values(wanted, unit)
    read = []
    for value in values:
        settled, problems = settle_options({name: option}, {name: value}, units)
        if problems:
            raise BadKnob(problems[0])
        read.append(setting_text(option, settled[name], units))
    return Knob(name, tuple(read), read.index(now) if now in read else None)


def _list_values(wanted: str, unit: str) -> tuple[str, ...]:
    """The values of `300..700`, `300..700 by 50`, `1,2,5`."""
    found = _RANGE.fullmatch(wanted)
    if found is None:
        values = [value.strip() for value in wanted.split(",")]
        return tuple(f"{value} {unit}" if unit and value.lstrip("-").isdigit() else value for value in values)
    low, high = int(found[1]), int(found[2])
    if low > high:
        raise BadKnob(f"`{wanted}` goes down: write {high}..{low}.")
    step = int(found[3]) if found[3] else _choose_step(high - low)
    if step == 0 or (high - low) // step >= 1000:
        raise BadKnob(f"`{wanted}` is too many values, or none: say how far they are apart, as in {low}..{high} by 10.")
    behind = found[4] or unit
    return tuple(f"{value} {behind}".rstrip() for value in range(low, high + 1, step))


def _choose_step(size: int) -> int:
    """The smallest round step with which there are few values."""
    step = 1
    while size // step >= MOST_VALUES:
        step = 5 * step // 2 if str(step).startswith("2") else 2 * step
    return step


def _find_copies(game: CheckedGame, word: str) -> tuple[tuple[Turn, ...], str]:
    try:
        ids = cards_named(game.rulebook, word)
    except NoSuchCard as missing:
        raise BadKnob(str(missing)) from None
    turns, said = [], "1"
    paths = [id for id in ids if isinstance(find_path(game.merged, f"cards.{id}"), Place)]
    # A card for each of a list of words is written once, with the name of its family.
    for id in paths or [word]:
        card = find_path(game.merged, f"cards.{id}")
        if not isinstance(card, Place) or not isinstance(card.node, Mapping):
            raise BadKnob(
                f"How often there is `{word}` is not written at one place: vary the number there by its path."
            )
        there = card.node.get("copies")
        turns.append(Turn("add" if there is None else "change", f"cards.{id}.copies"))
        said = there.text.strip() if isinstance(there, Scalar) else "1"
    return tuple(turns), said


def _find_turned(game: CheckedGame, path: str) -> tuple[tuple[Turn, ...], str]:
    """A number at a path, or in a sentence of a script: that with which the path ends, or the only one."""
    place = find_path(game.merged, path)
    if isinstance(place, Place):
        text = place.node.text if isinstance(place.node, Scalar) else ""
        said = _SAID.fullmatch(text)
        if said is not None:
            return (Turn("change", path, "", said[2]),), said[1]
        numbers = [*_NUMBERS.finditer(text)] if _is_answer(game, place) else []
        if len(numbers) != 1:
            holds = f"holds {len(numbers)} numbers" if numbers else "is no number"
            raise BadKnob(f"`{path}` {holds}. Name one: a path goes on, with dots, down to it.")
        [number] = numbers
        return (Turn("change", path, text[: number.start()], text[number.end() :]),), number[0]
    if not isinstance(place.node, Scalar) or not is_script(place.keys, game.merged):
        names = [*game.rulebook.options]
        help = suggest_path(game.merged, path, place) if place.keys else did_you_mean(path, names)
        raise BadKnob(f"There is no house rule and no path `{path}`. {help}".rstrip())
    return _find_in_script(place, path)


def _is_answer(game: CheckedGame, place: Place) -> bool:
    """Tell whether what stands there is an answer in the words of scripts: one line of several, or a whole one."""
    keys = place.keys
    return any(is_script(keys[:upto], game.merged) for upto in range(1, len(keys) + 1)) and not _split(place.node)


def _split(node: Node) -> list[Sentence]:
    """Split a script into its sentences; an answer has none."""
    scalars = [layer for layer in find_layers(node) if isinstance(layer, Scalar)]
    return find_sentences(scalars, find_seams(node))


def _find_in_script(script: Lost, path: str) -> tuple[tuple[Turn, ...], str]:
    sentences = _split(script.node)
    words = read_words(path, script.start)
    fitting = find_fitting(sentences, words)
    if len(fitting) != 1:
        known = [name for one in fitting if (name := name_sentence(one, sentences)) is not None]
        more = f" {len(fitting)} begin so: {', '.join(known[:4])}." if known else ""
        raise BadKnob(f"`{path}` leads to no one sentence.{more} `show --paths` lists them with their paths.")
    [sentence] = fitting
    numbers = [at for at, word in enumerate(sentence.words[: sentence.head]) if _DIGITS.fullmatch(word)]
    last = len(words) - 1 - max((at for at, word in enumerate(words) if word in (".", "then")), default=-1)
    at = last - 1 if last - 1 in numbers else numbers[0] if len(numbers) == 1 else None
    if at is None:
        ends = [f"`{sentence.quote(number + 1)}`" for number in numbers]
        which = f"holds {len(ends)} numbers: end the path at one, {' or '.join(ends)}" if ends else "holds no number"
        raise BadKnob(f"`{sentence.quote()}` {which}.")
    return _split_sentence(sentence, path, at)


def _split_sentence(sentence: Sentence, path: str, at: int) -> tuple[tuple[Turn, ...], str]:
    said, upto, whole = sentence.words[at], sentence.quote(at + 1), sentence.quote()
    return (Turn("change", path, upto[: -len(said)], whole[len(upto) :]),), said


def list_knobs(game: CheckedGame, keys: Keys) -> list[Knob]:
    """List the numbers that stand at a path and below it, also in scripts, each with those beside it."""
    node = find_node(game.merged, keys)
    paths = [] if node is None else [*dict.fromkeys(_list_numbers(game, keys, node))]
    return [knob for path in paths if (knob := _find_beside(game, path)) is not None]


def _list_numbers(game: CheckedGame, keys: Keys, node: Node) -> Iterator[str]:
    """List the paths of what may be a number."""
    if isinstance(node, Mapping):
        for name in node:
            inner = node.get(name)
            if inner is not None:
                yield from _list_numbers(game, (*keys, name), inner)
    elif isinstance(node, Scalar):
        path = ".".join((*keys[:-1], strip_parameters(keys[-1])))
        for sentence in _split(node) if is_script(keys, game.merged) else ():
            for at, word in enumerate(sentence.words[: sentence.head]):
                if _DIGITS.fullmatch(word):
                    yield f"{path}.{sentence.quote(at + 1)}"
        yield path


def _find_beside(game: CheckedGame, path: str) -> Knob | None:
    """Make the knob of a path; None where it leads to no one number."""
    try:
        turns, said = _find_turned(game, path)
    except BadKnob:
        return None
    values = tuple(map(str, _list_beside(int(said))))
    return Knob(path, values, values.index(str(int(said))), turns)


def _list_beside(number: int) -> list[int]:
    step = 1 if abs(number) <= _FEW else abs(number) // 5
    return [value for value in (number - step, number, number + step) if value >= 0 or number < 0]


def list_option_knobs(game: CheckedGame, now: dict[str, str]) -> Iterator[Knob]:
    """List the house rules, each with its other choices, or with the numbers beside the one that it is."""
    for name, option in game.rulebook.options.items():
        said = _SAID.fullmatch(now[name])
        if option.choices is None and said is not None:
            values = [f"{value}{said[2]}" for value in _list_beside(int(said[1]))]
        else:
            values = [value_text(value) for value in choices_of(option)]
        fit = [value for value in values if not settle_options({name: option}, {name: value}, game.rulebook.units)[1]]
        if now[name] in fit:
            yield Knob(name, tuple(fit), fit.index(now[name]))


def write_variant(
    id: str,
    name: str,
    about: str,
    extends: str,
    follows: Sequence[str],
    chosen: Sequence[tuple[Knob, int]],
    *,
    sets: bool,
) -> str:
    """Write the variant that has these values; with house rules as it `sets` them, or only the rest."""
    lines = [f"variant: {id}", f"name: {_quote(name)}", f"about: {_quote(about)}", f"extends: {_quote(extends)}"]
    lines += [f"follows: [{', '.join(follows)}]"] if follows else []
    turned = [(knob, value) for knob, value in chosen if value != knob.here]
    options = [(knob.name, knob.values[value]) for knob, value in turned if not knob.turns]
    if sets and options:
        lines += ["set:", *(f"  {name}: {_spell(value)}" for name, value in options)]
    deeds = sorted(_list_deeds(turned))
    for verb, group in groupby(deeds, key=lambda deed: deed[0]):
        lines += [f"{verb}:", *(f"  {_quote(path)}: {text}" for _, path, text in group)]
    return "\n".join(lines) + "\n"


def _list_deeds(turned: Sequence[tuple[Knob, int]]) -> Iterator[tuple[str, str, str]]:
    for knob, value in turned:
        for turn in knob.turns:
            yield turn.verb, turn.path, _spell(turn.spell_value(knob.values[value]))


def _spell(value: str) -> str:
    return value if re.fullmatch(r"-?[0-9]+|yes|no", value) else _quote(value)


def _quote(text: str) -> str:
    """A text as YAML reads it, whatever stands in it."""
    return text if re.fullmatch(r"[A-Za-z][\w.]*", text) else json.dumps(text, ensure_ascii=False)
