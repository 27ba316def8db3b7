"""Calls as generators: they say what to send and how long to wait, and a client, sync or async, does it.

Retries, idempotency and the fail policy are therefore written once.
"""

from __future__ import annotations

import email.utils
import json
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Callable, Dict, Generator, Mapping, Optional, TypeVar, Union
from urllib.parse import quote, urlencode

from ._errors import FraudScreeningError, error_of_answer
from ._options import Attempt, Limits, Runtime
from ._types import API_VERSION
from ._version import VERSION

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: Optional[bytes] = field(repr=False)


@dataclass(frozen=True)
class Response:
    status: int
    #: Names in lower case.
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Send:
    """One try. It is answered with a response, or with the exception that prevented one."""

    request: Request
    timeout: float


@dataclass(frozen=True)
class Sleep:
    seconds: float


Step = Union[Send, Sleep]
StepResult = Union[Response, Exception, None]
Operation = Generator[Step, StepResult, T]


class TimedOut(Exception):
    """No complete response within the time for one try."""


@dataclass(frozen=True)
class CallOptions:
    """Limits of one call; the client's apply where it names none."""

    timeout: Optional[float] = None
    attempt_timeout: Optional[float] = None
    max_retries: Optional[int] = None
    idempotency_key: Optional[str] = None
    traceparent: Optional[str] = None


@dataclass(frozen=True)
class Call:
    method: str
    #: Made by `path_of`, so that IDs are escaped.
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Optional[Mapping[str, Any]] = None
    options: CallOptions = CallOptions()
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sender:
    """Sends calls of one client until they are answered or given up."""

    base: str
    #: In nothing that a log would print.
    api_key: str = field(repr=False)
    limits: Limits
    runtime: Runtime
    on_attempt: Optional[Callable[[Attempt], None]]

    def send(self, call: Call) -> Operation[Any]:
        limits, runtime = self._limits_of(call.options), self.runtime
        request = self._request_of(call)
        deadline = runtime.now() + limits.timeout
        attempt = 0
        while True:
            attempt += 1
            started_at = runtime.now()
            timeout = max(0.0, min(limits.attempt_timeout, deadline - started_at))
            result = yield Send(request, timeout)
            response = result if isinstance(result, Response) else None
            answer, error = _outcome_of(result, request, timeout, attempt)
            wait = self._wait_after(error, response, attempt) if attempt <= limits.max_retries else None
            # A wait that would end past the deadline is not begun: the caller hears of the failure now.
            retry_in = wait if wait is not None and runtime.now() + wait < deadline else None
            if self.on_attempt is not None:
                self.on_attempt(
                    Attempt(
                        method=call.method,
                        path=call.path,
                        attempt=attempt,
                        status=response.status if response else None,
                        request_id=response.headers.get("x-request-id") if response else None,
                        duration=runtime.now() - started_at,
                        retry_in=retry_in,
                    )
                )
            if error is None:
                return answer
            if retry_in is None:
                raise error from (result if isinstance(result, Exception) else None)
            yield Sleep(retry_in)

    def _limits_of(self, options: CallOptions) -> Limits:
        own = self.limits
        return Limits(
            timeout=own.timeout if options.timeout is None else options.timeout,
            attempt_timeout=own.attempt_timeout if options.attempt_timeout is None else options.attempt_timeout,
            max_retries=own.max_retries if options.max_retries is None else options.max_retries,
        )

    def _request_of(self, call: Call) -> Request:
        """The same on every try, the key of a POST included."""
        query = urlencode({name: _text_of(value) for name, value in call.query.items() if value is not None})
        headers: Dict[str, str] = {
            "Accept": "application/json",
            "Authorization": f"Bearer {self.api_key}",
            "User-Agent": f"fraud-screening-python/{VERSION}",
            "X-Api-Version": API_VERSION,
            **call.headers,
        }
        body = None
        if call.body is not None:
            body = json.dumps(call.body, ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")
            headers["Content-Type"] = "application/json"
        if call.method == "POST":
            headers["Idempotency-Key"] = call.options.idempotency_key or self.runtime.uuid()
        if call.options.traceparent:
            headers["traceparent"] = call.options.traceparent
        return Request(call.method, f"{self.base}{call.path}{'?' + query if query else ''}", headers, body)

    def _wait_after(
        self, error: Optional[FraudScreeningError], response: Optional[Response], attempt: int
    ) -> Optional[float]:
        if error is None or not error.retryable:
            return None
        asked = retry_after(response.headers.get("retry-after") if response else None, self.runtime.now())
        return backoff(attempt, self.runtime.random(), asked or 0.0)


def _outcome_of(
    result: StepResult, request: Request, timeout: float, attempt: int
) -> "tuple[Any, Optional[FraudScreeningError]]":
    if isinstance(result, Response):
        if not 200 <= result.status < 300:
            return None, error_of_answer(result.status, result.headers, result.body, attempt)
        try:
            return (json.loads(result.body) if result.body else None), None
        except (ValueError, RecursionError):
            return None, error_of_answer(result.status, result.headers, result.body, attempt)
    if isinstance(result, TimedOut):
        code, message = "timed_out", f"No response within {round(timeout * 1000)} ms"
    else:
        code, message = "connection_failed", f"No connection to {request.url.split('/')[2]}"
    return None, FraudScreeningError(message, code=code, retryable=True, attempts=attempt)


def path_of(template: str, *ids: str) -> str:
    """``/v1/users/{}/risk-profile`` with the IDs put in. A segment that a URL cannot carry would call another route."""
    for each in ids:
        if each in ("", ".", ".."):
            raise ValueError(f'Not a valid ID for a URL: "{each}"')
    return template.format(*(quote(each, safe="") for each in ids))


BASE_SECONDS = 0.2
CAP_SECONDS = 5.0


def backoff(attempt: int, random: float, retry_after: float = 0.0) -> float:
    """Seconds to wait after a failed try (from 1): full jitter, because clients that failed together would otherwise
    come back together. What ``Retry-After`` asks for is the least; the jitter comes on top of it."""
    return retry_after + random * min(CAP_SECONDS, BASE_SECONDS * 2 ** (attempt - 1))


def retry_after(header: Optional[str], now: float) -> Optional[float]:
    """``Retry-After`` in seconds: whole seconds or an HTTP date. None if it is absent or not understood."""
    if header is None:
        return None
    if header.isascii() and header.isdigit() and len(header) <= 9:
        return float(header)
    try:
        at = email.utils.parsedate_to_datetime(header) if header.endswith(" GMT") else None
    except (TypeError, ValueError):
        return None
    return None if at is None else max(0.0, at.timestamp() - now)


def _text_of(value: Any) -> str:
    if not isinstance(value, datetime):
        return str(value)
    # A time without a zone is the machine's own, as everywhere in Python.
    return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
