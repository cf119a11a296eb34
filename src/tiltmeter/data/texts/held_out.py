"""Sentences of running text, drawn at random."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import Dataset, Sentence
from tiltmeter.core.results import notes_of
from tiltmeter.core.study import Source
from tiltmeter.data.downloads.places import package_file
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.downloads.sources import choose, registered
from tiltmeter.data.texts import corpus as corpora
from tiltmeter.data.texts.corpus import Corpus

WIKITEXT, STARTER = "wikitext2", "starter_text"
LOST = "<unk>"
"""Stands in WikiText for words that were taken out."""
EVERY = "all"
MOST = 10_000_000


def held_out(
    source: Source, settings: Mapping[str, str], *, encoding: str = ""
) -> Dataset[Sentence]:
    """The sentences of a text that the settings ask for, in the order of the text.

    The text is "wikitext2", the default, "starter_text", or the path of one; the settings are `sentences`,
    `shortest`, `longest` and `drawn`, as the study explains them.

    Raises:
        BadInput: It cannot be read, a setting is no number, or no sentence is left.
        Unavailable: The registered text is not available.
    """
    least, most = (_number(settings, name, 1) for name in ("shortest", "longest"))
    seed = _number(settings, "drawn", 0)
    wanted = settings["sentences"]
    count = None if wanted == EVERY else _number(settings, "sentences", 1)
    about, corpus = _read(source, encoding)
    fitting, notes = _fitting(corpus, least, most)
    if not fitting:
        way_out = "ask for others with --set shortest=… and --set longest=…"
        reason = f"no sentence of {least:,} to {most:,} words is left"
        raise BadInput(reason, way_out, file=corpus.name)
    if count is not None and count < len(fitting):
        picked = np.random.default_rng(seed).permutation(len(fitting))[:count]
        items = [fitting[i] for i in sorted(picked.tolist())]
    else:
        items = fitting
        if count is not None and count > len(fitting):
            notes.append(f"{count:,} sentences were requested; only {len(fitting):,} fit.")
    documents = {sentence.cluster for sentence in items}
    if len(documents) == 1:  # of one document, sentences are all that can be resampled
        items = [replace(sentence, cluster="") for sentence in items]
    return replace(
        about,
        items=items,
        sha256=corpus.sha256,
        clusters="document" if len(documents) > 1 else "",
        notes=notes_of("data", notes),
        about={
            "documents": f"{len(documents):,} of {len(corpus.documents):,}",
            "sentences": f"{len(items):,} of {corpus.sentences:,}",
        },
    )


def _number(settings: Mapping[str, str], name: str, least: int) -> int:
    text = settings[name].replace(",", "").replace("_", "")
    if not (text.isascii() and text.isdigit() and least <= int(text) <= MOST):
        reason = f"--set {name}={settings[name]} is not a whole number from {least} to {MOST:,}"
        also = f", or {EVERY}" if name == "sentences" else ""
        raise BadInput(reason, f"write --set {name}=100{also}")
    return int(text)


def _read(source: Source, encoding: str) -> tuple[Dataset[Sentence], Corpus]:
    """What is known of the text, without sentences yet, and the text."""
    chosen = choose(source, WIKITEXT, (WIKITEXT, STARTER))
    if chosen == WIKITEXT:
        located = locate(WIKITEXT)
        return registered(located), corpora.read(located.file, least=1)
    if chosen == STARTER:
        corpus = corpora.read(package_file("starter/text.txt"), least=1)
        origin = "The Tiltmeter authors; part of the package (tiltmeter/data/starter)"
        return Dataset(STARTER, "1", (), origin, "CC BY 4.0"), replace(corpus, name=STARTER)
    corpus = corpora.read(chosen, encoding, least=1)
    return Dataset(corpus.name, "", (), corpus.name, "not stated"), corpus


def _fitting(corpus: Corpus, least: int, most: int) -> tuple[list[Sentence], list[str]]:
    """Sentences that may be asked about, and notes on what was left out."""
    fitting: dict[str, Sentence] = {}
    lost = again = other = 0
    for i, document in enumerate(corpus.documents, start=1):
        for j, text in enumerate(document, start=1):
            if LOST in text:
                lost += 1
            elif not least <= len(text.split()) <= most:
                other += 1
            elif text in fitting:
                again += 1
            else:
                fitting[text] = Sentence(f"{i}/{j}", text, cluster=str(i), where=corpus.name)
    notes = (
        (lost, f"sentences hold {LOST}, where words were removed, and are left out."),
        (other, f"have fewer than {least:,} or more than {most:,} words, and are left out too."),
        (again, "are there twice, and are asked about once."),
    )
    return list(fitting.values()), [f"{number:,} {text}" for number, text in notes if number]
