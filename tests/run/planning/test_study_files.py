"""A study in a file of the user's: only read where that is allowed, recorded, and never read silently."""

import re
import shutil
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from plugins import bare_study
from support.command_line import own_cache, tilt
from tiltmeter.analyses.correlate.split_half import _measure
from tiltmeter.core import finder
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.finder import known
from tiltmeter.core.results import Card
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.run.files.folder import read
from tiltmeter.run.planning.study_files import read_study, study_if_known, study_of

__all__ = ["own_cache", "tilt"]
SOURCE = bare_study.code_in("extend/add-a-study.md")
ALLOW = "--allow-code"


@pytest.fixture(autouse=True)
def new_process(monkeypatch):
    """Nothing has been read from a file; call it to begin again."""

    def forget():
        monkeypatch.setattr(finder, "_ADDED", {})

    forget()
    return forget


@pytest.fixture
def file(tmp_path):
    """The example of the guide, with a line that leaves a mark when it runs."""
    mark = 'import pathlib\n\npathlib.Path(__file__).with_name("mark").touch()\n'
    (tmp_path / "mine.py").write_text(SOURCE + mark)
    return tmp_path / "mine.py"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Where the runs are kept for all tests."""
    return tmp_path_factory.mktemp("finished") / "runs"


@pytest.fixture
def runs(tilt, file, new_process, finished):
    """Folders of two runs, as a new process finds them."""
    runs = file.parent / "runs"
    if not finished.exists():
        code, _, err = tilt("run", "./mine.py", "fake:masked", "fake:level", ALLOW, "--rule", "aul")
        assert code == 0, err
        new_process()
        (file.parent / "mark").unlink()
        shutil.copytree(runs, finished)
    elif not runs.exists():
        shutil.copytree(finished, runs)
    return sorted(runs.glob("left_handed-*aul*"))


@pytest.mark.parametrize(
    "words",
    [
        ("run", "./mine.py", "fake:masked"),
        ("ls", "mine.py"),
        ("data", "check", "x", "--study", "mine.py"),
    ],
)
def test_code_runs_only_where_it_is_allowed(tilt, file, words):
    code, _, err = tilt(*words)
    assert (code, "by running the file's code" in err, ALLOW in err) == (2, True, True)
    assert not (file.parent / "mark").exists()


def test_a_run_records_the_file(file, runs):
    card = read(runs[0]).card
    assert (card.study, dict(card.study_file)) == (
        "left_handed", {"path": "./mine.py", "sha256": sha256(file)},
    )  # fmt: skip
    assert card.command.startswith("tiltmeter run ./mine.py")
    assert sha256(file) in (runs[0] / "report.html").read_text()


@pytest.mark.usefixtures("runs")
def test_another_content_goes_to_another_folder(tilt, file):
    file.write_text(file.read_text() + "\n")
    assert tilt("run", "mine.py", "fake:masked", ALLOW, "--rule", "aul")[0] == 0
    assert len(list((file.parent / "runs").glob("left_handed-fake-masked-*"))) == 2


def test_a_path_outside_is_recorded_without_its_folders(tilt, file):
    code, _, err = tilt("run", file, "fake:masked", ALLOW)
    assert code == 0, err
    (folder,) = (file.parent / "runs").iterdir()
    assert read(folder).card.study_file["path"] == "PATH/TO/mine.py"
    assert str(file.parent) not in (folder / "card.json").read_text()


def test_ls_and_check_read_it_too(tilt, file):
    assert "Left-handed people: an example" in tilt("ls", "mine.py", ALLOW)[1]
    (file.parent / "p.csv").write_text("sent_more,sent_less\nHe ran.,She ran.\n")
    code, out, err = tilt("data", "check", "p.csv", "--study", "mine.py", ALLOW)
    assert (code, "1 pair can be scored" in out) == (0, True), err


def test_what_a_folder_alone_shows(tilt, file, runs):
    for words in (
        ("report", runs[0]),
        ("table", *runs),
        ("ls", "runs"),
        ("export", runs[0], "a.csv"),
    ):
        code, _, err = tilt(*words)
        assert code == 0, err
    assert "Stereotype" in (runs[0] / "report.html").read_text()
    code, _, err = tilt("compare", *runs)
    assert (code, "add --study ./mine.py --allow-code" in err) == (2, True)
    assert "only be read by running" in tilt("compare", *runs, "--study", "mine.py")[2]
    assert not (file.parent / "mark").exists()


@pytest.mark.parametrize("command", ["compare", "analyse before-after", "figure"])
def test_comparisons_take_the_file(tilt, runs, command):
    code, out, err = tilt(*command.split(), *runs, "--study", "mine.py", ALLOW)
    assert code == 0, err
    assert out or err


def test_reports_and_correlations_take_the_file(tilt, file, runs):
    words = ("analyse", "correlate", *runs, "--over", "groups", "--study", "mine.py")
    assert "only be read by running" in tilt(*words)[2]
    assert not (file.parent / "mark").exists()
    card = read(runs[0]).card
    with pytest.raises(Undefined, match=r"add --study \./mine\.py --allow-code"):
        _measure(card, "stereotype_rate")
    code, _, err = tilt(*words, ALLOW)
    assert code == 0, err
    assert _measure(card, "stereotype_rate").name == "stereotype_rate"
    code, out, err = tilt("report", runs[0], "--study", "mine.py", ALLOW)
    assert (code, "Eight sentences show nothing" in out) == (0, True), err


def test_merge_takes_the_file(tilt, file, new_process):
    rows = [f"{i},He ran {i}.,She sat {i}." for i in range(6)]
    for name, some in (("a", rows[:3]), ("b", rows[3:])):
        (file.parent / f"{name}.csv").write_text(
            "\n".join(["id,sent_more,sent_less", *some]) + "\n"
        )
        code, _, err = tilt(
            "run", "mine.py", "fake:masked", "--data", f"{name}.csv", ALLOW, "--out", name
        )
        assert code == 0, err
    new_process()
    parts = [next((file.parent / name).iterdir()) for name in "ab"]
    assert "add --study mine.py --allow-code" in tilt("import", *parts, "--out", "m")[2]
    code, _, err = tilt("import", *parts, "--out", "m", "--study", "mine.py", ALLOW)
    assert code == 0, err
    assert read(next(Path("m").iterdir())).card.counts["scored"] == 6


def test_a_changed_file_does_not_stand_for_the_old_one(tilt, file, runs):
    file.write_text(file.read_text() + "# changed\n")
    code, _, err = tilt("compare", *runs, "--study", "mine.py", ALLOW)
    assert (code, "was made by the file with another content" in err) == (2, True)
    assert study_if_known(read(runs[0]).card) is None


def test_an_installed_study_of_the_name_does_not_stand_for_the_file(runs, file):
    card = read(runs[0]).card
    study = read_study(file, allow_code=True)
    assert study_of(card).file.sha256 == sha256(file)
    installed = ModuleType("installed")
    installed.STUDY = replace(study, file=None)
    finder.add("studies", "left_handed", installed)
    with pytest.raises(BadInput, match="was read from the file"):
        study_of(card)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("x = 1", "mine.py: it defines no STUDY"),
        ("STUDY = 3", "has a STUDY that is not a Study"),
        ("x = 1\nx = y", "mine.py:2: its code fails: NameError"),
        ("x =", "mine.py:1: its code fails: SyntaxError"),
        ("raise SystemExit(0)", "mine.py:1: its code fails: SystemExit"),
        ("x = '\0'", "its code fails"),
        ("import nothing_of_this_name", "mine.py:1: its code fails: ModuleNotFoundError"),
        (SOURCE.replace('name="left_handed"', 'name="crows_pairs"'), "as an installed study is"),
        (SOURCE.replace('name="left_handed"', 'name=""'), "its study has no name"),
    ],
)
def test_files_without_a_study(tmp_path, content, says):
    (tmp_path / "mine.py").write_text(content)
    before = known("studies")
    with pytest.raises(BadInput, match=re.escape(says)):
        read_study(tmp_path / "mine.py", allow_code=True)
    assert known("studies") == before


def test_other_paths(tmp_path, file):
    shutil.copy(file, tmp_path / "mine.txt")
    for name in ("nothing.py", "mine.txt"):
        with pytest.raises(BadInput, match="no such Python file"):
            read_study(tmp_path / name, allow_code=True)
    assert not (tmp_path / "mark").exists()


@pytest.mark.usefixtures("file")
def test_thresholds_name_the_study(tilt):
    words = ("run", "mine.py", "fake:masked", ALLOW, "--json")
    assert tilt(*words, "--fail-if", "stereotype_rate > 100")[0] == 0
    assert tilt(*words, "--fail-if", "left_handed/stereotype_rate >= 0")[0] == 3


def test_an_analysis_is_no_run_of_a_study():
    card = Card("agreement", "1", {}, {"name": "a", "sha256": ""}, title="Agreement of annotators")
    with pytest.raises(BadInput, match=r"agreement is an analysis.*; give runs of a study"):
        study_of(card)
