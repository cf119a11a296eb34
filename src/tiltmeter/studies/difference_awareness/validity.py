"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="Treating groups differently where facts or norms ask for it, and only there. The paper "
    "defines it, against fairness as treating everybody the same.",
    confounds="Knowledge of facts in the descriptive questions, and reading ability; refusals. Options "
    "are in a fixed order unless `--set orders=both`.",
    items="Made by the authors from statistics, law and earlier data sets. Norms are the authors' "
    "view; facts are those of the United States in 2010 to 2023.",
    reuse="Partly reused: scenarios from other data sets (occupations, offensive phrases, "
    "culture), turned into questions.",
    contamination="Public since February 2025 with answers. The sources are older, so facts and phrases "
    "may have been read.",
    statistics="Intervals take the scenario as the unit; `compare` tests models on the same questions. "
    "Benchmarks are not averaged.",
    errors="Counts of each answer where groups differ and where they do not; refusals and unread "
    "replies apart, with bounds.",
    argument="Questions without a difference are a control for models that always tell groups apart. "
    "Whether the norms are right is a question for people, not for the data.",
)
