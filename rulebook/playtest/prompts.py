"""Prompts, by the words that players read, and what hangs on them for those who have learned a game.

In: a program, words; a core that plays as somebody has learned. Out: the prompt that a word means, and which picks
belong to it, of the machine or of the core; of each prompt how often it comes, and how much hangs on it. Never: tells
prompts apart that read alike.
"""

from __future__ import annotations

from array import array
from functools import lru_cache

from rulebook.classes import frozen
from rulebook.diagnostics import did_you_mean
from rulebook.interpreter.core.door import Core
from rulebook.interpreter.program import Pick, Program
from rulebook.playtest.options import NoSuchOption, list_choices

__all__ = ["Stake", "find_prompt", "find_stakes", "list_prompts", "mark_picks"]


_WITHOUT_WORDS = "another choice"


@frozen
class Stake:
    """A prompt that was asked so often in a game, and its share of all that hung on answers: of what the best ones
    were worth more than any, as those who answered value them."""

    prompt: str
    asked: float
    share: float


@lru_cache(maxsize=16)
def list_prompts(program: Program) -> dict[str, tuple[Pick, ...]]:
    """List what is asked, in words, with the picks of each prompt; what is only pressed is no question."""
    prompts = dict[str, tuple[Pick, ...]]()
    for choice in list_choices(program):
        name = choice.asked or choice.picks[0].name or _WITHOUT_WORDS
        if not all(pick.is_button for pick in choice.picks):
            prompts[name] = (*prompts.get(name, ()), *choice.picks)
    return prompts


def find_prompt(program: Program, word: str) -> str:
    """Find what is asked in these words, or with these words in it. Raises NoSuchOption."""
    there, wanted = list_prompts(program), word.casefold()
    if word in there:
        return word
    meant = [name for name in there if name.casefold() == wanted]
    meant = meant or [name for name in there if wanted in name.casefold()]
    if len(meant) == 1:
        return meant[0]
    if meant:
        listed = " or ".join(f"“{name}”" for name in meant[:4])
        raise NoSuchOption(f"`{word}` stands in several questions. Say which: {listed}.")
    raise NoSuchOption(f"Nobody is asked `{word}`. {did_you_mean(word, there)}".rstrip())


def mark_picks(core: Core, prompt: str) -> bytes:
    """Mark by pick of the core whether it belongs to a prompt."""
    mine = {id(pick) for pick in list_prompts(core.program)[prompt]}
    return bytes(id(pick) in mine for pick in core.picks)


def find_stakes(core: Core, seeds: array[int], ways: bytes) -> list[Stake]:
    """Find what hangs on each prompt in games with these seeds, in which the core answers in these ways; those first
    on which most does."""
    stakes = core.imagining.note_stakes(len(core.picks))
    try:
        core.play_seated(seeds, [ways] * len(seeds), lambda table, game: -1)
    finally:
        core.imagining.note_stakes(0)
    rows = {id(pick): stakes[2 * number : 2 * number + 2] for number, pick in enumerate(core.picks)}
    sums = {
        name: [sum(rows[id(pick)][at] for pick in picks if id(pick) in rows) for at in range(2)]
        for name, picks in list_prompts(core.program).items()
    }
    # By chance what does nothing seems to do harm.
    total = sum(max(0, gain) for _, gain in sums.values()) or 1
    found = [Stake(name, asked / len(seeds), max(0, gain) / total) for name, (asked, gain) in sums.items() if asked]
    return sorted(found, key=lambda stake: -stake.share)
