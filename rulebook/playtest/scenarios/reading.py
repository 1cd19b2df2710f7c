"""Load the scenarios of a game: from the bytes of YAML to records whose every name, question and call has been checked.

A scenario with a mistake is left out, the others stand.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from pathlib import Path

from attrs import evolve, field

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, Label, diagnose, did_you_mean, nearest, perhaps
from rulebook.dsl import document as d
from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl.overlay.variant import name_id
from rulebook.dsl.parsing.parser import parse_expression
from rulebook.dsl.reading.reader import read_file
from rulebook.dsl.settling.forbidding import find_forbidden
from rulebook.dsl.settling.options import Given as Asked
from rulebook.dsl.settling.options import Settled, settle_options
from rulebook.dsl.walk import everything
from rulebook.dsl.words import word_players
from rulebook.library import is_below, scenario_files, variants_of
from rulebook.loading.suppressions import heed_comments as settle_comments
from rulebook.playtest.scenarios.answers import Answer, Rest, Wanted, read_answers, read_rest, read_wanted
from rulebook.playtest.scenarios.expectations import Expectation, Holds, read_expectation, read_question
from rulebook.playtest.scenarios.given import Given, read_given
from rulebook.playtest.scenarios.ground import Ground, Grounds, Reader, misfit
from rulebook.source import Span, show_path

HEAD = {
    "variants": "Variants of the game, laid over it in this order for the scenarios of this file: `[long_night]`.",
    "scenarios": "Tests of the game, by title.",
}
"""The keys of a file of scenarios, and what each is for."""
FIELDS = {
    "about": "What it shows, for readers.",
    "options": "House rules: `{days: 1}`.",
    "given": "Who plays, and what lies where. All else lies in the box, and memory is at its start.",
    "from": "`start`: with the game's own set-up instead; then only `players` are given.",
    "seed": "What chance begins from.",
    "do": "A call or a list of calls: a rule, `card.hook(…)`; or `game`; `result` ends the game there.",
    "chance": "The outcomes of chance, in the order in which they are met; then chance decides.",
    "answers": "One entry for each decision: who answers, and what. Several players for a sealed one.",
    "rest": "Who answers after that: `first`, `random`, or `{not: [draw_a_ware]}`.",
    "until": "Where the rest stops: a question.",
    "expect": "What must be so at the end.",
}
"""The keys of a scenario, and what each is for."""
_REPEATED = "It does nothing, and expects only what it has given: a `do` is missing."
_RULES = (ir.AllCards, ir.AskHook, ir.Attribute, ir.ByOption, ir.CallValue, ir.IsFaceUp, ir.OptionValue)
"""Questions to which the rules have the answer, and not the table alone; so have those about what lies near."""
_NEAR = ("around", "beside", "cell", "column", "column_number", "row", "row_number")
_NAME = re.compile(r"[A-Za-z]\w*")
_SEED = re.compile(r"[0-9]{1,20}")


@frozen
class Scenario:
    """One test of a game, ready to run. `calls` is what `do` says, as a script, behind which the game `ends` or not;
    `seats` are the players' names.
    """

    title: str
    about: str
    file: str
    span: Span = field(eq=False, repr=False)
    ground: Ground = field(eq=False, repr=False)
    seats: tuple[str, ...] = field(repr=False)
    options: dict[str, Settled] = field(repr=False)
    seed: int = field(repr=False)
    given: Given = field(repr=False)
    calls: ir.Script | None = field(repr=False)
    ends: bool = field(repr=False)
    chance: tuple[Wanted, ...] = field(repr=False)
    answers: tuple[Answer, ...] = field(repr=False)
    rest: Rest | None = field(repr=False)
    until: ir.Expr | None = field(repr=False)
    expect: tuple[Expectation, ...] = field(repr=False)
    variants: tuple[str, ...] = field(default=(), repr=False)
    """The ids of those that its file names."""


WHEN_RUN = frozenset({"RB518", "RB520"})
"""Codes of what is found when a scenario is run, which who reads it does not do."""


def load_scenarios(
    game: Path,
    only: Path | None = None,
    variants: Sequence[Path] = (),
    given: Mapping[str, Asked] | None = None,
    *,
    meant: bool = False,
    use_cache: bool = False,
) -> tuple[list[Scenario], list[Diagnostic]]:
    """Load all scenarios of the game in a folder, or those of one file, and all that is wrong with them.

    If the game itself has mistakes, there are no scenarios: only whether their files can be read is said then. A file
    may name variants that are laid over the game for its scenarios; `variants` are laid over the game for all of them,
    and `given` are the house rules of those that do not say otherwise. `meant` and `use_cache` as `loading.load` has
    them. Raises BadSettings for house rules that the game cannot have.
    """
    grounds = Grounds(game, variants, given, meant=meant, use_cache=use_cache)
    scenarios, messages = scenarios_on(grounds, only)
    return scenarios, grounds.messages + messages


def scenarios_on(grounds: Grounds, only: Path | None = None) -> tuple[list[Scenario], list[Diagnostic]]:
    """Load the same, and only what is wrong with the scenarios; the grounds know what is wrong with the game."""
    alone = grounds.under()
    scenarios: list[Scenario] = []
    messages: list[Diagnostic] = []
    for file in scenario_files(grounds.game) if only is None else [only]:
        top, problems = read_file(file, show_path(file))
        if top is not None and alone is not None:
            scenarios += _read_scenarios(top, grounds, file, problems)
        files = [] if top is None else [top.span.file]
        complete = alone is not None and grounds.meant
        messages += settle_comments(problems, files, complete=complete, unlooked=WHEN_RUN)
    # What is wrong with the game for several scenarios is one mistake.
    return scenarios, list({message.key: message for message in reversed(messages)}.values())[::-1]


def count_scenarios(game: Path, only: Path | None = None) -> int:
    """Count the scenarios that stand there, with mistakes or without; a file that is no YAML has none."""
    tops = [read_file(file)[0] for file in (scenario_files(game) if only is None else [only])]
    listed = [top.get("scenarios") for top in tops if top is not None]
    return sum(len(mapping) for mapping in listed if isinstance(mapping, d.Mapping))


# ── one file ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def find_variant_beside(file: Path) -> Path | None:
    """Find the first variant that a file of scenarios names, which belongs to no game: it lies in the same folder."""
    top, _ = read_file(file, show_path(file))
    named = None if top is None else top.get("variants")
    names = [name.text for name in (named if isinstance(named, d.Sequence) else [named]) if isinstance(name, d.Scalar)]
    return _list_beside(file).get(names[0]) if names else None


def _list_beside(file: Path) -> dict[str, Path]:
    """List the files in the folder of one, by the ids of the variants in them."""
    return {name_id(other): other for other in sorted(file.parent.glob("*.yaml")) if other != file}


def _read_scenarios(top: d.Mapping, grounds: Grounds, file: Path, messages: list[Diagnostic]) -> list[Scenario]:
    """Read the scenarios of a file, in its order; `messages` has what is wrong in it, and gets more.

    There are none if the variants of the file are not there, or have mistakes.
    """
    for key in top:
        if key not in HEAD:
            span = top.keys_at[key].span
            help = did_you_mean(key, HEAD) or None
            messages.append(diagnose("RB110", span, help=help, thing="A file of scenarios", field=key))
    listed = top.get("scenarios")
    if listed is None:
        if not messages:
            messages.append(diagnose("RB111", top.span, thing="A file of scenarios", field="scenarios"))
        return []
    if not isinstance(listed, d.Mapping):
        messages.append(misfit(listed, "", "`scenarios`", "a map, with the title of each scenario as its key"))
        return []
    variants = _variants(top, grounds.game, file, messages)
    ground = None if variants is None else grounds.under(variants)
    if ground is None:
        return []
    scenarios = []
    mended = _find_mended(listed, messages)
    for title, node in listed.items():
        reader = Reader(ground, f"scenario {title}", listed.keys_at[title].span, [])
        scenario = _read_scenario(reader, title, node)
        idle = scenario is not None and (scenario.calls is None or not scenario.calls.body)
        idle = idle and scenario is not None and all(map(_only_looks, scenario.expect))
        if grounds.meant and idle and not reader.messages:
            reader.report("RB518", listed.keys_at[title].span, why=_REPEATED)
        messages += reader.messages
        fine = title not in mended and not any(message.severity == "error" for message in reader.messages)
        if scenario is not None and fine:
            scenarios.append(evolve(scenario, variants=tuple(name_id(path) for path in variants or ())))
    return scenarios


def _variants(top: d.Mapping, game: Path, file: Path, messages: list[Diagnostic]) -> list[Path] | None:
    """The files of the variants that a file of scenarios names; None if one is not there."""
    node = top.get("variants")
    if node is None:
        return []
    there = {} if is_below(file, game) else _list_beside(file)
    there |= {beside.stem: beside for beside in variants_of(game)}
    files: list[Path | None] = []
    for name in node if isinstance(node, d.Sequence) and node else [node]:
        if not isinstance(name, d.Scalar) or not name.text:
            messages.append(misfit(name, "", "`variants`", "names of variants, like `[long_night]`"))
        elif name.text not in there:
            help = did_you_mean(name.text, there) or None
            messages.append(diagnose("RB301", name.span, help=help, wanted="variant", name=name.text))
        files.append(there.get(name.text) if isinstance(name, d.Scalar) else None)
    known = [file for file in files if file is not None]
    return known if len(known) == len(files) else None


def _find_mended(listed: d.Mapping, messages: Sequence[Diagnostic]) -> set[str]:
    """Find the scenarios in which the file itself has a mistake: what was mended to read on may not be what was meant.
    """
    starts = sorted((key.span.start, title) for title, key in listed.keys_at.items())
    titles: set[str] = set()
    for message in messages:
        if message.severity == "error" and message.span is not None:
            titles |= set([title for start, title in starts if start <= message.span.start][-1:])
    return titles


def _option_text(node: d.Node) -> str | None:
    """A house rule as one text; steps may be a map, as in the rulebook. None if it is neither."""
    if isinstance(node, d.Scalar):
        return node.text
    if isinstance(node, d.Mapping):
        steps = [(least, entry.text) for least, entry in node.items() if isinstance(entry, d.Scalar)]
        return ",".join(f"{least}:{entry}" for least, entry in steps) if len(steps) == len(node) else None
    return None


# ── one scenario ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _read_scenario(reader: Reader, title: str, node: d.Node) -> Scenario | None:
    """Read the whole of it; None if it has no players to read the rest with."""
    if not isinstance(node, d.Mapping):
        reader.report_misfit(node, "A scenario", "a map with `given` and `expect`")
        return None
    for key in node:
        if key not in FIELDS:
            help = did_you_mean(key, FIELDS) or None
            reader.report("RB110", node.keys_at[key].span, help, thing="A scenario", field=key)
    given = node.get("given")
    if given is None:
        reader.report("RB111", reader.at, thing="A scenario", field="given")
        return None
    if not isinstance(given, d.Mapping):
        reader.report_misfit(given, "`given`", "a map, with `players` and what lies where")
        return None
    seats = _read_seats(reader, given)
    if not seats:
        return None
    reader = evolve(reader, seats=seats)
    about, answers, chance, rest = (node.get(field) for field in ("about", "answers", "chance", "rest"))
    _check_start(reader, node, given)
    return Scenario(
        title=title,
        about=about.text if isinstance(about, d.Scalar) else "",
        file=reader.at.file.name,
        span=reader.at,
        ground=reader.ground,
        seats=seats,
        options=_read_options(reader, node),
        seed=_read_seed(reader, node.get("seed")),
        given=read_given(reader, given),
        calls=_read_calls(reader, node),
        ends=any(_is_result(reader, leaf) for leaf in _list_done(node)),
        chance=read_wanted(reader, chance) if chance is not None else (),
        answers=read_answers(reader, answers) if answers is not None else (),
        rest=read_rest(reader, rest) if rest is not None else None,
        until=_read_until(reader, node),
        expect=_read_expect(reader, node.get("expect")),
    )


def _read_seats(reader: Reader, given: d.Mapping) -> tuple[str, ...]:
    """Read the names of the players; nobody if there is a mistake."""
    node = given.get("players")
    if node is None:
        slip = nearest("players", given)
        if slip is not None:
            help = perhaps(slip, ["players"])
            reader.report("RB110", given.keys_at[slip].span, help, thing="`given`", field=slip)
        else:
            reader.report("RB111", given.span, thing="`given`", field="players")
        return ()
    if not isinstance(node, d.Sequence):
        reader.report_misfit(node, "`players`", "a list of names, like `[Ana, Ben]`")
        return ()
    names: list[str] = []
    before = len(reader.messages)
    for leaf in node:
        name = leaf.text if isinstance(leaf, d.Scalar) else ""
        if not _NAME.fullmatch(name):
            reader.report_misfit(leaf, "The name of a player", "one word of letters, digits and `_`")
        elif name in names:
            reader.report("RB113", leaf.span, name=name)
        elif (other := _find_meaning(reader, name)) is not None:
            reader.report("RB305", leaf.span, name=name, one="a player", two=other)
        names.append(name)
    numbers = reader.ground.rulebook.players
    if len(names) not in numbers:
        wanted = f"{word_players(numbers)} names"
        reader.report("RB112", node.span, what="`players`", wanted=wanted, got=str(len(names)))
    return tuple(names) if len(reader.messages) == before else ()


def _find_meaning(reader: Reader, name: str) -> str | None:
    """Find what the game itself means by a name."""
    world = reader.ground.world
    declared: tuple[tuple[Container[str], str], ...] = (
        (world.places, "a place"),
        (world.memories, "a memory"),
        (world.cards, "a card"),
        (world.families, "a card"),
        (world.actions, "an action"),
        (world.concrete, "a kind"),
        (world.values, "a value"),
        (world.rules, "a rule"),
    )
    return next((f"{what} of the game" for names, what in declared if name in names), None)


def _check_start(reader: Reader, node: d.Mapping, given: d.Mapping) -> None:
    """Check that nothing lies anywhere before `from: start`, which keeps the game's own set-up."""
    begin = node.get("from")
    if begin is None:
        return
    if not isinstance(begin, d.Scalar) or begin.text != "start":
        reader.report_misfit(begin, "`from`", "`start`")
        return
    for key in given:
        if key != "players":
            help = "`from: start` keeps the game's own set-up. Name only the players, or leave `from` out."
            reader.report("RB110", given.keys_at[key].span, help, thing="What is given `from: start`", field=key)


def _read_options(reader: Reader, scenario: d.Mapping) -> dict[str, Settled]:
    """Read the house rules, each checked alone so that each message has its place; then look if they are forbidden."""
    rulebook, node = reader.ground.rulebook, scenario.get("options")
    texts: dict[str, str] = {}
    if node is not None and not isinstance(node, d.Mapping):
        reader.report_misfit(node, "`options`", "a map of options and their values")
        node = None
    for name, leaf in (node or {}).items():
        text = _option_text(leaf)
        if text is None:
            reader.report_misfit(leaf, f"`{name}`", "one value")
            continue
        _, problems = settle_options(rulebook.options, {name: text}, rulebook.units)
        if not problems:
            texts[name] = text
        elif name in rulebook.options:
            wanted = problems[0].partition("it must be ")[2].rstrip(".")
            reader.report("RB411", leaf.span, "", value=text, wanted=wanted)
        else:
            assert isinstance(node, d.Mapping)
            help = did_you_mean(name, rulebook.options) or None
            reader.report("RB301", node.keys_at[name].span, help, wanted="option", name=name)
    settled, _ = settle_options(rulebook.options, texts, rulebook.units)
    key = reader.at if node is None else scenario.keys_at["options"].span
    for forbidden, game in find_forbidden(rulebook, settled, len(reader.seats)):
        labels = [] if forbidden.at is None else [Label(forbidden.at.span, "forbidden here")]
        message = diagnose("RB720", key, where=reader.where, labels=labels, reason=forbidden.reason, game=game)
        reader.messages.append(message)
    return settled


def _read_seed(reader: Reader, node: d.Node | None) -> int:
    """Read what chance begins from; without a seed always the same."""
    if node is None:
        return 0
    digits = isinstance(node, d.Scalar) and node.text.isascii() and node.text.isdecimal()
    if isinstance(node, d.Scalar) and _SEED.fullmatch(node.text) and int(node.text) < 2**64:
        return int(node.text)
    reader.report_misfit(node, "`seed`", f"a whole number{f' up to {2**64 - 1}' if digits else ''}")
    return 0


def _list_done(node: d.Mapping) -> list[d.Node]:
    done = node.get("do")
    return [] if done is None else [*done] if isinstance(done, d.Sequence) else [done]


def _is_result(reader: Reader, leaf: d.Node) -> bool:
    """Tell whether this ends the game, for the `result` of the position as it is then."""
    return isinstance(leaf, d.Scalar) and leaf.text.strip() == "result" and "result" not in reader.ground.world.rules


def _read_calls(reader: Reader, node: d.Mapping) -> ir.Script | None:
    """Read `do`: one call or several, as one script."""
    done, start = node.get("do"), "from" in node
    if done is None and start:
        return ir.Script(reader.where, 0, ir.Slots((), ()), body=(ir.DoRule(ir.GAME, (), None),))
    if done is None:
        for field_ in ("answers", "chance", "rest", "until"):
            if field_ in node:
                reader.report("RB111", node.keys_at[field_].span, thing=f"A scenario with `{field_}`", field="do")
        return None
    e = reader.open_expressions()
    sentences: list[s.Statement] = []
    leaves = _list_done(node)
    for number, leaf in enumerate(leaves, 1):
        if _is_result(reader, leaf):
            if number < len(leaves):
                reader.report_misfit(leaf, "`result`", "the last line of `do`: the game ends there")
            continue
        if not isinstance(leaf, d.Scalar):
            help = "A call with a comma in it needs quotes, or a line of its own."
            reader.report_misfit(leaf, "A call", "a rule or `card.hook(…)`", help)
            continue
        tree, mistakes = parse_expression(leaf, reader.where)
        reader.messages.extend(mistakes)
        if tree is not None:
            sentences.append(s.Do(tree, None, None, at=tree.at))
    body = reader.open_statements(e).check_block(tuple(sentences))
    if start and not (body and isinstance(body[0], ir.DoRule) and body[0].script == ir.GAME):
        help = "To run one rule alone, leave `from: start` out."
        reader.report_misfit(done, "`do` after `from: start`", "`game`, which begins with the set-up", help)
    slots = ir.Slots(tuple(e.scope.names), tuple(e.scope.types))
    return ir.Script(reader.where, 0, slots, body=body, at=sentences[0].at if sentences else None)


def _read_until(reader: Reader, node: d.Mapping) -> ir.Expr | None:
    until = node.get("until")
    if until is None:
        return None
    if "rest" not in node:
        reader.report("RB111", node.keys_at["until"].span, thing="A scenario with `until`", field="rest")
    if not isinstance(until, d.Scalar):
        reader.report_misfit(until, "`until`", "a question")
        return None
    return read_question(reader, until)


def _read_expect(reader: Reader, node: d.Node | None) -> tuple[Expectation, ...]:
    """Read what must be so in the end; a scenario that expects nothing tests nothing."""
    if node is None:
        reader.report("RB111", reader.at, thing="A scenario", field="expect")
        return ()
    leaves = node if isinstance(node, d.Sequence) else [node]
    if not leaves:
        reader.report("RB112", node.span, what="`expect`", wanted="a list with at least one line", got="an empty one")
    read = [read_expectation(reader, leaf) for leaf in leaves]
    return tuple(leaf for leaf in read if leaf is not None)


def _only_looks(line: Expectation) -> bool:
    """Tell whether a line only asks what lies where and what is remembered."""
    nodes = everything(line.form.question) if isinstance(line.form, Holds) else []
    rules = any(isinstance(node, _RULES) or (isinstance(node, ir.BuiltIn) and node.name in _NEAR) for node in nodes)
    return bool(nodes) and not rules
