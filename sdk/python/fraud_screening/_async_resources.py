from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, AsyncIterator, Generic, Literal, Optional, Sequence, TypeVar, Union, overload

from . import _operations as ops
from ._call import CallOptions, path_of
from ._fail_policy import FailPolicy, Fallback, screen
from ._types import (
    AddedReferences,
    ApiKeyList,
    CreatedWebhook,
    Delivery,
    DeliveryList,
    DeliveryStatus,
    Erasure,
    ForgottenLabels,
    Me,
    Outcome,
    Overview,
    RequestedErasure,
    RiskProfile,
    ScreenedEvent,
    Transaction,
    UserExport,
    UserLinks,
    WebhookList,
)
from ._webhook_event import WebhookEvent
from ._webhooks import Headers, construct_event

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import CallKeywords, PostKeywords, ScreenEventKeywords, ScreenTransactionKeywords
    from ._types import AddReferencesRequest, CreateWebhookRequest, RecordOutcomeRequest
    from ._async_client import AsyncRunner

#: `Fallback` where the client's policy is to allow or to review; nothing where it raises.
F = TypeVar("F")
When = Union[str, datetime, None]


class AsyncTransactions(Generic[F]):
    def __init__(self, runner: AsyncRunner, fail_policy: FailPolicy) -> None:
        self._runner = runner
        self._fail_policy: FailPolicy = fail_policy

    @overload
    async def screen(self, **request: Unpack[ScreenTransactionKeywords]) -> Union[Transaction, F]: ...

    @overload
    async def screen(
        self, *, fail_policy: Literal["raise"], **request: Unpack[ScreenTransactionKeywords]
    ) -> Transaction: ...

    @overload
    async def screen(
        self, *, fail_policy: Literal["allow", "review"], **request: Unpack[ScreenTransactionKeywords]
    ) -> Union[Transaction, Fallback]: ...

    async def screen(self, *, fail_policy: Optional[FailPolicy] = None, **request: Any) -> Any:
        """Scores a payment now. With the decision ``review``, a case opens."""
        body, options = ops.screen_parts(request)
        policy = fail_policy or self._fail_policy
        return await self._runner.run(
            screen(self._runner.sender, "/v1/transactions/screen", body, policy, CallOptions(**options))
        )

    async def get(self, transaction_id: str, **options: Unpack[CallKeywords]) -> Transaction:
        """The result of a screening, for 90 days."""
        path = path_of("/v1/transactions/{}", transaction_id)
        return await self._runner.run(ops.get(self._runner.sender, path, options))

    async def add_references(
        self, transaction_id: str, request: AddReferencesRequest, **options: Unpack[PostKeywords]
    ) -> AddedReferences:
        """Names the transaction as your payment processor does, so that outcomes can arrive by that name."""
        path = path_of("/v1/transactions/{}/references", transaction_id)
        return await self._runner.run(ops.post(self._runner.sender, path, request, options))


class AsyncEvents(Generic[F]):
    def __init__(self, runner: AsyncRunner, fail_policy: FailPolicy) -> None:
        self._runner = runner
        self._fail_policy: FailPolicy = fail_policy

    @overload
    async def screen(self, **request: Unpack[ScreenEventKeywords]) -> Union[ScreenedEvent, F]: ...

    @overload
    async def screen(self, *, fail_policy: Literal["raise"], **request: Unpack[ScreenEventKeywords]) -> ScreenedEvent: ...

    @overload
    async def screen(
        self, *, fail_policy: Literal["allow", "review"], **request: Unpack[ScreenEventKeywords]
    ) -> Union[ScreenedEvent, Fallback]: ...

    async def screen(self, *, fail_policy: Optional[FailPolicy] = None, **request: Any) -> Any:
        """Scores a login, a signup, a change of payout details and the like."""
        body, options = ops.screen_parts(request)
        policy = fail_policy or self._fail_policy
        return await self._runner.run(
            screen(self._runner.sender, "/v1/events", body, policy, CallOptions(**options))
        )


class _AsyncResource:
    def __init__(self, runner: AsyncRunner) -> None:
        self._runner = runner


class AsyncUsers(_AsyncResource):
    async def risk_profile(self, user_id: str, **options: Unpack[CallKeywords]) -> RiskProfile:
        """What is known of a user of yours. Raises ``not_found`` for one that was never seen."""
        path = path_of("/v1/users/{}/risk-profile", user_id)
        return await self._runner.run(ops.get(self._runner.sender, path, options))

    async def links(self, user_id: str, **options: Unpack[CallKeywords]) -> UserLinks:
        """What a user was seen with, and who else was: two hops, at most 50 nodes."""
        return await self._runner.run(ops.get(self._runner.sender, path_of("/v1/users/{}/links", user_id), options))

    async def export(self, user_id: str, *, cursor: Optional[str] = None, **options: Unpack[PostKeywords]) -> UserExport:
        """Everything held about a user, in parts: pass ``next_cursor`` for the next one."""
        path = path_of("/v1/users/{}/export", user_id)
        return await self._runner.run(ops.post(self._runner.sender, path, None, options, dict(cursor=cursor)))

    async def erase(self, user_id: str, **options: Unpack[CallKeywords]) -> RequestedErasure:
        """Erases a user: the profile at once, the rest within 24 hours."""
        return await self._runner.run(ops.send_delete(self._runner.sender, path_of("/v1/users/{}", user_id), options))

    async def erasure(self, erasure_id: str, **options: Unpack[CallKeywords]) -> Erasure:
        """How far an erasure has come."""
        return await self._runner.run(ops.get(self._runner.sender, path_of("/v1/erasures/{}", erasure_id), options))

    async def forget_labels(self, user_id: str, reason: str, **options: Unpack[PostKeywords]) -> ForgottenLabels:
        """Takes back what fraud labels did to a victim's user, devices and cards."""
        path = path_of("/v1/users/{}/forget-labels", user_id)
        return await self._runner.run(ops.post(self._runner.sender, path, {"reason": reason}, options))


class AsyncOutcomes(_AsyncResource):
    """What became of transactions and events: chargebacks, fraud warnings, reports."""

    async def record(self, request: RecordOutcomeRequest, **options: Unpack[PostKeywords]) -> Outcome:
        """Reports an outcome. The same ``source_id`` and ``type`` again return the same response and have no second
        effect."""
        return await self._runner.run(ops.post(self._runner.sender, "/v1/outcomes", request, options))


class AsyncKeys(_AsyncResource):
    async def me(self, **options: Unpack[CallKeywords]) -> Me:
        """Whose key this is, and what it may do."""
        return await self._runner.run(ops.get(self._runner.sender, "/v1/me", options))

    async def list(self, **options: Unpack[CallKeywords]) -> ApiKeyList:
        """The keys of the account, without the keys themselves; for admins."""
        return await self._runner.run(ops.get(self._runner.sender, "/v1/keys", options))


class AsyncOverviews(_AsyncResource):
    async def get(
        self, *, start_date: When = None, end_date: When = None, **options: Unpack[CallKeywords]
    ) -> Overview:
        """The account's counts per hour, or per day if the range starts more than eight days back."""
        query = dict(start_date=start_date, end_date=end_date)
        return await self._runner.run(ops.get(self._runner.sender, "/v1/overview", options, query))


class AsyncWebhookEndpoints(_AsyncResource):
    async def create(self, request: CreateWebhookRequest, **options: Unpack[PostKeywords]) -> CreatedWebhook:
        """Registers an endpoint. ``signing_secret`` is in this answer and never again."""
        return await self._runner.run(ops.post(self._runner.sender, "/v1/webhooks", request, options))

    async def list(self, **options: Unpack[CallKeywords]) -> WebhookList:
        return await self._runner.run(ops.get(self._runner.sender, "/v1/webhooks", options))

    async def delete(self, webhook_id: str, **options: Unpack[CallKeywords]) -> None:
        await self._runner.run(ops.delete(self._runner.sender, path_of("/v1/webhooks/{}", webhook_id), options))

    async def test(self, webhook_id: str, **options: Unpack[PostKeywords]) -> Delivery:
        """Sends a message of the type ``webhook.test``, to see whether it arrives."""
        path = path_of("/v1/webhooks/{}/test", webhook_id)
        return await self._runner.run(ops.post(self._runner.sender, path, None, options))

    def construct_event(
        self,
        payload: Union[bytes, bytearray, str],
        headers: Headers,
        secrets: Union[str, Sequence[str]],
        *,
        tolerance_seconds: float = 300,
    ) -> WebhookEvent:
        """See `fraud_screening.construct_event`, which needs no client."""
        return construct_event(payload, headers, secrets, tolerance_seconds=tolerance_seconds)


class AsyncDeliveries(_AsyncResource):
    """What was sent to a webhook endpoint in the last 30 days."""

    async def list(
        self,
        webhook_id: str,
        *,
        status: Optional[DeliveryStatus] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        **options: Unpack[CallKeywords],
    ) -> DeliveryList:
        """One page, newest first."""
        path = path_of("/v1/webhooks/{}/deliveries", webhook_id)
        query = dict(status=status, limit=limit, offset=offset)
        return await self._runner.run(ops.get(self._runner.sender, path, options, query))

    async def all(
        self,
        webhook_id: str,
        *,
        status: Optional[DeliveryStatus] = None,
        limit: Optional[int] = None,
        **options: Unpack[CallKeywords],
    ) -> AsyncIterator[Delivery]:
        """Every delivery, newest first, page by page as you ask for them. With a ``status``, one that leaves it on the
        way may hide another. The API reads back 10,000 at most."""
        walk = ops.DeliveryWalk(webhook_id, dict(status=status, limit=limit))
        while not walk.is_done:
            for each in await self._runner.run(walk.next_page(self._runner.sender, options)):
                yield each

    async def redeliver(self, webhook_id: str, delivery_id: str, **options: Unpack[PostKeywords]) -> Delivery:
        """Sends the message of a delivery once more: the same ID and bytes, in a new delivery."""
        path = path_of("/v1/webhooks/{}/deliveries/{}/redeliver", webhook_id, delivery_id)
        return await self._runner.run(ops.post(self._runner.sender, path, None, options))
