"""Groups × traits: which of two opposite traits a model associates with a group.

The agency–beliefs–communion model of stereotypes: 53 groups, 16 pairs of traits, 35 templates; or any
groups, traits and templates of the user's, in any language, from one TOML file.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Unpack

from tiltmeter.core.conventions import PAPER, Convention, Setting, with_defaults
from tiltmeter.core.data.items import Cell, Dataset
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import CLUSTER, Measure
from tiltmeter.core.model.protocols import TellsPieces
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Reading, Source, Study
from tiltmeter.core.study_views import CrossedRows, Matrix, MatrixDomains, MatrixSides
from tiltmeter.data.files.toml_file import has_tables
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.groups.group_lists import Group, Template, TraitPair
from tiltmeter.metrics import traits
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.studies.group_traits.cell_scoring import margin_of
from tiltmeter.studies.group_traits.cells import cells, load_cells
from tiltmeter.studies.group_traits.rule import BY_KIND_OF_PIECE, PIECE, RULES
from tiltmeter.studies.group_traits.validity import VALIDITY


def load(
    source: Source = None, *, settings: Mapping[str, str] | None = None, **reading: Unpack[Reading]
) -> Dataset[Cell]:
    """The packaged lists, or a TOML file of the user's."""
    chosen = with_defaults(SETTINGS, settings)
    margin_of(chosen)  # before anything is loaded
    return load_cells(source, chosen, encoding=reading.get("encoding", ""))


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
    return cells(file)


SETTINGS = (
    Setting("groups", default="", summary="Only these groups, separated by commas (default: all)."),
    Setting(
        "templates",
        default="",
        summary="Only these templates, by name, separated by semicolons (default: all).",
    ),
    Setting(
        "words",
        default="paper",
        summary="Each trait by its own name, or with the file's other adjectives for it.",
        choices=("paper", "all"),
    ),
    Setting(
        "average",
        default="mean",
        summary="How the scores of several adjectives for a trait are averaged.",
        choices=("mean", "median"),
    ),
    Setting(
        "prior",
        default="mask",
        summary="What replaces the group in the sentence without one: one mask, or a neutral noun "
        "(person, people). Causal and sequence-to-sequence models always get the noun.",
        choices=("mask", "noun"),
    ),
    Setting(
        "margin",
        default="1",
        summary="SeT: the margin by which the trait must lead, a number above 0.",
    ),
    Setting(
        "bias",
        default="changed",
        summary="SeT: whether the last layer's bias may change together with its weights.",
        choices=("changed", "kept"),
    ),
    Setting(
        "pieces",
        default="largest",
        summary="SeT, for a trait of several pieces: the largest change, or as in published code "
        "ln(1 − change), the lowest of the pieces (code_min) or their sum (code_sum).",
        choices=("largest", "code_min", "code_sum"),
    ),
    Setting(
        "article",
        default="agree",
        summary="English: “An elderly person”, or “A” before every group as the published script "
        "writes.",
        choices=("agree", "a"),
    ),
    Setting(
        "cross",
        default="no",
        summary="Single groups (no), intersections of two groups in both orders (only), or both.",
        choices=("no", "only", "both"),
    ),
)
CAO2022_CODE = Convention(
    "cao2022_code",
    summary="As the published script: person or people in the group's place, the median over up to "
    "four adjectives per trait, no agreement of the article; ILPS uses only a trait's first piece; "
    "ILPS* normalises the first piece over all pieces that begin a word, later ones over all that "
    "do not; SeT is the difference of ln(1 − change), using a trait's lowest piece.",
    source="github.com/TristaCao/U.S_Stereotypes",
    rules=("set", "ilps_star", "ilps"),
    settings={
        "prior": "noun",
        "words": "all",
        "average": "median",
        "article": "a",
        "pieces": "code_min",
        PIECE.name: "first",
    },
    needs={"ilps_star": TellsPieces},
    quirks=(BY_KIND_OF_PIECE,),
)
CAO2023_CODE = Convention(
    "cao2023_code",
    summary="As the later script on stereotype leakage: person or people in the group's place, no "
    "agreement of the article; SeT is the difference of ln(1 − change), summed over a trait's "
    "pieces.",
    source="github.com/AnnaSou/Stereotype_Leakage",
    rules=("set",),
    settings={"prior": "noun", "article": "a", "pieces": "code_sum"},
)
CONVENTIONS = (PAPER, CAO2022_CODE, CAO2023_CODE)

CELL = (("group", "pair"),)
OVER = ((), ("group",), ("domain",), ("dimension",), ("pair",), ("family",))

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
    summary="A cell's score: right trait minus left trait, averaged over templates. Above 0 the "
    "group is closer to the right trait, below 0 to the left one.",
    meaning=Meaning(
        "Association",
        counts="templates",
        sides=("left trait", "right trait"),
        neutral_is="no leaning",
    ),
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
        summary="The root mean square over cells (a group and a pair of traits) of the "
        "association, in either direction. It is made from products of different templates, so "
        "that variation over templates does not make it higher; a value below 0 is none.",
        meaning=Meaning(
            "Root mean square strength of association",
            "rms strength",
            counts="scores",
            neutral_is="no association",
            sentence="associates groups with traits by $value (root mean square), in either "
            "direction, over all pairs of traits",
        ),
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
        summary="The mean over cells of the absolute association. Variation over templates alone "
        "makes it higher, by how much depends on how many cells lean, so it has no interval: see "
        "rms_strength.",
        meaning=Meaning(
            "Mean strength of association",
            role="description",
            counts="scores",
            neutral_is="no association",
            magnitude=True,
        ),
    ),
    _ASSOCIATION,
    # The two poles are shown beside the association and computed like it, from one side alone.
    *(
        replace(
            _ASSOCIATION,
            name=f"{side}_pole",
            metric=traits.pole,
            columns=(side,),
            summary=f"s(group, {side} trait), averaged over templates.",
            meaning=Meaning(
                f"Score of the {side} trait",
                role="description",
                counts="templates",
                neutral_is="no leaning",
            ),
        )
        for side in ("left", "right")
    ),
)
STUDY = Study(
    name="group_traits",
    title="Groups and traits: which of two opposite traits the model associates with a group",
    version="2",
    group="people",
    asks="Which traits for which group?",
    source="Cao, Sotnikova, Daumé III, Rudinger and Zou 2022, Theory-Grounded Measurement of U.S. "
    "Social Stereotypes in English Language Models, doi:10.18653/v1/2022.naacl-main.92",
    measures_what="Which of two opposite traits (cold or warm, poor or wealthy, …) the model "
    "associates with a group, over many wordings. Each trait is compared with the same sentence "
    "without the group, so that words that are likely anyway do not win. 0 is no leaning.",
    not_what="It does not say what the model writes, nor that a leaning is false or harmful: "
    "compare it with what people think, with tiltmeter analyse compare-people. Templates are made up and "
    "short, and traits are abstract. Numbers of different rules, and of models with different "
    "vocabularies, are not on one scale.",
    scope=Scope(fixed=("the groups", "the traits"), left_out="template"),
    load=load,
    sample=sample,
    rules=RULES,
    measures=MEASURES,
    categories="domain",
    views=(
        Matrix(
            measure="association",
            rows="group",
            columns="pair",
            layers="template",
            domains=MatrixDomains(rows="domain", columns="dimension", layers="family"),
            sides=MatrixSides(scores=("left", "right"), measures=("left_pole", "right_pole")),
            crossed=CrossedRows(
                components=("first", "second"),
                run_by="run it with --set cross=both, or once with cross=no and once with "
                "cross=only",
            ),
            called=("groups", "pairs of traits"),
            strength="rms_strength",
            selects=("groups", "templates", "cross"),
        ),
    ),
    conventions=CONVENTIONS,
    settings=SETTINGS,
    data=GroupFile.packaged,
    reads=partial(has_tables, names=("pairs", "nouns")),
    validity=VALIDITY,
)
