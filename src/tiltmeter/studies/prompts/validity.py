"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="What the author of the prompt set asks about; the file does not define it.",
    confounds="The wording, the order of options and examples (Hida et al. 2025, "
    "doi:10.18653/v1/2025.findings-emnlp.783); refusals and replies that were not read.",
    items="Those of the file. The packaged `starter_prompts` are sixteen sentences of ours that "
    "nobody validated.",
    reuse="Depends on the file.",
    contamination="Depends on the file: texts that were never public cannot have been read in training.",
    statistics="Intervals are for other texts of the same kind. Several settings compare wordings on "
    "the same texts.",
    errors="Outcomes by setting and category; examples of replies, refusals and unread ones.",
    argument="None comes with the study: when you report, say why your texts and labels represent the "
    "phenomenon.",
)
