import type { Case, FraudScreening } from '../sdk/client/src';

export interface Purchase {
  readonly product: keyof typeof PRICES;
  readonly customer: (typeof CUSTOMERS)[number];
  readonly place: keyof typeof LOCATIONS;
  readonly device: string | null;
}

const PRICES = { coffee: 12.5, headphones: 249, camera: 990 } as const;
/** A home address of a German provider, and one in a data centre: the demo's visitors all come from this machine. */
const LOCATIONS = { home: '91.0.0.7', server: '52.94.76.1' } as const;
/** A known customer, an unknown one, and one in a hurry. */
const CUSTOMERS = ['emma', 'guest', 'newcomer'] as const;
/** The demo has no second factor to ask for: it holds what a real shop would challenge. */
const STATE_OF = { allow: 'paid', challenge: 'held', review: 'held', block: 'declined' } as const;
const TOKEN_LENGTH = 256;

export function purchaseOf(body: unknown): Purchase | undefined {
  const { product, customer, place, device = null } = (body ?? {}) as Record<string, unknown>;
  const isKnown =
    typeof product === 'string' &&
    Object.hasOwn(PRICES, product) &&
    typeof place === 'string' &&
    Object.hasOwn(LOCATIONS, place) &&
    CUSTOMERS.some((known) => known === customer);
  const isToken = device === null || (typeof device === 'string' && device.length > 0 && device.length <= TOKEN_LENGTH);
  return isKnown && isToken ? ({ product, customer, place, device } as Purchase) : undefined;
}

/** The shop as its server sees it: the few lines around the client that a merchant has to write. */
export function shop(fraud: FraudScreening, consoleUrl: string) {
  const orders = new Map<number, OrderView>();
  const byTransaction = new Map<string, number>();

  async function buy({ product, customer, place, device }: Purchase): Promise<OrderView> {
    const id = orders.size + 1;
    orders.set(id, { id, state: 'held', score: null, decision: 'review', reasons: [], caseUrl: null });
    const where = { ip_address: LOCATIONS[place], ...(device === null ? {} : { device_fingerprint: device }) };
    const user_id = customer === 'emma' ? 'emma' : `${customer}-${id}`;
    // A signup must never fail because of us; a payment that could not be screened is held.
    if (customer === 'newcomer') {
      await fraud.events.screen({ event_type: 'signup', user_id, ...where }, { failPolicy: 'allow' });
    }
    const payment = { user_id, amount: PRICES[product], currency: 'EUR', payment_method: 'card' as const, ...where };
    const result = await fraud.transactions.screen(
      { ...payment, custom_attributes: { order_id: String(id), category: product } },
      { failPolicy: 'review' },
    );
    const state = STATE_OF[result.decision];
    const order: OrderView = result.fallback
      ? { id, state, score: null, decision: result.decision, reasons: [], caseUrl: null }
      : {
          id,
          state,
          score: result.risk_score,
          decision: result.decision,
          reasons: result.explanation.contributions,
          caseUrl: result.case_id === null ? null : `${consoleUrl}#/cases/${result.case_id}`,
        };
    orders.set(id, order);
    if (!result.fallback) byTransaction.set(result.transaction_id, id);
    return order;
  }

  return {
    buy,
    order: (id: number): OrderView | undefined => orders.get(id),
    /** `case.resolved` arrived: the order is shipped or cancelled. */
    resolved({ subject_id, status }: Case): void {
      const id = byTransaction.get(subject_id);
      const order = id === undefined ? undefined : orders.get(id);
      if (id === undefined || order?.state !== 'held') return;
      const state: OrderState = status === 'approved' ? 'shipped' : 'cancelled';
      orders.set(id, { ...order, state });
    },
    /** Emma has been here before: a login and a purchase on her own device. */
    async welcomeEmma(): Promise<void> {
      const emma = { user_id: 'emma', ip_address: LOCATIONS.home, device_fingerprint: 'emmas-phone' };
      await fraud.events.screen({ event_type: 'login', ...emma });
      await fraud.transactions.screen({ amount: PRICES.coffee, currency: 'EUR', ...emma });
    },
  };
}

export type Shop = ReturnType<typeof shop>;

/** The state of an order; `held` until an analyst has decided. */
export type OrderState = 'paid' | 'held' | 'declined' | 'shipped' | 'cancelled';

/** An order as the page shows it, including details a real shop would keep to itself. */
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
