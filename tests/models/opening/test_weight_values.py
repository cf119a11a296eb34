"""A weight that is not a finite number: refused by name when a model is opened, whichever back-end reads it.

Answers would not show it: with NaN in a query's weights fused attention gives finite numbers.
"""

import copy
import re
import shutil

import pytest

from support.architectures import CAUSAL, MASKED, PERMUTATION, SEQ2SEQ, build
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.models.opening import weight_values
from tiltmeter.models.opening.in_memory import in_memory
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.speed import machine_limits, machine_state

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
QUERY = re.compile(
    r"(query|\bq|q_proj|q_lin|c_attn|query_key_value|Wqkv|attn\.q|q_bias)(\.weight)?$"
)
NAN, INFINITE = float("nan"), float("inf")


def spoil(folder, value, pattern=QUERY):
    """Write the value into one number of the first weight of this name; gives back the name."""
    from safetensors.torch import load_file, save_file

    (file,) = folder.glob("*.safetensors")
    weights = load_file(file)
    name = next(key for key in sorted(weights) if pattern.search(key))
    weights[name].view(-1)[3] = value
    save_file(weights, file, {"format": "pt"})
    return name


@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL, *SEQ2SEQ, *PERMUTATION])
def test_every_architecture_names_the_weight(kind, tmp_path):
    folder = build(kind, tmp_path / "model")
    name = spoil(folder, NAN)
    last = re.escape(name.rpartition("model.")[2].removeprefix("bert."))
    with pytest.raises(CannotAnswer, match=rf"1 of [\d,]+ numbers of the weight \S*{last} is NaN"):
        open_model(resolve(str(folder)))


@pytest.mark.parametrize("value", [INFINITE, -INFINITE])
@pytest.mark.parametrize(
    "pattern", ["word_embeddings.weight", "LayerNorm.bias", "decoder|predictions"]
)
def test_infinite_numbers_in_any_weight(value, pattern, tmp_path):
    folder = build("bert", tmp_path / "model")
    spoil(folder, value, re.compile(pattern))
    with pytest.raises(CannotAnswer, match=r"is infinite; the file is damaged.*earlier checkpoint"):
        open_model(resolve(str(folder)))


def test_a_weight_too_large_for_the_precision_says_so(tmp_path):
    folder = build("bert", tmp_path / "model")
    spoil(folder, 1e30)
    half = Options(precision="float16")
    with pytest.raises(CannotAnswer, match="too large for this precision: use --precision float32"):
        open_model(resolve(str(folder), half), half)
    open_model(resolve(str(folder)))


@pytest.mark.parametrize("part", ["encoder", "classifier"])
def test_kinds_without_a_language_models_head(part, tmp_path):
    folder = build("bert", tmp_path / "bert")
    auto = {"encoder": "BertModel", "classifier": "BertForSequenceClassification"}[part]
    model = getattr(transformers, auto)(transformers.AutoConfig.from_pretrained(folder))
    (folder / "model.safetensors").unlink()
    model.save_pretrained(folder)
    reference = f"{part}:{folder}"
    open_model(resolve(reference))
    spoil(folder, NAN)
    with pytest.raises(CannotAnswer, match=r"query.*NaN"):
        open_model(resolve(reference))


def test_the_parts_of_a_sentence_encoder_that_follow_its_transformer(tmp_path):
    pytest.importorskip("sentence_transformers")
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules

    plain = build("bert", tmp_path / "bert")
    first = modules.Transformer(str(plain))
    rest = [modules.Pooling(32, "mean"), modules.Dense(32, 5)]
    SentenceTransformer(modules=[first, *rest], device="cpu").save(str(tmp_path / "sentences"))
    reference = str(tmp_path / "sentences")
    open_model(resolve(reference))
    (dense,) = (part for part in (tmp_path / "sentences").iterdir() if part.name.endswith("Dense"))
    spoil(dense, NAN, re.compile("weight"))
    with pytest.raises(CannotAnswer, match=r"weight linear\.weight is NaN"):
        open_model(resolve(reference))


def test_an_adapter_and_the_model_below_it(tmp_path):
    peft = pytest.importorskip("peft")
    base = build("gpt2", tmp_path / "base")
    made = peft.get_peft_model(
        transformers.AutoModelForCausalLM.from_pretrained(base),
        peft.LoraConfig(task_type="CAUSAL_LM", r=2, fan_in_fan_out=True),
    )
    made.save_pretrained(tmp_path / "adapted")
    for file in base.glob("*token*"):
        shutil.copy(file, tmp_path / "adapted")
    wrapped = in_memory(made, transformers.AutoTokenizer.from_pretrained(base))
    with wrapped.in_memory(Options(), "mine"):
        pass
    next(p for n, p in made.named_parameters() if "lora_A" in n).data[0, 0] = NAN
    with pytest.raises(CannotAnswer, match=r"lora_A.*NaN"), wrapped.in_memory(Options(), "mine"):
        pass


@pytest.mark.parametrize(("kind", "auto"), [
    ("bert", "AutoModelForMaskedLM"), ("gpt2", "AutoModelForCausalLM"), ("t5", "AutoModelForSeq2SeqLM"),
])  # fmt: skip
@pytest.mark.parametrize("identity", ["", "step 3"])
def test_a_model_in_memory(kind, auto, identity, tmp_path):
    folder = build(kind, tmp_path / "model")
    model = getattr(transformers, auto).from_pretrained(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    name, weight = next((n, p) for n, p in model.named_parameters() if QUERY.search(n))
    whole = in_memory(model, tokenizer, identity=identity)
    weight.data.view(-1)[0] = NAN
    with (
        pytest.raises(CannotAnswer, match=rf"{re.escape(name)} is NaN; its training has diverged"),
        whole.in_memory(Options(), "mine"),
    ):
        pass


def test_weights_are_read_once_for_each_state_of_the_files(tmp_path, monkeypatch):
    """Remembered under the fingerprint: changed files are checked again."""
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(machine_state, "GPUS", ())
    monkeypatch.setattr(machine_limits, "default_threads", [torch.get_num_threads()])
    folder = build("bert", tmp_path / "model")
    reads = []
    usual = weight_values._is_finite
    monkeypatch.setattr(weight_values, "_is_finite", lambda v: reads.append(1) or usual(v))
    open_model(resolve(str(folder)))
    first = len(reads)
    assert first > 10
    open_model(resolve(str(folder)))
    assert len(reads) == first
    spoil(folder, NAN)
    with pytest.raises(CannotAnswer, match="NaN"):
        open_model(resolve(str(folder)))


def test_weights_that_are_shared_are_read_once_and_numbers_without_a_point_are_not_asked():
    shared = torch.nn.Linear(3, 3)
    other = torch.nn.Linear(3, 3)
    other.weight = shared.weight
    module = torch.nn.ModuleList([shared, other])
    module.register_buffer("positions", torch.arange(4))
    names = [name for name, _ in weight_values._weights([copy.copy(module)])]
    assert names == ["0.weight", "0.bias", "1.bias"]
