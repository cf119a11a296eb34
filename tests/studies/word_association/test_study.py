"""word_association on models that write and that choose."""

import tiltmeter as tm
from servers import chat_server
from tiltmeter.studies.word_association.study import STUDY


def stereotyped(body):
    """What a server writes that gives the cat whatever is sly or shy."""
    words = chat_server.prompt_of(body).splitlines()[-1].split(", ")
    return "\n".join(f"{word} - {'cat' if word in {'sly', 'shy'} else 'dog'}" for word in words)


def test_a_server_a_model_that_writes_and_one_that_chooses(monkeypatch):
    monkeypatch.setattr(chat_server, "reply_to", stereotyped)
    with chat_server.serving() as server:
        run = tm.run("word_association", server.reference, data=STUDY.sample(), settings={})
    assert run.card.rule == "list" and run.estimate("word_association").value == 1
    assert run.estimate("decision_bias").value == 100
    for rule in ("list", "choice"):
        run = tm.run("word_association", "fake:causal", rule=rule, data=STUDY.sample(), settings={})
        assert run.card.rule == rule and run.card.counts["scored"] == 6
