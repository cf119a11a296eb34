"""Agreement on questions of a file, and what a reversed scale does to it."""

import numpy as np
import pytest

from support import published
from tiltmeter.analyses.agreement.rater_agreement import level_of, rater_agreement
from tiltmeter.core.analysis import Numbers
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Card
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.judgments import AnswerReading, Judgments
from tiltmeter.stats.raters.gwet import gwet_ac1, gwet_ac2
from tiltmeter.stats.raters.kappa_and_alpha import krippendorff_alpha

FOUR = "stereo_inferences/4_annotations_per_example_updated.csv"


def judged(**answers):
    raters = next(iter(answers.values())).shape[1]
    items = len(next(iter(answers.values())))
    return Judgments(
        "made up", "0", tuple("abcdef"[:raters]), tuple(map(str, range(items))), answers
    )


def numbers(data, **options):
    return Numbers(Card("agreement", "1", {}, {}), rater_agreement(data, **options))


def marked(found):
    return [
        (e.groups["question"], e.groups["annotator"])
        for e in found.all("scale_r") if e.verdict == "reversed"
    ]  # fmt: skip


def five_levels(seed, raters=4):
    rng = np.random.default_rng(seed)
    truth = rng.uniform(1, 5, (80, 1))
    return np.clip(np.round(truth + rng.normal(0, 0.5, (80, raters))), 1, 5)


def test_the_numbers_are_those_of_stats_at_the_level_of_the_answers():
    levels, pair = five_levels(0), np.where(five_levels(1) > 3, 1.0, 0.0)
    many = five_levels(2) * 10 + np.arange(80)[:, None] / 100
    data = judged(levels=levels, pair=pair, many=many)
    made = numbers(data)
    assert [level_of(data, q) for q in data.answers] == ["ordinal", "nominal", "interval"]
    assert made.get("gwet", question="pair").value == gwet_ac1(pair)
    assert made.get("gwet", question="levels").value == gwet_ac2(levels, weights="ordinal")
    alphas = {e.groups["question"]: e.value for e in made.all("alpha")}
    assert alphas["many"] == krippendorff_alpha(many, level="interval")
    assert made["lowest_alpha"].value == min(alphas.values())
    nominal = numbers(judged(levels=levels), level="nominal")
    assert nominal["lowest_alpha"].value == krippendorff_alpha(levels)


def test_turning_a_reversed_scale_round_restores_the_agreement():
    levels = five_levels(3)
    before = numbers(judged(q=levels))
    turned = levels.copy()
    turned[:, 1] = 6 - turned[:, 1]
    made = numbers(judged(q=turned))
    assert marked(made) == [("q", "b")]
    plain, _, restored, without = made.all("alpha")
    assert [e.groups.get("change") for e in made.all("alpha")] == [
        None, "as given", "with b reversed", "without b",
    ]  # fmt: skip
    assert plain.value == made.all("alpha", change="as given")[0].value
    assert restored.value == pytest.approx(before.get("alpha", question="q").value)
    shares = made.all("all_agree", change="with b reversed")
    assert shares[0].value == before.get("all_agree", question="q").value
    assert without.value == pytest.approx(
        krippendorff_alpha(np.delete(levels, 1, axis=1), level="ordinal")
    )
    assert made.all("panel", change="without b")[0].value == 3


def test_of_two_annotators_nobody_can_say_who_is_reversed():
    levels = five_levels(4, raters=2)
    levels[:, 1] = 6 - levels[:, 1]
    made = numbers(judged(q=levels))
    assert marked(made) == [("q", "a"), ("q", "b")]
    assert len(made.all("alpha")) == 1


def test_one_annotator_or_words_with_a_level_of_numbers_are_refused():
    apart = np.array([[1, np.nan], [np.nan, 2]])
    with pytest.raises(
        BadInput, match=r"no two of its 2 annotators answered the same item.*--overlap"
    ):
        rater_agreement(judged(q=apart))
    with pytest.raises(BadInput, match="one annotator"):
        rater_agreement(judged(q=np.ones((3, 1))))
    words = Judgments("w", "0", ("a", "b"), ("x",), {"q": np.zeros((1, 2))}, {"q": ("yes",)})
    with pytest.raises(BadInput, match="not numbers"):
        rater_agreement(words, level="ordinal")
    undefined = numbers(words)["lowest_alpha"]
    assert undefined.value is None
    assert "same" in undefined.why


@published.needs(FOUR)
def test_the_published_inferences():
    """Sotnikova et al. 2021 print 91.0, 82.9 and 26.6 % for all four annotators; one is reversed."""
    sentiment = "Neg(1)-Pos(5)"
    data = read_judgments(
        published.need(FOUR),
        AnswerReading(
            annotator="Annotator ID",
            item="ID",
            questions=("Valid", "Plausible", "Identity", "Situtation", sentiment),
        ),
    )
    made = numbers(data)
    shares = {
        e.groups["question"]: round(e.value, 1) for e in made.all("all_agree") if len(e.groups) == 1
    }
    assert (shares["Valid"], shares["Plausible"], shares[sentiment]) == (90.9, 83.7, 26.7)
    assert marked(made) == [(sentiment, "Annotator 3")]
    given, turned, without = (e for e in made.all("alpha") if "change" in e.groups)
    at = {"question": sentiment, "change": "with Annotator 3 reversed"}
    assert turned.groups == at
    assert round(made.get("all_agree", **at).value, 1) == 36.4
    assert made.get("panel", **at).n == 176
    assert without.groups["change"] == "without Annotator 3"
    assert given.value < 0.15
    assert 0.7 < turned.value < without.value
    answers = data.answers[sentiment]
    full = answers[~np.isnan(answers).any(axis=1)]
    third = np.corrcoef(full.T)[2]
    assert third[[0, 1, 3]] == pytest.approx([-0.72, -0.67, -0.745], abs=0.006)
