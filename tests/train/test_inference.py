"""Training to infer: only hypotheses count, a stop changes nothing, the folder is asked as it was trained."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from support.architectures import build
from tiltmeter.core.data.inference_prompts import inference_prompt, trained_phrases
from tiltmeter.core.errors import BadInput, CannotAnswer, UnknownName
from tiltmeter.core.model.conversations import Message, Prompt, Writing
from tiltmeter.data.texts.inference_pairs import InferencePair
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.train.inference import InferenceConfig, result, split, train
from tiltmeter.train.steps import TrainingProgress

WHO = ("man", "woman", "boy", "clerk", "driver", "nurse", "pilot", "grandmother")
ENDS = {"late": "She drove the car well.", "slow": "Nobody knows why."}
PAIRS = [
    {"premise": f"The {who} was {how}.", "hypothesis": end, "label": "neutral"}
    for who in WHO
    for how, end in ENDS.items()
]
TAILS = [
    {"event": f"PersonX hates the {who}", "relation": relation, "tail": tail}
    for who in WHO
    for relation, tail in (("xAttr", "rude"), ("oWant", "cold soup"), ("xReason", "late"))
]


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory):
    return build("gpt2", tmp_path_factory.mktemp("m") / "gpt2")


@pytest.fixture
def config(gpt2, tmp_path):
    def made(rows=PAIRS, **changed):
        path = tmp_path / "pairs.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
        form = "nli" if "premise" in rows[0] else "if-then"
        chosen = {"epochs": 3, "batch_size": 4, "checkpoint_every": 2, "device": "cpu"} | changed
        return InferenceConfig(str(gpt2), str(path), form, str(tmp_path / "out"), **chosen)

    return made


class Stopping(TrainingProgress):
    def __init__(self, after):
        self.left = after

    def step(self, *_):
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt


def test_what_is_learned_is_written_and_beats_the_untrained_model(config):
    out = train(config(epochs=16, learning_rate=4e-3, patience=16))
    held = result(out)["held_out"]
    assert held["loss"] < held["loss_untrained"] - 1
    assert held["perplexity"] == pytest.approx(np.exp(held["loss"]))
    model = open_model(resolve(str(out)), Options(device="cpu"))
    phrases = trained_phrases(model.about)
    assert [*phrases] == ["neutral"]
    text = inference_prompt("The clerk was late.", phrases["neutral"])
    (reply,) = model.write([Writing(Prompt((Message("user", text),), chat=False), 20)])
    assert (reply.text.strip(), reply.finish) == (ENDS["late"], "stop")


def test_held_out_loss_is_of_hypotheses_alone(config):
    """Beside the model's own log-probabilities, after the whole prompt."""
    out = train(config(epochs=1))
    said = result(out)
    _, back = split([InferencePair(*list(row.values())[:1], "neutral", row["hypothesis"]) for row in PAIRS],
                    held_out=0.1, most=None, seed=0)  # fmt: skip
    model = open_model(resolve(str(out)), Options(device="cpu"))
    inner, reader = model._loaded.model, model._writer.reader
    total = count = 0
    for pair in back:
        text = inference_prompt(pair.premise, said["relations"]["neutral"])
        prompt = Prompt((Message("user", text),), chat=False)
        alone, whole = reader.followed(prompt, ["", f" {pair.hypothesis}"])
        with torch.no_grad():
            logits = inner(input_ids=torch.tensor([whole])).logits[0].log_softmax(-1)
        for at in range(len(alone), len(whole)):
            total -= float(logits[at - 1, whole[at]])
            count += 1
    assert said["held_out"]["tokens"] == count
    assert said["held_out"]["loss"] == pytest.approx(total / count, rel=1e-5)


@pytest.mark.parametrize("kind", ["t5", pytest.param("bart", marks=pytest.mark.slow)])
def test_the_decoder_of_a_sequence_to_sequence_model_learns_the_hypothesis(config, tmp_path, kind):
    """Beside the library's own loss, with labels as its examples give them."""
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    base = build(kind, tmp_path / kind)
    out = train(
        replace(
            config(epochs=24, learning_rate=1e-2, patience=24, checkpoint_every=99), model=str(base)
        )
    )
    said = result(out)
    assert (said["base"]["kind"], said["relations"]) == (
        "seq2seq",
        {"neutral": "This may also be true:"},
    )
    tokenizer = AutoTokenizer.from_pretrained(out)
    pairs = [InferencePair(row["premise"], "neutral", row["hypothesis"]) for row in PAIRS]
    _, back = split(pairs, held_out=0.1, most=None, seed=0)
    for folder, name in ((base, "loss_untrained"), (out, "loss")):
        model = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
        total = count = 0
        for pair in back:
            text = inference_prompt(pair.premise, said["relations"]["neutral"])
            source = tokenizer(text, return_tensors="pt")
            labels = tokenizer(pair.hypothesis, return_tensors="pt")["input_ids"][:, :-1]
            counted = labels.clone()
            counted[counted == tokenizer.bos_token_id] = -100
            starts = model.prepare_decoder_input_ids_from_labels(labels)
            inputs = {key: source[key] for key in ("input_ids", "attention_mask")}
            with torch.no_grad():
                loss = model(**inputs, decoder_input_ids=starts, labels=counted).loss
            tokens = int((counted != -100).sum())
            total, count = total + float(loss) * tokens, count + tokens
        assert said["held_out"]["tokens"] == count
        assert said["held_out"][name] == pytest.approx(total / count, rel=1e-5, abs=1e-6)
    assert said["held_out"]["loss"] < said["held_out"]["loss_untrained"] - 1
    source = tokenizer("The clerk was late.\nThis may also be true:", return_tensors="pt")
    (written,) = model.generate(
        source["input_ids"], do_sample=False, num_beams=1, max_new_tokens=20
    )
    assert tokenizer.decode(written, skip_special_tokens=True).strip() == ENDS["late"]
    assert written[-1] == tokenizer.eos_token_id
    prompt = Prompt((Message("user", "The clerk was late.\nThis may also be true:"),), chat=False)
    (reply,) = open_model(resolve(str(out))).write([Writing(prompt, 20)])
    assert (reply.text, reply.finish) == (ENDS["late"], "stop")


def test_a_stopped_training_ends_with_the_same_files(config, tmp_path):
    whole = config()
    train(whole)
    files = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    again = replace(whole, out=str(tmp_path / "b"))
    with pytest.raises(KeyboardInterrupt):
        train(again, Stopping(5))
    train(again)
    assert {path.name: path.read_bytes() for path in (tmp_path / "b").iterdir()} == files


def test_if_then_relations_have_words_or_need_them(config):
    with pytest.raises(BadInput, match="xReason has no words"):
        train(config(TAILS))
    out = train(config(TAILS, relations=("xAttr", "xReason=The reason is that"), epochs=1))
    assert result(out)["relations"] == {
        "xAttr": "The person is seen as", "xReason": "The reason is that",
    }  # fmt: skip
    with pytest.raises(BadInput, match="oReact is left; relations there: 'oWant'"):
        train(config(TAILS, relations=("oReact",)))


def test_no_premise_is_on_both_sides():
    pairs = [InferencePair(f"p{i % 7}", "neutral", f"h{i}") for i in range(40)]
    front, back = split(pairs, held_out=0.3, most=30, seed=1)
    assert len(front) + len(back) == 30
    assert not {p.premise for p in front} & {p.premise for p in back}


def test_models_that_do_not_write_and_too_few_pairs_are_refused(config, tmp_path):
    bert = build("bert", tmp_path / "bert")
    with pytest.raises(CannotAnswer, match="causal or sequence-to-sequence"):
        train(InferenceConfig(str(bert), "x", "nli", str(tmp_path / "o")))
    with pytest.raises(BadInput, match="too few"):
        train(config(batch_size=64))
    with pytest.raises(UnknownName, match="kind of pairs"):
        InferenceConfig("m", "d", "xnli", "o")
