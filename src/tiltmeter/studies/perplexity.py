"""Perplexity on held-out sentences: how well the model knows the language."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Unpack

from tiltmeter.core.conventions import with_defaults
from tiltmeter.core.items import Dataset, Sentence
from tiltmeter.core.measures import Comparison, Measure
from tiltmeter.core.results import Meaning
from tiltmeter.core.study import Reading, Source, Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.texts.held_out import STARTER, WIKITEXT, held_out
from tiltmeter.metrics import perplexity
from tiltmeter.scoring.sentences import RULES

WORDS = StudyWords.beside(__file__)

SETTINGS = WORDS.settings


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
            **WORDS["pseudo_perplexity" if pseudo else "perplexity"],
        ),
        Measure(
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
            **WORDS["bits_per_byte"],
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
    **WORDS.study,
    load=load,
    sample=sample,
    rules=RULES,
    measures=MEASURES,
    data=(WIKITEXT, STARTER),
    settings=SETTINGS,
)
