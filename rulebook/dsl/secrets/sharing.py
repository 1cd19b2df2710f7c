"""Who may learn what, where several shares of one game are looked at side by side: what each has to know of the others.

In: a share that has come to an end with what it knows. Out: what was new for it, and a yes or no: whether anything was.
Never: finds anything itself.

A message can point at the place from which a secret comes, so such places are told as well: of several the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from rulebook.dsl.document import Scalar
from rulebook.dsl.secrets.flow import MOST_WAYS, Entry, Following, Handing
from rulebook.dsl.secrets.knowers import NOTHING_HIDDEN, PUBLIC, Held, Secret, holding
from rulebook.dsl.secrets.plain import plain, unplain
from rulebook.dsl.sharing.share import Hooked
from rulebook.dsl.sharing.telling import Conversation, Said, said
from rulebook.dsl.syntax import At
from rulebook.source import SourceFile, Span

__all__ = ["Files", "conferred"]

Files: TypeAlias = Mapping[str, tuple[int, SourceFile]]
"""The files of a game by their names, each with its number: what stands in an earlier one comes first."""
_VIEWS = ("value", "size", "cards")
_SAID = tuple(f"{view} " for view in _VIEWS)


def conferred(here: Following, files: Files) -> Conversation[bool]:
    """What all shares know. Whether that is more than was known here."""
    heard = yield _told(here, files)
    again = yield said({"more": [True] if _hear(here, heard, files) else []})
    return bool(again["sets"]["more"])


def _told(here: Following, files: Files) -> Said:
    assert here.share is not None
    sets: dict[str, Iterable[Any]] = {"kept": here.kept, "wanted": here.wanted}
    firsts: dict[str, list[Any]] = {}
    entries: list[tuple[Any, Entry]] = [(name, one) for name, one in here.entries.items() if _is_common(here, name)]
    for name, entry in (*entries, *here.handed.items()):
        key = _key(name)
        if entry.quiet:
            sets[f"quiet {key}"] = map(plain, entry.quiet)
        for slot, held in entry.given.items():
            _tell(f"{key} {slot}", held, files, sets, firsts)
        # From what belongs to no share all know that it is run, and no message needs more than the first of the others.
        ways = sorted((way, at) for way, at in entry.ways.items() if way[0] in here.share.scripts)[:MOST_WAYS]
        if ways:
            sets[f"ways {key}"] = [[*way, *_spot(at, files)] for way, at in ways]
    for name in here.share.scripts & here.entries.keys():
        _, family, hook = name.split(".", 2)
        if hook in here.wanted and (held := here.entries[name].answer) != NOTHING_HIDDEN:
            key = f"{hook} {here.world.authored.cards[family].kind.text}"
            before: dict[str, Iterable[Any]] = {}
            _tell(f"answer {key}", held, files, before, firsts)
            for each, some in before.items():
                sets[each] = [*sets.get(each, ()), *some]
    return said(sets, firsts=firsts)


def _is_common(here: Following, name: str) -> bool:
    return here.share is not None and name not in here.share.scripts


def _key(name: str | Hooked) -> str:
    if isinstance(name, str):
        return f"script {name}"
    hook, kinds, actions = name
    return f"hook {hook}/{','.join(kinds)}/{'actions' if actions else ''}"


def _tell(
    key: str, held: Held, files: Files, sets: dict[str, Iterable[Any]], firsts: dict[str, list[Any]]
) -> None:
    for view in _VIEWS:
        if secret := held.view(view):
            sets[f"{view} {key}"] = [plain(one) for one in secret]
    if held.at is not None and held != NOTHING_HIDDEN:
        spot = [0 if held.value else 1, *_spot(held.at, files)]
        firsts[key] = min(firsts.get(key, spot), spot)


def _spot(at: At, files: Files) -> list[Any]:
    span = at.span
    return [files[span.file.name][0], span.file.name, span.start, span.end]


# ── what is heard ────────────────────────────────────────────────────────────────────────────────────────────────────


def _hear(here: Following, heard: Said, files: Files) -> bool:
    """Whether anything of it is new."""
    sets = heard["sets"]
    new = set(sets["kept"]) - here.kept
    if new:
        here.kept |= new
        here.stale |= here.entries.keys()
    helds: dict[str, dict[int, Held]] = {}
    for key in dict.fromkeys(key.split(" ", 1)[1] for key in sets if key.startswith(_SAID)):
        rest, _, last = key.rpartition(" ")
        held = _held(key, heard, files)
        if rest.startswith("answer "):
            hook = rest.removeprefix("answer ")
            if here.answers.get((hook, last), NOTHING_HIDDEN) != held:
                here.answers[hook, last] = held
                here.stale |= here.asking_afar
        else:
            helds.setdefault(rest, {})[int(last)] = held
    keys = [*helds, *(key.split(" ", 1)[1] for key in sets if key.startswith(("quiet ", "ways ")))]
    for key in dict.fromkeys(keys):
        given = helds.get(key, {})
        quiet: Secret = frozenset(map(unplain, sets.get(f"quiet {key}", ()))) or PUBLIC
        ways = {(script, start): _at(spot, files) for script, start, *spot in sets.get(f"ways {key}", ())}
        handing = Handing(given, quiet)
        for name, entry in _entries(here, key):
            entry.ways |= {way: at for way, at in ways.items() if way not in entry.ways}
            if handing.to(entry):
                here.stale.add(name)
    new = set(sets["wanted"]) - here.wanted
    here.wanted |= new
    return bool(here.stale or new)


def _held(key: str, heard: Said, files: Files) -> Held:
    value, size, cards = (frozenset(map(unplain, heard["sets"].get(f"{view} {key}", ()))) for view in _VIEWS)
    first = heard["firsts"].get(key)
    return holding(value, size, cards, None if first is None else _at(first[1:], files))


def _at(spot: list[Any], files: Files) -> At:
    _, name, start, end = spot
    span = Span(files[name][1], start, end)
    return At(Scalar(span.text, "plain", span), 0, len(span.text))


def _entries(here: Following, key: str) -> Iterator[tuple[str, Entry]]:
    """What a script, or the cards here that answer a hook, know when they begin."""
    assert here.share is not None
    sort, _, name = key.partition(" ")
    if sort == "script":
        yield name, here.entries[name]
        return
    hook, kinds, _ = name.split("/")
    for family in here.share.families:
        if here.world.authored.cards[family].kind.text in kinds.split(","):
            script = f"cards.{family}.{hook}"
            if script in here.entries:
                yield script, here.entries[script]
