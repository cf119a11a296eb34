"""The long list of a JSON log, read value by value."""

import pytest

from tiltmeter.bridges.streamed_json import first_field, streamed
from tiltmeter.core.errors import BadInput


def written(folder, text):
    (folder / "log.json").write_text(text)
    return folder / "log.json"


def test_the_values_of_a_field_and_the_other_fields(tmp_path):
    path = written(tmp_path, '{"a": 1, "samples": [{"n": 1}, {"n": 2}], "b": [3]}')
    rest = {}
    assert list(streamed(path, "", "samples", rest)) == [{"n": 1}, {"n": 2}]
    assert rest == {"a": 1, "b": [3]}
    assert list(streamed(written(tmp_path, "[1, 2]"), "")) == [1, 2]
    assert list(streamed(written(tmp_path, '{"samples": {"x": 1}}'), "", "samples")) == [1]


@pytest.mark.parametrize(
    ("text", "name"),
    [('{"samples": [1], "eval": {}}', "eval"), ('{"results": {}, "eval": null}', ""), ("[1]", "")],
)
def test_the_first_field_that_a_log_is_known_by(tmp_path, text, name):
    assert first_field(written(tmp_path, text), ("results_of", "eval"), "") == name


@pytest.mark.parametrize("text", ['{"samples": [1, 2', '{"samples": [1]} x', '{"samples": [1 2]}'])
def test_damaged_files_are_named(tmp_path, text):
    with pytest.raises(BadInput, match=r"log\.json: it cannot be read \(.*; log it again"):
        list(streamed(written(tmp_path, text), "log it again", "samples"))
