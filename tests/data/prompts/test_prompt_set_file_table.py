"""Texts in a table beside the set, and nowhere else."""

from functools import partial

import pytest

from data.prompts.set_files import ASKED, TOP, complaints, written
from tiltmeter.data.prompts.prompt_set_file import read_prompt_set


@pytest.fixture
def write(tmp_path):
    return partial(written, tmp_path)


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


def test_a_name_that_no_file_can_have(write):
    (said,) = complaints(write('texts = "a\\u0000.csv"\n', ASKED))
    assert "cannot be a name of a file" in said


def test_rows_that_are_no_texts_are_named_by_line(write, tmp_path):
    (tmp_path / "cases.csv").write_text("text,label\n,rude\nHi.,polite\nHi.\n", "utf-8")
    path = write(TOP, 'texts = "cases.csv"\n', ASKED)
    said = complaints(path)
    made = read_prompt_set(path, skip_invalid=True)
    assert [text.text for text in made.texts] == ["Hi."]
    assert [str(problem) for problem in made.invalid] == said
    assert said[0].startswith("cases.csv:2: text is empty")
    assert said[1].startswith("cases.csv:4: too few cells")
