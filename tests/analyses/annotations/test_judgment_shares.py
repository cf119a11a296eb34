"""The published judgments give the paper's numbers, under the convention that it used and on one scale."""

from itertools import combinations

import pytest

from support import published
from tiltmeter.analyses.annotations.hypothesis_judgments import read_hypothesis_judgments
from tiltmeter.analyses.annotations.judgment_agreement import (
    ALL_FOUR,
    ALPHA,
    PAIR,
    REVERSED,
    SCALE,
    THREE,
    agreement_estimates,
    scale_estimates,
)
from tiltmeter.analyses.annotations.judgment_shares import (
    HARMONISED,
    IDENTITY,
    ILLEGITIMATE,
    NEGATIVE_NOT_NEUTRAL,
    PUBLISHED,
    STEREOTYPE,
    counted_judgments,
    share_estimates,
    shared_rows,
)
from tiltmeter.core.analysis import Numbers
from tiltmeter.core.results import Card
from tiltmeter.data.published import published as table

FILES = [
    f"stereo_inferences/{n}_annotation{s}_per_example_updated.csv"
    for n, s in (("1", ""), ("4", "s"))
]
DOMAINS = {"socioeconomic status": 42, "religion": 31, "politics": 29, "nationality": 28, "race": 22,
           "gender": 22}  # fmt: skip
"""Based on identity, in per cent."""
ALL_AGREE = {"valid": 90.9, "plausible": 83.7, "situation": 68.0, "identity": 25.7}
PAIRS = {"valid": 94.9, "plausible": 89.3, "situation": 78.5, "identity": 53.9}
WRONG = {"MNLI": 22.9, "SNLI": 7.8, "COMET": 7.6}


@pytest.fixture(scope="module")
def answers():
    return read_hypothesis_judgments([published.need(path) for path in FILES])


def numbers_of(answers, convention=HARMONISED):
    judgments = counted_judgments(answers, convention)
    estimates = [
        *share_estimates(shared_rows(judgments, convention)),
        *agreement_estimates(judgments),
        *scale_estimates(answers, seed=0),
    ]
    return Numbers(Card("annotations", "1", {}, {"name": "", "sha256": ""}), estimates)


@pytest.fixture(scope="module")
def numbers(answers):
    return numbers_of(answers)


def values(numbers, question, *quantities):
    return [numbers.get(q.name, question=question).value for q in quantities]


@published.needs(FILES[0])
def test_on_one_scale(answers, numbers):
    counted = counted_judgments(answers, "harmonised")
    assert (len(answers.rows), answers.hypotheses, len(counted.rows)) == (2049, 1281, 2046)
    for domain, share in DOMAINS.items():
        e = numbers.get(IDENTITY.name, domain=domain)
        assert e.value == pytest.approx(share, abs=0.55)
        assert e.low < e.value < e.high
    assert round(numbers[IDENTITY.name].value, 1) == 29.5
    assert round(numbers[STEREOTYPE.name].value, 1) == 30.9
    assert round(numbers[NEGATIVE_NOT_NEUTRAL.name].value) == 52
    for question, share in ALL_AGREE.items():
        four, three, pair = values(numbers, question, ALL_FOUR, THREE, PAIR)
        assert (round(four, 1), round(pair, 1)) == (share, PAIRS[question])
        assert four <= three <= pair
    pair, four, alpha = values(numbers, "sentiment", PAIR, ALL_FOUR, ALPHA)
    assert (round(pair, 1), round(four, 1)) == (74.5, 58.5)
    assert values(numbers, "stereotype", PAIR) == [pytest.approx(61.9, abs=0.15)]
    assert 0.7 < alpha < 0.76


@published.needs(FILES[0])
def test_as_the_paper_counted(answers):
    numbers = numbers_of(answers, convention=PUBLISHED)
    assert numbers[IDENTITY.name].n == 1144
    for generator, share in WRONG.items():
        assert round(numbers.get(ILLEGITIMATE.name, generator=generator).value, 1) == share
    pair, four = values(numbers, "sentiment", PAIR, ALL_FOUR)
    assert (round(pair, 1), round(four, 1)) == (57.0, 27.8)
    assert round(numbers[STEREOTYPE.name].value, 1) == 31.0  # not 47.6, with a "no" written as 2


@published.needs(FILES[0])
def test_printed_numbers_come_out_but_for_drawn_judgments_and_negative_ones(answers):
    """Groups with 21 hypotheses, three of them judged by all four: a judgment more or less is 5 points."""
    numbers = numbers_of(answers, convention=PUBLISHED)
    equal, apart = 0, {}
    for printed in table("sotnikova2023_judgments").numbers:
        e = printed.estimate
        ours = numbers.get(e.name, **e.groups)
        if e.name == "negative":
            assert abs(ours.value - e.value) > 20
            continue
        equal += abs(ours.value - e.value) < 0.06
        apart[e.name, *e.groups.values()] = abs(ours.value - e.value)
    assert (equal, len(apart)) == (11, 37)
    assert max(apart.values()) == apart["stereotype_yes_or_maybe", "race", "Native American"] == 6.5
    for printed in table("sotnikova2023_judgment_agreement").numbers:
        e = printed.estimate
        if e.groups.keys() == {"question"} and e.groups["question"] != "stereotype":
            assert numbers.get(e.name, **e.groups).value == pytest.approx(e.value, abs=4.1)


@published.needs(FILES[0])
def test_printed_negative_shares_seem_to_count_neutral_hypotheses(answers):
    """How far sets of codes are off at most, each a mean over which judgment is drawn."""
    judged = {}
    for row in answers.rows:
        judged.setdefault(row.hypothesis, []).append(row)
    printed = [
        p.estimate for p in table("sotnikova2023_judgments").numbers if p.estimate.name == "negative"
    ]  # fmt: skip

    def apart(e, negative, counted):
        hits = total = 0.0
        for some in judged.values():
            if all(getattr(some[0], axis) == value for axis, value in e.groups.items()):
                codes = [r.answers.get("sentiment") for r in some if r.is_legitimate]
                hits += sum(code in negative for code in codes) / len(some)
                total += sum(code in counted for code in codes) / len(some)
        return abs(100 * hits / total - e.value)

    worst = {
        (negative, counted): max(apart(e, negative, counted) for e in printed)
        for size in (1, 2, 3)
        for negative in combinations((1, 2, 3, 4, 5), size)
        for counted in ((1, 2, 3, 4, 5), (1, 2, 4, 5))
        if {*negative} <= {*counted}
    }
    every, not_neutral = (1, 2, 3, 4, 5), (1, 2, 4, 5)
    assert {codes for codes, off in worst.items() if off < 5} == {((3, 4), every), ((2, 3), every)}
    without = {codes: off for codes, off in worst.items() if 3 not in codes[0]}
    assert min(without, key=without.get) == ((1, 2), not_neutral)
    assert 10 < min(without.values()) < 11


@published.needs(FILES[0])
def test_agreement_about_a_group(numbers):
    """Three hypotheses with four answers: of 4 ways to draw three, those that agree."""
    three = numbers.get(THREE.name, question="identity", domain="race", group="White")
    assert (three.value, three.n) == (25, 3)
    jewish = numbers.get(THREE.name, question="identity", domain="religion", group="Jewish")
    assert jewish.value == 100


@published.needs(FILES[0])
def test_the_third_annotator_is_found_unaided(numbers):
    scales = {(e.groups["question"], e.groups["annotator"]): e for e in numbers.all(SCALE.name)}
    assert [place for place, e in scales.items() if e.verdict == REVERSED] == [
        ("sentiment", "Annotator 3")
    ]
    assert scales["stereotype", "Annotator 3"].why == "never uses 5"
    assert scales["stereotype", "Annotator 1"].why == "never uses 2"
