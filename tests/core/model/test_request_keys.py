"""Requests that can share a reading do, where the model can make use of it."""

from types import SimpleNamespace

from tiltmeter.core.model.conversations import Choosing, Message, Prompt, Writing
from tiltmeter.core.model.questions import QUESTIONS
from tiltmeter.core.model.request_keys import prompted_rows
from tiltmeter.models import fake

PROMPT = Prompt((Message("user", "Is this so?"),))
OTHER = Prompt((Message("user", "Is this so?"),), chat=False)
ASKED = [Writing(PROMPT, 4), Writing(PROMPT, 9, repeat=1), Writing(OTHER, 4)]


def test_the_length_is_that_of_prompt_and_longest_reply():
    model = fake.load("writer")
    assert QUESTIONS["write"].sizes(model, ASKED) == [8, 13, 8]
    assert QUESTIONS["choice"].sizes(model, [Choosing(PROMPT, (" yes", " no"))]) == [6]


def test_replies_to_one_prompt_share_a_row_if_the_model_reads_it_once():
    keys = QUESTIONS["write"].query().keys(ASKED)
    sizes = QUESTIONS["write"].sizes(fake.load("writer"), ASKED)
    one, two, other = prompted_rows(SimpleNamespace(reply_tokens=64), ASKED, keys, sizes)
    assert one == two == ((min(keys[:2]), min(keys[:2])), 13)
    assert other == ((keys[2], keys[2]), 8)
    apart = prompted_rows(SimpleNamespace(reply_tokens=0), ASKED, keys, sizes)
    assert apart == list(zip(keys, sizes, strict=True))


def test_prompts_with_a_long_common_beginning_are_equally_long_neighbours():
    start = "‘A text.’: yes.\n‘Another text.’: no.\n"
    prompts = [Prompt((Message("user", f"{start}‘{end}’:"),)) for end in ("A.", "A b c d.", "E f.")]
    asked = [Writing(p, 4) for p in (*prompts, PROMPT, Prompt(prompts[0].messages, chat=False))]
    keys = QUESTIONS["write"].query().keys(asked)
    sizes = QUESTIONS["write"].sizes(fake.load("writer"), asked)
    rows = prompted_rows(SimpleNamespace(reply_tokens=64), asked, keys, sizes)
    ((size,),) = [{size for _, size in rows[:3]}]
    assert 4 < size < min(sizes[:3])  # what all begin with is read once
    assert len({family for (family, _), _ in rows}) == 3
    assert [own for (_, own), _ in rows] == keys
