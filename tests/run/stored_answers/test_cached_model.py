import numpy as np
import pytest

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.batch_progress import report_share
from tiltmeter.core.model.conversations import Choosing, Message, Prompt, Writing
from tiltmeter.core.model.requests import Blanked
from tiltmeter.models import fake
from tiltmeter.run.stored_answers.cached_model import CachedModel, NoProgress
from tiltmeter.run.stored_answers.store import Store

TEXTS = ["he is a nurse", "the old driver was very slow today", "she was", "he is a nurse"]


class Counting(fake.FakeMasked):
    """Notes the batches it is asked for."""

    __slots__ = ("batches", "dies_after")

    def __init__(self, *, dies_after=10**9, **more):
        super().__init__("fake:masked", framed=True, batch_tokens=20, **more)
        object.__setattr__(self, "batches", [])
        object.__setattr__(self, "dies_after", dies_after)

    def blank_logprobs(self, requests):
        if len(self.batches) >= self.dies_after:
            raise KeyboardInterrupt
        self.batches.append(list(requests))
        return super().blank_logprobs(requests)


def asks(model):
    return [
        Blanked(t.ids, (i,), (i,)) for t in model.encode(TEXTS) for i in range(1, len(t.ids) - 1)
    ]


def test_equal_requests_are_asked_once_and_all_are_answered_in_order():
    model, store = Counting(), Store(None)
    requests = asks(model)
    answers = CachedModel(model, store).blank_logprobs(requests)
    expected = fake.load("masked").blank_logprobs(requests)
    for answer, right in zip(answers, expected, strict=True):
        np.testing.assert_array_equal(answer, right)
    asked = [r for batch in model.batches for r in batch]
    assert len(asked) == len(set(requests)) < len(requests)
    assert all(sum(len(r.ids) for r in batch) <= 20 for batch in model.batches)


def test_only_costly_answers_are_written_at_once():
    class Noting(Store):
        def put(self, model, answers, *, at_once=False):
            noted.append(at_once)
            super().put(model, answers, at_once=at_once)

    noted = []
    prompt = Prompt((Message("user", "Is this so?"),))
    writer = CachedModel(fake.load("writer"), Noting(None))
    writer.write([Writing(prompt, 4)])
    writer.choice_logprobs([Choosing(prompt, (" yes", " no"))])
    assert noted == [True, True]
    model = Counting()
    CachedModel(model, Noting(None)).blank_logprobs(asks(model)[:1])
    assert noted[2:] == [False]


def test_a_second_time_nothing_is_asked():
    store, model = Store(None), Counting()
    first = CachedModel(model, store).blank_logprobs(asks(model))
    again = Counting()
    second = CachedModel(again, store)
    assert np.concatenate(second.blank_logprobs(asks(again))).tolist() == (
        np.concatenate(first).tolist()
    )
    assert again.batches == []
    assert second.recalled == len(set(asks(model)))
    fresh = Counting()
    CachedModel(fresh, store, fresh=True).blank_logprobs(asks(fresh))
    assert fresh.batches == model.batches


@pytest.mark.parametrize("dies_after", [0, 1, 3])
def test_after_an_interruption_the_same_batches_are_completed(dies_after):
    whole = Counting()
    CachedModel(whole, Store(None)).blank_logprobs(asks(whole))
    store, dying, resumed = Store(None), Counting(dies_after=dies_after), Counting()
    with pytest.raises(KeyboardInterrupt):
        CachedModel(dying, store).blank_logprobs(asks(dying))
    CachedModel(resumed, store).blank_logprobs(asks(resumed))
    assert dying.batches + resumed.batches == whole.batches


def test_the_order_of_requests_does_not_change_the_batches():
    one, other = Counting(), Counting()
    CachedModel(one, Store(None)).blank_logprobs(asks(one))
    CachedModel(other, Store(None)).blank_logprobs(asks(other)[::-1])
    assert one.batches == other.batches


def test_progress_adds_up():
    told = []

    class Telling(NoProgress):
        def start(self, *, total, stored, requests):
            told.append((total, stored, requests))

        def advance(self, tokens):
            told.append(tokens)

    model, store = Counting(), Store(None)
    CachedModel(model, store, Telling()).blank_logprobs(asks(model))
    (total, stored, requests), *steps = told
    assert stored == 0
    assert requests == len(set(asks(model)))
    assert sum(steps) == total
    told.clear()
    CachedModel(Counting(), store, Telling()).blank_logprobs(asks(model))
    assert told == [(total, total, requests)]


def test_nan_from_a_model_is_an_error_not_an_answer():
    class Broken(Counting):
        __slots__ = ()

        def blank_logprobs(self, requests):
            return [np.array([np.nan]) for _ in requests]

    store = Store(None)
    with pytest.raises(CannotAnswer, match=r"not a finite number.*--precision float32"):
        CachedModel(Broken(), store).blank_logprobs(asks(Counting()))
    assert store.summary()[0][1] == 0


@pytest.mark.parametrize(
    ("answer", "says"), [(np.array([]), "no numbers"), (np.array(["a"]), "not numbers")]
)
def test_an_answer_without_numbers_is_an_error(answer, says):
    class Mute(Counting):
        __slots__ = ()

        def blank_logprobs(self, requests):
            return [answer for _ in requests]

    with pytest.raises(CannotAnswer, match=says):
        CachedModel(Mute(), Store(None)).blank_logprobs(asks(Counting()))


def test_two_kinds_of_question_do_not_share_answers():
    store, model = Store(None), Counting()
    remembering = CachedModel(model, store)
    request = asks(model)[:1]
    assert remembering.blank_logprobs(request)[0].shape == (1,)
    assert remembering.attended_logprobs(request)[0].shape == (2, 1)


def test_nothing_asked_of_a_request_may_be_answered_by_nothing():
    model = fake.load("masked")
    (none,) = CachedModel(model, Store(None)).blank_logprobs([Blanked((5, 6), (1,), ())])
    assert none.shape == (0,)


class NotingWriter(fake.FakeWriter):
    """Notes how many requests it is asked at once."""

    __slots__ = ("asked",)
    reply_tokens = 80

    def __init__(self):
        super().__init__("fake:writer", batch_tokens=20)
        object.__setattr__(self, "asked", [])

    def write(self, requests):
        self.asked.append(len(requests))
        return super().write(requests)

    def choice_logprobs(self, requests):
        self.asked.append(len(requests))
        return super().choice_logprobs(requests)


def test_more_requests_are_written_at_once_than_read():
    model = NotingWriter()
    cached = CachedModel(model, Store(None))
    prompts = [Prompt((Message("user", f"Is {n} so?"),)) for n in range(16)]
    cached.write([Writing(prompt, 6) for prompt in prompts])  # of ten tokens each
    assert model.asked == [8, 8]
    model.asked.clear()
    cached.choice_logprobs([Choosing(prompt, (" yes", " no")) for prompt in prompts])
    assert max(model.asked) < 8


class HalfwayWriter(NotingWriter):
    """Reports when half of the tokens of a batch are written."""

    def write(self, requests):
        report_share(0.5)
        return super().write(requests)


def test_the_progress_within_a_batch_counts_once():
    steps = []

    class Telling(NoProgress):
        def advance(self, tokens):
            steps.append(tokens)

    prompts = [Prompt((Message("user", f"Is {n} so?"),)) for n in range(16)]
    CachedModel(HalfwayWriter(), Store(None), Telling()).write([Writing(p, 6) for p in prompts])
    assert steps == [40, 40, 40, 40]  # two batches of eight replies of ten tokens
