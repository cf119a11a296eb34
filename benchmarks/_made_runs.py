"""Folders of runs of many made-up models, in the format and of the size of real ones.

Each study is run once with a fake model, through everything that a run goes through. The other models' runs
are copies of it with other scores and, shifted by as much as intervals are wide, other numbers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import inf
from pathlib import Path
from random import Random
from statistics import pstdev

import tiltmeter as tm
from tiltmeter.core.errors import TiltmeterError
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.records import Record
from tiltmeter.core.results import Result
from tiltmeter.run.files import folder as folders
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.files.output_files import PAGE

FAKES: Mapping[str, str] = {
    "sos_static": "fake:vectors", "classification": "fake:classifier", "counterfactual": "fake:classifier",
    "fairness_gaps": "fake:classifier", "bbq": "fake:writer", "completions": "fake:writer",
    "decisions": "fake:writer", "difference_awareness": "fake:writer", "first_person": "fake:writer",
    "hate_prompts": "fake:writer", "hatecheck": "fake:writer", "inferences": "fake:writer",
    "misspellings": "fake:writer", "prompts": "fake:writer", "story_choice": "fake:writer",
    "word_association": "fake:writer",
}  # fmt: skip
"""The fake model that answers a study; `fake:masked` for those that are not listed."""
OTHER_ANSWERS = 0.3
"""The share of items whose answers another model gives differently."""


def write_runs(folder: Path, *, models: int, studies: int, items: int) -> list[Path]:
    """Write the run folders of so many models on the first studies whose data are here.

    Returns:
        The folders, all models of a study together.
    """
    made: list[Path] = []
    for result, page in _first_runs(folder / "first", studies, items):
        for model in range(models):
            of_model = _of_model(result, f"organisation/model-{model:02}", model)
            to = folder / "runs" / folder_name(of_model)
            own_page = page.replace(result.card.model_name, of_model.card.model_name)
            made.append(folders.write(of_model, to, page=own_page))
    return made


def _first_runs(folder: Path, count: int, items: int) -> Iterator[tuple[Result, str]]:
    """The first run of each study with its page."""
    for study in tm.studies():
        if not count:
            return
        try:
            made = tm.run(study, FAKES.get(study, "fake:masked"), limit=items, out=folder).result
        except TiltmeterError:  # its data are not on this computer
            continue
        if (
            made.headline is None or made.headline.value is None
        ):  # the fake answers nothing that counts
            continue
        count -= 1
        yield made, (folder / folder_name(made) / PAGE).read_text("utf-8")


def _of_model(result: Result, name: str, seed: int) -> Result:
    """The result as if another model had given other answers."""
    card = result.card
    rng = Random(f"{card.study} {seed}")
    spread = {
        score: pstdev(values)
        for score in {name for record in result.records for name in record.scores}
        if len(values := [r.scores[score] for r in result.records if score in r.scores]) > 1
        and any(value != int(value) for value in values)
    }
    records = [*result.records]
    records = [_answered(record, rng.choice(records), spread, rng) for record in records]
    model = {**card.model, "name": name, "fingerprint": f"{seed:064x}"}
    return Result(
        replace(card, model=model, run={**card.run, "finished": f"2026-11-{1 + seed % 28:02}T12:00:00"}),
        records,
        [_shifted(estimate, name, rng) for estimate in result.estimates],
    )  # fmt: skip


def _answered(record: Record, other: Record, spread: Mapping[str, float], rng: Random) -> Record:
    """The record with noise on what is measured, and sometimes the answer to another item of its kind."""
    scores = {
        name: value + rng.gauss(0, spread[name] / 3) if name in spread else value
        for name, value in record.scores.items()
    }
    is_alike = other.kind == record.kind and other.scores.keys() == record.scores.keys()
    if is_alike and rng.random() < OTHER_ANSWERS:
        scores |= {name: value for name, value in other.scores.items() if name not in spread}
    return replace(record, scores=scores)


def _shifted(estimate: Estimate, name: str, rng: Random) -> Estimate:
    """The estimate with its interval at another place of its measure's range."""
    e = replace(estimate, model=name)
    if e.value is None or e.low is None or e.high is None:
        return e
    least, most = e.meaning.range(e.unit)
    shift = rng.gauss(0, 1) * (e.high - e.low) / 2
    shift = min(max(shift, (least - e.low) if least > -inf else shift), most - e.high)
    return replace(e, value=e.value + shift, low=e.low + shift, high=e.high + shift)
