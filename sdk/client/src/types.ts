// Written by `npm run sdk:types` from the schemas of the API. Do not edit.

export type PaymentMethod = 'card' | 'bank' | 'wallet' | 'crypto';
export type RiskLevel = 'low' | 'elevated' | 'high';
export type DecisionName = 'allow' | 'challenge' | 'review' | 'block';
export type RuleAction = 'allow' | 'block' | 'challenge' | 'review' | 'points';
export type UserAction =
  | 'login'
  | 'signup'
  | 'password_reset'
  | 'password_change'
  | 'email_change'
  | 'phone_change'
  | 'payout_change'
  | 'profile_update';
export type SubjectType = 'transaction' | 'event';
export type CaseStatus = 'open' | 'approved' | 'rejected' | 'expired';
export type EventType =
  | 'transaction.screened'
  | 'transaction.decision.block'
  | 'event.screened'
  | 'case.created'
  | 'case.resolved'
  | 'decision.reviewed'
  | 'list.changed';
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'cancelled';
export type RuleState = 'draft' | 'shadow' | 'active' | 'paused';
export type ListEffect = 'allow' | 'block' | 'challenge' | 'review' | 'none';
export type ErrorCode =
  | 'invalid_request'
  | 'unsupported_api_version'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'case_not_open'
  | 'case_claimed'
  | 'list_type_fixed'
  | 'idempotency_in_progress'
  | 'version_mismatch'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_mismatch'
  | 'rate_limited'
  | 'internal_error'
  | 'unavailable';

export interface ScreenTransactionRequest {
  user_id: string;
  ip_address?: string;
  device_fingerprint?: string;
  custom_attributes?: {
    [k: string]: string;
  };
  amount: number;
  currency: string;
  payment_method?: PaymentMethod;
  billing_address?: BillingAddress;
}
export interface BillingAddress {
  line1?: string;
  line2?: string;
  city?: string;
  state?: string;
  postal_code?: string;
  country?: string;
}
export interface Transaction {
  transaction_id: string;
  decision_id: string;
  user_id: string;
  amount: number;
  currency: string;
  risk_score: number;
  risk_level: RiskLevel;
  decision: DecisionName;
  decided_by: {
    kind: 'score' | 'rule' | 'list' | 'sandbox';
    name: string | null;
  };
  rules: AppliedRule[];
  lists: string[];
  signals: string[];
  explanation: Explanation;
  model_version: string;
  case_id: string | null;
  screened_at: string;
  warnings?: string[];
}
export interface AppliedRule {
  name: string;
  version: number;
  action: RuleAction;
}
export interface Explanation {
  base: number;
  contributions: {
    signal: string;
    points: number;
    detail: string;
  }[];
  what_if?: {
    change: 'amount' | 'known_device' | 'known_place' | 'without_signal';
    at_most?: number;
    signal?: string;
    decision: DecisionName;
  }[];
}
export interface RiskProfile {
  user_id: string;
  risk_score: number;
  risk_level: RiskLevel;
  signals: string[];
  first_seen_at: string;
  last_seen_at: string;
  transactions: {
    count: number;
    allowed: number;
    reviewed: number;
    blocked: number;
    amount_by_currency: {
      [k: string]: number;
    };
    last_24h: number;
    last_7d: number;
  };
  events: {
    count: number;
    by_type: {
      [k: string]: number;
    };
  };
  devices: {
    count: number;
    recent: {
      device: string;
      last_seen_at: string;
    }[];
  };
  ip_addresses: {
    count: number;
    countries: string[];
  };
  outcomes: {
    confirmed_fraud: number;
    confirmed_legitimate: number;
  };
  recent_activity: {
    transactions: {
      last_10m: {
        count: number;
        amount_usd: number;
      };
      last_1h: {
        count: number;
        amount_usd: number;
      };
      last_24h: {
        count: number;
        amount_usd: number;
      };
      last_7d: {
        count: number;
        amount_usd: number;
      };
      last_30d: {
        count: number;
        amount_usd: number;
      };
    };
    failed_logins: {
      last_10m: number;
      last_1h: number;
      last_24h: number;
    };
    last_changes: {
      event_type: UserAction;
      at: string;
    }[];
    last_place: {
      country: string;
      network: string;
      at: string;
    } | null;
    by_time_of_day: number[];
  };
  warnings?: string[];
}
export interface ScreenEventRequest {
  user_id: string;
  ip_address?: string;
  device_fingerprint?: string;
  custom_attributes?: {
    [k: string]: string;
  };
  event_type: UserAction;
  outcome?: 'succeeded' | 'failed';
}
export interface ScreenedEvent {
  event_id: string;
  decision_id: string;
  event_type: UserAction;
  user_id: string;
  risk_score: number;
  risk_level: RiskLevel;
  decision: DecisionName;
  decided_by: {
    kind: 'score' | 'rule' | 'list' | 'sandbox';
    name: string | null;
  };
  rules: AppliedRule[];
  lists: string[];
  signals: string[];
  explanation: Explanation;
  model_version: string;
  case_id: string | null;
  screened_at: string;
  warnings?: string[];
}
export interface Decision {
  decision_id: string;
  subject_type: SubjectType;
  subject_id: string;
  user_id: string;
  amount?: number;
  currency?: string;
  event_type?: UserAction;
  decision: DecisionName;
  automated_decision: DecisionName;
  decided_by: {
    kind: 'score' | 'rule' | 'list' | 'sandbox';
    name: string | null;
  };
  rules: AppliedRule[];
  lists: string[];
  shadow_rules: AppliedRule[];
  risk_score: number;
  signals: string[];
  explanation: Explanation;
  model_version: string;
  case_id: string | null;
  decided_at: string;
  review: {
    decision: 'allow' | 'block';
    analyst_id: string | null;
    notes: string | null;
    reviewed_at: string;
    reason_code?: string;
  } | null;
  warnings?: string[];
}
export interface ReviewDecisionRequest {
  decision: 'allow' | 'block';
  analyst_id?: string;
  notes?: string;
  reason_code?: string;
}
export interface CaseList {
  cases: Case[];
  total: number | null;
  limit: number;
  offset: number;
  has_more: boolean;
  next_cursor?: string | null;
  warnings?: string[];
}
export interface Case {
  case_id: string;
  subject_type: SubjectType;
  subject_id: string;
  user_id: string;
  amount?: number;
  currency?: string;
  event_type?: UserAction;
  status: CaseStatus;
  risk_score: number;
  decision: 'review';
  signals: string[];
  created_at: string;
  expires_at: string;
  resolved_at: string | null;
  resolved_by: string | null;
  notes: string | null;
  reason_code?: string;
  assignee: string | null;
  claimed_until: string | null;
  comments: number;
  warnings?: string[];
}
export interface ResolveCaseRequest {
  status: 'approved' | 'rejected';
  analyst_id?: string;
  notes?: string;
  reason_code?: string;
  force?: boolean;
}
export interface ClaimCaseRequest {
  analyst_id?: string;
}
export interface CommentCaseRequest {
  text: string;
  analyst_id?: string;
}
export interface CaseComment {
  comment_id: string;
  case_id: string;
  text: string;
  actor: string;
  at: string;
  warnings?: string[];
}
export interface CaseTimeline {
  entries: {
    at: string;
    actor: string | null;
    kind:
      | 'screened'
      | 'case_opened'
      | 'claimed'
      | 'released'
      | 'commented'
      | 'resolved'
      | 'reviewed'
      | 'corrected'
      | 'expired';
    proven?: boolean;
    key_id?: string;
    decision?: DecisionName;
    previous_decision?: DecisionName;
    risk_score?: number;
    text?: string;
    notes?: string | null;
    reason_code?: string;
  }[];
  warnings?: string[];
}
export interface ResolveCasesRequest {
  status: 'approved' | 'rejected';
  analyst_id?: string;
  notes?: string;
  reason_code?: string;
  force?: boolean;
  case_ids: string[];
}
export interface CaseResults {
  results: {
    case_id: string;
    status:
      | 'ok'
      | 'invalid_request'
      | 'unsupported_api_version'
      | 'unauthorized'
      | 'forbidden'
      | 'not_found'
      | 'method_not_allowed'
      | 'case_not_open'
      | 'case_claimed'
      | 'list_type_fixed'
      | 'idempotency_in_progress'
      | 'version_mismatch'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_mismatch'
      | 'rate_limited'
      | 'internal_error'
      | 'unavailable';
  }[];
  warnings?: string[];
}
export interface Overview {
  start_date: string;
  end_date: string;
  interval: 'hour' | 'day';
  screenings: {
    total: number;
    transactions: number;
    events: number;
    allow: number;
    challenge: number;
    review: number;
    block: number;
  };
  decisions: {
    at: string;
    allow: number;
    challenge: number;
    review: number;
    block: number;
  }[];
  scores: {
    from: number;
    to: number;
    allow: number;
    challenge: number;
    review: number;
    block: number;
    confirmed_fraud: number;
    confirmed_legitimate: number;
  }[];
  signals: {
    signal: string;
    count: number;
    confirmed_fraud: number;
    confirmed_legitimate: number;
  }[];
  outcomes: {
    allow: {
      confirmed_fraud: number;
      confirmed_legitimate: number;
    };
    challenge: {
      confirmed_fraud: number;
      confirmed_legitimate: number;
    };
    review: {
      confirmed_fraud: number;
      confirmed_legitimate: number;
    };
    block: {
      confirmed_fraud: number;
      confirmed_legitimate: number;
    };
  };
  cases: {
    opened: number;
    open: number;
    approved: number;
    rejected: number;
    expired: number;
  };
  review_precision: number | null;
  warnings?: string[];
}
export interface CreateWebhookRequest {
  url: string;
  events: EventType[];
  label?: string;
}
export interface CreatedWebhook {
  webhook_id: string;
  url: string;
  events: EventType[];
  label: string | null;
  status: 'enabled' | 'disabled';
  created_at: string;
  disabled_at?: string;
  disabled_reason?: 'gone' | 'failing';
  signing_secret: string;
  warnings?: string[];
}
export interface WebhookList {
  webhooks: Webhook[];
  warnings?: string[];
}
export interface Webhook {
  webhook_id: string;
  url: string;
  events: EventType[];
  label: string | null;
  status: 'enabled' | 'disabled';
  created_at: string;
  disabled_at?: string;
  disabled_reason?: 'gone' | 'failing';
}
export interface Delivery {
  delivery_id: string;
  webhook_id: string;
  message_id: string;
  event_type:
    | 'transaction.screened'
    | 'transaction.decision.block'
    | 'event.screened'
    | 'case.created'
    | 'case.resolved'
    | 'decision.reviewed'
    | 'list.changed'
    | 'webhook.test';
  status: DeliveryStatus;
  reason: ('attempts_exhausted' | 'endpoint_gone' | 'endpoint_deleted' | 'endpoint_disabled') | null;
  attempt: number;
  next_attempt_at: string | null;
  completed_at: string | null;
  created_at: string;
  redelivery_of: string | null;
  attempts: DeliveryAttempt[];
  warnings?: string[];
}
export interface DeliveryAttempt {
  attempt: number;
  started_at: string;
  duration_ms: number;
  outcome: 'delivered' | 'refused' | 'timeout' | 'blocked' | 'tls' | 'network';
  status_code: number | null;
  error: string | null;
  answer: string | null;
}
export interface DeliveryList {
  deliveries: Delivery[];
  limit: number;
  offset: number;
  has_more: boolean;
  warnings?: string[];
}
export interface Me {
  account_id: string;
  key_id: string;
  person: string | null;
  role: string;
  permissions: string[];
  reason_codes: string[];
  warnings?: string[];
}
export interface DecisionList {
  decisions: Decision[];
  next_cursor: string | null;
  warnings?: string[];
}
export interface Rule {
  name: string;
  expression: string;
  action: RuleAction;
  points: number | null;
  priority: number;
  state: RuleState;
  rollout_percent: number;
  applies_to: (
    | 'transaction'
    | 'login'
    | 'signup'
    | 'password_reset'
    | 'password_change'
    | 'email_change'
    | 'phone_change'
    | 'payout_change'
    | 'profile_update'
  )[];
  expires_at: string | null;
  note: string | null;
  override_labels: boolean;
  version: number;
  created_at: string;
  updated_at: string;
  updated_by: string;
  matches: {
    last_24h: number;
    last_7d: number;
  };
  warnings?: string[];
}
export interface RuleVersionList {
  versions: {
    name: string;
    expression: string;
    action: RuleAction;
    points: number | null;
    priority: number;
    state: RuleState;
    rollout_percent: number;
    applies_to: (
      | 'transaction'
      | 'login'
      | 'signup'
      | 'password_reset'
      | 'password_change'
      | 'email_change'
      | 'phone_change'
      | 'payout_change'
      | 'profile_update'
    )[];
    expires_at: string | null;
    note: string | null;
    override_labels: boolean;
    version: number;
    created_at: string;
    updated_at: string;
    updated_by: string;
  }[];
  warnings?: string[];
}
export interface RuleList {
  rules: Rule[];
  warnings?: string[];
}
export interface PutRuleRequest {
  expression: string;
  action: RuleAction;
  points?: number | null;
  priority?: number | null;
  state?: RuleState | null;
  rollout_percent?: number | null;
  applies_to?:
    | (
        | 'transaction'
        | 'login'
        | 'signup'
        | 'password_reset'
        | 'password_change'
        | 'email_change'
        | 'phone_change'
        | 'payout_change'
        | 'profile_update'
      )[]
    | null;
  expires_at?: string | null;
  note?: string | null;
  override_labels?: boolean | null;
}
export interface UserLinks {
  nodes: {
    id: string;
    type: string;
    label: string;
    confirmed_fraud: boolean;
    users: number;
  }[];
  edges: {
    from: string;
    to: string;
    since: string;
  }[];
  truncated: boolean;
  warnings?: string[];
}
export interface PutListRequest {
  type: string;
  effect: ListEffect;
  note?: string | null;
}
export interface List {
  name: string;
  type: string;
  effect: ListEffect;
  note: string | null;
  entries: number;
  created_at: string;
  updated_at: string;
  warnings?: string[];
}
export interface Lists {
  lists: List[];
  warnings?: string[];
}
export interface AddListEntriesRequest {
  entries: {
    value: string;
    expires_at?: string | null;
    reason?: string | null;
  }[];
}
export interface AddedListEntries {
  added: number;
  updated: number;
  rejected: {
    index: number;
    message: string;
  }[];
  warnings?: string[];
}
export interface ListEntryPage {
  entries: ListEntry[];
  next_cursor: string | null;
  warnings?: string[];
}
export interface ListEntry {
  value: string;
  expires_at: string | null;
  reason: string | null;
  added_at: string;
  added_by: string;
}
export interface RequestedErasure {
  erasure_id: string;
  warnings?: string[];
}
export interface UserExport {
  user_id: string;
  exported_at: string;
  profile: RiskProfile | null;
  decisions: Decision[];
  cases: Case[];
  comments: {
    case_id: string;
    at: string;
    actor: string;
    text: string;
  }[];
  links: UserLinks | null;
  next_cursor: string | null;
  warnings?: string[];
}
export interface ForgetLabelsRequest {
  reason: string;
}
export interface ForgottenLabels {
  user_id: string;
  forgotten: {
    users: number;
    devices: number;
    cards: number;
  };
  forgotten_at: string;
  warnings?: string[];
}
export interface Erasure {
  erasure_id: string;
  status: 'pending' | 'completed';
  requested_at: string;
  requested_by: string;
  completed_at: string | null;
  items_checked: number;
  erased: {
    [k: string]: number;
  };
  warnings?: string[];
}
export interface ErrorBody {
  error: {
    code: ErrorCode;
    message: string;
    request_id: string;
    details?: {
      field: string;
      message: string;
    }[];
  };
}

/** The version of the API that these types describe, and that every request pins. */
export const API_VERSION = '2026-11-14';
