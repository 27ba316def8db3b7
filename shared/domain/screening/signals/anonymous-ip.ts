import { all, isTrue, not } from '../condition';
import type { ScreeningFacts } from '../screening-facts';
import type { SignalDefinition } from '../signal-definition';

const network = ({ ip }: ScreeningFacts): string =>
  ip?.asn === undefined ? 'Data-centre IP' : `Data-centre IP (AS${ip.asn})`;

export const anonymousIp: SignalDefinition = {
  name: 'anonymous_ip',
  summary: 'the IP address belongs to a data centre, proxy or relay',
  family: 'location',
  applies_to: 'both',
  cases: [
    {
      when: all(isTrue('ip_hosting'), not(isTrue('user_ip_seen'))),
      strength: 1.6,
      detail: (_, facts) => `${network(facts)}, typical of proxies, VPNs and bots`,
    },
    {
      when: all(isTrue('ip_hosting'), isTrue('user_ip_seen')),
      strength: 0.5,
      detail: (_, facts) => `${network(facts)} that this user has used before`,
    },
  ],
};
