# Written by `npm run sdk:types` from the schemas of the API. Do not edit.
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

#: The version of the API that these types describe, and that every request pins.
API_VERSION = "2026-11-14"

RiskLevel = Literal["low", "elevated", "high"]


DecisionName = Literal["allow", "challenge", "review", "block"]


PaymentMethod = Literal["card", "bank", "wallet", "crypto"]


UserAction = Literal[
    "login",
    "signup",
    "password_reset",
    "password_change",
    "email_change",
    "phone_change",
    "payout_change",
    "profile_update",
]


CaseStatus = Literal["open", "approved", "rejected", "expired"]


SubjectType = Literal["transaction", "event"]


EventType = Literal[
    "transaction.screened",
    "transaction.decision.block",
    "event.screened",
    "case.created",
    "case.resolved",
    "decision.reviewed",
    "list.changed",
]


DeliveryStatus = Literal["pending", "delivered", "failed", "cancelled"]


RuleAction = Literal["allow", "block", "challenge", "review", "points"]


RuleState = Literal["draft", "shadow", "active", "paused"]


ListEffect = Literal["allow", "block", "challenge", "review", "none"]


ErrorCode = Literal[
    "invalid_request",
    "unsupported_api_version",
    "unauthorized",
    "forbidden",
    "not_found",
    "method_not_allowed",
    "case_not_open",
    "case_claimed",
    "list_type_fixed",
    "idempotency_in_progress",
    "version_mismatch",
    "payload_too_large",
    "unsupported_media_type",
    "idempotency_mismatch",
    "rate_limited",
    "internal_error",
    "unavailable",
]


class _ScreenTransactionRequestRequired(TypedDict):
    user_id: str
    amount: float
    currency: str


class ScreenTransactionRequest(_ScreenTransactionRequestRequired, total=False):
    ip_address: str
    device_fingerprint: str
    custom_attributes: Dict[str, str]
    payment_method: PaymentMethod
    billing_address: BillingAddress


class TransactionDecidedBy(TypedDict):
    kind: Literal["score", "rule", "list", "sandbox"]
    name: Optional[str]


class _TransactionRequired(TypedDict):
    transaction_id: str
    decision_id: str
    user_id: str
    amount: float
    currency: str
    risk_score: int
    risk_level: RiskLevel
    decision: DecisionName
    decided_by: TransactionDecidedBy
    rules: List[AppliedRule]
    lists: List[str]
    signals: List[str]
    explanation: Explanation
    model_version: str
    case_id: Optional[str]
    screened_at: str


class Transaction(_TransactionRequired, total=False):
    warnings: List[str]


class RiskProfileTransactions(TypedDict):
    count: int
    allowed: int
    reviewed: int
    blocked: int
    amount_by_currency: Dict[str, float]
    last_24h: int
    last_7d: int


class RiskProfileEvents(TypedDict):
    count: int
    by_type: Dict[str, int]


class RiskProfileDevicesRecent(TypedDict):
    device: str
    last_seen_at: str


class RiskProfileDevices(TypedDict):
    count: int
    recent: List[RiskProfileDevicesRecent]


class RiskProfileIpAddresses(TypedDict):
    count: int
    countries: List[str]


class RiskProfileOutcomes(TypedDict):
    confirmed_fraud: int
    confirmed_legitimate: int


class RiskProfileRecentActivityTransactionsLast10m(TypedDict):
    count: int
    amount_usd: float


class RiskProfileRecentActivityTransactionsLast1h(TypedDict):
    count: int
    amount_usd: float


class RiskProfileRecentActivityTransactionsLast24h(TypedDict):
    count: int
    amount_usd: float


class RiskProfileRecentActivityTransactionsLast7d(TypedDict):
    count: int
    amount_usd: float


class RiskProfileRecentActivityTransactionsLast30d(TypedDict):
    count: int
    amount_usd: float


class RiskProfileRecentActivityTransactions(TypedDict):
    last_10m: RiskProfileRecentActivityTransactionsLast10m
    last_1h: RiskProfileRecentActivityTransactionsLast1h
    last_24h: RiskProfileRecentActivityTransactionsLast24h
    last_7d: RiskProfileRecentActivityTransactionsLast7d
    last_30d: RiskProfileRecentActivityTransactionsLast30d


class RiskProfileRecentActivityFailedLogins(TypedDict):
    last_10m: int
    last_1h: int
    last_24h: int


class RiskProfileRecentActivityLastChange(TypedDict):
    event_type: UserAction
    at: str


class RiskProfileRecentActivityLastPlace(TypedDict):
    country: str
    network: str
    at: str


class RiskProfileRecentActivity(TypedDict):
    transactions: RiskProfileRecentActivityTransactions
    failed_logins: RiskProfileRecentActivityFailedLogins
    last_changes: List[RiskProfileRecentActivityLastChange]
    last_place: Optional[RiskProfileRecentActivityLastPlace]
    by_time_of_day: List[int]


class _RiskProfileRequired(TypedDict):
    user_id: str
    risk_score: int
    risk_level: RiskLevel
    signals: List[str]
    first_seen_at: str
    last_seen_at: str
    transactions: RiskProfileTransactions
    events: RiskProfileEvents
    devices: RiskProfileDevices
    ip_addresses: RiskProfileIpAddresses
    outcomes: RiskProfileOutcomes
    recent_activity: RiskProfileRecentActivity


class RiskProfile(_RiskProfileRequired, total=False):
    warnings: List[str]


class _ScreenEventRequestRequired(TypedDict):
    user_id: str
    event_type: UserAction


class ScreenEventRequest(_ScreenEventRequestRequired, total=False):
    ip_address: str
    device_fingerprint: str
    custom_attributes: Dict[str, str]
    outcome: Literal["succeeded", "failed"]


class ScreenedEventDecidedBy(TypedDict):
    kind: Literal["score", "rule", "list", "sandbox"]
    name: Optional[str]


class _ScreenedEventRequired(TypedDict):
    event_id: str
    decision_id: str
    event_type: UserAction
    user_id: str
    risk_score: int
    risk_level: RiskLevel
    decision: DecisionName
    decided_by: ScreenedEventDecidedBy
    rules: List[AppliedRule]
    lists: List[str]
    signals: List[str]
    explanation: Explanation
    model_version: str
    case_id: Optional[str]
    screened_at: str


class ScreenedEvent(_ScreenedEventRequired, total=False):
    warnings: List[str]


class DecisionDecidedBy(TypedDict):
    kind: Literal["score", "rule", "list", "sandbox"]
    name: Optional[str]


class _DecisionReviewRequired(TypedDict):
    decision: Literal["allow", "block"]
    analyst_id: Optional[str]
    notes: Optional[str]
    reviewed_at: str


class DecisionReview(_DecisionReviewRequired, total=False):
    reason_code: str


class _DecisionRequired(TypedDict):
    decision_id: str
    subject_type: SubjectType
    subject_id: str
    user_id: str
    decision: DecisionName
    automated_decision: DecisionName
    decided_by: DecisionDecidedBy
    rules: List[AppliedRule]
    lists: List[str]
    shadow_rules: List[AppliedRule]
    risk_score: int
    signals: List[str]
    explanation: Explanation
    model_version: str
    case_id: Optional[str]
    decided_at: str
    review: Optional[DecisionReview]


class Decision(_DecisionRequired, total=False):
    amount: float
    currency: str
    event_type: UserAction
    warnings: List[str]


class _ReviewDecisionRequestRequired(TypedDict):
    decision: Literal["allow", "block"]


class ReviewDecisionRequest(_ReviewDecisionRequestRequired, total=False):
    analyst_id: str
    notes: str
    reason_code: str


class _CaseListRequired(TypedDict):
    cases: List[Case]
    total: Optional[int]
    limit: int
    offset: int
    has_more: bool


class CaseList(_CaseListRequired, total=False):
    next_cursor: Optional[str]
    warnings: List[str]


class _CaseRequired(TypedDict):
    case_id: str
    subject_type: SubjectType
    subject_id: str
    user_id: str
    status: CaseStatus
    risk_score: int
    decision: Literal["review"]
    signals: List[str]
    created_at: str
    expires_at: str
    resolved_at: Optional[str]
    resolved_by: Optional[str]
    notes: Optional[str]
    assignee: Optional[str]
    claimed_until: Optional[str]
    comments: int


class Case(_CaseRequired, total=False):
    amount: float
    currency: str
    event_type: UserAction
    reason_code: str
    warnings: List[str]


class _ResolveCaseRequestRequired(TypedDict):
    status: Literal["approved", "rejected"]


class ResolveCaseRequest(_ResolveCaseRequestRequired, total=False):
    analyst_id: str
    notes: str
    reason_code: str
    force: bool


class ClaimCaseRequest(TypedDict, total=False):
    analyst_id: str


class _CommentCaseRequestRequired(TypedDict):
    text: str


class CommentCaseRequest(_CommentCaseRequestRequired, total=False):
    analyst_id: str


class _CaseCommentRequired(TypedDict):
    comment_id: str
    case_id: str
    text: str
    actor: str
    at: str


class CaseComment(_CaseCommentRequired, total=False):
    warnings: List[str]


class _CaseTimelineEntryRequired(TypedDict):
    at: str
    actor: Optional[str]
    kind: Literal["screened", "case_opened", "claimed", "released", "commented", "resolved", "reviewed", "corrected", "expired"]


class CaseTimelineEntry(_CaseTimelineEntryRequired, total=False):
    proven: bool
    key_id: str
    decision: DecisionName
    previous_decision: DecisionName
    risk_score: int
    text: str
    notes: Optional[str]
    reason_code: str


class _CaseTimelineRequired(TypedDict):
    entries: List[CaseTimelineEntry]


class CaseTimeline(_CaseTimelineRequired, total=False):
    warnings: List[str]


class _ResolveCasesRequestRequired(TypedDict):
    status: Literal["approved", "rejected"]
    case_ids: List[str]


class ResolveCasesRequest(_ResolveCasesRequestRequired, total=False):
    analyst_id: str
    notes: str
    reason_code: str
    force: bool


class CaseResultsResult(TypedDict):
    case_id: str
    status: Literal["ok", "invalid_request", "unsupported_api_version", "unauthorized", "forbidden", "not_found", "method_not_allowed", "case_not_open", "case_claimed", "list_type_fixed", "idempotency_in_progress", "version_mismatch", "payload_too_large", "unsupported_media_type", "idempotency_mismatch", "rate_limited", "internal_error", "unavailable"]


class _CaseResultsRequired(TypedDict):
    results: List[CaseResultsResult]


class CaseResults(_CaseResultsRequired, total=False):
    warnings: List[str]


class OverviewScreenings(TypedDict):
    total: int
    transactions: int
    events: int
    allow: int
    challenge: int
    review: int
    block: int


class OverviewDecision(TypedDict):
    at: str
    allow: int
    challenge: int
    review: int
    block: int


OverviewScore = TypedDict(
    "OverviewScore",
    {
        "from": "int",
        "to": "int",
        "allow": "int",
        "challenge": "int",
        "review": "int",
        "block": "int",
        "confirmed_fraud": "int",
        "confirmed_legitimate": "int",
    },
)


class OverviewSignal(TypedDict):
    signal: str
    count: int
    confirmed_fraud: int
    confirmed_legitimate: int


class OverviewOutcomesAllow(TypedDict):
    confirmed_fraud: int
    confirmed_legitimate: int


class OverviewOutcomesChallenge(TypedDict):
    confirmed_fraud: int
    confirmed_legitimate: int


class OverviewOutcomesReview(TypedDict):
    confirmed_fraud: int
    confirmed_legitimate: int


class OverviewOutcomesBlock(TypedDict):
    confirmed_fraud: int
    confirmed_legitimate: int


class OverviewOutcomes(TypedDict):
    allow: OverviewOutcomesAllow
    challenge: OverviewOutcomesChallenge
    review: OverviewOutcomesReview
    block: OverviewOutcomesBlock


class OverviewCases(TypedDict):
    opened: int
    open: int
    approved: int
    rejected: int
    expired: int


class _OverviewRequired(TypedDict):
    start_date: str
    end_date: str
    interval: Literal["hour", "day"]
    screenings: OverviewScreenings
    decisions: List[OverviewDecision]
    scores: List[OverviewScore]
    signals: List[OverviewSignal]
    outcomes: OverviewOutcomes
    cases: OverviewCases
    review_precision: Optional[float]


class Overview(_OverviewRequired, total=False):
    warnings: List[str]


class _CreateWebhookRequestRequired(TypedDict):
    url: str
    events: List[EventType]


class CreateWebhookRequest(_CreateWebhookRequestRequired, total=False):
    label: str


class _CreatedWebhookRequired(TypedDict):
    webhook_id: str
    url: str
    events: List[EventType]
    label: Optional[str]
    status: Literal["enabled", "disabled"]
    created_at: str
    signing_secret: str


class CreatedWebhook(_CreatedWebhookRequired, total=False):
    disabled_at: str
    disabled_reason: Literal["gone", "failing"]
    warnings: List[str]


class _WebhookListRequired(TypedDict):
    webhooks: List[Webhook]


class WebhookList(_WebhookListRequired, total=False):
    warnings: List[str]


class _DeliveryRequired(TypedDict):
    delivery_id: str
    webhook_id: str
    message_id: str
    event_type: Literal["transaction.screened", "transaction.decision.block", "event.screened", "case.created", "case.resolved", "decision.reviewed", "list.changed", "webhook.test"]
    status: DeliveryStatus
    reason: Optional[Literal["attempts_exhausted", "endpoint_gone", "endpoint_deleted", "endpoint_disabled"]]
    attempt: int
    next_attempt_at: Optional[str]
    completed_at: Optional[str]
    created_at: str
    redelivery_of: Optional[str]
    attempts: List[DeliveryAttempt]


class Delivery(_DeliveryRequired, total=False):
    warnings: List[str]


class _DeliveryListRequired(TypedDict):
    deliveries: List[Delivery]
    limit: int
    offset: int
    has_more: bool


class DeliveryList(_DeliveryListRequired, total=False):
    warnings: List[str]


class _MeRequired(TypedDict):
    account_id: str
    key_id: str
    person: Optional[str]
    role: str
    permissions: List[str]
    reason_codes: List[str]


class Me(_MeRequired, total=False):
    warnings: List[str]


class _DecisionListRequired(TypedDict):
    decisions: List[Decision]
    next_cursor: Optional[str]


class DecisionList(_DecisionListRequired, total=False):
    warnings: List[str]


class RuleMatches(TypedDict):
    last_24h: int
    last_7d: int


class _RuleRequired(TypedDict):
    name: str
    expression: str
    action: RuleAction
    points: Optional[int]
    priority: int
    state: RuleState
    rollout_percent: int
    applies_to: List[Literal["transaction", "login", "signup", "password_reset", "password_change", "email_change", "phone_change", "payout_change", "profile_update"]]
    expires_at: Optional[str]
    note: Optional[str]
    override_labels: bool
    version: int
    created_at: str
    updated_at: str
    updated_by: str
    matches: RuleMatches


class Rule(_RuleRequired, total=False):
    warnings: List[str]


class RuleVersionListVersion(TypedDict):
    name: str
    expression: str
    action: RuleAction
    points: Optional[int]
    priority: int
    state: RuleState
    rollout_percent: int
    applies_to: List[Literal["transaction", "login", "signup", "password_reset", "password_change", "email_change", "phone_change", "payout_change", "profile_update"]]
    expires_at: Optional[str]
    note: Optional[str]
    override_labels: bool
    version: int
    created_at: str
    updated_at: str
    updated_by: str


class _RuleVersionListRequired(TypedDict):
    versions: List[RuleVersionListVersion]


class RuleVersionList(_RuleVersionListRequired, total=False):
    warnings: List[str]


class _RuleListRequired(TypedDict):
    rules: List[Rule]


class RuleList(_RuleListRequired, total=False):
    warnings: List[str]


class _PutRuleRequestRequired(TypedDict):
    expression: str
    action: RuleAction


class PutRuleRequest(_PutRuleRequestRequired, total=False):
    points: Optional[int]
    priority: Optional[int]
    state: Optional[RuleState]
    rollout_percent: Optional[int]
    applies_to: Optional[List[Literal["transaction", "login", "signup", "password_reset", "password_change", "email_change", "phone_change", "payout_change", "profile_update"]]]
    expires_at: Optional[str]
    note: Optional[str]
    override_labels: Optional[bool]


class UserLinksNode(TypedDict):
    id: str
    type: str
    label: str
    confirmed_fraud: bool
    users: int


UserLinksEdge = TypedDict(
    "UserLinksEdge",
    {
        "from": "str",
        "to": "str",
        "since": "str",
    },
)


class _UserLinksRequired(TypedDict):
    nodes: List[UserLinksNode]
    edges: List[UserLinksEdge]
    truncated: bool


class UserLinks(_UserLinksRequired, total=False):
    warnings: List[str]


class _PutListRequestRequired(TypedDict):
    type: str
    effect: ListEffect


class PutListRequest(_PutListRequestRequired, total=False):
    note: Optional[str]


class _ListRequired(TypedDict):
    name: str
    type: str
    effect: ListEffect
    note: Optional[str]
    entries: int
    created_at: str
    updated_at: str


class List(_ListRequired, total=False):
    warnings: List[str]


class _ListsRequired(TypedDict):
    lists: List[List]


class Lists(_ListsRequired, total=False):
    warnings: List[str]


class _AddListEntriesRequestEntryRequired(TypedDict):
    value: str


class AddListEntriesRequestEntry(_AddListEntriesRequestEntryRequired, total=False):
    expires_at: Optional[str]
    reason: Optional[str]


class AddListEntriesRequest(TypedDict):
    entries: List[AddListEntriesRequestEntry]


class AddedListEntriesRejected(TypedDict):
    index: int
    message: str


class _AddedListEntriesRequired(TypedDict):
    added: int
    updated: int
    rejected: List[AddedListEntriesRejected]


class AddedListEntries(_AddedListEntriesRequired, total=False):
    warnings: List[str]


class _ListEntryPageRequired(TypedDict):
    entries: List[ListEntry]
    next_cursor: Optional[str]


class ListEntryPage(_ListEntryPageRequired, total=False):
    warnings: List[str]


class _RequestedErasureRequired(TypedDict):
    erasure_id: str


class RequestedErasure(_RequestedErasureRequired, total=False):
    warnings: List[str]


class UserExportComment(TypedDict):
    case_id: str
    at: str
    actor: str
    text: str


class _UserExportRequired(TypedDict):
    user_id: str
    exported_at: str
    profile: Optional[RiskProfile]
    decisions: List[Decision]
    cases: List[Case]
    comments: List[UserExportComment]
    links: Optional[UserLinks]
    next_cursor: Optional[str]


class UserExport(_UserExportRequired, total=False):
    warnings: List[str]


class ForgetLabelsRequest(TypedDict):
    reason: str


class ForgottenLabelsForgotten(TypedDict):
    users: int
    devices: int
    cards: int


class _ForgottenLabelsRequired(TypedDict):
    user_id: str
    forgotten: ForgottenLabelsForgotten
    forgotten_at: str


class ForgottenLabels(_ForgottenLabelsRequired, total=False):
    warnings: List[str]


class _ErasureRequired(TypedDict):
    erasure_id: str
    status: Literal["pending", "completed"]
    requested_at: str
    requested_by: str
    completed_at: Optional[str]
    items_checked: int
    erased: Dict[str, int]


class Erasure(_ErasureRequired, total=False):
    warnings: List[str]


class ErrorBodyErrorDetail(TypedDict):
    field: str
    message: str


class _ErrorBodyErrorRequired(TypedDict):
    code: ErrorCode
    message: str
    request_id: str


class ErrorBodyError(_ErrorBodyErrorRequired, total=False):
    details: List[ErrorBodyErrorDetail]


class ErrorBody(TypedDict):
    error: ErrorBodyError


class ExplanationContribution(TypedDict):
    signal: str
    points: int
    detail: str


class _ExplanationWhatIfRequired(TypedDict):
    change: Literal["amount", "known_device", "known_place", "without_signal"]
    decision: DecisionName


class ExplanationWhatIf(_ExplanationWhatIfRequired, total=False):
    at_most: float
    signal: str


class _ExplanationRequired(TypedDict):
    base: int
    contributions: List[ExplanationContribution]


class Explanation(_ExplanationRequired, total=False):
    what_if: List[ExplanationWhatIf]


class BillingAddress(TypedDict, total=False):
    line1: str
    line2: str
    city: str
    state: str
    postal_code: str
    country: str


class _WebhookRequired(TypedDict):
    webhook_id: str
    url: str
    events: List[EventType]
    label: Optional[str]
    status: Literal["enabled", "disabled"]
    created_at: str


class Webhook(_WebhookRequired, total=False):
    disabled_at: str
    disabled_reason: Literal["gone", "failing"]


class DeliveryAttempt(TypedDict):
    attempt: int
    started_at: str
    duration_ms: int
    outcome: Literal["delivered", "refused", "timeout", "blocked", "tls", "network"]
    status_code: Optional[int]
    error: Optional[str]
    answer: Optional[str]


class AppliedRule(TypedDict):
    name: str
    version: int
    action: RuleAction


class ListEntry(TypedDict):
    value: str
    expires_at: Optional[str]
    reason: Optional[str]
    added_at: str
    added_by: str
