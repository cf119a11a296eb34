"""Models of billions of weights, written with random ones: how much memory they take and what is said before.

Each row is a process of its own that scores one sentence, or is refused. `--tiny` and `--quick` write small
files; otherwise they have the shape of Llama-3-8B in 4 bits (4.5 GB) and 3.6 billion weights in bfloat16
(7.2 GB), one after the other. `llama:` needs the extra [llama].
"""

import importlib.util
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import _large_files
from benchmarks._frame import Row, Settings
from benchmarks._usage import measured

SENTENCE = "he is here"


def rows(settings: Settings) -> Iterator[Row]:
    """The GGUF file in its own bits and in float32, then the folder as the memory allows."""
    small = settings.tiny or settings.quick
    in_bits = _large_files.SMALL if small else _large_files.LLAMA_8B
    in_bfloat16 = _large_files.SMALL if small else _large_files.LLAMA_3B
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        file = _large_files.write_gguf(place / "large.gguf", in_bits)
        case = f"{in_bits.name}, Q4_0, {file.stat().st_size / 2**20:,.0f} MiB"
        if importlib.util.find_spec("llama_cpp") is None:
            yield Row(case, "llama:", skipped="llama-cpp-python is not installed")
        else:
            yield _row(case, "llama:", f"llama:{file}", place)
        yield _row(case, "gguf:", f"gguf:{file}", place)
        file.unlink()
        folder = _large_files.write_folder(place / "large", in_bfloat16)
        size = sum(f.stat().st_size for f in folder.glob("*.safetensors"))
        yield _row(
            f"{in_bfloat16.name}, bfloat16, {size / 2**20:,.0f} MiB", "folder", str(folder), place
        )


def _row(case: str, way: str, model: str, place: Path) -> Row:
    """What `tiltmeter score` takes, and what it says of memory or of the reason why it does not."""
    command = [sys.executable, "-m", "tiltmeter", "score", model, SENTENCE]
    usage = measured(command, {"XDG_CACHE_HOME": str(place / "cache")})
    said = [
        line for line in usage.messages.splitlines() if " takes " in line and "so far" not in line
    ]
    values = {**usage.values, "scored": "no" if usage.code else "yes"}
    return Row(
        case, way, usage.processor_seconds, values, note=" ".join(said[-1:]), clock="processor"
    )
