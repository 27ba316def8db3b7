export type { CaseQuery } from './cases';
export { FraudScreening } from './client';
export type { EventOf, ListChange, RuleChange, WebhookEvent } from './construct-event';
export {
  type ConstructOptions,
  constructEvent,
  type ReceivedHeaders,
  type RefusalReason,
  WebhookVerificationError,
} from './construct-event';
export type { ListEntryQuery } from './lists';
export type {
  Attempt,
  CallOptions,
  ClientOptions,
  FailPolicy,
  Fallback,
  OrFallback,
  PostOptions,
  Runtime,
} from './request';
export { type ClientErrorCode, type ErrorDetail, FraudScreeningError } from './request';
export type { DeliveryQuery, OverviewQuery, ScreenOptions } from './resources';
export type { RuleChangeOptions } from './rules';
export type * from './types';
export type { AgentJwk, ReceivedRequest } from './verify-agent';
export {
  type AgentNonces,
  type AgentRefusal,
  memoryNonces,
  type ReceivedAgent,
  type VerifyAgentOptions,
  verifyAgent,
} from './verify-agent';
export { API_VERSION } from './version';
