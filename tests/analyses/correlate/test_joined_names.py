"""What sources name apart and is one measure, or one group."""

from pathlib import Path

import pytest

from analyses.correlate.examples import values
from tiltmeter.analyses.correlate.joined_names import (
    join_categories,
    join_rules,
    measure_name,
    renamed,
)
from tiltmeter.analyses.correlate.points import Observation, points_of
from tiltmeter.analyses.correlate.run_points import Wanted, of_runs
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card, Result
from tiltmeter.studies import crows_pairs, sos, stereoset

LIKELIER = ("pll_shared", "log_likelihood")


def run(model, rule, value, *, alike=(), study="crows_pairs", **card):
    facts = {
        "study": study, "study_version": "1", "data": {"name": "d", "sha256": "abc"}, "rule": rule,
        "convention": "paper", "ties": "half", "alike": alike, "model": {"name": model},
    }  # fmt: skip
    rate = Estimate("rate", value, None, None, None, 9, 50.0, "%")
    ages = Estimate("rate", value + 1, None, None, None, 3, 50.0, "%", groups={"bias_type": "age"})
    return Path(f"{model}-{rule}"), Result(Card(**(facts | card)), [], [rate, ages])


def joined(*runs, over="models"):
    observations, notes, apart = join_rules(of_runs(runs, over), over)
    return [o.measure for o in observations], notes, apart


def test_rules_that_the_study_declares_alike_are_one_measure():
    bert, gpt = (
        run("bert", "pll_shared", 51.0, alike=LIKELIER),
        run("gpt", "log_likelihood", 58.0, alike=LIKELIER),
    )
    names, notes, apart = joined(bert, gpt)
    assert names == ["crows_pairs rate (pll_shared or log_likelihood)"] * 2
    (note,) = notes
    assert note == (
        "crows_pairs rate: numbers by pll_shared (bert) and log_likelihood (gpt) are taken as one measure, "
        "because crows_pairs declares that these rules mean the same. Differences between the models may "
        "still come from the rules."
    )
    assert apart == []
    others = [Observation(m, "", "f1", v, "t", "t") for m, v in (("bert", 0.5), ("gpt", 0.6))]
    observations, _, _ = join_rules([*of_runs([bert, gpt], "models"), *others], "models")
    points = points_of(observations, "models")
    assert points.values.tolist() == [[51.0, 0.5], [58.0, 0.6]]
    assert joined(bert, gpt, over="cells")[0] == names
    assert joined(bert, gpt, over="groups")[0] == [
        "crows_pairs rate (pll_shared)", "crows_pairs rate (log_likelihood)",
    ]  # fmt: skip


def test_measures_of_the_same_models_and_rules_share_a_note():
    runs = [
        run("bert", "pll_shared", 51.0, alike=LIKELIER),
        run("gpt", "log_likelihood", 58.0, alike=LIKELIER),
    ]
    wants = [Wanted("rate"), Wanted("rate", (("bias_type", "age"),))]
    _, (note,), _ = join_rules(of_runs(runs, "models", wants), "models")
    assert note.startswith(
        "crows_pairs rate; crows_pairs rate, bias_type: age: numbers by pll_shared (bert)"
    )


def test_rules_without_a_declaration_stay_apart_with_the_reason_and_a_way_out():
    names, notes, apart = joined(run("bert", "a", 51.0), run("gpt", "b", 58.0))
    assert (names, notes) == (["crows_pairs rate (a)", "crows_pairs rate (b)"], [])
    (reason,) = apart
    assert (
        "numbers by a (bert) and b (gpt) are different measures, because crows_pairs does" in reason
    )
    assert "score them by one rule (--rule), or correlate each kind of model by itself" in reason


def test_a_further_rule_stays_apart_from_those_that_are_joined():
    names, notes, (reason,) = joined(
        run("bert", "pll_shared", 51.0, alike=LIKELIER), run("gpt", "log_likelihood", 58.0, alike=LIKELIER),
        run("chat", "ranked", 50.0),
    )  # fmt: skip
    assert names == [
        *["crows_pairs rate (pll_shared or log_likelihood)"] * 2,
        "crows_pairs rate (ranked)",
    ]
    assert len(notes) == 1
    assert "by ranked (chat) and pll_shared or log_likelihood (bert, gpt) are different" in reason


def test_two_numbers_of_one_model_are_never_one():
    runs = [
        run("bert", "pll_shared", 51.0, alike=LIKELIER), run("gpt", "log_likelihood", 58.0, alike=LIKELIER),
        run("gpt", "pll_shared", 59.0, alike=LIKELIER),
    ]  # fmt: skip
    names, _, apart = joined(*runs)
    assert len(set(names)) == 2
    assert "because gpt has numbers by both" in apart[0]


def test_rules_that_all_models_have_are_no_puzzle():
    runs = [run(model, rule, 50.0) for model in ("a", "b") for rule in ("aul", "aula")]
    assert joined(*runs)[1:] == ([], [])


def test_other_conventions_and_data_are_never_joined():
    bert = run("bert", "pll_shared", 51.0, alike=LIKELIER)
    for other in (
        {"convention": "meade2022"},
        {"data": {"name": "d", "sha256": "xyz"}},
        {"ties": "loss"},
    ):
        names, notes, _ = joined(bert, run("gpt", "log_likelihood", 58.0, alike=LIKELIER, **other))
        assert len(set(names)) == 2 and notes == []
    card = run("bert", "aul", 1.0, convention="kaneko2022")[1].card
    assert measure_name("s rate", card, ["aul"]) == "s rate (aul, kaneko2022)"


def test_what_studies_declare_are_rules_of_theirs_for_different_models():
    for study in (crows_pairs.STUDY, sos.STUDY):
        rules = {rule.name: rule for rule in study.rules}
        assert len({rules[name].needs for name in study.alike}) == len(study.alike) == 2
    assert stereoset.STUDY.alike == ()  # whose numbers by different rules are not comparable


def test_categories_of_two_sources_get_one_name():
    some = [
        Observation("", group, measure, 1.0, "", where)
        for group, measure, where in (
            ("race-color", "x", "a.csv"), ("age", "x", "a.csv"), ("ethnicity", "y", "b.csv"),
        )
    ]  # fmt: skip
    observations, (note,) = join_categories(some)
    assert [o.group for o in observations] == ["race", "age", "race"]
    assert "ethnicity as race, race-color as race" in note
    assert join_categories(some[:2]) == (some[:2], [])


def test_a_number_of_an_analysis_has_no_rule_in_its_name():
    card = Card("leak", "1", {}, {"name": "d", "sha256": ""})
    assert measure_name("leak solid", card, [card.rule]) == "leak solid"


def test_aliases():
    some = [*values("x", BERT=1), *values("y", bert=2)]
    assert points_of(renamed(some, {"BERT": "bert"}), "models").labels == ("bert",)
    with pytest.raises(BadInput, match="is named 'BRT'; did you mean 'BERT'"):
        renamed(some, {"BRT": "bert"})
