"""The library of the core, as it was built when rulebook was installed.

In: nothing. Out: its functions, or why there is none. Never: compiles; looks for a library anywhere else.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from pathlib import Path

_ADDRESS, _NUMBER, _LONG = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
_UNSIGNED, _DOUBLE = ctypes.c_uint64, ctypes.c_double
_DOORS: dict[str, tuple[type | None, list[type]]] = {
    "op_name": (ctypes.c_char_p, [_NUMBER]),
    "op_kinds": (ctypes.c_char_p, [_NUMBER]),
    "open_game": (_ADDRESS, [_ADDRESS, _LONG]),
    "close_game": (None, [_ADDRESS]),
    "size_of_state": (_LONG, [_ADDRESS]),
    "close_state": (None, [_ADDRESS]),
    "begin_state": (_NUMBER, [_ADDRESS]),
    "load_state": (_NUMBER, [_ADDRESS, _ADDRESS, _ADDRESS, _LONG]),
    "store_state": (_LONG, [_ADDRESS, _ADDRESS, _LONG]),
    "bound_work": (None, [_ADDRESS, _LONG]),
    "what_is_heard": (_UNSIGNED, [_ADDRESS]),
    "watch_games": (None, [_ADDRESS, _ADDRESS]),
    "watch_as_they_are": (
        _LONG,
        [_ADDRESS, _ADDRESS, _LONG, _UNSIGNED, _ADDRESS, _LONG, _ADDRESS, _ADDRESS, _LONG],
    ),
    "write_rows": (None, [_ADDRESS, _ADDRESS, _LONG, _UNSIGNED, *[_ADDRESS] * 3]),
    "watch_mutant": (_LONG, [_ADDRESS, _ADDRESS, _LONG, _LONG, _LONG, _UNSIGNED, *[_ADDRESS] * 3, _LONG]),
    "copy_state": (None, [_ADDRESS, _ADDRESS]),
    "advance_state": (_NUMBER, [_ADDRESS]),
    "what_is_offered": (_LONG, [_ADDRESS, _NUMBER, _ADDRESS, _LONG]),
    "take_answer": (_NUMBER, [_ADDRESS, _NUMBER, _ADDRESS, _LONG]),
    "count_notes": (_NUMBER, [*[_ADDRESS] * 4, _LONG, _ADDRESS]),
    "first_numbers": (None, [ctypes.c_uint64, _LONG, _ADDRESS, _LONG, _ADDRESS]),
    "open_imagining": (_ADDRESS, [_ADDRESS, _ADDRESS, _ADDRESS]),
    "close_imagining": (None, [_ADDRESS]),
    "imagine_first": (_NUMBER, [_ADDRESS, _ADDRESS, _NUMBER, _UNSIGNED, _NUMBER]),
    "has_answers": (_NUMBER, [_ADDRESS]),
    "keep_answers": (None, [_ADDRESS, _ADDRESS, _LONG]),
    "imagine_next": (_NUMBER, [_ADDRESS, _UNSIGNED, _NUMBER]),
    "solve_table": (_NUMBER, [_ADDRESS, _UNSIGNED, _LONG]),
    "begin_game": (_NUMBER, [*[_ADDRESS] * 3, _UNSIGNED, *[_ADDRESS] * 2, _NUMBER]),
    "play_seated": (_NUMBER, [*[_ADDRESS] * 3, ctypes.c_char_p, _ADDRESS, _ADDRESS]),
    "open_search": (_ADDRESS, []),
    "close_search": (None, [_ADDRESS]),
    "begin_search": (None, [_ADDRESS, ctypes.c_char_p, _ADDRESS, _LONG]),
    "search_on": (_NUMBER, [_ADDRESS, _ADDRESS, _LONG]),
    "find_true_answer": (_NUMBER, [_ADDRESS, _NUMBER]),
    "rate_answer": (_NUMBER, [_ADDRESS, _NUMBER]),
    "teach": (None, [*[_ADDRESS] * 4, _LONG, _LONG]),
    "note_stakes": (None, [_ADDRESS, _ADDRESS]),
    "guess_at": (None, [_ADDRESS, _ADDRESS]),
    "restrict_answers": (None, [_ADDRESS, _ADDRESS, _NUMBER]),
    "look_on": (_NUMBER, [_ADDRESS, _ADDRESS, _NUMBER]),
    "value_answer": (_NUMBER, [*[_ADDRESS] * 4, _NUMBER, _NUMBER]),
    "add_products": (None, [_ADDRESS, _LONG, _ADDRESS, _LONG, _ADDRESS, _ADDRESS]),
    "solve_ridge": (_NUMBER, [_ADDRESS, _ADDRESS, _LONG, _DOUBLE, _ADDRESS, _ADDRESS]),
    "play_answer": (_NUMBER, [_ADDRESS, _NUMBER]),
    "play_imagined": (_NUMBER, [_ADDRESS, _NUMBER, _LONG]),
    "give_imagined": (_NUMBER, [_ADDRESS, _NUMBER, _NUMBER]),
    "imagined_table": (_ADDRESS, [_ADDRESS]),
    "number_of_state": (_LONG, [_ADDRESS, _NUMBER]),
    "who_is_asked": (_NUMBER, [_ADDRESS, _ADDRESS]),
    "answer_at_random": (_NUMBER, [_ADDRESS, _NUMBER, _ADDRESS]),
    "open_vector": (_ADDRESS, [_ADDRESS, _LONG, _LONG, _UNSIGNED, _ADDRESS]),
    "close_vector": (None, [_ADDRESS]),
    "width_of_observation": (_LONG, [_ADDRESS]),
    "game_of_vector": (_ADDRESS, [_ADDRESS, _LONG]),
    "begin_in_vector": (_NUMBER, [_ADDRESS, _LONG, _ADDRESS, _UNSIGNED]),
    "look_in_vector": (_NUMBER, [_ADDRESS, _LONG]),
    "step_vector": (_LONG, [_ADDRESS, _ADDRESS]),
    "observe_table": (_NUMBER, [_ADDRESS, _NUMBER, _ADDRESS]),
    "play_after": (
        None,
        [_ADDRESS, _ADDRESS, _NUMBER, _ADDRESS, _LONG, _LONG, _ADDRESS, _ADDRESS, _ADDRESS],
    ),
    "play_branches": (
        _LONG,
        [*[_ADDRESS] * 3, _LONG, *[_ADDRESS] * 7, _LONG],
    ),
    "play_games": (None, [_ADDRESS, _ADDRESS, _LONG, _ADDRESS, _ADDRESS, _ADDRESS]),
}
SWITCH = "RULEBOOK_CORE"
"""The variable that says `off` if the core is not to be used."""


class NoCore(Exception):
    """There is no core here; the sentence says why."""


@cache
def library() -> ctypes.CDLL:
    """The core, loaded. Raises NoCore."""
    if os.environ.get(SWITCH, "").lower() in ("off", "no", "0"):
        raise NoCore(f"{SWITCH} says that the core is not to be used.")
    built = sorted(Path(__file__).parent.glob("_core.*"))
    if not built:
        raise NoCore("rulebook was installed without its core, for want of a compiler of C.")
    return open_library(built[0])


def open_library(path: Path) -> ctypes.CDLL:
    """A library of the core, loaded, with the types of its functions. Raises NoCore."""
    try:
        code = ctypes.CDLL(str(path))
    except OSError as error:
        raise NoCore(f"The core cannot be loaded: {error}.") from None
    if missing := [name for name in _DOORS if not hasattr(code, name)]:
        raise NoCore(
            f"The core is of another version (it has no {missing[0]}). Install rulebook again to build it anew."
        )
    for name, (result, arguments) in _DOORS.items():
        door = getattr(code, name)
        door.restype, door.argtypes = result, arguments
    return code
