"""The ratios of one run as a table in Markdown."""

from collections.abc import Iterator, Sequence

from benchmarks._frame import DIFFERENCE, SAME, Value
from benchmarks.results.run_file import MeasuredRow, RunFile

HEAD = ("program", "seconds", "Tiltmeter, seconds", "times as long", DIFFERENCE, "same decisions")
WALL = "\\*"


def ratio_table(run: RunFile) -> str:
    """What it was measured on, then a table of all programs that were compared, then what was not measured.

    Times stand as processor time; where it is that of a clock on the wall, as with servers, a star says so.
    """
    compared = run.compared()
    parts = [_machine_line(run), _clock_line(compared)]
    if compared:
        parts.append("\n".join(_table_lines(compared)))
    parts += _not_measured(run)
    return "\n\n".join(part for part in parts if part) + "\n"


def _machine_line(run: RunFile) -> str:
    about = run.machine
    cores, threads = about.get("cores"), about.get("threads")
    facts = [
        str(about.get("processor", "unknown processor")),
        f"{cores} cores" if cores else "",
        f"{threads} threads" if threads and threads != 1 else "one thread" if threads else "",
        str(about.get("instructions", "")).replace(" ", ", "),
        str(about.get("gpu") or ""),
    ]
    size = "" if ";" in run.size else f", size {run.size}"  # of several, each task names its own
    done = f"Measured on {run.date[:10]} at commit {run.commit or 'unknown'}{size}"
    return f"{done}: {'; '.join(fact for fact in facts if fact)}."


def _clock_line(compared: Sequence[MeasuredRow]) -> str:
    clocks = {one.row.clock for one in compared}
    if clocks == {"wall", "processor"}:
        return f"Seconds are processor time; {WALL} marks wall time."
    return f"Seconds are {'wall' if 'wall' in clocks else 'processor'} time." if clocks else ""


def _table_lines(compared: Sequence[MeasuredRow]) -> Iterator[str]:
    mixed = len({one.row.clock for one in compared}) > 1
    yield f"| task | {' | '.join(HEAD)} |"
    yield "|---|---|" + "---:|" * (len(HEAD) - 1)
    before = ""
    for one in compared:
        case = f"{one.task}: {one.row.case}"
        cells = ["" if case == before else case, one.row.way, *_numbers(one, star=mixed)]
        before = case
        yield f"| {' | '.join(_cell(text) for text in cells)} |"


def _numbers(one: MeasuredRow, *, star: bool) -> list[str]:
    ratio, seconds, values = one.ratio, one.row.seconds, one.row.values
    mark = WALL if star and one.row.clock == "wall" else ""
    ours = seconds / ratio if seconds is not None and ratio else None
    times = ["" if value is None else f"{_digits(value)}{mark}" for value in (seconds, ours)]
    return [*times, _digits(ratio), _digits(values.get(DIFFERENCE)), _digits(values.get(SAME))]


def _not_measured(run: RunFile) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for one in run.rows:
        if one.task and one.row.skipped:
            reasons.setdefault(one.row.skipped, []).append(f"{one.task}, {one.row.way}")
    return [
        f"Not measured: {'; '.join(dict.fromkeys(ways))}: {reason}."
        for reason, ways in reasons.items()
    ]


def _digits(value: Value) -> str:
    """A number with the digits that count.

    >>> _digits(0.01234), _digits(3.25), _digits(1234.5), _digits(0.0000123), _digits("40 of 40")
    ('0.0123', '3.25', '1,234', '1 × 10⁻⁵', '40 of 40')
    """
    if value is None or isinstance(value, str):
        return value or ""
    if 0 < abs(value) < 1e-3:
        digit, _, power = f"{value:.0e}".partition("e")
        return (
            f"{digit} × 10{str(int(power)).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
        )
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
