"""Next-sentence heads for models of a paper that have none, from a folder with one for each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, TiltmeterError
from tiltmeter.core.model.protocols import JudgesNext
from tiltmeter.core.study import Study
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.reading.next_head import DESCRIPTION
from tiltmeter.papers.chosen_models import ChosenModel
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.choosing import alternatives
from tiltmeter.run.planning.run_plan import find_models


@dataclass(frozen=True, slots=True)
class TrainedHeads:
    """The heads of a folder, by the name that each one's own folder has."""

    folders: Mapping[str, Path] = field(default_factory=dict)

    def of(self, model: ChosenModel) -> Path | None:
        """The head in the folder that is called as the paper or its tables name the model, or its files."""
        plain = model.reference.rstrip("/").rpartition(":")[2].rpartition("/")[2]
        names = (model.name, model.called, plain)
        return next((self.folders[name] for name in names if name in self.folders), None)

    def reference(
        self, model: ChosenModel, study: Study[Any], rule: str, opening: Options, monitor: Monitor
    ) -> str:
        """What opens the model for a study: with its head where a rule asks for one and it has none."""
        head = self.of(model)
        if head is None or not _judges_next(study, rule):
            return model.reference
        try:
            (where,) = find_models(model.reference, opening, monitor)
        except (TiltmeterError, ValueError):  # it cannot be opened anyway, or is an ensemble
            return model.reference
        return (
            model.reference if JudgesNext in where.answers else f"headed:{model.reference},{head}"
        )


def _judges_next(study: Study[Any], rule: str) -> bool:
    """Whether one of the rules, or of all rules where none is named, asks which sentence comes next."""
    rules = alternatives(rule or None)
    names = [name for each in rules for name in each.split("+")] or [r.name for r in study.rules]
    return any(each.needs is JudgesNext for each in study.rules if each.name in names)


def trained_heads(folder: Path | None, chosen: Sequence[ChosenModel]) -> TrainedHeads:
    """The heads in the folders of this folder.

    Raises:
        BadInput: It holds none, or none of a model that is run.
    """
    if folder is None:
        return TrainedHeads()
    folders = {path.parent.name: path.parent for path in sorted(folder.glob(f"*/{DESCRIPTION}"))}
    if not folders:
        way_out = "tiltmeter train next-sentence MODEL --out FOLDER/NAME makes one"
        raise BadInput(
            f"no folder in it is a next-sentence head ({DESCRIPTION})", way_out, file=str(folder)
        )
    heads = TrainedHeads(folders)
    if not any(map(heads.of, chosen)):
        models = ", ".join(model.name or model.reference for model in chosen) or "none"
        raise BadInput(
            f"no head is called as a model that is run: heads {', '.join(folders)}, models {models}",
            "name the heads' folders as --models does the models", file=str(folder),
        )  # fmt: skip
    return heads
