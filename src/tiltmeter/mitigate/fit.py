"""Fit directions from a model, a corpus and defining words, and save them in a folder."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tiltmeter import __version__
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.protocols import EmbedsTokens
from tiltmeter.core.model.requests import Passage
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Integers
from tiltmeter.data.texts import corpus as corpora
from tiltmeter.mitigate.folder import free, reference_of, save
from tiltmeter.mitigate.mitigation_config import FitConfig, FitMethod
from tiltmeter.mitigate.subspace import nullspace, principal
from tiltmeter.mitigate.versions import SentenceVersions, Sets, drawn, neutral, read_words, versions
from tiltmeter.models.mitigated import FORMAT
from tiltmeter.models.opening.model_files import files_digest
from tiltmeter.models.opening.open_model import Resolved, open_model, place_of, resolve

Fitted: TypeAlias = tuple[Array, dict[str, Any]]
"""Directions, shape (k, d), and what the description says of how they were fitted."""
Say = Callable[[str], None]
"""Receives messages about the progress."""


class _Material(NamedTuple):
    """What directions are fitted to."""

    named: Sequence[SentenceVersions]
    """Sentences that name one group."""
    sentences: Sequence[str]
    """All sentences of the corpus."""
    words: Sets
    """The defining words of the groups."""


def fit(config: FitConfig, say: Say = lambda _: None) -> Path:
    """Fit directions and save them in a folder, which can be opened as `mitigated:FOLDER`.

    Args:
        config: What is fitted, and how.
        say: Receives messages about the progress.

    Returns:
        The folder.

    Raises:
        BadInput: The corpus or the words cannot be used, k is larger than the rank, or the folder is not
            empty.
        CannotAnswer: The model has no states from which directions could be removed.
        Undefined: There is no direction in which the groups differ.
    """
    out = config.folder
    free(out)
    sets = read_words(config.attribute, Path(config.words) if config.words else None)
    where = _able(config)
    corpus = corpora.read(config.corpus, config.encoding, least=1)
    say(f"{corpus.name}: {counted(corpus.sentences, 'sentences')}")
    rng = np.random.default_rng(config.seed)
    sentences = [s for document in corpus.documents for s in document]
    named_sentences = drawn(list(versions(sentences, sets)), config.sentences, rng)
    say(f"{counted(len(named_sentences), 'sentences', 'name')} one group of {config.attribute}")
    options = config.opening()
    model = open_model(where, options)
    material = _Material(named_sentences, sentences, sets)
    basis, facts = _METHODS[config.method](config, model, material, rng)
    named = [sentence.group for sentence in named_sentences]
    settings = asdict(config)
    # paths say something of the machine, and nothing of the fit
    for key in ("corpus", "words", "out", "model"):
        settings[key] = Path(settings[key]).name if settings[key] else ""
    description = {
        "format": FORMAT,
        "method": config.method,
        "attribute": config.attribute,
        "point": config.point,
        "model": {
            "reference": reference_of(config.model),
            "name": where.name,
            "fingerprint": model.fingerprint,
            "hidden size": int(basis.shape[1]),
            "sha256": files_digest(place_of(where, options)),
        },
        "fitted": facts,
        "corpus": {"name": corpus.name, "sha256": corpus.sha256, "sentences": corpus.sentences},
        "groups": {group: named.count(number) for number, group in enumerate(sets.groups)},
        "words": [list(words) for words in sets.sets],
        "settings": settings,
        "versions": {"tiltmeter": __version__, "numpy": version("numpy")},
    }
    save(out, description, basis)
    return out


def _able(config: FitConfig) -> Resolved:
    where = resolve(config.model, config.opening())
    if not where.traits.takes_change or EmbedsTokens not in where.answers:
        raise CannotAnswer(
            f"{config.model} is a model of kind {where.scheme}, which has no states from which directions "
            "can be removed"
        )
    return where


def embedded(model: Any, texts: Sequence[str], pooling: str) -> tuple[Array, Integers]:
    """The vectors of the texts that the model can read, shape (n, d), and the positions of these texts.

    Texts without tokens and those that are too long for the model are left out.

    Raises:
        BadInput: The model can read none of the texts.
    """
    passages = [Passage(text) for text in texts]
    lengths = model.passage_lengths(passages)
    kept = [i for i, n in enumerate(lengths) if n > 0 and (model.limit is None or n <= model.limit)]
    if not kept:
        raise BadInput("no sentence fits the model", "give a corpus with shorter sentences")
    vectors = model.embed([passages[i] for i in kept], pooling=pooling)
    return np.asarray(vectors, dtype=np.float64), np.array(kept, dtype=np.int64)


def _sentence_debias(
    config: FitConfig,
    model: Any,
    material: _Material,
    rng: np.random.Generator,  # noqa: ARG001  (principal components are not drawn)
) -> Fitted:
    sentences = material.named
    width = len(sentences[0].texts)
    texts = [text for sentence in sentences for text in sentence.texts]
    vectors, kept = embedded(model, texts, config.pooling)
    # Only sentences of which the model can read every version: the mean of a set is one over all groups.
    sets = kept // width
    whole = np.flatnonzero(np.bincount(sets, minlength=len(sentences)) == width)
    if len(whole) <= config.k:
        directions, sentences_of_all = (
            counted(config.k, "directions"),
            counted(len(whole), "sentences"),
        )
        reason = f"{directions} of {sentences_of_all} would explain all that differs"
        raise BadInput(reason, "give a longer corpus, or a larger number of sentences")
    mine = np.isin(sets, whole)
    made = principal(vectors[mine], sets[mine], config.k)
    return made.basis, {
        "k": config.k,
        "explained variance": [round(float(share), 6) for share in made.explained],
        "rank": made.rank,
        "sentences": len(whole),
    }


def _inlp(config: FitConfig, model: Any, material: _Material, rng: np.random.Generator) -> Fitted:
    """Directions that tell apart the sentences of each group, and those that name no group.

    Of the last there are at most as many as the largest group has.
    """
    sentences = material.named
    rest = list(dict.fromkeys(neutral(material.sentences, material.words)))
    originals = [sentence.texts[sentence.group] for sentence in sentences]
    labels = [sentence.group for sentence in sentences]
    most = int(np.bincount(labels).max())
    chosen = rng.permutation(len(rest))[:most]
    texts = [*originals, *(rest[i] for i in np.sort(chosen))]
    classes = np.array([*labels, *[-1] * len(chosen)], dtype=np.int64)
    vectors, kept = embedded(model, texts, config.pooling)
    made = nullspace(vectors, classes[kept], rounds=config.rounds, rng=rng)
    return made.basis, {
        "k": len(made.basis),
        "accuracy": [round(float(a), 4) for a in made.accuracy],
        "chance": round(made.chance, 4),
        "sentences": len(kept),
    }


_METHODS: Mapping[FitMethod, Callable[[FitConfig, Any, _Material, np.random.Generator], Fitted]] = {
    "sentence_debias": _sentence_debias,
    "inlp": _inlp,
}
