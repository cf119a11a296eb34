"""From the options that say which of people's answers count to the choice that is made while reading."""

from tiltmeter.core.reading.answer_options import ChoiceOptions, marks_given
from tiltmeter.data.files.chosen_answers import AnswerChoice, participants_in
from tiltmeter.data.files.tables import read_table


def choice_of(options: ChoiceOptions, *, column: str = "", encoding: str = "") -> AnswerChoice:
    """Which answers count.

    Args:
        options: What the user chose.
        column: The column that names the person, where it is an unusual one.
        encoding: Of the files.

    Raises:
        BadInput: The table of participants cannot be read, or lists nobody.
    """
    listed = None
    if options.participants is not None:
        table = read_table(options.participants, encoding=encoding, known=None)
        listed = participants_in(table, options.participants, column)
    without, only = (marks_given(",".join(marks)) for marks in (options.without, options.only))
    return AnswerChoice(without, only, listed, column)
