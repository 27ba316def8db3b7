import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Draws, randomDraws } from '../simulation/random-draws';

const START_MS = Date.parse('2025-03-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Rows per file, and the share of fraud: as few as a small shop has after half a year with Amazon Fraud Detector. */
const ROWS = 400;
const FRAUD_SHARE = 0.13;

type Row = Readonly<Record<string, string>>;

interface Attempt {
  readonly atMs: number;
  readonly isFraud: boolean;
  readonly person: number;
  readonly draws: Draws;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
const address = ({ isFraud, person }: Attempt): string =>
  isFraud
    ? `45.12.${person % 4}.${1 + (person % 200)}`
    : `91.${person % 60}.${(person * 7) % 250}.${1 + (person % 250)}`;
const email = ({ isFraud, person, draws }: Attempt): string =>
  isFraud
    ? `${draws.pick([...LETTERS])}${draws.below(9_000) + 1_000}@quick-mail.example`
    : `person${person}@mail.example`;
const price = ({ isFraud, draws }: Attempt): string => draws.around(isFraud ? 180 : 45, 0.6).toFixed(2);
const bin = ({ isFraud, person, draws }: Attempt): string =>
  String(isFraud ? draws.pick([521_234, 543_210]) : 400_000 + 10 * (person % 9));
/** Fraudsters reuse a few parcel lockers; honest people have their own address. */
const parcel = ({ isFraud, person, draws }: Attempt): string =>
  isFraud ? `Locker ${draws.below(6)}` : `${1 + (person % 90)} Elm Street`;

/** Registrations as in Amazon's own sample: nobody is named, no amounts, labels in words. */
const registration = (attempt: Attempt): Row => ({
  EVENT_TIMESTAMP: time(attempt.atMs),
  EVENT_LABEL: attempt.isFraud ? 'fraud' : 'legit',
  ip_address: address(attempt),
  email_address: email(attempt),
  phone_number: `+49170${String(1_000_000 + attempt.person * 37).slice(-7)}`,
  user_agent: attempt.isFraud ? 'HeadlessChrome' : attempt.draws.pick(['Firefox', 'Safari', 'Chrome', 'Edge']),
  billing_state: attempt.draws.pick(['BE', 'BY', 'HH', 'NW']),
});

const order = (attempt: Attempt, row: number): Row => ({
  EVENT_ID: `order-${row}`,
  EVENT_TIMESTAMP: time(attempt.atMs),
  ENTITY_TYPE: 'customer',
  ENTITY_ID: attempt.isFraud ? `new-${row}` : `customer-${attempt.person}`,
  EVENT_LABEL: attempt.isFraud ? '1' : '0',
  LABEL_TIMESTAMP: time(attempt.atMs + 4 * DAY_MS),
  ip_address: address(attempt),
  customer_email: email(attempt),
  card_bin: bin(attempt),
  order_price: price(attempt),
  payment_currency: 'EUR',
  shipping_address: parcel(attempt),
});

/** Chargebacks that arrive four to seven months later. */
const lateOrder = (attempt: Attempt, row: number): Row => ({
  ...order(attempt, row),
  LABEL_TIMESTAMP: time(attempt.atMs + attempt.draws.between(120, 210) * DAY_MS),
});

/** Seventy variables, most of them noise, the useful ones last. */
function wideOrder(attempt: Attempt, row: number): Row {
  const { EVENT_ID = '', EVENT_TIMESTAMP = '', ENTITY_ID = '', EVENT_LABEL = '', ...variables } = order(attempt, row);
  const own = { EVENT_ID, EVENT_TIMESTAMP, ENTITY_TYPE: 'customer', ENTITY_ID, EVENT_LABEL };
  const { LABEL_TIMESTAMP: _, ENTITY_TYPE: __, ...useful } = variables;
  const noise = Array.from(
    { length: 70 - Object.keys(useful).length },
    (_, i) =>
      [`signal_${i + 1}`, i % 2 === 0 ? attempt.draws.next().toFixed(3) : `v${attempt.draws.below(9)}`] as const,
  );
  return { ...own, ...Object.fromEntries(noise), ...useful };
}

/** Currencies that were withdrawn, that never were, that are written as words, and hardly any that are in use. */
const ODD_CURRENCIES = ['DEM', 'ITL', 'frf', 'ESP', 'ZWD', 'BTC', 'euro', '', 'USD', 'EUR'] as const;
const oddOrder = (attempt: Attempt, row: number): Row => ({
  ...order(attempt, row),
  payment_currency: attempt.draws.pick(ODD_CURRENCIES),
});

export const SAMPLE_FILES = {
  'no-entity-id.csv': registration,
  'late-labels.csv': lateOrder,
  'seventy-variables.csv': wideOrder,
  'odd-currencies.csv': oddOrder,
} as const satisfies Record<string, (attempt: Attempt, row: number) => Row>;

function csvOf(rowOf: (attempt: Attempt, row: number) => Row, seed: number): string {
  const draws = randomDraws(seed);
  let atMs = START_MS;
  const rows = Array.from({ length: ROWS }, (_, row) => {
    atMs += draws.exponential(8 * HOUR_MS);
    return rowOf({ atMs, isFraud: draws.chance(FRAUD_SHARE), person: draws.below(120), draws }, row);
  });
  const header = Object.keys(rows[0] ?? {});
  return `${[header, ...rows.map((row) => header.map((column) => row[column] ?? ''))].map((cells) => cells.join(',')).join('\n')}\n`;
}

export function writeSampleFiles(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  return Object.entries(SAMPLE_FILES).map(([name, rowOf], i) => {
    const file = join(folder, name);
    writeFileSync(file, csvOf(rowOf, 100 + i));
    return file;
  });
}
