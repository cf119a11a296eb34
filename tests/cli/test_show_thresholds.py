"""Gates for continuous integration: what they may name, when they are checked, and what they say."""

import json

import pytest

from tiltmeter.derived.audits.threshold_text import address
from tiltmeter.models import fake
from tiltmeter.run.asking import model_openers


@pytest.fixture
def loaded(monkeypatch):
    """The models that were loaded."""
    names = []

    def noting(where, options, *, name="", **_):
        names.append(where.reference)
        return fake.load(where.location, options, name=name)

    monkeypatch.setattr(model_openers, "open_model", noting)
    return names


def test_a_subset_passes_or_fails(tilt):
    args = ("run", "starter_pairs", "fake:masked")
    _, out, _ = tilt(*args, "--json")
    value = next(
        e["value"] for e in json.loads(out)["estimates"]
        if e["name"] == "stereotype_rate" and e["groups"] == {"bias_type": "disability"}
    )  # fmt: skip
    name = "stereotype_rate:bias_type=disability"
    code, _, err = tilt(*args, "--fail-if", f"{name} > {value}")
    assert code == 0
    assert f"passed: --fail-if '{name} > {value}': fake:masked has" in err
    code, _, err = tilt(
        *args, "--fail-if", f"{name} >= {value}", "--fail-if", "stereotype_rate < 0"
    )
    assert code == 3
    assert f"failed: --fail-if '{name} >= {value}': fake:masked has" in err
    assert "passed: --fail-if 'stereotype_rate < 0'" in err


@pytest.mark.parametrize(
    ("study", "limit", "message"),
    [
        ("starter_pairs", "stereotyp_rate > 60", "Did you mean 'stereotype_rate'"),
        ("starter_pairs", "stereotype_rate:bias_typ=age > 60", "Did you mean 'bias_type'"),
        ("starter_pairs", "stereotype_rate:bias_type=agee > 60", "Did you mean 'age'"),
        ("starter_pairs", "stereotype_rate > 1e999", "1e999 is too large; name a smaller number"),
        ("starter_pairs", "stereotype_rate > 600", "stereotype_rate lies between 0 and 100; name"),
        ("starter_pairs", "stereotype_rate < -1", "stereotype_rate lies between 0 and 100; name"),
        ("starter_pairs", "stereotype_rate.p < 5", "p lies between 0 and 1; name"),
        ("seat", "effect_size > 1", "effect_size is not reported over all items; name a subset"),
    ],
)
def test_what_does_not_exist_is_refused_before_a_model_is_loaded(
    tilt, loaded, study, limit, message
):
    code, out, err = tilt("run", study, "fake", "--fail-if", limit)
    assert message in " ".join(err.split())
    assert (code, out) == (2, "")
    assert loaded == []


def test_comparisons_sweeps_and_mitigations_take_it(tilt, tmp_path):
    for model in ("fake:masked", "fake"):
        assert tilt("run", "starter_pairs", model, "--seed", 1)[0] == 0
    runs = sorted((tmp_path / "runs").iterdir())
    code, _, err = tilt("compare", *runs, "--fail-if", "stereotype_rate > 100")
    assert code == 0
    assert err.count("passed: --fail-if 'stereotype_rate > 100'") == 2
    assert tilt("compare", *runs, "--fail-if", "stereotype_rate_difference > -100")[0] == 3
    code, _, err = tilt(
        "analyse", "before-after", runs[0], "--after", runs[1], "--fail-if", "stereotype_rate >= 0"
    )
    assert code == 3
    assert err.count("failed:") == 1
    file = tmp_path / "mine.toml"
    file.write_text(
        '[[study]]\nname = "starter_pairs"\n[[model]]\nname = "fake"\n', encoding="utf-8"
    )
    assert tilt("run", file, "--fail-if", "stereotype_rate >= 0")[0] == 3
    code, _, err = tilt("run", file, "--fail-if", "stereotype_rat >= 0")
    assert code == 2
    assert "Did you mean 'stereotype_rate'" in err


def test_the_four_fifths_rule_is_a_gate(tilt, tmp_path):
    args = ("run", "decisions", "fake", "--rule", "choice", "--limit", 60)
    _, out, _ = tilt(*args, "--json")
    value = next(
        e["value"] for e in json.loads(out)["estimates"]
        if e["name"] == "impact_ratio" and e["groups"] == {"race": "Black"}
    )  # fmt: skip
    names = ("impact_ratio:race=Black", "Impact ratio:black", '"impact_ratio":"race"="Black"')
    for sign, code, outcome in ((">=", 3, "failed: "), (">", 0, "passed: ")):
        limits = [w for name in names for w in ("--fail-if", f"{name} {sign} {value!r}")]
        made = tilt(*args, *limits)
        assert (made[0], made[2].count(outcome)) == (code, len(names))
    gates = tmp_path / "gates.toml"
    text = f"[[threshold]]\nstudy = 'decisions'\nfail_if = 'impact_ratio:race=Black >= {value!r}'\n"
    gates.write_text(text, encoding="utf-8")
    profile = tmp_path / "mine.toml"
    study = "[[study]]\nname = 'decisions'\nrule = 'choice'\nlimit = 60\n"
    profile.write_text(study, encoding="utf-8")
    audit = ("audit", "fake", "--profile", profile, "--thresholds", gates)
    code, _, err = tilt(*audit)
    assert code == 3
    assert f"failed: decisions/impact_ratio:race=Black >= {value!r}: fake has {value:.4g} (" in err
    gates.write_text(text.replace(">=", ">"), encoding="utf-8")
    assert tilt(*audit)[0] == 0


@pytest.mark.parametrize("name", ["impact_ratio:race=Blck", "Impact ratio:Blck × male"])
def test_a_misspelt_value_is_refused_before_a_model_is_loaded(tilt, loaded, name):
    code, out, err = tilt("run", "decisions", "fake", "--limit", 40, "--fail-if", f"{name} < .8")
    assert (code, out, loaded) == (2, "", [])
    assert "Did you mean 'Black'" in " ".join(err.split())


def test_values_with_signs_of_the_grammar_are_named_in_quotes(tilt, tmp_path):
    values = ("Black, African", 'the "other"', "a=b: c", "über 60 > 59")
    rows = [
        f'{i},"The old man sang {i}.","The young man sang {i}.","{value.replace(chr(34), chr(34) * 2)}"'
        for i in range(40)
        for value in [values[i % 4]]
    ]
    data = tmp_path / "mine.csv"
    data.write_text("\n".join(["id,sent_more,sent_less,bias_type", *rows]) + "\n", encoding="utf-8")
    args = ("run", "pairs", "fake:masked", "--data", data)
    names = [address("stereotype_rate", {"bias_type": value}) for value in values]
    limits = [word for name in names for word in ("--fail-if", f"{name} > 100")]
    code, _, err = tilt(*args, *limits)
    assert (code, err.count("passed: ")) == (0, 4)
    code, _, err = tilt(*args, "--fail-if", 'stereotype_rate:bias_type="Black, Afrcan" > 3')
    assert code == 2
    assert "Did you mean 'Black, African'" in " ".join(err.split())


def test_a_difference_of_models_that_is_printed_is_a_gate(tilt):
    words = ("run", "starter_pairs", "fake:masked", "fake:causal", "--out", "runs")
    code, _, err = tilt(*words, "--fail-if", "stereotype_rate_difference > -100")
    assert code == 3, err
    assert (
        "failed: --fail-if 'stereotype_rate_difference > -100': fake:masked − fake:causal"
        in " ".join(err.split())
    )
    assert tilt(*words, "--fail-if", "stereotype_rate_difference.low > 0")[0] == 0
    assert tilt(*words, "--fail-if", "same_preference < 0")[0] == 0
    code, _, err = tilt(
        "run", "starter_pairs", "fake:masked", "--fail-if", "stereotype_rate_difference > 0"
    )
    assert code == 2 and "stereotype_rate_difference" in err
