"""Sotnikova 2023, chapter 5: what comes out of people's ratings alone, and runs of three kinds of model."""

import csv
import math
from dataclasses import replace

from support import leakage_runs, published
from support.leakage_runs import write_run
from tiltmeter.run.files.folder import read, write


def replicate(tilt, tmp_path, tables, *more):
    words = ("replicate", "sotnikova2023_leakage", "--select", tables, "--out", tmp_path / "paper")
    code, out, err = tilt(*words, *more)
    assert code == 0, err
    return out, tmp_path / "paper"


def masked_run(folder, language, model):
    """A run by the rule set, under the name of a model, whose numbers are its own."""
    made = read(write_run(folder.with_name(f"{folder.name}-fake"), language))
    card = replace(made.card, model={**made.card.model, "name": model})
    estimates = [
        replace(e, value=e.value and e.value + 0.1 * math.sin(i * len(model)))
        for i, e in enumerate(made.estimates)
    ]
    return write(replace(made, card=card, estimates=estimates), folder, page="")


def rows_of(folder, name):
    with (folder / f"{name}.csv").open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def test_ratings_need_no_model(tilt, tmp_path, monkeypatch):
    published.need("stereotype_leakage")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    out, folder = replicate(tilt, tmp_path, "F5.1,T5.2,section 5.3,T5.3")
    numbers = {e.name: e.value for e in read(folder).estimates if not e.groups}
    assert [numbers[name] for name in ("equal", "within", "different", "not_computable")] == [
        6,
        1,
        1,
        5,
    ]
    assert "34 = 34" in out and "0.64 ≈ 0.60" in out and "0.50 = 0.50" in out
    assert "0.30 ≠ 0.26" in out and "Mean over 11 groups." in out  # groups of one country
    profile = (folder / "profile-asian-person.svg").read_text("utf-8")
    assert "English 62 of 100, Russian 49 of 100, Chinese 61 of 100, Hindi 66 of 100" in profile


def test_runs_of_three_kinds_of_model_have_their_flows(tilt, tmp_path, monkeypatch):
    published.need("stereotype_leakage")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    runs = [
        masked_run(tmp_path / f"{model}-{language}", language, model)
        for language, model in (("en", "mbert"), ("ru", "mbert"), ("en", "bert-en"))
    ]
    runs += [
        write_run(tmp_path / f"story-{language}", language, study="story_choice", model="chatgpt")
        for language in ("en", "ru")
    ]
    given = [word for run in runs for word in ("--runs", run)]
    _, folder = replicate(tilt, tmp_path, "section 5.4.1,section 5.4.1 counts,T5.3", *given)
    flows = rows_of(folder, "section-5.4.1")
    ours = {(row["model"], row["source"], row["target"]) for row in flows if row["value"]}
    assert ("mbert", "hi", "en") in ours and ("chatgpt", "zh", "ru") in ours
    assert {row["why"] for row in flows if row["target"] == "zh"} == {"not run: add --models mbert"}
    leaks = {(row["model"], row["target"]): row for row in rows_of(folder, "section-5.4.1-counts")}
    assert leaks["", "en"]["why"] == "2 of 3 models are here; missing: mt5"
    assert leaks["", "zh"]["why"] == "none of 3 models is here; missing: mbert, mt5, chatgpt"
    by_model = [read(folder / f"leak_{name}").estimates for name in ("set-mbert", "choice-chatgpt")]
    into_english = [
        e.value for e in (*by_model[0], *by_model[1])
        if (e.name, e.groups) == ("significant_flows", {"target": "en"})
    ]  # fmt: skip
    assert len(into_english) == 2 and float(leaks["", "en"]["value"]) == sum(into_english)
    (english,) = [row for row in rows_of(folder, "T5.3") if row["value"]]
    assert (english["model"], english["target"], english["printed"]) == ("mbert", "en", "0.33")


def test_traits_of_groups_of_one_country_stand_apart(tilt, tmp_path, monkeypatch):
    published.need("stereotype_leakage")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    groups = (*leakage_runs.GROUPS, "Texan", "VDV soldier", "Hui person")
    monkeypatch.setattr(leakage_runs, "GROUPS", groups)
    runs = [
        write_run(tmp_path / language, language, study="story_choice", model="chatgpt")
        for language in ("en", "ru")
    ]
    given = [word for run in runs for word in ("--runs", run)]
    _, folder = replicate(tilt, tmp_path, "section 5.4.3", *given)
    page = (folder / "report.html").read_text("utf-8")
    assert (
        ">VDV soldier<" in page.rpartition("Section 5.4.3: Into: English")[2]
        and ">woman<" not in page
    )


def test_a_chat_model_is_asked_for_ten_written_choices(tilt, tmp_path):
    """As in the paper; probabilities, which not every server gives, only where they are asked for."""
    words = ("replicate", "sotnikova2023_leakage", "--select", "F5.3", "--plan", "--out", tmp_path)
    code, out, err = tilt(*words, "--models", "chatgpt=fake")
    assert code == 0, err
    asked = [line.split()[:3] for line in out.splitlines() if line.startswith("fake ")]
    assert asked == [["fake", "word", "4,800"]] * 4  # 30 groups, 16 pairs, ten times
    code, out, err = tilt(*words, "--models", "chatgpt_choice=fake")
    assert code == 0, err
    asked = [line.split()[:3] for line in out.splitlines() if line.startswith("fake ")]
    assert asked == [["fake", "choice", "960"]] * 4  # each pair in both orders
