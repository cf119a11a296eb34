"""No limit on what a model may write stands above the options: they reach every request of every study."""

import pytest

import tiltmeter as tm
from support.command_line import own_cache
from tiltmeter.core.finder import find, known
from tiltmeter.core.model.conversations import BeamWriting, Message, Writing
from tiltmeter.models.fake import FakeWriter

__all__ = ["own_cache"]
RULES = [
    (name, rule.name)
    for name in sorted(known("studies"))
    for rule in find("studies", name, "STUDY").rules
    if rule.replies
]
"""Each rule by which a model writes, with its study."""


@pytest.fixture
def asked(monkeypatch):
    """The requests that reach a made-up model."""
    requests = []
    for method in ("write", "write_beams"):
        answer = getattr(FakeWriter, method)

        def noted(model, some, answer=answer):
            requests.extend(some)
            return answer(model, some)

        monkeypatch.setattr(FakeWriter, method, noted)
    return requests


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize(("study", "rule"), RULES)
def test_options_reach_every_request(study, rule, asked, tmp_path):
    system = tmp_path / "system.txt"
    system.write_text("You are brief.")
    thinking = {"thinking": "on", "thinking_tokens": 77} if rule != "beam" else {}
    sample = find("studies", study, "STUDY").sample()
    run = {"data": sample, "rule": rule, "answer_tokens": 333, "system": system, **thinking}
    tm.run(study, "fake:causal", **run)
    assert asked
    beams = [request for request in asked if isinstance(request, BeamWriting)]
    written = [request for request in asked if isinstance(request, Writing)]
    if beams:  # which the made-up model writes like any others
        written = []
    for request in (*beams, *written):
        assert request.max_tokens == 333
        assert request.prompt.messages[0] == Message("system", "You are brief.")
    for request in written:
        assert (request.thinking, request.most_tokens) == ("on", 333 + 77 * request.prompt.chat)
