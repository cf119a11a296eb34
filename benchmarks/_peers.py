"""Other libraries that compute such likelihoods, each in its fastest setting."""

import importlib.metadata
import io
import logging
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks._frame import timed
from tiltmeter.core.distribution import DISTRIBUTION

Scores: TypeAlias = Callable[[Sequence[str], int], list[float]]
"""From texts and the texts of a batch to a number for each."""
MINICONS, HARNESS = "0.3.39", "0.4.13"
BATCHES = (1, 2, 4, 8, 16)
CAUSAL_BATCHES = (1, 4, 16, 64)
METHODS = ("loglikelihood", "loglikelihood_rolling")
TRIAL = 8
"""Sentences on which batch sizes are tried."""


def missing(package: str, pinned: str) -> str:
    """Why a peer cannot run, or ""."""
    try:
        found = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return f"{package} is not installed: pip install '{DISTRIBUTION}[benchmarks]'"
    return "" if found == pinned else f"{package} is {found}, and {pinned} is what was tried"


@dataclass(frozen=True, slots=True)
class Peer:
    """Another library that gives log-likelihoods of whole texts."""

    way: str
    """With its version and method, as the tables call it."""
    missing: str
    """Why it cannot run, or ""."""
    load: Callable[[], Scores]


def causal(folder: str | Path, precision: str) -> list[Peer]:
    """The libraries for causal models, with the model in a folder."""
    harness, other = missing("lm-eval", HARNESS), missing("minicons", MINICONS)
    return [
        *(
            Peer(
                f"lm-evaluation-harness {HARNESS}, {method}, {precision}", harness,
                partial(lm_eval, folder, precision, method),
            )
            for method in METHODS
        ),
        Peer(
            f"minicons {MINICONS}, {precision}", other,
            partial(minicons_causal, folder, precision),
        ),
    ]  # fmt: skip


def minicons_causal(folder: str | Path, precision: str, device: str = "cpu") -> Scores:
    """Log-likelihoods with the start token before the text, as the others give them."""
    import torch

    with silent():
        from minicons.scorer import IncrementalLMScorer

        scorer = IncrementalLMScorer(str(folder), device, dtype=getattr(torch, precision))
    _put_back(scorer.tokenizer)

    def some(part: list[str]) -> list[float]:
        return scorer.sequence_score(part, reduction=lambda x: float(x.sum()), bos_token=True)

    return lambda texts, batch: _in_batches(texts, batch, some)


def _put_back(tokenizer: Any) -> None:
    """Restore the tokenizer's method that transformers 5 no longer has."""
    if not hasattr(tokenizer, "batch_encode_plus"):
        tokenizer.batch_encode_plus = tokenizer.__call__


def minicons(folder: str | Path, precision: str, device: str = "cpu") -> Scores:
    """A function from texts and sentences a batch to pseudo-log-likelihoods of all tokens.

    minicons 0.3.39 calls the tokenizer's `batch_encode_plus`, which transformers 5 no longer has;
    calling the tokenizer does the same. That name is put back, and nothing else is changed.
    """
    import torch

    with silent():
        from minicons.scorer import MaskedLMScorer

        scorer = MaskedLMScorer(str(folder), device, dtype=getattr(torch, precision))
    _put_back(scorer.tokenizer)

    def score(texts: Sequence[str], batch: int) -> list[float]:
        return _in_batches(
            texts,
            batch,
            lambda part: scorer.sequence_score(part, reduction=lambda x: float(x.sum())),
        )

    return score


def lm_eval(folder: str | Path, precision: str, method: str, device: str = "cpu") -> Scores:
    """A function from texts and texts a batch to log-likelihoods, through the harness's own class.

    `loglikelihood` of the whole text after an empty context is what its task crows_pairs asks;
    `loglikelihood_rolling` is its way for whole texts. Both put the start token (beginning or,
    without one, end of text) before the text, sort by length and pad by themselves. A tokenizer
    that adds a start token of its own is told not to, or the rolling way would have two.
    """
    with silent():
        from lm_eval.api.instance import Instance
        from lm_eval.models.huggingface import HFLM

        model: Any = HFLM(pretrained=str(folder), device=device, dtype=precision, batch_size=1,
                          add_bos_token=False)  # fmt: skip
    rolling = method == "loglikelihood_rolling"

    def score(texts: Sequence[str], batch: int) -> list[float]:
        model.batch_size_per_gpu = batch
        asked = [
            Instance(method, {}, (text,) if rolling else ("", text), i)
            for i, text in enumerate(texts)
        ]
        found = getattr(model, method)(asked, disable_tqdm=True)
        return [float(one if rolling else one[0]) for one in found]

    return score


def lm_eval_writes(folder: str | Path, tokens: int) -> Callable[[Sequence[str], int], list[str]]:
    """A function from prompts and prompts a batch to replies at temperature 0, of so many tokens."""
    with silent():
        from lm_eval.api.instance import Instance
        from lm_eval.models.huggingface import HFLM

        model: Any = HFLM(pretrained=str(folder), device="cpu", dtype="float32", batch_size=1,
                          add_bos_token=False)  # fmt: skip

    def write(prompts: Sequence[str], batch: int) -> list[str]:
        model.batch_size_per_gpu = batch
        how = {"until": [], "max_gen_toks": tokens, "do_sample": False}
        asked = [
            Instance("generate_until", {}, (prompt, dict(how)), i)
            for i, prompt in enumerate(prompts)
        ]
        return [str(text) for text in model.generate_until(asked, disable_tqdm=True)]

    return write


def fastest(
    score: Scores, texts: Sequence[str], sizes: Sequence[int] = BATCHES
) -> tuple[int, dict[int, float]]:
    """The batch size that scores every so many-th text fastest, and texts a second by batch size."""
    rates: dict[int, float] = {}
    score(texts[:1], 1)  # warm up
    for size in sizes:
        step = max(1, len(texts) // max(TRIAL, size))
        few = list(texts[::step])
        rates[size] = len(few) / timed(partial(score, few, size))[1]
    return max(rates, key=lambda size: rates[size]), rates


def _in_batches(
    texts: Sequence[str], batch: int, score: Callable[[list[str]], list[float]]
) -> list[float]:
    """Shortest first, so that texts of a batch need little padding: as favourable as can be."""
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    found: dict[int, float] = {}
    for start in range(0, len(order), batch):
        part = order[start : start + batch]
        found |= dict(zip(part, score([texts[i] for i in part]), strict=True))
    return [found[i] for i in range(len(texts))]


@contextmanager
def silent() -> Iterator[None]:
    """Without warnings and bars of libraries: the numbers are compared afterwards."""
    from tiltmeter.models.opening.hf import quiet

    level = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with quiet(), redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(level)
