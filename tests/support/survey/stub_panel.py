"""A panel in place of Prolific: a small HTTP server that sends people to a study and counts who comes back.

with stub_panel() as panel:
    form = …  # [outcomes.finished]  code = "C1"  url = panel.back
    client.get(panel.link("ann"))          # redirects to the study with ann's ids
    client.get("the address on the last page of the study")
    assert panel.codes == {"ann": ["C1"]}
"""

from collections import Counter, defaultdict
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from urllib.parse import parse_qs, urlencode, urlsplit

STUDY = "study1"


class StubPanel:
    """What the panel knows: the study's address, and who came back with which code."""

    def __init__(self, address):
        self.address = address
        self.study = ""
        """Address of the study; to be set before somebody follows a link."""
        self.codes = defaultdict(list)
        """By platform id, the codes with which the person came back, in order."""
        self.lock = Lock()

    @property
    def back(self):
        """The address to which a form sends people: as `url` of an outcome."""
        return f"{self.address}/complete?cc={{code}}&who={{id}}"

    def link(self, person):
        """The address that a person of the panel opens: it leads to the study with their ids."""
        return f"{self.address}/join?{urlencode({'who': person})}"

    def invitation(self, person):
        """The study's address with the ids of a person."""
        ids = {"PROLIFIC_PID": person, "STUDY_ID": STUDY, "SESSION_ID": f"session-{person}"}
        return f"{self.study}/?{urlencode(ids)}"

    def counts(self):
        """How many people came back with each code, each with their last one."""
        with self.lock:
            return Counter(codes[-1] for codes in self.codes.values())

    def came_back(self, person, code):
        with self.lock:
            self.codes[person].append(code)


@contextmanager
def stub_panel():
    """The panel, served on this machine until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self):
            asked = urlsplit(self.path)
            given = {name: values[0] for name, values in parse_qs(asked.query).items()}
            if asked.path == "/join" and given.get("who"):
                self.answer(302, "", {"Location": panel.invitation(given["who"])})
            elif asked.path == "/complete" and given.get("who"):
                panel.came_back(given["who"], given.get("cc", ""))
                self.answer(200, "Thank you.")
            else:
                self.answer(404, "There is no such page.")

        def answer(self, status, text, headers=()):
            body = text.encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **dict(headers)}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    panel = StubPanel(f"http://127.0.0.1:{server.server_port}")
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield panel
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
