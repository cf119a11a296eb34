"""The document of `intersections`: intersectional groups and their components."""

from collections.abc import Sequence

from tiltmeter.analysis.intersections.emergent_traits import TOP
from tiltmeter.analysis.intersections.summary import WAYS, Intersections
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import PAGE, Block, Code, Document, Facts, Json, Section, Table, Text
from tiltmeter.report.documents.intersections.emergent import emergent_finding, emergent_section
from tiltmeter.report.documents.intersections.order import (
    domain_section,
    order_finding,
    order_section,
)
from tiltmeter.report.text import counted, p_text, raised, sentence_end

WARNING = "This page says which traits a model associates with which groups of people."
LIMITS = "What is listed is what the model’s numbers say, not what is true of anybody."
SOURCE = (
    "After Cao, Sotnikova, Daumé III, Rudinger and Zou 2022, doi:10.18653/v1/2022.naacl-main.92, on what is "
    "asked; intervals and tests are Tiltmeter’s."
)


def intersections_document(
    made: Intersections, *, most: int = TOP, files: Sequence[str] = ()
) -> Document:
    """Everything about intersectional groups.

    Args:
        made: What was found.
        most: Emergent traits that the tables list, each way.
        files: Names of files beside the page.
    """
    scores, card = made.scores, made.cards[0]
    view = scores.view
    headline = (
        f"{scores.name}: {counted(len(scores.intersectional), 'intersectional groups')}, made of "
        f"{counted(len(scores.singles), 'single groups')}, in "
        f"{counted(len(scores.templates), view.layer_names)}."
    )
    warning = str(card.data.get("warning") or WARNING)
    return Document(
        "Intersectional groups and their components",
        scores.name,
        [
            headline,
            *filter(None, (order_finding(made), emergent_finding(made))),
            *(sentence_end(raised(note)) for note in scores.notes),
        ],
        [
            order_section(made),
            domain_section(made),
            *(emergent_section(made, way, most) for way in WAYS),
            _findings(made),
            _repeat(made),
        ],
        limits=LIMITS,
        warning=warning,
        files=files,
    )


def _findings(made: Intersections) -> Section:
    heading = "What people were found to associate"
    if not made.agreements:
        return Section("findings", heading, [Text(sentence_end(raised(made.findings)))])
    first = made.agreements[0]
    blocks: list[Block] = [
        Text(
            "A cell is an intersectional group that the findings name and a trait of the dimensions that "
            "they speak of; it is true where they say so, and predicted where the trait emerges. Precision "
            "is the share of predicted cells that are true, recall the share of true ones that are "
            "predicted. Chance picks as many cells at random.",
            on=PAGE,
        ),
        _findings_table(made),
        Text(f"Findings: {made.findings}."),
        *([Text(sentence_end(raised(first.why)))] if first.why else []),
        Text(
            f"Groups: {', '.join(first.groups)}. The first p is hypergeometric and takes cells as "
            "independent; the second permutes the groups’ rows among all intersectional groups.",
            on=PAGE,
        ),
    ]
    return Section("findings", heading, blocks)


def _findings_table(made: Intersections) -> Table:
    of = TableRows(made.agreements)
    return Table(
        "",
        [
            of.words("emergent traits", lambda a: a.told_by),
            of.counts("cells", lambda a: a.cells, on=PAGE),
            of.counts("true", lambda a: a.true, on=PAGE),
            of.shown("predicted", lambda a: a.told, lambda a: f"{a.told} of {a.cells}", drop=3),
            of.counts("both", lambda a: a.hits, on=PAGE),
            of.numbers("precision", lambda a: a.precision, missing="undefined"),
            of.numbers("chance", lambda a: a.chance_precision, name="chance_precision", drop=1),
            of.numbers("recall", lambda a: a.recall),
            of.numbers("chance", lambda a: a.chance_recall, name="chance_recall", drop=1),
            of.numbers("p", lambda a: a.p, p_text, drop=2),
            of.numbers("p, permuted", lambda a: a.p_dealt, p_text, drop=2),
        ],
        name="findings",
    )


def _repeat(made: Intersections) -> Section:
    card = made.cards[0]
    facts: dict[str, Json] = {
        "model": str(card.model.get("name", "")),
        "rule": card.rule,
        "convention": card.convention,
        "data": str(card.data.get("source", "")),
        "seed": made.seed,
        made.scores.view.layer_names: " · ".join(made.scores.templates),
    }
    blocks: list[Block] = [Code(card.command) for card in made.cards if card.command]
    return Section("repeat", "How to repeat it", [*blocks, Facts(facts), Text(SOURCE)], on=PAGE)
