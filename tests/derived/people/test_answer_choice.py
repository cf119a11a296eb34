"""From the options to the answers that count."""

from tiltmeter.core.reading.answer_options import ChoiceOptions
from tiltmeter.derived.people.answer_choice import choice_of


def test_without_options_all_answers_count():
    assert not choice_of(ChoiceOptions()).leaves_out


def test_marks_and_participants(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("who,mark\nann,too fast\nbo,\n", "utf-8")
    choice = choice_of(ChoiceOptions(without=("too fast",), participants=path), column="who")
    assert choice is not None
    assert choice.without == ("too_fast",)
    assert not choice.takes("ann", frozenset())
    assert choice.takes("bo", frozenset({"speed"}))
    assert not choice.takes("cy", frozenset())
