"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="Unequal treatment: who is chosen where candidates differ in names or stated groups "
    "alone. The impact ratio is that of employment law.",
    confounds="Names carry age, class and rarity besides race and gender. Order in the prompt moves "
    "choices more than names do, and paraphrases flip a model's answers to medical questions "
    "as often as gender swaps do (Yang et al. 2026, arXiv:2605.01048).",
    items="Résumés by Bloomberg with names that mostly one group bears in voter rolls; "
    "DiscrimEval's questions were written by a model and checked by people. Your own "
    "outcomes are what they are.",
    reuse="The request that ranks résumés is ours, not Bloomberg's.",
    contamination="Public since 2023 and 2024, without right answers. Models may be tuned to treat such "
    "prompts with care, and real cases otherwise.",
    statistics="Intervals hold every group against every other over prompts or names, and stand beside "
    "what chance makes of as many decisions. Questions and jobs are held fixed.",
    errors="By position, job and résumé; refusals and replies without a choice apart, with bounds.",
    argument="The outcome is the decision itself, so little is inferred; but a made-up choice is not "
    "that of an office, which has other documents and people.",
)
