"""The public function that compares runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tiltmeter.analyses.compare import ANALYSIS
from tiltmeter.api.analysis_calls import analysed
from tiltmeter.api.python_words import errors_for_python
from tiltmeter.api.results import RunResult
from tiltmeter.run.monitor import Monitor

if TYPE_CHECKING:
    from tiltmeter.api.tables import Run


@errors_for_python()
def compare(
    *runs: "Run | Sequence[Run]",
    margin: str | Sequence[str] = (),
    seed: int = 0,
    study_file: str | None = None,
    allow_code: bool = False,
    out: str | Path | None = None,
    monitor: Monitor | None = None,
) -> RunResult:
    """Compare runs of one study on the same items, with paired tests and intervals, as `tiltmeter compare`.

    >>> import tiltmeter as tm
    >>> masked, causal = (tm.run("starter_pairs", f"fake:{kind}") for kind in ("masked", "causal"))
    >>> made = tm.compare(masked, causal)
    >>> made.headline
    <stereotype_rate_difference: -5.556 percentage points (-13.51 to 2.5), p 0.1993, n 270>

    Args:
        *runs: Two or more results or run folders of one study; several, or one list.
        margin: What counts as no relevant difference, as "stereotype_rate=5"; several for several measures.
            Differences then have a test of equivalence.
        seed: Of bootstraps.
        study_file: The Python file that the study of the runs was read from; needs `allow_code`.
        allow_code: Whether the code of that file may be run.
        out: A folder in which the comparison's folder is made; None saves nothing.
        monitor: As of `run`.

    Returns:
        Its estimates are the differences of the first run and each other, and of each two where there are
        more, in the measure's unit, with neutral value 0; a p is adjusted over all of them by Holm's method.
        Its `runs` are the results compared.

    Raises:
        BadInput: The runs are not of one study, or cannot be compared.
    """
    given = {"margin": margin, "seed": seed, "study_file": study_file, "allow_code": allow_code}
    chosen = {name: value for name, value in given.items() if value}
    return analysed(ANALYSIS, runs, chosen, out=out, monitor=monitor)
