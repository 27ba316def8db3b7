import type { IpFacts } from '../../../shared/domain/ip/ip-table';
import { type Draws, randomDraws } from '../../../training/simulation/random-draws';

/** Where people live, with the currency they pay in. */
export const CURRENCY = { DE: 'EUR', FR: 'EUR', ES: 'EUR', GB: 'GBP', US: 'USD', PL: 'PLN' } as const;
export type Country = keyof typeof CURRENCY;
export const COUNTRIES = Object.keys(CURRENCY) as Country[];

const NETWORKS_PER_KIND = 120;
const MOST_TRIES = 150_000;

/** Addresses of a required kind, in networks that really are of that kind. */
export interface Addresses {
  home(country: Country, draws: Draws): string;
  mobile(country: Country, draws: Draws): string;
  hosting(draws: Draws): string;
}

/** The directory of addresses; the IP table confirms the kind of every network in it. */
export function addressBook(seed: number, ips: { lookup(ip: string): IpFacts | undefined }): Addresses {
  const found = new Map<string, string[]>();
  const wanted = new Set(['hosting', ...COUNTRIES.flatMap((country) => [`other ${country}`, `mobile ${country}`])]);
  const draws = randomDraws(seed);
  for (let tries = 0; tries < MOST_TRIES && wanted.size > 0; tries++) {
    const network = `${1 + draws.below(222)}.${draws.below(256)}.${draws.below(256)}`;
    const facts = ips.lookup(`${network}.7`);
    // Both ends of the /24: a range may end within it.
    if (facts === undefined || ips.lookup(`${network}.250`)?.asn !== facts.asn) continue;
    const kind = facts.network === 'hosting' ? 'hosting' : `${facts.network} ${facts.country}`;
    if (!wanted.has(kind)) continue;
    const networks = found.get(kind) ?? [];
    found.set(kind, networks);
    networks.push(network);
    if (networks.length === NETWORKS_PER_KIND) wanted.delete(kind);
  }
  const from = (kind: string, instead: string, by: Draws): string => {
    const networks = found.get(kind) ?? found.get(instead);
    if (networks === undefined) throw new Error(`The IP table has no network of the kind ${kind}`);
    return `${by.pick(networks)}.${1 + by.below(250)}`;
  };
  return {
    home: (country, by) => from(`other ${country}`, 'other DE', by),
    mobile: (country, by) => from(`mobile ${country}`, `other ${country}`, by),
    hosting: (by) => from('hosting', 'hosting', by),
  };
}
