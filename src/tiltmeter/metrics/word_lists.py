"""How much an association test depends on its words: other lists, and the test without one of its words.

Effects are those of `association.effect_size`. A word may have several texts, such as sentences; it is left
out with all of them.
"""

from collections.abc import Callable, Sequence

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import Sample, as_labels, as_numbers, uncertainty
from tiltmeter.core.types import Array, Column, Integers, Labels
from tiltmeter.metrics.association import effect_size
from tiltmeter.metrics.effects import FEWEST, infer_effect_size, infer_effect_size_clustered
from tiltmeter.stats.confidence_intervals.intervals import student
from tiltmeter.stats.resampling.bootstrap import clustered, count_of_clusters
from tiltmeter.stats.resampling.jackknife import jackknife_error

SETS = ("X", "Y", "A", "B")


def effects_without_words(
    cosines: tuple[Array, Array], side: Labels, words: tuple[Labels, Labels, Labels]
) -> tuple[float, tuple[Array, Array, Array]]:
    """The effect size of a test, and for each text what it is without the text's word.

    Args:
        cosines: Of each target with each text of A, shape (n, texts of A), and of B.
        side: "X" or "Y" for each target, shape (n,).
        words: The word of each target, of each text of A, and of each text of B.

    Returns:
        The effect size; then effect sizes without the word of each target, of each text of A, and of B. NaN
        where the word is the last of its set.

    Raises:
        Undefined: As `effect_size`.

    >>> a, b = np.array([[1.0, 0.8], [0.2, 0.4]]), np.zeros((2, 1))
    >>> side, words = np.array(["X", "Y"]), [np.array(w) for w in (["he", "she"], ["job", "pay"], ["home"])]
    >>> effect, (_, without, last) = effects_without_words((a, b), side, tuple(words))
    >>> [round(float(e), 2) for e in (effect, *without, *last)]  # two values are √2 apart
    [1.41, 1.41, 1.41, nan]
    """
    of_a, of_b = cosines
    s = of_a.mean(axis=1) - of_b.mean(axis=1)

    def without_target(word: str) -> float:
        kept = words[0] != word
        return effect_size(s[kept], side[kept])

    def without_attribute(word: str, at: int) -> float:
        kept = words[1 + at] != word
        means = [both[:, kept if i == at else slice(None)] for i, both in enumerate(cosines)]
        if not kept.any():
            raise Undefined("it is the last word of its set")
        return effect_size(means[0].mean(axis=1) - means[1].mean(axis=1), side)

    return effect_size(s, side), (
        _of_each(words[0], without_target),
        _of_each(words[1], lambda word: without_attribute(word, 0)),
        _of_each(words[2], lambda word: without_attribute(word, 1)),
    )


def _of_each(words: Labels, effect: Callable[[str], float]) -> Array:
    found: dict[str, float] = {}
    for word in dict.fromkeys(words.tolist()):
        try:
            found[word] = effect(word)
        except Undefined:
            found[word] = np.nan
    return np.array([found[word] for word in words.tolist()])


def effect_of_words(effect: Array, without: Array, side: Labels, cluster: Integers) -> float:
    """The effect size of a test whose words are a sample; each row of a word has the test's effect size.

    >>> effect_of_words(np.array([0.5, 0.5]), np.array([0.4, 0.6]), np.array(["X", "Y"]), np.arange(2))
    0.5
    """
    del without, side, cluster
    return float(effect[0])


def infer_effect_of_words(sample: Sample) -> Inference:
    """Student's t with a jackknife over the words of all four sets, for `effect_of_words`; no test.

    The interval is for the effect that endlessly many words like these would have: that of few words is
    nearer to 0, since their own noise is in the standard deviation by which it is divided. The degrees of
    freedom are those of the smallest set.
    """
    effect, without = as_numbers(sample.columns[:2])
    side = as_labels([sample.columns[2]])[0]
    by_set = [_by_word(without, side == name, sample.columns[3]) for name in SETS]
    fewest = min(map(len, by_set))

    def interval() -> tuple[float, float, str]:
        if fewest < FEWEST:
            raise Undefined(
                f"a set has fewer than {FEWEST} words, which show too little of how they vary"
            )
        error = float(np.sqrt(sum(jackknife_error(values) ** 2 for values in by_set)))
        # In simulations with few targets and many attributes, 92 of 100 intervals were right without this.
        error *= (fewest / (fewest - 1)) ** 0.5
        low, high, _ = student(float(effect[0]), error, fewest - 1)
        x = float((side == "X").sum() / np.isin(side, ("X", "Y")).sum())
        most = float(1 / np.sqrt(x * (1 - x)))  # no effect is larger
        return max(low, -most), min(high, most), "jackknife over the words of all sets, Student’s t"

    return uncertainty(interval)


def _by_word(without: Array, rows: Array, cluster: Column) -> Array:
    """One effect for each word of a set; its texts all have the same."""
    kept = np.asarray(rows, dtype=np.bool_) & np.isfinite(without)
    codes, k = clustered(np.asarray(cluster, dtype=np.int64)[kept])
    values = np.empty(k)
    values[codes] = without[kept]
    return values


def infer_effect_of_list(sample: Sample) -> Inference:
    """The interval of an effect size for other targets, by words where they have several texts; no test."""
    if count_of_clusters(sample.clusters) < len(sample.clusters):
        return infer_effect_size_clustered(sample, tested=False)
    return infer_effect_size(sample, tested=False)


def words_counted(columns: Sequence[Column]) -> int:
    """How many words a test has."""
    without, side = as_numbers(columns[1:2])[0], as_labels([columns[2]])[0]
    return sum(len(_by_word(without, side == name, columns[3])) for name in SETS)


def largest_change(effect: Array, without: Array, side: Labels, word: Labels) -> float:
    """By how much leaving out one word changes the effect size most, with its sign.

    >>> effect, words = np.full(3, 0.5), np.array(["he", "she", "art"])
    >>> round(largest_change(effect, np.array([0.4, 0.55, np.nan]), np.array(list("ABX")), words), 2)
    -0.1
    """
    del side, word
    at = _farthest(effect, without)
    return float(without[at] - effect[at])


def name_largest_change(sample: Sample) -> Inference:
    """Which word it is, as a remark; it is no sample, and so has neither interval nor test."""
    effect, without = as_numbers(sample.columns[:2])
    side, word = as_labels(sample.columns[2:4])
    at = _farthest(effect, without)
    return Inference(None, None, why=f"without “{word[at]}” of {side[at]}")


def lowest_without(without: Array) -> float:
    """The lowest effect size of a test without one of its words."""
    return float(_finite(without).min())


def highest_without(without: Array) -> float:
    """The highest effect size of a test without one of its words."""
    return float(_finite(without).max())


def lowest_over_lists(association: Array, side: Labels, of_list: Labels) -> float:
    """The lowest effect size of a test with its own and with other lists.

    >>> s, side = np.array([1.0, 0.0, 0.0, 1.0]), np.array(list("XYXY"))
    >>> round(lowest_over_lists(s, side, np.array(["own", "own", "other", "other"])), 2)
    -1.41
    """
    return float(_over_lists(association, side, of_list).min())


def highest_over_lists(association: Array, side: Labels, of_list: Labels) -> float:
    """The highest effect size of a test with its own and with other lists."""
    return float(_over_lists(association, side, of_list).max())


def lists_counted(columns: Sequence[Column]) -> int:
    """How many lists have an effect size, the test's own among them."""
    return len(_over_lists(as_numbers(columns[:1])[0], *as_labels(columns[1:3])))


def _over_lists(association: Array, side: Labels, of_list: Labels) -> Array:
    effects = []
    for name in dict.fromkeys(of_list.tolist()):
        try:
            effects.append(effect_size(association[of_list == name], side[of_list == name]))
        except Undefined:
            continue
    if not effects:
        raise Undefined("no list has an effect size")
    return np.array(effects)


def _finite(without: Array) -> Array:
    if not np.isfinite(without).any():
        raise Undefined("no word can be left out")
    return without[np.isfinite(without)]


def _farthest(effect: Array, without: Array) -> int:
    if not np.isfinite(without).any():
        raise Undefined("no word can be left out")
    return int(np.nanargmax(np.abs(without - effect)))
