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

The public names are those of the front door (docs/api.md): `open`, what it gives, and what that raises. Each is
imported when it is first asked for, so that importing this package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulebook.agents.doors import MissingExtra as MissingExtra
    from rulebook.agents.doors import openspiel as openspiel
    from rulebook.agents.doors import pettingzoo as pettingzoo
    from rulebook.agents.numbering import CannotNumber as CannotNumber
    from rulebook.arguments import BadArgument as BadArgument
    from rulebook.front_door import CannotOpen as CannotOpen
    from rulebook.front_door import Card as Card
    from rulebook.front_door import Game as Game
    from rulebook.front_door import Play as Play
    from rulebook.front_door import open as open
    from rulebook.front_door import resume as resume
    from rulebook.front_door import vector as vector
    from rulebook.interpreter.core.library import NoCore as NoCore
    from rulebook.interpreter.decisions import BadSetup as BadSetup
    from rulebook.interpreter.decisions import Refused as Refused
    from rulebook.interpreter.decisions import RuleError as RuleError
    from rulebook.playtest.bots import BadSpec as BadSpec
    from rulebook.reporting.notebook import Report as Report
    from rulebook.version import __version__ as __version__

__all__ = [
    "BadArgument",
    "BadSetup",
    "BadSpec",
    "CannotNumber",
    "CannotOpen",
    "Card",
    "Game",
    "MissingExtra",
    "NoCore",
    "Play",
    "Refused",
    "Report",
    "RuleError",
    "__version__",
    "open",
    "openspiel",
    "pettingzoo",
    "resume",
    "vector",
]

_HOMES = {
    "BadArgument": "rulebook.arguments",
    "BadSetup": "rulebook.interpreter.decisions",
    "BadSpec": "rulebook.playtest.bots",
    "CannotNumber": "rulebook.agents.numbering",
    "CannotOpen": "rulebook.front_door",
    "Card": "rulebook.front_door",
    "Game": "rulebook.front_door",
    "MissingExtra": "rulebook.agents.doors",
    "NoCore": "rulebook.interpreter.core.library",
    "Play": "rulebook.front_door",
    "Refused": "rulebook.interpreter.decisions",
    "Report": "rulebook.reporting.notebook",
    "RuleError": "rulebook.interpreter.decisions",
    "__version__": "rulebook.version",
    "open": "rulebook.front_door",
    "openspiel": "rulebook.agents.doors",
    "pettingzoo": "rulebook.agents.doors",
    "resume": "rulebook.front_door",
    "vector": "rulebook.front_door",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
