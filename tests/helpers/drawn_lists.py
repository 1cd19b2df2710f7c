"""Lists of players, drawn so that there surely is somebody in them, or so that there may be nobody.

In: a random number. Out: the words of a list, about `me` in a game of two or more that eliminates nobody. `USES` are
sentences that need somebody in it. Never: asks the checker whether there is.
"""

from __future__ import annotations

from collections.abc import Callable

SURE = ["players", "seats", "others", "[me]", "[me, me.left]", "clockwise from me.right", "([me] + others)"]
UNSURE = ["(players where score > 2)", "(others where score < 1)", "first(others, turns)"]
USES = [
    "add first({list}).score to turns",
    "add last({list}).left.score to turns",
    "add max(score of {list}) to turns",
    "add min(p.score + 1 for p in {list}) to turns",
    "add max(1..count({list})) to turns",
]


def draw_list(below: Callable[[int], int], *, is_sure: bool, depth: int = 0) -> str:
    """Draw a list in which there is somebody, or in which there may be nobody."""
    base = SURE if is_sure else UNSURE
    if depth == 3 or below(3) == 0:
        return base[below(len(base))]
    inner = draw_list(below, is_sure=is_sure, depth=depth + 1)
    match below(6):
        case 0:
            return f"({inner} sorted by most score)"
        case 1:
            return f"({inner} with most score)"
        case 2:
            return f"first({inner}, 2)"
        case 3:
            return f"distinct({inner})"
        case 4:
            other = draw_list(below, is_sure=False, depth=depth + 1)
            return f"({other} + {inner})" if below(2) else f"({inner} + {other})"
        case _:
            other = draw_list(below, is_sure=is_sure, depth=depth + 1)
            return f"({inner} if turns > 2 else {other})"
