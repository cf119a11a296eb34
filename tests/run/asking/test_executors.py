"""A model that workers hold gives what the model itself gives, question by question."""

from itertools import pairwise

import numpy as np
import pytest

from support.local_workers import Pool
from tiltmeter.core.model.conversations import BeamWriting, Choosing, Message, Prompt, Writing
from tiltmeter.core.model.questions import QUESTIONS
from tiltmeter.core.model.requests import Blanked, Continuation, Passage
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.asking.executors import ELEMENTS, RemoteModel
from tiltmeter.run.asking.workers import Wanted
from tiltmeter.run.stored_answers.cached_model import CachedModel
from tiltmeter.run.stored_answers.store import Store
from tiltmeter.studies import stereoset

TEXTS = ["he is a nurse", "the old driver was very slow today", "she was", "he is a nurse"]


def remote(reference, pool=None):
    return RemoteModel(pool or Pool(), Wanted(resolve(reference), Options(), reference))


PROMPTS = [Prompt((Message("user", text),)) for text in TEXTS]


def asked(model):
    """Every question of the table, by name, with the model's answers to some requests."""
    tokens = model.encode(TEXTS)
    blanked = [Blanked(t.ids, (i,), (i,)) for t in tokens for i in range(1, len(t.ids) - 1)]
    continued = [Continuation(t.ids[:1], t.ids[1:]) for t in tokens]
    passages = [*map(Passage, TEXTS), Passage(TEXTS[0], (8, 13))]
    return {
        "blank": model.blank_logprobs(blanked),
        "attended": model.attended_logprobs(blanked),
        "piece": model.piece_logprobs(blanked, begins=False),
        "readout": model.readout(blanked, margin=2),
        "continuation": model.continuation_logprobs(continued),
        "next_readout": model.next_readout(continued),
        "next": model.next_logprobs(list(pairwise(TEXTS))),
        "embed": model.embed(passages, pooling="word"),
        "write": model.write([Writing(prompt, 4, temperature=1.0) for prompt in PROMPTS]),
        "beams": model.write_beams([BeamWriting(prompt, 4, 2) for prompt in PROMPTS]),
        "classify": model.class_logprobs(TEXTS),
        "choice": model.choice_logprobs([Choosing(prompt, ("yes", "no")) for prompt in PROMPTS]),
    }


def test_every_question_is_answered_as_by_the_model_itself():
    near = open_model(resolve("fake"))
    expected = asked(near)
    assert {*expected, "rank"} == set(QUESTIONS)
    far = asked(CachedModel(remote("fake"), Store(None)))
    for name, answers in expected.items():
        assert len(far[name]) == len(answers)
        for one, right in zip(far[name], answers, strict=True):
            np.testing.assert_array_equal(one, right, name)  # replies as well


def test_all_workers_open_the_model_before_it_is_asked_anything():
    pool = Pool()
    remote("fake", pool)
    assert [[*worker._models] for worker in pool._workers] == [[pool.shards[0].model]] * 2


def test_facts_and_lookups_are_the_models():
    near, far = open_model(resolve("fake")), remote("fake")
    for name in ("name", "fingerprint", "about", "limit", "cased", "unknown", "mask", "pair_limit"):
        assert getattr(far, name) == getattr(near, name)
    pairs = [(one, other) for one in TEXTS for other in TEXTS]
    assert far.pair_lengths(pairs) == near.pair_lengths(pairs)
    with pytest.raises(AttributeError, match="no longest_reply"):
        far.longest_reply  # noqa: B018


def test_lookups_are_shared_out_and_come_back_in_order():
    pool = Pool()
    far = remote("fake", pool)
    texts = [f"text {i}" for i in range(2 * ELEMENTS + 1)]
    pool.shards.clear()
    assert far.encode(texts) == open_model(resolve("fake")).encode(texts)
    assert [len(part) for shard in pool.shards for part in shard.parts] == [ELEMENTS, ELEMENTS, 1]


def test_what_is_answered_whole_goes_to_one_worker():
    pool = Pool()
    far = CachedModel(remote("ideal", pool), Store(None))
    items = stereoset.STUDY.sample().items
    pool.shards.clear()
    scores = far.candidate_scores(items)
    np.testing.assert_array_equal(scores, open_model(resolve("ideal")).candidate_scores(items))
    assert scores.dtype == np.float64
    assert len(pool.shards) == 1


def test_shards_say_how_long_their_longest_request_is():
    pool = Pool()
    far = remote("fake:masked", pool)
    tokens = far.encode(TEXTS)
    pool.shards.clear()
    CachedModel(far, Store(None)).blank_logprobs([Blanked(t.ids, (), (1,)) for t in tokens])
    assert max(shard.longest for shard in pool.shards) == max(len(t.ids) for t in tokens)
    assert {shard.task.label for shard in pool.shards} == {"blank"}
