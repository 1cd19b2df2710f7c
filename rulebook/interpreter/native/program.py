"""A whole program as C: numbers and tables, the engine, questions, choices, scripts.

In: a program. Out: one text, the same for rules that are the same. Never: compiles or runs it; a word that a rulebook
names stands in it nowhere.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from attrs import frozen

from rulebook.interpreter.compiled.book import likeness
from rulebook.interpreter.layout import PlaceSlot
from rulebook.interpreter.native.functions import Asking, print_result
from rulebook.interpreter.native.paper import Paper, row
from rulebook.interpreter.native.plan import Plan
from rulebook.interpreter.native.scripts import Scripts
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import name_hash

KEPT = ("bag", "loose", "pile", "row", "slot", "pool", "grid")
SEEN = ("nobody", "owner", "everyone", "top")
"""As the engine numbers them."""
BEFORE = ("state.c", "cards.c", "draws.c", "lists.c", "swaps.c", "frames.c", "orders.c", "choices.c")
"""What the engine knows before the rules, each on what stands before it."""
BEHIND = ("doors.c",)


@frozen
class Text:
    """A program as C. `words` are those that values stand for, by number; `entries`, by script, the ops at which it may
    be resumed.
    """

    text: str
    words: tuple[str, ...]
    entries: tuple[frozenset[int], ...]
    plan: Plan


def text_of(program: Program) -> Text:
    """The text. Raises CannotPrint if there is a sentence or a question that it cannot print."""
    paper = Paper()
    plan = Asking(program, paper)
    book = plan.tables.rulebook
    scripts = [Scripts(plan, one, program.codes[plan.scripts[one.name]]) for one in book.scripts.values()]
    with paper.elsewhere() as code:
        for script in scripts:
            script.print()
        _stages(plan)
        _codes(plan, scripts)
    with paper.elsewhere() as result:
        print_result(plan)
    _tables(plan)
    paper.rows.append(("char *const", "WORDS", [_letters(repr(word)) for word in paper.words]))
    numbers = [f"#define {name} {number}" for name, number in _numbers(plan).items()]
    engine = {name: files("rulebook.interpreter.native").joinpath("engine", name).read_text("utf-8") for name in ALL}
    parts = [
        "#include <stdint.h>",
        *numbers,
        f"typedef int64_t V;\ntypedef uint{'16' if plan.layout.wide else '8'}_t CARD;",
        "#define NOTHING INT64_MIN\n#define WORD ((V)1 << 59)\n#define LIST ((V)1 << 61)",
        paper.tables(),
        *(engine[name] for name in BEFORE),
        *plan.heads,
        *(f"static int s{number}(S *s);" for number in plan.scripts.values()),
        *plan.questions,
        *result,
        *plan.offers,
        *code,
        *(engine[name] for name in BEHIND),
    ]
    return Text("\n".join(parts) + "\n", tuple(paper.words), tuple(frozenset(one.entries) for one in scripts), plan)


ALL = (*BEFORE, *BEHIND)


def _letters(text: str) -> str:
    """A text as C has it, letter by letter in numbers: nothing of it stands there."""
    return f"(char[]){{{', '.join(map(str, [*text.encode(), 0]))}}}"


def _numbers(plan: Plan) -> dict[str, Any]:
    layout = plan.layout
    grids = [place.rows * place.columns for place in layout.places]
    return {
        "PLAYERS": layout.players,
        "CARDS": layout.cards,
        "PLACES": len(layout.places),
        "CAP": max(layout.cards, *grids, 1),
        "EMPTY": 65535 if layout.wide else 255,
        "BOX": 0,
        "MEMORIES": plan.memories,
        "STATES": len(plan.states),
        "STREAMS": len(plan.streams),
        "SCRIPTS": len(plan.scripts),
        "STAGES": plan.first_stage[len(plan.scripts)],
        "ANY_UNTIL": int(bool(plan.untils)),
        "MOST_PICKS": plan.most_picks,
        "KEEPS": plan.keeps,
        **plan.paper.numbers,
    }


def _tables(plan: Plan) -> None:
    """What is known of each place, card, state and stream."""
    layout, program, rows = plan.layout, plan.program, plan.paper.rows

    def of_places(kind: str, name: str, value: Any) -> None:
        rows.append((kind, name, [value(place) for place in layout.places]))

    rows.append(("uint8_t", "KEPT", [KEPT.index(place.kept) for place in layout.places]))
    of_places("uint8_t", "ARRIVES_UP", lambda place: int(place.arrives_up))
    of_places("uint8_t", "SEEN_BY", lambda place: SEEN.index(place.seen_by))
    of_places("int32_t", "WATCHERS", lambda place: place.watchers)
    of_places("int16_t", "OWNER", _player)
    of_places("int16_t", "REFILL", lambda place: -1 if place.refill is None else place.refill)
    of_places("int16_t", "STREAM_OF", lambda place: plan.streams[place.stream])
    of_places("int16_t", "ROWS", lambda place: place.rows)
    of_places("int16_t", "COLUMNS", lambda place: place.columns)
    rows.append(("int16_t", "LIKENESS", list(program.likeness)))
    like = likeness(program)
    rows.append(("int16_t", "LIKE", list(like)))
    rows.append(("uint8_t", "ALONE", [int(like.count(one) == 1) for one in like]))
    rows.append(("uint8_t", "SINGULAR", [int(card in program.singular) for card in range(layout.cards)]))
    rows.append(("uint64_t", "STREAM_NAMES", [f"{name_hash(name)}u" for name in layout.streams.values()]))
    rows.append(("uint64_t", "BOT_NAMES", [f"{name_hash(f'bot:{seat}')}u" for seat in range(layout.players)]))
    states = layout.states.values()
    rows.append(("uint8_t", "YES_NO", [int(state.sort.endswith("yes_no")) for state in states]))
    starts = [[plan.paper.constant(value) for value in state.starts] for state in states]
    rows.append(("V", "STARTS[][CARDS + 1]", [f"{{{', '.join(values)}}}" for values in starts] or ["{0}"]))


def _player(place: PlaceSlot) -> int:
    return place.owner if place.owned_by == "player" and place.owner is not None else -1


def _stages(plan: Plan) -> None:
    """What returns to its start when a stage is left."""
    paper, program, layout = plan.paper, plan.program, plan.layout
    with paper.inside("static void restart_stage(S *s, int which)"), paper.inside("switch (s->changes++, which)"):
        for number, code in enumerate(program.codes[: len(plan.scripts)]):
            for index, stage in enumerate(code.stage_table):
                if not plan.lasts(stage.name):
                    continue
                paper.put(f"case {plan.stage(number, index)}:")
                for memory in program.lasting[stage.name].memories:
                    first = plan.memory[memory.slot]
                    owners = layout.players if memory.owned_by == "player" else 1
                    for slot in range(first, first + owners):
                        paper.put(f"    s->memory[{slot}] = {paper.constant(memory.start)};")
                for state in program.lasting[stage.name].states:
                    at = plan.states[state.name]
                    paper.put("    for (int card = 0; s->changed && card < CARDS; card++)")
                    paper.put(f"        set_state(s, {at}, card, STARTS[{at}][card]);")
                paper.put("    break;")


def _codes(plan: Plan, scripts: list[Scripts]) -> None:
    """The tables of stages and of scripts."""
    stages, codes = [], []
    for script in scripts:
        code, number = script.code, script.number
        for index, stage in enumerate(code.stage_table):
            around = next(found for found in code.stages if index in found)
            at = around.index(index)
            outer = plan.stage(number, around[at - 1]) if at else -1
            this = plan.stage(number, index)
            until = f"u{this}" if this in plan.untils else "NULL"
            lasts = int(plan.lasts(stage.name))
            stages.append(f"{{{outer}, {stage.exit}, {plan.stage_name(stage.name)}, {lasts}, {until}}}")
        at_ops = [plan.stage(number, found[-1]) if found else -1 for found in code.stages]
        table = plan.paper.table("int16_t", at_ops)
        early = int(any(plan.stage(number, index) in plan.untils for index, _ in enumerate(code.stage_table)))
        codes.append(f"{{{code.size}, {early}, {table}, s{number}}}")
    plan.paper.put(row("Stage", "STAGE[STAGES + 1]", stages or ["{0}"]))
    plan.paper.put(row("Code", "CODES[SCRIPTS]", codes))
