"""Groups × traits: which of two opposite traits a model associates with a group.

The agency–beliefs–communion model of stereotypes: 53 groups, 16 pairs of traits, 35 templates; or any
groups, traits and templates of the user's, in any language, from one TOML file.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Unpack

from tiltmeter.core.conventions import PAPER, with_defaults
from tiltmeter.core.items import Cell, Dataset
from tiltmeter.core.measures import CLUSTER, Measure
from tiltmeter.core.protocols import TellsPieces
from tiltmeter.core.study import Reading, Source, Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.files.toml_file import has_tables
from tiltmeter.data.groups import groups as data
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.groups.group_lists import Group, Template, TraitPair
from tiltmeter.metrics import traits
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.scoring.cells import margin_of
from tiltmeter.scoring.traits import BY_KIND_OF_PIECE, FIRST_PIECE_ONLY, RULES

WORDS = StudyWords.beside(__file__)


SETTINGS = WORDS.settings
CONVENTIONS = (
    PAPER,
    replace(
        WORDS.conventions[0],
        needs={"ilps_star": TellsPieces},
        quirks=(FIRST_PIECE_ONLY, BY_KIND_OF_PIECE),
    ),
    WORDS.conventions[1],
)

CELL = (("group", "pair"),)
OVER = ((), ("group",), ("domain",), ("dimension",), ("pair",), ("family",))
VIEWS = WORDS.views


_ASSOCIATION = Measure(
    "association",
    traits.association,
    ("left", "right"),
    "nats",
    0.0,
    infer=traits.infer_over_templates,
    over=CELL,
    comparison=None,  # two matrices are compared as a whole
    adjustment="Benjamini–Hochberg",
    **WORDS["association"],
)
MEASURES = (
    Measure(
        "rms_strength",
        traits.rms_strength,
        ("left", "right", "group", "pair", CLUSTER),
        "nats",
        0.0,
        infer=traits.infer_strength,
        over=OVER,
        comparison=None,  # two matrices are compared as a whole
        **WORDS["rms_strength"],
    ),
    Measure(
        "mean_strength",
        traits.mean_strength,
        ("left", "right", "group", "pair"),
        "nats",
        0.0,
        infer=infer_nothing,
        over=OVER,
        comparison=None,
        **WORDS["mean_strength"],
    ),
    _ASSOCIATION,
    *(
        replace(
            _ASSOCIATION,
            name=f"{side}_pole",
            metric=traits.pole,
            columns=(side,),
            **WORDS[f"{side}_pole"],
        )
        for side in ("left", "right")
    ),
)


def load(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[Cell]:
    """The packaged lists, or a TOML file of the user's."""
    chosen = with_defaults(SETTINGS, settings)
    margin_of(chosen)  # before anything is loaded
    return data.load_cells(source, chosen, encoding=reading.get("encoding", ""))


def sample() -> Dataset[Cell]:
    """Three groups, two pairs of traits, four templates: made up."""
    groups = tuple(
        Group(f"{name}s", {"singular": name, "plural": f"{name}s"}, "work")
        for name in ("sailor", "baker", "pianist")
    )
    pairs = tuple(
        TraitPair({"": (left,)}, {"": (right,)}, dimension=f"{left} - {right}")
        for left, right in (("slow", "quick"), ("gloomy", "cheerful"))
    )
    templates = tuple(
        Template({"": (text,)}, form=form, family=family)
        for text, form, family in (
            ("The {group} is {trait}.", "singular", "singular"),
            ("That {group} is {trait}.", "singular", "singular"),
            ("All {group} are {trait}.", "plural", "plural"),
            ("{group} are more {trait} than others.", "plural", "comparative"),
        )
    )
    file = GroupFile(
        name="group_traits sample", version="1", source="made up", licence="Apache-2.0", language="en",
        nouns={"singular": {"": ("person",)}, "plural": {"": ("people",)}},
        groups=groups, pairs=pairs, templates=templates,
    )  # fmt: skip
    return data.cells(file)


STUDY = Study(
    **WORDS.study,
    load=load,
    sample=sample,
    rules=RULES,
    measures=MEASURES,
    categories="domain",
    views=VIEWS,
    conventions=CONVENTIONS,
    settings=SETTINGS,
    data=GroupFile.packaged,
    reads=partial(has_tables, names=("pairs", "nouns")),
)
