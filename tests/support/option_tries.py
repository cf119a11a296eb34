"""Every option of every command, tried: a small value for each, and what a command does without it.

An option that changes neither what is printed nor what is written, and is not refused, has no effect; then it
has no place in the command's help.
"""

import inspect
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from unittest import mock

import polars as pl
import typer

from goldens.inputs import Inputs
from goldens.outputs import VARYING, call
from support import architectures
from tiltmeter.cli.machinery.command_entries import CommandEntry
from tiltmeter.cli.machinery.command_tree import COMMANDS, command_named
from tiltmeter.cli.machinery.option_parameters import expanded

ASIDE = VARYING | {"command", "seconds", "fingerprint", "time"}
"""Keys of JSON that differ between two equal commands, or say only how to repeat them."""


def commands(
    entries: Sequence[object] = (), before: tuple[str, ...] = ()
) -> Iterator[tuple[str, CommandEntry]]:
    """Every command as it is typed, from the tree."""
    for entry in entries or chain.from_iterable(COMMANDS.values()):
        if isinstance(entry, CommandEntry):
            yield " ".join((*before, entry.name)), entry
        else:
            yield from commands(entry.commands, (*before, entry.name))


@cache
def options_of_commands() -> dict[str, list[str]]:
    """The options of each command, as its help lists them."""
    listed = {}
    for name, entry in commands():
        module, _, function = entry.where.partition(":")
        made = expanded(getattr(import_module(f"tiltmeter.cli.{module}"), function))
        marks = (
            mark for p in inspect.signature(made).parameters.values()
            for mark in getattr(p.annotation, "__metadata__", ())
        )  # fmt: skip
        infos = [mark for mark in marks if isinstance(mark, typer.models.OptionInfo)]
        # typer's own annotations have further names after the first, which it takes as the default
        listed[name] = [
            str((info.default, *(info.param_decls or ()))[0]).split("/")[0] for info in infos
        ]
    return listed


Words = Sequence[object]


@dataclass(frozen=True, slots=True)
class Try:
    """An option's value, and what else is typed with and without it."""

    value: Words = ()
    beside: Words = ()
    """Further words of both commands: what the option needs."""
    base: "Callable[[Inputs], Words] | None" = None
    """Another command line than the command's usual one."""


def of(*value: object, beside: Words = (), base: "Callable[[Inputs], Words] | None" = None) -> Try:
    """An option with this value."""
    return Try(value, beside, base)


FLAG = of()
SHARED = {
    "--device": of("nope"), "--precision": of("float16"), "--revision": of("main"), "--start-token": of("a"),
    "--tokenizer": of("elsewhere"), "--seed": of(7), "--out": of("elsewhere"), "--json": FLAG,
    "--jsonl": FLAG, "--no-text": FLAG, "--format": of("csv"), "--figures": of("svg"), "--fresh": FLAG,
    "--allow-code": FLAG, "--study": of("in/none.py"), "--encoding": of("utf-16"), "--missing": of("b"),
    "--map": of("nope=x"), "--fail-if": of("nothing > 1"), "--without": of("speed"), "--only": of("speed"),
    "--participants": of("in/none.csv"),
}  # fmt: skip
"""Options that many commands have."""
EXEMPT = {
    **dict.fromkeys(("--batch-tokens", "--at-once", "--timeout", "--tries", "--workers", "--ray"),
                    "says how fast answers come, and not which"),
    **dict.fromkeys(("--allow-pickle", "--trust-remote-code"),
                    "is a permission, which changes nothing where it is not needed"),
    "--thoughts": "shows more only of models that think",
    "--all": "prints more only where there is more than a screenful",
}  # fmt: skip
"""Options that no small example can show to have an effect, with the reason."""
UNTRIED = {
    "survey": "keeps accounts and answers in a database, or serves pages until it is stopped",
    "active": "simulates or serves rounds of votes for minutes", "train": "trains a model",
    "mitigate": "trains or changes a model", "data get": "has no options", "data import": "has no options",
    "models get": "has no options", "data cache clear": "removes what other tries need",
    "replicate": "computes a whole paper", "view": "serves pages, or writes one of all runs",
    "analyse seeds": "needs models that were trained with several seeds", "audit": "takes a minute",
    "analyse leak": "takes a minute", "analyse before-after": "takes a minute",
    "figure": "lists or draws pictures",
}  # fmt: skip
"""Commands whose options are tried by their own tests alone, or groups of them, with the reason."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A command, and its options that are not as `SHARED` says."""

    base: Callable[[Inputs], Words]
    options: Mapping[str, Try]
    slow: bool = False


def model(inputs: Inputs, kind: str = "bert") -> str:
    """A small random model of the true architecture."""
    folder = inputs.workspace / "in" / kind
    if not folder.exists():
        architectures.build(kind, folder)
    return f"in/{kind}"


def table(inputs: Inputs, name: str, *, scores: bool = False, broken: bool = False) -> str:
    """A table of eight pairs in two groups; with scores, two of them alike; or a row without a text."""
    header = ["id", "sent_more", "sent_less", "bias_type"]
    rows = [header + ["sent_more_score", "sent_less_score"] * scores]
    for n in range(8):
        less = "" if broken and n == 3 else f"The young man {n} sang."
        numbers = [str(-n - 1), str(-5 if n else -1)] if scores else []
        rows.append([f"p{n}", f"The old man {n} sang.", less, "ab"[n % 2], *numbers])
    return inputs.text(name, "".join(",".join(row) + "\n" for row in rows))


def run_pairs(inputs: Inputs, **how: bool) -> Words:
    return [
        "run",
        "pairs",
        model(inputs),
        "--data",
        table(inputs, "mine.csv", **how),
        "--out",
        "out",
    ]


def import_pairs(inputs: Inputs, **how: bool) -> Words:
    return [
        "import",
        "--study",
        "pairs",
        table(inputs, "scored.csv", scores=True, **how),
        "--out",
        "out",
    ]


def import_log(inputs: Inputs) -> Words:
    """A log of a task of its own."""
    from support import evaluation_logs as logs

    samples = [
        logs.inspect_sample(
            f"q{n}",
            "<plan>Hm</plan>no",
            value=[0.25, 0.5, 1.5][n % 3],
            metadata={"topic": "xyz"[n // 4]},
        )
        for n in range(12)
    ]
    return [
        "import",
        inputs.text("quiz.json", json.dumps(logs.inspect_log(samples))),
        "--out",
        "out",
    ]


def import_pair_log(inputs: Inputs) -> Words:
    """A log of pairs that a file has; of one both sentences are as likely."""
    from support import evaluation_logs as logs

    data = table(inputs, "mine.csv")
    rows = [
        logs.harness_row(n, {}, options=(f"The old man {n} sang.", f"The young man {n} sang."),
                         logprobs=(-3.0, -3.0 - n % 3))
        for n in range(8)
    ]  # fmt: skip
    path = logs.harness_log(inputs.workspace / "in" / "log", rows, "pairs")
    return ["import", path.relative_to(inputs.workspace), "--data", data, "--out", "out"]


def check_broken(inputs: Inputs) -> Words:
    return ["data", "check", table(inputs, "broken.csv", broken=True)]


def runs_folder(inputs: Inputs) -> str:
    """A folder with one run."""
    folder = inputs.workspace / "in" / "runs"
    if not folder.exists():
        shutil.copytree(inputs.workspace / inputs.pair_runs[0], folder / "a")
    return "in/runs"


def sentences(inputs: Inputs) -> Words:
    inputs.text("sentences.txt", "The old man sang.\nThe young man sang.\n")
    return ["score", model(inputs), "The old man sang.", "The young man sang."]


def far_sentences(inputs: Inputs) -> Words:
    """Two that differ in many words, of which a rule draws some."""
    return [
        "score",
        model(inputs),
        "An old man sang for us all day.",
        "The young girls danced at home.",
    ]


def of_file(inputs: Inputs) -> Words:
    return [*sentences(inputs)[:2], "--file", "in/sentences.txt"]


def of_labels(inputs: Inputs) -> Words:
    """Labels of which some differ in case."""
    rows = [
        f"{who},{n},{label}"
        for n in range(4)
        for who, label in (("a", "Yes"), ("b", "yes" if n % 2 else "no"))
    ]
    text = "\n".join(["annotator,item,q", *rows])
    return [
        "analyse",
        "agreement",
        inputs.text("labels.csv", text),
        "--question",
        "q",
        "--out",
        "out",
    ]


def of_answers(inputs: Inputs) -> Words:
    return ["analyse", "agreement", inputs.answers, "--question", "tone", "--out", "out"]


def of_judged(inputs: Inputs) -> Words:
    """Labels of people of two ages, and of a judge."""
    return ["analyse", "agreement", inputs.judged_by_groups, "--question", "label", "--out", "out"]


def of_people(inputs: Inputs) -> Words:
    return [
        "analyse",
        "compare-people",
        inputs.rated["mine"],
        "--people",
        inputs.rated["people"],
        "--out",
        "out",
    ]


TRIED = {
    "run": Tried(run_pairs, {
        "--rule": of("pll_all"), "--convention": of("nope"), "--ties": of("loss"), "--set": of("a=b"),
        "--data": of("in/none.csv"), "--map": of("sent_more=sent_less"), "--split": of("test"),
        "--skip-invalid": of(base=partial(run_pairs, broken=True)), "--split-seed": of(3), "--limit": of(3),
        "--tokens": FLAG, "--plan": FLAG, "--max-requests": of(1, beside=["--fresh"]), "--max-cost": of(0.5),
        "--price": of("1,2"), "--ray-address": of("nowhere:1"), "--system": of("in/none.txt"),
        "--thinking": of("off"), "--answer-tokens": of(9), "--thinking-tokens": of(9),
        "--thinking-tags": of("<a>,</a>"), "--repeats": of(2), "--wordings": of("all"),
        "--placebo": of("edits"), "--valid": of("in/none.csv"), "--name": of("other"),
    }),
    "score": Tried(sentences, {
        "--rule": of("pll_all"), "--file": of("in/sentences.txt"), "--encoding": of("utf-16", base=of_file),
        "--seed": of(7, base=far_sentences, beside=["--rule", "pll_random15"]),
    }),
    "import": Tried(import_log, {
        "--rule": of("nope"), "--convention": of("nope"), "--ties": of("loss", base=import_pair_log),
        "--set": of("a=b"), "--data": of("in/none.csv"), "--study": of("pairs"), "--cluster": of("topic"),
        "--name": of("other"), "--encoding": of("utf-16", base=import_pair_log),
        "--thinking-tags": of("<plan>,</plan>"), "--no-text": of(base=import_pair_log),
        "--map": of("sent_more=sent_less", base=import_pairs), "--split": of("test", base=import_pairs),
        "--skip-invalid": of(base=partial(import_pairs, broken=True)),
        "--split-seed": of(3, base=import_pairs), "--lower-is-better": of(base=import_pairs),
        "--valid": of("in/none.csv", base=import_pairs),
    }),
    "table": Tried(lambda i: ["table", *i.pair_runs], {
        "--rows": of("rule"), "--columns": of("bias_type"), "--measure": of("nope"),
        "--published": of("elsafoury2023_sos"), "--intervals": of("none"), "--to": of("t.csv"),
        "--cite": FLAG, "--caption": of("Bias of two models"),
        "--label": of("tab:bias", beside=["--format", "latex"]),
    }),
    "report": Tried(lambda i: ["report", f"{runs_folder(i)}/a", "--to", "r.html"], {
        "--to": of("s.html"), "--group": of("men"), "--tables": of("csv"), "--predictions": of("p.json"),
        "--cite": FLAG,
    }),
    "export": Tried(lambda i: ["export", i.pair_runs[0], "e.csv"], {
        "--format": of("every-eval-ever"), "--what": of("estimates"), "--limit": of(3),
    }),
    "ls": Tried(lambda i: ["ls", runs_folder(i)], {}),
    "data check": Tried(lambda i: ["data", "check", table(i, "mine.csv")], {
        "--study": of("weat"), "--map": of("sent_more=sent_less"), "--skip-invalid": of(base=check_broken),
    }),
    "data list": Tried(lambda _: ["data", "list"], {}),
    "models list": Tried(lambda _: ["models", "list"], {}),
    "data cache info": Tried(lambda _: ["data", "cache", "info"], {}),
    "compare": Tried(lambda i: ["compare", *i.pair_runs[1:], "--out", "out"], {
        "--margin": of(20), "--fail-unless": of("stereotype_rate equivalent 20"),
    }, slow=True),
    "analyse items": Tried(lambda i: ["analyse", "items", *i.several_models, "--out", "out"], {
        "--measure": of("nope"), "--family": of("nope=b"),
    }, slow=True),
    "analyse placebo": Tried(lambda i: ["analyse", "placebo", i.edit_scores, "--out", "out"], {
        "--map": of("cluster=run"), "--base": of("school_mit"), "--placebo": of("school"),
        "--separator": of("-"), "--within": of("run"), "--model": of("a"), "--min-replies": of(3),
        "--convention": of("cells"),
    }),
    "analyse order-effects": Tried(
        lambda i: ["analyse", "order-effects", i.shown_in_orders, "--out", "out"], {}, slow=True),
    "analyse ratings": Tried(lambda i: ["analyse", "ratings", i.rated["people"], "--out", "out"], {
        "--scale": of("0:200"), "--by": of("region"), "--group": of("bakers"), "--missing": of("a1"),
        "--map": of("a=b"),
    }, slow=True),
    "analyse compare-people": Tried(of_people, {
        "--people": of("in/none.csv"), "--scale": of("0:200"), "--pilot": of("bakers"), "--with-pilot": FLAG,
        "--k": of(2), "--by": of("region"), "--group": of("bakers"),
        "--alias": of("bakers=sailors"), "--middle": of(10), "--missing": of("a1"), "--map": of("a=b"),
    }, slow=True),
    "analyse agreement": Tried(of_answers, {
        "--question": of("kind"), "--annotator": of("item"), "--item-column": of("annotator"),
        "--level": of("nominal"), "--agree": of(3), "--missing": of("3"), "--order": of("5,4,3,2,1"),
        "--annotators": of("tone"), "--fold-case": of(base=of_labels), "--categories": of("1,2,3,4,5,6"),
        "--scale": of("0:200", base=lambda i: ["analyse", "agreement", i.rated["people"], "--out", "out"]),
        "--judge": of("gpt", base=of_judged), "--by": of("age", base=of_judged), "--text-column": of("nope"),
        "--map": of("a=b"),
        "--epsilon": of(".9", base=lambda i: [*of_judged(i), "--judge", "p7"]),
    }, slow=True),
    "analyse validation": Tried(lambda i: ["analyse", "validation", i.validated(), "--out", "out"], {
        "--data-name": of("mine")}),
    "analyse annotations": Tried(lambda i: ["analyse", "annotations", i.judged(), "--out", "out"], {
        "--convention": of("sotnikova2021")}, slow=True),
    "analyse intersections": Tried(lambda i: [
        "analyse", "intersections", i.crossed("both"), "--out", "out"], {
        "--findings": of("in/none.toml"), "--traits": of("poles"), "--top": of(1),
    }, slow=True),
    "analyse correlate": Tried(lambda i: ["analyse", "correlate", "--table", i.numbers(1), "--out", "out"], {
        "--table": of("in/none.csv"), "--published": of("elsafoury2023_sos"), "--over": of("groups"),
        "--measure": of("skill"), "--between": FLAG, "--axis": of("bias_type"), "--alias": of("a=b"),
        "--reliability": of("skill=0.8"), "--family": of("nope"), "--method": of("spearman"),
        "--missing": of("a"),
    }, slow=True),
    "data describe": Tried(lambda i: ["data", "describe", table(i, "mine.csv"), "--out", "out"], {
        "--study": of("weat"), "--map": of("sent_more=sent_less"), "--reference": of("in/none.csv"),
        "--sentiment": of("in/none"), "--sentiment-label": of("a=positive"), "--item": of("p1"),
        "--show-text": FLAG,
    }, slow=True),
}  # fmt: skip
TRIED = {name: tried for name, tried in TRIED.items() if command_named(name.split())}
NO_TEXT = {
    "data check",
    "data describe",
    *(
        f"analyse {name}"
        for name in (
            "agreement",
            "correlate",
            "intersections",
            "order-effects",
            "placebo",
            "validation",
        )
    ),
}
"""Commands whose pages have no texts, so that --no-text holds anyway."""


def footprint(words: Words, folder: Path) -> dict[str, object]:
    """What a command printed and wrote, without what no option decides."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    environment = {"COLUMNS": "100", "TILTMETER_CACHE": str(folder / "cache")}
    before = _stamps(folder)
    with chdir(folder), mock.patch.dict(os.environ, environment):
        code, printed, errors = call(words)
    written = [path for path, stamp in _stamps(folder).items() if before.get(path) != stamp]
    return {
        "code": code,
        "printed": _steady_text(printed),
        "errors": _steady_text(errors),
        **{_name(path.relative_to(folder)): _content(path) for path in written},
    }


def _stamps(folder: Path) -> dict[Path, tuple[int, int]]:
    """When each file below a folder was last written, and its size; of the cache none."""
    kept = (p for p in sorted(folder.rglob("*")) if not p.is_relative_to(folder / "cache"))
    return {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in kept if p.is_file()}


def _name(path: Path) -> str:
    """A path without the digest of what was run, which options change."""
    return re.sub(r"-[0-9a-f]{8}\b", "", str(path))


def _content(path: Path) -> object:
    if path.suffix == ".parquet":
        return repr(pl.read_parquet(path).to_dicts())
    if path.suffix in {".png", ".pdf", ".xlsx", ".db", ".safetensors", ".bin"}:
        return path.suffix  # bytes that differ from day to day
    text = path.read_text("utf-8", errors="replace")
    if path.suffix == ".json":
        try:
            return _steady(json.loads(text))
        except ValueError:
            return text
    return _steady_text(text)


def _steady(value: object) -> object:
    if isinstance(value, dict):
        return {k: _steady(v) for k, v in value.items() if k not in ASIDE}
    if isinstance(value, list):
        return [_steady(v) for v in value]
    return _steady_text(value) if isinstance(value, str) else value


@lru_cache(maxsize=50_000)
def _steady_text(text: str) -> str:
    text = re.sub(r"tiltmeter (run|audit|import|score|[a-z]+(-[a-z]+)*) [^\n<]*", "COMMAND", text)
    text = re.sub(r"[-_][0-9a-f]{8}\b", "-DIGEST", text)
    text = re.sub(r"\b20\d\d-\d\d-\d\d[T ][\d:.+Z-]+", "TIME", text)
    text = re.sub(r"\b[0-9a-f]{32,64}\b", "SUM", text)
    return re.sub(r"[\d,.]+ (s|ms|min|h|requests/s|tokens/s)\b", "DURATION", text)
