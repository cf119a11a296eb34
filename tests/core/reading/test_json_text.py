"""JSON files that must not end in a traceback, wherever they are read."""

import json

import pytest

from tiltmeter.core.reading.json_text import parsed

HOSTILE = {"deep": "[" * 100_000 + "]" * 100_000, "long": "1" * 5_000, "half": '"\\ud800"'}
SAYS = {"deep": "nested too deeply", "long": "too many digits", "half": "half a character"}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_values_are_refused_with_a_reason(name):
    with pytest.raises(ValueError, match=SAYS[name]):
        parsed(f'{{"a": {HOSTILE[name]}}}')


def test_whole_characters_stay():
    assert parsed(json.dumps("😀")) == "😀"


LINE = '{"id": %s, "sent_more": "he ran", "sent_less": "she ran"}'
TRIPLES = '{"data": {"intrasentence": [%s]}}'


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("p.jsonl", f"{LINE}\n{LINE.replace('%s', '2')}\n"),
        ("p.json", f"[{LINE}]"),
        ("triples.json", TRIPLES),
        ("weat.json", '{"targ1": {"category": "a", "examples": [%s]}}'),
    ],
)
def test_check_finds_them_in_every_layout(tilt, tmp_path, name, file, text):
    if (file, name) == ("triples.json", "half"):
        pytest.skip("each text of a triple is looked through by its reader, which names the field")
    (tmp_path / file).write_text(text % HOSTILE[name])
    code, _, err = tilt("data", "check", file)
    assert code == 2
    assert SAYS[name] in err
