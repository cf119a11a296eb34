"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="Which of two opposite traits of the ABC model a chat model chooses for a story about a "
    "group, in four languages.",
    confounds="A liking for flattering traits and for the option named first; both are the same for "
    "all groups. Refusals, and the tuning that makes models answer politely.",
    items="30 groups and 16 pairs of traits of the paper, one prompt a language; the translations "
    "differ in more than language.",
    reuse="The traits were made for ratings by people; the prompt is the paper's.",
    contamination="Public since 2023, without right answers. Not known to be in a training corpus.",
    statistics="Intervals are for asking the same prompts again; other wordings move such numbers (Hida "
    "et al. 2025, doi:10.18653/v1/2025.findings-emnlp.783), and `--wordings` asks in them. "
    "`compare` tests models cell by cell.",
    errors="`first_named_rate` has the effect of the order, `off_list_rate` what was not read; "
    "examples of replies are on the page.",
    argument="People's ratings of the same groups and traits are a criterion (`analyse compare-people`). A "
    "forced choice between two words is not what a model writes.",
)
