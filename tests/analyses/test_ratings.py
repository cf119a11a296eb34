"""ratings: means by hand, of languages and of slices; the published ratings; what is refused."""

import csv

import pytest

import tiltmeter as tm
from support import published

ROWS = [
    # annotator, group, pair, rating, language, region
    ("a", "man", "cold - warm", 30, "en", "north"), ("b", "man", "cold - warm", 70, "en", "south"),
    ("a", "man", "poor - wealthy", 80, "en", "north"), ("b", "man", "poor - wealthy", 90, "en", "south"),
    ("c", "man", "cold - warm", 10, "ru", "north"), ("c", "man", "poor - wealthy", 95, "ru", "north"),
    ("c", "woman", "cold - warm", 60, "ru", "north"),
]  # fmt: skip


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["annotator", "group", "pair", "rating", "language", "region"])
        writer.writerows(ROWS)
    return path


def value(result, name, **groups):
    (e,) = [e for e in result.estimates if e.name == name and e.groups == groups]
    return e


def test_one_language_needs_no_names_of_traits(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("annotator,group,pair,rating\na,man,warmth,30\nb,man,warmth,70\n", "utf-8")
    result = tm.analyse.ratings(path)
    assert value(result, "mean_rating", group="man", pair="warmth").value == 50
    assert result.card.finding[0].text.endswith("on 1 group and 1 pair of traits.")


def test_means_of_languages_and_slices(file):
    result = tm.analyse.ratings(file, by=[("region",)])
    english = value(result, "mean_rating", language="en", group="man", pair="cold - warm")
    # Of 30 and 70: half-width 12.706 · 28.28 / √2 = 254, cut at the ends of the scale.
    assert (english.value, english.n, english.low, english.high) == (50, 2, 0, 100)
    north = {"language": "en", "region": "north", "group": "man", "pair": "cold - warm"}
    assert value(result, "mean_rating", **north).value == 30
    assert "one person" in value(result, "mean_rating", **north).why
    assert value(result, "raters").value == 3
    assert value(result, "raters", language="en").value == 2
    assert value(result, "raters", language="en", region="south").value == 1
    # Poles of man (cold, warm, poor, wealthy): English 10, 10, 0, 35; Russian 40, 0, 0, 45.
    r = value(result, "language_correlation", group="man").value
    assert r == pytest.approx(0.731057, abs=1e-6)
    assert value(result, "language_correlation").value == r  # English people did not rate woman
    assert not [e for e in result.estimates if e.groups == {"group": "woman"}]


def test_what_is_shown(tilt, file):
    code, out, err = tilt(
        "analyse", "ratings", file, "--group", "man", "--out", file.parent / "out"
    )
    assert code == 0, err
    assert "mine: 3 people of 2 languages on 2 groups and 2 pairs of traits." in out
    assert "man: every pair" in out and "── English ──" in out
    (folder,) = (file.parent / "out").iterdir()
    assert "profile-man " in tilt("figure", folder)[1]
    with (folder / "means_language.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert [(row["language"], row["group"], row["mean"]) for row in rows if row["pair"] == "cold - warm"] == [
        ("en", "man", "50.0"), ("ru", "man", "10.0"), ("ru", "woman", "60.0"),
    ]  # fmt: skip


def test_bad_input(tilt, file, monkeypatch):
    assert "name one file" in tilt("analyse", "ratings", file, file)[2]
    assert "Did you mean 'woman'" in tilt("analyse", "ratings", file, "--group", "women")[2]
    assert "'age'" in tilt("analyse", "ratings", file, "--by", "age")[2]
    published.need("us_stereotypes")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    assert "other ids" in tilt("analyse", "ratings", "us_stereotypes", "--by", "Gender")[2]


def test_the_published_ratings(monkeypatch):
    published.need("us_stereotypes")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    men = {"group": "men", "pair": "powerless - powerful"}
    assert value(tm.analyse.ratings("us_stereotypes"), "mean_rating", **men).value == pytest.approx(
        81.2
    )
    published.need("stereotype_leakage")
    result = tm.analyse.ratings("stereotype_leakage")
    raters = {
        code: value(result, "raters", language=code).value for code in ("en", "ru", "zh", "hi")
    }
    assert raters == {"en": 34, "ru": 36, "zh": 41, "hi": 40}  # as section 5.3.2.2 has them
    by_domain = {
        name: round(value(result, "language_correlation", domain=name).value, 2)
        for name in ("shared stereotypes", "non-shared stereotypes")
    }
    assert by_domain == {
        "shared stereotypes": 0.64,
        "non-shared stereotypes": 0.5,
    }  # printed .60, .50
