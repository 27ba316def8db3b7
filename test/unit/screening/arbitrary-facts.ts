import fc from 'fast-check';
import { type EntityHistory, EVENT_ACTIONS } from '../../../shared/domain/entities/entity-history';
import { NETWORK_CLASSES } from '../../../shared/domain/ip/ip-table';
import { COUNTRIES } from '../../../shared/domain/ip/travel';
import { CURRENCY_CODES } from '../../../shared/domain/screening/currency-rates';
import { PAYMENT_METHODS, type ScreeningFacts } from '../../../shared/domain/screening/screening-facts';
import { amounts, DAY_MS, history, NEVER_SEEN, NOW_MS } from '../../support/screening/build-history';

/** Small numbers often, large ones sometimes: where signals start and where they saturate. */
const tally = fc.oneof(
  { weight: 4, arbitrary: fc.nat(3) },
  { weight: 2, arbitrary: fc.nat(30) },
  { weight: 1, arbitrary: fc.nat(100_000) },
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const flags = fc.option(fc.boolean(), { nil: undefined });
const agoMs = fc.oneof(fc.nat(120_000), fc.nat(DAY_MS), fc.nat(400 * DAY_MS));
const country = fc.constantFrom('US', 'FR', 'VN', 'AU', ...COUNTRIES);
const network = fc.constantFrom(...NETWORK_CLASSES);
const email = fc.record({ disposable: fc.boolean(), free: fc.boolean() });

/** Each window holds what the smaller ones hold. */
function recentLabels(added: ReadonlyArray<{ readonly fraud: number; readonly legitimate: number }>) {
  const sum = { fraud: 0, labelled: 0 };
  const windows = added.map(({ fraud, legitimate }) => {
    sum.fraud += fraud;
    sum.labelled += fraud + legitimate;
    return { ...sum };
  });
  const [day = sum, week = sum, month = sum] = windows;
  return { '1d': day, '7d': week, '30d': month };
}

export const arbitraryHistory: fc.Arbitrary<EntityHistory> = fc
  .record({
    days: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 3, noNaN: true }), fc.nat(900)),
    spent: fc.record({
      within10m: tally,
      within1h: tally,
      within24h: tally,
      within7d: tally,
      within30d: tally,
      earlier: tally,
      eachUsd: fc.double({ min: 0.01, max: 50_000, noNaN: true }),
    }),
    failed: fc.tuple(tally, tally, tally),
    changes: fc.dictionary(fc.constantFrom(...EVENT_ACTIONS), agoMs, { maxKeys: 3 }),
    distinct: fc.record({ users: tally, devices: tally, ips: tally, countries: tally, cards: tally }),
    seen: fc.record({ users: flags, devices: flags, ips: flags, countries: flags, cards: flags }),
    location: maybe(fc.record({ country, network, ago: agoMs })),
    hours: fc.array(tally, { minLength: 8, maxLength: 8 }),
    usual: fc.record({
      currency: fc.constantFrom('USD', 'EUR'),
      count: tally,
      usd: fc.integer({ min: 1, max: 9_000 }),
    }),
    decisions: fc.record({ review: tally, block: tally }),
    labels: fc.record({ fraud: fc.constantFrom(0, 0, 0, 1, 5), legitimate: tally }),
    failing: maybe(
      fc.record({ count: tally, includes_user: fc.boolean(), last_spray_ms: maybe(agoMs.map((ago) => NOW_MS - ago)) }),
    ),
    recent: fc.array(fc.record({ fraud: fc.constantFrom(0, 0, 1, 2.5), legitimate: tally }), {
      minLength: 3,
      maxLength: 3,
    }),
  })
  .map(({ days, spent, failed, changes, distinct, seen, location, hours, usual, decisions, labels, recent, failing }) =>
    history(days, spent, {
      failed_logins: { '10m': failed[0], '1h': failed[0] + failed[1], '24h': failed[0] + failed[1] + failed[2] },
      failing_users: failing,
      last_event_ms: Object.fromEntries(Object.entries(changes).map(([name, ago]) => [name, NOW_MS - ago])),
      distinct,
      seen: Object.fromEntries(Object.entries(seen).filter(([, value]) => value !== undefined)),
      last_place: location && { country: location.country, network: location.network, at_ms: NOW_MS - location.ago },
      hours,
      amounts_by_currency: { [usual.currency]: amounts(usual.count, usual.usd) },
      decisions,
      labels,
      recent_labels: recentLabels(recent),
    }),
  );

const known = maybe(fc.oneof(arbitraryHistory, fc.constant(NEVER_SEEN)));

/** As many more frauds confirmed just now, in every window. */
export const withFrauds = (history: EntityHistory, more: number, atMs: number): EntityHistory => ({
  ...history,
  labels: { ...history.labels, fraud: history.labels.fraud + more },
  recent_labels: Object.fromEntries(
    Object.entries(history.recent_labels).map(([window, { fraud, labelled }]) => [
      window,
      { fraud: fraud + more, labelled: labelled + more },
    ]),
  ) as EntityHistory['recent_labels'],
  fraud_since_ms: history.fraud_since_ms ?? atMs,
  last_label: 'fraud',
});

export const arbitraryFacts: fc.Arbitrary<ScreeningFacts> = fc
  .record({
    action: fc.oneof(
      { weight: 3, arbitrary: fc.constant('transaction' as const) },
      { weight: 1, arbitrary: fc.constantFrom(...EVENT_ACTIONS) },
    ),
    outcome: fc.constantFrom('succeeded' as const, 'failed' as const),
    at: fc.nat(DAY_MS),
    amount: fc.oneof(
      fc.double({ min: 0.01, max: 5_000, noNaN: true }),
      fc.double({ min: 0.01, max: 1e12, noNaN: true }),
    ),
    currency: fc.constantFrom('USD', 'EUR', 'DEM', ...CURRENCY_CODES),
    payment_method: maybe(fc.constantFrom(...PAYMENT_METHODS)),
    billing_country: maybe(country),
    ip: maybe(fc.oneof(fc.record({ country, network }), fc.record({ network, asn: fc.nat(70_000) }))),
    email: maybe(email),
    phone_country: maybe(country),
    user: known,
    device: known,
    ip_history: known,
    network_history: known,
    asn_history: known,
    email_pattern_history: known,
    attributes: fc.array(
      fc.record({ key: fc.constantFrom('card_fingerprint', 'email', 'merchant_id', 'channel'), history: known }),
      { maxLength: 4 },
    ),
  })
  .map(({ action, outcome, at, amount, currency, ...rest }) => ({
    ...rest,
    has_billing_address: rest.billing_country !== undefined,
    attempt: {
      attempt_id: 'x_1',
      at_ms: NOW_MS + at,
      action,
      outcome,
      user_id: 'u1',
      ...(action === 'transaction' ? { amount, currency } : {}),
    },
  }));
