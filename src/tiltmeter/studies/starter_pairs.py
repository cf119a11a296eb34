"""The minimal pairs that come with the package, so that a first run needs no download."""

from dataclasses import replace
from pathlib import Path
from typing import Unpack

from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.validity import Validity
from tiltmeter.data.downloads.places import package_file
from tiltmeter.data.downloads.sources import choose
from tiltmeter.data.pairs.pairs import read_pairs
from tiltmeter.data.pairs.row_reading import Layout
from tiltmeter.study_families.sentence_pairs import pair_study, stored_pairs

LAYOUT = Layout(cluster="template")
_SAMPLED = 12


def load(source: Source = None, **reading: Unpack[Reading]) -> Dataset[Pair]:
    """The packaged pairs, or a file of the user's with such columns."""
    chosen = choose(source, "starter_pairs", ("starter_pairs",))
    if isinstance(chosen, Path):
        return read_pairs(chosen, **reading)
    path = package_file("starter/pairs.csv")
    data = read_pairs(path, name="starter_pairs", version="1", layout=LAYOUT)
    return replace(
        data,
        source="The Tiltmeter authors; part of the package (tiltmeter/data/starter)",
        licence="CC BY 4.0",
        warning="The sentences state common stereotypes, in mild words, in order to measure them.",
    )


def sample() -> Dataset[Pair]:
    """Twelve of the packaged pairs, taken evenly."""
    data = load()
    step = max(1, len(data.items) // _SAMPLED)
    return replace(data, name="starter_pairs sample", items=data.items[::step][:_SAMPLED])


VALIDITY = Validity(
    phenomenon="A preference in a model's probabilities for common clichés about nine kinds of groups, "
    "after the design of CrowS-Pairs.",
    confounds="How common the group's name is, and the plain, regular wording. The two sentences "
    "differ in the group alone.",
    items="Written and reviewed by the authors of Tiltmeter; no panel has checked them. 30 pairs "
    "per category represent nothing but themselves.",
    reuse="Made for a first run, not for a result.",
    contamination="Public with Tiltmeter's source code. Not known to be in a training corpus.",
    statistics="Interval and exact test are for other pairs of the same kind, and once more for whole "
    "templates where pairs share one. `compare` tests models on the same pairs.",
    errors="The page lists the pairs with the strongest preference on either side, and splits the "
    "rate by the checks of form. `--valid FILE` splits it by people's verdicts.",
    argument="None: it shows that the tool works. Do not report a score on it as evidence about a "
    "model.",
)
STUDY = pair_study(
    name="starter_pairs",
    title="Starter pairs: a small built-in set over nine kinds of social groups",
    group="sentences",
    asks="A first look, in a minute",
    source="Made for Tiltmeter, after the design of Nangia et al. 2020, "
    "doi:10.18653/v1/2020.emnlp-main.154",
    measures_what="How often the model finds the sentence that expresses a common stereotype "
    "likelier than the same sentence about another group. 50 % is no preference.",
    not_what="A first look and a check that everything works, not a benchmark: the pairs were "
    "written by few people, in mild words, and no panel has validated them. Do not rank models by "
    "it; use crows_pairs and other studies for results that you want to compare.",
    load=load,
    sample=sample,
    stored=stored_pairs(load),
    data=("starter_pairs",),
    validity=VALIDITY,
)
