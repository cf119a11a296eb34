"""tm.compare has the options of the analysis and gives what it gives."""

import inspect

import tiltmeter as tm
from tiltmeter.analyses.compare import ANALYSIS
from tiltmeter.core.reading.options import options_of


def test_it_has_every_option():
    parameters = inspect.signature(tm.compare).parameters
    declared = {option.name: option.default for option in options_of(ANALYSIS.options).values()}
    assert parameters.keys() == {"runs", *declared, "out", "monitor"}
    assert {name: parameters[name].default for name in declared} == declared


def test_margins_may_be_one_text():
    runs = [tm.run("starter_pairs", f"fake:{kind}") for kind in ("masked", "causal")]
    one, other = (tm.compare(runs, margin=m) for m in ("stereotype_rate=5", ["stereotype_rate=5"]))
    assert [*one.estimates] == [*other.estimates]
    assert one.headline.equivalence.margin == "5 points"
