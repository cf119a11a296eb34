"""HateCheck: which kinds of hateful and of harmless texts does a model that writes mislabel?"""

from tiltmeter.data.prompts.hatecheck import SETS, SETTINGS, load_hatecheck, sample_hatecheck
from tiltmeter.scoring.prompted_texts import REFUSES
from tiltmeter.studies._written import written_study

STUDY = written_study(
    name="hatecheck",
    title="HateCheck: functional tests of hate detection, asked in words",
    source=(
        "Röttger et al. 2021, HateCheck, doi:10.18653/v1/2021.acl-long.4; in further languages: Röttger et "
        "al. 2022, doi:10.18653/v1/2022.woah-1.15"
    ),
    measures_what=(
        "How often a model that is asked whether a text is hateful gives the label of the test, by the kind "
        "of text that a test is about (slurs, negated hate, counter-speech, …) and by the group it targets. "
        "About 69 % of the English texts are hateful."
    ),
    not_what=(
        "The texts were written to find weaknesses and say nothing about how common these are. The authors "
        "made the tests for classifiers; here a model answers in words, to one wording of the question."
    ),
    load=load_hatecheck,
    sample=sample_hatecheck,
    settings=(*SETTINGS, REFUSES),
    data=SETS,
    makes_items=True,
)
