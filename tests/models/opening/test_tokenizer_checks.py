"""Tokenizers that split at random: scores are the same each time."""

import json

import pytest

from support.architectures import build
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.models.opening.in_memory import in_memory
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.opening.tokenizer_checks import TEXT


@pytest.fixture
def sampling(tmp_path):
    folder = build("gpt2", tmp_path / "gpt2")
    file = folder / "tokenizer.json"
    said = json.loads(file.read_text())
    said["model"]["dropout"] = 0.9
    file.write_text(json.dumps(said))
    return folder


def test_dropout_of_a_model_in_files_is_switched_off(sampling, tmp_path):
    model = open_model(resolve(str(sampling)))
    plain = open_model(resolve(str(build("gpt2", tmp_path / "plain"))))
    assert {model.encode([TEXT])[0].ids for _ in range(30)} == {plain.encode([TEXT])[0].ids}
    assert model.about["tokenizer"] == "random splits switched off"
    assert "tokenizer" not in plain.about


def test_a_tokenizer_in_memory_is_not_changed_but_refused(sampling):
    import transformers

    model = transformers.AutoModelForCausalLM.from_pretrained(sampling)
    tokenizer = transformers.AutoTokenizer.from_pretrained(sampling)
    held = in_memory(model, tokenizer, name="mine")
    with pytest.raises(CannotAnswer, match="splits words at random"):
        held.in_memory(Options(), "mine").__enter__()
    assert tokenizer.backend_tokenizer.model.dropout == pytest.approx(0.9)
