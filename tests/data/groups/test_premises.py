"""The packaged premises are those of the published data; a file of the user's is checked."""

import csv

import pytest

from support import published
from tiltmeter.core.errors import BadItems
from tiltmeter.data.groups.premises import PremiseFile, premise_of

FOLDER = "stereo_inferences"


def test_the_packaged_lists_have_the_published_sizes():
    file = PremiseFile.named()
    assert (len(file.groups), len(file.situations)) == (61, 102)
    assert len({group.domain for group in file.groups}) == 6
    assert sum(len(group.labels) for group in file.groups) == 71
    assert sum(one.kind == "triggering" for one in file.situations) == 53


@published.needs(FOLDER)
def test_every_published_premise_is_a_group_in_a_situation():
    file = PremiseFile.named()
    spelled = 0
    for name in ("1_annotation_per_example_updated", "4_annotations_per_example_updated"):
        with published.need(f"{FOLDER}/{name}.csv").open(encoding="utf-8", newline="") as opened:
            for row in csv.DictReader(opened):
                group, situation = file.parts_of(row["Premise"])
                said = {premise_of(label, situation.text) for label in group.labels}
                spelled += row["Premise"].strip() in said
    assert spelled == 2049 - 30  # "A Hindi person"
    with published.need(f"{FOLDER}/Situations.csv").open(
        encoding="utf-8-sig", newline=""
    ) as opened:
        cells = [" ".join(c.split()) for row in csv.DictReader(opened) for c in row.values() if c]
    assert sorted(f"PersonX {one.text}" for one in file.situations) == sorted(filter(None, cells))


def test_what_is_wrong_with_a_file_is_listed(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('[[groups]]\nname = "pilot"\n[[situations]]\ntext = "sings."\nkind = "often"\n')
    with pytest.raises(BadItems, match='write "daily" or "triggering"'):
        PremiseFile.named(path)
    path.write_text('[[groups]]\nname = "pilot"\n')
    with pytest.raises(BadItems, match=r"has no situations; write \[\[situations\]\]"):
        PremiseFile.named(path)
