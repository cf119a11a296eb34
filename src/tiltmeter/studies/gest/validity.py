"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="Gender stereotypes about speakers: 16 that the authors chose with experts on gender, "
    "each defined in the guidelines for the writers.",
    confounds="How common “he said” is, which cancels out in `g_s` and in ranks; and truth: a sentence "
    "may be said more often by one gender in the training data.",
    items="Five people wrote the sentences after guidelines; a first annotator judged each without "
    "the stereotype and with it, a second decided. The verdicts are public.",
    reuse="Made for this measure and for machine translation into languages that mark the "
    "speaker's gender, by Slovak writers.",
    contamination="Public since November 2023, on GitHub and the hub. Models trained later may have read "
    "it; there is no right answer in it. We know of no search of corpora.",
    statistics="Intervals are over sentences within each stereotype; stereotypes are held fixed. Four "
    "templates are too few for an interval over templates: `g_s_over_templates` says between "
    "which values it lies.",
    errors="Rates by stereotype and template, ranks with ranges, and the sentences with the "
    "strongest preferences.",
    argument="Content: experts, guidelines, two annotators. Convergence: over six masked models it "
    "correlates with WinoBias (r = .95 to .98). Missing: evidence about behaviour in use.",
)
