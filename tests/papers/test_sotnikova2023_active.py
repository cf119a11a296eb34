"""Chapter 6 of Sotnikova 2023: from its printed curves, from data sets, and from simulations."""

import csv

import pytest

from support import published
from support.active_runs import written
from tiltmeter.run.files.folder import read


@published.needs("popquorn/offensiveness.csv")
@published.needs("lewidi/HS-Brexit_train.json")
def test_numbers_of_the_printed_curves_and_pictures_of_ones_own_runs(tilt, tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    monkeypatch.chdir(tmp_path)
    for name in ("calm", "loud"):
        written(tmp_path / "active" / name, {"passive": 200, "entropy": 300, "daal": 100}, seeds=2)
    for votes in (3, 5):
        written(
            tmp_path / f"active-{votes}" / "calm", {"passive": 200, "daal": 100}, votes_each=votes
        )
    code, out, err = tilt("replicate", "sotnikova2023_active", "--out", "paper")
    assert code == 0, err
    counts = {e.name: e.value for e in read(tmp_path / "paper").estimates if not e.groups}
    assert counts == {
        "published_numbers": 50, "equal": 3, "within": 0, "different": 2, "not_computable": 45,
        "need_only_models": 0,
    }  # fmt: skip
    with (tmp_path / "paper" / "T6.2.csv").open(encoding="utf-8", newline="") as file:
        cells = {(r["data"], r["baseline"]): r for r in csv.DictReader(file)}
    assert float(cells["genocide", "entropy"]["value"]) == pytest.approx(1965 / 1537)
    assert {key for key, r in cells.items() if r["compared"] == "equal"} == {
        ("genocide", "entropy"), ("toxicity", "entropy_batched"), ("toxicity5", "entropy_batched"),
    }  # fmt: skip
    page = (tmp_path / "paper" / "report.html").read_text("utf-8")
    own = page.rpartition("Table 6.2 own sets: ")[2].partition("Figure 6.1: ")[0]
    assert "calm" in own and "average" in own and "3.0" in own
    both = page.rpartition("Figure 6.13: ")[2].partition("Figure 6.14: ")[0]
    assert "DAAL, votes each 3: from" in both and "DAAL, votes each 5: from" in both
    words = " ".join(out.split())
    assert (
        "active-agreed: not in this folder; make it with tiltmeter active simulate hs_brexit"
        in words
    )
    assert "Measuring Hate Speech" in words and "> 1.28 = > 1.28" in words.replace("\u00a0", " ")
