"""The account of a game that bots play, in few words, and what is told to one person alone."""

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from paper import Paper, no_bot
from reaction_windows import begun
from shipped import load_game

from rulebook import library
from rulebook.cli import main
from rulebook.examples import of_its_own
from rulebook.interpreter.account import Teller
from rulebook.interpreter.decisions import Ask, Option
from rulebook.interpreter.events import Event, EventKind
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.table import answers, asking, story
from rulebook.table.blocks import HEAVY, LIGHT, PLAIN, RESULT, Told
from rulebook.table.faces import Texts
from rulebook.table.laying_out import find_laid_out
from rulebook.table.renderer import OPEN, Renderer, weightiest
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import DeviceSitting


@pytest.fixture(scope="module")
def wallet() -> Game:
    from rulebook import library
    from rulebook.interpreter.lower import lower

    rulebook = load_game(library.find_game("wallet"))
    options = {name: option.default for name, option in rulebook.options.items()}
    return Game(lower(rulebook, 3, options), 1, ("Ana", "Ben", "Cleo"))


def event(kind: EventKind, **facts: Any) -> Event:
    return Event(kind, facts)


def test_events_of_all_seats_become_one_story() -> None:
    began = event("stage_began", stage="x", title="X")
    known = event("moved", **{"from": "bag", "to": "Ana.hand", "how": "draw", "face": "down", "cards": ["a"]})
    hidden = event("moved", **{"from": "bag", "to": "Ana.hand", "how": "draw", "face": "down", "count": 1})
    secret = event("told", to=["Ben"], question="q", answer=True)
    said = event("said", text="Hello")
    found = list(story.merged([[began, known, said], [began, hidden, secret, said], [began, hidden, said]]))
    assert [sorted(seen) for seen in found] == [[0, 1, 2], [0, 1, 2], [1], [0, 1, 2]]
    assert found[1][0] is known
    texts = {0: "Ana draws A.", 1: "Ana draws a card.", 2: "Ana draws a card."}
    assert story.tell_best_informed(found[1], texts, ["Ana", "Ben", "Cleo"]) == ["Ana draws A (only Ana knows)."]
    assert story.tell_best_informed(found[3], dict.fromkeys(range(3), "Hello"), ["Ana", "Ben", "Cleo"]) == ["Hello"]
    assert story.tell_best_informed(found[2], {1: "Yes."}, ["Ana", "Ben", "Cleo"]) == ["Yes (only Ben knows)."]


def move(source: str, goal: str, how: str = "move", face: str = "down", **facts: Any) -> Event:
    return event("moved", **{"from": source, "to": goal, "how": how, "face": face, **facts})


def test_what_everybody_saw_names_nothing_that_one_of_them_did_not_see() -> None:
    ends = ("bag", "table")
    known, none = move(*ends, cards=["a", "b"]), move(*ends, count=2)
    first, second = move(*ends, cards=["a"], count=1), move(*ends, cards=["b"], count=1)
    assert story.by_everyone([[known], [none]]) == [none]
    assert story.by_everyone([[known], [second]]) == [second]
    assert story.by_everyone([[first], [second]]) == []


def everyone(one: Event) -> dict[int, Event]:
    return dict.fromkeys(range(3), one)


def owner_only(seat: int, place: str, *cards: str, to: bool = True, how: str = "move") -> dict[int, Event]:
    """A move to (or from) a place of one player, who alone sees the cards."""
    names = ("Ana", "Ben", "Cleo")
    ends = (place, f"{names[seat]}.hand") if to else (f"{names[seat]}.hand", place)
    known, hidden = move(*ends, how, cards=list(cards)), move(*ends, how, count=len(cards))
    return {other: known if other == seat else hidden for other in range(3)}


TOGETHER: list[tuple[str, list[dict[int, Event]], list[str]]] = [
    (
        "the same for everyone",
        [owner_only(seat, "wallet", "pearls") for seat in range(3)],
        ["Pearls each, from the wallet to everyone's hand, seen by each alone."],
    ),
    (
        "something else for each",
        [owner_only(seat, "wallet", card, "tiara", how="deal") for seat, card in enumerate(("pearls", "brooch"))],
        [
            "Dealt from the wallet to Ana and Ben, seen by each alone:",
            "  Ana: Pearls and Tiara",
            "  Ben: Brooch and Tiara",
        ],
    ),
    (
        "for all to see",
        [everyone(move(f"{name}.hand", "discards", face="up", cards=["pearls"])) for name in ("Ana", "Ben", "Cleo")],
        ["Pearls each, from everyone's hand to the discards."],
    ),
    (
        "one player is not several",
        [owner_only(0, "wallet", "pearls"), owner_only(0, "wallet", "brooch")],
        [
            "Pearls goes from the wallet to Ana's hand (only Ana knows).",
            "Brooch goes from the wallet to Ana's hand (only Ana knows).",
        ],
    ),
    (
        "much comes to one place",
        [
            everyone(move("wallet", "box", count=50)),
            everyone(move("Ana.hand", "box", cards=["pearls"], count=3)),
            everyone(move("discards", "box", cards=["tiara"])),
        ],
        ["55 cards go to the box: 50 from the wallet, 4 from Ana's hand and 1 from the discards."],
    ),
    (
        "a value of each player",
        [everyone(event("set", what=f"{name}.last_wealth", value=5000)) for name in ("Ana", "Ben")],
        ["Wealth of last round: Ana 50 CU, Ben 50 CU."],
    ),
    (
        "a choice that is carried out",
        [
            {0: event("chose", player="Ana", what=["card:pearls"]), 1: event("chose", player="Ana")},
            everyone(move("Ana.hand", "discards", face="up", cards=["pearls"])),
        ],
        ["Ana: Pearls → the discards"],
    ),
    (
        "what is chosen",
        [
            everyone(event("chose", player="Ana", what=["action:take"])),
            everyone(event("chose", player="Ana", what=["player:Ben"])),
            {0: event("chose", player="Ana", what=["card:pearls"], forced=True)},
        ],
        ["Ana: Take a card", "Ana chooses Ben.", "Ana: Pearls (the only choice) (only Ana knows)"],
    ),
    (
        "stages have headings",
        [
            everyone(event("stage_began", stage="last_round", title="last_round")),
            everyone(event("stage_began", stage="turn", title="Ana's turn")),
            everyone(event("said", text="Hello")),
            everyone(event("stage_ended", stage="turn")),
            everyone(event("said", text="So long")),
            everyone(event("stage_ended", stage="last_round")),
            everyone(event("stage_began", stage="end", title="The end")),
        ],
        ["Last round", "  Ana's turn", "    Hello", "", "  So long", "", "The end"],
    ),
]


@pytest.mark.parametrize(("happened", "lines"), [one[1:] for one in TOGETHER], ids=[one[0] for one in TOGETHER])
def test_what_belongs_together_is_told_together(
    wallet: Game, monkeypatch: pytest.MonkeyPatch, happened: list[dict[int, Event]], lines: list[str]
) -> None:
    noticed = {seat: [seen[seat] for seen in happened if seat in seen] for seat in range(3)}
    monkeypatch.setattr(wallet, "events", noticed.__getitem__)
    telling = story.Account(wallet, 120)
    assert telling.word_news() == lines
    assert telling.word_news() == []


# ── what one person alone is told ────────────────────────────────────────────────────────────────────────────────────


def played(folder: Path, typed: str) -> str:
    """What two people and a bot see, of whom Ben begins."""
    words = ["play", "wallet", "--seats", "Ana,Ben,bot", "--set", "rounds=1", "--seed", "11"]
    result = CliRunner(env={"XDG_DATA_HOME": str(folder)}).invoke(main, words, input=typed)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_what_one_alone_has_learned_is_news(wallet: Game) -> None:
    def moved(start: str, goal: str, how: str = "move", face: str = "down", **facts: Any) -> Event:
        return event("moved", **{"from": start, "to": goal, "how": how, "face": face, **facts})

    drawn, hidden = (moved("wallet", "Ana.hand", "draw", **facts) for facts in ({"cards": ["pearls"]}, {"count": 1}))
    put, opened = moved("Ana.hand", "wallet", cards=["pearls"]), moved("wallet", "discards", face="up", cards=["ring"])
    said, whispered = event("said", text="Hello"), Event("said", {"text": "Hello"}, aside=True)
    told, to_all = (event("told", to=[*names], question="q", answer=True) for names in (["Ana"], wallet.names))
    own = [event("chose", player="Ana", what=["card:pearls"]), put, drawn, opened, said, whispered, told, to_all]
    assert story.find_private(wallet.program, wallet.names, 0, own) == [drawn, whispered, told]
    others = [event("chose", player="Ana"), hidden, said, event("told", to=["Ana"], question="q")]
    assert story.find_private(wallet.program, wallet.names, 1, others) == []


def test_what_weighs_more_stays_in_the_order_of_time() -> None:
    drawn, result = Told("You draw Pearls."), Told("You, innocent: no, because\n  not met: a\n  met: b", weight=HEAVY)
    bots = [Told(f"Bot {number} passes.") for number in range(9)]
    shuffled = Told("The wallet is shuffled.", weight=LIGHT)
    happened = [drawn, *bots[:4], result, *bots[4:], shuffled, shuffled, Told("Ben's turn", is_title=True)]
    because = ["· You, innocent: no, because", "  not met: a"]
    assert weightiest(happened, 4, 80) == [*because, "… 13 more before this: l shows all", "Ben's turn"]
    assert weightiest(happened, 7, 80, [drawn]) == [
        "· You draw Pearls.",
        *because,
        "  met: b",
        "· Bot 8 passes.",
        "… 10 more before this: l shows all",
        "Ben's turn",
    ]
    assert weightiest(bots, 4, 80) == [
        "… 6 more before this: l shows all",
        *(f"· Bot {number} passes." for number in (6, 7, 8)),
    ]
    assert weightiest(bots, 9, 80) == [f"· Bot {number} passes." for number in range(9)]
    assert weightiest(bots, 0, 80) == []


WEIGHTS = [
    (RESULT, event("because", what="Ben.innocent", value=False, lines=[])),
    (RESULT, event("said", text="Ben loses a point.")),
    (HEAVY, event("pieces", count=1, **{"from": "Ben.coin", "to": "purse"})),
    (HEAVY, event("moved", how="draw", count=1, **{"from": "wallet", "to": "Ana.hand"})),
    (HEAVY, event("moved", how="pass", count=1, **{"from": "Ana.hand", "to": "Ben.hand"})),
    (HEAVY, event("chose", player="Ben", what=["player:Ana"])),
    (HEAVY, event("shown", to=["Ana"], place="wallet", cards=["pearls"])),
    (PLAIN, event("moved", how="move", count=1, **{"from": "Ana.hand", "to": "Ana.specials"})),
    (PLAIN, event("chose", player="Ana", what=["action:take"])),
    (PLAIN, event("moved", how="pass", count=1, **{"from": "Ben.hand", "to": "Cleo.hand"})),
    (PLAIN, event("set", what="last_flip", value="Ben")),
    (PLAIN, event("moved", how="move", count=1, **{"from": "wallet", "to": "discards"})),
    (HEAVY, event("moved", how="deal", count=3, **{"from": "wallet", "to": "Ana.hand"})),
    (LIGHT, event("moved", how="deal", count=3, **{"from": "wallet", "to": "Ben.hand"})),
    (LIGHT, event("shuffled", place="wallet")),
    (LIGHT, event("picked", what=["card:pearls"])),
    (LIGHT, event("shown", to=["Ben"], place="wallet", count=1)),
]


@pytest.mark.parametrize(("weight", "happened"), WEIGHTS)
def test_results_and_what_touches_the_reader_weigh_more(wallet: Game, weight: int, happened: Event) -> None:
    assert story.weigh(Teller(wallet.program, tuple(wallet.names), 0), happened) == weight


def test_only_what_the_reader_is_dealt_is_told_of_laying_out(wallet: Game) -> None:
    def deal(*names: str) -> list[Event]:
        return [event("moved", how="deal", count=2, **{"from": "wallet", "to": f"{name}.hand"}) for name in names]

    def begin(title: str) -> Event:
        return event("stage_began", stage="round", title=title)

    gathered = event("moved", how="move", count=2, **{"from": "Ana.hand", "to": "wallet"})
    shuffled, passed = event("shuffled", place="wallet"), event("passed", player="Ben")
    events = [
        *(shuffled, gathered, begin("1"), shuffled, *deal("Ana", "Ben"), begin("a"), gathered, passed, shuffled),
        *(begin("2"), gathered, *deal("Ben", "Cleo"), passed, gathered, begin("b"), *deal("Ben"), gathered),
    ]
    found = find_laid_out(Teller(wallet.program, tuple(wallet.names), 0), events)
    assert sorted(found) == [0, 1, 3, 5, 11, 12, 13]


SOLITAIRE = """
format: 1
name: Alone
players: 1
kinds: {note: }
places:
  table: {line: {holds: note, kept: row, seen_by: everyone}}
  player: {hand: {holds: note, kept: loose, seen_by: owner}}
cards: {dime: {kind: note, copies: 9}}
rules:
  game: |
    repeat 2:
      stage round "Round":
        move cards to box
        draw 2 from box to line
        deal 3 from box to each hand
        first(players) chooses way from ["Left", "Right"] "Which way?"
    win players
"""


def test_every_round_of_one_alone_is_laid_out() -> None:
    rulebook, found = of_its_own(SOLITAIRE, "solitaire.yaml")
    assert rulebook is not None, found
    game = Game(lower(rulebook, 1), 1, ("Ana",))
    assert game.decision is not None
    game.answer(0, [game.decision.asks[0].options[0].key])
    events = game.events(0)
    laid_out = find_laid_out(Teller(game.program, ("Ana",), 0), events)
    told = [event.facts["to"] for at, event in enumerate(events) if event.kind == "moved" and at not in laid_out]
    assert told == ["Ana.hand", "Ana.hand"]


def test_a_number_stands_there_once(wallet: Game) -> None:
    teller = Teller(wallet.program, tuple(wallet.names), 0)
    asked = Ask(0, 1, "", (Option("number:3", "3"), Option("number:4", "4")), name="n")
    assert Renderer().draw_question(answers.make_menu(teller, asked, {}), 80, OPEN)[1:] == ["Choose one.", "  3", "  4"]


def test_an_option_is_explained_even_if_it_says_nothing(tmp_path: Path) -> None:
    """`? 1` at a card without a text is about that card as it is printed, not about all whose names begin with 1."""
    typed = "pass\ntake\npass\ntake\nbuy\n? 1\n? euro\n? 9\n"
    text = played(tmp_path, typed)
    told = [part.split("─")[0].split() for part in text.split("What it says\n")[1:]]
    option = re.search(r"any number of cards\)\n +1 (.*)", text)
    assert option is not None
    assert " ".join(told[0]).startswith(f"{option[1]} note · ")
    assert "There is nothing called “9”" in text


def test_an_option_that_names_a_card_says_what_that_card_says() -> None:
    use = 'let found = first(pot)\nchoose one:\n  "Use the {found} (Pearls are nothing)":\n    say "!"\n  "Be silent"'
    texts = {"ruby": "It glows.", "pearl": "It shines."}
    game = begun(use, SharedGame, pot="ruby")
    assert isinstance(game, SharedGame)
    sitting = DeviceSitting(game, {}, no_bot, Paper(80, 24), texts, Path)
    decision = sitting.game.decision
    assert decision is not None
    asked = asking.word_ask(sitting, decision.asks[0])
    found = [asking.make_part_about(sitting, asked, typed) for typed in ("1", "2")]
    assert [part.rows[0].groups for part in found if part is not None] == [
        ("Ruby: It glows.",),
        ("nothing more than its name",),
    ]


def test_of_cards_with_one_name_that_with_a_text_is_told() -> None:
    program = lower(load_game(library.find_game("exposed")), 2)
    texts = Texts(program.definitions, {"nanny": "Take a wallet."})
    assert texts.find_in("Use the Diaper Bag of Nanny") == ["Nanny: Take a wallet."]
    assert texts.by_name["Nanny"] == "Take a wallet."


def test_who_draws_sees_it_before_handing_on(tmp_path: Path) -> None:
    text = played(tmp_path, "pass\ntake\n")
    page = re.search(r"Ben, before you hand on\n· You draw [^\n]* from the wallet\.\n", text)
    assert page is not None
    assert "Hand the device to Ana." in text[page.end() :].splitlines()[1]
