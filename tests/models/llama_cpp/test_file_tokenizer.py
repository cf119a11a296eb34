"""The tokenizer of a GGUF file is read once, and is the one of the converted model."""

import pytest

from models.test_gguf import file, vocabulary
from support.architectures import TEXTS
from tiltmeter.core.errors import TiltmeterError
from tiltmeter.models import gguf
from tiltmeter.models.llama_cpp.file_tokenizer import folder_of, tokenizer_folder

__all__ = ["file", "vocabulary"]

DIGEST = "0" * 64


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))


def test_it_reads_the_tokens_that_the_converted_model_reads(file):
    from transformers import AutoTokenizer

    own, other = (
        AutoTokenizer.from_pretrained(folder)
        for folder in (tokenizer_folder(file, DIGEST, "m"), gguf.converted(file, "m"))
    )
    assert own(TEXTS)["input_ids"] == other(TEXTS)["input_ids"]
    assert not any(folder_of(DIGEST).glob("*.safetensors"))


def test_it_is_read_once(file, monkeypatch):
    folder = tokenizer_folder(file, DIGEST, "m")
    monkeypatch.setattr("transformers.AutoTokenizer.from_pretrained", None)
    assert tokenizer_folder(file, DIGEST, "m") == folder == folder_of(DIGEST)


def test_a_damaged_file_is_an_error_and_leaves_nothing(file, tmp_path):
    damaged = tmp_path / "damaged.gguf"
    damaged.write_bytes(file.read_bytes()[:200])
    with pytest.raises(TiltmeterError):
        tokenizer_folder(damaged, DIGEST, "m")
    assert not any(folder_of(DIGEST).parent.glob("*"))
