from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, Mapping, TypedDict

from ._call import Call, CallOptions, Operation, Sender
from ._errors import FraudScreeningError

#: What a screening returns if the service cannot decide in time (timeout, no connection, 408, 429, 5xx after all
#: retries): ``raise`` the error, or proceed with ``allow`` or ``review``. It never hides an invalid request (4xx).
FailPolicy = Literal["raise", "allow", "review"]


class Fallback(TypedDict):
    """What the fail policy decided, because the service did not. It has no score, no signals and no ID;
    ``if "fallback" in result`` tells it apart from an answer."""

    fallback: Literal[True]
    decision: Literal["allow", "review"]
    #: Why there is no decision of the service.
    error: FraudScreeningError
    #: Screen again with this key when the service is back: if it had worked unseen, nothing counts twice.
    idempotency_key: str


def screen(
    sender: Sender, path: str, body: Mapping[str, Any], policy: FailPolicy, options: CallOptions
) -> Operation[Any]:
    """``POST`` of something to screen, under a fail policy and with its own key."""
    key = options.idempotency_key or sender.runtime.uuid()
    keyed = replace(options, idempotency_key=key)
    try:
        return (yield from sender.send(Call("POST", path, body=body, options=keyed)))
    except FraudScreeningError as error:
        if policy == "raise" or not error.retryable:
            raise
        return Fallback(fallback=True, decision=policy, error=error, idempotency_key=key)
