"""An OpenAI-compatible server that answers each request after a fixed time.

It stands for a server with a model: what an answer costs there is waiting, and many may wait at once.
Answers depend on the prompt alone, so that clients can be compared.
"""

import asyncio
import hashlib
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
def answer_server(wait: float) -> Iterator[str]:
    """The address of a server in a process of its own, which takes so many seconds for an answer."""
    port = free_port()
    command = [sys.executable, "-m", "benchmarks._answer_server", str(port), str(wait)]
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


def serve(port: int, wait: float) -> None:
    """Answer until the process is ended."""
    import uvicorn
    from fastapi import FastAPI, Request

    app = FastAPI()

    @app.get("/v1/models")
    async def models() -> dict[str, object]:
        entry = {"id": MODEL, "object": "model", "created": 1, "owned_by": "benchmarks"}
        return {"object": "list", "data": [entry]}

    @app.post("/v1/chat/completions")
    async def answer(request: Request) -> dict[str, object]:
        body = await request.json()
        await asyncio.sleep(wait)
        return _answer(body)

    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error", access_log=False)


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
    serve(int(sys.argv[1]), float(sys.argv[2]))
