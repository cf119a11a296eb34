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
from tiltmeter.analysis.people.profiles import chosen, profiles
from tiltmeter.analysis.people.sources import Source
from tiltmeter.core.errors import UnknownName
from tiltmeter.data.people.people import from_ratings
from tiltmeter.report.documents.people.document import people_document
from tiltmeter.report.documents.people.files import file_tables
from tiltmeter.report.documents.people.profiles import ends_table
from tiltmeter.report.html import page
from tiltmeter.report.tables import as_rows
from tiltmeter.report.text import correlation as two
from tiltmeter.report.text import number


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
        assert column(groups, name).cells[0].endswith(" (3)")


def test_every_group_has_one_profile_of_people_and_all_matrices(made, document):
    drawn = {p.name: p for p in document.pictures() if p.name.startswith("profile-")}
    assert set(drawn) == {f"profile-{group}" for one in made.parts for group in one.groups}
    for group in made.parts[0].groups:
        found = [one.find("kendall_tau", {"group": group}) for one in made.parts]
        taus = [two(tau.value) for tau in found]
        title = f"{group}: τ = {', '.join(taus)}"
        assert title in text_of(drawn[f"profile-{group}"].wide)
    assert [s.id for s in document.sections if s.folded] == ["profiles-others", "means"]


def test_the_profile_names_top_and_bottom_traits_apart(made):
    (poets,) = chosen(made, ["Poets"])
    table = ends_table(poets, 3)
    assert column(table, "place").values == [
        "top 1",
        "top 2",
        "top 3",
        "bottom 1",
        "bottom 2",
        "bottom 3",
    ]
    row = made.means.groups.index("poets")
    means = dict(zip(made.means.pairs, made.means.values[row], strict=True))
    ordered = sorted(means, key=means.get)
    top, bottom = (names[0].split(" - ") for names in ([ordered[-1]], ordered))
    said = column(table, "people").values
    assert said[0] == f"{top[1]} {means[ordered[-1]]:.0f}"
    assert said[3] == f"{bottom[0]} {means[ordered[0]]:.0f}"
    one = made.parts[1]
    scores = dict(zip(one.pairs, one.scores[one.groups.index("poets")], strict=True))
    best = max(scores, key=scores.get)
    mark = "✓" if means[best] >= 50 else "✗"
    assert (
        column(table, "table").values[0] == f"{best.split(' - ')[1]} {number(scores[best])} {mark}"
    )
    with pytest.raises(UnknownName, match=r"No group named 'poet'.*poets"):
        chosen(made, ["poet"])


def test_the_marks_give_the_precision_of_each_end(made):
    for own in profiles(made):
        for one, matrix_ in zip(
            [p for p in made.parts if own.group in p.groups], own.matrices, strict=True
        ):
            for end in ("top", "bottom"):
                hits = [
                    agrees
                    for e, agrees in zip(matrix_.ends, matrix_.agrees, strict=True)
                    if e == end
                ]
                found = one.find(f"precision_at_3_{end}", {"group": own.group})
                assert found.value == pytest.approx(np.mean(hits))
                assert (found.n, found.neutral, found.low) == (3, None, None)


def test_the_terminal_shows_the_profiles_that_are_asked_for(made):
    document = people_document(made, shown=chosen(made, ["poets"]))
    text = " ".join(printed(document).split())
    assert "poets: top 3 (nearest to the right trait), bottom 3 (nearest to the left)" in text
    assert "poets: mean ratings by region × age" in text
    assert "clerks: top 3" not in text


def test_chosen_templates_are_marked(made, document):
    table = table_of(document, "templates")
    chosen = made.parts[0].pilot.templates
    shown = dict(zip(column(table, "template").values, table.columns[0].cells, strict=True))
    assert {name for name, text in shown.items() if text.endswith("(chosen)")} == set(chosen)


def test_files_have_raw_numbers_of_all_matrices(made):
    tables = file_tables(made)
    assert set(tables) == {"by_group", "by_template", "by_slice", "profiles", "slice_means"}
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


def test_means_of_slices_have_n_and_interval(made):
    rows = as_rows(file_tables(made)["slice_means"])
    first = next(
        row for row in rows
        if (row["slice"], row["group"], row["pair"]) == ("north", "poets", "low3 - high3")
    )  # fmt: skip
    ratings = made.people.ratings.of("region", "north")
    values = ratings.values[:, ratings.groups.index("poets"), ratings.pairs.index("low3 - high3")]
    half = 2.5706 * values.std(ddof=1) / np.sqrt(6)  # t with 5 degrees of freedom
    assert (first["n"], first["why"]) == (6, "")
    assert first["mean"] == pytest.approx(values.mean())
    assert first["high"] - first["mean"] == pytest.approx(half, rel=1e-4)


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
