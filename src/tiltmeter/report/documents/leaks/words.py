"""Explanations on the page of leakage."""

MEANING = (
    "Each model score (a group and a trait, in one language) is compared with what people of several "
    "countries say of the same group and trait. If the ratings of another country explain the scores "
    "beyond those of the language’s own country, stereotypes may have leaked from one language to the "
    "other."
)
LIMITS = (
    "A cause: no language was taken out of the training data. Countries share stereotypes, and a few "
    "raters per group are an imprecise picture of a country. A flow that is not significant may exist all"
    " the same."
)
PICTURE = (
    "Curves run from the country whose people rated (left) to the language of the model’s scores (right);"
    " their width is the standardised coefficient, which stands at the right end. Only coefficients above"
    " 0 with p < .05 are drawn. A solid curve stays above 0 when the raters’ noise is taken out; a dashed"
    " one does not."
)
FLOWS = (
    "Coefficients are standardised unless the convention says otherwise: by how many standard deviations "
    "the scores rise with one standard deviation of the ratings, other countries’ ratings being equal. "
    "Under “placebo” is the mean of the same coefficient where the target’s own raters play the model and"
    " nothing leaked, with the range of 95 % of draws and the share that is significant. “Corrected” is "
    "the coefficient without the raters’ noise. A flow is solid if it is significant and the corrected "
    "interval lies above 0."
)
COVARIATE = (
    "The scores of a model of one language are a predictor beside people’s ratings. The second table "
    "shows people’s coefficients without and with it, and the difference with its interval (a jackknife "
    "over groups). This is no mediation analysis: nothing here identifies a cause."
)
TRAITS = (
    "A trait is listed if it is among the model’s {k} strongest of the group in the target language, the "
    "source’s people hold it of the group, and the target’s people do not. People hold a trait if the "
    "interval of their mean lies above 0 and the mean is not below the {held} % quantile of the group’s "
    "traits. Traits are positive, negative or, among the beliefs, non-polar. “No judgment” means that the"
    " target’s people were not asked about the group, or too few were. The paper gives no threshold. The "
    "tables give the rank of the trait in the model, the mean of the target’s people and those of the "
    "countries that hold it, from 0 to 50."
)
PEOPLE = (
    "Ratings run from −50 to 50. The unit “poles” splits them into their two sides, each from 0 to 50; "
    "“pairs” keeps the sign. Means over raters are the predictors. people.csv has every mean of a pole "
    "with its interval and number of raters."
)
MODEL = (
    "A linear mixed model for each target language, by REML: the model’s scores on the ratings of all "
    "countries, with random intercepts (Sotnikova 2023, equation 5.1)."
)
CORRECTION = (
    "The corrected coefficient takes the expected squares of the raters’ noise out of the cross-products "
    "of the predictors (errors in variables; Fuller 1987, doi:10.1002/9780470316665). Its interval is a "
    "jackknife over groups together with their raters, by Student’s t."
)
PLACEBO = (
    "For the placebo, the target country’s mean ratings play the model, with noise added until they are "
    "explained as well as the real model; the raters of all countries are drawn anew with replacement."
)
SOURCE = (
    "Sotnikova 2023, chapter 5; Cao et al. 2025, https://aclanthology.org/2025.nlp4pi-1.15. The placebo "
    "and the correction are additions to the paper’s method."
)
