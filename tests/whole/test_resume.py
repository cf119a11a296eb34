"""A run that died, on real networks: the same numbers to the last bit."""

import pytest

from support.architectures import build
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.run.stored_answers.cached_model import CachedModel, NoProgress
from tiltmeter.run.stored_answers.store import Store
from tiltmeter.studies import crows_pairs, stereoset


class Dying(NoProgress):
    """Interrupts after so many batches."""

    def __init__(self, after):
        self.left = after

    def advance(self, tokens):
        self.left -= bool(tokens)
        if not self.left:
            raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("study", "kind"),
    [
        (crows_pairs, "bert"),
        (crows_pairs, "gpt2"),
        (crows_pairs, "t5"),
        (stereoset, "bert"),
        (stereoset, "gpt2"),
    ],
    ids=lambda x: x if isinstance(x, str) else x.STUDY.name,
)
def test_interrupted_equals_uninterrupted_bit_by_bit(study, kind, tmp_path):
    options = Options(batch_tokens=60)
    where = resolve(str(build(kind, tmp_path / kind)), options)
    model = open_model(where, options)
    chosen = choose(study.STUDY, where.answers, model=kind)
    items = study.STUDY.sample()

    def run(store, progress=None):
        remembering = CachedModel(model, store, progress)
        return measure(study.STUDY, remembering, items, chosen=chosen), remembering

    whole, _ = run(Store(None))
    with Store(tmp_path / "s.sqlite") as store, pytest.raises(KeyboardInterrupt):
        run(store, Dying(2))
    with Store(tmp_path / "s.sqlite") as store:
        resumed, remembering = run(store)
    assert remembering.recalled > 0
    assert remembering.asked > 0
    assert resumed == whole
