"""A classifier as a judge of sentiment, on a tiny random BERT."""

import json

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

from support.architectures import build
from support.command_line import own_cache, tilt
from tiltmeter.core.errors import BadInput, CannotAnswer, Unavailable
from tiltmeter.core.judges import NEUTRAL, SENTIMENTS, classes_in, open_judge
from tiltmeter.models.judges.classifier import classes_of
from tiltmeter.models.judges.classifier import open_judge as open_classifier

__all__ = ["own_cache", "tilt"]
TEXTS = [
    "He is a nurse.",
    "The old driver was slow and the young clerk was rude.",
    "She sang.",
    "He is a nurse.",
]
THREE = {0: "negative", 1: "neutral", 2: "positive"}


@pytest.fixture
def classifier(tmp_path):
    """Save a classifier with these labels; its folder."""

    def made(labels, **config):
        folder = build("bert", tmp_path / "judge")
        settings = BertConfig.from_pretrained(folder, id2label=labels, **config)
        torch.manual_seed(4)
        model = BertForSequenceClassification(settings)
        torch.nn.init.normal_(model.classifier.weight, std=2.0)
        model.save_pretrained(folder)
        return folder

    return made


def by_hand(folder, texts):
    """One text at a time, without padding."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = BertForSequenceClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        logits = [model(**tokenizer(text, return_tensors="pt")).logits[0] for text in texts]
    return torch.softmax(torch.stack(logits), -1).numpy()


def test_positive_less_negative(classifier):
    folder = classifier(THREE)
    shares = by_hand(folder, TEXTS)
    judge = open_classifier(str(folder))
    rated = judge.rate(TEXTS)
    assert np.abs(rated).max() > 0.01
    np.testing.assert_allclose(rated, shares[:, 2] - shares[:, 0], atol=1e-6)
    assert rated[0] == rated[3]
    assert judge.rate([]) == []


def test_given_classes_go_before_names(classifier):
    folder = classifier({0: "LABEL_0", 1: "LABEL_1"})
    shares = by_hand(folder, TEXTS)
    judge = open_classifier(str(folder), labels={"LABEL_0": "positive", "LABEL_1": "negative"})
    np.testing.assert_allclose(judge.rate(TEXTS), shares[:, 0] - shares[:, 1], atol=1e-6)


def test_a_study_gives_classes_in_one_setting(classifier):
    folder = classifier({0: "LABEL_0", 1: "LABEL_1"})
    shares = by_hand(folder, TEXTS)
    judge = f"classifier:{folder}"
    found = open_judge(judge, labels=classes_in("LABEL_0=positive, LABEL_1=negative", ""))
    apart = shares[:, 0] - shares[:, 1]
    expected = [SENTIMENTS[1 + int(np.sign(one) * (abs(one) >= NEUTRAL))] for one in apart]
    assert found.classify(TEXTS) == expected
    assert "judge" in found.instrument
    with pytest.raises(BadInput, match="--set labels, such as LABEL_0=negative"):
        open_judge(judge, naming="--set labels")
    with pytest.raises(BadInput, match="'positive' gives no label a class; write --set x=LABEL_0="):
        classes_in("positive", "--set x")


def test_several_labels_of_one_class_are_added(classifier):
    folder = classifier({i: f"{i} stars" for i in range(5)})
    shares = by_hand(folder, TEXTS)
    kinds = ["negative", "negative", "neutral", "positive", "positive"]
    judge = open_classifier(
        str(folder), labels={f"{i} stars": kind for i, kind in enumerate(kinds)}
    )
    expected = shares[:, 3:].sum(1) - shares[:, :2].sum(1)
    np.testing.assert_allclose(judge.rate(TEXTS), expected, atol=1e-6)


@pytest.mark.parametrize(
    ("names", "given", "says"),
    [
        (("LABEL_0", "LABEL_1"), {}, "the labels LABEL_0, LABEL_1 do not say .*--sentiment-label"),
        (("LABEL_0", "LABEL_1"), {"LABEL_1": "positive"}, "the labels LABEL_0 do not say"),
        (("positive", "neutral"), {}, "has no negative label"),
        (("positive", "negative"), {"bad": "negative"}, "labels are positive, negative"),
        (("positive", "negative"), {"positive": "good"}, "classes are positive, neutral, negative"),
        (("joy", "negative"), {}, "the labels joy do not say"),
    ],
)
def test_labels_that_say_nothing_are_refused(names, given, says):
    with pytest.raises(BadInput, match=says):
        classes_of(names, given, "judge")


@pytest.mark.parametrize(
    "names", [("POSITIVE", "NEGATIVE"), ("pos", "neg"), ("Very_Positive", "Negative")]
)
def test_usual_names_are_recognised(names):
    assert classes_of(names, {}, "judge") == ["positive", "negative"]


def test_models_that_are_no_classifier(classifier, tmp_path):
    with pytest.raises(CannotAnswer, match="classifier"):
        open_classifier(str(build("bert", tmp_path / "plain")))
    with pytest.raises(CannotAnswer, match="does not choose one of several labels"):
        open_classifier(str(classifier(THREE, problem_type="multi_label_classification")))
    with pytest.raises((CannotAnswer, Unavailable)):
        open_classifier(str(build("t5", tmp_path / "other")))


def test_data_check_uses_it(tilt, classifier, tmp_path):
    folder = classifier(THREE)
    code, _, err = tilt("data", "describe", "stereoset", "--sentiment", f"classifier:{folder}")
    assert "stereoset" in err or code == 0
    rows = [
        {"id": i, "task": "intersentence", "context": "C.", "target": t, "bias_type": "gender",
         "stereotype": TEXTS[0], "anti_stereotype": TEXTS[1], "unrelated": TEXTS[2]}
        for i, t in enumerate(("nurse", "clerk"))
    ]  # fmt: skip
    file = tmp_path / "triples.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)) + "\n")
    code, out, err = tilt("data", "describe", file, "--sentiment", f"classifier:{folder}", "--json")
    assert code == 0, err
    found = json.loads(out)
    instrument = "Sentiment is rated by judge (P(positive) − P(negative), fingerprint …"
    assert found["card"]["method"].startswith(instrument)
    rated = by_hand(folder, TEXTS[:3]) @ [-1, 0, 1]
    shares = {(e["name"], *e["groups"].values()): e["value"] for e in found["estimates"]}
    for side, value in zip(("stereotype", "anti_stereotype", "unrelated"), rated, strict=True):
        kind = "neutral" if abs(value) < 0.05 else "positive" if value > 0 else "negative"
        assert shares[kind, side] == 100
    assert "which rates the whole text" in found["card"]["method"]


def test_refusals_of_the_command(tilt, classifier, tmp_path):
    folder = classifier({0: "LABEL_0", 1: "LABEL_1"})
    code, _, err = tilt("data", "describe", "x.csv", "--sentiment", f"classifier:{folder}")
    assert (code, "--sentiment-label, such as LABEL_0=negative" in err) == (2, True)
    code, _, err = tilt("data", "describe", "x.csv", "--sentiment-label", "LABEL_0=negative")
    assert (code, "is for a classifier" in err) == (2, True)
    (tmp_path / "p.csv").write_text("sent_more,sent_less\nHe ran.,She ran.\n")
    classes = ("--sentiment-label", "LABEL_0=negative", "--sentiment-label", "LABEL_1=positive")
    code, _, err = tilt(
        "data", "describe", "p.csv", "--sentiment", f"classifier:{folder}", *classes
    )
    assert (code, "leave --sentiment out" in err) == (2, True)


def test_the_baseline_can_ask_it(tilt, classifier):
    folder = classifier(THREE)
    code, out, err = tilt(
        "run", "starter_pairs", f"baseline:sentiment:{folder}", "--limit", 9, "--json"
    )
    assert code == 0, err
    model = json.loads(out)["card"]["model"]
    assert model["name"] == "sentiment:judge"
    assert "(judge)" in model["architecture"]
    assert open_classifier(str(folder)).fingerprint in model["fingerprint"]
