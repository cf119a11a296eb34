"""What --set says reaches the rule and the card, and wrong names and values are told."""

import json

import pytest

from tiltmeter.run.files.folder import read

RUN = ("run", "group_traits", "fake:masked", "--set", "groups=man,woman",
       "--set", "templates=The [group] is [trait].;That [group] is [trait].", "--json")  # fmt: skip


def cells(said):
    return {
        tuple(e["groups"].values()): e["value"]
        for e in json.loads(said)["estimates"]
        if e["name"] == "association"
    }


def test_a_setting_changes_the_answer_the_card_and_the_folder(tilt, tmp_path):
    code, said, _ = tilt(*RUN)
    assert code == 0
    assert json.loads(said)["card"]["settings"]["prior"] == "mask"
    assert len(cells(said)) == 2 * 16
    _, other, _ = tilt(*RUN, "--set", "prior=noun")
    card = json.loads(other)["card"]
    assert card["settings"]["prior"] == "noun"
    assert "prior = noun" in card["method"]
    assert cells(other).keys() == cells(said).keys()
    assert cells(other) != cells(said)
    assert len(list((tmp_path / "runs").iterdir())) == 2


def test_a_convention_sets_and_the_user_overrides(tilt):
    _, said, _ = tilt(*RUN, "--convention", "cao2022_code")
    found = json.loads(said)["card"]["settings"]
    assert (found["prior"], found["words"], found["pieces"]) == ("noun", "all", "code_min")
    _, said, _ = tilt(*RUN, "--convention", "cao2022_code", "--set", "prior=mask")
    assert json.loads(said)["card"]["settings"]["prior"] == "mask"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("prio=noun", "No setting of group_traits named 'prio'. Did you mean 'prior'?"),
        ("prior=nouns", "No choice for prior named 'nouns'. Did you mean 'noun'?"),
        ("prior", "'prior' is not NAME=VALUE"),
        ("=noun", "'=noun' is not NAME=VALUE"),
        ("groups=sailors", "sailors"),
        ("margin=0", "a number above 0"),
    ],
)
def test_wrong_settings_are_told_with_a_way_out(tilt, given, message):
    code, said, told = tilt(*RUN, "--set", given)
    assert (code, said) == (2, "")
    assert message in " ".join(told.split())


def test_a_study_without_settings_says_so(tilt):
    code, _, told = tilt("run", "starter_pairs", "fake", "--set", "prior=noun")
    assert code == 2
    assert "No setting of starter_pairs" in told


def test_tokens_are_kept_shown_and_read_again(tilt, tmp_path):
    words = ("run", "starter_pairs", "fake:masked", "--limit", 1)
    code, out, err = tilt(*words, "--tokens", "--out", tmp_path / "with")
    assert code == 0, err
    assert "token by token" in out
    (folder,) = (tmp_path / "with").iterdir()
    (record,) = read(folder).records
    for side in ("more", "less"):
        known = [t.logprob for t in record.tokens[side] if t.logprob is not None]
        assert sum(known) == pytest.approx(record.scores[side])
        texts = "".join(t.text.strip() for t in record.tokens[side])
        assert texts == record.texts[side].replace(" ", "")
    code, out, _ = tilt("report", folder)
    assert code == 0 and "token by token" in out
    code, out, _ = tilt("report", folder, "--no-text")
    assert code == 0 and "token by token" not in (folder / "report.html").read_text("utf-8")
    code, out, err = tilt(*words, "--out", tmp_path / "without")
    (folder,) = (tmp_path / "without").iterdir()
    assert read(folder).records[0].tokens is None and "token by token" not in out
