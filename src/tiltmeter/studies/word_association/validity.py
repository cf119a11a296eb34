"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="Associations that a chat model shows when it must give each word to one of two groups, "
    "after the Implicit Association Test.",
    confounds="The forced choice: the task itself asks for a division. Order of names, wording, and "
    "refusals, which are not an association of 0. Word lists are arbitrary (Antoniak and "
    "Mimno 2021, doi:10.18653/v1/2021.acl-long.148).",
    items="Words and names of the paper, from studies with people; two of four wordings and all "
    "decisions are ours. Nobody validated them for models.",
    reuse="Reused: lists made for reaction times of people.",
    contamination="Public since February 2024, and the lists for decades; models may know the test and "
    "what it is for.",
    statistics="Intervals take the widest unit that varies: stereotypes, then wordings, then replies. "
    "Four wordings make them rough.",
    errors="By stereotype, wording and who was named first; examples of replies; bounds for what "
    "was not answered.",
    argument="The paper relates associations to decisions of the same models. Whether either is "
    "related to what a model does unasked is open.",
)
