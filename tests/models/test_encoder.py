"""Sentence encoders and models without a head, against the libraries' plain calls on one text."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from support.architectures import build
from tiltmeter.core.errors import BadInput, CannotAnswer, TiltmeterError, Unavailable
from tiltmeter.core.model.protocols import EmbedsPooled, EmbedsStart, EmbedsTexts, EmbedsTokens
from tiltmeter.core.model.requests import Passage
from tiltmeter.data.downloads import weights
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.planning.choosing import choose
from tiltmeter.run.sweeps.sweep import _files
from tiltmeter.studies.crows_pairs import STUDY

TEXTS = [
    "He is a nurse.",
    "The old driver was slow and the young clerk was rude.",
    "She was late again",
    "My grandmother fixed the car well at night, nobody knows why.",
    "He is a nurse.",
]
PASSAGES = list(map(Passage, TEXTS))
CLOSE = {"atol": 1e-5, "rtol": 1e-5}


def headless(kind, folder):
    """The trunk of a model, as `AutoModel` saves it."""
    from transformers import AutoModel, AutoModelForTextEncoding

    build(kind, folder)
    auto = AutoModelForTextEncoding if kind == "t5" else AutoModel
    trunk = auto.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    trunk.save_pretrained(folder)
    return folder


def sentence_encoder(folder, *parts, kind="bert"):
    """A folder as the sentence-transformers library saves it."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules

    plain = headless(kind, folder.parent / f"{folder.name}-plain")
    first = modules.Transformer(str(plain))
    made = [part(modules, first.get_embedding_dimension()) for part in parts]
    SentenceTransformer(modules=[first, *made], device="cpu").save(str(folder))
    return folder


def library(folder):
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu", local_files_only=True)


def one_by_one(folder, texts, **more):
    made = library(folder)
    return np.array([made.encode(text, show_progress_bar=False, **more) for text in texts])


POOLED = {
    "mean": (lambda m, d: m.Pooling(d, "mean"),),
    "cls, normalised": (lambda m, d: m.Pooling(d, "cls"), lambda m, _: m.Normalize()),
    "last": (lambda m, d: m.Pooling(d, "lasttoken"),),
    "max, dense": (lambda m, d: m.Pooling(d, "max"), lambda m, d: m.Dense(d, 5)),
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    made = {}

    def one(parts, kind="bert"):
        key = (parts, kind)
        if key not in made:
            folder = tmp_path_factory.mktemp("encoder") / "sentences"
            made[key] = sentence_encoder(folder, *POOLED[parts], kind=kind)
        return made[key]

    return one


@pytest.fixture
def copy(folders, tmp_path):
    return shutil.copytree(folders("cls, normalised"), tmp_path / "copy")


@pytest.mark.parametrize("parts", POOLED)
def test_a_sentence_encoders_own_way_is_the_librarys(folders, parts):
    where = resolve(str(folders(parts)))
    assert where.scheme == "encoder"
    assert {EmbedsTexts, EmbedsTokens, EmbedsStart} <= {*where.answers}
    model = open_model(where)
    expected = one_by_one(folders(parts), TEXTS)
    assert np.ptp(expected, axis=0).max() > 0.05  # the model distinguishes texts
    np.testing.assert_allclose(model.embed(PASSAGES, pooling="own"), expected, **CLOSE)
    if "normalised" in parts:
        np.testing.assert_allclose((expected**2).sum(1), 1, rtol=1e-5)


def test_batches_and_order_change_nothing(folders):
    where = resolve(str(folders("mean")))
    expected = open_model(where).embed(PASSAGES, pooling="own")
    small = open_model(where, Options(batch_tokens=20))
    np.testing.assert_allclose(small.embed(PASSAGES, pooling="own"), expected, **CLOSE)
    backwards = small.embed(PASSAGES[::-1], pooling="own")[::-1]
    np.testing.assert_allclose(backwards, expected, **CLOSE)
    assert small.embed([], pooling="own").shape == (0, 0)


def test_batches_stay_within_the_budget_and_equal_texts_are_read_once(folders, monkeypatch):
    model = open_model(resolve(str(folders("mean"))), Options(batch_tokens=40))
    read = []
    usual = model._sentences

    def noting(texts):
        read.append(texts)
        return usual(texts)

    monkeypatch.setattr(model, "_sentences", noting)
    noting.prompt = ""
    model.embed(PASSAGES, pooling="own")
    lengths = dict(zip(TEXTS, model.passage_lengths(PASSAGES), strict=True))
    for texts in read:
        assert len(texts) == 1 or len(texts) * max(map(lengths.get, texts)) <= 40
    assert sum(len(set(texts)) for texts in read) == len(set(TEXTS))


def test_a_prompt_that_stands_before_every_text(copy):
    file = copy / "config_sentence_transformers.json"
    said = json.loads(file.read_text())
    said |= {"prompts": {"all": "The old driver: "}, "default_prompt_name": "all"}
    file.write_text(json.dumps(said))
    model = open_model(resolve(str(copy)))
    expected = one_by_one(copy, TEXTS)
    np.testing.assert_allclose(model.embed(PASSAGES, pooling="own"), expected, **CLOSE)
    bare = one_by_one(copy, TEXTS, prompt="")
    assert abs(expected - bare).max() > 0.01
    assert model.passage_lengths([Passage("he is")]) == [8]  # four more than [CLS] he is [SEP]
    assert model.passage_lengths([Passage(" ")]) == [0]


def test_longer_texts_are_refused_and_never_cut(copy):
    file = copy / "sentence_bert_config.json"
    said = json.loads(file.read_text())
    file.write_text(json.dumps(said | {"max_seq_length": 10}))
    model = open_model(resolve(str(copy)))
    assert model.limit == 10
    with pytest.raises(CannotAnswer, match="at most 10 tokens at once"):
        model.embed(PASSAGES, pooling="own")
    with pytest.raises(CannotAnswer, match="no token for ' '"):
        model.embed([Passage(" ")], pooling="own")


def test_in_reduced_precision(folders):
    options = Options(precision="bfloat16")
    where = resolve(str(folders("max, dense")))
    rough = open_model(where, options).embed(PASSAGES, pooling="own")
    exact = open_model(where).embed(PASSAGES, pooling="own")
    assert rough.dtype == np.float32
    assert 0 < abs(rough - exact).max() < 0.2


def test_the_fingerprint_covers_what_follows_the_transformer(copy, folders):
    first = open_model(resolve(str(folders("cls, normalised")))).fingerprint
    assert open_model(resolve(str(copy))).fingerprint == first
    file = copy / "1_Pooling" / "config.json"
    assert file in _files(copy)  # a sweep looks whether it is as it was
    file.write_text(file.read_text() + "\n")
    assert open_model(resolve(str(copy))).fingerprint != first


@pytest.mark.parametrize("kind", ["bert", "roberta", "distilbert", "gpt2", "llama", "t5"])
def test_a_model_without_a_head(tmp_path, kind):
    from transformers import AutoModelForTextEncoding, AutoTokenizer

    folder = headless(kind, tmp_path / kind)
    where = resolve(str(folder))
    assert where.scheme == "encoder"
    assert EmbedsTokens in where.answers
    assert EmbedsTexts not in where.answers
    assert (EmbedsStart in where.answers) == (kind in {"bert", "roberta", "distilbert"})
    model = open_model(where)
    from transformers import AutoModel

    auto = AutoModelForTextEncoding if kind == "t5" else AutoModel
    plain, tokenizer = auto.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    with torch.no_grad():
        states = [
            plain(input_ids=torch.tensor([tokenizer(text)["input_ids"]]))[0][0] for text in TEXTS
        ]
    expected = np.array([one.mean(0).numpy() for one in states])
    np.testing.assert_allclose(model.embed(PASSAGES, pooling="mean"), expected, **CLOSE)
    with pytest.raises(CannotAnswer, match="no pooling 'own'"):
        model.embed(PASSAGES, pooling="own")


def test_a_pooler_only_where_its_weights_are(tmp_path):
    from safetensors.torch import load_file, save_file
    from transformers import AutoModel, AutoTokenizer

    folder = headless("bert", tmp_path / "bert")
    assert EmbedsPooled in resolve(str(folder)).answers
    model = open_model(resolve(str(folder)))
    plain, tokenizer = (
        AutoModel.from_pretrained(folder).eval(),
        AutoTokenizer.from_pretrained(folder),
    )
    with torch.no_grad():
        expected = [plain(**tokenizer(t, return_tensors="pt")).pooler_output[0] for t in TEXTS]
    found = model.embed(PASSAGES, pooling="pooler")
    np.testing.assert_allclose(found, np.array(expected), **CLOSE)
    held = load_file(folder / "model.safetensors")
    kept = {key: value for key, value in held.items() if not key.startswith("pooler")}
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})
    assert EmbedsPooled not in resolve(str(folder)).answers
    without = open_model(resolve(str(folder)))
    start = model.embed(PASSAGES, pooling="start")
    np.testing.assert_allclose(without.embed(PASSAGES, pooling="start"), start, **CLOSE)
    with pytest.raises(CannotAnswer, match="no pooling 'pooler'"):
        without.embed(PASSAGES, pooling="pooler")


def test_other_questions_are_refused_before_anything_is_loaded(copy):
    (copy / "model.safetensors").unlink()  # nothing could be loaded
    where = resolve(str(copy))
    with pytest.raises(CannotAnswer, match=r"cannot be scored by .* model that can"):
        choose(STUDY, where.answers, model=where.name)
    with pytest.raises(CannotAnswer, match=r"is a headless encoder \(BertModel\).*encoder:"):
        resolve(f"next_sentence:{copy}")


def test_a_sentence_encoder_made_of_a_language_model_may_be_asked_as_one(copy):
    """The folder says BertModel, so here it is refused; with a head it would not be."""
    with pytest.raises(CannotAnswer, match=r"headless encoder \(BertModel\).*used as masked"):
        resolve(f"masked:{copy}")
    file = copy / "config.json"
    file.write_text(
        json.dumps(json.loads(file.read_text()) | {"architectures": ["BertForMaskedLM"]})
    )
    assert resolve(f"masked:{copy}").scheme == "masked"
    assert resolve(str(copy)).scheme == "encoder"
    with pytest.raises(CannotAnswer, match="weights are not in its files"):
        open_model(resolve(f"masked:{copy}"))


def test_weights_that_are_missing_are_not_made_up(copy):
    from safetensors.torch import load_file, save_file

    held = load_file(copy / "model.safetensors")
    gone = next(key for key in held if "layer.1" in key)
    held.pop(gone)
    save_file(held, copy / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(CannotAnswer, match=r"1 weights are not in its files"):
        open_model(resolve(str(copy)))


def listed(copy, parts):
    (copy / "modules.json").write_text(json.dumps(parts) if not isinstance(parts, str) else parts)
    return copy


LIBRARY = "sentence_transformers.models"
FIRST = {"idx": 0, "name": "0", "path": "", "type": f"{LIBRARY}.Transformer"}


@pytest.mark.parametrize(
    ("parts", "error", "says"),
    [
        ("{", BadInput, "not a list of the parts"),
        ([{"idx": 0}], BadInput, "not a list of the parts"),
        ([FIRST, {"path": "../x", "type": f"{LIBRARY}.Pooling"}], BadInput, "not below it"),
        ([], CannotAnswer, "begins with nothing"),
        ([{"path": "", "type": f"{LIBRARY}.StaticEmbedding"}], CannotAnswer, "begins with Static"),
        ([FIRST | {"path": "0_Transformer"}], CannotAnswer, "in the model's own folder"),
        ([FIRST, {"path": "1_Own", "type": "own.Part"}], Unavailable, "--trust-remote-code"),
        ([FIRST, {"path": "7_Gone", "type": f"{LIBRARY}.Dense"}], Unavailable, "does not load"),
    ],
)
def test_lists_of_parts_that_cannot_be_used(copy, parts, error, says):
    with pytest.raises(error, match=says):
        open_model(resolve(str(listed(copy, parts))))


def test_pickled_parts_need_to_be_allowed(folders, tmp_path):
    from safetensors.torch import load_file

    folder = shutil.copytree(folders("max, dense"), tmp_path / "copy")
    (dense,) = [part for part in folder.iterdir() if part.name.endswith("Dense")]
    torch.save(load_file(dense / "model.safetensors"), dense / "pytorch_model.bin")
    (dense / "model.safetensors").unlink()
    with pytest.raises(Unavailable, match=r"Dense are pickled.*--allow-pickle"):
        open_model(resolve(str(folder)))
    options = Options(allow_pickle=True)
    found = open_model(resolve(str(folder), options), options).embed(PASSAGES, pooling="own")
    np.testing.assert_allclose(found, one_by_one(folders("max, dense"), TEXTS), **CLOSE)


def test_of_a_hub_model_the_folders_of_its_parts_are_fetched_and_no_others(folders, monkeypatch):
    asked = []

    def download(_, *, allow_patterns, ignore_patterns, **__):
        asked.append((allow_patterns, ignore_patterns))
        return str(folders("max, dense"))

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    where = resolve("someone/sentences")
    assert (where.scheme, where.location) == ("encoder", "someone/sentences")
    assert asked == [(["config.json", "next_sentence.json", "modules.json"], asked[0][1])]
    found = open_model(where).embed(PASSAGES, pooling="own")
    np.testing.assert_allclose(found, one_by_one(folders("max, dense"), TEXTS), **CLOSE)
    within, without = asked[-1]
    assert {"1_Pooling/*.json", "2_Dense/*.safetensors"} <= {*within}
    assert not without
    assert all(pattern.partition("/")[0] in {"1_Pooling", "2_Dense"} for pattern in within)
    assert not any(pattern.endswith(".bin") for pattern in within)
    open_model(where, Options(allow_pickle=True))
    assert "2_Dense/*.bin" in asked[-1][0]


def test_a_tokenizer_is_needed(copy):
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (copy / name).unlink()
    with pytest.raises(TiltmeterError, match="contains no tokenizer"):
        open_model(resolve(str(copy)))


def test_without_the_library_its_extra_is_named(copy, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(TiltmeterError, match=r"tiltmeter\[encoders\]"):
        open_model(resolve(str(copy)))


@pytest.fixture(scope="module")
def minilm():
    if weights.status("minilm") == "absent":
        pytest.skip("minilm is not in the cache (tiltmeter models get minilm)")
    return Path(weights.get("minilm"))


def test_a_real_sentence_encoder(minilm):
    model = open_model(resolve(str(minilm)))
    texts = [*TEXTS, "The nurse was late.", "Cold soup", "x", "a " * 250]
    passages = list(map(Passage, texts))
    found = model.embed(passages, pooling="own")
    expected = one_by_one(minilm, texts)
    assert abs(found - expected).max() < 1e-5 * abs(expected).max()
    small = open_model(resolve(str(minilm)), Options(batch_tokens=30))
    again = small.embed(passages[::-1], pooling="own")[::-1]
    assert abs(again - found).max() < 1e-5 * abs(expected).max()
    nurse, late, soup = (
        found[texts.index(t)] for t in ("He is a nurse.", "The nurse was late.", "Cold soup")
    )
    assert nurse @ late > nurse @ soup + 0.2
    assert model.limit == 256
