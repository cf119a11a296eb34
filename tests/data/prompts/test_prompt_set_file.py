"""Prompt sets from TOML: what is read, and what is said about files that cannot be read."""

import re
from functools import partial
from pathlib import Path

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
    assert "messages does not end with the user" in complaints(write(TOP, ends, TEXTS))[0]


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


def test_the_examples_of_the_manual(write):
    """The first is a whole file; the others are parts of one."""
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "prompt-sets.md").read_text("utf-8")
    whole, table, categories, _ = re.findall(
        r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL
    )
    made = read_prompt_set(write(whole))
    assert [i.truth for i in items_of(made, made.settings[0])] == ["yes", "no"]
    more = read_prompt_set(write(categories, whole[whole.index("[[texts]]") :]))
    direct, few = (items_of(more, setting) for setting in more.settings)
    assert [i.prompt.messages[-1].text for i in direct] == [
        "Is this message rude? ‘Get lost!’",
        "Is this message rude? ‘After you.’",
        "Is this message sad? ‘After you.’",
    ]
    assert few[0].prompt.plain.splitlines()[2:] == ["‘It is noon.’: neither.", "‘Get lost!’:"]
    write("comment,gold,target_group\nBye!,rude,cyclists\n", name="cases.csv")
    settings = whole[whole.index("[settings") : whole.index("[[texts]]")]
    (text,) = read_prompt_set(write(table, settings)).texts
    assert (text.text, text.label, dict(text.groups)) == ("Bye!", "rude", {"target": "cyclists"})
