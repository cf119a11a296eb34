"""mitigate prompt: self-debias decoding."""

from pathlib import Path
from typing import Annotated

import typer

from tiltmeter.cli import completion
from tiltmeter.cli.arguments import Json, plain_name
from tiltmeter.cli.mitigate_show import show_mitigation
from tiltmeter.models.opening.model_options import AllowPickle, Device, Revision


def prompt(  # noqa: PLR0913 the command line's own options
    model: Annotated[
        str,
        typer.Argument(
            help="A folder, a hub id or a registered name.", autocompletion=completion.models
        ),
    ],
    *,
    attribute: Annotated[
        str, typer.Option(help="Attribute of the published prompts: gender, race, religion, …")
    ],
    prompts: Annotated[
        list[str] | None,
        typer.Option(
            "--prompt", help="Your own prompt instead; can be given several times.", metavar="TEXT"
        ),
    ] = None,
    out_folder: Annotated[
        Path | None,
        typer.Option(
            "--out", help="The new folder (default: mitigations/MODEL-self_debias-ATTRIBUTE)."
        ),
    ] = None,
    decay: Annotated[float, typer.Option(help="How strongly words are down-weighted.")] = 50.0,
    epsilon: Annotated[float, typer.Option(help="The smallest weight a word can get.")] = 0.01,
    device: Device = "auto",
    revision: Revision = None,
    allow_pickle: AllowPickle = False,
    as_json: Json = False,
) -> None:
    """Down-weight words that a bias-eliciting prompt favours: self-debias decoding."""
    from tiltmeter.mitigate.prompt import prompt
    from tiltmeter.models.opening.model_options import Options

    made = prompt(
        model,
        attribute,
        out_folder or Path("mitigations") / f"{plain_name(model)}-self_debias-{attribute}",
        prompts or (),
        decay=decay,
        epsilon=epsilon,
        options=Options(device=device, revision=revision, allow_pickle=allow_pickle),
    )
    show_mitigation(made, as_json=as_json)
