"""Sotnikova 2023, chapter 4: what comes out without a model, and a model of one's own in the layout."""

import csv

from support import published
from tiltmeter.run.files.folder import read


def replicate(tilt, tmp_path, tables, *more):
    words = ("replicate", "sotnikova2023_traits", "--select", tables, "--out", tmp_path / "paper")
    code, out, err = tilt(*words, *more)
    assert code == 0, err
    return out, tmp_path / "paper"


def test_people_and_lists_need_no_model(tilt, tmp_path, monkeypatch):
    published.need("us_stereotypes")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    out, folder = replicate(tilt, tmp_path, "T4.3,F4.1,T4.2,section 4.4,T4.14,T4.18")
    numbers = {e.name: e.value for e in read(folder).estimates if not e.groups}
    assert (numbers["equal"], numbers["not_computable"]) == (1, 1 + 64 + 103)
    assert "133 = 133" in out
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
        few = ["--set", "templates=That [group] is [trait].;All [group] are [trait]."]
        few += ["--set", "ilps_piece=first"] if rule == "ilps" else []
        code, _, err = tilt(
            *command, *few, "--set", "groups=man, woman, Black, Asian, veteran, Muslim"
        )
        assert code == 0, err
        (folder,) = (tmp_path / rule).iterdir()
        runs += ["--runs", folder]
    _, folder = replicate(tilt, tmp_path, "T4.6,T4.11", *runs)
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
    # No trait is one token to this model: those of several have the first one's score, as in released code.
    assert mine == {(group, rule) for group in named for rule in ("ILPS", "ILPS*", "SeT")}
    reasons = {(row["rule"], row["why"]) for row in rows if row["model"] == "bert-large"}
    assert ("SeT", "not run: add --models bert") in reasons
    assert any(rule == "CEAT" and "Reddit" in why for rule, why in reasons)


def test_ratings_of_ones_own_by_annotators_stand_beside_the_printed_means(tilt, tmp_path):
    """Two White annotators say 40 and 60 of women: 50 together, where the paper prints 46.8."""
    rows = ["annotator,group,pair,rating,race,gender"]
    for name, gender, rating in (("a", "man", 40), ("b", "woman", 60)):
        rows.append(f"{name},women,powerless - powerful,{rating},White,{gender}")
    (tmp_path / "mine.csv").write_text("\n".join(rows), encoding="utf-8")
    command = ("analyse", "ratings", tmp_path / "mine.csv", "--by", "race", "--by", "race,gender")
    code, _, err = tilt(*command, "--out", tmp_path / "made")
    assert code == 0, err
    (made,) = (tmp_path / "made").iterdir()
    out, folder = replicate(tilt, tmp_path, "T4.14,T4.16", "--runs", made)
    with (folder / "T4.14.csv").open(encoding="utf-8") as lines:
        (white,) = [row for row in csv.DictReader(lines) if row["value"]]
    assert (white["pair"], white["group"]) == ("powerless - powerful", "women")
    assert (float(white["value"]), float(white["printed"])) == (50, 46.8)
    assert "40.0 ≠ 37.5" in out  # White men alone, of whom there is no interval
