"""The data files of all codes, suggestions, and how messages look."""

import re
from string import Formatter
from typing import Any

import pytest
from attrs import evolve

from rulebook.diagnostics import Diagnostic, Label, codes, diagnose, did_you_mean, nearest, template
from rulebook.diagnostics.render import render_text, summary_line
from rulebook.printing import as_printed
from rulebook.source import SourceFile, Span

# Codes are looked up by people and by programs: one that is gone or has another meaning breaks both.
PROMISED = [
    *(101, 102, 103, 104, 105, 106, 107, 108, 110, 111, 112, 113, 114, 115),
    *(201, 202, 203, 204),
    *(301, 302, 303, 304, 305, 306, 307, 308),
    *(401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411),
    *(502, 504, 506, 507, 508, 510, 511, 512),
    *(601, 602, 603),
    *(901, 902, 903),
]


def at(file: SourceFile, words: str, after: int = 0) -> Span:
    start = file.text.index(words, after)
    return Span(file, start, start + len(words))


def message(span: Span | None, text: str = "Something is wrong.", **about: object) -> Diagnostic:
    return Diagnostic("RB999", text, span, **about)  # type: ignore[arg-type]


# The data files


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def test_every_code_has_its_file() -> None:
    assert {f"RB{number}" for number in PROMISED} <= set(codes())
    assert list(codes()) == sorted(codes())


@pytest.mark.parametrize("code", codes())
def test_a_code_is_complete(code: str) -> None:
    found = template(code)
    assert re.fullmatch(r"RB[1-9]\d\d", code)
    assert found.title and not found.title.endswith(".")
    assert set(found.values) == placeholders(found.message) | placeholders(found.help)
    assert len(set(found.values)) == len(found.values)
    assert found.bad and all(example.text.strip() for example in found.bad)
    filled = found.fill(found.message + found.help, dict.fromkeys(found.values, "x"))
    assert filled.count("`") % 2 == 0
    assert found.message[0].isupper() or found.message[0] in "`{"


@pytest.mark.parametrize("code", codes())
def test_help_needs_nothing_that_the_message_does_not_say(code: str) -> None:
    # So nobody has to think of a help text to be able to report something.
    found = template(code)
    assert placeholders(found.help) <= placeholders(found.message)


@pytest.mark.parametrize("code", codes())
def test_a_code_can_be_reported(code: str) -> None:
    values: dict[str, Any] = dict.fromkeys(template(code).values, "thing")
    found = diagnose(code, None, **values)
    assert (found.code, found.severity) == (code, template(code).severity)
    assert "{" not in found.message.replace("{…}", "")


# Making a diagnostic


def test_values_fill_the_sentences() -> None:
    found = diagnose("RB203", None, word="drw", where="card goblin, effect")
    assert found.message == "I do not know the action `drw`."
    assert "`do drw(…)`" in found.help
    assert found.where == "card goblin, effect"


def test_help_can_be_replaced_or_dropped() -> None:
    assert diagnose("RB203", None, word="drw", help="Did you mean `draw`?").help == "Did you mean `draw`?"
    assert diagnose("RB203", None, word="drw", help="").help == ""


def test_mistakes_of_the_program_are_not_hidden() -> None:
    with pytest.raises(TypeError, match=r"RB203 needs a value for \{word\}"):
        diagnose("RB203", None)
    with pytest.raises(LookupError, match="RB000"):
        diagnose("RB000", None)


def test_values_are_shown_on_one_line_and_not_too_long() -> None:
    found = diagnose("RB203", None, word="a\nb\x1b[31m\ud800\u2028" + "x" * 500, help="")
    assert r"a\nb\x1b[31m\ud800\u2028xxx" in found.message
    assert len(found.message) < 250
    assert diagnose("RB203", None, word="{word}", help="").message == "I do not know the action `{word}`."


# Suggestions


@pytest.mark.parametrize(
    ("word", "legal", "expected"),
    [
        ("drw", ["draw", "deal", "do"], "draw"),
        ("gobln", ["goblin", "golem"], "goblin"),
        ("mvoe", ["move", "more"], "move"),
        ("ot", ["to", "of", "or"], "to"),
        ("i", ["it", "is"], None),
        ("me", ["it", "of"], None),
        ("t0", ["to"], None),
        ("csot", ["cost", "copies"], "cost"),
        ("discrads", ["discards", "deck"], "discards"),
        ("Goblin", ["goblin", "golem"], "goblin"),
        ("currencys", ["currency", "currencies"], "currency"),
        ("notes_value", ["value_of_notes"], None),
        ("dragon", ["goblin", "orc"], None),
        ("draw", ["draw", "drawn"], "drawn"),
        ("pip.hearts.3", ["pip.2.hearts", "pip.3.hearts", "pip.hearts.30"], "pip.3.hearts"),
        ("pip.hearts.3", ["pip.3.spades"], None),
        ("x" * 5000, ["x" * 4999], None),
        ("", ["a"], None),
    ],
)
def test_the_nearest_legal_name(word: str, legal: list[str], expected: str | None) -> None:
    assert nearest(word, legal) == expected


def test_one_slip_in_any_verb_is_recognised() -> None:
    verbs = [
        "choose",
        "move",
        "draw",
        "deal",
        "shuffle",
        "reveal",
        "swap",
        "turn",
        "show",
        "tell",
        "repeat",
        "stage",
    ]
    for verb in verbs:
        for place in range(len(verb) - 1):
            swapped = verb[:place] + verb[place + 1] + verb[place] + verb[place + 2 :]
            for slip in (
                verb[:place] + verb[place + 1 :],
                swapped,
                verb[:place] + verb[place] + verb[place:],
            ):
                assert nearest(slip, [name for name in verbs if name != slip]) == verb or slip in verbs


def test_did_you_mean_says_it_or_lists_what_there_is() -> None:
    assert did_you_mean("drw", iter(["deal", "draw"])) == "Did you mean `draw`?"
    assert did_you_mean("zzz", ["hand", "deck"]) == "Known: `hand`, `deck`"
    assert did_you_mean("zzz", [f"place_{n}" for n in range(50)]) == ""
    assert did_you_mean("zzz", []) == ""


# Text


def golden(text: str) -> str:
    return text.lstrip("\n")


def test_a_message_with_its_line() -> None:
    file = SourceFile("cards/goblin.yaml", "a: 1\n\n\n\n\n  if count(hand) < 3 then drw 2\n")
    found = diagnose("RB203", at(file, "drw"), word="drw", help="Did you mean `draw`?", where="card goblin, on_enter")
    assert render_text([found]) == golden("""
error[RB203]: I do not know the action `drw`.
  --> cards/goblin.yaml:6:27  (card goblin, on_enter)
   |
 6 |   if count(hand) < 3 then drw 2
   |                           ^^^ Did you mean `draw`?

1 error in 1 file
""")


def test_wide_characters_move_the_caret() -> None:
    file = SourceFile("a.yaml", "日本 🎲e\u0301: drw\n")
    assert render_text([message(at(file, "drw"))]) == golden("""
error[RB999]: Something is wrong.
  --> a.yaml:1:9
   |
 1 | 日本 🎲e\u0301: drw
   |           ^^^

1 error in 1 file
""")
    assert render_text([message(at(file, "本"))]).splitlines()[4] == "   |   ^^"


def test_long_help_stands_below_and_is_wrapped() -> None:
    file = SourceFile("a.yaml", "cost: two\n")
    found = message(
        at(file, "two"),
        ("A long message " * 8).strip(),
        help=("Write a number, " * 8).strip(),
        severity="warning",
    )
    assert render_text([found]) == golden("""
warning[RB999]: A long message A long message A long message A long message A
                long message A long message A long message A long message
  --> a.yaml:1:7
   |
 1 | cost: two
   |       ^^^
   = help: Write a number, Write a number, Write a number, Write a number, Write
           a number, Write a number, Write a number, Write a number,

1 warning in 1 file
""")


def test_long_lines_are_cut_around_the_caret() -> None:
    file = SourceFile("a.yaml", "x" * 300 + " drw " + "日" * 300)
    lines = render_text([message(at(file, "drw"))]).splitlines()
    assert lines[3].startswith(" 1 | …x") and lines[3].endswith("日…")
    assert lines[4].index("^^^") == lines[3].index("drw")
    assert len(lines[3]) + lines[3].count("日") <= 80


def test_labels_are_shown_in_the_order_of_the_file() -> None:
    file = SourceFile("a.yaml", "cost: 1\nname: x\ntext: y\ncost: 2\n")
    other = SourceFile("b.yaml", "\ncost: 3\n")
    labels = (Label(at(file, "cost"), "it is given here first"), Label(at(other, "cost"), "and here too"))
    found = message(at(file, "cost", 8), "Twice.", labels=labels, help="Keep one.")
    assert render_text([found]) == golden("""
error[RB999]: Twice.
  --> a.yaml:4:1
   |
 1 | cost: 1
   | ---- it is given here first
 …
 4 | cost: 2
   | ^^^^ Keep one.
  ::: b.yaml:2:1
   |
 2 | cost: 3
   | ---- and here too

1 error in 1 file
""")


def test_a_label_in_the_same_line() -> None:
    file = SourceFile("a.yaml", "a: f(x, y)\n")
    found = message(at(file, ","), labels=(Label(at(file, "("), "still open"),))
    assert render_text([found]).splitlines()[3:6] == [
        " 1 | a: f(x, y)",
        "   |       ^",
        "   |     - still open",
    ]


def test_several_lines_are_marked_to_the_end_of_the_first() -> None:
    file = SourceFile("a.yaml", "a: |\n  one two\n  three\n")
    found = render_text([message(Span(file, 7, 20))]).splitlines()
    assert found[3:5] == [" 2 |   one two", "   |   ^^^^^^^"]


def test_an_empty_span_has_one_caret() -> None:
    file = SourceFile("a.yaml", "draw")
    assert render_text([message(Span(file, 4, 4))]).splitlines()[4] == "   |     ^"


def test_a_message_without_a_place() -> None:
    assert render_text([message(None, where="the deck", help="Look again.")]) == golden("""
error[RB999]: Something is wrong.
  --> (the deck)
   = help: Look again.

1 error
""")


def test_messages_are_sorted_and_counted() -> None:
    one, two = SourceFile("a.yaml", "x\ny z\n"), SourceFile("b.yaml", "x\n")
    found = [
        message(at(two, "x"), "Fourth.", severity="tip"),
        message(at(one, "z"), "Third."),
        message(at(one, "y"), "Second.", severity="warning"),
        message(at(one, "x"), "First."),
    ]
    text = render_text(found)
    places = [text.index(word) for word in ("First", "Second", "Third", "Fourth")]
    assert places == sorted(places)
    assert text.endswith("\n2 errors, 1 warning, 1 tip in 2 files\n")
    assert summary_line([]) == "no problems"
    assert render_text([]) == ""


def test_repeats_are_folded() -> None:
    file = SourceFile("a.yaml", "x\n" * 46)
    same = [message(Span(file, 2 * line, 2 * line + 1)) for line in range(46)]
    other = message(Span(file, 90, 91), "Something else.")
    text = render_text([*same, other])
    assert text.count("Something is wrong.") == 5
    assert "   … and 41 more like this\n" in text
    assert "Something else." in text
    assert text.endswith("47 errors in 1 file\n")
    assert "more like this" not in render_text(same[:5])


def test_no_code_fills_the_screen() -> None:
    file = SourceFile("a.yaml", "x\n" * 60)
    different = [message(Span(file, 2 * n, 2 * n + 1), f"Wrong {n}.") for n in range(50)]
    again = [message(Span(file, 100 + 2 * n, 101 + 2 * n), "Wrong 0.") for n in range(3)]
    other = evolve(message(Span(file, 110, 111), "Something else.", severity="warning"), code="RB998")
    text = render_text([*different, *again, other])
    assert text.count("error[RB999]: ") == 20
    assert "   … and 30 more of RB999\n" in text and "   … and 3 more like this\n" in text
    assert text.endswith("\n 53 × RB999 (error)\n  1 × RB998 (warning)\n\n53 errors, 1 warning in 1 file\n")


def test_messages_about_the_newest_files_come_first() -> None:
    files = [SourceFile(f"{name}.yaml", "x") for name in "abc"]
    text = render_text([message(at(file, "x")) for file in files], newest=["c.yaml", "b.yaml"])
    assert re.findall(r"--> (.)\.yaml", text) == ["c", "b", "a"]


def test_a_guess_is_said_to_be_one() -> None:
    file = SourceFile("a.yaml", "x")
    assert "   = this is a guess\n" in render_text([message(at(file, "x"), confidence="guess")])
    assert "guess" not in render_text([message(at(file, "x"), confidence="likely")])


def test_nothing_reaches_the_terminal_as_a_command() -> None:
    file = SourceFile("a\x1b.yaml", "a\tb\x1b[31m\u202e\ud800c\n")
    text = render_text([message(at(file, "c"), help="x\ud800")])
    assert "\x1b" not in text and "\u202e" not in text and "\t" not in text
    text.encode("utf-8")


def test_colour_changes_nothing_but_colour() -> None:
    file = SourceFile("a.yaml", "a: 1\nb: 2\n")
    found = message(at(file, "2"), help="Long help " * 12, labels=(Label(at(file, "1"), "first"),), where="card x")
    plain, coloured = render_text([found]), as_printed(render_text([found], colour=True))
    assert "\x1b[1;31m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_nothing_but_paths_is_wider_than_asked(width: int) -> None:
    file = SourceFile("a.yaml", "key: " + "word " * 60)
    for column in range(0, 300, 7):
        labels = (Label(Span(file, 5, 9), "a label with quite a few words to say about this place"),)
        found = message(Span(file, column, column + 3), "Many words " * 15, help="More words " * 15, labels=labels)
        assert all(len(line) <= width for line in render_text([found], width).splitlines())
