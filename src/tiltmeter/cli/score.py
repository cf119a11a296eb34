"""score: what a model makes of single sentences, token by token.

What the command needs is imported when it runs: `--help` and shell completion answer at once.
"""

from pathlib import Path
from typing import Annotated

import typer

from tiltmeter.cli import completion
from tiltmeter.cli.arguments import (
    AllowPickle,
    Device,
    Encoding,
    Json,
    Revision,
    RuleName,
    Seed,
    TrustRemoteCode,
)

WAY_OUT = "Change the sentences, or score each by itself: --rule pll_all, or log_likelihood."


def score(  # noqa: PLR0913 the command line's own options
    model: Annotated[
        str,
        typer.Argument(
            help="A folder, a hub id, a name of `tiltmeter models list`, or KIND:NAME.",
            show_default=False,
            autocompletion=completion.models,
        ),
    ],
    sentences: Annotated[
        list[str] | None,
        typer.Argument(
            help="One sentence or more; two are compared.", show_default=False, metavar="SENTENCE…"
        ),
    ] = None,
    *,
    file: Annotated[
        Path | None, typer.Option(help="Text file of sentences, one a line.", show_default=False)
    ] = None,
    encoding: Encoding = "",
    rule: RuleName = None,
    as_json: Json = False,
    seed: Seed = 0,
    device: Device = "auto",
    precision: Annotated[
        str,
        typer.Option(
            help="float32, bfloat16 or float16.",
            autocompletion=completion.words("float32", "bfloat16", "float16"),
        ),
    ] = "float32",
    revision: Revision = None,
    start_token: Annotated[
        str | None, typer.Option(help="Token that a causal model reads before the text.")
    ] = None,
    trust_remote_code: TrustRemoteCode = False,
    allow_pickle: AllowPickle = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Ignore stored answers and ask the model again.")
    ] = False,
) -> None:
    """Score sentences; of two, show which the model prefers and which tokens make the difference."""
    from tiltmeter.cli.console import out, print_json
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.core.errors import BadInput, BadItems
    from tiltmeter.data.files.plain_text import lines
    from tiltmeter.models.opening.model_options import Options
    from tiltmeter.report.documents.scores import scores_document, scores_value
    from tiltmeter.report.terminal import print_document
    from tiltmeter.run.run_options import RunOptions
    from tiltmeter.run.scored_items import items_of_sentences, score_only

    if sentences and file:
        raise BadInput("there are sentences and a file of sentences", "give one or the other")
    texts = [line.strip() for line in lines(file, encoding)] if file else sentences or []
    texts = [text for text in texts if text] if file else texts
    if len(texts) == 1 and not file and Path(texts[0]).is_file():
        raise BadInput(f"{texts[0]} is a file, not a sentence", "give it with --file")
    study, items = items_of_sentences(texts, rule)
    opening = Options(
        device=device,
        precision=precision,
        revision=revision,
        trust_remote_code=trust_remote_code,
        allow_pickle=allow_pickle,
        start_token=start_token,
    )
    options = RunOptions(rule=rule, data=items, seed=seed, fresh=fresh)
    try:
        scored = score_only(study, model, options, opening, monitor, per_token=True)
    except BadItems as error:
        raise BadItems(error.problems, way_out=WAY_OUT) from error
    if as_json:
        print_json(scores_value(scored))
    else:
        print_document(scores_document(scored), out)
