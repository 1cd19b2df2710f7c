"""The diff of two forms of a game in plain words, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal, TypeAlias

from attrs import evolve

from rulebook.classes import frozen
from rulebook.comparing.changes import Change, Entry, differences, hung, until
from rulebook.comparing.counts import copies, list_default_numbers, name_of, totals
from rulebook.comparing.spliced import name_sentence
from rulebook.comparing.yaml_text import in_words, yaml_lines
from rulebook.dsl import ir
from rulebook.dsl.document import Mapping, Node, Scalar, Seamed
from rulebook.dsl.overlay.paths import Keys, strip_parameters
from rulebook.dsl.settling.options import describe_wanted, setting_text
from rulebook.dsl.words import word_players
from rulebook.loading import CheckedGame

Sort: TypeAlias = Literal["head", "text", "code", "old", "new"]

_TITLES = {
    "format": "The game", "name": "The game", "players": "The game", "options": "House rules", "forbid": "Forbidden",
}  # fmt: skip
_THINGS = {
    "units": "unit", "words": "list of words", "options": "house rule", "kinds": "kind", "places": "place",
    "memory": "memory", "cards": "card", "values": "value", "rules": "rule", "actions": "action", "result": "result",
    "measures": "measure", "whenever": "trigger", "display": "look", "forbid": "",
}  # fmt: skip
_OWNERS = {"table": "of the table", "player": "of each player"}
_HUNG = {"before": "Before", "after": "After", "instead of": "Instead of"}
_PROSE = ("name", "text")
_LONGEST = 60  # of two leaves that stand in one line
_AROUND = 2  # lines of a script before and after what is different


@frozen
class Line:
    """One line: how deep it stands, and what sort it is. `code` is never wrapped; `old` and `new` are code too, unless
    it is `prose`.
    """

    depth: int
    text: str
    sort: Sort = "text"
    prose: bool = False


@frozen
class Group:
    """A part of the game, and what is different there."""

    title: str
    lines: tuple[Line, ...]


def told(before: CheckedGame, after: CheckedGame) -> list[Group]:
    """Everything that is different, and how many cards there are then."""
    words = _Words(before, after)
    entries = [(_titled(entry.section), list(words.entry(entry))) for entry in differences(before.merged, after.merged)]
    groups = [
        Group(title, tuple(line for _, lines in parts for line in lines))
        for title, parts in groupby(entries, key=lambda part: part[0])
    ]
    counted = tuple(_counts(before.rulebook, after.rulebook))
    return [*groups, Group("Number of cards", counted)] if counted else groups


def _titled(section: str) -> str:
    return _TITLES.get(section) or section.capitalize()


class _Words:
    """Two games, and what to say about an entry of them."""

    def __init__(self, before: CheckedGame, after: CheckedGame) -> None:
        self.before, self.after = before, after
        self.several = len(after.variants) > 1

    def entry(self, entry: Entry) -> Iterator[Line]:
        first, *more = self._said(entry)
        by = "" if first.text.endswith("]:") else self._by(entry.keys)
        yield evolve(first, text=f"{first.text} [{by}]") if by else first
        yield from more

    def _said(self, entry: Entry) -> Iterator[Line]:
        match entry.section:
            case "format" | "name" | "players":
                (change,) = entry.changes
                yield Line(0, f"{entry.section.capitalize()}: {_leaf(change.before)} → {_leaf(change.after)}", "head")
            case "options":
                yield from self._option(entry)
            case "forbid":
                yield from self._forbidden(entry)
            case _ if entry.whole is not None:
                yield from self._whole(entry, entry.whole)
            case _:
                yield from self._describe_parts(entry)

    def _describe_parts(self, entry: Entry) -> Iterator[Line]:
        """Describe the differences within an entry, a line each. An action's script counts as the action itself."""
        called = self._called(entry)
        does = [change for change in entry.changes if change.what == "hung" and change.keys[2:] == ("effect",)]
        does = does if entry.section == "actions" else []
        for change in does:
            yield from self._layers(change, called, 0)
        if len(does) < len(entry.changes):
            yield Line(0, called[:1].upper() + called[1:], "head")
        for change in entry.changes:
            if change not in does:
                yield from self._inside(change, entry.keys)

    # ── house rules ──

    def _option(self, entry: Entry) -> Iterator[Line]:
        name = entry.keys[1]
        old, new = self.before.rulebook.options.get(name), self.after.rulebook.options.get(name)
        if new is None:
            yield Line(0, f"Removed: {_label(old, name)}", "head")
        elif old is None:
            units = self.after.rulebook.units
            takes = describe_wanted(new, units).replace("`", "")
            yield Line(0, f"New: {_label(new, name)}: {setting_text(new, new.default, units)}", "head")
            yield Line(1, f"{takes[:1].upper()}{takes[1:]}")
        else:
            yield from self._switched(name, old, new, entry.changes)

    def _switched(self, name: str, old: ir.OptionDef, new: ir.OptionDef, changes: Sequence[Change]) -> Iterator[Line]:
        units = self.before.rulebook.units, self.after.rulebook.units
        label = new.text or name
        fields = [change.keys[2] if len(change.keys) > 2 else "" for change in changes]
        if "default" in fields:
            values = setting_text(old, old.default, units[0]), setting_text(new, new.default, units[1])
            yield Line(0, f"{label}: {values[0]} → {values[1]}", "head")
        if "type" in fields:
            takes = [describe_wanted(value, of).replace("`", "") for value, of in zip((old, new), units, strict=True)]
            yield Line(0, f"{label} may be {takes[1]} (was: {takes[0]})", "head")
        if "text" in fields:
            yield Line(0, f"{name}, its text: {old.text or 'none'} → {new.text or 'none'}", "head")

    def _forbidden(self, entry: Entry) -> Iterator[Line]:
        (change,) = entry.changes
        word = {"added": "New: ", "removed": "Removed: "}.get(change.what, "")
        yield Line(0, f"{word}{entry.keys[1]}", "head")
        if change.before is not None and change.after is not None:
            yield from _two(change.before, change.after, 1)
        elif change.after is not None:
            yield from _code(in_words(change.after), 1)

    # ── things ──

    def _whole(self, entry: Entry, change: Change) -> Iterator[Line]:
        if change.after is None:
            yield Line(0, f"Removed: {self._called(entry)}{self._counted(entry, self.before)}", "head")
        elif change.before is None:
            yield from self._new(entry, change.after)
        elif change.what == "hung":
            yield from self._layers(change, self._called(entry), 0)
        else:
            called = self._called(entry)
            yield Line(0, called[:1].upper() + called[1:], "head")
            yield from _two(change.before, change.after, 1)

    def _new(self, entry: Entry, node: Node) -> Iterator[Line]:
        shown = self._name(entry) if entry.section in ("cards", "actions") else entry.keys[-1]
        called = f"New {_thing(entry)}: {shown}"
        copied = self._copied(entry.keys)
        if copied is not None:
            id, fields = copied
            like = self._name(Entry(("cards", id), entry.changes))
            yield Line(0, f"{called}, like {like}{self._counted(entry, self.after)}", "head")
            for change in _fields(fields, node, entry.keys):
                yield from self._inside(change, entry.keys)
            return
        if isinstance(node, Scalar):
            code = in_words(node)
            yield Line(0, f"{called}: {code[0]}" if len(code) == 1 else f"{called}:", "head")
            yield from _code(code, 1) if len(code) > 1 else ()
            return
        yield Line(0, f"{called}{self._counted(entry, self.after)}", "head")
        for name, value in node.items() if isinstance(node, Mapping) else ():
            if name == "text" and isinstance(value, Scalar):
                yield Line(1, f"text: {value.text}")
            elif name != "name":
                yield from _code(yaml_lines(name, value), 1)

    def _copied(self, keys: Keys) -> tuple[str, Mapping] | None:
        """Return the name and entry that a new card was copied from, if it was."""
        if keys[0] != "cards":
            return None
        paths = {origin.at for origin in self.after.origins.get(keys, ()) if origin.verb == "add"}
        for deed in (deed for variant in self.after.variants for deed in variant.deeds):
            copy = deed.node.get("copy") if deed.path.span in paths and isinstance(deed.node, Mapping) else None
            for game in (self.before, self.after):
                cards = game.merged.get("cards")
                card = cards.get(copy.text) if isinstance(copy, Scalar) and isinstance(cards, Mapping) else None
                if isinstance(copy, Scalar) and isinstance(card, Mapping):
                    return copy.text, card
        return None

    def _called(self, entry: Entry) -> str:
        """Name a thing in a sentence: `the rule turn`, `Lottery`."""
        match entry.section:
            case "cards":
                return self._name(entry)
            case "actions":
                return f"the action {self._name(entry)}"
            case "result":
                return f"the result, {entry.keys[1]}"
        *_, name = entry.keys
        of = f" {_OWNERS[entry.keys[1]]}" if entry.section in ("places", "memory") else ""
        return f"the {_THINGS.get(entry.section, entry.section)} {strip_parameters(name)}{of}"

    def _name(self, entry: Entry) -> str:
        """Return the name that players read for a card or an action."""
        id = entry.keys[1]
        for game in (self.before.rulebook, self.after.rulebook):
            named = game.cards if entry.section == "cards" else game.actions
            if id in named:
                return name_of(game, named[id])
        return id

    # ── places inside of a thing ──

    def _inside(self, change: Change, keys: Keys) -> Iterator[Line]:
        path = ", ".join(change.keys[len(keys) :])
        if change.before is None or change.after is None:
            node = change.after if change.before is None else change.before
            assert node is not None
            code, mark = in_words(node), "new" if change.before is None else "removed"
            if len(code) == 1:
                yield Line(1, f"{path}: {code[0]} ({mark})")
            else:
                yield Line(1, f"{path} ({mark}):")
                yield from _code(code, 2)
        elif change.what == "hung":
            yield from self._layers(change, path, 1)
        else:
            one, other = _leaf(change.before), _leaf(change.after)
            if "\n" not in one + other and len(one) + len(other) <= _LONGEST:
                yield Line(1, f"{path}: {one} → {other}")
            else:
                yield Line(1, f"{path}:")
                prose = change.keys[-1] in _PROSE
                yield from (evolve(line, prose=prose) for line in _two(change.before, change.after, 2))

    def _layers(self, change: Change, called: str, depth: int) -> Iterator[Line]:
        """Describe what hangs on a script that was there before."""
        assert change.before is not None and change.after is not None
        beneath = hung(change.before, change.after)
        assert beneath is not None
        for layer in reversed(until(change.after, beneath)):
            by = next((origin.variant for origin in self.after.origins.get(change.keys, ()) if origin.now is layer), "")
            mark = f" [{by}]" if self.several and by else ""
            sort: Sort = "text" if depth else "head"
            if isinstance(layer, Seamed):
                yield from _sentence(layer, called, mark, depth, sort)
                continue
            yield Line(depth, f"{_HUNG[layer.place]} {called}{mark}:", sort)
            yield from _code(layer.text.rstrip("\n").split("\n"), depth + 1)

    def _counted(self, entry: Entry, game: CheckedGame) -> str:
        """Count the copies of a card, or of all cards of a family."""
        if entry.section != "cards":
            return ""
        ids = game.rulebook.families.get(entry.keys[1], (entry.keys[1],))
        numbers = list_default_numbers(game.rulebook)
        counts = {sum(copies(game.rulebook, players)[id] for id in ids) for players in numbers}
        low, high = min(counts), max(counts)
        return f", {low if low == high else f'{low} to {high}'} card{'' if low == high == 1 else 's'}"

    def _by(self, keys: Keys) -> str:
        """Name the variants that did it, if there are several."""
        if not self.several:
            return ""
        done = [
            origin.variant
            for path, origins in self.after.origins.items()
            for origin in origins
            if path[: len(keys)] == keys or keys[: len(path)] == path
        ]
        known = {variant.id for variant in self.before.variants}
        return ", ".join(name for name in dict.fromkeys(done) if name not in known)


def _sentence(seam: Seamed, called: str, mark: str, depth: int, sort: Sort) -> Iterator[Line]:
    """Describe what is done at a sentence."""
    where, name = f"In {called}", name_sentence(seam)
    own = seam.text.rstrip("\n").split("\n")
    match seam.doing:
        case "remove":
            yield Line(depth, f"{where}, removed{mark}: {name}", sort)
            return
        case "where" | "so that":
            also = "also" if seam.doing == "where" else "so that also"
            yield Line(depth, f"{where}, of {name}{mark}: {also}, {' '.join(own)}", sort)
            return
        case "label":
            assert seam.label is not None
            yield Line(depth, f"{where}, one more of {name}{mark}: {seam.label.words}", sort)
        case "change" | "change of head":
            yield Line(depth, f"{where}, in the place of {name}{mark}:", sort)
        case _:
            yield Line(depth, f"{where}, {seam.doing} {name}{mark}:", sort)
    yield from _code(own, depth + 1)


def _label(option: ir.OptionDef | None, name: str) -> str:
    return f"{option.text} ({name})" if option is not None and option.text else name


def _thing(entry: Entry) -> str:
    thing = _THINGS.get(entry.section, entry.section)
    return f"{thing} {_OWNERS[entry.keys[1]]}" if entry.section in ("places", "memory") else thing


def _fields(before: Mapping, after: Node, keys: Keys) -> list[Change]:
    """List the changes between an entry and the one that it was made of."""
    one, other = Mapping(before.span), Mapping(before.span)
    for section, node in ((one, before), (other, after)):
        cards = Mapping(before.span)
        cards.put(Scalar(keys[1], "plain", before.span), node)
        section.put(Scalar(keys[0], "plain", before.span), cards)
    found = differences(one, other)
    return [change for entry in found for change in entry.changes if change.keys[2:] not in ((), ("name",))]


def _two(before: Node, after: Node, depth: int) -> Iterator[Line]:
    """Both texts, line by line: what goes, what comes, and a little of what is around it."""
    old, new = in_words(before), in_words(after)
    end = 0
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(_AROUND):
        if group[0][1] > end:
            yield Line(depth, "  …", "code")
        for what, i, j, k, m in group:
            if what == "equal":
                yield from (Line(depth, f"  {text}".rstrip(), "code") for text in old[i:j])
                continue
            yield from (Line(depth, f"- {text}", "old") for text in old[i:j])
            yield from (Line(depth, f"+ {text}", "new") for text in new[k:m])
        end = group[-1][2]
    if end < len(old):
        yield Line(depth, "  …", "code")


def _code(lines: Iterable[str], depth: int) -> Iterator[Line]:
    yield from (Line(depth, line, "code") for line in lines)


def _leaf(node: Node | None) -> str:
    return "" if node is None else "\n".join(in_words(node))


def _counts(before: ir.Rulebook, after: ir.Rulebook) -> Iterator[Line]:
    """Describe numbers of cards that differ; numbers of players with the same difference share a line."""
    old, new = totals(before), totals(after)
    counts = {players: _count(old.get(players), new.get(players)) for players in sorted({*old, *new})}
    if all(old.get(players) == new.get(players) for players in counts):
        return
    for text, players in groupby(counts, key=counts.__getitem__):
        numbers = list(players)
        yield Line(0, f"{word_players(numbers)} player{'' if numbers == [1] else 's'}: {text}")


def _count(old: int | None, new: int | None) -> str:
    if old is None:
        return f"{new} (not played before)"
    if new is None:
        return f"{old} → not played"
    return f"{old} → {new}" if old != new else f"{old}, as before"
