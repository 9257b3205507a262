"""A web host that answers range requests for one file, correctly or with a fault."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Host(SimpleHTTPRequestHandler):
    """Serves one file as `mode` says, and the files of a folder."""

    protocol_version = "HTTP/1.1"
    table = "all.h5"
    data = b""
    other = b""
    mode = "good"
    n_requests = 0
    allowed = False  # whether pages of other hosts may read it

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        if not self.path.startswith(f"/{self.table}"):
            super().do_GET()
        else:
            self.answer()

    def answer(self) -> None:
        kind = type(self)
        kind.n_requests += 1
        late = kind.n_requests > 1
        ranges = re.findall(r"(\d+)-(\d+)", self.headers["Range"])
        wanted = [(int(first), min(int(last), len(self.data) - 1)) for first, last in ranges]
        data = kind.other if late and kind.mode == "changed" else kind.data
        if late and kind.mode == "lying":
            data = data.translate(bytes(range(255, -1, -1)))
        if kind.mode == "whole" or (kind.mode == "single" and len(wanted) > 1):
            self.reply(200, data)
            return
        if late and kind.mode == "stalling":
            threading.Event().wait(1)
            return
        if late and kind.mode == "tagged" and self.headers["If-Match"] != '"new"':
            self.reply(412, b"")
            return
        tag = {"ETag": '"old"'} if kind.mode == "tagged" else {}
        total = len(data)
        if len(wanted) == 1:
            first, last = wanted[0]
            body = data[first : last + 1]
            if late and kind.mode == "truncated":
                body = body[:-1]
            self.reply(206, body, **{"Content-Range": f"bytes {first}-{last}/{total}"}, **tag)
            return
        body = b""
        for first, last in wanted:
            body += f"\r\n--x\r\nContent-Range: bytes {first}-{last}/{total}\r\n\r\n".encode() + data[first : last + 1]
        if kind.mode == "truncated":
            body = body[:-9]
        self.reply(206, body + b"\r\n--x--\r\n", **{"Content-Type": "multipart/byteranges; boundary=x"}, **tag)

    def reply(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        if type(self).allowed:
            headers |= {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Content-Range, ETag"}
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def hosted(table: Path, folder: Path | None = None) -> Iterator[tuple[type[Host], str]]:
    """Serve a file as `Host.table`, and a folder; return the handler, whose mode can be changed, and the address."""
    kind = type("Mine", (Host,), {"data": table.read_bytes()})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(kind, directory=str(folder or table.parent))) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield kind, f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
