"""Prompt sets from TOML: what is read, and what is said about files that cannot be used."""

import pytest

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.prompts.prompt_items import items_of
from tiltmeter.data.prompts.prompt_set_file import is_prompt_set, read_prompt_set

TOP = 'categories = ["rude"]\n'
ASKED = """
[settings.zero]
prompt = "Is it {category}? {text}"
options = ["yes", "no"]
truth = { "{category}" = "yes", "*" = "no" }
positive = "yes"
"""
TEXTS = """
[[texts]]
text = "Get lost!"
label = "rude"
groups = { place = "street" }

[[texts]]
text = "After you."
label = "polite"
"""
EXAMPLES = """
[[examples]]
text = "Shut up."
label = "rude"
set = "a"

[[examples]]
text = "Thanks."
label = "polite"
set = "a"
"""
SHOWN = """
[settings.few]
prompt = "{examples}\\n{text}:"
example = "{example}: {example_label}"
shown = ["rude", "polite"]
options = ["rude", "polite"]
"""


@pytest.fixture
def write(tmp_path):
    def written(*parts, name="mine.toml"):
        path = tmp_path / name
        path.write_text("".join(parts), "utf-8")
        return path

    return written


def complaints(path):
    with pytest.raises(BadItems) as found:
        read_prompt_set(path)
    return [str(problem) for problem in found.value.problems]


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


def test_the_table_beside_it(write, tmp_path):
    columns = '[columns]\ntext = "Satz"\nlabel = "Art"\ngroups = { place = "Ort" }\n'
    table = "Satz,Art,Ort,id\nGeh weg!,rude,Bahn, x1\nBitte.,polite,,x2\n"
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "cases.csv").write_text(table, "utf-8")
    one = read_prompt_set(write(TOP, 'texts = "sub/cases.csv"\n', ASKED, columns))
    assert [(t.id, t.text, t.label, dict(t.groups), t.where) for t in one.texts] == [
        ("x1", "Geh weg!", "rude", {"place": "Bahn"}, "cases.csv:2"),
        ("x2", "Bitte.", "polite", {}, "cases.csv:3"),
    ]
    (tmp_path / "sub" / "cases.csv").write_text(table.replace("weg", "fort"), "utf-8")
    assert read_prompt_set(tmp_path / "mine.toml").sha256 != one.sha256


@pytest.mark.parametrize("name", ["../cases.csv", "/etc/passwd", "link.csv", "..\\\\cases.csv"])
def test_no_table_outside_the_folder(write, tmp_path, name):
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "cases.csv").write_text("text\nsecret\n", "utf-8")
    (inside / "link.csv").symlink_to(tmp_path / "cases.csv")
    path = write(TOP, f'texts = "{name}"\n', ASKED, name="inside/mine.toml")
    (said,) = complaints(path)
    assert "is not in the folder of this file" in said


def test_rows_that_are_no_texts_are_named_by_line(write, tmp_path):
    (tmp_path / "cases.csv").write_text("text,label\n,rude\nHi.,polite\nHi.\n", "utf-8")
    said = complaints(write(TOP, 'texts = "cases.csv"\n', ASKED))
    assert said[0].startswith("cases.csv:2: text is empty")
    assert said[1].startswith("cases.csv:4: too few cells")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("options =", "option =", "unknown key 'option'; did you mean 'options'?"),
        ("{text}", "", "no message has {text}; write {text}"),
        ("{text}", "{txt}", "unknown place {txt}; did you mean {text}?"),
        ("{text}", "{text", "a single {"),
        ("{text}", "{text.__class__}", "a single {"),
        ('"yes", "no"]', '"yes", "Yes"]', "options has 'yes' 2 times"),
        ('"yes", "no"]', '"yes"]', "has 1 options"),
        ('"*" = "no"', '"*" = "never"', "truth of '*' is 'never'; write one of yes, no"),
        ('positive = "yes"', 'positive = "ja"', "positive is 'ja'; write one of yes, no"),
        (', "*" = "no"', "", "no option is right for the label 'polite'"),
        ('categories = ["rude"]', "", "the file names no categories"),
        ('["rude"]', '["all"]', "'all' has a meaning of its own"),
        ('positive = "yes"', "max_tokens = 0", "max_tokens is 0; write a whole number"),
        ('positive = "yes"', "temperature = nan", "temperature is nan; write a number from 0 to 2"),
        ('positive = "yes"', "repeats = 5", "asks 5 times at temperature 0"),
        ('positive = "yes"', 'wrap = "none"', 'write "auto" or "chat" or "text"'),
        ('positive = "yes"', 'stop = "x"', "stop is not a list of texts"),
        ('positive = "yes"', 'shown = ["rude"]', "no message has a place for the examples"),
        ('positive = "yes"', 'example = "x"', "belong together"),
        ("{text}", "{text} {examples}", "does not say which examples are shown"),
        ('prompt = "Is it {category}? {text}"', "", "has no prompt"),
        ('label = "rude"', 'id = "2"', "2 texts have the id '2'"),
        ('text = "Get lost!"', "", "[[texts]] 1 has no text"),
        ('text = "Get lost!"', "text = 5", "is not text but 5; put it in quotation marks"),
        ("[settings.zero]", "[setting.zero]", "has no settings"),
    ],
)  # fmt: skip
def test_what_does_not_fit(write, old, new, said):
    path = write((TOP + ASKED + TEXTS).replace(old, new, 1))
    assert any(said in one and one.startswith("mine.toml: ") for one in complaints(path))


def test_speakers(write):
    messages = 'messages = [{ user = "{text}" }, { assistant = "Hm", user = "x" }, { sys = "x" }]'
    asked = ASKED.replace('prompt = "Is it {category}? {text}"', messages)
    said = "\n".join(complaints(write(TOP, asked, TEXTS)))
    assert "unknown key 'sys'; did you mean 'system'?" in said
    assert "2 speakers" in said
    ends = ASKED.replace("prompt = ", 'messages = [{ assistant = "Hm" }] #')
    assert "the last message is the assistant's" in complaints(write(TOP, ends, TEXTS))[0]


def test_too_few_examples(write):
    shown = SHOWN.replace('["rude", "polite"]', '["rude", "rude"]', 1)
    (said,) = complaints(write(TOP, shown, EXAMPLES, TEXTS))
    assert "more examples labelled 'rude' than the set 'a' has; add [[examples]]" in said


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
