"""What leak says of flows, of the languages’ own countries, and of leaked traits."""

from tiltmeter.analyses.leak.flows import (
    COEFFICIENT,
    CORRECTED,
    OF_TARGET,
    PLACEBO,
    PLACEBO_SIGNIFICANT,
    FlowOptions,
    judged,
)
from tiltmeter.analyses.leak.sentences import words
from tiltmeter.core.analysis import Numbers
from tiltmeter.core.estimates import Inference
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card

SURE = Inference(0.1, 0.3, p=0.005)


def flow(source, target, value=0.2, inference=SURE, corrected=None, **more):
    """A coefficient, with the lower end of the corrected one where there is one."""
    groups = {"source": source, "target": target}
    of_corrected = (None, Inference(None, None)) if corrected is None else (
        corrected + 0.1, Inference(corrected, corrected + 0.2)
    )  # fmt: skip
    return [
        COEFFICIENT.at(value, inference, groups=groups, **more),
        CORRECTED.at(*of_corrected, groups=groups),
    ]


def placebo(source, target, mean, share):
    groups = {"source": source, "target": target}
    return [PLACEBO.at(mean, groups=groups), PLACEBO_SIGNIFICANT.at(share, groups=groups)]


def said(*flows, missing="complete", adjust=True, records=(), languages=("ru", "en")):
    """The sentences about these flows, with verdicts as the analysis gives them."""
    card = Card("leak", "1", {"name": "fake"}, {"name": "d"}, settings={"missing": missing})
    estimates = judged(
        [e for some in flows for e in some], FlowOptions(missing=missing, adjust=adjust)
    )
    estimates += [OF_TARGET[0].at(5, groups={"target": code}) for code in languages]
    return [p.text for p in words(Numbers(card, estimates, records))]


UNSURE = Inference(-0.1, 0.3, p=0.9)
OTHERS = (
    *[flow("ru", "en", 0.1, UNSURE)],
    flow("ru", "ru", 0.1, UNSURE),
    flow("en", "en", 0.1, UNSURE),
)


def test_solid_and_not_solid_flows_in_words():
    solid = said(flow("en", "ru", corrected=0.2), *OTHERS)
    assert solid[0] == (
        "fake: 1 of 2 flows between languages is solid: English to Russian (standardised coefficient 0.20, "
        "corrected 0.30, p = 0.0100)."
    )
    assert solid[2].startswith("No other coefficient of another country is significant")
    weak = said(flow("en", "ru", corrected=-0.01), *OTHERS)
    assert weak[0] == "fake: none of 2 flows between languages is solid."
    assert "1 flow is significant (p < .05 after Holm’s adjustment), but may be" in weak[2]
    plain = said(flow("en", "ru"), *OTHERS, adjust=False)
    assert (
        "1 flow is significant (p < .05, not adjusted), without correction for the raters"
        in plain[2]
    )
    tried = said(flow("en", "ru"), placebo("en", "ru", 0.12, 30.0), *OTHERS)
    assert (
        "are 0.12 to 0.12 there on average, and significant in 30 to 30\u00a0% of draws"
        in tried[-1]
    )


def test_the_four_strongest_flows_are_named():
    flows = [
        flow(source, target, value, Inference(0.01, 0.9, p=1e-9), corrected=0.1)
        for value, (source, target) in zip(
            (0.1, 0.2, 0.3, 0.4, 0.5), (("en", "ru"), ("zh", "ru"), ("hi", "ru"), ("ru", "en"), ("zh", "en")),
            strict=True,
        )
    ]  # fmt: skip
    headline = said(*flows)[0]
    assert "5 of 5 flows between languages are solid: Chinese to English" in headline
    assert headline.endswith("; and 1 more.") and "English to Russian" not in headline


def test_the_languages_own_countries_and_leaked_traits_in_words():
    own = said(flow("ru", "ru", 0.4), flow("en", "en", 0.1, UNSURE), flow("en", "ru", 0.1, UNSURE))
    assert own[-1].endswith(
        "explain the scores significantly (standardised coefficient) in Russian (0.40)."
    )
    records = [
        Record(str(i), scores, {"polarity": polarity}, kind="leaked_trait")
        for i, (polarity, scores) in enumerate(
            [
                ("positive", {"target_mean": 0.0}),
                ("non-polar", {"target_mean": 1.0}),
                ("negative", {}),
            ]
        )
    ]
    assert said(*OTHERS, records=records)[-1].endswith(
        "the model’s strongest: 2 (1 positive, 0 negative, 1 non-polar). Of 1 more, the target’s people were "
        "not asked."
    )


def test_countries_taken_by_themselves_are_no_leaks():
    alone = said(flow("en", "ru", corrected=0.2), *OTHERS, missing="available")
    assert alone[0].startswith("fake: 1 of 2 coefficients of other countries is significant, each")
    assert not any("solid" in text.lower() for text in alone)


def test_one_language_and_no_other_country():
    one = said(flow("en", "ru", corrected=0.2), flow("ru", "ru"), languages=["ru"])
    assert one[0].startswith(
        "fake: 1 of 1 flow from other countries into Russian is solid: English to"
    )
    assert (
        said(flow("ru", "ru"), languages=["ru"])[0]
        == "fake: there are no ratings of another country."
    )
