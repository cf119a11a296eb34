"""The document of leakage: its words, picture and tables; hostile names stay text."""

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from leakage_runs import write_ratings, write_run
from tiltmeter.analysis.leakage.flow_results import Placebo
from tiltmeter.analysis.leakage.leak_conventions import CONVENTIONS
from tiltmeter.analysis.leakage.leak_runs import read_language_runs
from tiltmeter.analysis.leakage.leaks import LeakSettings, find_leaks
from tiltmeter.data.people.leakage_people import ratings_by_language
from tiltmeter.report.documents.leaks.document import flow_picture, leaks_document
from tiltmeter.report.documents.leaks.files import leaks_json, people_cells
from tiltmeter.report.documents.leaks.finding import finding
from tiltmeter.report.documents.leaks.tables import flow_table
from tiltmeter.report.html import page
from tiltmeter.report.tables import as_csv
from tiltmeter.report.terminal import print_document


@pytest.fixture(scope="module")
def leaks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("leaks")
    runs = read_language_runs([write_run(folder / code, code) for code in ("ru", "en")])
    people = ratings_by_language(
        {"": write_ratings(folder / "ratings.csv", languages=["ru", "en"])}
    )
    ours = CONVENTIONS["tiltmeter"]
    quick = replace(ours, flows=replace(ours.flows, placebos=0))
    return find_leaks(runs, people, settings=LeakSettings(quick))


def with_flow(leaks, source, target, **changes):
    """With one flow changed and all others without significance."""
    targets = tuple(
        replace(one, flows=tuple(
            replace(f, p=0.9, adjusted_p=f.adjusted_p and 0.9)
            if (f.source, f.target) != (source, target) else replace(f, **changes)
            for f in one.flows
        ))
        for one in leaks.targets
    )  # fmt: skip
    return replace(leaks, targets=targets)


SURE = {"coefficient": 0.02, "spread": 10.0, "adjusted_p": 0.01, "p": 0.005}


def test_solid_and_not_solid_flows_in_words(leaks):
    solid = with_flow(leaks, "en", "ru", **SURE, corrected=0.03, corrected_low=0.01,
                      corrected_high=0.05)  # fmt: skip
    assert finding(solid)[0] == (
        "fake: 1 of 2 flows between languages is solid: English to Russian (standardised coefficient 0.20, "
        "corrected 0.30, p = 0.0100)."
    )
    assert finding(solid)[2].startswith("No other coefficient of another country is significant")
    weak = with_flow(leaks, "en", "ru", **SURE, corrected=0.01, corrected_low=-0.01,
                     corrected_high=0.03)  # fmt: skip
    assert finding(weak)[0] == "fake: none of 2 flows between languages is solid."
    assert "1 flow is significant (p < .05 after Holm’s adjustment), but may be" in finding(weak)[2]
    placebo = Placebo(0.12, 0.01, 0.2, 0.3)
    tried = with_flow(leaks, "en", "ru", **SURE, placebo=placebo, corrected_low=None)
    assert (
        "are 0.12 to 0.12 there on average, and significant in 30 to 30\u00a0% of draws"
        in finding(tried)[-2]
    )


def test_countries_taken_by_themselves_are_no_leaks(leaks):
    targets = [
        replace(one, flows=tuple(replace(f, alone=True) for f in one.flows))
        for one in leaks.targets
    ]
    alone = with_flow(
        replace(leaks, targets=tuple(targets)), "en", "ru", **SURE, corrected_low=0.01
    )
    assert finding(alone)[0].startswith(
        "fake: 1 of 2 coefficients of other countries are significant, each"
    )
    assert [f.is_solid or f.is_leak for f in alone.flows] == [False] * 4
    assert "en,ru,alone," in as_csv(flow_table(alone))


def test_the_picture_draws_what_is_significant(leaks):
    made = with_flow(leaks, "en", "ru", **SURE, corrected=0.03, corrected_low=0.01,
                     corrected_high=0.05)  # fmt: skip
    picture = flow_picture(made)
    for drawing in (picture.wide, picture.narrow):
        assert drawing.count('class="row"') == 1
        assert "English to Russian: 0.20, solid" in drawing


@pytest.mark.parametrize("width", [40, 80, 140])
def test_the_terminal_is_never_too_wide(leaks, width):
    console = Console(file=StringIO(), width=width, color_system=None)
    print_document(leaks_document(leaks, command="tiltmeter leak"), console)
    lines = console.file.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert any("corrected" in line for line in lines)


def test_files_have_every_number(leaks):
    head, *rows = as_csv(flow_table(leaks)).splitlines()
    assert head.startswith("source,target,verdict,p_holm,p,coefficient,low,high,standardised,")
    assert [row.split(",")[:2] for row in rows] == [
        ["ru", "ru"], ["en", "ru"], ["ru", "en"], ["en", "en"],
    ]  # fmt: skip
    cells = as_csv(people_cells(leaks)).splitlines()
    assert cells[0] == "language,group,trait,mean,low,high,raters" and len(cells) == 1 + 2 * 5 * 12
    value = leaks_json(leaks, command="c")
    flow = value["targets"][0]["flows"][0]
    assert flow["standardised"] == pytest.approx(flow["coefficient"] * flow["spread"])


def test_hostile_names_stay_text(leaks):
    name = "<b>x</b>\x1b[31m"
    run = leaks.runs[0]
    card = replace(run.card, model={**run.card.model, "name": name})
    hostile = replace(leaks, runs=(replace(run, result=replace(run.result, card=card)),),
                      notes=(name,))  # fmt: skip
    text = page(leaks_document(hostile, command=name))
    assert "<b>x" not in text and "\x1b" not in text and "&lt;b&gt;x" in text
