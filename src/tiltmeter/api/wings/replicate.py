"""Papers from Python: their tables and figures with the printed numbers beside ours."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tiltmeter.api.keywords import options_made
from tiltmeter.api.results import RunResult
from tiltmeter.models.opening.model_options import Options
from tiltmeter.papers.making import make
from tiltmeter.papers.paper_file import read_paper
from tiltmeter.papers.paper_plan import PaperRequest
from tiltmeter.papers.replication import check_folder, replicated
from tiltmeter.papers.sources import plan_paper
from tiltmeter.papers.user_data import files_in_place
from tiltmeter.run.jobs import session, stamped
from tiltmeter.run.monitor import Logged, Monitor


def replicate(  # noqa: PLR0913 the command's own options
    paper: str | Path,
    *,
    out: str | Path,
    models: Sequence[str] = (),
    runs: Sequence[str | Path] = (),
    data: Mapping[str, str | Path] = MappingProxyType({}),
    heads: str | Path | None = None,
    limit: int | None = None,
    skip_invalid: bool = False,
    select: Sequence[str] = (),
    fresh: bool = False,
    overwrite: bool = False,
    monitor: Monitor | None = None,
    **opening: Any,
) -> RunResult:
    """Make a paper's tables and figures, as `tiltmeter replicate` does.

    >>> import tiltmeter as tm
    >>> from tempfile import mkdtemp
    >>> file = Path(mkdtemp(), "mine.toml")
    >>> _ = file.write_text('''
    ... title = "A paper of mine"
    ... source = "me"
    ... [runs.pairs]
    ... study = "starter_pairs"
    ... [[item]]
    ... name = "T1"
    ... title = "Kinds of bias"
    ... of = ["pairs"]
    ... rows = ["bias_type"]
    ... columns = ["model"]
    ... measures = ["stereotype_rate"]
    ... ''')
    >>> paper = tm.replicate(file, models=["fake:masked"], out=file.parent / "out")
    >>> [run.card.study for run in paper.runs], paper.records[0].kind
    (['starter_pairs'], 'T1')

    Args:
        paper: The name of a paper, or a TOML file.
        out: The folder for the document and the runs, from which an interrupted call continues.
        models: What is run besides stored outputs: the paper's models by name, `all` of them,
            NAME=REFERENCE, or references of your own.
        runs: Folders of finished results to use, and of simulations.
        data: Your files, or folders with all files, in place of registered data sets that the paper uses.
        heads: A folder with next-sentence heads for models that have none, each in a folder that is called
            as the model.
        limit: How many items of each study models are measured on, drawn at random; None for all.
        skip_invalid: Whether items that a model cannot take are left out.
        select: Only these tables and figures: "T2", "F1"; all by default.
        fresh: Whether to repeat finished runs.
        overwrite: Whether another result in the folder may be replaced, such as that of another paper.
        monitor: As of `run`.
        **opening: How models are opened.

    Returns:
        Estimates count the printed numbers that are equal, within the interval, different and not
        computable, over everything and by `item`; records of the kind of an item are its cells.

    Raises:
        TiltmeterError: As the command line, with the same messages.
    """
    begun, monitor, folder = time.monotonic(), monitor or Logged(), Path(out)
    chosen = read_paper(str(paper))
    items = chosen.chosen(select)
    request = PaperRequest(
        models, [*map(Path, runs)], Path(heads) if heads else None, limit, skip_invalid,
        options_made(Options, opening), fresh,
    )  # fmt: skip
    check_folder(chosen, folder, request.settings, overwrite=overwrite)
    in_place = {name: Path(path) for name, path in data.items()}
    given = {
        "out": folder.name,
        "models": [*models],
        "runs": [*map(str, runs)],
        "data": {name: str(path) for name, path in in_place.items()},
        "heads": heads and str(heads),
        "limit": limit,
        "skip_invalid": skip_invalid,
        "select": [*select],
    }
    words = [f"{key}={value!r}" for key, value in given.items() if value]
    command = f"tiltmeter.replicate({', '.join([repr(chosen.name), *words])})"
    with files_in_place(chosen, in_place), session(monitor, command=command) as shared:
        plan = plan_paper(chosen, items, folder, request, monitor)
        make(plan, shared)
    result = RunResult(stamped(replicated(plan, items), begun, command), None).save(folder)
    for fault in plan.faults:
        raise fault
    return result
