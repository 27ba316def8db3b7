import { all, isTrue, not } from '../condition';
import type { ScreeningFacts } from '../screening-facts';
import type { SignalDefinition } from '../signal-definition';

const where = ({ ip, billing_country }: ScreeningFacts): string =>
  `IP address in ${ip?.country}, billing address in ${billing_country}`;

/** Travellers and people with a card from home are honest: a mismatch alone is weak evidence. */
export const ipMismatch: SignalDefinition = {
  name: 'ip_mismatch',
  summary: 'the IP address and the billing address are in different countries',
  family: 'location',
  applies_to: 'transactions',
  cases: [
    {
      when: all(isTrue('ip_country_differs'), not(isTrue('user_country_seen')), not(isTrue('ip_mobile'))),
      strength: 1.4,
      detail: (_, facts) => `${where(facts)}; first time this user is seen there`,
    },
    {
      when: all(isTrue('ip_country_differs'), not(isTrue('user_country_seen')), isTrue('ip_mobile')),
      strength: 0.8,
      detail: (_, facts) => `${where(facts)}; mobile network`,
    },
    {
      when: all(isTrue('ip_country_differs'), isTrue('user_country_seen')),
      strength: 0.4,
      detail: (_, facts) => `${where(facts)}; this user has been seen there before`,
    },
  ],
};
