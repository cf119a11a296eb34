"""The page of groups and traits: tables that equal the pictures, links, words, escaping, size."""

import html
import itertools
import re
from dataclasses import replace

import pytest
from tiltmeter.report.grid import grid_of, is_told, traits

from report import cells
from report.test_page import Outline
from tiltmeter.analysis.compare import compare, compare_all
from tiltmeter.analysis.matrix import axes_of, layers_of, matrix_of
from tiltmeter.core.results import Estimate, Result
from tiltmeter.report import wording
from tiltmeter.report.page import page
from tiltmeter.studies.group_traits import STUDY


@pytest.fixture(scope="module")
def result() -> Result:
    return cells.result(settings={"prior": "noun"})


@pytest.fixture(scope="module")
def one(result) -> str:
    return page([result], study=STUDY)


@pytest.fixture(scope="module")
def pair() -> list[Result]:
    return [cells.result(common=1.0), cells.result("other", seed=5, common=1.0, planted={})]


@pytest.fixture(scope="module")
def two(pair) -> str:
    return page(pair, compare(*pair), study=STUDY)


def text_of(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def test_the_table_under_the_heat_map_has_every_value(result, one):
    grid = grid_of(result.estimates, layers_of(result))
    rows = Outline(one).rows
    start = rows.index(["Group", *(" – ".join(traits(pair)) for pair in grid.pairs)])
    for row, group in zip(rows[start + 1 :], grid.groups, strict=False):
        assert row[0] == group
    bold = set(re.findall(r"<b>([^<]+)</b>", one))
    for group, row in zip(
        grid.groups, one.split('class="cells"')[1].split("<tr>")[2:], strict=False
    ):
        shown = [html.unescape(re.sub("<[^>]+>", "", c)) for c in re.findall(r"<td.*?</td>", row)]
        cells_ = [grid.cells[group, pair] for pair in grid.pairs]
        assert shown == [
            "undefined" if c.value is None else wording.number(c.value, c.unit) for c in cells_
        ]
        told = [wording.number(c.value, c.unit) for c in cells_ if is_told(c)]
        assert re.findall(r"<b>([^<]+)</b>", row) == told
        assert set(told) <= bold


def test_each_chart_has_its_numbers_and_is_led_to(result, one):
    outline = Outline(one)
    ids = {a["id"] for _, a in outline.tags if a.get("id")}
    leads = {
        a["href"] for t, a in outline.tags if t == "a" and (a.get("href") or "").startswith("#")
    }
    assert {lead[1:] for lead in leads} <= ids
    assert "#r1-g1" in leads  # of bakers, whose planted cell is the surest
    sides = {e.name: e for e in result.estimates
             if e.groups == {"group": "bakers", "pair": "early - late"}}  # fmt: skip
    value = sides["association"]
    rows = [row for row in outline.rows if row[0] == "early – late"]
    numbers = [
        wording.number(value.value, "nats"), wording.span(value, "–"),
        wording.p_text(value.p_adjusted), *(wording.number(sides[f"{s}_pole"].value, "nats")
                                            for s in ("left", "right")),
    ]  # fmt: skip
    assert ["early – late", *numbers] in rows


def test_the_surest_and_the_least_sure_cells_are_listed_in_order(result, one):
    known = [e for e in result.estimates if e.name == "association" and e.p is not None]
    ranked = sorted(known, key=lambda e: e.p)
    for kind, wanted in (("Most surely", ranked[:10]), ("Least surely", ranked[::-1][:10])):
        part = one.split(f"<h3>{kind}</h3>")[1].split("</table>")[0]
        groups = re.findall(r'<th scope="row" class="name"><a href="#r1-g\d+">([^<]+)</a>', part)
        assert groups == [e.groups["group"] for e in wanted]
    assert "early rather than late" in one


def test_words_tell_how_many_cells_are_told_and_how_it_was_done(result, one):
    text = text_of(one)
    known = [e for e in result.estimates if e.name == "association" and e.p_adjusted is not None]
    told = sum(e.p_adjusted < 0.05 for e in known)
    said = f"Of 30 cells (6 groups by 5 pairs of traits) 29 have a value; of these {told} are told from"
    assert said in text
    assert "after Benjamini and Hochberg’s adjustment" in text
    assert "the right trait has no finite score in 1 of 7 templates" in text
    assert "anglers, calm - restless" in text
    assert "prior noun" in text
    assert "no preference" not in text.partition("Method")[0].partition("All numbers")[0]


def test_every_template_is_listed_the_least_agreeing_first(one):
    rows = [row for row in Outline(one).rows if len(row) == 5 and row[1] in cells.FAMILIES]
    assert len(rows) == 7
    assert [float(row[2].replace("−", "-")) for row in rows] == sorted(
        float(row[2].replace("−", "-")) for row in rows
    )


def test_one_odd_template_is_told_of():
    base = cells.result()
    flipped = [
        replace(r, scores={"left": r.scores["right"], "right": r.scores["left"]})
        if r.cluster == "plural 2" else r
        for r in base.records if "right" in r.scores
    ]  # fmt: skip
    shown = text_of(page([cells.made(flipped)], study=STUDY))
    assert "One template does not agree with the others at all." in shown


def test_single_cells_are_not_in_the_list_of_all_numbers(result, one):
    head = [e for e in result.estimates if e.name == "mean_strength"]
    assert f"All {len(head)} estimates" in one


def test_a_result_of_one_template_has_a_page():
    lone = cells.result(templates=1)
    shown = text_of(page([lone], study=STUDY))
    assert "How much templates agree is undefined: there is one template only." in shown


def test_a_matrix_that_is_not_by_template_says_nothing_of_templates():
    base = cells.result()
    kept = ("group", "pair", "domain", "dimension")
    records = [
        replace(r, groups={axis: r.groups[axis] for axis in kept if axis in r.groups})
        for r in base.records
    ]
    lone = replace(
        base, records=records, estimates=[e for e in base.estimates if e.name == "association"]
    )
    shown = page([lone], study=STUDY)
    Outline(shown)
    assert 'id="r1-templates"' not in shown
    assert 'id="r1-strengths"' not in shown
    assert "averaged over templates" not in text_of(shown).partition("All numbers")[0]
    grid = grid_of(lone.estimates, axes_of(lone))
    assert [block.name for block in grid.rows] == list(cells.DOMAINS)


def test_hostile_names_are_text_on_the_whole_page():
    odd = cells.HOSTILE
    base = cells.result(odd, names={"bakers": odd})
    records = [
        replace(r, groups={axis: odd if label in {"work", "mood", "plural"} else label
                           for axis, label in r.groups.items()})
        for r in base.records
    ]  # fmt: skip
    shown = page([cells.made(records, odd)], study=STUDY)
    Outline(shown)
    assert "<script" not in shown
    assert shown.count("</title>") == shown.count("<title")
    assert "\u202e" not in shown


def test_equal_results_give_equal_pages_and_nothing_is_fetched(one):
    assert page([cells.result(settings={"prior": "noun"})], study=STUDY) == one
    outline = Outline(one)
    assert not {tag for tag, _ in outline.tags} & {"script", "link", "iframe", "img", "object"}
    assert not re.search(r"url\(|@import", one)
    assert "show-text" not in one.replace("body:has(#show-text", "")


def test_ids_are_unique_and_titles_descend(one, two):
    for shown in (one, two):
        outline = Outline(shown)
        ids = [a["id"] for _, a in outline.tags if a.get("id")]
        assert len(ids) == len(set(ids))
        levels = [int(t[1]) for t, _ in outline.tags if re.fullmatch("h[1-6]", t)]
        assert all(b <= a + 1 for a, b in itertools.pairwise(levels))


def test_a_page_of_53_groups_stays_small():
    def cell(i: int, j: int, name: str) -> Estimate:
        groups = {"group": f"a group of people {i}", "pair": f"untrustworthy{j} - trustworthy{j}"}
        return Estimate(name, 0.3 - i / 100 + j / 60, -0.123, 0.456, 1e-3, 35, 0.0, "nats",
                        groups=groups, p_adjusted=0.01, adjustment="Benjamini–Hochberg")  # fmt: skip

    names = ("association", "left_pole", "right_pole")
    many = [cell(i, j, name) for name in names for i in range(53) for j in range(16)]
    base = cells.result()
    head = [e for e in base.estimates if not e.groups]
    shown = page([replace(base, records=(), estimates=[*head, *many])], study=STUDY)
    assert len(shown.encode()) < 2_000_000


# ── Two models ───────────────────────────────────────────────────────────────────────────────────


def test_differences_are_drawn_and_the_planted_ones_listed(pair, two):
    text = text_of(two)
    apart = compare(*pair)
    tau = next(e for e in apart if e.name == "matrix_tau" and not e.groups)
    assert f"at Kendall’s τ-b = {wording.number(tau.value, '')}" in text
    assert two.count('id="apart-1-title"') == 1
    part = two.split("The cells that differ most surely</h4>")[1].split("</table>")[0]
    named = re.findall(
        r'<th scope="row" class="name">([^<]+)</th><td class="name">([^<]+)</td>', part
    )
    planted = {(g, p.replace(" - ", " – ")) for g, p in cells.PLANTED}
    assert set(named[:3]) == planted
    assert 'id="side"' in two
    assert 'id="r1-g1"' not in two  # charts of groups are on each run's own page


def test_models_on_one_scale_share_the_colours_of_their_pictures(two):
    side = two.split('id="side"')[1].split("</section>")[0]
    ends = re.findall(r'class="tick" font-size="11">(?:≥ )?([\d.]+)</text>', side)
    ends = [end for end in ends if end != "0"]
    assert len(ends) == 2
    assert len(set(ends)) == 1


def test_other_rules_and_settings_are_compared_by_order_only():
    a, b = cells.result(), cells.result(seed=3, settings={"prior": "noun"})
    found = compare(a, b)
    shown = page([a, b], found, study=STUDY)
    text = text_of(shown)
    assert "only the order of cells is compared" in text
    assert "demo (prior mask) − demo (prior noun)" in text
    assert 'id="apart-1-title"' not in shown
    assert {e.name for e in found} == {"matrix_tau", "matrix_tau_within", "same_lean"}


def test_three_models_make_three_comparisons(pair):
    three = [*pair, cells.result("third", seed=8)]
    shown = page(three, compare_all(three), study=STUDY)
    Outline(shown)
    assert all(f'id="apart-{i}-title"' in shown for i in (1, 2, 3))


def test_a_matrix_and_its_page_agree_with_the_file(result, one):
    matrix = matrix_of(result)
    i, j = matrix.groups.index("sailors"), matrix.pairs.index("quiet - talkative")
    assert f"sailors, quiet – talkative: {wording.number(matrix.values[i, j], 'nats')}" in one
