"""What readers see of judgments: answers in words, shares of a hypothesis, what a group evokes."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tiltmeter.analyses.annotations.hypothesis_judgments import HypothesisJudgment
from tiltmeter.analyses.annotations.judgment_shares import SHARES
from tiltmeter.core.records import Record
from tiltmeter.derived.keywords import written_keywords

JUDGMENT, HYPOTHESIS, ASSOCIATIONS = "judgment", "hypothesis", "associations"
"""The kinds of records that the analysis keeps."""
ANSWER = "{}?"
"""The name of the text that gives the answer to a question in words."""
EVOKED = ANSWER.format("evoked")
DEGREES = ("yes", "maybe yes", "not sure", "maybe no", "no")
WORDS = {
    "sentiment": ("positive", "maybe positive", "neutral", "maybe negative", "negative"),
    "stereotype": ("yes", "yes", "maybe", "no", "no"),
    "anti-stereotype": ("yes", "yes", "maybe", "no", "no"),
}
"""The codes 1 to 5 in words, by question; DEGREES for all others."""
_BETWEEN = re.compile(r"[,;/\n.]+|\band\b")


def judgment_records(
    rows: Sequence[HypothesisJudgment], counted: Sequence[HypothesisJudgment]
) -> list[Record]:
    """A record per judgment, one per hypothesis with its shares, and one per group with its associations.

    Args:
        rows: Judgments on one scale.
        counted: The judgments that shares are computed from.
    """
    return [*map(_judgment, rows), *_hypotheses(counted), *_associations(rows)]


def associated(text: str) -> list[str]:
    """The associations that a free text names, in lower case, each once.

    >>> associated("Poor, sad and needy; poor")
    ['poor', 'sad', 'needy']
    """
    named = (" ".join(part.split()).casefold() for part in _BETWEEN.split(text))
    return list(dict.fromkeys(name for name in named if name))


def _judgment(row: HypothesisJudgment) -> Record:
    words = {
        ANSWER.format(question): WORDS.get(question, DEGREES)[int(code) - 1]
        for question, code in row.answers.items()
    }
    given = {EVOKED: row.association} if row.association else {}
    places = {**_places(row), "annotator": row.annotator}
    return Record(
        row.item, row.answers, places, texts=_texts(row) | words | given, kind=JUDGMENT,
    )  # fmt: skip


def _hypotheses(rows: Sequence[HypothesisJudgment]) -> Iterator[Record]:
    judged: dict[tuple[str, str], list[HypothesisJudgment]] = {}
    for row in rows:
        judged.setdefault(row.hypothesis, []).append(row)
    for judgments in judged.values():
        scores = {"judgments": float(len(judgments))}
        for share, flag in SHARES.items():
            if hits := [hit for row in judgments if (hit := flag(row)) is not None]:
                scores[share.name] = 100 * sum(hits) / len(hits)
        first = judgments[0]
        yield Record(first.item, scores, _places(first), texts=_texts(first), kind=HYPOTHESIS)


def _associations(rows: Sequence[HypothesisJudgment]) -> Iterator[Record]:
    """What annotators associate with each group and how often, and the words that stand out there."""
    texts: dict[str, list[Record]] = {}
    for row in rows:
        if row.association and row.group:
            given = _texts(row) | {EVOKED: row.association}
            texts.setdefault(row.group, []).append(Record(row.item, {}, _places(row), texts=given))
    every = [record for records in texts.values() for record in records]
    keywords = written_keywords(every, "group", asked="premise", written=EVOKED)
    for group, records in sorted(texts.items()):
        counts = Counter(name for r in records for name in associated(r.texts[EVOKED]))
        yield Record(
            group,
            {"answers": float(len(records)), "different": float(len(counts))},
            {axis: records[0].groups[axis] for axis in ("domain", "group")},
            texts={
                "associations": _listed(counts.most_common()),
                "keywords": _listed((k.word, k.count) for k in keywords.get(group, ())),
            },
            kind=ASSOCIATIONS,
        )


def _listed(counts: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name} ({count:,})" for name, count in counts)


def _places(row: HypothesisJudgment) -> dict[str, str]:
    axes = ("generator", "situation", "domain", "group")
    places = {axis: getattr(row, axis) for axis in axes} | {"item": row.id}
    return {axis: value for axis, value in places.items() if value}


def _texts(row: HypothesisJudgment) -> dict[str, str]:
    premise, hypothesis = row.hypothesis
    return {"premise": premise, "hypothesis": " ".join(hypothesis.split())}
