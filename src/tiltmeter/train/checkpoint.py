"""Where a training stands, in safetensors: nothing that could run code when it is read back.

One file holds the weights that are trained, the optimiser's two moments of each, the state of the random
numbers and a few counters. It is written under another name and renamed, so that after a crash the old
one or the new one is there, whole.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.core.errors import StorageError, reason_of

if TYPE_CHECKING:
    import torch

STATE, BEST = "state.safetensors", "best.safetensors"


@contextmanager
def storing(path: Path) -> Iterator[None]:
    """What the file system refuses, as an error that names the file.

    Raises:
        StorageError: It refused.
    """
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, SafetensorError) as error:
        raise StorageError(
            f"{path}: cannot be written or read ({reason_of(error)}); "
            "free some space or name another folder with --out"
        ) from error


def write(path: Path, tensors: Mapping[str, "torch.Tensor"], counters: Mapping[str, Any]) -> None:
    """All of it or nothing."""
    from safetensors.torch import save_file

    with storing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}")
        plain = {name: value.detach().cpu().contiguous() for name, value in tensors.items()}
        save_file(plain, temporary, {"counters": json.dumps(counters)})
        temporary.replace(path)


def read(path: Path) -> tuple[dict[str, "torch.Tensor"], dict[str, Any]]:
    """Tensors and counters, as they were written."""
    from safetensors import safe_open

    with storing(path), safe_open(path, "pt") as file:
        counters = json.loads((file.metadata() or {}).get("counters", "{}"))
        return {name: file.get_tensor(name) for name in file.keys()}, counters  # noqa: SIM118


def state_of(
    weights: Mapping[str, "torch.nn.Parameter"],
    optimiser: "torch.optim.Optimizer",
    device: "torch.device",
) -> dict[str, "torch.Tensor"]:
    """Everything that the next step depends on, by name."""
    import torch

    state: dict[str, torch.Tensor] = {f"weight:{name}": value for name, value in weights.items()}
    for name, value in weights.items():
        state |= {f"moment:{name}:{key}": moment for key, moment in optimiser.state[value].items()}
    state["random"] = torch.get_rng_state()
    if device.type == "cuda":
        state["random:cuda"] = torch.cuda.get_rng_state(device)
    return state


def restore(
    state: Mapping[str, "torch.Tensor"],
    weights: Mapping[str, "torch.nn.Parameter"],
    optimiser: "torch.optim.Optimizer",
    device: "torch.device",
) -> None:
    """Put back what `state_of` gave."""
    import torch

    load_weights(state, weights)
    for name, value in weights.items():
        start = f"moment:{name}:"
        moments = {k.removeprefix(start): v for k, v in state.items() if k.startswith(start)}
        # the count of steps stays on the CPU, as the optimiser itself keeps it
        optimiser.state[value] = {k: v if k == "step" else v.to(device) for k, v in moments.items()}
    torch.set_rng_state(state["random"])
    if "random:cuda" in state:
        torch.cuda.set_rng_state(state["random:cuda"], device)


def load_weights(
    state: Mapping[str, "torch.Tensor"], weights: Mapping[str, "torch.nn.Parameter"]
) -> None:
    """Copy the weights of a state into those of the model, and nothing else."""
    import torch

    with torch.no_grad():
        for name, value in weights.items():
            value.copy_(state[f"weight:{name}"])
