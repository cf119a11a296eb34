"""data_check: what a data set holds: composition, checks, wording, and what annotators said."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

from tiltmeter.analysis.quality import labels, pairs, sentiment, triples
from tiltmeter.analysis.quality.composition import ITEMS, SHARE
from tiltmeter.core.analysis import (
    Analysis,
    Circumstances,
    Input,
    Numbers,
    finish,
    paragraphs,
    paths_of,
)
from tiltmeter.core.analysis_views import REST, NumberColumn, NumberTable, RecordTable
from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import SIDES
from tiltmeter.core.judges import SentimentJudge, sentiment_judge
from tiltmeter.core.named_values import values_given
from tiltmeter.core.options import CheckedOptions, Encoding, Option
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
    ITEMS, SHARE, pairs.FLAGGED, pairs.MARKED, pairs.DISTANT, pairs.ANNOTATED, pairs.NAMED,
    pairs.TYPE, pairs.ALPHA, pairs.PEOPLE, triples.TERMS, triples.WORDS, triples.ODD,
    *sentiment.SHARES.values(), sentiment.NOT_NEGATIVE, *sentiment.DIFFERENCES.values(), labels.AGREEMENT,
    labels.ALPHA, labels.KAPPA, labels.ANSWERED, labels.PASSING,
)  # fmt: skip
VOTES = (
    "The annotations record which bias types were named, not who called a pair valid and minimally distant. "
    "Acceptance (3 votes of 6, the writer’s among them) is recomputed as if all who named a type had voted "
    "for the pair. The published agreement of 80.9\u00a0% is about validity, over the rejected examples too, "
    "and cannot be compared with the agreement here, which is about naming a type."
)
OFFENSIVE = "Words are quoted from the data: they show stereotypes, and some may offend."


@dataclass(frozen=True, slots=True)
class DataCheckOptions(CheckedOptions):
    """The options of `tiltmeter data check`."""

    study: Annotated[
        str | None, Option("The study that reads the data (default: one that knows their layout).")
    ] = None
    columns: Columns = field(default_factory=dict)
    encoding: Encoding = ""
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


def _by_axis(of: str, title: str, axis: str, **about: object) -> NumberTable:
    columns = (
        NumberColumn(of), NumberColumn(SHARE.name), NumberColumn(of, "verdict", "kind"),
    )  # fmt: skip
    shown = columns if of == pairs.MARKED.name else columns[:2]
    return NumberTable(f"by-{axis}", title, (axis,), shown, **about)  # type: ignore[arg-type]


def _examples(kind: str, title: str, axes: tuple[str, ...], by: str = "") -> RecordTable:
    texts = ("reason", "context", "more", "less", *SIDES, "text")
    return RecordTable(f"{kind}-items", title, kind, axes, texts=texts, by=by, most=5 if by else 50)


COUNTS = ("keyness", "stereotypes", "anti_stereotypes", "terms")
PAIRS = (
    _by_axis(pairs.MARKED.name, "Checks", "check", strong=("flag",)),
    NumberTable(
        "flagged", "Flagged by bias type", ("bias_type",), pairs.FLAGGED.columns(value=0, n=0)
    ),
    RecordTable(
        "lengths", "Length", "length", ("length",), ("fewest", "median", "most"), on="both",
        decimals=dict.fromkeys(("fewest", "median", "most"), 0),
    ),
    _examples("example", "Examples", ("item",), by="check"),
    _by_axis(pairs.ANNOTATED.name, "Annotations", "annotations", explained=VOTES),
    NumberTable("people", "Annotations", ("who",), pairs.PEOPLE.columns(value=0)),
    NumberTable(
        "agreement", "Agreement", ("measure",), (NumberColumn(), NumberColumn(shows="interval")),
        measures=(pairs.NAMED.name, pairs.TYPE.name, pairs.ALPHA.name),
    ),
)  # fmt: skip
LISTS = (
    RecordTable(
        "identities", "Identities", "identities", ("attribute", "status"), ("identities",), ("names",),
        on="both", decimals={"identities": 0},
    ),
    RecordTable(
        "groups", "Groups", "groups", ("domain",), ("groups",), ("names",), on="both",
        decimals={"groups": 0},
    ),
    RecordTable(
        "traits", "Pairs of traits", "traits", ("dimension", "left trait", "right trait"),
        texts=("other left words", "other right words"), on="both", drops={"other left words": 1},
    ),
    RecordTable(
        "labels", "Labels", "labels", ("domain", "group"), texts=("labels",), on="both",
        caption="Groups with several labels",
    ),
    RecordTable(
        "situations", "Situations", "situations", ("situation",), by="kind", asked=("daily", "triggering"),
        most=10,
    ),
    RecordTable("templates", "Templates", "templates", ("family", "template"), on="both", most=100),
)  # fmt: skip
MAKE_UP = (
    *triples.TERMS.columns(value=0), *ITEMS.columns("triples", value=0), *triples.WORDS.columns(value=0),
)  # fmt: skip
TRIPLES = (
    NumberTable("make-up", "Make-up", ("task", "domain"), MAKE_UP),
    _by_axis(triples.ODD.name, "Odd contexts", "form"),
    _examples("odd", "Odd contexts", ("item",), by="form"),
    NumberTable("by-task", "Make-up", ("task",), MAKE_UP),
    NumberTable(
        "sentiment-by-side", "Sentiment of the candidates", ("side",),
        (*(c for of in sentiment.SHARES.values() for c in of.columns(value=0, interval=1)),
         *sentiment.NOT_NEGATIVE.columns("positive or neutral", value=0)),
    ),
    NumberTable(
        "sentiment", "Sentiment of the candidates", ("task", "domain", "side"),
        tuple(c for of in sentiment.SHARES.values() for c in of.columns(value=0, interval=1)),
        on="page", most=60,
    ),
    NumberTable(
        "sentiment-differences", "Sentiment of the candidates", (REST,),
        tuple(c for of in sentiment.DIFFERENCES.values() for c in of.columns(value=0, interval=1)),
        caption="Stereotypes less anti-stereotypes",
    ),
    RecordTable(
        "keywords", "Keywords", "keyword", ("word",),
        COUNTS, by="domain", on="both",
        explained=OFFENSIVE, decimals=dict.fromkeys(COUNTS, 0), most=12,
    ),
    NumberTable(
        "agreement", "People’s labels", ("measure",),
        (NumberColumn(), NumberColumn(shows="interval"), NumberColumn(shows="n")),
        measures=(labels.AGREEMENT.name, labels.ALPHA.name, labels.KAPPA.name),
    ),
    NumberTable(
        "answers", "People’s labels", ("published",), labels.ANSWERED.columns(value=0),
        spread="answer",
    ),
    _by_axis(labels.PASSING.name, "People’s labels", "agreeing"),
    _examples("failing", "People’s labels", ("item",)),
    NumberTable(
        "terms", "Target terms", ("domain", "target"),
        (*ITEMS.columns("triples", value=0),
         *labels.AGREEMENT.columns("agreement", value=0, interval=1)),
        by="domain", on="page", most=200,
    ),
)  # fmt: skip


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
            notes=notes_of("data", found.notes),
            views=tuple(_views(found.estimates, show_text=options.show_text)),
        ),
        found.records,
    )  # fmt: skip


def _judge(options: DataCheckOptions, monitor: Monitor) -> SentimentJudge | None:
    if options.sentiment == LEXICON and not options.sentiment_label:
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
    are_triples = any(e.name == triples.TERMS.name for e in estimates)
    if not are_triples:
        for axis in axes:
            yield _by_axis(ITEMS.name, axis_title(axis).capitalize(), axis)
    yield RecordTable(
        "listed",
        "Items",
        "item",
        (*axes, "item"),
        texts=("context", "more", "less", *SIDES, "text"),
        on="both",
    )
    for view in TRIPLES if are_triples else (*PAIRS, *LISTS):
        quotes = isinstance(view, RecordTable) and "context" in view.texts
        yield replace(view, on="both") if quotes and show_text else view


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


ANALYSIS = Analysis(
    "data_check",
    "Data check",
    "Describe a data set: composition, checks, and annotations, if any.",
    "1",
    "",
    "",
    "Checks find forms that often go with mistakes, not mistakes; counts do not show how good an item is.",
    QUANTITIES,
    (),
    compute,
    DataCheckOptions,
    "A data set's name, a file, or sample:STUDY.",
    "SOURCE",
    words=words,
)  # fmt: skip
