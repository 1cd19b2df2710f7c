"""`rulebook serve`: a table by link (docs/serving.md)."""

from __future__ import annotations

import asyncio
import os
import socket
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from rulebook import library
from rulebook.commands import folders, games, saved
from rulebook.commands.console import BadRequest, Duration, Number, RulesFailed, Whole, color_option, name_command
from rulebook.commands.play import make_header
from rulebook.commands.seats import Seat, check_name, choose_numbers, seat_players
from rulebook.commands.tunnel import open_tunnel
from rulebook.dsl.ir import Rulebook
from rulebook.dsl.settling.forbidding import list_numbers
from rulebook.dsl.settling.texts import list_texts
from rulebook.interpreter.decisions import BadSetup, RuleError
from rulebook.interpreter.journal import BadSave, Header, Journal
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import join_texts
from rulebook.library import is_bundled
from rulebook.pictures import Picture, read_pictures
from rulebook.playtest.bots import BadSpec, check_options, ready_bots
from rulebook.printing import visible
from rulebook.table import saves
from rulebook.version import DISTRIBUTION

if TYPE_CHECKING:
    from rulebook.table.faces import Faces
    from rulebook.web.hall import Begun, Hall, Open
    from rulebook.web.offers import Offer
    from rulebook.web.store import Settings, Store

_NEEDED = ("starlette", "uvicorn", "websockets", "segno")
_MISSING = f"A table by link needs some packages more: pip install '{DISTRIBUTION}[web]'"
_MOST_READ = 8
_LOOK = 1.0  # seconds between two looks at the files of the rules
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@click.command(name="serve")
@folders.optional_game_argument
@click.option("--seats", "listed", metavar="SEAT,…", help="Who plays: names of people, bot, bot:KIND.")
@click.option("--players", type=Whole(1), metavar="N", help="How many play, if --seats does not say who.")
@folders.game_options
@folders.without_option
@click.option("--seed", type=Whole(0, 2**64 - 1), help="The same seed gives the same game.")
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="Where to listen; 0.0.0.0 for the whole network.")
@click.option("--port", type=Whole(0, 65535), default=8000, show_default=True, help="0: any that is free.")
@click.option("--address", metavar="URL", help="What links begin with, where a tunnel or another server stands before.")
@click.option("--tunnel", "has_tunnel", is_flag=True, help="Get an address in the internet, as long as it runs.")
@click.option(
    "--pace",
    type=Number(0, 10),
    default=0.6,
    show_default=True,
    metavar="SECONDS",
    help="Time between two things that are shown, so that nothing is told by how fast it came.",
)
@click.option(
    "--ask", "questions", multiple=True, metavar="QUESTION", help="Ask everybody this after the end (3 at most)."
)
@click.option(
    "--answer-within", "within", type=Duration(), metavar="TIME", help="Answer once for who takes longer (90s, 2m)."
)
@click.option(
    "--late", type=click.Choice(["bot", "pass"]), default="bot", help="Then a bot answers, or who is late passes."
)
@click.option("--no-wait", is_flag=True, help="Begin at once, and not when everybody is there.")
@click.option("--qr", "has_codes", is_flag=True, help="Print each link as a QR code, too.")
@click.option("--store", type=click.Path(path_type=Path), metavar="FILE", help="Where tables are kept.")
@color_option
def serve_command(
    game: str | None,
    listed: str | None,
    players: int | None,
    variants: tuple[str, ...],
    given: tuple[str, ...],
    without: tuple[str, ...],
    seed: int | None,
    host: str,
    port: int,
    address: str | None,
    has_tunnel: bool,
    pace: float,
    questions: tuple[str, ...],
    within: int | None,
    late: str,
    no_wait: bool,
    has_codes: bool,
    store: Path | None,
) -> None:
    """Let people play GAME in their browsers, each by a link. Without GAME, open the tables again that were open."""
    try:
        for needed in _NEEDED:
            import_module(needed)
    except ImportError as missing:
        raise BadRequest(f"{_MISSING} ({missing.name} is missing)") from None
    if len(questions) > 3 or any(len(question) > 200 for question in questions):
        raise BadRequest("--ask may be given three times, with 200 letters at most.")
    settings = None
    if game is not None:
        from rulebook.web.store import Settings  # not before it is known that what it needs is there

        chosen = games.find_game(game, variants, given, without)
        numbers = choose_numbers(chosen.rulebook, chosen.options, players, listed)
        seated = _seat_players(numbers, players, listed)
        settings = Settings(
            game=game if not os.path.isdir(game) else str(Path(game).resolve()),
            variants=variants,
            given=given,
            without=without,
            seats=[(seat.name, seat.bot or "") for seat in seated],
            questions=questions,
            within=within or 0,
            is_passing=late == "pass",
        )
    if address is not None and has_tunnel:
        raise BadRequest("--tunnel finds an address by itself: leave --address out.")
    if address is not None and not _is_address(address):
        raise BadRequest(f"--address is what links begin with, like https://table.example, and not {address}.")
    try:
        with ExitStack() as ending:

            def find_address(port: int) -> str | None:
                return ending.enter_context(open_tunnel(port)) if has_tunnel else address

            asyncio.run(_serve(settings, seed, no_wait, host, port, find_address, pace, store, has_codes))
    except KeyboardInterrupt:
        click.echo(f"\nAll games are saved. {name_command()} serve opens the tables again.")


def _seat_players(numbers: tuple[int, ...], players: int | None, listed: str | None) -> list[Seat]:
    if listed is None:
        count = players if players is not None else numbers[0]
        names = ",".join(f"Player {number}" for number in range(1, count + 1))
        seated = seat_players(numbers, None, names, None)
    else:
        seated = seat_players(numbers, players, listed, None)
    if any((seat.bot or "").startswith("exec:") for seat in seated):
        raise BadRequest("A program cannot sit at a table by link: write bot, or bot:KIND.")
    if all(seat.bot is not None for seat in seated):
        raise BadRequest(f"Only bots would sit there. To watch bots: {name_command()} play GAME --bots random.")
    return seated


class _Rules:
    """Games as this command finds them."""

    def __init__(self, named: Settings | None, is_own: bool) -> None:
        self._named, self._is_own = named, is_own
        """The games that the command line names, and True if the tables are those in the person's own folder."""
        self._read: dict[str, Begun] = {}
        """Games that were read last, by what they were read from: tables of one game share it."""
        self._bundled: list[Offer] = []

    def begin(self, settings: Settings, seed: int | None = None) -> Begun:
        from rulebook.web.hall import Unplayable

        if not self._may_look(settings):
            raise Unplayable(self._refuse(settings))
        try:
            chosen = self._load_rules(settings)
            seated = [Seat(name, bot or None) for name, bot in settings.seats]
            program = games.lower_game(chosen.rulebook, len(seated), chosen.options)
            bots = [bot for _, bot in settings.seats if bot]
            check_options(program, bots)
            ready_bots(program, bots)
            header = make_header(chosen, program, tuple(settings.variants), seated, seed, is_sealed=True)
        except (click.ClickException, BadSetup, BadSpec) as wrong:
            raise Unplayable(self.check(settings) or _message(wrong)) from None
        return self._share(header, lambda: (chosen.rulebook, program))

    def resume(self, kept: Journal) -> Begun:
        from rulebook.web.hall import Unplayable

        try:
            begun = self._share(kept.header, lambda: saved.rules_of(kept.header, Path("the table")))
            bots = [bot for bot in kept.header.bots if bot]
            check_options(begun.program, bots)
            ready_bots(begun.program, bots)
            return begun
        except (BadSpec, click.ClickException, BadSave) as wrong:
            raise Unplayable(_message(wrong)) from None

    def list_offers(self) -> list[Offer]:
        """The game of the command line as it was named there, with its house rules, and the bundled ones."""
        self._bundled = self._bundled or [*filter(None, (_offer(folder.name) for folder in library.find_games()))]
        named = self._named
        if named is None:
            return self._bundled
        own = _offer(named.game, named.variants, named.given, named.without)
        return [*([own] if own is not None else []), *(offer for offer in self._bundled if offer.key != named.game)]

    def find_pictures(self, settings: Settings, faces: Faces) -> Mapping[str, Picture]:
        """Nothing where one may not look, or where the folder is gone: cards fall back to words."""
        names = [name for face in faces.values() for name in face.look.list_files()]
        if not names or not self._may_look(settings):
            return {}
        try:
            return read_pictures(folders.folder_of(settings.game), names)[0]
        except click.ClickException:
            return {}

    def check_name(self, name: str, others: Sequence[str]) -> str:
        try:
            check_name(name, others)
        except BadRequest as wrong:
            return wrong.message
        return ""

    def _may_look(self, settings: Settings) -> bool:
        """Tell whether one may look where the rules of a table lay. A file of tables from somebody else may name any
        path of this computer: only what was named on the command line is looked for then, and bundled games.
        """
        names = (settings.game, *settings.variants)
        is_named = self._named is not None and names == (self._named.game, *self._named.variants)
        return is_named or self._is_own or is_bundled(*names)

    @staticmethod
    def _refuse(settings: Settings) -> str:
        return (
            f"These tables were kept in a file that may be somebody else's, so its path {settings.game} is not "
            "looked at. Name the game when you start the server, and it can be played again."
        )

    def _share(self, header: Header, read: Callable[[], tuple[Rulebook, Program]]) -> Begun:
        """Read a game, unless another table has it."""
        from rulebook.web.hall import Begun

        key = repr((header.game, header.rules, header.variants, header.options, len(header.seats), header.format))
        if key not in self._read:
            rulebook, program = read()
            self._read[key] = Begun(rulebook, program, list_texts(rulebook, program.options), header)
            for oldest in [*self._read][:-_MOST_READ]:
                del self._read[oldest]
        return self._read[key]._replace(header=header)

    def check(self, settings: Settings) -> str:
        from rulebook.diagnostics.render import render_text
        from rulebook.loading import load

        if not self._may_look(settings):
            return self._refuse(settings)
        try:
            folder = folders.folder_of(settings.game)
            loaded = load(folder, folders.variants_at(folder, settings.variants))
        except click.ClickException as wrong:
            return _message(wrong)
        return "" if loaded.game is not None else render_text(loaded.messages, 78, False)

    def stamp(self, settings: Settings) -> object:
        from rulebook.commands.watching import stamps

        if not self._may_look(settings):
            return None
        try:
            folder = folders.folder_of(settings.game)
            return stamps([folder], folders.variants_at(folder, settings.variants))
        except click.ClickException:
            return None

    @staticmethod
    def _load_rules(settings: Settings) -> games.Asked:
        return games.find_game(settings.game, settings.variants, settings.given, settings.without)


def _offer(
    game: str, variants: Sequence[str] = (), given: Sequence[str] = (), without: Sequence[str] = ()
) -> Offer | None:
    """A game to choose; None for one that cannot be played now."""
    from rulebook.loading import load
    from rulebook.web.offers import Offer

    try:
        folder = folders.folder_of(game)
        checked = load(folder, folders.variants_at(folder, variants), use_cache=True).game
        if checked is None:
            return None
        rulebook, called = checked.rulebook, folders.as_typed(game, *variants)
        options = games.settle_given(rulebook, given, called) | games.settle_left_out(rulebook, without, called)
    except click.ClickException:
        return None
    numbers = list_numbers(rulebook, options)
    return Offer(game, rulebook.name, numbers, game, (*variants,), (*given,), (*without,))


def _message(wrong: Exception) -> str:
    return wrong.format_message() if isinstance(wrong, click.ClickException) else str(wrong)


async def _serve(
    settings: Settings | None,
    seed: int | None,
    no_wait: bool,
    host: str,
    port: int,
    find_address: Callable[[int], str | None],
    pace: float,
    path: Path | None,
    has_codes: bool,
) -> None:
    from rulebook.web.door import Door, count_files
    from rulebook.web.hall import Hall, Unplayable
    from rulebook.web.server import listen, make_app, serve
    from rulebook.web.store import Store, Unwritten

    own = saves.folder().parent / "tables.sqlite3"
    path = path or own
    is_own = os.path.realpath(path) == os.path.realpath(own)
    try:
        store = Store(path)
    except (OSError, sqlite3.Error) as error:
        raise BadRequest(f"Tables cannot be kept in {path}: {error}.") from None
    try:
        listening = listen(host, port)
    except OSError as error:
        raise BadRequest(f"{host}:{port} cannot be listened at: {error.strerror}.") from None
    taken = listening.getsockname()[1]
    if port and taken != port:
        click.echo(f"Port {port} is taken; this is {taken}.")
    address = find_address(taken)
    reached = _addresses(host)
    links = (address or f"http://{_put_in_brackets(reached[0])}:{taken}").rstrip("/")
    hall = Hall(store, _Rules(settings, is_own), links, pace)
    try:
        # Another server may have others.
        held = [table for table in store.open_tables() if store.hold(table)]
        older = [again for table in held if (again := await _reopen(table, store, hall)) is not None]
    except (OSError, sqlite3.Error) as error:
        raise BadRequest(f"Tables cannot be kept in {path}: {error}.") from None
    if settings is not None:
        try:
            opened = await hall.open(settings, seed)
            if no_wait:
                await opened.start()
            _announce(opened, hall, has_codes, is_new=True)
        except Unplayable as wrong:
            raise RulesFailed(str(wrong)) from None
        except Unwritten as error:
            raise BadRequest(f"Tables cannot be kept in {path}: {error.strerror}.") from None
    if not hall.tables:
        raise BadRequest(f"There is no table to open again. Say which game: {name_command()} serve wallet.")
    for again in older:
        if settings is None or again.gap:
            _announce(again, hall, has_codes, is_new=False)
        else:
            click.echo(f"Also open again: {_name_table(again)}; its host: {hall.link(again.links['host'], 'host')}")
    _say_reach(host, reached, taken, address)
    # What happened before the links were printed is no news.
    hall.tell = lambda line: click.echo(visible(line))
    hosts = _LOOPBACK if address else (*_LOOPBACK, *reached, host)
    watching = asyncio.create_task(hall.watch_rules(_LOOK))
    try:
        door = Door(lambda line: click.echo(line, err=True), count_files())
        await serve(make_app(hall, hosts, door), listening, door)
    finally:
        watching.cancel()
        store.close()
    click.echo(f"All games are saved. {name_command()} serve opens the tables again.")


async def _reopen(table: int, store: Store, hall: Hall) -> Open | None:
    """Open a table again; one that cannot be opened is told, and in no other one's way."""
    from rulebook.web.hall import Unplayable
    from rulebook.web.store import Unwritten

    try:
        return await hall.reopen(store.find_table(table))
    except (Unplayable, RuleError, BadSave, Unwritten) as wrong:
        store.let_go(table)
        click.echo(f"Table {table} cannot be opened again: {visible(str(wrong))}", err=True)
    return None


def _name_table(opened: Open) -> str:
    game = opened.table.game if opened.table is not None else None
    title = game.program.name if game is not None else opened.room.game if opened.room is not None else ""
    return f"{visible(title)}, table {opened.id}"


def _announce(opened: Open, hall: Hall, has_codes: bool, is_new: bool) -> None:
    """Print the links of a table; those that only a friend has now are not printed again."""
    import segno

    game = opened.table.game if opened.table is not None else None
    has_begun = "" if is_new else ", goes on where it stood" if game is not None else ", has not begun yet"
    click.echo(f"{_name_table(opened)}{has_begun}")
    if opened.gap and game is not None:
        click.echo(f"It could be read only in part: {visible(opened.gap)}")
        click.echo(f"It goes on after answer {len(game.entries)}; all that was kept stands with the earlier games.")
    seats = [(visible(name), str(seat), "seat") for seat, name in enumerate(opened.names)]
    every = (*seats, ("For watchers", "watch", "watch"), ("For you, the host", "host", "host"))
    shown = [(title, hall.link(opened.links[role], page)) for title, role, page in every if role in opened.links]
    width = max(len(title) for title, _ in shown)
    for title, url in shown:
        click.echo(f"  {title:{width}}  {url}")
        if has_codes:
            segno.make(url, error="l").terminal(compact=True, border=2)
    if not is_new:
        click.echo("The players' links still work. Who has lost theirs gets a new one on the host's page.")
    people = [name for (name, _, _), (_, bot) in zip(seats, opened.settings.seats, strict=True) if not bot]
    if game is None:
        click.echo(f"Waiting for {join_texts(people)}. When all are there, anybody begins the game by a touch.")
    elif people and not game.over:
        click.echo(f"Waiting for {join_texts(people)}.")
    if opened.settings.within:
        click.echo(f"Who has not answered after {opened.settings.within} seconds {_LATE[opened.settings.is_passing]}.")
    click.echo()


_LATE = {False: "is answered for by a bot, once", True: "passes, or is answered for by a bot where nobody may pass"}


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False


def _say_reach(host: str, reached: list[str], port: int, address: str | None) -> None:
    if address:
        click.echo(f"Whoever can reach {address} can use these links; this server listens at {reached[0]}:{port}.")
    elif host in _LOOPBACK:
        click.echo("Only this computer can open these links. With --host 0.0.0.0 others in the same network can;")
        click.echo("with --tunnel friends elsewhere can, too.")
    else:
        others = ", ".join(f"http://{_put_in_brackets(address)}:{port}" for address in reached)
        click.echo(f"Whoever is in the same network can open these links: {others}")
    click.echo("Ctrl-C ends the server; games are kept.")


def _addresses(host: str) -> list[str]:
    """The addresses under which others reach this computer, the likeliest first."""
    if host not in ("0.0.0.0", "::"):
        return [host]
    addresses = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only tells which of our addresses would be used
            addresses.append(probe.getsockname()[0])
        except OSError:
            pass
    return [*dict.fromkeys([*addresses, "127.0.0.1"])]


def _put_in_brackets(address: str) -> str:
    return f"[{address}]" if ":" in address else address
