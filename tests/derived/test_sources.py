"""What can be read to correlate: folders that hold no run, and runs without one number over all items."""

from dataclasses import replace

import pytest

from tiltmeter.core.comparison_views import ComparedRuns
from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import find
from tiltmeter.derived.sources import read_runs
from tiltmeter.models import fake
from tiltmeter.run.files.folder import write
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose


def result(study):
    found = find("studies", study, "STUDY")
    chosen = choose(found, fake.answers(""), model="fake")
    return measure(found, fake.load(""), found.sample(), chosen=chosen)


def test_folders_of_other_kinds_are_left_out_with_a_note(tmp_path):
    """As a shell gives runs/*: runs, comparisons, a stopped run, a file."""
    run = write(result("crows_pairs"), tmp_path / "run", page="")
    stopped = write(result("crows_pairs"), tmp_path / "stopped", page="")
    (stopped / "card.json").unlink()
    compared = result("crows_pairs")
    compared = replace(compared, card=replace(compared.card, views=[ComparedRuns("differences")]))
    write(compared, tmp_path / "compared", page="")
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("mine")
    found, notes = read_runs(sorted(tmp_path.iterdir()))
    assert [path for path, _ in found] == [run]
    assert notes == [
        "empty is a folder without a run: left out.",
        "notes.txt is a file, not a run folder: left out.",
        "stopped is a run that did not finish: left out.",
        "compared is a comparison of runs, not a run: left out.",
    ]
    assert [path for path, _ in read_runs([tmp_path / "compared"])[0]] == [tmp_path / "compared"]
    with pytest.raises(BadInput, match="none of these holds a finished run: stopped is a run that"):
        read_runs([stopped])
    with pytest.raises(BadInput, match="is not a folder"):
        read_runs([run, tmp_path / "typo"])
