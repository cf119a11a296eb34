"""Directions that are taken out of a model."""

import json

import numpy as np
import safetensors.numpy

from support.architectures import SIZE
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve

RNG = np.random.default_rng(5)


BASIS = np.linalg.qr(RNG.normal(size=(SIZE, 2)))[0].T


def saved(folder, model, basis=BASIS, **said):
    folder.mkdir(parents=True)
    safetensors.numpy.save_file(
        {"basis": np.ascontiguousarray(basis)}, folder / "directions.safetensors"
    )
    about = {"format": 1, "method": "sentence_debias", "attribute": "gender", "point": "last",
             "model": {"reference": str(model)}, "fitted": {"k": len(basis)}, **said}  # fmt: skip
    (folder / "mitigation.json").write_text(json.dumps(about))
    return folder


def opened(reference, **options):
    where = resolve(reference, Options(**options))
    return open_model(where, Options(**options))
