import type { Case, Decision, Delivery, ListEffect, Rule, ScreenedEvent, Transaction } from './types';

/** What can arrive: the types one subscribes to, and the test that one asks for. */
type MessageType = Delivery['event_type'];

/** A change of a list or of its entries, without any of its values. */
export interface ListChange {
  readonly name: string;
  readonly type: string;
  readonly effect: ListEffect;
  readonly change: 'created' | 'updated' | 'deleted' | 'entries';
  /** How many entries it added, updated and removed. */
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  readonly changed_at: string;
  /** The person, or the ID of the key. `expiry`: entries that had expired were removed. */
  readonly changed_by: string;
}

/** A change of a rule: the version that it made. */
export interface RuleChange extends Omit<Rule, 'matches' | 'warnings'> {
  readonly change: 'created' | 'updated' | 'deleted';
}

/** What each type is about. One that the API learns does not compile here until it has a row. */
interface EventData extends Record<MessageType, object> {
  'transaction.screened': Transaction;
  'transaction.decision.block': Transaction;
  'event.screened': ScreenedEvent;
  'case.created': Case;
  'case.resolved': Case;
  'decision.reviewed': Decision;
  'list.changed': ListChange;
  'rule.changed': RuleChange;
  'webhook.test': { readonly webhook_id: string; readonly text: string };
}

interface Message<Type extends MessageType> {
  /** `msg_…`: the same on every attempt. Remember the ones you have handled. */
  readonly id: string;
  readonly type: Type;
  readonly created_at: string;
  readonly api_version: string;
  /** False in the sandbox. */
  readonly livemode: boolean;
  /** The object as its GET would have answered when the event happened. */
  readonly data: EventData[Type];
}

/** A verified delivery; `switch (event.type)` narrows `event.data`. */
export type WebhookEvent = { [Type in MessageType]: Message<Type> }[MessageType];

/** The event of one type: `EventOf<'case.created'>`. */
export type EventOf<Type extends MessageType> = Message<Type>;
