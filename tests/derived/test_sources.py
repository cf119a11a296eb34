"""What can be read to correlate: folders that hold no run, and runs without one number over all items."""

import shutil
from dataclasses import replace

import pytest

from tiltmeter.core.comparison_views import ComparedRuns
from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import find
from tiltmeter.derived.sources import read_results, read_runs
from tiltmeter.models import fake
from tiltmeter.report.view.viewed_results import results_of
from tiltmeter.run.files.folder import write
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose


def result(study):
    found = find("studies", study, "STUDY")
    chosen = choose(found, fake.answers(""), model="fake")
    return measure(found, fake.load(""), found.sample(), chosen=chosen)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Runs, comparisons, a stopped run, a sweep in a folder of its own, an audit with its runs, files."""
    base = tmp_path_factory.mktemp("runs")
    run = result("crows_pairs")
    for second, place in enumerate(("run", "sweep/cell", "audit", "audit/inside")):
        card = replace(run.card, run={"finished": f"2026-01-01T00:00:0{second}"})
        write(replace(run, card=card), base / place, page="")
    (write(run, base / "stopped", page="") / "card.json").unlink()
    for name, of in (("compared", "run"), ("lonely", "elsewhere")):
        views, sources = [ComparedRuns("differences")], [{"folder": of}]
        card = replace(run.card, views=views, sources=sources)
        write(replace(run, card=card), base / name, page="")
    (base / "empty").mkdir()
    (base / "notes.txt").write_text("mine")
    (base / "cells.json").write_text("{}")
    return base


def test_a_folder_stands_for_the_results_in_it(folder):
    """An unfinished run is named; what is inside of a result is that result's."""
    of_folder, notes = read_runs([folder])
    assert [str(path.relative_to(folder)) for path, _ in of_folder] == [
        "audit",
        "run",
        "sweep/cell",
    ]
    assert notes == [
        "Left out: stopped (a run that did not finish) and lonely (a comparison of other runs)."
    ]
    assert [path for path, _ in read_results([folder])[0]] == [path for path, _ in of_folder]


def test_a_folder_is_what_a_shell_makes_of_all_that_is_in_it(folder):
    """What is ours and holds no run is not mentioned; what is not ours is."""
    of_folder, _ = read_runs([folder])
    found, notes = read_runs(sorted(folder.iterdir()))
    assert [path for path, _ in found] == [path for path, _ in of_folder]
    (note,) = notes
    assert note == (
        "Left out: empty (a folder without a run), notes.txt (a file, not a run folder), stopped (a run "
        "that did not finish) and lonely (a comparison of other runs)."
    )


def test_a_run_that_is_named_twice_is_refused(folder):
    for read in (read_runs, read_results):
        with pytest.raises(BadInput, match="it is listed twice; give each run folder once"):
            read([folder, folder / "run"])


def test_results_and_folders_stand_in_the_order_in_which_they_are_given(folder):
    given = result("crows_pairs")
    found, _ = read_results([folder / "run", given, folder / "sweep"])
    assert [path.name for path, _ in found] == ["run", folder_name(given), "cell"]


def test_comparisons_alone_are_meant_themselves(folder):
    assert [path for path, _ in read_runs([folder / "compared"])[0]] == [folder / "compared"]


def test_many_that_are_left_out_are_counted(tmp_path):
    for i in range(6):
        (tmp_path / f"{i}").mkdir()
    write(result("crows_pairs"), tmp_path / "run", page="")
    _, (note,) = read_runs(sorted(tmp_path.iterdir()))
    assert note.endswith("3 (a folder without a run) and 2 more.")


def test_where_there_is_no_run_the_reason_is_given(folder):
    with pytest.raises(
        BadInput, match=r"no finished run among these: stopped \(a run that did not"
    ):
        read_runs([folder / "stopped"])
    with pytest.raises(BadInput, match=r"no finished run among these: cells\.json \(a file, not"):
        read_runs([folder / "cells.json"])
    with pytest.raises(BadInput, match="no such folder"):
        read_runs([folder / "run", folder / "typo"])


def test_a_copied_folder_is_the_same_run(tmp_path):
    """A run that was repeated is another one, though every number is the same."""
    run = result("crows_pairs")
    for second, place in enumerate(("b", "c")):
        card = replace(run.card, run={"finished": f"2026-01-01T00:00:0{second}"})
        write(replace(run, card=card), tmp_path / place, page="")
    shutil.copytree(tmp_path / "b", tmp_path / "a" / "again")
    for read in (read_results, read_runs):
        kept, notes = read([tmp_path])
        assert [folder.name for folder, _ in kept] == ["again", "c"]
        assert notes == ["Left out: b (a copy of again)."]
    viewed, notes = results_of(tmp_path)
    assert sorted(each.folder.name for each in viewed) == ["b", "c"]
    assert notes == ["Left out: again (a copy of b)."]
