# Written by `npm run sdk:types` from the schemas of the API. Do not edit.
from __future__ import annotations

from typing import Any, Literal, Optional, TypedDict, Union

#: The version of the API that these types describe, and that every request pins.
API_VERSION = "2026-11-14"

RiskLevel = Literal["low", "elevated", "high"]


DecisionName = Literal["allow", "challenge", "review", "block"]


PaymentMethod = Literal["card", "bank", "wallet", "crypto"]


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
    "rule.changed",
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
    "in_use",
    "built_in",
    "idempotency_in_progress",
    "version_mismatch",
    "payload_too_large",
    "unsupported_media_type",
    "idempotency_mismatch",
    "rate_limited",
    "internal_error",
    "unavailable",
]


class _ScreenTransactionRequestAgentRequired(TypedDict):
    #: Who runs the agent, such as the host name of its key directory.
    operator: str
    #: Whether you verified the agent’s signature.
    verified: bool


class ScreenTransactionRequestAgent(_ScreenTransactionRequestAgentRequired, total=False):
    """Software that acts for the user; absent if there is none that you know of."""

    #: The key that signed the request.
    key_id: str


class _ScreenTransactionRequestRequired(TypedDict):
    #: Your ID of the user.
    user_id: str
    #: The amount in the currency’s main unit.
    amount: float
    #: ISO 4217 code of the currency.
    currency: str


class ScreenTransactionRequest(_ScreenTransactionRequestRequired, total=False):
    #: The customer’s IPv4 or IPv6 address.
    ip_address: str
    #: The token of the device SDK, or your own.
    device_fingerprint: str
    #: Your own names and short values. `card_fingerprint`, `card_bin`, `email`, `phone`, `merchant_id`, `terminal_id`
    #: and `category` have their own history. In the sandbox, `sandbox_decision` forces the decision.
    custom_attributes: dict[str, str]
    #: Your own IDs of the payment: an order, a payment intent, a charge.
    references: list[str]
    #: Software that acts for the user; absent if there is none that you know of.
    agent: ScreenTransactionRequestAgent
    payment_method: PaymentMethod
    billing_address: BillingAddress


class TransactionDecidedBy(TypedDict):
    """The rule, list, score or sandbox request that determined the decision."""

    #: The kind of reason: the score, a rule, a list, or a sandbox request.
    kind: Literal["score", "rule", "list", "sandbox"]
    #: The name of the rule or list; null if it was the score.
    name: Optional[str]


class _TransactionRequired(TypedDict):
    #: The ID of the transaction.
    transaction_id: str
    #: The ID of the decision.
    decision_id: str
    #: Your ID of the user.
    user_id: str
    #: The amount in the currency’s main unit.
    amount: float
    #: ISO 4217 code of the currency.
    currency: str
    #: The risk from 0 to 100.
    risk_score: int
    risk_level: RiskLevel
    decision: DecisionName
    #: The rule, list, score or sandbox request that determined the decision.
    decided_by: TransactionDecidedBy
    #: The active rules that matched.
    rules: list[AppliedRule]
    #: Names of the account’s lists that matched.
    lists: list[str]
    #: The signals that raised the score, the strongest first.
    signals: list[str]
    explanation: Explanation
    #: The model that scored it; `rules-1` if the signals decided alone.
    model_version: str
    #: The review case; null unless the decision is `review`.
    case_id: Optional[str]
    #: When it was screened.
    screened_at: str


class Transaction(_TransactionRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class RiskProfileTransactions(TypedDict):
    """The user’s transactions."""

    #: How many there are.
    count: int
    #: Transactions that were allowed.
    allowed: int
    #: Transactions that went to review.
    reviewed: int
    #: Transactions that were blocked.
    blocked: int
    #: Sum of amounts by currency, of attempts that were allowed or approved.
    amount_by_currency: dict[str, float]
    #: In the last 24 hours.
    last_24h: int
    #: In the last 7 days.
    last_7d: int


class RiskProfileEvents(TypedDict):
    """The user’s events."""

    #: How many there are.
    count: int
    #: Number of events by type.
    by_type: dict[str, int]


class RiskProfileDevicesRecent(TypedDict):
    #: A short name for the device, the same each time; not the fingerprint.
    device: str
    #: When it was last seen.
    last_seen_at: str


class RiskProfileDevices(TypedDict):
    """The user’s devices."""

    #: How many there are.
    count: int
    #: The devices of the last attempts that were allowed or approved.
    recent: list[RiskProfileDevicesRecent]


class RiskProfileIpAddresses(TypedDict):
    """The user’s IP addresses."""

    #: How many there are.
    count: int
    #: Countries of attempts that were allowed or approved, ISO 3166-1 alpha-2.
    countries: list[str]


class RiskProfileOutcomes(TypedDict):
    """Confirmed outcomes."""

    #: Attempts that people confirmed as fraud.
    confirmed_fraud: int
    #: Attempts that people confirmed as legitimate.
    confirmed_legitimate: int


class RiskProfileRecentActivityTransactionsLast10m(TypedDict):
    """In the last 10 minutes."""

    #: How many there are.
    count: int
    #: Sum of amounts in US dollars, at rough rates.
    amount_usd: float


class RiskProfileRecentActivityTransactionsLast1h(TypedDict):
    """In the last hour."""

    #: How many there are.
    count: int
    #: Sum of amounts in US dollars, at rough rates.
    amount_usd: float


class RiskProfileRecentActivityTransactionsLast24h(TypedDict):
    """In the last 24 hours."""

    #: How many there are.
    count: int
    #: Sum of amounts in US dollars, at rough rates.
    amount_usd: float


class RiskProfileRecentActivityTransactionsLast7d(TypedDict):
    """In the last 7 days."""

    #: How many there are.
    count: int
    #: Sum of amounts in US dollars, at rough rates.
    amount_usd: float


class RiskProfileRecentActivityTransactionsLast30d(TypedDict):
    """In the last 30 days."""

    #: How many there are.
    count: int
    #: Sum of amounts in US dollars, at rough rates.
    amount_usd: float


class RiskProfileRecentActivityTransactions(TypedDict):
    """Transactions in the last 10 minutes to 30 days."""

    #: In the last 10 minutes.
    last_10m: RiskProfileRecentActivityTransactionsLast10m
    #: In the last hour.
    last_1h: RiskProfileRecentActivityTransactionsLast1h
    #: In the last 24 hours.
    last_24h: RiskProfileRecentActivityTransactionsLast24h
    #: In the last 7 days.
    last_7d: RiskProfileRecentActivityTransactionsLast7d
    #: In the last 30 days.
    last_30d: RiskProfileRecentActivityTransactionsLast30d


class RiskProfileRecentActivityFailedLogins(TypedDict):
    """Failed logins in the last 10 minutes, hour and 24 hours."""

    #: In the last 10 minutes.
    last_10m: int
    #: In the last hour.
    last_1h: int
    #: In the last 24 hours.
    last_24h: int


class RiskProfileRecentActivityDeclines(TypedDict):
    """Payments that banks declined because of a wrong or refused card, in the last 10 minutes, hour and 24 hours."""

    #: In the last 10 minutes.
    last_10m: int
    #: In the last hour.
    last_1h: int
    #: In the last 24 hours.
    last_24h: int
    #: Different cards among the declined payments of 24 hours.
    cards_last_24h: int


class RiskProfileRecentActivityLastChange(TypedDict):
    #: The type of event.
    event_type: Literal["login", "signup", "password_reset", "password_change", "email_change", "phone_change", "payout_change", "profile_update"]
    #: When it happened, or the start of the interval.
    at: str


class RiskProfileRecentActivityLastPlace(TypedDict):
    #: ISO 3166-1 alpha-2 code of the country.
    country: str
    #: Kind of network: `hosting`, `mobile` or `other`.
    network: str
    #: When it happened, or the start of the interval.
    at: str


class RiskProfileRecentActivity(TypedDict):
    """The latest activity of the user."""

    #: Transactions in the last 10 minutes to 30 days.
    transactions: RiskProfileRecentActivityTransactions
    #: Failed logins in the last 10 minutes, hour and 24 hours.
    failed_logins: RiskProfileRecentActivityFailedLogins
    #: Payments that banks declined because of a wrong or refused card, in the last 10 minutes, hour and 24 hours.
    declines: RiskProfileRecentActivityDeclines
    #: The latest changes to the account, such as a password reset, newest first.
    last_changes: list[RiskProfileRecentActivityLastChange]
    #: Where the user was last seen; null if it is not known.
    last_place: Optional[RiskProfileRecentActivityLastPlace]
    #: Attempts by three-hour slot of the UTC day, from midnight.
    by_time_of_day: list[int]


class _RiskProfileRequired(TypedDict):
    #: Your ID of the user.
    user_id: str
    #: The risk from 0 to 100.
    risk_score: int
    risk_level: RiskLevel
    #: The signals that raised the score, the strongest first.
    signals: list[str]
    #: When the user was first seen.
    first_seen_at: str
    #: When it was last seen.
    last_seen_at: str
    #: The user’s transactions.
    transactions: RiskProfileTransactions
    #: The user’s events.
    events: RiskProfileEvents
    #: The user’s devices.
    devices: RiskProfileDevices
    #: The user’s IP addresses.
    ip_addresses: RiskProfileIpAddresses
    #: Confirmed outcomes.
    outcomes: RiskProfileOutcomes
    #: The latest activity of the user.
    recent_activity: RiskProfileRecentActivity


class RiskProfile(_RiskProfileRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _ScreenEventRequestAgentRequired(TypedDict):
    #: Who runs the agent, such as the host name of its key directory.
    operator: str
    #: Whether you verified the agent’s signature.
    verified: bool


class ScreenEventRequestAgent(_ScreenEventRequestAgentRequired, total=False):
    """Software that acts for the user; absent if there is none that you know of."""

    #: The key that signed the request.
    key_id: str


class _ScreenEventRequestRequired(TypedDict):
    #: Your ID of the user.
    user_id: str
    #: The type of event.
    event_type: str


class ScreenEventRequest(_ScreenEventRequestRequired, total=False):
    #: The customer’s IPv4 or IPv6 address.
    ip_address: str
    #: The token of the device SDK, or your own.
    device_fingerprint: str
    #: Your own names and short values. `card_fingerprint`, `card_bin`, `email`, `phone`, `merchant_id`, `terminal_id`
    #: and `category` have their own history. In the sandbox, `sandbox_decision` forces the decision.
    custom_attributes: dict[str, str]
    #: Your own IDs of the payment: an order, a payment intent, a charge.
    references: list[str]
    #: Software that acts for the user; absent if there is none that you know of.
    agent: ScreenEventRequestAgent
    #: Whether the action succeeded.
    outcome: Literal["succeeded", "failed"]
    #: The amount in the currency’s main unit.
    amount: float
    #: ISO 4217 code of the currency.
    currency: str


class ScreenedEventDecidedBy(TypedDict):
    """The rule, list, score or sandbox request that determined the decision."""

    #: The kind of reason: the score, a rule, a list, or a sandbox request.
    kind: Literal["score", "rule", "list", "sandbox"]
    #: The name of the rule or list; null if it was the score.
    name: Optional[str]


class _ScreenedEventRequired(TypedDict):
    #: The ID of the event.
    event_id: str
    #: The ID of the decision.
    decision_id: str
    #: The type of event.
    event_type: str
    #: Your ID of the user.
    user_id: str
    #: The risk from 0 to 100.
    risk_score: int
    risk_level: RiskLevel
    decision: DecisionName
    #: The rule, list, score or sandbox request that determined the decision.
    decided_by: ScreenedEventDecidedBy
    #: The active rules that matched.
    rules: list[AppliedRule]
    #: Names of the account’s lists that matched.
    lists: list[str]
    #: The signals that raised the score, the strongest first.
    signals: list[str]
    explanation: Explanation
    #: The model that scored it; `rules-1` if the signals decided alone.
    model_version: str
    #: The review case; null unless the decision is `review`.
    case_id: Optional[str]
    #: When it was screened.
    screened_at: str


class ScreenedEvent(_ScreenedEventRequired, total=False):
    #: The amount in the currency’s main unit.
    amount: float
    #: ISO 4217 code of the currency.
    currency: str
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class ReportedDecisionDecidedBy(TypedDict):
    """The rule, list, score or sandbox request that determined the decision."""

    #: The kind of reason: the score, a rule, a list, or a sandbox request.
    kind: Literal["score", "rule", "list", "sandbox"]
    #: The name of the rule or list; null if it was the score.
    name: Optional[str]


class _ReportedDecisionReviewRequired(TypedDict):
    #: The decision of the person.
    decision: Literal["allow", "block"]
    #: The person who decided; null if none was named.
    analyst_id: Optional[str]
    #: The person’s notes; null if there are none.
    notes: Optional[str]
    #: When the person decided.
    reviewed_at: str


class ReportedDecisionReview(_ReportedDecisionReviewRequired, total=False):
    #: Why the person decided so, as one of the account’s codes; null if none was given.
    reason_code: str


class _ReportedDecisionAgentRequired(TypedDict):
    #: Who runs the agent, such as the host name of its key directory.
    operator: str
    #: Whether you verified the agent’s signature.
    verified: bool


class ReportedDecisionAgent(_ReportedDecisionAgentRequired, total=False):
    """Software that acts for the user; absent if there is none that you know of."""

    #: The key that signed the request.
    key_id: str


class _ReportedDecisionOutcomeRequired(TypedDict):
    #: The type.
    type: Literal["chargeback", "early_fraud_warning", "refund_fraud", "user_report", "dispute_won", "challenge_passed", "challenge_failed", "authorized", "declined"]
    #: The verdict on the attempt that follows from the outcome.
    label: Literal["fraud", "legitimate", "none"]
    #: Whether a won dispute took it back.
    withdrawn: bool
    #: When it happened; not in the future.
    occurred_at: str
    #: When it was recorded.
    recorded_at: str


class ReportedDecisionOutcome(_ReportedDecisionOutcomeRequired, total=False):
    #: Why the bank declined the payment; `other` for a code that is not known.
    decline_reason: Literal["incorrect_cvc", "incorrect_number", "expired_card", "lost_or_stolen", "suspected_fraud", "do_not_honor", "insufficient_funds", "processor_error", "other"]
    #: The result of the check of the CVC.
    cvc_check: Literal["pass", "fail", "unavailable"]
    #: The result of the check of the billing address.
    address_check: Literal["pass", "fail", "unavailable"]
    #: The result of 3-D Secure; `attempted` if the bank does not take part.
    three_d_secure: Literal["authenticated", "attempted", "failed", "none"]


class _ReportedDecisionRequired(TypedDict):
    #: The ID of the decision.
    decision_id: str
    subject_type: SubjectType
    #: The ID of the transaction or event.
    subject_id: str
    #: Your ID of the user.
    user_id: str
    decision: DecisionName
    automated_decision: DecisionName
    #: The rule, list, score or sandbox request that determined the decision.
    decided_by: ReportedDecisionDecidedBy
    #: The active rules that matched.
    rules: list[AppliedRule]
    #: Names of the account’s lists that matched.
    lists: list[str]
    #: Rules in shadow that would have matched; without effect.
    shadow_rules: list[AppliedRule]
    #: The risk from 0 to 100.
    risk_score: int
    #: The signals that raised the score, the strongest first.
    signals: list[str]
    explanation: Explanation
    #: The model that scored it; `rules-1` if the signals decided alone.
    model_version: str
    #: The review case; null unless the decision is `review`.
    case_id: Optional[str]
    #: When the service decided.
    decided_at: str
    #: A person’s decision that replaces the automated one; null if there is none.
    review: Optional[ReportedDecisionReview]
    #: The decision in words that may be shown to the person concerned. It does not help anybody to get around the
    #: screening.
    customer_explanation: str


class ReportedDecision(_ReportedDecisionRequired, total=False):
    #: The amount in the currency’s main unit.
    amount: float
    #: ISO 4217 code of the currency.
    currency: str
    #: The type of event.
    event_type: str
    #: The values of the counters that rules read, by name.
    counters: dict[str, float]
    #: The version of what was known offline of addresses and domains; `npm run intelligence -- list` tells them.
    intelligence_version: str
    #: Attributes that the account shows to its analysts; absent if there are none.
    displayed: dict[str, str]
    #: Software that acts for the user; absent if there is none that you know of.
    agent: ReportedDecisionAgent
    #: Confirmed outcomes.
    outcomes: list[ReportedDecisionOutcome]
    #: The label that counts now.
    label_in_force: Optional[Literal["fraud", "legitimate"]]
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _ReviewDecisionRequestRequired(TypedDict):
    #: The recommended action: `allow`, `challenge`, `review` or `block`.
    decision: Literal["allow", "block"]


class ReviewDecisionRequest(_ReviewDecisionRequestRequired, total=False):
    #: The person who decided; null if none was named.
    analyst_id: str
    #: The person’s notes; null if there are none.
    notes: str
    #: Why the person decided so, as one of the account’s codes; null if none was given.
    reason_code: str


class DecisionDecidedBy(TypedDict):
    """The rule, list, score or sandbox request that determined the decision."""

    #: The kind of reason: the score, a rule, a list, or a sandbox request.
    kind: Literal["score", "rule", "list", "sandbox"]
    #: The name of the rule or list; null if it was the score.
    name: Optional[str]


class _DecisionReviewRequired(TypedDict):
    #: The decision of the person.
    decision: Literal["allow", "block"]
    #: The person who decided; null if none was named.
    analyst_id: Optional[str]
    #: The person’s notes; null if there are none.
    notes: Optional[str]
    #: When the person decided.
    reviewed_at: str


class DecisionReview(_DecisionReviewRequired, total=False):
    #: Why the person decided so, as one of the account’s codes; null if none was given.
    reason_code: str


class _DecisionAgentRequired(TypedDict):
    #: Who runs the agent, such as the host name of its key directory.
    operator: str
    #: Whether you verified the agent’s signature.
    verified: bool


class DecisionAgent(_DecisionAgentRequired, total=False):
    """Software that acts for the user; absent if there is none that you know of."""

    #: The key that signed the request.
    key_id: str


class _DecisionRequired(TypedDict):
    #: The ID of the decision.
    decision_id: str
    subject_type: SubjectType
    #: The ID of the transaction or event.
    subject_id: str
    #: Your ID of the user.
    user_id: str
    decision: DecisionName
    automated_decision: DecisionName
    #: The rule, list, score or sandbox request that determined the decision.
    decided_by: DecisionDecidedBy
    #: The active rules that matched.
    rules: list[AppliedRule]
    #: Names of the account’s lists that matched.
    lists: list[str]
    #: Rules in shadow that would have matched; without effect.
    shadow_rules: list[AppliedRule]
    #: The risk from 0 to 100.
    risk_score: int
    #: The signals that raised the score, the strongest first.
    signals: list[str]
    explanation: Explanation
    #: The model that scored it; `rules-1` if the signals decided alone.
    model_version: str
    #: The review case; null unless the decision is `review`.
    case_id: Optional[str]
    #: When the service decided.
    decided_at: str
    #: A person’s decision that replaces the automated one; null if there is none.
    review: Optional[DecisionReview]
    #: The decision in words that may be shown to the person concerned. It does not help anybody to get around the
    #: screening.
    customer_explanation: str


class Decision(_DecisionRequired, total=False):
    #: The amount in the currency’s main unit.
    amount: float
    #: ISO 4217 code of the currency.
    currency: str
    #: The type of event.
    event_type: str
    #: The values of the counters that rules read, by name.
    counters: dict[str, float]
    #: The version of what was known offline of addresses and domains; `npm run intelligence -- list` tells them.
    intelligence_version: str
    #: Attributes that the account shows to its analysts; absent if there are none.
    displayed: dict[str, str]
    #: Software that acts for the user; absent if there is none that you know of.
    agent: DecisionAgent
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _CaseListRequired(TypedDict):
    #: The review cases.
    cases: list[Case]
    #: How many there are in all; null if that is not known.
    total: Optional[int]
    #: The most entries that a page has.
    limit: int
    #: How many entries were skipped.
    offset: int
    #: Whether there are more after this page.
    has_more: bool


class CaseList(_CaseListRequired, total=False):
    #: Send it as `cursor` to get the next page; null on the last one.
    next_cursor: Optional[str]
    #: The creation of the last case that was read, if a search stopped before the end; null if it read all that it
    #: needed.
    searched_to: Optional[str]
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _CaseRequired(TypedDict):
    #: The review case; null unless the decision is `review`.
    case_id: str
    subject_type: SubjectType
    #: The ID of the transaction or event.
    subject_id: str
    #: Your ID of the user.
    user_id: str
    status: CaseStatus
    #: The risk from 0 to 100.
    risk_score: int
    #: The recommended action: `allow`, `challenge`, `review` or `block`.
    decision: Literal["review"]
    #: The signals that raised the score, the strongest first.
    signals: list[str]
    #: When it was created.
    created_at: str
    #: When it expires.
    expires_at: str
    #: When the case was resolved; null while it is open or if it expired.
    resolved_at: Optional[str]
    #: Who resolved the case; null if nobody did, or nobody was named.
    resolved_by: Optional[str]
    #: The person’s notes; null if there are none.
    notes: Optional[str]
    #: Who is working on the case; null if nobody is.
    assignee: Optional[str]
    #: Until when the assignee holds the case; null if nobody does.
    claimed_until: Optional[str]
    #: Number of comments on the case.
    comments: int
    #: A short name for the device, the same each time; not the fingerprint.
    device: Optional[str]


class Case(_CaseRequired, total=False):
    #: The amount in the currency’s main unit.
    amount: float
    #: ISO 4217 code of the currency.
    currency: str
    #: The type of event.
    event_type: str
    #: Why the person decided so, as one of the account’s codes; null if none was given.
    reason_code: str
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _ResolveCaseRequestRequired(TypedDict):
    #: The state it is in.
    status: Literal["approved", "rejected"]


class ResolveCaseRequest(_ResolveCaseRequestRequired, total=False):
    #: The person who decided; null if none was named.
    analyst_id: str
    #: The person’s notes; null if there are none.
    notes: str
    #: Why the person decided so, as one of the account’s codes; null if none was given.
    reason_code: str
    #: Resolve it although somebody else holds it.
    force: bool


class ClaimCaseRequest(TypedDict, total=False):
    #: The person who decided; null if none was named.
    analyst_id: str
    #: The colleague who gets the case.
    assign_to: str


class _CommentCaseRequestRequired(TypedDict):
    #: The text.
    text: str


class CommentCaseRequest(_CommentCaseRequestRequired, total=False):
    #: The person who decided; null if none was named.
    analyst_id: str


class _CaseCommentRequired(TypedDict):
    #: The ID of the comment.
    comment_id: str
    #: The review case; null unless the decision is `review`.
    case_id: str
    #: The text.
    text: str
    #: Who did it: a person, a key or the service.
    actor: str
    #: When it happened, or the start of the interval.
    at: str


class CaseComment(_CaseCommentRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _CaseTimelineEntryRequired(TypedDict):
    #: When it happened, or the start of the interval.
    at: str
    #: Who did it: a person, a key or the service.
    actor: Optional[str]
    #: The type of event.
    kind: Literal["screened", "case_opened", "claimed", "released", "assigned", "commented", "viewed", "resolved", "reviewed", "corrected", "outcome", "expired"]


class CaseTimelineEntry(_CaseTimelineEntryRequired, total=False):
    #: Whether the actor is proven by a personal key, or only named in the request.
    proven: bool
    #: The ID of the API key; for a person who signed in, `oidc_` and a hash that stays the same.
    key_id: str
    decision: DecisionName
    previous_decision: DecisionName
    #: The risk from 0 to 100.
    risk_score: int
    #: The text.
    text: str
    #: The person’s notes; null if there are none.
    notes: Optional[str]
    #: The account’s code of a person’s reason, or the network’s code of a dispute.
    reason_code: str
    #: For the kind `outcome`: what was reported from outside.
    outcome: Literal["chargeback", "early_fraud_warning", "refund_fraud", "user_report", "dispute_won", "challenge_passed", "challenge_failed", "authorized", "declined"]
    #: The verdict on the attempt that follows from the outcome.
    label: Literal["fraud", "legitimate", "none"]
    #: Whether its label is the one that counts.
    in_force: bool
    #: Whether a won dispute took it back.
    withdrawn: bool
    #: The card network of the dispute.
    network: str
    #: The amount in the currency’s main unit.
    amount: float
    #: ISO 4217 code of the currency.
    currency: str
    #: When it happened; not in the future.
    occurred_at: str
    #: Why the bank declined the payment; `other` for a code that is not known.
    decline_reason: Literal["incorrect_cvc", "incorrect_number", "expired_card", "lost_or_stolen", "suspected_fraud", "do_not_honor", "insufficient_funds", "processor_error", "other"]
    #: The result of the check of the CVC.
    cvc_check: Literal["pass", "fail", "unavailable"]
    #: The result of the check of the billing address.
    address_check: Literal["pass", "fail", "unavailable"]
    #: The result of 3-D Secure; `attempted` if the bank does not take part.
    three_d_secure: Literal["authenticated", "attempted", "failed", "none"]


class _CaseTimelineRequired(TypedDict):
    #: The entries.
    entries: list[CaseTimelineEntry]


class CaseTimeline(_CaseTimelineRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _ResolveCasesRequestRequired(TypedDict):
    #: The state it is in.
    status: Literal["approved", "rejected"]
    #: The cases to resolve.
    case_ids: list[str]


class ResolveCasesRequest(_ResolveCasesRequestRequired, total=False):
    #: The person who decided; null if none was named.
    analyst_id: str
    #: The person’s notes; null if there are none.
    notes: str
    #: Why the person decided so, as one of the account’s codes; null if none was given.
    reason_code: str
    #: Resolve it although somebody else holds it.
    force: bool


class CaseResultsResult(TypedDict):
    #: The review case; null unless the decision is `review`.
    case_id: str
    #: The state it is in.
    status: Literal["ok", "invalid_request", "unsupported_api_version", "unauthorized", "forbidden", "not_found", "method_not_allowed", "case_not_open", "case_claimed", "list_type_fixed", "in_use", "built_in", "idempotency_in_progress", "version_mismatch", "payload_too_large", "unsupported_media_type", "idempotency_mismatch", "rate_limited", "internal_error", "unavailable"]


class _CaseResultsRequired(TypedDict):
    #: The result of each item.
    results: list[CaseResultsResult]


class CaseResults(_CaseResultsRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class OverviewScreenings(TypedDict):
    """Number of screenings."""

    #: How many there are in all; null if that is not known.
    total: int
    #: Number of transactions.
    transactions: int
    #: The types of events that the endpoint receives.
    events: int
    #: Number of decisions `allow`.
    allow: int
    #: Number of decisions `challenge`.
    challenge: int
    #: Number of decisions `review`.
    review: int
    #: Number of decisions `block`.
    block: int


class OverviewInForce(TypedDict):
    """Screenings by the decision in force: a person’s, else the automated one."""

    #: Number of decisions `allow`.
    allow: int
    #: Number of decisions `challenge`.
    challenge: int
    #: Number of decisions `review`.
    review: int
    #: Number of decisions `block`.
    block: int


class OverviewMoney(TypedDict):
    """Sums of payments in US dollars, at rough rates."""

    #: Payments that are blocked now.
    blocked_usd: float
    #: Payments that wait for a person, or did so in vain.
    held_usd: float
    #: Payments that were allowed, and that somebody outside reported as fraud.
    missed_usd: float


class OverviewCases(TypedDict):
    """The review cases."""

    #: Cases that were opened.
    opened: int
    #: Cases that are open now.
    open: int
    #: Cases that were approved.
    approved: int
    #: Cases that were rejected.
    rejected: int
    #: Cases that expired without a decision.
    expired: int


class OverviewDecision(TypedDict):
    #: When it happened, or the start of the interval.
    at: str
    #: Number of decisions `allow`.
    allow: int
    #: Number of decisions `challenge`.
    challenge: int
    #: Number of decisions `review`.
    review: int
    #: Number of decisions `block`.
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
    #: The name of the signal.
    signal: str
    #: How many there are.
    count: int
    #: Attempts that people confirmed as fraud.
    confirmed_fraud: int
    #: Attempts that people confirmed as legitimate.
    confirmed_legitimate: int


class OverviewOutcomesAllow(TypedDict):
    """Outcomes of the attempts that were allowed."""

    #: Attempts that people confirmed as fraud.
    confirmed_fraud: int
    #: Attempts that people confirmed as legitimate.
    confirmed_legitimate: int


class OverviewOutcomesChallenge(TypedDict):
    """Outcomes of the attempts that were challenged."""

    #: Attempts that people confirmed as fraud.
    confirmed_fraud: int
    #: Attempts that people confirmed as legitimate.
    confirmed_legitimate: int


class OverviewOutcomesReview(TypedDict):
    """Outcomes of the attempts that went to review."""

    #: Attempts that people confirmed as fraud.
    confirmed_fraud: int
    #: Attempts that people confirmed as legitimate.
    confirmed_legitimate: int


class OverviewOutcomesBlock(TypedDict):
    """Outcomes of the attempts that were blocked."""

    #: Attempts that people confirmed as fraud.
    confirmed_fraud: int
    #: Attempts that people confirmed as legitimate.
    confirmed_legitimate: int


class OverviewOutcomes(TypedDict):
    """Confirmed outcomes."""

    #: Outcomes of the attempts that were allowed.
    allow: OverviewOutcomesAllow
    #: Outcomes of the attempts that were challenged.
    challenge: OverviewOutcomesChallenge
    #: Outcomes of the attempts that went to review.
    review: OverviewOutcomesReview
    #: Outcomes of the attempts that were blocked.
    block: OverviewOutcomesBlock


class OverviewDeskAnalyst(TypedDict):
    #: Who resolved the cases; null for those without a name.
    analyst: Optional[str]
    #: Cases that were resolved.
    resolved: int
    #: Cases that were rejected.
    rejected: int
    #: Seconds from the opening of a case to its resolution, on average; null if none was resolved.
    average_seconds: Optional[int]


class OverviewDesk(TypedDict):
    """The work of analysts on the cases of the span."""

    #: Cases that were resolved.
    resolved: int
    #: Cases that were resolved within an hour.
    within_hour: int
    #: Seconds from the opening of a case to its resolution, on average; null if none was resolved.
    average_seconds: Optional[int]
    #: The work of each analyst, the busiest first, at most 100.
    analysts: list[OverviewDeskAnalyst]


class OverviewPreviousScreenings(TypedDict):
    """Number of screenings."""

    #: How many there are in all; null if that is not known.
    total: int
    #: Number of transactions.
    transactions: int
    #: The types of events that the endpoint receives.
    events: int
    #: Number of decisions `allow`.
    allow: int
    #: Number of decisions `challenge`.
    challenge: int
    #: Number of decisions `review`.
    review: int
    #: Number of decisions `block`.
    block: int


class OverviewPreviousInForce(TypedDict):
    """Screenings by the decision in force: a person’s, else the automated one."""

    #: Number of decisions `allow`.
    allow: int
    #: Number of decisions `challenge`.
    challenge: int
    #: Number of decisions `review`.
    review: int
    #: Number of decisions `block`.
    block: int


class OverviewPreviousMoney(TypedDict):
    """Sums of payments in US dollars, at rough rates."""

    #: Payments that are blocked now.
    blocked_usd: float
    #: Payments that wait for a person, or did so in vain.
    held_usd: float
    #: Payments that were allowed, and that somebody outside reported as fraud.
    missed_usd: float


class OverviewPreviousCases(TypedDict):
    """The review cases."""

    #: Cases that were opened.
    opened: int
    #: Cases that are open now.
    open: int
    #: Cases that were approved.
    approved: int
    #: Cases that were rejected.
    rejected: int
    #: Cases that expired without a decision.
    expired: int


class OverviewPrevious(TypedDict):
    #: The start of the span, inclusive.
    start_date: str
    #: The end of the span, exclusive.
    end_date: str
    #: Number of screenings.
    screenings: OverviewPreviousScreenings
    #: Screenings by the decision in force: a person’s, else the automated one.
    in_force: OverviewPreviousInForce
    #: Sums of payments in US dollars, at rough rates.
    money: OverviewPreviousMoney
    #: Payments that were allowed, and that somebody outside reported as fraud.
    missed_fraud: int
    #: The review cases.
    cases: OverviewPreviousCases
    #: Share of resolved cases that were rejected; null if none was resolved.
    review_precision: Optional[float]
    #: Share of fraud among automatic blocks whose outcome is known; null if none is.
    block_precision: Optional[float]


class _OverviewRequired(TypedDict):
    #: The start of the span, inclusive.
    start_date: str
    #: The end of the span, exclusive.
    end_date: str
    #: Number of screenings.
    screenings: OverviewScreenings
    #: Screenings by the decision in force: a person’s, else the automated one.
    in_force: OverviewInForce
    #: Sums of payments in US dollars, at rough rates.
    money: OverviewMoney
    #: Payments that were allowed, and that somebody outside reported as fraud.
    missed_fraud: int
    #: The review cases.
    cases: OverviewCases
    #: Share of resolved cases that were rejected; null if none was resolved.
    review_precision: Optional[float]
    #: Share of fraud among automatic blocks whose outcome is known; null if none is.
    block_precision: Optional[float]
    #: How long one entry of `decisions` is.
    interval: Literal["hour", "day"]
    #: The decisions.
    decisions: list[OverviewDecision]
    #: Screenings and labels by bands of ten points.
    scores: list[OverviewScore]
    #: The signals that raised the score, the strongest first.
    signals: list[OverviewSignal]
    #: Confirmed outcomes.
    outcomes: OverviewOutcomes
    #: The work of analysts on the cases of the span.
    desk: OverviewDesk
    #: The same totals for the span before; null if it is no longer kept.
    previous: Optional[OverviewPrevious]


class Overview(_OverviewRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _CreateWebhookRequestRequired(TypedDict):
    #: Where deliveries are sent.
    url: str
    #: The types of events that the endpoint receives.
    events: list[EventType]


class CreateWebhookRequest(_CreateWebhookRequestRequired, total=False):
    #: Your own name for the endpoint; null if it has none.
    label: str


class _CreatedWebhookRequired(TypedDict):
    #: The ID of the webhook endpoint.
    webhook_id: str
    #: Where deliveries are sent.
    url: str
    #: The types of events that the endpoint receives.
    events: list[EventType]
    #: Your own name for the endpoint; null if it has none.
    label: Optional[str]
    #: The state it is in.
    status: Literal["enabled", "disabled"]
    #: When it was created.
    created_at: str
    #: Verifies deliveries. No other call shows it.
    signing_secret: str


class CreatedWebhook(_CreatedWebhookRequired, total=False):
    #: When the endpoint was disabled; absent while it is enabled.
    disabled_at: str
    #: Why it was disabled: it responded 410, or it kept failing.
    disabled_reason: Literal["gone", "failing"]
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _WebhookListRequired(TypedDict):
    #: The webhook endpoints.
    webhooks: list[Webhook]


class WebhookList(_WebhookListRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _DeliveryRequired(TypedDict):
    #: The ID of the delivery.
    delivery_id: str
    #: The ID of the webhook endpoint.
    webhook_id: str
    #: The ID of the message; the same for every endpoint and attempt.
    message_id: str
    #: The type of event.
    event_type: Literal["transaction.screened", "transaction.decision.block", "event.screened", "case.created", "case.resolved", "decision.reviewed", "list.changed", "rule.changed", "webhook.test"]
    status: DeliveryStatus
    #: Why the delivery ended without being delivered; null otherwise.
    reason: Optional[Literal["attempts_exhausted", "endpoint_gone", "endpoint_deleted", "endpoint_disabled"]]
    #: The number of the delivery attempt, from 1.
    attempt: int
    #: When the next attempt is due; null if there is none.
    next_attempt_at: Optional[str]
    #: When the delivery was delivered or given up; null while it is pending.
    completed_at: Optional[str]
    #: When it was created.
    created_at: str
    #: The delivery whose message it repeats; null if it is the first.
    redelivery_of: Optional[str]
    #: The delivery attempts, oldest first.
    attempts: list[DeliveryAttempt]


class Delivery(_DeliveryRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _DeliveryListRequired(TypedDict):
    #: The deliveries, newest first.
    deliveries: list[Delivery]
    #: The most entries that a page has.
    limit: int
    #: How many entries were skipped.
    offset: int
    #: Whether there are more after this page.
    has_more: bool


class DeliveryList(_DeliveryListRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _MeRequired(TypedDict):
    #: The ID of the account.
    account_id: str
    #: The ID of the API key; for a person who signed in, `oidc_` and a hash that stays the same.
    key_id: str
    #: Whose personal key it is; null if it belongs to a system.
    person: Optional[str]
    #: The role of the key: `admin`, `server`, `analyst` or `readonly`.
    role: str
    #: The permissions of the key.
    permissions: list[str]
    #: The codes that the account’s reviews use.
    reason_codes: list[str]


class Me(_MeRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _DecisionListRequired(TypedDict):
    #: The decisions.
    decisions: list[ReportedDecision]
    #: Send it as `cursor` to get the next page; null on the last one.
    next_cursor: Optional[str]


class DecisionList(_DecisionListRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _EvidenceRequired(TypedDict):
    #: The ID of the decision.
    decision_id: str
    #: Whether anything was kept.
    kept: bool
    #: Whether members were left out because the key may not see them.
    withheld: bool


class Evidence(_EvidenceRequired, total=False):
    #: The customer’s IPv4 or IPv6 address.
    ip_address: str
    #: The country in which the IP address is registered.
    ip_country: str
    #: The number of the network that announces the IP address.
    ip_asn: int
    #: The kind of network: `residential`, `hosting` and so on.
    ip_network: str
    #: How the customer pays.
    payment_method: str
    #: The country of the billing address.
    billing_country: str
    #: The token of the device SDK, or your own.
    device_fingerprint: str
    #: Your own IDs of the payment: an order, a payment intent, a charge.
    references: list[str]
    #: The attributes.
    attributes: dict[str, str]
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


RuleTestFlip = TypedDict(
    "RuleTestFlip",
    {
        "from": "DecisionName",
        "to": "DecisionName",
        "count": "int",
    },
)


class _RuleTestRequired(TypedDict):
    #: How many days back to look; in a response, how many days the numbers cover.
    days: float
    #: How many stored screenings the numbers rest on.
    rows: int
    #: How many attempts were looked at.
    screened: int
    #: How many attempts it would have matched.
    matched: int
    #: How many it would match per day.
    matched_per_day: float
    #: The lowest and the highest number of matches that the sample supports, at 95%.
    interval: list[int]
    #: Attempts that have a label.
    labelled: int
    #: Matched attempts that are labelled as fraud.
    fraud_matched: int
    #: Matched attempts that are labelled as legitimate.
    legitimate_matched: int
    #: Share of fraud among the labelled attempts that it would have matched.
    precision: Optional[float]
    #: Share of the labelled fraud that it would have matched.
    recall: Optional[float]
    #: How many decisions it would have changed, by what to what.
    flips: list[RuleTestFlip]
    #: Sum of amounts in US dollars, at rough rates.
    amount_usd: float
    #: Names that the stored traffic, or some of it, cannot answer for.
    not_testable: list[str]


class RuleTest(_RuleTestRequired, total=False):
    #: The state it is in.
    status: Literal["running", "complete"]
    #: The ID of a test on the warehouse, with which its result is fetched; absent where the result is here.
    test_id: str
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class RuleMatches(TypedDict):
    """How often the rule matched."""

    #: In the last 24 hours.
    last_24h: int
    #: In the last 7 days.
    last_7d: int


class _RuleRequired(TypedDict):
    #: The name.
    name: str
    #: The condition, in a subset of CEL.
    expression: str
    action: RuleAction
    #: How much it adds to the score, or takes away.
    points: Optional[int]
    #: Among rules of the same action, the lower one wins.
    priority: int
    state: RuleState
    #: The share of users that the rule applies to.
    rollout_percent: int
    #: Which attempts the rule is evaluated for; all if absent. A rule that names every built-in kind is evaluated for
    #: your own event types too.
    applies_to: list[str]
    #: When it expires.
    expires_at: Optional[str]
    #: A note for people.
    note: Optional[str]
    #: Whether an `allow` also beats a confirmed fraud.
    override_labels: bool
    #: The version of the rule, from 1.
    version: int
    #: When it was created.
    created_at: str
    #: When it was last changed.
    updated_at: str
    #: The person or key that changed it last.
    updated_by: str
    #: How often the rule matched.
    matches: RuleMatches


class Rule(_RuleRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class RuleVersionListVersion(TypedDict):
    #: The name.
    name: str
    #: The condition, in a subset of CEL.
    expression: str
    action: RuleAction
    #: How much it adds to the score, or takes away.
    points: Optional[int]
    #: Among rules of the same action, the lower one wins.
    priority: int
    state: RuleState
    #: The share of users that the rule applies to.
    rollout_percent: int
    #: Which attempts the rule is evaluated for; all if absent. A rule that names every built-in kind is evaluated for
    #: your own event types too.
    applies_to: list[str]
    #: When it expires.
    expires_at: Optional[str]
    #: A note for people.
    note: Optional[str]
    #: Whether an `allow` also beats a confirmed fraud.
    override_labels: bool
    #: The version of the rule, from 1.
    version: int
    #: When it was created.
    created_at: str
    #: When it was last changed.
    updated_at: str
    #: The person or key that changed it last.
    updated_by: str


class _RuleVersionListRequired(TypedDict):
    #: The versions, newest first.
    versions: list[RuleVersionListVersion]


class RuleVersionList(_RuleVersionListRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _RuleListRequired(TypedDict):
    #: The active rules that matched.
    rules: list[Rule]


class RuleList(_RuleListRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _PutRuleRequestRequired(TypedDict):
    #: The condition, in a subset of CEL.
    expression: str
    action: RuleAction


class PutRuleRequest(_PutRuleRequestRequired, total=False):
    #: How much it adds to the score, or takes away.
    points: Optional[int]
    #: Among rules of the same action, the lower one wins.
    priority: Optional[int]
    #: Whether the rule is in effect.
    state: Optional[RuleState]
    #: The share of users that the rule applies to.
    rollout_percent: Optional[int]
    #: Which attempts the rule is evaluated for; all if absent. A rule that names every built-in kind is evaluated for
    #: your own event types too.
    applies_to: Optional[list[str]]
    #: When it expires.
    expires_at: Optional[str]
    #: A note for people.
    note: Optional[str]
    #: Whether an `allow` also beats a confirmed fraud.
    override_labels: Optional[bool]


class _UserLinksNodeRequired(TypedDict):
    #: The ID.
    id: str
    #: The type.
    type: str
    #: Your own name for the endpoint; null if it has none.
    label: str
    #: Attempts that people confirmed as fraud.
    confirmed_fraud: bool
    #: How many users it has.
    users: int


class UserLinksNode(_UserLinksNodeRequired, total=False):
    #: Your ID of the user.
    user_id: str


UserLinksEdge = TypedDict(
    "UserLinksEdge",
    {
        "from": "str",
        "to": "str",
        "since": "str",
    },
)


class _UserLinksRequired(TypedDict):
    #: The linked users, devices and other values.
    nodes: list[UserLinksNode]
    #: Which nodes are linked.
    edges: list[UserLinksEdge]
    #: Whether there was more than could be shown.
    truncated: bool


class UserLinks(_UserLinksRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _PutListRequestRequired(TypedDict):
    #: The type.
    type: str
    effect: ListEffect


class PutListRequest(_PutListRequestRequired, total=False):
    #: A note for people.
    note: Optional[str]


class _ListRequired(TypedDict):
    #: The name.
    name: str
    #: The type.
    type: str
    effect: ListEffect
    #: A note for people.
    note: Optional[str]
    #: The entries.
    entries: int
    #: When it was created.
    created_at: str
    #: When it was last changed.
    updated_at: str


class List(_ListRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _ListsRequired(TypedDict):
    #: Names of the account’s lists that matched.
    lists: list[List]


class Lists(_ListsRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _AddListEntriesRequestEntryRequired(TypedDict):
    #: The value.
    value: str


class AddListEntriesRequestEntry(_AddListEntriesRequestEntryRequired, total=False):
    #: When it expires.
    expires_at: Optional[str]
    #: Why the delivery ended without being delivered; null otherwise.
    reason: Optional[str]


class AddListEntriesRequest(TypedDict):
    #: The entries.
    entries: list[AddListEntriesRequestEntry]


class AddedListEntriesRejected(TypedDict):
    #: The position of the entry in the request, from 0.
    index: int
    #: The error in words.
    message: str


class _AddedListEntriesRequired(TypedDict):
    #: How many entries were new.
    added: int
    #: How many entries existed and were changed.
    updated: int
    #: Cases that were rejected.
    rejected: list[AddedListEntriesRejected]


class AddedListEntries(_AddedListEntriesRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _ListEntryPageRequired(TypedDict):
    #: The entries.
    entries: list[ListEntry]
    #: Send it as `cursor` to get the next page; null on the last one.
    next_cursor: Optional[str]


class ListEntryPage(_ListEntryPageRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class AddReferencesRequest(TypedDict):
    #: Your own IDs of the payment: an order, a payment intent, a charge.
    references: list[str]


class _AddedReferencesRequired(TypedDict):
    #: The ID of the transaction.
    transaction_id: str
    #: Your own IDs of the payment: an order, a payment intent, a charge.
    references: list[str]


class AddedReferences(_AddedReferencesRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _RecordOutcomeRequestRequired(TypedDict):
    #: The type.
    type: Literal["chargeback", "early_fraud_warning", "refund_fraud", "user_report", "dispute_won", "challenge_passed", "challenge_failed", "authorized", "declined"]
    #: Your or the provider’s ID of the outcome; the same one again has no second effect.
    source_id: str
    #: When it happened; not in the future.
    occurred_at: str


class RecordOutcomeRequest(_RecordOutcomeRequestRequired, total=False):
    #: The ID of the transaction or event.
    subject_id: str
    #: One of the references that the screening was given.
    reference: str
    #: The network’s reason code of the dispute.
    reason_code: str
    #: The card network.
    network: str
    #: The amount in the currency’s main unit.
    amount: float
    #: ISO 4217 code of the currency.
    currency: str
    #: Why the bank declined the payment; `other` for a code that is not known.
    decline_reason: Literal["incorrect_cvc", "incorrect_number", "expired_card", "lost_or_stolen", "suspected_fraud", "do_not_honor", "insufficient_funds", "processor_error", "other"]
    #: The result of the check of the CVC.
    cvc_check: Literal["pass", "fail", "unavailable"]
    #: The result of the check of the billing address.
    address_check: Literal["pass", "fail", "unavailable"]
    #: The result of 3-D Secure; `attempted` if the bank does not take part.
    three_d_secure: Literal["authenticated", "attempted", "failed", "none"]


class _OutcomeRequired(TypedDict):
    #: The ID of the outcome.
    outcome_id: str
    #: The ID of the transaction or event.
    subject_id: Optional[str]
    #: The type.
    type: Literal["chargeback", "early_fraud_warning", "refund_fraud", "user_report", "dispute_won", "challenge_passed", "challenge_failed", "authorized", "declined"]
    #: The verdict on the attempt that follows from the outcome.
    label: Literal["fraud", "legitimate", "none"]
    #: The label that counts now.
    label_in_force: Optional[Literal["fraud", "legitimate"]]
    #: Whether it was applied to a subject. False until a reference becomes known.
    applied: bool
    #: When it was recorded.
    recorded_at: str


class Outcome(_OutcomeRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _TestRuleRequestRequired(TypedDict):
    #: The condition, in a subset of CEL.
    expression: str
    action: RuleAction


class TestRuleRequest(_TestRuleRequestRequired, total=False):
    #: How much it adds to the score, or takes away.
    points: Optional[int]
    #: How many days back to look; in a response, how many days the numbers cover.
    days: Optional[int]


class _RequestedErasureRequired(TypedDict):
    #: The ID of the erasure.
    erasure_id: str
    #: Whether confirmed fraud and entries of block lists stay, by pseudonym alone: true unless `everything` was asked
    #: for.
    keeps_fraud_evidence: bool


class RequestedErasure(_RequestedErasureRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class UserExportComment(TypedDict):
    #: The review case; null unless the decision is `review`.
    case_id: str
    #: When it happened, or the start of the interval.
    at: str
    #: Who did it: a person, a key or the service.
    actor: str
    #: The text.
    text: str


class UserExportListEntry(TypedDict):
    #: The name of the list.
    list: str
    #: The value.
    value: str
    #: Why the delivery ended without being delivered; null otherwise.
    reason: Optional[str]
    #: When it expires.
    expires_at: Optional[str]
    #: When the entry was added.
    added_at: str


class _UserExportRequired(TypedDict):
    #: Your ID of the user.
    user_id: str
    #: When the export was made.
    exported_at: str
    #: Counts kept about the user; null if there are none.
    profile: Optional[RiskProfile]
    #: The decisions.
    decisions: list[ReportedDecision]
    #: The fields that were sent with the decisions, as far as they were kept.
    evidence: list[Evidence]
    #: The review cases.
    cases: list[Case]
    #: Number of comments on the case.
    comments: list[UserExportComment]
    #: Devices, addresses and attributes that the user shares with others.
    links: Optional[UserLinks]
    #: The values of the counters that rules read, by name.
    counters: dict[str, float]
    #: Entries of lists that name the user, or something that nobody else was seen with.
    list_entries: list[UserExportListEntry]
    #: Send it as `cursor` to get the next page; null on the last one.
    next_cursor: Optional[str]


class UserExport(_UserExportRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class ForgetLabelsRequest(TypedDict):
    #: Why the delivery ended without being delivered; null otherwise.
    reason: str


class ForgottenLabelsForgotten(TypedDict):
    """How many of each lost their labels."""

    #: How many users it has.
    users: int
    #: The user’s devices.
    devices: int
    #: How many of the user’s cards lost labels.
    cards: int


class _ForgottenLabelsRequired(TypedDict):
    #: Your ID of the user.
    user_id: str
    #: How many of each lost their labels.
    forgotten: ForgottenLabelsForgotten
    #: When the labels were taken back.
    forgotten_at: str


class ForgottenLabels(_ForgottenLabelsRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _ErasureRequired(TypedDict):
    #: The ID of the erasure.
    erasure_id: str
    #: The state it is in.
    status: Literal["pending", "completed"]
    #: When the erasure was requested.
    requested_at: str
    #: The person or key that requested it.
    requested_by: str
    #: When the delivery was delivered or given up; null while it is pending.
    completed_at: Optional[str]
    #: Whether confirmed fraud and entries of block lists stay, by pseudonym alone: true unless `everything` was asked
    #: for.
    keeps_fraud_evidence: bool
    #: How many items the erasure has looked at so far.
    items_checked: int
    #: How many items of each kind were erased so far.
    erased: dict[str, int]


class Erasure(_ErasureRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class ApiKeyListKey(TypedDict):
    #: The ID of the API key; for a person who signed in, `oidc_` and a hash that stays the same.
    key_id: str
    #: A name to show: the person, the label of the key, or how the key begins and ends.
    name: str
    #: The first and last characters of the key, to tell it from others.
    hint: str
    #: The role of the key: `admin`, `server`, `analyst` or `readonly`.
    role: str
    #: Whose personal key it is; null if it belongs to a system.
    person: Optional[str]
    #: When it was created.
    created_at: str
    #: From when on it is refused; null for never.
    expires_at: Optional[str]
    #: When it was revoked; null while it is valid.
    revoked_at: Optional[str]
    #: The start of the hour in which it was last used; null if it never was.
    last_used_at: Optional[str]


class _ApiKeyListRequired(TypedDict):
    #: The API keys of the account.
    keys: list[ApiKeyListKey]


class ApiKeyList(_ApiKeyListRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _AttributeListRequired(TypedDict):
    #: The attributes.
    attributes: list[Attribute]


class AttributeList(_AttributeListRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _PutAttributeRequestRequired(TypedDict):
    #: The type.
    type: Literal["text", "number", "boolean", "email", "phone", "ip_address", "country"]


class PutAttributeRequest(_PutAttributeRequestRequired, total=False):
    #: Whether each value has its own history, reputation, links and lists: the setting `tracked_attributes`.
    entity: bool
    #: A note for people.
    note: Optional[str]


class _AttributeRequired(TypedDict):
    #: The key.
    key: str
    #: The type.
    type: Literal["text", "number", "boolean", "email", "phone", "ip_address", "country"]
    #: Whether each value has its own history, reputation, links and lists: the setting `tracked_attributes`.
    entity: bool
    #: A note for people.
    note: Optional[str]
    #: When it was created.
    created_at: str
    #: When it was last changed.
    updated_at: str
    #: The person or key that changed it last.
    updated_by: str


class Attribute(_AttributeRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _EventTypeListRequired(TypedDict):
    #: The event types: built-in, then your own.
    event_types: list[DeclaredEventType]


class EventTypeList(_EventTypeListRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class PutEventTypeRequest(TypedDict, total=False):
    #: The amount in the currency’s main unit.
    amount: Optional[Literal["none", "optional", "required"]]
    #: Attributes that its events must have.
    required: Optional[list[str]]
    #: A score from here on leads to `review`, in place of the account’s threshold.
    review_threshold: Optional[int]
    #: A score from here on leads to `block`, in place of the account’s threshold.
    block_threshold: Optional[int]
    #: A note for people.
    note: Optional[str]


class _DeclaredEventTypeRequired(TypedDict):
    #: The name.
    name: str
    #: Whether every account has it.
    built_in: bool
    #: The amount in the currency’s main unit.
    amount: Literal["none", "optional", "required"]
    #: Attributes that its events must have.
    required: list[str]
    #: A score from here on leads to `review`, in place of the account’s threshold.
    review_threshold: Optional[int]
    #: A score from here on leads to `block`, in place of the account’s threshold.
    block_threshold: Optional[int]
    #: A note for people.
    note: Optional[str]
    #: When it was created.
    created_at: Optional[str]
    #: When it was last changed.
    updated_at: Optional[str]
    #: The person or key that changed it last.
    updated_by: Optional[str]


class DeclaredEventType(_DeclaredEventTypeRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _CounterListRequired(TypedDict):
    #: The values of the counters that rules read, by name.
    counters: list[Counter]


class CounterList(_CounterListRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _CounterRequired(TypedDict):
    #: The name.
    name: str
    #: Which attempts are counted: `transaction` and event types.
    of: list[str]
    #: How many there are.
    count: Literal["attempts", "distinct", "sum"]
    #: The value.
    value: Optional[str]
    #: The fields of which each combination is counted separately.
    by: list[str]
    #: How far back it counts.
    window: Literal["10m", "1h", "24h", "7d", "30d"]
    #: Counts only requests that this expression over the request holds for.
    where: Optional[str]
    #: A note for people.
    note: Optional[str]
    #: The version of the rule, from 1.
    version: int
    #: Since when they are linked.
    since: str
    #: Write units for each attempt that it counts.
    write_units: int
    #: When it was created.
    created_at: str
    #: When it was last changed.
    updated_at: str
    #: The person or key that changed it last.
    updated_by: str


class Counter(_CounterRequired, total=False):
    #: Notes on the request, such as unknown fields. Absent if there are none.
    warnings: list[str]


class _PutCounterRequestRequired(TypedDict):
    #: Which attempts are counted: `transaction` and event types.
    of: list[str]
    #: How many there are.
    count: Literal["attempts", "distinct", "sum"]
    #: The fields of which each combination is counted separately.
    by: list[str]
    #: How far back it counts.
    window: Literal["10m", "1h", "24h", "7d", "30d"]


class PutCounterRequest(_PutCounterRequestRequired, total=False):
    #: The value.
    value: Optional[str]
    #: Counts only requests that this expression over the request holds for.
    where: Optional[str]
    #: A note for people.
    note: Optional[str]


class ErrorBodyErrorDetail(TypedDict):
    #: Where in the request, such as `billing_address.country`.
    field: str
    #: The error in words.
    message: str


class _ErrorBodyErrorRequired(TypedDict):
    code: ErrorCode
    #: The error in words.
    message: str
    #: The ID of the request; quote it when you ask about it.
    request_id: str


class ErrorBodyError(_ErrorBodyErrorRequired, total=False):
    """The error."""

    #: Every fault of the request, up to 50.
    details: list[ErrorBodyErrorDetail]


class ErrorBody(TypedDict):
    #: The error.
    error: ErrorBodyError


class ExplanationContribution(TypedDict):
    #: The name of the signal.
    signal: str
    #: How much it adds to the score, or takes away.
    points: int
    #: The reason in words.
    detail: str


class _ExplanationWhatIfRequired(TypedDict):
    #: The difference that it takes.
    change: Literal["amount", "known_device", "known_place", "without_signal"]
    decision: DecisionName


class ExplanationWhatIf(_ExplanationWhatIfRequired, total=False):
    #: For the change `amount`: the highest amount that would have led to this decision, to within 1%.
    at_most: float
    #: For the change `without_signal`: the signal.
    signal: str


class _ExplanationRequired(TypedDict):
    #: The score before any signal counts.
    base: int
    #: The reasons that moved the score, the most points first. `base` plus all points is exactly `risk_score`.
    contributions: list[ExplanationContribution]


class Explanation(_ExplanationRequired, total=False):
    """Why the score is what it is."""

    #: Changes that would have led to a milder decision, found by screening again. Only if the decision is not `allow`.
    what_if: list[ExplanationWhatIf]


class BillingAddress(TypedDict, total=False):
    """The billing address; the country alone already helps."""

    #: First line of the address.
    line1: str
    #: Second line of the address.
    line2: str
    #: City.
    city: str
    #: State or province.
    state: str
    #: Postal code.
    postal_code: str
    #: ISO 3166-1 alpha-2 code of the country.
    country: str


class _WebhookRequired(TypedDict):
    #: The ID of the webhook endpoint.
    webhook_id: str
    #: Where deliveries are sent.
    url: str
    #: The types of events that the endpoint receives.
    events: list[EventType]
    #: Your own name for the endpoint; null if it has none.
    label: Optional[str]
    #: The state it is in.
    status: Literal["enabled", "disabled"]
    #: When it was created.
    created_at: str


class Webhook(_WebhookRequired, total=False):
    #: When the endpoint was disabled; absent while it is enabled.
    disabled_at: str
    #: Why it was disabled: it responded 410, or it kept failing.
    disabled_reason: Literal["gone", "failing"]


class DeliveryAttempt(TypedDict):
    #: The number of the delivery attempt, from 1.
    attempt: int
    #: When the attempt began.
    started_at: str
    #: How long the attempt took, in milliseconds.
    duration_ms: int
    #: How the attempt ended.
    outcome: Literal["delivered", "refused", "timeout", "blocked", "tls", "network"]
    #: The HTTP status of the response; null if there was none.
    status_code: Optional[int]
    #: The error, if there was one; otherwise null.
    error: Optional[str]
    #: The beginning of the endpoint’s response, for finding mistakes.
    answer: Optional[str]


class AppliedRule(TypedDict):
    #: The name of the rule.
    name: str
    #: The version of the rule, from 1.
    version: int
    action: RuleAction


class ListEntry(TypedDict):
    #: The value.
    value: str
    #: When it expires.
    expires_at: Optional[str]
    #: Why the delivery ended without being delivered; null otherwise.
    reason: Optional[str]
    #: When the entry was added.
    added_at: str
    #: The person or key that added it.
    added_by: str
    #: The person, or the name of the key, that added it.
    added_by_name: str
