"""Files of measured runs are read as they were written; the table and the plot say what is in them."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from benchmarks import __main__ as measuring
from benchmarks._frame import Row
from benchmarks.results import __main__ as showing
from benchmarks.results import run_file
from benchmarks.results.ratio_plot import ratio_lines, ratio_plot
from benchmarks.results.ratio_table import ratio_table
from benchmarks.results.run_file import (
    MeasuredRow,
    RunFile,
    all_runs,
    newest_rows,
    read_run,
    write_run,
)

from tiltmeter.core.errors import BadInput

OURS = Row("40 pairs", "tiltmeter", 2.0, {"pairs/s": 20.0}, clock="processor")
THEIRS = Row(
    "40 pairs", "other | 1.0", 6.5,
    {"times as long": 3.25, "largest difference": 1.2e-5, "decisions equal": "40 of 40"},
    clock="processor",
)  # fmt: skip
SERVER = Row("9 requests", "client", 1.0, {"times as long": 0.5}, clock="wall")
ABSENT = Row("40 pairs", "third", skipped="third is not installed", clock="processor")
ROWS = (
    *(MeasuredRow("pairs", "Pairs", row) for row in (OURS, THEIRS, ABSENT)),
    MeasuredRow("server", "Server", SERVER),
    MeasuredRow("startup", "", Row("importing", "core", 0.2)),
)
RUN = RunFile(
    "2026-11-23 07:10", "abc123456+", "quick",
    {"processor": "A processor", "cores": 2, "threads": 1, "instructions": "avx2 fma", "gpu": None},
    {"torch": "2.13.0"}, ROWS,
)  # fmt: skip


def later(ratio):
    row = replace(THEIRS, values={**THEIRS.values, "times as long": ratio})
    rows = [MeasuredRow("pairs", "Pairs", row)]
    return replace(RUN, date="2026-11-24 08:00", commit="def").with_rows("pairs", rows)


def test_a_run_is_read_as_it_was_written(tmp_path):
    write_run(RUN, tmp_path / RUN.name)
    assert RUN.name == "2026-11-23-abc123456-changed.json"
    assert read_run(tmp_path / RUN.name) == RUN
    write_run(later(3.0), tmp_path / "a.json")
    assert [run.commit for run in all_runs(tmp_path)] == ["abc123456+", "def"]
    lines = (tmp_path / RUN.name).read_text("utf-8").splitlines()
    assert sum('"benchmark":' in line for line in lines) == len(ROWS)
    empty = replace(RUN, rows=())
    write_run(empty, tmp_path / "empty.json")
    assert read_run(tmp_path / "empty.json") == empty


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"format": 1', '"format": 2', "format 2, and 1 is read"),
        ("6.5", "NaN", "NaN is no number"),
        ("6.5", "1e999", "is not finite"),
        ('"processor"', '"sundial"', "no such clock: sundial"),
        ('"rows"', '"lines"', "not the file of a run"),
        ("{", "", "not the file of a run"),
    ],
)
def test_a_file_that_is_none_is_refused_with_its_name(tmp_path, old, new, reason):
    write_run(RUN, tmp_path / "run.json")
    text = (tmp_path / "run.json").read_text("utf-8")
    old = f'"clock": {old}' if old == '"processor"' else old
    new = f'"clock": {new}' if new == '"sundial"' else new
    (tmp_path / "run.json").write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(BadInput, match=rf"run\.json: .*{re.escape(reason)}"):
        read_run(tmp_path / "run.json")


def test_rows_that_are_not_numbers_are_never_written(tmp_path):
    endless = MeasuredRow("pairs", "Pairs", replace(OURS, seconds=float("inf")))
    with pytest.raises(ValueError, match="JSON"):
        write_run(replace(RUN, rows=(endless,)), tmp_path / "run.json")
    assert not list(tmp_path.iterdir())


def test_a_later_run_of_some_tasks_is_completed_by_earlier_ones_on_the_same_processor():
    only = replace(later(3.0), rows=later(3.0).rows[-1:], size="full")
    whole = newest_rows([RUN, only])
    assert [(one.benchmark, one.ratio) for one in whole.rows] == [
        ("pairs", 3.0), ("server", 0.5), ("startup", None),
    ]  # fmt: skip
    assert (whole.commit, whole.size) == ("def; abc123456+ (Server)", "full; quick")
    assert newest_rows([replace(RUN, machine={"processor": "Another"}), only]) == only


def test_the_table_has_ratio_and_agreement_of_every_other_program():
    table = ratio_table(RUN)
    assert "| Pairs: 40 pairs | other \\| 1.0 | 6.5 | 2 | 3.25 | 1 × 10⁻⁵ | 40 of 40 |" in table
    assert "| Server: 9 requests | client | 1\\* | 2\\* | 0.5 |  |  |" in table
    assert "A processor; 2 cores; one thread; avx2, fma" in table
    assert "2026-11-23 at commit abc123456+, size quick" in table
    assert "Seconds are processor time; \\* marks wall time." in table
    assert "Not measured: Pairs, third: third is not installed." in table
    assert "importing" not in table
    rows = [line for line in table.splitlines() if line.startswith("|")]
    assert len({re.sub(r"\\\|", "", line).count("|") for line in rows}) == 1


def test_a_line_of_the_plot_is_one_program_over_the_runs():
    lines = ratio_lines([RUN, later(3.0)])
    assert {case: [line.values for line in found] for case, found in lines.items()} == {
        "Pairs: 40 pairs": [[3.25, 3.0]],
        "Server: 9 requests": [[0.5, 0.5]],
    }
    apart = ratio_lines([RUN, replace(later(3.0), machine={"processor": "Another"})])
    assert [line.values for line in apart["Pairs: 40 pairs, A processor"]] == [[3.25, None]]
    assert [line.values for line in apart["Pairs: 40 pairs, Another"]] == [[None, 3.0]]


def test_the_plot_puts_higher_ratios_higher_and_names_commits():
    svg = ratio_plot([RUN, later(3.0), replace(later(30.0), date="2026-11-25", commit="ghi")])
    tree = ET.fromstring(svg)
    texts = ["".join(text.itertext()) for text in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Pairs: 40 pairs", "Server: 9 requests", "abc1234", "def", "ghi"} <= set(texts)
    assert "30 ×  other | 1.0" in texts
    dots = [dot.attrib for dot in tree.iter("{http://www.w3.org/2000/svg}circle")]
    first, second, third = (float(dot["cy"]) for dot in dots[:3])
    assert third < first < second
    assert float(dots[0]["cx"]) < float(dots[1]["cx"]) < float(dots[2]["cx"])


def test_the_command_shows_the_newest_run_or_the_one_named(tmp_path, capsys):
    plot = tmp_path / "ratios.svg"
    folder = ["--folder", str(tmp_path), "--plot", str(plot)]
    assert showing.main(folder) == 2
    assert "python -m benchmarks --keep" in capsys.readouterr().err
    write_run(RUN, tmp_path / "one.json")
    write_run(later(3.0), tmp_path / "two.json")
    assert showing.main(folder) == 0
    assert "at commit def" in capsys.readouterr().out
    assert "Server" in plot.read_text("utf-8")
    assert showing.main([*folder, str(tmp_path / "one.json")]) == 0
    assert "at commit abc123456+" in capsys.readouterr().out
    (tmp_path / "three.json").write_text("[]", "utf-8")
    assert showing.main(folder) == 2
    assert "three.json" in capsys.readouterr().err


def test_a_kept_run_is_completed_by_what_is_measured_later(tmp_path, monkeypatch, capsys):
    def measured(name, settings):
        yield Row(f"{settings.pairs} pairs", name, 1.0)

    monkeypatch.setattr(measuring, "FOLDER", tmp_path)
    monkeypatch.setattr(measuring, "run", measured)
    assert measuring.main(["--keep", "--only", "causal", "--pairs", "3"]) == 0
    again = ["--keep", "--only", "stereoset", "--only", "startup", "--processor-time", "--quick"]
    assert measuring.main(again) == 0
    assert measuring.main(["--only", "people"]) == 0  # not kept
    (kept,) = all_runs(tmp_path)
    found = [(one.benchmark, one.row.case, one.row.clock) for one in kept.rows]
    assert found == [
        ("causal", "3 pairs", "wall"),
        ("stereoset", "None pairs", "processor"),
        ("startup", "None pairs", "processor"),
    ]
    assert [bool(one.task) for one in kept.rows] == [True, True, False]
    assert kept.size == "full, 3 pairs; quick"
    assert kept.machine["cores"] >= 1
    assert kept.versions["numpy"]
    assert json.loads((tmp_path / kept.name).read_text("utf-8"))["commit"] == kept.commit
    capsys.readouterr()


def test_every_file_that_is_kept_can_be_shown():
    runs = all_runs(run_file.FOLDER)
    for run in runs:
        assert run.compared()
        assert ratio_table(run)
