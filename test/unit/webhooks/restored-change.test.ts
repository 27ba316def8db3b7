import { isRestored, type RelayOrder } from '../../../shared/domain/webhooks/relay-order';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-14T12:00:00Z');
const at = (ms: number): string => new Date(ms).toISOString();
const orderOf = (change: object): RelayOrder => ({ kind: 'publish', change }) as unknown as RelayOrder;

const CHANGES: ReadonlyArray<readonly [string, (happenedMs: number) => RelayOrder]> = [
  ['a screening', (ms) => orderOf({ kind: 'screened', record: { screened_at_ms: ms } })],
  ['a case', (ms) => orderOf({ kind: 'case_opened', reviewCase: { created_at_ms: ms } })],
  ['a review', (ms) => orderOf({ kind: 'reviewed', record: { review: { reviewed_at: at(ms) } } })],
  ['a resolution', (ms) => orderOf({ kind: 'case_resolved', reviewCase: { resolved_at: at(ms) } })],
];

describe.each(CHANGES)('%s in the stream', (_name, order) => {
  it('is news when it was written within a day of happening, as a late retry may be', () => {
    expect([0, 1, 24].map((hours) => isRestored(order(NOW - hours * HOUR), NOW))).toEqual([false, false, false]);
  });

  it('is no news when a backup brought it back', () => {
    expect([26, 24 * 60].map((hours) => isRestored(order(NOW - hours * HOUR), NOW))).toEqual([true, true]);
  });

  it('is news when it was set aside, however long ago', () => {
    expect(isRestored(order(NOW - 300 * HOUR), Number.NEGATIVE_INFINITY)).toBe(false);
  });
});

it('a hint for a delivery that a request made is always passed on', () => {
  expect(isRestored({ kind: 'queue', queueMessage: {} } as unknown as RelayOrder, NOW)).toBe(false);
});
