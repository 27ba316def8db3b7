from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, AsyncIterator, Generic, Literal, Optional, Sequence, TypeVar, Union, overload

from . import _operations as ops
from ._call import CallOptions, path_of
from ._fail_policy import FailPolicy, Fallback, screen
from ._types import (
    Case,
    CaseList,
    CaseStatus,
    CreatedWebhook,
    Decision,
    Delivery,
    DeliveryList,
    DeliveryStatus,
    Overview,
    RiskProfile,
    ScreenedEvent,
    Transaction,
    WebhookList,
)
from ._webhook_event import WebhookEvent
from ._webhooks import Headers, construct_event

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import CallKeywords, PostKeywords, ScreenEventKeywords, ScreenTransactionKeywords
    from ._types import CreateWebhookRequest, ResolveCaseRequest, ReviewDecisionRequest
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


class AsyncDecisions(_AsyncResource):
    """Decisions, by their own ID or by that of the transaction or event."""

    async def get(self, id: str, **options: Unpack[CallKeywords]) -> Decision:
        return await self._runner.run(ops.get(self._runner.sender, path_of("/v1/decisions/{}", id), options))

    async def review(self, id: str, request: ReviewDecisionRequest, **options: Unpack[PostKeywords]) -> Decision:
        """Overrides a decision by hand: ``block`` says it was fraud, ``allow`` that it was not."""
        path = path_of("/v1/decisions/{}/review", id)
        return await self._runner.run(ops.post(self._runner.sender, path, request, options))


class AsyncCases(_AsyncResource):
    async def list(
        self,
        *,
        status: Optional[CaseStatus] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        start_date: When = None,
        end_date: When = None,
        **options: Unpack[CallKeywords],
    ) -> CaseList:
        """One page, newest first."""
        query = dict(status=status, limit=limit, offset=offset, start_date=start_date, end_date=end_date)
        return await self._runner.run(ops.get(self._runner.sender, "/v1/cases", options, query))

    async def all(
        self,
        *,
        status: Optional[CaseStatus] = None,
        limit: Optional[int] = None,
        start_date: When = None,
        end_date: When = None,
        **options: Unpack[CallKeywords],
    ) -> AsyncIterator[Case]:
        """Every case that matches, newest first, page by page as you ask for them. You may resolve cases as you go."""
        walk = ops.CaseWalk(dict(status=status, limit=limit, start_date=start_date, end_date=end_date))
        while not walk.is_done:
            for each in await self._runner.run(walk.next_page(self._runner.sender, options)):
                yield each

    async def get(self, case_id: str, **options: Unpack[CallKeywords]) -> Case:
        return await self._runner.run(ops.get(self._runner.sender, path_of("/v1/cases/{}", case_id), options))

    async def resolve(self, case_id: str, request: ResolveCaseRequest, **options: Unpack[CallKeywords]) -> Case:
        """Closes an open case. Raises ``case_not_open`` if somebody was faster or the case has expired."""
        return await self._runner.run(ops.resolve_case(self._runner.sender, case_id, request, options))


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
        await self._runner.run(ops.delete_webhook(self._runner.sender, webhook_id, options))

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
