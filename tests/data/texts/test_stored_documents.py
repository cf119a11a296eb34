"""Documents in a file: what was put in is read, and memory does not grow with the text."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.errors import StorageError
from tiltmeter.data.downloads import places
from tiltmeter.data.texts.stored_documents import StoredDocuments

documents = st.lists(st.lists(st.text(max_size=9), min_size=1, max_size=4).map(tuple), max_size=6)


@given(documents)
def test_documents_and_sentences_are_what_was_put_in(some):
    stored = StoredDocuments(some)
    assert stored == some
    flat = [sentence for document in some for sentence in document]
    assert [stored.sentence(i) for i in range(len(flat))] == flat
    assert stored.starts.tolist() == [sum(map(len, some[:i])) for i in range(len(some) + 1)]


def test_memory_holds_positions_alone():
    text = "A sentence of some length, as they are in running text, " * 2
    tracemalloc.start()
    stored = StoredDocuments((f"{text}{i}.", f"{text}{i}, again.") for i in range(20_000))
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(stored) == 20_000
    assert held < 30 * 40_000 and peak < 60 * 40_000  # of 115 letters a sentence


def test_a_full_disk_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(places, "cache", lambda: tmp_path / "nowhere")
    with pytest.raises(StorageError, match=r"the text cannot be kept in .*nowhere"):
        StoredDocuments([("a",)])
