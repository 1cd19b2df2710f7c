"""Players that need nobody: what `bot:random`, `bot:greedy` and the like stand for, and which words are such a player.

In: a word, the seed of a game, a seat. Out: a `Bot`, which answers what its seat is asked. Each bot has random streams
of its own, outside of the game's, so the same seed and the same bots play the same game. Never: uses what its seat may
not know; knows a game.
"""

from rulebook.playtest.bots.names import (
    EXEC,
    SPECS,
    BadSpec,
    Bot,
    check_spec,
    command_of,
    is_command,
    looks,
    make_bot,
)

__all__ = ["EXEC", "SPECS", "BadSpec", "Bot", "check_spec", "command_of", "is_command", "looks", "make_bot"]
