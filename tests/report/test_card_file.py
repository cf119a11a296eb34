"""Model cards that are there already keep all that others wrote in them."""

import pytest
import yaml

from tiltmeter.core.errors import BadInput
from tiltmeter.report.card_file import read_card, updated_card
from tiltmeter.report.model_card import ModelCardSection

hub = pytest.importorskip("huggingface_hub")
OTHERS = """---
# do not sort
license: mit   # as the data
model-index:
- name: theirs
  results:
  - task: {type: fill-mask}
    dataset: {type: glue, name: GLUE}
    metrics: [{type: accuracy, value: 0.9}]
# about the tags
tags: [b, a]
---

# Their model

Some words.
"""


def section(value=45.0, rule="aul"):
    metric = {"type": "rate", "value": value, "args": {"rule": rule, "convention": "paper"}}
    data = {"type": "d", "name": "Données", "config": "s"}
    result = {"task": {"type": "other"}, "dataset": data, "metrics": [metric]}
    return ModelCardSection(
        f"s-{rule}", f"## Study\n\n{value}\n", [{"name": "m", "results": [result]}]
    )


def parts(text):
    _, front, body = text.split("---\n", 2)
    return yaml.safe_load(front), body


def values(text):
    return [m["value"] for r in parts(text)[0]["model-index"][0]["results"] for m in r["metrics"]]


def test_what_is_there_stays():
    text = updated_card(OTHERS, section())
    for line in OTHERS.splitlines():
        if "theirs" not in line and "{" not in line:
            assert line in text
    assert "# about the tags\ntags: [b, a]\n" in text
    front, body = parts(text)
    assert front["model-index"][0]["name"] == "theirs"
    assert values(text) == [0.9, 45.0]
    assert body.startswith("\n# Their model\n\nSome words.\n\n<!-- tiltmeter s-aul -->\n## Study")
    assert "Données" in text
    card = hub.ModelCard(text)
    assert [r.metric_value for r in card.data.eval_results] == [0.9, 45.0]
    assert card.data.license == "mit"


def test_a_newer_section_replaces_the_older_one_in_its_place():
    first = updated_card(OTHERS, section())
    first += "\nWritten below by hand.\n"
    again = updated_card(first, section(50.0))
    assert again == first.replace("45.0", "50.0")
    assert updated_card(again, section(50.0)) == again
    other = updated_card(again, section(60.0, "pll_all"))
    assert values(other) == [0.9, 50.0, 60.0]
    assert other.count("<!-- tiltmeter ") == 2
    assert "Written below by hand." in other


@pytest.mark.parametrize(
    "text", ["", "# Title\n\nWords.\n", "---\n---\nWords.\n", "---\nlicense: mit\n---"]
)
def test_cards_without_an_index(text):
    made = updated_card(text, section())
    assert values(made) == [45.0]
    assert hub.ModelCard(made).data.eval_results[0].metric_value == 45.0
    assert ("Words." in made) == ("Words." in text)
    assert updated_card(made, section()) == made


def test_line_ends_stay():
    made = updated_card(OTHERS.replace("\n", "\r\n"), section())
    assert "\n" not in made.replace("\r\n", "")
    assert made.replace("\r\n", "\n") == updated_card(OTHERS, section())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("---\nlicense: mit\n", "no end"),
        ("---\na: [1\n---\n", "not valid YAML"),
        ("---\n- a\n---\n", "not names with values"),
        ("---\nmodel-index: words\n---\n", "not a list of models"),
        ('---\n"model-index": [{name: a, results: []}]\n---\n', "cannot be changed safely"),
    ],
)
def test_damaged_cards_are_not_touched(text, message):
    with pytest.raises(BadInput, match=message) as told:
        updated_card(text, section(), file="README.md")
    assert "README.md" in str(told.value)


def test_reading(tmp_path):
    assert read_card(tmp_path / "none.md") == ""
    (tmp_path / "bad.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match="UTF-8"):
        read_card(tmp_path / "bad.md")
    with pytest.raises(BadInput, match="cannot be read"):
        read_card(tmp_path)
