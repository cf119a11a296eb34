"""Every file of the table is refused with file, line, field, reason and way out, all at once."""

import os

import pytest

from faults.bad_files import BAD_FILES, FULL, GOOD, HEAD, BadFile
from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.data.pairs.pairs import read_pairs


def problems(error: Exception) -> list[Problem]:
    if isinstance(error, BadItems):
        return list(error.problems)
    assert isinstance(error, BadInput)
    return [error.problem]


@pytest.mark.parametrize("case", BAD_FILES, ids=lambda case: case.name)
def test_refused(case: BadFile, tmp_path):
    path = case.write(tmp_path)
    with pytest.raises((BadInput, BadItems)) as caught:
        read_pairs(path)
    assert caught.value.exit_code == 2
    message = str(caught.value)
    for words in case.says:
        assert words in message
    found = problems(caught.value)
    assert found[0].line == case.line
    assert all(path.name in problem.file for problem in found)
    assert all(problem.reason and problem.way_out for problem in found)
    if case.columns:
        assert isinstance(caught.value, BadItems)
        assert sorted(problem.field for problem in found) == sorted(case.columns)
    else:
        assert isinstance(caught.value, BadInput)


@pytest.mark.parametrize(
    "case", [case for case in BAD_FILES if case.columns], ids=lambda case: case.name
)
def test_bad_rows_can_be_skipped_and_are_listed(case: BadFile, tmp_path):
    path = case.write(tmp_path)
    if case.name in {"several things at once", "Parquet numbers"}:
        with pytest.raises(BadInput, match="no pair is left"):
            read_pairs(path, skip_invalid=True)
        return
    data = read_pairs(path, skip_invalid=True)
    assert len(data.items) == 1
    assert [problem.line for problem in data.invalid] == [case.line] * len(case.columns)
    assert any("1 row left out" in note.text for note in data.notes)


def test_the_table_is_long_enough():
    assert len(BAD_FILES) >= 45
    assert len({case.name for case in BAD_FILES}) == len(BAD_FILES)


def test_all_problems_come_at_once_and_in_order(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(HEAD + GOOD + 30 * ",\n")
    with pytest.raises(BadItems) as caught:
        read_pairs(path)
    assert [problem.line for problem in caught.value.problems] == [
        line for line in range(3, 33) for _ in range(2)
    ]
    assert str(caught.value).count("(and 29 more like it)") == 2
    assert "--skip-invalid" in str(caught.value)


def test_a_duplicate_id_keeps_the_first(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(FULL + "a,A b.,C d.,stereo,x\na,E f.,G h.,stereo,x\nb,I j.,K l.,stereo,x\n")
    data = read_pairs(path, skip_invalid=True)
    assert [(pair.id, pair.more) for pair in data.items] == [("a", "A b."), ("b", "I j.")]


def test_unknown_encoding(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(HEAD + GOOD)
    with pytest.raises(
        BadInput, match=r"no text encoding named 'mac-romn'; did you mean mac_roman"
    ):
        read_pairs(path, encoding="mac-romn")
    with pytest.raises(BadInput, match="no text encoding named 'base64'"):
        read_pairs(path, encoding="base64")


def test_the_wrong_encoding_given(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_bytes((HEAD + GOOD + "Zoë sat.,Ben sat.\n").encode())
    with pytest.raises(
        BadInput, match=r"pairs.csv:3: byte 0xc3 at byte 3 of the line is not ascii"
    ):
        read_pairs(path, encoding="ascii")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_unreadable(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(HEAD + GOOD)
    path.chmod(0)
    with pytest.raises(
        BadInput, match="you do not have permission to read it; change its permissions"
    ):
        read_pairs(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_no_file(tmp_path):
    path = tmp_path / "pairs.csv"
    os.mkfifo(path)
    with pytest.raises(BadInput, match="not a regular file; save it as a file first"):
        read_pairs(path)
