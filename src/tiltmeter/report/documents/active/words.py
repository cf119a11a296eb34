"""Votes, ratios and strategies as a person reads them."""

from collections.abc import Sequence

from tiltmeter.active.pool_result import PoolResult
from tiltmeter.active.strategy import strategy_named
from tiltmeter.active.targets import VotesRatio, VotesToTarget
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.text import visible
from tiltmeter.report.document import Column
from tiltmeter.report.text import number

OR = " or "


def titled(names: str) -> str:
    """A strategy by its title, or several that are joined by "or".

    >>> titled("daal or gone")
    'DAAL or gone'
    """
    return OR.join(_title(name) for name in names.split(OR) if name)


def _title(name: str) -> str:
    try:
        return strategy_named(name).title
    except UnknownName:  # of another version, or another package
        return visible(name)


def strategy_column(names: Sequence[str], title: str = "strategy", *, drop: int = 0) -> Column:
    """Strategies by their titles; files have the names by which they are run."""
    return Column(title, names, shown=[titled(name) for name in names], number=False, drop=drop)


def pool_name(result: PoolResult) -> str:
    """The name of the items, and whether only those were used on which all votes agree."""
    name = str(result.manifest.pool.get("name") or result.folder.name)
    return f"{name} (agreed items)" if result.manifest.settings.get("agreed_only") else name


def votes_text(row: VotesToTarget) -> str:
    """Votes to the target, or the budget within which it is not reached."""
    if row.votes is None:
        return f"> {row.budget:,.0f}"
    return f"{'≤ ' if row.at_start else ''}{row.votes:,.0f}"


def votes_span(row: VotesToTarget) -> str:
    """The interval of the votes; open where its upper end lies beyond the budget."""
    if row.low is None:
        return ""
    if row.high is None:
        return f"{row.low:,.0f} or more"
    return f"{row.low:,.0f}–{row.high:,.0f}"


def ratio_text(value: float | None, censored: str) -> str:
    """A ratio of votes, marked where it is a bound.

    >>> ratio_text(1.283, "above"), ratio_text(0.8, ""), ratio_text(None, "")
    ('> 1.28', '0.800', '')
    """
    if value is None:
        return ""
    bound = {"above": "> ", "below": "< "}.get(censored, "")
    return f"{bound}{number(value)}"


def open_span(low: float | None, high: float | None) -> str:
    """An interval that may have no upper limit.

    >>> open_span(1.1, 1.6), open_span(1.1, None), open_span(-0.2, -0.1), open_span(None, None)
    ('1.10–1.60', '1.10 or more', '−0.200 to −0.100', '')
    """
    if low is None:
        return ""
    if high is None:
        return f"{number(low)} or more"
    return f"{number(low)}{' to ' if low < 0 else '–'}{number(high)}"


def share_text(share: float) -> str:
    """A share in percent."""
    return f"{100 * share:.0f}\u00a0%"


def ratio_span(row: VotesRatio) -> str:
    """The interval of a ratio; "" where it says nothing."""
    return "" if row.value is None else open_span(row.low, row.high)


def signed(value: float) -> str:
    """A small difference with its sign.

    >>> signed(-0.01234), signed(0.5)
    ('−0.0123', '+0.5000')
    """
    return f"{value:+.4f}".replace("-", "−")
