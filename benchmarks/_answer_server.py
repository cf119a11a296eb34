"""An OpenAI-compatible server that answers each request after a fixed time.

It stands for a server with a model: what an answer costs there is waiting, and many may wait at once.
Answers depend on the prompt alone, so that clients can be compared. As vLLM and SGLang do, it gives each
token of a prompt a log-probability. `/traffic` says how many conversations were answered, and in how many
seconds from the beginning of the first to the end of the last.
"""

import asyncio
import hashlib
import json
import math
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2

from benchmarks._postgres import free_port

MODEL = "made-up"
SECONDS = 60
"""In which the server must have started."""


@contextmanager
def answer_server(wait: float, owner: str = "benchmarks", root: str = "") -> Iterator[str]:
    """The address of a server in a process of its own, which takes so many seconds for an answer.

    `owner` is whose server it says that it is, `root` where the tokenizer of its model is.
    """
    port = free_port()
    command = [sys.executable, "-m", "benchmarks._answer_server", str(port), str(wait), owner, root]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(f"http://127.0.0.1:{port}/v1/models", process)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait()


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            httpx2.get(address)
        except httpx2.TransportError:
            time.sleep(0.05)
        else:
            return
    process.kill()
    raise RuntimeError("the server did not start")


def serve(port: int, wait: float, owner: str, root: str) -> None:
    """Answer until the process is ended."""
    import uvicorn
    from fastapi import FastAPI, Request, Response

    app = FastAPI()
    began: list[float] = []
    ended: list[float] = []

    @app.get("/traffic")
    async def traffic() -> dict[str, float]:
        lasted = ended[-1] - began[0] if ended else 0.0
        return {"requests": len(ended), "seconds": lasted}

    @app.get("/v1/models")
    async def models() -> dict[str, object]:
        entry = {"id": MODEL, "object": "model", "created": 1, "owned_by": owner, "root": root}
        return {"object": "list", "data": [entry]}

    @app.post("/v1/chat/completions")
    async def answer(request: Request) -> dict[str, object]:
        began.append(time.monotonic())
        body = await request.json()
        await asyncio.sleep(wait)
        ended.append(time.monotonic())
        return _answer(body)

    @app.post("/v1/completions")
    async def complete(request: Request) -> Response:
        body = json.loads(await request.body())
        await asyncio.sleep(wait)
        choices = [
            {"index": i, "text": "", "finish_reason": "length", "logprobs": None,
             "prompt_logprobs": [None, *map(_vllm_entry, ids[1:])]}
            for i, ids in enumerate(body["prompt"])
        ]  # fmt: skip
        answer = {"id": "answer", "object": "text_completion", "model": MODEL, "choices": choices}
        return Response(json.dumps(answer), media_type="application/json")

    @app.post("/generate")
    async def generate(request: Request) -> Response:
        body = json.loads(await request.body())
        await asyncio.sleep(wait)
        told = [
            [[None, ids[start], None], *([_made_up(t), t, None] for t in ids[start + 1 :])]
            for ids, start in zip(body["input_ids"], body["logprob_start_len"], strict=True)
        ]
        answer = [{"text": "", "meta_info": {"input_token_logprobs": entry}} for entry in told]
        return Response(json.dumps(answer), media_type="application/json")

    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error", access_log=False)


def _made_up(token: int) -> float:
    """A log-probability with as many digits as a real one."""
    return -1.0 - math.sin(token) ** 2 * 9


def _vllm_entry(token: int) -> dict[str, object]:
    return {str(token): {"logprob": _made_up(token), "rank": 17, "decoded_token": " word"}}


def _answer(body: dict[str, object]) -> dict[str, object]:
    said = hashlib.sha256(str(body["messages"]).encode()).digest()
    message = {"role": "assistant", "content": "yes" if said[0] % 2 else "no"}
    choice: dict[str, object] = {"index": 0, "finish_reason": "stop", "message": message}
    if body.get("logprobs"):
        yes = 0.05 + 0.8 * said[1] / 255
        chances = {"yes": yes, "no": 0.9 - yes, "maybe": 0.05}
        tops = [{"token": token, "logprob": math.log(p), "bytes": None}
                for token, p in chances.items()]  # fmt: skip
        first = {**tops[0], "top_logprobs": tops}
        choice["logprobs"] = {"content": [first], "refusal": None}
    usage = {"prompt_tokens": 20, "completion_tokens": 1, "total_tokens": 21}
    return {
        "id": "answer", "object": "chat.completion", "created": 1, "model": body["model"],
        "choices": [choice], "usage": usage,
    }  # fmt: skip


if __name__ == "__main__":
    serve(int(sys.argv[1]), float(sys.argv[2]), *sys.argv[3:])
