"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="Recognising hate in kinds of text that a review and interviews with NGO workers found "
    "hard: 29 functions.",
    confounds="A model answers one wording of a question, and prompts move such numbers (Hida et al. "
    "2025, doi:10.18653/v1/2025.findings-emnlp.783); refusals. Equal labels follow from the "
    "function, so a model that always says hateful is right in most.",
    items="Written by the authors from templates; five trained annotators labelled each, and cases "
    "on which they disagreed with the authors were left out.",
    reuse="Reused: made for classifiers; here models are asked in words.",
    contamination="Public since December 2020 with labels. We know of no search of corpora.",
    statistics="Intervals are for other templates within a function; the numbers of texts are fixed by "
    "the design.",
    errors="By function and target group, which is what the set is for.",
    argument="Content: chosen with people who work against hate. It shows weaknesses and not how "
    "often they matter.",
)
