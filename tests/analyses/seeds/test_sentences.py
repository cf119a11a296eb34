"""What seeds says of sets of seeds: both intervals, why one is missing, and ranges of many sets."""

import tiltmeter as tm
from analyses.seeds.examples import seeds, trained

SIDES = ["0011010111", "0111010101", "0011110110", "0011010110", "1011010111"]


def test_seeds_of_any_study_have_both_intervals_in_the_finding():
    made = tm.analyse.seeds(seeds(SIDES))
    head, only = (p.text.replace("\xa0", " ") for p in made.card.finding)
    assert head == "5 seeds of 1 model, averaged over seeds."
    assert only.startswith(
        "multiberts: stereotype rate 60.0 % ± 7.1; 95 % interval in these seeds "
    )
    assert "; in seeds like these " in only
    (view,) = made.card.views
    assert view.rows == ("model",) and view.name == "stereotype_rate"


def test_few_seeds_say_why_there_is_no_second_interval():
    made = tm.analyse.seeds(seeds(SIDES[:3]))
    text = made.card.finding[1].text.replace("\xa0", " ")
    assert text.endswith("no interval about other seeds: it takes 5 seeds, there are 3.")


def test_of_many_sets_the_lowest_and_the_highest_are_named():
    sides = ["0" * i + "1" * (10 - i) for i in range(6)]
    runs = [run for i, side in enumerate(sides) for run in seeds([side] * 2, f"m{i}-seed{{}}")]
    head, only = (p.text.replace("\xa0", " ") for p in tm.analyse.seeds(runs).card.finding)
    assert head == "12 seeds of 6 models, averaged over seeds."
    assert only == "Stereotype rate: 50.0 % ± 0.0 (m5) to 100.0 % ± 0.0 (m0)."


def test_classifiers_say_once_why_there_is_no_interval_about_other_seeds():
    runs = [trained(seed, 60.0 + seed, base=base) for seed in range(3) for base in ("bert", "gpt2")]
    *_, last = (p.text for p in tm.analyse.seeds(runs).card.finding)
    assert last == "No interval about other seeds: it takes 5 seeds, there are 3."
