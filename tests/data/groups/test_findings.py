"""Files of findings about crossed groups."""

import re

import pytest

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.groups.findings import Finding, packaged_findings, read_findings
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.studies.group_traits.cells import crossed

TOML = """
[[findings]]
group = "tall baker"
trait = "slow"
source = "made up"
[[findings]]
group = "tall baker"
dimension = "agency"
direction = "high"
"""


def write(tmp_path, text, name="found.toml"):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


def test_the_packaged_ones_are_those_of_the_papers_text():
    found = packaged_findings()
    assert [(f.group, f.dimension, f.direction) for f in found] == [
        ("Black woman", "communion", "low"), ("White man", "agency", "high"),
        ("Black woman", "agency", "low"), ("Black man", "communion", "low"),
    ]  # fmt: skip
    assert all(f.source for f in found)
    file = GroupFile.named()
    assert {f.group for f in found} <= {group.name for group in crossed(file, file.groups)}


def test_toml_and_tables_say_the_same(tmp_path):
    table = "group,trait,dimension,direction,source\ntall baker,slow,,,made up\ntall baker,,agency,high,\n"
    one = read_findings(write(tmp_path, TOML))
    other = read_findings(write(tmp_path, table, "found.csv"))
    assert [f.where for f in one] == ["found.toml, finding 1", "found.toml, finding 2"]
    assert one[0] == Finding("tall baker", "slow", source="made up", where=one[0].where)
    assert [(f.group, f.trait, f.dimension, f.direction, f.source) for f in one] == [
        (f.group, f.trait, f.dimension, f.direction, f.source) for f in other
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("findings = [", "is not TOML"),
        ("\n", "contains no findings"),
        ("findings = 3", "not a list of tables"),
        (TOML.replace('group = "tall baker"\ntrait', "trait"), r"findings\[1\] has no group"),
        (TOML.replace("trait =", "trat ="), "unknown key 'trat'; did you mean 'trait'"),
        (TOML.replace('trait = "slow"', 'trait = "slow"\npair = "slow - quick"'), "trait and pair at once"),
        (TOML.replace('direction = "high"\n', ""), r"findings\[2\] does not say which end of the dimension"),
        (TOML.replace('"high"', '"up"'), "says 'up' of a dimension; give direction"),
        (TOML.replace('"slow"', '"slow"\ndirection = "low"'), "name the opposite trait"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told(text, message, tmp_path):
    with pytest.raises((BadInput, BadItems)) as told:
        read_findings(write(tmp_path, text))
    assert re.search(message, str(told.value), re.DOTALL), told.value
    assert str(told.value).startswith("found.toml: ")


def test_a_table_without_the_column(tmp_path):
    with pytest.raises(BadInput, match="group"):
        read_findings(write(tmp_path, "who,trait\nx,slow\n", "found.csv"))
