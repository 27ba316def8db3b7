import type { DeliveryHint } from './delivery-hint';
import type { Change } from './webhook-event';

/** What a change record asks the relay to do. */
export type RelayOrder =
  | { readonly kind: 'tell'; readonly change: Change }
  /** A delivery that a request made: nothing but its hint is missing. */
  | { readonly kind: 'queue'; readonly hint: DeliveryHint };
