"""data_check: what a data set holds: composition, checks, wording, and what annotators said."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

from tiltmeter.analysis.quality import labels, pairs, sentiment, triples
from tiltmeter.analysis.quality.composition import ITEMS, SHARE
from tiltmeter.core.analysis import Circumstances, Input, Numbers, finish, paragraphs, paths_of
from tiltmeter.core.analysis_file import AnalysisFile
from tiltmeter.core.analysis_views import RecordTable
from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import SIDES
from tiltmeter.core.judges import SentimentJudge, sentiment_judge
from tiltmeter.core.named_values import values_given
from tiltmeter.core.options import CheckedOptions, Encoding, Missing
from tiltmeter.core.results import Estimate, Paragraph, Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.core.views import View
from tiltmeter.models.opening.model_options import AllowPickle, Device, Options, Revision
from tiltmeter.report.text import axis_title, value_with_unit
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.run_options import Columns
from tiltmeter.run.run_plan import study_named

LEXICON = "lexicon"
QUANTITIES = (
    ITEMS, SHARE, *pairs.NUMBERS.values(), pairs.DISTANT, triples.TERMS, triples.WORDS, triples.ODD,
    *sentiment.SHARES.values(), sentiment.NOT_NEGATIVE, *sentiment.DIFFERENCES.values(),
    *labels.NUMBERS.values(),
)  # fmt: skip
FILE = AnalysisFile.beside(__file__)


@dataclass(frozen=True, slots=True)
class DataCheckOptions(CheckedOptions):
    """The options of `tiltmeter data check`."""

    study: Annotated[str | None, FILE.option("study")] = None
    columns: Columns = field(default_factory=dict)
    encoding: Encoding = ""
    missing: Missing = None
    reference: Annotated[Path | None, FILE.option("reference")] = None
    sentiment: Annotated[str, FILE.option("sentiment")] = LEXICON
    sentiment_label: Annotated[tuple[str, ...], FILE.option("sentiment_label")] = ()
    device: Device = "auto"
    revision: Revision = None
    allow_pickle: AllowPickle = False
    item: Annotated[tuple[str, ...], FILE.option("item")] = ()
    show_text: Annotated[bool, FILE.option("show_text")] = False


def compute(inputs: Sequence[Input], options: DataCheckOptions, monitor: Monitor) -> Result:
    """What one data set or file holds."""
    # The studies, which read the data, are loaded only when a command needs them.
    from tiltmeter.analysis.quality import contents  # noqa: PLC0415
    from tiltmeter.data.texts.frequencies import read_reference  # noqa: PLC0415

    if len(inputs) > 1:
        raise BadInput("one data set is described at a time", "name the others in further commands")
    paths_of(inputs)  # refuses results
    source = str(inputs[0])
    judge = _judge(options, monitor)
    words = options.reference and read_reference(options.reference, encoding=options.encoding)
    data = contents.load(
        source,
        study=study_named(options.study) if options.study else None,
        columns=options.columns,
        skip_invalid=True,
        encoding=options.encoding,
        missing=options.missing,
    )
    found = contents.describe(
        data, source, encoding=options.encoding, reference=words or None, sentiment=judge,
        items=options.item, show_text=options.show_text,
    )  # fmt: skip
    return finish(
        ANALYSIS,
        found.estimates,
        Circumstances(
            data={
                "name": data.name, "sha256": data.sha256, "warning": data.warning,
                "kind": contents.noun(data), **found.facts,
            },
            subtitle=data.name,
            labels={"side": {side: side.replace("_", "-") for side in SIDES}},
            method=found.method,
            notes=(*notes_of("data", found.notes), *contents.control_token_notes(data)),
            views=tuple(_views(found.estimates, show_text=options.show_text)),
        ),
        found.records,
    )  # fmt: skip


def _judge(options: DataCheckOptions, monitor: Monitor) -> SentimentJudge | None:
    if options.sentiment == LEXICON and not options.sentiment_label:
        given = {
            "--device": options.device != "auto", "--revision": options.revision,
            "--allow-pickle": options.allow_pickle,
        }  # fmt: skip
        for name in (name for name, is_given in given.items() if is_given):
            reason = f"{name} has no effect: the sentiment lexicon is no model"
            raise BadInput(reason, "name a classifier with --sentiment, or leave it out")
        return None
    classes = values_given(
        "--sentiment-label", list(options.sentiment_label), "LABEL=CLASS", "LABEL_0=negative"
    )
    opening = Options(
        device=options.device, revision=options.revision, allow_pickle=options.allow_pickle
    )
    with monitor.download(options.sentiment) as progress:
        return sentiment_judge(
            options.sentiment, labels=classes, naming="--sentiment-label",
            options=opening, progress=progress,
        )  # fmt: skip


def _views(estimates: Sequence[Estimate], *, show_text: bool) -> Iterator[View]:
    """A table for each axis that items have; then those of pairs and of triples, as far as they have rows."""
    axes = dict.fromkeys(
        axis for e in estimates if e.name == ITEMS.name and len(e.groups) == 1 for axis in e.groups
    )
    groups = (
        ["triples"] if any(e.name == triples.TERMS.name for e in estimates) else ["pairs", "lists"]
    )
    if "pairs" in groups:
        for axis in axes:
            yield from FILE.shown("axis", axis=axis, title=axis_title(axis).capitalize())
    for view in (
        view for group in ("listed", *groups) for view in FILE.shown(group, axes=(*axes,))
    ):
        if show_text and isinstance(view, RecordTable) and "context" in view.texts:
            yield replace(view, on="both")
        else:
            yield view


def words(numbers: Numbers) -> list[Paragraph]:
    """How many items there are and, of pairs, how many the checks flag."""
    name, kind = numbers.card.data["name"], numbers.card.data["kind"]
    whole = f"{name}: {counted(numbers[ITEMS].n, kind)}"
    if (flagged := numbers.get(pairs.FLAGGED)) is not None:
        return paragraphs([f"{whole}, {value_with_unit(flagged)} of them flagged by the checks."])
    if (terms := numbers.get(triples.TERMS)) is not None:
        about = counted(int(terms.value or 0), "target terms")
        return paragraphs([f"{whole} about {about}."])
    return paragraphs([f"{whole}."])


ANALYSIS = FILE.analysis(QUANTITIES, compute, DataCheckOptions, words)
