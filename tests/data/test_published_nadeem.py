"""StereoSet's tables, of 2020 and 2021: numbers that follow from others, and the few that do not."""

import csv
from collections import Counter
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

import tiltmeter.data
from support import published as data_sets
from tiltmeter.data.published import known_published, published
from tiltmeter.studies.stereoset import STUDY

MODELS = (
    "bert-base-cased", "bert-large-cased", "roberta-base", "roberta-large", "xlnet-base-cased",
    "xlnet-large-cased", "gpt2", "gpt2-medium", "gpt2-large",
)  # fmt: skip
MASKED = MODELS[:6]
BASELINES = {"IdealLM", "StereotypedLM", "RandomLM", "SentimentLM"}
CORRELATION = "nadeem2021_lms_ss"
ABOUT_DATA = {
    f"nadeem{name}" for name in (
        "2020_statistics", "2020_sentiment", "2020_keywords", "2020_terms", "2020_heads", "2021_terms",
        "2021_lms_means", "2021_lms_ss", "2020_plain",
    )
}  # fmt: skip
"""Tables without lms, ss and icat of all models."""
TABLES = [n for n in known_published() if n.startswith("nadeem") and n not in ABOUT_DATA]
AXES = ("model", "data", "task", "domain", "target")
TASKS = ("intrasentence", "intersentence")
DOMAINS = ("gender", "profession", "race", "religion")
TERMS = {"nadeem2020_domain_dev": (10, 30, 36, 3), "nadeem2020_domain_test": (30, 90, 113, 9)}
"""Target terms of the domains; Table 1 of both versions has 40, 120, 149 and 12 in the two sets together."""
ROUNDED = 0.05 + 1e-9
"""How far a number is from what is printed with one decimal."""


def rows(name):
    """By model, data, task, domain and target: {"lms": …, "ss": …, "icat": …}."""
    found = {}
    for f in published(name).numbers:
        row = found.setdefault(tuple(f.places.get(axis, "") for axis in AXES), {})
        row[f.places["measure"]] = f.value
    return found


def half_units(name):
    """By the same and the measure: half a unit of the last printed digit."""
    folder = Path(tiltmeter.data.__file__).parent / "published"
    with (folder / f"{name}.csv").open(encoding="utf-8") as file:
        return {
            (*(row.get(axis, "") for axis in AXES), row["measure"]): 0.5
            / 10 ** len(row["value"].partition(".")[2])
            for row in csv.DictReader(file)
        }


def test_tables_are_whole():
    sizes = {name: len(published(name).numbers) for name in TABLES}
    models, baselines = 10 * 3, 4 * 3 - 1  # the stereotyped one has no lms
    assert sizes == {
        "nadeem2020_overall": 2 * (models + baselines),
        "nadeem2020_ensemble": 12 * 3,
        "nadeem2020_task": 2 * models,
        "nadeem2020_domain_dev": 11 * 5 * 2 * 3,
        "nadeem2020_domain_test": 11 * 5 * 2 * 3,
        "nadeem2021_likelihood": models + baselines,
        "nadeem2021_pseudo": models + baselines,
        "nadeem2021_likelihood_task": 2 * models,
        "nadeem2021_pseudo_task": 2 * models,
    }
    named = {f.model for name in TABLES for f in published(name).numbers}
    assert named == {*MODELS, *BASELINES, "Ensemble"}
    assert TERMS.keys() == {name for name in TABLES if "domain" in name}
    assert np.sum(list(TERMS.values()), axis=0).tolist() == [40, 120, 149, 12]


@pytest.mark.parametrize("name", TABLES)
def test_icat_follows_from_lms_and_ss_but_for_two(name):
    """icat = lms · min(ss, 100 − ss) / 50, for some lms and ss that are printed like these."""
    halves, odd = half_units(name), []
    for key, row in rows(name).items():
        if "lms" not in row:
            continue
        spans = {m: (row[m] - halves[*key, m], row[m] + halves[*key, m]) for m in row}
        inside = [50.0] if spans["ss"][0] < 50 < spans["ss"][1] else []
        possible = [
            lms * min(ss, 100 - ss) / 50
            for lms, ss in product(spans["lms"], (*spans["ss"], *inside))
        ]
        low, high = spans["icat"]
        if min(possible) > high + 1e-9 or max(possible) < low - 1e-9:
            odd.append((key[0], key[2], row["icat"]))
    assert odd == {
        "nadeem2021_likelihood_task": [("bert-large-cased", "intersentence", 71.0)],
        "nadeem2021_pseudo_task": [("Ensemble", "intersentence", 69.9)],
    }.get(name, [])
    assert all(any(str(icat) in note for note in published(name).notes) for *_, icat in odd)


@pytest.mark.parametrize("name", TERMS)
def test_over_all_domains_every_term_counts_alike(name):
    found = rows(name)
    for (model, data, task, domain, _), row in found.items():
        if domain:
            continue
        parts = [found[model, data, task, d, ""] for d in DOMAINS]
        for measure in ("lms", "ss"):
            mean = np.average([part[measure] for part in parts], weights=TERMS[name])
            assert mean == pytest.approx(row[measure], abs=0.01 + 1e-9)  # both are rounded


def test_table_6_of_2020_is_table_8_rounded():
    found = rows("nadeem2020_domain_test")
    for key, row in rows("nadeem2020_task").items():
        for measure, value in row.items():
            assert abs(found[key][measure] - value) < ROUNDED


def far_from_tasks(overall, by_task, data, most):
    """Models whose number over both tasks is farther than this from the mean of the tasks' numbers."""
    whole, tasks = rows(overall), rows(by_task)
    off = {}
    for (model, of, *_), row in whole.items():
        parts = [tasks.get((model, of, task, "", "")) for task in TASKS]
        if of == data and all(parts):
            for measure in ("lms", "ss"):
                mean = sum(part[measure] for part in parts) / 2
                if abs(row[measure] - mean) > most:
                    off[model, measure] = round(row[measure] - mean, 1)
    return off


def test_both_tasks_are_near_the_mean_of_the_two_but_where_notes_say():
    """Not equal to it: contexts of both tasks are pooled term by term."""
    dev = far_from_tasks("nadeem2020_overall", "nadeem2020_domain_dev", "stereoset", 0.3)
    assert dev == {("SentimentLM", "lms"): 0.7, ("SentimentLM", "ss"): -1.5}
    test = far_from_tasks("nadeem2020_overall", "nadeem2020_domain_test", "stereoset_test", 0.3)
    assert test == {}
    likelihood = ("nadeem2021_likelihood", "nadeem2021_likelihood_task", "stereoset_test")
    assert far_from_tasks(*likelihood, 0.4) == {("bert-base-cased", "ss"): -1.3}
    pseudo = ("nadeem2021_pseudo", "nadeem2021_pseudo_task", "stereoset_test")
    assert far_from_tasks(*pseudo, 0.41) == {}


def differing(one, other):
    """What `one` prints otherwise than `other`, with both numbers."""
    new, old = rows(one), rows(other)
    return {
        (key[0], key[2], measure): (old[key][measure], value)
        for key, row in new.items()
        for measure, value in row.items()
        if old[key][measure] != value
    }


def test_the_two_versions_differ_where_notes_say():
    assert differing("nadeem2021_likelihood", "nadeem2020_overall") == {
        ("bert-large-cased", "", "ss"): (59.3, 59.2), ("gpt2-large", "", "ss"): (60.1, 60.0),
        ("Ensemble", "", "lms"): (90.5, 90.2), ("Ensemble", "", "ss"): (62.5, 62.3),
    }  # fmt: skip
    assert differing("nadeem2021_likelihood_task", "nadeem2020_task") == {
        ("bert-base-cased", "intersentence", "ss"): (59.0, 61.7),
        ("bert-base-cased", "intersentence", "icat"): (72.4, 67.6),
        ("bert-large-cased", "intersentence", "ss"): (60.8, 60.6),
        ("bert-large-cased", "intersentence", "icat"): (69.5, 71.0),
    }


def correlation(name, models):
    found = rows(name)
    of = [found[model, "stereoset_test", "", "", ""] for model in models]
    return round(float(spearmanr([r["lms"] for r in of], [r["ss"] for r in of]).statistic), 3)


def test_the_printed_correlation_is_over_the_nine_pretrained_models():
    printed = published(CORRELATION).find()
    for name in ("nadeem2021_likelihood", "nadeem2020_overall"):
        assert correlation(name, MODELS) == 0.867
        assert correlation(name, (*MODELS, "Ensemble")) == 0.903
    assert round(0.867, 2) == printed
    assert correlation("nadeem2021_pseudo", MODELS) == 0.933


def mean_lms(name, task, models):
    found = rows(name)
    return round(np.mean([found[m, "stereoset_test", task, "", ""]["lms"] for m in models]), 2)


def test_the_means_of_lms_that_the_text_gives():
    """ "avg lms_ll = 79.88, avg lms_pll = 79.68"; intrasentence 75.7 and 79.4; intersentence 78.82 and
    75.98. The second two are over masked models and XLNet only, the others over all nine."""
    likelihood, pseudo = "nadeem2021_likelihood", "nadeem2021_pseudo"
    assert [mean_lms(name, "", MODELS) for name in (likelihood, pseudo)] == [79.88, 79.68]
    by_task = f"{likelihood}_task", f"{pseudo}_task"
    assert [mean_lms(name, TASKS[0], MASKED) for name in by_task] == [75.72, 79.37]
    assert [mean_lms(name, TASKS[1], MODELS) for name in by_task] == [78.82, 75.98]
    printed = published("nadeem2021_lms_means")
    assert [f.value for f in printed.numbers] == [79.88, 79.68, 75.7, 79.4, 78.82, 75.98]
    assert printed.find(scoring="pseudo", task=TASKS[0]) == 79.4


def test_counts_of_the_data_add_up_but_for_triples_of_domains():
    table = published("nadeem2020_statistics")
    more = {}
    for task in TASKS:
        terms, triples, words = (
            {d: table.find(task=task, domain=d, measure=m) for d in (*DOMAINS, "")}
            for m in ("terms", "items", "words")
        )
        assert terms[""] == sum(terms[domain] for domain in DOMAINS) == 321
        more[task] = sum(triples[domain] for domain in DOMAINS) - triples[""]
        mean = np.average([words[d] for d in DOMAINS], weights=[triples[d] for d in DOMAINS])
        assert abs(mean - words[""]) < 0.1
    assert more == {TASKS[0]: 355, TASKS[1]: 361}
    assert any("355 more" in note and "361 more" in note for note in table.notes)
    totals = [table.find(task=task, domain="", measure="items") for task in TASKS]
    assert sum(totals) == table.find(task="", measure="items") == 16995


def test_words_and_terms_are_all_there():
    words = published("nadeem2020_keywords").numbers
    assert Counter(f.places["domain"] for f in words) == dict.fromkeys(DOMAINS, 16)
    for name, religious in (("nadeem2020_terms", 12), ("nadeem2021_terms", 24)):
        figures = published(name).numbers
        assert Counter(f.places["domain"] for f in figures) == {
            "gender": 40, "profession": 120, "race": 149, "religion": religious,
        }  # fmt: skip
        assert len({f.group for f in figures}) == len(figures)
    listed, judged = (
        {f.group for f in published(f"nadeem{version}_terms").numbers} for version in (2020, 2021)
    )
    assert listed < judged and len(judged - listed) == 12
    assert max(published("nadeem2021_terms").numbers, key=lambda f: f.value).printed == "0.9"


def test_terms_of_the_development_set_stand_by_how_often_they_occur():
    data_sets.need("stereoset/dev_rebuilt.json")
    items = STUDY.load("stereoset_rebuilt").items
    counts = Counter(item.target for item in items)
    places = {f.places["target"]: f for f in published("nadeem2020_terms").numbers}
    assert set(counts) <= set(places)
    turned = []
    for domain in DOMAINS:
        ordered = [t for t, f in places.items() if f.places["domain"] == domain and t in counts]
        turned += [(a, b) for a, b in pairwise(ordered) if counts[a] < counts[b]]
    assert turned == [("butcher", "prosecutor")]


def test_sentiment_is_all_of_each_side():
    of = published("nadeem2020_sentiment").find
    for side in ("stereotype", "anti_stereotype"):
        assert sum(of(side=side, measure=name) for name in ("not_negative", "negative")) == 100


def test_gpt2_is_scored_in_one_way_within_a_sentence():
    likelihood, pseudo = rows("nadeem2021_likelihood_task"), rows("nadeem2021_pseudo_task")
    for model in MODELS[6:]:
        key = model, "stereoset_test", "intrasentence", "", ""
        assert likelihood[key] == pseudo[key]
