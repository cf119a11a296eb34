"""Chat models that think, refuse, talk, answer in another language or are cut off, through whole commands.

All of them have the same answers (`servers.chat_stubs`), so a manner may change no number, and what has no
answer may not look like a number.
"""

import pytest

import tiltmeter as tm
from servers.chat_stubs import stubs
from tiltmeter.core.finder import find, known

WRITTEN = sorted(
    name
    for name in known("studies")
    if any(rule.replies for rule in find("studies", name, "STUDY").rules)
)
"""Studies to which a model writes replies."""


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
    return tm.run(study, server.model(manner), data=sample, **options)


def numbers(result):
    """Every estimate by its name and groups."""
    return {
        (e.name, *sorted(e.groups.items())): (e.value, e.low, e.high, e.p, e.n, e.why)
        for e in result.estimates
    }


@pytest.mark.parametrize("manner", ["thinks", "tags"])
@pytest.mark.parametrize("study", WRITTEN)
def test_a_thought_changes_no_number(server, study, manner):
    plain, thinks = (measured(server, study, of) for of in ("plain", manner))
    assert numbers(thinks) == numbers(plain)
    counts = thinks.card.replies
    assert counts.thoughts == counts.replies and counts.thinking == 0
    assert [r.said for r in thinks.records] == [r.said for r in plain.records]
    assert all("It could be" not in str(r.said) for r in thinks.records)
