"""Published judgments go through the running survey, its export and the analyses, and nothing changes."""

import csv
import json
import re
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from support import published
from support.survey.forms import NO_COUNTRY
from support.survey.replaying import (
    EVERYBODY_CHOOSES,
    NO_ITEMS,
    adapted,
    item_in_text,
    replayed,
    served,
)
from tiltmeter.analyses.agreement.rater_agreement import rater_agreement
from tiltmeter.analyses.data_check.pair_annotations import read_annotations, votes
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.judgments import AnswerReading
from tiltmeter.data.people.ratings import means, read_ratings

pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]
OPTIONAL = (r"^low = (-50|0)$", r"required = false\nlow = \1")
NO_TESTS = (r"^\[\[checks\]\].*(?=^\[demographics\])", "")
NO_VOTES = (r"^votes = 5$", "")
NO_STRATUM = (r'^stratum = "country"$', "")
NOBODY_ASKED = (r"^\[demographics\].*?(?=^\[outcomes)", "")


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


def flatness(folder):
    """How many different values and which standard deviation each page has."""
    found = [one["detail"] for one in rows(folder / "marks.csv") if one["check"] == "straight_line"]
    return [tuple(map(float, re.findall(r"[\d.]+", one))) for one in found]


def test_cells_of_the_american_survey(tmp_path, tilt):
    """Cao et al. 2022: 133 people rate three or four of 26 groups; one stops after a single trait."""
    raw = json.loads(published.need("us_stereotypes/data_full.json").read_text("utf-8"))
    people = {
        person: {group: {pair: float(r) for pair, r in own.items()} for group, own in said.items()}
        for person, said in raw.items()
    }
    form = adapted(
        "group_traits", *EVERYBODY_CHOOSES, (NO_COUNTRY, ""), OPTIONAL, NO_TESTS, NOBODY_ASKED
    )
    with served(tmp_path, form) as address:
        replayed(address, people.items(), key=item_in_text(form, "en"))
    assert tilt("survey", "export")[0] == 0
    status = json.loads(tilt("survey", "status", "--json")[1])
    assert (status["people"], status["answers"]) == ({"finished": 133}, 8337 + len(people))
    ratings = read_ratings(tmp_path / "export" / "ratings.csv")
    table = json.loads(published.need("us_stereotypes/Aggregated_scores.json").read_text("utf-8"))
    printed = [[float(table[g][p]) for p in ratings.pairs] for g in ratings.groups]
    assert (np.abs(means(ratings)[0] - printed) < 1e-6).sum() == 414
    flat = flatness(tmp_path / "export")
    assert len(flat) == 522
    assert sum(values <= 2 for values, _ in flat) == 5
    assert sum(spread < 5 for _, spread in flat) == 8


LANGUAGES = {"en": "english", "ru": "russian", "zh": "chinese", "hi": "hindi"}
ALIKE = {"Chechentsy": "Chechenets", "Bahmin people": "Brahmin person", "Muscovites": "muscovite",
         "women": "woman", "men": "man", "gay men": "gay man", "housewives": "housewife"}  # fmt: skip
"""How the table of means spells groups of the single ratings."""


ONE_PERSON = ("hi", "immigrant")
"""The one group that the table keeps although fewer than four people rated it."""


def as_in_the_table(group):
    if group in ALIKE:
        return ALIKE[group]
    return group.removesuffix("people") + "person" if group.endswith("people") else group[:-1]


def test_cells_of_the_survey_in_four_languages(tmp_path, tilt):
    """Sotnikova 2023, chapter 5: 151 people, each in one language, mark and rate four groups."""
    form = adapted(
        "familiar_groups", (NO_COUNTRY, ""), NO_STRATUM, NO_TESTS, NO_VOTES, NOBODY_ASKED
    )
    people = defaultdict(dict)
    for language, name in LANGUAGES.items():
        path = published.need(f"stereotype_leakage/data_full_{name}.json")
        for person, said in json.loads(path.read_text("utf-8")).items():
            people[language][f"{language} {person}"] = {
                group.replace("Bahmin", "Brahmin"): own for group, own in said.items()
            }
    with served(tmp_path, form) as address:
        for language, own in people.items():
            replayed(address, own.items(), key=item_in_text(form, language), lang=language)
    assert tilt("survey", "export")[0] == 0
    assert json.loads(tilt("survey", "status", "--json")[1])["people"] == {"finished": 151}
    assert len(flatness(tmp_path / "export")) == 604
    cells = defaultdict(list)
    for row in rows(tmp_path / "export" / "ratings.csv"):
        place = row["language"], as_in_the_table(row["group"]), row["pair"]
        cells[place].append(float(row["rating"]))
    same = 0
    for language in LANGUAGES:
        name = f"stereotype_leakage/aggregated_data_{language.upper()}.csv"
        table = {row.pop("Traits"): row for row in rows(published.need(name))}
        for (where, group, pair), found in cells.items():
            left, right = pair.split(" - ")
            poles = {left: [max(-x, 0) for x in found], right: [max(x, 0) for x in found]}
            for pole, own in poles.items() if where == language else ():
                printed = float(table[pole][group])
                too_few = len(found) <= 3 and (where, group) != ONE_PERSON
                assert (printed == 999) == too_few
                same += printed != 999 and abs(np.mean(own) - printed) < 1e-6
    assert same == 2816


FILES = ("1_annotation_per_example_updated", "4_annotations_per_example_updated")
SITTING = 40
"""Judgments that an annotator makes in one visit."""
ASKED = {"Valid": "valid", "Plausible": "plausible", "Identity": "identity", "Situtation": "situation",
         "Neg(1)-Pos(5)": "sentiment", "Stereotype": "stereotype",
         "Anti-stereotype?": "anti_stereotype"}  # fmt: skip
"""The form's question for each published column."""
AS_PUBLISHED = (
    *NO_ITEMS,
    *EVERYBODY_CHOOSES,
    (r"^(required = false\n)?when = .*?\n", "required = false\n"),
    (r'^show = \["premise"', 'show = ["row", "premise"'),
    *((f'value = "{word}"', f'value = "{code}"') for word, code in
      (("yes", 1), ("maybe", 3), ("no", 5))),
    (r'(  \{ value = "3", text = "Maybe" \},)', r'\1\n  { value = "2", text = "Not described" },'),
    (r"(?=^\[\[pages\]\])", ('[[pages]]\nname = "who"\npart = "start"\n\n[[pages.questions]]\n'
     'name = "person"\nkind = "text"\ntext = "Who are you?"\n\n')),
)  # fmt: skip
"""The form with the published codes, and with a question about who judges."""


def published_inferences():
    """Judgments by annotator and item, and the items; two judgments of one item by one person stay two."""
    own, items = defaultdict(dict), {}
    for file in FILES:
        for row in rows(published.need(f"stereo_inferences/{file}.csv")):
            key, mine = f"{file[0]} {row['ID']}", own[row["Annotator ID"]]
            while key in mine:
                key += "*"
            mine[key] = {
                ours: f"{float(row[theirs]):g}" for theirs, ours in ASKED.items() if row[theirs]
            }
            items[key] = [key, key, row["Premise"].strip(), row["Hypothesis"].strip()]
    return own, items


def test_inferences_and_a_reversed_scale(tmp_path, tilt):
    """Sotnikova et al. 2021: 2,049 judgments by four people, one of whom turned a scale round."""
    own, items = published_inferences()
    with (tmp_path / "items.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["id", "row", "premise", "hypothesis"], *items.values()])
    sittings = [
        (person, dict([*said.items()][at : at + SITTING]))
        for person, said in own.items()
        for at in range(0, len(said), SITTING)
    ]
    with served(tmp_path, adapted("inference7", *AS_PUBLISHED), "--items", "items.csv") as address:
        replayed(address, sittings, key=lambda page: page.shown[0])
    assert tilt("survey", "export")[0] == 0
    answers = rows(tmp_path / "export" / "answers.csv")
    who = {one["person"]: one["value"] for one in answers if one["question"] == "person"}
    found = defaultdict(dict)
    for one in answers:
        if one["question"] in ASKED.values():
            found[who[one["person"]], one["item"]][one["question"]] = one["value"]
    assert found == {(person, key): a for person, said in own.items() for key, a in said.items()}
    assert len(found) == 2049
    with (tmp_path / "four.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, ["annotator", "item", *ASKED.values()])
        table.writeheader()
        table.writerows(
            {"annotator": person, "item": key, **said}
            for (person, key), said in found.items()
            if key.startswith("4 ")
        )
    named = ["valid", "plausible", "sentiment"]
    data = read_judgments(tmp_path / "four.csv", AnswerReading(questions=named))
    made = rater_agreement(data)
    shares = [e for e in made if e.name == "all_agree"]
    assert {e.groups["question"]: round(e.value, 1) for e in shares if len(e.groups) == 1} == {
        "valid": 90.9, "plausible": 83.7, "sentiment": 26.7,
    }  # fmt: skip
    third = {"question": "sentiment", "annotator": "Annotator 3"}
    assert [e.groups for e in made if e.verdict == "reversed"] == [third]
    turned = next(e for e in shares if "reversed" in e.groups.get("change", ""))
    assert round(turned.value, 1) == 36.4
    full = data.answers["sentiment"]
    third = np.corrcoef(full[~np.isnan(full).any(axis=1)].T)[2]
    assert third[[0, 1, 3]] == pytest.approx([-0.72, -0.67, -0.745], abs=0.006)


ONE_QUESTION = (
    *NO_ITEMS,
    (r"^votes = 5$", "votes = 5\neach = 27"),
    (r'\[\[pages\.questions\]\]\nname = "sentence_1".*(?=^\[\[pages\.questions\]\]\nname = "bias_type")',
     ""),
    (r'show = \["sentence_1"', 'show = ["row", "sentence_1"'),
)  # fmt: skip
"""Of the four answers only the type was published."""


def test_types_of_the_published_pairs(tmp_path, tilt):
    """Nangia et al. 2020: five people on each of 1,508 pairs. 287 come; who gets which pair is up to us."""
    path = published.need("crows_pairs/crows_pairs_anonymized.csv")
    there = read_annotations(path)
    left = {one.id: [*one.votes] for one in there}
    pairs = {row[""]: (row["sent_more"], row["sent_less"]) for row in rows(path)}
    with (tmp_path / "items.csv").open("w", encoding="utf-8", newline="") as file:
        head = ["id", "row", "sentence_1", "sentence_2"]
        csv.writer(file).writerows([head, *([key, key, *both] for key, both in pairs.items())])
    with served(
        tmp_path, adapted("validate_pairs", *ONE_QUESTION), "--items", "items.csv"
    ) as address:
        visits = replayed(
            address, [(f"a{n}", None) for n in range(287)], key=lambda page: page.shown[0],
            say=lambda key: {"bias_type": (left[key].pop() or ["none"])[0]}, all_end=False,
        )  # fmt: skip
    assert sum(bool(one.code) for one in visits) == 280  # 27 each, and seven for the last one
    assert tilt("survey", "export")[0] == 0
    found = defaultdict(list)
    for row in rows(tmp_path / "export" / "answers.csv"):
        found[row["item"]].append(() if row["value"] == "none" else (row["value"],))
    assert sum(map(len, found.values())) == 7540
    back = [replace(one, votes=tuple(found[one.id])) for one in there]
    assert [one.types for one in back] == [one.types for one in there]
    for now, before in zip(votes(back), votes(there), strict=True):
        assert (now.name, now.groups) == (before.name, before.groups)
        assert now.value == pytest.approx(before.value)
