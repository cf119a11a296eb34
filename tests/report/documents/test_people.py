"""The document of an alignment with people: what it says, its tables and files, what it escapes."""

from dataclasses import replace

import numpy as np
import pytest
from rich.cells import cell_len

from analysis.people.examples import GROUPS, layered, matrix, random_people
from report import cells
from report.documents.test_matrix import column, table_of, text_of
from report.test_html import Outline
from report.test_terminal import shown as printed
from tiltmeter.analysis.people.alignment import Wanted, align
from tiltmeter.analysis.people.sources import Source
from tiltmeter.data.people import from_ratings
from tiltmeter.report.documents.people.document import people_document
from tiltmeter.report.documents.people.files import file_tables
from tiltmeter.report.html import page
from tiltmeter.report.tables import as_rows
from tiltmeter.report.text import correlation as two


@pytest.fixture(scope="module")
def made():
    """Two matrices, one with templates and a pilot, and people of two regions and two ages."""
    truth, people = random_people()
    about = {
        "region": tuple("north" if i % 2 else "south" for i in range(12)),
        "age": tuple("old" if i % 4 < 2 else "young" for i in range(12)),
    }
    asked = from_ratings(replace(people.ratings, about=about), name="people")
    layers = layered(truth, np.random.default_rng(1))
    sources = [
        Source("run", "run", layers.averaged(), layers, facts={"rule": "set"}),
        Source("table", "table.csv", matrix(truth, name="table")),
    ]
    wanted = Wanted(pilot=None, by=(("region",), ("region", "age")), splits=20)
    chosen = replace(wanted, pilot=GROUPS[:2])
    (one,) = align(sources[:1], asked, chosen).parts
    both = align(sources, asked, wanted)
    return replace(both, parts=(one, both.parts[1]))


@pytest.fixture(scope="module")
def document(made):
    return people_document(made, command="tiltmeter compare-people run table.csv")


def test_each_matrix_has_its_finding_with_the_headline_first(made, document):
    headlines = [text.text for text in document.finding if text.kind == "headline"]
    for one, text in zip(made.parts, headlines, strict=True):
        tau = one.find("kendall_tau")
        assert text.startswith(f"{one.source.name} and the people agree with τ = {two(tau.value)}")
        assert f"on {len(one.groups)} groups" in text
    words = " ".join(text.text for text in document.finding)
    assert "A significant positive relation" in words
    assert "left out of all other results" in words
    assert "cannot be told" not in words


def test_the_table_of_groups_has_every_group_the_closest_first(made, document):
    one = made.parts[1]
    table = [t for t in document.tables() if t.name == "groups"][1]
    taus = {e.groups["group"]: e for e in one.estimates
            if e.name == "kendall_tau" and e.groups.get("group")}  # fmt: skip
    names = column(table, "group").values
    assert set(names) == set(taus) == set(GROUPS)
    assert column(table, "τ").values == [taus[name].value for name in names]
    assert column(table, "τ").values == sorted(column(table, "τ").values, reverse=True)


def test_slices_one_by_one_and_crossed_have_tables_and_pictures(made, document):
    one = made.parts[0]
    single = table_of(document, "slices-region")
    assert column(single, "region").values == ["north", "south"]
    assert column(single, "people").values == [6, 6]
    crossed = table_of(document, "slices-region-age")
    assert column(crossed, "region × age").values == [
        "north × old", "north × young", "south × old", "south × young",
    ]  # fmt: skip
    found = {tuple(part.about.values()): part for part in one.slices}
    values = column(crossed, "τ, all cells").values
    assert values == [
        found[tuple(name.split(" × "))].estimates[0].value
        for name in column(crossed, "region × age").values
    ]
    groups = table_of(document, "slices-by-group-region-age")
    for name, part in zip(
        column(crossed, "region × age").values, list(one.slices)[2:], strict=True
    ):
        taus = {e.groups["group"]: e.value for e in part.by_group if e.name == "kendall_tau"}
        assert column(groups, name).values == [taus[group] for group in one.groups]


def test_every_group_has_a_profile_under_its_name(made, document):
    for key, one in zip(("m1", "m2"), made.parts, strict=True):
        drawn = [p for p in document.pictures() if p.name.startswith(f"{key}-profile-")]
        titles = [text_of(p.wide) for p in drawn]
        assert len(drawn) == len(one.groups)
        for group in one.groups:
            assert sum(f"{group}: τ = " in text for text in titles) == 1
    folded = [s for s in document.sections if s.folded]
    assert {s.id for s in folded} == {"m1-others", "m2-others"}


def test_chosen_templates_are_marked(made, document):
    table = table_of(document, "templates")
    chosen = made.parts[0].pilot.templates
    shown = dict(zip(column(table, "template").values, table.columns[0].cells, strict=True))
    assert {name for name, text in shown.items() if text.endswith("(chosen)")} == set(chosen)


def test_files_have_raw_numbers_of_all_matrices(made):
    tables = file_tables(made)
    assert set(tables) == {"by_group", "by_template", "by_slice"}
    rows = as_rows(tables["by_group"])
    assert len(rows) == sum(len(one.groups) for one in made.parts)
    first = next(row for row in rows if row["matrix"] == "table" and row["group"] == "poets")
    one = made.parts[1]
    tau = one.find("kendall_tau", {"group": "poets"})
    assert (first["kendall_tau"], first["low"], first["p_holm"]) == (
        tau.value,
        tau.low,
        tau.p_adjusted,
    )
    assert first["split_half"] == one.find("kendall_tau_split_half", {"group": "poets"}).value
    slices = as_rows(tables["by_slice"])
    assert {row["by"] for row in slices} == {"region", "region,age"}
    means = [
        row for row in slices if row["measure"] == "mean_kendall_tau" and row["matrix"] == "run"
    ]
    assert [row["value"] for row in means] == [p.estimates[1].value for p in made.parts[0].slices]
    assert {row["group"] for row in slices if row["measure"] == "kendall_tau"} >= {"", "poets"}


def test_the_page_is_whole_and_headings_descend(document):
    outline = Outline(page(document))
    ids = [a["id"] for _, a in outline.tags if a.get("id")]
    assert len(ids) == len(set(ids))
    text = text_of(page(document))
    for words in (
        "The matrices compared",
        "By who was asked",
        "How to repeat it",
        "compare-people run",
    ):
        assert words in text


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_the_terminal(document, width):
    assert max(map(cell_len, printed(document, width).splitlines())) <= width


def test_hostile_names_are_text_everywhere():
    odd = cells.HOSTILE
    truth, people = random_people()
    groups = (odd, *GROUPS[1:])
    ratings = replace(people.ratings, groups=groups)
    asked = from_ratings(replace(ratings, about={odd: (odd,) * 12}), name=odd)
    made = align(
        [Source(odd, odd, matrix(truth, groups))], asked, Wanted(by=((odd,),), splits=5)
    )  # fmt: skip
    document = people_document(made)
    shown = page(document)
    Outline(shown)
    assert "<script" not in shown
    assert "\u202e" not in shown + printed(document)
