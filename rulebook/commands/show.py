"""`rulebook list` and `rulebook show`: the bundled games, one game, one card or rule of it."""

from __future__ import annotations

import json
import shlex
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulebook import front_door, library
from rulebook.commands import folders, games
from rulebook.commands.console import (
    BadRequest,
    bold,
    color_option,
    columns,
    echo_lines,
    name_command,
    refuse_together,
    suggestion,
)
from rulebook.commands.seats import choose_numbers
from rulebook.commands.series_options import json_option
from rulebook.dsl import ir
from rulebook.dsl.ir import ActionDef, CardDef, Expr, OptionDef, PlaceDef, Rulebook
from rulebook.dsl.settling.options import amount_text, choices_of, describe_wanted, setting_text
from rulebook.dsl.settling.texts import list_texts, word_expression
from rulebook.dsl.types import NUMBER, Symbol, TableOf, sort_alternatives
from rulebook.dsl.words import word_players
from rulebook.library import variants_of
from rulebook.loading import CheckedGame, load
from rulebook.printing import visible
from rulebook.table.columns import labelled, wrapped

if TYPE_CHECKING:
    from rulebook.dsl.overlay.variant import Variant
    from rulebook.english.prose import Line
    from rulebook.english.sheet import Entry


Rows = list[tuple[str, str]]


@click.command(name="list")
@click.option("--variants", "variants", is_flag=True, help="With the variants of each game.")
@json_option
@color_option
def list_command(variants: bool, as_json: bool) -> None:
    """List the games that come with rulebook."""
    if as_json:
        click.echo(json.dumps([*_list_as_json(variants)], ensure_ascii=False, indent=2))
        return
    rows: Rows = []
    for folder in library.find_games():
        rulebook = load(folder, use_cache=True).rulebook
        if rulebook is None:
            rows.append((folder.name, f"cannot be played now; {name_command()} validate {folder} says why"))
        else:
            rows.append((folder.name, f"{rulebook.name}, {_word_players(rulebook)}, {_word_cards(rulebook)}"))
        if variants:
            rows += [(f"  {id}", text) for id, text in _list_variants(folder)]
    if not rows:
        click.echo("There are no bundled games.")
    echo_lines(labelled(rows, columns(), indent=""))


def _list_as_json(variants: bool) -> Iterator[dict[str, Any]]:
    """Tell of each game what it is; of one that cannot be played only where it lies."""
    for folder in library.find_games():
        try:
            game = front_door.open(folder)
        except front_door.CannotOpen:
            yield {"id": folder.name, "folder": str(folder)}
            continue
        there = {file.stem for file in variants_of(folder)} if variants else set[str]()
        yield {**game.to_dict(), **({"variants": sorted(there)} if variants else {})}


def _list_variants(folder: Path) -> Rows:
    """The variants of a game: what each is called, and why one would play it."""
    from rulebook.dsl.overlay.variant import read_variant

    rows: Rows = []
    for file in variants_of(folder):
        variant, problems = read_variant(file)
        if variant is None or any(problem.severity == "error" for problem in problems):
            rows.append((file.stem, f"cannot be played now; {name_command()} validate {file} says why"))
        else:
            rows.append((variant.id, _describe_variant(variant)))
    return rows


def _describe_variant(variant: Variant) -> str:
    """Return the name of a variant, and its description."""
    return f"{variant.name}: {variant.about}" if variant.about else variant.name


@click.command(name="show")
@folders.game_argument
@click.argument("about", required=False, metavar="[NAME]")
@click.option("--options", "options", is_flag=True, help="Show all house rules, and what is forbidden.")
@click.option("--resolved", "resolved", is_flag=True, help="Show where each part stands, and what variants did to it.")
@click.option("--paths", "paths", is_flag=True, help="Show the sentences of scripts, with their paths for a variant.")
@click.option("--english", "english", is_flag=True, help="Tell in English what scripts do, instead of quoting them.")
@json_option
@folders.game_options
@color_option
def show_command(
    game: str,
    about: str | None,
    options: bool,
    resolved: bool,
    paths: bool,
    english: bool,
    as_json: bool,
    variants: tuple[str, ...],
    given: tuple[str, ...],
) -> None:
    """Show what is in GAME, or whatever in it has this name.

    That may be a card, a family of cards, an action, a rule, a value, a place, a house rule, a memory, a kind or a
    word. Where nothing is called so, a part of the name is enough.
    """
    refuse_together(english=english, resolved=resolved, options=options, paths=paths, json=as_json)
    if options and about is not None:
        raise BadRequest(f"--options shows all house rules of {game}; leave {about} out.")
    if resolved and given:
        raise BadRequest("--resolved shows what is written; what --set says is written nowhere.")
    chosen = games.find_game(game, variants, given)
    rulebook = chosen.with_settings(given)
    if as_json:
        click.echo(json.dumps(_tell_as_json(chosen, about), ensure_ascii=False, indent=2))
        return
    if resolved:
        lines = _show_resolved(chosen.game, about, chosen.called)
    elif paths:
        lines = _show_paths(chosen.game, about, chosen.called)
    elif options:
        lines = show_house_rules(rulebook)
    elif english:
        lines = _tell(rulebook, about, chosen.called)
    elif about is None:
        laid = chosen.game.variants if chosen.variants else ()
        lines = _show_game(rulebook, laid, chosen)
    else:
        lines = _show_one(rulebook, about, chosen.called)
    echo_lines(lines)


def _tell_as_json(chosen: games.Asked, about: str | None) -> dict[str, Any]:
    """Tell what a game is, with all its cards, or those that are called so."""
    game = front_door.Game(chosen.rulebook, chosen.options, chosen.folder, chosen.variants)
    wanted = None if about is None else games.find_cards(chosen.rulebook, about, chosen.called)
    return {**game.to_dict(), "cards": [card.to_dict() for card in game.cards() if wanted is None or card.id in wanted]}


def _show_resolved(game: CheckedGame, about: str | None, called: str) -> list[str]:
    from rulebook.commands.resolved import print_whole, print_whole_of

    if about is None:
        return [*_show_head(game.rulebook, game.variants), "", *print_whole(game, bold)]
    lines = list(print_whole_of(game, about, bold))
    if not lines:
        raise _no_such(game.rulebook, about, called)
    return lines[:-1]


def _show_paths(game: CheckedGame, about: str | None, called: str) -> list[str]:
    from rulebook.commands.resolved import find_meant, print_paths

    lines = list(print_paths(game, about, bold))
    if not lines and about is not None and find_meant(game, about):
        raise BadRequest(f"{about!r} has no script, so there are no sentences in it.")
    if not lines:
        raise _no_such(game.rulebook, about or "", called)
    return lines[:-1]


def _tell(rulebook: Rulebook, about: str | None, called: str) -> list[str]:
    if about is None:
        return tell_all(rulebook)
    return tell_one(rulebook, about) or _show_one(rulebook, about, called)


def _word_players(rulebook: Rulebook) -> str:
    return f"{word_players(rulebook.players)} player{'' if rulebook.players == (1,) else 's'}"


def _word_cards(rulebook: Rulebook) -> str:
    fewest, most = (sum(counts.values()) for counts in _count_copies(rulebook))
    return f"{_word_span(fewest, most)} card" + ("" if fewest == most == 1 else "s")


def _word_span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


# ── a game ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _show_game(rulebook: Rulebook, variants: Sequence[Variant], chosen: games.Asked) -> list[str]:
    others = [row for row in _list_variants(chosen.folder) if row[0] not in rulebook.variants]

    lines = _show_head(rulebook, variants)
    parts: list[tuple[str, Rows]] = [
        (
            "House rules (--set NAME=VALUE)",
            [(option.name, _word_option(rulebook, option)) for option in rulebook.options.values()],
        ),
        ("Variants (--variant NAME)", others),
        (
            "Places",
            [(place.name, _show_place(rulebook, place)) for place in (*_open_box(rulebook), *rulebook.places.values())],
        ),
        *[(f"Cards: {kind}", rows) for kind, rows in _list_by_kind(rulebook).items()],
        ("Actions", [(action.id, _word_name(rulebook, action)) for action in rulebook.actions.values()]),
    ]
    for title, rows in parts:
        if rows:
            lines += ["", bold(title), *labelled(rows, columns())]
    scripts = {
        "Rules": _bare(rulebook.scripts, "rules."),
        "Whenever": _bare(rulebook.scripts, "whenever."),
        "Values": _bare(rulebook.functions, "values."),
    }
    for title, names in scripts.items():
        if names:
            lines += ["", bold(title), *labelled([("", ", ".join(names))], columns(), indent="")]
    tips = [f"{name_command()} show {chosen.called} NAME shows one of these."]
    tips += (
        [f"{name_command()} show {chosen.called} --options says what house rules may be."] if rulebook.options else []
    )
    tips += [f"{name_command()} diff {shlex.quote(chosen.name)} VARIANT says what a variant changes."] if others else []
    return [*lines, "", *(line for tip in tips for line in wrapped(tip, columns(), "  "))]


def _show_head(rulebook: Rulebook, variants: Sequence[Variant]) -> list[str]:
    lines = [bold(f"{rulebook.name} ({_word_players(rulebook)})")]
    if variants:
        lines += ["", bold("With the variant" + ("" if len(variants) == 1 else "s")), *_variants(variants)]
    return lines


def _variants(variants: Iterable[Variant]) -> list[str]:
    return labelled([(variant.id, _describe_variant(variant)) for variant in variants], columns())


def _bare(names: Mapping[str, Any], prefix: str) -> list[str]:
    return [name.removeprefix(prefix) for name in names if name.startswith(prefix)]


def _word_option(rulebook: Rulebook, option: OptionDef) -> str:
    def word_choice(value: Any) -> str:
        return setting_text(option, value, rulebook.units)

    if option.choices is not None:
        legal = ", ".join(dict.fromkeys(word_choice(choice) for choice in option.choices))
    elif option.low is not None or option.high is not None:
        legal = "..".join("" if bound is None else word_choice(bound) for bound in (option.low, option.high))
    else:
        legal = ""
    if not legal and isinstance(option.default, bool):
        legal = "yes, no"
    choice = f"{word_choice(option.default)} unless set{f'; legal: {legal}' if legal else ''}"
    return f"{option.text} ({choice})".strip()


def _open_box(rulebook: Rulebook) -> tuple[PlaceDef, ...]:
    """The box, if it is not as in other games."""
    hidden = word_expression(rulebook.box.seen_by, _find_defaults(rulebook)) == "nobody"
    return () if hidden else (rulebook.box,)


def _show_place(rulebook: Rulebook, place: PlaceDef) -> str:
    owner = {"table": "of the table", "player": "of each player"}.get(place.owner, f"of each {_any_of(place.of)}")
    size = " of fixed size" if place.size is not None else ""
    seen_by = word_expression(place.seen_by, _find_defaults(rulebook))
    return f"{place.kept}{size} {owner}, for {_any_of(place.holds)}, seen by {seen_by}"


def _any_of(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "anything"


def _list_by_kind(rulebook: Rulebook) -> dict[str, Rows]:
    rows: dict[str, Rows] = {}
    fewest, most = _count_copies(rulebook)
    for card in rulebook.cards.values():
        name, copies = _word_name(rulebook, card), _word_span(fewest[card.id], most[card.id])
        rows.setdefault(card.kind, []).append((card.id, name if copies == "1" else f"{name} ×{copies}"))
    return rows


def _word_name(rulebook: Rulebook, thing: CardDef | ActionDef) -> str:
    return word_expression(thing.name, _find_defaults(rulebook)) or thing.id


def _find_defaults(rulebook: Rulebook) -> dict[str, Any]:
    return {name: option.default for name, option in rulebook.options.items()}


def _count_copies(rulebook: Rulebook) -> tuple[Counter[str], Counter[str]]:
    """Count the copies of each card under the default house rules, with the fewest and the most players."""
    defaults = _find_defaults(rulebook)
    numbers = choose_numbers(rulebook, defaults)
    low, high = (games.lower_game(rulebook, players, defaults) for players in (numbers[0], numbers[-1]))
    return Counter(low.definition), Counter(high.definition)


# ── one thing ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _show_one(rulebook: Rulebook, about: str, called: str) -> list[str]:
    lines = describe_name(rulebook, about)
    if not lines:
        raise _no_such(rulebook, about, called)
    return lines


def describe_name(rulebook: Rulebook, about: str) -> list[str]:
    """Show whatever in a game has this name; nothing if nothing has."""
    wanted = about.casefold()
    lines: list[str] = []
    for card in rulebook.cards.values():
        if wanted in (card.id.casefold(), _word_name(rulebook, card).casefold()):
            lines += _show_card(rulebook, card)
    for family in rulebook.families:
        if wanted == family.casefold():
            lines += _show_family(rulebook, family)
    for action in rulebook.actions.values():
        if wanted in (action.id.casefold(), _word_name(rulebook, action).casefold()):
            lines += _list_head(rulebook, action, f"actions.{action.id}")
    for name, at in _map_scripts(rulebook).items():
        whole = name.partition(",")[0].casefold()
        if whole in (wanted, f"rules.{wanted}", f"values.{wanted}"):
            lines += _read_source(name, at)
    return lines or _look_up(rulebook, about)


def _look_up(rulebook: Rulebook, about: str) -> list[str]:
    """Show what else has this name, or a part of it: cards, places, house rules, memories, kinds and words."""
    from rulebook.table.handbook import Handbook

    options = _find_defaults(rulebook)
    program = games.lower_game(rulebook, choose_numbers(rulebook, options)[-1], options)
    lines: list[str] = []
    for entry in Handbook(rulebook, program, list_texts(rulebook, options)).find_entries(about):
        card = rulebook.cards.get(entry.ids[0]) if entry.sort == "card" else None
        shown = [bold(f"{entry.name} ({entry.sort})"), *_indent_wrapped(visible(entry.text), "  ")]
        lines += [*([""] if lines else []), *(_show_card(rulebook, card) if card is not None else shown)]
    return lines


def _no_such(rulebook: Rulebook, about: str, called: str) -> BadRequest:
    names = [*rulebook.cards, *rulebook.families, *rulebook.actions, *_bare(rulebook.scripts, "rules.")]
    names += [*rulebook.places, *rulebook.options, *rulebook.memories, *rulebook.kinds]
    names += [*_bare(rulebook.functions, "values."), *(_word_name(rulebook, card) for card in rulebook.cards.values())]
    advice = suggestion(about, names) or f"{name_command()} show {called} lists the names."
    return BadRequest(f"There is nothing called {about!r} in {rulebook.title}. {advice}")


def _map_scripts(rulebook: Rulebook) -> dict[str, Any]:
    """Map each script and function to the place where it stands."""
    places: dict[str, Any] = {name: script.at for name, script in rulebook.scripts.items()}
    for name, function in rulebook.functions.items():
        if isinstance(function.body, ir.Conditions | ir.Total):
            places.update((f"{name}, {line.name}", line.value.at) for line in function.body.lines)
        else:
            places[name] = function.at
    return places


def _show_card(rulebook: Rulebook, card: CardDef) -> list[str]:
    head, *rest = _list_head(rulebook, card, _family_of(rulebook, card.id))
    return [head, *labelled(_make_rows(rulebook, card), columns()), *rest]


def _show_family(rulebook: Rulebook, family: str) -> list[str]:
    """Describe a family: what all its cards have, then each card with what it has alone."""
    cards = [rulebook.cards[id] for id in rulebook.families[family]]
    rows = {card.id: _make_rows(rulebook, card) for card in cards}
    shared = [row for row in rows[cards[0].id] if all(row in others for others in rows.values())]
    members: Rows = []
    for card in cards:
        own = [f"{name} {value}" for name, value in rows[card.id] if (name, value) not in shared]
        members.append((card.id, ", ".join([_word_name(rulebook, card), *own])))
    title = bold(family) + f" ({len(cards)} cards)"
    lines = [title, *labelled(shared, columns()), "", *labelled(members, columns())]
    texts = {_find_text(rulebook, card): None for card in cards}
    if len(texts) == 1 and "" not in texts:
        lines += ["", *wrapped(next(iter(texts)), columns())]
    return lines + _scripts_of(rulebook, f"cards.{family}")


def _family_of(rulebook: Rulebook, card: str) -> str:
    """Return the place of a card's scripts: its family's, if it has one."""
    return f"cards.{next((name for name, cards in rulebook.families.items() if card in cards), card)}"


def _make_rows(rulebook: Rulebook, card: CardDef) -> Rows:
    """Return the rows of a card: how many copies there are, and what is printed on it."""
    rows: Rows = [("kind", card.kind), ("copies", _word_span(*(counts[card.id] for counts in _count_copies(rulebook))))]
    for number, different in card.copies:
        if different:
            words = ((name.replace("_", " "), _word_value(rulebook, value)) for name, value in different.items())
            what = ", ".join(f"no {name}" if word == "none" else f"{name} {word}" for name, word in words)
            count = word_expression(number, _find_defaults(rulebook))
            rows.append(("", f"{count} {'copy' if count == '1' else 'copies'} · {what}"))
    differing = [set(group) for _, group in card.copies]
    everywhere = set.intersection(*differing) if differing else set()  # no copy has what is written for all
    printed = [(name, value) for name, value in card.attributes.items() if name not in everywhere]
    return rows + [(name, _word_value(rulebook, value)) for name, value in printed]


def _list_head(rulebook: Rulebook, thing: CardDef | ActionDef, prefix: str) -> list[str]:
    lines = [bold(_word_name(rulebook, thing)) + f" ({thing.id})"]
    text = _find_text(rulebook, thing)
    if text:
        lines += ["", *wrapped(text, columns())]
    return lines + _scripts_of(rulebook, prefix)


def _find_text(rulebook: Rulebook, thing: CardDef | ActionDef) -> str:
    return word_expression(thing.text, _find_defaults(rulebook), rulebook.units) if thing.text is not None else ""


def _scripts_of(rulebook: Rulebook, prefix: str) -> list[str]:
    lines: list[str] = []
    for name, at in _map_scripts(rulebook).items():
        if at is not None and name.startswith(f"{prefix}."):
            lines += ["", *_read_source(name.removeprefix(f"{prefix}."), at)]
    return lines


def _read_source(name: str, at: Any) -> list[str]:
    """A script as it stands in its file, all of it: `at` is only where it begins."""
    if at is None:
        return [f"{bold(name)}:"]
    span = at.scalar.span
    where = f"  # {span.file.name}:{span.line}"
    text = span.text.strip("\n")
    if "\n" not in text:
        return [f"{bold(name)}: {text.strip()}{where}"]
    return [f"{bold(name)}:{where}", *_dedent_source(text)]


def _dedent_source(text: str) -> list[str]:
    """Indent lines by two spaces; the first stood behind its key, the others were indented."""
    first, _, rest = text.partition("\n")
    body = textwrap.dedent(rest).rstrip().splitlines()
    if first.strip() not in ("", "|", ">"):
        body = [first.strip(), *body]
    return [f"  {line}".rstrip() for line in body]


def _word_table(rulebook: Rulebook, table: ir.Listed, of: TableOf) -> str:
    """A printed table in words, `2 wood, 1 stone`; an entry may go by an option."""
    words = rulebook.words[of.key.enumeration].values() if isinstance(of.key, Symbol) else ()
    parts = []
    for word, entry in zip(words, table.items, strict=True):
        if entry != ir.Const(0, type=of.item):
            is_number = isinstance(entry, ir.Const) and of.item == NUMBER
            text = _word_value(rulebook, entry)
            parts.append(f"{text} {word}" if is_number else f"{word}: {text}")
    return ", ".join(parts) or "nothing"


def _word_value(rulebook: Rulebook, expression: Expr) -> str:
    if isinstance(expression, ir.Const):
        value = expression.value
        if isinstance(value, int) and expression.type.__class__.__name__ == "Amount":
            return amount_text(value, rulebook.units)
        if isinstance(value, tuple):
            return ", ".join(map(str, value)) or "none"
        words = [table[value] for table in rulebook.words.values() if isinstance(value, str) and value in table]
        return words[0] if words else word_expression(expression, {})
    if isinstance(expression, ir.AllCards):
        return expression.only or ""
    if isinstance(expression, ir.Listed) and isinstance(expression.type, TableOf):
        return _word_table(rulebook, expression, expression.type)
    if isinstance(expression, ir.ByOption):
        cases = ", ".join(f"{key}: {_word_value(rulebook, case)}" for key, case in expression.cases)
        return f"by {expression.option}: {cases}"
    return word_expression(expression, _find_defaults(rulebook)) or (
        expression.at.span.text if expression.at else ""
    )


def tell_all(rulebook: Rulebook) -> list[str]:
    from rulebook.english.sheet import CARDS, Sheet

    lines: list[str] = []
    whole, section = Sheet(rulebook), ""
    for entry in whole.list_entries():
        text = whole.tell_entry(entry)
        if not text:
            continue
        heading = f"{entry.sort}: {entry.kind}" if entry.sort == CARDS else entry.sort
        if heading != section:
            section = heading
            lines += [bold(heading), ""]
        lines += [f"{entry.name} ({entry.id})", *_indent_lines(text), ""]
    return lines[:-1] if lines else ["Nothing in this game does anything."]


def tell_one(rulebook: Rulebook, about: str) -> list[str] | None:
    """One card, family, action, rule or value; None if nothing has this name."""
    from rulebook.english.sheet import Sheet

    whole = Sheet(rulebook)
    wanted = about.casefold()
    entries = [entry for entry in whole.list_entries() if _names_it(entry, wanted, rulebook)]
    lines: list[str] = []
    for entry in entries:
        text = whole.tell_entry(entry)
        words = _indent_lines(text) if text else ["  It does nothing of its own."]
        lines += [*([""] if lines else []), bold(entry.name) + f" ({entry.id})", *words]
    return lines or None


def _names_it(entry: Entry, wanted: str, rulebook: Rulebook) -> bool:
    ids = (entry.id, entry.name, f"{entry.sort.lower()}.{entry.id}", *rulebook.families.get(entry.id, ()))
    return wanted in {id.casefold() for id in ids}


def _indent_lines(lines: Sequence[Line]) -> list[str]:
    """Indent told lines as they fit: points stand below what they belong to."""
    from rulebook.english.prose import SIGNS

    indented = []
    for line in lines:
        sign = f"{SIGNS[min(line.depth, len(SIGNS)) - 1]} " if line.depth else ""
        start = "  " + "  " * line.depth + sign
        first, *rest = wrapped(line.text, max(columns() - len(start), 20))
        indented += [start + first, *(" " * len(start) + more for more in rest)]
    return indented


def show_house_rules(rulebook: Rulebook) -> list[str]:
    """A head for each option, as one would set it, then what it is and what it may be; then what is forbidden."""
    if not rulebook.options:
        return [f"{rulebook.title} has no house rules."]
    lines = wrapped(f"{rulebook.title}: house rules as they are, unless set with --set NAME=VALUE", columns())
    lines = [bold(line) for line in lines]
    for option in rulebook.options.values():
        lines += ["", bold(f"{option.name}={setting_text(option, option.default, rulebook.units)}")]
        for words in filter(None, (visible(option.text), _word_values(rulebook, option))):
            lines += _indent_wrapped(words, "  ")
    if rulebook.forbid:
        lines += ["", bold("Forbidden"), *_show_forbidden(rulebook)]
    return lines


def _word_values(rulebook: Rulebook, option: OptionDef) -> str:
    """Return the values that an option takes; a choice that people read otherwise with the words that they read."""
    lists = [way.enumeration for way in sort_alternatives(option.type) if isinstance(way, Symbol)]
    read = {word: text for name in lists for word, text in rulebook.words[name].items()}
    text = describe_wanted(option, rulebook.units)
    for choice in choices_of(option):
        words = read.get(choice) if isinstance(choice, str) else None
        if isinstance(choice, str) and words is not None and words.casefold() != choice.casefold().replace("_", " "):
            text = text.replace(f"`{choice}`", f"{choice} ({visible(words)})")
    return text.replace("`", "")


def _show_forbidden(rulebook: Rulebook) -> Iterator[str]:
    for forbidden in rulebook.forbid:
        yield from _indent_wrapped(f"{visible(forbidden.reason)}:", "  ")
        if forbidden.condition.at is not None:
            yield from _indent_wrapped(forbidden.condition.at.scalar.text, "    ")


def _indent_wrapped(text: str, indent: str) -> list[str]:
    return [indent + line for line in wrapped(text, columns() - len(indent))]
