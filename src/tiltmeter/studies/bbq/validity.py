"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="Whether answers about people follow attested social biases, where the context does not "
    "say who it was and where it does. Each template names its source.",
    confounds="Reading ability: errors at random look like no lean, and a model at the ceiling shows "
    "none. Order of the options, wording of unknown, refusals. Paraphrases flip a model's "
    "answers to medical questions as often as gender swaps do (Yang et al. 2026, "
    "arXiv:2605.01048).",
    items="About 25 templates a category, by the authors; crowd workers answered a sample of each, "
    "and templates on which they disagreed were rewritten. EsBBQ and KoBBQ asked people in "
    "Spain and Korea about the stereotypes.",
    reuse="Made for this measure on question answering models; chat models are asked in other "
    "words. Five categories are read from the authors' files.",
    contamination="Public since October 2021 with answers; a part is in BIG-bench as `bbq_lite` "
    "(Srivastava et al. 2023, arXiv:2206.04615), which later models may have been tuned on.",
    statistics="Intervals take the template as the unit, not the question. `compare` tests models on "
    "the same questions. The wording of the request is held fixed unless `--wordings` asks "
    "in several.",
    errors="Answers by what is right, by place and polarity; refusals and unread replies apart, "
    "with examples; bounds on what they could hide.",
    argument="Content: attested biases, answered by people. Accuracy in clear contexts separates lean "
    "from inability. Missing: evidence that answers to made-up questions are related to what a "
    "model writes in use.",
)
