"""Perplexity on held-out sentences: how well the model knows the language."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Unpack

import numpy as np

from tiltmeter.core.conventions import Setting, with_defaults
from tiltmeter.core.data.items import Dataset, Sentence
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import Comparison, Measure
from tiltmeter.core.results import notes_of
from tiltmeter.core.study import Reading, Source, Study
from tiltmeter.core.text import counted
from tiltmeter.core.validity import Validity
from tiltmeter.data.downloads.places import package_file
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.downloads.sources import choose, registered
from tiltmeter.data.texts import corpus as corpora
from tiltmeter.data.texts.corpus import Corpus
from tiltmeter.metrics import perplexity
from tiltmeter.scoring.sentences import RULES

WIKITEXT, STARTER = "wikitext2", "starter_text"
LOST = "<unk>"
"""What WikiText has in place of rare words: sentences with it are left out."""
EVERY = "all"
MOST = 10_000_000
SETTINGS = (
    Setting(
        "sentences",
        default="500",
        summary="The number of sentences, drawn at random from those of suitable length; or all.",
        is_most=True,
    ),
    Setting(
        "shortest",
        default="5",
        summary="The fewest words in a sentence: shorter ones are mostly headings.",
    ),
    Setting("longest", default="60", summary="The most words in a sentence."),
    Setting("drawn", default="0", summary="Seed of the draw of sentences."),
)


def load(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[Sentence]:
    """Sentences of WikiText-2's test part, of the packaged text, or of a text of the user's, in its order.

    Raises:
        BadInput: The text cannot be read, a setting is no number, or no sentence is left.
        Unavailable: The registered text is not available.
    """
    chosen = with_defaults(SETTINGS, settings)
    least, most = (_number(chosen, name, 1) for name in ("shortest", "longest"))
    seed = _number(chosen, "drawn", 0)
    wanted = chosen["sentences"]
    count = None if wanted == EVERY else _number(chosen, "sentences", 1)
    about, corpus = _read(source, reading.get("encoding", ""))
    fitting, notes = _fitting(corpus, least, most)
    if not fitting:
        way_out = "ask for others with --set shortest=… and --set longest=…"
        reason = f"no sentence of {least:,} to {counted(most, 'words')} is left"
        raise BadInput(reason, way_out, file=corpus.name)
    if count is not None and count < len(fitting):
        picked = np.random.default_rng(seed).permutation(len(fitting))[:count]
        items = [fitting[i] for i in sorted(picked.tolist())]
    else:
        items = fitting
        if count is not None and count > len(fitting):
            notes.append(
                f"{counted(count, 'sentences', 'were')} requested; only {len(fitting):,} fit."
            )
    documents = {sentence.cluster for sentence in items}
    if len(documents) == 1:  # one document cannot be resampled, its sentences can
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
    """A data set that describes the text but holds no sentence yet, and the text itself."""
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
        (
            other,
            f"have fewer than {least:,} or more than {counted(most, 'words')}, and are left out too.",
        ),
        (again, "are there twice, and are asked about once."),
    )
    return list(fitting.values()), [f"{number:,} {text}" for number, text in notes if number]


def sample() -> Dataset[Sentence]:
    """Thirty sentences of the packaged text."""
    return replace(load(STARTER, settings={"sentences": "30"}), name="perplexity sample")


def _perplexity(rules: Sequence[str], *, pseudo: bool, meaning: Meaning) -> Measure:
    """The perplexity under causal rules, or the pseudo-perplexity under rules that hide tokens.

    Pseudo-likelihoods of different rules are different things, so those are compared under one rule only.
    """
    return Measure(
        "perplexity",
        perplexity.perplexity,
        ("logprob", "tokens_scored"),
        "",
        infer=perplexity.infer_perplexity,
        neutral=None,
        rules=tuple(rules),
        comparison=Comparison(
            perplexity.compare_perplexities,
            "perplexity_ratio",
            Meaning(f"Ratio of {'pseudo-' if pseudo else ''}perplexities", "ratio"),
            neutral=1.0,
            same_rule=pseudo,
        ),
        summary="exp of the mean negative log-probability of all tokens: the model is as uncertain "
        "as among that many equally likely tokens. At least 1; no value is neutral.",
        meaning=meaning,
    )


def _bits(rules: Sequence[str], *, pseudo: bool) -> Measure:
    """Bits per byte; sums of pseudo-likelihoods also depend on how many tokens there are to hide."""
    return Measure(
        "bits_per_byte",
        perplexity.bits_per_byte,
        ("logprob", "raw_bytes"),
        "bits",
        infer=perplexity.infer_bits,
        neutral=None,
        rules=tuple(rules),
        comparison=Comparison(
            perplexity.compare_pseudo_bits if pseudo else perplexity.compare_bits,
            meaning=Meaning("Difference of bits per byte", "difference"),
            reads=("tokens_scored",) if pseudo else (),
            same_rule=pseudo,
        ),
        summary="The same sum in bits, divided by the bytes of the text: it does not depend on the "
        "tokenisation. At least 0.",
        meaning=Meaning(
            "Bits per byte",
            role="cost",
            counts="sentences",
            better="lower",
            sentence="needs $value a byte over $n $counts",
            by_token=pseudo,
            least=0,
        ),
    )


PSEUDO_RULES = tuple(rule.name for rule in RULES if rule.name.startswith("pll"))
CAUSAL_RULES = tuple(rule.name for rule in RULES if rule.name not in PSEUDO_RULES)
MEASURES = (
    _perplexity(
        CAUSAL_RULES,
        pseudo=False,
        meaning=Meaning(
            "Perplexity",
            role="cost",
            counts="sentences",
            better="lower",
            sentence="has a perplexity of $value over $n $counts",
            by_token=True,
            least=1,
        ),
    ),
    _bits(CAUSAL_RULES, pseudo=False),
    _perplexity(
        PSEUDO_RULES,
        pseudo=True,
        meaning=Meaning(
            "Pseudo-perplexity",
            role="cost",
            counts="sentences",
            better="lower",
            sentence="has a pseudo-perplexity of $value over $n $counts",
            by_token=True,
            least=1,
        ),
    ),
    _bits(PSEUDO_RULES, pseudo=True),
)
VALIDITY = Validity(
    phenomenon="How well a model predicts held-out text: a cost of mitigation, not a bias.",
    confounds="Vocabulary, domain of the text, and whether the model has read it.",
    items="Wikipedia articles that editors rated as good (WikiText-2), or your text; nothing is "
    "labelled.",
    reuse="Reused: the set was made for word-level models of 2016.",
    contamination="WikiText-2 is from Wikipedia, which nearly every training corpus has: it is not held "
    "out for most models. Differences before and after a mitigation are affected less.",
    statistics="Intervals resample whole documents; `compare` is paired over the same sentences, and "
    "refuses other vocabularies.",
    errors="The records have the value of each sentence, and unknown tokens are counted.",
    argument="It is the loss that models are trained on. It does not say that answers stay useful.",
)
STUDY = Study(
    name="perplexity",
    title="Perplexity: how well a language model predicts sentences that people wrote",
    version="2",
    group="sentences",
    asks="How well is text predicted?",
    source="Salazar, Liang, Nguyen and Kirchhoff 2020, Masked Language Model Scoring, "
    "doi:10.18653/v1/2020.acl-main.240; bits per byte: Gao et al. 2021, The Pile, "
    "doi:10.48550/arXiv.2101.00027",
    measures_what="How well the model predicts the tokens of held-out text: a causal model from "
    "the text before them, a masked one from the text on both sides (pseudo-perplexity). Lower is "
    "better. Measured before and after on the same sentences, it shows what a mitigation cost.",
    not_what="It says nothing about bias. A perplexity refers to the model's own tokens: numbers "
    "of models with different vocabularies, or under different rules, are not comparable, and a "
    "pseudo-perplexity is never comparable with a perplexity. Text that a model was trained on is "
    "not held out, and many models have read Wikipedia.",
    load=load,
    sample=sample,
    rules=RULES,
    measures=MEASURES,
    data=(WIKITEXT, STARTER),
    settings=SETTINGS,
    validity=VALIDITY,
)
