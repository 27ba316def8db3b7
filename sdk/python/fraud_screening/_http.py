"""HTTP/1.1 for the sync client: keeps connections open between calls, and holds one try to its time as a whole."""

from __future__ import annotations

import http.client
import io
import select
import socket
import ssl
import threading
import time
from typing import Dict, List, Optional
from urllib.parse import urlsplit

from ._call import Request, Response, TimedOut

#: API Gateway closes a connection that was idle for longer; a proxy in between may be less patient.
IDLE_SECONDS = 30.0


class _Deadline:
    def __init__(self, seconds: float) -> None:
        self._ends_at = time.monotonic() + seconds

    def left(self) -> float:
        left = self._ends_at - time.monotonic()
        if left <= 0:
            raise TimedOut
        return left


class _TimedReader(io.RawIOBase):
    """Reads from a socket until the deadline, however slowly the bytes come."""

    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        super().__init__()
        self._sock = sock
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:  # type: ignore[no-untyped-def,override]
        self._sock.settimeout(self._deadline.left())
        return self._sock.recv_into(buffer)


class _TimedSocket:
    """What `http.client` needs of a socket; it is closed by the connection that owns it."""

    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        self._sock = sock
        self._deadline = deadline

    def makefile(self, *_args: object, **_kwargs: object) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self._sock, self._deadline))

    def sendall(self, data: bytes) -> None:
        self._sock.settimeout(self._deadline.left())
        self._sock.sendall(data)

    def close(self) -> None:
        pass


class _Connection:
    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.idle_since = time.monotonic()

    def is_usable(self) -> bool:
        """A socket that can be read while nobody was asked anything was closed by the other end."""
        if time.monotonic() - self.idle_since > IDLE_SECONDS:
            return False
        readable, _, _ = select.select([self.sock], [], [], 0)
        return not readable

    def close(self) -> None:
        self.sock.close()


class HttpPool:
    """Connections to one origin. May be shared by threads."""

    def __init__(self, base: str, context: Optional[ssl.SSLContext]) -> None:
        url = urlsplit(base)
        self._host = url.hostname or ""
        self._port = url.port or (443 if url.scheme == "https" else 80)
        self._context = (context or ssl.create_default_context()) if url.scheme == "https" else None
        self._idle: List[_Connection] = []
        self._lock = threading.Lock()

    def send(self, request: Request, timeout: float) -> Response:
        deadline = _Deadline(timeout)
        try:
            connection = self._take() or self._connect(deadline)
            try:
                response, is_reusable = self._exchange(connection, request, deadline)
            except BaseException:
                connection.close()
                raise
        except socket.timeout as error:
            raise TimedOut from error
        self._give_back(connection, is_reusable)
        return response

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _take(self) -> Optional[_Connection]:
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None or connection.is_usable():
                return connection
            connection.close()

    def _give_back(self, connection: _Connection, is_reusable: bool) -> None:
        if not is_reusable:
            connection.close()
            return
        connection.idle_since = time.monotonic()
        with self._lock:
            self._idle.append(connection)

    def _connect(self, deadline: _Deadline) -> _Connection:
        sock = socket.create_connection((self._host, self._port), deadline.left())
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._context is not None:
                sock.settimeout(deadline.left())
                sock = self._context.wrap_socket(sock, server_hostname=self._host)
        except BaseException:
            sock.close()
            raise
        return _Connection(sock)

    def _exchange(self, connection: _Connection, request: Request, deadline: _Deadline) -> "tuple[Response, bool]":
        url = urlsplit(request.url)
        client = http.client.HTTPConnection(self._host, self._port)
        client.sock = _TimedSocket(connection.sock, deadline)  # type: ignore[assignment]
        target = f"{url.path}{'?' + url.query if url.query else ''}"
        headers = {"Host": url.netloc, **request.headers}
        client.request(request.method, target, body=request.body, headers=headers)
        answer = client.getresponse()
        body = answer.read()
        return Response(answer.status, lower_case(answer.getheaders()), body), not answer.will_close


def lower_case(headers: "List[tuple[str, str]]") -> Dict[str, str]:
    return {name.lower(): value for name, value in headers}
