"""data_check: what a data set holds: composition, checks, wording, and what annotators said."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from tiltmeter.analyses.data_check.data_description import ITEMS, SHARE
from tiltmeter.analyses.data_check.label_agreement import (
    AGREEMENT,
    ALPHA,
    ANSWERS_GIVEN,
    KAPPA,
    PASSING,
)
from tiltmeter.analyses.data_check.pair_annotations import (
    AGREEMENT_NAMED,
    AGREEMENT_TYPE,
    ALPHA_TYPE,
    ANNOTATED,
    CHANCE,
    PEOPLE,
)
from tiltmeter.analyses.data_check.pair_description import DISTANT, FLAGGED, MARKED
from tiltmeter.analyses.data_check.triple_description import ODD, TERMS, WORDS
from tiltmeter.analyses.data_check.triple_sentiment import DIFFERENCES, NOT_NEGATIVE, SHARES
from tiltmeter.analyses.data_check.views import views
from tiltmeter.core.analysis import (
    Analysis,
    Circumstances,
    Input,
    Numbers,
    finish,
    paragraphs,
    paths_of,
)
from tiltmeter.core.data.items import SIDES
from tiltmeter.core.errors import BadInput
from tiltmeter.core.judges import SentimentJudge, sentiment_judge
from tiltmeter.core.model.control_tokens import control_token_notes
from tiltmeter.core.reading.named_values import values_given
from tiltmeter.core.reading.options import READING_STUDY, CheckedOptions, Encoding, Missing, Option
from tiltmeter.core.results import Paragraph, Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.models.opening.model_options import AllowPickle, Device, Options, Revision
from tiltmeter.report.text import value_with_unit
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.run_plan import study_named
from tiltmeter.run.run_options import Columns

LEXICON = "lexicon"
QUANTITIES = (
    ITEMS, SHARE,
    FLAGGED, MARKED, AGREEMENT_NAMED, AGREEMENT_TYPE, ALPHA_TYPE, CHANCE, ANNOTATED, PEOPLE, DISTANT,
    TERMS, WORDS, ODD, *SHARES.values(), NOT_NEGATIVE, *DIFFERENCES.values(),
    AGREEMENT, ALPHA, KAPPA, ANSWERS_GIVEN, PASSING,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DataCheckOptions(CheckedOptions):
    """The options of `tiltmeter data describe`."""

    study: Annotated[str | None, READING_STUDY] = None
    columns: Columns = field(default_factory=dict)
    encoding: Encoding = ""
    missing: Missing = None
    reference: Annotated[
        Path | None, Option("Word frequencies to compare keywords with: word, count.", file=True)
    ] = None
    sentiment: Annotated[
        str,
        Option(
            "What judges the sentiment of triples: lexicon (VADER), or classifier:MODEL.",
            metavar="JUDGE",
        ),
    ] = LEXICON
    sentiment_label: Annotated[
        tuple[str, ...],
        Option(
            "With a classifier: the class of a label (positive, neutral, negative); repeatable.",
            metavar="LABEL=CLASS",
        ),
    ] = ()
    device: Device = "auto"
    revision: Revision = None
    allow_pickle: AllowPickle = False
    item: Annotated[tuple[str, ...], Option("Also list this item; repeatable.", metavar="ID")] = ()
    show_text: Annotated[bool, Option("Also show the sentences.")] = False


def compute(inputs: Sequence[Input], options: DataCheckOptions, monitor: Monitor) -> Result:
    """What one data set or file holds."""
    # The studies, which read the data, are loaded only when a command needs them.
    from tiltmeter.analyses.data_check.contents import describe  # noqa: PLC0415
    from tiltmeter.data.texts.frequencies import read_reference  # noqa: PLC0415
    from tiltmeter.run.planning.data_source import load_source  # noqa: PLC0415

    if len(inputs) > 1:
        raise BadInput("one data set is described at a time", "name the others in further commands")
    paths_of(inputs)  # refuses results
    source = str(inputs[0])
    judge = _judge(options, monitor)
    reference = options.reference and read_reference(options.reference, encoding=options.encoding)
    data = load_source(
        source,
        study=study_named(options.study) if options.study else None,
        columns=options.columns,
        skip_invalid=True,
        encoding=options.encoding,
        missing=options.missing,
    )
    description = describe(
        data, source, encoding=options.encoding, reference=reference or None, sentiment=judge,
        items=options.item, show_text=options.show_text,
    )  # fmt: skip
    return finish(
        ANALYSIS,
        description.estimates,
        Circumstances(
            data={
                "name": data.name, "sha256": data.sha256, "warning": data.warning,
                "kind": data.noun, **description.facts,
            },
            subtitle=data.name,
            labels={"side": {side: side.replace("_", "-") for side in SIDES}},
            method=description.method,
            notes=(*notes_of("data", description.notes), *control_token_notes(data.items)),
            views=tuple(views(description.estimates, show_text=options.show_text)),
        ),
        description.records,
    )  # fmt: skip


def _judge(options: DataCheckOptions, monitor: Monitor) -> SentimentJudge | None:
    """What judges sentiment: None for the lexicon.

    Raises:
        BadInput: An option about a classifier is given without one.
    """
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


def words(numbers: Numbers) -> list[Paragraph]:
    """How many items there are and, of pairs, how many the checks flag."""
    name, kind = numbers.card.data["name"], numbers.card.data["kind"]
    whole = f"{name}: {counted(numbers[ITEMS].n, kind)}"
    if (flagged := numbers.get(FLAGGED)) is not None:
        return paragraphs([f"{whole}, {value_with_unit(flagged)} of them flagged by the checks."])
    if (terms := numbers.get(TERMS)) is not None:
        about = counted(int(terms.value or 0), "target terms")
        return paragraphs([f"{whole} about {about}."])
    return paragraphs([f"{whole}."])


EXAMPLE = """\
>>> import tiltmeter as tm
>>> tm.analyse.data_check("sample:sos").headline
<items: 36, n 36>"""
ANALYSIS = Analysis(
    name="data_check",
    title="Data description",
    version="1",
    summary="Describe a data set: composition, checks, and annotations, if any.",
    not_what="Checks find forms that often go with mistakes, not mistakes; counts do not show how "
    "good an item is.",
    example=EXAMPLE,
    inputs="A data set's name, a file, or sample:STUDY.",
    metavar="SOURCE",
    quantities=QUANTITIES,
    compute=compute,
    options=DataCheckOptions,
    words=words,
)
