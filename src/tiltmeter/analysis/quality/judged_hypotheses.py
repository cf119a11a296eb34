"""What people said about generated hypotheses: shares, agreement, scales; answers in words.

Under the convention `harmonised` all judgments count, after all annotators were given one scale; under
`sotnikova2021` the codes are as published, and each hypothesis counts once, with the last judgment in the
files.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tiltmeter.analysis.quality.keywords import written_keywords
from tiltmeter.core.quantity import Quantity, computed, quantities_beside
from tiltmeter.core.results import Estimate, Inference, Record
from tiltmeter.core.types import Array, Groups
from tiltmeter.data.people.inference_annotations import (
    MAYBE,
    NO,
    QUESTIONS,
    YES,
    HypothesisJudgment,
    HypothesisJudgments,
    harmonised,
)
from tiltmeter.stats.agreement import Level, alpha_inference, krippendorff_alpha
from tiltmeter.stats.gwet import gwet_ac1, gwet_inference
from tiltmeter.stats.intervals import wilson_clustered
from tiltmeter.stats.percent_agreement import (
    draws_agree,
    draws_inference,
    m_of_n_agree,
    m_of_n_inference,
)
from tiltmeter.stats.scale_check import scale_check

HARMONISED, PUBLISHED = "harmonised", "sotnikova2021"
CONVENTIONS = (HARMONISED, PUBLISHED)
AXES = (("domain",), ("generator",), ("domain", "group"), ("situation",))
PANEL = 4
"""Annotators whose answers are compared."""
DRAWN = 3
"""Answers about one hypothesis that are drawn and compared."""
REVERSED = "reversed"
"""The verdict on a scale that is turned round."""
NUMBERS = quantities_beside(__file__)
ILLEGITIMATE = NUMBERS["not_valid_or_not_plausible"]
IDENTITY = NUMBERS["based_on_identity"]
STEREOTYPE = NUMBERS["stereotype_yes_or_maybe"]
NEGATIVE_NOT_NEUTRAL = NUMBERS["negative_of_those_not_neutral"]
ALL_FOUR = NUMBERS["all_four"]
THREE = NUMBERS["three"]
PAIR = NUMBERS["pair"]
ALPHA = NUMBERS["alpha"]
AC1 = NUMBERS["ac1"]
SCALE = NUMBERS["scale_r"]

Flag = Callable[[HypothesisJudgment], bool | None]
"""Whether a judgment counts as a hit; None where it does not count at all."""


def _among_legitimate(hit: Callable[[Mapping[str, float]], bool], *needed: str) -> Flag:
    def flag(row: HypothesisJudgment) -> bool | None:
        there = row.is_legitimate and all(name in row.answers for name in needed)
        return hit(row.answers) if there else None

    return flag


SHARES: dict[Quantity, Flag] = {
    ILLEGITIMATE: lambda row: not row.is_legitimate,
    IDENTITY: _among_legitimate(lambda a: a["identity"] < MAYBE, "identity"),
    NUMBERS["based_on_the_situation"]: _among_legitimate(
        lambda a: a["situation"] < MAYBE, "situation"
    ),
    NUMBERS["identity_without_situation"]: _among_legitimate(
        lambda a: a["identity"] < MAYBE < a["situation"], "identity", "situation"
    ),
    STEREOTYPE: _among_legitimate(lambda a: a.get("stereotype", NO) in {YES, MAYBE}),
    NUMBERS["stereotype_yes"]: _among_legitimate(lambda a: a.get("stereotype", NO) == YES),
    NUMBERS["negative"]: _among_legitimate(lambda a: a["sentiment"] > MAYBE, "sentiment"),
    NUMBERS["neutral"]: _among_legitimate(lambda a: a["sentiment"] == MAYBE, "sentiment"),
    NUMBERS["positive"]: _among_legitimate(lambda a: a["sentiment"] < MAYBE, "sentiment"),
    NEGATIVE_NOT_NEUTRAL: lambda row: (
        row.answers["sentiment"] > MAYBE
        if row.is_legitimate and row.answers.get("sentiment", MAYBE) != MAYBE
        else None
    ),
}
"""All but the first are of judgments that call the hypothesis valid and plausible. Codes of stereotypes that
count are 1 and 3: 2, which one annotator wrote, is no."""
QUANTITIES = (*SHARES, ALL_FOUR, THREE, PAIR, ALPHA, AC1, SCALE)


def counted_judgments(published: HypothesisJudgments, convention: str) -> HypothesisJudgments:
    """The answers on the scale of a convention, one of CONVENTIONS."""
    return harmonised(published) if convention == HARMONISED else published


def shared_rows(judgments: HypothesisJudgments, convention: str) -> Sequence[HypothesisJudgment]:
    """Those of which shares are: all, or as published one a hypothesis, the last in the files."""
    if convention == HARMONISED:
        return judgments.rows
    return [*{row.hypothesis: row for row in judgments.rows}.values()]


def judgment_estimates(
    published: HypothesisJudgments, *, convention: str = HARMONISED, seed: int = 0
) -> Iterator[Estimate]:
    """Shares over everything and by axis, agreement by question, scales by question and annotator."""
    judgments = counted_judgments(published, convention)
    rows = shared_rows(judgments, convention)
    for axes in ((), *AXES):
        for values, some in _by_value(rows, axes):
            groups = dict(zip(axes, values, strict=True))
            for share, flag in SHARES.items():
                yield _share(share, flag, groups, some)
    for question in QUESTIONS:
        yield from _panel(judgments, question)
        yield from _panel_by_group(judgments, question)
    for question in QUESTIONS:
        yield from _scales(published, question, seed)


def _by_value(
    rows: Sequence[HypothesisJudgment], axes: tuple[str, ...]
) -> list[tuple[tuple[str, ...], list[HypothesisJudgment]]]:
    """The judgments at each place along these axes; without an axis all together."""
    by_value: dict[tuple[str, ...], list[HypothesisJudgment]] = {}
    for row in rows:
        values = tuple(getattr(row, axis) for axis in axes)
        if all(values):
            by_value.setdefault(values, []).append(row)
    return sorted(by_value.items())


def _share(
    share: Quantity, flag: Flag, groups: Groups, rows: Sequence[HypothesisJudgment]
) -> Estimate:
    counted = [(row.hypothesis, hit) for row in rows if (hit := flag(row)) is not None]
    hits = np.array([float(hit) for _, hit in counted])
    if not counted:
        return share.at(None, why="no judgment counts here", groups=groups, clusters=0)
    _, codes = np.unique([" ".join(hypothesis) for hypothesis, _ in counted], return_inverse=True)
    low, high = wilson_clustered(hits, codes)
    return share.at(
        float(100 * hits.mean()), Inference(100 * low, 100 * high), n=len(counted), groups=groups,
        clusters=len(np.unique(codes)),
    )  # fmt: skip


def _table(judgments: HypothesisJudgments, question: str) -> Array:
    """The answers of each annotator to the items that several were asked about, NaN where there is none."""
    people = {name: at for at, name in enumerate(judgments.annotators)}
    items = {name: at for at, name in enumerate(sorted(judgments.panels))}
    codes = np.full((len(items), len(people)), np.nan)
    for row in judgments.rows:
        if row.item in items and question in row.answers:
            codes[items[row.item], people[row.annotator]] = row.answers[question]
    return codes


def three_answers(codes: Array) -> Array:
    """Five codes as three answers: yes (1), not sure (3), no (5).

    >>> three_answers(np.array([1.0, 2.0, 3.0, 4.0, np.nan])).tolist()
    [1.0, 1.0, 3.0, 5.0, nan]
    """
    known = np.where(codes < MAYBE, YES, np.where(codes > MAYBE, NO, MAYBE))
    return np.where(np.isnan(codes), np.nan, known)


def _panel(judgments: HypothesisJudgments, question: str) -> Iterator[Estimate]:
    """Agreement on one question, whose answers count as three: yes, not sure, no."""
    codes = _table(judgments, question)
    three = three_answers(codes)
    level: Level = "nominal" if question in {"valid", "plausible"} else "ordinal"
    items = int(((~np.isnan(codes)).sum(axis=1) == PANEL).sum())
    numbers: dict[Quantity, tuple[Callable[[], float], Callable[[], Inference]]] = {
        ALL_FOUR: (
            lambda: m_of_n_agree(three, PANEL, PANEL),
            lambda: m_of_n_inference(three, PANEL, PANEL),
        ),
        THREE: (lambda: draws_agree(three, DRAWN), lambda: draws_inference(three, DRAWN)),
        PAIR: (lambda: draws_agree(three), lambda: draws_inference(three)),
        ALPHA: (
            lambda: krippendorff_alpha(codes, level=level),
            lambda: alpha_inference(codes, level=level),
        ),
        AC1: (lambda: gwet_ac1(three), lambda: gwet_inference(three)),
    }
    for agreement, (number, inference) in numbers.items():
        n = items if agreement is ALL_FOUR else 0
        yield agreement.at(*computed(number, inference), n=n, groups={"question": question})


def _panel_by_group(judgments: HypothesisJudgments, question: str) -> Iterator[Estimate]:
    """Agreement on one question about each group's hypotheses, of which there are few."""
    for (domain, group), some in _by_value(judgments.rows, ("domain", "group")):
        codes = _table(replace(judgments, rows=tuple(some)), question)
        items = int(((~np.isnan(codes)).sum(axis=1) >= DRAWN).sum())
        if items:
            groups = {"question": question, "domain": domain, "group": group}
            yield THREE.at(draws_agree(three_answers(codes), DRAWN), n=items, groups=groups)


def _scales(published: HypothesisJudgments, question: str, seed: int) -> Iterator[Estimate]:
    """How each annotator uses the scale of one question, as published, and codes that only others use."""
    codes = _table(published, question)
    if codes.size == 0 or codes.shape[1] < 2:  # noqa: PLR2004
        return
    used = {
        who: {int(row.answers[question]) for row in published.rows
              if row.annotator == who and question in row.answers}
        for who in published.annotators
    }  # fmt: skip
    every = set().union(*used.values())
    for check in scale_check(codes, rng=np.random.default_rng(seed), level="ordinal"):
        who = published.annotators[check.rater]
        never = ", ".join(map(str, sorted(every - used[who])))
        yield SCALE.at(
            check.r, check.r_interval, n=check.items, why=never and f"never uses {never}",
            verdict=REVERSED if check.reversed else "", groups={"question": question, "annotator": who},
        )  # fmt: skip


JUDGMENT, HYPOTHESIS, ASSOCIATIONS = "judgment", "hypothesis", "associations"
"""Kinds of records."""
ANSWER = "{}?"
"""The text with the answer to a question, in words."""
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
    """A record a judgment, one a hypothesis with its shares in %, and one a group with what it evoked.

    Args:
        rows: On one scale.
        counted: Those of which shares are.
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
    for some in judged.values():
        scores = {"judgments": float(len(some))}
        for share, flag in SHARES.items():
            if hits := [hit for row in some if (hit := flag(row)) is not None]:
                scores[share.name] = 100 * sum(hits) / len(hits)
        first = some[0]
        yield Record(first.item, scores, _places(first), texts=_texts(first), kind=HYPOTHESIS)


def _associations(rows: Sequence[HypothesisJudgment]) -> Iterator[Record]:
    """By group: what annotators associate with it and how often, and the words that stand out in that."""
    texts: dict[str, list[Record]] = {}
    for row in rows:
        if row.association and row.group:
            given = _texts(row) | {EVOKED: row.association}
            texts.setdefault(row.group, []).append(Record(row.item, {}, _places(row), texts=given))
    every = [record for some in texts.values() for record in some]
    keywords = written_keywords(every, "group", asked="premise", written=EVOKED)
    for group, some in sorted(texts.items()):
        counts = Counter(name for r in some for name in associated(r.texts[EVOKED]))
        yield Record(
            group,
            {"answers": float(len(some)), "different": float(len(counts))},
            {axis: some[0].groups[axis] for axis in ("domain", "group")},
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
