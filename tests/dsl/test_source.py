"""Lines, columns and spans."""

from rulebook.source import SourceFile, Span


def test_positions_count_lines_and_columns_from_one() -> None:
    file = SourceFile("a.yaml", "ab\ncd\n")
    assert [file.position(offset) for offset in range(7)] == [
        (1, 1),
        (1, 2),
        (1, 3),
        (2, 1),
        (2, 2),
        (2, 3),
        (3, 1),
    ]


def test_every_kind_of_line_break_counts_once() -> None:
    file = SourceFile("a.yaml", "a\r\nb\rc\nd")
    assert [file.line(number) for number in range(6)] == ["", "a", "b", "c", "d", ""]
    assert file.position(3) == (2, 1)
    assert file.line_count == 4


def test_what_is_no_line_break_for_editors_is_none_here() -> None:
    file = SourceFile("a.yaml", "a\u2028b\x85c\x0cd")
    assert file.line_count == 1


def test_columns_are_code_points() -> None:
    file = SourceFile("a.yaml", "🎲é日: x")
    assert file.position(5) == (1, 6)


def test_offsets_outside_mean_the_nearest_end() -> None:
    file = SourceFile("a.yaml", "ab\nc")
    assert file.position(-3) == (1, 1)
    assert file.position(99) == (2, 2)
    assert SourceFile("empty.yaml", "").position(0) == (1, 1)


def test_a_span_knows_its_place() -> None:
    file = SourceFile("a.yaml", "one: two\n  three")
    span = Span(file, 5, 16)
    assert (span.line, span.column, span.end_line, span.end_column) == (1, 6, 2, 8)
    assert span.text == "two\n  three"


def test_spans_compare_by_place_and_files_by_identity() -> None:
    one, same = SourceFile("a.yaml", "x"), SourceFile("a.yaml", "x")
    assert Span(one, 0, 1) == Span(one, 0, 1)
    assert Span(one, 0, 1) != Span(same, 0, 1)
    assert len({Span(one, 0, 1), Span(one, 0, 1), Span(one, 0, 0)}) == 2


def test_a_file_does_not_print_its_text() -> None:
    assert "secret" not in repr(Span(SourceFile("a.yaml", "secret"), 0, 1))
