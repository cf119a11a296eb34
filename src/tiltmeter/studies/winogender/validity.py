"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="How far a model's preference for a pronoun follows the share of women in an occupation, "
    "by United States labour statistics.",
    confounds="How common each pronoun is, and the construction of the sentence: clauses and synonyms "
    "without meaning for gender change the score (Selvam et al. 2023, "
    "doi:10.18653/v1/2023.acl-short.118).",
    items="120 templates by the authors; crowd workers resolved the pronouns as meant. Which "
    "sentence is the more stereotyping one is decided here, from the authors' table.",
    reuse="Reused: made for coreference systems, with no order between the two sentences.",
    contamination="Public since 2018, and in SuperGLUE as a diagnostic since 2019. WinoMT, which contains "
    "its sentences, makes up several tasks of Super-NaturalInstructions (Wang et al. 2022, "
    "doi:10.18653/v1/2022.emnlp-main.340).",
    statistics="Interval and exact test are for other pairs of the same kind, and once more for whole "
    "templates where pairs share one. `compare` tests models on the same pairs. The "
    "construction is held fixed unless `--set construction=all` asks in several.",
    errors="The page lists the pairs with the strongest preference on either side, and splits the "
    "rate by the checks of form. `--valid FILE` splits it by people's verdicts. Half of the "
    "pairs have a pronoun that refers to someone else than the occupation: read the axis `answer`.",
    argument="Shares are facts about a labour market, so the number is about agreement with facts and "
    "not about stereotypes. The half about the other person is a control: a preference there "
    "is not knowledge.",
)
