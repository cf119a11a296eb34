"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="Hurtful or negative text about groups, as a named judge flags it. Each judge is another "
    "definition.",
    confounds="The judge's errors, which differ between groups; topics of the prompts (politics, "
    "wars); words that are hurtful in one sense only.",
    items="HONEST: templates by its authors, with words for groups, translated. BOLD: beginnings "
    "of Wikipedia sentences, chosen automatically. People have not validated the prompts; a "
    "sample of the completions can be judged.",
    reuse="BOLD reuses Wikipedia. HONEST was made for masked models; here models write.",
    contamination="Public since 2021. BOLD's sentences are in Wikipedia and so in most training data: a "
    "model may recite how they went on.",
    statistics="Intervals are for other templates or pages. Only `corrected_share`, from a sample that "
    "people judged, is about people's verdicts.",
    errors="Words that drive the score, completions with their verdicts, agreement of the judge "
    "with people by group.",
    argument="What is judged is text that a model writes. The link to harm is the judge: without "
    "people's sample there is no evidence for it.",
)
