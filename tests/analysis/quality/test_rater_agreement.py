"""Agreement on questions of a file, and what a reversed scale does to it."""

import numpy as np
import pytest

import published
from tiltmeter.analysis.quality.rater_agreement import rater_agreement
from tiltmeter.core.errors import BadInput
from tiltmeter.data.people.annotator_answers import Judgments, read_judgments
from tiltmeter.stats.agreement import krippendorff_alpha
from tiltmeter.stats.gwet import gwet_ac1, gwet_ac2

FOUR = "stereo_inferences/4_annotations_per_example_updated.csv"


def judged(**answers):
    raters = next(iter(answers.values())).shape[1]
    items = len(next(iter(answers.values())))
    return Judgments(
        "made up", "0", tuple("abcdef"[:raters]), tuple(map(str, range(items))), answers
    )


def five_levels(seed, raters=4):
    rng = np.random.default_rng(seed)
    truth = rng.uniform(1, 5, (80, 1))
    return np.clip(np.round(truth + rng.normal(0, 0.5, (80, raters))), 1, 5)


def test_the_numbers_are_those_of_stats_at_the_level_of_the_answers():
    levels, pair = five_levels(0), np.where(five_levels(1) > 3, 1.0, 0.0)
    many = five_levels(2) * 10 + np.arange(80)[:, None] / 100
    made = rater_agreement(judged(levels=levels, pair=pair, many=many))
    by_name = {q.question: q for q in made.questions}
    assert {n: q.level for n, q in by_name.items()} == {
        "levels": "ordinal", "pair": "nominal", "many": "interval",
    }  # fmt: skip
    assert by_name["pair"].gwet.value == gwet_ac1(pair)
    assert by_name["levels"].gwet.value == gwet_ac2(levels, weights="ordinal")
    assert by_name["many"].alpha.value == krippendorff_alpha(many, level="interval")
    nominal = rater_agreement(judged(levels=levels), level="nominal").questions[0]
    assert nominal.alpha.value == krippendorff_alpha(levels)


def test_turning_a_reversed_scale_round_restores_the_agreement():
    levels = five_levels(3)
    before = rater_agreement(judged(q=levels)).questions[0]
    turned = levels.copy()
    turned[:, 1] = 6 - turned[:, 1]
    made = rater_agreement(judged(q=turned))
    assert [one.annotator for one in made.reversed] == ["b"]
    assert [q.change for q in made.changed] == ["with b turned round", "without b"]
    restored, without = made.changed
    assert restored.alpha.value == pytest.approx(before.alpha.value)
    assert restored.all_agree.value == before.all_agree.value
    assert without.alpha.value == pytest.approx(
        krippendorff_alpha(np.delete(levels, 1, axis=1), level="ordinal")
    )
    assert without.raters == 3


def test_of_two_annotators_nobody_can_say_who_is_reversed():
    levels = five_levels(4, raters=2)
    levels[:, 1] = 6 - levels[:, 1]
    made = rater_agreement(judged(q=levels))
    assert len(made.reversed) == 2
    assert made.undecided("q")
    assert made.changed == ()


def test_one_annotator_or_words_with_a_level_of_numbers_are_refused():
    with pytest.raises(BadInput, match="one annotator"):
        rater_agreement(judged(q=np.ones((3, 1))))
    words = Judgments("w", "0", ("a", "b"), ("x",), {"q": np.zeros((1, 2))}, {"q": ("yes",)})
    with pytest.raises(BadInput, match="not numbers"):
        rater_agreement(words, level="ordinal")
    undefined = rater_agreement(words).questions[0]
    assert undefined.alpha.value is None
    assert "same" in undefined.alpha.why


@published.needs(FOUR)
def test_the_published_inferences():
    """Sotnikova et al. 2021 print 91.0, 82.9 and 26.6 % for all four annotators; one is reversed."""
    sentiment = "Neg(1)-Pos(5)"
    data = read_judgments(
        published.need(FOUR),
        annotator="Annotator ID",
        item="ID",
        questions=["Valid", "Plausible", "Identity", "Situtation", sentiment],
    )
    made = rater_agreement(data)
    shares = {q.question: round(q.all_agree.value, 1) for q in made.questions}
    assert (shares["Valid"], shares["Plausible"], shares[sentiment]) == (90.9, 83.7, 26.7)
    assert [(o.question, o.annotator) for o in made.reversed] == [(sentiment, "Annotator 3")]
    turned, without = made.changed
    assert round(turned.all_agree.value, 1) == 36.4
    assert turned.panels == 176
    assert without.change == "without Annotator 3"
    given = next(q for q in made.questions if q.question == sentiment)
    assert given.alpha.value < 0.15
    assert 0.7 < turned.alpha.value < without.alpha.value
    answers = data.answers[sentiment]
    full = answers[~np.isnan(answers).any(axis=1)]
    third = np.corrcoef(full.T)[2]
    assert third[[0, 1, 3]] == pytest.approx([-0.72, -0.67, -0.745], abs=0.006)
