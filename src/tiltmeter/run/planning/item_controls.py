"""Items with an irrelevant arm (`--placebo`): which kind of placebo, and the data set with its items."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from tiltmeter.core.control_items import PLACEBO, ControlItems, Placebo
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput
from tiltmeter.core.study import Study
from tiltmeter.run.planning.choosing import settings_of
from tiltmeter.run.run_options import RunOptions

WAYS = {"edits": "edits", "names": "names", "file": "a file of yours"}


def with_placebo(study: Study[Any], data: Dataset[Any], options: RunOptions) -> Dataset[Any]:
    """The items of the study, and behind them those of the placebo that the options name.

    Raises:
        BadInput: The study has no irrelevant arm, or not of this kind; no placebo can be made of these items;
            or the file cannot be read.
        BadItems: Rows of the file cannot be used.
    """
    control, chosen = chosen_placebo(study, options)
    made = control.add(data, chosen)
    about = {PLACEBO: chosen.path.name if chosen.path else chosen.kind}
    return replace(made, about={**about, **made.about})


def chosen_placebo(study: Study[Any], options: RunOptions) -> tuple[ControlItems[Any], Placebo]:
    """The irrelevant arm of the study, and the placebo that the options name; nothing is read.

    Raises:
        BadInput: The study has no irrelevant arm, or not of this kind.
    """
    control = study.control
    if control is None:
        reason = f"--placebo has no effect: {study.name} has no irrelevant arm"
        raise BadInput(reason, "leave it out")
    given = str(options.placebo).strip()
    settings = settings_of(study, options.settings, options.convention)
    known = " or ".join(WAYS[kind] for kind in control.kinds)
    for kind in control.kinds:
        if kind == given:
            return control, Placebo(kind, seed=options.seed, settings=settings)
    path = Path(given)
    if given in WAYS or ("file" in control.kinds and not path.is_file()):
        reason = f"--placebo is {given!r}, and {study.name} has no such placebo"
        raise BadInput(reason, f"give {known}")
    if "file" not in control.kinds:
        raise BadInput(f"{study.name} takes no placebo from a file", f"give {known}")
    how = options.encoding, options.skip_invalid
    return control, Placebo("file", path, options.seed, *how, settings)
