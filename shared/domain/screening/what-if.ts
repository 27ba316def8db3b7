import { isFamiliarDevice } from '../entities/earning';
import type { Attempt, EntityHistory } from '../entities/entity-history';
import { atMostUsd, currencyOf } from './currency-rates';
import type { Decision } from './decide';
import type { Contribution } from './score';
import type { ScreeningFacts } from './screening-facts';

const KNOWN_FOR_MS = 30 * 86_400_000;

/** A device or address that only this user has used, for a month, without a label. */
function usedAlone(user: EntityHistory, atMs: number): EntityHistory {
  return {
    ...user,
    first_seen_ms: atMs - KNOWN_FOR_MS,
    trusted_since_ms: atMs - KNOWN_FOR_MS,
    last_event_ms: {},
    distinct: { users: 1, devices: 1, ips: 1, cards: Math.max(1, user.earned.cards) },
    seen: { users: true, devices: true, ips: true, cards: user.seen.cards },
    tried: { users: true, devices: true, ips: true, cards: user.seen.cards },
    earned: { devices: 0, cards: 0 },
    own_device: undefined,
    stopped_marks: { undecided: [], rejected: [] },
    last_place: undefined,
    decisions: { review: 0, block: 0 },
    labels: { fraud: 0, legitimate: 0 },
    recent_labels: {
      '1d': { fraud: 0, labelled: 0 },
      '7d': { fraud: 0, labelled: 0 },
      '30d': { fraud: 0, labelled: 0 },
    },
    fraud_since_ms: undefined,
    last_label: undefined,
  };
}

/** The attempt on a device that the user has known for a month; undefined if it is on one, or there is none. */
export function onKnownDevice(facts: ScreeningFacts): ScreeningFacts | undefined {
  const { attempt, user } = facts;
  if (attempt.device === undefined || user === undefined || user.earned.devices === 0) return undefined;
  if (isFamiliarDevice(user, attempt.at_ms)) return undefined;
  return {
    ...facts,
    attempt: { ...attempt, device: 'a known device' },
    user: {
      ...user,
      seen: { ...user.seen, devices: true },
      tried: { ...user.tried, devices: true },
      own_device: { text: undefined, since_ms: attempt.at_ms - KNOWN_FOR_MS, crowd: 1 },
    },
    device: usedAlone(user, attempt.at_ms),
  };
}

/** The attempt from where the user was last seen; undefined if it comes from a known address, or none is known. */
export function atKnownLocation(facts: ScreeningFacts): ScreeningFacts | undefined {
  const { attempt, user, observed = [], asn_history: _asn, network_history: _network, ...rest } = facts;
  if (attempt.ip === undefined || user?.last_place === undefined || user.seen.ips === true) return undefined;
  const { country, network } = user.last_place;
  return {
    ...rest,
    attempt: { ...attempt, ip: 'a known address', country, network },
    ip: { country, network },
    user: {
      ...user,
      seen: { ...user.seen, ips: true, countries: true },
      tried: { ...user.tried, ips: true, countries: true },
    },
    ip_history: usedAlone(user, attempt.at_ms),
    // A model may have learnt about the actual address.
    observed: observed.filter(({ name }) => !name.startsWith('ip.')),
  };
}

/** One change that would have led to a milder decision. */
export interface WhatIf {
  readonly change: 'amount' | 'known_device' | 'known_place' | 'without_signal';
  /** The highest such amount, in the attempt's currency, to within one percent. */
  readonly at_most?: number;
  readonly signal?: string;
  readonly decision: Decision;
}

/** A hypothetical attempt. */
export interface Supposed {
  readonly facts: ScreeningFacts;
  /** The device or the address is another one: list entries for the actual one do not count. */
  readonly replaced?: 'device' | 'ip';
  readonly without?: string;
}

/** The actual decision, and how the same scorer, rules and lists decide about a hypothetical attempt. */
export interface Decided {
  readonly decision: Decision;
  readonly contributions: readonly Contribution[];
  decideOn(supposed: Supposed): Decision;
}

const MOST = 3;
/** The strongest few are enough, and each costs a scoring. */
const MOST_SIGNALS = 4;
/** Below a hundredth of the amount, or a hundred minor units, it would be another purchase. */
const LOWEST_SHARE = 100;
const LOWEST_UNITS = 100;
/** Maximum ratio between an amount that would do and one that would not. */
const TIGHT = 1.01;
const CLOSE = 1.0098;

const SEVERITY = { allow: 0, challenge: 1, review: 2, block: 3 } as const satisfies Record<Decision, number>;

const isMilder = (than: Decision, decision: Decision): boolean => SEVERITY[decision] < SEVERITY[than];

/** The smallest changes that would have led to a milder decision; computed by screening again, never guessed. */
export function whatIf(facts: ScreeningFacts, decided: Decided): WhatIf[] {
  const found: WhatIf[] = [];
  const consider = (change: WhatIf['change'], supposed: Supposed | undefined): void => {
    const decision = supposed && decided.decideOn(supposed);
    if (decision !== undefined && isMilder(decided.decision, decision)) found.push({ change, decision });
  };
  const amount = amountThatWouldDo(facts, decided);
  if (amount) found.push(amount);
  const device = onKnownDevice(facts);
  consider('known_device', device && { facts: device, replaced: 'device' });
  const located = atKnownLocation(facts);
  consider('known_place', located && { facts: located, replaced: 'ip' });
  const signal = found.length < MOST ? signalToLeaveOut(facts, decided) : undefined;
  if (signal) found.push(signal);
  return found;
}

/** The attempt with another amount. */
export function withAmount(attempt: Attempt, amount: number): Attempt {
  const usd = attempt.currency === undefined ? undefined : atMostUsd(amount, attempt.currency);
  return { ...attempt, amount, ...(usd === undefined ? {} : { amount_usd: usd }) };
}

/**
 * The highest amount below the actual one with a milder decision. Between two amounts, of which one would do and the other
 * would not, the geometric mean is tried until they are close: nine times at most. Where scores do not fall steadily with
 * the amount, there may be several; one that is not tight is not mentioned.
 */
function amountThatWouldDo({ attempt, ...rest }: ScreeningFacts, decided: Decided): WhatIf | undefined {
  const { amount, currency } = attempt;
  if (amount === undefined || currency === undefined) return undefined;
  const digits = currencyOf(currency)?.minor_unit_digits ?? 2;
  const inUnits = (value: number): number => Math.floor(value * 10 ** digits + 1e-6) / 10 ** digits;
  const decideAt = (value: number): Decision =>
    decided.decideOn({ facts: { ...rest, attempt: withAmount(attempt, value) } });

  let low = inUnits(Math.max(amount / LOWEST_SHARE, LOWEST_UNITS / 10 ** digits));
  if (low >= amount) return undefined;
  let decision = decideAt(low);
  if (!isMilder(decided.decision, decision)) return undefined;
  for (let high = amount; high > CLOSE * low; ) {
    const middle = inUnits(Math.sqrt(low * high));
    if (middle <= low || middle >= high) break;
    const between = decideAt(middle);
    if (isMilder(decided.decision, between)) [low, decision] = [middle, between];
    else high = middle;
  }
  // Also beyond the actual amount: a rule may be about exactly that one.
  const isTight = decideAt(TIGHT * low) !== decision;
  return isTight ? { change: 'amount', at_most: low, decision } : undefined;
}

function signalToLeaveOut(facts: ScreeningFacts, { contributions, decision, decideOn }: Decided): WhatIf | undefined {
  // Contributions of rules have their names, with a colon.
  const isSignal = (name: string): boolean => name !== 'model_risk' && !name.includes(':');
  const signals = contributions.filter(({ points, signal }) => points > 0 && isSignal(signal));
  for (const { signal } of signals.slice(0, MOST_SIGNALS).reverse()) {
    const without = decideOn({ facts, without: signal });
    if (isMilder(decision, without)) return { change: 'without_signal', signal, decision: without };
  }
  return undefined;
}
