"""The files of the page over a folder: what they hold, what is left out, what is never overwritten."""

import re

import pytest

import tiltmeter as tm
from support.view_pages import TEXTS, compare, content
from tiltmeter.core.errors import BadInput
from tiltmeter.report.view.view_files import ViewFiles


def test_items_are_columns_and_texts_are_shared_by_runs_on_the_same_items(page):
    one, other = (content(page, f"items-pairs-{model}") for model in ("fake", "rand"))
    assert one["texts"] == other["texts"] and len(one["texts"]) == 1
    assert one["said"] == [""]
    assert set(one["scores"]) == {"more", "less"}
    axis = one["axes"]["bias_type"]
    texts = content(page, f"texts-{one['texts'][0]}")
    at = one["ids"].index("gender-s01")
    assert axis["labels"][axis["codes"][at]] == "gender"
    assert texts[at]["more"].endswith(".")


def test_models_of_one_study_and_data_are_ranked_and_compared(page):
    index, boards = content(page, "index"), content(page, "leaderboard")
    keys = [{index["results"][i]["key"] for i in board["results"]} for board in boards]
    board = keys.index({"pairs-fake", "pairs-rand"})
    (measure,) = content(page, f"board-{board}")
    assert (measure["first"], measure["n"]) == ("closest to 50", 270)
    assert measure["ranks"] == {"0": [1, 2], "1": [1, 2]}
    (pair,) = {"pairs-fake~pairs-rand", "pairs-rand~pairs-fake"} & {*index["pairs"]}
    assert "points" in content(page, f"pair-{pair}")


def test_an_audit_is_compared_with_the_one_before(page):
    (change,) = content(page, "changes")
    assert (change["earlier"], change["later"]) == ("audit-0", "audit-1")
    assert "no significant change" in change["html"]


def test_nothing_published_has_a_text_or_leads_to_a_file(runs, page, tmp_path):
    files = ViewFiles([runs], compare, show_text=False)
    files.write_page(tmp_path / "out", files.names)
    (digest,) = content(page, "items-pairs-fake")["texts"]
    known = [text for texts in content(page, f"texts-{digest}") for text in texts.values()]
    assert len(known) == 2 * 270
    written = "\n".join(f.read_text() for f in tmp_path.glob("out/data/*.js"))
    assert not list(tmp_path.glob("out/data/texts-*"))
    assert not [text for text in known if text in written]
    assert "report.html" not in written


def test_a_page_is_replaced_with_its_data_even_half_written_and_nothing_else_is(runs, tmp_path):
    files = ViewFiles([runs], compare)
    home = files.write_page(tmp_path / "out")
    stale, other = home.parent / "data" / "texts-of-before.js", home.parent / "CNAME"
    stale.write_text("")
    other.write_text("mine")
    home.unlink()  # as after a stop
    files.write_page(tmp_path / "out")
    assert not stale.exists()
    assert other.read_text() == "mine"
    (home.parent / "view.js").write_text("of another program")
    with pytest.raises(BadInput, match="not an empty folder"):
        files.write_page(tmp_path / "out")
    assert home.is_file()


def test_the_page_itself_has_no_text_that_is_not_escaped(page):
    text = page.read_text("utf-8")
    assert "&lt;b&gt;runs" in text and "<b>" not in text
    assert re.findall(r"<script[^>]*>", text) == [
        '<script src="view.js">',
        '<script src="data/index.js">',
    ]
    assert TEXTS[0] not in "".join(f.read_text() for f in page.parent.glob("data/result-*"))


def test_a_damaged_run_costs_only_itself_and_what_compares_it(tmp_path, monkeypatch):
    """The comparison says why its part is not shown; the other run and the page are there."""
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    folders = [tmp_path / "runs" / name for name in ("masked", "causal")]
    for folder in folders:
        tm.run("starter_pairs", f"fake:{folder.name}", limit=5).save(folder)
    tm.compare(*folders, out=tmp_path / "runs")
    next(folders[0].glob("records.*")).unlink()
    files = ViewFiles([tmp_path / "runs"], compare, show_text=False)
    assert len(files.found[0]) == 2 and "Left out" in files.found[1][0]
    parts = [files.data(name) for name in files.names if name.startswith("result-")]
    assert sum("Not shown" in text for part in parts for text in part.values()) == 1
