"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="Recognising sexist and racist comments when asked in words, as the paper does. It is "
    "about recognition, not the model's own bias.",
    confounds="The wording, the examples shown, and their order (Hida et al. 2025, "
    "doi:10.18653/v1/2025.findings-emnlp.783); refusals; swear words that stand for hate.",
    items="Sixty comments of each category from ETHOS, labelled by crowd workers; nobody validated "
    "them again. A table of your own is as good as its labels.",
    reuse="Reused: ETHOS was made for classifiers. The paper's copy of it is damaged; ours is not.",
    contamination="Public since 2020 with labels; four tasks of Super-NaturalInstructions are made of it "
    "(Wang et al. 2022, doi:10.18653/v1/2022.emnlp-main.340), so models tuned on that "
    "collection have learnt the labels.",
    statistics="Intervals are for other comments; a second uncertainty is for asking again. The wording "
    "is held fixed unless `--wordings` asks in several.",
    errors="Outcomes by category, setting and example set; examples of replies, refusals and unread "
    "ones.",
    argument="Agreement with annotators' labels; comments from one place say little about hate elsewhere.",
)
