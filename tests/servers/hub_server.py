"""A model hub on this machine: answers the real client as the Hugging Face hub does.

What it imitates: information about a repository and its tree (in pages), `resolve` with its headers, the
redirect of small files within the hub and of large ones to a CDN on another host, byte ranges, branches, tags
and commits, gated and missing repositories, wrong tokens, and, on request, refusals, slow answers and
connections that are cut. What it does not: Xet storage, whose protocol is the client's own, and uploads.
"""

import hashlib
import json
import re
import socket
import struct
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

from servers.hub_repos import LARGE, Repo, blob, entry

TOKEN = "hf_" + "secretSECRETsecretSECRETsecretSECR"
"""The one token the hub knows; its owner has accepted no terms but those of `Repo.admits`."""
PAGE = 4
"""Files in one page of a tree: the real hub has 1,000."""
API = re.compile(r"/api/(models|datasets)/([^/]+/[^/]+)(?:/(revision|tree)/([^/]+))?$")
RESOLVE = re.compile(r"/(datasets/)?([^/]+/[^/]+)/resolve/([^/]+)/(.+)$")
CACHED = re.compile(r"/api/resolve-cache/(models|datasets)/([^/]+/[^/]+)/([0-9a-f]{40})/(.+)$")


@dataclass
class Trouble:
    """Something that goes wrong with requests whose `METHOD path` matches, so many times."""

    where: str
    times: int = 10**9
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None
    """The connection ends after so many bytes of the body."""
    reset: bool = False
    """It ends with a reset, as where a machine on the way was started anew."""
    wait: float = 0.0
    body: bytes | None = None
    """Sent in place of the file."""


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    method: str
    host: str
    path: str
    authorization: str
    range: str


class HubServer(ThreadingHTTPServer):
    """The hub at `endpoint`, its CDN at the same port of another host name."""

    daemon_threads = True
    request_queue_size = 64  # one too many waits a second

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.repos: dict[tuple[str, str], Repo] = {}
        self.plain: dict[str, bytes] = {}
        """Further files by path, as any web server has them."""
        self.troubles: list[Trouble] = []
        self.asked: list[Asked] = []
        self._lock = threading.Lock()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def cdn(self) -> str:
        return f"http://localhost:{self.server_port}"

    def repo(self, kind: str, name: str, **how: bool) -> Repo:
        """A new repository without commits; `kind` is models or datasets."""
        made = self.repos[kind, name] = Repo(kind, name, **how)
        return made

    def trouble(self, where: str, **what: object) -> None:
        """Make requests go wrong whose `METHOD path` matches the pattern `where`."""
        self.troubles.append(Trouble(where, **what))  # type: ignore[arg-type]

    def calm(self) -> None:
        """No more trouble; what was asked is forgotten."""
        self.troubles.clear()
        self.asked.clear()

    def trouble_for(self, request: str) -> Trouble | None:
        with self._lock:
            for trouble in self.troubles:
                if trouble.times > 0 and re.search(trouble.where, request):
                    trouble.times -= 1
                    return trouble
        return None

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is no error here."""


class Handler(BaseHTTPRequestHandler):
    server: HubServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        """Keeps the tests' output clean."""

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        get = self.headers.get
        self.server.asked.append(
            Asked(self.command, get("Host", ""), path, get("Authorization", ""), get("Range", ""))
        )
        self.trouble = self.server.trouble_for(f"{self.command} {path}") or Trouble("")
        time.sleep(self.trouble.wait)
        if self.trouble.status:
            self.refuse(self.trouble.status, "", "trouble", **self.trouble.headers)
        elif path in self.server.plain:
            self.body(self.server.plain[path])
        elif path.startswith("/cdn/"):
            self.body(self.stored(path.removeprefix("/cdn/")))
        elif found := CACHED.match(path):
            self.small(*found.groups())
        elif found := API.match(path):
            self.api(*found.groups())
        elif found := RESOLVE.match(path):
            self.resolve(*found.groups())
        else:
            self.refuse(404, "", "Not found")

    # ---- What the hub answers

    def repo_of(self, kind: str, name: str) -> Repo | None:
        """The repository; None where it has been answered that there is none, or the token is wrong."""
        said = self.headers.get("Authorization", "")
        if said not in {"", f"Bearer {TOKEN}"}:
            self.refuse(401, "", "Invalid credentials in Authorization header")
            return None
        found = self.server.repos.get((kind, name))
        if found is None and said:
            self.refuse(404, "RepoNotFound", "Repository not found")
        elif found is None:  # to strangers private and missing repositories look the same
            self.refuse(401, "", "Invalid username or password.")
        return found

    def commit_of(self, repo: Repo, revision: str) -> str | None:
        commit = repo.at(revision)
        if commit is None:
            self.refuse(404, "RevisionNotFound", f"Invalid rev id: {revision}")
        return commit

    def api(self, kind: str, name: str, what: str | None, revision: str | None) -> None:
        repo = self.repo_of(kind, name)
        commit = self.commit_of(repo, revision or "main") if repo else None
        if repo is None or commit is None:
            return
        if what == "tree":
            self.tree(repo, commit)
            return
        siblings = [{"rfilename": path} for path in repo.commits[commit]]
        facts = {"_id": "0" * 24, "id": name, "sha": commit, "siblings": siblings, "private": False}
        self.json(
            facts | {"gated": "manual" if repo.gated else False, "tags": [], "disabled": False}
        )

    def tree(self, repo: Repo, commit: str) -> None:
        """One page, and where the next one is."""
        first = int(parse_qs(urlsplit(self.path).query).get("cursor", ["0"])[0])
        entries = [entry(path, data) for path, data in sorted(repo.commits[commit].items())]
        link = {}
        if first + PAGE < len(entries):
            address = f"{self.server.endpoint}/api/{repo.kind}/{repo.id}/tree/{commit}"
            link = {"Link": f'<{address}?recursive=True&cursor={first + PAGE}>; rel="next"'}
        self.json(entries[first : first + PAGE], **link)

    def resolve(self, prefix: str | None, name: str, revision: str, path: str) -> None:
        kind = "datasets" if prefix else "models"
        repo = self.repo_of(kind, name)
        if repo is None or self.gate(repo):
            return
        commit = self.commit_of(repo, revision)
        if commit is None:
            return
        data = repo.commits[commit].get(path)
        if data is None:
            self.refuse(404, "EntryNotFound", "Entry not found", **{"X-Repo-Commit": commit})
            return
        headers = {"X-Repo-Commit": commit, "Accept-Ranges": "bytes"}
        if len(data) < LARGE:  # stays on the hub: a relative address, without the size
            address = f"/api/resolve-cache/{kind}/{name}/{commit}/{path}"
            self.empty(307, **headers, Location=address, ETag=f'"{blob(data)}"')
            return
        sha = hashlib.sha256(data).hexdigest()
        linked = {"X-Linked-Size": str(len(data)), "X-Linked-ETag": f'"{sha}"'}
        address = f"{self.server.cdn}/cdn/{sha}?signature=1"
        self.empty(302, **headers, **linked, Location=address, ETag=f'"{sha}"')

    def small(self, kind: str, name: str, commit: str, path: str) -> None:
        repo = self.repo_of(kind, name)
        if repo is None or self.gate(repo):
            return
        data = repo.commits[commit][path]
        self.body(data, **{"X-Repo-Commit": commit, "ETag": f'"{blob(data)}"'})

    def gate(self, repo: Repo) -> bool:
        """Whether access was refused: 401 to strangers, 403 to who has not accepted the terms."""
        if not repo.gated or (repo.admits and self.headers.get("Authorization")):
            return False
        known = bool(self.headers.get("Authorization"))
        said = f"Access to model {repo.id} is restricted" + (
            f" and you are not in the authorized list. Visit https://huggingface.co/{repo.id}"
            if known
            else ". You must have access to it and be authenticated to access it. Please log in."
        )
        self.refuse(403 if known else 401, "GatedRepo", said)
        return True

    def stored(self, sha: str) -> bytes:
        every = (data for repo in self.server.repos.values() for files in repo.commits.values()
                 for data in files.values())  # fmt: skip
        return next(data for data in every if hashlib.sha256(data).hexdigest() == sha)

    # ---- How it is sent

    def refuse(self, status: int, code: str, message: str, **headers: str) -> None:
        said = {"X-Error-Message": message} | ({"X-Error-Code": code} if code else {})
        self.json({"error": message}, status, **said, **headers)

    def json(self, value: object, status: int = 200, **headers: str) -> None:
        content = {"Content-Type": "application/json; charset=utf-8"}
        self.send(status, json.dumps(value).encode(), **content, **headers)

    def empty(self, status: int, **headers: str) -> None:
        self.send(status, b"", **headers)

    def body(self, data: bytes, **headers: str) -> None:
        """A file, or the range of it that was asked for."""
        data = data if self.trouble.body is None else self.trouble.body
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if not asked:
            return self.send(200, data, **headers)
        first, last = int(asked[1]), min(int(asked[2] or len(data)), len(data) - 1)
        if first >= len(data):
            return self.send(416, b"", **{"Content-Range": f"bytes */{len(data)}"})
        where = {"Content-Range": f"bytes {first}-{last}/{len(data)}"}
        return self.send(206, data[first : last + 1], **where, **headers)

    def send(self, status: int, data: bytes, **headers: str) -> None:
        """Promise all of it; hang up in the middle where that is the trouble."""
        self.send_response(status, HTTPStatus(status).phrase)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command == "HEAD":
            return
        self.wfile.write(data[: self.trouble.cut])
        if self.trouble.cut is not None:
            self.close_connection = True
        if self.trouble.reset:
            time.sleep(0.05)  # what was sent arrives before the reset does
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
