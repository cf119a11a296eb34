"""Lists of word frequencies: one's own, and what is said where the library is absent."""

import sys

import pytest

from tiltmeter.core.errors import BadInput, BadItems, MissingExtra
from tiltmeter.data.texts.frequencies import english, read_reference


def write(folder, text, name="words.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_counts_are_taken_per_million(tmp_path):
    found = read_reference(write(tmp_path, "word,count\nthe,6\nThe,2\n don’t ,2\nnone,0\n"))
    assert found.name == "words.csv"
    assert found.per_million == {"the": 800_000, "don't": 200_000, "none": 0}


def test_frequencies_stay_as_they_are_and_win_over_counts(tmp_path):
    path = write(tmp_path, "word\tper_million\tcount\nthe\t50000.5\t7\n", "words.tsv")
    assert read_reference(path).per_million == {"the": 50_000.5}
    path = write(tmp_path, '{"word": "the", "count": 3}\n', "words.jsonl")
    assert read_reference(path).per_million == {"the": 1e6}


def test_all_bad_rows_are_named(tmp_path):
    path = write(tmp_path, "word,count\nthe,6\n,2\nof,many\nto,-1\na,nan\nin,inf\non,\n")
    with pytest.raises(BadItems) as found:
        read_reference(path)
    assert [problem.line for problem in found.value.problems] == [3, 4, 5, 6, 7, 8]
    assert "words.csv:4: count 'many' is not a number of 0 or more" in str(found.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("word,number\nthe,6\n", "no column named per_million or count"),
        ("words,count\nthe,6\n", "did you mean 'word'"),
        ("word,count\nthe,0\n", "all counts are 0"),
        ("", "empty|no text"),
    ],
)
def test_other_files_are_refused(tmp_path, text, reason):
    with pytest.raises(BadInput, match=reason):
        read_reference(write(tmp_path, text))


def test_english_at_large():
    pytest.importorskip("wordfreq", reason="the extra [analysis] is not installed")
    found = english()
    assert "wordfreq" in found.name
    assert 40_000 < found.per_million["the"] < 70_000
    assert found.per_million["the"] > found.per_million["nurse"] > found.per_million["wartorn"]
    assert sum(found.per_million.values()) <= 1e6


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(MissingExtra, match=r"pip install 'tiltmeter-bias\[analysis\]'"):
        english()
