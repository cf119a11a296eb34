"""Sotnikova 2023, chapter 4: what comes out without a model, and a model of one's own in the layout."""

import csv

import published
from tiltmeter.run.folder import read


def replicate(tilt, tmp_path, tables, *more):
    words = ("replicate", "sotnikova2023_traits", "--tables", tables, "--out", tmp_path / "paper")
    code, out, err = tilt(*words, *more)
    assert code == 0, err
    return out, tmp_path / "paper"


def test_people_and_lists_need_no_model(tilt, tmp_path, monkeypatch):
    published.need("us_stereotypes")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    out, folder = replicate(tilt, tmp_path, "T4.3,F4.1,T4.2,T4.14,T4.18")
    numbers = {e.name: e.value for e in read(folder).estimates if not e.groups}
    assert (numbers["published_numbers"], numbers["not_computable"]) == (64 + 103, 64 + 103)
    assert "have other ids than the table of annotators" in " ".join(out.split())
    assert "powerless - powerful: people 81 of 100" in (folder / "profile-men.svg").read_text(
        "utf-8"
    )
    page = (folder / "report.html").read_text("utf-8")
    assert "Table 4.2" in page and "without numbers" in page and "Democrat, Republican" in page


def test_matrices_of_ones_own_stand_beside_the_printed_numbers(tilt, tmp_path, monkeypatch):
    published.need("us_stereotypes")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    runs = []
    for rule in ("ilps_star", "set", "ilps"):
        command = ("run", "group_traits", "fake:masked", "--rule", rule, "--out", tmp_path / rule)
        few = ("--set", "templates=That [group] is [trait].;All [group] are [trait].")
        code, _, err = tilt(
            *command, *few, "--set", "groups=man, woman, Black, Asian, veteran, Muslim"
        )
        assert code == 0, err
        (folder,) = (tmp_path / rule).iterdir()
        runs += ["--runs", folder]
    out, _ = replicate(tilt, tmp_path / "failed", "T4.6", *runs)
    assert "fake:masked: fake:masked (ilps): no template has scores" in " ".join(out.split())
    _, folder = replicate(tilt, tmp_path, "T4.6,T4.11", *runs[:-2])
    with (folder / "T4.11.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    mine = {(row["group"], row["rule"]) for row in rows if row["model"] == "fake:masked"}
    named = (
        "men",
        "women",
        "Blacks/African Americans",
        "Asian people",
        "veterans",
        "Muslim people",
    )
    assert mine == {(group, rule) for group in named for rule in ("ILPS*", "SeT")}
    reasons = {(row["rule"], row["why"]) for row in rows if row["model"] == "bert-large"}
    assert ("SeT", "not run: add --models bert") in reasons
    assert any(rule == "CEAT" and "Reddit" in why for rule, why in reasons)
