"""What runs write can be read back, and folders of different runs are not mixed."""

import numpy as np
import pytest

from tiltmeter.active.pool_runs import load_measures
from tiltmeter.active.run_files import (
    RunFiles,
    RunManifest,
    VoteQuery,
    load_item_losses,
    load_queries,
)
from tiltmeter.core.errors import BadInput


def manifest(**changes):
    usual = {
        "pool": {"name": "demo", "items": 3}, "labels": ("a", "b"), "settings": {"every": 10},
        "grid": (10, 20), "versions": {"tiltmeter": "0"}, "strategies": ("passive",), "seeds": (0,),
    }  # fmt: skip
    return RunManifest(**(usual | changes))


def finished_run(folder, strategy, seed, losses):
    files = RunFiles(folder, strategy, seed)
    files.start()
    files.add([VoteQuery(seed, strategy, 1, "i\u20281", None, "a", "start")])
    for votes, loss in zip((10, 20), losses, strict=True):
        files.measured(votes, {"log_loss": loss})
    files.finish(["i1"], np.array([[0.5, 0.25]]))
    return files


def test_what_is_written_is_read_back(tmp_path):
    manifest(strategies=("passive", "daal"), seeds=(0, 1)).write(tmp_path)
    files = finished_run(tmp_path, "passive", 0, (0.5, 0.25))
    finished_run(tmp_path, "daal", 0, (0.75, None))
    finished_run(tmp_path, "daal", 1, (0.75, 0.5))
    curves = load_measures(tmp_path)
    assert curves.strategies == ("passive", "daal") and curves.seeds == (0,)
    assert curves.votes.tolist() == [10, 20]
    assert curves.values["log_loss"]["passive"].tolist() == [[0.5, 0.25]]
    np.testing.assert_equal(curves.values["log_loss"]["daal"], [[0.75, np.nan]])
    assert [query.item for query in load_queries(tmp_path, "passive", 0)] == ["i\u20281"]
    assert load_item_losses(tmp_path, "passive", 0)[0].js_nats == 0.25
    assert files.is_finished and not RunFiles(tmp_path, "passive", 1).is_finished


def test_an_unfinished_run_can_be_read_but_is_no_curve(tmp_path):
    manifest().write(tmp_path)
    files = RunFiles(tmp_path, "passive", 0)
    files.start()
    files.add([VoteQuery(0, "passive", 1, "i1", "p1", "a", "start")])
    assert len(load_queries(tmp_path, "passive", 0)) == 1
    with pytest.raises(BadInput, match="no seed is finished"):
        load_measures(tmp_path)


def test_strategies_are_added_and_other_settings_refused(tmp_path):
    manifest().write(tmp_path)
    manifest(strategies=("daal",), seeds=(3,)).write(tmp_path)
    assert RunManifest.read(tmp_path).strategies == ("passive", "daal")
    assert RunManifest.read(tmp_path).seeds == (0, 3)
    with pytest.raises(BadInput, match=r"another every \(10, not 20\)"):
        manifest(settings={"every": 20}).write(tmp_path)
    with pytest.raises(BadInput, match=r"no manifest\.json"):
        load_measures(tmp_path / "elsewhere")


def test_a_file_is_no_folder_of_runs(tmp_path):
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(BadInput, match=r"has no manifest\.json, .*; name a folder"):
        RunManifest.read(file)
