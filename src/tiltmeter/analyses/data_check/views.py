"""Tables of a data check: of any items, of pairs and lists, and of triples."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

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
from tiltmeter.analyses.data_check.pair_description import FLAGGED, MARKED
from tiltmeter.analyses.data_check.triple_description import ODD, TERMS, WORDS
from tiltmeter.analyses.data_check.triple_sentiment import DIFFERENCES, NOT_NEGATIVE, SHARES
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.views import NumberTable, RecordTable, View, number_columns
from tiltmeter.report.text import axis_title

TEXTS = ("context", "more", "less", "stereotype", "anti_stereotype", "unrelated", "text")
"""All texts that an item may have, by side; records have them only if the user asked for texts."""
PAIRS = (
    NumberTable(
        "by-check",
        "Checks",
        ("check",),
        (*MARKED.columns(), *SHARE.columns(), *MARKED.columns("kind", verdict=0)),
        strong=("flag",),
    ),
    NumberTable("flagged", "Flagged by bias type", ("bias_type",), FLAGGED.columns(value=0, n=0)),
    RecordTable(
        "lengths",
        "Length",
        of="length",
        axes=("length",),
        scores=("fewest", "median", "most"),
        decimals={"fewest": 0, "median": 0, "most": 0},
        on="both",
    ),
    RecordTable(
        "example-items",
        "Examples",
        of="example",
        axes=("item",),
        by="check",
        texts=("reason", *TEXTS),
        most=5,
    ),
    NumberTable(
        "by-annotations",
        "Annotations",
        ("annotations",),
        (*ANNOTATED.columns(), *SHARE.columns()),
        explained="The annotations record which bias types were named, not who called a pair valid "
        "and minimally distant. Acceptance (3 votes of 6, the writer’s among them) is recomputed "
        "as if all who named a type had voted for the pair. The published agreement of 80.9 % is "
        "about validity, over the rejected examples too, and cannot be compared with the agreement "
        "here, which is about naming a type.",
    ),
    NumberTable("people", "Annotations", ("who",), PEOPLE.columns()),
    NumberTable(
        "agreement",
        "Agreement",
        ("measure",),
        number_columns("", value=0, interval=0),
        measures=(AGREEMENT_NAMED.name, AGREEMENT_TYPE.name, ALPHA_TYPE.name, CHANCE.name),
    ),
)

LISTS = (
    RecordTable(
        "identities",
        "Identities",
        of="identities",
        axes=("attribute", "status"),
        scores=("identities",),
        texts=("names",),
        decimals={"identities": 0},
        on="both",
    ),
    RecordTable(
        "groups",
        "Groups",
        of="groups",
        axes=("domain",),
        scores=("groups",),
        texts=("names",),
        decimals={"groups": 0},
        on="both",
    ),
    RecordTable(
        "traits",
        "Pairs of traits",
        of="traits",
        axes=("dimension", "left trait", "right trait"),
        texts=("other left words", "other right words"),
        drops={"other left words": 1},
        on="both",
    ),
    RecordTable(
        "labels",
        "Labels",
        of="labels",
        axes=("domain", "group"),
        caption="Groups with several labels",
        texts=("labels",),
        on="both",
    ),
    RecordTable(
        "situations",
        "Situations",
        of="situations",
        axes=("situation",),
        by="kind",
        asked=("daily", "triggering"),
        most=10,
    ),
    RecordTable(
        "templates", "Templates", of="templates", axes=("family", "template"), most=100, on="both"
    ),
)

MAKE_UP = (*TERMS.columns(), *ITEMS.columns("triples"), *WORDS.columns())
MOODS = tuple(column for of in SHARES.values() for column in of.columns(value=0, interval=1))
TRIPLES = (
    NumberTable("make-up", "Make-up", ("task", "domain"), MAKE_UP),
    NumberTable("by-form", "Odd contexts", ("form",), (*ODD.columns(), *SHARE.columns())),
    RecordTable(
        "odd-items",
        "Odd contexts",
        of="odd",
        axes=("item",),
        by="form",
        texts=("reason", *TEXTS),
        most=5,
    ),
    NumberTable("by-task", "Make-up", ("task",), MAKE_UP),
    NumberTable(
        "sentiment-by-side",
        "Sentiment of the candidates",
        ("side",),
        (*MOODS, *NOT_NEGATIVE.columns("positive or neutral")),
    ),
    NumberTable(
        "sentiment",
        "Sentiment of the candidates",
        ("task", "domain", "side"),
        MOODS,
        most=60,
        on="page",
    ),
    NumberTable(
        "sentiment-differences",
        "Sentiment of the candidates",
        ("*",),
        (*(column for of in DIFFERENCES.values() for column in of.columns(value=0, interval=1)),),
        caption="Stereotypes minus anti-stereotypes",
    ),
    RecordTable(
        "keywords",
        "Keywords",
        of="keyword",
        axes=("word",),
        scores=("keyness", "stereotypes", "anti_stereotypes", "terms"),
        by="domain",
        decimals={"keyness": 0, "stereotypes": 0, "anti_stereotypes": 0, "terms": 0},
        most=12,
        on="both",
        explained="Words are quoted from the data: they show stereotypes, and some may offend.",
    ),
    NumberTable(
        "agreement",
        "People’s labels",
        ("measure",),
        number_columns("", value=0, interval=0, n=0),
        measures=(AGREEMENT.name, ALPHA.name, KAPPA.name),
    ),
    NumberTable(
        "answers", "People’s labels", ("published",), ANSWERS_GIVEN.columns(), spread="answer"
    ),
    NumberTable(
        "by-agreeing", "People’s labels", ("agreeing",), (*PASSING.columns(), *SHARE.columns())
    ),
    RecordTable(
        "failing-items",
        "People’s labels",
        of="failing",
        axes=("item",),
        texts=("reason", *TEXTS),
        most=50,
    ),
    NumberTable(
        "terms",
        "Target terms",
        ("domain", "target"),
        (*ITEMS.columns("triples"), *AGREEMENT.columns("agreement", value=0, interval=1)),
        by="domain",
        most=200,
        on="page",
    ),
)


def views(estimates: Sequence[Estimate], *, show_text: bool) -> Iterator[View]:
    """A table for each axis that items have; then those of pairs and lists, or those of triples."""
    axes = [
        *dict.fromkeys(
            axis
            for e in estimates
            if e.name == ITEMS.name and len(e.groups) == 1
            for axis in e.groups
        )
    ]
    of_triples = any(e.name == TERMS.name for e in estimates)
    if not of_triples:
        for axis in axes:
            yield NumberTable(
                f"by-{axis}",
                axis_title(axis).capitalize(),
                (axis,),
                (*ITEMS.columns(), *SHARE.columns()),
            )
    yield RecordTable("listed", "Items", of="item", axes=(*axes, "item"), texts=TEXTS, on="both")
    for view in TRIPLES if of_triples else (*PAIRS, *LISTS):
        quotes_items = isinstance(view, RecordTable) and "context" in view.texts
        yield replace(view, on="both") if show_text and quotes_items else view
