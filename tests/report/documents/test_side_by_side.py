"""Measures beside each other."""

from dataclasses import replace

from report import contexts
from report.test_terminal import shown
from tiltmeter.core.estimates import Estimate
from tiltmeter.report.document import Document, Section, Table
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.documents.side_by_side import side_by_side

CARD = contexts.result().card
SS, LMS, ICAT = contexts.three(57.0, 83.6)


def table(*estimates: Estimate) -> Table | None:
    return side_by_side(estimates, CARD.views, CARD)


def printed(found: Table, width: int = 100) -> list[str]:
    return shown(Document("", "", [], [Section("a", "", [found])]), width).splitlines()


def test_the_scores_stand_side_by_side_parts_under_their_whole():
    found = contexts.result()
    lines = shown(run_document(found), 80).splitlines()
    start = lines.index("Side by side, %")
    assert lines[start + 1].split() == [
        "n",
        "lms",
        "interval",
        "ss",
        "interval",
        "icat",
        "interval",
    ]
    domains = list(contexts.DOMAINS)
    parts = [f"  {domain}" for domain in domains]
    order = ["all", *domains, "intrasentence", *parts, "intersentence", *parts]
    rows = lines[start + 2 : start + 2 + len(order)]
    assert [line[: len(name)] for line, name in zip(rows, order, strict=True)] == order
    values = {(e.name, *e.groups.values()): e for e in found.estimates}
    cells = []
    for name in ("lms", "ss", "icat"):
        e = values[name, "intersentence", "race"]
        cells += [f"{e.value:.1f}", f"{e.low:.1f}", "to", f"{e.high:.1f}"]
    assert rows[13].split() == ["race", "12", *cells]


def test_where_it_is_narrow_intervals_go_first_and_the_headline_keeps_its_own():
    found = table(*contexts.result().estimates)
    assert found is not None
    headings = {w: printed(found, w)[2].split() for w in (66, 56, 44, 20)}
    assert headings[66] == ["n", "lms", "interval", "ss", "interval", "icat"]
    assert headings[56] == ["n", "lms", "ss", "interval", "icat"]
    assert headings[44] == ["n", "lms", "ss", "icat"]
    assert headings[20] == ["ss"]


def test_a_cell_without_a_value_says_why_once():
    def part(e: Estimate, value: float | None, why: str, **groups: str) -> Estimate:
        return replace(e, value=value, why=why, groups=groups)

    rows = [SS, LMS]
    for name in ("age", "craft"):
        rows += [part(LMS, 83.0, "only 3 target terms: rough", domain=name)]
        rows += [part(SS, None, "every context is tied", domain=name)]
    found = table(*rows)
    assert found is not None
    assert list(found.notes) == [
        "age; craft: only 3 target terms: rough; ss is undefined: every context is tied"
    ]
    assert [line.split()[-1] for line in printed(found)[4:6]] == ["undefined", "undefined"]


def test_a_reason_of_many_rows_is_counted_and_a_column_of_nothing_left_out():
    rows = [SS, LMS]
    for i in range(5):
        bare = replace(
            LMS, low=None, high=None, why="no interval: none", groups={"domain": f"d{i}"}
        )
        rows += [bare, replace(bare, name="ss", why="")]
    found = table(*rows)
    assert found is not None
    assert list(found.notes) == ["5 of 6 rows: no interval: none"]
    without = table(*(replace(e, low=None, high=None, why="") for e in rows))
    assert without is not None
    assert printed(without)[2].split() == ["n", "lms", "ss"]


def test_a_measure_that_is_missing_leaves_its_place_empty():
    found = table(SS, LMS, replace(SS, groups={"domain": "age"}))
    assert found is not None
    assert printed(found)[4].split() == ["age", "96", "57.0", "55.0", "to", "59.0"]
    assert table(SS) is None
    assert side_by_side([SS, LMS], (), CARD) is None


def test_a_crossing_without_its_whole_has_its_full_name():
    crossed = {"task": "intrasentence", "domain": "age"}
    found = table(SS, LMS, replace(SS, groups=crossed), replace(LMS, groups=crossed))
    assert found is not None
    assert found.columns[0].values == ["all", "intrasentence × age"]
    assert found.depths == [0, 0]


def test_values_that_two_axes_have_are_called_by_their_axes():
    rows = [SS, LMS]
    for axis, value in (("task", "age"), ("domain", "age"), ("domain", "craft")):
        rows += [replace(e, groups={axis: value}, why="rough") for e in (SS, LMS)]
    found = table(*rows)
    assert found is not None
    assert found.columns[0].values == ["all", "task: age", "domain: age", "craft"]
    assert list(found.notes) == ["task: age; domain: age; craft: rough"]
