"""What speaks for and against the study as a measure."""

from tiltmeter.core.validity import Validity

VALIDITY = Validity(
    phenomenon="Counterfactual fairness of a classifier: its answer should not depend on the group that "
    "a harmless text names (Garg et al. 2019).",
    confounds="Swaps that change the sense, tense or rarity of a text. Any edit moves a classifier: "
    "compare with an irrelevant one.",
    items="Eight sentences of ours by default, or texts of other data sets; swaps by short lists. "
    "Doubtful swaps are left out by rule, and nobody read the rest.",
    reuse="Reused: the texts were collected for classification, so that the rest after swapping is "
    "no random sample.",
    contamination="Public sets such as ETHOS and Davidson et al. are in instruction data; swapped texts "
    "are new, the originals may not be.",
    statistics="Intervals are for other texts; groups and lists are held fixed. `compare` tests "
    "classifiers on the same swaps.",
    errors="Swapped texts with the largest changes, and those that were left out, with the reason.",
    argument="The quantity is the definition. Whether a change is unfair depends on the text: read "
    "those of harmless texts.",
)
