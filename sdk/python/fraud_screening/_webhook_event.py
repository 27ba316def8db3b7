from __future__ import annotations

from typing import Literal, TypedDict, Union

from ._types import Case, Decision, ScreenedEvent, Transaction


class _Message(TypedDict):
    #: ``msg_…``: the same on every attempt. Remember the ones you have handled.
    id: str
    created_at: str
    api_version: str
    #: False in the sandbox.
    livemode: bool


class TransactionEvent(_Message):
    type: Literal["transaction.screened", "transaction.decision.block"]
    data: Transaction


class EventScreenedEvent(_Message):
    type: Literal["event.screened"]
    data: ScreenedEvent


class CaseEvent(_Message):
    type: Literal["case.created", "case.resolved"]
    data: Case


class DecisionEvent(_Message):
    type: Literal["decision.reviewed"]
    data: Decision


class ListChange(TypedDict):
    """A change of a list or of its entries, without any of its values."""

    name: str
    type: str
    effect: str
    change: Literal["created", "updated", "deleted", "entries"]
    added: int
    updated: int
    removed: int
    changed_at: str
    #: The person, or the ID of the key; ``expiry`` if entries that had expired were removed.
    changed_by: str


class ListEvent(_Message):
    type: Literal["list.changed"]
    data: ListChange


class TestData(TypedDict):
    webhook_id: str
    text: str


class TestEvent(_Message):
    type: Literal["webhook.test"]
    data: TestData


#: A verified delivery; ``event["type"]`` says what ``event["data"]`` is, as its GET would have answered then.
WebhookEvent = Union[TransactionEvent, EventScreenedEvent, CaseEvent, DecisionEvent, ListEvent, TestEvent]
