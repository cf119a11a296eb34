"""Words without a vector stop the run or are left out."""

from dataclasses import replace

import pytest

from scoring.made_up_vectors import Vectors, slow_scores
from scoring.vectors_of_words import WORDS, scored
from tiltmeter.core.errors import BadItems
from tiltmeter.core.results import Note


def test_words_without_a_vector_stop_the_run_or_are_left_out():
    x = ("rose", "lily", "tulip", "iris", "daisy", "aster")
    wide = replace(WORDS, x=x, a=("joy", "peace", "gift", "sun", "hope"))
    model = Vectors(unknown=("aster", "gift"))
    with pytest.raises(BadItems, match=r"(?s)'aster' of X in flora: it has no vector.*'gift' of A"):
        scored("sentence_vector", model, wide)
    records, context = scored("sentence_vector", model, wide, skip=True)
    assert "flora/X/6" not in {r.item for r in records}
    assert len(records) == 8
    assert context.notes == [Note("coverage", "flora leaves out 1 of 5 texts of A: 'gift'.")]
    assert [p.item for p in context.problems] == ["flora/X/6"]
    left = replace(wide, x=wide.x[:5], a=tuple(w for w in wide.a if w != "gift"))
    expected = slow_scores(left, model.vector)
    assert {r.item: r.scores["association"] for r in records} == pytest.approx(expected)


def test_a_test_that_lost_too_much_has_no_result():
    model = Vectors(unknown=("rose",))
    records, context = scored(
        "sentence_vector", model, WORDS, replace(WORDS, name="other", x=("iris",)), skip=True
    )
    assert {r.groups["test"] for r in records} == {"other"}
    assert {p.item.split("/")[0] for p in context.problems} == {"flora"}
    assert "1 of 3 texts of X are missing, 'rose'" in context.problems[0].reason
