"""How an alignment is shown: every group, slices, profiles, and names that are markup."""

from dataclasses import replace

from analyses.compare_people.examples import at, column, result_of, table_of
from derived.people.examples import GROUPS as SIX
from derived.people.examples import matrix, random_people
from report import cells
from report.test_html import Outline
from tiltmeter.analyses.compare_people.matrices import Source
from tiltmeter.api.results import RunResult
from tiltmeter.data.people.people import from_ratings
from tiltmeter.report.html import page
from tiltmeter.report.terminal import plain_text


def test_the_table_of_groups_has_every_group_the_closest_first(made, document):
    table = table_of(document, "Kendall’s τ by group: table")
    taus = [at(made, "kendall_tau", matrix="table", group=group).value for group in SIX]
    assert set(column(table, "group").values) == set(SIX)
    assert column(table, "τ").values == sorted(taus, reverse=True)


def test_slices_have_tables_of_people_and_of_groups(made, document):
    single = table_of(document, "Agreement with the people of each region: run")
    assert column(single, "region").values == ["north", "south"]
    assert column(single, "people").values == [6, 6]
    crossed = table_of(document, "Agreement with the people of each region × age: run")
    assert column(crossed, "people").values == [3, 3, 3, 3]
    groups = table_of(document, "Kendall’s τ of each group with the people of each region: run")
    (north,) = [c for c in groups.columns if (c.group, c.title) == ("τ", "north")]
    taus = [at(made, "kendall_tau", matrix="run", group=group, region="north") for group in SIX]
    assert north.values == [e.value for e in taus]


def test_the_page_is_whole(document):
    outline = Outline(page(document))
    ids = [a["id"] for _, a in outline.tags if a.get("id")]
    assert len(ids) == len(set(ids))


def test_hostile_names_are_text_everywhere():
    odd = cells.HOSTILE
    truth, people = random_people()
    groups = (odd, *SIX[1:])
    ratings = replace(people.ratings, groups=groups, about={odd: (odd,) * 12, "model": ("x",) * 12})
    asked = from_ratings(ratings, name=odd)
    source = Source(odd, odd, matrix(truth, groups))
    result = result_of([source], asked, by=((odd,), ("model",)), group=(odd,))
    assert at(result, "kendall_tau", annotator_model="x")
    document = RunResult(result, None).document()
    shown = page(document)
    Outline(shown)
    assert "<script" not in shown
    assert "\u202e" not in shown + plain_text(document)
