"""Exports the replies of a result as samples of Every Eval Ever, schema 0.3.0: one line a reply.

The schema asks of every sample whether it is right. So only replies to items with a right answer are samples.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from tiltmeter.core.records import Record
from tiltmeter.core.results import STUDY_FIELD, Result
from tiltmeter.report.every_eval_ever_export import SCHEMA, evaluation_id

ENDING = "_samples.jsonl"
"""How the name of a file of samples ends, behind that of the file with the results."""
LACKING = {
    "refused": "refusal", "cut": "cut off before an answer", "thinking": "cut off while thinking",
    "empty": "empty reply",
}  # fmt: skip
"""By score of a record: why a reply has no answer; of others it was not understood."""


def samples(result: Result, *, thoughts: bool = False) -> Iterator[dict[str, Any]]:
    """The samples of a result; none where items have no right answer, or several replies.

    Args:
        result: Of a single model.
        thoughts: Whether samples have what the model thought before it answered.
    """
    card = result.card
    read_back = {
        "study": card.study, "rule": card.rule, "data": card.data_name, "settings": {**card.settings},
    }  # fmt: skip
    of_study = json.dumps(read_back, sort_keys=True)
    for record in result.records:
        options = record.texts.get("options", "").split("\n")
        truth, said = (int(record.scores.get(name, -1)) for name in ("truth", "said"))
        if not (record.finish and 0 <= truth < len(options)):
            continue
        answer = options[said] if 0 <= said < len(options) else None
        asked, reference = record.texts.get("text", ""), [options[truth]]
        is_correct = said == truth
        yield {
            "schema_version": SCHEMA, "evaluation_id": evaluation_id(card), "model_id": card.model_reference,
            "evaluation_name": card.study,
            "sample_id": record.item, "sample_hash": _hash(asked, reference),
            "interaction_type": "single_turn",
            "input": {"raw": asked, "reference": reference, "choices": options},
            "output": {
                "raw": [record.said],
                **({"reasoning_trace": [*record.thoughts.values()]} if thoughts and record.thoughts else {}),
            },
            "answer_attribution": [] if answer is None else [{
                "turn_idx": 0, "source": "output.raw", "extracted_value": answer,
                "extraction_method": f"tiltmeter rule {card.rule}", "is_terminal": True,
            }],
            "evaluation": {"score": float(is_correct), "is_correct": is_correct},
            **({"error": _lacking(record)} if answer is None else {}),
            **_token_usage(record),
            "metadata": {
                **record.groups, "finish": record.finish, "id": record.first, STUDY_FIELD: of_study,
            },
        }  # fmt: skip


def sample_lines(result: Result, *, thoughts: bool = False) -> str:
    """The samples as lines of JSON; "" where there are none."""
    made = samples(result, thoughts=thoughts)
    return "".join(f"{json.dumps(each, ensure_ascii=True)}\n" for each in made)


def _lacking(record: Record) -> str:
    return next(
        (why for name, why in LACKING.items() if record.scores.get(name) == 1), "not understood"
    )


def _hash(asked: str, reference: list[str]) -> str:
    """The checksum by which the schema finds one sample among several models."""
    content = {"raw": asked, "reference": reference}
    return sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _token_usage(record: Record) -> dict[str, dict[str, int]]:
    """Tokens where they were counted."""
    read, written, thought = (
        int(record.scores.get(name, 0)) for name in ("tokens_in", "tokens_out", "thought_tokens")
    )
    if not (read and written):
        return {}
    usage = {"input_tokens": read, "output_tokens": written, "total_tokens": read + written}
    return {"token_usage": usage | ({"reasoning_tokens": thought} if thought else {})}
