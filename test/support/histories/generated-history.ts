import { type Draws, randomDraws } from '../../../training/simulation/random-draws';

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2025-01-06T00:00:00Z');
/** The last part of a history is tested on. */
const TRAINED_SHARE = 0.7;
/** Most labels come after a week; one fraud in five is a chargeback, weeks later. */
const LABEL_DAYS = 7;
const LATE_SHARE = 0.2;
const LATE_DAYS = [14, 60] as const;

export interface GeneratedLine {
  readonly t: string;
  readonly label_t: string;
  readonly kind: 'transaction';
  readonly account: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly label: 0 | 1;
  readonly split: 'train' | 'test';
}

interface Frauds {
  /** A merchant's terminal is copied for two to five weeks: some of its payments are fraud, with ordinary amounts. */
  readonly terminals?: number;
  /** A stolen card pays a dozen times within two days: at night, in categories and amounts that its owner never had. */
  readonly sprees?: number;
  /** From month three on, a kind that nobody has seen before: gift cards of one size, at any hour. */
  readonly gifts?: number;
}

interface HistoryCase {
  readonly accounts: Readonly<Record<string, Frauds>>;
  /** By the share of the time that has passed, 0 to 1. @default 1 */
  readonly factor?: (passed: number) => number;
}

const MONTH_THREE = 60 / 180;

/** The cases: add one here, and every test of histories plays it. */
export const HISTORY_CASES = {
  terminals: { accounts: { replay: { terminals: 0.01 } } },
  sprees: { accounts: { replay: { sprees: 0.012 } } },
  /** Little fraud to learn from at first: a weak first model must not stay. */
  slow_start: {
    accounts: { replay: { sprees: 0.008, terminals: 0.006 } },
    factor: (passed) => (passed < 0.3 ? 0.35 : 1.4),
  },
  new_kind: { accounts: { replay: { sprees: 0.006, gifts: 0.01 } } },
  doubling: { accounts: { replay: { sprees: 0.005, terminals: 0.005 } }, factor: (passed) => (passed < 0.5 ? 1 : 2) },
  two_accounts: { accounts: { shop: { sprees: 0.012 }, travel: { terminals: 0.012 } } },
} as const satisfies Record<string, HistoryCase>;

export type HistoryCaseName = keyof typeof HISTORY_CASES;

const CATEGORIES = ['grocery', 'fuel', 'dining', 'home', 'travel', 'electronics', 'gift_cards', 'fashion'] as const;
const USUAL = [60, 45, 35, 80, 220, 150, 40, 70] as const;
const ELECTRONICS = CATEGORIES.indexOf('electronics');
const GIFTS = CATEGORIES.indexOf('gift_cards');
const SPREE_PAYMENTS = 10;
const DAYS = 180;

interface Person {
  readonly id: string;
  readonly wealth: number;
  readonly merchants: readonly number[];
  readonly hour: number;
}

/** The payments of half a year, about so many, in order of time; the same for the same seed. */
export function generatedHistory(name: HistoryCaseName, payments: number, seed = 1): GeneratedLine[] {
  const { accounts, factor = () => 1 }: HistoryCase = HISTORY_CASES[name];
  const names = Object.keys(accounts);
  const lines = names.flatMap((account, i) =>
    accountLines(
      { account, frauds: accounts[account] ?? {}, factor },
      payments / names.length,
      randomDraws(100 * seed + i),
    ),
  );
  return lines.sort((a, b) => (a.t < b.t ? -1 : a.t > b.t ? 1 : 0));
}

interface AccountCase {
  readonly account: string;
  readonly frauds: Frauds;
  readonly factor: (passed: number) => number;
}

function accountLines({ account, frauds, factor }: AccountCase, payments: number, draws: Draws): GeneratedLine[] {
  const lines: GeneratedLine[] = [];
  const perDay = payments / DAYS;
  const people = Array.from({ length: Math.max(20, Math.round(perDay / 0.8)) }, (_, i) =>
    somebody(`${account}-${i}`, draws),
  );
  const merchants = Math.max(24, Math.round(people.length / 2));
  const copied = new Map<number, { untilMs: number; share: number }>();

  function pay(
    atMs: number,
    user: string,
    what: { category: number; merchant: number; paid: number; label: 0 | 1 },
  ): void {
    const { category, merchant, paid, label } = what;
    const days = label === 1 && draws.chance(LATE_SHARE) ? draws.between(...LATE_DAYS) : LABEL_DAYS;
    lines.push({
      t: new Date(Math.round(atMs)).toISOString(),
      label_t: new Date(Math.round(atMs + days * DAY_MS)).toISOString(),
      kind: 'transaction',
      account,
      body: {
        user_id: user,
        amount: Math.max(1, Math.round(100 * paid) / 100),
        currency: 'USD',
        payment_method: 'card',
        custom_attributes: { merchant_id: `${account}-m${merchant}`, category: CATEGORIES[category] as string },
      },
      label,
      split: atMs < START_MS + TRAINED_SHARE * DAYS * DAY_MS ? 'train' : 'test',
    });
  }

  function spree(dayMs: number): void {
    const { id, wealth } = draws.pick(people);
    const count = Math.round(draws.between(0.6, 1.4) * SPREE_PAYMENTS);
    for (let i = 0; i < count; i++) {
      const category = draws.chance(0.7) ? ELECTRONICS : draws.below(CATEGORIES.length);
      const atMs = dayMs + draws.between(0, 2) * DAY_MS;
      const nightMs = atMs - (atMs % DAY_MS) + draws.between(0, 5) * 3_600_000;
      const paid = draws.around(4 * (USUAL[category] as number) * Math.max(1, wealth), 0.5);
      pay(draws.chance(0.7) ? nightMs : atMs, id, { category, merchant: draws.below(merchants), paid, label: 1 });
    }
  }

  for (let day = 0; day < DAYS; day++) {
    const dayMs = START_MS + day * DAY_MS;
    const due = (share = 0) => share * factor(day / DAYS) * perDay;
    // A copied terminal sees about a payment in `merchants`; half of those are fraud while it lasts.
    const wanted = (2 * due(frauds.terminals) * merchants) / perDay;
    for (const [merchant, { untilMs }] of copied) if (untilMs <= dayMs) copied.delete(merchant);
    while (copied.size < Math.floor(wanted) + Number(draws.chance(wanted % 1) && copied.size === Math.floor(wanted))) {
      copied.set(draws.below(merchants), { untilMs: dayMs + draws.between(14, 35) * DAY_MS, share: 0.5 });
    }
    for (let left = due(frauds.sprees) / SPREE_PAYMENTS; draws.chance(Math.min(1, left)); left -= 1) spree(dayMs);
    for (let left = day / DAYS < MONTH_THREE ? 0 : due(frauds.gifts); draws.chance(Math.min(1, left)); left -= 1) {
      const paid = draws.pick([99, 100, 101]);
      const what = { category: GIFTS, merchant: draws.below(merchants), paid, label: 1 } as const;
      pay(dayMs + draws.between(0, 1) * DAY_MS, draws.pick(people).id, what);
    }
    const count = Math.round(perDay * draws.between(0.9, 1.1));
    for (let i = 0; i < count; i++) {
      const { id, wealth, merchants: favourites, hour } = draws.pick(people);
      const merchant = draws.chance(0.8) ? draws.pick(favourites) % merchants : draws.below(merchants);
      const category = merchant % CATEGORIES.length;
      const label = draws.chance(copied.get(merchant)?.share ?? 0) ? 1 : 0;
      const atMs = dayMs + (((hour + 3 * draws.normal() + 24) % 24) / 24) * DAY_MS;
      pay(atMs, id, { category, merchant, paid: draws.around(wealth * (USUAL[category] as number), 0.6), label });
    }
  }
  return lines;
}

const somebody = (id: string, draws: Draws): Person => ({
  id,
  wealth: draws.around(1, 0.4),
  merchants: Array.from({ length: 6 }, () => draws.below(1_000_000)),
  hour: draws.between(9, 21),
});
