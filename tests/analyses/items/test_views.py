"""What a page and the files have of items: texts hidden and left out, lists of ids, hostile texts."""

import csv

import tiltmeter as tm
from analyses.items.examples import random_runs, turned, written


def rows(folder, name):
    return [*csv.DictReader((folder / name).read_text("utf-8").splitlines())]


def test_files_have_every_item_pair_and_the_ids_to_leave_out(tmp_path):
    tm.analyse.items(turned(random_runs(14, 40, lean=0.45), 11), out=tmp_path / "made")
    (folder,) = (path.parent for path in tmp_path.glob("made/*/card.json"))
    items = rows(folder, "items.csv")
    assert len(items) == 40 and items[0]["item"] == "p11" and items[0]["more"] == "text 11"
    listed = rows(folder, "leave_out.csv")
    assert listed[0] == {"item": "p11", "verdict": "against the rest"}
    assert {row["item"] for row in listed} == {
        row["item"] for row in items if row["verdict"] in {"against the rest", "all agree"}
    }
    assert len(rows(folder, "pairs.csv")) == 14 * 13 / 2
    assert {row["bias_type"] for row in rows(folder, "categories.csv")} == {"age", "race"}
    page = (folder / "report.html").read_text("utf-8")
    assert "text 11" in page and 'id="show-text"' in page  # hidden until the reader asks


def test_without_texts_neither_page_nor_files_have_them(tmp_path, tilt):
    paths = written(random_runs(4, 30), tmp_path)
    code, _, err = tilt("analyse", "items", *paths, "--out", tmp_path / "made", "--no-text")
    assert code == 0, err
    for path in tmp_path.glob("made/*/*.[ch][st]*"):
        assert "text 1" not in path.read_text("utf-8"), path.name


def test_hostile_texts_and_names_stay_text(tmp_path):
    some = random_runs(4, 30, text=lambda i: f"<b>x{i}</b>\x1b[31m")
    tm.analyse.items(some, out=tmp_path / "made")
    (page,) = tmp_path.glob("made/*/report.html")
    text = page.read_text("utf-8")
    assert "<b>x" not in text and "&lt;b&gt;x" in text and "\x1b" not in text
