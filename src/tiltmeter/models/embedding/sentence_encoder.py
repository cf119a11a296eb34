"""Opens a sentence encoder with the sentence-transformers library, for which its folder was made."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from tiltmeter.core.errors import CannotAnswer, extra
from tiltmeter.core.types import Array
from tiltmeter.data.downloads.fetch import file_digest
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.encoder_modules import check_rest, parts_of
from tiltmeter.models.opening.load_errors import explained
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.precision_choice import choose_precision
from tiltmeter.models.opening.weight_files import check_files
from tiltmeter.models.opening.weight_values import check_finite

TUNED = ("*.json", "*.safetensors", "*.bin", "*.txt")


class Sentences:
    """The library's model, which is asked for vectors by its plain `encode`."""

    def __init__(self, library: Any) -> None:
        self._library = library
        self.prompt = str(library.prompts.get(library.default_prompt_name) or "")
        """The model's default prompt, which is put before every text; "" for none."""
        self.limit: int | None = library.max_seq_length
        """The most tokens of a text; the library would cut longer ones."""

    def __call__(self, texts: Sequence[str]) -> Array:
        """A vector for each text, shape (texts, d), computed in one forward pass."""
        vectors = self._library.encode(
            list(texts), batch_size=len(texts), show_progress_bar=False, convert_to_numpy=True
        )
        return np.asarray(vectors, dtype=np.float32)


def open_sentences(
    folder: Path, options: Options, *, name: str, note: str = ""
) -> tuple[Loaded, Sentences]:
    """The transformer that a sentence encoder begins with, and the whole encoder.

    The library would fill missing weights with random numbers. The transformer is therefore loaded here,
    where missing weights are refused, and then put into the library's model.

    Raises:
        MissingExtra: The library is not installed.
        Unavailable: Files are damaged or missing, or need something that was not allowed.
    """
    with extra("A sentence encoder", "encoders"):
        import torch
        from sentence_transformers import SentenceTransformer
    hf.check_weights(folder, name, options)
    hf.check_tokenizer(folder, name)
    check_files(folder, name)
    device = hf.device_of(options.device).type
    options = choose_precision(folder, options, device, name).options
    check_rest(folder, name, code=options.trust_remote_code, pickles=options.allow_pickle)
    with hf.quiet(), explained(name):
        library = SentenceTransformer(
            str(folder),
            device="cpu",
            trust_remote_code=options.trust_remote_code,
            local_files_only=True,
            model_kwargs={
                "dtype": getattr(torch, options.precision),
                "use_safetensors": None if options.allow_pickle else True,
            },
        )
        first = library[0]
        kind = type(first.model).__name__
        first.model = torch.nn.Identity()  # so that the weights are never in memory twice
    loaded = hf.load(
        str(folder), options, _auto(kind), name=name, scheme="encoder", note=note, unread="pooler.",
    )  # fmt: skip
    if type(loaded.model).__name__ != kind:
        raise CannotAnswer(
            f"{name}: the sentence-transformers library reads it as {kind}, which cannot be checked"
        )
    first.model, loaded.tokenizer = loaded.model, library.tokenizer
    library.tokenizer.split_special_tokens = True  # "</s>" in a text is read as four letters
    for part in list(library)[1:]:
        part.float()
    first.register_forward_hook(_widened)
    library.to(loaded.device).eval()
    loaded.fingerprint = _fingerprint(folder, loaded.fingerprint)
    check_finite(loaded, name, options.precision, list(library)[1:])
    loaded.about |= _facts(library)
    return loaded, Sentences(library)


def _auto(kind: str) -> str:
    """The class to load: the one that the library used, which may be only the encoder of a model."""
    import transformers

    return kind if hasattr(transformers, kind) else "AutoModel"


def _widened(_: Any, __: Any, features: dict[str, Any]) -> dict[str, Any]:
    """A hook that converts states to float32, in which the modules after the transformer are computed."""
    return features | {"token_embeddings": features["token_embeddings"].float()}


def _fingerprint(folder: Path, of_transformer: str) -> str:
    """A fingerprint of the transformer, the modules that follow it, and the library's version."""
    import sentence_transformers

    lines = [of_transformer, sentence_transformers.__version__]
    for part in parts_of(folder)[1:]:
        files = sorted({f for kind in TUNED for f in (folder / part.path).glob(kind)})
        lines += [part.type, *(f"{part.path}/{f.name}:{file_digest(f)}" for f in files)]
    return sha256("\n".join(lines).encode()).hexdigest()


def _facts(library: Any) -> dict[str, Any]:
    import sentence_transformers

    modules = ", ".join(type(part).__name__ for part in library)
    pooling = next((p.pooling_mode for p in library if hasattr(p, "pooling_mode")), None)
    return {
        "parts": modules,
        "its own pooling": str(pooling) if pooling else None,
        "library": f"sentence-transformers {sentence_transformers.__version__}",
    }
