"""How a game ended, for people and for programs.

In: a game that is over. Out: lines that say who won and how everybody stands; or the object that `--json` prints.
Never: plays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulebook.interpreter.game import Game
    from rulebook.table.screen import Screen


def results(game: Game) -> dict[str, Any]:
    """What `--json` prints."""
    from rulebook.interpreter.state import COUNTS

    outcome = game.outcome
    return {
        "game": game.program.id,
        "variants": list(game.header.variants),
        "seed": str(game.seed),  # as text: most programs that read JSON round such a number
        **({"nonce": game.header.nonce} if game.header.nonce else {}),
        "rules": game.program.rules_hash,
        "players": list(game.names),
        "winners": [game.names[seat] for seat in outcome.winners],
        "scores": list(outcome.scores),
        "decisions": sum(game.state[COUNTS][: game.program.players]),
        "rounds": _rounds(game),
    }


def _rounds(game: Game) -> int:
    """How many stages at the outermost level have begun; every player notices each."""
    depth = found = 0
    for event in game.events(0):
        if event.kind == "stage_began":
            found += depth == 0
        depth += (event.kind == "stage_began") - (event.kind == "stage_ended")
    return found


def standings(game: Game, screen: Screen) -> list[str]:
    """Who won, and how everybody stands."""
    from rulebook.interpreter.wording import label
    from rulebook.printing import visible
    from rulebook.table.columns import labelled

    outcome = game.outcome
    winners = [visible(game.names[seat]) for seat in outcome.winners]
    if not outcome.finished:
        head = "The game was stopped: it had gone on for too long."
    elif not winners:
        head = "Nobody wins."
    elif len(winners) == 1:
        head = f"{winners[0]} wins."
    else:
        head = f"{', '.join(winners[:-1])} and {winners[-1]} share the victory."
    order = sorted(range(len(game.names)), key=lambda seat: outcome.places[seat])
    scores = [visible(label(game.program, (), score, game.program.score_sort)) for score in outcome.scores]
    # Where nobody wins nobody is first.
    places = [f"{place}. " if winners or not outcome.finished else "" for place in outcome.places]
    rows = [(places[seat] + visible(game.names[seat]), scores[seat]) for seat in order]
    # Where the rules count nothing, a 0 says nothing.
    is_counted = game.program.payoff is not None or bool(game.program.rank)
    standing = labelled(rows, screen.columns) if is_counted else [f"  {who}" for who, _ in rows]
    sealed = [f"nonce {game.header.nonce}"] if game.header.nonce else []
    return [screen.paint("title", head), *standing, f"seed {game.seed}", *sealed]
