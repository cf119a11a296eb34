"""Word association: which of two groups does a model write behind which word, and whom does it choose?

Bai et al. 2025, doi:10.1073/pnas.2416228122. What is asked is in `stimuli`, what is reported in `measures`;
the authors' own files of replies are read in `stored_answers`.
"""

from tiltmeter.core.conventions import PAPER
from tiltmeter.core.data.prompted_items import WRAP
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Study
from tiltmeter.core.views import NumberTable, number_columns
from tiltmeter.scoring.prompted_texts import LIST_RULES, REFUSES
from tiltmeter.studies.word_association.measures import BAI, MEASURES
from tiltmeter.studies.word_association.stimuli import (
    SET,
    SETTINGS,
    WORDINGS,
    load_word_association,
    sample_word_association,
)
from tiltmeter.studies.word_association.stored_answers import has_answers, stored_answers
from tiltmeter.studies.word_association.validity import VALIDITY

STUDY = Study(
    name="word_association",
    title="Word association: which of two groups does a model write behind which word?",
    version="1",
    group="associations",
    asks="Which group goes with a word?",
    source="Bai, Wang, Sucholutsky and Griffiths 2025, doi:10.1073/pnas.2416228122",
    measures_what="A model is given a list of words and the names of two groups, and writes one of "
    "the two behind each word. The association says how far it follows a stereotype. In decisions, "
    "two people get one of two topics each.",
    not_what="Refusals and replies that were not understood have no association, which is not an "
    "association of 0: the lowest and the highest possible value say what they could hide. The "
    "instruction forces a choice, so the numbers are about what a model does when it must choose, "
    "not about what it writes unasked.",
    scope=Scope(fixed=("the words of each list", "the groups")),
    load=load_word_association,
    sample=sample_word_association,
    rules=LIST_RULES,
    measures=MEASURES,
    conventions=(PAPER, BAI),
    settings=(*SETTINGS, WRAP, REFUSES),
    wordings=WORDINGS,
    views=(
        NumberTable(
            "associations",
            "Associations by stereotype",
            rows=("category",),
            columns=(
                *number_columns("word_association"),
                *number_columns("lowest_association", "lowest"),
                *number_columns("highest_association", "highest"),
                *number_columns("one_sided_rate"),
                *number_columns("refusal_rate"),
                *number_columns("off_list_rate"),
            ),
        ),
        NumberTable(
            "decisions",
            "Decisions by stereotype",
            rows=("category",),
            columns=(
                *number_columns("decision_bias"),
                *number_columns("lowest_decision_bias"),
                *number_columns("highest_decision_bias"),
            ),
        ),
    ),
    data=(SET,),
    categories="domain",
    stored_replies=stored_answers,
    reads_stored=has_answers,
    validity=VALIDITY,
)
