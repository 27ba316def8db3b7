import { all, isTrue, not } from '../condition';
import type { ScreeningFacts } from '../screening-facts';
import type { SignalDefinition } from '../signal-definition';

const network = ({ ip }: ScreeningFacts): string =>
  ip?.asn === undefined ? 'a hosting network' : `a hosting network (AS${ip.asn})`;

export const anonymousIp: SignalDefinition = {
  name: 'anonymous_ip',
  summary: 'the IP address belongs to a hosting, proxy or relay network',
  family: 'place',
  applies_to: 'both',
  cases: [
    {
      when: all(isTrue('ip_hosting'), not(isTrue('user_ip_seen'))),
      strength: 1.6,
      detail: (_, facts) => `the IP address belongs to ${network(facts)}, where people sit behind a proxy or VPN`,
    },
    {
      when: all(isTrue('ip_hosting'), isTrue('user_ip_seen')),
      strength: 0.5,
      detail: (_, facts) => `the IP address belongs to ${network(facts)}; this user has used it before`,
    },
  ],
};
