"""Which parts a checkpoint has weights for."""

import numpy as np
import pytest
import torch

from models.sentence_parts import CLOSE, PASSAGES, TEXTS, headless
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.protocols import EmbedsPooled, EmbedsStart, EmbedsTexts, EmbedsTokens
from tiltmeter.models.opening.open_model import open_model, resolve


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
