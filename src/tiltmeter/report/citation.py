"""Text for citing results: methods paragraphs, whose facts come from the cards, and BibTeX entries.

BibTeX ignores text between entries, so the two together are a valid .bib file.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from textwrap import fill
from typing import Any

from tiltmeter.core.conventions import Convention
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.reply_counts import STORED
from tiltmeter.core.results import Card, Result
from tiltmeter.core.study import Study
from tiltmeter.core.text import counted, listed, visible
from tiltmeter.data.citations.references import BibEntry, cited_in, known_by, references
from tiltmeter.data.downloads import weights
from tiltmeter.derived.run_tables.run_table import RunTable, main_numbers, placements
from tiltmeter.derived.run_tables.run_table_layout import Placed
from tiltmeter.report.documents.run_tables.number_facts import amount_words, by_method, over_all
from tiltmeter.report.latex.letters import latex_text
from tiltmeter.report.text import interval_name, lowered, title
from tiltmeter.run.planning.study_files import study_if_known

WIDTH = 100
"""The line length of the methods paragraphs, in characters."""
SHORT_SUM = 12
"""How many characters of a checksum a sentence gives: enough to tell files apart."""
TIES = {
    "half": "Ties count one half.",
    "loss": "Ties count against the more stereotyping side.",
    "neutral": "Ties are left out.",
}

NO_INTERVAL = "no interval"
"""How the reason for a missing interval begins, in an estimate."""
QUOTES = str.maketrans({"“": "``", "”": "''", "’": "'"})
"""The quotation marks of our own sentences, in LaTeX's notation."""


@dataclass(slots=True)
class _Citations:
    """Formats citations, as plain text or LaTeX, and collects the references that were cited."""

    latex: bool
    cited: dict[str, BibEntry] = field(default_factory=dict)

    def of(self, references: Iterable[BibEntry]) -> str:
        r"""The citation of these references in parentheses, or as \citep in LaTeX, with a space before it.

        "" where there are none.
        """
        named = list(references)
        self.cited |= {r.key: r for r in named}
        if not named:
            return ""
        if self.latex:
            return rf"~\citep{{{','.join(r.key for r in named)}}}"
        return f" ({'; '.join(r.in_sentence for r in named)})"

    def words(self, text: str) -> str:
        """Text from a card or a study made safe to print, since it may come from someone else's file."""
        return latex_text(text, breakable=True) if self.latex else visible(text)


@dataclass(frozen=True, slots=True)
class CitationText:
    """The text for a paper that reports results: paragraphs on the methods, and BibTeX entries."""

    paragraphs: str
    """What to write about the methods."""
    entries: str
    """The BibTeX of what they cite."""

    def __str__(self) -> str:
        """Both, which is also a .bib file: BibTeX reads the entries and skips the paragraphs."""
        return f"{self.paragraphs}\n{self.entries}"


def citation(
    results: Sequence[Result], *, latex: bool = False, tables: Sequence[RunTable] = ()
) -> CitationText:
    r"""A methods paragraph for each way in which the results were made, and BibTeX entries of all sources.

    Args:
        results: Runs and analyses; an audit or a comparison stands for the runs in it.
        latex: Whether the paragraphs are LaTeX with \citep.
        tables: The tables that show these results: the paragraphs are about the numbers in them. Of a result
            without one they are about its main numbers.
    """
    citations = _Citations(latex)
    shown = [p for table in tables for p in table.cells.values()]

    def numbers_of(result: Result) -> list[Placed]:
        return [p for p in shown if p.card is result.card] or main_numbers(result)

    paragraphs = []
    for alike in _alike(_parts(results)):
        numbers = [p for result in alike for p in numbers_of(result)]
        subsets = numbers if tables else [p for result in alike for p in placements(result)]
        paragraphs.append(_paragraph(alike, numbers, subsets, citations))
    paragraphs.append(_software([result.card for result in _parts(results)], citations))
    wrapped = [_wrapped(text.translate(QUOTES) if latex else text) for text in paragraphs]
    entries = [r.bibtex for r in sorted(citations.cited.values(), key=lambda r: r.key)]
    return CitationText("\n\n".join(wrapped) + "\n", "\n\n".join(entries) + "\n")


def _wrapped(text: str) -> str:
    """The paragraph wrapped into lines, without "@", which would begin an entry of BibTeX."""
    apart = text.replace("@", "(at)")
    return fill(apart, WIDTH, break_long_words=False, break_on_hyphens=False)


def _parts(results: Sequence[Result]) -> list[Result]:
    """The results with the runs that they are made of before them; a comparison is replaced by its runs."""
    parts: list[Result] = []
    for result in results:
        parts += [*result.runs.values(), *([] if result.card.compares_runs else [result])]
    return parts or list(results)


def _alike(results: Sequence[Result]) -> list[list[Result]]:
    """The results in groups that differ only in the model and the rule, for one paragraph each."""
    groups: dict[tuple[Any, ...], list[Result]] = {}
    for result in results:
        card = result.card
        how = (card.study, card.convention, card.ties, card.data.get("sha256"), card.data_name,
               tuple(sorted(card.settings.items())), card.seed)  # fmt: skip
        groups.setdefault(how, []).append(result)
    return list(groups.values())


def _paragraph(
    results: Sequence[Result],
    numbers: Sequence[Placed],
    subsets: Sequence[Placed],
    cite: _Citations,
) -> str:
    first, cards = results[0], [result.card for result in results]
    study = study_if_known(first.card)
    sentences = [
        _measured(first.card, numbers, study, cite),
        _models(cards, cite),
        *_rules(cards, study, cite),
        *_choices(first.card, study, cite),
        TIES.get(first.card.ties, ""),
        *_uncertainty(numbers, subsets, cite),
        f"The seed was {first.card.seed}.",
    ]
    return " ".join(filter(None, sentences))


def _measured(
    card: Card, numbers: Sequence[Placed], study: Study[Any] | None, cite: _Citations
) -> str:
    titles = dict.fromkeys(title(p.estimate) for p in numbers)
    what = listed([f"“{cite.words(name)}”" for name in titles]) or "what follows"
    name = study.title.partition(":")[0] if study else card.title or card.study
    references = cited_in(study.source if study else card.method)
    source = cite.of(references)
    amount = cite.words(amount_words(numbers))
    on = f" on {amount}" if amount else ""
    return f"We measured {what} with {cite.words(name)}{source}{on}{_data(card, cite, known=references)}."


def _data(card: Card, cite: _Citations, *, known: Sequence[BibEntry]) -> str:
    """Source, version, checksum and licence of the data, unless the source is what is `known`."""
    if not card.data_name:
        return ""
    version, checksum = str(card.data.get("version", "")), str(card.data.get("sha256", ""))
    facts = [
        f"version {version}" if version else "",
        f"SHA-256 {checksum[:SHORT_SUM]}…" if checksum else "",
        f"licence {licence}" if (licence := card.data.get("licence")) else "",
    ]
    of = ", ".join(cite.words(fact) for fact in facts if fact)
    sources = cited_in(str(card.data.get("source", "")))
    source = cite.of([] if {r.key for r in sources} <= {r.key for r in known} else sources)
    return source + (f" ({of})" if of else "")


def _models(cards: Sequence[Card], cite: _Citations) -> str:
    named = [_model(card, cite) for card in cards if card.model_name]
    if not named:
        return ""
    return f"{'The model was' if len(named) == 1 else 'The models were'} {listed(named)}."


def _model(card: Card, cite: _Citations) -> str:
    model, name = card.model, card.model_name
    parameters = model.get("parameters")
    facts = [
        "" if card.model_reference == name else card.model_reference,
        str(model.get("architecture") or model.get("kind") or ""),
        counted(parameters, "parameters") if isinstance(parameters, int) and parameters else "",
        str(model.get("precision", "")),
        f"fingerprint {str(model['fingerprint'])[:SHORT_SUM]}" if model.get("fingerprint") else "",
    ]
    known = weights.WEIGHTS.get(card.model_reference)
    source = cite.of(cited_in(known.citation)) if known else ""
    of = ", ".join(cite.words(fact) for fact in facts if fact)
    return f"{cite.words(name)}{source}" + (f" ({of})" if of else "")


def _rules(cards: Sequence[Card], study: Study[Any] | None, cite: _Citations) -> Iterable[str]:
    """Sentences about each rule; they name the models that it scored where several rules were used."""
    models_by_rule: dict[str, list[str]] = {}
    for card in cards:
        for name in filter(None, card.rule.split("+")):
            models_by_rule.setdefault(name, []).append(card.model_name)
    several = len({card.rule for card in cards}) > 1
    rules = {rule.name: rule for rule in study.rules} if study else {}
    for name, models in models_by_rule.items():
        who = (
            f" of {listed([cite.words(model) for model in dict.fromkeys(models)])}"
            if several
            else ""
        )
        rule = rules.get(name)
        source = cite.of(cited_in(rule.source)) if rule else ""
        how = (
            "read from a file" if name == STORED else f"computed by rule {cite.words(name)}{source}"
        )
        yield f"Scores{who} were {how}."
        if rule and rule.summary:
            yield cite.words(rule.summary)


def _choices(card: Card, study: Study[Any] | None, cite: _Citations) -> Iterable[str]:
    """Sentences about the convention, of a study that has several, and about the settings."""
    convention = _convention(study, card.convention)
    if study is not None and convention is not None and len(study.conventions) > 1:
        source = cite.of(cited_in(convention.source))
        summary = cite.words(convention.summary)
        after = f". {summary}" if source else f": {lowered(summary)}"
        yield f"We followed the convention “{cite.words(convention.name)}”{source}{after}"
    if settings := {name: value for name, value in card.settings.items() if value}:
        most = {s.name for s in study.settings if s.is_most} if study else set()
        pairs = (
            f"{name} = {'at most ' if name in most and value.isdigit() else ''}{value}"
            for name, value in settings.items()
        )
        yield f"Settings: {cite.words(', '.join(pairs))}."


def _convention(study: Study[Any] | None, name: str) -> Convention | None:
    conventions = study.conventions if study else ()
    return next((c for c in conventions if c.name == name), None)


def _uncertainty(
    numbers: Sequence[Placed], subsets: Sequence[Placed], cite: _Citations
) -> Iterable[str]:
    """Sentences about intervals, tests and adjustments, with what each is of where there are several."""
    whole = over_all(numbers)

    def of(p: Placed) -> str:
        return title(p.estimate)

    if intervals := by_method(whole, _interval, of):
        words = {word.strip(",") for p in whole for word in interval_name(p.estimate).split()}
        yield f"Intervals: {cite.words(intervals)}{cite.of(known_by(words))}."
    if tests := by_method(whole, lambda e: e.test, of):
        yield f"Test: {cite.words(tests)}."
    ways = dict.fromkeys(
        p.estimate.adjustment or "Holm" for p in subsets if p.estimate.p_adjusted is not None
    )
    for way in ways:
        source = cite.of(known_by([way]))
        yield f"p-values of subsets were adjusted by {cite.words(way)}’s method{source}."


def _interval(estimate: Estimate) -> str:
    """How the interval of a number was made, or why there is none."""
    if estimate.low is not None or estimate.high is not None:
        return interval_name(estimate)
    reasons = (part for part in estimate.why.split("; ") if part.startswith(NO_INTERVAL))
    reason = next(reasons, NO_INTERVAL)
    return reason.replace(f"{NO_INTERVAL}: ", "none, because ", 1).replace(NO_INTERVAL, "none", 1)


def _software(cards: Sequence[Card], cite: _Citations) -> str:
    """A sentence about the software used, with the versions that the cards record."""
    versions: dict[str, str] = {}
    for card in cards:
        libraries = (
            text.rpartition(" ") for text in str(card.model.get("libraries", "")).split(", ")
        )
        versions |= dict(card.versions) | {name: number for name, _, number in libraries if name}
    own = versions.pop("tiltmeter", "")
    reference = references()["tiltmeter"]
    bibtex = reference.bibtex.replace("VERSION", own)
    ours = cite.of([replace(reference, bibtex=bibtex)])
    others = [
        f"{cite.words(name)} {cite.words(number)}{cite.of(known_by([name]))}"
        for name, number in versions.items()
    ]
    used = f", with {listed(others)}" if others else ""
    return f"All numbers were computed by Tiltmeter {cite.words(own)}{ours}{used}."
