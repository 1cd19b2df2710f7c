"""A comparison in words and tables, before anybody has decided whether a terminal or a page shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulebook.comparing.in_english import ChangedRule
from rulebook.reporting.change_words import name_measure, word_difference, word_size, word_value
from rulebook.reporting.changes import answer_changes
from rulebook.reporting.described import Item, Lines, Table, describe_ladder, name_levels, percent
from rulebook.reporting.merging import SAID
from rulebook.reporting.records import Comparison, Holder, Measure, Points
from rulebook.reporting.standing_out import count_games

_SENTENCE = re.compile(r"(?<=[.:]) (?=[A-Z•])")
_WAYS = {"dealt": "was dealt it", "got": "got it", "played": "played it", "held": "held it at the end"}


def list_heads_of_change(comparison: Comparison) -> Iterator[str]:
    """Name what was played: the game, what is changed in it, how many games."""
    rules = comparison.changed
    what = ", ".join([*comparison.variants, *(f"{name}={value}" for name, value in rules.options.items())])
    what = f"without {' and '.join(rules.without)}" if rules.without else f"with {what}"
    if comparison.play is not None:
        yield f"{comparison.title} as it is and {what}: {comparison.players} players, seed {comparison.seed}"
        yield name_levels(comparison.play.levels)
        yield SAID
    else:
        bots, games = " and ".join(dict.fromkeys(comparison.bots)), count_games(comparison.games)
        played = f"{comparison.players} players ({bots}), {games} of each, seed {comparison.seed}"
        yield f"{comparison.title} as it is and {what}: {played}"
    if comparison.base.rules == comparison.changed.rules:
        yield "The rules are the same: nothing that was asked for changes how this game is played."


def list_rules_changed(rows: Sequence[ChangedRule]) -> Iterator[list[str]]:
    """List rule by rule its name, what was said, and what is said now, without what stays; of what is gone the name."""
    known = {row.base for row in rows}
    for row in rows:
        if row.base and f"“{row.name} as it was”" in (row.changed or ""):
            yield [f"{row.name}.", f"Now: {row.changed}"]
        elif row.base and row.changed:
            old, new = (
                [text.removeprefix("• ") for text in _SENTENCE.split(side)] for side in (row.base, row.changed)
            )
            was, now = (
                " ".join(text for text in mine if text not in other)
                for mine, other in ((old, new), (new, old))
            )
            if not was and not now:
                yield [f"{row.name}.", "The same sentences, in another order or below other conditions."]
                continue
            both = [f"Was: {was}", f"Now: {now}"]
            lines = both if was and now else [f"No longer: {was}"] if was else [f"Also: {now}"]
            yield [f"{row.name}.", *lines, *(["The rest of the rule stays."] if {*old} & {*new} else [])]
    yield from (
        [f"New: {row.name}.", *([row.changed] if row.changed else [])]
        for row in rows
        if row.base is None and row.changed not in known
    )
    gone = [row.name for row in rows if row.changed is None]
    if gone:
        yield ["Gone:", f"{', '.join(gone)}."]


def describe_change(comparison: Comparison, base: Points) -> Iterator[Item]:
    """Answer what the change does; then the table, what it takes to know more, and a deal. `base` puts points into
    words.
    """
    yield answer_changes(comparison, base)
    if comparison.play is not None:
        yield describe_ladder(comparison.play.ladder, base)
        commands = [comparison.command, *(level.command for level in comparison.play.levels)]
        yield Lines(commands, "the same again, and one level with examples", are_commands=True)
        return
    yield from _describe_holders(comparison.holders) if comparison.holders is not None else ()
    heads = ("", "as it is", "without" if comparison.changed.without else "changed", "difference", "range")
    rows = [word_measure(measure, base) for measure in comparison.measures if measure.base or measure.changed]
    remarks = ["* more than chance, also among so many lines"]
    yield Table("", heads, rows, remarks=remarks)
    yield Lines([*_word_deals(comparison)])
    for example in comparison.changed_winners.examples[:1]:
        seeds = len(comparison.changed_winners.seeds)
        title = f"a deal that somebody else won (of {seeds}; --json lists them)"
        yield Lines([example.replay_base, example.replay_changed], title, are_commands=True)


def _word_deals(comparison: Comparison) -> Iterator[str]:
    moved = comparison.changed_winners
    yield f"{count_games(moved.games)} ({percent(moved.share)}) had other winners on the same deal."


def _describe_holders(rows: Sequence[Holder]) -> Iterator[Item]:
    """Compare the wins of those who had a card with those on the same deals without it."""
    shown = []
    for row in rows:
        difference, mark = row.difference, "*" if row.tells else " "
        between = f"{100 * row.sure_low:+.1f} to {100 * row.sure_high:+.1f}{mark}"
        shares = percent(row.with_it), percent(row.without), f"{100 * difference.value:+.1f}"
        shown.append((f"who {_WAYS[row.way]} wins", f"{row.deals:,}", *shares, between))
    if shown:
        yield Table("", ("", "deals", "with it", "without", "it adds", "range"), shown)
    else:
        yield Lines(["Nobody ever had it."])


def word_measure(measure: Measure, points: Points) -> tuple[str, ...]:
    """Put a measure into words: its name, as it is, changed, the difference, and its interval with a mark."""
    name = name_measure(measure)
    unit, values = "%" if measure.is_rate else "", (measure.base, measure.changed)
    sides = (f"{word_value(measure, value, points)}{unit}" for value in values)
    low, high = (word_size(measure, end, points) for end in (measure.sure_low, measure.sure_high))
    size, mark = word_difference(measure, points), "*" if measure.tells else " "
    return name[:1].lower() + name[1:], *sides, size, f"{low} to {high}{mark}"
