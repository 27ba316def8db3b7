"""Client of the Fraud Screening Service: typed, retried, idempotent, without dependencies."""

from ._async_client import AsyncClient
from ._client import Client
from ._errors import FraudScreeningError
from ._fail_policy import FailPolicy, Fallback
from ._options import Attempt, Runtime
from ._types import API_VERSION
from ._version import VERSION as __version__
from ._webhook_event import WebhookEvent
from ._webhooks import RefusalReason, WebhookVerificationError, construct_event

__all__ = [
    "API_VERSION",
    "AsyncClient",
    "Attempt",
    "Client",
    "FailPolicy",
    "Fallback",
    "FraudScreeningError",
    "RefusalReason",
    "Runtime",
    "WebhookEvent",
    "WebhookVerificationError",
    "__version__",
    "construct_event",
]
