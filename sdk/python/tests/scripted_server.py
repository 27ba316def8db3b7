"""A real HTTP server that misbehaves as told, one step per request; past the last step it repeats it."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, NamedTuple, Union


class Answer(NamedTuple):
    status: int = 200
    body: Any = None
    headers: Dict[str, str] = {}


class Seen(NamedTuple):
    method: str
    path: str
    headers: Dict[str, str]
    body: str


#: An answer, no answer at all ("hang"), or a connection that breaks ("reset", "half").
Step = Union[Answer, str]


def error(status: int, code: str, **headers: str) -> Answer:
    body = {"error": {"code": code, "message": f"It is {code}.", "request_id": "req-1"}}
    return Answer(status, body, {"X-Request-Id": "req-1", **headers})


class ScriptedServer:
    def __init__(self, *steps: Step) -> None:
        self.requests: List[Seen] = []
        self.connections = 0
        released = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Otherwise the second segment of an answer waits for the other end.
            wbufsize = -1

            def setup(self) -> None:
                outer.connections += 1
                super().setup()

            def log_message(self, *_args: object) -> None:
                pass

            def handle_any(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length).decode()
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.requests.append(Seen(self.command, self.path, headers, body))
                step = steps[min(len(outer.requests), len(steps)) - 1]
                if step == "hang":
                    released.wait(10)
                    self.close_connection = True
                elif step == "reset":
                    self.close_connection = True
                elif step == "half":
                    self.send_response(200)
                    self.send_header("Content-Length", "100")
                    self.end_headers()
                    self.wfile.write(b'{"half":')
                    self.close_connection = True
                elif isinstance(step, Answer):
                    self.answer(step)

            def answer(self, step: Answer) -> None:
                text = step.body if isinstance(step.body, str) else "" if step.body is None else json.dumps(step.body)
                payload = text.encode()
                self.send_response(step.status)
                for name, value in step.headers.items():
                    self.send_header(name, value)
                if step.headers.get("Transfer-Encoding") == "chunked":
                    self.end_headers()
                    for byte in (payload[:3], payload[3:]):
                        self.wfile.write(b"%x\r\n%s\r\n" % (len(byte), byte))
                    self.wfile.write(b"0\r\n\r\n")
                    return
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            do_GET = do_POST = do_PUT = do_DELETE = handle_any

        self._released = released
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "ScriptedServer":
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()
