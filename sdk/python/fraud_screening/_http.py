"""HTTP/1.1 for both clients. Keeps connections open between calls, and holds one try to its time as a whole; over asyncio's
streams nothing blocks the event loop, and a cancelled call ends."""

from __future__ import annotations

import asyncio
import http.client
import io
import select
import socket
import ssl
import threading
import time
import weakref
from typing import Dict, List, Optional, Tuple
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


#: More than the API ever sends in a line; the limit of a header that is not the API's.
LINE_LIMIT = 64 * 1024

Streams = Tuple[asyncio.StreamReader, asyncio.StreamWriter]


class BadAnswer(Exception):
    """Not HTTP."""


class AsyncHttpPool:
    """Connections to one origin, for every event loop that uses the client."""

    def __init__(self, base: str, context: Optional[ssl.SSLContext]) -> None:
        url = urlsplit(base)
        self._host = url.hostname or ""
        self._port = url.port or (443 if url.scheme == "https" else 80)
        self._context = (context or ssl.create_default_context()) if url.scheme == "https" else None
        # A connection belongs to the loop that opened it.
        self._idle: "weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, List[Tuple[Streams, float]]]" = (
            weakref.WeakKeyDictionary()
        )

    async def send(self, request: Request, timeout: float) -> Response:
        try:
            return await asyncio.wait_for(self._exchange(request), timeout)
        except asyncio.TimeoutError as error:
            raise TimedOut from error

    async def close(self) -> None:
        idle = self._idle.pop(asyncio.get_running_loop(), [])
        for (_, writer), _since in idle:
            await _closed(writer)

    async def _exchange(self, request: Request) -> Response:
        reader, writer = self._take() or await asyncio.open_connection(
            self._host, self._port, ssl=self._context, limit=LINE_LIMIT
        )
        try:
            writer.write(_bytes_of(request))
            await writer.drain()
            response, is_reusable = await _read_response(reader)
        except BaseException:
            writer.close()
            raise
        if is_reusable:
            self._idle.setdefault(asyncio.get_running_loop(), []).append(((reader, writer), time.monotonic()))
        else:
            await _closed(writer)
        return response

    def _take(self) -> Optional[Streams]:
        idle = self._idle.get(asyncio.get_running_loop(), [])
        while idle:
            (reader, writer), since = idle.pop()
            if not reader.at_eof() and not writer.is_closing() and time.monotonic() - since <= IDLE_SECONDS:
                return reader, writer
            writer.close()
        return None


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    try:
        await writer.wait_closed()
    except (OSError, ssl.SSLError):
        pass


def _bytes_of(request: Request) -> bytes:
    url = urlsplit(request.url)
    body = request.body or b""
    headers = {"Host": url.netloc, **request.headers}
    if request.method != "GET":
        headers["Content-Length"] = str(len(body))
    lines = [f"{request.method} {url.path}{'?' + url.query if url.query else ''} HTTP/1.1"]
    for name, value in headers.items():
        if "\r" in value or "\n" in value:
            raise ValueError(f"{name} must not have a line break")
        lines.append(f"{name}: {value}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


async def _read_response(reader: asyncio.StreamReader) -> "tuple[Response, bool]":
    status = 100
    while status // 100 == 1:
        version, status = await _read_status(reader)
        headers = await _read_headers(reader)
    is_reusable = version == "HTTP/1.1" and headers.get("connection", "").lower() != "close"
    if status in (204, 304):
        return Response(status, headers, b""), is_reusable
    if "chunked" in headers.get("transfer-encoding", "").lower():
        return Response(status, headers, await _read_chunks(reader)), is_reusable
    length = headers.get("content-length")
    if length is None:
        return Response(status, headers, await reader.read()), False
    return Response(status, headers, await reader.readexactly(_number(length, 10))), is_reusable


async def _read_line(reader: asyncio.StreamReader) -> str:
    line = await reader.readline()
    if not line.endswith(b"\n"):
        raise BadAnswer("The connection was closed before the answer ended")
    return line.decode("latin-1").rstrip("\r\n")


async def _read_status(reader: asyncio.StreamReader) -> "tuple[str, int]":
    version, _, rest = (await _read_line(reader)).partition(" ")
    if not version.startswith("HTTP/1."):
        raise BadAnswer("The answer is not HTTP/1.1")
    return version, _number(rest[:3], 10)


async def _read_headers(reader: asyncio.StreamReader) -> Dict[str, str]:
    headers: Dict[str, str] = {}
    while True:
        line = await _read_line(reader)
        if line == "":
            return headers
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    chunks: List[bytes] = []
    while True:
        size = _number((await _read_line(reader)).partition(";")[0].strip(), 16)
        if size == 0:
            await _read_headers(reader)
            return b"".join(chunks)
        chunks.append(await reader.readexactly(size))
        await reader.readexactly(2)


def _number(text: str, base: int) -> int:
    try:
        number = int(text, base)
    except ValueError as error:
        raise BadAnswer("The answer is not HTTP/1.1") from error
    if number < 0:
        raise BadAnswer("The answer is not HTTP/1.1")
    return number
