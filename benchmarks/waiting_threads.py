"""How long threads spin while they wait for each other: on an idle machine, and beside another program.

Two tasks on a BERT of base width and depth with random weights: short sentences one by one, and a full
batch. Each way has a process of its own, which keeps its model; they take turns, so that other load
meets all of them alike. The other program is PyTorch as it comes, multiplying small matrices in as
many threads.
On an idle machine the least of the turns counts, beside the other program the median. A fair share of
the processors is half of them there, so that twice the idle time is fair.
"""

import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from os import environ

from benchmarks import _models
from benchmarks._frame import Row, Settings
from tiltmeter.models.speed.machine_limits import POLICY, SPINNING, TURNS

DEFAULT = "PyTorch's default"
WAYS = {
    DEFAULT: {},
    f"tiltmeter, {SPINNING}={TURNS}": {SPINNING: str(TURNS)},
    f"{SPINNING}=1000": {SPINNING: "1000"},
    f"{POLICY}=PASSIVE": {POLICY: "PASSIVE"},
    "OMP_NUM_THREADS=1": {"OMP_NUM_THREADS": "1"},
}
TASKS = {
    "8 sentences of 12 tokens, one by one": (8, 1, 12),
    "a batch of 64 × 16 tokens": (1, 64, 16),
}
"""Forward passes, rows and tokens in a row."""
OTHER = """
import torch
numbers = torch.randn(256, 256)
print("ready", flush=True)
while True:
    torch.tanh(numbers @ numbers).sum()
"""
WORKER = """
import sys, time, torch, transformers
passes, rows, tokens, width, layers = map(int, sys.argv[1:])
torch.manual_seed(0)
config = transformers.BertConfig(
    hidden_size=width, num_hidden_layers=layers, num_attention_heads=2, intermediate_size=4 * width
)
model = transformers.BertModel(config).eval()
given = torch.randint(1000, 30_000, (rows, tokens))
with torch.inference_mode():
    print(model(given)[0].double().sum().item().hex(), flush=True)
    for _ in sys.stdin:
        wall, processor = time.perf_counter(), time.process_time()
        for _ in range(passes):
            model(given)
        print(time.perf_counter() - wall, time.process_time() - processor, flush=True)
"""


@dataclass(slots=True)
class Worker:
    """A process that does the task whenever it is its turn."""

    process: "subprocess.Popen[str]"
    answer: str = ""
    """A sum over the model's vectors, to the last bit."""
    turns: list[tuple[float, float]] = field(default_factory=list)
    """Seconds on the wall and of processor time."""

    def line(self) -> str:
        """The next line that the process prints."""
        assert self.process.stdout
        return self.process.stdout.readline()

    def turn(self) -> None:
        """Do the task once, and keep how long it took."""
        assert self.process.stdin
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        wall, processor = map(float, self.line().split())
        self.turns.append((wall, processor))


def rows(settings: Settings) -> Iterator[Row]:
    """A row for each way, idle and beside another program, for each task."""
    turns = 1 if settings.tiny else 5 if settings.quick else 11
    size = _models.TINY if settings.tiny else _models.BERT_BASE
    for task, (passes, many, tokens) in TASKS.items():
        shape = [str(n) for n in (passes, many, tokens, size.width, size.layers)]
        with ExitStack() as stack:
            workers = {
                way: Worker(stack.enter_context(_python(WORKER, shape, WAYS[way]))) for way in WAYS
            }
            for worker in workers.values():
                worker.answer = worker.line()
            yield from _measured(f"{task}, alone", workers, turns)
            idle = min(wall for wall, _ in workers[DEFAULT].turns)
            other = stack.enter_context(_python(OTHER, [], {}))
            Worker(other).line()
            yield from _measured(f"{task}, beside another program", workers, turns, idle)


@contextmanager
def _python(
    code: str, arguments: list[str], chosen: dict[str, str]
) -> Iterator["subprocess.Popen[str]"]:
    """A Python process with pipes, killed at the end; its threads wait as `chosen` alone says."""
    clean = {n: v for n, v in environ.items() if n not in {SPINNING, POLICY, "OMP_NUM_THREADS"}}
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], env=clean | chosen, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    with process:
        try:
            yield process
        finally:
            process.kill()


def _measured(
    case: str, workers: dict[str, Worker], turns: int, idle: float | None = None
) -> Iterator[Row]:
    for worker in workers.values():
        worker.turns.clear()
    for _ in range(turns):
        for worker in workers.values():
            worker.turn()
    reference = workers[DEFAULT].answer
    for way, worker in workers.items():
        walls, processor = zip(*worker.turns, strict=True)
        seconds = min(walls) if idle is None else statistics.median(walls)
        values = {
            "processor seconds": statistics.median(processor),
            "times the idle default": seconds / (idle or min(w for w, _ in workers[DEFAULT].turns)),
            "numbers": "the same" if worker.answer == reference else "others",
        }
        yield Row(case, way, seconds, values, clock="wall")
