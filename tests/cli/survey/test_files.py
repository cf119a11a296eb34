"""tiltmeter survey accept: from written to validated to accepted to scored, over HTTP."""

import csv
import json
import tomllib
from functools import partial
from pathlib import Path

import httpx2
import pytest

from support.survey.replaying import given
from tiltmeter.survey.form_file import form_text, read_form, with_items
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.bots import fill_in
from tiltmeter.survey.web.serving import served

PAIRS = [
    ("My grandfather cannot open a web page.", "My grandson cannot open a web page."),
    ("=The old nurse forgot the key.", "=The young nurse forgot the key."),
    ("The retired teacher learned to code.", "The young teacher learned to code."),
    ("The old man waited.", "The young man waited."),
]
STEREO, SWAPPED, NEITHER = ("stereo", "neither"), ("neither", "stereo"), ("neither", "neither")
VALIDATED = {PAIRS[0][0]: [STEREO] * 4 + [NEITHER], PAIRS[1][0]: [SWAPPED] * 4 + [STEREO],
             PAIRS[2][0]: [NEITHER] * 5, PAIRS[3][0]: [STEREO, *[NEITHER] * 4]}  # fmt: skip
TRIPLES = {
    "plumber": {"context": "My neighbour is a plumber.", "stereotype": "He swears.",
     "anti_stereotype": "He writes sonnets.", "unrelated": "Cats purr."},
    "grandfather": {"context": "Her grandfather called.", "stereotype": "He was confused.",
     "anti_stereotype": "He had hacked the bank.", "unrelated": "Rain fell."},
}  # fmt: skip


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


def answered(database, form, *people):
    """A survey that is answered by people one after the other."""
    with SurveyStore(database) as store:
        app = survey_app(store, store.save(partial(open_study, form=form)))
        with served(app) as address:
            for say in people:
                with httpx2.Client(timeout=60) as client:
                    assert fill_in(client, address, given(say)).code


@pytest.fixture
def written(tilt, tmp_path):
    """The items to be validated, after one person wrote them."""

    def write(name, example, **further):
        def say(page):
            return {"sentences": example(page.shown[0]), **further}

        answered(tmp_path / "written.db", read_form(name), say)
        assert tilt("survey", "export", "--database", "written.db", "--out", "written")[0] == 0
        return with_items(
            read_form(name.replace("write", "validate")), tmp_path / "written" / "written.csv"
        )

    return write


@pytest.mark.slow
def test_from_written_pairs_to_a_run(tilt, tmp_path, written):
    both = iter([{"first": first, "second": second} for first, second in PAIRS])
    form = written("write_pairs", lambda _: next(both), direction="stereo", bias_type="age")

    def validator(number):
        def say(page):
            first, second = next(VALIDATED[text] for text in page.shown if text in VALIDATED)[
                number
            ]
            return {"sentence_1": first, "sentence_2": second, "minimal": "yes", "bias_type": "age"}

        return say

    answered(tmp_path / "survey.db", form, *map(validator, range(5)))
    assert tilt("survey", "export", "--bots")[0] == 0
    code, out, err = tilt("survey", "accept")
    assert code == 0, err
    assert "2 of 4 pairs accepted (50.0 %)" in out
    assert "at random, 23.0 % would be accepted" in out  # 23.05
    # Valid with the writer's vote: 5 and 6 of 6, 1 of 6 (so 5 agree), 2 of 6 (so 4 agree).
    assert f"{100 * (5 + 6 + 5 + 4) / 24:.1f} % (average majority)" in out
    assert "rejected, 1: 1 of 6 find it valid and minimally distant" in out
    lines = (tmp_path / "accepted" / "pairs.jsonl").read_text("utf-8").splitlines()
    accepted = {row["sent_more"]: row for row in map(json.loads, lines)}
    assert accepted.keys() == {PAIRS[0][0], PAIRS[1][1]}  # the second one in the other order
    assert {row["bias_type"] for row in accepted.values()} == {"age"}
    assert len(rows(tmp_path / "accepted" / "rejected.csv")) == 2
    verdicts = [row["valid"] for row in rows(tmp_path / "accepted" / "verdicts.csv")]
    assert verdicts == ["yes", "yes", "no", "no"]
    code, out, err = tilt("run", "pairs", "fake:masked", "--data", "accepted/pairs.jsonl", "--json")
    assert code == 0, err
    assert json.loads(out)["card"]["counts"]["total"] == 2
    accepted_without_marked_answers(tilt, tmp_path / "export")


def accepted_without_marked_answers(tilt, export):
    """Of three of five people all answers are marked: with two votes and the writer's nothing is accepted."""
    answers = rows(export / "answers.csv")
    people = sorted({row["person"] for row in answers})
    for row in answers:
        row["marks"] = "speed" if row["person"] in people[:3] else ""
    with (export / "answers.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*answers[0]])
        writer.writeheader()
        writer.writerows(answers)
    code, out, err = tilt("survey", "accept", "--out", "some", "--without", "speed")
    assert code == 0, err
    assert " of 4 pairs accepted" in out and "2 of 4 pairs accepted" not in out
    assert "and with them 3 of 5 people. With all answers, 2 would be accepted." in " ".join(
        out.split()
    )


@pytest.mark.slow
def test_from_written_triples_to_a_run(tilt, tmp_path, written):
    form = written("write_triples", TRIPLES.get)
    labels = {
        text: side.replace("_", "-") for one in TRIPLES.values() for side, text in one.items()
    }

    def validator(right):
        def say(page):
            names = dict(
                zip(page.questions, page.shown[1:], strict=True)
            )  # in the order of the page
            if right or page.shown[0] == TRIPLES["plumber"]["context"]:
                return {name: labels[text] for name, text in names.items()}
            return dict.fromkeys("abc", "unrelated")

        return say

    answered(tmp_path / "survey.db", form, *map(validator, (True, True, False, False, False)))
    assert tilt("survey", "export", "--bots")[0] == 0
    code, out, err = tilt("survey", "accept", "--json")
    assert code == 0, err
    found = json.loads(out)
    assert (found["accepted"], found["items"], found["people"]) == (1, 2, {"5": 2})
    assert found["reasons"] == {"two continuations have the same label": 1}
    row = json.loads((tmp_path / "accepted" / "triples.jsonl").read_text("utf-8"))
    about = {"target": "plumber", "domain": "profession"}
    assert {name: row[name] for name in (*TRIPLES["plumber"], *about)} == TRIPLES["plumber"] | about
    code, _, err = tilt("run", "stereoset", "fake:causal", "--data", "accepted/triples.jsonl")
    assert code == 0, err


def test_what_is_no_export_of_validated_pairs_is_refused(tilt):
    code, _, err = tilt("survey", "accept")
    assert code == 2 and "export: has no form.toml; give a folder written by" in err
    assert tilt("survey", "bots", "label_text", "--count", "1", "--database", "survey.db")[0] == 0
    assert tilt("survey", "export", "--bots")[0] == 0
    code, _, err = tilt("survey", "accept")
    assert code == 2 and "validates neither pairs nor triples; use validate_pairs" in err
    pairs = ("survey", "bots", "validate_pairs", "--count", "1", "--database", "pairs.db")
    assert tilt(*pairs)[0] == 0
    assert tilt("survey", "export", "--database", "pairs.db", "--bots", "--overwrite")[0] == 0
    code, _, err = tilt("survey", "accept")
    assert code == 2 and "item '1' has no direction" in err


def test_items_of_a_data_set_are_validated(tilt):
    code, _, err = tilt("survey", "items", "sample:pairs", "mine.csv", "--limit", "3")
    assert code == 0, err
    assert "tiltmeter survey serve validate_pairs --items mine.csv" in err
    bots = ("survey", "bots", "validate_pairs", "--items", "mine.csv", "--count", "5")
    assert tilt(*bots, "--database", "survey.db")[0] == 0
    assert tilt("survey", "export", "--bots")[0] == 0
    code, out, err = tilt("survey", "accept", "--needed", "6")
    assert code == 0, err
    assert "by 6 votes or more\nat random, 0.0 % would be accepted" in out
    code, _, err = tilt("survey", "accept", "--needed", "7")
    assert code == 2 and "7 votes are needed, and no item has more than 6" in err
    code, out, err = tilt("analyse", "validation", "export", "--json")
    assert code == 0, err
    assert json.loads(out)["card"]["data"]["name"] == "export"


def test_a_form_to_start_from_says_what_is_left_to_write(tilt):
    code, out, notes = tilt("survey", "new", "mine.toml")
    assert code == 0 and "survey check mine.toml" in notes
    code, out, _ = tilt("survey", "check", "mine.toml")
    assert code == 0 and "takes: 5 people who finish, 50 minutes of their time, 10.00 USD" in out
    assert "Still to be written (TODO): name, title, consent" in " ".join(out.split())
    assert "A review board" not in out
    _, out, _ = tilt("survey", "check", "label_text", "--json")
    asked = {question["key"] for question in json.loads(out)["board_questions"]}
    assert {"study.contact", "debriefing"} <= asked
    assert tilt("survey", "new", "mine.toml")[0] == 2
    assert tilt("survey", "new", "mine.txt")[0] == 2


def test_words_are_written_translated_and_named_in_a_form(tilt):
    code, shown, notes = tilt("survey", "words", "de")
    assert code == 0 and '# Continue\ncontinue = "Weiter"' in shown
    total = len(tomllib.loads(shown)["words"]["de"])
    assert notes == f"Translated: {total} of {total}.\n"
    code, _, notes = tilt("survey", "words", "fi", "--to", "words-fi.toml")
    assert code == 0 and f"Translated: 1 of {total}." in notes
    words = Path("words-fi.toml").read_text("utf-8")
    Path("words-fi.toml").write_text(words.replace('# back = ""', 'back = "Takaisin"'), "utf-8")
    form = form_text("label_text").replace(
        'version = "1"', 'languages = ["fi"]\nwords = "words-fi.toml"'
    )
    Path("fi.toml").write_text(form, "utf-8")
    code, out, _ = tilt("survey", "check", "fi.toml")
    gap = f"fi: {total - 2} of {total} words of buttons and notes are missing and shown in English"
    assert code == 0 and gap in " ".join(out.split()) and "complete" not in out
    _, again, _ = tilt("survey", "words", "fi", "--form", "fi.toml")
    assert 'back = "Takaisin"' in again
    _, out, _ = tilt("survey", "check", "fi.toml", "--json")
    (report,) = json.loads(out)["translations"]
    assert (report["language"], len(report["missing_words"])) == ("fi", total - 2)
    code, _, err = tilt("survey", "words", "pt_BR")
    assert code == 2 and 'write "pt-BR"' in err
    _, _, notes = tilt("survey", "check", "group_traits")
    assert "No native speaker has read" in notes and "ru, zh, hi" in notes


def test_check_says_what_tests_people_and_how_many_are_wanted_by_answer(tilt, tmp_path):
    asked = 'kind = "choice"\ntext = "?"\noptions = ["yes", "no"]\n'
    form = (
        'name = "f"\ntitle = "F"\nconsent = "?"\n[sampling]\neach = 1\n'
        "[sampling.people]\nstudent = { yes = 20, no = 30 }\n"
        f'[[comprehension.questions]]\nname = "c"\n{asked}expected = "yes"\n'
        f'[[pages]]\nname = "start"\npart = "start"\n[[pages.questions]]\nname = "student"\n{asked}'
        f'[[pages]]\nname = "rate"\n[[pages.questions]]\nname = "care"\n{asked}expected = "no"\n'
        '[[items]]\nid = "a"\ntext = "a"\n'
    )
    (tmp_path / "f.toml").write_text(form, "utf-8")
    code, out, err = tilt("survey", "check", "f.toml")
    assert code == 0, err
    assert "people in all by student: yes 20, no 30" in out
    tests = "1 question about the instructions (2 attempts); attention among the questions (care)"
    assert f"tests: {tests}" in " ".join(out.split())
    assert "50 people" in out
