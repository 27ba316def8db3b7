"""Verification of webhook deliveries; needs no client."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from typing import Callable, List, Literal, Mapping, Optional, Sequence, Union, cast

from ._webhook_event import WebhookEvent

RefusalReason = Literal[
    "missing_header",
    "malformed_header",
    "timestamp_too_old",
    "timestamp_too_new",
    "signature_mismatch",
    "malformed_payload",
]

Headers = Mapping[str, Union[str, Sequence[str]]]


class WebhookVerificationError(Exception):
    """A delivery that is not to be trusted: answer it with 400 and do nothing else."""

    def __init__(self, reason: RefusalReason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True)
class _Signature:
    """One dialect: what it says it signed, and the signatures it offers."""

    timestamp: str
    #: Signed before the body.
    prefix: str
    offered: Sequence[str]
    key_of: Callable[[str], bytes]
    encode: Callable[[bytes], str]


def construct_event(
    payload: Union[bytes, bytearray, str],
    headers: Headers,
    secrets: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = 300,
    now_seconds: Optional[float] = None,
) -> WebhookEvent:
    """Verifies a delivery and returns its event; raises `WebhookVerificationError`.

    Reads the Standard Webhooks headers (``webhook-id``, ``webhook-timestamp``, ``webhook-signature``) and
    ``X-Service-Signature``: one family is enough, but every family that came must be right.

    :param payload: the raw body, before any JSON parser
    :param secrets: the endpoint's ``signing_secret``; several while you move from one endpoint to the next
    :param tolerance_seconds: how far the delivery's clock may be from yours, in both directions
    """
    keys = _checked_secrets([secrets] if isinstance(secrets, str) else secrets)
    body = _bytes_of(payload)
    by_name = {name.lower(): value for name, value in headers.items()}

    def header(name: str) -> Optional[str]:
        value = by_name.get(name)
        if value is None or isinstance(value, str):
            return value
        if len(value) > 1:
            raise WebhookVerificationError("malformed_header", f"{name} is present more than once")
        return value[0] if value else None

    signatures = [each for each in (_standard(header), _service(header)) if each is not None]
    if not signatures:
        raise WebhookVerificationError(
            "missing_header", "Neither webhook-signature nor X-Service-Signature is present"
        )
    now = time.time() if now_seconds is None else now_seconds
    for signature in signatures:
        _check_time(signature.timestamp, now, tolerance_seconds)
    # Every secret is tried, so that time tells nothing of which it was; one secret must make all the signatures.
    matches = [all([_is_signed(signature, secret, body) for signature in signatures]) for secret in keys]
    if True not in matches:
        raise WebhookVerificationError(
            "signature_mismatch",
            "The signature does not match any of the given secrets. "
            "Check that you passed the raw body and this endpoint's secret.",
        )
    return _event_of(body, header("webhook-id"))


def _checked_secrets(secrets: Sequence[str]) -> Sequence[str]:
    """Anyone can make an HMAC with an empty key, so anything that is not a secret is refused."""
    if not secrets:
        raise ValueError("No signing secret was given")
    for secret in secrets:
        if not re.fullmatch(r"whsec_[A-Za-z0-9+/]{4,}={0,2}", secret):
            raise ValueError("A signing secret is whsec_ followed by base64, as returned by POST /v1/webhooks")
    return secrets


def _bytes_of(payload: Union[bytes, bytearray, str]) -> bytes:
    if isinstance(payload, str):
        return payload.encode("utf-8", "surrogatepass")
    if isinstance(payload, (bytes, bytearray, memoryview)):
        # A copy: nobody can change what was verified before it is parsed.
        return bytes(payload)
    raise TypeError("Pass the raw body: parsing and re-serializing it changes the signature")


def _check_time(timestamp: str, now: float, tolerance: float) -> None:
    # Strict digits: int() would let ' 1760000000' pass for the text that was signed.
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("malformed_header", "The timestamp is not in whole seconds")
    age = int(now) - int(timestamp)
    if age > tolerance:
        raise WebhookVerificationError("timestamp_too_old", f"Signed {age} s ago: a replay or a wrong clock")
    if age < -tolerance:
        raise WebhookVerificationError("timestamp_too_new", f"Signed {-age} s in the future: a replay or a wrong clock")


def _standard(header: Callable[[str], Optional[str]]) -> Optional[_Signature]:
    """Standard Webhooks, which Svix speaks too. Its signature covers the ID."""
    signature = header("webhook-signature")
    if not signature:
        return None
    message_id, timestamp = header("webhook-id"), header("webhook-timestamp")
    if not message_id or not timestamp:
        raise WebhookVerificationError("missing_header", "webhook-id or webhook-timestamp is missing")
    return _Signature(
        timestamp=timestamp,
        prefix=f"{message_id}.{timestamp}.",
        offered=[one[len("v1,") :] for one in signature.split(" ") if one.startswith("v1,")],
        key_of=_key_behind_prefix,
        encode=lambda digest: base64.b64encode(digest).decode("ascii"),
    )


def _key_behind_prefix(secret: str) -> bytes:
    text = secret[len("whsec_") :].rstrip("=")
    return base64.b64decode(text + "=" * (-len(text) % 4))


def _service(header: Callable[[str], Optional[str]]) -> Optional[_Signature]:
    """``X-Service-Signature``, made like Stripe's."""
    signature = header("x-service-signature")
    if not signature:
        return None
    fields: List["tuple[str, str]"] = []
    for part in signature.split(","):
        name, _, value = part.partition("=")
        fields.append((name, value))
    timestamps = [value for name, value in fields if name == "t"]
    if len(timestamps) != 1 or timestamps[0] == "":
        raise WebhookVerificationError("malformed_header", "X-Service-Signature must have exactly one t")
    return _Signature(
        timestamp=timestamps[0],
        prefix=f"{timestamps[0]}.",
        offered=[value for name, value in fields if name == "v1"],
        key_of=lambda secret: secret.encode("ascii"),
        encode=lambda digest: digest.hex(),
    )


def _is_signed(signature: _Signature, secret: str, body: bytes) -> bool:
    """In constant time, over the encoded text: the last base64 character of 32 bytes has two idle bits, and hex has two
    cases, so that decoding first would accept a header that was tampered with."""
    signed = signature.prefix.encode("utf-8", "surrogatepass") + body
    expected = signature.encode(hmac.new(signature.key_of(secret), signed, hashlib.sha256).digest()).encode("ascii")
    offered = [one.encode("utf-8", "surrogatepass") for one in signature.offered]
    return True in [hmac.compare_digest(one, expected) for one in offered]


def _event_of(body: bytes, webhook_id: Optional[str]) -> WebhookEvent:
    try:
        event = json.loads(body)
    except (ValueError, RecursionError):
        raise WebhookVerificationError("malformed_payload", "The body is signed but is not JSON") from None
    # X-Service-Signature does not cover the webhook-id header; the body, which is signed, has the ID too.
    is_event = isinstance(event, dict) and isinstance(event.get("id"), str) and isinstance(event.get("type"), str)
    if not is_event or (webhook_id is not None and webhook_id != event["id"]):
        raise WebhookVerificationError("malformed_payload", "The body is signed but does not match webhook-id")
    return cast(WebhookEvent, event)
