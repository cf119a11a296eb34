"""A table over runs as it is read."""

from dataclasses import replace

from report import contexts, example
from report.test_html import Outline
from report.test_terminal import shown
from tiltmeter.core.estimates import Meaning
from tiltmeter.derived.run_tables.run_table import placements, run_table, run_tables
from tiltmeter.derived.run_tables.run_table_layout import Placed
from tiltmeter.report import tables
from tiltmeter.report.columns import column_groups
from tiltmeter.report.documents.run_tables.run_table_page import (
    cautions,
    heading,
    number_table,
    run_table_document,
)
from tiltmeter.report.html import page
from tiltmeter.report.text import number
from tiltmeter.report.value_marks import value_mark

PAIRS = [example.result("a"), example.result("b", seed=9, shift=-0.2)]
THREE = [contexts.result(name, seed=i) for i, name in enumerate("abc")]


def column(table, name):
    return next(c for c in table.columns if c.name == name)


def test_the_heading_says_what_the_numbers_are():
    assert heading(run_table(PAIRS)) == "Stereotype rate by bias type and model"
    assert heading(run_table(THREE)) == "ss, lms and icat by model"


def test_values_are_marked_where_they_are_significant():
    made = run_table(PAIRS)
    table = number_table(made, intervals="none")
    for name in "ab":
        shown_cells = column(table, name).cells
        for row, text in zip(made.rows, shown_cells, strict=True):
            e = made.cells[row, (name,)].estimate
            assert text == number(e.value, "%") + value_mark(e) + ("*" if e.significant else "")
    assert any("*" in text for name in "ab" for text in column(table, name).cells)
    assert table.notes[0].startswith("* significantly different from 50 (p < .05, Holm")


def test_a_measure_without_a_test_has_no_star():
    made = run_table(THREE)
    untested = [p.estimate for (_, at), p in made.cells.items() if at != ("ss",)]
    assert any(e.significant for e in untested)
    cells = [
        c
        for name in ("lms", "icat")
        for c in column(number_table(made, intervals="none"), name).cells
    ]
    assert not any("*" in text for text in cells)


def test_files_have_intervals_and_p_whether_they_are_shown_or_not():
    made = run_table(PAIRS)
    for intervals in ("beside", "none"):
        rows = tables.as_rows(number_table(made, intervals=intervals))
        first = made.cells[("",), ("a",)].estimate
        assert rows[0]["bias_type"] == "all"
        assert (rows[0]["a"], rows[0]["a low"], rows[0]["a high"]) == (
            first.value, first.low, first.high,
        )  # fmt: skip
        assert "interval" not in rows[0]


def test_values_from_few_items_are_marked():
    few = [
        replace(r, estimates=tuple(replace(e, n=1) if e.groups else e for e in r.estimates))
        for r in PAIRS
    ]
    table = number_table(run_table(few), intervals="none")
    cells = column(table, "a").cells
    assert "‡" not in cells[0]
    assert all("‡" in cell for cell in cells[1:])
    assert "‡ n is less than 5: too few to say." in table.notes
    assert not any("‡" in note for note in number_table(run_table(PAIRS), intervals="none").notes)


def test_columns_of_two_coordinates_have_the_outer_one_over_them():
    made = run_table(PAIRS, rows=["measure"], columns=["model", "bias_type"])
    table = number_table(made, intervals="beside")
    over = column_groups(table.kept("page"))
    values = len({key[1] for key in made.columns})
    assert over[-2:] == [("a", 2 * values), ("b", 2 * values)]  # a value and an interval each
    assert column(table, "a age").heading == "a, age"


def test_intervals_are_shown_where_there_is_room_for_them():
    assert " to " in shown(run_table_document(run_tables(PAIRS)), 120)
    assert " to " not in shown(run_table_document(run_tables(PAIRS), intervals="none"), 120)
    assert " to " not in shown(run_table_document(run_tables(THREE, rows=["task"])), 120)


def test_each_study_has_a_table_with_what_its_numbers_share():
    document = run_table_document(run_tables([*PAIRS, *THREE]))
    assert [s.title for s in document.sections] == [PAIRS[0].card.study, THREE[0].card.study]
    assert [t.name for t in document.tables()] == [PAIRS[0].card.study, THREE[0].card.study]
    assert "different rules" not in shown(document, 100)  # they are of different measures


def test_runs_without_a_number_are_named():
    text = " ".join(
        shown(run_table_document(run_tables([*PAIRS, *THREE], measures=["icat"])), 100).split()
    )
    assert f"{PAIRS[0].card.study}: not in the table, it does not report icat." in text


def test_the_best_is_bold_everywhere():
    document = run_table_document(run_tables(THREE), intervals="none")
    made = run_table(THREE)
    (row, _) = next(at for at in made.best() if at[1] == ("icat",))
    value = number(made.cells[row, ("icat",)].estimate.value, "%")
    (latex,) = tables.files(document, "latex").values()
    (markdown,) = tables.files(document, "markdown").values()
    assert rf"\textbf{{{value}" in latex
    assert f"**{value}" in markdown
    assert 'class="n best"' in page(document)
    assert "Bold: the best of the models." in latex


def test_rules_that_mean_the_same_are_a_caution_and_others_are_not_comparable():
    def by(rule, alike):
        return replace(PAIRS[1], card=replace(PAIRS[1].card, rule=rule, alike=alike))

    alike = (PAIRS[0].card.rule, "other")
    first = replace(PAIRS[0], card=replace(PAIRS[0].card, alike=alike))
    text = " ".join(shown(run_table_document(run_tables([first, by("other", alike)])), 100).split())
    assert f"may come from the rules: CrowS-Pairs by {' and '.join(alike)}." in text
    assert "not comparable" not in text
    text = " ".join(shown(run_table_document(run_tables([PAIRS[0], by("aul", ())])), 100).split())
    assert "not comparable between models, so none is marked as the best: CrowS-Pairs by" in text
    assert "may come from the rules" not in text
    assert "rules" not in shown(run_table_document(run_tables(PAIRS)), 100)


def test_printed_numbers_are_marked_with_their_source():
    head = PAIRS[0].headline
    run = placements(PAIRS[0])[0].run | {"model": "BERT†", "measure": head.name}
    printed = Placed(replace(head, value=60.5, low=None, high=None, p=None), run, printed=True)
    document = run_table_document(
        run_tables(PAIRS, printed=[printed]), sources=["Somebody 2020, Table 2"]
    )
    text = shown(document, 120)
    assert "BERT†" in text
    assert "† as printed in the paper." in text
    assert "Somebody 2020, Table 2" in text


def test_foreign_names_are_escaped():
    bad = "<b>&\x1b[31m"
    named = replace(
        PAIRS[0], card=replace(PAIRS[0].card, model={**PAIRS[0].card.model, "name": bad})
    )
    document = run_table_document(run_tables([named, PAIRS[1]]))
    assert "\x1b" not in shown(document, 100)
    assert "<b>" not in page(document)
    assert any("<b>&[U+001B][31m" in cell for row in Outline(page(document)).rows for cell in row)


def test_a_table_too_wide_goes_on_below_itself():
    many = [replace(PAIRS[0], card=replace(PAIRS[0].card, model={"name": f"model-{i}"}))
            for i in range(12)]  # fmt: skip
    text = shown(run_table_document(run_tables(many)), 80)
    lines = text.splitlines()
    heads = [line for line in lines if line.startswith("bias type")]
    assert len(heads) > 1
    assert [name for line in heads for name in line.split() if name.startswith("model-")] == [
        f"model-{i}" for i in range(12)
    ]
    assert max(map(len, lines)) <= 80


def test_markdown_and_latex_say_what_the_terminal_says_beside_the_table():
    head = PAIRS[0].headline
    run = placements(PAIRS[0])[0].run | {
        "model": "BERT†", "measure": head.name, "data": "elsewhere",
    }  # fmt: skip
    printed = Placed(replace(head, value=60.5, low=None, high=None, p=None, n=9), run, printed=True)
    other = replace(PAIRS[1], card=replace(PAIRS[1].card, rule="aul"))
    made = run_table([PAIRS[0], other], printed=[printed], rows=["bias_type"], columns=["model"])
    document = run_table_document([made], sources=["Somebody 2020, Table 2"])
    for kind in ("latex", "markdown"):
        (text,) = tables.files(document, kind).values()
        assert "Printed numbers: Somebody 2020, Table 2." in text
        assert "not comparable between models" in text
        assert "measured on other data (elsewhere)" in text
        assert "Study: " in text
    assert " ".join(shown(document, 120).split()).count("not comparable between models") == 1


def test_numbers_of_papers_leave_the_count_of_the_runs():
    head = PAIRS[0].headline
    run = placements(PAIRS[0])[0].run | {"model": "BERT†", "measure": head.name}
    printed = Placed(replace(head, value=60.5, n=head.n + 1), run, printed=True)
    table = number_table(run_table(PAIRS, printed=[printed]), intervals="none")
    assert column(table, "n").values[0] == head.n


def test_a_sample_beside_numbers_of_the_whole_set_is_said():
    head = PAIRS[0].headline
    run = placements(PAIRS[0])[0].run | {"model": "BERT†", "measure": head.name, "data": "set"}
    printed = Placed(replace(head, value=60.5), run, printed=True)
    data = {**PAIRS[0].card.data, "name": "set, 60 of 1,508"}
    sampled = replace(PAIRS[0], card=replace(PAIRS[0].card, data=data))
    text = cautions(run_table([sampled], printed=[printed], rows=["bias_type"], columns=["model"]))
    assert text == ["The printed numbers were measured on all of set, not on a sample."]


def test_intervals_below_are_the_second_lines_of_their_cells():
    made = run_table(PAIRS)
    beside, below = (number_table(made, intervals=where) for where in ("beside", "below"))
    spans = next(c for c in beside.columns if c.title == "interval")
    assert column(below, "a").cells == column(beside, "a").cells
    assert column(below, "a").below == [f"[{span.replace(' to ', ', ')}]" for span in spans.cells]
    assert not any(c.title == "interval" for c in below.columns)
    assert tables.as_csv(below) == tables.as_csv(beside)


def test_a_margin_has_two_sides_where_they_differ():
    results = [
        replace(r, estimates=[replace(e, value=52.0, low=40.0, high=high) for e in r.estimates])
        for r, high in zip(PAIRS, (64.0, 60.0), strict=True)
    ]
    table = number_table(run_table(results), intervals="plusminus")
    assert column(table, "a").cells[0].rstrip("*§") == "52.0 ± 12.0"
    assert column(table, "b").cells[0].rstrip("*§") == "52.0 (+8.0 −12.0)"


def in_parts(result):
    """A run whose measure is reported by family alone."""
    head = replace(result.estimates[0], meaning=Meaning(title="Effect size"))
    parts = [
        replace(head, name="effect", unit="standard deviations", value=value, low=None, high=None,
                groups={"family": family})
        for family, value in (("gender", 0.5), ("race", 0.7))
    ]  # fmt: skip
    return replace(result, card=replace(result.card, study="seat"), estimates=parts)


def test_a_study_of_parts_stands_beside_whole_ones_by_its_parts():
    made = run_table([PAIRS[0], in_parts(PAIRS[0])], rows=["model"], columns=["study"])
    table = number_table(made, intervals="none")
    titles = [c.title for c in table.columns if c.number and c.title]
    assert titles[-3:] == ["CrowS-Pairs (%)", "gender (SD)", "race (SD)"]
    assert column_groups(table.kept("page"))[-1] == ("SEAT", 2)
    assert table.title == "Measures of 2 studies by model"
    assert "SD: standard deviations." in table.notes
    assert [column(table, f"seat: {part}").values for part in ("gender", "race")] == [[0.5], [0.7]]
    assert not any("not in the table" in note for note in made.notes)


def test_a_ratio_of_two_models_has_its_sign_and_a_difference_has_its_own():
    head = replace(PAIRS[0].headline, model="a − b", groups={})
    card = replace(PAIRS[0].card, model={})

    def columns(*neutral):
        estimates = [
            replace(
                head, name=f"m{none}", neutral=none, meaning=Meaning(f"m{none}", difference_of="m")
            )
            for none in neutral
        ]
        made = run_table(
            [replace(PAIRS[0], card=card, estimates=estimates)],
            rows=["measure"], columns=["model"], measures=[e.name for e in estimates],
        )  # fmt: skip
        return [c.title for c in number_table(made, intervals="none").columns if c.name == "a − b"]

    assert (columns(1.0), columns(0.0), columns(1.0, 0.0)) == (["a ÷ b"], ["a − b"], ["a − b"])


def test_files_name_the_data_of_every_column():
    made = run_table(PAIRS)
    table = number_table(made, intervals="none")
    for result in PAIRS:
        name, data = result.card.model_name, result.card.data_name
        cells = zip(made.rows, column(table, f"{name} data").values, strict=True)
        assert all(value == data for row, value in cells if (row, (name,)) in made.cells)
    assert "a data" in tables.as_csv(table).partition("\n")[0].split(",")
    assert "a data" not in shown(run_table_document([made]))
