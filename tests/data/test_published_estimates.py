"""Numbers of papers under the names that results have: each name is one that results know."""

import pytest

from data.test_published_nadeem import TABLES as SCORED_CONTEXTS
from support import published as data_sets
from tiltmeter.analyses.data_check.analysis import DataCheckOptions
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.finder import find, known
from tiltmeter.core.measures import EVERY
from tiltmeter.data.published import known_published, published, published_for
from tiltmeter.run.monitor import Logged

STUDIES = {name: find("studies", name, "STUDY") for name in known("studies")}
ANALYSES = {name: find("analyses", name, "ANALYSIS") for name in known("analyses")}
RULES = {rule.name for study in STUDIES.values() for rule in study.rules}
ALL = [(table, one) for name in known_published() for table in [published(name)] for one in table.numbers
       if one.estimate.study]  # fmt: skip


def only(name, **about):
    """The one estimate of these fields and groups."""
    groups = about.pop("groups", {})
    (found,) = [
        one
        for one in published(name).numbers
        if one.estimate.groups == groups
        and all(getattr(one.estimate, key) == value for key, value in about.items())
    ]
    return found


def test_a_printed_number_becomes_an_estimate():
    one = only("nangia2020_bias", model="roberta-large", groups={"bias_type": "race-color"})
    assert one.at("data") == "crows_pairs"
    source = published("nangia2020_bias").source
    assert source.endswith("doi:10.18653/v1/2020.emnlp-main.154, Table 2")
    made = one.estimate
    assert (made.study, made.name, made.rule) == ("crows_pairs", "stereotype_rate", "pll_shared")
    assert (made.value, made.n, made.unit) == (62.0, 516, "%")
    assert (made.low, made.high, made.p, made.neutral) == (None, None, None, None)
    assert made.significant is None


def test_shares_become_per_cent_without_a_tail():
    """.58 times 100 is 57.99999999999999 in floating point."""
    one = only(
        "elsafoury2023_social_bias", model="bert-base-uncased", groups={"bias_type": "gender"}
    )
    assert one.estimate.value == 58
    figure = published("elsafoury2023_social_bias").find(
        model="bert-base-uncased", attribute="gender", metric="CrowS-Pairs"
    )
    assert figure == 0.58  # the table itself is as printed


@pytest.mark.parametrize(
    ("name", "rows"), [("elsafoury2023_online_hate", 12), ("chiu2021_labels", 15)]
)
def test_rows_without_a_counterpart_have_no_study(name, rows):
    assert [one.estimate.study for one in published(name).numbers] == [""] * rows


def test_a_table_of_four_studies_has_the_axes_and_units_of_each():
    found = published("elsafoury2023_mitigation").numbers
    assert len(found) == 4 * 6 * 3
    assert {(e.estimate.name, e.estimate.unit, *e.estimate.groups) for e in found} == {
        ("stereotype_rate", "%", "bias_type"), ("ss", "%", "domain"), ("sos_rate", "%", "attribute"),
        ("mean_absolute_effect", "standard deviations", "family"),
    }  # fmt: skip
    assert {(e.places["base"], e.places["mitigation"]) for e in found} == {
        (model, what) for model in ("bert-base-uncased", "albert-base", "roberta-base")
        for what in ("none", "sentence_debias of profanity")
    }  # fmt: skip
    seat = only(
        "elsafoury2023_social_bias", model="roberta-base", study="seat", groups={"family": "race"}
    )
    assert seat.estimate.value == 0.307  # not a share: as printed


def test_tables_of_a_study():
    assert published_for("sos") == ["elsafoury2023_mitigation", "elsafoury2023_sos"]
    assert published_for("fairness_gaps") == ["elsafoury2023_fairness"]
    others = {"elsafoury2023_mitigation", "elsafoury2023_social_bias"}
    assert set(published_for("stereoset")) == {*SCORED_CONTEXTS, "nadeem2020_plain"} | others
    assert published_for("no_such_study") == []
    with pytest.raises(UnknownName, match="Did you mean 'nangia2020_bias'"):
        published("nangia2020_bais")


@pytest.mark.parametrize("study", sorted({one.estimate.study for _, one in ALL}))
def test_tables_say_which_studies_their_rows_are_about(study):
    tables = {table.name for table, one in ALL if one.estimate.study == study}
    assert published_for(study) == sorted(tables)


def test_names_are_those_of_results():
    for _, one in ALL:
        made = one.estimate
        if analysis := ANALYSES.get(made.study):  # takes runs of any study that has such a matrix
            assert {made.rule} <= {"", *RULES}
            assert (made.name, made.unit) in {(q.name, q.unit) for q in analysis.quantities}
            continue
        study = STUDIES[made.study]
        assert set(made.rule.split("+")) <= {"", *(rule.name for rule in study.rules)}
        same = [m for m in study.measures if m.name == made.name]
        assert {m.unit for m in same} == {made.unit}
        axes = {frozenset({*over, *m.at}) for m in same for over in m.over if EVERY not in over}
        contrasts = [m for m in same if m.contrast]
        axes |= {frozenset({*o, m.contrast.axis}) for m in contrasts for o in ((), *m.over)}
        assert frozenset(made.groups) in axes
        assert one.at("data").removesuffix("-test.jsonl") in {"", "stereoset_test", *study.data}


@pytest.mark.parametrize("name", ["crows_pairs", "stereoset", "winobias", "sos"])
def test_values_of_axes_are_those_of_the_data(name):
    if name != "sos":
        data_sets.need(name)
    there = {
        (axis, value) for item in STUDIES[name].load().items for axis, value in item.groups.items()
    }
    if name == "stereoset":
        items = STUDIES[name].load().items
        there |= {(axis, getattr(i, axis)) for i in items for axis in ("task", "domain", "target")}
    printed = {
        p for _, one in ALL if one.estimate.study == name for p in one.estimate.groups.items()
    }
    assert printed and printed <= there


def test_shares_of_crows_pairs_are_those_of_a_data_check():
    data_sets.need("crows_pairs")
    result = ANALYSES["data_check"].compute(["crows_pairs"], DataCheckOptions(), Logged())
    ours = {
        (e.name, *sorted(e.groups.items())): e.value
        for e in result.estimates
        if e.value is not None
    }
    printed = published("nangia2020_shares").numbers
    assert len(printed) == 12
    for one in printed:
        made = one.estimate
        assert abs(ours[made.name, *sorted(made.groups.items())] - made.value) < 0.05 + 1e-9


def test_no_number_is_there_twice():
    """Of one table: the same measure of the same subset, model, rule and data."""
    seen = set()
    for table, one in ALL:
        made = one.estimate
        key = (
            table.name, one.at("data"), made.study, made.rule, made.model, made.name,
            *sorted(made.groups.items()),
        )  # fmt: skip
        assert key not in seen
        seen.add(key)
