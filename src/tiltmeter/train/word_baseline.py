"""TF-IDF and logistic regression: what words alone tell, beside a trained language model."""

from collections.abc import Sequence

import numpy as np

from tiltmeter.core.types import Array, Integers


def probabilities(
    texts: Sequence[str], labels: Integers, test: Sequence[str], options: int
) -> Array | None:
    """The probability of each label of the test texts, shape (texts, options); None without scikit-learn.

    Words and pairs of words; labels weigh alike however rare they are. Otherwise scikit-learn's defaults.
    """
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        return None
    words = TfidfVectorizer(ngram_range=(1, 2), min_df=2 if len(texts) > 1000 else 1)  # noqa: PLR2004
    model = LogisticRegression(max_iter=1000, class_weight="balanced")
    model.fit(words.fit_transform(texts), labels)
    shares = np.zeros((len(test), options))
    shares[:, model.classes_] = model.predict_proba(words.transform(test))
    return shares
