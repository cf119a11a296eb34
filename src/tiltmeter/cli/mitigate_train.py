"""mitigate train: counterfactual data augmentation and dropout; training resumes after a stop."""

from tiltmeter.cli import training
from tiltmeter.cli.arguments import Json
from tiltmeter.cli.console import err, out, print_json
from tiltmeter.cli.mitigate_show import say_how_to_measure
from tiltmeter.mitigate.mitigation_config import RetrainConfig


def train(config: RetrainConfig, *, as_json: Json = False) -> None:
    """Train a model further to mitigate bias: with counterfactual sentences, or more dropout."""
    from tiltmeter.mitigate import retrain
    from tiltmeter.report.documents.mitigation import training_document
    from tiltmeter.report.terminal import print_document
    from tiltmeter.train import continued

    with training.Training("rows of text") as progress:
        made = retrain.train(config, progress, err.print)
    said = continued.result(made)
    if as_json:
        print_json(said)
        return
    print_document(training_document(said), out)
    say_how_to_measure(config.training.model, str(made))
