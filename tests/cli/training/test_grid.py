"""A grid of classifiers as one job: it ends with tables, goes on after a stop, and fills a paper's tables."""

import csv
import json

import pytest

from support.architectures import build
from tiltmeter.cli.training.grid_file import grid_path, read_grid
from tiltmeter.core.errors import BadItems, UnknownName
from tiltmeter.train import grid as grids
from tiltmeter.train.steps import Loop

GRID = """
epochs = 1
batch-size = 8
max-tokens = 20
learning-rate = 3e-3
seeds = "0"
measure = "f1_weighted"
device = "cpu"

[[model]]
name = "bert-base-uncased"
[[model]]
name = "no-model/of-this-name"
[[model]]
name = "roberta-base"
learning-rate = 1e-3

[[data]]
name = "kaggle_insults.csv"
positive = "insult"
[[data]]
name = "civil_comments.csv"
positive = "toxic"
epochs = 2

[[study]]
name = "classification"
[[study]]
name = "fairness_gaps"
trained_on = ["civil_comments.csv"]
table = ["true_positive_rate_gap_size"]
set = { groups = "gender" }
"""


def write_table(path, name, label):
    """Sixty texts whose label a word tells; the column `data` names them as the paper's set."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "label", "group_gender", "data"])
        for i in range(60):
            text = f"The old driver was slow {i}" if i % 2 else f"My grandmother sang at night {i}"
            group = ("Female", "Male", "")[i % 3].lower()
            writer.writerow([text, label if i % 2 else "other", group, name])


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("m")
    return {
        name: build(kind, folder / name)
        for name, kind in (("bert-base-uncased", "bert"), ("roberta-base", "roberta"))
    }


@pytest.fixture
def folder(tmp_path, models):
    for name, place in models.items():
        (tmp_path / name).symlink_to(place)
    write_table(tmp_path / "kaggle_insults.csv", "kaggle_insults", "insult")
    write_table(tmp_path / "civil_comments.csv", "civil_comments", "toxic")
    (tmp_path / "mine.toml").write_text(GRID, "utf-8")
    return tmp_path


def cells(folder):
    read = json.loads((folder / "grids" / "mine" / "grid.json").read_text("utf-8"))["cells"]
    return {(cell["model"], cell["data"]): cell for cell in read}


def test_a_grid_ends_with_tables_and_runs_that_a_paper_takes(tilt, folder, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    code, out, err = tilt("train", "grid", "mine.toml")
    assert code == 1  # one model does not exist
    states = {key: cell["state"] for key, cell in cells(folder).items()}
    assert [*states.values()] == ["done", "failed", "done"] * 2
    lines = out.splitlines()
    assert lines[0] == "f1 weighted on the test texts, %:"
    assert lines[1].split()[2:] == ["bert-base-uncased", "no-model/of-this-name", "roberta-base"]
    kaggle = cells(folder)["bert-base-uncased", "kaggle_insults.csv"]["test"]["f1_weighted"]["mean"]
    assert lines[2].split() == [
        "kaggle_insults.csv",
        f"{kaggle:.1f}",
        "failed",
        lines[2].split()[-1],
    ]
    assert "female − male" in out and "gap in true positive rate" in out
    assert out.count("Failed: no-model/of-this-name × ") == 2
    assert "bert-base-uncased × civil_comments.csv (4 of 6)" in err
    # own options of a model and of a data set
    trained = cells(folder)["roberta-base", "civil_comments.csv"]["training"]
    assert (trained["epochs"], trained["learning_rate"]) == (2, 1e-3)

    # the same command trains nothing again, and prints the same tables
    monkeypatch.setattr(Loop, "run", lambda *_: pytest.fail("trained again"))
    again, out_again, _ = tilt("train", "grid", "mine.toml")
    assert (again, out_again) == (code, out)

    # all runs at once, of which a paper takes what it can use
    code, out, _ = tilt(
        "replicate", "elsafoury2023", "--runs", "grids/mine/runs", "--select", "T7,T10"
    )
    assert code == 0
    row = next(line for line in out.splitlines() if line.startswith("kaggle_insults"))
    assert f"{kaggle:.1f} ≠ 84.4" in row and " ≠ 84.7" in row and "(83.2)" in row
    gaps = out[out.index("Table 10:") :]
    assert gaps.count(" / ") == 0
    assert gaps.count(" ≠ ") + gaps.count(" ≈ ") + gaps.count(" = ") >= 6


def test_after_a_stop_done_cells_are_skipped_and_the_other_is_continued(tilt, folder, monkeypatch):
    text = GRID.replace('[[model]]\nname = "no-model/of-this-name"\n', "")
    (folder / "mine.toml").write_text(text, "utf-8")
    train, trained = grids.train, []

    def interrupted(config, *rest):
        trained.append(config.folder.name)
        if len(trained) == 2:
            raise KeyboardInterrupt
        return train(config, *rest)

    monkeypatch.setattr(grids, "train", interrupted)
    assert tilt("train", "grid", "mine.toml", "--limit", 40)[0] == 130
    states = [cell["state"] for cell in cells(folder).values()]
    assert states == ["done", "to do", "to do", "to do"]
    code, out, _ = tilt("train", "grid", "mine.toml", "--limit", 40, "--json")
    assert code == 0
    assert trained[2:] == [
        "roberta-base-kaggle_insults",
        "bert-base-uncased-civil_comments",
        "roberta-base-civil_comments",
    ]
    said = json.loads(out)
    assert said["counts"] == {"done": 4}
    assert sum(run["counts"]["done"] for run in said["runs"]) == 6
    # with other options they are other trainings, which the folder refuses cell by cell
    assert tilt("train", "grid", "mine.toml", "--limit", 50)[0] == 1
    assert "another classifier" in cells(folder)["roberta-base", "civil_comments.csv"]["why"]


def test_what_is_planned_is_shown_without_training(tilt, folder):
    code, out, _ = tilt("train", "grid", "mine.toml", "--plan", "--json")
    assert code == 0
    assert json.loads(out)["counts"] == {"to do": 6}
    assert not (folder / "grids").exists()


def test_all_mistakes_of_a_file_are_listed(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(
        'epoch = 3\n[[model]]\nname = "a"\nbatch-size = 0\n[[data]]\nname = "d"\n', "utf-8"
    )
    with pytest.raises(BadItems) as caught:
        read_grid(path, tmp_path)
    assert "'epoch'" in str(caught.value) and "batch-size is 0" in str(caught.value)
    path.write_text(
        '[[model]]\nname = "a"\n[[model]]\nname = "a"\n[[data]]\nname = "d"\n'
        '[[study]]\nname = "classification"\ntrained_on = ["e"]\n',
        "utf-8",
    )
    with pytest.raises(BadItems) as caught:
        read_grid(path, tmp_path)
    assert "'a' repeats model[1]" in str(caught.value)
    assert "'e' is none of the data sets (d)" in str(caught.value)
    path.write_text(
        '[[model]]\nname = "a"\n[[data]]\nname = "d"\n[[study]]\nname = "nothing"\n', "utf-8"
    )
    with pytest.raises(UnknownName, match="study"):
        read_grid(path, tmp_path)


def test_the_shipped_grid_is_the_papers(tmp_path):
    """Three models, six sets; 40, 30, 30 %; 3 epochs, batches of 32, 2e-5, 61 tokens (section 6)."""
    plan = read_grid(grid_path("elsafoury2023"), tmp_path)
    assert len(plan.cells) == 18
    assert len({cell.config.folder for cell in plan.cells}) == 18
    for cell in plan.cells:
        config = cell.config
        assert (config.epochs, config.batch_size, config.max_tokens) == (3, 32, 61)
        assert (config.learning_rate, config.shares) == (2e-5, (0.4, 0.3, 0.3))
    groups = [study.options["set"]["groups"] for study in plan.studies[1:]]
    assert groups == ["gender", "race", "religion"]
