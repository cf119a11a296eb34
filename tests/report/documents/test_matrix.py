"""The sections of a matrix: tables that equal the pictures, words, size, escaping, short in the terminal."""

import html
import itertools
import re
from dataclasses import replace

import pytest
from rich.cells import cell_len

from report import cells
from report.test_html import Outline
from report.test_terminal import shown as printed
from report.test_terminal_excerpt import shown as in_brief
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Result
from tiltmeter.derived.matrices.matrix import layers_of, matrix_of
from tiltmeter.report.document import Document, Picture, Table
from tiltmeter.report.documents.matrix.profiles import row_pictures
from tiltmeter.report.documents.matrix.sections import matrix_sections, without_cells
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page
from tiltmeter.report.plots.matrix_grid import grid_of
from tiltmeter.report.text import number, p_text, span
from tiltmeter.studies.group_traits.study import STUDY

(VIEW,) = STUDY.views


@pytest.fixture(scope="module")
def result() -> Result:
    return cells.result(settings={"prior": "noun"})


@pytest.fixture(scope="module")
def document(result) -> Document:
    return run_document(result, STUDY)


@pytest.fixture(scope="module")
def one(document) -> str:
    return page(document)


def only_matrix(result: Result) -> Document:
    return Document("t", "m", ["f"], matrix_sections(result, VIEW))


def text_of(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def table_of(document: Document, name: str) -> Table:
    return next(table for table in document.tables() if table.name == name)


def column(table: Table, title: str):
    return next(c for c in table.columns if title in {c.title, c.name})


def associations(result: Result) -> list[Estimate]:
    return [e for e in result.estimates if e.name == "association"]


# ── Tables and pictures ──────────────────────────────────────────────────────────────────────────


def test_the_table_under_the_heat_map_has_every_value_and_marks_what_is_significant(
    result, document
):
    grid = grid_of(result.estimates, VIEW, layers_of(result))
    table = table_of(document, "r1-matrix")
    first, *columns = table.columns
    assert first.values == grid.row_labels
    assert [c.name for c in columns] == grid.column_labels
    assert [c.title for c in columns] == [c.replace(" - ", " – ") for c in grid.column_labels]
    for c, pair in zip(columns, grid.column_labels, strict=True):
        own = [grid.cells[group, pair] for group in grid.row_labels]
        assert c.values == [e.value for e in own]
        assert c.cells == [
            "undefined" if e.value is None
            else number(e.value, e.unit) + ("*" if e.significant else "")
            for e in own
        ]  # fmt: skip


def test_profiles_have_their_numbers_with_both_sides(result, document):
    table = next(t for t in document.tables() if t.name == "r1-profiles-1")
    sides = {e.name: e for e in result.estimates
             if e.groups == {"group": "bakers", "pair": "early - late"}}  # fmt: skip
    value = sides["association"]
    at = next(
        i for i, (g, p) in enumerate(zip(column(table, "group").values, column(table, "pair").values,
                                         strict=True))
        if (g, p) == ("bakers", "early - late")
    )  # fmt: skip
    shown = [c.cells[at] for c in table.kept("page")]
    assert shown == [
        "bakers", "early", "late", number(value.value, "nats"), span(value),
        p_text(value.p_adjusted), str(value.n), number(sides["left_pole"].value, "nats"),
        number(sides["right_pole"].value, "nats"),
    ]  # fmt: skip


def test_each_domain_has_a_picture_of_its_rows(document):
    sections = [s for s in document.sections if s.id.startswith("r1-profiles-")]
    assert [s.title.split(":")[0] for s in sections] == ["work", "pastime", "Groups"]
    assert [s.folded for s in sections] == [False, True, True]
    for section, members in zip(sections, cells.DOMAINS.values(), strict=True):
        (picture,) = section.blocks
        assert isinstance(picture, Picture)
        for group in members:
            assert group in text_of(picture.wide) and group in text_of(picture.narrow)


def test_the_strongest_and_the_weakest_evidence_are_listed_in_order(result, document):
    ranked = sorted((e for e in associations(result) if e.p is not None), key=lambda e: e.p)
    for name, wanted in (
        ("strongest-evidence", ranked[:10]), ("weakest-evidence", ranked[::-1][:10]),
    ):  # fmt: skip
        table = table_of(document, name)
        assert column(table, "group").values == [e.groups["group"] for e in wanted]
        assert column(table, "value").values == [e.value for e in wanted]


def test_a_cell_names_the_trait_it_points_to_whether_significant_or_not(document):
    for name in ("strongest-evidence", "weakest-evidence"):
        table = table_of(document, name)
        for pair, near, far, value in zip(
            *(column(table, t).values for t in ("pair", "nearer_to", "than to", "value")),
            strict=True,
        ):
            assert (near, far) == tuple(pair.split(" - "))[:: -1 if value > 0 else 1]
        assert list(table.strong) == column(table, "significant").values


def test_a_matrix_and_its_document_agree_with_the_file(result, one):
    matrix = matrix_of(result)
    i, j = matrix.rows.index("sailors"), matrix.columns.index("quiet - talkative")
    assert f"sailors, quiet – talkative: {number(matrix.values[i, j], 'nats')}" in one


# ── Words ────────────────────────────────────────────────────────────────────────────────────────


def test_words_say_how_many_cells_are_significant_and_how_it_was_tested(result, one):
    text = text_of(one)
    known = [e for e in associations(result) if e.p_adjusted is not None]
    count = sum(e.p_adjusted < 0.05 for e in known)
    assert (
        f"Of 30 cells (6 groups by 5 pairs of traits) 29 have a value; of these {count} are significant "
        "(p < .05 after Benjamini and Hochberg’s adjustment)" in text
    )
    assert "the right trait has no finite score in 1 of 7 templates" in text
    assert "anglers, calm - restless" in text


def test_every_template_is_listed_the_least_agreeing_first(document):
    table = table_of(document, "r1-templates")
    r = column(table, "r with the others").values
    assert len(r) == 7
    assert r == sorted(r)


def test_one_odd_template_is_named():
    base = cells.result()
    flipped = [
        replace(r, scores={"left": r.scores["right"], "right": r.scores["left"]})
        if r.cluster == "plural 2" else r
        for r in base.records if "right" in r.scores
    ]  # fmt: skip
    text = text_of(page(only_matrix(cells.made(flipped))))
    assert "One template does not correlate positively with the others." in text


def test_single_cells_are_not_among_all_numbers(result):
    rest = without_cells(result.estimates, VIEW)
    names = {"rms_strength", "mean_strength"}
    assert {e.name for e in rest} == names
    assert len(rest) == sum(e.name in names for e in result.estimates)


def test_a_result_of_one_template_has_a_document():
    text = text_of(page(only_matrix(cells.result(templates=1))))
    assert "Agreement between templates is undefined: there is only one template." in text


def test_a_matrix_without_layers_says_nothing_of_templates():
    base = cells.result()
    kept = ("group", "pair", "domain", "dimension")
    records = [
        replace(r, groups={axis: r.groups[axis] for axis in kept if axis in r.groups})
        for r in base.records
    ]
    lone = replace(base, records=records, estimates=associations(base))
    document = only_matrix(lone)
    ids = {section.id for section in document.sections}
    assert "m-layers" not in ids and "m-strength" not in ids
    assert "averaged over templates" not in text_of(page(document))


# ── The whole page ───────────────────────────────────────────────────────────────────────────────


def test_hostile_names_are_text_everywhere():
    odd = cells.HOSTILE
    base = cells.result(odd, names={"bakers": odd})
    records = [
        replace(r, groups={axis: odd if label in {"work", "mood", "plural"} else label
                           for axis, label in r.groups.items()})
        for r in base.records
    ]  # fmt: skip
    document = run_document(cells.made(records, odd), STUDY)
    shown = page(document)
    Outline(shown)
    assert "<script" not in shown
    assert shown.count("</title>") == shown.count("<title")
    assert "\u202e" not in shown
    assert "\u202e" not in printed(document)


def test_equal_results_give_equal_pages_with_unique_ids(one):
    assert page(run_document(cells.result(settings={"prior": "noun"}), STUDY)) == one
    outline = Outline(one)
    ids = [a["id"] for _, a in outline.tags if a.get("id")]
    assert len(ids) == len(set(ids))
    levels = [int(t[1]) for t, _ in outline.tags if re.fullmatch("h[1-6]", t)]
    assert all(b <= a + 1 for a, b in itertools.pairwise(levels))


def test_a_page_of_53_groups_stays_small():
    def cell(i: int, j: int, name: str) -> Estimate:
        groups = {"group": f"a group of people {i}", "pair": f"untrustworthy{j} - trustworthy{j}"}
        return Estimate(name, 0.3 - i / 100 + j / 60, -0.123, 0.456, 1e-3, 35, 0.0, "nats",
                        groups=groups, p_adjusted=0.01, adjustment="Benjamini–Hochberg")  # fmt: skip

    names = ("association", "left_pole", "right_pole")
    many = [cell(i, j, name) for name in names for i in range(53) for j in range(16)]
    base = cells.result()
    head = [e for e in base.estimates if not e.groups]
    found = run_document(replace(base, records=(), estimates=[*head, *many]), STUDY)
    assert len(page(found).encode()) < 2_000_000, len(page(found).encode())


def test_a_row_by_itself_for_papers(result):
    (picture,) = row_pictures(result, VIEW, ["bakers"])
    assert "bakers, demo" in picture.wide
    assert "sailors" not in picture.wide
    with pytest.raises(UnknownName, match="Did you mean 'bakers'"):
        row_pictures(result, VIEW, ["baker"])


# ── In the terminal ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width):
    long = cells.result(names={"sailors": "people who have sailed around the world twice"})
    assert max(map(cell_len, printed(only_matrix(long), width).splitlines())) <= width


def test_every_group_has_a_line_with_its_ends():
    result = cells.result()
    text = printed(only_matrix(result))
    block = text.split("By group, nats")[1].split("\n\n")[0].splitlines()
    strengths = {e.groups["group"]: e for e in result.estimates
                 if e.name == "rms_strength" and tuple(e.groups) == ("group",)}  # fmt: skip
    ranked = sorted(strengths, key=lambda group: -strengths[group].value)
    lines = block[2:]
    assert [next(g for g in ranked if line.startswith(g)) for line in lines] == ranked
    for group, line in zip(ranked, lines, strict=True):
        own = [e for e in associations(result) if e.groups.get("group") == group]
        count = sum(e.p_adjusted is not None and e.p_adjusted < 0.05 for e in own)
        assert line.removeprefix(group).split()[:2] == [
            number(strengths[group].value, "nats"), str(count)
        ]  # fmt: skip
        low, high = (end(own, key=lambda e: e.value or 0.0) for end in (min, max))
        for e, way in ((low, 0), (high, 1)):
            if (e.value > 0) == way:
                sure = "" if e.p_adjusted < 0.05 else "?"
                trait = e.groups["pair"].split(" - ")[way]
                assert f"{trait} {number(e.value, 'nats')}{sure}" in line


def test_what_is_undefined_is_stated_with_its_reason():
    text = " ".join(printed(only_matrix(cells.result())).split())
    assert (
        "anglers × calm - restless is undefined: the right trait has no finite score in 1 of 7"
        in text
    )
    assert "p (BH)" in text


def test_hundreds_of_groups_make_no_flood():
    base = cells.result()
    more = [
        Estimate("association", i / 1000, 0, 1, 0.5, 9, 0, "nats", model="demo", p_adjusted=0.6,
                 adjustment="Benjamini–Hochberg", groups={"group": f"g{i}", "pair": p})
        for i in range(500) for p in ("slow - quick", "early - late")
    ]  # fmt: skip
    text = in_brief(only_matrix(replace(base, estimates=[*base.estimates, *more])))
    assert len(text.splitlines()) < 55
    assert "more: --all." in text
