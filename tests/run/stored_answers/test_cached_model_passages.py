"""Vectors of passages go through the store as other answers do."""

import numpy as np
import pytest

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.questions import QUESTIONS
from tiltmeter.core.model.requests import Passage
from tiltmeter.models import fake
from tiltmeter.run.asking.workers import ShardTask
from tiltmeter.run.stored_answers.cached_model import CachedModel, NoProgress
from tiltmeter.run.stored_answers.database import CHECK
from tiltmeter.run.stored_answers.store import Store

TEXTS = ["he is a nurse", "the old driver was very slow today", "she was"]
PASSAGES = [
    *map(Passage, TEXTS),
    Passage(TEXTS[0], (8, 13)),
    Passage(TEXTS[1], (8, 14)),
    Passage(TEXTS[0]),
]


class Counting(fake.FakeMasked):
    """Notes the batches it is asked for, and answers in single precision."""

    __slots__ = ("batches", "dies_after")

    def __init__(self, dies_after=10**9):
        super().__init__("fake:masked", framed=True, batch_tokens=20)
        object.__setattr__(self, "batches", [])
        object.__setattr__(self, "dies_after", dies_after)

    def embed(self, passages, *, pooling):
        if len(self.batches) >= self.dies_after:
            raise KeyboardInterrupt
        self.batches.append((pooling, list(passages)))
        return super().embed(passages, pooling=pooling).astype(np.float32)


def test_equal_passages_are_asked_once_and_all_are_answered_in_order():
    model = Counting()
    found = CachedModel(model, Store(None)).embed(PASSAGES, pooling="word")
    expected = Counting().embed(PASSAGES, pooling="word")
    np.testing.assert_array_equal(found, expected)
    asked = [one for _, batch in model.batches for one in batch]
    assert len(asked) == len(set(PASSAGES)) == len(PASSAGES) - 1
    # what shares a text shares a batch, where it is read once
    for _, batch in model.batches:
        texts = {one.text for one in batch}
        assert all({one for one in PASSAGES if one.text == text} <= {*batch} for text in texts)


def test_a_second_time_nothing_is_asked_and_each_pooling_is_stored_by_itself(tmp_path):
    for first in (True, False):
        with Store(tmp_path / "answers") as store:
            model = Counting()
            remembering = CachedModel(model, store)
            word, mean = (remembering.embed(PASSAGES, pooling=one) for one in ("word", "mean"))
            assert bool(model.batches) == first
            assert not np.allclose(word, mean)
            np.testing.assert_array_equal(word, Counting().embed(PASSAGES, pooling="word"))
            assert word.dtype == mean.dtype == np.float32


def test_single_precision_takes_four_bytes_a_number():
    store = Store(None)
    CachedModel(Counting(), store).embed(PASSAGES[:1], pooling="mean")
    key = 16
    assert store.summary()[0].bytes == key + 4 * 16 + CHECK
    model = fake.load("masked")  # in double precision
    CachedModel(model, store, fresh=True).embed(PASSAGES[:1], pooling="mean")
    assert store.summary()[0].bytes == key + 8 * 16 + CHECK


def test_after_an_interruption_the_same_batches_are_completed():
    whole = Counting()
    CachedModel(whole, Store(None)).embed(PASSAGES, pooling="mean")
    assert len(whole.batches) == 3
    store, dying, resumed = Store(None), Counting(dies_after=1), Counting()
    with pytest.raises(KeyboardInterrupt):
        CachedModel(dying, store).embed(PASSAGES, pooling="mean")
    CachedModel(resumed, store).embed(PASSAGES, pooling="mean")
    assert dying.batches + resumed.batches == whole.batches


def test_progress_counts_the_tokens_of_each_passage_once():
    told = []

    class Telling(NoProgress):
        def start(self, *, total, stored, requests):
            told.append((total, stored, requests))

        def advance(self, tokens):
            told.append(tokens)

    CachedModel(Counting(), Store(None), Telling()).embed(PASSAGES, pooling="mean")
    (total, stored, requests), *steps = told
    assert total == sum(Counting().passage_lengths(list(set(PASSAGES)))) == sum(steps)
    assert (stored, requests) == (0, 5)


def test_what_has_no_vector_is_refused_before_anything_is_asked():
    model = Counting()
    remembering = CachedModel(model, Store(None))
    assert remembering.passage_lengths([Passage("he is", (2, 3)), Passage("he")]) == [0, 3]
    with pytest.raises(CannotAnswer, match="no vector for ' '; leave it out"):
        remembering.embed([*PASSAGES, Passage("he is", (2, 3))], pooling="word")
    assert not model.batches
    assert remembering.embed([], pooling="mean").shape == (0, 0)


def test_workers_answer_as_the_model_does():
    model = fake.load("masked")
    query = QUESTIONS["embed"].query(pooling="start")
    task = ShardTask("embed", query.options)
    expected = model.embed(PASSAGES, pooling="start")
    np.testing.assert_array_equal(query.ask(model, PASSAGES), expected)
    np.testing.assert_array_equal(task.done(model, PASSAGES), expected)
    lengths = ShardTask(method="passage_lengths").done(model, PASSAGES)
    assert lengths == model.passage_lengths(PASSAGES)
