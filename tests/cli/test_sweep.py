"""Studies × models, as a user would type it."""

import json
import shutil
import signal
import time

import pytest

from tiltmeter.models import fake
from tiltmeter.run import jobs
from tiltmeter.run.asking import model_openers

SWEEP = """
seed = 1

[[study]]
name = "pairs"
data = "pairs.csv"

[[study]]
name = "pairs"
data = "pairs.csv"
rule = "aul"

[[study]]
name = "starter_pairs"

[[model]]
name = "fake:masked"

[[model]]
name = "fake:causal"
batch-tokens = 1024
"""


@pytest.fixture
def file(tmp_path):
    people = ("nurse", "pilot"), ("grandpa", "student"), ("clerk", "driver")
    rows = [f"p{i},the {a} was slow,the {b} was slow,job" for i, (a, b) in enumerate(people)]
    header = "id,sent_more,sent_less,bias_type"
    (tmp_path / "pairs.csv").write_text("\n".join([header, *rows]), encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(SWEEP, encoding="utf-8")
    return path


@pytest.fixture
def opened(monkeypatch):
    """The models that were opened, in order."""
    names = []

    def noting(where, options, *, name="", **_):
        names.append(where.reference)
        return fake.load(where.location, options, name=name)

    monkeypatch.setattr(model_openers, "open_model", noting)
    return names


def cells(out):
    return {(c["study"], c["rule"], c["model"]): c for c in json.loads(out)["cells"]}


def files_of(folder):
    """Every file, but for what says when a run was."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.name == "card.json":
            card = json.loads(path.read_text("utf-8"))
            found[path.relative_to(folder)] = card | {"run": card["run"].get("sweep")}
        elif path.is_file():
            found[path.relative_to(folder)] = path.read_bytes()
    return found


def test_a_sweep_does_every_cell_and_opens_each_model_once(tilt, file, opened, tmp_path):
    code, out, err = tilt("run", file, "--json")
    assert code == 0, err
    found = cells(out)
    assert opened == ["fake:masked", "fake:causal"]
    states = {key[1:]: c["state"] for key, c in found.items() if key[0] == "pairs"}
    assert states == {
        ("pll_shared", "fake:masked"): "done",
        ("aul", "fake:masked"): "done",
        ("log_likelihood", "fake:causal"): "done",
        ("", "fake:causal"): "not applicable",
    }
    refused = found["pairs", "", "fake:causal"]
    assert "read where nothing is hidden" in refused["why"]
    folder = tmp_path / "runs" / "mine"
    assert json.loads((folder / "cells.json").read_text("utf-8")) == json.loads(out)
    for cell in found.values():
        if cell["state"] == "done":
            card = json.loads((folder / cell["folder"] / "card.json").read_text("utf-8"))
            assert (card["study"], card["rule"]) == (cell["study"], cell["rule"])
            assert (card["seed"], card["run"]["sweep"]) == (1, cell["id"])
            assert cell["headline"]["low"] <= cell["headline"]["value"] <= cell["headline"]["high"]


def test_its_numbers_are_those_of_single_runs(tilt, file):
    _, out, _ = tilt("run", file, "--json")
    swept = cells(out)["starter_pairs", "pll_shared", "fake:masked"]["headline"]
    _, alone, _ = tilt("run", "starter_pairs", "fake:masked", "--seed", 1, "--json")
    (head, *_) = json.loads(alone)["estimates"]
    assert {name: head[name] for name in swept} == swept


def test_a_second_time_nothing_is_opened_and_nothing_changes(tilt, file, opened, tmp_path):
    assert tilt("run", file)[0] == 0
    before = files_of(tmp_path / "runs")
    opened.clear()
    assert tilt("run", file)[0] == 0
    assert opened == []
    assert files_of(tmp_path / "runs") == before
    assert tilt("run", file, "--fresh")[0] == 0
    assert opened == ["fake:masked", "fake:causal"]
    after = files_of(tmp_path / "runs")
    for name, content in before.items():  # cards and pages name the command, which was another
        assert name.suffix in {".json", ".html"} or after[name] == content
    assert after.keys() == before.keys()


def test_what_was_changed_is_done_and_nothing_else(tilt, file, opened):
    assert tilt("run", file)[0] == 0
    opened.clear()
    file.write_text(SWEEP.replace("batch-tokens = 1024", "batch-tokens = 512"), encoding="utf-8")
    assert tilt("run", file)[0] == 0
    assert opened == ["fake:causal"]


def test_a_dry_run_shows_and_does_nothing(tilt, file, opened, tmp_path):
    code, out, err = tilt("run", file, "--plan")
    assert code == 0, err
    assert out.count("to do") == 5
    assert out.count("not applicable") == 1
    assert opened == []
    assert not (tmp_path / "runs").exists()


def test_a_failing_model_stops_no_other(tilt, file, monkeypatch, tmp_path):
    right = model_openers.open_model

    def failing(where, options, *, name="", **more):
        if where.reference == "fake:masked":
            raise ZeroDivisionError("a bug in a back-end")
        return right(where, options, name=name, **more)

    monkeypatch.setattr(model_openers, "open_model", failing)
    file.write_text(f'{SWEEP}\n[[model]]\nname = "{tmp_path}/nowhere"\n', encoding="utf-8")
    code, out, err = tilt("run", file)
    assert code == 1
    assert err.count("ZeroDivisionError: a bug in a back-end") == 1  # not once for each study
    assert out.count("failed: as above") == 4  # two of each model
    assert "Traceback" not in out + err
    told = json.loads((tmp_path / "runs" / "mine" / "cells.json").read_text("utf-8"))
    assert told["counts"] == {"failed": 6, "done": 2, "not applicable": 1}
    assert {c["model"] for c in told["cells"] if c["state"] == "done"} == {"fake:causal"}
    assert "in failing" in next(c for c in told["cells"] if c["state"] == "failed")["trace"]
    monkeypatch.setattr(model_openers, "open_model", right)  # mended: only what is left is done
    code, out, _ = tilt("run", file, "--json")
    assert code == 1
    assert json.loads(out)["counts"] == {"done": 5, "not applicable": 1, "failed": 3}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("starter_pairs", "starter_pair"), "study 3 (starter_pair): No study named"),
        (('"aul"', '"aull"'), "study 2 (pairs): No rule named 'aull'"),
        (("batch-tokens", "batch-token"), "did you mean 'batch-tokens'"),
        (("seed = 1", 'ties = "maybe"'), "No policy for ties named 'maybe'"),
        (("seed = 1", 'precision = "float8"'), "No precision named 'float8'"),
        (("fake:causal", "ensemble:one"), "names fewer than two models"),
    ],
)
def test_what_does_not_exist_is_told_before_anything_is_done(
    tilt, file, opened, tmp_path, change, message
):
    file.write_text(SWEEP.replace(*change), encoding="utf-8")
    code, out, err = tilt("run", file)
    assert code == 2
    assert message in err
    assert out == ""
    assert opened == []
    assert not (tmp_path / "runs").exists()


def test_a_killed_sweep_goes_on_and_ends_as_if_nothing_had_happened(
    start, tilt, file, tmp_path, monkeypatch
):
    dying = start("run", file.name)
    for _ in range(1200):
        if list((tmp_path / "runs" / "mine").glob("*/card.json")):
            break
        time.sleep(0.02)
    dying.send_signal(signal.SIGKILL)
    dying.communicate(timeout=60)
    code, _, err = tilt("run", file.name)
    assert code == 0, err

    undisturbed = tmp_path / "undisturbed"
    undisturbed.mkdir()
    for name in (file.name, "pairs.csv"):
        shutil.copy(tmp_path / name, undisturbed)
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "other cache"))
    monkeypatch.chdir(undisturbed)
    code, _, err = tilt("run", file.name)
    assert code == 0, err
    assert files_of(tmp_path / "runs") == files_of(undisturbed / "runs")


def test_models_that_share_a_name_are_told_apart(tilt, file):
    file.write_text(
        '[[study]]\nname = "pairs"\ndata = "pairs.csv"\n'
        '[[model]]\nname = "fake"\n[[model]]\nname = "fake"\nbatch-tokens = 99\n',
        encoding="utf-8",
    )
    code, out, err = tilt("run", file, "--json")
    assert code == 0, err
    assert [c["model"] for c in json.loads(out)["cells"]] == ["fake", "fake (batch-tokens 99)"]


def test_settings_reach_the_run(tilt, file, monkeypatch):
    seen = []
    right = jobs.measure

    def noting(study, model, data, **more):
        seen.append((study.name, more["chosen"].ties, more["seed"], more["skip_invalid"]))
        return right(study, model, data, **more)

    monkeypatch.setattr(jobs, "measure", noting)
    file.write_text(
        'skip-invalid = true\n[[study]]\nname = "pairs"\ndata = "pairs.csv"\nties = "loss"\nseed = 7\n'
        '[[model]]\nname = "fake"\n',
        encoding="utf-8",
    )
    assert tilt("run", file)[0] == 0
    assert seen == [("pairs", "loss", 7, True)]


def test_cells_that_differ_in_no_setting_of_a_folder_have_one_each(tilt, file, opened, tmp_path):
    """The default rule by name, and another size of batches, do not tell run folders apart."""
    pairs = '[[study]]\nname = "pairs"\ndata = "pairs.csv"\n'
    fake = '[[model]]\nname = "fake:masked"\n'
    file.write_text(
        f'{pairs}{pairs}rule = "pll_shared"\n{fake}{fake}batch-tokens = 50\n', encoding="utf-8"
    )
    assert tilt("run", file)[0] == 0
    made = {
        c["folder"] for c in json.loads((tmp_path / "runs/mine/cells.json").read_text())["cells"]
    }
    assert len(made) == 4
    opened.clear()
    assert tilt("run", file)[0] == 0
    assert opened == []


def test_workers_without_ray_are_refused_also_where_nothing_is_to_do(tilt, file):
    code, out, err = tilt("run", file, "--plan", "--workers", "2")
    assert (code, out) == (2, "")
    assert "add --ray" in err


def test_a_study_without_a_number_over_all_items_is_done_all_the_same(tilt, tmp_path):
    sweep = '[[study]]\nname = "weat"\ndata = "starter_words"\n[[model]]\nname = "fake"\n'
    (tmp_path / "one.toml").write_text(sweep, encoding="utf-8")
    code, out, err = tilt("run", tmp_path / "one.toml")
    assert code == 0, err
    assert "done; no number over all items, see its page" in " ".join(out.split())


GRID = """
limit = 3
[[study]]
name = "starter_pairs"
"""


def test_a_folder_with_another_grid_or_an_audit_is_not_replaced(tilt, tmp_path):
    """A grid that grows keeps its folder; one that shares no cell is another."""
    for name, models in (("a", ["fake"]), ("b", ["random"]), ("both", ["fake", "random"])):
        tables = (f'[[model]]\nname = "{model}"\n' for model in models)
        (tmp_path / f"{name}.toml").write_text(GRID + "".join(tables))
    assert tilt("run", "a.toml", "--out", "made")[0] == 0
    cells = (tmp_path / "made" / "cells.json").read_text()
    code, _, err = tilt("run", "b.toml", "--out", "made")
    reason = (
        "made: this folder holds the cells of another grid, such as starter_pairs of fake; name"
    )
    assert code == 2 and reason in " ".join(err.split())
    assert (tmp_path / "made" / "cells.json").read_text() == cells
    assert tilt("run", "a.toml", "--out", "made")[0] == 0
    assert tilt("run", "both.toml", "--out", "made")[0] == 0
    assert tilt("run", "starter_pairs", "fake", "--limit", "3", "--out", "runs")[0] == 0
    (run,) = (tmp_path / "runs").iterdir()
    code, _, err = tilt("run", "both.toml", "--out", run)
    assert code == 2 and "holds another result" in err and "--overwrite" not in err
