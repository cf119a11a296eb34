"""The commands of train, as people call them."""

import json
import signal

import pytest

from support.architectures import build
from support.next_heads import by_topic, reading_pairs

QUICK = ("--epochs", 1, "--pairs", 40, "--batch-size", 8, "--device", "cpu")


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory):
    return reading_pairs("gpt2", tmp_path_factory.mktemp("g") / "gpt2")


@pytest.fixture
def text(tmp_path):
    return by_topic(tmp_path / "topics.txt")


def test_a_head_is_trained_and_its_folder_printed(tilt, gpt2, text, tmp_path):
    command = ("train", "next-sentence", gpt2, "--corpus", text, *QUICK)
    code, out, err = tilt(*command)
    assert code == 0
    assert out.splitlines()[-1] == "heads/gpt2-next"
    said = json.loads((tmp_path / "heads" / "gpt2-next" / "next_sentence.json").read_text())
    assert f"Held-out accuracy {100 * said['held_out']['accuracy']:.1f} % (" in out
    assert "on 4 pairs" in out
    assert "36 pairs, 5 steps; kept: step 5" in out
    assert "36 pairs to train on, 4 held out; 5 steps" in err
    assert "after step 5: held-out loss" in err
    again, out_again, err_again = tilt(*command)
    assert (again, out_again) == (0, out)
    assert err_again == f"Measure it: tiltmeter run STUDY headed:{gpt2},heads/gpt2-next\n"


def test_the_description_comes_as_json(tilt, gpt2, text):
    code, out, _ = tilt("train", "next-sentence", gpt2, "--corpus", text, *QUICK, "--json")
    assert code == 0
    assert json.loads(out)["pairs"] == 36


@pytest.mark.parametrize(
    ("kind", "within"), [("gpt2", "sentence_logprob"), ("xlnet", "blank_logprob")]
)
def test_a_headed_model_runs_both_halves_of_stereoset(tilt, text, tmp_path, kind, within):
    model = reading_pairs(kind, tmp_path / kind)
    tilt("train", "next-sentence", model, "--corpus", text, "--out", "h", *QUICK)
    (tmp_path / "triples.csv").write_text(
        "context,stereotype,anti_stereotype,unrelated,target\n"
        "The old driver was BLANK.,slow,quick,wool,driver\n"
        "My driver was old.,He was slow.,He was quick.,Wool is soft.,driver\n"
    )
    command = ("run", "stereoset", f"headed:{model},h", "--data", "triples.csv", "--device", "cpu")
    code, out, _ = tilt(*command, "--json")
    card = json.loads(out)["card"]
    assert code == 0
    assert card["rule"] == f"{within}+next_sentence"
    assert card["model"]["name"] == f"headed:{kind},h"
    assert card["model"]["head"] == "h"
    code, _, err = tilt(
        "run", "stereoset", model, "--data", "triples.csv", "--rule", "next_sentence"
    )
    assert code == 2
    assert "next_sentence" in err


def test_a_classifier_is_trained_measured_compared_and_correlated(tilt, tmp_path):
    bert = build("bert", tmp_path / "bert")
    rows = [
        (f"The old driver was slow {i}", "rude", "north" if i % 3 else "south") for i in range(24)
    ] + [(f"My grandmother sang {i}", "kind", "south" if i % 3 else "north") for i in range(24)]
    lines = ["tweet,kind,place", *map(",".join, rows)]
    (tmp_path / "texts.csv").write_text("\n".join(lines), "utf-8")
    code, out, err = tilt(
        "train", "classifier", bert, "--data", "texts.csv", "--text-column", "tweet",
        "--label-column", "kind", "--groups", "place", "--positive", "rude", "--seeds", "0,1",
        "--epochs", 2, "--batch-size", 8,
        "--learning-rate", 3e-3, "--max-tokens", 16, "--device", "cpu", "--out", "c",
    )  # fmt: skip
    assert code == 0, err
    made = ["c/c-seed-0", "c/c-seed-1"]
    assert out.splitlines()[-2:] == made
    heading, columns, *rows = out.splitlines()
    assert heading.endswith("mean over 2 seeds:")
    assert columns.split() == ["classifier", "TF-IDF", "most", "frequent", "label"]
    assert max(map(len, rows[:9])) == len(columns) and rows[0].startswith("f1 macro")
    asked = ("--data", "c/texts-test.jsonl", "--set", "positive=rude", "--device", "cpu")
    for study, more in (("classification", ()), ("fairness_gaps", ("--set", "groups=place"))):
        code, _, err = tilt("run", study, *made, *asked, *more)
        assert code == 0, err
    runs = sorted((tmp_path / "runs").iterdir())
    folders = [path for path in runs if (path / "card.json").is_file()]
    gaps = [path for path in folders if path.name.startswith("fairness")]
    code, out, err = tilt("analyse", "before-after", *gaps, "--all")
    assert code == 0, err
    assert "north − south" in out.replace("\n", " ")
    code, out, err = tilt(
        "analyse",
        "correlate",
        *folders,
        "--measure",
        "f1_macro",
        "--measure",
        "equalized_odds_difference",
    )
    assert code == 0, err
    code, out, err = tilt("table", *folders)
    assert code == 0, err
    labels = [path for path in folders if path.name.startswith("classification")]
    code, out, err = tilt("analyse", "seeds", *labels, "--json")
    assert code == 0, err
    both = [json.loads((path / "estimates.json").read_text()) for path in labels]
    f1 = [e["value"] for some in both for e in some if e["name"] == "f1_macro" and not e["groups"]]
    (mean,) = (
        e for e in json.loads(out)["estimates"] if e["name"] == "f1_macro" and len(e["groups"]) == 1
    )
    assert mean["value"] == pytest.approx(sum(f1) / 2)
    assert (mean["model"], mean["groups"]) == ("bert", {"trained_on": "texts.csv"})


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--corpus", "gone.txt"), "gone.txt: there is no such file"),
        (("--held-out", "1.5"), "held_out is 1.5"),
        (("--learning-rate", "0"), "learning_rate is 0.0"),
        (("--precision", "float16"), "No precision to train in named 'float16'"),
        (("--warm-up", "99"), "99 warm-up steps"),
        (("--out", "topics.txt"), "this is a file, not a folder"),
    ],
)
def test_what_cannot_be_trained_ends_with_2(tilt, gpt2, text, options, says):
    code, out, err = tilt("train", "next-sentence", gpt2, "--corpus", text, *QUICK, *options)
    assert (code, out) == (2, "")
    assert says in " ".join(err.split())
    assert "Traceback" not in err


def test_a_head_needs_a_language_model(tilt, text):
    code, _, err = tilt("train", "next-sentence", "fake", "--corpus", text, *QUICK)
    assert (code, "give a masked, causal or permutation language model" in err) == (2, True), err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--data", "gone.csv", "--text-column", "tweet"), "gone.csv: no such file"),
        (("--data", "edos", "--text-column", "tweet"), "leave out --text-column"),
        (("--data", "c.csv"), "name yours with --text-column tweet"),
        (
            ("--data", "c.csv", "--text-column", "words"),
            "no column named 'words' for text (found: 'tweet'",
        ),
        (("--data", "c.csv", "--text-column", "tweet"), "name it with --positive LABEL"),
        (
            ("--data", "one.csv", "--text-column", "tweet", "--positive", "rude"),
            "fewer than two labels (",
        ),
        (
            ("--data", "blank.csv", "--text-column", "tweet", "--positive", "rude"),
            "fewer than two labels",
        ),
        (("--data", "c.csv", "--seeds", "-1,2"), "give different whole numbers from 0"),
        (("--data", "c.csv", "--seeds", "1_0"), "--seeds is '1_0'; write whole numbers"),
        (("--data", "c.csv", "--seeds", "1.5"), "--seeds is '1.5'; write whole numbers"),
    ],
)
def test_mistakes_with_a_classifier_are_named_by_its_own_options(
    tilt, gpt2, tmp_path, options, says
):
    (tmp_path / "c.csv").write_text("tweet,label\nHe is late.,rude\nShe sang.,kind\n")
    (tmp_path / "one.csv").write_text("tweet,label\nHe is late.,rude\nShe sang.,rude\n")
    (tmp_path / "blank.csv").write_text("tweet,label\nhttp://a.b,rude\nhttp://c.d,kind\n")
    code, _, err = tilt("train", "classifier", gpt2, *options)
    assert (code, says in " ".join(err.split())) == (2, True), err


def test_a_writer_of_hypotheses_says_that_sequence_to_sequence_models_are_not_asked(tilt, tmp_path):
    t5 = build("t5", tmp_path / "t5")
    rows = [f"The {who} was late.,Nobody knows why." for who in ("man", "woman", "boy", "clerk")]
    (tmp_path / "p.csv").write_text("\n".join(["premise,hypothesis", *rows]))
    code, out, err = tilt(
        "train", "inference", t5, "--data", "p.csv", "--pair-kind", "nli", "--batch-size", 2, "--epochs", 1,
        "--device", "cpu",
    )  # fmt: skip
    assert code == 0, err
    assert "after step 0: held-out loss" in err
    assert "Held-out perplexity" in out
    assert "let this one write with transformers" in out
    assert out.splitlines()[-1] == "generators/t5-nli"


@pytest.mark.slow
def test_ctrl_c_says_how_to_go_on(start, gpt2, text):
    with start(
        "train", "next-sentence", gpt2, "--corpus", text, "--epochs", 9999, "--evaluate-every", 1,
        "--checkpoint-every", 1, "--patience", 9999, "--device", "cpu", "--pairs", 40, "--out", "h",
    ) as process:  # fmt: skip
        assert any("after step 2:" in line for line in process.stderr)
        process.send_signal(signal.SIGINT)
        err = process.stderr.read()
    assert process.returncode == 130
    assert "tiltmeter train next-sentence" in err
    assert "Traceback" not in err
