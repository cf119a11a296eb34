"""Which numbers of a run stand for its points."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analyses.correlate.examples import run, values
from tiltmeter.analyses.correlate import run_points
from tiltmeter.analyses.correlate.points import Observation, points_of
from tiltmeter.analyses.correlate.relations import correlate
from tiltmeter.analyses.correlate.run_points import of_runs, wanted
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.finder import find
from tiltmeter.core.records import Record
from tiltmeter.models import fake
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose

WHOLE = Estimate("stereotype_rate", 50.0, None, None, None, 3, 50.0, "%")


def by_axes(model, study, **axes):
    """A run with a rate for each value of each axis."""
    found = [
        Estimate("stereotype_rate", 50.0 + i, None, None, None, 3, 50.0, "%", groups={axis: label})
        for axis, labels in axes.items()
        for i, label in enumerate(labels.split())
    ]
    return Path(study), run(model, 50.0, estimates=found, study=study)[1]


def test_headline_over_models_with_rule_in_the_name():
    runs = [run("a", 51.0), run("b", 55.0), run("c", 58.0, rule="aula")]
    points = points_of([*of_runs(runs, "models"), *values("f1", a=0.5, b=0.6, c=0.9)], "models")
    assert points.names == (
        "crows_pairs stereotype_rate (aul)", "crows_pairs stereotype_rate (aula)", "f1",
    )  # fmt: skip
    assert points.values[:, 0].tolist()[:2] == [51.0, 55.0] and np.isnan(points.values[2, 0])


def test_conventions_and_data_and_ties_are_never_mixed():
    runs = [
        run("a", 51.0), run("b", 52.0, convention="nangia2020"), run("c", 53.0, ties="loss"),
        run("d", 54.0, sha="xyz98765432"),
    ]  # fmt: skip
    names = points_of([*of_runs(runs, "models"), *values("f1", a=1, b=2, c=3, d=4)], "models").names
    assert names == (
        "crows_pairs stereotype_rate (aul) [of abc, ties half]",
        "crows_pairs stereotype_rate (aul, nangia2020)",
        "crows_pairs stereotype_rate (aul) [of abc, ties loss]",
        "crows_pairs stereotype_rate (aul) [of xyz98765, ties half]",
        "f1",
    )


def test_named_measures_and_subsets():
    by = {"race": 40.0, "age": 61.0}
    runs = [run("a", 51.0, by=by), run("b", 52.0, by=by)]
    several = of_runs(
        runs, "models", [wanted("stereotype_rate"), wanted("stereotype_rate:bias_type=age")]
    )
    assert [o.measure for o in several[:2]] == [
        "crows_pairs stereotype_rate (aul)", "crows_pairs stereotype_rate, bias_type: age (aul)",
    ]  # fmt: skip
    assert [o.value for o in several] == [51.0, 61.0, 52.0, 61.0]
    with pytest.raises(
        BadInput, match=r"the run has no icat nor ss:domain=x; it has stereotype_rate"
    ):
        of_runs(runs, "models", [wanted("icat"), wanted("ss:domain=x")])
    for wrong in ("", "ss:", "ss:domain", ":a=b", "ss:domain="):
        with pytest.raises(BadInput, match="is not NAME or NAME:AXIS=VALUE"):
            wanted(wrong)


def test_over_groups_the_columns_are_models():
    runs = [
        run("a", 51.0, by={"race": 40.0, "age": 61.0, "gender": 50.0}),
        run("b", 52.0, by={"race": 41.0, "age": 70.0, "religion": 1.0}),
    ]
    points = points_of(of_runs(runs, "groups"), "groups")
    assert points.labels == ("race", "age", "gender", "religion")
    assert points.names == (
        "crows_pairs stereotype_rate (aul), a", "crows_pairs stereotype_rate (aul), b",
    )  # fmt: skip
    assert points.shared(0, 1).tolist() == [True, True, False, False]
    for axes in (["domain"], ["bias_type", "domain"]):
        with pytest.raises(
            BadInput, match="no run has a number by domain; the axes are: bias_type"
        ):
            of_runs(runs, "groups", axes=axes)


def test_by_default_several_studies_are_laid_out_by_category():
    """Identities are more and shared, but both studies say what their categories are."""
    folder, sos = by_axes("a", "sos", identity="nun monk imam", attribute="religion gender")
    other, crows = by_axes("a", "crows_pairs", bias_type="age gender religion")
    sos = replace(sos, card=replace(sos.card, categories="attribute"))
    crows = replace(crows, card=replace(crows.card, categories="bias_type"))
    for axes in ((), ("category",)):
        both = of_runs(
            [(folder, sos), (other, crows)], "groups", axes=axes, labels=["nun", "monk", "imam"]
        )
        assert [o.group for o in both] == ["religion", "gender", "age", "gender", "religion"]
    assert len(of_runs([(folder, sos)], "groups", labels=["nun", "monk", "imam"])) == 3


def test_the_axis_that_studies_have_in_common_is_taken():
    """The one has most identities, but attributes are what the other has too."""
    one = by_axes("a", "sos", identity="nun monk imam rabbi", attribute="religion gender")
    other = by_axes("a", "crows_pairs", bias_type="age gender religion")
    both = of_runs([one, other], "groups")
    assert [o.group for o in both] == ["religion", "gender", "age", "gender", "religion"]
    assert both[0].source == "study sos, data crows_pairs, by attribute"
    assert [o.group for o in of_runs([one], "groups")] == ["nun", "monk", "imam", "rabbi"]
    assert len(of_runs([one], "groups", labels=["gender"])) == 2
    named = of_runs([one, other], "groups", axes=["identity", "bias_type"])
    assert [o.group for o in named][:4] == ["nun", "monk", "imam", "rabbi"]


def test_each_label_is_looked_up_a_few_times_however_many_runs_there_are(monkeypatch):
    """Two runs share 30 groups with all others; comparing each run with each would take 100 times as long."""
    looked_up = []
    monkeypatch.setattr(run_points, "usual_name", lambda name: looked_up.append(name) or name)
    names = " ".join(f"g{i}" for i in range(30))
    runs = [(Path(f"r{i}"), by_axes(f"m{i}", "sos", who=names)[1]) for i in range(100)]
    for over, most in (("models", 0), ("groups", 2 * 30 * 100)):
        looked_up.clear()
        if over == "models":
            runs = [(folder, replace(r, estimates=[*r.estimates, WHOLE])) for folder, r in runs]
        of_runs(runs, over)
        assert len(looked_up) <= most


def test_a_crossing_of_axes():
    crossed = [
        Estimate(
            "association", 0.1 * i, None, None, None, 3, 0.0, "nats", groups={"group": g, "pair": p}
        )
        for i, (g, p) in enumerate([("women", "cold - warm"), ("men", "cold - warm")])
    ]
    runs = [run("a", 50.0, estimates=crossed)]
    for axes in ((), ("pair,group",)):
        cells = of_runs(runs, "cells", [wanted("association")], axes)
        assert [o.group for o in cells] == ["women, cold - warm", "men, cold - warm"]
    with pytest.raises(
        BadInput, match="no run has a number by group; the axes are: group,pair; did you mean"
    ):
        of_runs(runs, "groups", [wanted("association")], ["group"])


def test_over_cells_each_group_of_each_model_is_a_point():
    runs = [run(m, 50.0, by={"race": v, "age": v + 1}) for m, v in (("a", 1.0), ("b", 5.0))]
    others = [
        Observation(m, g, "gap", float(k), "t", "t.csv")
        for k, (m, g) in enumerate([("a", "race"), ("b", "race"), ("b", "age")])
    ]
    points = points_of([*of_runs(runs, "cells"), *others], "cells")
    assert points.labels == ("a: race", "a: age", "b: race", "b: age")
    assert points.models == ("a", "a", "b", "b") and points.groups == ("race", "age") * 2
    made = correlate(points)
    assert made.of("pearson")[0].n == 3
    assert any("not independent of each other" in note for note in made.notes)


def test_a_run_without_a_headline_lists_what_can_be_named():
    seat = find("studies", "seat", "STUDY")
    chosen = choose(seat, fake.answers(""), model="fake")
    run = Path("runs/seat"), measure(seat, fake.load(""), seat.sample(), chosen=chosen)
    tests = list(dict.fromkeys(e.groups["test"] for e in run[1].estimates if "test" in e.groups))
    with pytest.raises(BadInput) as refused:
        of_runs([run], "models")
    said = str(refused.value)
    assert "the run has no number over all items; it has " in said
    assert f"effect_size:test={tests[0]}" in said
    assert "or take --over groups (effect_size by test; " in said
    (one,) = of_runs([run], "models", [wanted(f"effect_size:test={tests[0]}")])
    assert one.value == next(e.value for e in run[1].estimates if e.groups.get("test") == tests[0])


def test_numbers_by_token_of_models_with_other_tokens_are_not_mixed():
    def of(model, tokens, value):
        meaning = Meaning("Perplexity", by_token=True)
        estimate = Estimate("perplexity", value, None, None, None, 1, None, "", meaning=meaning)
        records = [Record("1", {"tokens_scored": tokens}, {})]
        return run(model, 50.0, estimates=[estimate], records=records)

    runs = [of("a", 7.0, 20.0), of("b", 9.0, 30.0), of("c", 7.0, 40.0)]
    observed = of_runs(runs, "models", [wanted("perplexity"), wanted("stereotype_rate")])
    points = points_of(observed, "models")
    name = "crows_pairs perplexity (aul)"
    assert points.names == (
        f"{name} [tokens as a splits]", "crows_pairs stereotype_rate (aul)",
        f"{name} [tokens as b splits]",
    )  # fmt: skip
    assert points.values[:, 0].tolist()[::2] == [20.0, 40.0] and np.isnan(points.values[1, 0])
    same = points_of(
        of_runs(runs[::2], "models", [wanted("perplexity"), wanted("stereotype_rate")]), "models"
    )
    assert same.names == (name, "crows_pairs stereotype_rate (aul)")
