"""The check of a large game: in shares, by all processors, and of a share that was checked before what is remembered.

In: what an author wrote. Out: just the messages that `passes.check` has. Never: a message that depends on how many
processes there are, or on what is remembered.

A share is remembered with everything that it depends on: this program, what belongs to no share, the files of the
share, and, step by step, what all shares told it. As long as they tell it the same, it would say and find the same.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

from rulebook import cache
from rulebook.dsl import schema
from rulebook.dsl.dividing import Common, Found, begun, divided, left_of
from rulebook.dsl.document import Mapping, Node, Scalar
from rulebook.dsl.passes import Checked, check
from rulebook.dsl.sharing.share import Share
from rulebook.dsl.sharing.telling import Conversation, Said
from rulebook.fingerprints import program_as_written
from rulebook.validation.conversing import Diverged, Repeated, Told, carried_on, processors
from rulebook.validation.messages import plain_messages, told_messages

__all__ = ["check_in_shares"]

_MOST = 8
"""Shares of one game: each looks at the rules anew, and one is what is checked again after a change."""
_LEAST = 200
"""Scripts of cards in one share."""


def check_in_shares(
    authored: schema.Authored,
    maps: Sequence[Mapping],
    meant: bool,
    *,
    most: int = _MOST,
    least: int = _LEAST,
    processes: int | None = None,
) -> Checked:
    """What `check` says; `maps` are the game's files. The rulebook lacks what cards do."""
    files = {one.span.file.name: (number, one.span.file) for number, one in enumerate(maps)}
    common = begun(authored, files, meant=meant)
    shares = [] if common is None else divided(common, most, least)
    if common is None or len(shares) < 2:
        return check(authored, meant=meant)
    kept = _Kept(common, shares, maps, meant)
    begin: list[Callable[[], Conversation[Found]]] = [_beginning(common, share) for share in shares]
    there = [kept.repeated(share) or new for share, new in zip(shares, begin, strict=True)]
    many = processors() if processes is None else processes
    try:
        made = carried_on(there, kept.finished, many)
    except Diverged:
        # Something has changed on which others depend.
        made = carried_on(begin, kept.finished, many)
    checked = common.together([kept.found(one) for one in made])
    return check(authored, meant=meant) if checked is None else checked


def _beginning(common: Common, share: Share) -> Callable[[], Conversation[Found]]:
    return lambda: common.conversation(share)


class _Kept:
    """What is kept of each share."""

    def __init__(self, common: Common, shares: Sequence[Share], maps: Sequence[Mapping], meant: bool) -> None:
        self.files = {name: file for name, (_, file) in common.files.items()}
        self._names: list[str] = []
        self._keys: list[str | None] = []
        program = None if cache.folder() is None else program_as_written()
        declared = "" if program is None else _declared(common, maps)
        for share in shares:
            own = sorted({common.world.authored.cards[id].key.span.file.name for id in share.families})
            texts = [(name, _hash(self.files[name].text)) for name in own]
            asked = [sys.version, program, declared, meant, len(shares), share.number, share.families, texts]
            self._keys.append(None if program is None else _hash(repr(asked)))
            self._names.append(f"share-{_hash(repr([os.getcwd(), list(self.files)[:1], share.number]))}.json")

    def repeated(self, share: Share) -> Repeated[Any] | None:
        """A share that was checked before; what it points at in files of others must still be there."""
        key = self._keys[share.number]
        kept = None if key is None else cache.read(self._names[share.number], key)
        if kept is None:
            return None
        files = kept["result"]["files"]
        same = all(name in self.files and _hash(self.files[name].text) == text for name, text in files)
        if not same:
            return None
        result = kept["result"]

        def ends_early(step: int, heard: Said) -> Any:
            left = left_of(result["found"], result["parts"], step, heard)
            return None if left is None else result | {"found": left}

        return Repeated([(heard, said) for heard, said in kept["told"]], result, ends_early)

    def finished(self, number: int, found: Found, told: Told) -> Any:
        """What a share has found, as plain data; kept for the next time."""
        plain, files = plain_messages(found.found)
        result = {"files": [[file.name, _hash(file.text)] for file in files], "found": plain, "parts": found.parts}
        key = self._keys[number]
        if key is not None and not found.looked_beyond:
            cache.write(self._names[number], key, {"told": told, "result": result})
        return result

    def found(self, result: Any) -> Found:
        """What a share has found."""
        files = [self.files[name] for name, _ in result["files"]]
        return Found(told_messages(result["found"], files), result["parts"])


def _declared(common: Common, maps: Sequence[Mapping]) -> str:
    """A hash of all that belongs to no share: of a file of nothing but cards all that is no script."""
    authored = common.world.authored
    plain = {one.span.file.name for one in maps if one.keys() == {"cards"}}
    texts = [(one.span.file.name, None if one.span.file.name in plain else one.span.file.text) for one in maps]
    hashed = blake2b(repr([authored.id, texts, sorted(common.world.stages)]).encode(), digest_size=16)
    for id, card in authored.cards.items():
        if card.key.span.file.name in plain:
            scripts = {key for _, key, _ in common.scripts_of(id)}
            said = [(key, None if key in scripts else _text(node)) for key, node in card.fields.items()]
            hashed.update(repr([id, card.kind.text, said]).encode(errors="surrogateescape"))
    return hashed.hexdigest()


def _text(node: Node) -> Any:
    """All that a node says."""
    if isinstance(node, Scalar):
        return node.style, node.text
    if isinstance(node, Mapping):
        return [(key, _text(value)) for key, value in node.items()]
    return [_text(one) for one in node]


def _hash(text: str) -> str:
    return blake2b(text.encode(errors="surrogateescape"), digest_size=12).hexdigest()
