import type { EntityHistory } from '../entities/entity-history';
import { isFamiliarDevice } from '../entities/familiar';
import type { ScreeningFacts } from './screening-facts';

/** Long enough ago to be familiar beyond doubt. */
const KNOWN_FOR_MS = 30 * 86_400_000;

/** A device or address that only this user has used, for a month, and about which nobody has said anything. */
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

/** The same attempt on a device that the user has known for a month; undefined if it is on one, or there is none. */
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

/** The same attempt from where the user was last seen; undefined if it comes from a known address, or none is known. */
export function onKnownPlace(facts: ScreeningFacts): ScreeningFacts | undefined {
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
    // What a model may have learnt about the actual address.
    observed: observed.filter(({ name }) => !name.startsWith('ip.')),
  };
}
