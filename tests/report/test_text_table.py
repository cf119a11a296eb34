"""Plain columns that fit."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tiltmeter.core.estimates import Estimate
from tiltmeter.report.plots.scale import Scale
from tiltmeter.report.text_table import (
    TextColumn,
    bar,
    fitting,
    in_parts,
    lines,
    shortened,
    total,
    with_room_for_groups,
)


@given(st.text(alphabet="aé猫…x ", min_size=1), st.integers(1, 20))
def test_a_shortened_text_fits_and_keeps_both_ends(text, width):
    cut = shortened(text, width)
    assert cell_len(cut) <= width
    if cell_len(text) <= width:
        assert cut == text


def test_names_stay_different_while_there_is_a_column_to_give():
    names = [f"angry woman, sentences, list {i} of the test" for i in "abc"]
    columns = [
        TextColumn("", names, right=False),
        TextColumn("n", ["1"] * 3),
        *(TextColumn(f"column {i}", ["123456"] * 3, drop=i) for i in (1, 2, 3)),
    ]
    for width in range(44, 110):
        kept = fitting(columns, width)
        room = width - (total(kept) - kept[0].width)
        assert len({shortened(name, room) for name in names}) == 3


def test_long_names_give_way_before_a_table_is_split():
    names = [
        f"test {i} of the association of two groups of people with two sets of words" for i in "ab"
    ]
    columns = [
        TextColumn("", names, right=False),
        *(TextColumn(f"column {i}", ["123456"] * 2) for i in range(8)),
    ]
    first, second = in_parts(columns, 80)
    assert [c.heading for c in first] == ["", *(f"column {i}" for i in range(6))]
    assert [c.heading for c in second] == ["", "column 6", "column 7"]
    assert all(cell_len(line.plain) <= 80 for line in lines(first, 80, [False] * 2))


def test_columns_under_one_heading_stay_together_and_leave_out_empty_rows():
    name = TextColumn("", ["a", "b"], right=False)
    pairs = [
        [TextColumn(model, cells, group=study) for model in ("bert", "gpt2")]
        for study, cells in (("crows", ["1", ""]), ("a study with a long name", ["", "2"]))
    ]
    columns = with_room_for_groups([name, *pairs[0], *pairs[1]])
    parts = in_parts(columns, 30)
    assert [[c.group for c in part] for part in parts] == [
        ["", "crows", "crows"],
        ["", *["a study with a long name"] * 2],
    ]
    shown = [[line.plain for line in lines(part, 30, [False] * 2, partial=True)] for part in parts]
    assert shown == [
        ["   ─ crows ──", "   bert  gpt2", "a     1     1"],
        [
            "   a study with a long name",
            "          bert         gpt2",
            "b            2            2",
        ],
    ]


def test_lines_are_never_wider_even_where_nothing_can_give_way():
    columns = [TextColumn("name", ["a long name"], right=False), TextColumn("value", ["12345"])]
    assert all(cell_len(line.plain) <= 6 for line in lines(columns, 6, [False]))


def test_a_long_text_gives_way_before_a_short_name():
    condition = "starter_pairs/stereotype_rate:bias_type=race-color > 60"
    columns = [
        TextColumn("Verdict", ["failed", "undefined"], right=False),
        TextColumn("Fails if", [condition, "ss > 60"], right=False),
        TextColumn("Value", ["73.3 % [55.6 to 85.8]", ""], right=False),
    ]
    shown = [line.plain for line in lines(columns, 70, [True, False])]
    assert shown[1].startswith("failed  ")
    assert shown[1].endswith("> 60  73.3 % [55.6 to 85.8]")
    assert all(cell_len(line) <= 70 for line in shown)


def test_marks_of_the_letter_plot_stand_where_the_values_are():
    # 0..100 over 41 cells: one cell is 2.5, so 50 is cell 20, 62.5 is 25, 75 is 30, 25 is 10.
    e = Estimate("r", 62.5, 25.0, 75.0, 0.3, 9, neutral=50, unit="%")
    drawn = bar(e, Scale(0, 100, 50, (0, 50, 100)), 41)
    assert [i for i, c in enumerate(drawn) if c in "├┼○┤"] == [10, 20, 25, 30]
