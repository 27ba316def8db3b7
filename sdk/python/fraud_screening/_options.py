from __future__ import annotations

import random
import re
import time
import uuid
from dataclasses import dataclass, field
from typing import Callable, Optional, TypedDict
from urllib.parse import urlsplit

from ._types import ScreenEventRequest, ScreenTransactionRequest

#: For the whole call, retries and waits included, in seconds.
DEFAULT_TIMEOUT = 15.0
#: For one try, in seconds.
DEFAULT_ATTEMPT_TIMEOUT = 5.0
#: Tries after the first.
DEFAULT_MAX_RETRIES = 3


@dataclass(frozen=True)
class Attempt:
    """What happened to one try of a call, for your logs and metrics. It holds nothing personal."""

    method: str
    #: With the IDs in it, without the query.
    path: str
    #: From 1.
    attempt: int
    #: None if there was no answer.
    status: Optional[int]
    request_id: Optional[str]
    duration: float
    #: Seconds until the next try; None if there is none.
    retry_in: Optional[float]


@dataclass(frozen=True)
class Runtime:
    """What the client takes from the platform; tests pass their own."""

    now: Callable[[], float] = field(default=time.time)
    #: None waits as the platform does, without blocking an event loop.
    sleep: Optional[Callable[[float], None]] = None
    random: Callable[[], float] = field(default=random.random)
    uuid: Callable[[], str] = field(default=lambda: str(uuid.uuid4()))


@dataclass(frozen=True)
class Limits:
    timeout: float = DEFAULT_TIMEOUT
    attempt_timeout: float = DEFAULT_ATTEMPT_TIMEOUT
    max_retries: int = DEFAULT_MAX_RETRIES


def checked_base_url(base_url: str) -> str:
    """The base without a slash at its end. Refuses what can only be a mistake."""
    if not base_url:
        raise ValueError("base_url is empty: pass the ApiUrl of your deployment, or http://localhost:3000")
    url = urlsplit(base_url)
    is_local = url.hostname in ("localhost", "127.0.0.1", "::1")
    # The API key travels with every request.
    if not url.hostname or (url.scheme != "https" and not (url.scheme == "http" and is_local)):
        raise ValueError(f"base_url must be https, or http on localhost: {url.scheme}://{url.hostname or ''}")
    if url.username or url.query or url.fragment:
        raise ValueError("base_url must not have a user, query or fragment")
    base = f"{url.scheme}://{url.netloc}{url.path}".rstrip("/")
    if base.endswith("/v1"):
        raise ValueError("base_url must not include /v1; the client adds it")
    return base


def checked_api_key(api_key: str) -> str:
    if not re.fullmatch(r"sk_(test|live)_[A-Za-z0-9_]+", api_key or ""):
        raise ValueError("api_key must be a key such as sk_test_…")
    return api_key


class CallKeywords(TypedDict, total=False):
    #: For the whole call, retries and waits included, in seconds.
    timeout: Optional[float]
    #: For one try, in seconds.
    attempt_timeout: Optional[float]
    #: Tries after the first.
    max_retries: Optional[int]
    #: Your trace (W3C Trace Context): the service logs its ID, and hands it on to webhooks about what was screened.
    traceparent: Optional[str]


class PostKeywords(CallKeywords, total=False):
    #: Makes the call happen once in 24 hours, however often it is sent. By default a new one for every call.
    idempotency_key: Optional[str]


class ChangeKeywords(CallKeywords, total=False):
    #: The version that you saw: if the rule has changed since, the call fails with ``version_mismatch``.
    if_version: Optional[int]


class ScreenTransactionKeywords(ScreenTransactionRequest, PostKeywords):
    pass


class ScreenEventKeywords(ScreenEventRequest, PostKeywords):
    pass
