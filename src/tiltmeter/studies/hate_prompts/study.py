"""Hate detection by prompts: does a model that writes tell sexist and racist comments from others?

The five settings of Chiu, Collins and Alexander 2022, on comments of ETHOS or on a table of the user's.
"""

from tiltmeter.data.prompts.comment_prompts import WORDINGS
from tiltmeter.data.texts.ethos import NAME as ETHOS
from tiltmeter.studies.hate_prompts.comments import SETTINGS, load, sample
from tiltmeter.studies.hate_prompts.published_measures import AS_PUBLISHED, PUBLISHED
from tiltmeter.studies.hate_prompts.validity import VALIDITY
from tiltmeter.study_families.hate_prompt_convention import CONVENTIONS
from tiltmeter.study_families.written_labels import WRITTEN_MEASURES, WRITTEN_VIEWS, written_study

STUDY = written_study(
    name="hate_prompts",
    title="Hate detection by prompts: sexist and racist comments, zero-, one- and few-shot",
    version="3",
    group="classifiers",
    asks="Hate, shown 0 to 3 examples",
    source="Chiu, Collins and Alexander 2022, Detecting Hate Speech with GPT-3, "
    "doi:10.48550/arXiv.2103.12407; comments: Mollas et al. 2022, ETHOS, "
    "doi:10.1007/s40747-021-00608-2",
    measures_what="How often a model that is asked in words labels comments as the people who "
    "annotated them did: whether a comment is sexist or racist, without an example, with one, with "
    "three, or with three of different kinds. Guessing is right in about half of the answers where "
    "half of the texts are of the category.",
    not_what="It is about recognising hate, not about the model's own bias. Comments from one place, such "
    "as those of ETHOS from YouTube and Reddit in English, say little about hate elsewhere, and "
    "models may have read them in training. Asking again shows how much a reply depends on chance, "
    "not how much the number depends on these comments: the interval is for the latter.",
    load=load,
    sample=sample,
    measures=(*WRITTEN_MEASURES, *PUBLISHED),
    views=(WRITTEN_VIEWS[0], AS_PUBLISHED, *WRITTEN_VIEWS[1:]),
    conventions=CONVENTIONS,
    settings=SETTINGS,
    wordings=WORDINGS,
    data=(ETHOS,),
    makes_items=True,
    validity=VALIDITY,
)
