"""What people said of the candidates of triples, read from a file in StereoSet's layout.

StereoSet's sentences were each labelled by five people (Nadeem et al. 2021, section 4.3,
doi:10.18653/v1/2021.acl-long.416): a stereotype, an anti-stereotype, or unrelated (the file also has
"related"). A triple was kept where at least three of them agreed with the label of each of its
candidates. Only what was kept is published, 83 % of what was written: agreement among the published
triples is therefore higher than it was among all.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tiltmeter.core.data.items import SIDES, TASKS
from tiltmeter.core.errors import Problem
from tiltmeter.data.files.rows import label_of
from tiltmeter.data.triples.triple_reading import LABELS
from tiltmeter.data.triples.triples import read_clusters

GOLD = tuple(sorted(LABELS, key=LABELS.__getitem__))
"""The published labels, in the order of SIDES."""
ANSWERS = (*GOLD, "related")
"""All labels that a person could give."""
NONE = "no human labels in this file; the authors' dev.json has them"


@dataclass(slots=True)
class Labels:
    """The labels that people gave in one file."""

    by_sentence: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """One label per person, by the sentence's own id as in `Triple.names`; only sentences with labels."""
    people: int = 0
    """How many people gave labels, where the file names them."""
    problems: list[Problem] = field(default_factory=list)
    """Labels that cannot be used, and were left out."""


def read_labels(path: str | Path, *, encoding: str = "") -> Labels:
    """The labels of a file in StereoSet's layout; none of a table, which has no place for them.

    A label that cannot be used is left out and becomes a problem; clusters and sentences that
    cannot be read at all are `read_triples`' to report, and are passed over here.

    Raises:
        BadInput: The file cannot be read.
    """
    path = Path(path)
    clusters = read_clusters(path, encoding)
    labels, people = Labels(), set[str]()
    for name, sentence, where in _sentences(clusters or {}, path.name):
        votes = sentence.get("labels")
        if votes is None:
            continue
        if not isinstance(votes, list):
            labels.problems.append(
                replace(where, reason="labels is not a list", way_out="give a list, or remove it")
            )
            continue
        if name in labels.by_sentence:
            reason = f"the sentence id {name!r} occurs twice; its second labels are not counted"
            labels.problems.append(replace(where, reason=reason, way_out="give each its own id"))
            continue
        answers, who = _answers(votes, where, labels.problems)
        people |= who
        if answers:
            labels.by_sentence[name] = answers
    labels.people = len(people)
    return labels


def _sentences(
    clusters: Mapping[str, Sequence[Any]], file: str
) -> Iterator[tuple[str, Mapping[str, Any], Problem]]:
    """Each sentence with its name, as `read_triples` gives it, and a problem that holds its place."""
    for task in TASKS:
        for number, cluster in enumerate(clusters.get(task, ()), start=1):
            sentences = cluster.get("sentences") if isinstance(cluster, dict) else None
            if not isinstance(sentences, list):
                continue
            triple = label_of(cluster.get("id")) or f"{task} {number}"
            for place, sentence in enumerate(sentences, start=1):
                if not isinstance(sentence, dict):
                    continue
                gold = sentence.get("gold_label")
                side = LABELS.get(gold) if isinstance(gold, str) else None
                if side is not None:
                    where = f"{file}, {task} {number}, sentence {place}"
                    name = label_of(sentence.get("id")) or f"{triple}/{SIDES[side]}"
                    yield name, sentence, Problem("", file=where, item=name)


def _answers(
    votes: Sequence[Any], where: Problem, problems: list[Problem]
) -> tuple[tuple[str, ...], set[str]]:
    """The labels that can be used, and who gave them; `problems` gets the others."""
    answers: list[str] = []
    who: set[str] = set()
    for number, vote in enumerate(votes, start=1):
        label = vote.get("label") if isinstance(vote, dict) else None
        plain = label.strip().lower().replace("_", "-") if isinstance(label, str) else ""
        person = label_of(vote.get("human_id")) if isinstance(vote, dict) else ""
        reason = ""
        if not isinstance(vote, dict):
            reason, way_out = "is not an object with label and human_id", "correct it, or remove it"
        elif plain not in ANSWERS:
            reason, way_out = f"says {label!r}", f"say one of {', '.join(ANSWERS)}"
        elif person and person in who:
            reason, way_out = "is the same person's as one before", "remove one of them"
        if reason:
            problem = replace(where, reason=f"label {number} {reason}", way_out=way_out)
            problems.append(problem)
            continue
        answers.append(plain)
        who |= {person} - {""}
    return tuple(answers), who
