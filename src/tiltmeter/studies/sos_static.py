"""Systematic offensive stereotyping of word vectors: how close words for groups are to profanity."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Unpack

from tiltmeter.core.conventions import PAPER, with_defaults
from tiltmeter.core.items import Dataset, Term
from tiltmeter.core.measures import Measure
from tiltmeter.core.study import Reading, Source, Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.files.toml_file import has_tables
from tiltmeter.data.groups.offensive import load_terms
from tiltmeter.metrics import offensive
from tiltmeter.scoring import profanity

WORDS = StudyWords.beside(__file__)

SETTINGS = WORDS.settings
CONVENTIONS = (PAPER, *WORDS.conventions)
MEASURES = (
    Measure(
        "static_sos",
        offensive.static_sos,
        ("sos",),
        "",
        infer=offensive.infer_static_sos,
        neutral=None,
        over=((), ("attribute",), ("attribute", "status"), ("identity",)),
        comparison=None,
        **WORDS["static_sos"],
    ),
    Measure(
        "static_sos_gap",
        offensive.static_sos_gap,
        ("sos", "status", "attribute"),
        "",
        infer=offensive.infer_static_sos_gap,
        neutral=0,
        over=((), ("attribute",)),
        comparison=None,
        **WORDS["static_sos_gap"],
    ),
)


def load(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[Term]:
    """The identities of the packaged lists, or of a TOML file of the user's."""
    chosen = with_defaults(SETTINGS, settings)
    return load_terms(source, chosen, encoding=reading.get("encoding", ""))


def sample() -> Dataset[Term]:
    """Nine of the packaged identities."""
    chosen = ("woman", "mother", "man", "father", "Asian", "black", "white", "Dutch", "deaf")
    data = load()
    some = [term for term in data.items if term.text in chosen]
    return replace(data, name="sos_static sample", items=some)


STUDY = Study(
    **WORDS.study,
    load=load,
    sample=sample,
    rules=profanity.RULES,
    measures=MEASURES,
    categories="attribute",
    conventions=CONVENTIONS,
    reads=partial(has_tables, names=("identities", "adjectives")),
    data=("sos",),
    settings=SETTINGS,
)
