import { NEVER_SEEN } from '../../../bench/support/build-history';
import { countsOnNetworks } from '../../../shared/domain/entities/counts-on-networks';
import type { Attempt } from '../../../shared/domain/entities/entity-history';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { networksOf } from '../../../shared/domain/screening/subjects/networks-of';
import { readNetworks, recordOnNetworks } from '../../../shared/usecases/screening/screening-networks';
import { memoryTable } from '../../support/memory/memory-table';

const ACCOUNT = 'acc_1';
const START_MS = Date.UTC(2026, 2, 1, 12);
const LIMIT_MS = 800;

const attempt = (change: Partial<Attempt> = {}): Attempt => ({
  attempt_id: 'txn_1',
  at_ms: START_MS,
  action: 'transaction',
  outcome: 'succeeded',
  user_id: 'ann',
  ip: '91.0.0.1',
  network: 'other',
  ...change,
});

const user = (ips: boolean | undefined) => ({ ...NEVER_SEEN, seen: { ips } });
const refs = networksOf(entityNames(ACCOUNT), '91.0.0.1', { asn: 3320, network: 'other' });

describe('the networks of an attempt', () => {
  it('are the /24 or /48 around the IP address, and its ASN if that is known', () => {
    expect(refs.map(({ kind, name }) => [kind, name])).toEqual([
      ['network', 'network'],
      ['network', 'asn'],
    ]);
    const keysOf = (ip: string) => networksOf(entityNames(ACCOUNT), ip, undefined).map(({ key }) => key);
    expect(keysOf('91.0.0.200')).toEqual([refs[0]?.key]);
    expect(keysOf('91.0.1.1')).not.toEqual([refs[0]?.key]);
    expect(keysOf('2001:db8:1:2::1')).toEqual(keysOf('2001:db8:1:ffff::9'));
    expect(networksOf(entityNames(ACCOUNT), undefined, undefined)).toEqual([]);
    expect(networksOf(entityNames('acc_2'), '91.0.0.1', undefined)[0]?.key).not.toBe(refs[0]?.key);
  });

  it.each([
    ['a payment from an IP that the user knows', attempt(), { user: user(true) }, false],
    ['a payment from an IP that is new to the user', attempt(), { user: user(false) }, true],
    ['the same on a mobile network', attempt({ network: 'mobile' }), { user: user(false) }, false],
    ['a payment whose user could not be read', attempt(), { user: undefined }, false],
    ['a payment that was stopped', attempt({ network: 'mobile' }), { user: user(true), isStopped: true }, true],
    ['a signup', attempt({ action: 'signup', network: 'mobile' }), { user: user(true) }, true],
    ['a failed login at home', attempt({ action: 'login', outcome: 'failed' }), { user: user(true) }, false],
    [
      'a failed login from elsewhere, by phone',
      attempt({ action: 'login', outcome: 'failed', network: 'mobile' }),
      { user: user(false) },
      true,
    ],
  ] as const)('count %s, or not', (_title, tried, circumstances, counts) => {
    expect(countsOnNetworks(tried, { isStopped: false, ...circumstances })).toBe(counts);
  });

  it('are read first, and count only what counts there', async () => {
    const { networks } = memoryTable();
    const read = (at_ms: number) => readNetworks(networks, ACCOUNT, { attempt: attempt({ at_ms }), refs }, LIMIT_MS);
    const first = await read(START_MS);
    expect(first.facts.network_history?.transactions.total).toBe(0);
    await recordOnNetworks(first, attempt(), { user: user(true), isStopped: false }, LIMIT_MS);
    expect((await read(START_MS + 1)).facts.network_history?.transactions.total).toBe(0);
    await recordOnNetworks(first, attempt(), { user: user(false), isStopped: false }, LIMIT_MS);
    const { facts, missing } = await read(START_MS + 2);
    expect(facts.network_history?.transactions.total).toBe(1);
    expect(facts.asn_history?.transactions.windows['10m'].count).toBe(1);
    expect(missing).toEqual([]);
  });

  it('are missing by name when they cannot be read, and a count that fails is no failure', async () => {
    const broken = { read: () => Promise.reject(new Error('throttled')) };
    const without = await readNetworks(broken, ACCOUNT, { attempt: attempt(), refs }, LIMIT_MS);
    expect(without).toEqual({ facts: {}, missing: ['network', 'asn'], readings: [] });
    const [ref] = refs;
    const record = () => Promise.reject(new Error('throttled'));
    const readings = ref === undefined ? [] : [{ ref, history: NEVER_SEEN, record }];
    const counting = recordOnNetworks({ ...without, readings }, attempt(), { user: user(false), isStopped: false }, 9);
    await expect(counting).resolves.toBeUndefined();
  });

  it('are not asked for without an IP address, or where there is no store of them', async () => {
    const nothing = { facts: {}, missing: [], readings: [] };
    const { networks } = memoryTable();
    expect(await readNetworks(networks, ACCOUNT, { attempt: attempt(), refs: [] }, LIMIT_MS)).toEqual(nothing);
    expect(await readNetworks(undefined, ACCOUNT, { attempt: attempt(), refs }, LIMIT_MS)).toEqual(nothing);
  });
});
