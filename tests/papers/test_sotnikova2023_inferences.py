"""Chapter 3 of Sotnikova 2023 from the published judgments alone."""

import csv

from support import published
from tiltmeter.run.files.folder import read

FILE = "stereo_inferences/4_annotations_per_example_updated.csv"


@published.needs(FILE)
def test_printed_numbers_examples_and_pictures(tilt, tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    folder = tmp_path / "paper"
    code, out, err = tilt("replicate", "sotnikova2023_inferences", "--out", folder)
    assert code == 0, err
    counts = {e.name: e.value for e in read(folder).estimates if not e.groups}
    assert counts == {
        "published_numbers": 88, "equal": 24, "within": 32, "different": 17, "not_computable": 15,
        "need_only_models": 0,
    }  # fmt: skip
    with (folder / "F3.3.csv").open(encoding="utf-8", newline="") as file:
        shares = {(r["generator"], r["group"]): r for r in csv.DictReader(file)}
    assert float(shares["", "cis woman"]["value"]) == 100 / 21
    assert shares["", "cis woman"]["compared"] == "equal"
    assert shares["MNLI", ""]["compared"] == "within"
    page = (folder / "report.html").read_text("utf-8")
    assert page.count("<svg") == 2 * 3  # each picture in two layouts
    example = page.rpartition("Table 3.1: ")[2].partition("Table 3.2: ")[0]
    assert "maybe negative" in example and "Annotator 2" not in example
    assert "c-cuban-1-xEffect-2" not in example  # which is the same in all rows
    triggering = page.rpartition("Table 3.7: ")[2].partition("Table 3.8: ")[0]
    assert "is holding a knife." in triggering and "plays tennis." not in triggering
    cups = page.rpartition("Table 3.12: ")[2].partition("Table 3.13: ")[0]
    assert "holds a cup" in cups and "Protestant" in cups and "needs help" not in cups
    latex = (folder / "tables.tex").read_text("utf-8")
    assert r"22.9 $\approx$ 21.9" in latex
    assert "another draw it is 0" in " ".join(out.split())
