"""A scenario file, read: from the bytes of YAML to scenarios whose every name, question and call has been
checked.

In: a file and the grounds of its game. Out: `Scenario` records, and a message for all that is wrong, each in
its place; a scenario with a mistake is left out, the others stand. Never: runs anything.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any

from attrs import field, frozen

from rulebook.diagnostics import Diagnostic, Label, diagnose, did_you_mean, nearest, perhaps
from rulebook.dsl import document as d
from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl.parsing.parser import parse_expression
from rulebook.dsl.reading.reader import read_file
from rulebook.dsl.settling.forbidding import forbidden
from rulebook.dsl.settling.options import Settled, settle
from rulebook.library import variants_of
from rulebook.playtest.scenarios.answers import Answer, Rest, Wanted, read_answers, read_rest, read_wanted
from rulebook.playtest.scenarios.expectations import Expectation, read_expectation, read_question
from rulebook.playtest.scenarios.given import Given, read_given
from rulebook.playtest.scenarios.ground import Ground, Grounds, Question
from rulebook.source import Span

__all__ = ["FIELDS", "HEAD", "Scenario", "read_scenarios"]

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
    "do": "A call or a list of calls: a rule, `card.hook(…)`; or `game`.",
    "chance": "The outcomes of chance, in the order in which they are met; then chance decides.",
    "answers": "One entry for each decision: who answers, and what. Several players for a sealed one.",
    "rest": "Who answers after that: `first`, `random`, or `{not: [draw_a_ware]}`.",
    "until": "Where the rest stops: a question.",
    "expect": "What must be so at the end.",
}
"""The keys of a scenario, and what each is for."""
_NAME = re.compile(r"[A-Za-z]\w*")
_SEED = re.compile(r"[0-9]{1,20}")


@frozen
class Scenario:
    """One test of a game, ready to run. `calls` is what `do` says, as a script; `seats` are the players' names."""

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
    chance: tuple[Wanted, ...] = field(repr=False)
    answers: tuple[Answer, ...] = field(repr=False)
    rest: Rest | None = field(repr=False)
    until: Question | None = field(repr=False)
    expect: tuple[Expectation, ...] = field(repr=False)


def read_scenarios(path: Path, grounds: Grounds, shown: str | None = None) -> tuple[list[Scenario], list[Diagnostic]]:
    """The scenarios of a file, in its order; `shown` is how messages call the file.

    There are none if the variants of the file are not there, or have mistakes.
    """
    top, found = read_file(path, shown)
    if top is None:
        return [], found
    for key in top:
        if key not in HEAD:
            span = top.keys_at[key].span
            help = did_you_mean(key, HEAD) or None
            found.append(diagnose("RB110", span, help=help, thing="A file of scenarios", field=key))
    listed = top.get("scenarios")
    if listed is None:
        if not found:
            found.append(diagnose("RB111", top.span, thing="A file of scenarios", field="scenarios"))
        return [], found
    if not isinstance(listed, d.Mapping):
        found.append(_misfit(listed, "", "`scenarios`", "a map, with the title of each scenario as its key"))
        return [], found
    variants = _variants(top, grounds.game, found)
    ground = None if variants is None else grounds.under(variants)
    if ground is None:
        return [], found
    scenarios = []
    mended = _mended(listed, found)
    for title, node in listed.items():
        mine: list[Diagnostic] = []
        scenario = _Reading(ground, title, listed.keys_at[title].span, mine).scenario(node, shown or str(path))
        found += mine
        fine = title not in mended and not any(one.severity == "error" for one in mine)
        if scenario is not None and fine:
            scenarios.append(scenario)
    return scenarios, found


def _variants(top: d.Mapping, game: Path, found: list[Diagnostic]) -> list[Path] | None:
    """The files of the variants that a file of scenarios names; None if one is not there."""
    node = top.get("variants")
    if node is None:
        return []
    there = {file.stem: file for file in variants_of(game)}
    files: list[Path | None] = []
    for one in node if isinstance(node, d.Sequence) and node else [node]:
        if not isinstance(one, d.Scalar) or not one.text:
            found.append(_misfit(one, "", "`variants`", "names of variants, like `[long_night]`"))
        elif one.text not in there:
            help = did_you_mean(one.text, there) or None
            found.append(diagnose("RB301", one.span, help=help, wanted="variant", name=one.text))
        files.append(there.get(one.text) if isinstance(one, d.Scalar) else None)
    known = [file for file in files if file is not None]
    return known if len(known) == len(files) else None


def _mended(listed: d.Mapping, found: Sequence[Diagnostic]) -> set[str]:
    """The scenarios in which the file itself has a mistake: what was mended to read on may not be what was meant."""
    starts = sorted((key.span.start, title) for title, key in listed.keys_at.items())
    titles: set[str] = set()
    for one in found:
        if one.severity == "error" and one.span is not None:
            titles |= set([title for start, title in starts if start <= one.span.start][-1:])
    return titles


def _misfit(node: d.Node, where: str, what: str, wanted: str, help: str | None = None) -> Diagnostic:
    got = f"`{node.text}`" if isinstance(node, d.Scalar) and node.text else d.kind_of(node)
    return diagnose("RB112", node.span, where=where, help=help, what=what, wanted=wanted, got=got)


def _option_text(node: d.Node) -> str | None:
    """A house rule as one text; steps may be a map, as in the rulebook. None if it is neither."""
    if isinstance(node, d.Scalar):
        return node.text
    if isinstance(node, d.Mapping):
        steps = [(least, entry.text) for least, entry in node.items() if isinstance(entry, d.Scalar)]
        return ",".join(f"{least}:{entry}" for least, entry in steps) if len(steps) == len(node) else None
    return None


class _Reading:
    """Reads one scenario."""

    def __init__(self, ground: Ground, title: str, span: Span, found: list[Diagnostic]) -> None:
        self.ground, self.title, self.span, self.found = ground, title, span, found
        self.where = f"scenario {title}"

    def report(self, code: str, span: Span, help: str | None = None, **values: Any) -> None:
        self.found.append(diagnose(code, span, where=self.where, help=help, **values))

    def misfit(self, node: d.Node, what: str, wanted: str, help: str | None = None) -> None:
        self.found.append(_misfit(node, self.where, what, wanted, help))

    def scenario(self, node: d.Node, file: str) -> Scenario | None:
        """The whole of it; None if it has no players to read the rest with."""
        if not isinstance(node, d.Mapping):
            self.misfit(node, "A scenario", "a map with `given` and `expect`")
            return None
        for key in node:
            if key not in FIELDS:
                help = did_you_mean(key, FIELDS) or None
                self.report("RB110", node.keys_at[key].span, help, thing="A scenario", field=key)
        given = node.get("given")
        if given is None:
            self.report("RB111", self.span, thing="A scenario", field="given")
            return None
        if not isinstance(given, d.Mapping):
            self.misfit(given, "`given`", "a map, with `players` and what lies where")
            return None
        seats = self.seats(given)
        if not seats:
            return None
        about, answers, chance = node.get("about"), node.get("answers"), node.get("chance")
        self.start(node, given)
        return Scenario(
            title=self.title,
            about=about.text if isinstance(about, d.Scalar) else "",
            file=file,
            span=self.span,
            ground=self.ground,
            seats=seats,
            options=self.options(node, len(seats)),
            seed=self.seed(node.get("seed")),
            given=read_given(self.ground, given, seats, self.where, self.found),
            calls=self.calls(node, seats),
            chance=read_wanted(self.ground, chance, seats, self.where, self.found) if chance is not None else (),
            answers=read_answers(self.ground, answers, seats, self.where, self.found) if answers is not None else (),
            rest=self.rest(node, seats),
            until=self.until(node, seats),
            expect=self.expect(node.get("expect"), seats),
        )

    # ── who plays, and how it begins ──

    def seats(self, given: d.Mapping) -> tuple[str, ...]:
        """The names of the players; nobody if there is a mistake."""
        node = given.get("players")
        if node is None:
            slip = nearest("players", given)
            if slip is not None:
                help = perhaps(slip, ["players"])
                self.report("RB110", given.keys_at[slip].span, help, thing="`given`", field=slip)
            else:
                self.report("RB111", given.span, thing="`given`", field="players")
            return ()
        if not isinstance(node, d.Sequence):
            self.misfit(node, "`players`", "a list of names, like `[Ana, Ben]`")
            return ()
        names: list[str] = []
        before = len(self.found)
        for leaf in node:
            name = leaf.text if isinstance(leaf, d.Scalar) else ""
            if not _NAME.fullmatch(name):
                self.misfit(leaf, "The name of a player", "one word of letters, digits and `_`")
            elif name in names:
                self.report("RB113", leaf.span, name=name)
            elif (other := self.meaning(name)) is not None:
                self.report("RB305", leaf.span, name=name, one="a player", two=other)
            names.append(name)
        least, most = self.ground.rulebook.players
        if not least <= len(names) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            self.report("RB112", node.span, what="`players`", wanted=f"{wanted} names", got=str(len(names)))
        return tuple(names) if len(self.found) == before else ()

    def meaning(self, name: str) -> str | None:
        """What the game itself means by a name."""
        world = self.ground.world
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

    def start(self, node: d.Mapping, given: d.Mapping) -> None:
        """`from: start` keeps the game's own set-up, so nothing can lie anywhere before it."""
        begin = node.get("from")
        if begin is None:
            return
        if not isinstance(begin, d.Scalar) or begin.text != "start":
            self.misfit(begin, "`from`", "`start`")
            return
        for key in given:
            if key != "players":
                help = "`from: start` keeps the game's own set-up. Name only the players, or leave `from` out."
                self.report("RB110", given.keys_at[key].span, help, thing="What is given `from: start`", field=key)

    def options(self, scenario: d.Mapping, players: int) -> dict[str, Settled]:
        """The house rules, each checked alone so that each message has its place; then whether they are forbidden."""
        rulebook, node = self.ground.rulebook, scenario.get("options")
        given: dict[str, str] = {}
        if node is not None and not isinstance(node, d.Mapping):
            self.misfit(node, "`options`", "a map of options and their values")
            node = None
        for name, leaf in (node or {}).items():
            text = _option_text(leaf)
            if text is None:
                self.misfit(leaf, f"`{name}`", "one value")
                continue
            _, problems = settle(rulebook.options, {name: text}, rulebook.units)
            if not problems:
                given[name] = text
            elif name in rulebook.options:
                wanted = problems[0].partition("it must be ")[2].rstrip(".")
                self.report("RB411", leaf.span, "", value=text, wanted=wanted)
            else:
                assert isinstance(node, d.Mapping)
                help = did_you_mean(name, rulebook.options) or None
                self.report("RB301", node.keys_at[name].span, help, wanted="option", name=name)
        settled, _ = settle(rulebook.options, given, rulebook.units)
        key = self.span if node is None else scenario.keys_at["options"].span
        for one, game in forbidden(rulebook, settled, players):
            labels = [] if one.at is None else [Label(one.at.span, "forbidden here")]
            found = diagnose("RB720", key, where=self.where, labels=labels, reason=one.reason, game=game)
            self.found.append(found)
        return settled

    def seed(self, node: d.Node | None) -> int:
        """What chance begins from; without a seed always the same."""
        if node is None:
            return 0
        digits = isinstance(node, d.Scalar) and node.text.isascii() and node.text.isdecimal()
        if isinstance(node, d.Scalar) and _SEED.fullmatch(node.text) and int(node.text) < 2**64:
            return int(node.text)
        self.misfit(node, "`seed`", f"a whole number{f' up to {2**64 - 1}' if digits else ''}")
        return 0

    # ── what happens ──

    def calls(self, node: d.Mapping, seats: Sequence[str]) -> ir.Script | None:
        """`do`: one call or several, as one script."""
        done, start = node.get("do"), "from" in node
        if done is None and start:
            return ir.Script(self.where, 0, ir.Slots((), ()), hook=False, body=(ir.DoRule(ir.GAME, (), None),))
        if done is None:
            for field_ in ("answers", "chance", "rest", "until"):
                if field_ in node:
                    self.report("RB111", node.keys_at[field_].span, thing=f"A scenario with `{field_}`", field="do")
            return None
        e = self.ground.expressions(seats, self.where, self.found)
        sentences: list[s.Statement] = []
        for leaf in done if isinstance(done, d.Sequence) else [done]:
            if not isinstance(leaf, d.Scalar):
                help = "A call with a comma in it needs quotes, or a line of its own."
                self.misfit(leaf, "A call", "a rule or `card.hook(…)`", help)
                continue
            tree, mistakes = parse_expression(leaf, self.where)
            self.found += mistakes
            if tree is not None:
                sentences.append(s.Do(tree, None, None, at=tree.at))
        body = self.ground.statements(e).block(tuple(sentences))
        if start and body and not (isinstance(body[0], ir.DoRule) and body[0].script == ir.GAME):
            help = "To run one rule alone, leave `from: start` out."
            self.misfit(done, "`do` after `from: start`", "`game`, which begins with the set-up", help)
        slots = ir.Slots(tuple(e.scope.names), tuple(e.scope.types))
        return ir.Script(self.where, 0, slots, hook=False, body=body, at=sentences[0].at if sentences else None)

    def rest(self, node: d.Mapping, seats: Sequence[str]) -> Rest | None:
        """How it goes on after the answers."""
        rest = node.get("rest")
        return None if rest is None else read_rest(self.ground, rest, seats, self.where, self.found)

    def until(self, node: d.Mapping, seats: Sequence[str]) -> Question | None:
        """When it stops."""
        until = node.get("until")
        if until is None:
            return None
        if "rest" not in node:
            self.report("RB111", node.keys_at["until"].span, thing="A scenario with `until`", field="rest")
        if not isinstance(until, d.Scalar):
            self.misfit(until, "`until`", "a question")
            return None
        return read_question(self.ground, until, seats, self.where, self.found)

    def expect(self, node: d.Node | None, seats: Sequence[str]) -> tuple[Expectation, ...]:
        """What must be so in the end; a scenario that expects nothing tests nothing."""
        if node is None:
            self.report("RB111", self.span, thing="A scenario", field="expect")
            return ()
        leaves = node if isinstance(node, d.Sequence) else [node]
        if not leaves:
            self.misfit(node, "`expect`", "a list with at least one line")
        read = [read_expectation(self.ground, one, seats, self.where, self.found) for one in leaves]
        return tuple(one for one in read if one is not None)
