"""The packaged prompt set, and the settings of the study that reads prompt sets."""

import pytest

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.studies.prompts.study import load


def test_the_packaged_set():
    data = load()
    assert len(data.items) == 32
    assert data.about["prompts"] == "32"
    for setting in ("plain", "examples"):
        truths = [i.truth for i in data.items if i.groups["setting"] == setting]
        assert truths.count("yes") == truths.count("no") == 8
    last = data.items[-1].prompt.messages
    assert [m.speaker[0] for m in last] == ["s", "u", "a", "u", "a", "u"]
    assert [m.text for m in last if m.speaker == "assistant"] == ["yes", "no"]


def test_settings_of_the_user():
    told = {"settings": "plain", "temperature": "0.7", "wrap": "text"}
    items = load(settings=told).items
    assert len(items) == 16
    assert {(i.temperature, i.prompt.chat) for i in items} == {(0.7, False)}


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"temperature": "nan"}, "the setting temperature is 'nan'; write a number from 0 to 2"),
        ({"temperature": "hot"}, "the setting temperature is 'hot'"),
    ],
)
def test_values_that_cannot_be_used(told, said):
    with pytest.raises(BadInput, match=said):
        load(settings=told)


def test_an_unknown_setting():
    with pytest.raises(UnknownName, match="Did you mean 'plain'"):
        load(settings={"settings": "plane"})


def test_texts_that_are_also_examples_are_noted(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'examples = [{ text = "Shut up.", label = "rude" }]\n[settings.one]\nshown = ["rude"]\n'
        'prompt = "{examples} {text}"\nexample = "{example}"\noptions = ["rude", "polite"]\n'
        '[[texts]]\ntext = "Shut up."\nlabel = "rude"\n',
        "utf-8",
    )
    assert str(load(path).notes[0]) == "1 of 1 text also shown as examples."
