export type { CaseQuery } from './cases';
export { FraudScreening } from './client';
export { type ConstructOptions, constructEvent, type ReceivedHeaders } from './construct-event';
export type { DeliveryQuery } from './deliveries';
export { type ClientErrorCode, type ErrorDetail, FraudScreeningError } from './errors';
export type { FailPolicy, Fallback, OrFallback } from './fail-policy';
export type { ListEntryQuery } from './lists';
export type { AgentJwk, ReceivedRequest } from './message-signature';
export type { Attempt, CallOptions, ClientOptions, PostOptions, Runtime } from './options';
export type { OverviewQuery } from './overviews';
export type { RuleChangeOptions } from './rules';
export type { ScreenOptions } from './screening';
export * from './types';
export {
  type AgentNonces,
  type AgentRefusal,
  memoryNonces,
  type ReceivedAgent,
  type VerifyAgentOptions,
  verifyAgent,
} from './verify-agent';
export type { EventOf, ListChange, RuleChange, WebhookEvent } from './webhook-event';
export { type RefusalReason, WebhookVerificationError } from './webhook-verification-error';
