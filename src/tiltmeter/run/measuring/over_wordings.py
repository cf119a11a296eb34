"""Numbers over items crossed with wordings: the mean over wordings like these, and what the variance is from.

A number over items that were each asked in several wordings has two intervals. That of the number itself
is over clusters of items, with all wordings of an item in one cluster: it is about *these* wordings. Beside
it, `like_these` makes a variant about *wordings like these*, for every measure whose values have
limits and that has a value in each wording. `variance_shares` says how much of the variance of single answers
lies between wordings, for measures that are means over rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate, Inference, Meaning, estimated
from tiltmeter.core.measures import Measure, RowValues
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Integers, Labels, Ties
from tiltmeter.core.wordings import AXIS, LIKE_THESE, OF_VARIANCE, SHARES
from tiltmeter.run.measuring.columns import Columns
from tiltmeter.stats.confidence_intervals.crossed_means import (
    FEWEST_LEVELS,
    SURE_LEVELS,
    over_levels,
)
from tiltmeter.stats.regression.variance_components import (
    column_share_interval,
    variance_components,
)
from tiltmeter.stats.resampling.bootstrap import cluster_sums, clustered

INTERVAL = (
    "interval over items joined with Gaffke’s over wordings, half an unseen wording at the limit"
)
SHARE_INTERVAL = "Fisher’s F interval over wordings"
SOURCE = "source"
"""The axis of what the variance is from."""
ORDER = "order"
"""The axis of the order in which options are listed."""
ROUNDING = 1e-9
NEAR = 0.1
"""How far the mean over wordings may be from the number over all of them, as a share of the shorter side of
its interval."""


def has_variant(m: Measure) -> bool:
    """Whether a measure has a number in wordings like these: no variant, bound or count has.

    Nor has a size, or another number whose neutral value is the end of its range, such as the ratio of the
    lowest rate to the highest, unless it is a mean over rows: noise moves it away from that end, and more so
    in single wordings than over all of them.
    """
    described = m.meaning.variant_of or m.meaning.bounds
    is_extreme = m.meaning.magnitude or m.neutral in m.meaning.range(m.unit)
    return not (described or m.at) and (row_values(m) is not None or not is_extreme)


def row_values(m: Measure) -> RowValues | None:
    """What a measure is the mean of over rows; None where it is no such mean."""
    values: RowValues | None = m.mean_of or getattr(m.metric, "mean_of", None)
    return values


def like_these(m: Measure, whole: Estimate, values: Mapping[str, float]) -> list[Estimate]:
    """The number in wordings like these, where it has a value in several.

    Args:
        m: The measure.
        whole: Its estimate over all wordings, with an interval over clusters.
        values: Its value in each wording that has one.
    """
    if whole.value is None or len(values) < 2:  # noqa: PLR2004
        return []
    return [in_other_wordings(whole, values, _meaning(m), of_rows=row_values(m) is not None)]


def in_other_wordings(
    whole: Estimate, by_wording: Mapping[str, float], meaning: Meaning, *, of_rows: bool
) -> Estimate:
    """The mean of a number over wordings like these, as a variant of its estimate over these wordings.

    Args:
        whole: The estimate over all wordings, with an interval over clusters.
        by_wording: The number in each wording that has one.
        meaning: What the number means, whose limits bound other wordings.
        of_rows: Whether it is a mean over rows. Others have an interval only where their mean over wordings
            is about their value over all of them.
    """
    values = np.array([*by_wording.values()])
    value, sure = float(values.mean()), Inference(None, None)
    if whole.value is not None and abs(value - whole.value) <= ROUNDING * max(1.0, abs(value)):
        value = whole.value
    within = meaning.range(whole.unit)
    why = _why_no_interval(whole, len(values), within) or (
        "" if of_rows else _why_no_mean(whole, value)
    )
    if why:
        why = f"no interval: {why}"
    elif whole.value is not None and whole.low is not None and whole.high is not None:
        ends = over_levels(whole.value, (whole.low, whole.high), values, within)
        sure = Inference(*ends, interval=INTERVAL)
        why = f"it rests on {counted(len(values), 'wordings')}" if len(values) < SURE_LEVELS else ""
    return estimated(
        f"{whole.name}{LIKE_THESE}", value, sure, n=whole.n, neutral=whole.neutral, unit=whole.unit,
        why=why, groups=whole.groups, meaning=as_variant(meaning, whole.name), clusters=len(values),
    )  # fmt: skip


def as_variant(meaning: Meaning, of: str) -> Meaning:
    """What the number in wordings like these means, `of` being the name of the number in these."""
    return replace(
        meaning, title=f"{meaning.title}, wordings like these", short="", sentence="", sentence_below="",
        variant_of=of,
    )  # fmt: skip


def _why_no_interval(whole: Estimate, wordings: int, within: tuple[float, float]) -> str:
    if wordings < FEWEST_LEVELS:
        return f"it takes {FEWEST_LEVELS} wordings, and there are {wordings}"
    if not np.isfinite(within).all():
        return "its values have no limits, so nothing bounds what other wordings would give"
    if whole.low is None or whole.high is None:
        return "there is none over items"
    return ""


def _why_no_mean(whole: Estimate, mean: float) -> str:
    """Why the mean of a number over wordings is not about the number over all of them; "" where it is."""
    if whole.value is None or whole.low is None or whole.high is None:
        return ""
    side = min(whole.value - whole.low, whole.high - whole.value)
    if abs(mean - whole.value) <= NEAR * side:
        return ""
    return f"it is no mean over answers, and in single wordings {mean:.4g} on average"


def _meaning(m: Measure) -> Meaning:
    return replace(m.meaning, title=_title(m))


def _title(m: Measure) -> str:
    return m.meaning.title or m.name.replace("_", " ").capitalize()


def variance_shares(m: Measure, columns: Columns, ties: Ties) -> Iterator[Estimate]:
    """Yields the share of the variance of single answers that lies between items, between wordings, ….

    A negative estimate counts in the total and is shown as 0. Nothing is yielded of measures that are no
    means over rows, nor of items in one wording.
    """
    values_of = row_values(m)
    counted = columns.of_measure(m)
    codes, questions = counted.wordings(slice(None)), counted.questions
    if values_of is None or codes is None or questions is None:
        return
    try:
        read = [counted.column(name, slice(None), optional=m.optional) for name in m.columns]
    except Undefined:
        return
    values = values_of.of(read, ties)
    kept = np.flatnonzero(np.isfinite(values))
    values, counted = values[kept], counted.taken(kept)
    codes, questions = codes[kept], questions[kept]
    if len(np.unique(codes)) < 2:  # noqa: PLR2004
        return
    factors = _factors(counted, codes, questions)
    meaning = Meaning(
        f"{_title(m)}{OF_VARIANCE}", role="description",
        counts=m.meaning.counts,
        caution="Of the variance of single answers; estimates below 0 are shown as 0.",
    )  # fmt: skip
    try:
        found = variance_components(values, factors)
    except Undefined as undefined:
        yield estimated(
            f"{m.name}{SHARES}", None, Inference(None, None), n=len(values), neutral=None, unit="%",
            why=str(undefined), groups={SOURCE: AXIS}, meaning=meaning,
        )  # fmt: skip
        return
    rest = _rest_of(counted)
    for source, variance in {**found.by_factor, rest: found.rest}.items():
        share = 100 * variance / found.total
        sure, notes = Inference(None, None), []
        if source == AXIS:
            sure = _share_interval(counted.clusters, codes, values, found.total)
            notes += [sure.why] if sure.why else []
        if share < 0:
            notes.append("the estimate is below 0, which stands for a variance near 0")
        elif sure.high is not None and sure.low is not None and not sure.low <= share <= sure.high:
            sure = Inference(None, None)
        yield estimated(
            f"{m.name}{SHARES}", min(max(share, 0.0), 100.0), sure, n=len(values), neutral=None,
            unit="%", why="; ".join(notes), groups={SOURCE: source}, meaning=meaning,
        )  # fmt: skip


def _factors(columns: Columns, codes: Integers, questions: Integers) -> dict[str, Labels]:
    """What may shift an answer, by name the label of each row."""
    w = int(codes.max()) + 1
    factors: dict[str, Labels] = {"item": questions, AXIS: codes}
    # A cluster of one item, as each is where the data have none, is that item again.
    if len(np.unique(columns.clusters)) < len(np.unique(questions)):
        factors = {"cluster": columns.clusters, **factors}
        factors["cluster × wording"] = columns.clusters * w + codes
    if _is_repeated(columns):
        factors["item × wording"] = questions * w + codes
    order = columns.axes.get(ORDER)
    if order is not None and len(np.unique(order.codes)) > 1:
        factors["option order"] = order.codes.astype(np.int64)
    return factors


def source_labels(clusters: str) -> dict[str, str]:
    """What the sources of variance are called where clusters are, for instance, templates."""
    name = clusters or "cluster"
    return {"cluster": name, "cluster × wording": f"{name} × wording"}


def _rest_of(columns: Columns) -> str:
    """What the rest of the variance is: without repeats, chance and items × wordings cannot be told apart."""
    return "repeat" if _is_repeated(columns) else "item × wording and repeat"


def _is_repeated(columns: Columns) -> bool:
    return columns.items is not None and len(np.unique(columns.items)) < len(columns)


def _share_interval(clusters: Labels, codes: Integers, values: Array, total: float) -> Inference:
    """The interval of the share of the variance between wordings, over clusters that have all of them."""
    wordings = clustered(codes)[1]
    if wordings < FEWEST_LEVELS:
        why = f"no interval: there are {wordings} wordings, and it takes {FEWEST_LEVELS}"
        return Inference(None, None, why=why)
    try:
        cells = cell_means(values, clusters, codes)
        low, high = column_share_interval(cells, total)
    except Undefined as undefined:
        return Inference(None, None, why=f"no interval: {undefined}")
    return Inference(100 * low, 100 * high, interval=SHARE_INTERVAL)


def cell_means(values: Array, clusters: Labels, codes: Labels) -> Array:
    """The mean in each cluster and wording, over the clusters with a value in each; (clusters, wordings)."""
    (at, k), (which, w) = clustered(clusters), clustered(codes)
    cells = at * w + which
    sizes = np.bincount(cells, minlength=k * w).reshape(k, w)
    sums = cluster_sums(values, cells, k * w).reshape(k, w)
    full = (sizes > 0).all(axis=1)
    return np.asarray(sums[full] / sizes[full])


def wordings_of(columns: Columns, rows: Integers) -> Iterator[tuple[str, Integers]]:
    """Yields the name of each wording and its rows among these."""
    codes = columns.wordings(rows)
    if codes is None:
        return
    names: Sequence[str] = columns.axes[AXIS].labels
    for code in np.unique(codes):
        yield names[code], rows[codes == code]
