"""Chat models that think, refuse, talk, answer in another language or are cut off, through whole commands.

All of them have the same answers (`servers.chat_stubs`), so a manner may change no number, and what has no
answer may not look like a number.
"""

import pytest

import tiltmeter as tm
from servers.chat_stubs import ENOUGH, stubs
from tiltmeter.core.finder import find, known

WRITTEN = sorted(
    name
    for name in known("studies")
    if any(rule.replies for rule in find("studies", name, "STUDY").rules)
)
"""Studies to which a model writes replies."""
ROOM = {"answer_tokens": ENOUGH}
"""No answer is cut off: servers cannot limit it apart from a thought."""


@pytest.fixture(scope="module")
def server():
    with stubs() as one:
        yield one


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))


def measured(server, study, manner, **options):
    """The result of a study's made-up items, which are in the package."""
    sample = find("studies", study, "STUDY").sample()
    return tm.run(
        study, server.model(manner), data=sample, **{"rule": WRITES.get(study), **options}
    )


WRITES = {"completions": "sample", "inferences": "sample"}
"""The rule by which a server's model writes, where the first one is a beam search."""


def numbers(result):
    """Every estimate by its name and groups."""
    return {
        (e.name, *sorted(e.groups.items())): (e.value, e.low, e.high, e.p, e.n, e.why)
        for e in result.estimates
    }


@pytest.mark.parametrize("manner", ["thinks", "tags"])
@pytest.mark.parametrize("study", WRITTEN)
def test_a_thought_changes_no_number(server, study, manner):
    plain, thinks = (measured(server, study, of, **ROOM) for of in ("plain", manner))
    assert numbers(thinks) == numbers(plain)
    counts = thinks.card.replies
    assert counts.thoughts == counts.replies and counts.thinking == 0
    assert [r.said for r in thinks.records] == [r.said for r in plain.records]
    assert all(thinks.records[0].thoughts.values()) and thinks.records[0].thoughts


@pytest.mark.parametrize("study", WRITTEN)
def test_without_thinking_a_model_is_the_same(server, study):
    plain, off = measured(server, study, "plain"), measured(server, study, "thinks", thinking="off")
    assert numbers(off) == numbers(plain)
    assert off.card.replies.thoughts == 0
    assert not any("Thinking was asked" in note.text for note in off.card.notes)


@pytest.mark.parametrize("study", WRITTEN)
def test_refusals_are_no_numbers(server, study):
    refuses = measured(server, study, "refuses")
    counts = refuses.card.replies
    assert counts.refused == counts.replies
    leans = [
        e for e in refuses.estimates
        if e.meaning.role == "lean" and e.neutral is not None and not e.meaning.bounds
    ]  # fmt: skip
    assert all(e.value is None and e.why for e in leans), [e for e in leans if e.value is not None]


CHOICES = sorted({*WRITTEN} - {"completions", "first_person", "inferences"})
"""Studies with options, of which an answer names some; elsewhere polite phrases are part of the reply."""


@pytest.mark.parametrize("study", CHOICES)
def test_an_answer_within_polite_phrases_is_the_answer(server, study):
    plain, chats = measured(server, study, "plain", **ROOM), measured(server, study, "chats")
    assert numbers(chats) == numbers(plain)
    assert chats.card.replies.answered == chats.card.replies.replies


@pytest.mark.parametrize("study", CHOICES)
def test_words_before_an_answer_cut_it_off_and_more_tokens_mend_it(server, study):
    short = measured(server, study, "rambles", answer_tokens=24)
    assert short.card.replies.cut == short.card.replies.replies
    plain, long = (measured(server, study, of, **ROOM) for of in ("plain", "rambles"))
    assert numbers(long) == numbers(plain)


@pytest.mark.parametrize("study", CHOICES)
def test_answers_in_another_language_are_unread_and_no_refusals(server, study):
    counts = measured(server, study, "foreign").card.replies
    assert (counts.unread, counts.refused) == (counts.replies, 0)


@pytest.mark.parametrize("study", WRITTEN)
def test_cut_off_is_said_and_more_tokens_mend_it(server, study):
    plain = measured(server, study, "plain", **ROOM)
    assert numbers(measured(server, study, "cut", **ROOM)) == numbers(plain)
