"""Two measures of a plane over models: by hand, and over common items only."""

from dataclasses import replace

import numpy as np
import pytest

from tiltmeter.core.conventions import PAPER
from tiltmeter.core.data.items import SIDES, Dataset, Triple
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.study_views import Plane
from tiltmeter.derived.comparisons.compare import compare_all
from tiltmeter.derived.comparisons.measures_over_models import shared_answers
from tiltmeter.run.measuring.imported_scores import STORED
from tiltmeter.run.measuring.measure import summarise
from tiltmeter.run.planning.choosing import Chosen
from tiltmeter.scoring.contexts import record
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


def test_correlation_over_models():
    results = [result(f"m{i}", drawn(i, i / 4)) for i in range(5)]
    (found,) = [e for e in compare_all(results).estimates if e.name == "lms_ss_spearman"]
    values = [[next(e.value for e in r.estimates if e.name == n and not e.groups) for r in results]
              for n in ("lms", "ss")]  # fmt: skip
    order = [sorted(v).index(x) for v in values for x in v]
    d = sum((x - y) ** 2 for x, y in zip(order[:5], order[5:], strict=True))
    assert found.value == pytest.approx(1 - 6 * d / (5 * 24))
    assert found.n == 5 and 0 < found.p <= 1
    assert not [e for e in compare_all(results[:2]).estimates if e.name == "lms_ss_spearman"]


def test_answers_to_several_measures_are_those_to_each():
    results = [result(f"m{i}", drawn(i, i / 4)) for i in range(3)]
    both = shared_answers(results, "lms", "ss")
    for answers, name in zip(both, ("lms", "ss"), strict=True):
        (alone,) = shared_answers(results, name)
        assert answers.values.tolist() == alone.values.tolist()
        assert answers.clusters.tolist() == alone.clusters.tolist()
        of_runs = [next(e for e in r.estimates if e.name == name and not e.groups) for r in results]
        assert answers.values == pytest.approx([e.value for e in of_runs])
    with pytest.raises(Undefined, match="does not report none under"):
        shared_answers(results, "ss", "none")


def test_correlation_is_over_common_contexts():
    """A model that scored a part is compared with the others on that part."""
    some = replace(DATA, items=ITEMS[:42])
    part = result("part", drawn(3)[:42], some)
    (found,) = [e for e in compare_all([A, B, part]).estimates if e.name == "lms_ss_spearman"]
    alike = [
        result(r.card.model["name"], [[x.scores[s] for s in SIDES] for x in r.records[:42]], some)
        for r in (A, B)
    ]
    (expected,) = [e for e in compare_all([*alike, part]).estimates if e.name == "lms_ss_spearman"]
    assert found.value == expected.value
    apart = result("apart", drawn(3)[42:], replace(DATA, items=ITEMS[42:]))
    with pytest.raises(BadInput, match="no item in common"):
        compare_all([A, part, apart])


def test_the_name_and_the_title_are_those_of_the_view():
    (found,) = [e for e in compare_all([A, B, result("c", drawn(3))]).estimates if "," in e.model]
    (plane,) = [v for v in STUDY.views if isinstance(v, Plane)]
    assert found.name == f"{plane.y}_{plane.x}_spearman"
    assert found.meaning.title == "Rank correlation of lms and ss (Spearman’s ρ)"
    bare = [replace(r, card=replace(r.card, views=())) for r in (A, B, A)]
    assert not [e for e in compare_all(bare).estimates if e.name == found.name]
