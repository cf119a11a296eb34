"""Where registered sets of labelled texts keep text, label, groups and templates."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tiltmeter.core.labelled_items import ATTRIBUTE, GROUP
from tiltmeter.data.files.rows import label_of

HALF = 0.5


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """How a table is read."""

    file: str
    """The end of the file's registered path."""
    text: str
    label: str
    positive: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    """Plain names of labels that are codes."""
    at_least: float | None = None
    """Of a label that is a share of votes: from where it is the first of `positive`."""
    axes: Mapping[str, str] = field(default_factory=dict)
    """The axis of each column of groups."""
    id: str = "id"
    cluster: str = ""
    clusters: str = ""
    """What clusters are: "template"."""
    named: Callable[[str], tuple[str, str]] | None = None
    """From a text to the identity term in it and the attribute of that; "" for none."""

    def read_label(self, cells: Mapping[str, Any]) -> str:
        """The label of a row; "" for none."""
        found = label_of(cells.get(self.label))
        if self.at_least is None or not found:
            return self.names.get(found, found)
        try:
            return self.positive[0] if float(found) >= self.at_least else f"not {self.positive[0]}"
        except ValueError:
            return ""

    def read_groups(self, cells: Mapping[str, Any], text: str) -> dict[str, str]:
        """The value of each axis that the row has."""
        groups = {axis: label_of(cells.get(column)) for column, axis in self.axes.items()}
        if self.named is not None:
            term, attribute = self.named(text)
            groups |= {GROUP: term, ATTRIBUTE: attribute}
        return {axis: value for axis, value in groups.items() if value}

    def read_cluster(self, cells: Mapping[str, Any], text: str) -> str:
        """The template of the row; "" for none."""
        if self.named is not None:
            term, _ = self.named(text)
            return text.replace(term, "…", 1) if term else ""
        return label_of(cells.get(self.cluster)) if self.cluster else ""


TERMS: Mapping[str, Sequence[str]] = {
    "gender": ("female", "male", "nonbinary", "trans", "transgender"),
    "sexual orientation": (
        "bisexual", "gay", "heterosexual", "homosexual", "lesbian", "lgbt", "lgbtq", "queer", "straight",
    ),
    "religion": (
        "buddhist", "catholic", "christian", "jewish", "muslim", "protestant", "sikh", "taoist",
    ),
    "origin": (
        "african", "african american", "american", "asian", "black", "canadian", "chinese", "european",
        "hispanic", "indian", "japanese", "latina", "latino", "latinx", "mexican", "middle eastern",
        "white",
    ),
    "age": ("elderly", "middle aged", "millenial", "old", "older", "teenage", "young", "younger"),
    "disability": ("blind", "deaf", "paralyzed"),
}  # fmt: skip
"""The fifty identity terms of the templates, by what they are about; the sorting is ours."""
_ATTRIBUTE = {term: attribute for attribute, terms in TERMS.items() for term in terms}
_ANY = re.compile(rf"\b(?:{'|'.join(sorted(_ATTRIBUTE, key=len, reverse=True))})\b", re.IGNORECASE)


def identity_term(text: str) -> tuple[str, str]:
    """The last identity term of a template's text, and its attribute.

    >>> identity_term("Being african american is good"), identity_term("You are a kind artist")
    (('african american', 'origin'), ('', ''))
    """
    found = _ANY.findall(text)
    return (found[-1], _ATTRIBUTE[found[-1].lower()]) if found else ("", "")


def table_set(axes: Mapping[str, str], columns: Sequence[str]) -> LabelledSet:
    """A user's table: its columns of groups are axes, and `group` and `attribute` too."""
    own = {name: name for name in (GROUP, ATTRIBUTE) if name in columns}
    cluster = "cluster" if "cluster" in columns else ""
    return LabelledSet("", "text", "label", axes={**axes, **own}, cluster=cluster, clusters=cluster)


def _hatecheck(file: str) -> LabelledSet:
    return LabelledSet(
        file, "test_case", "label_gold", ("hateful",),
        axes={"functionality": "functionality", "target_ident": GROUP},
        id="mhc_case_id" if "cases_final" in file else "case_id", cluster="templ_id", clusters="template",
    )  # fmt: skip


SETS: Mapping[str, LabelledSet] = {
    "hatecheck": _hatecheck("test_suite_cases.csv"),
    **{
        f"hatecheck_{code}": _hatecheck(f"hatecheck_cases_final_{language}.csv")
        for code, language in (
            ("de", "german"), ("es", "spanish"), ("hi", "hindi"), ("zh", "mandarin"),
        )
    },
    "identity_templates": LabelledSet(
        "en_sentence_templates.csv", "phrase", "toxicity", ("toxic",), named=identity_term,
        axes={"template": "template"}, clusters="template",
    ),
    "davidson": LabelledSet(
        "labeled_data.csv", "tweet", "class", ("hate speech",), id="",
        names={"0": "hate speech", "1": "offensive language", "2": "neither"},
    ),
    "edos": LabelledSet(
        "edos_labelled_aggregated.csv", "text", "label_sexist", ("sexist",),
        axes={"split": "split"}, id="rewire_id",
    ),
    "ethos": LabelledSet(
        "Ethos_Dataset_Binary.csv", "comment", "isHate", ("hate",), at_least=HALF,
    ),
}  # fmt: skip
"""By the name of the registered set."""
