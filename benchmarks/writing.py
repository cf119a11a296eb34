"""Written replies of a local model: Tiltmeter, `generate` of transformers, and lm-evaluation-harness.

The task is a question about 60 sentences, with the model loaded, on random weights of GPT-2's size: ten
replies of eight tokens to each at temperature 0.3, the worst case for ours, since hardly two replies begin
alike; then one reply at temperature 0. Drawn replies differ between programs, so those at temperature 0
are compared.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks import _models, _ours, _peers
from benchmarks._frame import SAME, TIMES, Row, Settings, Value, timed
from tiltmeter.core.model.conversations import Message, Prompt, Writing

TASK = "Written replies of a local model"
REPEATS = 10
TOKENS = 8
BATCHES = (1, 16)
Writes: TypeAlias = Callable[[Sequence[str], int], list[str]]
"""From prompts and prompts of a batch to replies at temperature 0."""


def rows(settings: Settings) -> Iterator[Row]:
    """Drawn replies, then the likeliest ones."""
    count = 6 if settings.tiny else 20 if settings.quick else 60
    texts = [pair.more for pair in _ours.pairs(settings)][:count]
    size = _models.TINY if settings.tiny else _models.GPT2
    with tempfile.TemporaryDirectory() as temporary:
        folder = _models.random_causal(Path(temporary), size, texts)
        model, library = _ours.opened(folder, "float32"), Generate(folder)
        asked = [f"Is the following text rude? Answer yes or no.\n‘{t}’\nAnswer:" for t in texts]
        model.write(_writings(asked[:1]))  # warm up
        library.likeliest(asked[:1], 1)
        expected, took = timed(lambda: _texts(model.write(_writings(asked))))
        same = _same(expected, library.likeliest(asked, 1))
        name = f"{size.name}, random weights"
        yield from _drawn(
            f"{REPEATS} replies to {count} prompts, {name}", asked, model, library, same
        )
        case = f"one reply at temperature 0 to {count} prompts, {name}"
        yield _row(case, "tiltmeter", took, count, {})
        yield from _likeliest(case, asked, folder, library, expected, took)


def _drawn(
    case: str, asked: Sequence[str], model: Any, library: "Generate", same: str
) -> Iterator[Row]:
    requests = [w for k in range(REPEATS) for w in _writings(asked, temperature=0.3, repeat=k)]
    _, ours = timed(lambda: model.write(requests))
    yield _row(case, "tiltmeter", ours, len(requests), {})
    for batch in BATCHES:
        _, took = timed(lambda batch=batch: library.drawn(asked, batch))
        values = {TIMES: took / ours, SAME: same}
        yield _row(case, f"transformers, {_prompts(batch)}", took, len(requests), values)


def _likeliest(
    case: str,
    asked: Sequence[str],
    folder: Path,
    library: "Generate",
    expected: list[str],
    ours: float,
) -> Iterator[Row]:
    harness = f"lm-evaluation-harness {_peers.HARNESS}"
    missing = _peers.missing("lm-eval", _peers.HARNESS)
    ways: list[tuple[str, str, Callable[[], Writes]]] = [
        ("transformers", "", lambda: library.likeliest),
        (harness, missing, partial(_peers.lm_eval_writes, folder, TOKENS)),
    ]
    for name, reason, load in ways:
        if reason:
            yield Row(case, name, skipped=reason)
            continue
        with _peers.silent():
            write = load()
            write(asked[:1], 1)  # warm up
        for batch in BATCHES:
            with _peers.silent():
                found, took = timed(lambda write=write, batch=batch: write(asked, batch))
            values = {TIMES: took / ours, SAME: _same(expected, found)}
            yield _row(case, f"{name}, {_prompts(batch)}", took, len(asked), values)


class Generate:
    """The library's `generate`, with padding on the left."""

    def __init__(self, folder: Path) -> None:
        import transformers

        self._tokenizer = transformers.AutoTokenizer.from_pretrained(folder, padding_side="left")
        self._model: Any = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
        self._tokenizer.pad_token = self._tokenizer.pad_token or self._tokenizer.eos_token

    def likeliest(self, prompts: Sequence[str], batch: int) -> list[str]:
        """One reply a prompt, at temperature 0."""
        return self._batched(prompts, batch, do_sample=False)

    def drawn(self, prompts: Sequence[str], batch: int) -> list[str]:
        """`REPEATS` replies a prompt, at temperature 0.3."""
        how = {"do_sample": True, "temperature": 0.3, "num_return_sequences": REPEATS}
        return self._batched(prompts, batch, **how)

    def _batched(self, prompts: Sequence[str], batch: int, **how: Any) -> list[str]:
        import torch

        found: list[str] = []
        for start in range(0, len(prompts), batch):
            some = list(prompts[start : start + batch])
            given = self._tokenizer(some, return_tensors="pt", padding=True)
            with torch.inference_mode():
                out = self._model.generate(
                    **given, max_new_tokens=TOKENS, pad_token_id=self._tokenizer.pad_token_id, **how
                )
            new = out[:, given["input_ids"].shape[1] :]
            found += self._tokenizer.batch_decode(new, skip_special_tokens=True)
        return found


def _writings(prompts: Sequence[str], **how: Any) -> list[Writing]:
    return [Writing(Prompt((Message("user", p),), chat=False), TOKENS, **how) for p in prompts]


def _texts(replies: Sequence[Any]) -> list[str]:
    return [reply.text for reply in replies]


def _same(expected: Sequence[str], found: Sequence[str]) -> str:
    equal = sum(a == b for a, b in zip(expected, found, strict=True))
    return f"{equal} of {len(expected)}"


def _prompts(batch: int) -> str:
    return "one prompt at a time" if batch == 1 else f"{batch} prompts a batch"


def _row(case: str, way: str, seconds: float, count: int, values: dict[str, Value]) -> Row:
    return Row(case, way, seconds, {"replies/s": count / seconds} | values)
