"""Groups crossed two by two: their names, orders, and which make no sense."""

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.studies.group_traits.cells import cells, crossed


@pytest.fixture(scope="module")
def abc():
    return GroupFile.named()


@pytest.fixture(scope="module")
def all_crossed(abc):
    return {group.name: group for group in crossed(abc, abc.groups)}


@pytest.mark.parametrize(
    "name",
    [
        # in the paper's text and its table of emergent associations
        "Catholic teenager", "teenage Catholic person", "Asian teenager", "teenage Asian person",
        "cis man", "trans Democrat", "Jamaican mechanic", "Hispanic unemployed person",
        "unemployed Hispanic person", "female Native American", "Democrat teenager",
        "teenage Democrat", "Deaf mechanic", "male doctor", "female Indian person", "trans mechanic",
        "female Black person", "Irish autistic person", "German White person", "male Buddhist",
        "Cuban person with a disability", "Hispanic French person", "trans Republican",
        "unemployed German person", "male teenager", "Black woman", "White man",
        # with what stands behind
        "doctor with a disability", "Asian person with a disability",
    ],
)  # fmt: skip
def test_sensible(name, all_crossed):
    assert name in all_crossed


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("cis", "non-binary"), ("teenager", "elderly"), ("doctor", "elderly"), ("immigrant", "blind"),
        ("man", "woman"), ("Democrat", "Republican"), ("Asian", "Chinese"), ("Chinese", "Asian"),
        ("person with a disability", "Asian"), ("man", "trans"), ("gay", "man"), ("woman", "woman"),
        ("person with a disability", "doctor"), ("teenager", "veteran"), ("Catholic", "atheist"),
    ],
)  # fmt: skip
def test_not_sensible(first, second, all_crossed):
    orders = [tuple(part.name for part in group.components) for group in all_crossed.values()]
    assert (first, second) not in orders


def test_each_order_once_and_no_name_twice(abc, all_crossed):
    orders = [tuple(part.name for part in group.components) for group in all_crossed.values()]
    assert len(set(orders)) == len(orders)
    singles = {form for group in abc.groups for form in group.forms.values()}
    plurals = [group.forms["plural"] for group in all_crossed.values()]
    assert not singles & (set(all_crossed) | set(plurals))
    assert len(set(plurals)) == len(plurals)


def test_both_orders_are_said_where_both_can_be(abc, all_crossed):
    orders = {tuple(part.name for part in group.components) for group in all_crossed.values()}
    adjectives = {group.name for group in abc.groups if group.adjective}
    one_way = {(a, b) for a, b in orders if (b, a) not in orders and b in adjectives}
    allowed = {(a, b) for a in ("trans", "cis") for b in ("man", "woman")}
    assert one_way == allowed


def test_plurals_and_what_stands_behind(all_crossed):
    assert all_crossed["doctor with a disability"].forms["plural"] == "doctors with disabilities"
    assert all_crossed["Asian person with a disability"].forms == {
        "singular": "Asian person with a disability",
        "plural": "Asian people with disabilities",
    }


def test_cells_of_crossed_groups_name_their_parts(abc):
    data = cells(abc, groups="Black, woman", templates="A [group] is [trait].", cross="only")
    assert data.about["groups"] == "2, of which crossed 2"
    names = list(dict.fromkeys(cell.groups["group"] for cell in data.items))
    assert names == ["female Black person", "Black woman"]
    axes = data.items[-1].groups
    assert axes["domain"] == "race/ethnicity × gender/sexuality"
    assert [axes[axis] for axis in ("first", "second", "first_domain", "second_domain")] == [
        "Black", "woman", "race/ethnicity", "gender/sexuality",
    ]  # fmt: skip


def test_crossed_groups_bring_their_parts(abc):
    def names(groups, cross):
        items = cells(abc, groups=groups, templates="A [group] is [trait].", cross=cross).items
        return list(dict.fromkeys(cell.groups["group"] for cell in items))

    assert names("White men, Black woman", "only") == ["Black woman", "White man"]
    assert set(names("Black woman", "both")) == {"woman", "Black", "Black woman"}
    assert set(names("unemployed, doctor", "both")) == {"unemployed", "doctor", "unemployed doctor"}


def test_articles_of_crossed_groups(abc):
    data = cells(abc, groups="unemployed doctor", templates="A [group] is [trait].", cross="only")
    assert data.items[0].frame == "An unemployed doctor is BLANK."


def test_nothing_left_to_cross(abc):
    with pytest.raises(BadInput, match="no two of these groups can be crossed"):
        cells(abc, groups="man, woman", cross="only")


def test_adjectives_agree_with_the_group_that_is_named(tmp_path):
    path = tmp_path / "es.toml"
    path.write_text(
        """
nouns = { la = "la persona" }
pairs = [{ left = "lenta", right = "rápida" }]
templates = [{ text = "{group} es {trait}." }]
[[groups]]
name = "panaderas"
domain = "oficio"
gender = "f"
la = "la panadera"
[[groups]]
name = "altos"
domain = "talla"
gender = "m"
la = "el alto"
after = { f = "alta", m = "alto" }
""",
        "utf-8",
    )
    file = GroupFile.read(path)
    (group,) = crossed(file, file.groups)
    assert (group.name, group.gender) == ("la panadera alta", "f")
    assert cells(file, cross="only").items[0].texts[0] == "La panadera alta es lenta."
