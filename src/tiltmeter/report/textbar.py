"""A forest plot made of letters."""

from tiltmeter.core.results import Estimate
from tiltmeter.report.plots.scale import Scale
from tiltmeter.report.wording import is_clear

CLEAR_MARK, UNCLEAR_MARK = "●", "○"


def bar(estimate: Estimate, scale: Scale, width: int) -> str:
    """One row: the interval as a line, the value as a mark, the neutral value as an upright.

    >>> from tiltmeter.core.results import Estimate
    >>> scale = Scale(0, 100, 50, (0, 50, 100))
    >>> bar(Estimate("r", 75, 60, 90, 0.01, 9, neutral=50, unit="%"), scale, 21)
    '          │ ├──●──┤'
    """
    cells = [" "] * width
    middle = _cell(scale.neutral, scale, width)
    if estimate.low is not None and estimate.high is not None:
        left, right = _cell(estimate.low, scale, width), _cell(estimate.high, scale, width)
        cells[left : right + 1] = "─" * (right - left + 1)
        cells[left], cells[right] = "├", "┤"
    cells[middle] = "┼" if cells[middle] == "─" else cells[middle].replace(" ", "│")
    if estimate.value is not None:
        mark = CLEAR_MARK if is_clear(estimate) else UNCLEAR_MARK
        cells[_cell(estimate.value, scale, width)] = mark
    return "".join(cells).rstrip()


def axis(scale: Scale, width: int) -> str:
    """The heading of such a column: the ends, and the neutral value where it stands.

    >>> axis(Scale(20, 80, 50, (20, 50, 80)), 15)
    '20    50     80'
    """
    left, middle, right = (f"{x:g}" for x in (scale.low, scale.neutral, scale.high))
    start = max(len(left) + 1, _cell(scale.neutral, scale, width) - len(middle) // 2)
    text = left.ljust(start) + middle
    return (text + right.rjust(width - len(text))).replace("-", "−")


def _cell(value: float, scale: Scale, width: int) -> int:
    return round(scale.at(value, 0, width - 1))
