"""A model beside a reference: direction, and what cannot be compared."""

from dataclasses import replace

import pytest

from support import audits
from support.command_line import own_cache
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.results import Result
from tiltmeter.derived.audits import model_audit
from tiltmeter.derived.audits.audit_findings import StudyFinding
from tiltmeter.derived.audits.model_audit import StudyChange, changes_between, runs_of_audit
from tiltmeter.report.audit_result import audit_result
from tiltmeter.report.saved_runs import save_run

__all__ = ["own_cache"]


def estimate(value, p=None):
    return Estimate("rate", value, value - 1, value + 1, p, 10, 50, "%")


@pytest.mark.parametrize(
    ("now", "before", "way"),
    [
        (52, 60, "closer"),
        (30, 55, "crossed"),
        (70, 60, "farther"),
        (45, 40, "closer"),
        (60, 60, ""),
    ],
)
def test_which_way_it_went(now, before, way):
    assert StudyChange("s", "S", now=estimate(now), before=estimate(before)).way == way


@pytest.mark.parametrize(
    ("now", "before", "better", "way"),
    [
        (92, 62, "higher", "better"),
        (62, 92, "higher", "worse"),
        (20, 30, "lower", "better"),
        (20, 20, "lower", ""),
    ],
)
def test_a_cost_is_better_or_worse_and_no_distance_from_neutral(now, before, better, way):
    pair = [replace(estimate(value), meaning=Meaning(better=better)) for value in (now, before)]
    assert StudyChange("s", "S", now=pair[0], before=pair[1]).way == way


def test_a_difference_counts_after_adjustment_only():
    change = StudyChange("s", "S", lead=Estimate("d", 9, 4, 14, 0.01, 10, 0, "%"), p=0.01)
    assert change.significant
    assert not StudyChange("s", "S", lead=change.lead, p=0.01, p_adjusted=0.2).significant


def test_what_the_reference_lacks_is_said(tmp_path):
    finding = StudyFinding("s", "S", tmp_path, Result(None, [], []), estimate(60))
    (change,) = changes_between([finding], {})
    assert change.why == "the reference has no result of it"
    (change,) = changes_between([finding], {"s": tmp_path})
    assert "did not finish" in change.why


def difference(name, value, p, *, groups=None):
    """A difference in the measure of that name, as `compare` gives it."""
    meaning = Meaning(name, difference_of=name.removesuffix("_difference"))
    ends = (value - 2, value + 2)
    return Estimate(name, value, *ends, p, 10, 0, "%", meaning=meaning, groups=groups or {})


def compared(monkeypatch, tmp_path, lead, differences):
    """The change of a study with these differences from a reference in which the main number is as now."""
    result = Result(None, [], [lead])
    monkeypatch.setattr(model_audit.folders, "read", lambda _: result)
    monkeypatch.setattr(model_audit, "compare", lambda *_, **__: differences)
    (change,) = changes_between([StudyFinding("s", "S", tmp_path, result, lead)], {"s": tmp_path})
    return change


def test_a_study_whose_main_number_has_no_difference_changes_by_group(monkeypatch, tmp_path):
    """A ratio of two rates has no difference by item: the rates of the groups have, and stand for it."""
    rates = [
        difference("selection_rate_difference", value, p, groups={"group": group})
        for value, p, group in ((3, 0.6, "x"), (-9, 0.01, "y"))
    ]
    refusals = difference("refusal_rate_difference", 38.8, 0.004)
    change = compared(monkeypatch, tmp_path, estimate(0.7), [*rates, refusals])
    assert (change.why, change.tests, change.lead, change.p) == ("", rates, rates[1], 0.01)
    assert change.significant and change.way == ""
    assert (change.now.value, change.before.value) == (0.7, 0.7)


def test_other_numbers_that_change_are_found_after_adjustment_over_all_of_them(
    monkeypatch, tmp_path
):
    main = difference("rate_difference", 0, 1.0)
    others = [
        difference("refusal_rate_difference", 38.8, 0.004),
        difference("length_difference", 3, 0.03),
        difference("time_difference", 3, 0.04),
        difference("refusal_rate_difference", 20, 0.001, groups={"group": "x"}),
    ]
    change = compared(monkeypatch, tmp_path, estimate(60), [main, *others])
    assert not change.significant and change.lead is main
    assert [(e.value, e.p_adjusted) for e in change.further] == [(38.8, pytest.approx(0.012))]


def test_a_folder_without_an_audit_and_a_damaged_one_are_refused(tmp_path):
    with pytest.raises(BadInput, match="did not finish"):
        runs_of_audit(tmp_path)
    (tmp_path / "card.json").write_text('{"model": 1}')
    with pytest.raises(BadInput, match="damaged"):
        runs_of_audit(tmp_path)
    _, made = audits.audit(tmp_path)
    with pytest.raises(BadInput, match="holds no audit"):
        runs_of_audit(made.findings[0].folder)
    folder = save_run(audit_result(made), None, tmp_path / "audit").folder
    assert runs_of_audit(folder) == (
        "fake:masked",
        {one.label: one.folder for one in made.findings},
    )
