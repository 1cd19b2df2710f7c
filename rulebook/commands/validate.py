"""`rulebook validate`: what is wrong with games, found without playing them, or with `--play` also by playing.

Messages go to stdout; how far it is, what was played, and mistakes of ours go to stderr.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click

from rulebook import files
from rulebook.commands.console import (
    OUR_BUG,
    RULES_FAILED,
    BadRequest,
    Choices,
    NewFile,
    Progress,
    Whole,
    color_option,
    is_wanted,
    name_command,
    refuse_together,
    suggestion,
    terminal_width,
    writing,
)
from rulebook.commands.folders import as_typed, find_extended, game_options, games_at, is_stray, name_game, variants_at
from rulebook.diagnostics import LISTED, Diagnostic, Severity, codes
from rulebook.diagnostics.render import count_noun, render_text, sort_messages
from rulebook.files import read_bytes
from rulebook.library import RULES, leads_out, variants_of
from rulebook.loading import load
from rulebook.printing import one_line
from rulebook.reports import SEVERITIES, WRITERS, Report
from rulebook.source import LARGEST_FILE
from rulebook.validation import Wanted, find_problems, fixes
from rulebook.validation.baseline import BadBaseline, Entry, drop_known, format_baseline, parse_baseline

if TYPE_CHECKING:
    from rulebook.dsl import ir
    from rulebook.dsl.document import At
    from rulebook.dsl.settling.options import Settled

Target: TypeAlias = tuple[Path, list[Path]]
"""A game's folder, and the variants that the game is checked under."""

_COMPARED = 400
"""The answers compared in twin games, to find leaks; `rulebook leaks` compares more."""
_LARGEST_BASELINE = 64 * 1024 * 1024  # bytes


@click.command(name="validate")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]…")
@click.option(
    "--format",
    "form",
    type=Choices(["text", *WRITERS]),
    help="How to show the messages; text, or github in its workflows.",
)
@click.option(
    "--fail-on", type=Choices(["error", "warning", "tip"]),
    help="The mildest message that makes the check fail: error, unless the game says otherwise. A guess never does.",
)  # fmt: skip
@game_options
@click.option("--select", metavar="CODE,…", multiple=True, help="Show only these; RB3 means all that begin so.")
@click.option("--ignore", metavar="CODE,…", multiple=True, help="Show all but these.")
@click.option("--baseline", metavar="FILE", type=click.Path(path_type=Path), help="Leave out what FILE knows already.")
@click.option(
    "--write-baseline", metavar="FILE", type=NewFile(), help="Make FILE know what is wrong now."
)
@click.option(
    "--play", "games", type=Whole(1), metavar="N",
    help="Then play N random games with each number of players; from 200 on also find what says nothing in them.",
)  # fmt: skip
@click.option("--vary", is_flag=True, help="With --play: N games under each other choice of each house rule, too.")
@click.option(
    "--seed", type=Whole(0, 2**53), metavar="S", default=0, help="With --play: the seed of the first game."
)
@click.option("--jobs", type=Whole(1, 1024), metavar="J", default=1, help="With --play: processes to use.")
@click.option("--fix", "mending", is_flag=True, help="Mend what mends itself, and say what was done.")
@click.option("--unsafe", is_flag=True, help="With --fix or --diff: write what was perhaps meant, too.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
@color_option
@click.pass_context
def validate_command(
    ctx: click.Context,
    paths: tuple[Path, ...],
    form: str | None,
    fail_on: str | None,
    variants: tuple[str, ...],
    given: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    baseline: Path | None,
    write_baseline: Path | None,
    games: int | None,
    vary: bool,
    seed: int,
    jobs: int,
    mending: bool,
    unsafe: bool,
    diff: bool,
    watch: bool,
) -> None:
    """Check games, their variants and scenarios, and with --play also how they play.

    A PATH is a game's folder, a file in one, a variant of one, or a folder of games. Without one: the game in the
    folder where you are, or all games below it.
    """
    targets = _targets(paths, variants)
    folders = [folder for folder, _ in targets]
    wanted = Wanted(_parse_codes(select), _parse_codes(ignore))
    chosen = form or ("github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text")
    refuse_together(fix=mending, diff=diff, watch=watch, write_baseline=write_baseline is not None)
    for mode in ({"fix": mending}, {"diff": diff}, {"watch": watch}):
        refuse_together(variant=any(laid for _, laid in targets), **mode)
    refuse_together(play=games is not None, diff=diff, watch=watch)
    if games is None and (vary or seed or jobs > 1 or given):
        raise BadRequest("--vary, --set, --seed and --jobs are about the games of --play N.")
    if unsafe and not (mending or diff):
        raise BadRequest("--unsafe is about what --fix or --diff does.")
    playing = None if games is None else Hunt(games, seed, vary, jobs, given)
    if watch:
        if chosen != "text":
            raise BadRequest("--watch shows text; leave --format out.")
        from rulebook.commands.watching import watch_games

        watch_games(folders, lambda: _find_messages(targets, wanted, baseline), terminal_width(), is_wanted())
        return
    if diff:
        changes = [change for folder in folders for change in fixes.fixed_copy(folder, _fixable(wanted), unsafe=unsafe)]
        click.echo(fixes.as_diff(changes), nl=False)
        click.echo(f"{count_noun(len(changes), 'file')} would change.", err=True)
        if changes:
            ctx.exit(RULES_FAILED)
        return
    if mending:
        _mend(folders, wanted, unsafe)
    if write_baseline is not None:
        _write_baseline(write_baseline, targets, wanted, playing)
        return
    report = _make_report(folders, _find_messages(targets, wanted, baseline, playing), fail_on)
    kind = "new problems" if baseline is not None else "problems of these codes" if wanted != Wanted() else "problems"
    click.echo(_render_report(report, chosen, kind), nl=False)
    if playing is not None:
        playing.own_up()
    if report.failed:
        ctx.exit(RULES_FAILED)


def _parse_codes(given: tuple[str, ...]) -> tuple[str, ...]:
    """Codes or their beginnings, from `RB3,RB601`. Raises BadRequest for what no code begins with."""
    wanted = []
    for word in (part.strip() for words in given for part in words.split(",")):
        if not any(word and code.startswith(word.upper()) for code in codes()):
            advice = suggestion(word.upper(), codes()) or f"`{name_command()} explain` lists all codes."
            raise BadRequest(f"There is no code {word or '“”'}. {advice}")
        wanted.append(word.upper())
    return tuple(wanted)


def _targets(paths: tuple[Path, ...], names: tuple[str, ...]) -> list[Target]:
    """List what is to be checked: games, each with the variants that it is to be checked under, if any.

    Where no game is named and none lies here, files of variants say by themselves what they extend.
    """
    file = next((Path(name) for name in names if os.path.isfile(name)), None)
    if file is not None and not paths and not Path(RULES).is_file():
        folder = find_extended(file)
        return [(folder, variants_at(folder, names))]
    strays = [path for path in paths if is_stray(path)]
    others = tuple(path for path in paths if path not in strays)
    targets = [(folder, variants_at(folder, names)) for folder in (games_at(others) if others or not paths else ())]
    for stray in strays:
        folder = find_extended(stray)
        targets.append((folder, [*variants_at(folder, names), stray]))
    return targets


def _find_messages(
    targets: list[Target], wanted: Wanted, baseline: Path | None, playing: Hunt | None = None
) -> list[Diagnostic]:
    """The messages to show, in the order of their places."""
    known = None if baseline is None else _read_baseline(baseline)
    messages: list[Diagnostic] = []

    def tell(early: Sequence[Diagnostic]) -> None:
        # What a baseline knows is only seen when all is there.
        for message in wanted.pick_selected([*early]) if known is None else ():
            place = f"{message.span.file.name}:{message.span.line}: " if message.span is not None else ""
            Progress.leave(one_line(f"{place}{message.code} {message.message}"))

    for folder, variants in targets:
        here = find_problems(folder, variants, use_cache=True)
        messages += here
        if playing is not None:
            tell(here)
            messages += playing.problems(folder, variants, here, tell)
    if baseline is not None and known is not None:
        messages = _drop_known(messages, baseline, known, [folder for folder, _ in targets])
    left = wanted.pick_selected(messages)
    hidden = [message for message in messages if message.severity == "error" and not wanted.has(message.code)]
    if hidden:
        click.echo(f"{count_noun(len(hidden), 'error')} of other codes not shown.", err=True)
    return sort_messages(left)


def _read_baseline(baseline: Path) -> list[Entry]:
    try:
        return parse_baseline(read_bytes(baseline, _LARGEST_BASELINE))
    except OSError as error:
        raise BadRequest(f"{baseline} cannot be read: {error.strerror}.") from None
    except BadBaseline as error:
        raise BadRequest(f"{baseline} is no baseline: {error}. --write-baseline writes one.") from None


def _drop_known(
    messages: list[Diagnostic], baseline: Path, entries: list[Entry], folders: list[Path]
) -> list[Diagnostic]:
    new, gone = drop_known(messages, entries, baseline.parent, folders)
    if len(new) < len(messages):
        click.echo(f"{count_noun(len(messages) - len(new), 'message')} known by {baseline}.", err=True)
    for entry in gone:
        click.echo(f"{baseline}: no longer there: {entry.path}: {entry.code} {entry.message}", err=True)
    if gone:
        click.echo(f"{name_command()} validate --write-baseline {shlex.quote(str(baseline))} writes it anew.", err=True)
    return new


def _write_baseline(file: Path, targets: list[Target], wanted: Wanted, playing: Hunt | None) -> None:
    messages = _find_messages(targets, wanted, None, playing)
    with writing(file):
        files.replace(file, format_baseline(messages, file.parent).encode("utf-8", "replace"))
    click.echo(f"{count_noun(len(messages), 'message')} written to {file}.")
    if playing is not None:
        playing.own_up()


def _mend(folders: list[Path], wanted: Wanted, unsafe: bool) -> None:
    """Make the fixes, and say on stderr what was done: stdout is for what is still wrong."""
    for folder in folders:
        for apply_fix in fixes.apply_fixes(folder, _fixable(wanted), unsafe=unsafe):
            for title, times in apply_fix.done.items():
                click.echo(f"fixed {apply_fix.path}: {title}" + (f" ({times} times)" if times > 1 else ""), err=True)


def _fixable(wanted: Wanted) -> Callable[[Path], list[Diagnostic]]:
    """The check whose messages may be mended."""
    return lambda folder: wanted.pick_selected(find_problems(folder))


def _make_report(folders: list[Path], messages: list[Diagnostic], fail_on: str | None) -> Report:
    """The report; what the command says about failing comes before what the games say."""
    severity: Severity = next((severity for severity in SEVERITIES if severity == fail_on), "error")
    fail_ons = {folder.as_posix(): _find_fail_on(folder) for folder in folders} if fail_on is None else {}
    said_by = {name: mildest for name, mildest in fail_ons.items() if mildest is not None}
    return Report(tuple(messages), tuple(folder.as_posix() for folder in folders), severity, said_by)


def _find_fail_on(folder: Path) -> Severity | None:
    """Return the severity that a game says makes its check fail, if it says so."""
    if leads_out(folder / RULES):
        return None  # the check says why
    try:
        with (folder / RULES).open("rb") as file:
            text = file.read(LARGEST_FILE).decode("utf-8", "replace")
    except OSError:
        return None  # the check says why
    if "fail on" not in text:
        return None
    # Few games do, and to know a comment from a text takes a reader.
    from rulebook.loading.suppressions import read_fail_on

    return read_fail_on(text)


def _render_report(report: Report, form: str, kind: str) -> str:
    """The report in one of the forms; `kind` is what there is none of, if there is none."""
    if form != "text":
        return WRITERS[form](report)
    told = [one for one in report.messages if one.code != LISTED]
    listed = _list_silent([one for one in report.messages if one.code == LISTED])
    if not told:
        return f"{count_noun(len(report.games), 'game')} checked, no {kind}.\n{listed}"
    explained = f"{name_command()} explain {told[0].code} says more.\n"
    return render_text(told, terminal_width(), is_wanted()) + explained + listed


def _list_silent(messages: Sequence[Diagnostic]) -> str:
    """List what says nothing and may well be meant, a line each."""
    places = [f"{one.span.file.name}:{one.span.line}" if one.span else "" for one in messages]
    wide = max(map(len, places), default=0)
    rows = [f"  {place:{wide}}  {_say_seen(one)}\n" for place, one in zip(places, messages, strict=True)]
    return "".join([f"Perhaps meant ({name_command()} explain {LISTED} says more):\n", *rows]) if rows else ""


def _say_seen(listed: Diagnostic) -> str:
    words = " ".join(listed.span.text.split()) if listed.span is not None else ""
    said = f"{words[:40]}…" if len(words) > 41 else words
    return f"{said}: {listed.message} ({listed.help.partition(' games')[0]} games)"


class Hunt:
    """A hunt by random games: the number of games, the settings, and the mistakes of ours that showed."""

    def __init__(self, games: int, seed: int, vary: bool, jobs: int, given: Sequence[str] = ()) -> None:
        self.games, self.seed, self.vary, self.jobs, self.given = games, seed, vary, jobs, given
        self.bugs: list[str] = []

    def problems(
        self, folder: Path, variants: Sequence[Path], known: Sequence[Diagnostic],
        tell: Callable[[Sequence[Diagnostic]], None],
    ) -> list[Diagnostic]:  # fmt: skip
        """Play random games and return what goes wrong; a game in which something is wrong already is not played. Of
        leaks only those are told which no message tells that is `known` already. What is known before all is played is
        given to `tell` at once.
        """
        # Only who plays needs the language, when all that is wrong is known from the last time.
        from rulebook.commands.games import lower_game, settle_given
        from rulebook.dsl.settling.forbidding import list_numbers
        from rulebook.dsl.words import word_players
        from rulebook.playtest.hunting.verdicts import play_through
        from rulebook.playtest.leaking.messages import search_leaks, without_known
        from rulebook.playtest.settings import changed

        rulebook = load(folder, variants, use_cache=True).rulebook
        if rulebook is None:
            click.echo(f"{folder}: not played, before its errors are put right.", err=True)
            return []
        options = settle_given(rulebook, self.given, as_typed(*name_game(folder, map(str, variants))))
        if not list_numbers(rulebook, options):
            # Whoever asks for what is forbidden is told so.
            lower_game(rulebook, rulebook.players[0], options)
        progress = Progress()
        try:
            result = play_through(
                rulebook, folder, self.games, self.seed, self.vary, self.jobs, name_command(), progress, options
            )
        except KeyboardInterrupt:
            progress.say("")
            games = f"{progress.done} of {progress.games} games" if progress.games else "no game"
            click.echo(f"{one_line(rulebook.title)}: stopped after {games}; nothing is said about them.", err=True)
            raise
        progress.say("")
        players = f"{word_players(rulebook.players)} players"
        rules = "".join(f", {name}={value}" for name, value in changed(rulebook, options).items())
        rules += ", all choices of house rules" if self.vary and rulebook.options else ""
        stopped = f"; {result.unfinished} came to no end and were stopped" if result.unfinished else ""
        stopped += f"; {result.too_long} took too long and were not played to their end" if result.too_long else ""
        stopped += f"; {result.left_out} more were not played, after so many" if result.left_out else ""
        click.echo(f"{one_line(rulebook.title)}: {result.games} games played, {players}{rules}{stopped}.", err=True)
        if not variants and (beside := [file.stem for file in variants_of(folder)]):
            those = "its variant was" if len(beside) == 1 else "its variants were"
            name = beside[0] if len(beside) == 1 else "NAME"
            click.echo(f"Without a variant: {those} not played, which --variant {name} does.", err=True)
        self.bugs += result.bugs
        if any(message.code != "RB705" for message in result.found):
            return [*result.found]
        if result.found:  # whatever should have ended it is worth a line
            return [*result.found, *self._find_silent(rulebook, options)]
        leaks = search_leaks(rulebook, folder, options, self.games, _COMPARED, self.seed, command=name_command())
        leaking = [*without_known(known, leaks.messages)]
        tell(leaking)
        return [*leaking, *self._find_silent(rulebook, options)]

    def _find_silent(self, rulebook: ir.Rulebook, options: dict[str, Settled]) -> list[Diagnostic]:
        """Play on to find what says nothing, where there are games enough."""
        from rulebook.playtest.ablation.messages import find_silent
        from rulebook.playtest.ablation.playing import GAMES

        if self.games < GAMES:
            return []
        progress = Progress()

        def show(done: int, settings: int, places: Sequence[At]) -> None:
            first = f", so far {Path(places[0].span.file.name).name}:{places[0].span.line}" if places else ""
            more = f" and {len(places) - 1} more" if places[1:] else ""
            progress.say(f"what says nothing: {done} of {settings} settings{first}{more}")

        silent = find_silent(rulebook, self.seed, options, show)
        progress.say("")
        if silent is None:
            click.echo("What says nothing is only found with the core, which is not there.", err=True)
        return silent or []

    def own_up(self) -> None:
        """Say which mistakes are ours; the command ends here if there is one."""
        for bug in self.bugs:
            click.echo(f"rulebook: this is our bug, not yours: {bug}", err=True)
        if self.bugs:
            raise click.exceptions.Exit(OUR_BUG)
