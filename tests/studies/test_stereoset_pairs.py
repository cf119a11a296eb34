"""Files of StereoSet's shape: made-up ones, and the published one where it is."""

import json
from collections import Counter

import pytest

from support import published
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.studies import stereoset_pairs

PUBLISHED = published.needs("stereoset")


def counts(data, axis):
    return dict(Counter(pair.groups[axis] for pair in data.items if axis in pair.groups))


def cluster(name, **sentences):
    labels = {"stereo": "stereotype", "anti": "anti-stereotype", "other": "unrelated"}
    return {
        "id": name,
        "target": "nurse",
        "bias_type": "profession",
        "context": "The nurse is BLANK.",
        "sentences": [
            {"sentence": text, "gold_label": labels[key], "labels": []}
            for key, text in sentences.items()
        ],
    }


def stereo_file(folder, *clusters):
    path = folder / "dev.json"
    path.write_text(json.dumps({"data": {"intrasentence": clusters, "intersentence": []}}))
    return path


def test_made_up(tmp_path):
    found = cluster(
        "x", other="The nurse is tea.", anti="The nurse is rude.", stereo="She is kind."
    )
    (pair,) = stereoset_pairs.load(stereo_file(tmp_path, found)).items
    assert (pair.id, pair.more, pair.less) == ("x", "She is kind.", "The nurse is rude.")
    assert {**pair.groups, "check": ""} == {
        "bias_type": "profession",
        "target": "nurse",
        "check": "",
    }
    assert pair.cluster == "nurse"


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (cluster("x", stereo="A b."), "intrasentence 2: the anti-stereotype sentence is missing"),
        (cluster("x", anti="A b."), "the stereotype sentence is missing"),
        (cluster("x", stereo="A b.", anti=""), "the anti-stereotype sentence is empty"),
        (cluster("x", stereo="A b.", anti="A  b."), "are identical"),
        ({"id": "x", "sentences": []}, "is not a cluster"),
        ("x", "is not a cluster"),
    ],
)
def test_bad_clusters(found, says, tmp_path):
    good = cluster("good", stereo="She is kind.", anti="She is rude.")
    path = stereo_file(tmp_path, good, found)
    with pytest.raises(BadItems, match=says):
        stereoset_pairs.load(path)
    data = stereoset_pairs.load(path, skip_invalid=True)
    assert [pair.id for pair in data.items] == ["good"]
    assert len(data.invalid) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"data": {"intrasentence": [', "broken JSON"),
        ('{"data": []}', "has no list `intrasentence`"),
        ('{"data": {"intersentence": []}}', "no list at data.intrasentence"),
    ],
)
def test_files_of_another_shape(text, says, tmp_path):
    path = tmp_path / "dev.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=says):
        stereoset_pairs.load(path)


@PUBLISHED
def test_the_published_file():
    data = stereoset_pairs.load()
    assert len(data.items) == 2106
    assert counts(data, "bias_type") == {
        "gender": 255,
        "profession": 810,
        "race": 962,
        "religion": 79,
    }
    assert len(counts(data, "target")) == 79
    assert data.clusters == "target term"
    assert data.name in {"stereoset", "stereoset_rebuilt"}
