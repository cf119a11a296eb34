"""The document of `leak`: how far other countries' stereotypes explain a model in each language."""

from collections.abc import Sequence

from markupsafe import Markup

from tiltmeter.analysis.leakage.flow_results import Flow
from tiltmeter.analysis.leakage.leaks import Leaks
from tiltmeter.data.people.leakage_people import language_name
from tiltmeter.report.document import (
    BOTH,
    PAGE,
    Block,
    Code,
    Document,
    Facts,
    Lines,
    Picture,
    Section,
    Text,
)
from tiltmeter.report.documents.leaks import words
from tiltmeter.report.documents.leaks.finding import finding
from tiltmeter.report.documents.leaks.tables import (
    change_table,
    flow_table,
    monolingual_table,
    people_table,
    target_table,
)
from tiltmeter.report.documents.leaks.traits import count_table, trait_blocks
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.plots.flow_plot import (
    NARROW_FLOWS,
    WIDE_FLOWS,
    DrawnFlow,
    FlowLayout,
    flow_plot,
)
from tiltmeter.report.text import correlation


def leaks_document(leaks: Leaks, *, command: str = "", files: Sequence[str] = ()) -> Document:
    """The finding, the flows, leaked traits, and what they rest on.

    Args:
        leaks: What was found.
        command: The command that makes it again.
        files: Names of files beside the page.
    """
    card = leaks.runs[0].card
    return Document(
        "Leakage of stereotypes between languages",
        " · ".join([leaks.model, *(language_name(run.language) for run in leaks.runs)]),
        finding(leaks),
        [
            Section("flows", "Flows", [flow_table(leaks), Text(words.FLOWS, on=PAGE)]),
            *_monolingual(leaks),
            Section("traits", "Leaked traits", _traits(leaks)),
            Section("people", "The people", [people_table(leaks), Text(words.PEOPLE, on=PAGE)]),
            Section("targets", "The regressions", [target_table(leaks)], on=PAGE),
            *([Section("notes", "Notes", [Lines(leaks.notes, on=BOTH)])] if leaks.notes else []),
            Section("method", "How it was computed", _method(leaks), on=PAGE),
            Section("repeat", "How to repeat it", _repeat(leaks, command), on=PAGE),
        ],
        meaning=words.MEANING,
        limits=words.LIMITS,
        warning=str(card.data.get("warning") or ""),
        leading=[flow_picture(leaks)],
        files=files,
    )


def flow_picture(leaks: Leaks) -> Picture:
    """Two columns of languages, with a curve for each significant flow."""
    drawn = [
        DrawnFlow(f.source, f.target, f.standardised, f.is_solid, _said(f))
        for f in leaks.flows
        if f.is_significant
    ]
    named = [
        DrawnFlow(language_name(d.source), language_name(d.target), d.value, d.solid, d.said)
        for d in drawn
    ]
    sources = [language_name(code) for code in leaks.people]
    targets = [language_name(one.target) for one in leaks.targets]

    def draw(name: str, layout: FlowLayout) -> Markup:
        return flow_plot(
            named, sources, targets, name=name, layout=layout,
            title=f"Flows between languages: {leaks.model}", columns=("people’s ratings", "model’s scores"),
        )  # fmt: skip

    return in_two_layouts("flows", draw, (WIDE_FLOWS, NARROW_FLOWS), words.PICTURE)


def _said(flow: Flow) -> str:
    kind = "solid" if flow.is_solid else "not solid"
    return (
        f"{language_name(flow.source)} to {language_name(flow.target)}: "
        f"{correlation(flow.standardised)}, {kind}"
    )


def _monolingual(leaks: Leaks) -> list[Section]:
    if not leaks.monolingual:
        return []
    blocks: list[Block] = [
        monolingual_table(leaks), change_table(leaks), Text(words.COVARIATE, on=PAGE),
    ]  # fmt: skip
    return [Section("monolingual", "With monolingual models", blocks)]


def _traits(leaks: Leaks) -> list[Block]:
    settings = leaks.settings
    explained = words.TRAITS.format(k=settings.strongest, held=f"{100 * settings.held:g}")
    return [count_table(leaks), Text(explained, on=PAGE), *trait_blocks(leaks)]


def _method(leaks: Leaks) -> list[Block]:
    convention = leaks.settings.convention
    texts = [words.MODEL, f"Convention {convention.name}: {convention.summary}", words.CORRECTION]
    return [Text(text) for text in [*texts, words.PLACEBO, words.SOURCE]]


def _repeat(leaks: Leaks, command: str) -> list[Block]:
    settings, convention = leaks.settings, leaks.settings.convention
    blocks: list[Block] = [Code(command)] if command else []
    blocks.append(
        Facts({
            "convention": convention.name, "unit": convention.unit, "missing": convention.flows.missing,
            "fewest raters": convention.min_raters, "scale": convention.scaling,
            "scores times": f"{leaks.factor:g}", "k": settings.strongest, "held": f"{settings.held:g}",
            "placebos": convention.flows.placebos, "seed": convention.flows.seed,
        })
    )  # fmt: skip
    for run in (*leaks.runs, *leaks.monolingual):
        card = run.card
        blocks.append(
            Facts({
                "language": language_name(run.language), "model": run.model, "run": run.path,
                "study": card.study, "rule": card.rule, "convention": card.convention,
                "data": str(card.data["name"]),
            })
        )  # fmt: skip
    return blocks
