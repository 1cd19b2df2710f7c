"""Grids as blocks of rows and columns, as they lie on the table.

Made from the facts of a `View` alone, so a grid shows nothing that its reader may not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve, field

from rulebook.classes import frozen
from rulebook.interpreter.account import Teller
from rulebook.interpreter.decisions import PASS, Ask, Option
from rulebook.interpreter.layout import PlaceSlot
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import join_texts, name_column, name_position, place_key
from rulebook.printing import visible
from rulebook.table.columns import abreast, padded, shortened
from rulebook.widths import width

Facts = Mapping[str, Any]

_NARROWEST = 10  # a cell in which a name can still be made out
_EMPTY = "·"
_UNKNOWN = "?"
_OWN = "*"
_YOURS = "yours"


@frozen
class Cell:
    """A position: what lies there (empty: nothing), and the signs behind its name; `counts` are those that do not say
    what changed. `is_own`: it stands for who looks. `remarks`: its signs in words.
    """

    name: str = ""
    signs: str = ""
    counts: str = ""
    is_own: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return f"{self.name} {self.signs}".rstrip()

    def cut_text(self, columns: int) -> str:
        """The same in so many columns, where the name has to give way."""
        if not self.signs:
            return padded(shortened(self.name, columns), columns)
        room = columns - width(self.signs) - 1
        return f"{padded(shortened(self.name, room), room)} {self.signs}"


@frozen
class Grid:
    """A grid as one player sees it. `name` is what its place is called; `counts`, `states` and `roles` say what signs
    mean.
    """

    key: str
    name: str
    rows: int
    columns: int
    cells: tuple[Cell, ...]
    counts: tuple[str, ...]
    states: tuple[str, ...]
    roles: tuple[str, ...]
    ids: tuple[str | None, ...] = field(repr=False)
    """The id of the card at each position: None if it is unknown, empty if nothing lies there."""

    @property
    def title(self) -> str:
        legend = "; ".join([*self.counts, *self.states, *self.roles])
        return self.name + (f" ({legend})" if legend else "")

    def explain(self, text: str) -> list[tuple[str, str]]:
        """Explain a position by what lies there; a sign or word of the legend by what it means and where it stands."""
        sought, meanings = text.casefold(), dict[str, str]()
        spots = {name_position(at, self.columns): cell for at, cell in enumerate(self.cells)}
        for sign, meant in (entry.split(": ", 1) for entry in (*self.counts, *self.states, *self.roles)):
            if sought in (sign.casefold(), meant.casefold()):
                stood = [f"{spot} {cell.name}" for spot, cell in spots.items() if meant in cell.remarks]
                meanings[sign] = f"{meant}: {join_texts(stood)}" if stood else f"how many {meant} lie on it"
        if sought in spots:
            cell = spots[sought]
            meanings[sought] = "nothing lies there" if cell.name == _EMPTY else " · ".join((cell.name, *cell.remarks))
        return [(f"{sign} ({self.name})", meaning) for sign, meaning in meanings.items()]

    def name_at(self, text: str) -> str:
        """The name of what lies at a position that is typed; nothing if none is, or nothing known lies there."""
        named = {name_position(at, self.columns): cell.name for at, cell in enumerate(self.cells)}
        return named.get(text.casefold(), "").strip(_EMPTY + _UNKNOWN)

    def draw(self, columns: int, indent: str = "") -> list[str]:
        """The block below its title; where the cells would be too narrow, a list by what people call the positions."""
        side = width(str(self.rows))
        natural = max(*(width(cell.text) for cell in self.cells), width(name_column(self.columns - 1)), 1)
        for between in (" │ ", "│"):
            taken = len(indent) + side + 1 + (self.columns - 1) * len(between)
            room = (columns - taken) // self.columns
            if room >= natural or (between == "│" and room >= _NARROWEST and self._tells_apart(room)):
                return self._draw_block(indent, side, min(room, natural), between)
        named = [
            f"{name_position(at, self.columns)} {cell.text}"
            for at, cell in enumerate(self.cells)
            if cell.name != _EMPTY
        ]
        return abreast([shortened(line, columns - len(indent)) for line in named], columns, indent)

    def _tells_apart(self, room: int) -> bool:
        """Tell whether cards of different names still look different when they are cut."""
        names = {cell.name: Cell(cell.name, cell.signs).cut_text(room)[: room - 3] for cell in self.cells}
        return len(set(names.values())) == len(names)

    def _draw_block(self, indent: str, side: int, room: int, between: str) -> list[str]:
        gap = " " * len(between)
        head = gap.join(padded(name_column(column), room) for column in range(self.columns))
        lines = [f"{indent}{' ' * side} {head}".rstrip()]
        for row in range(self.rows):
            cells = self.cells[row * self.columns : (row + 1) * self.columns]
            lines.append(f"{indent}{row + 1:>{side}} {between.join(cell.cut_text(room) for cell in cells)}".rstrip())
        return lines

    def list_typed(self) -> list[str]:
        """The names of the positions at which something lies."""
        return [name_position(at, self.columns) for at, id in enumerate(self.ids) if id != ""]

    def map_spots(self) -> dict[str, int]:
        """The position of every card that lies here once, by its id."""
        counts = Counter(id for id in self.ids if id)
        return {id: at for at, id in enumerate(self.ids) if id and counts[id] == 1}

    def name_line(self, ids: Sequence[str]) -> str:
        """`row 2` or `column c`, if these are what lies in one, in its order; else nothing."""
        if None in self.ids or "" in self.ids:
            return ""
        for row in range(self.rows):
            if list(ids) == list(self.ids[row * self.columns : (row + 1) * self.columns]):
                return f"row {row + 1}"
        for column in range(self.columns):
            if list(ids) == list(self.ids[column :: self.columns]):
                return f"column {name_column(column)}"
        return ""


# ── from the facts ───────────────────────────────────────────────────────────────────────────────────────────────────


def find_grids(program: Program, facts: Facts) -> list[Grid]:
    """Every grid of which this player may know where things lie."""
    grids = []
    for place in program.layout.places:
        key = place_key(program, facts["players"], place)
        content = facts["places"].get(key)
        if place.name in program.looks.hidden:
            continue
        if place.kept == "grid" and content and len(content["cards"]) == place.rows * place.columns:
            grids.append(_make_grid(program, facts, place, key, content["cards"]))
    return grids


def _make_grid(program: Program, facts: Facts, place: PlaceSlot, key: str, ids: Sequence[str | None]) -> Grid:
    roles = _find_roles(program, facts, ids)
    letter = _choose_letters(program, place, roles.values())
    pools = list(dict.fromkeys(slot.name for id in ids if id for slot in _find_pools(program, id)))
    changed = {card["position"] - 1: card for card in facts["states"] if card["place"] == key}
    cells, used = [], set()
    for at, id in enumerate(ids):
        if id == "":
            cells.append(Cell(_EMPTY))
            continue
        signs: list[str] = []
        words: list[str] = []
        for slot in _find_pools(program, id) if id else ():
            count = facts["places"][f"{id}.{slot.name}"]["pieces"]
            if count != 0:
                before = "" if len(pools) == 1 else f"{slot.name[0]}"
                signs.append(f"{before}{_UNKNOWN if count is None else count}")
                words.append(f"{slot.name.replace('_', ' ')}: {signs[-1].removeprefix(before)}")
                used.add(slot.name)
        counted = len(signs)
        for name in [name for name in letter if name in changed.get(at, ())]:
            if is_sign(changed[at][name]):
                signs.append(_sign(letter[name], changed[at][name]))
                words.append(_word_state(program, name, changed[at][name]))
                used.add(f"{name}=")
        role = [letter[roles[id]]] if id in roles else []
        name = _UNKNOWN if id is None else visible(program.definitions.get(id, id))
        counts_of = _join_signs(signs[:counted] + role)
        words += [program.looks.called(roles[id])] if id in roles else []
        cells.append(Cell(name, _join_signs(signs + role), counts_of, _OWN in role, tuple(words)))
    counts = [
        f"{'number' if len(pools) == 1 else f'{name[0]} and number'}: {name.replace('_', ' ')}"
        for name in pools
        if name in used
    ]
    states = [f"{sign}: {program.looks.called(name)}" for name, sign in letter.items() if f"{name}=" in used]
    stood = [f"{letter[name]}: {program.looks.called(name)}" for name in dict.fromkeys(roles.values())]
    teller = Teller(program, tuple(facts["players"]), None)
    owner = "" if place.owner is None else f"{visible(teller.possessive(facts['players'][place.owner]))} "
    title = f"{owner}{place.name.replace('_', ' ')}"
    return Grid(
        key, title, place.rows, place.columns, tuple(cells), tuple(counts), tuple(states), tuple(stood), tuple(ids)
    )


def _find_pools(program: Program, id: str) -> list[PlaceSlot]:
    """The pools of a card's own, if there is only one such card: of equal ones nobody knows whose is whose."""
    if program.definition.count(id) != 1:
        return []
    card = program.definition.index(id)
    places = [place for place in program.layout.places if place.name not in program.looks.hidden]
    return [place for place in places if place.owned_by == "card" and place.owner == card and place.kept == "pool"]


def _find_roles(program: Program, facts: Facts, ids: Sequence[str | None]) -> dict[str | None, str]:
    """Find cards of a grid that stand for others, since they come with them: for one in a slot of who looks, or in a
    row of the table, which is named. Only what who looks knows to lie there counts.
    """
    me = facts["players"].index(facts["you"]) if facts.get("you") in facts["players"] else None
    roles: dict[str | None, str] = {}
    for place in program.layout.places:
        is_own = place.kept == "slot" and place.owned_by == "player" and place.owner == me
        if is_own or (place.kept == "row" and place.owned_by == "table"):
            content = facts["places"].get(place_key(program, facts["players"], place), {})
            # Of equal ones nobody knows whose is whose.
            held = [id for id in content.get("cards", ()) if id and program.definition.count(id) == 1]
            stands = {f"{id}.{name}" for id in held for name in program.attributes}
            roles |= dict.fromkeys(stands.intersection(id for id in ids if id), _YOURS if is_own else place.name)
    return roles


def _choose_letters(program: Program, place: PlaceSlot, roles: Iterable[str]) -> dict[str, str]:
    """Choose a letter for each state that things may have here, and each role: the first of its name that is free."""
    letters = {_YOURS: _OWN}
    states = [name for name, slot in program.layout.states.items() if slot.kinds & place.holds]
    for name in [*(name for name in states if name not in program.looks.hidden), *roles]:
        free = [char for char in name.upper() if char.isalpha() and char not in letters.values()]
        letters.setdefault(name, free[0] if free else name.upper())
    return letters


def _join_signs(signs: Sequence[str]) -> str:
    return ("" if all(len(sign) == 1 for sign in signs) else " ").join(signs)


def is_sign(value: Any) -> bool:
    """Tell whether a value of a state is short enough for a cell."""
    return isinstance(value, int)


def _sign(letter: str, value: Any) -> str:
    if isinstance(value, bool):
        return letter if value else f"-{letter}"
    return f"{letter}{value}"


def _word_state(program: Program, name: str, value: Any) -> str:
    called = program.looks.called(name)
    if isinstance(value, bool):
        return program.looks.word_answer(name, value) or (called if value else f"not {called}")
    return f"{called}: {value}"


def drawn_places(program: Program, grids: Sequence[Grid]) -> set[str]:
    """The places of cards whose contents stand in the cells."""
    return {f"{id}.{slot.name}" for grid in grids for id in grid.ids if id for slot in _find_pools(program, id)}


# ── what is asked about them ─────────────────────────────────────────────────────────────────────────────────────────


def map_options(grids: Sequence[Grid], ask: Ask) -> dict[str, tuple[str, str]]:
    """Map the options of an ask to their positions, if all lie in one grid; empty otherwise."""
    for grid in grids:
        once = grid.map_spots()
        names: dict[str, tuple[str, str]] = {}
        for option in ask.options:
            at = _position(grid, once, option)
            if at is not None:
                names[option.key] = (name_position(at, grid.columns), str(at + 1))
        if names and set(names) == set(ask.keys) - {PASS}:
            return names
    return {}


def _position(grid: Grid, once: Mapping[str, int], option: Option) -> int | None:
    sort, _, rest = option.key.partition(":")
    before, _, index = rest.rpartition(".")
    if (
        index.isdigit()
        and option.count == 1
        and (before == grid.key if sort == "cell" else sort == "card" and before.endswith(f"@{grid.key}"))
    ):
        return int(index) - 1
    return once.get(rest) if sort == "card" and option.count == 1 else None


def word_positions(program: Program, facts: Facts, grids: Sequence[Grid], ask: Ask) -> Ask:
    """The ask with names that people use for positions and for whole rows and columns; its keys stay as they are."""
    teller = Teller(program, tuple(facts["players"]), None)
    options = []
    for option in ask.options:
        sort, _, rest = option.key.partition(":")
        if sort == "cell":
            grid_key, _, index = rest.rpartition(".")
            columns = next((grid.columns for grid in grids if grid.key == grid_key), 0)
            option = evolve(option, label=name_position(int(index) - 1, columns) if columns else option.label)
        elif sort == "list":
            lines = (grid.name_line(rest.split("+")) for grid in grids)
            option = evolve(option, label=next(filter(None, lines), "") or teller.describe_key(option.key))
        options.append(option)
    return evolve(ask, options=tuple(options))
