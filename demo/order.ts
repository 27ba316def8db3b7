/** The state of an order; `held` until an analyst has decided. */
export type OrderState = 'paid' | 'held' | 'declined' | 'shipped' | 'cancelled';

/** An order as the page shows it, including what a real shop would keep to itself. */
export interface OrderView {
  readonly id: number;
  readonly state: OrderState;
  /** Null when the service gave no answer and the shop's fail policy decided. */
  readonly score: number | null;
  readonly decision: 'allow' | 'challenge' | 'review' | 'block';
  readonly reasons: ReadonlyArray<{ readonly signal: string; readonly points: number; readonly detail: string }>;
  /** Where the case can be decided; null unless there is one. */
  readonly caseUrl: string | null;
}
