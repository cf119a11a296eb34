"""Files of words: written to be translated, and named in a form, of which they become a part."""

import tomllib

import pytest

from tiltmeter.core.errors import TiltmeterError
from tiltmeter.survey.form_file import form_of, read_form
from tiltmeter.survey.languages.interface_words import BUILT_IN, ENGLISH, own_words
from tiltmeter.survey.languages.words_file import words_file
from tiltmeter.survey.studies import form_of_study, open_study

FORM = """
name = "f"
title = "t"
consent = '''
words = "none.toml"
'''
languages = ["ar"]
{words}

[[pages]]
name = "p"
part = "item"
show = ["text"]
questions = [{{ name = "q", kind = "text", text = "?" }}]

[[items]]
id = "one"
text = "a"
"""


def written(folder, words, **files):
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, "utf-8")
    (folder / "form.toml").write_text(FORM.format(words=words), "utf-8")
    return folder / "form.toml"


@pytest.mark.parametrize("language", ["en", "ar", "ar-EG", "de"])
def test_a_written_file_gives_the_same_words_back(language):
    table = tomllib.loads(words_file(language, {}))
    assert own_words(table["words"]) == {language: BUILT_IN[language[:2]]}


def test_missing_words_are_commented_out_below_their_english():
    text = words_file("fi", {"fi": {"continue": 'Jat"ka\\'}})
    assert tomllib.loads(text) == {"words": {"fi": {"name": "Suomi", "continue": 'Jat"ka\\'}}}
    assert f"Translated: 2 of {len(ENGLISH)}." in text
    assert '\n# Back\n# back = ""\n' in text
    uncommented = text.replace('# back = ""', 'back = "Takaisin"')
    assert tomllib.loads(uncommented)["words"]["fi"]["back"] == "Takaisin"


@pytest.mark.parametrize(
    "words", ['words = "ar.toml"', "words = ['ar.toml']  # mine", 'words = ["ar.toml",\n]']
)
def test_a_file_named_in_the_form_becomes_part_of_it(tmp_path, words):
    read = read_form(written(tmp_path, words, ar='[words.ar]\nback = "ر"'))
    assert read.words == {"ar": {"back": "ر"}}
    assert read.consent["ar"] == 'words = "none.toml"'  # a text that looks like it stays
    assert form_of(read.text) == read  # as it is stored, without the file
    pasted = form_of(FORM.format(words="") + '[words.ar]\nback = "ر"')
    assert pasted.words == read.words


def test_a_study_goes_on_with_the_words_it_was_opened_with(tmp_path, store):
    path = written(tmp_path, 'words = "ar.toml"', ar='[words.ar]\nback = "ر"')
    number = store.save(open_study, read_form(path))
    (tmp_path / "ar.toml").write_text('[words.ar]\nback = "ع"', "utf-8")
    assert store.read(form_of_study, number).words == {"ar": {"back": "ر"}}
    with pytest.raises(TiltmeterError, match="another form"):
        store.save(open_study, read_form(path))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ('words = "../ar.toml"', "names '../ar.toml'; put the file beside the form"),
        ("words = '..\\ar.toml'", "put the file beside the form"),
        ('words = "/etc/passwd"', 'name a file such as "words-ar.toml"'),
        ('words = "none.toml"', "no such file"),
        ("words = []", "words is []"),
        ("words = [3]", "words names 3"),
        ('words = ["ar.toml", "ar.toml"]', "write each language once"),
        ('words = "bad.toml"', "bad.toml: words.ar.bak is no word"),
        ('words = "more.toml"', "more.toml: has title beside [words.ar]"),
        ('words = "broken.toml"', "broken.toml: is not TOML"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_name(tmp_path, words, why):
    ar = '[words.ar]\nback = "ر"\n'
    files = {"ar": ar, "bad": '[words.ar]\nbak = "x"', "more": f'title = "x"\n{ar}', "broken": "["}
    with pytest.raises(TiltmeterError) as error:
        read_form(written(tmp_path, words, **files))
    assert why in str(error.value)


def test_a_form_without_a_folder_names_no_files():
    with pytest.raises(TiltmeterError, match="serve the form from its folder"):
        form_of(FORM.format(words='words = "ar.toml"'))
