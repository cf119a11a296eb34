"""Files of the user's in place of data sets of a paper: which there are, and mistakes."""

import pytest

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.data.downloads.registry import locate
from tiltmeter.papers.paper_file import papers, read_paper
from tiltmeter.papers.user_data import data_sets, files_in_place, named_files


def test_the_data_sets_of_runs_and_of_inputs_that_analyses_know_by_other_names():
    active = data_sets(read_paper("sotnikova2023_active"))
    assert {"mhs", "wikipedia_talk_toxicity", "popquorn"} <= {*active}
    assert "crows_pairs" in data_sets(read_paper("nangia2020"))
    assert all(isinstance(data_sets(read_paper(name)), list) for name in papers())


def test_a_file_stands_in_the_place_of_a_data_set(tmp_path):
    file = tmp_path / "mine.parquet"
    file.write_bytes(b"x")
    paper = read_paper("sotnikova2023_active")
    with files_in_place(paper, {"mhs": file}):
        assert locate("mhs").file == file


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (["mhz=x"], "Did you mean 'mhs'"),
        (["crows_pairs=x"], "No data set of sotnikova2023_active"),
        (["mhs"], "--data mhs names no file"),
        (["mhs=nowhere.csv"], "no such file to stand in place of mhs"),
        (["wikipedia_talk_toxicity=FILE"], "has 2 files, and this is one"),
        (["mhs=FILE", "mhs=FILE"], "--data gives mhs twice"),
    ],
)
def test_mistakes_are_explained(given, why, tmp_path):
    file = tmp_path / "file"
    file.touch()
    some = [text.replace("FILE", str(file)) for text in given]
    paper = read_paper("sotnikova2023_active")
    with (
        pytest.raises((BadInput, UnknownName), match=why),
        files_in_place(paper, named_files(some)),
    ):
        pass
