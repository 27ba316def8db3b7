import { createHash, createHmac } from 'node:crypto';
import { counterpartHashes, hash32, memberOf } from '../../../shared/domain/entities/counterpart-hashes';
import { entityNames, pseudonymOf } from '../../../shared/domain/entities/entity-ref';
import { pseudonymsBy } from '../../../shared/domain/entities/pseudonyms';

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const sha = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);
const hmac = (by: Uint8Array, text: string): string =>
  createHmac('sha256', by).update(text).digest('base64url').slice(0, 22);

describe('a pseudonym', () => {
  it('is HMAC-SHA-256 by the key of the stage, with the account in what is hashed', () => {
    const text = 'acc_1\nuser\nänn';
    expect(pseudonymsBy([key(1)]).of('acc_1', 'user', 'änn')).toBe(`1.${hmac(key(1), sha(text))}`);
    const all = [
      pseudonymsBy([key(1)]).of('acc_1', 'user', 'ann'),
      pseudonymsBy([key(1)]).of('acc_2', 'user', 'ann'),
      pseudonymsBy([key(1)]).of('acc_1', 'device', 'ann'),
      pseudonymsBy([key(2)]).of('acc_1', 'user', 'ann'),
    ];
    expect(new Set(all).size).toBe(4);
  });

  it('can be renewed without the value, when the key changes or where there was none', () => {
    const [first, second] = [pseudonymsBy([key(1)]), pseudonymsBy([key(1), key(2)])];
    const made = second.of('acc_1', 'user', 'ann');
    expect(made).toBe(`2.${hmac(key(2), hmac(key(1), sha('acc_1\nuser\nann')))}`);
    expect(second.renewed(first.of('acc_1', 'user', 'ann'))).toBe(made);
    expect(second.renewed(sha('acc_1\nuser\nann'))).toBe(made);
    expect(second.renewed(made)).toBe(made);
  });

  it('of a network is the same when it is remembered, and of no other account', () => {
    const pseudonyms = pseudonymsBy([key(1)]);
    const made = `1.${hmac(key(1), sha('acc_1\nnetwork\nAS3320'))}`;
    for (let asn = 3_320; asn < 8_400; asn++) pseudonyms.of('acc_1', 'network', `AS${asn}`);
    expect(pseudonyms.of('acc_1', 'network', 'AS3320')).toBe(made);
    expect(pseudonyms.of('acc_1', 'network', 'AS3320')).toBe(made);
    expect(pseudonyms.of('acc_2', 'network', 'AS3320')).not.toBe(made);
  });

  it('needs a key of full length', () => {
    expect(() => pseudonymsBy([])).toThrow('No key of 32 bytes');
    expect(() => pseudonymsBy([new Uint8Array(16)])).toThrow('No key of 32 bytes');
  });

  it('of an IPv4 address is not found by trying all addresses without the key', () => {
    const stored = pseudonymsBy([key(9)]).of('acc_1', 'ip', '203.0.113.7');
    const attackers = [sha, (text: string) => hmac(key(0), sha(text)), (text: string) => hmac(key(1), sha(text))];
    // The /24 that the attacker knows it is in: the rest of the address is all there is to find.
    for (let host = 0; host < 256; host++) {
      for (const guess of attackers) expect(stored).not.toContain(guess(`acc_1\nip\n203.0.113.${host}`));
    }
  });
});

describe('names of entities', () => {
  const names = entityNames('acc_1', pseudonymsBy([key(1)]));

  it('are the same for every spelling of the same thing', () => {
    expect(names.user('ann \u200b')).toEqual(names.user('ann'));
    expect(names.device(' fp\u00ad')).toEqual(names.device('fp'));
    expect(names.attribute('email', 'A.nn+x@Gmail.com')).toEqual(names.attribute('email', 'ann@gmail.com'));
    expect(names.attribute('phone', '0049 170 1234567')).toEqual(names.attribute('phone', '+49 (0)170 1234567'));
  });

  it('do not exist for what nobody can see, except that a user is always somebody', () => {
    expect(names.device('\u200b')).toBeUndefined();
    expect(names.attribute('email', ' ')).toBeUndefined();
    expect(names.user(' ').kind).toBe('user');
  });

  it('keep their kind, whatever the key of the attribute', () => {
    const ref = names.attribute('odd#key', 'x');
    expect(pseudonymOf(ref ?? { key: '' })).toMatch(/^1\.[\w-]{22}$/);
  });
});

/** Ids that an attacker found at home: for the unkeyed hash, all are in the same bucket of 4,096. */
function colliding(count: number, salt: number): string[] {
  const wanted = hash32('id-0', salt) & 4095;
  const found: string[] = [];
  for (let n = 0; found.length < count; n++) if ((hash32(`id-${n}`, salt) & 4095) === wanted) found.push(`id-${n}`);
  return found;
}

it('ids chosen to share a bucket of a sketch no longer do', () => {
  const names = entityNames('acc_1', pseudonymsBy([key(7)]));
  const attempt = { attempt_id: '', at_ms: 0, action: 'signup', outcome: 'succeeded' } as const;
  const users = colliding(20, 11).map((id) =>
    memberOf(counterpartHashes({ ...attempt, user_id: pseudonymOf(names.user(id)) }), 'users', 4096),
  );
  const devices = colliding(14, 23).map((id) => {
    const device = pseudonymOf(names.exact('device', id));
    return memberOf(counterpartHashes({ ...attempt, user_id: 'u', device }), 'devices', 4096);
  });
  expect([new Set(users).size, new Set(devices).size]).toEqual([20, 14]);
});
