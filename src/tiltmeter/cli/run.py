"""run: score models on a study.

What the command needs is imported when it runs: `--help` and shell completion answer at once.
"""

from pathlib import Path
from typing import Annotated, Any

import typer

from tiltmeter.cli import completion
from tiltmeter.cli.arguments import (
    ConventionName,
    DataSource,
    Encoding,
    FailIf,
    Json,
    Jsonl,
    Models,
    NoText,
    Out,
    RuleName,
    Seed,
    Set,
    Skip,
    Split,
    SplitSeed,
    StudyName,
    TiesPolicy,
)
from tiltmeter.cli.ray_options import Ray, RayAddress, Workers


def run(  # noqa: PLR0913 the command line's own options
    study: StudyName,
    models: Models,
    *,
    rule: RuleName = None,
    convention: ConventionName = None,
    ties: TiesPolicy = None,
    data: DataSource = None,
    split: Split = None,
    split_seed: SplitSeed = 0,
    encoding: Encoding = "",
    set_: Set = None,
    out_folder: Out = Path("runs"),
    as_json: Json = False,
    jsonl: Jsonl = False,
    seed: Seed = 0,
    skip_invalid: Skip = False,
    fail_if: FailIf = None,
    no_text: NoText = False,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, cuda:1, mps.")] = "auto",
    precision: Annotated[
        str,
        typer.Option(
            help="float32, bfloat16, float16, or auto: quick first.",
            autocompletion=completion.words("float32", "bfloat16", "float16", "auto"),
        ),
    ] = "float32",
    batch_tokens: Annotated[
        int | None, typer.Option(min=1, help="Tokens in one forward pass; bounds the memory.")
    ] = None,
    revision: Annotated[str | None, typer.Option(help="Of a hub id.")] = None,
    start_token: Annotated[
        str | None, typer.Option(help="What a causal model reads before the text.")
    ] = None,
    trust_remote_code: Annotated[
        bool, typer.Option("--trust-remote-code", help="Run code that comes with the model.")
    ] = False,
    allow_pickle: Annotated[
        bool, typer.Option("--allow-pickle", help="Load weights that are not safetensors.")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask again what is stored.")] = False,
    ray: Ray = False,
    ray_address: RayAddress = None,
    workers: Workers = None,
) -> None:
    """Score models on a study: a table here, and a folder with records, estimates and a page."""
    from dataclasses import replace

    from tiltmeter.cli import thresholds
    from tiltmeter.cli.publish import load, publish, settings_given, study_of, ties_of, warn
    from tiltmeter.cli.ray_options import opener
    from tiltmeter.cli.run_plan import Settings, plan, scored
    from tiltmeter.core.errors import BadInput
    from tiltmeter.data import places
    from tiltmeter.models._open import Options
    from tiltmeter.run.choosing import settings_of
    from tiltmeter.run.folder import prepare
    from tiltmeter.run.store import STORE
    from tiltmeter.run.store_thread import StoreThread

    found = study_of(study)
    limits = thresholds.parse(fail_if or [], found)
    options = Options(
        device=device,
        precision=precision,
        batch_tokens=batch_tokens,
        revision=revision,
        trust_remote_code=trust_remote_code,
        allow_pickle=allow_pickle,
        start_token=start_token,
    )
    how: dict[str, Any] = {"rule": rule, "convention": convention, "ties": ties_of(ties)}
    how["settings"] = settings_of(found, settings_given(set_), convention)
    planned = [plan(found, name, options, how) for name in dict.fromkeys(models)]
    if split is not None and any(p.is_fitted for p in planned):
        raise BadInput(
            "an ensemble without weights is fitted on the development terms and reported on the test "
            "terms, so there is nothing to --split",
            "leave out --split, or give the weights: ensemble:A=0.4+B=0.6",
        )
    prepare(out_folder)
    items = load(
        found, data, skip_invalid=skip_invalid, encoding=encoding, part=split, split_seed=split_seed,
        settings=how["settings"],
    )  # fmt: skip
    names = [where.name for p in planned for where, _ in p.parts]
    settings = Settings(
        found, items, options, seed=seed, split_seed=split_seed, skip_invalid=skip_invalid,
        fresh=fresh, twice={name for name in names if names.count(name) > 1},
    )  # fmt: skip
    gpus = device not in {"cpu", "mps"}
    with (
        opener(ray=ray, address=ray_address, workers=workers, gpus=gpus) as opens,
        StoreThread(places.cache() / STORE, warn) as store,
    ):
        settings = replace(settings, models=opens)
        results = [scored(plan, settings, store) for plan in planned]
    publish(
        found, results, out_folder, as_json=as_json, jsonl=jsonl, seed=seed, show_text=not no_text
    )
    thresholds.enforce(limits, results)
