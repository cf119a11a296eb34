"""Intervals contain the true value, and tests reject, as often as docs/explanation/coverage says."""

import ast
import re
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import tiltmeter
from simulations.cases import (
    NOMINAL,
    concentrated_row,
    coverage,
    least_of_patterns,
    rejections,
    row,
    worst_pattern,
)
from simulations.early_stops import covers, patterns_not_covered, rejects_seldom, shortened
from simulations.held_out import HELD_OUT_CASES, OTHER_CASES, coverage_of, start
from simulations.measures import CONCENTRATED_CASES, PATTERN_CASES
from simulations.table import ALL_CASES, ALL_NULL_CASES
from tiltmeter.core.errors import TiltmeterError
from tiltmeter.core.finder import find, known
from tiltmeter.metrics.default_inference import bootstrapped
from tiltmeter.metrics.paired_difference import compare_resampled
from tiltmeter.stats.confidence_intervals.intervals import difference_interval

DOCS = Path(__file__).parents[2] / "docs" / "explanation"
PAGES = {page.stem: page.read_text("utf-8") for page in sorted((DOCS / "coverage").glob("*.md"))}
TEXT = "\n".join(PAGES.values())
SOURCE = Path(tiltmeter.__file__).parent


def title(case):
    return f"{case.kind}, {case.of}, {case.n}"


of_all_or_some_trials = pytest.mark.parametrize(
    "some",
    [
        pytest.param(True, marks=pytest.mark.slow, id="some trials"),
        pytest.param(False, marks=pytest.mark.long, id="all trials"),
    ],
)


@of_all_or_some_trials
@pytest.mark.parametrize("case", ALL_CASES, ids=title)
def test_the_true_value_is_inside_as_often_as_it_should_be(case, some):
    if some and case.most > MOST_OF_SOME:
        assert covers(case, case.least, seed=1)
        return
    tried, slack = shortened(case) if some else (case, 0)
    assert case.least - slack <= coverage(tried, seed=1) <= case.most + slack


MOST_OF_SOME = 95
"""In percent: coverage may not be higher in few cases, and some trials only show it in those far below."""


def check_patterns(case, some):
    if some:
        assert not [*patterns_not_covered(case, seed=1)]
    else:
        assert worst_pattern(case, seed=1)[0] >= least_of_patterns(case) - 1


@of_all_or_some_trials
@pytest.mark.parametrize("case", PATTERN_CASES, ids=title)
def test_the_true_value_is_inside_whatever_the_pattern(case, some):
    check_patterns(case, some)


@of_all_or_some_trials
@pytest.mark.parametrize("case", ALL_NULL_CASES, ids=title)
def test_no_difference_is_found_as_seldom_as_it_should_be(case, some):
    if some:
        assert rejects_seldom(case, seed=1)
    else:
        assert rejections(case, seed=1) <= case.most


SHARE = r"^(\| .+ \| \d+ \|) ([\d.]+) \|$"
LOWEST_SHARE = r"^(\| .+ \| \d+ \|) ([\d.]+), [a-z ]+ \|$"


def of_a_page(name):
    """What the overview says of both tables of a page: number of intervals, median and lowest coverage."""
    text = PAGES[name].partition("## Tests")[0]
    for pattern in (SHARE, LOWEST_SHARE):
        rows = re.findall(pattern, text, re.MULTILINE)
        found = [float(share) for row, share in rows if "ignoring" not in row]
        yield from (
            [f"{len(found)}", f"{np.median(found):.1f}", f"{min(found):.1f}"] if found else [""] * 3
        )


def test_the_overview_counts_what_the_pages_have():
    text = (DOCS / "intervals.md").read_text("utf-8")
    rows = re.findall(r"^\| \[.+\]\(coverage/(\w+)\.md\) \| (.+) \|$", text, re.MULTILINE)
    assert len(rows) == 6
    for name, cells in rows:
        assert [cell.strip() for cell in cells.split("|")] == [*of_a_page(name)], name


def test_the_page_has_every_simulation_with_a_share_inside_its_bounds():
    found = dict(re.findall(SHARE, TEXT, re.MULTILINE))
    assert set(found) == {row(case) for case in (*ALL_CASES, *ALL_NULL_CASES)}
    for case in ALL_CASES:
        assert case.least <= float(found[row(case)]) <= case.most, title(case)
    for case in ALL_NULL_CASES:
        assert float(found[row(case)]) <= case.most, title(case)
    lowest = dict(re.findall(LOWEST_SHARE, TEXT, re.MULTILINE))
    assert set(lowest) == {row(case) for case in PATTERN_CASES}
    assert len(lowest) == len(PATTERN_CASES)
    for case in PATTERN_CASES:
        assert float(lowest[row(case)]) >= least_of_patterns(case), title(case)


WIDE = {
    "icat": "made of two intervals",
    "mean_absolute_change": "may hide changes of a few clusters",
    "one_sided_rate": "nearly always 100 %",
}
"""Numbers whose intervals are more than twice as wide as ordinary samples need, and why."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [
        case
        for case in PATTERN_CASES
        if case.kind in {"Wilson", "Gaffke", "score interval"}
        and case.n in {"100 alone", "20 clusters of 5", "40 clusters of 5"}
        and case.of not in WIDE
        and "two models" not in case.of
    ],
    ids=title,
)
def test_intervals_of_ordinary_samples_are_not_twice_as_wide_as_need_be(case):
    """As their middles vary from sample to sample: 95 of 100 lie within 1.96 standard deviations."""
    rng = np.random.default_rng(2)
    found = np.array([case.trial("dense", rng)[:2] for _ in range(60)], dtype=float)
    needed = 2 * 1.96 * found.mean(axis=1).std()
    assert np.nanmedian(found[:, 1] - found[:, 0]) <= 2 * needed


CLUSTERS = {
    "single pairs": np.arange,
    "eight clusters of two, others single": lambda n: np.maximum(
        np.arange(n) // 2, np.arange(n) - 8
    ),
    "clusters of two": lambda n: np.arange(n) // 2,
    "clusters of five": lambda n: np.arange(n) // 5,
}


def test_the_page_s_widths_of_paired_differences_are_those_of_the_intervals():
    rows = re.findall(r"^\| ([\d,]+) \| ([a-z, ]+) \| (.+) \|$", TEXT, re.MULTILINE)
    assert len(rows) == 3 * len(CLUSTERS)
    for pairs, clusters, widths in rows:
        labels = CLUSTERS[clusters](int(pairs.replace(",", "")))
        firsts, values = np.flatnonzero(np.diff(labels, prepend=-1)), np.zeros(len(labels))
        for number, width in enumerate(widths.split(" | ")):
            low, high = difference_interval(100 * values, labels, 100)
            assert float(width) == pytest.approx((high - low) / 2, abs=0.051)
            values[firsts[number]] = (-1) ** number


def concentrated():
    """Shares of the page by pattern, by the start of their row."""
    rows = re.findall(r"^(\| .+ \| by pattern \|) (.+) \|$", TEXT, re.MULTILINE)
    return {
        row: [float(share.replace("none", "nan")) for share in shares.split(" | ")]
        for row, shares in rows
    }


def test_intervals_where_few_clusters_stand_out_hold_as_the_page_says():
    """Two standard errors of 200 samples below 93 at the lowest, since five shares are given of each."""
    rows = {concentrated_row(case) for case in CONCENTRATED_CASES}
    assert set(concentrated()) <= rows and len(concentrated()) > 40
    for start_of_row, shares in concentrated().items():
        assert len(shares) == 5, start_of_row
        assert np.nanmin(shares) >= least_of_patterns(CONCENTRATED_CASES[0]), start_of_row


@of_all_or_some_trials
@pytest.mark.parametrize(
    "case", [case for case in CONCENTRATED_CASES if case.kind != "score interval"], ids=title
)
def test_the_true_value_is_inside_where_few_clusters_stand_out(case, some):
    check_patterns(case, some)


def held_out():
    """Shares of the page by the start of their row."""
    text = PAGES["held-out"]
    return {row: float(share) for row, share in re.findall(HELD_OUT_ROW, text, re.MULTILINE)}


HELD_OUT_ROW = r"^(\| .+ \|) (\d+\.\d) \| [\d,]+ \|$"


def test_the_page_has_every_simulation_on_data_held_out():
    assert set(held_out()) == {start(case) for case in (*OTHER_CASES, *HELD_OUT_CASES)}


@pytest.mark.long
@pytest.mark.parametrize("case", [*OTHER_CASES, *HELD_OUT_CASES], ids=title)
def test_data_held_out_are_covered_as_often_as_the_page_says(case):
    assert coverage_of(case)[0] == pytest.approx(held_out()[start(case)], abs=1)


def test_a_simulation_of_too_narrow_an_interval_fails():
    """The bounds can fail: Wilson's interval, which takes clusters for independent pairs."""
    narrow = next(case for case in ALL_CASES if "ignoring" in case.kind)
    proper = next(case for case in ALL_CASES if case.n == narrow.n and case is not narrow)
    assert narrow.most < proper.least < NOMINAL


INTERVALS = {
    "stretched", "percentiles", "wilson", "wilson_clustered", "wilson_effective", "mean_interval",
    "difference_interval",
    "student",
    "student_half_width", "score_interval", "spread_interval", "interval_of_sum", "interval_of_change",
    "standardised_interval", "bootstrap", "paired_bootstrap", "kendall_interval", "correlation_interval",
    "bounded_mean", "over_levels", "column_share_interval",
}  # fmt: skip
"""Functions that make an interval."""
OF_ANALYSES = {
    "active/curves.py": "Student’s t over seeds",
    "analyses/annotations/judgment_shares.py": "shares of a data check",
    "analyses/data_check/label_agreement.py": "means over cells",
    "analyses/data_check/triple_sentiment.py": "shares of a data check",
    "analyses/placebo/effects.py": "wins over placebo",
    "analyses/ratings.py": "means over cells",
    "analyses/validation.py": "stereotype_rate",
    "analyses/items/benchmark_numbers.py": "score intervals of pairs",
    "analyses/seeds/item_intervals.py": "mean of these seeds",
    "analyses/seeds/seed_means.py": "mean of seeds like these",
    "analyses/seeds/set_differences.py": "difference of two sets, paired",
    "analyses/correlate/relations.py": "Pearson’s r",
    "analyses/intersections/similarity.py": "similarity of crossed groups",
    "derived/people/rated_cells.py": "people’s mean of one cell",
    "derived/comparisons/measures_over_models.py": "Spearman’s ρ",
    "derived/comparisons/model_ranks.py": "difference of any other measure",
    "analyses/compare_people/alignment_numbers.py": "kendall_tau with people",
    "derived/people/cell_means.py": "people’s mean of one cell",
    "derived/comparisons/preference_agreement.py": "Cohen’s κ of two models",
    "studies/completions/rule.py": "hypothesis_share",
    "study_families/logged_tasks.py": "hypothesis_share",
    "train/next_sentence.py": "stereotype_rate",
}
"""Modules whose intervals are those of other rows: of which one, in words of the page."""
ASIDE = {
    "metrics/context_association_inference.py": "of a single term, as stereotype_rate",
    "metrics/default_inference.py": "no measure has it: bootstraps of single measures are simulated",
    "metrics/version_spread.py": "how wide an interval of stereotype_rate would be in one version",
    "active/strategies.py": "draws heads and makes no interval",
}
NO_INTERVAL = {
    "infer_nothing", "infer_mean_absolute_effect", "compare_mean_absolute_effects", "contrast_size",
    "contrast_chance", "ratio_by_chance", "bound_of_ratio", "name_largest_change",
}  # fmt: skip
"""Inferences that never have an interval, and say why."""
SAME = {
    ("compare_pseudo_bits", "bits_per_byte"): "compare_bits",
    ("infer_effect_of_list", "effect_size"): "infer_effect_size",
    ("infer_effect_of_list", "combined_effect"): "infer_combined_effect",
}
"""Inferences, by the metric they are of, that only check their columns or leave out the test of others."""


@pytest.fixture(scope="module")
def simulated():
    """Lines of the package that asked for an interval, and inferences with the metrics that they were of."""
    lines, pairs = set(), set()

    def watch(frame, event, _):
        if event != "call":
            return
        code = frame.f_code
        if code.co_name in INTERVALS and frame.f_back is not None:
            lines.add((frame.f_back.f_code.co_filename, frame.f_back.f_lineno))
        if "sample" in code.co_varnames[:2] and "sample" in frame.f_locals:
            pairs.add((code.co_qualname, of(getattr(frame.f_locals["sample"], "metric", None))))
        elif code.co_name == "odds_apart":
            pairs.add(("compare_odds", "equalized_odds"))
        elif code.co_name == "_interval" and "metric" in frame.f_locals:
            pairs.add(("contrast_gap", of(frame.f_locals["metric"])))
            pairs.add(("contrast_area", of(frame.f_locals["metric"])))

    tries = [
        partial(case.trial, np.random.default_rng(0)) for case in (*ALL_CASES, *ALL_NULL_CASES)
    ]
    tries += [partial(c.trial, c.patterns[0].name, np.random.default_rng(0)) for c in PATTERN_CASES]
    before = sys.gettrace()
    sys.settrace(watch)  # only told of calls, since it follows none of them
    try:
        for trial in tries:
            try:
                trial()
            except TiltmeterError:
                continue
    finally:
        sys.settrace(before)
    return lines, pairs


def whole(function):
    """Without the keywords that it was given."""
    return whole(function.func) if isinstance(function, partial) else function


def of(metric):
    plain = whole(metric)
    return getattr(plain, "name", getattr(plain, "__name__", str(plain)))


def inferences(measure):
    """What gives a measure of a study its intervals, without those that give none."""
    if measure.contrast is not None:
        yield measure.contrast.by
    else:
        yield measure.infer or getattr(measure.metric, "infer", bootstrapped)
    if measure.comparison is not None:
        yield measure.comparison.by or getattr(measure.metric, "compare", compare_resampled)


@pytest.mark.slow
def test_every_interval_of_every_study_is_simulated(simulated):
    _, pairs = simulated
    lacking = set()
    for study in known("studies"):
        for measure in find("studies", study, "STUDY").measures:
            for infer in inferences(measure):
                inner = whole(infer)
                name = getattr(inner, "__func__", inner).__qualname__
                if name not in NO_INTERVAL:
                    metric = of(measure.metric)
                    lacking |= {(SAME.get((name, metric), name), metric)} - pairs
    assert lacking == set()


@pytest.mark.slow
def test_every_line_that_makes_an_interval_is_simulated_or_has_a_row(simulated):
    lines, _ = simulated
    assert [where for where, words in OF_ANALYSES.items() if words not in TEXT] == []
    lacking = []
    for file in sorted(SOURCE.rglob("*.py")):
        where, text = file.relative_to(SOURCE).as_posix(), file.read_text("utf-8")
        if where.startswith("stats/") or not any(name in text for name in INTERVALS):
            continue
        for call in ast.walk(ast.parse(text)):
            if not isinstance(call, ast.Call):
                continue
            name = getattr(call.func, "id", getattr(call.func, "attr", ""))
            seen = any(
                path == str(file) and call.lineno <= at <= call.end_lineno for path, at in lines
            )
            if name in INTERVALS and not seen and where not in {*OF_ANALYSES, *ASIDE}:
                lacking.append(f"{where}:{call.lineno} {name}")
    assert lacking == []
