import ipaddr from 'ipaddr.js';
import { buildIntelligence, bundledFiles, compileIntelligence } from '../../../lib/bundling/compile-intelligence';
import { isGivenOut } from '../../../lib/bundling/compile-ip-table';
import { networkClass } from '../../../lib/bundling/ip-network-class';
import { openIntelligence } from '../../../shared/domain/intelligence/intelligence-table';
import { COUNTRIES } from '../../../shared/domain/ip/travel';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import { sized } from '../../support/sized';

/** One csv row, read here again so that the compiler is not checked against itself. */
interface Row {
  first: bigint;
  last: bigint;
  rest: string;
}

// A systematic fault of the compiler shows in hundreds; all 20,000 by `npm run test:soak`.
const SAMPLE = sized(20_000, 4_000);

const files = bundledFiles();
const textOf = (name: string): string => files.find((file) => file.name === `${name}-num.csv`)?.text ?? '';
const blob = compileIntelligence();
const table = openIntelligence(blob);

const readRows = (text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [first, last, ...rest] = line.split(',') as [string, string, ...string[]];
      return { first: BigInt(first), last: BigInt(last), rest: rest.join(',') };
    });

const families = [
  { bits: 32, country: readRows(textOf('asn-country-ipv4')), asn: readRows(textOf('asn-ipv4')) },
  { bits: 128, country: readRows(textOf('asn-country-ipv6')), asn: readRows(textOf('asn-ipv6')) },
] as const;
type Family = (typeof families)[number];

/** The last row of the file that holds the address. Rows are sorted by start; a few are looked at backwards. */
function scan(rows: readonly Row[], address: bigint): string | undefined {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.first <= address) low = middle + 1;
    else high = middle;
  }
  return rows.slice(Math.max(0, low - 4), low).findLast((row) => row.last >= address)?.rest;
}

function addressText(bits: number, address: bigint): string {
  const size = bits / 8;
  const bytes = Array.from({ length: size }, (_, i) => Number((address >> BigInt(8 * (size - 1 - i))) & 255n));
  return ipaddr.fromByteArray(bytes).toString();
}

function expected(family: Family, address: bigint, text: string) {
  if (ipaddr.parse(text).range() !== 'unicast') return undefined;
  // ipaddr.js calls unicast whatever it has no name for; only 2000::/3 has been given out, 3fff::/20 is for books.
  if (family.bits === 128 && (address >> 125n !== 1n || address >> 108n === 0x3fff0n)) return undefined;
  const country = scan(family.country, address);
  const row = scan(family.asn, address)?.match(/^(\d+),"?(.*?)"?$/);
  const asn = row && isGivenOut(Number(row[1])) ? Number(row[1]) : undefined;
  if (country === undefined && asn === undefined) return undefined;
  const network = asn === undefined ? 'other' : networkClass(asn, row?.[2]?.replaceAll('""', '"') ?? '');
  // Where the users of a relay are, only its operator knows.
  return { ...(country && network !== 'relay' && { country }), ...(asn && { asn }), network };
}

/** Every address is checked, only the first few differences are told: one expect per address would take a minute. */
function differences(family: Family, addresses: Iterable<bigint>): unknown[] {
  const found: unknown[] = [];
  for (const address of addresses) {
    if (address < 0n || address >> BigInt(family.bits) !== 0n) continue;
    const text = addressText(family.bits, address);
    const [want, got] = [expected(family, address, text), table.lookup(text)];
    if (want?.country !== got?.country || want?.asn !== got?.asn || want?.network !== got?.network) {
      found.push({ text, want, got });
      if (found.length === 5) return found;
    }
  }
  return found;
}

describe.each(families)('the table against a scan of the csv files, $bits bits', (family) => {
  const random = seededRandom(20_260_617);
  const next = () => Math.floor(random() * 2 ** 32);
  const all = [...family.country, ...family.asn];
  const around = (row: Row) => [row.first - 1n, row.first, row.first + 1n, row.last - 1n, row.last, row.last + 1n];

  it(`agrees at the bounds of ${SAMPLE} ranges and one beside them`, () => {
    const sample = Array.from({ length: SAMPLE }, () => all[next() % all.length]!);
    expect(differences(family, sample.flatMap(around))).toEqual([]);
  });

  it(`agrees at ${SAMPLE} random addresses of the space and as many inside ranges`, () => {
    const word = () => BigInt(next());
    const anywhere = Array.from({ length: SAMPLE }, () =>
      family.bits === 32 ? word() : (1n << 125n) | ((word() << 93n) % (1n << 125n)) | (word() << 61n) | word(),
    );
    const inside = Array.from({ length: SAMPLE }, () => {
      const { first, last } = all[next() % all.length]!;
      return first + (((word() << 96n) | (word() << 64n) | (word() << 32n) | word()) % (last - first + 1n));
    });
    expect(differences(family, [...anywhere, ...inside])).toEqual([]);
  });

  it('agrees around every row that is finer than usual or overlaps the one before', () => {
    const half = (1n << 64n) - 1n;
    const isFine = (row: Row) =>
      family.bits === 128 ? (row.first & half) !== 0n || (row.last & half) !== half : (row.first & 255n) !== 0n;
    const odd = family.asn.filter((row, i) => isFine(row) || row.first <= (family.asn[i - 1]?.last ?? -1n));
    expect(odd.length).toBeGreaterThan(100);
    expect(differences(family, odd.flatMap(around))).toEqual([]);
  });
});

describe('well-known addresses', () => {
  it.each([
    ['8.8.8.8', 'US', 15169, 'hosting'],
    ['::ffff:8.8.8.8', 'US', 15169, 'hosting'],
    ['52.95.110.1', 'US', 16509, 'hosting'],
    ['78.46.0.1', 'DE', 24940, 'hosting'],
    ['2a01:4f8::1', 'DE', 24940, 'hosting'],
    ['185.220.101.1', 'DE', 60729, 'hosting'],
    ['172.56.0.1', 'US', 21928, 'mobile'],
    ['2409:4000::1', 'IN', 55836, 'mobile'],
    ['73.0.0.1', 'US', 7922, 'other'],
    ['80.128.0.1', 'DE', 3320, 'other'],
    ['86.128.0.1', 'GB', 2856, 'other'],
    ['2601::1', 'US', 7922, 'other'],
  ])('%s is %s, AS%i, %s', (ip, country, asn, network) => {
    expect(table.lookup(ip)).toMatchObject({ country, asn, network });
  });

  it.each([
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.0.1',
    '192.168.1.1',
    '192.0.2.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '0.0.0.0',
    '::',
    '::1',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '2001:db8::1',
    '2002:808:808::1',
    '2001::1',
    '64:ff9b::808:808',
    '::ffff:10.0.0.1',
    'localhost',
    '8.8.8',
    '',
  ])('knows nothing of %j', (ip) => {
    expect(table.lookup(ip)).toBeUndefined();
  });
});

describe('network classes', () => {
  it.each([
    [7922, 'Comcast Cable Communications, LLC'],
    [3320, 'Deutsche Telekom AG'],
    [2856, 'British Telecommunications PLC'],
    [3215, 'Orange S.A.'],
    [7018, 'AT&T Enterprises, LLC'],
    [701, 'Verizon Business'],
    [12322, 'Free SAS'],
    [16591, 'Google Fiber Inc.'],
    [37611, 'AFRIHOST SP (PTY) LTD'],
    [4538, 'China Education and Research Network Center'],
    [760, 'Vienna University Computer Center'],
    [64001, 'Blue Cloud Broadband'],
  ])('AS%i, %s, is no hosting network', (asn, name) => {
    expect(networkClass(asn, name)).toBe('other');
  });

  it('no country lacks a circle for the travel check', () => {
    const countries = new Set([...families[0].country, ...families[1].country].map((row) => row.rest));
    expect([...countries].filter((country) => !COUNTRIES.includes(country))).toEqual([]);
  });
});

describe('the blob', () => {
  it('stays within 4 MB', () => {
    expect(blob.length).toBeLessThan(4_000_000);
  });

  it('is the same for the same input, from the cache or not', () => {
    expect(buildIntelligence(files).equals(blob)).toBe(true);
  });

  it('opens from an unaligned slice', () => {
    const shifted = Buffer.concat([Buffer.alloc(1), blob]).subarray(1);
    expect(openIntelligence(shifted).lookup('8.8.8.8')).toEqual(table.lookup('8.8.8.8'));
  });

  it('refuses what is not a whole table', () => {
    expect(() => openIntelligence(Buffer.alloc(8))).toThrow('too short');
    expect(() => openIntelligence(Buffer.alloc(100))).toThrow('not an intelligence table');
    expect(() => openIntelligence(blob.subarray(0, blob.length - 4))).toThrow('bytes');
  });

  it('is not made from an empty file', () => {
    const [first, ...others] = files;
    expect(() => buildIntelligence([{ ...first!, text: '' }, ...others])).toThrow('asn-country-ipv4-num.csv is empty');
  });
});
