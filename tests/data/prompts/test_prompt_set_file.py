"""Prompt sets from TOML: what is read, and what is said about files that cannot be read."""

from functools import partial

import pytest

from data.prompts.set_files import ASKED, EXAMPLES, SHOWN, TEXTS, TOP, complaints, written
from tiltmeter.core.errors import BadInput
from tiltmeter.data.prompts.prompt_items import items_of
from tiltmeter.data.prompts.prompt_set_file import is_prompt_set, read_prompt_set


@pytest.fixture
def write(tmp_path):
    return partial(written, tmp_path)


def test_a_whole_file(write):
    made = read_prompt_set(write(TOP, ASKED, SHOWN, EXAMPLES, TEXTS))
    assert (made.name, made.categories, len(made.sha256)) == ("mine", ("rude",), 64)
    assert [setting.name for setting in made.settings] == ["zero", "few"]
    zero, few = ([*items_of(made, setting)] for setting in made.settings)
    assert [(i.id, i.truth, i.groups.get("place")) for i in zero] == [
        ("zero|rude|1", "yes", "street"),
        ("zero|rude|2", "no", None),
    ]
    assert few[0].prompt.plain == "Shut up.: rude\nThanks.: polite\nGet lost!:"
    assert few[0].groups["example_set"] == "a"


def test_speakers(write):
    messages = 'messages = [{ user = "{text}" }, { assistant = "Hm", user = "x" }, { sys = "x" }]'
    asked = ASKED.replace('prompt = "Is it {category}? {text}"', messages)
    said = "\n".join(complaints(write(TOP, asked, TEXTS)))
    assert "unknown key 'sys'; did you mean 'system'?" in said
    assert "2 speakers" in said
    ends = ASKED.replace("prompt = ", 'messages = [{ assistant = "Hm" }] #')
    assert "the last message is the assistant's" in complaints(write(TOP, ends, TEXTS))[0]


def test_a_file_without_texts(write):
    assert "has no texts" in complaints(write(TOP, ASKED))[0]
    assert not read_prompt_set(write(TOP, ASKED), needs_texts=False).texts


def test_no_toml_and_no_file(write, tmp_path):
    with pytest.raises(BadInput, match="is not TOML"):
        read_prompt_set(write("[settings"))
    with pytest.raises(BadInput, match="no such file"):
        read_prompt_set(tmp_path / "none.toml")


def test_prompt_sets_are_recognised(write):
    assert is_prompt_set(write(TOP, ASKED, TEXTS))
    assert not is_prompt_set(write('[[groups]]\nname = "x"\n', name="groups.toml"))
