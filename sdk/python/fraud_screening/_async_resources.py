"""The resources of the async client. ``_resources.py`` is made from this file: ``npm run sdk:types``."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, AsyncIterator, Generic, Literal, Optional, Sequence, TypeVar, Union, overload

from . import _operations as ops
from . import _types as types
from ._call import CallOptions, path_of
from ._fail_policy import FailPolicy, Fallback, screen
from ._webhook_event import WebhookEvent
from ._webhooks import Headers, construct_event

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._async_client import AsyncRunner
    from ._options import CallKeywords, ChangeKeywords, PostKeywords, ScreenEventKeywords, ScreenTransactionKeywords

#: `Fallback` where the client's policy is to allow or to review; nothing where it raises.
F = TypeVar("F")
When = Union[str, datetime, None]
CaseOrder = Literal["newest", "score", "amount", "expires"]



class AsyncTransactions(Generic[F]):
    def __init__(self, runner: AsyncRunner, fail_policy: FailPolicy) -> None:
        self._runner = runner
        self._fail_policy: FailPolicy = fail_policy

    @overload
    async def screen(self, **request: Unpack[ScreenTransactionKeywords]) -> Union[types.Transaction, F]: ...

    @overload
    async def screen(
        self, *, fail_policy: Literal["raise"], **request: Unpack[ScreenTransactionKeywords]
    ) -> types.Transaction: ...

    @overload
    async def screen(
        self, *, fail_policy: Literal["allow", "review"], **request: Unpack[ScreenTransactionKeywords]
    ) -> Union[types.Transaction, Fallback]: ...

    async def screen(self, *, fail_policy: Optional[FailPolicy] = None, **request: Any) -> Any:
        """Scores a payment now. With the decision ``review``, a case opens."""
        body, options = ops.screen_parts(request)
        policy = fail_policy or self._fail_policy
        return await self._runner.run(
            screen(self._runner.sender, "/v1/transactions/screen", body, policy, CallOptions(**options))
        )

    async def get(self, transaction_id: str, **options: Unpack[CallKeywords]) -> types.Transaction:
        """The result of a screening, for 90 days."""
        path = path_of("/v1/transactions/{}", transaction_id)
        return await self._runner.run(ops.get(self._runner.sender, path, options))

    async def add_references(
        self, transaction_id: str, request: types.AddReferencesRequest, **options: Unpack[PostKeywords]
    ) -> types.AddedReferences:
        """Names the transaction as your payment processor does, so that outcomes can arrive by that name."""
        path = path_of("/v1/transactions/{}/references", transaction_id)
        return await self._runner.run(ops.post(self._runner.sender, path, request, options))


class AsyncEvents(Generic[F]):
    def __init__(self, runner: AsyncRunner, fail_policy: FailPolicy) -> None:
        self._runner = runner
        self._fail_policy: FailPolicy = fail_policy

    @overload
    async def screen(self, **request: Unpack[ScreenEventKeywords]) -> Union[types.ScreenedEvent, F]: ...

    @overload
    async def screen(self, *, fail_policy: Literal["raise"], **request: Unpack[ScreenEventKeywords]) -> types.ScreenedEvent: ...

    @overload
    async def screen(
        self, *, fail_policy: Literal["allow", "review"], **request: Unpack[ScreenEventKeywords]
    ) -> Union[types.ScreenedEvent, Fallback]: ...

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
    async def risk_profile(self, user_id: str, **options: Unpack[CallKeywords]) -> types.RiskProfile:
        """What is known of a user of yours. Raises ``not_found`` for one that was never seen."""
        path = path_of("/v1/users/{}/risk-profile", user_id)
        return await self._runner.run(ops.get(self._runner.sender, path, options))

    async def links(self, user_id: str, **options: Unpack[CallKeywords]) -> types.UserLinks:
        """What a user was seen with, and who else was: two hops, at most 50 nodes."""
        return await self._runner.run(ops.get(self._runner.sender, path_of("/v1/users/{}/links", user_id), options))

    async def export(self, user_id: str, *, cursor: Optional[str] = None, **options: Unpack[PostKeywords]) -> types.UserExport:
        """Everything held about a user, in parts: pass ``next_cursor`` for the next one."""
        path = path_of("/v1/users/{}/export", user_id)
        return await self._runner.run(ops.post(self._runner.sender, path, None, options, dict(cursor=cursor)))

    async def erase(
        self, user_id: str, *, everything: bool = False, **options: Unpack[CallKeywords]
    ) -> types.RequestedErasure:
        """Erases a user: the profile at once, the rest within 24 hours; evidence of fraud only with ``everything``."""
        query = {"everything": "true"} if everything else {}
        path = path_of("/v1/users/{}", user_id)
        return await self._runner.run(ops.send_delete(self._runner.sender, path, options, query))

    async def erasure(self, erasure_id: str, **options: Unpack[CallKeywords]) -> types.Erasure:
        """How far an erasure has come."""
        return await self._runner.run(ops.get(self._runner.sender, path_of("/v1/erasures/{}", erasure_id), options))

    async def forget_labels(self, user_id: str, reason: str, **options: Unpack[PostKeywords]) -> types.ForgottenLabels:
        """Takes back what fraud labels did to a victim's user, devices and cards."""
        path = path_of("/v1/users/{}/forget-labels", user_id)
        return await self._runner.run(ops.post(self._runner.sender, path, {"reason": reason}, options))


class AsyncOutcomes(_AsyncResource):
    """What became of transactions and events: chargebacks, fraud warnings, reports."""

    async def record(self, request: types.RecordOutcomeRequest, **options: Unpack[PostKeywords]) -> types.Outcome:
        """Reports an outcome. The same ``source_id`` and ``type`` again return the same response and have no second
        effect."""
        return await self._runner.run(ops.post(self._runner.sender, "/v1/outcomes", request, options))


class AsyncKeys(_AsyncResource):
    async def me(self, **options: Unpack[CallKeywords]) -> types.Me:
        """Whose key this is, and what it may do."""
        return await self._runner.run(ops.get(self._runner.sender, "/v1/me", options))

    async def list(self, **options: Unpack[CallKeywords]) -> types.ApiKeyList:
        """The keys of the account, without the keys themselves; for admins."""
        return await self._runner.run(ops.get(self._runner.sender, "/v1/keys", options))


class AsyncOverviews(_AsyncResource):
    async def get(
        self, *, start_date: When = None, end_date: When = None, **options: Unpack[CallKeywords]
    ) -> types.Overview:
        """The account's counts per hour, or per day if the range starts more than eight days back."""
        query = dict(start_date=start_date, end_date=end_date)
        return await self._runner.run(ops.get(self._runner.sender, "/v1/overview", options, query))


class AsyncWebhookEndpoints(_AsyncResource):
    async def create(self, request: types.CreateWebhookRequest, **options: Unpack[PostKeywords]) -> types.CreatedWebhook:
        """Registers an endpoint. ``signing_secret`` is in this answer and never again."""
        return await self._runner.run(ops.post(self._runner.sender, "/v1/webhooks", request, options))

    async def list(self, **options: Unpack[CallKeywords]) -> types.WebhookList:
        return await self._runner.run(ops.get(self._runner.sender, "/v1/webhooks", options))

    async def delete(self, webhook_id: str, **options: Unpack[CallKeywords]) -> None:
        await self._runner.run(ops.delete(self._runner.sender, path_of("/v1/webhooks/{}", webhook_id), options))

    async def test(self, webhook_id: str, **options: Unpack[PostKeywords]) -> types.Delivery:
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
        status: Optional[types.DeliveryStatus] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        **options: Unpack[CallKeywords],
    ) -> types.DeliveryList:
        """One page, newest first."""
        path = path_of("/v1/webhooks/{}/deliveries", webhook_id)
        query = dict(status=status, limit=limit, offset=offset)
        return await self._runner.run(ops.get(self._runner.sender, path, options, query))

    async def all(
        self,
        webhook_id: str,
        *,
        status: Optional[types.DeliveryStatus] = None,
        limit: Optional[int] = None,
        **options: Unpack[CallKeywords],
    ) -> AsyncIterator[types.Delivery]:
        """Every delivery, newest first, page by page as you ask for them. With a ``status``, one that leaves it on the
        way may hide another. The API reads back 10,000 at most."""
        walk = ops.DeliveryWalk(webhook_id, dict(status=status, limit=limit))
        while not walk.is_done:
            for each in await self._runner.run(walk.next_page(self._runner.sender, options)):
                yield each

    async def redeliver(self, webhook_id: str, delivery_id: str, **options: Unpack[PostKeywords]) -> types.Delivery:
        """Sends the message of a delivery once more: the same ID and bytes, in a new delivery."""
        path = path_of("/v1/webhooks/{}/deliveries/{}/redeliver", webhook_id, delivery_id)
        return await self._runner.run(ops.post(self._runner.sender, path, None, options))


class AsyncDecisions(_AsyncResource):
    """Decisions, by their own ID or by that of the transaction or event."""

    async def get(self, id: str, **options: Unpack[CallKeywords]) -> types.ReportedDecision:
        return await self._runner.run(ops.get(self._runner.sender, path_of("/v1/decisions/{}", id), options))

    async def evidence(
        self, id: str, *, analyst_id: Optional[str] = None, **options: Unpack[CallKeywords]
    ) -> types.Evidence:
        """What was sent with it, as far as it was kept and the key may see it. Each look is on record."""
        path = path_of("/v1/decisions/{}/evidence", id)
        return await self._runner.run(ops.get(self._runner.sender, path, options, dict(analyst_id=analyst_id)))

    async def review(self, id: str, request: types.ReviewDecisionRequest, **options: Unpack[PostKeywords]) -> types.Decision:
        """Overrides a decision by hand: ``block`` says it was fraud, ``allow`` that it was not."""
        path = path_of("/v1/decisions/{}/review", id)
        return await self._runner.run(ops.post(self._runner.sender, path, request, options))

    async def list(
        self,
        *,
        user_id: Optional[str] = None,
        decision: Optional[types.DecisionName] = None,
        outcome: Optional[Literal["missed_fraud"]] = None,
        reference: Optional[str] = None,
        seen_with: Optional[str] = None,
        start_date: When = None,
        end_date: When = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        **options: Unpack[CallKeywords],
    ) -> types.DecisionList:
        """One page, newest first. Name a user, an outcome, or a decision other than ``allow``."""
        query = dict(user_id=user_id, decision=decision, outcome=outcome, start_date=start_date, end_date=end_date)
        query.update(reference=reference, seen_with=seen_with)
        paged = dict(query, limit=limit, cursor=cursor)
        return await self._runner.run(ops.get(self._runner.sender, "/v1/decisions", options, paged))

    async def all(
        self,
        *,
        user_id: Optional[str] = None,
        decision: Optional[types.DecisionName] = None,
        outcome: Optional[Literal["missed_fraud"]] = None,
        reference: Optional[str] = None,
        seen_with: Optional[str] = None,
        start_date: When = None,
        end_date: When = None,
        **options: Unpack[CallKeywords],
    ) -> AsyncIterator[types.DecisionListDecision]:
        """Every decision that matches, newest first, page by page as you ask for them."""
        query = dict(user_id=user_id, decision=decision, outcome=outcome, start_date=start_date, end_date=end_date)
        query.update(reference=reference, seen_with=seen_with)
        walk = ops.CursorWalk("/v1/decisions", "decisions", query)
        while not walk.is_done:
            for each in await self._runner.run(walk.next_page(self._runner.sender, options)):
                yield each



class AsyncCases(_AsyncResource):
    async def list(
        self,
        *,
        status: Optional[types.CaseStatus] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        start_date: When = None,
        end_date: When = None,
        **options: Unpack[CallKeywords],
    ) -> types.CaseList:
        """One page, newest first."""
        query = dict(status=status, limit=limit, offset=offset, start_date=start_date, end_date=end_date)
        return await self._runner.run(ops.get(self._runner.sender, "/v1/cases", options, query))

    async def all(
        self,
        *,
        status: Optional[types.CaseStatus] = None,
        limit: Optional[int] = None,
        start_date: When = None,
        end_date: When = None,
        **options: Unpack[CallKeywords],
    ) -> AsyncIterator[types.Case]:
        """Every case that matches, newest first, page by page as you ask for them. You may resolve cases as you go."""
        walk = ops.CaseWalk(dict(status=status, limit=limit, start_date=start_date, end_date=end_date))
        while not walk.is_done:
            for each in await self._runner.run(walk.next_page(self._runner.sender, options)):
                yield each

    async def get(self, case_id: str, **options: Unpack[CallKeywords]) -> types.Case:
        return await self._runner.run(ops.get(self._runner.sender, path_of("/v1/cases/{}", case_id), options))

    async def resolve(self, case_id: str, request: types.ResolveCaseRequest, **options: Unpack[CallKeywords]) -> types.Case:
        """Closes an open case. Raises ``case_not_open`` if somebody was faster or the case has expired."""
        return await self._runner.run(ops.resolve_case(self._runner.sender, case_id, request, options))

    async def search(
        self,
        *,
        status: Optional[types.CaseStatus] = None,
        user_id: Optional[str] = None,
        assignee: Optional[str] = None,
        resolved_by: Optional[str] = None,
        signal: Optional[str] = None,
        min_score: Optional[int] = None,
        max_score: Optional[int] = None,
        subject_type: Optional[types.SubjectType] = None,
        sort: CaseOrder = "newest",
        start_date: When = None,
        end_date: When = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        **options: Unpack[CallKeywords],
    ) -> types.CaseList:
        """One page of a search. Pages go by ``next_cursor``, and ``total`` is None."""
        who = dict(user_id=user_id, assignee=assignee, resolved_by=resolved_by)
        what = dict(status=status, signal=signal, subject_type=subject_type, min_score=min_score, max_score=max_score)
        page = dict(sort=sort, start_date=start_date, end_date=end_date, limit=limit, cursor=cursor)
        return await self._runner.run(ops.get(self._runner.sender, "/v1/cases", options, {**who, **what, **page}))

    async def claim(
        self, case_id: str, request: Optional[types.ClaimCaseRequest] = None, **options: Unpack[PostKeywords]
    ) -> types.Case:
        """Claims an open case for 15 minutes, or renews your claim. Raises ``case_claimed`` while somebody else has it."""
        path = path_of("/v1/cases/{}/claim", case_id)
        return await self._runner.run(ops.post(self._runner.sender, path, request or {}, options))

    async def release(self, case_id: str, *, analyst_id: Optional[str] = None, **options: Unpack[CallKeywords]) -> None:
        """Ends a claim before its time. Name the holder unless the key is the holder's own."""
        path = path_of("/v1/cases/{}/claim", case_id)
        await self._runner.run(ops.send_delete(self._runner.sender, path, options, dict(analyst_id=analyst_id)))

    async def comment(self, case_id: str, request: types.CommentCaseRequest, **options: Unpack[PostKeywords]) -> types.CaseComment:
        path = path_of("/v1/cases/{}/comments", case_id)
        return await self._runner.run(ops.post(self._runner.sender, path, request, options))

    async def timeline(self, case_id: str, **options: Unpack[CallKeywords]) -> types.CaseTimeline:
        """Everything that happened to the subject of a case, oldest first."""
        return await self._runner.run(ops.get(self._runner.sender, path_of("/v1/cases/{}/timeline", case_id), options))

    async def resolve_all(self, request: types.ResolveCasesRequest, **options: Unpack[PostKeywords]) -> types.CaseResults:
        """Resolves up to 100 cases; ``results`` tells how each ended. None is ever decided twice."""
        return await self._runner.run(ops.post(self._runner.sender, "/v1/cases/resolve", request, options))


class AsyncRules(_AsyncResource):
    async def put(self, name: str, request: types.PutRuleRequest, **options: Unpack[ChangeKeywords]) -> types.Rule:
        """Creates a rule or changes it; what you leave out has its default."""
        return await self._runner.run(ops.put(self._runner.sender, path_of("/v1/rules/{}", name), request, options))

    async def test(self, request: types.TestRuleRequest, **options: Unpack[CallKeywords]) -> types.RuleTest:
        """What a rule would have done to your own traffic; nothing is changed."""
        return await self._runner.run(ops.post(self._runner.sender, "/v1/rules/test", request, options))

    async def get_test(self, test_id: str, **options: Unpack[CallKeywords]) -> types.RuleTest:
        """The result of a test over more than 90 days, once its ``status`` is ``complete``."""
        return await self._runner.run(ops.get(self._runner.sender, path_of("/v1/rule-tests/{}", test_id), options))

    async def list(self, **options: Unpack[CallKeywords]) -> types.RuleList:
        return await self._runner.run(ops.get(self._runner.sender, "/v1/rules", options))

    async def get(self, name: str, **options: Unpack[CallKeywords]) -> types.Rule:
        return await self._runner.run(ops.get(self._runner.sender, path_of("/v1/rules/{}", name), options))

    async def versions(self, name: str, **options: Unpack[CallKeywords]) -> types.RuleVersionList:
        """Every version of a rule, newest first."""
        return await self._runner.run(ops.get(self._runner.sender, path_of("/v1/rules/{}/versions", name), options))

    async def delete(self, name: str, **options: Unpack[ChangeKeywords]) -> None:
        await self._runner.run(ops.delete(self._runner.sender, path_of("/v1/rules/{}", name), options))


class AsyncAttributes(_AsyncResource):
    async def put(self, key: str, request: types.PutAttributeRequest, **options: Unpack[CallKeywords]) -> types.Attribute:
        """Declares it, or changes it; what you leave out has its default."""
        return await self._runner.run(ops.put(self._runner.sender, path_of("/v1/attributes/{}", key), request, options))

    async def list(self, **options: Unpack[CallKeywords]) -> types.AttributeList:
        return await self._runner.run(ops.get(self._runner.sender, "/v1/attributes", options))

    async def delete(self, key: str, **options: Unpack[CallKeywords]) -> None:
        """Raises ``in_use`` while a rule or counter needs it."""
        await self._runner.run(ops.delete(self._runner.sender, path_of("/v1/attributes/{}", key), options))


class AsyncEventTypes(_AsyncResource):
    async def put(self, name: str, request: types.PutEventTypeRequest, **options: Unpack[CallKeywords]) -> types.DeclaredEventType:
        """Declares it, or changes it; what you leave out has its default."""
        return await self._runner.run(ops.put(self._runner.sender, path_of("/v1/event-types/{}", name), request, options))

    async def list(self, **options: Unpack[CallKeywords]) -> types.EventTypeList:
        return await self._runner.run(ops.get(self._runner.sender, "/v1/event-types", options))

    async def delete(self, name: str, **options: Unpack[CallKeywords]) -> None:
        """Raises ``in_use`` while a rule or counter needs it."""
        await self._runner.run(ops.delete(self._runner.sender, path_of("/v1/event-types/{}", name), options))


class AsyncCounters(_AsyncResource):
    async def put(self, name: str, request: types.PutCounterRequest, **options: Unpack[CallKeywords]) -> types.Counter:
        """Declares it, or changes it; what you leave out has its default."""
        return await self._runner.run(ops.put(self._runner.sender, path_of("/v1/counters/{}", name), request, options))

    async def list(self, **options: Unpack[CallKeywords]) -> types.CounterList:
        return await self._runner.run(ops.get(self._runner.sender, "/v1/counters", options))

    async def get(self, name: str, **options: Unpack[CallKeywords]) -> types.Counter:
        return await self._runner.run(ops.get(self._runner.sender, path_of("/v1/counters/{}", name), options))

    async def delete(self, name: str, **options: Unpack[CallKeywords]) -> None:
        """Raises ``in_use`` while a rule or counter needs it."""
        await self._runner.run(ops.delete(self._runner.sender, path_of("/v1/counters/{}", name), options))


class AsyncLists(_AsyncResource):
    async def put(self, name: str, request: types.PutListRequest, **options: Unpack[CallKeywords]) -> types.List:
        """Creates a list, or changes its effect and note."""
        return await self._runner.run(ops.put(self._runner.sender, path_of("/v1/lists/{}", name), request, options))

    async def list(self, **options: Unpack[CallKeywords]) -> types.Lists:
        return await self._runner.run(ops.get(self._runner.sender, "/v1/lists", options))

    async def get(self, name: str, **options: Unpack[CallKeywords]) -> types.List:
        return await self._runner.run(ops.get(self._runner.sender, path_of("/v1/lists/{}", name), options))

    async def delete(self, name: str, **options: Unpack[CallKeywords]) -> None:
        await self._runner.run(ops.delete(self._runner.sender, path_of("/v1/lists/{}", name), options))

    async def add_entries(
        self, name: str, request: types.AddListEntriesRequest, **options: Unpack[PostKeywords]
    ) -> types.AddedListEntries:
        """Adds up to 1,000 entries; that may take seconds: give it a longer ``attempt_timeout``, or send fewer.

        Those that are rejected do not affect the others.
        """
        path = path_of("/v1/lists/{}/entries", name)
        return await self._runner.run(ops.post(self._runner.sender, path, request, options))

    async def entries(
        self,
        name: str,
        *,
        value: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        **options: Unpack[CallKeywords],
    ) -> types.ListEntryPage:
        """One page of entries; with ``value``, only the entry that stands for it."""
        path = path_of("/v1/lists/{}/entries", name)
        query = dict(value=value, limit=limit, cursor=cursor)
        return await self._runner.run(ops.get(self._runner.sender, path, options, query))

    async def all_entries(self, name: str, **options: Unpack[CallKeywords]) -> AsyncIterator[types.ListEntry]:
        """Every entry, page by page as you ask for them."""
        walk = ops.CursorWalk(path_of("/v1/lists/{}/entries", name), "entries", {})
        while not walk.is_done:
            for each in await self._runner.run(walk.next_page(self._runner.sender, options)):
                yield each

    async def delete_entry(self, name: str, value: str, **options: Unpack[CallKeywords]) -> None:
        await self._runner.run(ops.delete(self._runner.sender, path_of("/v1/lists/{}/entries/{}", name, value), options))
