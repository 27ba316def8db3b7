import { NEVER_SEEN } from '../../../bench/support/build-history';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { countsOnNetworks, countsOnPattern } from '../../../shared/domain/entities/attempt-counts';
import type { Attempt, EntityHistory } from '../../../shared/domain/entities/entity-history';
import { type EntityRef, entityNames } from '../../../shared/domain/entities/entity-ref';
import { emailPatternOf, networksOf } from '../../../shared/domain/screening/subjects/attempt-of';
import { SCREENING_STAND_INS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { decideScreening, type Screened } from '../../../shared/usecases/screening/decide-screening';
import { writeEffects } from '../../../shared/usecases/screening/effects';
import { networkEffect } from '../../../shared/usecases/screening/effects/networks';
import { readSources } from '../../../shared/usecases/screening/sources';
import {
  type NetworkPort,
  type NetworksReading,
  networkSource,
} from '../../../shared/usecases/screening/sources/networks';
import { memoryTable } from '../../support/memory/memory-table';
import { payment, preparedOf } from '../../support/payment';

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

const readNetworks = async (
  networks: NetworkPort,
  over: { readonly attempt: Attempt; readonly refs: readonly EntityRef[] },
): Promise<NetworksReading> =>
  networkSource.read({ networks }, preparedOf(payment(), { attempt: over.attempt, networks: over.refs }), LIMIT_MS);

const recordOnNetworks = (
  networks: NetworksReading,
  tried: Attempt,
  { user, isStopped }: { readonly user: EntityHistory; readonly isStopped: boolean },
) =>
  Promise.allSettled(
    networkEffect.write(
      {},
      { prepared: { attempt: tried }, readings: { networks }, facts: { user }, familiarity: { isStopped } } as Screened,
      LIMIT_MS,
    ),
  );

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
    const read = (at_ms: number) => readNetworks(networks, { attempt: attempt({ at_ms }), refs });
    const first = await read(START_MS);
    expect(first.facts.network_history?.transactions.total).toBe(0);
    await recordOnNetworks(first, attempt(), { user: user(true), isStopped: false });
    expect((await read(START_MS + 1)).facts.network_history?.transactions.total).toBe(0);
    await recordOnNetworks(first, attempt(), { user: user(false), isStopped: false });
    const { facts, missing } = await read(START_MS + 2);
    expect(facts.network_history?.transactions.total).toBe(1);
    expect(facts.asn_history?.transactions.windows['10m'].count).toBe(1);
    expect(missing).toEqual([]);
  });

  it.each([
    ['the first purchase within an hour of the signup', attempt(), { signedUp: 3_600_000, total: 0 }, true],
    ['one that comes later', attempt(), { signedUp: 3_600_001, total: 0 }, false],
    ['another of the same account', attempt(), { signedUp: 60_000, total: 1 }, false],
    ['one of an account that never signed up', attempt(), { signedUp: undefined, total: 0 }, false],
    ['the signup itself', attempt({ action: 'signup' }), { signedUp: 60_000, total: 0 }, false],
  ] as const)('beside them, the pattern of an email address counts %s, or not', (_title, tried, before, counts) => {
    const buyer = {
      ...NEVER_SEEN,
      last_event_ms: before.signedUp === undefined ? {} : { signup: START_MS - before.signedUp },
      transactions: { ...NEVER_SEEN.transactions, total: before.total },
    };
    expect(countsOnPattern(tried, buyer)).toBe(counts);
    expect(countsOnPattern(tried, undefined)).toBe(false);
  });

  it('are counted apart from the pattern of the email address', async () => {
    const { networks } = memoryTable();
    const custom_attributes = { email: 'john.smith381@mail.example' };
    const pattern = emailPatternOf(
      entityNames(ACCOUNT),
      { action: 'transaction', custom_attributes },
      DEFAULT_SETTINGS,
    );
    const read = (at_ms: number) =>
      readNetworks(networks, { attempt: attempt({ at_ms }), refs: [...refs, ...pattern] });
    const totals = async (at_ms: number) => {
      const { facts } = await read(at_ms);
      return [facts.network_history, facts.email_pattern_history].map((history) => history?.transactions.total);
    };
    const newcomer = { ...user(true), last_event_ms: { signup: START_MS - 1_000 } };
    await recordOnNetworks(await read(START_MS), attempt(), { user: newcomer, isStopped: false });
    expect(await totals(START_MS + 1)).toEqual([0, 1]);
    const regular = { ...user(false), transactions: { ...NEVER_SEEN.transactions, total: 9 } };
    await recordOnNetworks(await read(START_MS), attempt(), { user: regular, isStopped: false });
    expect(await totals(START_MS + 2)).toEqual([1, 1]);
  });

  it('are missing by name when they cannot be read, and a count that fails is no failure', async () => {
    const broken = { read: () => Promise.reject(new Error('throttled')) };
    const prepared = preparedOf(payment({ action: 'signup' }), { networks: refs });
    const { networks: without, ...rest } = await readSources({ ...SCREENING_STAND_INS, networks: broken }, prepared);
    expect(without).toEqual({ facts: {}, missing: ['network', 'asn'], readings: [] });
    const [ref] = refs;
    const record = () => Promise.reject(new Error('throttled'));
    const readings = ref === undefined ? [] : [{ ref, history: NEVER_SEEN, record }];
    const screened = decideScreening(prepared, { ...rest, networks: { ...without, readings } });
    const { error, done } = await writeEffects(SCREENING_STAND_INS, screened);
    expect([error, done.map(({ name }) => name).includes('networks')]).toEqual([undefined, false]);
  });

  it('are not asked for without an IP address, and not missing where there is no store of them', async () => {
    const nothing = { facts: {}, missing: [], readings: [] };
    const { networks } = memoryTable();
    expect(await readNetworks(networks, { attempt: attempt(), refs: [] })).toEqual(nothing);
    const without = await readNetworks(networkSource.standIn.networks, { attempt: attempt(), refs });
    expect([without.facts.network_history, without.missing]).toEqual([undefined, []]);
  });
});
