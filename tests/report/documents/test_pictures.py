"""Pictures of few and many subsets."""

import re

from report import contexts, example
from report.documents.examples import terminal
from tiltmeter.report.text import subset, title


def test_every_category_stands_in_one_line_with_its_numbers():
    result = example.result()
    lines = terminal(result).splitlines()
    for e in result.estimates:
        if title(e) == "Stereotype rate" and "bias_type" in e.groups:
            name = subset(e.groups, result.card.labels, with_axis=False)
            (line,) = [li for li in lines if li.startswith(name)]
            numbers = [f"{x:.1f}" for x in (e.value, e.low, e.high, e.mde)]
            found = re.findall(r"\d+\.\d+", line)
            assert [found[0], found[1], found[2], found[4]] == numbers
            assert "●" in line or "○" in line


def test_all_target_terms_are_in_the_table_and_ten_in_the_plot(triples):
    start = triples.index('id="r1-target">')
    section = triples[start : triples.index("</section>", start)]
    assert section.count("<polygon") == 2  # the diamond of all items, wide and narrow
    assert section.count("<circle") == 20
    table = section[section.index("<table") :]
    assert all(term in table for terms in contexts.DOMAINS.values() for term in terms)
    assert "some are at either end by chance" in section
