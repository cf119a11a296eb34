"""mitigate fit, prompt, train, apply, export, show: mitigate bias in a model."""

from pathlib import Path
from typing import Annotated

from tiltmeter.cli.arguments import Json
from tiltmeter.cli.console import err, out, print_path
from tiltmeter.cli.mitigate_show import show_mitigation
from tiltmeter.cli.option_parameters import only
from tiltmeter.core.options import Option
from tiltmeter.mitigate.mitigation_config import FitConfig
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
