"""Two models on StereoSet: differences a person can derive, and their intervals."""

from dataclasses import replace

import numpy as np
import pytest

from tiltmeter.core.conventions import PAPER
from tiltmeter.core.data.items import Dataset, Triple
from tiltmeter.core.errors import BadInput
from tiltmeter.derived.comparisons.compare import compare
from tiltmeter.metrics.context_association import icat, lms, ss
from tiltmeter.run.measuring.imported_scores import STORED
from tiltmeter.run.measuring.measure import summarise
from tiltmeter.run.planning.choosing import Chosen
from tiltmeter.scoring.contexts import record
from tiltmeter.stats.resampling.bootstrap_intervals import stretched
from tiltmeter.studies.stereoset import STUDY

ITEMS = [
    Triple(f"{term:02}-{i}", "intersentence" if i % 2 else "intrasentence", "A BLANK.",
           ("A x.", "A y.", "A z."), f"term{term}", "job" if term % 3 else "age", ("x", "y", "z"))
    for term in range(14) for i in range(6)
]  # fmt: skip
DATA = Dataset("made up", "1", ITEMS, "made up", "none", sha256="same")


def result(name, scores, items=DATA):
    records = [record(t, row) for t, row in zip(items.items, scores, strict=True)]
    model = {"name": name, "fingerprint": name}
    return summarise(
        STUDY, records, items, chosen=Chosen(STORED, PAPER, "half"), seed=0, model=model
    )


def drawn(seed, lean=0.0):
    scores = np.random.default_rng(seed).normal(size=(len(ITEMS), 3))
    scores[:, 0] += lean
    return scores.tolist()


def only(estimates, name, **groups):
    (found,) = [e for e in estimates if e.name == name and e.groups == groups]
    return found


A, B = result("a", drawn(1, 1.0)), result("b", drawn(2))


@pytest.mark.parametrize(("name", "metric"), [("ss", ss), ("lms", lms), ("icat", icat)])
def test_differences_are_those_of_the_two_results(name, metric):
    found = compare(A, B)
    for groups in ({}, {"task": "intrasentence"}, {"domain": "age"}):
        mine, yours = (only(r.estimates, name, **groups).value for r in (A, B))
        assert only(found, f"{name}_difference", **groups).value == pytest.approx(mine - yours)
    del metric


def test_intervals_draw_the_same_terms_for_both():
    """Against the slow way: resample terms, compute both scores anew, take the difference."""
    columns = []
    for r in (A, B):
        scores = [
            [x.scores[s] for x in r.records] for s in ("stereotype", "anti_stereotype", "unrelated")
        ]
        columns.append([*map(np.array, scores), np.array([x.cluster for x in r.records])])
    rng = np.random.default_rng(0)
    terms = sorted(set(columns[0][3]))
    values = {name: [] for name in ("ss", "lms", "icat")}
    for _ in range(800):
        pick = rng.choice(terms, size=len(terms))
        rows = [np.flatnonzero(columns[0][3] == term) for term in pick]
        labels = np.concatenate([[f"{k}"] * len(r) for k, r in enumerate(rows)])
        at = np.concatenate(rows)
        for name, metric in (("ss", ss), ("lms", lms), ("icat", icat)):
            x, y = (metric(*(c[at] for c in cs[:3]), labels) for cs in columns)
            values[name].append(x - y)
    found = compare(A, B)
    for name, some in values.items():
        e = only(found, f"{name}_difference")
        low, high = np.clip(stretched(np.array(some), e.value, len(terms)), -100, 100)
        if (
            name == "icat"
        ):  # combines both models' intervals, which allow for terms unlike those seen
            assert e.low <= low and high <= e.high
        else:
            assert (e.low, e.high) == pytest.approx((low, high), abs=6)
        assert "target terms" in e.interval
    assert only(found, "ss_difference").p < 0.05
    assert only(found, "icat_difference").p is None


def test_a_model_and_itself():
    found = compare(A, A)
    assert only(found, "ss_difference").value == 0
    assert "nothing to test" in only(found, "ss_difference").why
    assert only(found, "same_preference").value == 100
    assert only(found, "preference_kappa").value == 1


def test_order_changes_the_sign():
    one, other = compare(A, B), compare(B, A)
    for name in ("ss_difference", "lms_difference", "icat_difference"):
        assert only(one, name).value == -only(other, name).value
        assert only(one, name).p == only(other, name).p


def test_one_term_is_compared_by_its_contexts():
    some = replace(DATA, items=ITEMS[:6])
    one, other = result("a", drawn(1, 3.0)[:6], some), result("b", drawn(2, -3.0)[:6], some)
    e = only(compare(one, other), "ss_difference")
    assert e.value == 100
    assert e.p == 2 / 2**6
    assert "contexts" in e.test


def test_texts_do_not_depend_on_the_rule():
    """The same sentences from two files, scored by rules that read them differently."""
    from tiltmeter.core.rules import Context
    from tiltmeter.models import fake
    from tiltmeter.studies.stereoset import RULES

    rules = {r.name: r for r in RULES}
    texts = [rules[name].score(fake.load(""), ITEMS[:1], Context())[0].texts
             for name in ("pll_context", "blank_logprob", "sentence_logprob")]  # fmt: skip
    assert texts[0] == texts[1] == texts[2]


def test_common_contexts_only():
    some = replace(DATA, items=ITEMS[:60])
    part = result("part", drawn(3)[:60], some)
    found = compare(A, part)
    assert only(found, "ss_difference").n == 60
    assert (
        "left out: 24 contexts that a answers and part does not" in only(found, "ss_difference").why
    )
    other = result("other", drawn(3)[:60], replace(some, sha256="another"))
    assert only(compare(A, other), "ss_difference").n == 60  # the texts are the same
    changed = [replace(t, sentences=("B x.", "B y.", "B z.")) for t in ITEMS[:60]]
    with pytest.raises(BadInput, match="different data"):
        compare(A, result("x", drawn(3)[:60], replace(some, items=changed, sha256="another")))
