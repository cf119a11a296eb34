"""A callback that measures a study during a training with the Trainer of transformers."""

import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack

from tiltmeter.api.items import Items, dataset_of_items
from tiltmeter.api.keywords import CallbackKeywords, options_made, takes
from tiltmeter.api.results import RunResult
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.study import Study
from tiltmeter.data.memory.samples import sampled
from tiltmeter.models.opening.in_memory import in_memory
from tiltmeter.models.opening.model_kinds import need_hf
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.random_state import random_state_kept
from tiltmeter.run import jobs
from tiltmeter.run.measuring.measure import of_rule
from tiltmeter.run.monitor import Logged, Monitor
from tiltmeter.run.planning.item_loading import load_items
from tiltmeter.run.planning.run_plan import ModelPlan, plan_model, study_named
from tiltmeter.run.run_options import RunOptions
from tiltmeter.run.stored_answers.cached_model import NoProgress, RunProgress

if TYPE_CHECKING:
    from transformers import TrainerCallback
else:
    try:
        from transformers import TrainerCallback
    except ImportError:  # the constructor says what to install
        TrainerCallback = object


class TrainingMonitor(Logged):
    """Writes to the log `tiltmeter`, and shows a bar while the model is asked."""

    def __init__(self, label: str, *, shown: bool) -> None:
        """What is measured, and whether there is a bar."""
        super().__init__()
        self._label = label
        self._shown = shown

    @contextmanager
    def questions(self, label: str) -> Iterator[RunProgress]:
        """Show a bar, or log that the model is asked."""
        if not self._shown:
            with super().questions(label) as progress:
                yield progress
            return
        from tqdm.auto import tqdm  # noqa: PLC0415  (comes with transformers)

        with tqdm(desc=self._label, unit=" tokens", leave=False) as bar:
            yield _Bar(bar)


class _Bar(NoProgress):
    """Tokens on a bar of tqdm."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar

    def start(self, *, total: int, stored: int, requests: int) -> None:  # noqa: ARG002 (`RunProgress`)
        """The length of the bar, and what is answered already."""
        self._bar.reset(total=total)
        self._bar.update(stored)

    def advance(self, tokens: int) -> None:
        """So many more tokens are answered."""
        self._bar.update(tokens)


OnError = Literal["warn", "raise"]


@dataclass(frozen=True, slots=True)
class StepEstimate:
    """The study's main number after a step of the training."""

    step: int
    estimate: Estimate


class TiltmeterCallback(TrainerCallback):
    """Measures a study before the first step, every so many steps, and after the last one.

    The model is asked in memory, as `tiltmeter.run` asks a wrapped one: on its device, in its precision,
    without dropout. The training goes on as if nothing had happened: modes, gradient flags, the use of the
    cache and the state of the random numbers are as they were. The same items are asked at every step, and
    no answer is stored.

        trainer = Trainer(...)
        TiltmeterCallback("crows_pairs", every=500, limit=200).attach(trainer)
        trainer.train()

    >>> import tiltmeter as tm
    >>> tm.TiltmeterCallback("starter_pairs", every=500, limit=200).history
    []

    While it measures, a bar of progress stands beside the trainer's own, unless `disable_tqdm` is set.
    Only the main process measures; the others wait for it at their next common step.
    """

    @takes(CallbackKeywords, RunOptions, Options)
    def __init__(
        self,
        study: str | Study[Any],
        *,
        every: int,
        limit: int | None = None,
        data: str | Path | Items | None = None,
        tokenizer: Any = None,
        prefix: str = "tiltmeter/",
        on_error: OnError = "warn",
        **options: Unpack[CallbackKeywords],
    ) -> None:
        """Check the options; data are read when the training begins.

        Args:
            study: As of `run`.
            every: Steps of the optimizer from one measurement to the next.
            limit: How many items are asked, drawn once with the seed; None asks all.
            data: As of `run`.
            tokenizer: By default the trainer's own (`processing_class`).
            prefix: Of the names in the log.
            on_error: warn: a measurement that fails is reported in the log `tiltmeter`, and the training
                goes on. raise: it ends the training.
            **options: Those of `run`.

        Raises:
            UnknownName: There is no such study.
            BadInput: An option has no such value.
            MissingExtra: torch or transformers is not installed.
        """
        need_hf()
        for name, value in (("every", every), ("limit", 1 if limit is None else limit)):
            if value < 1:
                raise BadInput(f"{name}={value} is not a number of 1 or more", "give a larger one")
        if on_error not in {"warn", "raise"}:
            raise BadInput(f"on_error={on_error!r} is not known", "give 'warn' or 'raise'")
        self.study = study_named(study) if isinstance(study, str) else study
        self.every = every
        self.limit = limit
        self.prefix = prefix
        self.on_error = on_error
        self.history: list[StepEstimate] = []
        """The curve."""
        self.last: RunResult | None = None
        """The newest result, with all its estimates and records."""
        items = data if data is None or isinstance(data, str | Path) else dataset_of_items(data)
        self._options = options_made(RunOptions, options, data=items, fresh=True)
        self._opening = options_made(Options, options)
        self._tokenizer = tokenizer
        self._monitor: Monitor = Logged()
        self._items: Dataset[Any] | None = None
        self._training = uuid.uuid4().hex
        self._log: Callable[[dict[str, float]], None] | None = None

    def attach(self, trainer: Any) -> Self:
        """Add it to a trainer, through which it also logs: TensorBoard, W&B and MLflow get the curve.

        A callback that is only handed to `Trainer(callbacks=[…])` has no trainer to log through: then the
        curve is in `history` and in `state.log_history`.
        """
        self._log = trainer.log
        if not any(known is self for known in trainer.callback_handler.callbacks):
            trainer.add_callback(self)
        return self

    def on_train_begin(self, args: Any, state: Any, control: Any, **given: Any) -> None:
        """Measure the model as it is before the first step."""
        if state.is_world_process_zero and self._log is None:
            self._monitor.warning(
                "the callback is not attached to the trainer, so that TensorBoard and others do not get "
                "the curve; call callback.attach(trainer)",
                about="TiltmeterCallback",
            )
        if state.global_step == 0:
            self._at_step(args, state, control, given)

    def on_step_end(self, args: Any, state: Any, control: Any, **given: Any) -> None:
        """Measure where it is time to, and after the last step."""
        ends = control.should_training_stop or state.global_step >= state.max_steps
        if ends or state.global_step % self.every == 0:
            self._at_step(args, state, control, given)

    def _at_step(self, args: Any, state: Any, control: Any, given: Mapping[str, Any]) -> None:
        if not state.is_world_process_zero:
            return
        step = int(state.global_step)
        try:
            with random_state_kept():
                self.last = self.measure(given["model"], self._tokenizer_of(given), step, args)
        except Exception as error:
            if self.on_error == "raise":
                raise
            self._monitor.warning(
                f"measuring failed after step {step:,}, and the training goes on: {error}",
                about=self.study.name,
            )
            return
        head = self.last.headline
        if head is None:
            return
        self.history.append(StepEstimate(step, head))
        logged = self._logged(head)
        if not logged:
            return
        if self._log is None:
            state.log_history.append({**logged, "step": step})
            return
        # Logging counts as the step's own log; the loss of this step is still to be logged.
        due = control.should_log
        self._log(logged)
        control.should_log = due

    def measure(self, model: Any, tokenizer: Any, step: int, args: Any = None) -> RunResult:
        """Measure the model now; random numbers are the caller's affair.

        Raises:
            TiltmeterError: The model cannot be asked, or items cannot be scored.
        """
        if _is_sharded(args):
            raise CannotAnswer(
                "the weights are spread over processes (FSDP or DeepSpeed ZeRO-3), and a single process "
                "cannot ask the model; measure saved checkpoints instead"
            )
        self._monitor = TrainingMonitor(
            f"{self.study.name}, step {step:,}", shown=not getattr(args, "disable_tqdm", True)
        )
        source = in_memory(
            model, tokenizer,
            name=f"step {step}", identity=f"{self._training} step {step}",
        )  # fmt: skip
        plan = plan_model(self.study, source, self._options, self._opening, self._monitor)
        if self._items is None:
            self._items = self._chosen_items(plan)
        job = jobs.Job(self.study, self._items, plan, self._options, self._opening)
        with jobs.session(self._monitor, keep=False) as session:
            return RunResult(jobs.score(job, session), self.study)

    def _chosen_items(self, plan: ModelPlan) -> Dataset[Any]:
        """Those that the rule is about, or a sample of them; the same at every step."""
        (member,) = plan.members
        data = of_rule(load_items(self.study, self._options, self._monitor), member.chosen.rule)
        return sampled(data, self.limit, seed=self._options.seed)

    def _tokenizer_of(self, given: Mapping[str, Any]) -> Any:
        tokenizer = self._tokenizer or given.get("processing_class")
        if tokenizer is None:
            raise BadInput(
                "the trainer has no tokenizer",
                "give one: TiltmeterCallback(…, tokenizer=tokenizer)",
            )
        return tokenizer

    def _logged(self, head: Estimate) -> dict[str, float]:
        """The number and the ends of its interval, as far as they are defined."""
        name = f"{self.prefix}{self.study.name}/{head.name}"
        values = {name: head.value, f"{name}_low": head.low, f"{name}_high": head.high}
        return {key: float(value) for key, value in values.items() if value is not None}


def _is_sharded(args: Any) -> bool:
    """Whether each process has only a part of the weights."""
    from transformers.integrations.deepspeed import is_deepspeed_zero3_enabled  # noqa: PLC0415

    sharded = is_deepspeed_zero3_enabled()  # type: ignore[no-untyped-call]
    return bool(getattr(args, "fsdp", None)) or bool(sharded)
