"""Groups that are probably one."""

from tiltmeter.core.estimates import Estimate
from tiltmeter.run.measuring.alike_labels import notes_on_alike_labels


def by(**groups):
    return Estimate("rate", 50.0, None, None, None, 3, 50.0, "%", groups=groups)


def test_capitals_and_accents_and_spaces_are_pointed_out():
    made = [by(), by(kind="Gender"), by(kind="gender"), by(kind="caf\u00e9"), by(kind="cafe\u0301"),
            by(kind="cafe"), by(other="gender", kind="age"), by(kind="gender")]  # fmt: skip
    texts = [note.text for note in notes_on_alike_labels(made)]
    assert len(texts) == 2
    assert texts[0].startswith("“Gender” and “gender” of the axis kind are counted as different")
    assert "cafe\u0301” and “caf\u00e9" in texts[1]


def test_different_groups_have_no_note():
    assert not notes_on_alike_labels([by(), by(kind="a"), by(kind="b"), by(other="A")])
