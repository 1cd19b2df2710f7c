"""The guests of Exposed, and the grid on which their tiles lie.

In: nothing. Out: the names of the guests by number, and for each number of players the neighbours of each position.
"""

from __future__ import annotations

GUESTS = [
    # with any number of players
    *("accountant", "architect", "astronaut", "dentist", "engineer", "firefighter", "lawyer", "locksmith"),
    *("magician", "mayor", "mechanic", "paramedic", "physicist", "surgeon", "teacher", "undertaker"),
    # with three and more
    *("actor", "farmer", "janitor", "nanny", "nurse", "pilot", "senator", "server", "veterinarian"),
    # with five and more
    *("artist", "banker", "captain", "clown", "cop", "judge", "panhandler", "puppeteer", "realtor", "soldier"),
    "wrestler",
]
PILOT, COP, SOLDIER = map(GUESTS.index, ("pilot", "cop", "soldier"))


class Grid:
    """The neighbours and lines of each position on a square grid, row by row."""

    def __init__(self, size: int) -> None:
        spots = [divmod(spot, size) for spot in range(size * size)]

        def there(*near: tuple[int, int]) -> list[int]:
            return [row * size + column for row, column in near if 0 <= row < size and 0 <= column < size]

        self.marks = size - 2
        self.beside = [there((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) for r, c in spots]
        self.around = [
            there(*((r + down, c + right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right))
            for r, c in spots
        ]
        self.corners = [spot for spot, near in enumerate(self.around) if len(near) == 3]
        rows = [list(range(row * size, (row + 1) * size)) for row in range(size)]
        columns = [list(range(column, size * size, size)) for column in range(size)]
        self.lines = rows + columns
        # Row and column of a position, itself left out.
        self.in_line = [
            [other for other in rows[spot // size] + columns[spot % size] if other != spot]
            for spot in range(size * size)
        ]


GRIDS = {players: Grid(4 if players == 2 else 5 if players <= 4 else 6) for players in range(2, 7)}
