"""The wrapper of VADER: order, range, and what it says where the library is absent."""

import math
import sys

import pytest

from tiltmeter.core.errors import MissingExtra
from tiltmeter.data.texts import polarity as module
from tiltmeter.data.texts.polarity import instrument, polarity


@pytest.fixture(autouse=True)
def _read_anew():
    module._analyser.cache_clear()
    yield
    module._analyser.cache_clear()


def test_a_single_rated_word_is_its_rating_squashed():
    pytest.importorskip("vaderSentiment", reason="the extra [analysis] is not installed")
    # In the published list "kind" is rated 2.4 and "rude" -2.0; s / sqrt(s^2 + 15).
    found = polarity(["He is rude.", "The chair stands there.", "She is kind."])
    assert found == [round(s / math.sqrt(s * s + 15), 4) for s in (-2.0, 0.0, 2.4)]


def test_no_texts_and_odd_texts_are_answered():
    pytest.importorskip("vaderSentiment", reason="the extra [analysis] is not installed")
    assert polarity([]) == []
    assert polarity(["", "  ", "\n", "…", "é"]) == [0.0] * 5
    assert all(-1 <= p <= 1 for p in polarity(["good " * 500, "bad " * 500]))


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "vaderSentiment", None)
    monkeypatch.setitem(sys.modules, "vaderSentiment.vaderSentiment", None)
    with pytest.raises(MissingExtra, match=r"pip install 'tiltmeter\[analysis\]'"):
        polarity(["She is kind."])


def test_the_instrument_has_a_version_and_is_refused_where_absent(monkeypatch):
    pytest.importorskip("vaderSentiment", reason="the extra [analysis] is not installed")
    assert instrument().startswith("vaderSentiment 3.")

    def absent(name):
        raise module.PackageNotFoundError(name)

    monkeypatch.setattr(module, "version", absent)
    with pytest.raises(MissingExtra):
        instrument()
