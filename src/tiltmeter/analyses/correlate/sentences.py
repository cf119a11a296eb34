"""What correlate says: how many pairs are significant, and the strongest."""

from tiltmeter.analyses.correlate.relations import QUANTITIES
from tiltmeter.core.analysis import Numbers, paragraphs
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Paragraph
from tiltmeter.core.text import counted, verb_for
from tiltmeter.report.text import final_p, level, p_text, sentence_end, span, value_with_unit


def words(numbers: Numbers) -> list[Paragraph]:
    """How many pairs correlate significantly, and the strongest."""
    main = QUANTITIES[numbers.card.settings["method"]]
    every = numbers.all(main)
    known = [e for e in every if e.value is not None]
    if not known:
        why = sentence_end(max(every, key=lambda e: e.n).why)
        return paragraphs([f"No two of these measures have a correlation: {why}"])
    gone = len(every) - len(known)
    undefined = f" {gone} more {verb_for(gone, 'have')} no value." if gone else ""
    sure = [e for e in known if e.significant]
    name = main.meaning.title
    among = counted(len(known), "pairs of measures") if len(known) > 1 else "these two measures"
    if sure and len(known) > 1:
        verb = "correlates" if len(sure) == 1 else "correlate"
        head = f"{len(sure)} of {among} {verb} significantly ({name}, p < .05 after Holm’s adjustment)."
    else:
        no = "A" if sure else "No"
        how = (
            f"among {among} ({name}, after Holm’s adjustment)"
            if len(known) > 1
            else f"of {among} ({name})"
        )
        head = f"{no} significant correlation {how}."
    lead = "Strongest, " if len(known) > 1 else ""
    strongest = max(sure or known, key=lambda e: abs(e.value or 0.0))
    return paragraphs((head + undefined, f"{lead}{pair_in_words(strongest)}."))


def pair_in_words(e: Estimate) -> str:
    """A correlation in a sentence: whose, how large, over how many points, how sure.

    >>> at = {"x": "a", "y": "b"}
    >>> pair_in_words(QUANTITIES["pearson"].at(-0.95, n=3, groups=at))
    'a and b: −0.95 over 3 points (no interval)'
    """
    ends, p = span(e), final_p(e)
    sure = [f"{level(e)} interval {ends}" if ends else "no interval"]
    sure += [] if p is None else [f"p = {p_text(p)}"]
    value = f"{value_with_unit(e)} over {e.n} points"
    return f"{e.groups['x']} and {e.groups['y']}: {value} ({', '.join(sure)})"
