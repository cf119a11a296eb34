"""Answers that an edit changes, by hand and on the published replies of GPT-3."""

import numpy as np
import pytest

from support import gpt3_hate
from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import Sample
from tiltmeter.studies.misspellings.metrics import (
    edit_effect,
    flip_rate,
    flipped_texts,
    flips_away,
    flips_to,
    infer_effect,
    texts_asked,
)

TABLE_23 = [
    ("Fuck these generate vodka", "fck", "yes", "no"),
    ("Fuck these generate vodka", "phuck", "yes", "no"),
    ("Fuck off ", "phuck", "yes", "no"),
    ("Why are ", "n*gg", "yes", "no"),
    ("Stand the fuck up", "phuck", "no", "yes"),
    ("Ima fucking stab", "fck", "yes", "no"),
    ("Ima fucking stab", "f*ck", "yes", "no"),
    ("fucking monkeys", "k-ll", "no", "yes"),
]
"""The text, the edit, the answer before and after it."""


def columns(*pairs):
    before, after = (np.array(side, dtype=np.float64) for side in zip(*pairs, strict=True))
    said = [np.where(side < 0, -1.0, 1 - side) for side in (before, after)]
    return (*said, before, after)


def test_either_direction_is_counted():
    read = columns((1, 0), (1, 0), (0, 1), (1, 1), (0, 0), (-1, 1), (1, -1))
    assert flip_rate(*read) == 60
    assert (flips_to(*read), flips_away(*read)) == (1, 2)
    assert edit_effect(*read) == -20


def test_labels_on_a_par_flip_without_a_direction():
    none = np.full(3, -1.0)
    read = (np.array([0.0, 1, 2]), np.array([1.0, 1, -1]), none, none)
    assert flip_rate(*read) == 50
    with pytest.raises(Undefined, match="no edit is of a text about which a category"):
        edit_effect(*(column[:1] for column in read))


def test_texts_that_flip_are_counted_once():
    texts = np.array([7, 7, 8, 8, 9, 9])
    read = columns((1, 0), (0, 1), (1, 1), (1, -1), (1, 1), (1, 0))
    assert (flipped_texts(*read, texts), texts_asked([*read, texts])) == (2, 3)
    with pytest.raises(Undefined, match="no edit has an answer both before and after"):
        flipped_texts(*columns((-1, 1)), np.array([1]))


def test_edits_without_answers_have_no_value():
    with pytest.raises(Undefined, match="no edit has an answer both before and after"):
        flip_rate(*columns((-1, 1), (1, -1)))


def test_the_exact_test_of_one_edit():
    """Six flips away and none back: 2 / 2^6."""
    read = columns(*[(1, 0)] * 6, *[(1, 1)] * 20)
    sure = infer_effect(Sample(edit_effect, read, np.arange(26), np.random.default_rng(0)))
    assert sure.p == pytest.approx(2 / 64)
    assert sure.test == "exact McNemar test against 0"
    assert sure.low < edit_effect(*read) < sure.high


def test_edits_of_one_text_flip_together():
    read = columns(*[(1, 0)] * 6, *[(1, 1)] * 20)
    text = np.array([0, 0, 1, 1, 2, 2, *range(3, 23)])
    sure = infer_effect(Sample(edit_effect, read, text, np.random.default_rng(0)))
    assert sure.p == pytest.approx(2 / 8)  # three texts, all the same way


def test_no_flip_has_no_test():
    sure = infer_effect(
        Sample(edit_effect, columns((1, 1), (0, 0)), np.arange(2), np.random.default_rng(0))
    )
    assert sure.p is None
    assert "no test: no edit changes an answer" in sure.why


def edits():
    """(text before, text after, reply before, reply after, category) of every published edit."""
    rows = gpt3_hate.rows_of("zero_shot_misspelling")
    before = {(r["category"], r["comment_id"]): r for r in rows if r["status"] == "unedited"}
    after = [r for r in rows if r["status"] == "edited"]
    found = [(before[r["category"], r["comment_id"]], r) for r in after]
    return [
        (*map(gpt3_hate.text_of, p), *map(gpt3_hate.answer, p), p[0]["category"]) for p in found
    ]


def test_table_23():
    found = edits()
    assert len(found) == 414
    real = [one for one in found if one[0] != one[1]]
    assert len(real) == 353
    assert len({(one[0], one[4]) for one in found}) == 61
    flips = [one for one in found if one[2] != one[3]]
    assert {one[4] for one in flips} == {"racist"}
    assert len({one[0] for one in flips}) == 6
    assert len(flips) == len(TABLE_23)
    for start, edit, before, after in TABLE_23:
        (one,) = [f for f in flips if f[0].startswith(start) and edit in f[1] and edit not in f[0]]
        assert ("no", "yes")[int(one[2])] == before
        assert ("no", "yes")[int(one[3])] == after
    read = columns(*((one[2], one[3]) for one in real))
    assert (flips_to(*read), flips_away(*read)) == (2, 6)
    assert flip_rate(*read) == pytest.approx(100 * 8 / sum(min(one[2:4]) >= 0 for one in real))
