"""Written replies: Tiltmeter against `generate` of transformers, one prompt at a time and in batches.

The task is a question about 60 sentences, ten replies of eight tokens to each at temperature 0.3, with the
model loaded, on random weights of GPT-2's size: the worst case for ours, since hardly two replies begin
alike. `generate` draws its own replies, so what is compared are those at temperature 0.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import _models, _ours
from benchmarks._frame import SAME, TIMES, Row, Settings, Value, timed
from tiltmeter.core.conversations import Message, Prompt, Writing

TASK = "Written replies of a local model"
REPEATS = 10
TOKENS = 8
BATCH = 16


def rows(settings: Settings) -> Iterator[Row]:
    """Ours, then the library one prompt at a time, then in batches."""
    pairs = _ours.pairs(settings)
    texts = [pair.more for pair in pairs][: 6 if settings.tiny else 60]
    size = _models.TINY if settings.tiny else _models.GPT2
    with tempfile.TemporaryDirectory() as temporary:
        folder = _models.random_causal(Path(temporary), size, texts)
        yield from _model(f"{size.name}, random weights", folder, texts)


def _model(name: str, folder: Path, texts: list[str]) -> Iterator[Row]:
    case = f"{REPEATS} replies to {len(texts)} prompts, {name}"
    prompts = [
        Prompt(
            (Message("user", f"Is the following text rude? Answer yes or no.\n‘{t}’\nAnswer:"),),
            chat=False,
        )
        for t in texts
    ]
    model = _ours.opened(folder, "float32")
    asked = [Writing(p, TOKENS, 0.3, repeat=k) for p in prompts for k in range(REPEATS)]
    model.write(asked[:1])  # warm up
    _, ours = timed(lambda: model.write(asked))
    yield Row(case, "tiltmeter", ours, {"replies/s": len(asked) / ours})
    plain = [Writing(p, TOKENS) for p in prompts]
    expected = [reply.text for reply in model.write(plain)]
    yield from _library(case, folder, prompts, ours, expected)


def _library(
    case: str, folder: Path, prompts: list[Prompt], ours: float, expected: list[str]
) -> Iterator[Row]:
    """The same with `generate`, one prompt with all its repeats at a time."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, padding_side="left")
    model: Any = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token

    def written(some: list[Prompt], **how: Any) -> list[str]:
        given = tokenizer([p.plain for p in some], return_tensors="pt", padding=True)
        with torch.inference_mode():
            out = model.generate(
                **given, max_new_tokens=TOKENS, pad_token_id=tokenizer.pad_token_id, **how
            )
        return [str(t) for t in tokenizer.batch_decode(
            out[:, given["input_ids"].shape[1] :], skip_special_tokens=True
        )]  # fmt: skip

    drawn = {"do_sample": True, "temperature": 0.3, "num_return_sequences": REPEATS}
    same = sum(
        a == b
        for p, b in zip(prompts, expected, strict=True)
        for a in written([p], do_sample=False)
    )
    for way, step in (("one prompt at a time", 1), (f"in batches of {BATCH}", BATCH)):
        _, took = timed(
            lambda step=step: [
                written(prompts[i : i + step], **drawn) for i in range(0, len(prompts), step)
            ]
        )
        values: dict[str, Value] = {
            "replies/s": REPEATS * len(prompts) / took,
            TIMES: took / ours,
            SAME: f"{same} of {len(prompts)}",
        }
        yield Row(case, f"transformers, {way}", took, values)
