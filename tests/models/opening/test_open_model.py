"""What a name is taken for, and what is refused before or while loading."""

import json
import shutil
import sys

import pytest
import torch

from support.architectures import build
from tiltmeter.core.errors import BadInput, CannotAnswer, TiltmeterError, Unavailable, UnknownName
from tiltmeter.core.model.back_ends import traits_of
from tiltmeter.core.model.protocols import (
    Attends,
    Continues,
    EmbedsStart,
    EmbedsTokens,
    FillsBlanks,
    ReadsNext,
    ReadsOut,
    ReadsUnhidden,
    StartsBare,
)
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import files_of, foreseen, open_model, resolve


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return build("bert", tmp_path_factory.mktemp("o") / "bert")


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory):
    return build("gpt2", tmp_path_factory.mktemp("o") / "gpt2")


@pytest.fixture
def copy(bert, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(bert, folder)
    return folder


def edit(folder, **changes):
    path = folder / "config.json"
    config = json.loads(path.read_text())
    config |= changes
    path.write_text(json.dumps({k: v for k, v in config.items() if v is not None}))
    return folder


def test_the_kind_is_read_from_the_configuration(bert, gpt2, tmp_path, monkeypatch):
    assert resolve(str(bert)).scheme == "masked"
    expected = {FillsBlanks, ReadsUnhidden, Attends, ReadsOut, EmbedsTokens, EmbedsStart}
    assert expected <= {*resolve(str(bert)).answers}
    expected = {Continues, StartsBare, ReadsNext, EmbedsTokens}
    assert expected <= {*resolve(str(gpt2)).answers}
    assert not {Continues, *resolve(str(gpt2)).answers[:3]} & {*resolve(str(bert)).answers}
    assert resolve(f"causal:{gpt2}").scheme == "causal"
    assert resolve(str(build("t5", tmp_path / "t5"))).scheme == "seq2seq"
    monkeypatch.chdir(bert.parent)
    assert resolve("bert").location == str(bert)
    model = open_model(resolve("bert"))
    assert model.name == "bert"
    assert open_model(resolve(f"causal:{gpt2}")).name == "gpt2"
    assert model.about["kind"] == "masked"


@pytest.mark.parametrize("scheme", ["causal", "seq2seq"])
def test_a_masked_model_is_never_scored_as_another_kind(bert, scheme):
    with pytest.raises(
        CannotAnswer, match=r"is a masked language model \(BertForMaskedLM\).*masked:"
    ):
        resolve(f"{scheme}:{bert}")


def test_a_causal_model_is_never_scored_as_masked(gpt2):
    with pytest.raises(CannotAnswer, match=r"is a causal language model.*causal:"):
        resolve(f"masked:{gpt2}")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"architectures": ["CLIPModel"]}, "no language-modelling head"),
        ({"architectures": ["BertForTokenClassification"]}, "no language-modelling head"),
        ({"architectures": ["ElectraForPreTraining"]}, "discriminator"),
        ({"architectures": ["BertLMHeadModel"], "is_decoder": False}, "reads in both directions"),
        ({"architectures": None}, "names no architecture"),
    ],
)
def test_models_without_the_head_are_refused_before_loading(copy, changes, says):
    (copy / "model.safetensors").unlink()  # nothing could be loaded
    with pytest.raises(TiltmeterError, match=says):
        resolve(str(edit(copy, **changes)))


def test_a_head_that_is_not_in_the_files_is_refused(copy):
    """The configuration claims a head, the weights have none: it would be random."""
    from safetensors.torch import load_file, save_file

    weights = load_file(copy / "model.safetensors")
    kept = {k: v for k, v in weights.items() if not k.startswith("cls.")}
    save_file(kept, copy / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(CannotAnswer, match=r"weights are not in its files \(cls\..*random"):
        open_model(resolve(str(copy)))


def test_damaged_weights_are_named(copy):
    path = copy / "model.safetensors"
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(Unavailable, match=r"copy.*damaged|does not load"):
        open_model(resolve(str(copy)))


def test_pickles_need_to_be_allowed(copy):
    from safetensors.torch import load_file

    weights = load_file(copy / "model.safetensors")
    (copy / "model.safetensors").unlink()
    torch.save(weights, copy / "pytorch_model.bin")
    with pytest.raises(Unavailable, match=r"pickled.*--allow-pickle"):
        open_model(resolve(str(copy)))
    options = Options(allow_pickle=True)
    assert open_model(resolve(str(copy), options), options).name


def test_no_weights_at_all(copy):
    (copy / "model.safetensors").unlink()
    with pytest.raises(Unavailable, match="no weights"):
        open_model(resolve(str(copy)))


def test_code_of_the_model_is_not_run_unasked(copy, tmp_path):
    witness = tmp_path / "ran"
    (copy / "own.py").write_text(f"open({str(witness)!r}, 'w').close()\n")
    edit(
        copy,
        auto_map={"AutoModelForMaskedLM": "own.Own", "AutoConfig": "own.Config"},
        model_type="own_kind",
        architectures=["OwnForMaskedLM"],
    )
    with pytest.raises(Unavailable, match="--trust-remote-code"):
        open_model(resolve(str(copy)))
    assert not witness.exists()


def test_a_tokenizer_is_needed(copy):
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (copy / name).unlink()
    with pytest.raises(Unavailable, match="contains no tokenizer"):
        open_model(resolve(str(copy)))


def test_a_mask_token_is_needed(copy):
    path = copy / "tokenizer_config.json"
    config = json.loads(path.read_text())
    config.pop("mask_token")
    path.write_text(json.dumps(config | {"tokenizer_class": "PreTrainedTokenizerFast"}))
    with pytest.raises(CannotAnswer, match="no mask token"):
        open_model(resolve(str(copy)))


@pytest.mark.parametrize(
    ("name", "error", "says"),
    [
        ("", BadInput, "empty"),
        ("maskd:x", UnknownName, "'masked'"),
        ("fake:", BadInput, "fake: names no model after the colon; write fake:NAME, or fake"),
        ("masked: ", BadInput, "write masked:NAME$"),
        ("./nowhere", BadInput, "no such folder"),
        ("/no/such/folder", BadInput, "no such folder"),
        ("a/b/c", BadInput, "no such folder"),
        ("bad name!", BadInput, "neither a folder nor a hub id"),
    ],
)
def test_names_that_are_nothing(name, error, says, monkeypatch, tmp_path):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=says):
        resolve(name)


def test_a_hub_id_without_a_hub(monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(
        Unavailable, match=r"model 'nobody/nothing' is not in .*tiltmeter models list"
    ):
        resolve("nobody/nothing")


def test_without_files_a_model_is_judged_by_its_kind(monkeypatch, tmp_path):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    for name, scheme, asked in (
        ("gpt2", "causal", Continues),
        ("masked:a/b", "masked", FillsBlanks),
    ):
        where, why = foreseen(name)
        assert (where.scheme, where.answers) == (scheme, traits_of(scheme).usual_answers)
        assert asked in where.answers
        assert "is not in the hub's cache" in why and "connect" not in why
    where, why = foreseen("demo")  # from a package: nothing of it is read before it is downloaded
    assert (where.scheme, why) == ("gguf", "it is not on this computer yet")
    with pytest.raises(Unavailable, match="nobody/nothing"):
        foreseen("nobody/nothing")


def test_a_model_that_is_here_is_judged_by_its_files(bert, gpt2):
    for folder in (bert, gpt2):
        assert foreseen(str(folder)) == (resolve(str(folder)), "")


@pytest.mark.parametrize("kind", ["masked", "causal", "permutation"])
def test_what_a_kind_usually_answers_is_what_its_models_answer(tmp_path, kind):
    architecture = {"masked": "bert", "causal": "gpt2", "permutation": "xlnet"}[kind]
    where = resolve(str(build(architecture, tmp_path / architecture)))
    assert {*traits_of(kind).usual_answers} <= {*where.answers}


def test_folders_that_are_no_models(tmp_path):
    with pytest.raises(BadInput, match=r"no config\.json"):
        resolve(str(tmp_path))
    (tmp_path / "config.json").write_text("{not json")
    with pytest.raises(BadInput, match=r"config\.json: it cannot be read"):
        resolve(str(tmp_path))
    (tmp_path / "config.json").write_text("[]")
    with pytest.raises(BadInput, match="not a JSON object"):
        resolve(str(tmp_path))
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(BadInput, match="a model is a folder"):
        resolve(str(file))


def test_bad_devices_and_precisions(bert):
    with pytest.raises(UnknownName, match="float32"):
        Options(precision="float8")
    options = Options(device="cuda:9")
    with pytest.raises(BadInput, match="no device 'cuda:9'"):
        open_model(resolve(str(bert), options), options)


def test_a_start_token_is_for_causal_models(bert, gpt2):
    with pytest.raises(BadInput, match="of kind masked, for which no start token is chosen"):
        resolve(str(bert), Options(start_token="[CLS]"))
    assert resolve(str(gpt2), Options(start_token="a")).scheme == "causal"


def test_no_start_token(gpt2, tmp_path):
    folder = tmp_path / "bare"
    shutil.copytree(gpt2, folder)
    path = folder / "tokenizer_config.json"
    config = json.loads(path.read_text())
    for name in ("bos_token", "eos_token"):
        config.pop(name, None)
    path.write_text(json.dumps(config | {"tokenizer_class": "PreTrainedTokenizerFast"}))
    with pytest.raises(CannotAnswer, match="--start-token"):
        open_model(resolve(str(folder)))


def test_a_decoder_under_a_masked_head_is_refused(copy):
    with pytest.raises(CannotAnswer, match="only sees the text before"):
        resolve(str(edit(copy, is_decoder=True)))


def test_a_folder_has_no_revisions(bert):
    with pytest.raises(BadInput, match="no revisions"):
        resolve(str(bert), Options(revision="v9"))


def test_the_models_own_code_belongs_to_its_identity(copy):
    names = []
    for code in ("", "# one", "# two"):
        (copy / "own.py").write_text(code)
        names.append(open_model(resolve(str(copy))).fingerprint)
    trusting = Options(trust_remote_code=True)
    names.append(open_model(resolve(str(copy), trusting), trusting).fingerprint)
    assert len(set(names)) == 4


def test_a_model_without_a_checkpoint_needs_no_library_of_the_hub(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    where = resolve("fake:masked", Options())
    assert files_of(where, Options()) == []
