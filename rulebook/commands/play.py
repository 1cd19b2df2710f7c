"""`rulebook play`: a person at the keyboard, several who share it, or bots alone with an account of their game.

Every answer of a game in which persons play is written down at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
from attrs import evolve

from rulebook.commands import folders, games, saved
from rulebook.commands.console import (
    BadRequest,
    RulesFailed,
    Whole,
    color_option,
    make_renderer,
    name_command,
    plain_option,
)
from rulebook.commands.saved import Kept
from rulebook.commands.seats import Seat, choose_numbers, list_kinds, seat_again, seat_players, timeout_option
from rulebook.dsl.ir import Rulebook
from rulebook.dsl.settling.texts import list_texts
from rulebook.files import read_bytes
from rulebook.interpreter.decisions import Ask, NotKept, RuleError
from rulebook.interpreter.game import Game
from rulebook.interpreter.journal import Header
from rulebook.interpreter.layout import COUNTS
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import name_teams
from rulebook.interpreter.wording import join_texts
from rulebook.playtest import partners
from rulebook.playtest.bots import BEST, BadSpec, check_options, is_command, make_bot, ready_bots
from rulebook.playtest.partners import PartnerFailed
from rulebook.playtest.protocol import Lines
from rulebook.printing import dump_json, send, speak_utf8
from rulebook.seats import name_seats
from rulebook.table import seeds, terminal
from rulebook.table.front import Front, as_lines
from rulebook.table.handbook import Handbook
from rulebook.table.reckoning import tell_standings
from rulebook.table.screen import Screen, Script, ScriptedScreen, WrongAnswer
from rulebook.table.seeds import MOST_DEALS, seal, seek_seed
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import Bot, DeviceSitting, Sitting
from rulebook.table.story import Account

_LONGEST_SCRIPT = 1_000_000  # bytes of typed answers, which nobody has typed
_BRINGS = "A saved game brings its rules, seats and seed; --resume goes with --bots and --as alone."
_LIST = "?"  # what --resume without a file stands for: no file is called that by a person


@click.command(name="play")
@folders.optional_game_argument
@click.option("--players", type=Whole(1), metavar="N", help="How many play: you, and bots.")
@click.option("--seats", "listed", metavar="SEAT,…", help="Who plays: names of people, bot, bot:KIND, exec:COMMAND.")
@click.option("--bots", metavar="KIND,…", help="Bots in all seats: random, greedy, learned, ismcts:200, exec:COMMAND …")
@click.option("--seed", type=Whole(0, 2**64 - 1), help="The same seed gives the same game.")
@click.option("--seal", "is_sealed", is_flag=True, help="Say at the start what checks the seed at the end.")
@folders.game_options
@folders.without_option
@click.option(
    "--with", "wanted", multiple=True, metavar="CARD",
    help="Dealt so that you get CARD; may be repeated. It goes with no --seed.",
)  # fmt: skip
@timeout_option
@click.option(
    "--resume", is_flag=False, flag_value=_LIST, metavar="[FILE]", help="Go on with a saved game; without FILE, choose."
)
@click.option(
    "--as", "played_as", metavar="SEAT,…", help="With --resume: who of its players you are; bots play for the others."
)
@click.option("--script", metavar="FILE", help="Type the lines of this file, then go on at the keyboard.")
@click.option("--protocol", is_flag=True, help="Another program shows the game: messages out, answers in, as JSON.")
@click.option("--watch", is_flag=True, help="Play again and again, by the rules as they are then; --seed: same deal.")
@click.option("--json", "as_json", is_flag=True, help="At the end, print one JSON object.")
@plain_option
@color_option
def play_command(
    game: str | None,
    players: int | None,
    listed: str | None,
    bots: str | None,
    seed: int | None,
    is_sealed: bool,
    variants: tuple[str, ...],
    given: tuple[str, ...],
    without: tuple[str, ...],
    wanted: tuple[str, ...],
    timeout: float,
    resume: str | None,
    played_as: str | None,
    script: str | None,
    protocol: bool,
    watch: bool,
    as_json: bool,
    is_plain: bool,
) -> None:
    """Play GAME, a bundled game or a folder that holds one.

    Without --seats or --bots you play against bots.
    """
    if protocol and (script is not None or as_json or resume == _LIST):
        raise BadRequest("--protocol is for a program: it goes with no --script, no --json, and --resume needs FILE.")
    if watch and (protocol or as_json or script is not None or resume is not None):
        raise BadRequest("--watch is for people who change the rules: no --resume, --script, --json or --protocol.")
    if wanted and (seed is not None or is_sealed):
        raise BadRequest("--with seeks a deal of its own: it goes with no --seed and no --seal.")
    if played_as is not None and resume is None:
        raise BadRequest("--as says whom you play in a saved game: it goes with --resume. --seats is for a new one.")
    screen = _open_screen(script, is_plain)
    screen.is_terminal = screen.is_terminal and not protocol

    def begin_game() -> _Begun:
        if resume is not None:
            is_new = is_sealed or variants or given or without or wanted
            if is_new or any(setting is not None for setting in (players, listed, seed)):
                raise BadRequest(_BRINGS)
            return _resume_save(game, resume, bots, played_as, screen)
        if game is None:
            raise click.UsageError(
                f"Say which game: {name_command()} play wallet. {name_command()} list shows the games."
            )
        chosen = games.find_game(game, variants, given, without)
        numbers = choose_numbers(chosen.rulebook, chosen.options, players, listed, bots)
        seated = seat_players(numbers, players, listed, bots)
        deal_seed = seed if not wanted else _seek_deal(chosen, seated, wanted)
        return _begin_new(chosen, variants, seated, deal_seed, is_sealed)

    def play_game() -> None:
        _play_through(begin_game(), screen, as_json, protocol, timeout)

    if watch and game is not None:
        folder = folders.folder_of(game)
        # It checks games, for which all readers are needed.
        from rulebook.commands import watching

        watching.play_rounds(play_game, folder, folders.variants_at(folder, variants), screen)
    else:
        play_game()


def _play_through(
    begun: _Begun, screen: Screen, as_json: bool, protocol: bool, timeout: float
) -> None:
    """The whole game; whatever goes wrong ends it with one message."""
    try:
        _play_begun(begun, screen, as_json, protocol, timeout)
    except RuleError as error:
        raise games.word_failure(error) from error
    except (PartnerFailed, WrongAnswer) as failed:
        raise RulesFailed(str(failed)) from None
    except BadSpec as refused:
        raise BadRequest(str(refused)) from None
    finally:
        begun.kept.release()


def _open_screen(script: str | None, is_plain: bool) -> Screen:
    """Open the screen of this terminal; with a script, the first answers come from its file."""
    if script is None:
        return Screen(looks=make_renderer(is_plain))
    try:
        text = read_bytes(Path(script), _LONGEST_SCRIPT).decode("utf-8-sig")
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise BadRequest(f"The answers in {script} cannot be read: {reason}.") from None
    return ScriptedScreen(Script(script, text), looks=make_renderer(is_plain))


class _Begun(NamedTuple):
    """A game that can go on: by which rules, who sits where, where it is kept."""

    rulebook: Rulebook
    game: Game
    seated: list[Seat]
    kept: Kept


def _begin_new(
    chosen: games.Asked, variants: Sequence[str], seated: list[Seat], seed: int | None, is_sealed: bool
) -> _Begun:
    rulebook = chosen.rulebook
    program = games.lower_game(rulebook, len(seated), chosen.options)
    header = make_header(chosen, program, variants, seated, seed, is_sealed)
    try:
        kind = SharedGame if any(seat.bot is None for seat in seated) else Game
        return _Begun(rulebook, kind(program, header.seed, header.seats, header=header), seated, Kept())
    except RuleError as error:
        raise games.word_failure(error) from error


def make_header(
    chosen: games.Asked,
    program: Program,
    variants: Sequence[str],
    seated: Sequence[Seat],
    seed: int | None,
    is_sealed: bool,
) -> Header:
    """Make what the save of a new game begins with; without a `seed` one is drawn."""
    rulebook = chosen.rulebook
    return Header(
        game=rulebook.id,
        rules_hash=program.rules_hash,
        seats=tuple(seat.name for seat in seated),
        seed=seeds.draw_seed() if seed is None else seed,
        nonce=seeds.draw_nonce() if is_sealed else "",
        # The rules travel with the save, those of variants too: it can be played on when the files have changed.
        rules=dict(rulebook.source),
        options=dict(program.options),
        variants=(*rulebook.variants,),
        at=folders.name_game(chosen.folder, variants),
        bots=list_kinds(seated),
    )


def _seek_deal(chosen: games.Asked, seated: Sequence[Seat], wanted: Sequence[str]) -> int:
    """Seek a seed with which the first person has these cards when somebody is asked for the first time."""
    seat = next((number for number, seated_at in enumerate(seated) if seated_at.bot is None), None)
    if seat is None:
        raise BadRequest("--with deals a card to you, and only bots sit here.")
    groups = [games.find_cards(chosen.rulebook, word, chosen.called) for word in wanted]
    program = games.lower_game(chosen.rulebook, len(seated), chosen.options)
    for word, group in zip(wanted, groups, strict=True):
        if not set(group) & set(program.definition):
            raise BadRequest(f"There is no copy of {word} in this game as it is now.")
    try:
        seed = seek_seed(program, seat, groups)
    except RuleError as error:
        raise games.word_failure(error) from error
    if seed is None:
        raise BadRequest(
            f"In {MOST_DEALS:,} deals {seated[seat].name} never had {join_texts(list(wanted))} when somebody was asked "
            "for the first time."
        )
    return seed


def _resume_save(game: str | None, resume: str, bots: str | None, played_as: str | None, screen: Screen) -> _Begun:
    """The saved game that is meant; or a new one, if its rules have changed and somebody wants that."""
    if game is not None and resume != _LIST:
        raise BadRequest(_BRINGS)
    path = saved.choose_save(screen, game) if resume == _LIST else Path(resume)
    kept = Kept(path, asked_for=True, played_as=played_as or "")
    kept.hold()  # before it is read: else another process could write to it in between
    try:
        save = saved.load_save(path)
        seated = seat_again(save.game.names, bots, save.game.header.bots, played_as)
        anew = saved.offer_anew(save, seated, screen)
    except BaseException:
        kept.release()
        raise
    if anew is not None:
        kept.release()
        again = games.find_game(anew.game, anew.variants, anew.settings, anew.without)
        return _begin_new(again, anew.variants, anew.seats, anew.seed, bool(save.game.header.nonce))
    if save.gap:
        kept.release()
        kept = Kept(asked_for=True, played_as=played_as or "")
        # It will lie in the folder of the person, where paths that a save names are followed.
        save.game.header = evolve(save.game.header, at=save.at)
    return _Begun(save.rulebook, save.game, seated, kept)


def _tell_beside(line: str) -> None:
    click.echo(line, err=True)


def _play_begun(
    begun: _Begun, screen: Screen, as_json: bool, protocol: bool, timeout: float
) -> None:
    game, seated = begun.game, begun.seated
    specs = {i: seat.bot for i, seat in enumerate(seated) if seat.bot is not None}
    check_options(game.program, specs.values())
    own = {i: spec for i, spec in specs.items() if not is_command(spec)}
    for line in ready_bots(game.program, own.values(), _tell_beside):
        _tell_beside(line)
    own_bots = {i: make_bot(spec, game.seed, i, lambda: screen.is_hurried()) for i, spec in own.items()}
    programs = {i: spec for i, spec in specs.items() if is_command(spec)}
    account = Account(game, screen.columns)
    if game.header.nonce and not protocol and not as_json:
        _show_seal(game, screen, has_people=len(specs) < len(seated))
    with partners.seated(game, programs, timeout) as started:
        bots: dict[int, Bot] = {
            **{seat: _answering(game, bot) for seat, bot in own_bots.items()},
            **{seat: partner.answer for seat, partner in started.items()},
        }
        if protocol:
            if len(bots) == len(seated):
                raise BadRequest("--protocol is for people whom another program asks, and only bots sit here.")
            _sit_down(begun, bots, screen, protocol)
            return
        if len(bots) == len(seated):
            _watch(game, bots, account, screen, quiet=as_json)
        else:
            _sit_down(begun, bots, screen, protocol)
    result = make_results(game)
    if not as_json:
        click.echo()
    click.echo(dump_json(result, indent=2) if as_json else "\n".join(word_standings(game, screen)))
    screen.close()


def _show_seal(game: Game, screen: Screen, has_people: bool) -> None:
    """Show the seal with which the seed is checked at the end, and wait until it is written down."""
    screen.show_lines([f"The seed is sealed: {seal(game.seed, game.header.nonce)}"])
    if screen.is_terminal and has_people and screen.pause("Write it down, then press Enter ") is None:
        raise click.exceptions.Exit(0)


def _answering(game: Game, bot: Any) -> Bot:
    return lambda ask: game.answer(ask.seat, bot.answer(game.machine, game.state, ask), ask.number)


def _watch(game: Game, bots: dict[int, Bot], account: Account, screen: Screen, quiet: bool) -> None:
    if not quiet:
        screen.show_lines([screen.paint("title", game.program.name), ""])
    while True:
        if not quiet:
            screen.show_lines(account.word_news())
        decision = game.decision
        if decision is None:
            break
        ask = decision.asks[0]
        bots[ask.seat](ask)


def _sit_down(begun: _Begun, bots: dict[int, Bot], screen: Screen, protocol: bool) -> None:
    """Persons answer, here or through another program; the command ends here if they leave before the game does."""
    game, kept = begun.game, begun.kept
    assert isinstance(game, SharedGame), "people sit here"
    kept.begin_save(game)

    def stand_in(seat: int) -> Bot:
        return _answering(game, make_bot(BEST, game.seed, seat, lambda: screen.is_hurried()))

    def advise(ask: Ask) -> Sequence[str]:
        return make_bot(BEST, game.seed, ask.seat).answer(game.machine, game.state, ask)

    try:
        if protocol:
            ended = _speak_with_program(Sitting(game, bots, stand_in))
        else:
            listed = list_texts(begun.rulebook, game.program.options)
            texts = {id: name_seats(text, game.program.seats) for id, text in listed.items()}
            handbook = Handbook(begun.rulebook, game.program, texts)
            here = DeviceSitting(game, bots, stand_in, screen, texts, kept.explicitly, advise, handbook)
            ended = terminal.play_sitting(here)
    except BaseException as stopped:
        # Ctrl-C, rules that go wrong, a bug of ours: what was played so far is in the save already.
        click.echo(f"\n{kept.word_place()}", err=True)
        if isinstance(stopped, NotKept):
            raise RulesFailed(f"The game cannot go on. {stopped}") from stopped
        if isinstance(stopped, OSError) and not isinstance(stopped, BrokenPipeError):
            raise RulesFailed(f"The game cannot go on: {stopped.strerror}.") from stopped
        if len(game.names) - len(bots) > 1 and _is_bug(stopped):
            raise terminal.redacted(stopped) from None
        raise
    if not ended:
        click.echo(f"{screen.why_at_end}{kept.word_place()}", err=protocol)
        raise click.exceptions.Exit(0)
    kept.end_save()


def _is_bug(stopped: BaseException) -> bool:
    """Tell whether an exception is a bug; what is expected is told as it is."""
    expected = (RuleError, PartnerFailed, WrongAnswer, BadSpec, OSError, click.ClickException, click.exceptions.Exit)
    return isinstance(stopped, Exception) and not isinstance(stopped, expected)


def _speak_with_program(sitting: Sitting) -> bool:
    """Speak with the program at the other end of the pipes. Whether the game came to its end."""
    speak_utf8()
    read = Lines(sys.stdin.buffer).next
    front = Front(sitting, read, as_lines(sitting.game.names, send))
    try:
        return front.serve()
    except (RuleError, PartnerFailed, NotKept) as error:
        front.failed(str(error))
        raise


def make_results(game: Game) -> dict[str, Any]:
    """Return the record that `--json` prints."""
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
        **name_teams(game.program, outcome, game.names),
        "decisions": sum(game.state[COUNTS][: game.program.players]),
        "rounds": _count_rounds(game),
    }


def _count_rounds(game: Game) -> int:
    """Count the stages at the outermost level that have begun; every player notices each."""
    depth = rounds = 0
    for event in game.events(0):
        if event.kind == "stage_began":
            rounds += depth == 0
        depth += (event.kind == "stage_began") - (event.kind == "stage_ended")
    return rounds


def word_standings(game: Game, screen: Screen) -> list[str]:
    """Tell who won, how everybody stands, and the seed."""
    sealed = [f"nonce {game.header.nonce}"] if game.header.nonce else []
    return [*tell_standings(game, screen.columns, screen.paint), f"seed {game.seed}", *sealed]
