"""Rules as data for tabletop games: rules in YAML with small effect scripts, and an interpreter for them.

What happens to a game, in the order of the packages:

    cards/               a folder of YAML: the cards, places and rules of one game, with effect scripts
    dsl.reading          YAML into nodes that know their file, line and column
    dsl.structuring      nodes into what authors may write, every mistake collected
    dsl.parsing          scripts into trees, as they are written
    dsl.checking         names resolved, types found: the effect IR (`dsl.ir`), the narrow waist
    interpreter.lower    the IR into a program, for a number of players and a choice of options
    interpreter.machine  the program runs over one flat state until it needs somebody's decision
    interpreter.game     a state with its journal, and each player's own view and events
    playtest             bots, many games at once, scenarios
    table, cli           people at a keyboard; the commands

The public names are `load`, `lower`, `Game` and `vector`; each is imported when it is first asked for, so that
importing this package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulebook.interpreter.game import Game as Game
    from rulebook.interpreter.lower import lower as lower
    from rulebook.loading import load as load
    from rulebook.playtest.vector import vector as vector
    from rulebook.version import __version__ as __version__

__all__ = ["Game", "__version__", "load", "lower", "vector"]

_HOMES = {
    "Game": "rulebook.interpreter.game",
    "__version__": "rulebook.version",
    "load": "rulebook.loading",
    "lower": "rulebook.interpreter.lower",
    "vector": "rulebook.playtest.vector",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
