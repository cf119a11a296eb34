"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="Stereotypes as associations of groups with the traits of the ABC model (agency, "
    "beliefs, communion), which is a theory of social psychology.",
    confounds="How common the group's name and the adjective are; each trait is compared with the "
    "sentence without the group, which removes the second. Templates differ in more than "
    "wording.",
    items="Groups and traits of the paper, 35 templates by its authors. For 26 groups, 133 people "
    "rated the same traits (`analyse compare-people`).",
    reuse="Made for this measure. The lists in four languages were translated by the authors of "
    "the later study.",
    contamination="The lists are public since 2022. Filled sentences are not, and there is no right "
    "answer; people's ratings are public, and may be read.",
    statistics="Intervals and tests are over templates, with adjustment over all cells; groups and "
    "traits are held fixed. `compare` tests models cell by cell.",
    errors="The matrix shows every cell, and its page the templates that disagree.",
    argument="The strongest among the studies here: a theory says which traits, and people's ratings "
    "of the same cells are the criterion (Cao et al. 2022 report the correlation; "
    "`analyse compare-people` computes it, with the noise ceiling).",
)
