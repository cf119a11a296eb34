"""Whether each number of a result can be gated by what is printed of it."""

from tiltmeter.core.errors import BadInput
from tiltmeter.derived.audits.threshold_text import address
from tiltmeter.derived.audits.thresholds import judge, parsed, printed_estimates
from tiltmeter.report import text


def place(e):
    return e.study, e.model, e.rule, e.name, frozenset(e.groups.items())


def possible(e):
    """A bound that is not beyond the range of the measure."""
    low, high = e.meaning.range(e.unit)
    return e.value if e.value is not None else min(max(0.0, low), high)


def crossed_and_kept(e):
    """Conditions that the estimate meets, and such that it does not, of one estimate with a value."""
    yield f">= {e.value!r}", "failed"
    yield f"<= {e.value!r}", "failed"
    yield f"> {e.value!r}", "passed"
    yield f"< {e.value!r}", "passed"


def places_of(condition, everything):
    """What a condition is about; None where it fits several."""
    try:
        return {place(outcome.estimate) for outcome in judge([parsed(condition)], everything)}
    except BadInput as several:
        return None if " fits " in str(several) else set()


MOST = 150
"""So many estimates of a result are tried: each is held against all others, and there may be thousands."""


def some_of_each_name(estimates):
    """Evenly spread over the result, and at least one of every name."""
    every = max(1, len(estimates) // MOST)
    first = {e.name: at for at, e in reversed([*enumerate(estimates)])}
    return [estimates[at] for at in sorted({*first.values(), *range(0, len(estimates), every)})]


def check_gates(result):
    """Each estimate is found by its names, and by what is printed of it; returns how many have a value."""
    everything, defined = printed_estimates([result]), 0
    labels = result.card.labels
    for e in some_of_each_name(result.estimates):
        coordinates = dict(e.groups)
        if e.model and any(other.model != e.model for other, _ in everything):
            coordinates["model"] = e.model
        if e.study and any(other.study != e.study for other, _ in everything):
            coordinates["study"] = e.study
        names = labels.get("axis", {})
        plain = {
            names.get(axis, axis.replace("_", " ")): labels.get(axis, {}).get(value, value)
            for axis, value in coordinates.items()
        }
        written = [address(e.name, coordinates), address(e.name, plain)]
        titles = {text.title(other) for other, _ in everything if other.name != e.name}
        if text.title(e) not in titles:
            written.append(address(text.title(e), plain))
        for called in written:
            signs = (
                crossed_and_kept(e)
                if e.value is not None
                else [(f"> {possible(e)!r}", "undefined")]
            )
            for sign, status in signs:
                outcomes = judge([parsed(f"{called} {sign}")], everything)
                assert {place(one.estimate) for one in outcomes} == {place(e)}, called
                assert {one.status for one in outcomes} == {status}, called
        bare = address(e.name, {}, printed=text.subset(e.groups, labels, with_axis=False))
        fitting = places_of(f"{bare} > {possible(e)!r}", everything)
        assert fitting is None or place(e) in fitting
        defined += e.value is not None
    return defined
