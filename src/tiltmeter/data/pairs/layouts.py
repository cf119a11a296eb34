"""Which column holds what, in files of pairs: the user's, and the published ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

GROUP_COLUMNS: tuple[str, ...] = (
    "bias_type",
    "language",
    "occupation",
    "target",
    "domain",
    "template",
    "gender",
    "type",
    "split",
    "answer",
)
"""Columns that become group axes of the same name; so does every column `group_…`, without the prefix."""


def axes_of(columns: Sequence[str]) -> dict[str, str]:
    """The columns that are group axes, and the axes' names.

    >>> axes_of(["sent_more", "bias_type", "group_region", "note"])
    {'bias_type': 'bias_type', 'group_region': 'region'}
    """
    axes = {name: name for name in columns if name in GROUP_COLUMNS}
    for name in columns:
        axis = name.removeprefix("group_")
        if axis not in {name, "", "check", "direction"} and axis not in axes.values():
            axes[name] = axis
    return axes


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of one kind of file. The defaults are those of CrowS-Pairs and of users' files."""

    more: str = "sent_more"
    less: str = "sent_less"
    direction: tuple[str, ...] = ("stereo_antistereo", "direction")
    """The first of these that is there says "stereo" or "antistereo"."""
    ids: tuple[str, ...] = ("id", "")
    """The first of these that is there names the pair, else the row's index from 0 does. "" is a
    column without a name, as the published files have it."""
    cluster: str = "cluster"
    """The column, if it is there, that says what pairs of one origin have in common: a writer, a
    template. Intervals by clusters allow for it."""


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """How one published file is read, and what is known to be wrong with it."""

    file: str
    layout: Layout = Layout()
    encoding: str = ""
    clusters: str = ""
    known_bad: frozenset[str] = frozenset()
    """Ids of rows that have no defined score: left out, counted and listed on every run."""
    notes: tuple[str, ...] = ()


_GENDER_ONLY = Layout(more="stereotype", less="anti-stereotype", ids=("id",))
_AUTRE = "The category 'autre' is the authors' word for pairs of none of the nine categories."

PUBLISHED: Mapping[str, PublishedFile] = MappingProxyType(
    {
        "crows_pairs": PublishedFile(
            "crows_pairs_anonymized.csv", Layout(cluster="anon_writer"), clusters="writer"
        ),
        "crows_pairs_revised_en": PublishedFile(
            "crows_pairs_EN_revised+210.csv",
            notes=("The sent_less of pair 1310 is in French as published; it is kept.", _AUTRE),
        ),
        "crows_pairs_fr": PublishedFile(
            "crows_pairs_FR_languagearc_contribution+210.csv",
            known_bad=frozenset({"59", "129", "379", "388"}),
            notes=(_AUTRE,),
        ),
        "crows_pairs_nl": PublishedFile("crows_dutch.csv", encoding="mac_roman"),
        "crows_pairs_ja": PublishedFile("japanese.json", _GENDER_ONLY),
        "crows_pairs_ru": PublishedFile("russian.json", _GENDER_ONLY),
        "crows_pairs_it": PublishedFile(
            "cp_it.csv", Layout(ids=("index",), cluster="anon_writer"), clusters="writer"
        ),
    }
)
