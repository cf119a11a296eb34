"""mitigate prompt and mitigate train, from the command line to what a study then says."""

import json

import pytest

from support.architectures import build

CORPUS = "\n\n".join(
    f"{who} saw the old house {when}. Then {whom} went away {when}. It was late {when}."
    for who, whom in (("She", "her sister"), ("He", "his brother"))
    for when in ("today", "at night", "in May", "at noon", "again", "once", "often", "here")
)
QUICK = ("--steps", 4, "--batch-size", 4, "--max-tokens", 16, "--device", "cpu")


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return build("bert", tmp_path_factory.mktemp("b") / "bert")


@pytest.fixture
def pairs(tmp_path):
    """Words that the small models know, so that little is asked."""
    file = tmp_path / "pairs.csv"
    file.write_text(
        "id,sent_more,sent_less,direction\n1,He is late.,She is late.,stereo\n"
        "2,The boy sang.,The women sang.,stereo\n"
    )
    return file


@pytest.fixture
def corpus(tmp_path):
    file = tmp_path / "text.txt"
    file.write_text(CORPUS)
    return file


def words(text):
    return " ".join(text.split())


def test_a_model_is_trained_with_counterparts_and_measured(tilt, bert, corpus, pairs, tmp_path):
    command = (
        "mitigate",
        "train",
        "cda",
        bert,
        "--corpus",
        corpus,
        "--attribute",
        "gender",
        *QUICK,
    )
    code, out, err = tilt(*command)
    assert code == 0, err
    made = tmp_path / "mitigations" / "bert-cda-gender"
    said = json.loads((made / "mitigation-trained.json").read_text())
    # 14 of 16 documents are learned from, two of their three sentences name a group, in two versions
    assert said["sentences that name a group"] == 28
    assert sum(said["groups"].values()) == 28
    assert said["corpus"]["sentences to learn from"] == 42
    assert "48 sentences in 16 documents" in err
    assert "28 training sentences name a group of gender" in words(err)
    assert "all others are left out" in words(err)
    held = said["held out"]
    assert (
        f"Held-out loss: {held['loss before']:.3f} before, {held['loss after']:.3f} after"
        in words(out)
    )
    assert str(tmp_path) not in json.dumps(said)
    code, again, err = tilt(*command)
    assert (code, again) == (0, out)
    assert "to train on" not in err
    code, out, err = tilt("run", "pairs", "mitigations/bert-cda-gender", "--data", pairs, "--json")
    assert code == 0, err
    model = json.loads(out)["card"]["model"]
    assert (model["mitigation"], model["mitigation of"], model["made from"]) == (
        "cda",
        "gender",
        "bert",
    )


def test_dropout_is_trained_on_the_plain_corpus(tilt, bert, corpus):
    code, out, err = tilt("mitigate", "train", "dropout", bert, "--corpus", corpus, *QUICK, "--json",
                          "--attention-dropout", 0.3, "--out", "d")  # fmt: skip
    assert code == 0, err
    said = json.loads(out)
    assert said["dropout"] == {"hidden_dropout_prob": 0.2, "attention_probs_dropout_prob": 0.3}
    assert "groups" not in said
    assert "48 sentences" in err


def test_neutral_sentences_can_be_kept(tilt, bert, corpus):
    code, out, err = tilt("mitigate", "train", "cda", bert, "--corpus", corpus, "--attribute", "gender",
                          "--keep-neutral", *QUICK, "--json", "--out", "d")  # fmt: skip
    assert code == 0, err
    assert json.loads(out)["sentences without"] == "kept"


def test_prompts_are_kept_shown_and_measured(tilt, bert, pairs, tmp_path):
    code, out, err = tilt("mitigate", "prompt", bert, "--attribute", "cooking", "--decay", 10,
                          "--prompt", "Cold soup: ", "--prompt", "The old car: ")  # fmt: skip
    assert code == 0, err
    assert "words that any of 2 prompts favours are down-weighted" in words(out)
    assert "Each question is asked 3 times" in words(out)
    folder = tmp_path / "mitigations" / "bert-self_debias-cooking"
    code, shown, _ = tilt("mitigate", "show", folder)
    assert code == 0
    assert shown == out.replace("mitigations/bert-self_debias-cooking", str(folder))
    code, out, err = tilt("run", "pairs", bert, f"mitigated:{folder}", "--data", pairs, "--json")
    assert code == 0, err
    models = [card["model"] for card in json.loads(out)["card"]["cards"]]
    assert "mitigation" not in models[0]
    assert (models[1]["mitigation"], models[1]["mitigation of"]) == ("self_debias", "cooking")
    assert (models[1]["decay"], models[1]["epsilon"]) == (10, 0.01)
    code, _, err = tilt("mitigate", "export", folder, "--out", "plain")
    assert code == 2
    assert "prompts change what a model answers and not its weights" in words(err)
    code, _, err = tilt("run", "pairs", f"mitigated:{folder}", "--data", pairs, "--rule", "aula")
    assert code == 2
    assert "show its attention" in words(err)


def test_published_prompts_are_used_where_none_are_given(tilt, bert, tmp_path):
    code, out, err = tilt("mitigate", "prompt", bert, "--attribute", "gender", "--out", "p")
    assert code == 0, err
    assert "The following text discriminates against people because of their gender:" in words(out)
    said = json.loads((tmp_path / "p" / "mitigation.json").read_text())
    assert (said["decay"], said["epsilon"], said["fitted"]["prompts"]) == (50, 0.01, 1)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("train", "cad", "{bert}", "--corpus", "{corpus}"), "No method named 'cad'"),
        (("train", "cda", "{bert}", "--corpus", "{corpus}"), "give an --attribute"),
        (("train", "cda", "{bert}", "--corpus", "{corpus}", "--attribute", "religion"),
         "no sentence of the corpus that is trained on holds a defining word"),
        (("train", "cda", "{bert}", "--corpus", "{corpus}", "--attribute", "gendre"),
         "Did you mean 'gender'"),
        (("train", "dropout", "{bert}", "--corpus", "gone.txt"), "gone.txt: there is no such file"),
        (("train", "dropout", "{bert}", "--corpus", "{corpus}", "--attribute", "gender"), "of no attribute"),
        (("train", "dropout", "fake", "--corpus", "{corpus}"), "give a masked or causal language model"),
        (("train", "dropout", "{bert}", "--corpus", "{corpus}", "--hidden-dropout", "0.01",
          "--attention-dropout", "0.01"), "nothing would be raised"),
        (("train", "dropout", "{bert}", "--corpus", "{corpus}", "--batch-size", "500"),
         "fewer than the 500 of one step"),
        (("prompt", "{bert}", "--attribute", "gendre"), "Did you mean 'gender'"),
        (("prompt", "{bert}", "--attribute", "x", "--prompt", "soup " * 80), "no text fits after it"),
        (("prompt", "fake", "--attribute", "gender"), "no probabilities of words"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_ends_with_2_and_leaves_nothing(
    tilt, bert, corpus, tmp_path, command, says
):
    told = [part.format(bert=bert, corpus=corpus) for part in command]
    code, out, err = tilt("mitigate", *told, "--device", "cpu", "--out", "m")
    assert (code, out) == (2, "")
    assert says in words(err)
    assert "Traceback" not in err
    assert not (tmp_path / "m").exists()


def test_ctrl_c_says_how_to_go_on(tilt, interrupted_after, bert, corpus):
    interrupted_after("after step 2:")
    code, _, err = tilt(
        "mitigate", "train", "dropout", bert, "--corpus", corpus, "--steps", 99999, "--batch-size", 2,
        "--evaluate-every", 1, "--checkpoint-every", 1, "--device", "cpu", "--out", "m",
    )  # fmt: skip
    assert code == 130
    assert "Results so far are stored; to continue" in err
    assert "tiltmeter mitigate train dropout" in err
    assert "Traceback" not in err
