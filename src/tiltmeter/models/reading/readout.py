"""Reads a model's last layer at given positions, and reduces it to two numbers for each token.

The sensitivity test asks how much the last layer, ℓ = Ah + b, would have to change for another token to be
the likeliest. `tiltmeter.studies.group_traits.sensitivity` derives why the logits and the length of h
suffice. Here the highest logits are sorted once for each position; what each token that is asked about needs
is then found in a few steps, so that many candidates for one blank cost little more than one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.requests import Blanked
from tiltmeter.core.types import Array, Integers

if TYPE_CHECKING:
    import torch
LOGITS = {"cuda": 2**24, "mps": 2**22}
"""How many logits a block has, by device: enough to fill a GPU."""
PROJECTED = 6 * 2**20
"""How many logits a CPU computes at once. With many rows, weights are read from memory less often; but 24 MB
is the most, as glibc takes blocks from 32 MB on fresh from the system each time."""
FEWEST = 2**20
"""How many logits a block has on a CPU: few enough for its cache."""
HIGHEST = 512
"""How many logits of a position are sorted; those that would have to fall are mostly fewer than 30."""
CLOSE = 1e-3
"""How far Ah + b may differ from the model's logits in the check on the first batch, as a share of the
largest."""


class LastLayer:
    """Reads a model's last layer, the module that turns h, shape (…, d), into logits."""

    def __init__(self, name: str, model: Any) -> None:
        self._name = name
        self._model = model
        self._layer = model.get_output_embeddings()
        self._checked = False

    def blanks(
        self,
        requests: Sequence[Blanked],
        margin: float,
        inputs: Callable[[Sequence[Blanked]], Mapping[str, Any]],
    ) -> list[Array]:
        """`ReadsOut.readout` of one batch; `inputs` makes the model's inputs, with a row for each request."""
        distinct, places, true = _placed(requests)
        return self.read(inputs(distinct), places, true, margin)

    def among(
        self,
        requests: Sequence[Blanked],
        members: "np.typing.NDArray[np.bool_]",
        inputs: Callable[[Sequence[Blanked]], Mapping[str, Any]],
    ) -> list[Array]:
        """`TellsPieces.piece_logprobs` of one batch, among the tokens for which `members` is True."""
        import torch

        distinct, places, true = _placed(requests)
        at, of, wanted = _indexed(places, true)
        if not at:
            return [np.empty(0) for _ in requests]
        logprobs = np.empty(len(of))
        with torch.inference_mode():
            states = self._states(inputs(distinct), at)
            for mine, where, logits in self._blocks(states, of):
                kept = torch.from_numpy(members).to(logits.device)
                whole = logits.masked_fill(~kept, -torch.inf).double().logsumexp(dim=-1)
                true_here = torch.from_numpy(wanted[mine]).to(logits.device)
                logprobs[mine] = (logits[where, true_here].double() - whole[where]).cpu().numpy()
        return np.split(logprobs, np.cumsum([len(reads) for reads in places])[:-1])

    def read(
        self,
        inputs: Mapping[str, Any],
        places: Sequence[Sequence[tuple[int, int]]],
        true: Sequence[Sequence[int]],
        margin: float,
    ) -> list[Array]:
        """For each request the distances and lengths, shape (2, its reads).

        `places` are the (row, position) in the inputs of each request's reads, and `true` the tokens that are
        asked about there. The logits of equal places are computed once.
        """
        import torch

        if not 0 < margin < float("inf"):
            raise BadInput(f"a margin of {margin} is not above 0", "the paper's is 1")
        at, of, wanted = _indexed(places, true)
        if not at:
            return [np.empty((2, 0)) for _ in places]
        answers = np.empty((2, len(of)))
        with torch.inference_mode():
            states = self._states(inputs, at)
            answers[1] = states.double().norm(dim=-1).cpu().numpy()[of]
            for mine, where, logits in self._blocks(states, of):
                asked = torch.from_numpy(wanted[mine]).to(logits.device)
                answers[0, mine] = distances(logits, where, asked, margin).cpu().numpy()
        return np.split(answers, np.cumsum([len(reads) for reads in places])[:-1], axis=1)

    def _states(
        self, inputs: Mapping[str, Any], places: Sequence[tuple[int, int]]
    ) -> "torch.Tensor":
        """The states that the last layer reads at these (row, position), shape (places, d)."""
        if not self._checked:
            self._check(inputs, places)
        (kept,), _ = self._run(inputs, places, whole=False)
        return kept

    def _run(
        self, inputs: Mapping[str, Any], places: Sequence[tuple[int, int]], *, whole: bool
    ) -> tuple[list["torch.Tensor"], Any]:
        """The inputs of the last layer at the places, each time it was used, and the model's logits there.

        Unless `whole`, the layer computes the logits of a single position only, and None is returned for
        them.
        """
        import torch

        if self._layer is None:
            raise CannotAnswer(f"{self._name} has no last layer from which its logits are computed")
        index = tuple(torch.tensor(part) for part in zip(*places, strict=True))
        kept: list[torch.Tensor] = []

        def keep(_: Any, given: tuple[Any, ...]) -> tuple[Any, ...]:
            kept.append(given[0][index])
            return given if whole else (given[0][:1, :1], *given[1:])

        hooked = self._layer.register_forward_pre_hook(keep)
        try:
            logits = self._model(**inputs).logits
        finally:
            hooked.remove()
        return kept, logits[index] if whole else None

    def _check(self, inputs: Mapping[str, Any], places: Sequence[tuple[int, int]]) -> None:
        """Refuse a model that scales or squashes the output of its last layer, so that logits are not Ah + b.

        Only the first row is tried, since the logits at all its positions are needed.

        Raises:
            CannotAnswer: The model's logits are not those of its last layer.
        """
        import torch

        row = places[0][0]
        alone = {
            key: value[row : row + 1] if isinstance(value, torch.Tensor) else value
            for key, value in inputs.items()
        }
        kept, logits = self._run(alone, [(0, at) for r, at in places if r == row], whole=True)
        recomputed = self._layer(kept[0]) if len(kept) == 1 else logits[:, :0]
        # Reduced precision has larger rounding errors.
        close = max(CLOSE, 2 * torch.finfo(recomputed.dtype).eps)
        far = close * max(1.0, logits.float().abs().max().item())
        if (
            recomputed.shape != logits.shape
            or (recomputed.float() - logits.float()).abs().max().item() > far
        ):
            raise CannotAnswer(
                f"{self._name} does more than one linear step from its last state to its logits, so "
                "the sensitivity test is not defined for it"
            )
        self._checked = True

    def _blocks(
        self, states: "torch.Tensor", at: "np.typing.NDArray[np.int64]"
    ) -> Iterator[tuple["np.typing.NDArray[np.bool_]", "torch.Tensor", "torch.Tensor"]]:
        """Blocks of logits for some states at a time.

        Each block comes as a mask of the reads that it serves, their rows in it, and its logits, (≤ most,
        vocabulary).
        """
        import torch

        device, vocabulary = states.device.type, int(self._layer.weight.shape[0])
        most = max(1, LOGITS.get(device, FEWEST) // vocabulary)
        projected = max(most, LOGITS.get(device, PROJECTED) // vocabulary // most * most)
        for first in range(0, len(states), projected):
            logits = self._layer(states[first : first + projected]).float()
            for k, block in enumerate(logits.split(most)):
                start = first + k * most
                mine = (at >= start) & (at < start + len(block))
                yield mine, torch.from_numpy(at[mine] - start).to(block.device), block


def _indexed(
    places: Sequence[Sequence[tuple[int, int]]], true: Sequence[Sequence[int]]
) -> tuple[list[tuple[int, int]], Integers, Integers]:
    """The distinct places, the index of each read's place among them, and the token of each read."""
    every = [place for reads in places for place in reads]
    at = {place: k for k, place in enumerate(dict.fromkeys(every))}
    tokens = [token for reads in true for token in reads]
    return [*at], np.array([at[p] for p in every], np.int64), np.array(tokens, np.int64)


def _placed(
    requests: Sequence[Blanked],
) -> tuple[list[Blanked], list[list[tuple[int, int]]], list[list[int]]]:
    """The requests that need rows of their own, and each request's (row, position)s and tokens.

    Requests that see the same share a row.
    """
    seen = [r.seen for r in requests]
    distinct = dict(zip(seen, requests, strict=True))
    rows = {sight: row for row, sight in enumerate(distinct)}
    places = [[(rows[sight], at) for at in r.read] for sight, r in zip(seen, requests, strict=True)]
    return [*distinct.values()], places, [[r.ids[i] for i in r.read] for r in requests]


def distances(
    logits: "torch.Tensor", at: "torch.Tensor", true: "torch.Tensor", margin: float
) -> "torch.Tensor":
    """How far row `at[i]` of the logits is from token `true[i]` leading by `margin`, shape (reads,).

    With u_j = ℓ_j − ℓ_t + γ for the other tokens in falling order, the k highest have to fall where
    (k + 1) u_k > u_1 + … + u_k. The difference of both sides falls with k, so the last such k is found by
    bisection, on sums that are computed once for each row. Where k could exceed the number of sorted logits,
    all logits are sorted.
    """
    import torch

    moved, enough = _distances(logits, at, true, margin, HIGHEST)
    if not enough.all():
        few = ~enough
        rows, where = torch.unique(at[few], return_inverse=True)
        moved[few], _ = _distances(logits[rows], where, true[few], margin, logits.shape[1])
    return moved


def _distances(
    logits: "torch.Tensor", at: "torch.Tensor", true: "torch.Tensor", margin: float, most: int
) -> tuple["torch.Tensor", "torch.Tensor"]:
    """`distances` from the `most` highest logits of each row, and for which reads these suffice."""
    highest, descending = _descending(logits, most)
    width = descending.shape[1]
    first = at * width
    sums, squares = _summed(descending), _summed(descending.square())  # (rows, width + 1)
    level = logits[at, true].double() - highest[at]  # (reads,)
    goal = level - margin  # the level of the others if only they moved
    rank = _halve(lambda k: descending.take(first + k - 1) > level, level, width)

    def above(sums: "torch.Tensor", k: "torch.Tensor", of_true: "torch.Tensor") -> "torch.Tensor":
        """The sum over the k highest logits, without the token itself."""
        later = (k > rank).long()
        return sums.take(first + at + k + later) - of_true * later

    def comes_down(k: "torch.Tensor") -> "torch.Tensor":
        lowest = descending.take(first + k - 1 + (k > rank).long())
        return (k + 1) * (lowest - goal) > above(sums, k, level) - k * goal

    k = _halve(comes_down, level, width - 1)
    total = above(sums, k, level)
    rise = (total - k * goal) / (k + 1)
    to = goal + rise
    fall = above(squares, k, level.square()) - 2 * to * total + k * to.square()
    enough = (k < width - 1) | (width == logits.shape[1])
    return (rise.square() + fall.clamp(min=0)).sqrt(), enough


def _descending(logits: "torch.Tensor", most: int) -> tuple["torch.Tensor", "torch.Tensor"]:
    """The highest logit of each row, and the `most` highest in falling order relative to it, as doubles."""
    import torch

    rest = max(0, logits.shape[1] - most)
    if logits.device.type == "cpu":  # numpy sorts some ten times as fast there
        values = logits.numpy()
        kept = np.partition(values, rest, axis=-1)[:, rest:] if rest else values
        ordered = torch.from_numpy(np.sort(kept, axis=-1)).flip(-1)
    else:
        ordered = logits.sort(dim=-1, descending=True).values[:, : logits.shape[1] - rest]
    ordered = ordered.double()
    highest = ordered[:, :1].clone()
    return highest[:, 0], ordered.sub_(highest)


def _summed(values: "torch.Tensor") -> "torch.Tensor":
    """The sums over the first 0, 1, 2, … numbers of each row."""
    import torch

    sums = values.new_zeros(values.shape[0], values.shape[1] + 1)
    torch.cumsum(values, dim=-1, out=sums[:, 1:])
    return sums


def _halve(
    holds: Callable[["torch.Tensor"], "torch.Tensor"], like: "torch.Tensor", most: int
) -> "torch.Tensor":
    """The largest k from 1 to `most` for which `holds(k)`, elementwise; 0 where it holds for none.

    It is found by bisection, so `holds` must not become true again once it is false.
    """
    import torch

    low = torch.zeros_like(like, dtype=torch.long)
    high = torch.full_like(low, most)
    for _ in range(most.bit_length()):
        middle = (low + high + 1) // 2
        good = holds(middle.clamp(min=1)) & (middle > low)
        low = torch.where(good, middle, low)
        high = torch.where(good, high, (middle - 1).maximum(low))
    return low
