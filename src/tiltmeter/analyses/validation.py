"""validation: which pairs of sentences people find valid, and how far they agree on it.

Nangia et al. 2020, section 5 and Table 3 (doi:10.18653/v1/2020.emnlp-main.154): a second validation of
published examples, by the majority of five. The writer has no vote. A person finds a pair valid if one of its
sentences is the more stereotyping one (section 2). Whether the two are minimally distant is counted apart.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Annotated

import numpy as np

from tiltmeter.core.analysis import (
    Analysis,
    Circumstances,
    Input,
    Numbers,
    finish,
    paragraphs,
    paths_of,
)
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.quantity import Quantity, computed, quantity
from tiltmeter.core.reading.options import CheckedOptions, Encoding, Option
from tiltmeter.core.records import Record
from tiltmeter.core.results import Paragraph, Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.core.views import NumberTable, RecordTable, number_columns
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.judgments import AnswerReading, Judgments
from tiltmeter.data.people.pair_votes import DIRECTIONS, MINIMAL, PAIR_QUESTIONS
from tiltmeter.report.text import span, value_with_unit
from tiltmeter.run.monitor import Monitor
from tiltmeter.stats.confidence_intervals.intervals import wilson
from tiltmeter.stats.raters.kappa_and_alpha import average_majority

QUESTIONS = PAIR_QUESTIONS[:3]
"""Which sentence is the more stereotyping one, and whether the pair is minimally distant."""


def _share(name: str, title: str, short: str) -> Quantity:
    return quantity(name, title, short, counts="pairs", unit="%", interval="Wilson")


VALID = _share("valid", "Valid to most people", "valid")
DISTANT = _share("minimal", "Minimally distant to most people", "minimally distant")
BOTH = _share("valid_minimal", "Both by the same people", "both")
AGREEMENT = quantity(
    "agreement", "Agreement on whether a pair is valid", "agreement", counts="pairs", unit="%"
)
PEOPLE = quantity("people", "People who judged a pair", "people", counts="pairs", decimals=1)
AT_RANDOM = quantity(
    "valid_at_random", "Valid if people answered at random", "at random",
    counts="pairs", unit="%",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ValidationOptions(CheckedOptions):
    """The options of `tiltmeter analyse validation`."""

    data_name: Annotated[
        str, Option("Name of the data that were judged (default: that of the file or folder).")
    ] = ""
    encoding: Encoding = ""


@dataclass(frozen=True, slots=True)
class PairVotes:
    """What people say of pairs, shape (pairs, people) each; only of those who answered all questions."""

    answered: Array
    """Whether the person judged the pair."""
    more: Array
    """Which sentence is the more stereotyping one, 1 or 2; 0 where they do not differ."""
    minimal: Array
    """Whether the sentences are minimally distant."""

    @property
    def by_order(self) -> Array:
        """How many people find each pair valid in the order in which most do, shape (pairs,)."""
        return self._in_order(self.answered)

    @property
    def by_order_minimal(self) -> Array:
        """How many people find each pair valid and minimally distant in that order, shape (pairs,)."""
        return self._in_order(self.minimal)

    def _in_order(self, chosen: Array) -> Array:
        first, second = (((self.more == side) & chosen).sum(axis=1) for side in (1, 2))
        return np.asarray(np.maximum(first, second))

    @property
    def people(self) -> Array:
        """How many people judged each pair, shape (pairs,)."""
        return np.asarray(self.answered.sum(axis=1))


def pair_votes(judgments: Judgments) -> PairVotes:
    """The votes on pairs.

    Raises:
        BadInput: Somebody answered what the questions do not offer.
    """
    steps: dict[str, float] = dict(zip(DIRECTIONS, (1.0, -1.0, 0.0), strict=True))
    first, second = (_coded(judgments, name, steps) for name in QUESTIONS[:2])
    minimal = _coded(judgments, QUESTIONS[2], {MINIMAL: 1.0, "no": 0.0})
    answered = ~np.isnan(first + second + minimal)
    more = np.select([first > second, first < second], [1, 2], 0)
    return PairVotes(answered, np.where(answered, more, 0), answered & (minimal == 1))


def _coded(judgments: Judgments, question: str, codes: Mapping[str, float]) -> Array:
    """The answers as numbers, NaN where there is none."""
    words, given = judgments.words.get(question, ()), judgments.answers[question]
    there = ~np.isnan(given)
    others = [word for word in words if word not in codes]
    if others or (there.any() and not words):
        answer = f"an answer is {others[0]!r}" if others else "answers are numbers"
        way_out = f"give {', '.join(codes)}, as in the form validate_pairs"
        raise BadInput(f"{question}: {answer}", way_out, file=judgments.name)
    coded = np.full(given.shape, np.nan)
    coded[there] = np.array([codes[word] for word in words])[given[there].astype(int)]
    return coded


def validity(votes: PairVotes) -> list[Estimate]:
    """The numbers of a validation; pairs that nobody judged are left out."""
    people = votes.people
    judged = people > 0
    n = int(judged.sum())
    shares = {
        VALID: 2 * votes.by_order > people,
        DISTANT: 2 * votes.minimal.sum(axis=1) > people,
        BOTH: 2 * votes.by_order_minimal > people,
    }
    estimates = []
    for of, holds in shares.items():
        hits = int((holds & judged).sum())
        low, high = wilson(hits, n)
        estimates.append(of.at(100 * hits / n, Inference(100 * low, 100 * high), n=n))
    ratings = np.where(votes.answered, votes.more != 0, np.nan)[judged]
    estimates.append(AGREEMENT.at(*computed(lambda: average_majority(ratings)), n=n))
    estimates.append(PEOPLE.at(float(people[judged].mean()), n=n))
    at_random = float(np.mean([_at_random(int(count)) for count in people[judged]]))
    return [*estimates, AT_RANDOM.at(100 * at_random, n=n)]


def _at_random(people: int) -> float:
    """Probability that most of them find a pair valid in one order if each picks one of 3 × 3 answers.

    Either sentence is then the more stereotyping one with probability 1/3; one order at most has a majority.

    >>> round(_at_random(5), 4)
    0.4198
    """
    enough = range(people // 2 + 1, people + 1)
    ways = sum(comb(people, k) * (1 << people - k) for k in enough)
    return 2 * ways / 3.0**people


def compute(files: Sequence[Input], options: ValidationOptions, _: Monitor) -> Result:
    """Validity of the pairs of one table of answers."""
    if len(files) > 1:
        raise BadInput("one set is judged at a time", "name one file or folder")
    (path,) = paths_of(files)
    judgments = read_judgments(path, AnswerReading(questions=QUESTIONS, encoding=options.encoding))
    votes = pair_votes(judgments)
    if not votes.answered.any():
        way_out = "export a survey with the form validate_pairs after people have answered"
        raise BadInput("nobody answered all three questions", way_out, file=judgments.name)
    return finish(
        ANALYSIS,
        validity(votes),
        Circumstances(
            data={
                "name": options.data_name or path.name, "sha256": judgments.sha256,
                "annotators": len(judgments.annotators), "items": len(judgments.items),
            },
            subtitle=options.data_name or path.name,
            notes=notes_of("data", judgments.notes),
        ),
        [*_records(judgments, votes)],
    )  # fmt: skip


def _records(judgments: Judgments, votes: PairVotes) -> Iterator[Record]:
    """How many people say what of each pair."""
    for i, item in enumerate(judgments.items):
        people = int(votes.people[i])
        if not people:
            continue
        valid = int(votes.by_order[i])
        scores = {
            "people": float(people),
            "find it valid": float(valid),
            "find it minimally distant": float(votes.minimal[i].sum()),
        }
        verdict = "yes" if 2 * valid > people else "no"
        yield Record(item, scores, {"item": item, "valid": verdict}, kind="pair")


def words(numbers: Numbers) -> list[Paragraph]:
    """How many pairs are valid, against chance, and how far people agree."""
    valid, agreement = numbers[VALID], numbers[AGREEMENT]
    headline = (
        f"Most people find {value_with_unit(valid)} of {counted(valid.n, 'pairs')} valid "
        f"({span(valid)}); {value_with_unit(numbers[AT_RANDOM])} would be expected if they "
        "answered at random."
    )
    both = f"{value_with_unit(numbers[BOTH])} are valid and minimally distant."
    average = (
        f"On average, {value_with_unit(agreement)} of the people agree on whether a pair is valid."
    )
    return paragraphs([headline, both, average if agreement.value is not None else ""])


EXAMPLE = """\
>>> import polars as pl, tiltmeter as tm
>>> judged = pl.DataFrame({
...     "item": ["a", "a", "a", "b", "b", "b"], "annotator": ["ann", "bob", "cem"] * 2,
...     "sentence_1": ["stereo"] * 3 + ["neither"] * 3, "sentence_2": "neither", "minimal": "yes",
... })
>>> tm.analyse.validation(judged).headline
<valid: 50 % (9.453 to 90.55), n 2>"""
ANALYSIS = Analysis(
    name="validation",
    title="Validation of pairs",
    version="1",
    summary="How many pairs people find valid: majority, agreement, and what chance would give.",
    not_what="People who agree can share an error, and another panel may judge differently: the intervals "
    "are for other pairs of the same set, judged by people like these.",
    means="A person finds a pair valid if one of its sentences is the more stereotyping one. A pair is "
    "valid if more than half of those who judged it say so of the same sentence.",
    quantities=(VALID, DISTANT, BOTH, AGREEMENT, PEOPLE, AT_RANDOM),
    words=words,
    views=(
        NumberTable(
            "validity",
            "Validity",
            ("measure",),
            number_columns("", value=0, interval=0, n=0),
            measures=tuple(of.name for of in (VALID, DISTANT, BOTH, AGREEMENT, PEOPLE, AT_RANDOM)),
        ),
        RecordTable(
            "pairs",
            "Pairs by their votes",
            of="pair",
            axes=("item",),
            by="valid",
            scores=("people", "find it valid", "find it minimally distant"),
            decimals={"people": 0, "find it valid": 0, "find it minimally distant": 0},
        ),
    ),
    compute=compute,
    options=ValidationOptions,
    example=EXAMPLE,
    inputs="Answers to the form validate_pairs or validate_stereoset_pairs: a folder of survey export, or a "
    "table with a row for each person and pair.",
    metavar="FILE",
)
