"""Keyword arguments of the methods, for type checkers."""

from __future__ import annotations

from typing import Optional, TypedDict

from ._types import ScreenEventRequest, ScreenTransactionRequest


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
