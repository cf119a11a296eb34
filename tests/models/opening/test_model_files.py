"""Which files of a model are fetched from a hub on this machine, and which references are no models."""

import json
from pathlib import Path

import pytest

from servers.hub_fixtures import client, hub
from tiltmeter.core.errors import BadInput, Unavailable
from tiltmeter.models.opening.model_files import folder_of, gguf_of
from tiltmeter.models.opening.model_options import Options

__all__ = ["client", "hub"]

pytestmark = pytest.mark.usefixtures("client")

FILES = {
    "config.json": b"{}",
    "model.safetensors": b"w" * 5000,
    "pytorch_model.bin": b"p" * 5000,
    "consolidated.safetensors": b"c" * 5000,
    "onnx/model.onnx": b"o" * 5000,
    "modeling_own.py": b"print('ran')",
    "tokenizer.json": b"[]",
    "README.md": b"---\nlicense: mit\n---\n",
}


def names(folder):
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}


@pytest.fixture
def tiny(hub):
    made = hub.repo("models", "org/tiny")
    made.commit(FILES, "main")
    return made


@pytest.mark.usefixtures("tiny")
def test_weights_that_run_no_code_and_what_goes_with_them():
    wanted = {"config.json", "model.safetensors", "tokenizer.json", "README.md"}
    assert names(folder_of("org/tiny", Options())) == wanted
    assert names(folder_of("org/tiny", Options(), only=["config.json"])) == wanted


@pytest.mark.usefixtures("tiny")
def test_code_only_when_trusted():
    found = names(folder_of("org/tiny", Options(trust_remote_code=True)))
    assert "modeling_own.py" in found
    assert not {"pytorch_model.bin", "onnx/model.onnx", "consolidated.safetensors"} & found


def test_pickles_only_when_allowed_and_without_other_weights(tiny):
    allowed = Options(allow_pickle=True)
    assert "pytorch_model.bin" not in names(folder_of("org/tiny", allowed))
    old = {path: data for path, data in FILES.items() if path != "model.safetensors"}
    tiny.commit(old, "old")
    assert "pytorch_model.bin" not in names(folder_of("org/tiny", Options(revision="old")))
    found = names(folder_of("org/tiny", Options(revision="old", allow_pickle=True)))
    assert "pytorch_model.bin" in found


def test_the_folders_of_a_sentence_encoders_parts(tiny):
    kinds = {"": "Transformer", "1_Pooling": "Pooling"}
    parts = [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for i, (path, kind) in enumerate(kinds.items())
    ]
    more = {"modules.json": json.dumps(parts).encode(), "1_Pooling/config.json": b"{}"}
    tiny.commit(FILES | more, "main")
    found = names(folder_of("org/tiny", Options()))
    assert {"modules.json", "1_Pooling/config.json"} <= found
    assert "onnx/model.onnx" not in found


@pytest.mark.usefixtures("tiny")
def test_progress_is_told_of_weights():
    told = []
    folder_of("org/tiny", Options(), progress=lambda *numbers: told.append(numbers))
    assert told[-1] == (5025, 5025)


def test_a_gguf_file_of_the_revision_that_is_named(hub, tmp_path):
    made = hub.repo("models", "org/packed")
    made.commit({"q4.gguf": b"GGUF1", "q8.gguf": b"GGUF8"}, "v1")
    made.commit({"q4.gguf": b"GGUF2"}, "main")
    newest = Path(gguf_of("org/packed/q4.gguf", Options()))
    assert newest.read_bytes() == b"GGUF2"
    older = Path(gguf_of("org/packed/q4.gguf", Options(revision="v1")))
    assert older.read_bytes() == b"GGUF1"
    with pytest.raises(BadInput, match=r"at 'v1' has no file 'q5\.gguf'; .*q4\.gguf, q8\.gguf"):
        gguf_of("org/packed/q5.gguf", Options(revision="v1"))
    with pytest.raises(Unavailable, match="'org/none' does not exist"):
        gguf_of("org/none/q4.gguf", Options())
    own = tmp_path / "q4.gguf"
    own.touch()
    for reference in (str(own), "q4.gguf", "./some/q4.gguf", "/some/q4.gguf"):
        assert gguf_of(reference, Options()) == reference


def test_what_lies_here_has_no_revisions(hub, tmp_path):
    (tmp_path / "q4.gguf").touch()
    with pytest.raises(BadInput, match="a folder has no revisions; leave out --revision"):
        folder_of(str(tmp_path), Options(revision="v1"))
    with pytest.raises(BadInput, match="a file has no revisions; leave out --revision"):
        gguf_of(str(tmp_path / "q4.gguf"), Options(revision="v1"))
    assert not hub.asked
