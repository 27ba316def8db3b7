import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { pseudonymsBy } from '../../../shared/domain/entities/pseudonyms';
import { isListName, isListType, type ListType } from '../../../shared/domain/lists/list-definition';
import { nameEntry } from '../../../shared/domain/lists/list-entry';
import { nameValue } from '../../../shared/domain/lists/list-value';

const names = entityNames('acc_1');
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
