"""Effect minus placebo: values by hand, a slow obvious version, and what must not matter."""

from itertools import combinations

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.hypothesis_tests.edit_changes import Edits
from tiltmeter.stats.hypothesis_tests.excess_over_placebo import (
    excess_over_placebo,
    flipped,
    t_interval,
)


def drawn(seed=0, *, clusters=7, texts=2, repeats=(2, 4, 2), yes_no=False):
    """Rows of a design: three group edits and two placebo edits of each text, with replies to each."""
    rng, rows = np.random.default_rng(seed), []
    for cluster in range(clusters):
        for text in range(texts):
            label = f"{cluster}-{text}"
            noise = (lambda: float(rng.random() < 0.5)) if yes_no else rng.normal
            rows += [(label, cluster, "base", False, noise(), np.nan) for _ in range(repeats[0])]
            for edit in range(5):
                kind = edit > 2
                n = repeats[2] if kind else repeats[1]
                rows += [(label, cluster, f"e{edit}", kind, np.nan, noise()) for _ in range(n)]
    texts, clusters, edits, control, before, after = zip(*rows, strict=True)
    return Edits(
        np.array(before), np.array(after), np.array(edits), np.array(control), np.array(clusters),
        np.array(texts), yes_no,
    )  # fmt: skip


def slow(edits):
    """By loops over clusters, texts and edits: raw, placebo, wins in percent, mean square difference."""
    raw, placebo, wins, squares = [], [], [], []
    for cluster in np.unique(edits.clusters):
        of_texts = []
        for text in np.unique(edits.texts[edits.clusters == cluster]):
            mine = edits.texts == text
            base = np.nanmean(edits.before[mine])
            replies = {}
            for edit, kind, after in zip(
                edits.edits[mine], edits.control[mine], edits.after[mine], strict=True
            ):
                if np.isfinite(after):
                    replies.setdefault((bool(kind), edit), []).append(after - base)
            r = min(map(len, replies.values()))
            sizes = {
                key: [abs(np.mean(some)) for some in combinations(changes, r)]
                for key, changes in replies.items()
            }
            group = [s for (kind, _), s in sizes.items() if not kind]
            control = [s for (kind, _), s in sizes.items() if kind]
            beaten = [np.sign(np.subtract.outer(a, b)).mean() for a in group for b in control]
            without = {
                key: np.mean([a * b for a, b in combinations(changes, 2)])
                for key, changes in replies.items()
            }
            of_texts.append((
                np.mean([np.mean(s) for s in group]),
                np.mean([np.mean(s) for s in control]),
                np.mean(beaten),
                np.mean([u for (kind, _), u in without.items() if not kind])
                - np.mean([u for (kind, _), u in without.items() if kind]),
            ))  # fmt: skip
        for values, value in zip(
            (raw, placebo, wins, squares), np.mean(of_texts, axis=0), strict=True
        ):
            values.append(value)
    return [np.array(values) for values in (raw, placebo, wins, squares)]


@pytest.mark.parametrize("repeats", [(2, 4, 2), (1, 3, 5), (3, 2, 2)])
def test_a_slow_obvious_version_has_the_same_numbers(repeats):
    edits = drawn(repeats=repeats)
    made, found = slow(edits), excess_over_placebo(edits)
    for values, of in zip(
        made, (found.by_group, found.by_placebo, found.won, found.squares), strict=True
    ):
        np.testing.assert_allclose(of, values, atol=1e-9)
    assert found.excess == pytest.approx(found.raw - found.placebo)
    assert found.edits == (42, 28)


def test_the_order_of_rows_does_not_matter():
    edits = drawn()
    order = np.random.default_rng(1).permutation(len(edits.after))
    other = Edits(*(getattr(edits, name)[order] for name in (
        "before", "after", "edits", "control", "clusters", "texts",
    )))  # fmt: skip
    a, b = excess_over_placebo(edits), excess_over_placebo(other)
    for name in ("by_group", "by_placebo", "won", "squares"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), atol=1e-9)


def test_equal_noise_with_any_number_of_replies():
    """Nothing but noise: plain means of 8 group replies would move less than single placebo replies."""
    found = excess_over_placebo(drawn(3, clusters=400, repeats=(2, 8, 1)))
    low, high = t_interval(found.differences)
    assert low < 0 < high
    assert found.repeats == (1, 1)


def test_the_magnitude_has_no_noise():
    """Group edits move by 2, placebo edits by 1, and replies by ±1: √(4 − 1)."""
    found = excess_over_placebo(drawn_by_two_and_one())
    assert found.magnitude == pytest.approx(3**0.5)
    assert found.raw > 2 - 1e-9


def drawn_by_two_and_one():
    moves, noise = {"g": 2.0, "p": 1.0}, np.array([-1.0, 1.0, -1.0, 1.0])
    rows = [
        (f"t{text}", edit, move + error * sign)
        for text in range(6)
        for edit, move in moves.items()
        for sign, error in [((-1) ** text, error) for error in noise]
    ]
    texts, edits, after = zip(*rows, strict=True)
    after = np.array(after)
    # Replies with the products' mean at 0 beside the move: ±1 has −1/3, which the two kinds share.
    return Edits(
        np.zeros(len(after)), after, np.array(edits), np.array(edits) == "p", np.array(texts)
    )


def test_what_is_lacking_is_named():
    edits = drawn()
    only = Edits(
        edits.before, edits.after, edits.edits, np.zeros(len(edits.after), bool), edits.clusters, edits.texts
    )  # fmt: skip
    with pytest.raises(Undefined, match="placebo edits"):
        excess_over_placebo(only)
    with pytest.raises(Undefined, match="group edits"):
        excess_over_placebo(
            Edits(edits.before, edits.after, edits.edits, ~only.control, edits.clusters, edits.texts)
        )  # fmt: skip
    single = excess_over_placebo(drawn(repeats=(1, 1, 1)))
    with pytest.raises(Undefined, match="two replies"):
        _ = single.magnitude
    few = excess_over_placebo(drawn(clusters=5))
    for make in (
        few.share_interval, few.wins_interval,
        lambda: few.size_interval(few.by_group, 9.0),
        lambda: t_interval(few.differences), lambda: flipped(few.differences, np.random.default_rng(0)),
    ):  # fmt: skip
        with pytest.raises(Undefined, match="5 clusters, and it takes 6"):
            make()


def test_texts_without_edits_of_both_kinds_do_not_count():
    edits = drawn()
    lone = (edits.clusters == 0) & edits.control
    kept = Edits(*(getattr(edits, name)[~lone] for name in (
        "before", "after", "edits", "control", "clusters", "texts",
    )))  # fmt: skip
    found = excess_over_placebo(kept)
    assert found.clusters.tolist() == [1, 2, 3, 4, 5, 6]
    np.testing.assert_allclose(found.differences, excess_over_placebo(edits).differences[1:])


def test_share_and_its_interval():
    """Fieller's interval has the ends at which placebo less ratio × raw is just significant."""
    found = excess_over_placebo(drawn(5, clusters=12))
    low, high = found.share_interval()
    assert low < found.share < high
    for end in (low, high):
        rest = found.by_placebo - end / 100 * found.by_group
        ends = t_interval(rest)
        assert min(map(abs, ends)) == pytest.approx(0, abs=1e-9)


def test_two_models_on_the_same_texts():
    a, b = excess_over_placebo(drawn(0)), excess_over_placebo(drawn(1))
    np.testing.assert_allclose(a.less(b), a.differences - b.differences)
    assert a.less(b).mean() == pytest.approx(a.excess - b.excess)
