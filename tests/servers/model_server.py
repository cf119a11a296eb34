"""A server that speaks vLLM's protocol, or SGLang's, and computes with a real small causal model.

It answers what `vllm serve` 0.33 and SGLang 0.5 answer, errors included, as far as Tiltmeter asks for it.
Each text is read alone by transformers' plain forward pass: none of Tiltmeter's code computes anything here.
"""

import json
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from pathlib import Path

from servers.chat_server import ChatServer, Handler, Trouble

NAME = "tiny"
LENGTH = 60
"""Tokens that the server reads, with those that it writes."""
SECRET = "sk-of-the-server"
"""SGLang shows its key among its settings."""


class Refused(Exception):
    """The request gets an error."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


@cache
def _opened(folder: Path):
    import transformers as t

    model = t.AutoModelForCausalLM.from_pretrained(folder, dtype="float32").eval()
    return model, t.AutoTokenizer.from_pretrained(folder)


class ModelServer(ChatServer):
    """One model; `kind` is "vllm" or "sglang"."""

    def __init__(self, folder: Path, kind: str = "vllm") -> None:
        super().__init__(ModelHandler)
        self.kind = kind
        self.model, self.tokenizer = _opened(folder)
        self.folder = folder
        listed = {"id": NAME, "object": "model", "created": 1, "owned_by": kind, "parent": None}
        root = str(folder) if kind == "vllm" else NAME
        self.models = [{**listed, "root": root, "max_model_len": LENGTH}]
        self.scaled = False
        """Whether log-probabilities are of the logits divided by the temperature."""
        self.logits = False
        """Whether logits stand where log-probabilities belong, as with --logprobs-mode raw_logits."""
        self.scores_prompts = True
        self.tokenizes = True
        self.shift = 0
        """Added to every token id that it tokenizes to: another tokenizer than the folder's."""
        self.texts = 0

    @property
    def reference(self) -> str:
        return f"served:{self.url}#{NAME}"

    def scores(self, ids: list[int], temperature: float) -> list[float]:
        """Of every token but the first, given those before it."""
        import torch

        self.texts += 1
        with torch.inference_mode():
            logits = self.model(torch.tensor([ids])).logits[0, :-1]
        logits = logits / temperature if self.scaled else logits
        rows = logits if self.logits else logits.log_softmax(-1)
        return rows[torch.arange(len(ids) - 1), torch.tensor(ids[1:])].tolist()

    def check(self, texts: list[list[int]], written: int) -> None:
        rows = self.model.get_input_embeddings().weight.shape[0]
        for ids in texts:
            if len(ids) + written > LENGTH:
                what = f"maximum context length is {LENGTH} tokens, {len(ids) + written} were requested"
                raise Refused(HTTPStatus.BAD_REQUEST, f"This model's {what}.")
            if max(ids) >= rows:
                raise Refused(HTTPStatus.BAD_REQUEST, f"Token id {max(ids)} is out of vocabulary")


class ModelHandler(Handler):
    server: ModelServer

    def do_GET(self) -> None:  # noqa: N802
        facts = {
            ("vllm", "/version"): {"version": "0.33.0"},
            ("sglang", "/server_info"): {
                "model_path": str(self.server.folder), "tokenizer_path": str(self.server.folder),
                "version": "0.5.23", "dtype": "float32", "api_key": SECRET, "tp_size": 1,
            },
        }.get((self.server.kind, self.path))  # fmt: skip
        if facts is None:
            super().do_GET()
        else:
            self.send(json.dumps(facts).encode(), Trouble())

    def answer(self, body: Mapping[str, object]) -> object:
        ways = {
            ("vllm", "/v1/completions"): self.completions,
            ("sglang", "/generate"): self.generate,
            (self.server.kind, "/tokenize"): self.tokenize,
        }
        way = ways.get((self.server.kind, self.path))
        if way is None or (way == self.completions and isinstance(body["prompt"], str)):
            return super().answer(body)
        try:
            return way(body)
        except Refused as error:
            kind = {"type": type(error).__name__, "param": None, "code": int(error.status)}
            self.refused = error.status
            return {"error": {"message": str(error), **kind}}

    def send(self, body: bytes, trouble: Trouble) -> None:
        if (status := getattr(self, "refused", None)) is not None:
            trouble.status, self.refused = int(status), None
        super().send(body, trouble)

    def tokenize(self, body: Mapping[str, object]) -> object:
        if not self.server.tokenizes:
            raise Refused(HTTPStatus.NOT_FOUND, "Not Found")
        special = body.get("add_special_tokens", True)
        ids = self.server.tokenizer(body["prompt"], add_special_tokens=special)["input_ids"]
        ids = [token + self.server.shift for token in ids]
        return {"count": len(ids), "max_model_len": LENGTH, "tokens": ids, "token_strs": None}

    def completions(self, body: Mapping[str, object]) -> object:
        if body["model"] != NAME:
            what = f"The model `{body['model']}` does not exist."
            raise Refused(HTTPStatus.NOT_FOUND, what)
        prompts = body["prompt"]
        texts = prompts if isinstance(prompts[0], list) else [prompts]
        if body.get("max_tokens", 16) < 1:
            raise Refused(HTTPStatus.BAD_REQUEST, "max_tokens must be at least 1")
        self.server.check(texts, body["max_tokens"])
        choices = []
        for number, ids in enumerate(texts):
            choice = {
                "index": number, "text": " x", "logprobs": None, "finish_reason": "length",
                "stop_reason": None, "token_ids": None, "prompt_logprobs": None,
            }  # fmt: skip
            if body.get("prompt_logprobs") is not None and self.server.scores_prompts:
                scored = zip(ids[1:], self.server.scores(ids, body["temperature"]), strict=True)
                said = [
                    {str(token): {"logprob": value, "rank": 1, "decoded_token": " the"}}
                    for token, value in scored
                ]
                choice["prompt_logprobs"] = [None, *said]
            choices.append(choice)
        count = sum(map(len, texts))
        usage = {"prompt_tokens": count, "total_tokens": count + len(texts), "completion_tokens": 1}
        return {
            "id": "cmpl-1", "object": "text_completion", "created": 1, "model": NAME,
            "choices": choices, "usage": usage, "system_fingerprint": self.server.fingerprint,
        }  # fmt: skip

    def generate(self, body: Mapping[str, object]) -> object:
        texts = body["input_ids"]
        sampling = body["sampling_params"]
        self.server.check(texts, max(sampling["max_new_tokens"], 1))
        starts = body["logprob_start_len"]
        answers = []
        for ids, start in zip(texts, starts, strict=True):
            meta: dict[str, object] = {
                "id": "1", "finish_reason": {"type": "length", "length": 0},
                "prompt_tokens": len(ids), "completion_tokens": 0, "cached_tokens": 0,
            }  # fmt: skip
            if body["return_logprob"] and self.server.scores_prompts:
                values = self.server.scores(ids, sampling["temperature"])
                scored = zip(values[start:], ids[start + 1 :], strict=True)
                said = [[value, token, None] for value, token in scored]
                meta["input_token_logprobs"] = [[None, ids[start], None], *said]
                meta["output_token_logprobs"] = []
            answers.append({"text": "", "output_ids": [], "meta_info": meta})
        return answers if isinstance(texts[0], list) else answers[0]
