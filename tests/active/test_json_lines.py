"""Lines of runs, as somebody may have edited them."""

import json

import pytest

from support import active_runs
from tiltmeter.active.json_lines import read_lines, text_of
from tiltmeter.active.pool_runs import read_pool
from tiltmeter.active.run_files import ItemLoss, MeasuredPoint, RunManifest
from tiltmeter.core.errors import BadInput


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "{}",
        "{broken",
        "[" * 100_000,
        '{"seed": "0"}',
        '{"item": "\\ud800"}',
        "\xff",
        "9" * 5000,
    ],
    ids=lambda line: line[:12],
)
def test_a_line_that_is_none_is_named(tmp_path, line):
    good = '{"seed": 0, "strategy": "daal", "item": "a", "log_loss": 0.5, "js_nats": 1}\n'
    (tmp_path / "f").write_text(good + line, "latin-1")
    with pytest.raises(
        BadInput, match=r"f:2: the line is damaged .*; delete the file and run it again"
    ):
        list(read_lines(tmp_path / "f", ItemLoss))


def test_rows_are_read_back_as_they_were(tmp_path):
    rows = [
        MeasuredPoint(seed, "daal", 5, {"js_nats": 0.1 + seed, "floor": None}) for seed in (0, 1)
    ]
    (tmp_path / "f").write_text(text_of(row for row in rows))
    assert [*read_lines(tmp_path / "f", MeasuredPoint)] == rows
    assert text_of(rows[:1]) == (
        '{"seed": 0, "strategy": "daal", "votes": 5, "measures": {"js_nats": 0.1, "floor": null}}\n'
    )
    assert text_of([]) == ""
    with pytest.raises(ValueError, match="JSON compliant"):
        text_of([ItemLoss(0, "daal", "a", float("nan"), 0.5)])


def test_no_lines_are_none(tmp_path):
    (tmp_path / "f").write_text("")
    assert list(read_lines(tmp_path / "f", MeasuredPoint)) == []
    with pytest.raises(BadInput, match="there is no such run"):
        list(read_lines(tmp_path / "g", MeasuredPoint))


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"strategies": ["../../x"]}, "'../../x' is not a strategy"),
        ({"strategies": "daal"}, "strategies is not a list"),
        ({"grid": ["100"]}, r"grid\[1\] is '100', not a whole number"),
        (
            {"grid": [7]},
            r"the points of \w+ are not at the numbers of votes that manifest.json has",
        ),
        ({"colour": 1}, "an unknown key 'colour'"),
    ],
)
def test_manifests_that_do_not_fit(tmp_path, changed, says):
    folder = active_runs.written(tmp_path, {"passive": 300}, seeds=1)
    file = folder / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | changed), "utf-8")
    with pytest.raises(BadInput, match=says):
        read_pool(folder, draws=99)


def test_two_seeds_are_enough_for_a_report(tmp_path):
    folder = active_runs.written(tmp_path, {"passive": 300, "daal": 200}, seeds=2)
    assert read_pool(folder, draws=99).table.seeds == (0, 1)
    assert RunManifest.read(folder).seeds == (0, 1)
