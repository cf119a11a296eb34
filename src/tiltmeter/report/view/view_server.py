"""The page over a folder on this computer's own address; its data are made when a browser asks for them."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from urllib.parse import unquote

from tiltmeter.report.view.view_files import DATA, ViewFiles


def view_server(files: ViewFiles, to: Path, port: int) -> ThreadingHTTPServer:
    """A server that is ready to start; what it makes is kept beside the page in the folder `to`."""
    files.write_page(to)
    one_at_a_time = Lock()

    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            # Another site whose name is made to lead here could else read the answers.
            if self.headers.get("Host", "").partition(":")[0] not in {"127.0.0.1", "localhost"}:
                self.send_error(403)
                return
            name = unquote(self.path).removeprefix(f"/{DATA}/").removesuffix(".js")
            with one_at_a_time:
                if name in files.names and not (to / DATA / f"{name}.js").exists():
                    files.write(to, name)
            super().do_GET()

        def log_message(self, *_: object) -> None:
            """Say nothing of single requests."""

    return ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, directory=to))
