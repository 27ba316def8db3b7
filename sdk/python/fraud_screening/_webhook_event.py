from __future__ import annotations

from typing import List, Literal, Optional, TypedDict, Union

from ._types import Case, Decision, RuleAction, RuleState, ScreenedEvent, Transaction


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


class RuleChange(TypedDict):
    """A change of a rule: the version that it made."""

    change: Literal["created", "updated", "deleted"]
    name: str
    expression: str
    action: RuleAction
    points: Optional[int]
    priority: int
    state: RuleState
    rollout_percent: int
    applies_to: List[str]
    expires_at: Optional[str]
    note: Optional[str]
    override_labels: bool
    version: int
    created_at: str
    updated_at: str
    #: The person, or the ID of the key.
    updated_by: str


class RuleEvent(_Message):
    type: Literal["rule.changed"]
    data: RuleChange


class TestData(TypedDict):
    webhook_id: str
    text: str


class TestEvent(_Message):
    type: Literal["webhook.test"]
    data: TestData


#: A verified delivery; ``event["type"]`` says what ``event["data"]`` is, as its GET would have answered then.
WebhookEvent = Union[TransactionEvent, EventScreenedEvent, CaseEvent, DecisionEvent, ListEvent, RuleEvent, TestEvent]
