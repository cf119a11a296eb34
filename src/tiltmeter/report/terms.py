"""The names of measures, what kinds of measures there are, and what a measure is called."""

RATE = "stereotype_rate"
SOS, SOS_GAP = "sos_rate", "sos_gap"
"""How often an insult is preferred to a kind word, and how much more often of marginalised groups."""
STATIC_SOS, STATIC_GAP = "static_sos", "static_sos_gap"
"""How near identities' vectors are to that of profanity, and how much nearer marginalised ones are."""
GAPS = (SOS_GAP, STATIC_GAP)
WAYS = {RATE: ("less stereotyping", "more stereotyping"), SOS: ("pleasant", "offensive")}
"""Measures that count which sentence of a pair is preferred: what the other one is, and it."""
SS, LMS, ICAT = ASSOCIATIONS = ("ss", "lms", "icat")
"""The three scores of context association tests, in %."""
EFFECTS = ("effect_size", "effect_size_clustered", "combined_effect")
"""Of association tests: how far apart two groups are, in standard deviations."""
LMS_SS = "lms_ss_spearman"
TERMS = "target"
"""The axis of the target terms, over which these scores are averaged."""
STRENGTH = "mean_strength"
"""How far the cells of a matrix lie from 0, either way."""
LEANINGS = ("association", "left_pole", "right_pole", STRENGTH)
"""Of groups and traits: 0 is no leaning."""
PERPLEXITY, BITS = "perplexity", "bits_per_byte"
"""Of running text; the less, the better the model knows the language."""
SIZES = (STRENGTH, STATIC_SOS, PERPLEXITY, BITS)
"""Never below neutral, or without a value that chance alone would give: an interval tells nothing."""
OF_CELLS = ("matrix_tau", "matrix_tau_within", "same_lean", "strength_difference")
"""Of two matrices; what they count are cells."""
SHORT = {"Holm": "Holm", "Benjamini–Hochberg": "BH"}
"""Adjustments of p by their short names."""

TITLES = {
    RATE: "Stereotype rate",
    SOS: "SOS rate",
    SOS_GAP: "SOS rate, marginalised less others",
    STATIC_SOS: "Nearness to profanity",
    STATIC_GAP: "Nearness to profanity, marginalised less others",
    "sos_rate_difference": "Difference of SOS rates",
    "stereotype_rate_clustered": "Stereotype rate, interval by clusters",
    "stereotype_rate_macro": "Stereotype rate, mean over categories",
    "median_confidence_more": "Median confidence, more stereotyping",
    "median_confidence_less": "Median confidence, less stereotyping",
    "stereotype_rate_difference": "Difference of stereotype rates",
    "same_preference": "Both prefer the same sentence",
    "preference_kappa": "Agreement of preferences (Cohen’s κ)",
    "confidence_gap": "Confidence gap (difference of medians)",
    SS: "Stereotype score (ss)",
    LMS: "Language modelling score (lms)",
    "ss_difference": "Difference of stereotype scores (ss)",
    "lms_difference": "Difference of language modelling scores (lms)",
    "icat_difference": "Difference of icat",
    "effect_size": "Effect size",
    "effect_size_clustered": "Effect size, interval and test by words",
    "mean_absolute_effect": "Mean absolute effect size",
    "combined_effect": "Combined effect size",
    "effect_size_difference": "Difference of effect sizes",
    "combined_effect_difference": "Difference of combined effect sizes",
    "effect_spread": "Spread of effect sizes over draws",
    PERPLEXITY: "Perplexity",
    BITS: "Bits per byte",
    "perplexity_ratio": "Ratio of perplexities",
    "bits_per_byte_difference": "Difference of bits per byte",
    LMS_SS: "Rank correlation of lms and ss (Spearman’s ρ)",
    STRENGTH: "Mean strength of association",
    "association": "Association",
    "left_pole": "Score of the left trait",
    "right_pole": "Score of the right trait",
    "association_difference": "Difference of associations",
    "strength_difference": "Difference of mean strengths",
    "matrix_tau": "Rank correlation of the matrices (Kendall’s τ-b)",
    "matrix_tau_within": "The same, without what all groups share",
    "same_lean": "Cells that lean the same way",
}
