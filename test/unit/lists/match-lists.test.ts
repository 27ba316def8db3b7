import { entityNames } from '../../../shared/domain/entities/entity-ref';
import type { ListType } from '../../../shared/domain/lists/list-definition';
import { nameValue } from '../../../shared/domain/lists/list-value';
import { candidatesOf, type KnownList, type ListFlag, matchLists } from '../../../shared/domain/lists/match-lists';
import type { Subject } from '../../../shared/domain/screening/subjects/attempt-of';

const names = entityNames('acc_1');
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
function match(lists: ReadonlyArray<readonly [ListType, value: string, untilMs?: number]>, at = NOW, of = subject) {
  const flags = new Map<string, ListFlag[]>();
  const known = lists.map(([type, value, until_ms], index): KnownList => {
    const number = index + 1;
    const named = nameValue(names, type, value);
    if ('fault' in named) throw new Error(named.fault);
    const { key } = named.ref;
    const base = { name: `l${number}`, type, effect: 'block' as const, number };
    const scopes = new Set(named.scope === undefined ? [] : [named.scope]);
    if (type === 'cidr' || type === 'email_domain') {
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
  const listed = { subject, naming, candidates: candidatesOf([list], subject, naming), flagsOf: () => [{ number: 1 }] };
  expect(matchLists([list], listed, NOW).matched).toEqual([]);
});

it('asks for nothing of which there is no list', () => {
  expect(candidatesOf([], subject, { names, country: undefined, refs: [] })).toEqual([]);
});
