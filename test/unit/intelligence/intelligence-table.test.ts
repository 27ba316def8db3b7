import { buildIntelligence, compileIntelligence, type DatedFile } from '../../../lib/bundling/compile-intelligence';
import { readLocations, readSource } from '../../../lib/bundling/read-source';
import { countryOfPhone } from '../../../shared/domain/entities/canonical-value';
import { domainAndParents, openIntelligence } from '../../../shared/domain/intelligence/intelligence-table';

const MAXMIND = {
  locations: [
    'geoname_id,locale_code,continent_code,continent_name,country_iso_code,country_name,is_in_european_union',
    '2921044,en,EU,Europe,DE,Germany,1',
    '2077456,en,OC,Oceania,AU,Australia,0',
  ].join('\n'),
  country: [
    'network,geoname_id,registered_country_geoname_id,represented_country_geoname_id,is_anonymous_proxy',
    '1.0.0.0/24,2077456,2077456,,0',
    '1.0.1.0/24,,2921044,,0',
    '2001:200::/32,2921044,2921044,,0',
  ].join('\n'),
  asn: [
    'network,autonomous_system_number,autonomous_system_organization',
    '1.0.0.0/24,13335,"CLOUDFLARENET, Inc."',
    '2001:200::/32,2500,"WIDE Project"',
  ].join('\n'),
};

/** Every source and format that the readers know, as its publisher writes it. */
const FILES: Readonly<Record<string, string>> = {
  'asn-country-ipv4-num.csv': '16777216,16777471,AU\n16777472,16778239,CN\n',
  'asn-country-ipv6.csv': '2001:200::,2001:200:ffff:ffff:ffff:ffff:ffff:ffff,JP\n',
  'asn-ipv4.csv': '1.0.0.0,1.0.0.255,13335,"Cloudflare, Inc."\n',
  'dbip-country-lite-2026-11.csv': '0.0.0.0,0.255.255.255,ZZ\n1.0.0.0,1.0.0.255,AU\n2001:200::,2001:200::ff,JP\n',
  'dbip-city-lite-2026-11.csv': '1.0.0.0,1.0.0.255,OC,AU,Queensland,"South Brisbane",-27.4748,153.017\n',
  'dbip-asn-lite-2026-11.csv': '1.0.0.0,1.0.0.255,13335,"Cloudflare, Inc."\n',
  'GeoLite2-Country-Blocks-IPv4.csv': MAXMIND.country,
  'GeoLite2-ASN-Blocks-IPv4.csv': MAXMIND.asn,
  'egress-ip-ranges.csv': '1.0.0.0/31,GB,GB-EN,London,\n2001:200::/64,DE,DE-BE,Berlin,\n',
  'google-relay.json': '{"syncToken":"1","prefixes":[{"ipv4Prefix":"1.0.0.0/24"},{"ipv6Prefix":"2001:200::/32"}]}',
  'exit-addresses': 'ExitNode 0011BD2485\nPublished 2026-11-17 01:00:00\nExitAddress 1.0.0.7 2026-11-17 02:00:00\n',
  torbulkexitlist: '1.0.0.7\n1.0.0.8\n',
  'vpn-ipv4.txt': '# networks of VPN services\n1.0.0.0/24\n',
  'disposable_email_blocklist.conf': '# kept by hand\nmailinator.com\nXN--BCHER-KVA.example\n',
  'free.json': '["gmail.com","web.de"]',
};

describe('sources', () => {
  const locations = readLocations({ name: 'GeoLite2-Country-Locations-en.csv', text: MAXMIND.locations });
  const read = (name: string, text = FILES[name] ?? '') => readSource({ name, text }, locations);
  const valuesOf = (name: string) =>
    ([4, 6] as const).flatMap((family) => read(name).rows[family].map(({ first, value }) => `${first} ${value}`));
  const v6 = 42540528726795050063891204319802818560n.toString();

  it.each([
    ['asn-country-ipv4-num.csv', 'country', ['16777216 AU', '16777472 CN']],
    ['asn-country-ipv6.csv', 'country', [`${v6} JP`]],
    ['asn-ipv4.csv', 'asn', ['16777216 13335']],
    ['dbip-country-lite-2026-11.csv', 'country', ['0 ', '16777216 AU', `${v6} JP`]],
    ['dbip-city-lite-2026-11.csv', 'country', ['16777216 AU']],
    ['dbip-asn-lite-2026-11.csv', 'asn', ['16777216 13335']],
    ['GeoLite2-Country-Blocks-IPv4.csv', 'country', ['16777216 AU', '16777472 DE', `${v6} DE`]],
    ['GeoLite2-ASN-Blocks-IPv4.csv', 'asn', ['16777216 13335', `${v6} 2500`]],
    ['egress-ip-ranges.csv', 'relay', ['16777216 GB', `${v6} DE`]],
    ['google-relay.json', 'relay', ['16777216 ', `${v6} `]],
    ['exit-addresses', 'tor', ['16777223 ']],
    ['torbulkexitlist', 'tor', ['16777223 ', '16777224 ']],
    ['vpn-ipv4.txt', 'vpn', ['16777216 ']],
  ])('reads %s as %s', (name, kind, values) => {
    expect([read(name).kind, valuesOf(name)]).toEqual([kind, values]);
  });

  it('keeps the owners of networks, commas included', () => {
    expect(read('GeoLite2-ASN-Blocks-IPv4.csv').owners.get(13_335)).toBe('CLOUDFLARENET, Inc.');
    expect(read('asn-ipv4.csv').owners.get(13_335)).toBe('Cloudflare, Inc.');
  });

  it('reads lists of domains', () => {
    expect(read('disposable_email_blocklist.conf')).toMatchObject({
      kind: 'disposable',
      domains: ['mailinator.com', 'xn--bcher-kva.example'],
    });
    expect(read('free.json')).toMatchObject({ kind: 'free', domains: ['gmail.com', 'web.de'], entries: 2 });
  });

  it.each([
    ['torbulkexitlist', '', 'torbulkexitlist is empty'],
    ['torbulkexitlist', '1.0.0.7\n1.0.0.777\n', 'torbulkexitlist, line 2: not an address: 1.0.0.777'],
    ['vpn-ipv4.txt', '1.0.0.0/33\n', 'vpn-ipv4.txt, line 1: not a network: 1.0.0.0/33'],
    ['asn-ipv4.csv', '1.0.0.9,1.0.0.2,13335,"X"\n', 'asn-ipv4.csv, line 1: not a range: 1.0.0.9 to 1.0.0.2'],
    ['asn-country.csv', '1.0.0.0,1.0.0.2,AU\n1.0.0.3,1.0.0.4,Australia\n', 'line 2: not a country code: Australia'],
    ['page.html', '<!doctype html>', 'page.html: unknown format: <!doctype html>'],
    ['goog.json', '{"prefixes":[{"ipv4Prefix":"8.8.8.0/24"}]}', 'goog.json: say what it lists, such as tor=goog.json'],
    ['relay.json', '{"prefixes":', 'relay.json is not JSON'],
    ['relay.json', '{"ranges":[]}', 'relay.json: unknown format'],
    ['disposable.txt', '1.0.0.0/24\n', 'disposable.txt is not a list of kind disposable'],
    ['vpn.txt', 'mailinator.com\n', 'vpn.txt is not a list of kind vpn'],
    ['disposable.txt', 'mailinator.com\nnot a domain\n', 'disposable.txt, line 2: not a domain: not a domain'],
  ])('refuses %s by name: %j', (name, text, message) => {
    expect(() => read(name, text)).toThrow(message);
  });
});

describe('a table', () => {
  const about = { licence: 'CC0 1.0', date: '2026-11-18' };
  const file = (name: string, text = FILES[name] ?? ''): DatedFile => ({ ...about, name, text });
  const table = openIntelligence(
    buildIntelligence([
      file('country.csv', '1.0.0.0,1.0.255.255,AU\n1.1.0.0,1.1.0.255,US\n'),
      file('asn.csv', '1.0.0.0,1.0.255.255,64000,"Some Hosting Ltd"\n1.1.0.0,1.1.0.255,3320,"Deutsche Telekom AG"\n'),
      file('torbulkexitlist', '1.1.0.7\n'),
      file('vpn.txt', '1.0.1.0/24\n'),
      file('egress-ip-ranges.csv', '1.0.2.0/31,GB,GB-EN,London,\n1.0.2.2/31,,,,\n'),
      file('disposable_email_blocklist.conf'),
      file('free.json'),
    ]),
  );

  it('tells Tor, VPNs and relays from data centres', () => {
    const hosting = { country: 'AU', asn: 64_000, network: 'hosting' };
    expect(table.lookup('1.0.0.1')).toEqual(hosting);
    expect(table.lookup('1.0.1.1')).toEqual({ ...hosting, vpn: true });
    expect(table.lookup('1.1.0.6')).toEqual({ country: 'US', asn: 3_320, network: 'other' });
    expect(table.lookup('1.1.0.7')).toEqual({ country: 'US', asn: 3_320, network: 'other', tor: true });
    // Where its operator says its users are, and not where the operator is.
    expect(table.lookup('1.0.2.1')).toEqual({ country: 'GB', asn: 64_000, network: 'relay' });
    expect(table.lookup('1.0.2.3')).toEqual({ asn: 64_000, network: 'relay' });
  });

  it('knows domains and their subdomains', () => {
    const disposable = { disposable: true, free: false };
    expect(table.email('a@mailinator.com')).toEqual(disposable);
    expect(table.email('A@x.y.MailInator.com.')).toEqual(disposable);
    expect(table.email('a@bücher.example')).toEqual(disposable);
    expect(table.email('a@googlemail.com')).toEqual({ disposable: false, free: true });
    for (const other of ['a@notmailinator.com', 'a@com', 'a@mailinator.com.example'])
      expect(table.email(other)).toEqual({ disposable: false, free: false });
    for (const nothing of ['mailinator.com', '@mailinator.com', 'a@', '']) expect(table.email(nothing)).toBeUndefined();
  });

  it('looks at a few parents only, however many there are', () => {
    expect(domainAndParents('a.b.c')).toEqual(['a.b.c', 'b.c']);
    expect(domainAndParents('com')).toEqual(['com']);
    expect(domainAndParents(`${'a.'.repeat(100)}mailinator.com`)).toHaveLength(6);
    expect(table.email(`x@${'a.'.repeat(100)}mailinator.com`)?.disposable).toBe(true);
  });

  it('has a version that depends on its content alone', () => {
    const build = (day: string) =>
      openIntelligence(buildIntelligence([{ ...file('country.csv', '1.0.0.0,1.0.0.9,AU\n'), date: day }])).description;
    expect(build('2026-11-18')).toEqual(build('2026-11-18'));
    expect(build('2026-11-18').version).not.toBe(build('2026-11-19').version);
  });
});

describe('what ships', () => {
  const table = openIntelligence(compileIntelligence());

  it('knows Tor, VPNs and relays by networks that carry nothing else', () => {
    expect(table.lookup('185.220.101.1')).toMatchObject({ asn: 60_729, network: 'hosting', tor: true });
    expect(table.lookup('193.138.218.1')).toMatchObject({ asn: 39_351, network: 'hosting', vpn: true });
    expect(table.lookup('172.224.226.1')).toEqual({ asn: 36_183, network: 'relay' });
  });

  it('knows disposable and free providers, and takes nobody for one by mistake', () => {
    expect(table.email('a@mailinator.com')?.disposable).toBe(true);
    for (const domain of ['gmail.com', 'web.de', 'proton.me', 'pm.me'])
      expect(table.email(`a@${domain}`)).toEqual({ disposable: false, free: true });
    // Forwarding addresses are not disposable: whoever made one can close it, and nobody else reads it.
    for (const domain of ['example.com', 'siemens.de', 'mozmail.com', 'duck.com', 'firma.web.id'])
      expect(table.email(`a@${domain}`)).toEqual({ disposable: false, free: false });
  });

  it('says what it was made from', () => {
    expect(table.description.sources.map(({ kind, licence }) => `${kind}: ${licence}`)).toEqual([
      ...['country: CC BY 4.0', 'asn: CC BY 4.0', 'country: CC BY 4.0', 'asn: CC BY 4.0'],
      ...['disposable: CC0 1.0', 'free: ISC'],
    ]);
    for (const { entries } of table.description.sources) expect(entries).toBeGreaterThan(5_000);
  });
});

describe('the country of a phone number', () => {
  it.each([
    ['+49 170 1234567', 'DE'],
    ['0049 (0)170 1234567', 'DE'],
    ['tel:+1-212-555-0100', 'US'],
    ['+1 416 555 0100', 'CA'],
    ['+1 876 555 0100', 'JM'],
    ['+7 701 123 4567', 'KZ'],
    ['+7 495 123 4567', 'RU'],
    ['+44 1534 123456', 'JE'],
    ['+44 20 7946 0000', 'GB'],
    ['+383 44 123456', 'XK'],
    ['+1 800 555 0100', undefined],
    ['+870 123456', undefined],
    ['6175551234', undefined],
    ['0170 1234567', undefined],
    ['call me', undefined],
  ])('%s: %s', (phone, country) => {
    expect(countryOfPhone(phone)).toBe(country);
  });

  it('is that of the customer if the number was written without a code', () => {
    expect(countryOfPhone('0170 1234567', 'DE')).toBe('DE');
    expect(countryOfPhone('(416) 555-0100', 'CA')).toBe('CA');
    expect(countryOfPhone('0170 1234567', 'IT')).toBeUndefined();
  });
});
