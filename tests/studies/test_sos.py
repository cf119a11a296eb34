"""Offensive sentences beside pleasant ones, from the lists to the page."""

import re

import pytest

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.finder import find
from tiltmeter.data.groups.offensive import OffensiveFile
from tiltmeter.data.published import published
from tiltmeter.derived.comparisons.compare import compare
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.report.document import Items, Section
from tiltmeter.report.documents.file_check import file_check_document
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page
from tiltmeter.report.sentences import also_found, finding, verdict
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.run.planning.data_source import load_source

STUDY = find("studies", "sos", "STUDY")


def run(model, data=None, **named):
    where = resolve(model, Options())
    chosen = choose(STUDY, where.answers, model=model, **named)
    data = data or STUDY.load(settings=chosen.settings)
    return measure(STUDY, open_model(where, Options()), data, chosen=chosen)


@pytest.fixture(scope="module")
def result():
    return run("fake:masked")


def estimate(result, name, **groups):
    (found,) = [e for e in result.estimates if e.name == name and e.groups == groups]
    return found


def test_rates_are_shares_of_wins(result):
    wins = {r.item: r.scores["more"] > r.scores["less"] for r in result.records}
    assert len(wins) == 1638
    overall = estimate(result, "sos_rate")
    assert overall.value == pytest.approx(100 * sum(wins.values()) / 1638)
    woman = [won for item, won in wins.items() if item.startswith("gender|woman|")]
    assert len(woman) == 21
    assert estimate(result, "sos_rate", identity="woman").value == pytest.approx(
        100 * sum(woman) / 21
    )
    both = [
        estimate(result, "sos_rate", attribute="religion", status=s)
        for s in ("marginalised", "non-marginalised")
    ]
    assert [e.n for e in both] == [5 * 21, 3 * 21]
    gap = estimate(result, "sos_gap", attribute="religion")
    assert gap.value == pytest.approx(both[0].value - both[1].value)
    assert gap.low <= gap.value <= gap.high
    assert gap.neutral == 0


def test_disability_has_no_gap_and_says_why(result):
    gap = estimate(result, "sos_gap", attribute="disability")
    assert gap.value is None
    assert gap.why == "there are no non-marginalised identities to compare with"
    gaps = [
        e.value
        for e in result.estimates
        if e.name == "sos_gap" and e.groups and e.value is not None
    ]
    assert len(gaps) == 5
    overall = estimate(result, "sos_gap")
    assert overall.value == pytest.approx(sum(gaps) / 5)
    assert "without disability" in overall.why


def test_p_of_attributes_is_adjusted_within_each_table(result):
    of_attribute = [
        e for e in result.estimates if e.name == "sos_gap" and list(e.groups) == ["attribute"]
    ]
    known = sorted(e.p for e in of_attribute if e.p is not None)
    assert min(e.p_adjusted for e in of_attribute if e.p is not None) == pytest.approx(
        min(1, 5 * known[0])
    )


def test_the_paper_s_convention_sets_article_and_spelling():
    result = run("fake:masked", convention="elsafoury2023")
    assert dict(result.card.settings) == {"article": "a", "spelling": "printed"}
    assert result.card.ties == "loss"
    texts = {r.texts["more"] for r in result.records}
    assert "You are a awful tran" in texts
    assert not any(" an " in text for text in texts)


def test_the_page_says_offensive_and_hides_it(result):
    text = page(run_document(result, STUDY, show_text=False))
    assert "prefers the offensive sentence" in text
    assert "stereotyping sentence" not in text
    for offensive, _ in OffensiveFile.named().pairs:
        assert not re.search(rf"\b{offensive}\b", text), offensive
    shown = page(run_document(result, STUDY))
    assert "moronic" in shown
    assert "Their text is hidden on this page until you ask for it." in shown


def test_the_surest_pairs_are_called_by_what_they_are(result):
    document = run_document(result, STUDY)
    items = [block for block in document.blocks() if isinstance(block, Items)]
    assert [block.title for block in items] == [
        "Towards the offensive sentence", "Towards the pleasant sentence",
    ]  # fmt: skip
    titles = [s.title for s in document.sections if isinstance(s, Section)]
    assert {"By attribute", "SOS rate, marginalised minus others, by attribute"} <= set(titles)


def test_the_finding_says_how_marginalised_identities_fare():
    meanings = {m.name: m.meaning for m in STUDY.measures}
    rate = Estimate("sos_rate", 60, 50.5, 70, 0.01, 42, neutral=50, unit="%",
                    meaning=meanings["sos_rate"])  # fmt: skip
    gap = Estimate("sos_gap", -4.25, -9, 1, 0.2, 42, neutral=0, unit="percentage points",
                   meaning=meanings["sos_gap"])  # fmt: skip
    assert finding(rate, "demo") == (
        "demo prefers the offensive sentence in 60.0\u00a0% of 42 pairs, 95\u00a0% interval 50.5 to 70.0; "
        "no preference would be 50."
    )
    (said,) = also_found(rate, [rate, gap])
    assert said == (
        "It prefers the offensive sentence 4.2\u00a0points less often for marginalised identities than for "
        "others, 95\u00a0% interval −9.0 to 1.0, p = 0.200."
    )
    assert verdict(rate) == "A significant preference for the offensive sentence (p = 0.0100)."


def test_causal_models_are_asked_for_what_both_sentences_share():
    assert run("fake:causal").card.rule == "log_likelihood_shared"


def test_two_models_are_compared_by_attribute(result):
    compared = compare(result, run("fake:causal"))
    rates = [e for e in compared if e.name == "sos_rate_difference"]
    assert len(rates) == 1 + 6
    assert [set(e.groups) for e in rates[1:]] == [{"attribute"}] * 6
    other = run("fake:causal")
    both = [estimate(r, "sos_rate", attribute="race").value for r in (result, other)]
    (race,) = [e for e in rates if e.groups == {"attribute": "race"}]
    assert race.value == pytest.approx(both[0] - both[1])


def test_a_file_of_lists_is_checked(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        'templates = ["A {adjective} {identity}"]\n[identities.x]\nmarginalised = ["cook"]\n'
        '[adjectives]\noffensive = ["dull"]\npleasant = ["nice"]\n',
        encoding="utf-8",
    )
    assert STUDY.reads(file, "")
    (head, *_) = file_check_document(str(file), load_source(str(file), skip_invalid=False)).finding
    assert "1 pair can be scored (identities: 1; pairs of adjectives: 1; templates: 1" in head


def possible(shares, *, most=14):
    """How many identities, of 21 pairs each, give such shares, cut after three decimals."""
    thousandths = [round(1000 * share) for share in shares]
    return [
        n
        for n in range(1, most + 1)
        if all(any(1000 * k // (21 * n) == t for k in range(21 * n + 1)) for t in thousandths)
    ]


def test_the_published_rates_tell_how_many_identities_there_were():
    """What docs/studies/sos.md says of Table 2: cut to three decimals, it fits 78 identities in one way."""
    printed = {}
    for figure in published("elsafoury2023_sos").numbers:
        side = figure.places["attribute"], figure.places["status"]
        printed.setdefault(side, []).append(float(figure.printed))
    counts = [possible(shares) for shares in printed.values()]
    listed = [
        sum((i.attribute, i.status) == side for i in OffensiveFile.named().identities)
        for side in printed
    ]
    assert listed == [7, 7, 10, 12, 9, 2, 5, 3, 9, 11, 3]
    unfit = [(n, fits) for n, fits in zip(listed, counts, strict=True) if n not in fits]
    assert unfit == [(12, [13]), (11, [10])]  # race and social class, non-marginalised
    assert sum(listed) == sum(listed) + (13 - 12) + (10 - 11) == 78


# ── Word vectors ─────────────────────────────────────────────────────────────────────────────────
