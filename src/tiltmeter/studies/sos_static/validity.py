"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="How close words for groups are to profanity in static word vectors, and whether "
    "marginalised groups are closer.",
    confounds="Vectors reflect contexts: insults of a group and complaints about insults look the same. "
    "The list of profanity decides much, and one odd word moves the scale.",
    items="The identities of `sos`, from the paper; lists of profanity from elsewhere. Nobody "
    "validated either for this use.",
    reuse="Rebuilt: the stored figures rest on other identities and lists.",
    contamination="Lists of single words have no answer that could be learnt.",
    statistics="Intervals are for other identities; the list and the ends of the scale are held fixed. "
    "Means of two models are not comparable, gaps are only roughly.",
    errors="The records have each identity's raw cosine, so that an odd word is seen.",
    argument="The paper compares it with what groups report of hate online, and with classifiers of "
    "hate that use these vectors. Vectors of today's models are not static.",
)
