"""Train a causal or sequence-to-sequence language model to write hypotheses about premises.

The procedure follows Sotnikova et al. 2021 (doi:10.18653/v1/2021.findings-acl.355, section 3.1), who train
GPT-2 on the neutral pairs of SNLI and MultiNLI, and use COMET (Bosselut et al. 2019,
doi:10.18653/v1/P19-1470) for if-then relations. The loss counts the hypothesis and the token that ends it,
never the premise. The weights with the lowest held-out loss are kept. No premise is both trained on and held
out.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tiltmeter.core.data.inference_prompts import TEMPLATE, inference_prompt
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.conversations import Message, Prompt
from tiltmeter.core.text import counted
from tiltmeter.data.texts.inference_pairs import (
    InferencePair,
    InferencePairs,
    PairKind,
    known_phrase,
    read_inference_pairs,
)
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.checkpoint_parts import INFERENCE, description_in
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved, place_of, resolve
from tiltmeter.models.seq2seq import decoder_start
from tiltmeter.models.writing.prompt_reader import PromptReader
from tiltmeter.train.blocks import TokenRow, TokenRows
from tiltmeter.train.learner import Further
from tiltmeter.train.processes import in_processes
from tiltmeter.train.steps import Standing, TrainingProgress
from tiltmeter.train.training_config import InferenceConfig, chosen_settings, most_tokens
from tiltmeter.train.training_run import TrainingRun, own_random_numbers, trained_from, write_model

FORMAT = 1
"""Version of the format of the description."""
KINDS = frozenset({"causal", "gguf", "seq2seq"})
"""Kinds of models that can be trained to write; a GGUF file is converted first."""


def split(
    pairs: Sequence[InferencePair], *, held_out: float, most: int | None, seed: int
) -> tuple[list[InferencePair], list[InferencePair]]:
    """Divide pairs into those that are trained on and those that are held out; no premise is in both.

    Args:
        pairs: The pairs, in their order.
        held_out: Share of the premises that is held out, from 0 to 1; at least one is.
        most: The greatest number of pairs in both parts together; None for all.
        seed: Seed of the random choices.

    Raises:
        BadInput: There are fewer than two premises.
    """
    rng = np.random.default_rng([seed, 0])
    kept = list(pairs)
    if most is not None and most < len(kept):
        kept = [kept[i] for i in np.sort(rng.choice(len(kept), most, replace=False))]
    premises = list(dict.fromkeys(pair.premise for pair in kept))
    if len(premises) < 2:  # noqa: PLR2004
        raise BadInput("all pairs have the same premise, so none can be held out", "give more data")
    share = min(max(1, round(held_out * len(premises))), len(premises) - 1)
    back = {premises[i] for i in rng.permutation(len(premises))[:share]}
    return [p for p in kept if p.premise not in back], [p for p in kept if p.premise in back]


class InferenceReader:
    """Turns pairs into rows of tokens, in which the hypothesis and the token that ends it are learned."""

    def __init__(self, name: str, kind: str, loaded: Loaded, phrases: Mapping[str, str]) -> None:
        """A reader for this model.

        Args:
            name: Name of the model, for errors.
            kind: causal or seq2seq. In a seq2seq model the encoder reads the premise and the decoder the
                hypothesis.
            loaded: The model with its tokenizer.
            phrases: The words that express each relation.

        Raises:
            CannotAnswer: The tokenizer has no end-of-text token.
        """
        self._loaded, self._phrases = loaded, phrases
        self._row = self._two_texts if kind == "seq2seq" else self._one_text
        self._reader = PromptReader(name, loaded)
        if loaded.tokenizer.eos_token_id is None:
            raise CannotAnswer(
                f"{name}: its tokenizer has no end-of-text token to end a hypothesis with"
            )
        self._end = int(loaded.tokenizer.eos_token_id)

    def row(self, pair: InferencePair) -> TokenRow:
        """The tokens of premise, relation and hypothesis, of which the hypothesis is marked as text."""
        text = inference_prompt(pair.premise, self._phrases[pair.relation])
        before, whole = self._row(text, pair.hypothesis)
        ids = np.array([*whole, self._end], dtype=np.int32)
        return TokenRow(ids, np.arange(len(ids)) >= before)

    def _one_text(self, text: str, hypothesis: str) -> tuple[int, tuple[int, ...]]:
        prompt = Prompt((Message("user", text),), chat=False)
        alone, whole = self._reader.followed(prompt, ["", f" {hypothesis}"])
        # The tokenizer may join characters where prompt and hypothesis meet, so that the prompt's own length
        # is no guide: the hypothesis begins at the first token that differs.
        same = zip(alone, whole, strict=False)
        return next((i for i, (a, b) in enumerate(same) if a != b), len(alone)), whole

    def _two_texts(self, text: str, hypothesis: str) -> tuple[int, tuple[int, ...]]:
        (source,) = self._loaded.encode([text], special=True)
        (target,) = self._loaded.encode([hypothesis], special=False)
        return len(source.ids), (*source.ids, *target.ids)


def unended(rows: TokenRows) -> TokenRows:
    """The rows without the token that ends each of them.

    Held-out losses leave it out, because an untrained model does not know that a hypothesis ends there,
    which says nothing about how well it knows the language.
    """
    whole_rows = (rows[i] for i in range(len(rows)))
    return TokenRows(TokenRow(row.ids[:-1], row.is_text[:-1]) for row in whole_rows)


@in_processes
@own_random_numbers()
def train(config: InferenceConfig, progress: TrainingProgress | None = None) -> Path:
    """Train, or continue a training that was stopped, and return the folder of the checkpoint.

    On the CPU of one machine, a training that was stopped ends with exactly the weights of one that was not.

    Raises:
        BadInput: The data, an option or the folder cannot be used.
        CannotAnswer: The model is of a kind that cannot be trained to write.
        StorageError: Something could not be written.
        Unavailable: The model does not load, or the device has too little memory.
    """
    where = resolve(config.model, config.opening())
    if where.scheme not in KINDS:
        raise CannotAnswer(
            f"{where.name} (kind {where.scheme}) cannot be trained to write: give a causal or "
            "sequence-to-sequence language model"
        )
    given = (text.partition("=") for text in config.relations)
    chosen = {name.strip(): " ".join(phrase.split()) for name, _, phrase in given}
    read = read_inference_pairs(config.data, config.pair_kind, [*chosen], encoding=config.encoding)
    phrases = _phrases(read, chosen, config.pair_kind)
    out = config.folder
    loaded, kind = _load(where, config.opening())
    most = most_tokens(config.max_tokens, loaded.model, loaded.tokenizer)
    halves = split(read.pairs, held_out=config.held_out, most=config.pairs, seed=config.seed)
    reader = InferenceReader(where.name, kind, loaded, phrases)
    front, back = (
        TokenRows(row for row in map(reader.row, half) if len(row.ids) <= most) for half in halves
    )
    too_long = sum(map(len, halves)) - len(front) - len(back)
    if len(front) < config.batch_size or not len(back):
        raise BadInput(
            f"{counted(len(front), 'pairs')} to train on and {len(back):,} held out are too few for steps of "
            f"{config.batch_size:,}; {too_long:,} are longer than {config.max_tokens} tokens",
            "give more data, a smaller --batch-size, or a larger --max-tokens", file=read.name,
        )  # fmt: skip
    learner = Further(
        where.name, loaded, kind, front, unended(back),
        size=config.batch_size, computing=config.computing(loaded.device, most), seed=config.seed,
    )  # fmt: skip
    settings = chosen_settings(config) | {
        "relations": dict(phrases),
        "max_tokens": most,
        "model": loaded.fingerprint,
        "data": read.sha256,
    }
    plan = config.plan(learner.per_epoch, first_look=True)
    run = TrainingRun(out, settings, learner, plan, config.seed, INFERENCE, "another trained model")

    def described(end: Standing) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "kind": config.pair_kind,
            "template": TEMPLATE,
            "relations": phrases,
            "base": trained_from(where.name, kind, loaded),
            "data": {
                "file": read.name,
                "sha256": read.sha256,
                "pairs": len(front),
                "premises": len({pair.premise for half in halves for pair in half}),
                "left out": {**read.left_out, "too long": too_long},
            },
            **end.counts(plan, learner.per_epoch),
            "held_out": _held_out(end, learner),
        }

    def write() -> None:
        if kind == "seq2seq":  # so that `generate` begins as the training did
            start, first, *_ = (*decoder_start(where.name, loaded), None)
            loaded.model.generation_config.decoder_start_token_id = start
            loaded.model.generation_config.forced_bos_token_id = first
        write_model(loaded, out)

    run.carry_out(progress, described, write)
    return out


def result(out: str | Path) -> dict[str, Any]:
    """The description in the folder of a trained model: perplexity before and after, pairs and settings."""
    return description_in(Path(out).expanduser() / INFERENCE)


def _load(where: Resolved, options: Options) -> tuple[Loaded, str]:
    """The opened model and its kind, which for a GGUF file is the kind of the converted weights."""
    place, kind = place_of(where, options), where.scheme
    if kind == "gguf":
        from tiltmeter.models import gguf

        place, kind = str(gguf.converted(gguf.file_of(place), where.name)), "causal"
    return hf.load(place, options, name=where.name, scheme=kind), kind


def _phrases(read: InferencePairs, chosen: Mapping[str, str], form: PairKind) -> dict[str, str]:
    """The words that express each relation that occurs in the data."""
    there = dict.fromkeys(pair.relation for pair in read.pairs)
    if missing := [name for name in chosen if name not in there]:
        raise BadInput(f"no pair of the relation {missing[0]} is left", "name another --relation")
    phrases = {name: chosen.get(name) or known_phrase(name, form) for name in there}
    if unsaid := [name for name, phrase in phrases.items() if not phrase]:
        raise BadInput(
            f"the relation {unsaid[0]} has no words",
            f"give them with --relation '{unsaid[0]}=The person …', or name the relations to learn",
            file=read.name,
        )
    return phrases


def _held_out(end: Standing, learner: Further) -> dict[str, Any]:
    losses = {"loss_untrained": end.first_loss or 0.0, "loss": end.kept_loss or 0.0}
    return {
        "pairs": learner.held_out,
        "tokens": learner.judged,
        **losses,
        **{name.replace("loss", "perplexity"): math.exp(loss) for name, loss in losses.items()},
        "right": end.kept_right,
        "note": "of the hypotheses' tokens without the one that ends them; the same pairs chose the step "
        "whose weights were kept",
    }
