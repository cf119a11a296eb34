"""Keyness by hand, and which written words stand out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.records import Record
from tiltmeter.derived.keywords import K, keyness, written_keywords


def test_sketch_engines_own_example():
    """Documented at sketchengine.eu: 0.3117 and 0.1686 a million, N = 1."""
    assert keyness(0.3117, 0.1686) == pytest.approx(1.1224, abs=1e-4)


@given(st.floats(0, 1e6), st.floats(0, 1e6), st.floats(0.01, 1e4))
def test_as_often_as_at_large_is_one_and_swapping_inverts(here, large, k):
    assert keyness(here, here, k=k) == pytest.approx(1)
    assert keyness(here, large, k=k) * keyness(large, here, k=k) == pytest.approx(1)


def test_larger_k_favours_common_words():
    common, odd = (8e5, 1e4), (2e5, 0)
    assert keyness(*common, k=1) < keyness(*odd, k=1)
    assert keyness(*common, k=1e6) > keyness(*odd, k=1e6)


def record(at, domain, text):
    texts = {"premise": "A pilot needs help.", "hypothesis": text}
    return Record(str(at), {}, {"domain": domain}, texts=texts)


def test_words_of_one_domain_stand_out_against_the_others():
    records = [record(i, "work", "the pilot is kind") for i in range(4)]
    records += [record(10 + i, "sport", "the runner is fast") for i in range(4)]
    found = written_keywords(records, "domain", asked="premise", written="hypothesis")
    assert [one.word for one in found["sport"]] == ["fast", "runner"]
    assert [one.word for one in found["work"]] == ["kind"]  # the premise has "pilot"
    (kind,) = found["work"]
    assert kind.count == 4
    assert kind.keyness == (1e6 / 4 + K) / K


def test_one_value_has_nothing_to_stand_out_from():
    records = [record(i, "work", "kind kind") for i in range(4)]
    assert written_keywords(records, "domain", asked="premise", written="hypothesis") == {}
