"""The models that a paper is run on: those of the paper that users ask for, and their own."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tiltmeter.core.errors import BadInput, TiltmeterError, UnknownName
from tiltmeter.core.reading.typed_values import near_miss
from tiltmeter.models.opening.model_options import Options
from tiltmeter.papers.paper_file import AnalysisSource, Paper, RunSource
from tiltmeter.run.files.folder import read_card
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.run_plan import find_models

EVERY = "all"
"""Among the models that are asked for: all of the paper."""
SLOT = "paper_model"
"""On the card of a document, among what is known of a run: the paper's name of its model."""


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """A model that a paper's studies are run on: one of the paper, or one of the user's own."""

    reference: str
    """What opens it: a name on the hub, a folder, or a server's address."""
    name: str = ""
    """The paper's name of it; "" for one of the user's own."""
    called: str = ""
    """The model's name in tables. A model of the user's own has the name from its results; if that is also
    the name of one of the paper's models, it is shown separately under its reference."""
    kept: bool = False
    """Whether an earlier call ran it and this one does not name it: only what is done is used."""
    asked: bool = False
    """Whether the user named it, and not as one of all."""

    def in_source(self, source: RunSource, paper: Paper) -> bool:
        """Whether the source is run on it."""
        if source.why:
            return False
        return self.name in paper.models_of(source) if self.name else source.own


def chosen_models(paper: Paper, models: Sequence[str]) -> list[ChosenModel]:
    """The models that the user asks for, and those of the paper that are run unasked.

    Raises:
        UnknownName: A name with "=" is none of the paper's.
        BadInput: A name is empty, has no reference or two, or nothing opens the model.
    """
    by_name = {model.name: model for model in paper.models}
    by_reference = {model.reference: model.name for model in paper.models if model.reference}
    asked: dict[str, str] = {}
    for text in models:
        name, equals, elsewhere = text.partition("=")
        if not text.strip():
            raise BadInput("a model has no name", f"models of {paper.name}: {_listed(by_name)}")
        if text == EVERY:
            continue
        if name not in by_name and elsewhere and "/" not in name and ":" not in name:
            raise UnknownName(f"model of {paper.name}", name, by_name)
        slot = name if name in by_name else by_reference.get(text, text)
        if slot not in by_name:
            asked[text] = text
            continue
        model = by_name[slot]
        if equals and name == slot and not elsewhere:
            raise BadInput(f"{text!r} names no model", f"write {name}, or {name}=REFERENCE")
        reference = (elsewhere if name == slot else "") or model.reference
        if not reference:
            raise BadInput(f"{slot} cannot be run: {model.why}", f"give it as {slot}=REFERENCE")
        if asked.setdefault(slot, reference) != reference:
            raise BadInput(
                f"{slot} is two models: {asked[slot]} and {reference}", "name one of them"
            )
    every = EVERY in models
    free = {m.name: m.reference for m in paper.models if m.reference and (m.free or every)}
    return [
        ChosenModel(
            reference,
            name if name in by_name else "",
            by_name[name].called if name in by_name else "",
            asked=name in asked,
        )
        for name, reference in {**free, **asked}.items()
    ]


def with_earlier(paper: Paper, chosen: Sequence[ChosenModel], out: Path) -> list[ChosenModel]:
    """The same, behind the models that earlier calls ran into this folder and this one does not name."""
    slots = {model.name or model.reference for model in chosen}
    earlier = []
    for name, called, reference in _on_card(out):
        slot = name or reference
        if slot not in slots and (not name or name in {model.name for model in paper.models}):
            slots.add(slot)
            earlier.append(ChosenModel(reference, name, called, kept=True))
    return [*earlier, *chosen]


def _on_card(out: Path) -> Iterator[tuple[str, str, str]]:
    """The paper's name, the name in tables and what opened it, of every model that the document is of."""
    try:
        sources = read_card(out).sources
    except BadInput:
        return
    for source in sources:
        name, called, reference = (str(source.get(k, "")) for k in (SLOT, "model", "reference"))
        if reference:
            yield name, called, reference


def check_chosen(
    paper: Paper,
    runs: Sequence[RunSource],
    analyses: Sequence[AnalysisSource],
    chosen: Sequence[ChosenModel],
    opening: Options,
    monitor: Monitor,
) -> list[ChosenModel]:
    """The models, of which those that the user names are there and something is run on them.

    Raises:
        TiltmeterError: One is not, or no run or analysis that is wanted takes it.
    """
    taken = {name for analysis in analyses for name in analysis.taken}
    return [_checked(paper, runs, taken, model, opening, monitor) for model in chosen]


def _checked(
    paper: Paper,
    runs: Sequence[RunSource],
    taken: Collection[str],
    model: ChosenModel,
    opening: Options,
    monitor: Monitor,
) -> ChosenModel:
    if not model.asked:
        return model
    own = {each.name: each for each in paper.models}
    text = model.name or model.reference
    if model.name not in taken and not any(model.in_source(run, paper) for run in runs):
        takes = [run for run in runs if not run.models or model.name in run.models]
        whys = [run.why for run in takes if run.why and (model.name or run.own)]
        way_out = whys[0] if whys else f"models of {paper.name}: {_listed(own)}"
        if model.name and not whys:
            way_out = f"leave {text} out of --models, or choose more tables"
        reason = f"none of the tables and figures of {paper.name} that are wanted is of {text}"
        raise BadInput(reason, way_out)
    if model.name and model.reference == own[model.name].reference:
        return model  # it may have to be fetched first
    try:
        places = find_models(model.reference, opening, monitor)
    except TiltmeterError as error:
        if not model.name:
            hint = near_miss(text, [EVERY, *own])
            reason = f"--models {text}: {error} ({hint}models of {paper.name}: {_listed(own)})"
            error.args = (reason,)
        raise
    names = {each.called for each in paper.models}
    if model.name or not any(place.name in names for place in places):
        return model
    return ChosenModel(model.reference, called=model.reference, asked=True)


def _listed(names: Mapping[str, object]) -> str:
    return ", ".join(names) or "none"
