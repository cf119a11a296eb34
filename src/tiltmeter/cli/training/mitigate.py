"""mitigate fit, prompt, train, apply, export, show: mitigate bias in a model."""

import shlex
from pathlib import Path
from typing import Annotated

from tiltmeter.cli.arguments import Json
from tiltmeter.cli.console import err, out, print_json, print_path
from tiltmeter.cli.machinery.option_parameters import only
from tiltmeter.cli.training.train import Training
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.options import Option
from tiltmeter.mitigate.mitigation_config import FitConfig, PromptConfig, RetrainConfig
from tiltmeter.models.opening.model_options import Options

Folder = Annotated[
    Path, Option("A folder made by `mitigate fit` or `mitigate prompt`.", argument=True)
]
NewFolder = Annotated[Path, Option("The new folder.", name="out")]


def fit(config: FitConfig, *, as_json: Json = False) -> None:
    """Find the directions of a model's states that distinguish groups."""
    from tiltmeter.mitigate.fit import fit

    show_mitigation(fit(config, err.print), as_json=as_json)


def apply(
    folder: Folder,
    model: Annotated[
        str, Option("Another model; for directions, with states of the same size.", argument=True)
    ],
    *,
    out_folder: NewFolder,
    opening: Annotated[Options, only("revision")],
    as_json: Json = False,
) -> None:
    """Apply a mitigation made for one model to another, such as a fine-tuned one."""
    from tiltmeter.mitigate.transfer import apply

    show_mitigation(apply(folder, model, out_folder, opening), as_json=as_json)


def export(
    folder: Folder,
    *,
    out_folder: NewFolder,
    opening: Annotated[Options, only("device", "revision", "allow_pickle")],
) -> None:
    """Write a masked or causal model as a normal checkpoint, with the directions removed."""
    from tiltmeter.mitigate.export import export

    made = export(folder, out_folder, opening)
    out.print(
        "Its predictions are the mitigated model's; its text embeddings are the original model's."
    )
    print_path(made)


def show(folder: Folder, *, as_json: Json = False) -> None:
    """Show a mitigation: its directions and how much they explain, or its prompts."""
    show_mitigation(folder, as_json=as_json)


def prompt(
    config: PromptConfig,
    *,
    opening: Annotated[Options, only("device", "revision", "allow_pickle")],
    as_json: Json = False,
) -> None:
    """Down-weight words that a bias-eliciting prompt favours: self-debias decoding."""
    from tiltmeter.mitigate.prompt import prompt

    show_mitigation(prompt(config, opening), as_json=as_json)


def train(config: RetrainConfig, *, as_json: Json = False) -> None:
    """Train a model further to mitigate bias: with counterfactual sentences, or more dropout."""
    from tiltmeter.mitigate import retrain
    from tiltmeter.report.documents.mitigation import training_document
    from tiltmeter.report.terminal import print_document
    from tiltmeter.train import continued

    with Training("rows of text") as progress:
        made = retrain.train(config, progress, err.print)
    description = continued.result(made)
    if as_json:
        print_json(description)
        return
    print_document(training_document(description), out)
    say_how_to_measure(config.training.model, str(made))


def show_mitigation(folder: Path, *, as_json: bool) -> None:
    """Print what the folder holds and the command that measures it; or its description."""
    from tiltmeter.models.mitigated import DESCRIPTION, PROMPTED, read
    from tiltmeter.report.documents.mitigation import directions_document, prompts_document
    from tiltmeter.report.terminal import print_document

    made = read(folder)
    if made.method != PROMPTED:
        made.projection()  # damage is reported here and not only when a study runs
    if as_json:
        print_json(made.description)
        return
    build = prompts_document if made.method == PROMPTED else directions_document
    try:
        document = build(made.description)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise BadInput(
            f"its description of a mitigation is incomplete ({type(error).__name__}: {error})",
            "create it again",
            file=str(folder / DESCRIPTION),
        ) from error
    print_document(document, out)
    say_how_to_measure(made.model, f"mitigated:{folder}")


def say_how_to_measure(model: str, mitigated: str) -> None:
    """The command that runs a study on the model and on what was made of it."""
    command = shlex.join(["tiltmeter", "run", "STUDY", model, mitigated])
    out.print(f"Measure it: {command}", soft_wrap=True)
