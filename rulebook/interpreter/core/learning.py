"""Features in the core: the plan by which it tells them, and sums of products and a regression for who learns.

In: the features of a program, a core with that program; rows of features. Out: rows of numbers for `learning.c`. Never:
another number than `features` tells.
"""

from __future__ import annotations

from array import array
from itertools import accumulate, chain
from typing import TYPE_CHECKING

from rulebook.interpreter.core.encode import WORD
from rulebook.interpreter.core.library import NoCore, library
from rulebook.interpreter.features import Features, Remembered

if TYPE_CHECKING:
    from rulebook.interpreter.core.door import Core


def make_plan(features: Features, core: Core) -> array[int]:
    """The row of numbers by which the core tells these features, as `learning.c` reads it."""
    image = core.image
    codes = {id(code): len(core.program.codes) + at for at, code in enumerate(core.program.questions.values())}
    signs = features.signs
    many = (
        features.width, len(features.groups), len(features.kinds), len(features.memories), len(features.of_players),
        len(features.of_table), len(features.of_cards), len(features.spots), len(core.program.stages),
        len(features.local_slots),
    )  # fmt: skip
    return array(
        "q",
        chain(
            many,
            features.group,
            features.owned,
            accumulate(map(len, signs), initial=0),
            chain.from_iterable(chain.from_iterable(signs)),
            chain.from_iterable(_plan_memory(memory, core) for memory in features.memories),
            (codes[id(code)] for code in (*features.of_players, *features.of_table)),
            chain.from_iterable((codes[id(code)], card) for code, card in features.of_cards),
            (image.offsets[code][pc] for code, pc in features.spots),
            features.local_slots,
        ),
    )


def _plan_memory(memory: Remembered, core: Core) -> tuple[int, ...]:
    words = (WORD + core.numbers[word] if word in core.numbers else -1 for word in memory.words)
    return memory.number, memory.way, len(memory.words), *words


def add_products(rows: array[int], columns: dict[int, int], width: int) -> tuple[array[int], array[int]] | None:
    """Add up, over rows of a target and of features that are not 0 with their numbers, the products of each two columns
    (the lower half of a square), and of each with the target. None where there is no core.
    """
    try:
        code = library()
    except NoCore:
        return None
    at = array("i", [columns.get(feature, -1) for feature in range(width)])
    many = len(columns)
    products, targets = array("q", bytes(8 * many * many)), array("q", bytes(8 * many))
    code.add_products(
        rows.buffer_info()[0], len(rows), at.buffer_info()[0], many, products.buffer_info()[0], targets.buffer_info()[0]
    )
    return products, targets


def solve_ridge(
    products: array[int], targets: array[int], ridge: float
) -> tuple[array[float], array[float]] | None:
    """Solve a ridge regression from such sums: the sizes of all columns but the first, and the weights of the same when
    they are standardized. None where there is no core.
    """
    try:
        code = library()
    except NoCore:
        return None
    columns = len(targets)
    sizes, weights = (array("d", bytes(8 * (columns - 1))) for _ in range(2))
    sums, found = ([row.buffer_info()[0] for row in pair] for pair in ((products, targets), (sizes, weights)))
    if code.solve_ridge(*sums, columns, ridge, *found):
        raise MemoryError
    return sizes, weights
