"""Perplexity on held-out sentences: how well the model knows the language."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Unpack

from tiltmeter.core.items import Dataset, Sentence
from tiltmeter.core.results import Meaning
from tiltmeter.core.study import Comparison, Measure, Reading, Setting, Source, Study, with_defaults
from tiltmeter.data.texts.held_out import STARTER, WIKITEXT, held_out
from tiltmeter.metrics import perplexity
from tiltmeter.scoring.sentences import RULES

SETTINGS = (
    Setting(
        "sentences",
        "500",
        "The number of sentences, drawn at random from those of suitable length; or all.",
    ),
    Setting("shortest", "5", "The fewest words in a sentence: shorter ones are mostly headings."),
    Setting("longest", "60", "The most words in a sentence."),
    Setting("drawn", "0", "A number; another one draws other sentences."),
)
PERPLEXITY = Meaning(
    "Perplexity",
    role="cost",
    counts="sentences",
    better="lower",
    least=1,
    sentence="has a perplexity of $value over $n $counts",
)
PSEUDO = replace(
    PERPLEXITY,
    title="Pseudo-perplexity",
    sentence="has a pseudo-perplexity of $value over $n $counts",
)


BITS = Meaning(
    "Bits per byte",
    role="cost",
    counts="sentences",
    better="lower",
    least=0,
    sentence="needs $value a byte over $n $counts",
)


def _measures(rules: Sequence[str], *, pseudo: bool) -> tuple[Measure, Measure]:
    """Both measures under some rules; pseudo-likelihoods of different rules are different things."""
    return (
        Measure(
            "perplexity",
            perplexity.perplexity,
            ("logprob", "tokens_scored"),
            "",
            infer=perplexity.infer_perplexity,
            neutral=None,
            summary="exp of the mean negative log-probability of all tokens: the model is as uncertain as "
            "among that many equally likely tokens. At least 1; no value is neutral.",
            meaning=PSEUDO if pseudo else PERPLEXITY,
            rules=tuple(rules),
            comparison=Comparison(
                perplexity.compare_perplexities,
                "perplexity_ratio",
                Meaning(
                    "Ratio of pseudo-perplexities" if pseudo else "Ratio of perplexities", "ratio"
                ),
                neutral=1.0,
                same_rule=pseudo,
            ),
        ),
        Measure(
            "bits_per_byte",
            perplexity.bits_per_byte,
            ("logprob", "raw_bytes"),
            "bits",
            infer=perplexity.infer_bits,
            neutral=None,
            summary="The same sum in bits, divided by the bytes of the text: it does not depend on the "
            "tokenisation. At least 0.",
            meaning=BITS,
            rules=tuple(rules),
            comparison=Comparison(
                perplexity.compare_pseudo_bits if pseudo else perplexity.compare_bits,
                meaning=Meaning("Difference of bits per byte", "difference"),
                reads=("tokens_scored",) if pseudo else (),
                same_rule=pseudo,
            ),
        ),
    )


PSEUDO_RULES = tuple(rule.name for rule in RULES if rule.name.startswith("pll"))
MEASURES = (
    *_measures([r.name for r in RULES if r.name not in PSEUDO_RULES], pseudo=False),
    *_measures(PSEUDO_RULES, pseudo=True),
)


def load(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[Sentence]:
    """Sentences of WikiText-2's test part, of the packaged text, or of a text of the user's."""
    chosen = with_defaults(SETTINGS, settings)
    return held_out(source, chosen, encoding=reading.get("encoding", ""))


def sample() -> Dataset[Sentence]:
    """Thirty sentences of the packaged text."""
    chosen = with_defaults(SETTINGS, {"sentences": "30"})
    return replace(held_out(STARTER, chosen), name="perplexity sample")


STUDY = Study(
    name="perplexity",
    title="Perplexity: how well a language model predicts sentences that people wrote",
    version="2",
    source="Salazar, Liang, Nguyen and Kirchhoff 2020, Masked Language Model Scoring, "
    "doi:10.18653/v1/2020.acl-main.240; bits per byte: Gao et al. 2021, The Pile, "
    "doi:10.48550/arXiv.2101.00027",
    measures_what=(
        "How well the model predicts the tokens of held-out text: a causal model from the text before "
        "them, a masked one from the text on both sides (pseudo-perplexity). Lower is better. Measured "
        "before and after on the same sentences, it shows what a mitigation cost."
    ),
    not_what=(
        "It says nothing about bias. A perplexity refers to the model's own tokens: numbers of models with "
        "different vocabularies, or under different rules, are not comparable, and a pseudo-perplexity is "
        "never comparable with a perplexity. Text that a model was trained on is not held out, and "
        "many models have read Wikipedia."
    ),
    load=load,
    sample=sample,
    rules=RULES,
    measures=MEASURES,
    data=(WIKITEXT, STARTER),
    settings=SETTINGS,
)
