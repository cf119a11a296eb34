"""The commands whose output is kept in goldens/analyses, from tiny inputs made when a case needs them.

To run some or all again and to see which numbers were lost, or to write their files anew, in `tests`:

    python -m goldens.of_analyses [NAME…]
    python -m goldens.of_analyses --write [NAME…]
    python -m goldens.of_analyses --write --numbers [NAME…]

NUMBERS.txt is only written where it is missing or with --numbers: layouts change, numbers should not.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from goldens.inputs import PASSING, Inputs
from goldens.outputs import (
    CLOSE,
    FITTED,
    NUMBERS,
    Output,
    compare_numbers,
    numbers_text,
    output_of,
    read_numbers,
)
from support import published

GOLDENS = Path(__file__).parent / "analyses"


@dataclass(frozen=True, slots=True)
class Case:
    """A command line whose output is kept."""

    name: str
    words: Callable[[Inputs], Sequence[object]]
    """The command line, without --out."""
    data: str = ""
    """Published file that it needs."""
    folder: str = "*"
    """Pattern of the folder that is kept, within that of --out."""
    needs: str = ""
    """The package of the wing that it is about."""

    @property
    def close(self) -> float:
        """The relative difference between numbers that are equal."""
        return FITTED if self.name.startswith("leak") else CLOSE


JUDGED = ("stereo_inferences/4_annotations_per_example_updated.csv",)
CASES = [
    Case("leak-covariate", lambda i: [
        "analyse", "leak", *i.languages[:2], "--people", f"en={i.ratings('en')}",
        "--people", f"ru={i.ratings('ru')}", "--monolingual", i.language_run("ru", "other"),
        "--placebos", 0]),
    Case("leak-code-convention", lambda i: [
        "analyse", "leak", *i.languages[:2], "--people", i.ratings(), "--convention", "cao2023_code",
        "--polarity", i.polarity]),
    Case("leak-significant", lambda i: [
        "analyse", "leak", *i.languages[:2], "--people", i.ratings_like_scores, "--placebos", 2]),

    Case("correlate-published-tables", lambda _: [
        "analyse", "correlate", "--published", "elsafoury2023_sos", "--published", "elsafoury2023_f1",
        "--between"]),
    Case("correlate-groups", lambda i: [
        "analyse", "correlate", *i.pair_runs, "--over", "groups", "--seed", 3]),
    Case("compare-people-by-region", lambda i: [
        "analyse", "compare-people", i.rated["mine"], "--people", i.rated["people"], "--by", "region",
        "--k", 2, "--group", "bakers"]),
    Case("compare-people-several", lambda i: [
        "analyse", "compare-people", i.rated["mine"], i.rated["noise"], "--people", i.rated["people"]]),
    Case("compare-people-pilot", lambda i: [
        "analyse", "compare-people", i.matrix_run("fake:masked"), "--people", i.rated_like_run,
        "--pilot", "woman"]),

    Case("agreement-levels", lambda i: [
        "analyse", "agreement", i.answers, "--question", "tone", "--question", "fits", "--question", "kind",
        "--question", "score"]),
    Case("agreement-judge", lambda i: [
        "analyse", "agreement", i.judged_by_groups, "--question", "label", "--judge", "gpt", "--by", "age"]),
    Case("validation-of-pairs", lambda i: ["analyse", "validation", i.validated()]),
    Case("annotations-harmonised", lambda i: ["analyse", "annotations", i.judged()]),
    Case("annotations-published", lambda _: ["analyse", "annotations"], data=JUDGED[0]),
    Case("order-effects-lazy", lambda i: ["analyse", "order-effects", i.shown_in_orders]),
    Case("intersections-findings", lambda i: [
        "analyse", "intersections", i.crossed("both"), "--findings", i.findings, "--top", 5]),
    Case("before-after-three-studies", lambda i: [
        "analyse", "before-after", *i.studied("fake:masked"), *i.studied("fake:level"), "--t-test"]),
    Case("active-report-two-sets", lambda i: [
        "active", "report", i.learned("calm", passive=200, daal=100),
        i.learned("loud", passive=200, entropy=2000, daal=90), "--all-queries", "--queries", 2],
        needs="tiltmeter.active"),
    Case("compare-rules", lambda i: ["compare", *i.pair_runs[1:]]),
    Case("ratings-by-region", lambda i: [
        "analyse", "ratings", i.rated["people"], "--by", "region", "--group", "bakers"]),
    Case("data-check-pairs", lambda i: ["data", "describe", i.pairs, "--show-text"]),
    Case("items-of-pairs", lambda i: ["analyse", "items", *i.several_models]),
    Case("placebo-two-models", lambda i: ["analyse", "placebo", i.edit_scores]),
    Case("seeds-two-sets", lambda i: ["analyse", "seeds", *i.seeded]),
    Case("pools-two-tables", lambda i: ["active", "pools", i.votes("one.csv", 2), i.votes("two.csv", 6)],
         needs="tiltmeter.active"),
    Case("import-log", lambda i: ["import", i.quiz("a")], needs="tiltmeter.bridges"),
    Case("import-two-logs", lambda i: ["import", i.quiz("a"), i.quiz("bb"), "--cluster", "topic"],
         folder="compare-*", needs="tiltmeter.bridges"),
    Case("audit-small", lambda i: [
        "audit", "fake:masked", "--profile", i.profile, "--thresholds", i.text("passing.toml", PASSING)],
        folder="."),
    Case("audit-against-audit", lambda i: [
        "audit", "fake:masked", "--profile", i.profile, "--against", i.earlier_audit], folder="."),
    Case("audit-against-model", lambda i: [
        "audit", "fake", "--profile", i.profile, "--against", "fake:masked"], folder="."),
]  # fmt: skip
CASES = [case for case in CASES if not case.needs or find_spec(case.needs)]
BY_NAME = {case.name: case for case in CASES}


def run_case(case: Case, inputs: Inputs) -> Output:
    """Run it; its inputs are made where they are not there."""
    words = case.words(inputs)
    return output_of(words, inputs.workspace, case.name, folder=case.folder, data=bool(case.data))


def golden(name: str) -> dict[str, str]:
    """The stored files of a case."""
    return {p.name: p.read_text("utf-8") for p in sorted((GOLDENS / name).iterdir())}


def write(name: str, made: Output, *, numbers: bool) -> None:
    """Store it; the list of numbers where there is none, or where it is asked for."""
    folder = GOLDENS / name
    kept = None if numbers or not (folder / NUMBERS).exists() else (folder / NUMBERS).read_text()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file, text in {**made.files, NUMBERS: kept or numbers_text(made.stored_numbers)}.items():
        (folder / file).write_text(text, "utf-8")


def main(words: Sequence[str]) -> None:
    """As the module says."""
    names = [word for word in words if not word.startswith("--")] or list(BY_NAME)
    with tempfile.TemporaryDirectory() as workspace:
        inputs = Inputs(Path(workspace).resolve())
        for case in (BY_NAME[name] for name in names):
            if case.data and not published.is_there(case.data):
                print(f"{case.name}: left out, it needs {case.data}")
                continue
            made = run_case(case, inputs)
            if (GOLDENS / case.name / NUMBERS).exists():
                lost = compare_numbers(
                    read_numbers(golden(case.name)[NUMBERS]), made.numbers, case.close
                )
                for kind in ("missing", "rescaled", "relabelled"):
                    for number in getattr(lost, kind):
                        print(f"{case.name}: {kind} {number}")
            if "--write" in words:
                write(case.name, made, numbers="--numbers" in words)


if __name__ == "__main__":
    main(sys.argv[1:])
