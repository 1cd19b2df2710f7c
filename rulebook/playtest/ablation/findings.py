"""Findings of games and their mutants: what nobody could notice, and what was always the same.

In: `Played`. Out: `Finding`s, in the order of what hurts. Never: a sentence for people; anything of games that come to
no end.

Told is what holds for certain in so many games that chance is no excuse; listed is what may well be meant. Each bound
and exception stands for messages that were false without it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from enum import Enum

from attrs import evolve

from rulebook.classes import frozen
from rulebook.diagnostics import LISTED
from rulebook.dsl import ir
from rulebook.dsl.document import At
from rulebook.dsl.settling.options import setting_text
from rulebook.dsl.types import NUMBER, YES_NO
from rulebook.dsl.walk import nodes
from rulebook.playtest.ablation.playing import Noted, Played
from rulebook.playtest.ablation.wrapping import MEMORIES, STYLE, Mutant, Role, Site, find_memories

OFTEN, VERY_OFTEN, ANSWERS, _ASKED = 50, 1000, 100, 300
"""The least times before a finding is told: done or looked at; a line that was always 0; answered otherwise; asked."""
_LISTED = 20
"""The same for what is listed."""
_SELDOM = 0.05
"""The part of all times below which a rule may be meant not to find anything."""


class Kind(Enum):
    """The sorts of findings, those that hurt most first: the code of each, and what was seen, without numbers. These
    differ after each edit, and a baseline would know nothing any more.
    """

    LIES_THERE = "RB730", "What this moves lay there already each time"
    ANSWER = "RB731", "Other answers were given{detail}, and nobody could notice"
    NO_OPTION = "RB732", "There was never anything to choose{detail}"
    READS_NOTHING = "RB733", "This was nothing when it was said"
    NEVER_MAY = "RB704", "The answer was always no"
    SAME_LINE = "RB734", "This was always as much as `{detail}`"
    SENTENCE = "RB735", "This was left out, and nobody could notice"
    CONDITION = "RB735", "This was answered otherwise, and nobody could notice"
    MEMORY = "RB736", "`{name}` was the same whenever it was read"
    ALWAYS_ZERO = "RB736", "This line was always 0"
    DRAWS_NOTHING = "RB736", "The number of what is taken was always 0"
    KEY = "RB735", "This key was left out, and nobody could notice"
    SAME_ORDER = "RB736", "`{name}` began with the same cards in the same order"
    NO_WINNER = "RB736", "Nobody ever won"
    ALL_WIN = "RB736", "Everybody always won, for all were equal"
    NO_RESULT = "RB736", "Everybody always won, for no `result` and no `win` says who does"
    CARD = "RB737", "`{name}` never left the box"
    SCRIPT = "RB737", "This script never ran"
    PLACE = "RB737", "Nothing ever lay in `{name}`"
    CANNOT = LISTED, "The action was possible, and at times there was nothing to choose{detail}"
    DOES_NOTHING = LISTED, "The action was possible, and at times there was nothing to move"
    RAN_OUT = LISTED, "At times nothing was left to draw, and what lies in `{detail}` never comes back"
    MOVES_NOTHING = LISTED, "There was never anything to move"
    SET_ALREADY = LISTED, "It was always so already"
    SHOWN_ALREADY = LISTED, "Nobody ever learned anything from this"
    NEVER_YES = LISTED, "The answer was always no"
    NEVER_NO = LISTED, "The answer was always yes"
    AS_IF = LISTED, "This was taken for a {detail}, and nobody could notice"
    PART = LISTED, "This was taken for {detail}, and nobody could notice"
    CONSTANT = LISTED, "This was always {detail}"
    OPTION = LISTED, "With `{name}={detail}` games were the same, and nobody could notice"
    FORCED = LISTED, "There was never more than one answer{detail}"
    UNREACHED = LISTED, "This never ran"


@frozen
class Finding:
    """One thing that was found: at a place in the rules, or about what is called `name`; `times` how often, `detail`
    more that is known.
    """

    kind: Kind
    at: At | None
    name: str
    times: int
    detail: str = ""
    is_told: bool = True


def find_all(rulebook: ir.Rulebook, played: Played) -> list[Finding]:
    """Find everything, those first that hurt most; one mistake once. Of games that come to no end it is only told what
    never ended them.
    """
    if not played.is_sound:
        return [*_find_ends_that_never_come(played)]
    findings = [
        *_find_things(rulebook, played),
        *_find_mutants(played),
        *_find_effects(played),
        *_find_vain_deeds(rulebook, played),
        *_find_steady_values(played),
        *_find_idle_choices(rulebook, played),
    ]
    if rulebook.variants or played.left_out:
        # Part of a game that a variant has no use for is no mistake of either; all may hang on settings left out.
        kinds = [*Kind] if played.left_out else (Kind.CARD, Kind.SCRIPT, Kind.PLACE)
        findings = [
            evolve(finding, is_told=False)
            if finding.kind in kinds and (played.left_out or not _is_of_variant(rulebook, finding))
            else finding
            for finding in findings
        ]
    order = [*Kind]
    findings.sort(key=lambda finding: (order.index(finding.kind), -finding.times))
    return [*_without_followers(played, findings)]


def _is_of_variant(rulebook: ir.Rulebook, finding: Finding) -> bool:
    """Tell whether a finding is about what the last of its variants brings itself."""
    *_, last = rulebook.variants or ("",)
    file = "" if finding.at is None else finding.at.span.file.name
    return file.replace("\\", "/").rpartition("/")[2] == f"{last}.yaml"


def _find_ends_that_never_come(played: Played) -> Iterator[Finding]:
    """Find the conditions that were always no, and behind which somebody wins, is out, or a loop ends."""
    sites = played.wrapped.sites
    for finding in _find_steady_values(played):
        around = [site.around for site in sites if site.at == finding.at and site.role is Role.DECIDES]
        ends = any(
            isinstance(node, ir.Win | ir.Eliminate | ir.Leave | ir.EndStage)
            for number in around
            if number is not None
            for node in nodes(sites[number].node)
        )
        if finding.kind in (Kind.NEVER_YES, Kind.NEVER_MAY) and (ends or finding.kind is Kind.NEVER_MAY):
            yield evolve(finding, kind=Kind.NEVER_YES, is_told=False)


# ── mutants that nobody noticed ──────────────────────────────────────────────────────────────────


def _find_mutants(played: Played) -> Iterator[Finding]:
    measured, often = played.wrapped.unwatched, count_plainly(played)
    settled = played.noticed | played.untried
    unnoticed: dict[int, list[Mutant]] = defaultdict(list)
    for mutant in played.wrapped.mutants:
        number = mutant.number
        if played.mattered[number] and number not in settled:
            unnoticed[mutant.site.number].append(mutant)
    for mutants in unnoticed.values():
        site, first = mutants[0].site, mutants[0]
        times = min(played.mattered[mutant.number] for mutant in mutants)
        if site.role is None:
            times = often[site.number]
            is_told = not isinstance(site.node, STYLE) and measured.isdisjoint(find_memories(site.node))
            kind = Kind.SENTENCE
        elif len(mutants) == 2 and _is_yes_or_no(first):
            # Decided by house rules alone it is a switch; of what it decides the sentences are told.
            is_told = site.role is not Role.DECIDES or site.around is None or often[site.around] >= OFTEN
            is_told = is_told and not _asks_only_options(site.node)
            kind = Kind.CONDITION
        elif site.role is Role.KEY:
            # Who has the same in every setting, or what is decided before, are decided by nothing.
            kind, is_told = Kind.KEY, not played.values[site.number].varied
        elif _is_yes_or_no(first):
            kind, is_told = Kind.AS_IF, False
        else:
            kind, is_told = Kind.PART, False
        if times >= _LISTED:
            yield Finding(kind, site.at, site.name, times, first.instead or "", is_told and times >= OFTEN)


def count_plainly(played: Played) -> dict[int, int]:
    """Count by sentence how often it changed something, one with a block as often as the sentence in it that did most;
    what a script that is called does is told of its own sentences.
    """
    sites, often = played.wrapped.sites, dict[int, int]()
    for mutant in played.wrapped.mutants:
        site = mutant.site
        if site.role is not None:
            continue
        often.setdefault(site.number, 0)
        if isinstance(site.node, ir.If | ir.Loop | ir.Stage | ir.Menu | ir.Let | ir.DoRule | ir.DoHook):
            continue
        around: int | None = site.number
        while around is not None:
            often[around] = max(often.get(around, 0), played.mattered[mutant.number])
            around = sites[around].around
    return often


def _is_yes_or_no(mutant: Mutant) -> bool:
    return mutant.instead in ("yes", "no")


def _asks_only_options(node: ir.Sentence | ir.Node) -> bool:
    inside = nodes(node)
    asks = any(isinstance(part, ir.OptionValue) for part in inside)
    return asks and all(isinstance(part, _OF_OPTIONS) for part in inside)


_OF_OPTIONS = (ir.OptionValue, ir.Const, ir.Compare, ir.Within, ir.Not, ir.And, ir.Or, ir.Seats, ir.BuiltIn)


# ── sentences that change nothing where they run ─────────────────────────────────────────────────

_ALREADY = {
    ir.Move: Kind.LIES_THERE, ir.Assign: Kind.SET_ALREADY, ir.Show: Kind.SHOWN_ALREADY, ir.Reveal: Kind.SHOWN_ALREADY,
}  # fmt: skip


def _find_effects(played: Played) -> Iterator[Finding]:
    for mutant in played.wrapped.mutants:
        kind = _ALREADY.get(type(mutant.site.node)) if mutant.site.role is None else None
        times = played.reached[mutant.number]
        empty = played.empty[mutant.number]
        if kind is not None and times >= _LISTED and not played.mattered[mutant.number]:
            kind = Kind.MOVES_NOTHING if empty == times and kind is Kind.LIES_THERE else kind
            yield Finding(kind, mutant.site.at, "", times, is_told=kind.value[0] != LISTED and times - empty >= OFTEN)


def _find_vain_deeds(rulebook: ir.Rulebook, played: Played) -> Iterator[Finding]:
    """Report what an action moves that need not be there though the action is possible, and draws from a pile that ran
    out while cards lie where nothing is ever taken from.
    """
    dead_ends = _find_dead_ends(rulebook)
    for mutant in played.wrapped.mutants:
        site, node = mutant.site, mutant.site.node
        times, empty = played.reached[mutant.number], played.empty[mutant.number]
        if site.role is not None or not isinstance(node, ir.Moving) or not _is_now_and_then(empty, times):
            continue
        if _is_guarded(rulebook, site.owner) and (
            not isinstance(node, ir.Drawing) or rulebook.scripts[site.owner].body == (node,)
        ):
            yield Finding(Kind.DOES_NOTHING, site.at, "", empty, is_told=False)
            continue
        match node:
            case ir.Drawing(source=ir.PlaceOf(name)) if rulebook.places[name].kept in ("pile", "bag"):
                kinds = rulebook.places[name].holds
                lying = [place for place in dead_ends if place.holds >= kinds and place.name in played.filled]
                if rulebook.places[name].refill is None and lying:
                    yield Finding(Kind.RAN_OUT, site.at, name, empty, lying[0].name, is_told=False)


def _is_now_and_then(times: int, of: int) -> bool:
    return times >= _LISTED and _SELDOM * of <= times < of


def _is_guarded(rulebook: ir.Rulebook, script: str) -> bool:
    """Tell whether a script is what an action does that says when it is possible."""
    section, _, rest = script.partition(".")
    return section == "actions" and f"actions.{rest.partition('.')[0]}.possible" in rulebook.functions


def _find_dead_ends(rulebook: ir.Rulebook) -> list[ir.PlaceDef]:
    """Find the places of the table from which no rule takes anything: only how many lie there may be asked."""
    questions = [one for one in rulebook.functions.values() if one.type not in (YES_NO, NUMBER)]
    bodies = (*(one.body for one in rulebook.scripts.values()), *(one.body for one in questions))
    goals = [goal for moving in nodes(bodies) if isinstance(moving, ir.Moving) for goal in ir.find_goals(moving)]
    filled = Counter(goal.name for goal in goals if isinstance(goal, ir.PlaceOf))
    named = Counter(place.name for place in nodes(bodies) if isinstance(place, ir.PlaceOf))
    refills = {place.refill for place in rulebook.places.values()}
    return [
        place
        for name, place in rulebook.places.items()
        if place.owner == "table" and named[name] == filled[name] > 0 and name not in refills
    ]


# ── values that are always the same ──────────────────────────────────────────────────────────────


def _find_steady_values(played: Played) -> Iterator[Finding]:
    memories: dict[str, list[tuple[Site, Noted]]] = defaultdict(list)
    lines: dict[tuple[str, Role, tuple[int, ...]], list[Site]] = defaultdict(list)
    for site, noted in zip(played.wrapped.sites, played.values, strict=True):
        if isinstance(site.node, MEMORIES):
            memories[site.node.name].append((site, noted))
        if site.role in (Role.LINE, Role.KEY) and noted.differs and noted.times >= OFTEN:
            lines[site.owner, site.role, noted.sequences].append(site)
        if site.role is Role.TOLD:
            if noted.none:
                yield Finding(Kind.READS_NOTHING, site.at, "", noted.none, is_told=noted.none >= OFTEN)
        elif noted.times >= _LISTED:
            yield from _find_constant(site, noted)
    for name, reads in memories.items():
        times = sum(noted.times for _, noted in reads)
        looked_at = [noted for _, noted in reads if noted.times]
        is_same = all(noted.is_one and noted.first == looked_at[0].first for noted in looked_at)
        if is_same and times >= OFTEN and name not in played.wrapped.unwatched:
            yield Finding(Kind.MEMORY, reads[0][0].at, name, times)
    for alike in lines.values():
        for other in alike[1:]:
            times = played.values[other.number].times
            same = alike[0].name if alike[0].role is Role.LINE else alike[0].words
            yield Finding(Kind.SAME_LINE, other.at, other.name, times, same)


def _find_constant(site: Site, noted: Noted) -> Iterator[Finding]:
    is_zero = noted.is_one and noted.least == noted.most == 0
    match site.role:
        case Role.LINE if is_zero:
            yield Finding(Kind.ALWAYS_ZERO, site.at, site.name, noted.times, is_told=noted.times >= VERY_OFTEN)
        case Role.COUNT if is_zero:
            yield Finding(Kind.DRAWS_NOTHING, site.at, "", noted.times, is_told=noted.times >= OFTEN)
        case Role.NUMBER | Role.ROUNDS if noted.is_one and not _asks_only_options(site.node):
            word = "nothing" if noted.none else f"{noted.least}"
            yield Finding(Kind.CONSTANT, site.at, "", noted.times, word, False)
        case Role.MEMORY | Role.TOLD | Role.KEY | Role.LINE | Role.COUNT | Role.NUMBER | Role.ROUNDS | Role.SUMMAND:
            return
        case _ if not isinstance(site.node, ir.Node) or site.node.type != YES_NO:
            return
        case _ if not noted.yes and _is_asked_of_it(site) and noted.times >= _ASKED:
            name = site.owner if site.role is Role.ANSWER else site.name
            yield Finding(Kind.NEVER_MAY, site.at, name, noted.times)
        case _ if not noted.yes:
            yield Finding(Kind.NEVER_YES, site.at, site.name, noted.times, is_told=False)
        case Role.PART | Role.OTHER_PART | Role.WHERE | Role.DECIDES | Role.NEEDED if noted.yes == noted.times:
            yield Finding(Kind.NEVER_NO, site.at, site.name, noted.times, is_told=False)


def _is_asked_of_it(site: Site) -> bool:
    """Tell whether a yes decides that something may be done or is over: of a card or action, of a line with a name."""
    is_own = site.owner.partition(".")[0] in ("cards", "actions")
    return site.role is Role.NEEDED or site.role is Role.UNTIL or (site.role is Role.ANSWER and is_own)


# ── choices ──────────────────────────────────────────────────────────────────────────────────────


def _find_idle_choices(rulebook: ir.Rulebook, played: Played) -> Iterator[Finding]:
    choices = {site.at: site for site in played.wrapped.sites if isinstance(site.node, ir.Choose)}
    names_at = Counter(at for at, _ in played.choices)
    for (at, name), asked in played.choices.items():
        # Of several that one sentence asks for it is said which.
        which = f" for `{name}`" if names_at[at] > 1 and name else ""
        if asked.otherwise >= ANSWERS and not asked.is_noticed and asked.is_tried:
            yield Finding(Kind.ANSWER, at, name, asked.otherwise, which or " here")
        elif asked.shut >= OFTEN and not asked.open:
            yield Finding(Kind.NO_OPTION, at, name, asked.shut, which)
        elif at in choices and _is_sure_to_find(choices[at].node) and _is_guarded(rulebook, choices[at].owner):
            if _is_now_and_then(asked.shut, asked.shut + asked.open):
                yield Finding(Kind.CANNOT, at, name, asked.shut, which, is_told=False)
        elif asked.open >= OFTEN and not asked.asked:
            yield Finding(Kind.FORCED, at, name, asked.open, which, is_told=False)


def _is_sure_to_find(choice: object) -> bool:
    """Tell whether a choice says nothing of there being nothing to choose."""
    return isinstance(choice, ir.Choose) and not choice.may and not choice.otherwise


# ── things ───────────────────────────────────────────────────────────────────────────────────────


def _find_things(rulebook: ir.Rulebook, played: Played) -> Iterator[Finding]:
    games = played.games
    if games < 2 * OFTEN:
        return
    for name, lying in played.piles.items():
        if lying.begun >= OFTEN and not lying.otherwise and lying.hidden:
            yield Finding(Kind.SAME_ORDER, rulebook.places[name].at, name, lying.begun)
    yield from _find_winners(rulebook, played)
    family = {card: name for name, cards in rulebook.families.items() for card in cards}
    used = {family.get(card, card) for card in played.used}
    for card, definition in rulebook.cards.items():
        if family.get(card, card) not in used:
            used.add(family.get(card, card))
            yield Finding(Kind.CARD, definition.at, family.get(card, card), games)
    for place in rulebook.places:
        if place in played.piles.keys() - played.filled:
            yield Finding(Kind.PLACE, rulebook.places[place].at, place, games)
    for (name, value), alike in played.alike.items():
        option = rulebook.options[name]
        if alike >= OFTEN:
            detail = setting_text(option, value, rulebook.units)
            yield Finding(Kind.OPTION, option.at, name, alike, detail, is_told=False)
    yield from _find_unreached(rulebook, played)


def _find_winners(rulebook: ir.Rulebook, played: Played) -> Iterator[Finding]:
    """Report that nobody ever wins, or everybody because nothing tells them apart."""
    rank, payoff = rulebook.result.rank, rulebook.result.payoff
    at = payoff.at if payoff is not None else rank[0].value.at if rank else None
    wins = [mutant for mutant in played.wrapped.mutants if isinstance(mutant.site.node, ir.Win)]
    reached = [mutant.site.at for mutant in wins if played.reached[mutant.number]]
    if played.over < OFTEN:
        return
    if played.won_by_nobody == played.over:
        # Who plays at random may be beaten by the rules each time, alone or together; then nothing says `win` to them.
        is_told = not played.ranked and len(reached) == len(wins)
        yield Finding(Kind.NO_WINNER, reached[0] if len(reached) == 1 else at, "", played.games, is_told=is_told)
    elif played.won_by_all == played.over and played.least > 1:
        kind = Kind.ALL_WIN if at is not None or wins else Kind.NO_RESULT
        game = rulebook.scripts.get("rules.game")
        yield Finding(kind, at if game is None or at is not None else game.at, "", played.games)


def _find_unreached(rulebook: ir.Rulebook, played: Played) -> Iterator[Finding]:
    """Report scripts of which no sentence ran; a card whose other scripts ran is used, and only listed."""
    scripts: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in played.wrapped.mutants:
        if mutant.site.role is None and mutant.site.owner in rulebook.scripts:
            scripts[mutant.site.owner].append(mutant)
    ran = {name for name, mutants in scripts.items() if any(played.reached[mutant.number] for mutant in mutants)}
    for name, mutants in scripts.items():
        if name not in ran:
            thing = ".".join(name.split(".")[:2]) + "."
            is_told = not (thing.startswith("cards.") and any(other.startswith(thing) for other in ran))
            yield Finding(Kind.SCRIPT, rulebook.scripts[name].at, name, played.games, is_told=is_told)
            continue
        unreached = {mutant.site.number for mutant in mutants if not played.reached[mutant.number]}
        for mutant in mutants:
            if mutant.site.number in unreached and mutant.site.around not in unreached:
                yield Finding(Kind.UNREACHED, mutant.site.at, "", played.games, is_told=False)


# ── causes ───────────────────────────────────────────────────────────────────────────────────────


def _without_followers(played: Played, findings: Sequence[Finding]) -> Iterator[Finding]:
    """Leave out what follows from a worse finding: what stands within a sentence that says nothing or a script that
    never runs, belongs to a card that never leaves the box, reads a name that such a sentence is about, or names a
    place in which nothing ever lies or a memory that is always the same; and, where a pile lies alike, what is then
    always the same.
    """
    surely = [finding for finding in findings if finding.is_told]
    empty = {finding.name for finding in surely if finding.kind is Kind.PLACE}
    same = {finding.name for finding in surely if finding.kind is Kind.MEMORY}
    barred = {finding.name.rpartition(".")[0] for finding in surely if finding.kind is Kind.NEVER_MAY}
    boxed = {f"cards.{finding.name}" for finding in findings if finding.kind is Kind.CARD}
    is_dealt_alike = any(finding.kind is Kind.SAME_ORDER for finding in surely)
    picked = {name for _, name in played.choices if name}
    covering, places = list[At](), dict[At, Kind]()
    named: set[tuple[int, str]] = set()
    for finding in findings:
        words = set() if finding.at is None else set(_WORD.findall(finding.at.words))
        if (finding.kind in _OF_PLACES and empty & words) or (finding.kind in _OF_MEMORIES and same & words):
            continue
        if finding.kind is Kind.SCRIPT and finding.name.rpartition(".")[0] in barred | boxed:
            continue
        if is_dealt_alike and finding.kind in (Kind.MEMORY, Kind.CONSTANT):
            continue
        here = finding.at
        if here is None:
            yield finding
            continue
        chosen = {(id(here.scalar), word) for word in ({finding.name} if finding.kind is Kind.ANSWER else words)}
        is_inside = any(
            at.scalar is here.scalar and at.start <= here.start and here.end <= at.end for at in covering
        )
        is_known = here in places and not places[here] is finding.kind is Kind.ANSWER
        if is_inside or is_known or (finding.kind in (Kind.ANSWER, Kind.SENTENCE) and named & chosen):
            continue
        if finding.is_told:
            places[here] = finding.kind
        if finding.is_told and finding.kind in _COVERING:
            covering.append(here)
        if finding.is_told and finding.kind is Kind.LIES_THERE:
            named |= chosen & {(id(here.scalar), name) for name in picked}
        if finding.is_told and finding.kind is Kind.ANSWER:
            named |= chosen
        yield finding


_WORD = re.compile(r"\w+")
_OF_MEMORIES = (Kind.ALWAYS_ZERO, Kind.DRAWS_NOTHING, Kind.NEVER_YES, Kind.NEVER_NO, Kind.CONSTANT)
_OF_PLACES = (Kind.NO_OPTION, Kind.MOVES_NOTHING, Kind.NEVER_YES, Kind.NEVER_NO, Kind.CONSTANT)
_COVERING = (Kind.LIES_THERE, Kind.SENTENCE, Kind.SCRIPT)
