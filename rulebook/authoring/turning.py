"""A game with other values: the plans of its settings, and the changes of one value that somebody might make.

In: a game, knobs, a plan. Out: the plan of each setting, or none where it cannot be played. A game is loaded once for
all that its cards and scripts say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from pathlib import Path

from attrs import define, evolve, field

from rulebook.authoring.knobs import Knob, list_knobs, list_option_knobs, write_variant
from rulebook.classes import frozen
from rulebook.dsl.ir import Rulebook
from rulebook.dsl.overlay.paths import Keys
from rulebook.dsl.settling.forbidding import list_numbers
from rulebook.dsl.settling.options import settle_options
from rulebook.loading import CheckedGame, load
from rulebook.loading.frontend import Shared
from rulebook.playtest.series.mending import Change
from rulebook.playtest.series.plan import Plan


@frozen
class GameFiles:
    """A game where it lies: its folder, the files of the variants that are laid over it, and what was loaded."""

    folder: Path
    variants: tuple[Path, ...]
    game: CheckedGame
    shared: Shared = field(factory=Shared, eq=False, repr=False)


@define
class Settings:
    """The settings of a game: plans by the values of what is varied. `unplayable` counts those that have none, and
    `why` is the first error of one."""

    source: GameFiles
    knobs: Sequence[Knob]
    plan: Plan
    id: str
    unplayable: int = field(default=0, init=False)
    why: str = field(default="", init=False)
    _loaded: dict[tuple[int, ...], Rulebook | None] = field(factory=dict, init=False)

    @property
    def here(self) -> tuple[int | None, ...]:
        """The values that the game has now."""
        return tuple(knob.here for knob in self.knobs)

    def write_setting(self, values: Sequence[int], name: str, about: str, *, sets: bool) -> str:
        """Write the variant that has these values."""
        extends = self.source.folder.resolve().name
        chosen = [*zip(self.knobs, values, strict=True)]
        follows = [*self.source.game.rulebook.variants]
        return write_variant(self.id, name, about, extends, follows, chosen, sets=sets)

    def make(self, values: Sequence[int]) -> tuple[Plan, int] | None:
        """The plan of a setting, and how many things it changes; None where it cannot be played."""
        rulebook = self._load_setting(values)
        if rulebook is None:
            self.unplayable += 1
            return None
        options = dict(self.plan.options)
        for knob, value in zip(self.knobs, values, strict=True):
            if not knob.turns:
                option = {knob.name: rulebook.options[knob.name]}
                options |= settle_options(option, {knob.name: knob.values[value]}, rulebook.units)[0]
        if self.plan.players not in list_numbers(rulebook, options):
            self.unplayable += 1
            return None
        changes = sum(value != knob.here for knob, value in zip(self.knobs, values, strict=True))
        return evolve(self.plan, rulebook=rulebook, options=options), changes

    def _load_setting(self, values: Sequence[int]) -> Rulebook | None:
        source = self.source
        key = tuple(value if knob.turns else 0 for knob, value in zip(self.knobs, values, strict=True))
        if all(not knob.turns or value == knob.here for knob, value in zip(self.knobs, values, strict=True)):
            return source.game.rulebook
        if key not in self._loaded:
            path = source.folder / "variants" / f"{self.id}.yaml"
            text = self.write_setting(values, "Tuned", "Values that were searched.", sets=False)
            source.shared.lay_beside(path, text)
            loaded = load(source.folder, [*source.variants, path], shared=source.shared)
            self._loaded[key] = loaded.rulebook
            if loaded.rulebook is None and not self.why:
                errors = [one for one in loaded.messages if one.severity == "error"]
                self.why = errors[0].message
        return self._loaded[key]


def list_changes(source: GameFiles, plan: Plan, own: Sequence[Keys], now: dict[str, str]) -> Iterator[Change]:
    """List changes of one value each that can be played: first what stands below certain paths, then house rules and
    numbers of rules by turns. `now` are the house rules as they are."""
    below = [knob for keys in own for knob in list_knobs(source.game, keys)]
    rules = [knob for keys in (("rules",), ("values",)) for knob in list_knobs(source.game, keys)]
    by_turns = chain.from_iterable(zip_longest(list_option_knobs(source.game, now), rules))
    for knob in (*below, *by_turns):
        if knob is not None and knob.here is not None:
            settings = Settings(source, [knob], plan, "tuned")
            for value, text in enumerate(knob.values):
                made = settings.make((value,)) if value != knob.here else None
                if made is not None:
                    option = source.game.rulebook.options.get(knob.name)
                    about = "" if option is None or knob.turns else option.text
                    yield Change(knob.name, knob.values[knob.here], text, about, made[0], is_option=not knob.turns)
