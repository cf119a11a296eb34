"""Where the report of a run may be written."""

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.run.files import folder
from tiltmeter.run.files.output_files import OURS


@pytest.fixture
def run(tilt, tmp_path):
    code, _, err = tilt("run", "starter_pairs", "random", "--out", "runs")
    assert code == 0, err
    (made,) = (tmp_path / "runs").iterdir()
    return made


def test_files_of_a_run_are_no_target(tilt, run):
    for command, name in (
        ("report", "card.json"),
        ("report", "estimates.json"),
        ("export", "records.parquet"),
    ):
        before = (run / name).read_bytes()
        target = [run / name] if command == "export" else ["--to", run / name]
        code, _, err = tilt(command, run, *target)
        assert (code, "belongs to a finished result" in err) == (2, True)
        assert (run / name).read_bytes() == before
    assert tilt("report", run)[0] == 0


def test_other_files_are_no_target(tilt, run, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    code, _, err = tilt("report", run, "--to", "notes.txt")
    assert (code, (tmp_path / "notes.txt").read_text()) == (2, "mine")
    assert "notes.txt: this file exists and holds something else; name another file" in err
    code, _, err = tilt("report", run, "--to", "/dev/full")
    assert (code, "not a regular file" in err) == (2, True)
    for _ in range(2):  # the second time over its own
        assert tilt("report", run, "--to", "page.html")[0] == 0


def test_a_page_of_another_program_is_kept(tilt, run):
    (run / "card.json").unlink()
    (run / "report.html").write_text("<!doctype html><p>Mine</p>")
    code, _, err = tilt("run", "starter_pairs", "random", "--out", "runs")
    assert (code, "report.html: this file exists and holds something else" in err) == (2, True)
    (run / "report.html").write_bytes(b"<!doctype html>" + OURS)
    assert tilt("run", "starter_pairs", "random", "--out", "runs")[0] == 0


@pytest.mark.parametrize("name", ["../../x", "/tmp/x", "card.json", "", ".", ".."])
def test_further_files_of_a_run_stay_in_its_folder(run, tmp_path, name):
    with pytest.raises(BadInput, match="cannot be the name of a further file"):
        folder.write(folder.read(run), tmp_path / "a", page="", more={name: "x"})
    assert not (tmp_path / "a").exists()


def test_folders_name_the_data_where_they_are_not_the_usual_ones(tilt, tmp_path):
    (tmp_path / "our pairs.csv").write_text("sent_more,sent_less\nhe ran,she ran\n")
    assert tilt("run", "pairs", "fake:masked", "--data", "our pairs.csv", "--out", "a")[0] == 0
    assert tilt("run", "starter_pairs", "random", "--out", "a")[0] == 0
    own, usual = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert own.startswith("pairs-fake-masked-pll_shared-our-pairs-")
    assert usual.startswith("starter_pairs-random-ranked-")
    assert len(usual) == len("starter_pairs-random-ranked-") + 8


def test_compare_takes_a_folder_of_runs_as_it_takes_all_that_is_in_it(tilt, tmp_path):
    assert tilt("run", "starter_pairs", "fake:masked", "fake:causal")[0] == 0
    folders = sorted((tmp_path / "runs").iterdir())
    assert len(folders) == 3  # two runs and their comparison
    code, out, err = tilt("compare", *folders)
    assert code == 0, err
    assert "difference of stereotype rates" in " ".join(out.split())
    assert tilt("compare", tmp_path / "runs")[:2] == (0, out)


def test_tables_of_an_analysis_are_in_its_folder_already(tilt, tmp_path):
    (tmp_path / "a.csv").write_text(
        "annotator,item,label\n" + "".join(f"{who},{n},{n % 2}\n" for who in "ab" for n in range(6))
    )
    code, _, err = tilt("analyse", "agreement", "a.csv", "--question", "label")
    assert code == 0, err
    (folder,) = (tmp_path / "runs").iterdir()
    there = (folder / "questions.csv").read_bytes()
    code, _, err = tilt("report", folder, "--tables", "csv")
    assert code == 0, err
    assert "questions.csv" in "".join(err.split())
    assert (folder / "questions.csv").read_bytes() == there
    assert tilt("report", folder, "--tables", "csv", "--group", "x")[0] == 2
