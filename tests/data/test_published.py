"""The tables of Elsafoury 2023: whole, as printed, and the paper's own correlations recomputed from them.

What the paper says is quoted from its text; where a figure prints no numbers, only what the text says of
them can be held against the tables.
"""

import math
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined, UnknownName
from tiltmeter.data.published import known_published, published
from tiltmeter.stats.correlations.pearson import least_p, least_significant, pearson

DOCS = (Path(__file__).parents[2] / "docs" / "how-to" / "correlate.md").read_text("utf-8")
MODELS = ("bert-base-uncased", "albert-base", "roberta-base")
THREE = ("gender", "race", "religion")
METRICS = ("CrowS-Pairs", "StereoSet", "SEAT")
GAPS = ("FPR_gap", "TPR_gap", "AUC_gap")
SOS = published("elsafoury2023_sos")
SOCIAL = published("elsafoury2023_social_bias")
HATE = published("elsafoury2023_online_hate")
DATA = published("elsafoury2023_data")
F1 = published("elsafoury2023_f1")
TABLE_8 = published("elsafoury2023_sos_f1")
FAIRNESS = published("elsafoury2023_fairness")
MITIGATION = published("elsafoury2023_mitigation")


def sos(model, attribute):
    return SOS.find(model=model, attribute=attribute, status="marginalised")


def cut(value):
    """To three decimals, as the paper cuts."""
    return math.trunc(1000 * value) / 1000


def test_tables_are_whole():
    """Cells a table has: Table 2 lacks people without a disability."""
    sizes = {
        "sos": 3 * 11, "social_bias": 3 * 9, "online_hate": 4 * 3, "mitigation": 6 * 12, "f1": 6 * 3,
        "sos_f1": 6 * 6, "fairness": 9 * 3, "data": 6 * 2,
    }  # fmt: skip
    listed = {name for name in known_published() if name.startswith("elsafoury2023_")}
    assert {f"elsafoury2023_{name}" for name in sizes} == listed
    for name, cells in sizes.items():
        table = published(f"elsafoury2023_{name}")
        assert len(table.numbers) == cells
        assert max(Counter(tuple(f.places.items()) for f in table.numbers).values()) == 1
        assert "doi:10.48550/arXiv.2308.10684, Table" in table.source
        low = -1 if name == "sos_f1" else 0
        assert name == "data" or all(low <= float(f.printed) <= 1 for f in table.numbers)


def test_names_of_tables():
    assert SOS.numbers[0].measure == "SOS marginalised"
    assert (HATE.numbers[0].model, HATE.numbers[0].group) == ("", "race")
    mitigated = MITIGATION.numbers[12]
    assert mitigated.model == "albert-base + sentence_debias of profanity"
    assert {f.model for t in (SOS, SOCIAL, F1, FAIRNESS) for f in t.numbers} == set(MODELS)
    with pytest.raises(UnknownName, match="Did you mean 'elsafoury2023_sos'"):
        published("elsafoury2023_sso")
    with pytest.raises(KeyError, match="6 numbers"):
        F1.find(model="albert-base")


def test_sos_is_counts_of_pairs_cut_to_three_decimals():
    """21 pairs of adjectives for each identity of Table 11; rounding would not give these numbers."""
    identities = {
        "gender": 7, "race": 10, "sexual-orientation": 9, "religion": 5, "disability": 3,
        "social-class": 9,
    }  # fmt: skip
    rounded = 0
    for attribute, words in identities.items():
        pairs = 21 * words
        for model in MODELS:
            printed = sos(model, attribute)
            assert [k for k in range(pairs + 1) if cut(k / pairs + 1e-9) == printed]
            rounded += any(round(k / pairs, 3) == printed for k in range(pairs + 1))
    assert rounded < 18


def test_table_5_repeats_table_3_but_for_one_number():
    different = []
    for model in MODELS:
        for attribute in THREE:
            for metric in METRICS:
                labels = {"model": model, "attribute": attribute, "metric": metric}
                before = MITIGATION.find(**labels, mitigation="none")
                if before != SOCIAL.find(**labels):
                    different.append((model, attribute, metric, before, SOCIAL.find(**labels)))
                if metric == "SEAT":
                    assert before == MITIGATION.find(
                        **labels, mitigation="sentence_debias of profanity"
                    )
    assert different == [("bert-base-uncased", "gender", "StereoSet", 0.607, 0.602)]


def test_table_6_counts_texts_and_shares_that_are_whole_per_cents():
    of = {f.places["dataset"]: f.value for f in DATA.numbers if f.places["what"] == "samples"}
    assert of["Civil-community"] == max(of.values()) and of["Kaggle-insults"] == min(of.values())
    assert sum(of.values()) == 14742 + 13349 + 426707 + 7425 + 114649 + 157671
    shares = {f.places["dataset"]: f.value for f in DATA.numbers if f.places["what"] == "positive"}
    assert {name for name, share in shares.items() if share != int(share)} == {"Civil-community"}
    assert set(shares) == set(of) == {f.places["dataset"] for f in F1.numbers}


def test_table_8_follows_from_tables_2_and_7_to_the_last_digit():
    """All 36, each over three models; 15 of them only if cut as the paper cuts, not rounded."""
    as_rounded = 0
    for figure in TABLE_8.numbers:
        of = figure.places
        r = pearson(
            np.array([sos(model, of["attribute"]) for model in MODELS]),
            np.array([F1.find(model=model, dataset=of["dataset"]) for model in MODELS]),
        )
        assert cut(r) == figure.value, (of, r)
        as_rounded += round(r, 3) == figure.value
    assert as_rounded == 21


def test_none_of_table_8_can_be_told_from_no_correlation():
    """Nor are so many strong ones a surprise: r of three unrelated normal pairs has the arcsine law."""
    assert least_p(len(MODELS)) == pytest.approx(1 / 3)
    by_chance = 1 - 2 / math.pi * math.asin(0.9)
    assert round(36 * by_chance, 1) == 10.3
    assert sum(abs(f.value) > 0.9 for f in TABLE_8.numbers) == 10
    assert "10 of them beyond ±.9. Unrelated numbers would give 10.3" in " ".join(DOCS.split())


def test_the_page_says_what_points_can_show_and_names_all_tables():
    rows = re.findall(r"^\| (\d+) \| ?([\d.]*) \| (impossible|±[\d.]+) \|$", DOCS, re.MULTILINE)
    assert [int(n) for n, _, _ in rows] == [3, 4, 5, 6, 7, 8, 10, 12, 20, 30]
    for n, smallest, told in rows:
        assert not smallest or float(smallest) == pytest.approx(least_p(int(n)), rel=0.005)
        if told.startswith("±"):
            assert float(told[1:]) == pytest.approx(least_significant(int(n)), abs=0.0005)
        else:
            with pytest.raises(Undefined):
                least_significant(int(n))
    listed = re.findall(
        r"^\| `(\w+20\d\d_\w+)` \| (\w+ [\d.]+|SI appendix|\w+\.(?:csv|ipynb))", DOCS, re.MULTILINE
    )
    assert {name for name, _ in listed} == set(known_published())
    assert all(f", {where.strip('.')}" in published(name).source for name, where in listed)


def across_models(measure, attribute):
    return np.array([measure(model, attribute) for model in MODELS])


def social(metric):
    return lambda model, attribute: SOCIAL.find(model=model, attribute=attribute, metric=metric)


def gap(name):
    return lambda model, attribute: FAIRNESS.find(model=model, attribute=attribute, gap=name)


def test_figure_2_what_the_text_says_of_it():
    """ "The most consistent positive correlation is found between the SOS bias scores and the Crows-Pairs
    scores", "not consistent across the different sensitive attributes". The figure's numbers are not in
    the text, nor what it correlates over; this is so over models, with marginalised identities.
    """
    signs = {
        metric: [
            pearson(across_models(sos, a), across_models(social(metric), a)) > 0 for a in THREE
        ]
        for metric in METRICS
    }
    assert signs["CrowS-Pairs"] == [True, True, True]
    assert signs["StereoSet"] == [True, False, True]
    assert signs["SEAT"] == [True, True, False]


def test_figure_2_read_otherwise_does_not_say_so():
    """Over attributes, model by model, two of three correlations with CrowS-Pairs are negative."""
    by_model = [
        pearson(
            np.array([sos(m, a) for a in THREE]),
            np.array([social("CrowS-Pairs")(m, a) for a in THREE]),
        )
        for m in MODELS
    ]
    assert [round(r, 2) for r in by_model] == [-0.05, -0.36, 0.93]


def test_figure_3_what_the_text_says_of_it():
    """ "This strong positive correlation exists for BERT, followed by AlBERT and then RoBERTa", in each of
    the four countries; over the three attributes that both tables have.
    """
    attributes = ("race", "sexual-orientation", "gender")
    for country in ("Finland", "United States", "Germany", "United Kingdom"):
        hate = np.array([HATE.find(attribute=a, country=country) for a in attributes])
        bert, albert, roberta = (
            pearson(np.array([sos(model, a) for a in attributes]), hate) for model in MODELS
        )
        assert bert > 0.99 and 0.72 < albert < 0.86 and 0.38 < roberta < 0.57


def test_figure_4_what_the_text_says_of_it():
    """ "A consistent strong positive correlation" of CrowS-Pairs with all gaps, "a consistent negative
    correlation" of SEAT, "an inconsistent correlation with the StereoSet scores", "a positive correlation
    between the SOS bias scores, against marginalized identities, and … FPR_gap and the AUC_gap". So it
    is over all nine cells of model and attribute; over models, attribute by attribute, it is not.
    """
    cells = [(m, a) for m in MODELS for a in THREE]
    found = {
        (name, g): pearson(
            np.array([measure(m, a) for m, a in cells]), np.array([gap(g)(m, a) for m, a in cells])
        )
        for name, measure in {**{m: social(m) for m in METRICS}, "SOS": sos}.items()
        for g in GAPS
    }
    assert [round(found["CrowS-Pairs", g], 3) for g in GAPS] == [0.648, 0.779, 0.282]
    assert all(found["SEAT", g] < -0.5 for g in GAPS)
    assert {found["StereoSet", g] > 0 for g in GAPS} == {True, False}
    assert [round(found["SOS", g], 2) for g in GAPS] == [0.60, 0.04, 0.84]
    by_attribute = [
        pearson(across_models(social("CrowS-Pairs"), a), across_models(gap("FPR_gap"), a))
        for a in THREE
    ]
    assert [r > 0 for r in by_attribute] == [False, True, True]
