import type { Case, Decision, EventType, ScreenedEvent, Transaction } from './types';

/** What each type of event is about. A type that the API learns does not compile here until it has a row. */
interface EventData extends Record<EventType, object> {
  'transaction.screened': Transaction;
  'transaction.decision.block': Transaction;
  'event.screened': ScreenedEvent;
  'case.created': Case;
  'case.resolved': Case;
  'decision.reviewed': Decision;
}

interface Message<Type extends EventType> {
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
export type WebhookEvent = { [Type in EventType]: Message<Type> }[EventType];

/** The event of one type: `EventOf<'case.created'>`. */
export type EventOf<Type extends EventType> = Message<Type>;
