"""The list of a folder's runs."""

import pytest

import tiltmeter as tm


@pytest.fixture
def two_studies(tmp_path):
    """A run of each of two studies, in one folder."""
    for study in ("starter_pairs", "sensible_pairs"):
        tm.run(study, "fake:masked", limit=20).save(tmp_path / "runs" / f"{study}-of-a-model")
    return tmp_path / "runs"


def listed(tilt, monkeypatch, folder, width):
    monkeypatch.setenv("COLUMNS", str(width))
    code, out, _ = tilt("ls", folder)
    assert code == 0
    lines = out.splitlines()
    assert all(len(line) <= width for line in lines)
    return lines


def test_each_run_has_its_study_interval_and_whole_folder_at_any_width(
    tilt, monkeypatch, two_studies
):
    lines = listed(tilt, monkeypatch, two_studies, 80)
    heading, *rows = lines
    assert heading.split() == ["model", "study", "n", "value", "interval"]
    assert [row.split()[1] for row in rows[::2]] == ["sensible_pairs", "starter_pairs"]
    assert [row.strip() for row in rows[1::2]] == [
        "sensible_pairs-of-a-model", "starter_pairs-of-a-model",
    ]  # fmt: skip
