"""Coverage of a game's rules: counts of what ran, and a report of what never did.

The points to reach are those that lowering asked for (`Probes`); no sentence of the language is known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import asdict, define

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl.document import At
from rulebook.dsl.naming.layer_names import name_plainly
from rulebook.dsl.settling.options import Settled, value_text
from rulebook.dsl.walk import everything
from rulebook.interpreter.lowering.probes import Count, Piece
from rulebook.playtest.settings import choices
from rulebook.source import Span

Key = tuple[str, int, int, str, str]
"""A place in the source and what happens there, the same in every process: file, start, end, what, text."""
Counts = dict[Key, int]

SORTS = ("cards", "actions", "rules", "whenever", "values", "sentences", "branches", "house rules")
"""The sorts of points that are counted, as reports call them."""

_MISSED = {
    "hook": "never ran",
    "script": "never ran",
    "question": "never asked",
    "answers yes": "never answered yes",
    "answers no": "never answered no",
    "round": "the loop never went round",
    "sentence": "never reached",
    "then": "never true",
    "else": "never false",
    "yes": "never true",
    "no": "never false",
    "until": "never came true",
    "chosen": "nothing was ever chosen",
    "not chosen": "never declined",
    "option": "never chosen",
    "source": "nothing of it was ever chosen",
    "word": "never chosen",
    "house rule": "never played",
}
"""The words of a report for a point that was never reached, by the sort of the point."""
_AS_SECTION = {
    "actions": "actions", "rules": "rules", "whenever": "whenever", "values": "values", "cards": "cards",
    "kinds": "values", "result": "values",
}  # fmt: skip
_HOLDERS = ("hook", "script", "question", "round", "then", "else", "chosen", "not chosen", "option", "sentence")
"""Sorts of points that hold others, from the outside in: of a block that never ran, no sentence is listed beside it."""


@frozen
class Point:
    """Something that can happen. `owner` is the script or question, where the point itself says so; `inside` is the
    piece of the file that runs when it happens."""

    sort: str
    what: str
    text: str
    owner: str
    at: Span
    inside: tuple[int, int]

    @property
    def key(self) -> Key:
        return (self.at.file.name, self.at.start, self.at.end, self.what, self.text or self.owner)


@define(eq=False)
class Tally:
    """A counter at one point of the rules, called whenever it is reached."""

    point: Point
    times: int = 0

    def __call__(self) -> None:
        self.times += 1


@frozen
class Missing:
    """A point that was never reached, for people: `within` counts those inside it, which are not listed; `skipped`
    is how often a sentence was reached when somebody it speaks of was not there."""

    file: str
    line: int
    column: int
    sort: str
    name: str
    what: str
    source: str
    within: int
    skipped: int


@frozen
class FileReport:
    """The coverage of one file: by sort of point, the number reached and the number in all."""

    file: str
    reached: Mapping[str, tuple[int, int]]


@frozen
class Report:
    """All of it. `total` counts each thing that there is to reach once."""

    total: int
    reached: int
    files: tuple[FileReport, ...]
    missing: tuple[Missing, ...]

    @property
    def percent(self) -> float:
        """Percentage reached; 100 for a game in which there is nothing to reach."""
        return 100 * self.reached / self.total if self.total else 100.0

    def to_json(self) -> dict[str, Any]:
        """One plain object; `percent` is rounded down to a tenth, so that 100 is said of nothing less."""
        return {
            "total": self.total,
            "reached": self.reached,
            "percent": self.percent * 10 // 1 / 10,
            "files": [
                {"file": file.file} | {sort: {"reached": n, "total": of} for sort, (n, of) in file.reached.items()}
                for file in self.files
            ],
            "missing": [asdict(point) for point in self.missing],
        }


_WHOLE = ("hook", "script", "question")
"""Sorts of points that are all of a script or question."""


class Coverage:
    """The points of one rulebook, and how often each was reached: `Probes` for any number of programs of it."""

    def __init__(self, rulebook: ir.Rulebook) -> None:
        self.rulebook = rulebook
        self._tallies: dict[Key, Tally] = {}
        self._known: dict[tuple[int, int, int, str, str], Tally | None] = {}
        self._files = {place.span.file.name for place in _places(rulebook)}
        for option in rulebook.options.values():
            for value in choices(option):
                self._option(option, value)

    # ── what lowering asks ──

    def point(self, at: At | None, what: str, text: str = "", block: Sequence[Piece] = ()) -> Count | None:
        """The tally of a place; none for what is not part of the rulebook: a scenario's calls and questions."""
        if at is None or at.start == at.end:  # a layer that does what lies beneath by itself has no words for it
            return None
        if (
            what in ("script", "question")
            and text.partition(".")[0] in ("cards", "actions")
            and text == name_plainly(text)
        ):
            # What a card or action has is counted by the card, see `hook`.
            return None
        key = (id(at.scalar), at.start, at.end, what, text)
        if key not in self._known:
            self._known[key] = self._make_tally(at, what, text, block)
        return self._known[key]

    def _make_tally(self, at: At, what: str, text: str, block: Sequence[Piece]) -> Tally | None:
        span = at.span
        if span.file.name not in self._files:
            return None
        inside = (span.start, span.end) if what in _HOLDERS else (span.start, span.start)
        extent = _extent(block, at) if block else None
        if extent is not None:
            span, inside = extent
        elif what in ("then", "else", "not chosen", "chosen"):
            inside = (span.start, span.start)
        owner = text if what in ("script", "question") or what.startswith("answers") else ""
        sort = "sentences" if what == "sentence" else "branches"
        if what in ("script", "question"):
            sort = _AS_SECTION[owner.partition(".")[0]]
        return self._tally(Point(sort, what, "" if owner else text, owner, span, inside))

    def hook(self, id: str, hook: str) -> Count | None:
        """The tally of what a card or action has for a hook; those of a family share one."""
        name = self.rulebook.hooks.get(hook, {}).get(id)
        root: ir.Script | ir.Function | None = None
        if name is not None:
            root = self.rulebook.scripts.get(name) or self.rulebook.functions.get(name)
        thing = self.rulebook.cards.get(id) or self.rulebook.actions.get(id)
        if root is None or thing is None or thing.at is None or isinstance(root.body, ir.Const) or root.body == ():
            return None
        mine = name is not None and name.partition(".")[0] != "kinds"
        extent = _extent(_list_pieces(root), root.at) if mine else None
        span, inside = extent or (thing.at.span, (thing.at.span.start,) * 2)
        family = thing.at.span.text
        sort = "cards" if id in self.rulebook.cards else "actions"
        what = "hook" if isinstance(root, ir.Script) else "question"
        return self._tally(Point(sort, what, "", f"{sort}.{family}.{hook}", span, inside))

    def _tally(self, point: Point) -> Tally:
        return self._tallies.setdefault(point.key, Tally(point))

    # ── house rules ──

    def played(self, options: Mapping[str, Settled]) -> None:
        """A game, or a scenario, is played under these house rules."""
        for name, option in self.rulebook.options.items():
            if options[name] in choices(option):
                tally = self._option(option, options[name])
                if tally is not None:
                    tally()

    def _option(self, option: ir.OptionDef, value: Settled) -> Tally | None:
        if option.at is None:
            return None
        span, text = option.at.span, f"{option.name}={value_text(value)}"
        return self._tally(Point("house rules", "house rule", text, "", span, (span.start, span.start)))

    # ── what was skipped ──

    def skipped(self) -> tuple[Span, ...]:
        """The sentences that were skipped at least once, in the order of the files."""
        return _order(line.point.at for line in self._tallies.values() if line.point.what == "skipped" and line.times)

    def always_skipped(self) -> tuple[Span, ...]:
        """The sentences that were reached and skipped each time, in the order of the files."""
        skips, sentences = (
            self._count_skips(),
            [line for line in self._tallies.values() if line.point.what == "sentence"],
        )
        return _order(sentence.point.at for sentence in sentences if sentence.times and not _is_met(sentence, skips))

    def _count_skips(self) -> dict[tuple[str, int, int], int]:
        return {key[:3]: tally.times for key, tally in self._tallies.items() if key[3] == "skipped"}

    # ── counts of other processes ──

    def counts(self) -> Counts:
        """Count how often each point was reached, as plain data."""
        return {key: tally.times for key, tally in self._tallies.items() if tally.times}

    def add(self, counts: Counts) -> None:
        """Add what was counted elsewhere, in a process that lowered the same rulebook."""
        for key, times in counts.items():
            self._tallies[key].times += times

    def forget(self) -> None:
        """Count from the beginning."""
        for tally in self._tallies.values():
            tally.times = 0

    def conditions(self) -> dict[tuple[str, int, str], tuple[int, int]]:
        """Count how often each named condition held and failed, by file, line and name."""
        counts: dict[tuple[str, int, str], tuple[int, int]] = {}
        for tally in self._tallies.values():
            point = tally.point
            if point.what in ("yes", "no") and point.text:
                held, failed = counts.get(key := (point.at.file.name, point.at.line, point.text), (0, 0))
                times = (tally.times, 0) if point.what == "yes" else (0, tally.times)
                counts[key] = held + times[0], failed + times[1]
        return counts

    def answers(self) -> dict[str, int]:
        """Count how often each question of a card or action was answered with yes, by its name: `wolf.hunts`."""
        times: dict[str, int] = {}
        for tally in self._tallies.values():
            section, _, name = tally.point.owner.partition(".")
            if tally.point.what == "answers yes" and section in ("cards", "actions"):
                times[name] = times.get(name, 0) + tally.times
        return times

    # ── the report ──

    def report(self) -> Report:
        """Report how much was reached, file by file, and what was not."""
        skips = self._count_skips()
        wanted = [tally for key, tally in self._tallies.items() if key[3] != "skipped"]
        missed = [tally.point for tally in wanted if not _is_met(tally, skips)]
        names = sorted({tally.point.at.file.name for tally in wanted})
        files = tuple(
            self._file(name, [tally for tally in wanted if tally.point.at.file.name == name], skips) for name in names
        )
        return Report(len(wanted), len(wanted) - len(missed), files, tuple(self._missing(missed, skips)))

    def _file(self, name: str, tallies: Sequence[Tally], skips: Mapping[tuple[str, int, int], int]) -> FileReport:
        counts: dict[str, tuple[int, int]] = {}
        for sort in SORTS:
            mine = [tally for tally in tallies if tally.point.sort == sort]
            if sort in ("cards", "actions"):
                # A card is reached when anything of its own ran.
                things = {tally.point.owner.split(".")[1] for tally in mine}
                reached = {tally.point.owner.split(".")[1] for tally in mine if tally.times}
                counts[sort] = (len(reached), len(things))
            else:
                counts[sort] = (sum(_is_met(tally, skips) for tally in mine), len(mine))
        return FileReport(name, counts)

    def _missing(self, missed: Sequence[Point], skips: Mapping[tuple[str, int, int], int]) -> list[Missing]:
        """List what was not reached, without what stands inside of something else that was not."""
        shown, within = [], dict.fromkeys((point.key for point in missed), 0)
        never_ran = {point.owner: point for point in missed if point.what in _WHOLE}
        for miss in missed:
            outer = [other for other in missed if other is not miss and _implies(other, miss)]
            whole = None if miss.owner else never_ran.get(self.find_owner(miss))
            if outer or whole is not None:
                outer += [] if whole is None else [whole]
                within[min(outer, key=_rank).key] += 1
            else:
                shown.append(miss)
        shown.sort(key=lambda point: (point.at.file.name, point.at.line, point.at.start, point.what, point.text))
        return [self._make_missing(point, within[point.key], skips.get(point.key[:3], 0)) for point in shown]

    def _make_missing(self, point: Point, within: int, skipped: int) -> Missing:
        span, text = point.at, _word_missed(point, skipped)
        owner = point.owner or self.find_owner(point)
        source = span.file.line(span.line).strip()
        return Missing(span.file.name, span.line, span.column, point.sort, _name(owner), text, source, within, skipped)

    def find_owner(self, point: Point) -> str:
        """Return the script or question in which a place stands, also where a variant wrote what stands there."""
        return self._owners.get((point.at.file.name, point.at.start), "")

    @cached_property
    def _owners(self) -> dict[tuple[str, int], str]:
        """By the file and where it begins, whose every piece of a script or question is."""
        owners: dict[tuple[str, int], str] = {}
        roots: list[ir.Script | ir.Function] = [*self.rulebook.scripts.values(), *self.rulebook.functions.values()]
        for root in roots:
            for piece in everything(root):
                at = getattr(piece, "at", None)
                if at is not None:
                    owners.setdefault((at.span.file.name, at.span.start), name_plainly(root.name))
        return owners


# ── places ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _places(rulebook: ir.Rulebook) -> Iterator[At]:
    """A place in each file in which something stands that may run."""
    tables = (rulebook.scripts, rulebook.functions, rulebook.cards, rulebook.actions, rulebook.options)
    for table in tables:
        for thing in table.values():
            if thing.at is not None:
                yield thing.at
    for function in rulebook.functions.values():
        if isinstance(function.body, ir.Conditions | ir.Total):
            yield from (line.at for line in function.body.lines if line.at is not None)


def _list_pieces(root: ir.Script | ir.Function) -> Sequence[Piece]:
    body = root.body
    return body.lines if isinstance(body, ir.Conditions | ir.Total) else body if isinstance(body, tuple) else ()


def _extent(block: Sequence[Piece], around: At | None) -> tuple[Span, tuple[int, int]] | None:
    """Return where a block begins, and the piece of the file that it is: of what lies around it, if there is any of it
    that no variant put there.
    """
    spans = [piece.at.span for piece in block if piece.at is not None]
    file = None if around is None else around.span.file
    own = [span for span in spans if span.file is file] or spans
    if not own:
        return None if around is None or block else (around.span, (around.span.start, around.span.end))
    return own[0], (own[0].start, own[-1].end)


def _order(spans: Iterable[Span]) -> tuple[Span, ...]:
    return tuple(sorted(spans, key=lambda span: (span.file.name, span.start)))


def _is_met(tally: Tally, skips: Mapping[tuple[str, int, int], int]) -> bool:
    """Tell whether a point was reached; a sentence that was skipped each time was not."""
    skipped = skips.get(tally.point.key[:3], 0) if tally.point.what == "sentence" else 0
    return tally.times > skipped


def _rank(point: Point) -> tuple[int, int]:
    """The larger piece comes first; of two that are the same, the one that says more."""
    order = _HOLDERS.index(point.what) if point.what in _HOLDERS else len(_HOLDERS)
    return point.inside[0] - point.inside[1], order


def _implies(outer: Point, inner: Point) -> bool:
    """True if one point can only be reached when another is."""
    (start, end), (first, last) = outer.inside, inner.inside
    there = outer.at.file is inner.at.file and start <= first and last <= end and start < end
    return there and outer.what in _HOLDERS and _rank(outer) < _rank(inner)


def _word_missed(point: Point, skipped: int) -> str:
    missed, has_block = _MISSED[point.what], point.inside[0] < point.inside[1]
    match point.what:
        case "sentence" if skipped:
            return f"always skipped ({'once' if skipped == 1 else f'{skipped} times'})"
        case "then" if has_block:
            return "if: never ran"
        case "else" | "not chosen" if has_block:
            return "else: never ran"
        case "option" | "word" | "yes" | "no":
            return f'"{point.text}": {missed}'
        case _:
            return f"{point.text}: {missed}" if point.text else missed


def _name(owner: str) -> str:
    """Name a script or question as people call it: `turn`, `storm.effect`."""
    section, _, name = owner.partition(".")
    return name if section in _AS_SECTION else owner
