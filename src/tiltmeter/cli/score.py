"""score: what a model makes of single sentences, token by token."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from tiltmeter.cli.arguments import Json, Model
from tiltmeter.cli.option_parameters import only, without
from tiltmeter.core.options import Option
from tiltmeter.models.opening.model_options import Options
from tiltmeter.run.run_options import RunOptions

WAY_OUT = "Change the sentences, or score each by itself: --rule pll_all, or log_likelihood."


def score(
    model: Model,
    sentences: Annotated[
        list[str] | None,
        Option("One sentence or more; two are compared.", metavar="SENTENCE…", argument=True),
    ] = None,
    *,
    file: Annotated[Path | None, Option("Text file of sentences, one a line.")] = None,
    options: Annotated[RunOptions, only("rule", "encoding", "seed", "fresh")],
    opening: Annotated[Options, without("batch_tokens", "at_once", "timeout", "tries")],
    as_json: Json = False,
) -> None:
    """Score sentences; of two, show which the model prefers and which tokens make the difference."""
    from tiltmeter.cli.console import out, print_json
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.core.errors import BadInput, BadItems
    from tiltmeter.data.files.plain_text import lines
    from tiltmeter.report.documents.scores import scores_document, scores_value
    from tiltmeter.report.terminal import print_document
    from tiltmeter.run.scored_items import items_of_sentences, score_only

    if sentences and file:
        raise BadInput("there are sentences and a file of sentences", "give one or the other")
    texts = [line.strip() for line in lines(file, options.encoding)] if file else sentences or []
    texts = [text for text in texts if text] if file else texts
    if len(texts) == 1 and not file and Path(texts[0]).is_file():
        raise BadInput(f"{texts[0]} is a file, not a sentence", "give it with --file")
    study, items = items_of_sentences(texts, options.rule)
    options = replace(options, data=items, encoding="")
    try:
        scored = score_only(study, model, options, opening, monitor, per_token=True)
    except BadItems as error:
        raise BadItems(error.problems, way_out=WAY_OUT) from error
    if as_json:
        print_json(scores_value(scored))
    else:
        print_document(scores_document(scored), out)
