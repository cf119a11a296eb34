"""Ridge regression from frozen vectors to the entropy of the votes."""

from tiltmeter.active.entropy_predictor import fit_entropy
from tiltmeter.active.human_entropy import EntropyVotes, HumanEntropy, TrainsEntropy
from tiltmeter.active.predictor import RunItems


def ridge_entropy(items: RunItems, given: EntropyVotes, votes: int) -> HumanEntropy:
    """The entropies of so many votes that the regression predicts of a run's items."""
    fitted = fit_entropy(items.features[given.items], given.counts, votes)
    training, held_out = fitted(items.features), fitted(items.held_out_features)
    return HumanEntropy(training, held_out, fitted.votes, fitted.mean)


ENTROPY_PREDICTOR: TrainsEntropy = ridge_entropy
