"""The parts of a sentence encoder: lists that cannot be used, and pickled parts."""

import json
import shutil

import numpy as np
import pytest
import torch

from models.sentence_parts import CLOSE, PASSAGES, TEXTS, one_by_one
from tiltmeter.core.errors import BadInput, CannotAnswer, Unavailable
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve


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
