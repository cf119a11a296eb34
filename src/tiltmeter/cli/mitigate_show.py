"""What a folder of a mitigation is, told in a few lines."""

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from tiltmeter.cli.console import out
from tiltmeter.core.errors import BadInput


def tell(folder: Path, *, as_json: bool) -> None:
    """Print what the folder holds, and how to measure it; or its description."""
    from tiltmeter.models.mitigated import DESCRIPTION, PROMPTED, read

    made = read(folder)
    if made.method != PROMPTED:
        made.projection()  # whole, or it is told here and not when a study runs
    if as_json:
        typer.echo(json.dumps(made.said, ensure_ascii=False, allow_nan=False, indent=2))
        return
    try:
        lines = (_of_prompts if made.method == PROMPTED else _of_directions)(made.said)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise BadInput(
            f"it is not the whole description of a mitigation ({type(error).__name__}: {error})",
            "make it again",
            file=str(folder / DESCRIPTION),
        ) from error
    for line in lines:
        out.print(line, markup=False, soft_wrap=True)
    both = shlex.join([made.model, f"mitigated:{folder}"])
    typer.echo(f"Measure it: tiltmeter run STUDY {both}")


def _of_prompts(said: Mapping[str, Any]) -> list[str]:
    prompts = said["prompts"]
    several = f"{len(prompts)} prompts" if len(prompts) > 1 else "a prompt"
    room = said["fitted"]["longest prompt"]
    what = (
        f"{said['method']} for {said['attribute']}: what {several} before the text would make likelier is "
        f"made less likely (decay {said['decay']:g}, epsilon {said['epsilon']:g})"
    )
    cost = (
        f"Each question is asked {len(prompts) + 1} times, and a text may have {room:,} tokens less than "
        "the model reads by itself"
    )
    return [what, *(f"  {text.rstrip()}" for text in prompts), cost]


def _of_directions(said: Mapping[str, Any]) -> list[str]:
    fitted, corpus = said["fitted"], said["corpus"]
    k = fitted["k"]
    where = "as the states leave the encoder" if said["point"] == "last" else "behind every layer"
    counts = ", ".join(f"{group} ({count:,})" for group, count in said["groups"].items())
    size = f"{k} {'direction' if k == 1 else 'directions'} of {said['model']['hidden size']:,}"
    lines = [
        f"{said['method']} for {said['attribute']}: {size}, taken out {where}",
        f"Fitted on {fitted['sentences']:,} sentences of {corpus['name']} that name {counts}",
    ]
    if "explained variance" in fitted:
        shares = fitted["explained variance"]
        first = f" (the first {_percent(shares[0])})" if k > 1 else ""
        lines.append(
            f"{'It explains' if k == 1 else 'They explain'} {_percent(sum(shares))} of the variance between "
            f"versions of a sentence{first}; the versions differ in {fitted['rank']:,} directions"
        )
    if "accuracy" in fitted:
        first, *_, last = fitted["accuracy"]
        lines.append(
            "A linear classifier told which group a held-out sentence names, if any, in "
            f"{_percent(first)} of them before, and in {_percent(last)} after (saying always the most "
            f"frequent: {_percent(fitted['chance'])})"
        )
    return lines


def _percent(share: float) -> str:
    return f"{share:.1%}".replace("%", " %")
