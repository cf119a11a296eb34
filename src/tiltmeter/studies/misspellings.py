"""Misspelt swear words: does a model that writes still see that a comment is hateful?"""

from tiltmeter.core.study import Study
from tiltmeter.data.prompts.misspelled_texts import SETTINGS, load_misspellings, sample_misspellings
from tiltmeter.data.texts.ethos import NAME as ETHOS
from tiltmeter.scoring.prompted_texts import EDIT_RULES, REFUSES
from tiltmeter.studies._chiu2021 import conventions
from tiltmeter.studies._edited import EDIT_MEASURES, EDIT_VIEWS

STUDY = Study(
    name="misspellings",
    title="Misspelt swear words: do edits of a word change whether a comment is called hateful?",
    version="2",
    source=(
        "Chiu, Collins and Alexander 2022, Detecting Hate Speech with GPT-3, section 5, "
        "doi:10.48550/arXiv.2103.12407; comments: Mollas et al. 2022, ETHOS, doi:10.1007/s40747-021-00608-2"
    ),
    measures_what=(
        "By how much the model says more or less often that a comment is sexist or racist once a swear word "
        "in it is misspelt, as people do to escape filters. 0 is no effect; below it, misspelling hides hate."
    ),
    not_what=(
        "It compares answers with each other, not with what people say: a model that calls everything "
        "hateful shows no effect. A few stems in some sixty comments are a small sample."
    ),
    load=load_misspellings,
    sample=sample_misspellings,
    rules=EDIT_RULES,
    measures=EDIT_MEASURES,
    conventions=conventions(),
    settings=(*SETTINGS, REFUSES),
    views=EDIT_VIEWS,
    data=(ETHOS,),
    makes_items=True,
)
