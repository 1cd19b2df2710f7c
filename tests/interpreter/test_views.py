"""Views: how each kind of place, memory and state is shown to who may know it, and to who may not."""

import json
from typing import Any

import ir_samples as s
import pytest
from attrs import evolve
from leaks import answer_at_random
from secret_game import secret_game

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.examples import of_its_own
from rulebook.interpreter.determinize import determinize, hidden_cards
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.random import Source

NAMES = ("Ana", "Ben")
ME, CARD, NUMBER = 0, 1, 2
SLOTS = (t.PLAYER, s.CARD, t.NUMBER)
UNIQUE = {"ruby": (1, 5), "pearl": (1, 3), "jade": (1, 1), "opal": (1, 7)}


def wait(who: ir.Expr | None = None, **more: Any) -> ir.Choose:
    """The game stops here until somebody (the first player) says a number."""
    numbers = ir.Span(s.const(0), s.const(5), type=t.ListOf(t.NUMBER))
    return evolve(s.choose(who or first_player(), s.pick(NUMBER, numbers, sort="number")), **more)


def first_player() -> ir.Expr:
    return ir.BuiltIn("first", (s.players(),), type=t.PLAYER)


def start(
    *body: ir.Statement,
    change: dict[str, dict[str, Any]] | None = None,
    gems: dict[str, tuple[int, int]] = UNIQUE,
    stopped: bool = True,
    **more: Any,
) -> Game:
    """A game of two that has done these sentences; `change` changes declarations of places."""
    rules = s.game(*body, *([wait()] if stopped else []), slots=SLOTS, gems=gems, **more)
    changed: dict[str, dict[str, Any]] = {
        name: {field: s.const(value) for field, value in new.items()} for name, new in (change or {}).items()
    }
    places = {name: evolve(one, **changed.get(name, {})) for name, one in rules.places.items()}
    return Game(lower(evolve(rules, places=places), 2), 1, NAMES)


def gem(id: str) -> ir.Expr:
    """The one card of a definition."""
    return s.first(ir.AllCards(id, type=s.CARDS))


def place(game: Game, seat: int, key: str) -> Any:
    return game.view(seat).facts["places"][key]


def deal(kept: str, name: str) -> tuple[ir.Statement, ...]:
    """All gems, shuffled, three of them drawn into a place."""
    deck = s.place("deck", kept="pile")
    return (
        s.move(ir.AllCards(type=s.CARDS), deck),
        ir.Shuffle(deck),
        s.draw(3, deck, s.place(name, kept=kept)),
    )


# ── places ───────────────────────────────────────────────────────────────────────────────────────


def test_an_unordered_place_shows_known_cards_sorted_and_how_many_others() -> None:
    game = start(ir.Deal(s.const(2), s.place("bag", kept="bag"), "hand"), gems={})
    assert place(game, 0, "Ana.hand") == {"cards": [], "unknown": 0}
    bag = s.place("bag", kept="bag")
    game = start(s.move(ir.AllCards(type=s.CARDS), bag), ir.Deal(s.const(2), bag, "hand"))
    mine = place(game, 0, "Ana.hand")
    assert mine["cards"] == sorted(mine["cards"])
    assert len(mine["cards"]) == 2
    assert mine["unknown"] == 0
    assert place(game, 1, "Ana.hand") == {"cards": [], "unknown": 2}


def test_a_card_that_was_shown_is_listed_by_its_id() -> None:
    bag = s.place("bag", kept="bag")
    game = start(
        s.move(ir.AllCards(type=s.CARDS), bag),
        s.draw(3, bag, s.place("hand", first_player())),
        ir.Show(s.first(s.cards("hand", first_player())), ir.Seats(True, type=s.PLAYERS)),
    )
    shown = place(game, 1, "Ana.hand")
    assert len(shown["cards"]) == 1
    assert shown["unknown"] == 2
    assert shown["cards"][0] in place(game, 0, "Ana.hand")["cards"]


def test_a_row_shows_every_position_and_which_cards_lie_face_up() -> None:
    game = start(*deal("row", "row"), ir.Reveal(s.first(s.cards("row", kept="row"))))
    shown = place(game, 0, "row")
    assert shown["cards"][1:] == [None, None]
    assert shown["cards"][0] in UNIQUE
    assert shown["face_up"] == [1]


def test_a_pile_shows_only_what_is_known_of_it() -> None:
    deck = s.place("deck", kept="pile")
    game = start(s.move(ir.AllCards(type=s.CARDS), deck), ir.Shuffle(deck))
    assert place(game, 0, "deck") == {"cards": [None] * 4}
    game = start(
        s.move(ir.AllCards(type=s.CARDS), deck),
        ir.Shuffle(deck),
        ir.Show(s.first(s.cards("deck", kept="pile")), first_player()),
    )
    mine = place(game, 0, "deck")["cards"]
    assert mine[0] in UNIQUE
    assert mine[1:] == [None] * 3
    assert place(game, 1, "deck") == {"cards": [None] * 4}


def test_a_known_card_somewhere_in_an_unsettled_pile_has_no_position() -> None:
    """Anyone may look through this pile; nobody knows in which order it lies, not even the machine."""
    deck = s.place("deck", kept="pile")
    game = start(s.move(ir.AllCards(type=s.CARDS), deck), ir.Shuffle(deck), change={"deck": {"seen_by": "everyone"}})
    assert place(game, 0, "deck") == {"cards": [None] * 4, "among": sorted(UNIQUE)}


def test_only_the_top_of_a_pile_shows_its_face() -> None:
    heap = s.place("heap", kept="pile")
    game = start(s.move(gem("ruby"), heap), s.move(gem("jade"), heap))
    assert place(game, 1, "heap") == {"cards": ["jade", "ruby"], "face_up": [1]}


def test_a_grid_shows_empty_positions() -> None:
    game = start(s.move(gem("ruby"), s.place("board", kept="grid")))
    assert place(game, 1, "board") == {
        "cards": ["ruby", "", "", "", "", ""],
        "rows": 2,
        "columns": 3,
        "face_up": [1],
    }


def test_a_pool_shows_its_pieces_and_a_slot_its_card() -> None:
    game = start(
        s.move(gem("ruby"), s.place("secret", first_player())),
        s.move(gem("jade"), s.place("bank", kept="pool")),
    )
    assert place(game, 0, "bank") == {"pieces": 1}
    assert place(game, 0, "Ana.secret") == {"cards": ["ruby"]}


def test_a_size_that_is_not_counted_is_not_shown() -> None:
    bag = s.place("bag", kept="bag")
    body = (s.move(ir.AllCards(type=s.CARDS), bag), ir.Deal(s.const(1), bag, "hand"))
    game = start(*body, change={"hand": {"counted": "owner"}})
    assert place(game, 1, "Ana.hand") == {"cards": [], "unknown": None}
    assert place(game, 0, "Ana.hand")["unknown"] == 0


def test_a_place_without_recall_does_not_repeat_what_one_may_not_look_at() -> None:
    seen = s.move(gem("ruby"), s.place("open", kept="row"))
    body = (seen, s.move(gem("ruby"), s.place("row", kept="row"), face="down"))
    assert place(start(*body), 0, "row") == {"cards": ["ruby"]}
    assert place(start(*body, change={"row": {"recall": False}}), 0, "row") == {"cards": [None]}


def test_what_is_opened_at_the_end_is_shown_when_the_game_is_over() -> None:
    bag = s.place("bag", kept="bag")
    body = (s.move(ir.AllCards(type=s.CARDS), bag), ir.Deal(s.const(1), bag, "hand"))
    opened = {"hand": {"opened_at_end": True}}
    assert len(place(start(*body, change=opened, stopped=False), 1, "Ana.hand")["cards"]) == 1
    assert place(start(*body, change=opened), 1, "Ana.hand") == {"cards": [], "unknown": 1}
    assert place(start(*body, stopped=False), 1, "Ana.hand") == {"cards": [], "unknown": 1}


def test_everyone_is_told_what_is_opened_at_the_end() -> None:
    bag = s.place("bag", kept="bag")
    body = (s.move(ir.AllCards(type=s.CARDS), bag), ir.Deal(s.const(2), bag, "hand"))
    game = start(*body, change={"hand": {"opened_at_end": True}}, stopped=False)
    for seat in range(2):
        told = {one.facts["place"]: one.facts["cards"] for one in game.events(seat) if one.kind == "opened"}
        assert told == {f"{name}.hand": place(game, seat, f"{name}.hand")["cards"] for name in ("Ana", "Ben")}
    still = start(*body, change={"hand": {"opened_at_end": True}})
    assert not any(one.kind == "opened" for one in still.events(0))


# ── memory and states ────────────────────────────────────────────────────────────────────────────


def test_memory_is_shown_to_who_sees_it() -> None:
    memories = (
        s.memory_def("turns", start=3),
        s.memory_def("points", "player"),
        s.memory_def("vote", "player", seen_by="owner", start=2),
        s.memory_def("marked", "player", seen_by="nobody"),
        s.memory_def("starter", start=1, type=t.PLAYER),
    )
    shown = start(memories=memories).view(0).facts["memory"]
    assert shown == {"turns": 3, "starter": "Ben", "Ana.points": 0, "Ben.points": 0, "Ana.vote": 2}


def test_memory_does_not_name_cards_that_the_seat_does_not_know() -> None:
    memories = (
        s.memory_def("points", "player"),
        s.memory_def("prize", start=None, type=s.CARD),
        s.memory_def("pledged", start=(), type=s.CARDS),
    )
    hand = s.cards("hand", first_player())
    bag = s.place("bag", kept="bag")
    game = start(
        s.move(ir.AllCards(type=s.CARDS), bag),
        s.draw(2, bag, s.place("hand", first_player())),
        s.assign(ir.TableMemory("prize", type=s.CARD), s.first(hand)),
        s.assign(ir.TableMemory("pledged", type=s.CARDS), hand),
        memories=memories,
    )
    mine, theirs = (game.view(seat).facts["memory"] for seat in (0, 1))
    assert mine["prize"] in UNIQUE
    assert mine["pledged"] == place(game, 0, "Ana.hand")["cards"]
    assert theirs["prize"] == "?"
    assert theirs["pledged"] == ["?", "?"]


def test_states_are_shown_where_they_changed_and_can_be_seen() -> None:
    states = (s.state_def("cracked"), s.state_def("worn", with_face=True))
    hand = s.first(s.cards("hand", first_player()))
    bag = s.place("bag", kept="bag")
    changes = [s.assign(ir.State(name, hand, type=t.YES_NO), s.const(True, t.YES_NO)) for name in ("cracked", "worn")]
    game = start(
        s.move(ir.AllCards(type=s.CARDS), bag),
        s.draw(1, bag, s.place("hand", first_player())),
        *changes,
        states=states,
    )
    [mine] = game.view(0).facts["states"]
    assert mine == {"card": mine["card"], "place": "Ana.hand", "cracked": True, "worn": True}
    assert mine["card"] in UNIQUE
    assert game.view(1).facts["states"] == [{"card": "?", "place": "Ana.hand", "cracked": True}]


# ── where the game stands ────────────────────────────────────────────────────────────────────────


def test_the_stages_are_shown_by_their_titles() -> None:
    title = ir.Joined(("Round of ", first_player()), type=t.TEXT)
    inner = evolve(s.stage("round", wait()), title=title)
    game = start(s.stage("party", inner), stopped=False)
    assert game.view(1).facts["stages"] == ["Party", "Round of Ana"]


def test_who_is_waited_for_is_named_unless_the_choice_is_quiet() -> None:
    assert start().view(1).facts["waiting"] == ["Ana"]
    quiet = start(wait(quiet=True), stopped=False)
    assert quiet.view(1).facts["waiting"] == "quiet"
    assert quiet.view(0).facts["waiting"] == ["Ana"]
    assert quiet.view(1).ask is None
    assert quiet.view(0).ask is not None


def test_of_a_sealed_decision_only_who_has_answered_is_shown() -> None:
    numbers = ir.Span(s.const(0), s.const(5), type=t.ListOf(t.NUMBER))
    game = start(s.choose_each(ME, s.pick(NUMBER, numbers, sort="number")), stopped=False)
    assert game.view(0).facts["waiting"] == ["Ana", "Ben"]
    before = json.dumps(game.view(0).to_json())
    game.answer(1, ["number:3"])
    after = json.dumps(game.view(0).to_json())
    assert after == before.replace('"waiting": ["Ana", "Ben"]', '"waiting": ["Ana"]')


def test_who_left_and_who_won_is_shown() -> None:
    ben = ir.BuiltIn("last", (s.players(),), type=t.PLAYER)
    game = start(ir.Eliminate(ben), ir.Win((first_player(),)), stopped=False)
    shown = game.view(1).facts
    assert shown["eliminated"] == ["Ben"]
    assert shown["players"] == ["Ana", "Ben"]
    assert shown["over"] == {"how": "win", "winners": ["Ana"]}
    assert shown["waiting"] == []


# ── who was eliminated ───────────────────────────────────────────────────────────────────────────

BEN = ir.BuiltIn("last", (ir.Seats(True, type=s.PLAYERS),), type=t.PLAYER)
BAG = s.place("bag", kept="bag")
OF_BEN = (s.move(ir.AllCards(type=s.CARDS), BAG), s.draw(2, BAG, s.place("hand", BEN)))
VOTES = (s.memory_def("points", "player"), s.memory_def("vote", "player", seen_by="owner"))


def kinds_of_events(game: Game, seat: int) -> list[str]:
    return [event.kind for event in game.view(seat).events]


def test_who_was_eliminated_sees_no_more_of_the_own_places_than_others() -> None:
    counted = {"hand": {"counted": "owner"}}
    before = start(*OF_BEN, change=counted)
    assert len(place(before, 1, "Ben.hand")["cards"]) == 2
    game = start(*OF_BEN, ir.Eliminate(BEN), change=counted)
    assert place(game, 1, "Ben.hand") == place(game, 0, "Ben.hand") == {"cards": [], "unknown": None}
    uncounted = start(*OF_BEN, ir.Eliminate(BEN))
    assert place(uncounted, 1, "Ben.hand") == {"cards": [], "unknown": 2}


def test_who_was_eliminated_sees_no_memory_of_its_own() -> None:
    vote = s.assign(s.memory("vote", BEN), s.const(3))
    game = start(vote, memories=VOTES)
    assert game.view(1).facts["memory"]["Ben.vote"] == 3
    game = start(ir.Eliminate(BEN), vote, memories=VOTES)
    assert game.view(1).facts["memory"] == {"Ana.points": 0, "Ben.points": 0}
    assert "set" not in kinds_of_events(game, 1)


def test_nobody_whispers_to_who_was_eliminated() -> None:
    hand, everyone = s.first(s.cards("hand", BEN)), ir.Seats(True, type=s.PLAYERS)
    whispers = (ir.Show(hand, everyone), ir.Tell(everyone, s.const(True, t.YES_NO)), ir.Say(s.text("psst"), everyone))
    game = start(*OF_BEN, ir.Eliminate(BEN), *whispers)
    heard = [
        [event.to_json() for event in game.view(seat).events if event.kind in ("shown", "told", "said")]
        for seat in (0, 1)
    ]
    shown, told, said = heard[0]
    assert (shown["to"], told["to"], said["text"]) == (["Ana"], ["Ana"], "psst")
    assert heard[1] == [
        {"kind": "shown", "to": ["Ana"], "place": "Ben.hand", "count": 1},
        {"kind": "told", "to": ["Ana"], "question": told["question"]},
    ]


def test_what_moves_from_the_hand_of_who_was_eliminated_has_no_name_for_it() -> None:
    game = start(*OF_BEN, ir.Eliminate(BEN), s.move(s.cards("hand", BEN), s.place("hand", first_player())))
    last = [game.view(seat).events[-1].facts for seat in (0, 1)]
    assert len(last[0]["cards"]) == last[1]["count"] == 2
    assert "cards" not in last[1]


def test_no_reasons_are_told_that_read_a_memory_of_who_was_eliminated() -> None:
    line = ir.Line("voted", s.memory("vote", s.player(0)))
    wealth = ir.Function("values.wealth", 1, ir.Slots(("p",), (t.PLAYER,)), t.NUMBER, ir.Total((line,)))
    explained = ir.Assign(s.memory("points", BEN), ir.CallValue("values.wealth", (BEN,), type=t.NUMBER), True)
    body = (s.assign(s.memory("vote", BEN), s.const(3)), explained)
    assert "because" in kinds_of_events(start(*body, memories=VOTES, functions=(wealth,)), 1)
    assert "because" not in kinds_of_events(start(ir.Eliminate(BEN), *body, memories=VOTES, functions=(wealth,)), 1)


def test_who_was_eliminated_keeps_the_own_log() -> None:
    drawn = [event for event in start(*OF_BEN, ir.Eliminate(BEN)).view(1).events if event.kind == "moved"][-1]
    assert len(drawn.facts["cards"]) == 2


def test_places_that_open_at_the_end_open_for_who_was_eliminated() -> None:
    change = {"hand": {"opened_at_end": True}}
    game = start(*OF_BEN, ir.Eliminate(BEN), change=change)
    assert place(game, 1, "Ben.hand")["cards"] == []
    game = start(*OF_BEN, ir.Eliminate(BEN), ir.Win((first_player(),)), change=change, stopped=False)
    assert place(game, 1, "Ben.hand") == place(game, 0, "Ben.hand")
    assert len(place(game, 1, "Ben.hand")["cards"]) == 2


def test_for_who_was_eliminated_all_that_is_not_public_is_drawn_anew() -> None:
    game = start(*OF_BEN, ir.Eliminate(BEN))
    layout, source = game.program.layout, Source(1, "twin")
    assert {*game.state[layout.find_place_of("hand", 1).slot]} <= {*hidden_cards(game.program, game.state, 1)}
    twins = [determinize(game.program, game.state, 1, source.below) for _ in range(50)]
    assert len({tuple(twin[layout.find_place_of("hand", 1).slot]) for twin in twins}) > 3


def test_a_view_is_plain_json_and_names_no_seat_but_in_what_is_asked() -> None:
    game = Game(lower(secret_game(), 3), 2, ("Ana", "Ben", "Cleo"))
    below = Source(1, "test").below
    while not game.over:
        for seat in range(3):
            view = game.view(seat).to_json()
            assert json.loads(json.dumps(view)) == view
            assert view["view"]["you"] == game.names[seat]
            assert '"seat"' not in json.dumps({**view, "ask": None})
        answer_at_random(game, below)


KEPT = """
format: 1
name: Kept
players: 2
kinds: {safe: {has: {digit: 1..9}, state: {mate: safe, below: {type: set of safe}}}}
cards: {box_of: {kind: safe, each: {digit: [1, 2, 3, 4]}}}
places:
  table:
    vault: {holds: safe, kept: row, seen_by: nobody}
    stack: {holds: safe, kept: pile, seen_by: nobody}
    open: {holds: safe, kept: row, seen_by: everyone}
rules:
  game: |
    move cards to stack
    shuffle stack
    draw 2 from stack to vault
    draw 2 from stack to open
    let a = first(vault)
    let b = last(vault)
    if a is something and b is something:
      show a to first(players)
      show b to first(players)
      set a.below = [b] publicly
      each c in open:
        set c.mate = a publicly
    each p in players:
      p chooses c from open "Which?"
      say "{c}"
"""


@pytest.mark.parametrize("seed", range(4))
def test_a_card_that_is_kept_on_a_card_is_named_to_who_knows_it(seed: int) -> None:
    rulebook, messages = of_its_own(KEPT)
    assert rulebook is not None, messages
    game = Game(lower(rulebook, 2), seed, NAMES)
    hidden = {*place(game, 0, "vault")["cards"]}
    for seat in (0, 1):
        assert game.decision is not None
        ask = game.decision.find_ask(seat)
        sent = json.dumps([game.view(seat).facts, [[one.key, one.label] for one in ask.options] if ask else []])
        named = {name for name in hidden if f'"{name}"' in sent or f"={name}" in sent}
        assert named == (hidden if seat == 0 else set())
        if seat == 0:
            game.answer(0, [ask.options[0].key])
