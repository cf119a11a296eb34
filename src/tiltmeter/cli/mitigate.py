"""mitigate fit, prompt, train, apply, export, show: mitigate bias in a model."""

from pathlib import Path
from typing import Annotated

import typer

from tiltmeter.cli import completion
from tiltmeter.cli.arguments import Corpus, Json, data_file, plain_name
from tiltmeter.cli.console import err, out, print_path
from tiltmeter.cli.mitigate_show import show_mitigation
from tiltmeter.models.opening.model_options import AllowPickle, Device, Revision

Folder = Annotated[
    Path, typer.Argument(help="A folder made by `mitigate fit` or `mitigate prompt`.")
]
NewFolder = Annotated[Path, typer.Option("--out", help="The new folder.")]


def fit(  # noqa: PLR0913 the command line's own options
    method: Annotated[
        str,
        typer.Argument(
            help="sentence_debias or inlp.",
            autocompletion=completion.words("sentence_debias", "inlp"),
        ),
    ],
    model: Annotated[
        str,
        typer.Argument(
            help="A folder, a hub id or a registered name.", autocompletion=completion.models
        ),
    ],
    *,
    attribute: Annotated[
        str, typer.Option(help="gender, race, religion, profanity, or a table of your --words.")
    ],
    corpus: Corpus,
    out_folder: Annotated[
        Path | None,
        typer.Option("--out", help="The new folder (default: mitigations/MODEL-METHOD-ATTRIBUTE)."),
    ] = None,
    words: Annotated[
        Path | None,
        typer.Option(
            help="A TOML file of defining words (default: the packaged ones).",
            parser=data_file,
            metavar="FILE",
        ),
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="sentence_debias: number of directions.")] = 1,
    rounds: Annotated[int, typer.Option(min=1, help="inlp: maximum number of classifiers.")] = 80,
    sentences: Annotated[
        int, typer.Option(min=1, help="Maximum number of sentences from the corpus.")
    ] = 5_000,
    pooling: Annotated[
        str, typer.Option(help="How a sentence is represented: mean, start, last or word.")
    ] = "mean",
    point: Annotated[
        str, typer.Option(help="Where directions are removed: last, or every layer.")
    ] = "last",
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    device: Device = "auto",
    encoding: Annotated[str, typer.Option(help="Encoding of the corpus (default UTF-8).")] = "",
    revision: Revision = None,
    allow_pickle: AllowPickle = False,
    as_json: Json = False,
) -> None:
    """Find the directions of a model's states that distinguish groups."""
    from tiltmeter.mitigate.fit import FitConfig, fit

    target = out_folder or Path("mitigations") / f"{plain_name(model)}-{method}-{attribute}"
    config = FitConfig(
        method=method,  # type: ignore[arg-type]  # checked when it is made
        model=model,
        attribute=attribute,
        corpus=str(corpus),
        out=str(target),
        words=str(words or ""),
        k=k,
        rounds=rounds,
        sentences=sentences,
        pooling=pooling,
        point=point,  # type: ignore[arg-type]
        seed=seed,
        device=device,
        encoding=encoding,
        revision=revision,
        allow_pickle=allow_pickle,
    )
    show_mitigation(fit(config, err.print), as_json=as_json)


def apply(
    folder: Folder,
    model: Annotated[
        str, typer.Argument(help="Another model; for directions, with states of the same size.")
    ],
    *,
    out_folder: NewFolder,
    revision: Revision = None,
    as_json: Json = False,
) -> None:
    """Apply a mitigation made for one model to another, such as a fine-tuned one."""
    from tiltmeter.mitigate.transfer import apply
    from tiltmeter.models.opening.model_options import Options

    show_mitigation(apply(folder, model, out_folder, Options(revision=revision)), as_json=as_json)


def export(
    folder: Folder,
    *,
    out_folder: NewFolder,
    device: Device = "auto",
    revision: Revision = None,
    allow_pickle: AllowPickle = False,
) -> None:
    """Write a masked or causal model as a normal checkpoint, with the directions removed."""
    from tiltmeter.mitigate.export import export
    from tiltmeter.models.opening.model_options import Options

    options = Options(device=device, revision=revision, allow_pickle=allow_pickle)
    made = export(folder, out_folder, options)
    out.print(
        "Its predictions are the mitigated model's; its text embeddings are the original model's."
    )
    print_path(made)


def show(folder: Folder, *, as_json: Json = False) -> None:
    """Show a mitigation: its directions and how much they explain, or its prompts."""
    show_mitigation(folder, as_json=as_json)
