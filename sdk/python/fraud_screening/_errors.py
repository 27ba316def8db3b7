from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional, Tuple, TypedDict


class ErrorDetail(TypedDict):
    #: A JSON path into the request, such as ``billing_address.country``.
    field: str
    message: str


class FraudScreeningError(Exception):
    """Every failure of a call. ``code`` says which: one of the API's own, or ``connection_failed``, ``timed_out`` or
    ``unexpected_answer`` if there was no answer of the API."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        retryable: bool,
        attempts: int,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        details: Tuple[ErrorDetail, ...] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        #: True if the same call may succeed later: no response, a timeout, 408, 429, 5xx, a key still in use.
        self.retryable = retryable
        #: How often the call was tried.
        self.attempts = attempts
        #: The HTTP status; None if there was no answer.
        self.status = status
        #: Quote it when you ask the operator of the service about this call.
        self.request_id = request_id
        #: Every fault of the request at once; empty for errors that are not about a field.
        self.details = details


def error_of_answer(status: int, headers: Mapping[str, str], body: bytes, attempts: int) -> FraudScreeningError:
    """The error of an answer that is not the one asked for. A proxy in between may answer with anything."""
    error = _error_in(body)
    request_id = headers.get("x-request-id") or (error or {}).get("request_id")
    is_passing = status in (408, 429) or status >= 500
    if error is None:
        return FraudScreeningError(
            f"HTTP {status} with a body that is not from the API. Check base_url and any proxy in between.",
            code="unexpected_answer",
            retryable=is_passing,
            attempts=attempts,
            status=status,
            request_id=request_id,
        )
    details: List[ErrorDetail] = error.get("details") or []
    return FraudScreeningError(
        message_of(str(error.get("message", "")), details),
        code=error["code"],
        retryable=is_passing or error["code"] == "idempotency_in_progress",
        attempts=attempts,
        status=status,
        request_id=request_id,
        details=tuple(details),
    )


def message_of(message: str, details: List[ErrorDetail]) -> str:
    """The API's message names the first fault; the others are added to it."""
    faults = [f"{fault['field']}: {fault['message']}" for fault in details]
    return "; ".join([message, *(fault for fault in faults if not message.startswith(fault))])


def _error_in(body: bytes) -> Optional[Dict[str, Any]]:
    try:
        error = json.loads(body)["error"]
        return error if isinstance(error["code"], str) else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
