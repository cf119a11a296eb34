"""Mitigation by further training: counterfactual data augmentation, and dropout.

- `cda` (Zmigrod et al. 2019, doi:10.18653/v1/P19-1161; Webster et al. 2020, arXiv:2010.06032): the model
  learns each sentence that names a group both as it is and with its defining words exchanged for those of
  every other group, so that all groups occur in the same contexts equally often.
- `dropout` (Webster et al. 2020): the model learns the corpus as it is, with more dropout than it was
  trained with before.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import counted
from tiltmeter.data.memory.lazy_sequence import Selection
from tiltmeter.data.texts import corpus as corpora
from tiltmeter.data.texts.corpus import Corpus
from tiltmeter.data.texts.stored_documents import Document
from tiltmeter.mitigate.mitigation_config import RetrainConfig
from tiltmeter.mitigate.versions import Sets, read_words, turned
from tiltmeter.train import continued
from tiltmeter.train.processes import in_processes
from tiltmeter.train.steps import TrainingProgress
from tiltmeter.train.text_split import split_documents


@dataclass(slots=True)
class Made:
    """Documents to learn from, and counts of the sentences that name a group."""

    documents: Sequence[Document]
    naming: int = 0
    """How many sentences name at least one group, before words are exchanged."""
    groups: dict[str, int] = field(default_factory=dict)
    """How many of these sentences name each group."""


@in_processes
def train(
    config: RetrainConfig,
    progress: TrainingProgress | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Path:
    """Train, or continue a training that was stopped; the result is an ordinary checkpoint.

    Args:
        config: What is trained, and how.
        progress: Receives the progress of the training; None for no report.
        say: Receives messages about the texts.

    Returns:
        The folder of the checkpoint.

    Raises:
        BadInput: The corpus, the words or the folder cannot be used, or no sentence names a group.
        CannotAnswer: The model is of a kind that cannot be trained further.
    """
    training = replace(
        config.training, out=str(config.folder), raise_dropout=config.method == "dropout"
    )
    continued.check(training)
    sets = None
    if config.method == "cda":
        sets = read_words(config.attribute, Path(config.words) if config.words else None)
    corpus = corpora.read(config.corpus, config.encoding)
    rng = np.random.default_rng([training.seed, 0])
    parts = split_documents(corpus, config.held_out, rng, least=1, why="one is held out")
    front, back = (Selection(corpus.documents, part) for part in parts)
    say(
        f"{corpus.name}: {counted(corpus.sentences, 'sentences')} in "
        f"{counted(len(corpus.documents), 'documents')}"
    )
    made = Made(front) if sets is None else counterparts(front, sets, keep=config.keep_neutral)
    if sets is not None:
        say(_told(made, sets, config))
    texts = continued.Texts(
        made.documents,
        back,
        _settings(config, corpus, sets),
        _about(config, corpus, front, made, sets),
    )
    return continued.train(training, texts, progress)


def counterparts(documents: Sequence[Document], sets: Sets, *, keep: bool) -> Made:
    """Each document in as many versions as there are groups: as it is, and with the groups exchanged.

    Args:
        documents: The documents.
        sets: The defining words.
        keep: Whether sentences without a defining word are kept. They are then the same in every version,
            and a document without any defining word is there once. Otherwise they are left out.

    Raises:
        BadInput: No sentence contains a defining word.

    >>> sets = Sets(("female", "male"), (("she", "he"), ("her", "his")))
    >>> counterparts([("She sang.", "It rained.", "He met her.")], sets, keep=False).documents
    [('She sang.', 'He met her.'), ('He sang.', 'She met his.')]
    """
    documents_made: list[Document] = []
    made = Made(documents_made, groups=dict.fromkeys(sets.groups, 0))
    for document in documents:
        texts = [(sentence, turned(sentence, sets)) for sentence in document]
        naming = [versions for _, versions in texts if versions]
        made.naming += len(naming)
        for versions in naming:
            for group in {sets.groups[number] for number in sets.named(versions[0])}:
                made.groups[group] += 1
        if keep:
            whole = [versions or (sentence,) * len(sets.groups) for sentence, versions in texts]
            ways = list(zip(*whole, strict=True))
            documents_made += ways if naming else ways[:1]
        elif naming:
            documents_made += zip(*naming, strict=True)
    if not made.naming:
        raise BadInput(
            "no sentence of the corpus that is trained on holds a defining word",
            "give a larger corpus, or --words that occur in it",
        )
    return made


def _settings(config: RetrainConfig, corpus: Corpus, sets: Sets | None) -> dict[str, Any]:
    words = "" if sets is None else sha256(repr((sets.groups, sets.sets)).encode()).hexdigest()
    return {
        "method": config.method,
        "attribute": config.attribute,
        "words": words,
        "keep_neutral": config.keep_neutral,
        "held_out": config.held_out,
        "corpus": corpus.sha256,
        "sentences": corpus.sentences,
    }


def _about(
    config: RetrainConfig, corpus: Corpus, front: Sequence[Document], made: Made, sets: Sets | None
) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "method": config.method,
        "attribute": config.attribute,
        "corpus": {
            "file": corpus.name,
            "sha256": corpus.sha256,
            "documents": len(corpus.documents),
            "sentences": corpus.sentences,
            "sentences to learn from": sum(map(len, front)),
        },
    }
    if sets is None:
        return facts
    return facts | {
        "sentences that name a group": made.naming,
        "sentences without": "kept" if config.keep_neutral else "left out",
        "groups": made.groups,
        "words": [list(words) for words in sets.sets],
    }


def _told(made: Made, sets: Sets, config: RetrainConfig) -> str:
    counts = ", ".join(f"{group} {n:,}" for group, n in made.groups.items())
    rest = "all others are kept" if config.keep_neutral else "all others are left out"
    return (
        f"{counted(made.naming, 'training sentences', 'name')} a group of {config.attribute} "
        f"({counts}) and come in "
        f"{counted(len(sets.groups), 'versions')}; {rest}"
    )
