"""Correlations over points of many sources: by hand, and what must not be mixed or hidden."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tiltmeter.analysis import correlate as correlating
from tiltmeter.analysis.correlate import correlate, what_points_show
from tiltmeter.analysis.point_tables import of_table
from tiltmeter.analysis.points import Observation, points_of
from tiltmeter.analysis.sources import of_published, of_runs, renamed, wanted
from tiltmeter.analysis.split_half import SPLITS, reliability
from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.core.results import Card, Estimate, Record, Result
from tiltmeter.stats.correlation_intervals import correlation_interval
from tiltmeter.stats.reliability import spearman_brown


def run(model, rate, *, by=None, records=(), estimates=(), sha="abc", **card):
    """A run of crows_pairs with a rate over all pairs and, if given, by bias type."""
    facts = {
        "study": "crows_pairs", "study_version": "1", "data": {"name": "crows_pairs", "sha256": sha},
        "rule": "aul", "convention": "paper", "ties": "half", "seed": 0, "method": "", "counts": {},
    }  # fmt: skip
    made = [Estimate("stereotype_rate", rate, rate - 5, rate + 5, None, 9, 50.0, "%")]
    made += [
        Estimate("stereotype_rate", value, None, None, None, 3, 50.0, "%", groups={"bias_type": k})
        for k, value in (by or {}).items()
    ]
    card = Card(**(facts | {"model": {"name": model, "fingerprint": model}} | card))
    return Path(f"runs/{model}-{card.rule}"), Result(card, records, [*made, *estimates])


def values(name, **of):
    """Observations of one measure, by model."""
    return [Observation(m, "", name, v, f"table {name}", f"{name}.csv", (("table", name),))
            for m, v in of.items()]  # fmt: skip


def found(made, name, x, y):
    (one,) = [e for e in made.of(name) if e.groups == {"x": x, "y": y}]
    return one


# ── Numbers ──────────────────────────────────────────────────────────────────────────────────────


def test_five_models_by_hand():
    """x = 1 … 5, y = 1, 3, 2, 5, 4: Σ(x − 3)(y − 3) = 8 of 10, Spearman the same, tau (8 − 2) / 10."""
    points = points_of(
        [*values("x", a=1, b=2, c=3, d=4, e=5), *values("y", a=1, b=3, c=2, d=5, e=4)], "models"
    )
    made = correlate(points)
    r = found(made, "pearson", "x", "y")
    assert (r.value, r.n, r.neutral) == (0.8, 5, 0.0)
    assert (r.low, r.high) == (None, None) and "at least 8 points" in r.why
    # Σd² = 4, and of 120 orders 1, 4 and 3 have 0, 2 and 4: twice 8 / 120
    assert r.p == pytest.approx(16 / 120) and r.p_adjusted == r.p
    assert "all orders" in r.test
    assert found(made, "spearman", "x", "y").value == 0.8
    tau = found(made, "kendall", "x", "y")
    assert tau.value == pytest.approx(0.6) and tau.low is None
    assert tau.p == pytest.approx(2 * (1 + 4 + 9) / 120)  # 0, 1 or 2 inversions
    assert made.reliabilities == () and made.of("pearson_corrected") == []


def test_holm_runs_over_all_pairs_of_one_method():
    some = [*values("x", a=1, b=2, c=3, d=4, e=5), *values("y", a=1, b=2, c=3, d=4, e=6)]
    made = correlate(points_of([*some, *values("z", a=5, b=1, c=4, d=2, e=2)], "models"))
    first = found(made, "pearson", "x", "y")
    assert first.p == pytest.approx(1 / 60) and first.p_adjusted == pytest.approx(3 / 60)
    assert first.adjustment == "Holm"


def test_missing_numbers_leave_a_point_out_of_their_pairs_only():
    points = points_of(
        [*values("x", a=1, b=2, c=3, d=9), *values("y", a=1, b=2, c=3), *values("z", a=3, b=2)],
        "models",
    )
    made = correlate(points)
    assert (found(made, "pearson", "x", "y").n, found(made, "pearson", "x", "y").value) == (3, 1.0)
    none = found(made, "pearson", "x", "z")
    assert (none.value, none.p, none.n) == (None, None, 2)
    assert none.why == "a correlation needs at least three points; there are 2"
    assert "z: 2 of 4 models remain, no value for c, d." in made.notes
    assert any("3 models: no p can be below 2 / 3! = 0.333" in note for note in made.notes)


MODELS = [f"{family}-{size}" for family in ("aaa", "bbb", "ccc", "ddd", "eee") for size in (1, 2)]


def test_models_of_one_family_are_left_out_together():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 10))
    observations = [
        *values("x", **dict(zip(MODELS, x, strict=True))),
        *values("y", **dict(zip(MODELS, x + y, strict=True))),
    ]
    made = correlate(points_of(observations, "models"))
    for name, ranked in (("pearson", False), ("spearman", True)):
        e = found(made, name, "x", "y")
        right = correlation_interval(x, x + y, np.repeat(np.arange(5), 2), ranked=ranked)
        assert (e.low, e.high, e.p) == right[:3]
        assert "families" in e.test
        assert "over 5 families" in e.interval if ranked else "fewer than 35 points" in e.why
    assert found(made, "kendall", "x", "y").p is None
    assert any("10 models are of 5 families (aaa 2, bbb 2" in note for note in made.notes)
    apart = {model: model for model in MODELS}
    made = correlate(points_of(observations, "models"), families=apart)
    e = found(made, "spearman", "x", "y")
    assert "over 10 points" in e.interval and "random orders" in e.test
    assert (e.low, e.high) == correlation_interval(x, x + y, np.arange(10), ranked=True)[:2]
    with pytest.raises(UnknownName, match="No model named 'zzz'"):
        correlate(points_of(observations, "models"), families={"zzz": "a"})


def test_an_interval_without_noise_is_divided_like_r():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 40))
    names = [f"m{i}" for i in range(40)]
    points = [
        *values("x", **dict(zip(names, x, strict=True))),
        *values("y", **dict(zip(names, x + y, strict=True))),
    ]
    given = {"x": 0.8, "y": 0.8}
    made = correlate(points_of(points, "models"), reliabilities=given)
    r, corrected = (found(made, name, "x", "y") for name in ("pearson", "pearson_corrected"))
    assert (corrected.low, corrected.high) == pytest.approx((1.25 * r.low, 1.25 * r.high))
    few = correlate(
        points_of([o for o in points if int(o.model[1:]) < 20], "models"), reliabilities=given
    )
    r, corrected = (found(few, name, "x", "y") for name in ("pearson", "pearson_corrected"))
    assert r.low is None and corrected.low is None and corrected.interval == ""
    assert r.why == corrected.why and "fewer than 35 points" in r.why


def test_three_points_have_no_interval_and_say_why():
    made = correlate(
        points_of([*values("x", a=1, b=2, c=3), *values("y", a=1, b=2, c=9)], "models")
    )
    r = found(made, "pearson", "x", "y")
    assert (r.low, r.high, r.interval) == (None, None, "")
    assert "at least 8 points of 5 families; there are 3" in r.why
    assert r.p == pytest.approx(1 / 3)


def test_equal_numbers_are_undefined_and_not_zero():
    made = correlate(
        points_of([*values("x", a=1, b=2, c=3), *values("y", a=4, b=4, c=4)], "models")
    )
    for name in ("pearson", "spearman", "kendall"):
        assert found(made, name, "x", "y").value is None
        assert "equal" in found(made, name, "x", "y").why


def test_only_between_sources():
    some = [*values("x", a=1, b=2, c=3), *values("y", a=1, b=2, c=9)]
    alike = [replace(one, source="one") for one in some]
    three = points_of([*alike, *values("z", a=3, b=1, c=2)], "models")
    assert len(correlate(three).of("pearson")) == 3
    made = correlate(three, between=True)
    assert [e.groups["y"] for e in made.of("pearson")] == ["z", "z"]
    with pytest.raises(BadInput, match="all measures are from one source, one"):
        correlate(points_of(alike, "models"), between=True)


def test_more_orders_are_drawn_where_there_are_more_pairs(monkeypatch):
    """With 999 draws p is at least .002, which 28 pairs would make .056."""
    monkeypatch.setattr(correlating, "DRAWS", 999)
    rng = np.random.default_rng(1)
    labels = [f"m{i}" for i in range(12)]
    base = rng.normal(size=12)
    some = [
        one
        for k in range(8)
        for one in values(
            f"x{k}", **dict(zip(labels, base + (k > 1) * rng.normal(size=12) * 9 + k, strict=True))
        )
    ]
    made = correlate(points_of(some, "models"))
    first = found(made, "pearson", "x0", "x1")
    assert first.value == 1.0 and first.p_adjusted < 0.05


@pytest.mark.parametrize(
    ("n", "pairs", "said"),
    [
        (3, 1, "no correlation, however strong"),
        (5, 1, "a rank correlation of ±1.00 or more is significant"),
        (5, 10, "but after Holm’s adjustment for 10 pairs none can be"),
        (6, 2, "the strongest must reach ±0.94"),
        (20, 1, "20 models: a rank correlation of ±0.44 or more is significant"),
    ],
)
def test_what_points_can_show(n, pairs, said):
    assert said in what_points_show(n, "models", pairs)


# ── Which number stands for a run ────────────────────────────────────────────────────────────────


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


def by_axes(model, study, **axes):
    """A run with a rate for each value of each axis."""
    found = [
        Estimate("stereotype_rate", 50.0 + i, None, None, None, 3, 50.0, "%", groups={axis: label})
        for axis, labels in axes.items()
        for i, label in enumerate(labels.split())
    ]
    return Path(study), run(model, 50.0, estimates=found, study=study)[1]


def test_sources_that_share_no_point_are_refused():
    """Without `between`, x and y share a point; between the sources none is shared."""
    alike = [replace(o, source="one") for o in (*values("x", a=1), *values("y", a=2))]
    points = points_of([*alike, *values("z", b=1)], "models")
    assert len(correlate(points).of("pearson")) == 3
    with pytest.raises(BadInput, match="no two measures have a model in common"):
        correlate(points, between=True)


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


def test_two_fingerprints_of_one_name_are_told():
    one, other = run("a", 51.0), run("a", 52.0, study="winobias")
    card = replace(other[1].card, model={"name": "a", "fingerprint": "else"})
    runs = [one, (Path("runs/else"), replace(other[1], card=card))]
    notes = correlate(points_of(of_runs(runs, "models"), "models")).notes
    assert any("a has 2 different fingerprints in these runs" in note for note in notes)


def test_published_tables_are_points_too():
    """Table 8's cell of race and Kaggle-insults, and over the groups Figure 3's of BERT and the US."""
    sources = [
        *of_published("elsafoury2023_sos", "models"),
        *of_published("elsafoury2023_f1", "models"),
    ]
    made = correlate(points_of(sources, "models"), between=True)
    assert len(made.of("pearson")) == 66
    one = found(made, "pearson", "SOS marginalised, race", "F1 Kaggle-insults")
    assert round(one.value, 3) == -0.049 and one.p_adjusted == 1
    groups = [
        *of_published("elsafoury2023_sos", "groups"), *of_published("elsafoury2023_online_hate", "groups"),
    ]  # fmt: skip
    made = correlate(points_of(groups, "groups"), between=True)
    name = "SOS marginalised, bert-base-uncased"
    assert round(found(made, "pearson", name, "online hate United States").value, 3) == 0.996
    with pytest.raises(BadInput, match="elsafoury2023_online_hate is not about models"):
        of_published("elsafoury2023_online_hate", "models")
    with pytest.raises(BadInput, match="elsafoury2023_f1 is not about groups"):
        of_published("elsafoury2023_f1", "cells")


def test_rows_of_a_published_table_that_are_no_points_are_left_out():
    """Over groups, the rates over all pairs and by direction are about no group."""
    sources = of_published("nangia2020_bias", "groups")
    assert len(sources) == 9 * 3
    made = points_of(sources, "groups")
    assert "race-color" in made.labels and len(made.labels) == 9
    assert made.names[0] == "crows_pairs stereotype_rate, bert-base-uncased"
    assert len(of_published("nangia2020_bias", "models")) == 45
    with pytest.raises(BadInput, match=r"not about models; leave it out$"):
        of_published("nadeem2021_lms_ss", "models")
    with pytest.raises(BadInput, match="not about models; leave it out, or take --over groups"):
        of_published("elsafoury2023_online_hate", "cells")


# ── Bad input ────────────────────────────────────────────────────────────────────────────────────


def test_what_cannot_be_laid_out():
    with pytest.raises(BadInput, match="there is one measure, x, of 2 models"):
        points_of(values("x", a=1, b=2), "models")
    with pytest.raises(
        BadInput, match=r"no two measures have a model in common \(x: 'a'; y: 'b'\)"
    ):
        correlate(points_of([*values("x", a=1), *values("y", b=1)], "models"))
    with pytest.raises(BadInput, match=r"x of a is given twice, in x\.csv and in x\.csv"):
        points_of([*values("x", a=1), *values("x", a=2)], "models")
    with pytest.raises(
        BadInput,
        match=r"'x' is not about a group, .* over groups; leave it out, or use --over models",
    ):
        points_of(values("x", a=1), "groups")
    with pytest.raises(BadInput, match=r"not a point over models; leave it out$"):
        points_of([replace(o, model="") for o in values("x", a=1)], "models")
    with pytest.raises(BadInput, match="listed twice"):
        of_runs([run("a", 1.0), run("a", 1.0)], "models")


def test_measures_of_two_tables_with_one_name_stay_two():
    one, two = values("f1", a=1, b=2), values("f1", a=3, b=4)
    two = [replace(o, facts=(("table", "other.csv"),)) for o in two]
    assert points_of([*one, *two], "models").names == ("f1 [table f1]", "f1 [table other.csv]")


def test_aliases():
    some = [*values("x", BERT=1), *values("y", bert=2)]
    assert points_of(renamed(some, {"BERT": "bert"}), "models").labels == ("bert",)
    with pytest.raises(BadInput, match="is named 'BRT'; did you mean 'BERT'"):
        renamed(some, {"BRT": "bert"})


def table(folder, text, name="numbers.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_tables_of_the_user(tmp_path):
    file = table(tmp_path, "model,note,f1,gap\na,first,0.5,\nb,,0.6,1e-3\n")
    read, notes = of_table(file, "models")
    assert [(o.model, o.measure, o.value) for o in read] == [
        ("a", "f1", 0.5), ("b", "f1", 0.6), ("b", "gap", 0.001),
    ]  # fmt: skip
    assert notes == ["numbers.csv: the column 'note' contains no numbers and is left out"]
    read, _ = of_table(table(tmp_path, "who,f1\nwomen,1\n"), "groups")  # the first column names
    assert (read[0].group, read[0].model) == ("women", "")
    read, _ = of_table(table(tmp_path, "group,model,f1\nwomen,a,1\n"), "cells")
    assert (read[0].group, read[0].model) == ("women", "a")


@pytest.mark.parametrize(
    ("text", "over", "said"),
    [
        ("model,note\na,first\n", "models", "it has no column of numbers"),
        ("model,f1\na,0.5\nb,1_0\n", "models", "f1 is '1_0', which is not a number"),
        ("model,f1\na,0.5\nb,inf\n", "models", "numbers.csv:3: f1 is 'inf', which is not a number"),
        ('model,f1\na,0.5\nb,"0,6"\n', "models", "f1 is '0,6', which is not a number"),
        ("model,f1\na,0.5\n,0.6\n", "models", "numbers.csv:3: model is empty"),
        ("model,f1\na,0.5\na,0.6\n", "models", "numbers.csv:3: a is also on line 2"),
        ("model,f1\na,0.5\n", "groups", "it has no column 'group', which --over groups needs"),
        ("model,f1\na,0.5\n", "cells", "it has no column 'group', which --over cells needs"),
        ("model,f1,f1\na,1,2\n", "models", "the column 'f1' occurs 2 times"),
        ("model,f1\na,1,2\n", "models", "too many cells"),
    ],
)  # fmt: skip
def test_bad_tables(tmp_path, text, over, said):
    with pytest.raises((BadInput, BadItems)) as error:
        of_table(table(tmp_path, text), over)
    assert said in str(error.value)


# ── Reliability ──────────────────────────────────────────────────────────────────────────────────


def scored(model, sides, *, sha="abc", **card):
    """A run whose i-th pair prefers as `sides[i]` says, with its rate."""
    records = [
        Record(
            f"p{i}", {"more": float(side), "less": 0.5}, {"bias_type": "age" if i % 2 else "race"}
        )
        for i, side in enumerate(sides)
    ]
    return run(model, 100 * float(np.mean(sides)), records=records, sha=sha, **card)


def test_halves_of_items_that_are_all_alike_are_wholly_reliable():
    """Each model prefers all or none or, on every item twice, half: every half has the model's rate."""
    sides = {"a": [1] * 8, "b": [0] * 8, "c": [1] * 8, "d": [0] * 8}
    points = points_of([*of_runs([scored(m, s) for m, s in sides.items()], "models"),
                        *values("f1", a=1, b=2, c=3, d=5)], "models")  # fmt: skip
    made = correlate(points)
    (one,) = made.reliabilities
    assert (one.name, one.value, one.n) == ("reliability", 1.0, 4)
    assert "rough" in one.why
    assert made.of("pearson_corrected") == []  # nobody knows how reliable f1 is
    name = points.names[0]
    made = correlate(points, reliabilities={"f1": 0.25})
    corrected = found(made, "pearson_corrected", name, "f1")
    assert corrected.value == pytest.approx(2 * found(made, "pearson", name, "f1").value)
    with pytest.raises(UnknownName, match="No measure named 'f2'"):
        correlate(points, reliabilities={"f2": 0.25})


def test_reliability_against_slow_code():
    """Of shares of 40 items with chances p, the noise is known: the reliability is 1 − noise / variance."""
    rng = np.random.default_rng(7)
    chances = rng.uniform(0.3, 0.7, size=300)
    runs = [scored(f"m{i}", rng.random(40) < p) for i, p in enumerate(chances)]
    rates = {f"m{i}": float(p) for i, p in enumerate(chances)}
    points = points_of([*of_runs(runs, "models"), *values("f1", **rates)], "models")
    one = reliability(points, 0)
    seen = points.values[:, 0] / 100
    noise = float(np.mean(chances * (1 - chances) / 40))
    assert one.value == pytest.approx(1 - noise / seen.var(), abs=0.06)
    assert reliability(points, 0) == one and reliability(points, 1) is None
    assert reliability(points, 0, seed=1).value != one.value


def test_halves_by_trying_all_splits():
    """Four items, three models: three ways to halve, each as likely; the mean r stepped up."""
    sides = {"a": [0, 0, 0, 0], "b": [0, 0, 0, 1], "c": [0, 1, 1, 1]}
    points = points_of([*of_runs([scored(m, s) for m, s in sides.items()], "models"),
                        *values("f1", a=1, b=2, c=4)], "models")  # fmt: skip
    table = np.array(list(sides.values()), dtype=float)
    rs = []
    for half in ([0, 1], [0, 2], [0, 3]):
        rest = [i for i in range(4) if i not in half]
        one, other = table[:, half].mean(axis=1), table[:, rest].mean(axis=1)
        if np.ptp(one) == 0 or np.ptp(other) == 0:
            pytest.fail("choose other sides")
        rs.append(np.corrcoef(one, other)[0, 1])
    low, high = (
        spearman_brown(np.mean(rs) + way * 4 * np.std(rs) / SPLITS**0.5) for way in (-1, 1)
    )
    assert low < reliability(points, 0).value < high


@pytest.mark.parametrize(
    ("sides", "card", "said"),
    [
        ([1, 1, 1, 1], {}, "all values on one side are equal"),
        ([1], {}, "a point has one item"),
        ([1, 0, 1, 0], {"study": "nowhere"}, "the study 'nowhere' is not installed"),
    ],
)
def test_reliability_that_is_undefined(sides, card, said):
    runs = [scored(m, sides, **card) for m in ("a", "b", "c")]
    points = points_of([*of_runs(runs, "models"), *values("f1", a=1, b=2, c=4)], "models")
    assert reliability(points, 0).value is None
    assert said in reliability(points, 0).why


def test_numbers_without_records_are_told():
    runs = [scored("a", [1, 0, 1]), scored("b", [0, 0, 1])]
    some = [replace(o, facts=()) for o in of_runs(runs, "models")]
    table = [replace(o, measure=some[0].measure, facts=()) for o in values("x", c=1.0)]
    points = points_of([*some, *table, *values("f1", a=1, b=2, c=3)], "models")
    assert reliability(points, 0).why == "1 of its 3 models have no records of items"


def test_no_correction_where_both_are_of_the_same_items():
    """The one has the noise of the other: what is odd in an item moves both."""
    rng = np.random.default_rng(2)
    runs = {m: (rng.random(30) < p) for m, p in (("a", 0.2), ("b", 0.5), ("c", 0.6), ("d", 0.9))}
    first = [scored(m, s) for m, s in runs.items()]
    same = [scored(m, s, rule="aula") for m, s in runs.items()]
    made = correlate(points_of(of_runs([*first, *same], "models"), "models"))
    assert found(made, "pearson_corrected", *made.points.names).value is None
    assert "from the same items" in found(made, "pearson_corrected", *made.points.names).why
    other = [scored(m, s, rule="aula", sha="xyz") for m, s in runs.items()]
    made = correlate(points_of(of_runs([*first, *other], "models"), "models"))
    corrected = found(made, "pearson_corrected", *made.points.names)
    assert corrected.value > 1 and "above 1" in corrected.why  # and not cut


def test_clusters_are_never_parted():
    """Two writers with the same five answers: halves are the writers and agree wholly; items do not."""
    found = {}
    for cluster in ("writer", ""):
        runs = []
        for m, wins in (("a", 1), ("b", 2), ("c", 4)):
            records = [
                Record(
                    f"p{i}", {"more": float(i % 5 < wins), "less": 0.5}, {},
                    f"{cluster} {i // 5}" if cluster else "",
                )
                for i in range(10)
            ]  # fmt: skip
            runs.append(run(m, 20.0 * wins, records=records))
        points = points_of([*of_runs(runs, "models"), *values("f1", a=1, b=2, c=4)], "models")
        found[cluster] = reliability(points, 0).value
    assert found["writer"] == 1
    assert found[""] < 0.99


@pytest.mark.parametrize(
    ("card", "less"),
    [
        ({"ties": "loss"}, 1.0),  # ties and losses: none is a win
        ({"rule": "pll_shared", "convention": "nangia2020"}, 0.9999),  # ties to three decimals
    ],
)
def test_halves_count_ties_and_round_as_the_run_did(card, less):
    """Else the first `wins` of eight would be wins, or half of one, and no half alike for all three."""
    runs = []
    for m, wins in (("a", 1), ("b", 4), ("c", 7)):
        records = [
            Record(f"p{i}", {"more": 1.0, "less": less if i < wins else 1.0 + ("ties" in card)}, {})
            for i in range(8)
        ]
        runs.append(run(m, 50.0, records=records, **card))
    points = points_of([*of_runs(runs, "models"), *values("f1", a=1, b=2, c=4)], "models")
    assert "all values on one side are equal" in reliability(points, 0).why
