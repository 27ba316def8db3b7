import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { csvLine, readEntries } from '../../../bin/admin/list-commands';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { pseudonymsBy } from '../../../shared/domain/entities/pseudonyms';
import { isListName, isListType, type ListType } from '../../../shared/domain/lists/list-definition';
import { nameEntry } from '../../../shared/domain/lists/list-entry';
import { domainRef, nameValue } from '../../../shared/domain/lists/list-value';
import { candidatesOf, type KnownList, type ListFlag, matchLists } from '../../../shared/domain/lists/match-lists';
import type { Subject } from '../../../shared/domain/screening/subjects/attempt-of';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import {
  farExpiry,
  flagName,
  flagUpdate,
  isOnlyListed,
  listFlag,
  unflagChange,
} from '../../../shared/store/entities/list-flags';
import type { EntityItem } from '../../../shared/store/sdk/attribute-value';

describe('list flags', () => {
  const NOW = Date.UTC(2026, 10, 16);
  const number = (value: number) => ({ N: `${value}` });

  it('reads the flag that it writes, until a time or for ever', () => {
    expect(listFlag(flagName(37), number(NOW))).toEqual({ number: 37, until_ms: NOW });
    expect(listFlag(flagName(37), number(0))).toEqual({ number: 37 });
    expect(listFlag('o', number(NOW))).toBeUndefined();
    expect(listFlag('b', number(NOW))).toBeUndefined();
  });

  it('an expiry is centuries away, and another one for every change', () => {
    const year = 365 * 86_400;
    expect(farExpiry(1, NOW)).toBeGreaterThan(NOW / 1_000 + 100 * year);
    expect(new Set([farExpiry(1, NOW), farExpiry(2, NOW), farExpiry(1, NOW + 1)]).size).toBe(3);
    expect(flagUpdate(1, undefined, NOW)).toMatchObject({ ExpressionAttributeValues: { ':until': 0 } });
  });

  const flagged = (more: EntityItem): EntityItem => ({ o: number(9e9), [flagName(1)]: number(0), ...more });

  it('the last flag takes the far expiry with it: the entity is forgotten as any other', () => {
    expect(unflagChange(1, flagged({ l: number(NOW) }))).toMatchObject({
      kind: 'update',
      UpdateExpression: 'REMOVE #flag, #listed SET #ttl = :ttl',
      ConditionExpression: '#listed = :seen',
      ExpressionAttributeValues: { ':seen': 9e9, ':ttl': NOW / 1_000 + 180 * 86_400 },
    });
  });

  it('an item that holds nothing else goes with its last flag', () => {
    expect(isOnlyListed(flagged({}))).toBe(true);
    expect(unflagChange(1, flagged({}))).toMatchObject({ kind: 'delete' });
  });

  it('other flags stay, and with them the expiry', () => {
    const change = unflagChange(1, flagged({ [flagName(2)]: number(0) }));
    expect(change).toMatchObject({ kind: 'update', UpdateExpression: 'REMOVE #flag' });
  });

  it('there is nothing to take off an entity that is not on the list', () => {
    expect(unflagChange(2, flagged({}))).toBeUndefined();
    expect(unflagChange(1, undefined)).toBeUndefined();
  });
});

describe('list value', () => {
  const names = entityNames('acc_1', PUBLIC_PSEUDONYMS);
  const keyOf = (type: ListType, value: string): string => {
    const named = nameValue(names, type, value);
    return 'fault' in named ? `fault: ${named.fault}` : named.ref.key;
  };

  it.each<[ListType, string, string]>([
    ['email', 'Ann.Lee+shop@GoogleMail.com', 'annlee@gmail.com'],
    ['phone', '+49 (0)170 1234567', '0049 1701234567'],
    ['user_id', ' ann\u200b ', 'ann'],
    ['ip_address', '::ffff:203.0.113.7', '203.0.113.7'],
    ['ip_address', '2001:db8::1', '2001:db8:0:0:ffff::9'],
    ['cidr', '203.0.113.77/24', '203.0.113.0/24'],
    ['cidr', '::ffff:203.0.113.0/120', '203.0.113.0/24'],
    ['cidr', '203.0.113.7', '203.0.113.7/32'],
    ['cidr', '2001:DB8::/48', '2001:db8:0:ffff::/48'],
    ['email_domain', '@Bücher.example', 'xn--bcher-kva.example'],
    ['attribute:billing_email', 'A@B.example', 'a@b.example'],
  ])('%s: %s is %s', (type, one, other) => {
    expect(keyOf(type, one)).toBe(keyOf(type, other));
    expect(keyOf(type, one)).not.toContain('fault');
  });

  it('device_fingerprint: the device of a case stands for that device', () => {
    const device = keyOf('device_fingerprint', 'fp-1');
    const pseudonym = device.slice(device.indexOf('#') + 1);
    expect(keyOf('device_fingerprint', `device:${pseudonym}`)).toBe(device);
    // After a rotation of the key, the old name of the device still stands for it.
    const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const [before, after] = [[first], [first, second]].map((keys) => entityNames('acc_1', pseudonymsBy(keys)));
    const old = before?.device('fp-1')?.key.slice('device#'.length);
    const named = after && nameValue(after, 'device_fingerprint', `device:${old}`);
    expect(named).toEqual({ ref: after?.device('fp-1') });
    // Anything else is a fingerprint, however it begins.
    expect(keyOf('device_fingerprint', 'device:fp-1')).toBe(names.device('device:fp-1')?.key);
  });

  it.each<[ListType, string]>([
    ['email', 'nobody'],
    ['email', '@example.com'],
    ['phone', 'call me'],
    ['user_id', '\u200b'],
    ['ip_address', '203.0.113.0/24'],
    ['cidr', '0.0.0.0/0'],
    ['cidr', '10.0.0.0/7'],
    ['cidr', '203.0.113.0/33'],
    ['cidr', '203.0.113.0/24/1'],
    ['cidr', '2001:db8::/129'],
    ['email_domain', 'localhost'],
    ['email_domain', 'a@b.example'],
    ['card_fingerprint', ''],
    ['attribute:tier', 'x'.repeat(513)],
  ])('%s: %s is refused', (type, value) => {
    expect(keyOf(type, value)).toMatch(/^fault: /);
  });

  it('different values and types have different names', () => {
    const keys = [
      keyOf('user_id', 'ann'),
      keyOf('device_fingerprint', 'ann'),
      keyOf('card_fingerprint', 'ann'),
      keyOf('attribute:tier', 'ann'),
      keyOf('cidr', '203.0.113.0/25'),
      keyOf('cidr', '203.0.113.0/24'),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each([
    ['vips', true],
    ['a', true],
    [`a${'b'.repeat(62)}`, true],
    [`a${'b'.repeat(63)}`, false],
    ['Vips', false],
    ['1st', false],
    ['', false],
    ['a b', false],
  ])('the name "%s": %s', (name, expected) => expect(isListName(name)).toBe(expected));

  it.each([
    ['email', true],
    ['attribute:tier', true],
    ['attribute:', false],
    ['attribute', false],
    [`attribute:${'x'.repeat(65)}`, false],
  ])('the type "%s": %s', (type, expected) => expect(isListType(type)).toBe(expected));

  describe('an entry', () => {
    const NOW = Date.UTC(2026, 10, 16);
    const named = (entry: Omit<Parameters<typeof nameEntry>[2], 'value'>) =>
      nameEntry(names, 'user_id', { value: 'ann', ...entry }, NOW);

    it('is good until a time in the future, or for ever', () => {
      expect(named({ expires_at: '2026-11-16T00:00:00.001Z' })).toMatchObject({ expires_at_ms: NOW + 1 });
      expect(named({ expires_at: null, reason: '' })).toMatchObject({ expires_at_ms: undefined, reason: null });
    });

    it.each([
      [{ expires_at: '2026-11-16T00:00:00Z' }, /future/],
      [{ expires_at: '2027-02-30' }, /ISO 8601/],
      [{ expires_at: 'tomorrow' }, /ISO 8601/],
      [{ reason: 'x'.repeat(201) }, /reason/],
    ])('%j is rejected', (entry, message) => {
      expect(named(entry)).toEqual({ fault: expect.stringMatching(message) });
    });
  });
});

describe('match lists', () => {
  const names = entityNames('acc_1', PUBLIC_PSEUDONYMS);
  const NOW = Date.UTC(2026, 10, 16);
  const subject: Subject = {
    subject_type: 'transaction',
    action: 'transaction',
    outcome: 'succeeded',
    user_id: 'ann',
    ip_address: '203.0.113.7',
    device_fingerprint: 'phone',
    custom_attributes: { email: 'Ann@Shop.example', billing_email: 'bill@other.example', tier: 'gold' },
  };

  /** Which lists hold which fields, if each list has one value. */
  function match(
    lists: ReadonlyArray<readonly [ListType, value: string, untilMs?: number]>,
    at = NOW,
    of = subject,
    { effect = 'block', isOld = false }: { readonly effect?: 'block' | 'allow'; readonly isOld?: boolean } = {},
  ) {
    const flags = new Map<string, ListFlag[]>();
    const known = lists.map(([type, value, until_ms], index): KnownList => {
      const number = index + 1;
      const named = nameValue(names, type, value);
      if ('fault' in named) throw new Error(named.fault);
      const { key } = named.ref;
      const base = { name: `l${number}`, type, effect, number };
      const scopes = new Set(named.scope === undefined ? [] : [named.scope]);
      if (type === 'cidr' || (type === 'email_domain' && isOld)) {
        return { ...base, held: { untilMs: new Map([[key, until_ms]]), scopes } };
      }
      flags.set(key, [...(flags.get(key) ?? []), { number, until_ms }]);
      return base;
    });
    const naming = { names, country: undefined, refs: [names.user(of.user_id)] };
    const candidates = candidatesOf(known, of, naming);
    return matchLists(known, { subject: of, naming, candidates, flagsOf: ({ key }) => flags.get(key) ?? [] }, at);
  }

  it.each<[ListType, string, string]>([
    ['user_id', 'ann', 'user_id'],
    ['device_fingerprint', 'phone', 'device_fingerprint'],
    ['ip_address', '203.0.113.7', 'ip_address'],
    ['cidr', '203.0.113.0/24', 'ip_address'],
    ['cidr', '203.0.113.7/32', 'ip_address'],
    ['email', 'ann+x@shop.example', 'attr.email'],
    ['email', 'bill@other.example', 'attr.billing_email'],
    ['email_domain', 'other.example', 'attr.billing_email'],
    ['attribute:tier', 'gold', 'attr.tier'],
  ])('%s %s holds %s', (type, value, field) => {
    const matches = match([[type, value]]);
    expect(matches.matched).toEqual([{ name: 'l1', type, effect: 'block' }]);
    expect([matches.isOn('l1', field), matches.isOn('l1', 'attr.none'), matches.isOn('l2', field)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each<[ListType, string, number]>([
    ['email', 'ann@shop.example', 1],
    ['email_domain', 'shop.example', 1],
    // Anybody can send a present to somebody who is trusted.
    ['email', 'bill@other.example', 0],
    ['email_domain', 'other.example', 0],
    ['phone', '+491705551234', 0],
  ])('what allows %s %s must be the own one', (type, value, count) => {
    const of = { ...subject, custom_attributes: { ...subject.custom_attributes, recipient_phone: '+491705551234' } };
    expect(match([[type, value]], NOW, of, { effect: 'allow' }).matched).toHaveLength(count);
    expect(match([[type, value]], NOW, of).matched).toHaveLength(1);
  });

  it.each<[ListType, string]>([
    ['user_id', 'bob'],
    ['cidr', '203.0.114.0/24'],
    ['cidr', '2001:db8::/32'],
    ['email_domain', 'sub.other.example'],
    ['email_domain', 'example.com'],
    ['attribute:tier', 'silver'],
    ['attribute:email', 'bill@other.example'],
  ])('%s %s holds nothing', (type, value) => expect(match([[type, value]]).matched).toEqual([]));

  it.each<[ListType, string]>([
    ['user_id', 'ann'],
    ['cidr', '203.0.113.0/24'],
  ])('%s: an entry counts until the instant it expires', (type, value) => {
    expect(match([[type, value, NOW]], NOW - 1).matched).toHaveLength(1);
    expect(match([[type, value, NOW]], NOW).matched).toHaveLength(0);
  });

  it('finds an IPv6 address in its network', () => {
    const v6 = { ...subject, ip_address: '2001:db8:1:2:3:4:5:6' };
    expect(match([['cidr', '2001:db8:1::/48']], NOW, v6).matched).toHaveLength(1);
    expect(match([['cidr', '2001:db8:1:2:3:4:5:6']], NOW, v6).matched).toHaveLength(1);
    expect(match([['cidr', '2001:db8:2::/48']], NOW, v6).matched).toHaveLength(0);
    expect(match([['ip_address', '2001:db8:1:2::']], NOW, v6).matched).toHaveLength(1);
  });

  it('does not act on a flag of a list that is not there any more', () => {
    const naming = { names, country: undefined, refs: [] };
    const list = { name: 'vips', type: 'user_id', effect: 'allow', number: 2 } as const;
    const listed = {
      subject,
      naming,
      candidates: candidatesOf([list], subject, naming),
      flagsOf: () => [{ number: 1 }],
    };
    expect(matchLists([list], listed, NOW).matched).toEqual([]);
  });

  it.each([
    ['one by flags', false],
    ['an old one, held in memory', true],
  ])('a list of domains holds their subdomains: %s', (_, isOld) => {
    const holds = (domain: string, email: string) =>
      match([['email_domain', domain]], NOW, { ...subject, custom_attributes: { email } }, { isOld }).matched.length;
    expect(holds('mailinator.com', 'x@mailinator.com')).toBe(1);
    expect(holds('mailinator.com', 'x@A.b.Mailinator.com')).toBe(1);
    expect(holds('mailinator.com', 'x@notmailinator.com')).toBe(0);
    expect(holds('a.mailinator.com', 'x@mailinator.com')).toBe(0);
    expect(holds('mailinator.com', 'x@mailinator.com.example')).toBe(0);
  });

  it('asks for a few names of a domain, and in the same read as for everything else', () => {
    const list = { name: 'domains', type: 'email_domain', effect: 'block', number: 1 } as const;
    const naming = { names, country: undefined, refs: [] };
    const of = (email: string) => candidatesOf([list], { ...subject, custom_attributes: { email } }, naming);
    expect(of('x@a.b.example.com').map(({ ref }) => ref.key)).toEqual(
      ['a.b.example.com', 'b.example.com', 'example.com'].map((domain) => domainRef(names, domain).key),
    );
    expect(of(`x@${'a.'.repeat(60)}example.com`)).toHaveLength(6);
  });

  it('asks for nothing of which there is no list', () => {
    expect(candidatesOf([], subject, { names, country: undefined, refs: [] })).toEqual([]);
  });
});

describe('csv lines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'csv-lines-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function read(text: string) {
    const file = join(folder, 'entries.csv');
    writeFileSync(file, text);
    const found = [];
    for await (const each of readEntries(file)) found.push(each);
    return found;
  }

  it('reads a file with a header, by its columns, and says which line an entry is on', async () => {
    expect(await read('\ufeffReason,VALUE\n"a, b",ann\n\n,"bob ""x"""\n')).toEqual([
      { line: 2, entry: { value: 'ann', expires_at: undefined, reason: 'a, b' } },
      { line: 4, entry: { value: 'bob "x"', expires_at: undefined, reason: undefined } },
    ]);
  });

  it('reads a file without a header: values, then expiry and reason', async () => {
    expect(await read('ann\r\nbob,2027-01-01T00:00:00Z,why\r\n')).toEqual([
      { line: 1, entry: { value: 'ann', expires_at: undefined, reason: undefined } },
      { line: 2, entry: { value: 'bob', expires_at: '2027-01-01T00:00:00Z', reason: 'why' } },
    ]);
  });

  it('writes nothing that a spreadsheet would run', () => {
    for (const value of ['=1+1', '+4915112345678', '-2', '@SUM(A1)', '\t=1', "'=1"])
      expect(csvLine([value, 'a=b'])).toMatch(/^"?'.*,a=b\n$/);
  });

  it('writes what it reads', async () => {
    const values = [
      'plain',
      'a,b',
      'say "x"',
      'two\nlines',
      '+4915112345678',
      "'=1",
      '=HYPERLINK("x","y")',
      "'quoted'",
    ];
    const text = csvLine(['value', 'reason']) + values.map((value) => csvLine([value, null])).join('');
    expect((await read(text)).map(({ entry }) => entry.value)).toEqual(values);
  });
});
