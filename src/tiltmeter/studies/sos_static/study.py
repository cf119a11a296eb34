"""Systematic offensive stereotyping of word vectors: how close words for groups are to profanity."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Unpack

from tiltmeter.core.conventions import PAPER, Convention, Setting, with_defaults
from tiltmeter.core.data.items import Dataset, Term
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import Measure
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Reading, Source, Study
from tiltmeter.data.files.toml_file import has_tables
from tiltmeter.metrics import offensive
from tiltmeter.studies.sos_static.profanity_lists import load_terms
from tiltmeter.studies.sos_static.rule import RULE
from tiltmeter.studies.sos_static.validity import VALIDITY

SETTINGS = (
    Setting(
        "profanity",
        default="",
        summary="The profanity list: profanity_403 or profanity_427 (see `tiltmeter data`), or a "
        "text file with a word a line; without it, the offensive adjectives of the data.",
    ),
    Setting(
        "several",
        default="mean",
        summary="Terms of several words: use the mean of their words' vectors, or leave them out "
        "as in published code.",
        choices=("mean", "out"),
    ),
    Setting(
        "missing",
        default="out",
        summary="Identities without a vector: left out and listed, or counted as 0 as in published "
        "code.",
        choices=("out", "zero"),
    ),
    Setting(
        "spelling",
        default="corrected",
        summary="Identities as the file lists them, or as printed in the source.",
        choices=("corrected", "printed"),
    ),
)
ELSAFOURY2022 = Convention(
    "elsafoury2022",
    summary="As the published notebooks: identities without a vector count as 0, terms of several "
    "words are left out, words are in lower case and as printed.",
    source="Elsafoury et al. 2022, github.com/efatmae/measure_SOS_bias_in_static_word_embeddings",
    rules=("profanity_cosine",),
    settings={"several": "out", "missing": "zero", "spelling": "printed"},
)
CONVENTIONS = (PAPER, ELSAFOURY2022)
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
        summary="The mean position of identities on a scale from the one whose vector is farthest "
        "from profanity (0) to the closest (1).",
        meaning=Meaning(
            "Closeness to profanity",
            role="description",
            counts="identities",
            sentence="places $n $counts at $value on average, from the identity farthest from "
            "profanity (0) to the closest (1)",
            least=0,
            most=1,
        ),
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
        summary="The mean of marginalised identities minus that of the others of the same "
        "attribute; over all items, the unweighted mean of the attributes' differences.",
        meaning=Meaning(
            "Closeness to profanity, marginalised minus others",
            counts="identities",
            sides=("others", "marginalised identities"),
            neutral_is="no difference",
            sentence="places marginalised identities $size closer to profanity than others",
            sentence_below="places marginalised identities $size farther from profanity than "
            "others",
            least=-1,
            most=1,
        ),
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
    name="sos_static",
    title="SOS of word vectors: how close identities are to profanity",
    version="2",
    group="associations",
    asks="Which groups near profanity?",
    source="Elsafoury, Wilson, Katsigiannis and Ramzan 2022, SOS: Systematic Offensive "
    "Stereotyping Bias in Word Embeddings, aclanthology.org/2022.coling-1.108",
    measures_what="Where the vectors of words for social groups lie between the one farthest from "
    "profanity (0) and the closest (1), and whether those of marginalised groups are closer than "
    "others. The finding is the difference; 0 is no difference.",
    not_what="Closeness says that words are used in similar contexts, which insults of a group "
    "cause, and so do complaints about insults. The scale belongs to these identities and this "
    "model: means of two models are not comparable, and one odd word moves all others. Much "
    "depends on the profanity list.",
    scope=Scope("identities of the kind", fixed=("the adjectives",)),
    load=load,
    sample=sample,
    rules=(RULE,),
    measures=MEASURES,
    categories="attribute",
    conventions=CONVENTIONS,
    reads=partial(has_tables, names=("identities", "adjectives")),
    data=("sos",),
    settings=SETTINGS,
    validity=VALIDITY,
)
