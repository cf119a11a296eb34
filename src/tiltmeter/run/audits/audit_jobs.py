"""Plans audits: which studies of a profile can be measured on the model, and why the others cannot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from tiltmeter.core.errors import BadInput, BadItems, CannotAnswer, Unavailable, in_one_line
from tiltmeter.core.model.model_names import names_given, usual_name
from tiltmeter.core.model.protocols import TakesPrompts
from tiltmeter.core.study import Study
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved
from tiltmeter.run.asking.manner import manner_of
from tiltmeter.run.audits.audit_profile import Profile, profile_of
from tiltmeter.run.files.repeatable_command import local_reference
from tiltmeter.run.measuring.ensemble import parse
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.run_plan import find_models, study_named, with_rules
from tiltmeter.run.run_options import AuditOptions, ReplyOptions
from tiltmeter.run.sweeps.sweep import OF_MODELS, Entry, check_rule, run_options_of, sealed, within
from tiltmeter.run.sweeps.sweep_cells import Cell, SweepRow
from tiltmeter.run.sweeps.sweep_jobs import (
    Grid,
    labels_of,
    load_row,
    note_without_effect,
    plan_cells,
)

Cause: TypeAlias = Literal["model", "data", "budget", "failed"]
"""Why a study has no result: "model" cannot answer it, its "data" are missing, the time "budget" was spent,
or it "failed" with an error."""
CHOSEN_DATA = frozenset({"data", "set", "split"})
"""Options by which a profile chooses the data of a study: errors in them are the user's, and end the
audit."""
WRITTEN, USUAL = 40, 24
"""For estimating time: writing a token takes about as long as reading this many letters, and a reply has this
many tokens unless its item states a maximum."""
STOPPED = "the audit was stopped; the same command continues with it"


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """A study of the audit that has no result."""

    label: str
    study: str
    title: str
    cause: Cause
    why: str
    brief: str = ""
    """A short form of `why` that is the same for all studies with this reason; "" if there is none."""
    required: bool = True
    """Whether an audit that must be complete needs this study. It does not if the study does not apply to the
    model, or if its data are missing and the profile does not list it."""


@dataclass(frozen=True, slots=True)
class AuditTarget:
    """The model to audit and the options with which it is opened."""

    model: str | Resolved
    opening: Options = field(default_factory=Options)
    names: Sequence[str] = ()
    """What results call the model, and the reference model: `REFERENCE=NAME`, or `NAME` of the only one."""

    @property
    def name(self) -> str:
        """The model's reference, as the user wrote it."""
        return self.model if isinstance(self.model, str) else self.model.reference


@dataclass(slots=True)
class AuditPlan:
    """The plan of an audit: cells of the model and of the reference model, and studies that are left out."""

    grid: Grid
    model: str
    reference: str
    """The reference model that the audited one is compared with; "" if there is none."""
    left_out: list[Unmeasured]
    studies: Mapping[str, Study[Any]]
    """All studies of the profile by name, including those that are not measured."""
    called: Mapping[str, str]
    """What results call the model and the reference model, by how the user named them."""

    def cells_of(self, model: str) -> list[Cell]:
        """The cells of the audited or of the reference model, in order."""
        return [cell for cell in self.grid.cells if cell.model == model]

    @property
    def rows(self) -> list[SweepRow]:
        """The studies that the model can answer and whose data are present."""
        return [cell.row for cell in self.cells_of(self.model)]

    @property
    def unmeasured(self) -> list[Unmeasured]:
        """Every study without a result for the model: first its unfinished cells, then those left out."""
        causes: Mapping[str, Cause] = {
            "left out": "budget", "failed": "failed", "not applicable": "model", "to do": "budget",
        }  # fmt: skip
        studies_by_name = [
            Unmeasured(
                c.row.label,
                c.row.study.name,
                c.row.study.title,
                causes[c.state],
                c.why or STOPPED,
                required=c.state != "not applicable",
            )
            for c in self.cells_of(self.model)
            if c.state != "done"
        ]
        return [*studies_by_name, *self.left_out]


def audits_of_file(file: str, options: AuditOptions) -> dict[str, tuple[str, Profile]]:
    """The audits of a file that lists studies and models: by the model's label, its name and its profile.

    A profile differs from the next in the options with which the model is opened.

    Raises:
        BadInput: The file lists no model, or a profile is named beside it.
        UnknownName, BadItems: See `read_profile`.
    """
    if options.profile != AuditOptions().profile:
        reason = f"--profile has no effect beside {file}"
        raise BadInput(reason, "write the studies into the file, or name a model in its place")
    profile = profile_of(replace(options, profile=file))
    if not profile.models:
        way_out = f'write [[model]] and name = "…" below, or name it: tiltmeter audit MODEL --profile {file}'
        raise BadInput("lists no model", way_out, file=file)
    return {
        label: (
            model.name,
            replace(
                profile,
                called=model.called or profile.called,
                opening={OF_MODELS[key].name: v for key, v in model.options.items()},
            ),
        )
        for label, model in zip(labels_of(profile.models), profile.models, strict=True)
    }


def studies_of(profile: Profile) -> dict[str, Study[Any]]:
    """The studies of a profile by name, after checking their rules and settings; no data are read.

    Raises:
        TiltmeterError: The profile names a study, rule or setting that does not exist.
    """
    rows_without_result: dict[str, Study[Any]] = {}
    for entry in profile.entries:
        with within(entry.name):
            rows_without_result[entry.name] = study_named(entry.name)
            check_rule(rows_without_result[entry.name], run_options_of(entry))
    return rows_without_result


def plan_audit(
    profile: Profile,
    target: AuditTarget,
    out_folder: Path,
    *,
    reference: str = "",
    fresh: bool = False,
    monitor: Monitor,
) -> AuditPlan:
    """Find out which studies can be measured, on both models if a reference is given; no model is loaded.

    Finished runs in `out_folder` are kept, unless `fresh` is set.

    Raises:
        TiltmeterError: The profile names something that does not exist, or there is no such model or
            reference.
    """
    entries, studies = profile.entries, studies_of(profile)
    model, opening, name = target.model, target.opening, target.name
    given = names_given(target.names, filter(None, (name, reference)))
    if profile.called:
        given.setdefault(name, profile.called)
    manner_of(profile.replies)  # for its errors, before models are looked up
    models = find_models(model, opening, monitor)
    ensemble = parse(model) if isinstance(model, str) else None
    if reference:  # looked up now, since it is measured last: errors would show after hours
        find_models(reference, opening, monitor)

    def reason(error: CannotAnswer) -> str:
        """The error without the name of the study and without the folder of the model's files."""
        text = in_one_line(error).removeprefix(f"{entry.name}: ")
        return text.replace(name, local_reference(name))

    rows: list[SweepRow] = []
    left_out: list[Unmeasured] = []
    for entry, label in zip(entries, labels_of(entries), strict=True):
        study = studies[entry.name]
        try:
            with within(entry.name):
                with_rules(study, models, run_options_of(entry), ensemble)
            rows.append(_loaded(entry, label, profile.replies, fresh=fresh, monitor=monitor))
        except CannotAnswer as why:
            left_out.append(
                Unmeasured(
                    label, study.name, study.title, "model", reason(why),
                    f"it {why.lacks}" if why.lacks else "", required=False,
                )
            )  # fmt: skip
        except (_NoData, Unavailable) as why:
            left_out.append(
                Unmeasured(
                    label, study.name, study.title, "data", in_one_line(why),
                    required=entry in profile.listed,
                )
            )  # fmt: skip
    done = {} if fresh else sealed(out_folder)
    cells: list[Cell] = []
    for reference_or_model, key in ((model, name), (reference, reference)):
        if reference_or_model:
            cells_of_model = [Cell(row, key, opening) for row in rows]
            if cells_of_model:
                plan_cells(
                    cells_of_model, reference_or_model, done, monitor, called=given.get(key, "")
                )
            cells += ordered(cells_of_model)
    note_without_effect(cells, monitor)
    called = {each: given.get(each) or usual_name(each) for each in (name, reference) if each}
    return AuditPlan(Grid(cells, out_folder), name, reference, left_out, studies, called)


class _NoData(BadInput):
    """The study's own data cannot be read and the profile chooses no others: usually they are missing."""


def _loaded(
    entry: Entry, label: str, replies: ReplyOptions, *, fresh: bool, monitor: Monitor
) -> SweepRow:
    try:
        return load_row(entry, label, replies, fresh=fresh, monitor=monitor)
    except (BadInput, BadItems) as error:
        if CHOSEN_DATA & entry.options.keys():
            with within(entry.name):
                raise
        raise _NoData(in_one_line(error)) from error


def ordered(cells: Sequence[Cell]) -> list[Cell]:
    """The cells sorted by cost, cheapest first, so that a time budget covers as many as possible."""
    return sorted(cells, key=_cost)


def _cost(cell: Cell) -> tuple[bool, int]:
    """The key to sort by: whether the model writes replies, which takes long, then the letters involved.

    A token that is written counts as many letters (`WRITTEN`).
    """
    members, items = cell.plan.members if cell.plan else (), cell.row.items.items
    read = sum(len(text) for item in items for text in getattr(item, "texts", ()))
    prompts = any(TakesPrompts in member.chosen.rule.needs.__mro__ for member in members)
    written = sum(getattr(item, "max_tokens", USUAL) for item in items) if prompts else 0
    return prompts, read + WRITTEN * written
