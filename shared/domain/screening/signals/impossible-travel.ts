import { all, atLeast, between, isTrue, not } from '../condition';
import type { ScreeningFacts } from '../screening-facts';
import { duration } from '../sentence';
import type { FeatureValues, SignalDefinition } from '../signal-definition';
import { gradedByFactor } from '../strength';

function journey(value: FeatureValues, { attempt, ip, user }: ScreeningFacts): string {
  const last = user?.last_place;
  const seconds = Math.abs(attempt.at_ms - (last?.at_ms ?? attempt.at_ms)) / 1000;
  const speed = Math.round(value('travel_kmh')).toString();
  return `From ${last?.country} to ${ip?.country} in ${duration(seconds)}, at least ${speed} km/h`;
}

/** What counts as impossible, and why phones and relays are exempt: shared/domain/ip/travel.ts. */
export const impossibleTravel: SignalDefinition = {
  name: 'impossible_travel',
  summary: 'the user was somewhere else too recently to have travelled',
  family: 'location',
  applies_to: 'both',
  cases: [
    {
      when: all(atLeast('travel_evidence', 2), not(isTrue('user_ip_seen'))),
      strength: gradedByFactor('travel_kmh', [1000, 2.5], [20_000, 4]),
      detail: journey,
    },
    {
      // A second address that the user keeps coming back to is an office line or the user's own relay.
      when: all(atLeast('travel_evidence', 2), isTrue('user_ip_seen')),
      strength: 0.8,
      detail: (value, facts) => `${journey(value, facts)}, but this user has used the IP address before`,
    },
    {
      when: all(between('travel_evidence', 1, 1), not(isTrue('user_ip_seen'))),
      strength: 1.2,
      detail: (value, facts) => `${journey(value, facts)}, unless the phone is roaming`,
    },
  ],
};
