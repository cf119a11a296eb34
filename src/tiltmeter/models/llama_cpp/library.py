"""llama.cpp itself: its library, a model's weights, and a context in which texts are read.

Only what cannot end the process is called. llama.cpp aborts where a caller breaks its rules, so numbers of
tokens, streams and rows are checked here before they reach it, and a file that it may not survive is tried in
a process of its own first (`llama_cpp.trial`).
"""

import ctypes
import os
from collections.abc import Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import CannotAnswer, Unavailable, extra
from tiltmeter.core.text import counted
from tiltmeter.models.speed import machine_limits

Logits: TypeAlias = npt.NDArray[np.float32]
DISTRIBUTION, VERSION = "llama-cpp-python", "0.3.36"
"""The library and its only version that is used: each brings another llama.cpp, whose structures differ."""
BATCH = 512
"""The most tokens in a pass."""
LOGITS = 1 << 26
"""Bytes of logits that a pass may give; llama.cpp needs about as much again to compute them."""
CACHE = 1 << 29
"""Bytes of keys and values that are kept for short texts; one longer text may need more."""
MOST_STREAMS = 16
LEAST_CELLS = 256
"""The fewest tokens for which a stream has room."""
F32, NO_FLASH = 0, 0
"""The numbers by which llama.cpp's interface calls a type of tensors and a way to compute attention."""


class StreamRow(NamedTuple):
    """A token to be read."""

    token: int
    place: int
    """Its position in its text."""
    stream: int
    is_asked: bool
    """Whether the logits after it are wanted."""


@cache
def library() -> Any:
    """llama.cpp's interface, ready and silent.

    Raises:
        MissingExtra: It is not installed.
        Unavailable: Another version is installed.
    """
    with extra("llama:", "llama"):
        found = metadata.version(DISTRIBUTION)
        if found != VERSION:
            raise Unavailable(
                f"llama: needs {DISTRIBUTION} {VERSION}, and {found} is installed; install that version"
            )
        import llama_cpp.llama_cpp as api
    api.llama_log_set(_silence(), ctypes.c_void_p(0))
    api.llama_backend_init()
    return api


@cache
def _silence() -> Any:
    """A function for llama.cpp's messages; kept, because llama.cpp calls it as long as the process lives."""
    import llama_cpp.llama_cpp as api

    return api.llama_log_callback(lambda _level, _text, _data: None)


def kernels() -> str:
    """The instruction sets and kernels with which llama.cpp was built, on which numbers may depend."""
    return " ".join(library().llama_print_system_info().decode("utf-8", "replace").split())


class LlamaWeights:
    """The weights of a GGUF file, mapped into memory as they are in the file.

    Args:
        file: The file.
        name: The model's name, for messages.

    Raises:
        Unavailable: llama.cpp cannot load it.
        CannotAnswer: It is no causal model whose texts can be read in streams.
    """

    def __init__(self, file: Path, name: str) -> None:
        self._api = api = library()
        wanted = api.llama_model_default_params()
        # Repacked weights are computed by kernels in which a text's numbers depend on its place in a pass.
        wanted.n_gpu_layers, wanted.use_extra_bufts = 0, False
        self.handle = api.llama_model_load_from_file(os.fsencode(file), wanted)
        if not self.handle:
            raise Unavailable(
                f"{name}: llama.cpp {VERSION} cannot load {file.name}: it is damaged, or its architecture "
                f"is not known to this version; download it again, or use gguf:{file}"
            )
        vocabulary = api.llama_model_get_vocab(self.handle)
        self.vocabulary = int(api.llama_vocab_n_tokens(vocabulary))
        self.longest = int(api.llama_model_n_ctx_train(self.handle))
        self.parameters = int(api.llama_model_n_params(self.handle))
        self.description = self._text(api.llama_model_desc)
        self.ends = frozenset(
            t for t in range(self.vocabulary) if api.llama_vocab_is_eog(vocabulary, t)
        )
        """The tokens that end a reply."""
        wrong = (
            "it has an encoder" if api.llama_model_has_encoder(self.handle)
            else "it keeps a state in place of keys and values"
            if api.llama_model_is_recurrent(self.handle) or api.llama_model_is_hybrid(self.handle)
            else "it writes by diffusion" if api.llama_model_is_diffusion(self.handle)
            else ""
        )  # fmt: skip
        if wrong:
            raise CannotAnswer(
                f"{name}: llama: reads causal models only, and {wrong}; use gguf:{file}"
            )

    @property
    def bytes_a_cell(self) -> int:
        """The bytes of one token's keys and values, in float32."""
        api = self._api
        heads = max(1, int(api.llama_model_n_head(self.handle)))
        each = int(
            self._number("attention.key_length") or api.llama_model_n_embd(self.handle) // heads
        )
        kept = int(api.llama_model_n_head_kv(self.handle)) or heads
        return 2 * 4 * int(api.llama_model_n_layer(self.handle)) * kept * each

    @property
    def outputs(self) -> int:
        """The most rows of logits that a pass gives: at least one for each stream, which llama.cpp needs."""
        return outputs_of(self.vocabulary)

    def _number(self, key: str) -> str:
        """A number of the file's header about its architecture; "" where there is none."""
        architecture = self._meta("general.architecture")
        return self._meta(f"{architecture}.{key}")

    def _meta(self, key: str) -> str:
        return self._text(self._api.llama_model_meta_val_str, key.encode())

    def _text(self, function: Any, *arguments: bytes) -> str:
        room = ctypes.create_string_buffer(256)
        length = function(self.handle, *arguments, room, len(room))
        return room.value.decode("utf-8", "replace") if length > 0 else ""

    def __del__(self) -> None:
        """Release the weights."""
        if getattr(self, "handle", None):
            self._api.llama_model_free(self.handle)


class LlamaContext:
    """Room for several texts that are read at the same time, each in a stream of its own.

    Args:
        weights: The model.
        streams: How many texts.
        cells: The most tokens of each.
        name: The model's name, for messages.

    Raises:
        Unavailable: There is not enough memory.
    """

    def __init__(self, weights: LlamaWeights, streams: int, cells: int, name: str) -> None:
        self._api = api = library()
        self._weights = weights  # which must outlive the context
        self.streams, self.cells = streams, cells
        wanted = api.llama_context_default_params()
        wanted.n_ctx, wanted.n_batch, wanted.n_ubatch = streams * cells, BATCH, BATCH
        wanted.n_seq_max, wanted.n_outputs_max = streams, weights.outputs
        wanted.n_threads = wanted.n_threads_batch = threads()
        wanted.kv_unified, wanted.swa_full, wanted.no_perf = False, True, True
        wanted.flash_attn_type, wanted.type_k, wanted.type_v = NO_FLASH, F32, F32
        self.handle = api.llama_init_from_model(weights.handle, wanted)
        if not self.handle:
            size = streams * cells * weights.bytes_a_cell / 2**30
            raise Unavailable(
                f"{name}: there is no room for the keys and values of {counted(streams * cells, 'tokens')} "
                f"({size:.1f} GiB); leave out the longest texts, or use a machine with more memory"
            )
        self.memory = api.llama_get_memory(self.handle)
        self._batch = api.llama_batch_init(BATCH, 0, 1)

    def clear(self) -> None:
        """Forget all texts."""
        self._api.llama_memory_clear(self.memory, False)  # noqa: FBT003

    def copy(self, stream: int, to: int) -> None:
        """Let one stream go on from what another has read."""
        self._api.llama_memory_seq_rm(self.memory, to, -1, -1)
        self._api.llama_memory_seq_cp(self.memory, stream, to, -1, -1)

    def forget(self, stream: int, start: int) -> None:
        """Forget the tokens of a stream from a position on."""
        self._api.llama_memory_seq_rm(self.memory, stream, start, -1)

    def read(self, rows: Sequence[StreamRow]) -> Logits:
        """Read tokens, and give the logits after those that are asked about, (asked, vocabulary).

        The array is only valid until the next call.

        Raises:
            Unavailable: llama.cpp refuses the tokens.
        """
        self._check(rows)
        batch, n, view = self._batch, len(rows), np.ctypeslib.as_array
        batch.n_tokens = n
        view(batch.token, (n,))[:] = [row.token for row in rows]
        view(batch.pos, (n,))[:] = [row.place for row in rows]
        view(batch.logits, (n,))[:] = [row.is_asked for row in rows]
        view(batch.n_seq_id, (n,))[:] = 1
        for at, row in enumerate(rows):
            batch.seq_id[at][0] = row.stream
        if code := self._api.llama_decode(self.handle, batch):
            raise Unavailable(f"llama.cpp could not read {counted(n, 'tokens')} (its error {code})")
        asked = sum(row.is_asked for row in rows)
        if not asked:
            return np.zeros((0, self._weights.vocabulary), dtype=np.float32)
        return view(self._api.llama_get_logits(self.handle), (asked, self._weights.vocabulary))

    def _check(self, rows: Sequence[StreamRow]) -> None:
        """Refuse what llama.cpp would end the process for.

        Raises:
            ValueError: The caller has planned the pass wrongly.
        """
        known = self._weights.vocabulary
        if not 0 < len(rows) <= BATCH or sum(row.is_asked for row in rows) > self._weights.outputs:
            raise ValueError(f"a pass of {counted(len(rows), 'tokens')}")
        if not all(
            0 <= row.token < known and row.stream < self.streams and 0 <= row.place < self.cells
            for row in rows
        ):
            raise ValueError("a token, stream or position that does not exist")

    def __del__(self) -> None:
        """Release the memory."""
        if getattr(self, "handle", None):
            self._api.llama_batch_free(self._batch)
            self._api.llama_free(self.handle)


def outputs_of(vocabulary: int) -> int:
    """The most rows of logits that a pass gives, for a vocabulary of this size."""
    return max(MOST_STREAMS, min(BATCH, LOGITS // (4 * vocabulary)))


def threads() -> int:
    """How many threads compute: OMP_NUM_THREADS, or one for each processor that this process may use."""
    if (chosen := os.environ.get("OMP_NUM_THREADS", "")).isdigit():
        return max(1, int(chosen))
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    return max(1, min(cores, machine_limits.processors() or cores))
