"""The server of the page: it answers the page, and to nobody else; nor does it fall to odd requests."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import quote, urlsplit

import pytest

from support.view_pages import compare
from tiltmeter.report.view.view_files import ViewFiles
from tiltmeter.report.view.view_server import HEADERS, ViewServer


@pytest.fixture
def server(runs):
    with ViewServer(ViewFiles([runs], compare, served=True), 0) as made:
        threading.Thread(target=made.serve_forever, args=(0.05,), daemon=True).start()
        yield made
        made.shutdown()


def ask(server, path, method="GET", **headers):
    """The answer to a request whose path is below the secret one unless it begins with /."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    whole = path if path.startswith("/") else urlsplit(server.address).path + path
    connection.putrequest(method, whole, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    answer.content = answer.read()
    connection.close()
    return answer


def test_the_page_gets_its_parts_as_json_and_never_as_a_script(server):
    page = ask(server, "")
    assert (
        page.status == 200 and b"data-served" in page.content and b"data/index" not in page.content
    )
    assert b"connect-src 'self'" in page.content and b"file:" not in page.content
    index = ask(server, "data/index.json", Sec_Fetch_Site="same-origin")
    assert index.headers["Content-Type"] == "application/json"
    key = json.loads(index.content)["results"][0]["key"]
    items = ask(server, f"data/{quote('items-' + key)}.json")
    (digest, *_) = json.loads(items.content)["texts"]
    assert json.loads(ask(server, f"data/texts-{digest}.json").content)
    assert {name: index.headers[name] for name in HEADERS} == HEADERS
    assert b"tiltmeter" in ask(server, "view.js").content
    assert ask(server, "data/index.js").status == 404


@pytest.mark.parametrize("path", [
    "/", "/index.html", "/data/index.json", "/data/index.js", "/view.js", "/%00", "/%00/%00", "//", "/x/",
    "%00", "data/%00.json", "data/../../../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "data/", "data",
    "data/index.json/", "data/texts-0.json", "%ff%fe", "x" * 9_000,
])  # fmt: skip
def test_other_addresses_have_nothing(server, path, capfd):
    answer = ask(server, path)
    assert answer.status == 404 and b"results" not in answer.content
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert capfd.readouterr() == ("", "")


ELSEWHERE = [
    {"Host": "hostile.test"}, {"Host": "127.0.0.1"}, {"Host": "127.0.0.1:1"}, {"Host": ""},
    {"Origin": "http://hostile.test"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"},
    {"Sec_Fetch_Site": "same-site"},
    {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors", "Sec_Fetch_Dest": "script"},
    {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"},
]  # fmt: skip


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("headers", ELSEWHERE)
def test_requests_of_other_sites_are_refused_with_the_whole_address_too(server, method, headers):
    for path in ("", "data/index.json", "view.js"):
        answer = ask(server, path, method, **headers)
        assert answer.status == 403 and answer.content in {b"", b"Not allowed.\n"}


def test_a_link_elsewhere_opens_the_page_and_heads_have_no_content(server):
    link = {
        "Sec_Fetch_Site": "cross-site",
        "Sec_Fetch_Mode": "navigate",
        "Sec_Fetch_Dest": "document",
    }
    assert ask(server, "", **link).status == 200
    assert ask(server, "", Host=f"localhost:{server.server_port}").status == 200
    head = ask(server, "data/index.json", "HEAD")
    assert head.status == 200 and head.content == b""
    assert ask(server, "", "POST").status == 501


def test_the_secret_differs_each_time(runs):
    files = ViewFiles([runs], compare)
    with ViewServer(files, 0) as one, ViewServer(files, 0) as other:
        assert urlsplit(one.address).path != urlsplit(other.address).path
        assert len(urlsplit(one.address).path) > 20


SERVE = """
import sys
from pathlib import Path
from contextlib import suppress
from tiltmeter.report.view.view_files import ViewFiles
from tiltmeter.report.view.view_server import ViewServer
with ViewServer(ViewFiles([Path(sys.argv[1])], None), 0) as server, suppress(KeyboardInterrupt):
    print(server.server_port, flush=True)
    server.serve_forever()
"""


def test_clients_that_wait_and_go_do_not_end_the_process_badly(runs):
    """Python aborts if a thread reads from a connection while it ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(runs)], stdout=-1, stderr=-1, text=True
    )
    port = int(process.stdout.readline())
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(30)]
    for at, client in enumerate(slow):
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n" if at % 2 else b"G")
    gone = socket.create_connection(("127.0.0.1", port))
    gone.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    gone.close()
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=30) == ("", "") and process.returncode == 0
    for client in slow:
        client.close()


THIEF = """<!doctype html><body><script>
window.tiltmeter = { take: (...all) => { window.stolen = all; } };
window.loaded = [];
for (const address of ADDRESSES) {
  const script = document.createElement('script');
  script.src = address;
  script.onload = () => loaded.push(address);
  document.body.append(script);
  const image = new Image();
  image.src = address;
  fetch(address, { mode: 'no-cors' })
    .then((got) => got.text()).then((text) => { if (text) loaded.push(text); }, () => {});
  fetch(address).then((got) => got.text()).then((text) => loaded.push(text), () => {});
  const frame = document.createElement('iframe');
  frame.src = address;
  frame.onload = () => { try { if (frame.contentDocument.body.textContent) loaded.push('frame'); } catch {} };
  document.body.append(frame);
}
</script>"""


@pytest.mark.browser
def test_a_page_of_another_site_reads_nothing_in_a_real_browser(server, browser):
    """Not even one that knows the whole address."""
    paths = ("", "view.js", "data/index.json", "data/index.js")
    whole = [f"{root}{path}" for path in paths for root in
             (server.address, f"http://127.0.0.1:{server.server_port}/",
              server.address.replace("127.0.0.1", "localhost"))]  # fmt: skip
    body = THIEF.replace("ADDRESSES", json.dumps(whole)).encode()

    class Thief(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    elsewhere = HTTPServer(("127.0.0.1", 0), Thief)
    threading.Thread(target=elsewhere.serve_forever, args=(0.05,), daemon=True).start()
    tab = browser.new_page()
    for host in ("127.0.0.1", "localhost"):  # of the same site, and of another
        tab.goto(f"http://{host}:{elsewhere.server_port}/")
        tab.wait_for_load_state("networkidle")
        assert tab.evaluate("[window.loaded, window.stolen ?? null]") == [[], None]
    tab.close()
    elsewhere.shutdown()
    elsewhere.server_close()


@pytest.mark.browser
def test_the_page_works_in_a_browser(server, browser):
    tab = browser.new_page()
    faults = []
    tab.on("console", lambda message: faults.append(message.text))
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.goto(server.address)
    tab.wait_for_selector("main:not([aria-busy]) h2")
    assert tab.locator("main tbody tr").count() > 1
    tab.goto(f"{server.address}#leaderboard")
    tab.wait_for_selector("main:not([aria-busy]) h2")
    tab.goto(f"{server.address}#items?of=pairs-fake&measure=stereotype_rate")
    tab.wait_for_selector("main:not([aria-busy]) h2")
    assert "Not loaded" not in tab.text_content("main")
    assert faults == []
    server.shutdown()
    server.server_close()
    tab.goto("about:blank")
    tab.close()
