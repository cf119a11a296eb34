"""What a folder of a mitigation is, told in a few lines."""

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from tiltmeter.cli.console import out


def tell(folder: Path, *, as_json: bool) -> None:
    """Print what the folder holds, and how to measure it; or its description."""
    from tiltmeter.models.mitigated import PROMPTED, read

    made = read(folder)
    if as_json:
        typer.echo(json.dumps(made.said, ensure_ascii=False, allow_nan=False, indent=2))
        return
    for line in (_of_prompts if made.method == PROMPTED else _of_directions)(made.said):
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
        lines.append(
            f"They explain {sum(shares):.1%} of the variance between versions of a sentence "
            f"(the first {shares[0]:.1%}); the versions differ in {fitted['rank']:,} directions"
        )
    if "accuracy" in fitted:
        first, *_, last = fitted["accuracy"]
        lines.append(
            f"A linear classifier told which group a held-out sentence names, if any, in {first:.1%} of them "
            f"before, and in {last:.1%} after (saying always the most frequent: {fitted['chance']:.1%})"
        )
    return lines
