"""Pairs are read in the layouts of SNLI and ATOMIC; what cannot be learned from is counted."""

import json

import pytest

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.texts.inference_pairs import InferencePair, as_person, read_inference_pairs


def written(path, rows):
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", "utf-8")
    return path


def test_snli_keeps_one_relation(tmp_path):
    rows = [
        {"sentence1": "A man runs.", "sentence2": f"He is {word}.", "gold_label": label}
        for word, label in (("late", "neutral"), ("moving", "entailment"), ("late", "neutral"))
    ]
    read = read_inference_pairs(written(tmp_path / "snli.jsonl", rows), "nli")
    assert read.pairs == (InferencePair("A man runs.", "neutral", "He is late."),)
    assert read.left_out == {"of another relation": 1, "repeated": 1}


def test_atomic_names_people_and_drops_none(tmp_path):
    rows = [{"head": "PersonX pays PersonY's ___", "relation": "oWant",
             "tails": ["to thank PersonX", "none", "none"]}]  # fmt: skip
    read = read_inference_pairs(written(tmp_path / "atomic.jsonl", rows), "if-then")
    event = "A person pays another person's something."
    assert read.pairs == (InferencePair(event, "oWant", "to thank the person"),)
    assert read.left_out == {"without a hypothesis (none)": 2}
    assert as_person("PersonX is late.") == "A person is late."


def test_a_missing_column_relation_or_hypothesis_is_named(tmp_path):
    good = {"premise": "A", "hypothesis": "B", "label": "neutral"}
    with pytest.raises(BadInput, match="event or head"):
        read_inference_pairs(written(tmp_path / "a.jsonl", [good]), "if-then")
    with pytest.raises(BadInput, match="'neutral'"):
        read_inference_pairs(tmp_path / "a.jsonl", "nli", ["contradiction"])
    with pytest.raises(BadItems, match="hypothesis is empty"):
        read_inference_pairs(
            written(tmp_path / "b.jsonl", [good, good | {"hypothesis": " "}]), "nli"
        )


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"label": ""}, "p.jsonl:2: label is empty"),
        ({"label": None}, "p.jsonl:2: label is empty"),
        ({"premise": ["A man runs."]}, "p.jsonl:2: premise is empty"),
        ({"hypothesis": {"text": "He is late."}}, "p.jsonl:2: hypothesis is empty"),
    ],
)
def test_cells_without_a_text_are_not_guessed(tmp_path, changed, says):
    row = {"premise": "A man runs.", "hypothesis": "He is late.", "label": "neutral"}
    with pytest.raises(BadItems, match=says):
        read_inference_pairs(written(tmp_path / "p.jsonl", [row, row | changed]), "nli")
