"""House rules that cannot be played together: what a rulebook forbids, and whether it makes sense."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import prod

from attrs import evolve

from rulebook.diagnostics import Diagnostic, Label, diagnose
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.settling.options import Given, Settled, choices_of, describe_wanted, setting_text, settle_options
from rulebook.dsl.settling.reckoning import KNOWN, Reckoning, Unsettled
from rulebook.dsl.walk import everything

_MOST_GAMES = 20_000  # so many house rules are tried, to find some that are forbidden

Rules = Mapping[str, Settled]


def find_forbidden(rulebook: ir.Rulebook, options: Rules, players: int) -> list[tuple[ir.Forbidden, str]]:
    """Find why this number of players cannot play by these house rules: reasons, each with the house rules that it is
    about, as people set them: `rows=1, lines=yes`.
    """
    return [
        (forbidden, _describe_game(rulebook, forbidden, options, players))
        for forbidden in rulebook.forbid
        if _is_met(forbidden, options, players)
    ]


def refusals(rulebook: ir.Rulebook, options: Rules, players: int) -> list[str]:
    """The same as sentences for whoever wants to play."""
    forbidden = find_forbidden(rulebook, options, players)
    return [f"{rulebook.title} cannot be played so: {rule.reason.rstrip('.')} ({game})." for rule, game in forbidden]


class BadSettings(ValueError):
    """House rules that a game cannot have; `problems` is a sentence for each."""

    def __init__(self, rulebook: ir.Rulebook, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.rulebook, self.problems = rulebook, problems


def with_settings(rulebook: ir.Rulebook, wanted: Mapping[str, Given]) -> ir.Rulebook:
    """The same game with other house rules if nobody says otherwise.

    Raises BadSettings, also if nobody can play by them, however many sit there.
    """
    settled, problems = settle_options(rulebook.options, wanted, rulebook.units)
    if not problems and not list_numbers(rulebook, settled):
        problems = refusals(rulebook, settled, rulebook.players[0])
    if problems:
        raise BadSettings(rulebook, problems)
    options = {name: evolve(option, default=settled[name]) for name, option in rulebook.options.items()}
    return evolve(rulebook, options=options)


def allowed(rulebook: ir.Rulebook, options: Rules, players: int) -> bool:
    """Tell whether so many can play by these house rules."""
    return not any(_is_met(forbidden, options, players) for forbidden in rulebook.forbid)


def list_numbers(rulebook: ir.Rulebook, options: Rules) -> tuple[int, ...]:
    """List how many can play by these house rules, in order."""
    return tuple(players for players in rulebook.players if allowed(rulebook, options, players))


def check_forbidden(rulebook: ir.Rulebook) -> list[Diagnostic]:
    """Check what a rulebook forbids: of one thing one message."""
    return [message for forbidden in rulebook.forbid for message in _find_problem(rulebook, forbidden)]


def _find_problem(rulebook: ir.Rulebook, forbidden: ir.Forbidden) -> Iterator[Diagnostic]:
    at, where = forbidden.condition.at, f"forbid, {forbidden.reason}"
    inside = [node for node in everything(forbidden.condition) if isinstance(node, ir.Node)]
    if at is None or any(node.type == t.UNKNOWN for node in inside):
        return
    strange = [node for node in inside if not isinstance(node, (*KNOWN, ir.Local))]
    if strange:
        # The last one holds no other: it is what cannot be known, and what stands around it only asks for it.
        span = (strange[-1].at or at).span
        yield diagnose("RB721", span, where=where, what=" ".join(span.text.split()))
        return
    defaults = {name: option.default for name, option in rulebook.options.items()}
    numbers = _list_differing(rulebook, forbidden)
    met = [players for players in numbers if _is_met(forbidden, defaults, players)]
    if met and not list_numbers(rulebook, defaults):
        game = _describe_game(rulebook, forbidden, defaults, met[0])
        help = "So is the game if nobody says otherwise, however many play. Change a default, or what is forbidden."
        labels = _defaults(rulebook, forbidden)
        yield diagnose("RB720", at.span, where=where, help=help, labels=labels, reason=forbidden.reason, game=game)
        return
    options = [rulebook.options[name] for name in _list_options(forbidden)]
    choices = [choices_of(option) for option in options]
    if prod(map(len, choices)) * len(numbers) > _MOST_GAMES or not all(choices):
        return
    tried = (dict(zip(_list_options(forbidden), values, strict=True)) for values in product(*choices))
    if not any(_is_met(forbidden, rules, players) for rules in tried for players in numbers):
        help = "; ".join(f"`{option.name}` is {describe_wanted(option, rulebook.units)}" for option in options)
        yield diagnose("RB722", at.span, where=where, help=f"{help}." if help else "")


def _is_met(forbidden: ir.Forbidden, options: Rules, players: int) -> bool:
    try:
        return Reckoning(options.__getitem__, players).reckon_truth(forbidden.condition)
    except Unsettled:
        return False


def _list_options(forbidden: ir.Forbidden) -> list[str]:
    """The options that it asks for, in order."""
    options = (node for node in everything(forbidden.condition) if isinstance(node, ir.OptionValue | ir.ByOption))
    return list(dict.fromkeys(node.name if isinstance(node, ir.OptionValue) else node.option for node in options))


def _list_differing(rulebook: ir.Rulebook, forbidden: ir.Forbidden) -> tuple[int, ...]:
    """The numbers of players that it makes a difference between: one, if it does not ask how many play."""
    return rulebook.players if _counts_players(forbidden) else rulebook.players[:1]


def _counts_players(forbidden: ir.Forbidden) -> bool:
    return any(isinstance(node, ir.Seats) for node in everything(forbidden.condition))


def _describe_game(rulebook: ir.Rulebook, rule: ir.Forbidden, options: Rules, players: int) -> str:
    settings = [
        f"{name}={setting_text(rulebook.options[name], options[name], rulebook.units)}" for name in _list_options(rule)
    ]
    return ", ".join([*settings, f"{players} players"] if _counts_players(rule) else settings) or "always"


def _defaults(rulebook: ir.Rulebook, forbidden: ir.Forbidden) -> Iterable[Label]:
    for name in _list_options(forbidden):
        option = rulebook.options[name]
        if option.at is not None:
            text = setting_text(option, option.default, rulebook.units)
            yield Label(option.at.span, f"`{name}` is {text} unless set")
