"""SEAT: association between sets of sentences."""

from collections.abc import Mapping
from pathlib import Path

from tiltmeter.core.items import Dataset, Target
from tiltmeter.core.study import Study
from tiltmeter.data.files.file_kinds import has_tests
from tiltmeter.scoring.embedding import RULES
from tiltmeter.studies._association import (
    CONVENTIONS,
    MAY,
    MEASURES,
    TESTS,
    load_tests,
    named_tests,
    sample_of,
)

NAME, RELIGION, STARTER = "seat", "seat_religion", "starter_sentences"


def load(
    source: str | Path | None = None,
    *,
    skip_invalid: bool = False,
    encoding: str = "",
    settings: Mapping[str, str] | None = None,
) -> Dataset[Target]:
    """The published tests of sentences, the packaged ones, or those of a file, folder or archive.

    Without a source both published sets: those of May et al. 2019, and the four on religion that Meade
    et al. 2022 added.
    """
    return load_tests(
        source, (NAME, RELIGION), STARTER,
        skip_invalid=skip_invalid, encoding=encoding, tests=named_tests(settings),
    )  # fmt: skip


def sample() -> Dataset[Target]:
    """Five made-up tests, six sentences a set."""
    return sample_of(STARTER)


STUDY = Study(
    name=NAME,
    title="SEAT: association between sets of sentences",
    version="2",
    source=f"{MAY}; Meade, Poole-Dayan and Reddy 2022, An Empirical Survey of the Effectiveness of "
    "Debiasing Techniques for Pre-trained Language Models, doi:10.18653/v1/2022.acl-long.132",
    measures_what=(
        "Whether sentences about one group (X) are closer to sentences about some attributes (A) than "
        "about others (B), more so than sentences about another group (Y) are. Closeness is the cosine "
        "between vectors of sentences. The effect size counts the difference in standard deviations: 0 "
        "is no difference, and the largest possible value is about 2."
    ),
    not_what=(
        "It does not show what a model does with its vectors: association in vectors and behaviour in a "
        "task need not go together. The sentences are bare templates (This is …), so vectors may reflect "
        "the template more than the group; the authors found no effect even where people show one, and "
        "caution that this proves nothing. Effect sizes of different tests, poolings or models are not "
        "comparable. Sentences about one word are not independent: use the interval by words."
    ),
    load=load,
    sample=sample,
    rules=RULES,
    measures=MEASURES,
    conventions=CONVENTIONS,
    settings=(TESTS,),
    reads=has_tests,
    data=(NAME, RELIGION, STARTER),
)
