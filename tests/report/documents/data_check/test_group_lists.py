"""The lists that items on groups and traits are made of, as the papers' tables have them."""

from tiltmeter.analysis.quality.contents import describe
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.report.documents.data_check.document import data_check_document
from tiltmeter.report.documents.data_check.group_lists import group_list_tables


def cells(table):
    return [*zip(*(column.cells for column in table.columns), strict=True)]


def test_groups_stand_by_domain_pairs_by_dimension_and_templates_by_family():
    """Tables 4.1, 4.3, 4.4 and 4.7 of Sotnikova 2023."""
    groups, traits, templates = group_list_tables(GroupFile.named("abc"))
    assert [table.name for table in (groups, traits, templates)] == [
        "groups",
        "traits",
        "templates",
    ]
    rows = {domain: names for domain, _, names in cells(groups)}
    assert rows["age"] == "teenager, elderly"
    assert rows["race/ethnicity"] == "Black, White, Hispanic, Asian, Native American"
    assert sum(groups.columns[1].values) == 53
    pairs = cells(traits)
    dimensions = [dimension for dimension, *_ in pairs]
    sizes = {name: dimensions.count(name) for name in dimensions}
    assert sizes == {"agency": 6, "beliefs": 4, "communion": 6}
    assert pairs[0] == (
        "agency", "powerless", "powerful", "weak, helpless, incapable", "forceful, formidable, capable",
    )  # fmt: skip
    assert len(cells(templates)) == 35
    assert ("comparative", "[group] are more likely to be [trait] than others.") in cells(templates)


def test_a_check_shows_the_lists_of_a_packaged_set_and_of_a_file_of_your_own(tmp_path):
    """Table 5.2 of the same: ten, eight and three times four groups."""
    document = data_check_document(describe("leakage_hi"))
    groups, traits, _ = document.tables()
    assert groups.columns[1].values == [10, 8, 3, 3, 3, 3]
    assert traits.rows == 16
    mine = tmp_path / "mine.toml"
    mine.write_text(
        'nouns = {singular = "person"}\n'
        'groups = [{name = "sailor", singular = "sailor", domain = "work"}]\n'
        'pairs = [{left = "slow", right = "quick"}]\n'
        'templates = [{text = "The {group} is {trait}."}]\n',
        encoding="utf-8",
    )
    document = data_check_document(describe(str(mine)))
    assert [cells(table) for table in document.tables()] == [
        [("work", "1", "sailor")], [("", "slow", "quick", "", "")], [("", "The [group] is [trait].")],
    ]  # fmt: skip
