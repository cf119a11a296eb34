"""Estimates are computed from columns; here they are once more, by loops over records."""

import zlib
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.measures import EVERY, Measure
from tiltmeter.core.records import Record
from tiltmeter.core.results import Note
from tiltmeter.core.samples import Sample
from tiltmeter.metrics.default_inference import bootstrapped, infer_nothing
from tiltmeter.run.measuring.columns import columns_of
from tiltmeter.run.measuring.estimates import LEAST_ITEMS, MOST_GROUPS, axes_left_out, estimates
from tiltmeter.studies import crows_pairs, stereoset

SIDES = ("stereotype", "anti_stereotype", "unrelated")


def slowly(measures, records, ties, seed):
    """What each estimate is named, counted from and worth: record by record."""
    named = {axis for m in measures for axes in m.over for axis in axes}
    for m in measures:
        if m.clustered and not any(r.cluster for r in records):
            continue
        for axes in m.over:
            for crossing in others(records, named) if axes == EVERY else [axes]:
                inside = [r for r in records if all(a in r.groups for a in crossing)]
                keys = sorted({tuple(r.groups[a] for a in crossing) for r in inside})
                one = any(len({key[i] for key in keys}) == 1 for i in range(len(crossing)))
                if one and len(crossing) > 1:
                    continue
                for key in keys:
                    members = [r for r in inside if tuple(r.groups[a] for a in crossing) == key]
                    groups = dict(zip(crossing, key, strict=True))
                    yield computed(m, members, groups, ties, seed)


def others(records, named):
    for axis in sorted({a for r in records for a in r.groups} - named):
        labels = [r.groups[axis] for r in records if axis in r.groups]
        kinds = len(set(labels))
        if 1 < kinds <= MOST_GROUPS and len(labels) >= LEAST_ITEMS * kinds:
            yield (axis,)


def computed(m, records, groups, ties, seed):
    rng = np.random.default_rng([seed, zlib.crc32(m.name.encode())])
    metric = partial(m.metric, ties=ties) if m.uses_ties else m.metric
    value, sure, why = None, Inference(None, None), ""
    try:
        read = [by_loop(name, records) for name in m.columns]
        clusters = np.array([f"c {r.cluster}" if r.cluster else f"i {r.item}" for r in records])
        value = metric(*read)
        sure = (m.infer or bootstrapped)(Sample(metric, read, clusters, rng))
        why = sure.why
        least, most = {"%": (0, 100), "% of the score": (-100, 100)}[m.unit]
        least = max(least, least if m.meaning.least is None else m.meaning.least)
        if sure.low is not None:
            sure = sure._replace(low=max(sure.low, least), high=min(sure.high, most))
    except Undefined as undefined:
        why = str(undefined) if value is None else f"no interval: {undefined}"
    tied = sum(any(r.scores[a] == r.scores[b] for a, b in compared_in(m, r)) for r in records)
    n = len(records) if value is None else sum(rests_on(m.name, r.scores) for r in records)
    return (m.name, groups, value, sure.low, sure.high, sure.p, n, tied, why)


def compared_in(m, record):
    """Which scores a measure compares."""
    stereotype, anti, unrelated = SIDES
    known = {"ss": [(stereotype, anti)], "lms": [(stereotype, unrelated), (anti, unrelated)]}
    every = [name for name in record.scores if not name.startswith("tokens_")]
    return known.get(m.name, list(combinations(every, 2)))


def rests_on(measure, scores):
    """Whether a measure's value rests on an item: medians rest on one side's wins."""
    return {
        "median_confidence_more": lambda: scores["more"] > scores["less"],
        "median_confidence_less": lambda: scores["more"] < scores["less"],
        "confidence_gap": lambda: scores["more"] != scores["less"],
    }.get(measure, lambda: True)()


def by_loop(name, records):
    if name in records[0].scores:
        return np.array([r.scores[name] for r in records])
    if any(name not in r.groups for r in records):
        raise Undefined(f"some items have no {name}")
    return np.array([r.groups[name] for r in records])


def as_told(e):
    return (e.name, e.groups, e.value, e.low, e.high, e.p, e.n, e.tied, e.why)


def made(study, n, seed, *, clusters):
    """Records with ties, some of them without a category or a region."""
    rng = np.random.default_rng(seed)
    names = ("more", "less") if study is crows_pairs else SIDES
    axes = {"bias_type": "age race gender", "direction": "stereo antistereo", "region": "n s",
            "check": "passed flagged", "task": "inter intra", "domain": "age", "target": "a b c é 😀",
            "writer": " ".join(map(str, range(n)))}  # fmt: skip
    for i in range(n):
        scores = {name: -float(rng.integers(1, 6)) / 2 for name in names}
        groups = {axis: str(rng.choice(labels.split())) for axis, labels in axes.items()
                  if axis != "region" or rng.random() < 0.9}  # fmt: skip
        if study is crows_pairs and rng.random() < clusters / 20:
            del groups["bias_type"]
        cluster = str(rng.choice(["", "u", "É", "z", "aa"])) if clusters else ""
        yield Record(f"{i * 7 % n}", {**scores, "tokens_more": 3.0}, groups, cluster)


@pytest.mark.parametrize("study", [crows_pairs, stereoset], ids=lambda s: s.STUDY.name)
@pytest.mark.parametrize("clusters", [0, 1])
@pytest.mark.parametrize("n", [1, 7, 90])
def test_equal_to_the_loops_to_the_last_bit(study, clusters, n):
    records, measures = list(made(study, n, 3, clusters=clusters)), study.STUDY.measures
    names = {name for m in measures for name in m.columns}
    found = [as_told(e) for e in estimates(measures, columns_of(records, names), "half", 5)]
    assert found == list(slowly(measures, records, "half", 5))
    assert len(found) > n / 10


@given(st.permutations(range(40)))
def test_the_order_of_the_records_changes_no_estimate(order):
    records = list(made(crows_pairs, 40, 1, clusters=1))
    rates = [m for m in crows_pairs.STUDY.measures if "rate" in m.name]

    def of(some):
        table = columns_of(some, ["more", "less", "bias_type"])
        return [as_told(e) for e in estimates(rates, table, "half", 0)]

    for one, other in zip(of(records), of([records[i] for i in order]), strict=True):
        assert one[:2] == other[:2]
        assert one[2:6] == pytest.approx(other[2:6])
        assert one[6:] == other[6:]


def test_scores_are_compared_as_rounded_and_ties_counted_so():
    one = Record("1", {"more": -1.0004, "less": -1.0, "tokens_more": 2.0, "tokens_less": 2.0}, {})
    other = replace(one, item="2", scores={"more": -1.0004, "less": -2.0})
    assert columns_of([one, other], ["more"]).tied.tolist() == [False, False]
    rounded = columns_of([one, other], ["more", "less"], decimals=3)
    assert rounded.tied.tolist() == [True, False]
    assert rounded.column("more", slice(None)).tolist() == [-1.0, -1.0]


def of_axis(labels):
    """The rate by an axis of the user's own, and the notes on what has none."""
    rng = np.random.default_rng(0)
    records = [
        Record(f"{i}", {"more": float(rng.normal()), "less": 0.0}, {"home_town": label})
        for i, label in enumerate(labels)
    ]
    table = columns_of(records, ["more", "less"])
    measures = crows_pairs.STUDY.measures[:1]
    found = [e for e in estimates(measures, table, "half", 0) if e.groups]
    return found, axes_left_out(measures, table)


def test_a_small_axis_of_the_users_own_is_shown_with_wide_intervals():
    found, notes = of_axis(["north", "north", "south", "south"])
    assert [(e.groups["home_town"], e.n) for e in found] == [("north", 2), ("south", 2)]
    assert all(e.high - e.low > 60 for e in found)
    assert notes == []


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        ([f"t{i}" for i in range(8)], "it has 8 values for 8 items, so most occur only once"),
        (
            [f"t{i // 3}" for i in range(123)],
            "it has 41 values; axes with more than 40 are not reported",
        ),
    ],
)
def test_an_axis_that_is_not_shown_says_why(labels, why):
    found, notes = of_axis(labels)
    assert found == []
    assert notes == [Note("axes", f"No results by home town: {why}.")]


def test_one_value_for_all_is_no_axis():
    assert of_axis(["north"] * 5) == ([], [])


def test_a_measure_that_counts_some_items_is_as_if_there_were_no_others():
    records = list(made(crows_pairs, 90, 2, clusters=0))
    (rate, *_) = crows_pairs.STUDY.measures
    some = {"region": "n", "direction": ("stereo", "other"), "tokens_more": 3.0}
    narrow = replace(rate, where=some, over=((), ("check",)))
    of_them = [
        r for r in records if r.groups.get("region") == "n" and r.groups["direction"] == "stereo"
    ]
    names = {*narrow.reads}
    assert {"more", "less", "region", "tokens_more"} <= names
    found = [as_told(e) for e in estimates([narrow], columns_of(records, names), "half", 5)]
    plain = replace(narrow, where={})
    assert found == [as_told(e) for e in estimates([plain], columns_of(of_them, names), "half", 5)]
    assert found[0][6] == len(of_them) < len(records)


def test_a_measure_of_each_axis_gets_its_labels_of_the_items_that_have_them():
    groups = [{"town": "a", "job": "x"}, {"town": "b", "job": "x"}, {"town": "b"}, {"job": "y"}] * 2
    records = [Record(f"{i}", {"more": float(i)}, g) for i, g in enumerate(groups)]
    labels = Measure(
        "labels", lambda axis: len({*axis}) + len(axis) / 10, ("*",), "", neutral=None,
        over=((), ("job",)), at={"axis": "*"}, infer=infer_nothing,
    )  # fmt: skip
    found = estimates([labels], columns_of(records, ["more"]), "half", 0)
    assert [(e.groups, e.value) for e in found] == [
        ({"axis": "town"}, 2.6), ({"job": "x", "axis": "town"}, 2.4)
    ]  # fmt: skip


def test_a_measure_that_counts_no_item_has_no_value_and_says_why():
    records = list(made(crows_pairs, 9, 2, clusters=0))
    (rate, *_) = crows_pairs.STUDY.measures
    for where in ({"region": "west"}, {"continent": "Asia"}, {"tokens_more": 4.0}):
        nothing = replace(rate, where=where, over=((), ("check",)))
        (one,) = estimates([nothing], columns_of(records, nothing.reads), "half", 5)
        assert (one.value, one.n, one.why) == (None, 0, "there are no pairs")


def test_what_is_resampled_is_the_widest_axis_that_varies():
    """Of all items kinds, of one kind wordings, of one wording the items."""
    places = [(kind, wording) for kind in "ab" for wording in "xyz" for _ in range(4)]
    records = [
        Record(f"{i}", {"more": 0.0}, {"kind": kind, "wording": wording})
        for i, (kind, wording) in enumerate(places)
    ]
    columns = columns_of(records, ["more"])
    whole = columns.units(("kind", "wording"), slice(None))
    assert len({*whole[:12]}) == len({*whole[12:]}) == 1 and whole[0] != whole[12]
    of_kind = columns.units(("kind", "wording"), np.arange(12))
    assert of_kind.tolist() == [0] * 4 + [1] * 4 + [2] * 4
    assert len({*columns.units(("kind", "wording", "absent"), np.arange(4)).tolist()}) == 4
    seen = []
    spread = Measure(
        "spread", np.mean, ("more",), "", None, over=((), ("kind",)), units=("kind", "wording"),
        infer=lambda sample: seen.append(len({*sample.clusters.tolist()})) or Inference(None, None),
    )  # fmt: skip
    assert len([*estimates([spread], columns, "half", 0)]) == 3 and seen == [2, 3, 3]
