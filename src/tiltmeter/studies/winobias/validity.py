"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="A preference for the pronoun of the gender that holds most jobs of an occupation in the "
    "United States: agreement with labour statistics, which the paper calls stereotypical.",
    confounds="How common each pronoun is, which cancels out between the genders only on average, and "
    "the other person of the sentence. In 62 of 1,584 pairs another word differs as well.",
    items="Written by the authors, about 40 occupations and two genders; we know of no check by "
    "others.",
    reuse="Reused: made for coreference systems. Here sentences are compared by likelihood, and "
    "nothing is resolved.",
    contamination="Public since 2018. WinoMT, which contains its sentences, makes up several tasks of "
    "Super-NaturalInstructions (Wang et al. 2022, doi:10.18653/v1/2022.emnlp-main.340). We "
    "know of no search of pretraining corpora.",
    statistics="Interval and exact test are for other pairs of the same kind, and once more for whole "
    "pairs of occupations where pairs share one. `compare` tests models on the same pairs.",
    errors="The page lists the pairs with the strongest preference on either side, and splits the "
    "rate by the checks of form. `--valid FILE` splits it by people's verdicts. Read both "
    "genders and both types.",
    argument="Convergence: over six masked models it goes with GEST (r = .95 to .98), which rests on "
    "other sentences but on a similar rule. Missing: evidence about behaviour in use.",
)
