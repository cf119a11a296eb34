"""llama.cpp is used in one version, and never asked for what would end the process."""

import pytest

from support.fake_llama import VOCABULARY, FakeWeights
from tiltmeter.core.errors import MissingExtra, Unavailable
from tiltmeter.models.llama_cpp import library


def test_without_the_library_its_extra_is_named(monkeypatch):
    library.library.cache_clear()
    monkeypatch.setattr(library, "DISTRIBUTION", "not-installed-anywhere")
    with pytest.raises(MissingExtra, match=r"llama: needs the extra \[llama\]"):
        library.library()
    library.library.cache_clear()


def test_another_version_is_refused(monkeypatch):
    library.library.cache_clear()
    monkeypatch.setattr(library, "DISTRIBUTION", "numpy")
    with pytest.raises(Unavailable, match=r"needs numpy 0.3.36, and .* is installed"):
        library.library()
    library.library.cache_clear()


def test_passes_for_which_llama_cpp_would_end_the_process_are_refused():
    context = object.__new__(library.LlamaContext)  # without llama.cpp, which is not reached
    context._weights, context.streams, context.cells = FakeWeights(outputs=2), 3, 8
    row = library.StreamRow(1, 0, 0, is_asked=True)
    for rows in (
        [],
        [row] * (library.BATCH + 1),
        [row, row, row],
        [row._replace(token=VOCABULARY)],
        [row._replace(token=-1)],
        [row._replace(stream=3)],
        [row._replace(place=8)],
    ):
        with pytest.raises(ValueError, match=r"a pass of|that does not exist"):
            context.read(rows)


@pytest.mark.parametrize(("set_to", "number"), [("3", 3), ("0", 1), ("many", None), ("", None)])
def test_threads_are_those_that_may_be_used(set_to, number, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", set_to)
    assert library.threads() >= 1
    assert number in {None, library.threads()}
