"""Small games built by hand as the effect IR, for tests of the run time.

In: nothing. Out: `ir.Rulebook` values, and short makers for nodes that tests put together themselves.
"""

from __future__ import annotations

from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t

CARD = t.Card(frozenset({"gem"}))
CARDS = t.ListOf(CARD)
PLAYERS = t.ListOf(t.PLAYER)

# ── expressions ──────────────────────────────────────────────────────────────────────────────────


def const(value: Any, of: t.Type = t.NUMBER) -> ir.Const:
    return ir.Const(value, type=of)


def text(value: str) -> ir.Const:
    return const(value, t.TEXT)


def local(slot: int, of: t.Type = CARD) -> ir.Local:
    return ir.Local(slot, f"x{slot}", type=of)


def player(slot: int) -> ir.Local:
    return local(slot, t.PLAYER)


def place(name: str, owner: ir.Expr | None = None, kept: str = "loose") -> ir.PlaceOf:
    return ir.PlaceOf(name, owner, type=t.Place(kept, frozenset({"gem"})))


def cards(name: str, owner: ir.Expr | None = None, kept: str = "loose") -> ir.Cards:
    return ir.Cards(place(name, owner, kept), type=CARDS)


def players() -> ir.Seats:
    return ir.Seats(False, type=PLAYERS)


def built_in(name: str, *arguments: ir.Expr, of: t.Type = t.NUMBER) -> ir.BuiltIn:
    return ir.BuiltIn(name, arguments, type=of)


def count(of: ir.Expr) -> ir.BuiltIn:
    return built_in("count", of)


def first(of: ir.Expr) -> ir.BuiltIn:
    return built_in("first", of, of=t.maybe(CARD))


def memory(name: str, of: ir.Expr | None = None) -> ir.TableMemory | ir.PlayerMemory:
    if of is None:
        return ir.TableMemory(name, type=t.NUMBER)
    return ir.PlayerMemory(name, of, type=t.NUMBER)


def compare(left: ir.Expr, sign: str, right: ir.Expr) -> ir.Compare:
    return ir.Compare(sign, left, right, type=t.YES_NO)


def plus(left: ir.Expr, right: ir.Expr) -> ir.Arithmetic:
    return ir.Arithmetic("+", left, right, type=t.NUMBER)


def where(several: ir.Expr, slot: int, condition: ir.Expr) -> ir.Filter:
    return ir.Filter(several, slot, condition, type=several.type)


def clockwise(start: ir.Expr, after: bool = False) -> ir.Clockwise:
    return ir.Clockwise(start, after, type=PLAYERS)


# ── statements ───────────────────────────────────────────────────────────────────────────────────


def move(what: ir.Expr, goal: ir.Expr, end: str = "", face: str = "") -> ir.Move:
    return ir.Move(what, goal, end, face)


def draw(
    number: int, source: ir.Expr, goal: ir.Expr, slot: int | None = None, many: bool = False, face: str = ""
) -> ir.Draw:
    return ir.Draw(const(number), source, goal, "", face, slot, many)


def pick(
    slot: int,
    *sources: ir.Expr,
    sort: str = "card",
    many: bool = False,
    least: int = 1,
    most: int | None = 1,
    ordered: bool = False,
    so_that: ir.Expr | None = None,
) -> ir.Pick:
    listed = tuple(ir.Source(source, sort) for source in sources)
    upper = None if most is None else const(most)
    return ir.Pick(slot, f"x{slot}", many, const(least), upper, ordered, listed, so_that)


def choose(
    who: ir.Expr,
    *picks: ir.Pick,
    may: bool = False,
    secretly: bool = False,
    taken: ir.Block | None = None,
    otherwise: ir.Block | None = None,
) -> ir.Choose:
    return ir.Choose(who, may, secretly, False, None, picks, taken, otherwise)


def choose_each(slot: int, *picks: ir.Pick, secretly: bool = False, otherwise: ir.Block | None = None) -> ir.ChooseEach:
    return ir.ChooseEach(slot, players(), False, secretly, False, None, picks, otherwise)


def option(label: str, *body: ir.Statement, condition: ir.Expr | None = None) -> ir.Option:
    return ir.Option(text(label), condition, body)


def menu(who: ir.Expr, *options: ir.Option, may: bool = False, otherwise: ir.Block | None = None) -> ir.Menu:
    return ir.Menu(who, may, False, None, options, otherwise)


def offer(
    who: ir.Expr, slot: int, *options: ir.Option, together: bool = False, otherwise: ir.Block | None = None
) -> ir.Offer:
    return ir.Offer(who, together, slot, "q", None, options, (), (), otherwise)


def offer_choice(
    who: ir.Expr, slot: int, pick: ir.Pick, *body: ir.Statement, together: bool = False,
    otherwise: ir.Block | None = None,
) -> ir.Offer:  # fmt: skip
    return ir.Offer(who, together, slot, "q", None, (), (pick,), body, otherwise)


def each(slot: int, several: ir.Expr, *body: ir.Statement, index: int | None = None) -> ir.ForEach:
    return ir.ForEach(slot, several, index, "", body, several.type == PLAYERS)


def repeat(number: int | None, *body: ir.Statement, index: int | None = None) -> ir.Repeat:
    return ir.Repeat(None if number is None else const(number), index, "", body)


def stage(name: str, *body: ir.Statement, until: ir.Expr | None = None) -> ir.Stage:
    return ir.Stage(name, text(name.title()), until, body)


def when(condition: ir.Expr, *then: ir.Statement, otherwise: ir.Block = ()) -> ir.If:
    return ir.If(condition, then, otherwise)


def assign(target: Any, value: ir.Expr) -> ir.Assign:
    return ir.Assign(target, value)


def stop(depth: int = 0) -> ir.Leave:
    return ir.Leave(False, depth)


# ── declarations ─────────────────────────────────────────────────────────────────────────────────


def script(name: str, *body: ir.Statement, slots: tuple[t.Type, ...] = (), parameters: int = 0) -> ir.Script:
    names = tuple(f"x{slot}" for slot in range(len(slots)))
    return ir.Script(name, parameters, ir.Slots(names, slots), body)


def place_def(
    name: str, owner: str = "table", kept: str = "loose", seen_by: str = "everyone", **more: Any
) -> ir.PlaceDef:
    rest: dict[str, Any] = {
        "of": frozenset(),
        "holds": frozenset({"gem"}),
        "size": None,
        "refill": None,
        "seen_by": seen_by,
        "recall": True,
        "counted": "everyone",
        "opened_at_end": False,
        **more,
    }
    for field in ("seen_by", "recall", "counted", "opened_at_end"):
        rest[field] = const(rest[field])
    return ir.PlaceDef(name=name, owner=owner, kept=kept, **rest)


def memory_def(name: str, owner: str = "table", start: Any = 0, seen_by: str = "everyone", **more: Any) -> ir.MemoryDef:
    rest: dict[str, Any] = {"type": t.NUMBER, "values": None, "lasts": None, **more}
    return ir.MemoryDef(name=name, owner=owner, start=start, seen_by=seen_by, **rest)


def state_def(name: str, start: Any = False, **more: Any) -> ir.StateDef:
    rest: dict[str, Any] = {
        "type": t.YES_NO,
        "kinds": frozenset({"gem"}),
        "values": (False, True),
        "with_face": False,
        "lasts": None,
        "printed": False,
        **more,
    }
    return ir.StateDef(name=name, start=start, **rest)


def card_def(id: str, copies: int, worth: int) -> ir.CardDef:
    return ir.CardDef(id, "gem", text(id.title()), None, {"worth": const(worth)}, ((const(copies), {}),))


PLACES = (
    place_def("bag", kept="bag", seen_by="nobody"),
    place_def("deck", kept="pile", seen_by="nobody", refill="heap"),
    place_def("heap", kept="pile", seen_by="top"),
    place_def("row", kept="row", seen_by="nobody"),
    place_def("open", kept="row"),
    place_def("board", kept="grid", size=(const(2), const(3))),
    place_def("bank", kept="pool"),
    place_def("hand", "player", seen_by="owner"),
    place_def("area", "player", kept="row"),
    place_def("secret", "player", kept="slot", seen_by="owner"),
    place_def("purse", "player", kept="pool"),
    place_def("brow", "player", kept="row", seen_by="others"),
)
GEMS = {"ruby": (3, 5), "pearl": (2, 3), "jade": (4, 1)}


def rulebook(
    *scripts: ir.Script,
    gems: dict[str, tuple[int, int]] = GEMS,
    memories: tuple[ir.MemoryDef, ...] = (memory_def("turns"), memory_def("points", "player")),
    states: tuple[ir.StateDef, ...] = (),
    functions: tuple[ir.Function, ...] = (),
    hooks: dict[str, dict[str, str]] | None = None,
    actions: tuple[ir.ActionDef, ...] = (),
    options: tuple[ir.OptionDef, ...] = (),
    result: ir.Result | None = None,
) -> ir.Rulebook:
    """A game about gems, with a place of every kind; the first script is the game unless one is called so."""
    named = {one.name: one for one in scripts}
    points = ir.Key(True, memory("points", player(0)))
    return ir.Rulebook(
        id="gems",
        name="Gems",
        players=tuple(range(2, 13)),
        units={"coin": 1},
        words={"shade": {"dark": "Dark", "light": "Light"}},
        options={one.name: one for one in options},
        kinds={"gem": ir.Kind("gem", ())},
        states={one.name: one for one in states},
        cards={id: card_def(id, copies, worth) for id, (copies, worth) in gems.items()},
        actions={one.id: one for one in actions},
        places={one.name: one for one in PLACES},
        box=place_def("box", seen_by="nobody", holds=frozenset()),
        memories={one.name: one for one in memories},
        functions={one.name: one for one in functions},
        scripts=named,
        hooks=hooks or {},
        result=result or ir.Result((points,), None, False, ir.Slots(("it",), (t.PLAYER,))),
    )


def game(*body: ir.Statement, slots: tuple[t.Type, ...] = (), **more: Any) -> ir.Rulebook:
    """A rulebook whose game is this block."""
    scripts = more.pop("scripts", ())
    return rulebook(script("rules.game", *body, slots=slots), *scripts, **more)


def small_game() -> ir.Rulebook:
    """Everybody draws three gems, then three rounds: a sealed gift to the open row, then a menu each; a stage that
    ends when the row is full."""
    me, gift, chosen = 0, 1, 2
    in_turn = each(
        me,
        players(),
        menu(
            player(me),
            option("Draw", draw(1, place("bag", kept="bag"), place("hand", player(me)))),
            option(
                "Play",
                choose(player(me), pick(chosen, cards("hand", player(me)))),
                move(local(chosen), place("area", player(me))),
                assign(memory("points", player(me)), plus(memory("points", player(me)), const(1))),
                condition=ir.Not(ir.IsEmpty(cards("hand", player(me)), type=t.YES_NO), type=t.YES_NO),
            ),
        ),
    )
    given = ir.Entry(local(gift, t.TableOf(t.maybe(CARD), t.PLAYER)), player(me), type=t.maybe(CARD))
    sealed = (
        choose_each(me, pick(gift, cards("hand", player(me)))),
        each(me, players(), move(given, place("open"))),
    )
    body = (
        move(ir.AllCards(type=CARDS), place("bag", kept="bag")),
        ir.Shuffle(place("bag", kept="bag")),
        ir.Deal(const(2), place("bag", kept="bag"), "hand"),
        stage(
            "party",
            repeat(3, *sealed, in_turn),
            until=compare(count(cards("open", kept="row")), ">=", const(4)),
        ),
    )
    return game(*body, slots=(t.PLAYER, t.TableOf(t.maybe(CARD), t.PLAYER), CARD))
