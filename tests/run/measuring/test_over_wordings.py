"""Numbers over items in several wordings: against tables made by hand."""

import numpy as np
import pytest

from tiltmeter.core.estimates import Inference, Meaning
from tiltmeter.core.measures import Contrast, Measure
from tiltmeter.core.records import Record
from tiltmeter.metrics import labels
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.run.measuring.columns import columns_of
from tiltmeter.run.measuring.estimates import estimates
from tiltmeter.stats.confidence_intervals.crossed_means import over_levels
from tiltmeter.stats.confidence_intervals.intervals import wilson
from tiltmeter.stats.regression.variance_components import variance_components

NAMES = ("standard", "brief", "formal", "letter", "list")
RATE = Measure("rate", labels.rate, ("flag",), "%", 50.0, mean_of=None)


def records(flags, *, repeats=1, clusters=None, group=lambda _: "a"):
    """Records of a table of items × wordings, ids as a run makes them."""
    for i, row in enumerate(flags):
        for name, flag in zip(NAMES, row, strict=False):
            item = f"q{i}" if name == NAMES[0] else f"q{i}@{name}"
            cluster = f"q{i}" if clusters is None else f"t{i % clusters}"
            for k in range(repeats):
                value = flag if repeats == 1 else flag[k]
                groups = {"wording": name, "group": group(i)}
                yield Record(item, {"flag": float(value)}, groups, cluster).as_repeat(k)


def measured(flags, measures=(RATE,), **how):
    return list(
        estimates(measures, columns_of(records(flags, **how), ["flag", "repeat"]), "half", 0)
    )


def table(items=20, wordings=5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.random((items, wordings)) < rng.random((items, 1))


def test_five_wordings_have_two_lines_and_a_value_each():
    flags = table()
    whole, like_these, *each = (e for e in measured(flags) if "source" not in e.groups)
    assert (whole.name, like_these.name) == ("rate", "rate_over_wordings")
    assert like_these.value == whole.value == 100 * flags.mean()
    assert {e.groups["wording"]: e.value for e in each} == dict(
        zip(NAMES, 100 * flags.mean(axis=0), strict=True)
    )
    expected = over_levels(whole.value, (whole.low, whole.high), 100 * flags.mean(axis=0), (0, 100))
    assert (like_these.low, like_these.high) == pytest.approx(expected)
    assert like_these.low < whole.low < whole.high < like_these.high
    assert like_these.why == "it rests on 5 wordings" and like_these.clusters == 5
    meaning = like_these.meaning
    assert (meaning.variant_of, meaning.title) == ("rate", "Rate, wordings like these")


def test_wordings_that_agree_narrow_no_interval():
    """As 20 items: copies are no further sample."""
    flags = np.repeat(np.arange(20) % 3 == 0, 5).reshape(20, 5)
    whole = next(iter(measured(flags)))
    assert (whole.low, whole.high) == pytest.approx([100 * end for end in wilson(7, 20)])


def test_four_wordings_have_no_interval_and_one_has_no_line():
    e = next(e for e in measured(table(wordings=4)) if e.name == "rate_over_wordings")
    assert (e.low, e.high) == (None, None) and e.value is not None
    assert e.why == "no interval: it takes 5 wordings, and there are 4"
    assert [e.name for e in measured(table(wordings=1))] == ["rate"]


def test_an_axis_of_that_name_in_a_file_is_no_crossing():
    rows = [Record(f"q{i}", {"flag": 1.0}, {"wording": NAMES[i % 5]}) for i in range(20)]
    assert [e.name for e in estimates([RATE], columns_of(rows, ["flag"]), "half", 0)] == ["rate"]


def test_numbers_without_limits_or_an_interval_say_so():
    def mean(column):
        return float(np.mean(column))

    loss = Measure("loss", mean, ("flag",), "nats", None)
    bare = Measure("bare", mean, ("flag",), "%", None, infer=infer_nothing)
    reasons = {e.name: e.why for e in measured(table(), (loss, bare)) if not e.groups}
    assert "its values have no limits" in reasons["loss_over_wordings"]
    assert reasons["bare_over_wordings"] == "no interval: there is none over items"


def test_variants_bounds_and_sizes_have_no_such_line():
    def spread(column):
        return float(np.std(column))

    measures = [
        Measure(name, spread, ("flag",), "%", None, meaning=meaning, infer=infer_nothing)
        for name, meaning in (
            ("variant", Meaning(variant_of="rate")), ("bound", Meaning(bounds="rate")),
            ("size", Meaning(magnitude=True)),
        )
    ]  # fmt: skip
    assert not [e for e in measured(table(), measures) if e.name.endswith("_over_wordings")]


def test_a_number_that_is_no_mean_over_rows_needs_to_be_about_its_mean_over_wordings():
    def root(column):
        return 100 * float(np.mean(column)) ** 0.5

    flags = table()
    for half, has_interval in ((40.0, True), (0.5, False)):
        m = Measure("root", root, ("flag",), "%", None,
                    infer=lambda s, half=half: Inference(s.value - half, s.value + half))  # fmt: skip
        e = next(e for e in measured(flags, [m]) if e.name == "root_over_wordings")
        assert e.value == pytest.approx((100 * flags.mean(axis=0) ** 0.5).mean())
        assert (e.low is not None) == has_interval
    assert (
        e.why
        == f"no interval: it is no mean over answers, and in single wordings {e.value:.4g} on average"
    )


def test_the_ratio_of_an_extreme_to_another_has_no_such_line():
    def lowest(column):
        return float(np.mean(column))

    m = Measure("ratio", lowest, ("flag",), "", 1.0, meaning=Meaning(least=0.0, most=1.0),
                infer=lambda _: Inference(0.0, 1.0))  # fmt: skip
    assert not [e for e in measured(table(), [m]) if e.name.endswith("_over_wordings")]


def test_a_contrast_has_each_wording_and_wordings_like_these():
    def by(sample):
        a, b = (100 * float(np.mean(side[0])) for side in (sample.sides.a, sample.sides.b))
        return a - b, Inference(a - b - 5, a - b + 5)

    m = Measure(
        "gap", labels.rate, ("flag",), "percentage points", 0.0, contrast=Contrast("group", by)
    )
    flags = table()
    estimated = measured(flags, [m], group=lambda i: "ab"[i % 2])
    apart = 100 * (flags[::2].mean(axis=0) - flags[1::2].mean(axis=0))
    each = {e.groups["wording"]: e.value for e in estimated if "wording" in e.groups}
    assert each == pytest.approx(dict(zip(NAMES, apart, strict=True)))
    (other,) = (e for e in estimated if e.name == "gap_over_wordings")
    assert other.groups == {"group": "a − b"} and other.value == pytest.approx(apart.mean())
    assert other.high - other.low > 20


def shares(flags, **how):
    return {
        e.groups["source"]: e for e in measured(flags, **how) if e.name == "rate_variance_share"
    }


def test_shares_of_variance_are_those_of_the_components():
    flags = table(30, 5, seed=3)
    found = shares(flags)
    items, wordings = (axis.ravel() for axis in np.indices(flags.shape))
    true = variance_components(100.0 * flags.ravel(), {"item": items, "wording": wordings})
    assert list(found) == ["item", "wording", "item × wording and repeat"]
    assert found["item"].value == pytest.approx(100 * true.by_factor["item"] / true.total)
    wording = found["wording"]
    assert wording.value == max(0.0, 100 * true.by_factor["wording"] / true.total)
    assert wording.low is not None or "below 0" in wording.why


def test_repeats_tell_chance_from_items_in_wordings_and_clusters_are_a_source():
    rng = np.random.default_rng(1)
    flags = rng.random((24, 5, 3)) < rng.random((24, 5, 1))
    assert list(shares(flags, repeats=3)) == ["item", "wording", "item × wording", "repeat"]
    assert list(shares(flags, repeats=3, clusters=6)) == [
        "cluster", "item", "wording", "cluster × wording", "item × wording", "repeat",
    ]  # fmt: skip


def test_three_wordings_have_shares_without_an_interval():
    wording = shares(table(30, 3, seed=3))["wording"]
    assert wording.low is None and "there are 3 wordings, and it takes 5" in wording.why


def test_equal_answers_have_no_variance_to_share():
    assert shares(np.ones((6, 5))) == {}
