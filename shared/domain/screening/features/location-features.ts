import { type Sighting, travelEvidence, travelSpeedKmh } from '../../ip/travel';
import type { ScreeningFacts } from '../screening-facts';
import { type AttemptFeature, flag, MISSING } from './feature-table';
import { either } from './feature-words';

const EVIDENCE = { none: 0, weak: 1, strong: 2 } as const;

/** The two ends of a journey: where the user was last seen, and where this attempt comes from. */
function journey({ attempt, ip, user }: ScreeningFacts): readonly [Sighting, Sighting] | undefined {
  const last = user?.last_place;
  if (last === undefined || ip?.country === undefined) return undefined;
  const from = { country: last.country, network: last.network, at: last.at_ms };
  return [from, { country: ip.country, network: ip.network, at: attempt.at_ms }];
}

function speed(facts: ScreeningFacts): number {
  const ends = journey(facts);
  if (ends === undefined) return MISSING;
  // Most people stay in one country: their speed needs no trigonometry.
  return ends[0].country === ends[1].country ? 0 : (travelSpeedKmh(...ends) ?? MISSING);
}

function evidence(facts: ScreeningFacts): number {
  const ends = journey(facts);
  if (ends === undefined) return MISSING;
  return ends[0].country === ends[1].country ? EVIDENCE.none : EVIDENCE[travelEvidence(...ends)];
}

export const LOCATION_FEATURES = {
  ip_country_differs: {
    description: '1 when the country of the IP address is not that of the billing address',
    words: either('country', 'IP and billing countries differ', 'IP and billing countries match'),
    explains: 'ip_mismatch',
    read: ({ facts: { ip, billing_country } }) =>
      ip?.country === undefined || billing_country === undefined ? MISSING : flag(ip.country !== billing_country),
  },
  ip_hosting: {
    description: '1 when the IP address belongs to a hosting or relay network',
    words: either('network', 'data-centre IP', 'not a data-centre IP'),
    explains: 'anonymous_ip',
    read: ({ facts: { ip } }) => flag(ip && ip.network === 'hosting'),
  },
  ip_mobile: {
    description: '1 when the IP address belongs to a mobile network',
    words: either('network', 'mobile network', 'not a mobile network'),
    explains: 'anonymous_ip',
    read: ({ facts: { ip } }) => flag(ip && ip.network === 'mobile'),
  },
  travel_kmh: {
    description: "lowest speed that explains this location and the user's last one, in km/h",
    words: [
      'last location',
      (value) => (value < 1 ? 'same location as before' : `travel at ${Math.round(value)} km/h`),
    ],
    explains: 'impossible_travel',
    read: ({ facts }) => speed(facts),
  },
  travel_evidence: {
    description: '2 when nobody can have made that journey, 1 when only roaming explains it, else 0',
    words: [
      'last location',
      (value) => (value >= 2 ? 'impossible travel' : value >= 1 ? 'unlikely travel' : 'plausible location'),
    ],
    explains: 'impossible_travel',
    read: ({ facts }) => evidence(facts),
  },
  has_billing_address: {
    description: '1 when a billing address was sent',
    words: either('billing address', 'billing address given', 'no billing address'),
    read: ({ facts, one }) => (one === 1 ? flag(facts.has_billing_address) : MISSING),
  },
} as const satisfies Record<string, AttemptFeature>;
