"""A model seen through a projection: nothing of the direction is left, and every question is answered."""

import json

import numpy as np
import pytest
import safetensors.numpy

from models.applied_mitigations.directions import BASIS, opened, saved
from support.architectures import SIZE, build
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.mitigate.export import export
from tiltmeter.models.mitigated import projected
from tiltmeter.models.opening.model_files import files_digest


def test_directions_of_another_model_are_refused(tmp_path):
    place = build("bert", tmp_path / "bert")
    folder = saved(tmp_path / "m", place, np.eye(SIZE + 8)[:1])
    with pytest.raises(
        CannotAnswer, match=f"states of {SIZE} numbers.*fitted on states of {SIZE + 8}"
    ):
        opened(f"mitigated:{folder}")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda f: (f / "mitigation.json").unlink(), "contains no mitigation.json"),
        (lambda f: (f / "mitigation.json").write_text("{"), "cannot be read"),
        (lambda f: (f / "mitigation.json").write_text('{"format": 1}'), "not the description"),
        (
            lambda f: (f / "mitigation.json").write_text(
                (f / "mitigation.json").read_text().replace('{"k": 2}', '"k"')
            ),
            "not the description",
        ),
        (lambda f: (f / "directions.safetensors").unlink(), "directions cannot be read"),
        (lambda f: (f / "directions.safetensors").write_bytes(b"\x00" * 9), "cannot be read"),
    ],
)
def test_damaged_folders_are_told(tmp_path, spoil, message):
    place = build("bert", tmp_path / "bert")
    folder = saved(tmp_path / "m", place)
    spoil(folder)
    with pytest.raises(BadInput, match=message):
        opened(f"mitigated:{folder}")


def test_directions_must_be_orthonormal(tmp_path):
    place = build("bert", tmp_path / "bert")
    with pytest.raises(BadInput, match="not orthonormal"):
        opened(f"mitigated:{saved(tmp_path / 'm', place, 2 * BASIS)}")


def test_a_model_that_moved_is_named_beside(tmp_path):
    place = build("bert", tmp_path / "bert")
    folder = saved(tmp_path / "m", "somewhere/else")
    assert opened(f"mitigated:{folder},{place}").name == "mitigated:m,bert"
    assert opened(f"mitigated:{saved(tmp_path / 'n', place)}").name == "mitigated:n"
    with pytest.raises(CannotAnswer, match="no states"):
        opened(f"mitigated:{folder},fake")


def test_a_model_that_changed_since_is_refused_unless_it_is_named(tmp_path):
    place = build("bert", tmp_path / "bert")
    model = {"reference": str(place), "sha256": files_digest(str(place))}
    folder = saved(tmp_path / "m", place)
    about = json.loads((folder / "mitigation.json").read_text()) | {"model": model}
    (folder / "mitigation.json").write_text(json.dumps(about))
    (place / "README.md").write_text("Only about it.")
    assert "note" not in opened(f"mitigated:{folder}").about
    weights = safetensors.numpy.load_file(place / "model.safetensors")
    name = next(name for name in weights if weights[name].ndim == 2)
    safetensors.numpy.save_file(weights | {name: weights[name] + 1}, place / "model.safetensors")
    for use in (opened, projected, lambda _: export(folder, tmp_path / "plain")):
        with pytest.raises(
            BadInput, match=r"has changed since the mitigation was made \(other files\)"
        ):
            use(f"mitigated:{folder}" if use is opened else str(folder))
    assert projected(f"{folder},{place}")[1].note
    assert "another version" in opened(f"mitigated:{folder},{place}").about["note"]


def test_the_digest_of_an_encoder_knows_all_its_parts(tmp_path):
    place = build("bert", tmp_path / "bert")
    plain = files_digest(str(place))
    parts = [{"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{kind}"}
             for n, (path, kind) in enumerate([("", "Transformer"), ("1_Pooling", "Pooling")])]  # fmt: skip
    (place / "modules.json").write_text(json.dumps(parts))
    (place / "1_Pooling").mkdir()
    (place / "1_Pooling" / "config.json").write_text('{"pooling_mode_mean_tokens": true}')
    first = files_digest(str(place))
    (place / "1_Pooling" / "config.json").write_text('{"pooling_mode_mean_tokens": false}')
    assert len({plain, first, files_digest(str(place))}) == 3


def test_a_folder_with_a_comma_in_its_name_is_opened(tmp_path):
    folder = saved(tmp_path / "a, b", build("bert", tmp_path / "bert"))
    assert opened(f"mitigated:{folder}").about["mitigation"] == "sentence_debias"


def test_a_mitigation_of_a_mitigation_is_refused_also_of_itself(tmp_path):
    folder = saved(tmp_path / "m", f"mitigated:{tmp_path / 'm'}")
    with pytest.raises(CannotAnswer, match="is mitigated already"):
        opened(f"mitigated:{folder}")
