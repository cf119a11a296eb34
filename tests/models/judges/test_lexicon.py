"""The wrapper of VADER: order, range, and what it says where the library is absent."""

import math
import sys

import pytest

from tiltmeter.core.errors import BadInput, MissingExtra, UnknownName
from tiltmeter.core.judges import open_judge
from tiltmeter.models.judges import lexicon as module


@pytest.fixture(autouse=True)
def _read_anew():
    module._analyser.cache_clear()
    yield
    module._analyser.cache_clear()


def test_a_single_rated_word_is_its_rating_squashed():
    pytest.importorskip("vaderSentiment", reason="the extra [analysis] is not installed")
    # In the published list "kind" is rated 2.4 and "rude" -2.0; s / sqrt(s^2 + 15).
    judge = open_judge("lexicon")
    texts = ["He is rude.", "The chair stands there.", "She is kind."]
    assert judge.rate(texts) == [round(s / math.sqrt(s * s + 15), 4) for s in (-2.0, 0.0, 2.4)]
    assert judge.classify(texts) == ["negative", "neutral", "positive"] == [*judge.classes]
    assert judge.instrument.startswith("vaderSentiment 3.")


def test_no_texts_and_odd_texts_are_answered():
    pytest.importorskip("vaderSentiment", reason="the extra [analysis] is not installed")
    rate = open_judge("lexicon").rate
    assert rate([]) == []
    assert rate(["", "  ", "\n", "…", "é"]) == [0.0] * 5
    assert all(-1 <= p <= 1 for p in rate(["good " * 500, "bad " * 500]))


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "vaderSentiment", None)
    monkeypatch.setitem(sys.modules, "vaderSentiment.vaderSentiment", None)
    with pytest.raises(MissingExtra, match=r"pip install 'tiltmeter-bias\[analysis\]'"):
        module.Lexicon("").rate(["She is kind."])

    def absent(name):
        raise module.PackageNotFoundError(name)

    monkeypatch.setattr(module, "version", absent)
    with pytest.raises(MissingExtra):
        open_judge("lexicon")


def test_what_a_lexicon_does_not_take_is_refused():
    with pytest.raises(BadInput, match="--label is for a classifier"):
        open_judge("lexicon", labels={"LABEL_0": "positive"}, naming="--label")
    with pytest.raises(UnknownName, match="Did you mean"):
        open_judge("lexicn")
