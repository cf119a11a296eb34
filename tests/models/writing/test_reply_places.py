"""Who is written at the same time: room by room, and places that are given on."""

import pytest

from models.writing.examples import TEXTS, plain
from support.architectures import CAUSAL, opened
from tiltmeter.core.model.conversations import PLANNED, Writing
from tiltmeter.models.writing.prompt_reader import ReadPrompt
from tiltmeter.models.writing.reply_places import ReplyBranch, ReplyPlaces, Room
from tiltmeter.models.writing.thought_progress import ThoughtProgress


def branch(number, written=0, asked=None):
    prompt = ReadPrompt((1, 2, 3, 10 + number))
    return ReplyBranch(prompt, (7,) * written, asked or [number], ThoughtProgress())


def places(count, most, *, longest=20, joins=True, rereads=True, drawn=True):
    rooms = [Room(longest, is_drawn=drawn)] * 40
    return ReplyPlaces([branch(k) for k in range(count)], rooms, most, 3, joins, rereads)


def numbers(branches):
    return [one.asked[0] for one in branches]


def test_as_many_begin_as_have_room_to_become_as_long_as_they_may():
    # Each has one token beside the three that all begin with, and may have 20: 4 × 21 = 84.
    assert numbers(places(6, 84).next_ones([])) == [0, 1, 2, 3]
    assert numbers(places(6, 83).next_ones([])) == [0, 1, 2]


def test_one_that_is_larger_than_all_room_begins_alone():
    assert numbers(places(3, 5).next_ones([])) == [0]


def test_a_reply_that_ends_gives_its_place_to_the_next():
    waiting = places(6, 84)
    going = waiting.next_ones([])
    waiting.ended(going.pop(1))
    assert numbers(waiting.next_ones(going)) == [4]
    apart = places(6, 84, joins=False)
    assert apart.next_ones(apart.next_ones([])[1:]) == []


def test_long_replies_are_planned_as_long_as_those_that_ended():
    waiting = places(30, 4 * (PLANNED + 1), longest=2_000)
    going = waiting.next_ones([])
    assert numbers(going) == [0, 1, 2, 3]
    for long in (branch(0, 600), branch(1, 400)):
        waiting.ended(long)
    # Two have ended, with 1,000 tokens, and nothing is under way: 500 each, and one more of the prompt.
    assert len(waiting.next_ones([])) == 4 * (PLANNED + 1) // 501


def test_the_last_ones_give_up_their_places_where_room_is_short():
    waiting = places(0, 100)
    going = [branch(0, 40), branch(1, 40), branch(2, 40)]
    assert waiting.kept(going) == 2
    assert numbers(waiting.waiting) == [2]
    assert waiting.kept([branch(0, 400)]) == 1
    apart = places(0, 100, rereads=False)
    assert apart.kept(going) == 3


def test_replies_at_temperature_0_to_one_prompt_share_their_tokens():
    for drawn, count in ((True, 1), (False, 3)):
        waiting = places(0, 66, drawn=drawn)
        waiting.waiting = [branch(k, asked=[3 * k, 3 * k + 1, 3 * k + 2]) for k in range(3)]
        assert len(waiting.next_ones([])) == count


@pytest.mark.parametrize(
    ("kind", "start"), [*((kind, "") for kind in CAUSAL), ("llama", f"{' '.join(TEXTS)} again. ")]
)
def test_replies_are_the_same_whoever_has_a_place_beside_them(kind, start, monkeypatch):
    """Alone, all at once, and with so little room that most wait, join others, or are read again."""
    monkeypatch.setattr("tiltmeter.models.writing.reply_places.PLANNED", 4)
    model = opened(kind)
    ways = [{}, {"temperature": 1.0}, {"temperature": 2.0, "stop": ("e",)}]
    asked = [
        Writing(plain(f"{start}{text} {k}"), 3 + 5 * k, seed=k, **ways[k])
        for text in TEXTS
        for k in range(len(ways))
    ]
    together = model.write(asked)
    reader = model._writer._texts(40)
    joined = []
    real = type(reader).join
    with monkeypatch.context() as patched:
        patched.setattr(model._writer, "tokens", 60)
        patched.setattr(
            type(reader), "join", lambda self, texts: joined.append(len(texts)) or real(self, texts)
        )
        assert model.write(asked) == together
    assert joined
    assert [model.write([one])[0] for one in asked] == together
