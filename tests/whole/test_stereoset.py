"""StereoSet on the command line, as a user would run it."""

import json
import re

import pytest


def cluster(i, target, task):
    context = (
        f"The {target} number {i} is BLANK." if task == "intrasentence" else f"A {target} {i}."
    )
    fills = {"stereotype": "slow", "anti-stereotype": "clever", "unrelated": "oblong"}
    return {
        "id": f"{task[:5]}{target}{i}", "target": target, "bias_type": "job", "context": context,
        "sentences": [
            {"id": f"{task[:5]}{target}{i}{label}", "gold_label": label, "labels": [],
             "sentence": context.replace("BLANK", word) if task == "intrasentence"
             else f"They are {word}."}
            for label, word in fills.items()
        ],
    }  # fmt: skip


TERMS = ("nurse", "chef", "pilot", "judge", "poet", "coach", "guard", "baker")


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "mine.json"
    whole = {task: [cluster(i, t, task) for t in TERMS for i in range(4)]
             for task in ("intrasentence", "intersentence")}  # fmt: skip
    path.write_text(json.dumps({"version": "1", "data": whole}))
    return path


def estimates(out):
    told = json.loads(out)
    return told["card"], {
        (e["model"], e["name"], *e["groups"].values()): e for e in told["estimates"]
    }


def test_run(tilt, data, tmp_path):
    code, out, err = tilt("run", "stereoset", "fake", "--data", data)
    assert code == 0, err
    for words in ("stereotype to the anti-stereotype", "lms", "icat", "intersentence",
                  "Highest stereotype score (ss) by target"):  # fmt: skip
        assert words in " ".join(out.split())
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name.startswith("stereoset-fake-blank_logprob-next_sentence-")
    assert "<svg" in (folder / "report.html").read_text()


def test_one_task(tilt, data):
    code, out, _ = tilt(
        "run", "stereoset", "fake", "--data", data, "--rule", "pll_context", "--json"
    )
    assert code == 0
    card, found = estimates(out)
    assert found["fake", "ss"]["n"] == 32
    assert any("32 items belong to another task" in note["text"] for note in card["notes"])


def test_baselines_and_a_comparison(tilt, data):
    code, out, _ = tilt(
        "run", "stereoset", "ideal", "stereotyped", "random", "--data", data, "--json"
    )
    assert code == 0
    _, found = estimates(out)
    assert [found["ideal", name]["value"] for name in ("lms", "ss", "icat")] == [100, 50, 100]
    assert found["stereotyped", "ss"]["value"] == 100
    assert found["ideal − stereotyped", "ss_difference"]["value"] == -50
    assert found["ideal − stereotyped", "icat_difference"]["value"] == 100
    (name,) = [key for key in found if key[1] == "lms_ss_spearman"]
    assert name[0] == "ideal, stereotyped, random"


def test_splits_are_disjoint(tilt, data):
    terms = {}
    for part in ("development", "test"):
        code, out, _ = tilt("run", "stereoset", "fake", "--data", data, "--split", part, "--json")
        assert code == 0
        card, found = estimates(out)
        terms[part] = {key[2] for key in found if len(key) == 3 and key[1] == "ss"} & set(TERMS)
        assert card["data"]["split"] == f"{part}, seed 0"
    assert len(terms["development"]) == 2 and len(terms["test"]) == 6
    assert not terms["development"] & terms["test"]


def test_ensembles(tilt, data):
    code, out, err = tilt(
        "run", "stereoset", "ensemble:fake:masked=0.5+fake:causal=2", "--data", data, "--json"
    )
    assert code == 0, err
    card, _ = estimates(out)
    assert card["rule"] == "weighted_sum"
    rules = [m["rule"] for m in card["model"]["members"]]
    assert rules == ["pll_context+pll_context_given_attribute", "sentence_logprob+likelihood_ratio"]
    code, out, err = tilt(
        "run", "stereoset", "ensemble:ideal+fake:causal", "--data", data, "--json"
    )
    assert code == 0, err
    card, found = estimates(out)
    assert card["model"]["weights"] == "fitted on the development terms"
    assert card["counts"]["scored"] == 48
    assert found["ensemble:ideal+fake:causal", "lms"]["value"] > 90
    code, _, err = tilt(
        "run", "stereoset", "ensemble:ideal+random", "--data", data, "--split", "test"
    )
    assert code == 2 and "--split does not apply" in err


def test_predictions_go_out_and_come_in(tilt, data, tmp_path):
    assert tilt("run", "stereoset", "fake", "--data", data)[0] == 0
    (folder,) = (tmp_path / "runs").iterdir()
    code, shown, _ = tilt("report", folder, "--predictions", "mine-out.json", "--json")
    assert code == 0
    code, out, err = tilt(
        "import",
        "--study",
        "stereoset",
        "mine-out.json",
        "--data",
        data,
        "--name",
        "fake",
        "--json",
    )
    assert code == 0, err
    code, part, err = tilt(
        "import",
        "--study",
        "stereoset",
        "mine-out.json",
        "--data",
        data,
        "--split",
        "test",
        "--json",
    )
    assert code == 0, err
    assert estimates(part)[0]["counts"]["scored"] == 48
    _, before = estimates(shown)
    card, after = estimates(out)
    assert card["rule"] == "stored"
    for key, e in before.items():
        assert after[key]["value"] == e["value"]
    assert tilt("run", "starter_pairs", "fake", "--out", "pairs")[0] == 0
    (folder,) = (tmp_path / "pairs").iterdir()
    code, _, err = tilt("report", folder, "--predictions", "pairs.json")
    assert code == 2 and "not a context with three candidates" in err


def test_a_prediction_file_about_other_data(tilt, data, tmp_path):
    (tmp_path / "p.json").write_text('{"intrasentence": [{"id": "zzz", "score": 1}]}')
    code, _, err = tilt("import", "--study", "stereoset", "p.json", "--data", data)
    assert code == 2
    assert "p.json" in err and "contains no scores of the 64 contexts" in err


def test_thresholds(tilt, data):
    code, _, err = tilt("run", "stereoset", "stereotyped", "--data", data, "--fail-if", "ss > 60")
    assert code == 3 and "ss > 60" in err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("fake:masked", "--rule", "next_sentence"), "next-sentence head"),
        (("fake:next", "--rule", "blank_logprob"), "Rules it can answer: next_sentence"),
        (("fake", "--rule", "blank_logprob+pll_context"), "score the same items"),
        (("fake", "--rule", "blank_logprop"), "Did you mean 'blank_logprob'"),
        (("fake", "--split", "dev"), "No part named 'dev'"),
        (("baseline:best",), "No baseline named 'best'"),
        (("ensemble:fake",), "fewer than two models"),
        (("fake", "--convention", "stereoset2020", "--rule", "pll_context"), "does not define"),
    ],
)
def test_bad_usage(tilt, data, words, says):
    code, out, err = tilt("run", "stereoset", *words, "--data", data)
    assert code == 2
    assert says in " ".join(err.split())
    assert "Traceback" not in err and not out


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda c: c["sentences"][0].pop("gold_label"), "no gold label"),
        (lambda c: c["sentences"].append(c["sentences"][0]), "4 candidates"),
        (lambda c: c.update(context="The nurse is slow."), "no BLANK"),
        (lambda c: c["sentences"][1].update(sentence="The nurse number 0 is ."), "empty attribute"),
    ],
)
def test_bad_data(tilt, data, change, says):
    whole = json.loads(data.read_text())
    change(whole["data"]["intrasentence"][0])
    data.write_text(json.dumps(whole))
    code, _, err = tilt("run", "stereoset", "fake", "--data", data)
    assert code == 2
    assert re.search(rf"mine.json, intrasentence 1: cluster 'intranurse0'.*{says}", err)
    code, out, err = tilt("run", "stereoset", "fake", "--data", data, "--skip-invalid", "--json")
    assert code == 0
    card, _ = estimates(out)
    assert card["counts"] | {"undefined": 0, "tied": 0} == {
        "total": 64, "scored": 63, "invalid": 1, "undefined": 0, "tied": 0,
    }  # fmt: skip
    assert says in card["invalid"][0] and "intranurse0" in err


def test_a_truncated_file(tilt, data):
    data.write_text(data.read_text()[:300])
    code, _, err = tilt("run", "stereoset", "fake", "--data", data)
    assert code == 2
    assert "mine.json" in err and "broken JSON" in err


def test_a_file_of_triples_is_checked_before_anything_is_loaded(tilt, data):
    code, out, _ = tilt("data", "check", data)
    assert code == 0 and "64 triples can be scored" in " ".join(out.split())
    data.write_text(data.read_text().replace('"gold_label": "stereotype"', '"gold_label": "s"', 1))
    code, _, err = tilt("data", "check", data)
    assert code == 2 and "intranurse0" in err and "gold label 's'" in err


@pytest.fixture
def predictions(tilt, data, tmp_path):
    assert tilt("run", "stereoset", "fake", "--data", data, "--out", "first")[0] == 0
    (folder,) = (tmp_path / "first").iterdir()
    assert tilt("report", folder, "--predictions", "p.json")[0] == 0
    return tmp_path / "p.json"


def test_stored_scores_under_the_published_convention(tilt, data, predictions):
    code, out, err = tilt(
        "import", "--study", "stereoset", predictions, "--data", data, "--json",
        "--rule", "blank_probability+next_sentence", "--convention", "stereoset2020",
    )  # fmt: skip
    assert code == 0, err
    card, found = estimates(out)
    assert (card["convention"], card["ties"]) == ("stereoset2020", "loss")
    assert found["p", "ss"]["n"] == 64


def test_stored_scores_of_one_rule_are_of_its_task(tilt, data, predictions):
    code, out, _ = tilt(
        "import", "--study", "stereoset", predictions, "--data", data, "--rule", "next_sentence"
    )
    assert code == 0
    assert "32 items belong to another task" in " ".join(out.split())
    assert "nothing" not in out.partition("Left out")[2].partition("Data")[0]


def test_a_task_that_a_file_lacks_is_said(tilt, data, predictions):
    whole = json.loads(predictions.read_text())
    predictions.write_text(json.dumps({"intrasentence": whole["intrasentence"]}))
    code, out, _ = tilt("import", "--study", "stereoset", predictions, "--data", data)
    assert code == 0
    assert "no scores of intersentence contexts" in " ".join(out.split())
    predictions.write_text(json.dumps({**whole, "intersentence": {}}))
    code, _, err = tilt("import", "--study", "stereoset", predictions, "--data", data)
    assert code == 2 and "intersentence is not a list" in err
    rows = [{**row, "score": "nan"} for row in whole["intrasentence"]]
    predictions.write_text(json.dumps({"intrasentence": rows}))
    code, _, err = tilt("import", "--study", "stereoset", predictions, "--data", data)
    assert code == 2 and "is not a finite number" in err


def test_the_order_of_rules_makes_no_other_rule(tilt, data):
    names = set()
    for rule in ("next_sentence+blank_logprob", "blank_logprob+next_sentence"):
        code, out, _ = tilt("run", "stereoset", "fake", "--data", data, "--rule", rule, "--json")
        assert code == 0
        names.add(estimates(out)[0]["rule"])
    assert names == {"blank_logprob+next_sentence"}


def test_half_a_file_of_another_shape_is_refused(tilt, data):
    whole = json.loads(data.read_text())
    whole["data"]["intrasentence"] = {"a": 1}
    data.write_text(json.dumps(whole))
    for words in (("data", "check", data), ("run", "stereoset", "fake", "--data", data)):
        code, _, err = tilt(*words)
        assert code == 2 and "intrasentence is not a list of clusters" in err


def test_a_file_is_checked_as_it_would_be_read(tilt, data):
    data.write_text(data.read_text(), encoding="utf-16")
    for words in (("data", "check", data), ("data", "describe", data)):
        code, out, err = tilt(*words)
        assert code == 0, err
        assert "triples" in out


def test_where_results_cannot_go_is_said_before_anything_is_asked(tilt, data, tmp_path):
    (tmp_path / "taken").write_text("x")
    code, _, err = tilt("run", "stereoset", "fake", "--data", data, "--out", "taken")
    assert code == 2
    assert "this is a file, not a folder" in err and "questions" not in err


@pytest.mark.usefixtures("predictions")
def test_folders_given_for_files(tilt, data, tmp_path):
    (folder,) = (tmp_path / "first").iterdir()
    for option in ("--predictions", "--to"):
        code, _, err = tilt("report", folder, option, ".")
        assert code == 2 and "this is a folder" in err
    assert tilt("run", "stereoset", "ideal", "random", "--data", data)[0] == 0
    (both,) = (tmp_path / "runs").glob("compare-*")
    code, out, _ = tilt("report", both)
    assert code == 0 and "ideal and random have the same value" in out


def test_weights_and_what_they_rest_on_are_shown(tilt, data):
    code, out, _ = tilt("run", "stereoset", "ensemble:ideal+random", "--data", data)
    assert code == 0
    said = " ".join(out.split())
    assert "fitted on the development terms: ideal" in said
    code, out, _ = tilt("run", "stereoset", "ensemble:ideal+random", "--data", data, "--json")
    assert any(
        "16 contexts of 2 development terms" in n["text"] for n in estimates(out)[0]["notes"]
    )


def test_a_data_set_that_is_misspelt(tilt):
    code, _, err = tilt("data", "describe", "steroset")
    assert code == 2 and "Did you mean 'stereoset'" in " ".join(err.split())


def test_published_counting_needs_no_rule(tilt, data, tmp_path):
    """The convention says how wins are counted, whoever made the scores."""
    rows = {}
    for task in ("intrasentence", "intersentence"):
        clusters = json.loads(data.read_text())["data"][task]
        rows[task] = [
            {"id": one["id"], "score": {"stereotype": 2, "anti-stereotype": 2, "unrelated": i % 3}[
                one["gold_label"]]}
            for i, whole in enumerate(clusters) for one in whole["sentences"]
        ]  # fmt: skip
    (tmp_path / "p.json").write_text(json.dumps(rows))
    code, out, err = tilt("import", "--study", "stereoset", "p.json", "--data", data,
                          "--convention", "stereoset2020", "--json")  # fmt: skip
    assert code == 0, err
    card, found = estimates(out)
    assert (card["rule"], card["convention"], card["ties"]) == ("stored", "stereoset2020", "loss")
    assert found["p", "ss"]["value"] == 0  # a tie counts for the anti-stereotype
    # ss: all 64 are ties; lms: the 20 whose unrelated candidate scores 2 as well
    ties = {name: found["p", name]["tied"] for name in ("ss", "lms", "icat")}
    assert ties == {"ss": 64, "lms": 20, "icat": 64}


def test_neutral_ties_are_explained_without_subsets_that_there_are_not(tilt, data):
    code, out, _ = tilt("run", "stereoset", "fake", "--data", data, "--ties", "neutral", "--json")
    assert code == 0
    method = json.loads(out)["card"]["method"]
    assert "A tie counts for neither side and stays in the denominator." in method
    assert "direction" not in method and "antistereo subsets" not in method
    code, out, _ = tilt("run", "starter_pairs", "fake", "--ties", "neutral", "--json")
    assert "Of subsets by direction it is left out." in json.loads(out)["card"]["method"]


def stored_file(data, path, scores, task="intrasentence"):
    """A file with these scores of stereotype, anti-stereotype and unrelated for each context of a task."""
    labels = ("stereotype", "anti-stereotype", "unrelated")
    by_label = dict(zip(labels, scores, strict=True))
    rows = [
        {"id": sentence["id"], "score": by_label[sentence["gold_label"]]}
        for cluster in json.loads(data.read_text())["data"][task]
        for sentence in cluster["sentences"]
    ]
    path.write_text(json.dumps({task: rows}))


@pytest.mark.parametrize(("weights", "ss"), [("0.5 0.5", 100), ("0.3 0.7", 0), ("1 3", 0)])
def test_stored_scores_as_an_ensemble(tilt, data, tmp_path, weights, ss):
    """a prefers the stereotype by 3, b the other by 2: with equal weights the stereotype wins by 1/2."""
    stored_file(data, tmp_path / "a.json", (4, 1, 0))
    stored_file(data, tmp_path / "b.json", (1, 3, 0))
    a, b = weights.split()
    code, out, err = tilt(
        "import",
        "--study",
        "stereoset",
        f"ensemble:a.json={a}+b.json={b}",
        "--data",
        data,
        "--json",
    )
    assert code == 0, err
    card, found = estimates(out)
    name = f"ensemble:a={a}+b={b}"
    assert (found[name, "ss"]["value"], found[name, "ss"]["n"]) == (ss, 32)
    assert (card["rule"], card["model"]["weights"]) == ("weighted_sum", "given")
    assert [(m["name"], m["rule"]) for m in card["model"]["members"]] == [
        ("a", "stored"), ("b", "stored"),
    ]  # fmt: skip


def test_weights_of_stored_scores_are_fitted_on_other_terms(tilt, data, tmp_path):
    """What knows sense from nonsense gets all the weight; what turns it round gets none."""
    stored_file(data, tmp_path / "knows.json", (2, 1, 0))
    stored_file(data, tmp_path / "wrong.json", (0, 1, 2))
    words = ("import", "--study", "stereoset", "ensemble:knows.json+wrong.json", "--data", data)
    code, out, err = tilt(*words, "--name", "both", "--json")
    assert code == 0, err
    card, found = estimates(out)
    weights = [m["weight"]["intrasentence"] for m in card["model"]["members"]]
    assert weights == [1, 0]
    assert found["both", "lms"]["value"] == found["both", "ss"]["value"] == 100
    assert found["both", "ss"]["n"] == 24  # six of the eight terms
    code, _, err = tilt(*words, "--split", "test")
    assert code == 2 and "--split does not apply" in err


def test_every_term_has_all_three_numbers_in_its_domain(tilt, data):
    whole = json.loads(data.read_text())
    for clusters in whole["data"].values():
        for item in clusters:
            item["bias_type"] = "art" if item["target"] == "poet" else "job"
    data.write_text(json.dumps(whole))
    code, out, _ = tilt("run", "stereoset", "stereotyped", "--data", data, "--json")
    assert code == 0
    _, found = estimates(out)
    for term in TERMS:
        place = ("art" if term == "poet" else "job", term)
        three = [found["stereotyped", name, *place]["value"] for name in ("lms", "ss", "icat")]
        assert three == [100, 100, 0]
        assert found["stereotyped", "icat", *place]["n"] == 8
