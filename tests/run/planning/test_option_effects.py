"""Options without an effect are refused, whoever gives them: the command line, Python, imports."""

import pytest

import tiltmeter as tm
from tiltmeter.core.errors import BadInput
from tiltmeter.run.planning.option_effects import check_effect
from tiltmeter.run.planning.run_plan import study_named
from tiltmeter.run.run_options import RunOptions

WITHOUT_EFFECT = {
    "--ties": ("bbq", {"ties": "loss"}, "no number of bbq counts ties"),
    "--split-seed": ("starter_pairs", {"split_seed": 3}, "without --split"),
    "--missing": ("starter_pairs", {"missing": "NA"}, "name your file with --data"),
    "--encoding": ("starter_pairs", {"encoding": "latin-1"}, "name your file with --data"),
}


@pytest.mark.parametrize("option", WITHOUT_EFFECT)
def test_what_changes_nothing_is_refused_by_name_with_what_it_needs(option):
    study, options, says = WITHOUT_EFFECT[option]
    with pytest.raises(BadInput, match=f"{option} has no effect.*{says}"):
        check_effect(study_named(study), RunOptions(**options))
    in_python = option.removeprefix("--").replace("-", "_")
    with pytest.raises(BadInput, match=f"^{in_python} has no effect"):
        tm.run(study, "fake", **options)


def test_with_what_they_need_they_are_taken(tmp_path):
    pairs = study_named("starter_pairs")
    for options in (
        {"ties": "loss"}, {"split": "test", "split_seed": 3},
        {"data": "mine.csv", "columns": {"sent_more": "a"}, "encoding": "latin-1"},
    ):  # fmt: skip
        check_effect(pairs, RunOptions(**options))
    check_effect(pairs, RunOptions(encoding="latin-1"), files=[tmp_path / "scores.csv"])
    with pytest.raises(BadInput, match="--encoding has no effect: the registered set is no file"):
        check_effect(study_named("crows_pairs"), RunOptions(data="crows_pairs", encoding="latin-1"))


def test_a_file_that_a_setting_names_has_the_encoding(tmp_path):
    corpus = tmp_path / "texts.txt"
    corpus.write_text("One.")
    check_effect(
        study_named("perplexity"), RunOptions(encoding="latin-1", settings={"corpus": str(corpus)})
    )
