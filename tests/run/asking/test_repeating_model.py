"""Which requests repeats make of a model, and which reply each repeat gets."""

import pytest

from tiltmeter.core.model.conversations import Message, Prompt, Reply, Writing
from tiltmeter.models import fake
from tiltmeter.run.asking.repeating_model import RepeatingModel


class Counts(fake.FakeWriter):
    """Replies with the number of the repeat, and keeps what it was asked."""

    __slots__ = ("asked", "deterministic")

    def __init__(self, *, deterministic=False):
        super().__init__("counts")
        object.__setattr__(self, "asked", [])
        object.__setattr__(self, "deterministic", deterministic)

    def write(self, requests):
        self.asked.append([(r.prompt.plain, r.repeat) for r in requests])
        return [Reply(f"{r.prompt.plain}{r.repeat}") for r in requests]


def asks(*texts, temperature=0.0):
    return [Writing(Prompt((Message("user", text),)), 4, temperature) for text in texts]


def texts(model, requests):
    return [reply.text for reply in model.write(requests)]


@pytest.mark.parametrize("temperature", [0.0, 0.7])
def test_all_repeats_are_asked_for_at_once_and_each_gets_its_own(temperature):
    inner = Counts()
    model, requests = RepeatingModel(inner, 3), asks("a", "b", temperature=temperature)
    assert texts(model, requests) == ["a0", "b0"]
    model.repeat = 2
    assert texts(model, requests) == ["a2", "b2"]
    assert inner.asked == [[(text, repeat) for text in "ab" for repeat in range(3)]]
    assert model.asks_again and model.differ and model.temperatures == {temperature}
    assert model.chats and model.name == "counts"


def test_equal_requests_share_their_replies():
    inner = Counts()
    assert texts(RepeatingModel(inner, 2), asks("a", "a")) == ["a0", "a0"]
    assert inner.asked == [[("a", 0), ("a", 1)]]


def test_what_depends_on_an_earlier_reply_is_asked_for_in_each_repeat():
    inner = Counts()
    model = RepeatingModel(inner, 2)
    for model.repeat in range(2):
        first = texts(model, asks("a"))
        texts(model, asks(*first))
    assert [[text for text, _ in asked] for asked in inner.asked] == [
        ["a"] * 2,
        ["a0"] * 2,
        ["a1"] * 2,
    ]


def test_a_deterministic_model_is_asked_once_at_temperature_0():
    inner = Counts(deterministic=True)
    model = RepeatingModel(inner, 3)
    model.repeat = 1
    assert texts(model, asks("a")) == ["a0"] and not model.asks_again
    assert texts(model, asks("a", temperature=1.0)) == ["a1"] and model.asks_again
    assert [len(asked) for asked in inner.asked] == [1, 3]


def test_several_texts_of_a_prompt_in_each_repeat():
    inner = Counts()
    model = RepeatingModel(inner, 2, ranks=3)
    requests = [Writing(Prompt((Message("user", "a"),)), 4, 1.0, repeat=rank) for rank in range(3)]
    assert texts(model, requests) == ["a0", "a1", "a2"]
    model.repeat = 1
    assert texts(model, requests) == ["a3", "a4", "a5"]
