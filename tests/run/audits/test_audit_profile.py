"""Profiles: the built-in ones hold together, and mistakes in a file are refused."""

import pytest

from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.core.finder import known
from tiltmeter.run.audits.audit_jobs import studies_of
from tiltmeter.run.audits.audit_profile import profile_of, profiles, read_profile, seconds_of
from tiltmeter.run.run_options import AuditOptions, ReplyOptions


@pytest.mark.parametrize("name", profiles())
def test_built_in_profiles_run_every_study_or_those_that_they_list(name):
    profile = read_profile(name)
    names = {entry.name for entry in profile.entries}
    assert names == set(studies_of(profile)) <= set(known("studies"))
    assert profile.others is None or names == set(known("studies"))


def test_a_file_lists_studies_as_a_sweep_does(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        'max_time = "2m"\nseed = 3\ndevice = "cpu"\n[[study]]\nname = "weat"\ndata = "starter_words"\n'
        '[[threshold]]\nfail_if = "x > 1"\n'
    )
    profile = read_profile(str(file))
    (entry,) = profile.entries
    assert (entry.name, dict(entry.options)) == ("weat", {"seed": 3, "data": "starter_words"})
    assert (profile.name, profile.max_time, dict(profile.opening)) == (
        "mine",
        120,
        {"device": "cpu"},
    )
    assert profile.thresholds == ({"fail_if": "x > 1"},)


def test_how_a_model_replies_is_said_for_all_studies_for_one_or_by_the_command(tmp_path):
    file, system = tmp_path / "mine.toml", tmp_path / "system.txt"
    file.write_text(
        'system = "system.txt"\nthinking = "off"\nseed = 3\n'
        '[[study]]\nname = "bbq"\nanswer-tokens = 99\n[others]\nthinking-tokens = 7\n'
    )
    system.write_text("Be brief.")
    profile = profile_of(AuditOptions(profile=str(file)))
    assert profile.replies == ReplyOptions(system=str(system), thinking="off")
    assert dict(profile.listed[0].options) == {"seed": 3, "answer-tokens": 99}
    assert profile.others == {"seed": 3, "thinking-tokens": 7}
    said = AuditOptions(profile=str(file), thinking="on", answer_tokens=50)
    profile = profile_of(said)
    assert profile.replies == ReplyOptions(system=str(system), thinking="on", answer_tokens=50)
    assert dict(profile.listed[0].options) == {"seed": 3}
    assert profile.others == {"seed": 3, "thinking-tokens": 7}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "lists no study"),
        ("others = 1", "others is not a table"),
        ("[others]\nlimits = 1", "did you mean 'limit'"),
        ("max_time = 3\n[others]", "max_time is 3, not a text"),
        ("thinking = 'no'\n[others]", "No thinking named 'no'"),
        ("answer-tokens = 0\n[others]", "must be a whole number from 1 up"),
        ("system = '/etc/hostname'\n[others]", "not in the folder of this file"),
        ("max_time = 'soon'\n[others]", "not a time"),
        ("threshold = 3\n[others]", "threshold is not a list"),
    ],
)
def test_what_a_file_may_not_say(tmp_path, text, message):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises((BadInput, BadItems), match=message):
        read_profile(str(file))


def test_a_profile_that_does_not_exist():
    with pytest.raises(UnknownName, match="Did you mean 'quick'"):
        read_profile("quik")


@pytest.mark.parametrize("text", ["", "30", "m", "1m30", "-3m", "3 weeks"])
def test_what_is_no_time(text):
    with pytest.raises(BadInput, match="not a time"):
        seconds_of(text)
