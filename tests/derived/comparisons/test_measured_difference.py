from dataclasses import replace

import numpy as np

from derived.comparisons.examples import named, random_sides, result
from tiltmeter.core.equivalence_margins import read_margins
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import Comparison, Measure
from tiltmeter.derived.comparisons.compare import compare
from tiltmeter.derived.comparisons.measured_difference import difference_meaning
from tiltmeter.metrics.preference_inference import infer_rate


def test_what_the_number_means_is_the_measures_and_the_comparisons():
    rate, same, kappa = compare(result("A", random_sides(1)), result("B", random_sides(2)))
    assert rate.meaning.title == "Difference of stereotype rates"
    assert (rate.meaning.role, rate.meaning.counts, rate.meaning.sides) == ("lean", "pairs", None)
    assert (rate.meaning.neutral_is, rate.meaning.difference_of) == (
        "no difference",
        "stereotype_rate",
    )
    assert {e.meaning.role for e in (same, kappa)} == {"description"}
    bare = Measure("my_rate", np.mean, ("more",), "%", infer=infer_rate, neutral=None)
    assert difference_meaning(bare, Comparison()).title == "Difference in my rate"
    titled = replace(bare, meaning=Meaning("SOS rate"))
    assert difference_meaning(titled, Comparison()).title == "Difference in SOS rate"


def test_a_margin_changes_nothing_but_the_verdict():
    both = result("A", random_sides(1)), result("B", random_sides(2))
    bare, judged = (
        named(compare(*both, margins=read_margins(texts)), "stereotype_rate_difference")
        for texts in ([], ["5"])
    )
    assert replace(judged, equivalence=None) == bare
    assert judged.equivalence.margin == "5 points"
