"""A model as a judge: only with people, local ones by the likeliest label, servers in words."""

import pytest

from servers.chat_server import serving
from servers.chat_stubs import stubs
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.judges import open_judge
from tiltmeter.models.judges.people import LabelledTexts

PEOPLE = LabelledTexts("people", {("", "a"): [("", "rude")], ("", "b"): [("", "fine")]})


def test_without_people_it_is_not_opened():
    with pytest.raises(
        BadInput, match=r"how far it agrees with people; have people .*--set people=FILE"
    ):
        open_judge("model:demo")
    alone = LabelledTexts("people", {("", "a"): [("", "rude")]})
    with pytest.raises(BadInput, match="the label rude, so there is none to choose"):
        open_judge("model:fake:causal", people=alone)
    with pytest.raises(CannotAnswer, match="cannot be asked in words"):
        open_judge("model:fake:masked", people=PEOPLE)


def test_a_local_model_gives_one_of_the_labels():
    made = open_judge("model:fake:causal", people=PEOPLE)
    given = made.classify(["Hello", "Bye", "Hello"])
    assert given[0] == given[2] and {*given} <= {"fine", "rude"}


@pytest.mark.parametrize("manner", ["thinks", "tags", "chats", "cut"])
def test_a_reply_that_is_cut_off_before_its_label_is_asked_for_again(manner):
    with stubs() as server:
        texts = ["Hello", "Bye", "Well"]
        plain = open_judge(f"model:{server.model('plain')}", people=PEOPLE).classify(texts)
        assert [int(one.body["max_tokens"]) for one in server.asked] == [12] * 3
        other = open_judge(f"model:{server.model(manner)}", people=PEOPLE).classify(texts)
    assert other == plain and {*plain} <= {"fine", "rude"}


def test_a_server_writes_its_label_or_gives_none():
    with serving() as server:
        made = open_judge(f"model:{server.reference}", people=PEOPLE)
        assert made.classify(["Hello"]) == [""]  # " reply 3f…" names no label
        (asked,) = server.prompts()
    assert asked == (
        "Which label fits this text best: fine or rude? Reply with the label and nothing else.\n\nText: Hello"
    )
