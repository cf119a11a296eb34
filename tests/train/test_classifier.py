"""Training a classifier: parts without common texts, one checkpoint a seed, opened as any other."""

import json

import numpy as np
import pytest

from support.architectures import build
from tiltmeter.cli.training.train import _classifier_lines as lines
from tiltmeter.core.data.labelled_items import LabelledText
from tiltmeter.core.errors import BadInput, CannotAnswer, UnknownName
from tiltmeter.core.rules import Context
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.scoring.classified_texts import CLASSIFY
from tiltmeter.train.classifier import ClassifierConfig, _summary, place_of_seed, prepare, train


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Sixty texts whose label a word tells; two are the same but for a mention."""
    path = tmp_path_factory.mktemp("data") / "texts.csv"
    rows = ["tweet,kind,group_place"]
    for i in range(30):
        rows.append(f"The old driver was slow {i},rude,north")
        rows.append(f"My grandmother sang at night {i},kind,south")
    rows.append("@someone The old driver was slow 0,rude,north")
    path.write_text("\n".join(rows).replace("tweet,kind", "text,label"), "utf-8")
    return path


@pytest.fixture(scope="module")
def made(table, tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    bert = build("bert", folder / "bert")
    config = ClassifierConfig(
        str(bert), str(table), str(folder / "out"), positive="rude", seeds=(0, 1), epochs=4,
        batch_size=8, learning_rate=3e-3, max_tokens=20, device="cpu",
    )  # fmt: skip
    return config, train(config)


def test_parts_share_no_text_and_keep_the_shares_of_labels(made):
    prepared = prepare(made[0])
    parts = prepared.split.parts
    texts = {part: {prepared.cleaned[i] for i in places} for part, places in parts.items()}
    assert not texts["train"] & texts["test"] and not texts["train"] & texts["validation"]
    assert prepared.split.duplicates == 1
    assert sorted(i for some in parts.values() for i in some) == list(range(61))
    for places in parts.values():
        rude = np.mean([prepared.items[i].truth == "rude" for i in places])
        assert rude == pytest.approx(0.5, abs=0.05)


def test_each_seed_is_a_checkpoint_that_learned_the_word(made, tmp_path):
    config, said = made
    assert said["test"]["f1_macro"]["mean"] > 90
    assert set(said["seeds"]) == {"0", "1"} and said["positive"] == "rude"
    assert said["baselines"]["most frequent label"]["roc_auc"] == 0.5
    out = tmp_path.parent / "x"
    folder = place_of_seed(type(out)(config.out), 0)
    model = open_model(resolve(str(folder)))
    assert model.labels == ("kind", "rude")
    rows = [
        json.loads(line) for line in (folder.parent / "texts-test.jsonl").read_text().splitlines()
    ]
    assert len(rows) == said["parts"]["test"] and {row["group_place"] for row in rows} == {
        "north",
        "south",
    }
    items = [
        LabelledText(row["id"], row["text"], row["label"], ("kind", "rude"), "rude") for row in rows
    ]
    records = CLASSIFY.score(model, items, Context())
    right = np.mean([r.scores["truth"] == r.scores["said"] for r in records])
    assert 100 * right == pytest.approx(said["seeds"]["0"]["accuracy"])
    dirty = "RT @someone: THE OLD DRIVER was slow http://t.co/x"
    both = model.class_logprobs([dirty, "the old driver was slow"])
    assert both[0] == pytest.approx(both[1])


def test_the_same_training_is_not_repeated_and_another_is_refused(made):
    config, said = made
    again = train(config)
    assert again["seeds"] == said["seeds"]
    with pytest.raises(BadInput, match="another classifier"):
        train(ClassifierConfig(config.model, config.data, config.out, positive="kind", seeds=(0,)))


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"positive": "cruel"}, UnknownName, "label of the data"),
        ({"positive": ""}, BadInput, "which is positive"),
        ({"cleaning": "elsafoury"}, UnknownName, "cleaning"),
        ({"shares": (0.5, 0.5, 0.5)}, BadInput, "add up to 1"),
        ({"shares": (float("nan"), 0.5, 0.5)}, BadInput, "add up to 1"),
        ({"seeds": (1, 1)}, BadInput, "different whole numbers"),
        ({"model": "fake"}, CannotAnswer, "kind fake"),
    ],
)
def test_mistakes_are_told(made, tmp_path, options, error, said):
    config = made[0]
    given = {
        "model": config.model,
        "data": config.data,
        "out": str(tmp_path / "o"),
        "positive": "rude",
    }
    with pytest.raises(error, match=said):
        train(ClassifierConfig(**{**given, **options}))


def test_precision_is_left_out_where_a_seed_has_none(made):
    """The second seed calls no text positive, so it has no precision; the first alone is no mean."""
    config, trained = made
    prepared = prepare(config)
    scores = dict(trained["seeds"]["0"])
    without = {name: x for name, x in scores.items() if name != "positive_predictive_value"}
    each = [{"seed": s, "test": t, "kept epoch": 1} for s, t in ((0, scores), (1, without))]
    said = _summary(prepared, each)
    assert said["never positive"] == [1]
    assert "positive_predictive_value" not in said["test"] and "f1_macro" in said["test"]
    assert lines(said)[-1].startswith("Warning: with seed 1, no test text is called rude")
    assert not any("Warning" in line for line in lines(trained))
