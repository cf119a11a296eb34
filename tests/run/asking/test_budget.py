"""A limit stops a run before it is exceeded, keeps what was answered, and the same run goes on."""

from threading import Thread

import pytest

from tiltmeter.core.errors import BadInput, LimitReached
from tiltmeter.core.model.conversations import Message, Prompt, Reply, Writing
from tiltmeter.core.model.questions import find_question
from tiltmeter.models import fake
from tiltmeter.run.asking.budget import Price, RequestBudget, price_given
from tiltmeter.run.asking.executors import Batch
from tiltmeter.run.stored_answers.cached_model import CachedModel
from tiltmeter.run.stored_answers.store import Store


class Apart(fake.FakeWriter):
    """Is asked one request at a time, as a server is."""

    __slots__ = ("seen",)
    reply_tokens = 0

    def __init__(self):
        super().__init__("writer", batch_tokens=1)
        object.__setattr__(self, "seen", [])

    def write(self, requests):
        self.seen.extend(requests)
        return super().write(requests)


def asked(count, words=3):
    text = " ".join(["why"] * words)
    return [Writing(Prompt((Message("user", f"{text} {i}?"),)), 4) for i in range(count)]


def test_after_so_many_requests_it_stops_and_then_goes_on():
    model, store, requests = Apart(), Store(None), asked(10)
    with pytest.raises(LimitReached, match=r"--max-requests 4 is reached: 4 requests .* 6 or more"):
        CachedModel(model, store, budget=RequestBudget(4)).write(requests)
    assert len(model.seen) == 4
    with pytest.raises(LimitReached, match="2 or more are left"):
        CachedModel(model, store, budget=RequestBudget(4)).write(requests)
    done = CachedModel(model, store, budget=RequestBudget(4)).write(requests)
    assert len(model.seen) == len(set(model.seen)) == 10
    assert done == fake.load("writer").write(requests)


def test_fewer_requests_than_a_model_answers_at_once_would_never_go_on():
    model = fake.load("writer")
    with pytest.raises(LimitReached, match=r"4 is too small: .* 10 requests at once; .* least 10"):
        CachedModel(model, Store(None), budget=RequestBudget(4)).write(asked(10))
    CachedModel(model, Store(None), budget=RequestBudget(10)).write(asked(10))


def test_the_cost_never_exceeds_the_limit():
    model, budget = Apart(), RequestBudget(max_cost=100 / 1e6, price=Price(1.0, 10.0))
    with pytest.raises(LimitReached, match=r"might exceed --max-cost 0.0001, of which .* is spent"):
        CachedModel(model, Store(None), budget=budget).write(asked(50))
    # a prompt has five tokens, a reply at most four: 45 a request at most, some less
    assert budget.cost == (5 * budget.used.requests + 10 * budget.used.written) / 1e6
    assert budget.used.requests == len(model.seen) >= 2
    assert 55 / 1e6 < budget.cost <= 100 / 1e6


def test_all_models_of_a_run_share_a_limit():
    budget, store = RequestBudget(15), Store(None)
    CachedModel(Apart(), store, budget=budget).write(asked(10))
    with pytest.raises(LimitReached, match="15 requests were answered"):
        CachedModel(Apart(), store, budget=budget).write(asked(10, words=9))


def test_what_is_stored_costs_nothing():
    store = Store(None)
    CachedModel(Apart(), store).write(asked(10))
    budget = RequestBudget(1)
    CachedModel(Apart(), store, budget=budget).write(asked(10))
    assert budget.used.requests == 0


@pytest.mark.parametrize("text", ["1", "1,2,3", "a,b", "-1,2", "nan,1", "inf,1", ""])
def test_a_price_is_two_numbers(text):
    with pytest.raises(BadInput, match="is not two prices"):
        price_given(text)


def test_limits_that_make_no_sense_are_refused():
    assert price_given("0.15, 0.6") == (0.15, 0.6)
    with pytest.raises(BadInput, match="max_requests is 0; it must be a whole number from 1 up"):
        RequestBudget(0)
    with pytest.raises(BadInput, match=r"max_cost is 0\.0; it must be a number above 0"):
        RequestBudget(max_cost=0.0, price=Price(1, 1))
    with pytest.raises(BadInput, match="needs the price"):
        RequestBudget(max_cost=1.0)


def test_when_time_is_up_what_was_answered_is_kept(monkeypatch):
    monkeypatch.setattr("time.monotonic", iter(range(100)).__next__)  # a second passes at each look
    model, store = Apart(), Store(None)
    with pytest.raises(LimitReached, match="time budget was spent; the same command continues"):
        CachedModel(model, store, budget=RequestBudget(until=3)).write(asked(10))
    assert len(model.seen) < 10
    done = CachedModel(model, store, budget=RequestBudget(until=1_000)).write(asked(10))
    assert len(model.seen) == 10 and len(done) == 10


def test_studies_at_the_same_time_share_a_limit_and_wait_for_what_others_leave():
    # A request may have 5 + 4 tokens and costs 45 millionths at most; two fit, of which one uses less.
    question = find_question("write")
    budget = RequestBudget(max_cost=100 / 1e6, price=Price(1.0, 10.0))
    batches = [Batch((bytes([i]),), (request,), 9, 9) for i, request in enumerate(asked(3))]
    fitting = []

    def later():
        with budget.held(question, batches[2:]) as share:
            fitting.extend(share.batches)

    with budget.held(question, batches[:2]) as share:
        assert share.batches == batches[:2]
        study = Thread(target=later)
        study.start()
        share.spend(batches[0], [Reply("a", tokens_in=5, tokens_out=1)])
        assert budget.cost == 15 / 1e6 and not fitting  # 15 are used and 45 held
    study.join(20)
    assert fitting == batches[2:]
    with budget.held(question, batches[1:2]) as share:
        share.spend(batches[1], [Reply("a", tokens_in=5, tokens_out=4)])
    assert budget.cost == 60 / 1e6
    with pytest.raises(LimitReached), budget.held(question, batches[2:]):
        raise AssertionError
