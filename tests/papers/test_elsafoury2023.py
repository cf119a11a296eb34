"""The SOS paper from its printed tables, a file of one data set and a model of one's own."""

import csv

import pytest


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_what_needs_no_download(tilt, monkeypatch, tmp_path):
    """One data set is here, the others cannot be fetched; all tables are looked at after one command."""
    given = tmp_path / "given"
    given.mkdir()
    texts = [
        "index,oh_label,Date,Text",
        *(f"{i},{int(i < 35)},,Text {i}." for i in range(100)),
        "x,,,",
    ]
    (given / "kaggle_parsed_dataset.csv").write_text("\n".join(texts), "utf-8")
    monkeypatch.setenv("TILTMETER_DATA", str(given))
    monkeypatch.setenv("TILTMETER_MIRROR", (tmp_path / "nothing").as_uri())
    out = tmp_path / "out"
    code, printed, err = tilt(
        "replicate", "elsafoury2023", "--models", "fake:masked", "--out", out,
        "--select", "T1,T2,T4,T6,T7,T8,T9,T10,T11,F1,F2,F3,F4", "--figures", "svg",
    )  # fmt: skip
    assert code == 0, err
    table_8_follows_from_the_printed_tables(out, printed)
    table_6_counts_the_set_that_is_here_and_says_what_is_not(out, printed)
    a_model_of_ones_own_stands_in_table_2_and_figures_are_drawn(out, printed)
    the_examples_and_the_identities_are_listed(out, printed)


def table_8_follows_from_the_printed_tables(out, printed):
    table = rows(out / "T8.csv")
    assert len(table) == 36 and {cell["compared"] for cell in table} == {"equal"}
    (cell,) = [c for c in table if (c["data set"], c["attribute"]) == ("WTP-agg", "gender")]
    assert float(cell["value"]) == pytest.approx(-0.99998, abs=1e-5)
    assert "−0.999 = −0.999" in printed  # cut, as the paper cuts
    assert "Of 138 published numbers 37 are equal" in " ".join(printed.split())


def table_6_counts_the_set_that_is_here_and_says_what_is_not(out, printed):
    table = {(c["data"], c["measure"]): c for c in rows(out / "T6.csv")}
    share, size = table["kaggle_insults", "share"], table["kaggle_insults", "items"]
    assert (share["value"], share["compared"]) == ("35.0", "equal")
    assert (float(size["value"]), size["compared"]) == (100, "different")
    assert size["why"].startswith("the authors' file has more texts")
    assert table["civil_comments", "share"]["compared"] == "not computable"
    assert "the data set is not on this computer" in " ".join(printed.split())


def a_model_of_ones_own_stands_in_table_2_and_figures_are_drawn(out, _):
    table = rows(out / "T2.csv")
    own = [c for c in table if c["model"] == "fake:masked"]
    assert {(c["attribute"], c["status"]) for c in own} == {
        (c["attribute"], c["status"]) for c in table if c["model"] == "bert-base-uncased"
    }
    assert all(c["compared"] == "ours" and c["value"] for c in own)
    page = (out / "report.html").read_text("utf-8")
    for title in ("Figure 1: SOS by", "Figure 2: Corr", "Figure 3: Corr", "Figure 4: Corr"):
        section = page[page.rindex(f">{title}") :]
        assert "<svg" in section[: section.index("</section>")]


def the_examples_and_the_identities_are_listed(_, printed):
    text = " ".join(printed.split())
    assert "race|Dutch|3" in text and "dumb" not in text  # masked
    assert "disability marginalised blind, deaf, paralyzed 3" in text
