import { MARK, MAX_ASN, packRecord } from '../../shared/domain/ip/ip-table';
import { type EncodedRange, encodeIpTable } from './ip-encode';
import { networkClass, networkMarks } from './ip-network-class';

/** One line of a range file: inclusive bounds and their value. */
export interface IpRow<T> {
  readonly first: bigint;
  readonly last: bigint;
  readonly value: T;
}

/** Known from `start` to the start of the next one; 0 and '' mean unknown. */
export interface MergedRange {
  readonly start: bigint;
  readonly country: string;
  readonly asn: number;
  readonly isRelay: boolean;
  /** Bits of `MARK`. */
  readonly marks: number;
}

/** The sources' rows about one family of addresses, in the order of their starts, the more specific ones later. */
export interface IpSources {
  readonly country: readonly IpRow<string>[];
  readonly asn: readonly IpRow<number>[];
  readonly tor: readonly IpSpan[];
  readonly vpn: readonly IpSpan[];
  /** With the country that the relay's operator says its users are in, or ''. */
  readonly relay: readonly IpRow<string>[];
}

/**
 * Flattens overlapping rows: the row that comes later in the file is more specific and wins.
 * (The data of June 2026 has one such pair, two networks of one owner.)
 */
export function flatten<T>(rows: readonly IpRow<T>[]): IpRow<T>[] {
  const flat: IpRow<T>[] = [];
  for (const row of rows) {
    const rest: IpRow<T>[] = [];
    for (let top = flat.at(-1); top !== undefined && top.last >= row.first; top = flat.at(-1)) {
      flat.pop();
      if (top.last > row.last) rest.unshift({ ...top, first: row.last + 1n });
      if (top.first < row.first) {
        flat.push({ ...top, last: row.first - 1n });
        break;
      }
    }
    flat.push(row, ...rest);
  }
  return flat;
}

/**
 * Merges the sources, from 0 on: every point where one changes starts a range, equal neighbours are joined, and special
 * space (private, reserved, …) is emptied whatever the sources say about it. A relay is registered where its operator is:
 * only what the operator says about its users counts as their country.
 */
export function mergeRanges(sources: IpSources, special: readonly IpSpan[]): MergedRange[] {
  const [countries, asns, relays] = [flatten(sources.country), flatten(sources.asn), flatten(sources.relay)];
  const all: ReadonlyArray<readonly IpSpan[]> = [countries, asns, relays, sources.tor, sources.vpn, special];
  // Not through a Set: V8 hashes a bigint by its low 64 bits, which are zero in nearly every IPv6 bound.
  const starts = [0n];
  for (const rows of all) for (const { first, last } of rows) starts.push(first, last + 1n);
  starts.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

  const [countryAt, asnAt, relayAt] = [cursor(countries), cursor(asns), cursor(relays)];
  const [torAt, vpnAt, specialAt] = [
    cursor(flatten(sources.tor.map(asRow))),
    cursor(flatten(sources.vpn.map(asRow))),
    cursor(special),
  ];
  const merged: MergedRange[] = [];
  for (const start of starts) {
    const [c, a, relay] = [countryAt(start), asnAt(start), relayAt(start)];
    const marks = (torAt(start) ? MARK.tor : 0) | (vpnAt(start) ? MARK.vpn : 0);
    const next =
      specialAt(start) === undefined
        ? { country: (relay ?? c)?.value ?? '', asn: a?.value ?? 0, isRelay: relay !== undefined, marks }
        : NOTHING;
    const previous = merged.at(-1);
    if (previous === undefined || !isSame(previous, next)) merged.push({ start, ...next });
  }
  return merged;
}

const NOTHING: Omit<MergedRange, 'start'> = { country: '', asn: 0, isRelay: false, marks: 0 };
const asRow = ({ first, last }: IpSpan): IpRow<true> => ({ first, last, value: true });
const isSame = (a: Omit<MergedRange, 'start'>, b: Omit<MergedRange, 'start'>): boolean =>
  a.country === b.country && a.asn === b.asn && a.isRelay === b.isRelay && a.marks === b.marks;

/** The row that contains a point; query points in ascending order. */
function cursor<R extends IpSpan>(rows: readonly R[]): (point: bigint) => R | undefined {
  let i = 0;
  return (point) => {
    while (i < rows.length && (rows[i] as R).last < point) i++;
    const row = rows[i];
    return row !== undefined && row.first <= point ? row : undefined;
  };
}

export interface IpSpan {
  readonly first: bigint;
  readonly last: bigint;
}

/*
 * IANA's special-purpose registries for IPv4 and IPv6 (RFC 6890 and its updates), plus multicast and the
 * reserved rest. The sources name an owner for some of it, but no customer has such an address.
 */
const V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier NAT, inside
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link local
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relay, deprecated
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];

/** Everything outside 2000::/3, then special ranges inside it. */
const V6 = [
  '0::/3', // unspecified, loopback, mapped, NAT64, discard
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID, AS112, AMT
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: the address of a relay
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
  '4000::/2', // not given out
  '8000::/1', // not given out, private, link local, multicast
];

const span = (first: bigint, bits: bigint): IpSpan => ({ first, last: first + (1n << bits) - 1n });

export const SPECIAL_V4: readonly IpSpan[] = V4.map((cidr) => {
  const [address, length] = cidr.split('/') as [string, string];
  const first = address.split('.').reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
  return span(first, 32n - BigInt(length));
});

export const SPECIAL_V6: readonly IpSpan[] = V6.map((cidr) => {
  const [head, length] = cidr.split('::/') as [string, string];
  const groups = [...head.split(':'), ...Array<string>(8).fill('0')].slice(0, 8);
  const first = groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
  return span(first, 128n - BigInt(length));
});

/** The lists as text: a change to them must produce a new table. */
export const SPECIAL_RULES = [...V4, ...V6].join(' ');

/** Pure: the same bytes for the same rows. `names` are those of the networks' owners. */
export function buildIpTable(v4Rows: IpSources, v6Rows: IpSources, names: ReadonlyMap<number, string>): Buffer {
  const v4 = mergeRanges(v4Rows, SPECIAL_V4);
  const v6 = mergeRanges(v6Rows, SPECIAL_V6);
  const countries = [...new Set([...v4, ...v6].map((range) => range.country))].filter((c) => c !== '').sort();
  if (countries.length > 255) throw new Error(`${countries.length} countries do not fit a byte`);
  const numbers = new Map(['', ...countries].map((country, i) => [country, i]));
  const ofNetwork = memo((asn) => {
    const name = names.get(asn) ?? '';
    const network = networkClass(asn, name);
    return { network, marks: networkMarks(asn, name) };
  });
  const encode = ({ start, country, asn, isRelay, marks }: MergedRange): EncodedRange => {
    const known = isGivenOut(asn) ? asn : 0;
    const own = known === 0 ? undefined : ofNetwork(known);
    const network = isRelay ? 'relay' : (own?.network ?? 'other');
    // A relay is for everybody, whatever else its operator runs.
    const isForAll = network === 'relay';
    const record = packRecord(
      known,
      network,
      // Without its operator's word, nothing is known of where the users of a relay are.
      numbers.get(isForAll && !isRelay ? '' : country) as number,
      isForAll ? 0 : marks | (own?.marks ?? 0),
    );
    return { start, record };
  };
  return encodeIpTable(countries, joinEqual(v4.map(encode)), joinEqual(v6.map(encode)));
}

/** Private-use and documentation numbers leak into routing tables; they name nobody (IANA's AS registry). */
export function isGivenOut(asn: number): boolean {
  return (asn > 0 && asn < 64_496 && asn !== 23_456) || (asn >= 131_072 && asn <= MAX_ASN);
}

function joinEqual(ranges: readonly EncodedRange[]): EncodedRange[] {
  return ranges.filter((range, i) => range.record !== ranges[i - 1]?.record);
}

function memo<T>(compute: (key: number) => T): (key: number) => T {
  const known = new Map<number, T>();
  return (key) => {
    const found = known.get(key) ?? compute(key);
    known.set(key, found);
    return found;
  };
}
