"""The table of questions: complete, and its keys are those of stores that exist."""

import re
from pathlib import Path

import numpy as np
import pytest

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.finder import find, known
from tiltmeter.core.model.conversations import BeamWriting, Choosing, Message, Prompt, Writing
from tiltmeter.core.model.protocols import Named, members
from tiltmeter.core.model.questions import QUESTIONS, ability, facts_and_lookups, find_question
from tiltmeter.core.model.requests import Blanked, Continuation, Passage
from tiltmeter.models import fake

BLANKED = Blanked((5, 6, 70000), (1,), (1, 2))
CONTINUED = Continuation((5,), (6, 7))
PROMPT = Prompt((Message("user", "Is it é?"),))
KEYS = [
    ("blank", {}, BLANKED, "0058018f79dd710af18d71b3c89cec0c"),
    ("attended", {}, BLANKED, "5576ad91a64418514c9648267e14a70e"),
    ("readout", {}, BLANKED, "21723206c04d99449d51f52f5cd336ae"),
    ("readout", {"margin": 1}, BLANKED, "21723206c04d99449d51f52f5cd336ae"),
    ("readout", {"margin": 2}, BLANKED, "4834f4730653835bef903274a03565fc"),
    ("piece", {"begins": True}, BLANKED, "5d4be70f508d76b965d8577ecbfbf6a4"),
    ("piece", {"begins": False}, BLANKED, "8dcf1011d4444bd65990feb37b8da8d3"),
    ("continuation", {}, CONTINUED, "32343678bede4d1b981bccef6a59c636"),
    ("continuation", {}, Continuation((), (6, 7), False), "4c5156945a185463911ae01895b2677d"),
    ("continuation", {}, Continuation((5,), (6,), True, (9,)), "b909747a2c31f3d4cf88cc0d288881f4"),
    ("next_readout", {"margin": 0.5}, CONTINUED, "53a0042cceb1761168e24029792251b3"),
    ("next", {}, ("he is", "é now"), "77d3995fd73b116b3be66c53d3d339f1"),
    ("embed", {"pooling": "word"}, Passage("he is", (3, 5)), "74df29f688411a1c36ea6c4effbe0392"),
    ("embed", {"pooling": "own"}, Passage("he is"), "14f06f4ecf973a7aded14f229dabd338"),
    ("write", {}, Writing(PROMPT, 4, repeat=1), "e72f520632e99d170cc35e4c6179fa99"),
    ("beams", {}, BeamWriting(PROMPT, 4, 3), "3a43298f5e8f973fd015c2d71b58da94"),
    ("classify", {}, "he is é", "a38a9c2cdb4145e020582c176781cbcf"),
    ("choice", {}, Choosing(PROMPT, (" yes", " no")), "e1290608eb7b31681baad78e424a72f8"),
]
"""Taken from stores of before the table."""
USED = {
    rule.needs
    for study in known("studies")
    for rule in find("studies", study, "STUDY").rules
    if rule.needs is not Named
}


@pytest.mark.parametrize(("name", "options", "request_", "key"), KEYS)
def test_keys_are_those_of_stores_that_exist(name, options, request_, key):
    assert QUESTIONS[name].query(**options).keys([request_])[0].hex() == key


def test_every_stored_question_has_a_known_key():
    stored = {name for name, question in QUESTIONS.items() if question.key is not None}
    assert stored == {name for name, *_ in KEYS}


def test_different_requests_have_different_keys():
    requests = [Blanked((1, 2), (3,), ()), Blanked((1,), (2, 3), ()), Blanked((1,), (2,), (3,))]
    keys = [QUESTIONS[name].query().keys(requests) for name in ("blank", "attended")]
    assert len({key for both in keys for key in both}) == 6


def test_options_that_are_missing_or_unknown_are_errors():
    with pytest.raises(TypeError, match=r"embed\(\) needs pooling="):
        QUESTIONS["embed"].query()
    with pytest.raises(TypeError, match=r"readout\(\) has no option 'margins'"):
        QUESTIONS["readout"].query(margins=1.0)
    assert QUESTIONS["piece"].query(begins=np.True_).options == (("begins", True),)


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_every_entry_fits_its_protocols(question):
    assert find_question(question.name) is question
    for protocol in (question.protocol, *question.refined):
        assert members(protocol)[question.method] is True
        assert ability(protocol) != protocol.__name__
    assert members(question.protocol).keys() >= members(Named).keys()


def test_every_rule_needs_something_that_the_table_has():
    assert all(ability(protocol) != protocol.__name__ for protocol in USED)


def test_facts_and_lookups_are_told_from_questions():
    facts, lookups = facts_and_lookups()
    assert lookups == {
        "encode", "pair_lengths", "passage_lengths", "prompt_lengths", "text_lengths",
    }  # fmt: skip
    assert facts == {
        "name", "fingerprint", "about", "limit", "cased", "unknown", "batch_tokens", "mask",
        "pair_limit", "shared_row", "chats", "reply_tokens", "text_limit", "labels", "exclusive",
        "control_tokens", "thinks", "deterministic", "can_think",
    }  # fmt: skip


def test_a_word_without_a_vector_is_refused_by_name():
    model = fake.load("vectors")
    question = QUESTIONS["embed"]
    assert question.sizes(model, [Passage("he is")]) == [2]
    with pytest.raises(CannotAnswer, match="no vector for '4th'"):
        question.sizes(model, [Passage("he is"), Passage("the 4th", (4, 7))])


def test_the_page_on_models_lists_every_protocol_with_its_method():
    page = (Path(__file__).parents[3] / "docs" / "extend" / "add-a-model.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([A-Z]\w+)` \| (.*?) \|", page, re.MULTILINE))
    wanted = {p.__name__: q for q in QUESTIONS.values() for p in (q.protocol, *q.refined)}
    assert rows.keys() == wanted.keys()
    assert all(f"`{question.method}(" in rows[name] for name, question in wanted.items())
