import { marshall } from '@aws-sdk/util-dynamodb';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { earningOf } from '../../../shared/domain/entities/earning';
import type { Attempt } from '../../../shared/domain/entities/entity-history';
import { CROWD_USERS } from '../../../shared/domain/entities/entity-links';
import { entityNames, pseudonymOf } from '../../../shared/domain/entities/entity-ref';
import type { EntityLink } from '../../../shared/domain/entities/seen-with';
import { riskProfileAnswer } from '../../../shared/http/presenters/risk-profile-answer';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { readLinks } from '../../../shared/store/links/link-store';
import { screeningItem } from '../../../shared/store/screening/screening-store';
import { linkChanges } from '../../../shared/usecases/entities/link-changes';
import { userLinks } from '../../../shared/usecases/entities/user-links';
import { userRiskProfile } from '../../../shared/usecases/entities/user-risk-profile';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryRules } from '../../support/memory/memory-rules';
import { memoryTable } from '../../support/memory/memory-table';
import { callerOf } from '../../support/traffic/payment';
import { screened } from '../../support/webhooks/changes';

describe('link changes', () => {
  const AT = Date.UTC(2026, 2, 20, 10);
  const names = entityNames('acc_1', PUBLIC_PSEUDONYMS);
  const entities = [names.user('ann').key, 'device#1.d', 'ip#1.i'];

  const inserted = (change: object, eventName: 'INSERT' | 'MODIFY' = 'INSERT') => ({
    eventName,
    dynamodb: { NewImage: marshall(screeningItem('acc_1', screened(AT, { entities, ...change }))) },
  });

  it('writes each pair of a batch once, from new screenings that say what was new', async () => {
    const written: EntityLink[] = [];
    const reported: string[] = [];
    await linkChanges(
      {
        readLinks: (raw) => {
          if (raw === 'broken') throw new Error('unreadable');
          return readLinks(raw as ReturnType<typeof inserted>);
        },
        links: { stored: async () => () => true, put: async (link) => void written.push(link) },
        report: (problem) => reported.push(problem),
      },
      [
        inserted({ linked: '12' }),
        inserted({ linked: '1' }),
        inserted({}),
        inserted({ linked: '2' }, 'MODIFY'),
        'broken',
      ],
    );
    const user = entities[0]?.split('#')[1];
    expect(written).toEqual([
      { account_id: 'acc_1', entity: 'device#1.d', user, since_ms: AT },
      { account_id: 'acc_1', entity: 'ip#1.i', user, since_ms: AT },
    ]);
    expect(reported).toEqual(['a record of the stream cannot be read']);
  });

  it('links nobody who was erased before the stream came, or came again', async () => {
    const { links, screenings } = memoryTable();
    const kept = screened(AT, { entities, linked: '1' });
    const erased = screened(AT, { entities: [names.user('eve').key, 'device#1.e'], linked: '1' });
    await screenings.insert('acc_1', kept);
    const batch = [kept, erased].map((record) => ({
      eventName: 'INSERT' as const,
      dynamodb: { NewImage: marshall(screeningItem('acc_1', record)) },
    }));
    await linkChanges({ readLinks, links, report: () => undefined }, batch);
    expect(links.ofAccount('acc_1').map(({ entity }) => entity)).toEqual(['device#1.d']);
  });

  it('a failure is for the stream to repeat', async () => {
    const links = { stored: async () => () => true, put: () => Promise.reject(new Error('throttled')) };
    const failing = { readLinks, links, report: () => undefined };
    await expect(linkChanges(failing, [inserted({ linked: '1' })])).rejects.toThrow('throttled');
  });
});

describe('user links', () => {
  const NOW = Date.UTC(2026, 2, 20, 10);
  const caller = { account_id: 'acc_1', key_id: 'key_1', role: 'admin', settings: DEFAULT_SETTINGS } as const;
  const names = entityNames('acc_1', PUBLIC_PSEUDONYMS);
  const user = (name: string): string => pseudonymOf(names.user(name));

  interface Known {
    /** Who was seen with what; `ann` is looked at. */
    readonly seen: ReadonlyArray<readonly [user: string, entity: string]>;
    readonly crowds?: readonly string[];
    readonly frauds?: readonly string[];
    readonly isCut?: boolean;
  }

  function graphOf({ seen, crowds = [], frauds = [], isCut = false }: Known) {
    const links = seen.map(
      ([name, entity], at): EntityLink => ({
        account_id: 'acc_1',
        entity,
        user: user(name),
        since_ms: NOW - at * 1000,
      }),
    );
    const asked: string[] = [];
    const profile = (key: string) => ({
      labels: { fraud: frauds.includes(key) ? 1 : 0, legitimate: 0 },
      distinct: { users: crowds.includes(key) ? CROWD_USERS + 1 : links.filter(({ entity }) => entity === key).length },
    });
    const deps = {
      clock: { now: () => NOW },
      pseudonyms: () => PUBLIC_PSEUDONYMS,
      links: {
        entitiesOf: async (_account: string, of: string) => ({
          since: new Map(
            links.flatMap(({ entity, user: by }) => (by === of ? [[entity, NOW - 5_000_000] as const] : [])),
          ),
          isCut,
        }),
        usersOf: async (_account: string, entity: string, limit: number) => {
          asked.push(entity);
          return links.filter((link) => link.entity === entity).slice(0, limit);
        },
        profiles: async (_account: string, keys: readonly string[]) =>
          new Map(keys.filter((key) => key !== names.user('nobody').key).map((key) => [key, profile(key) as never])),
      },
    };
    return { asked, read: (name = 'ann') => userLinks(deps, caller, name) };
  }

  it('shows what the user used, and who else used it, without naming anyone', async () => {
    const { read } = graphOf({
      seen: [
        ['ann', 'device#1.d'],
        ['ann', 'attribute.email#1.e'],
        ['bob', 'device#1.d'],
        ['carl', 'device#1.other'],
      ],
      frauds: [names.user('bob').key],
    });
    const { nodes, edges, truncated } = await read();
    expect(nodes).toMatchObject([
      { type: 'user', label: 'ann', confirmed_fraud: false, users: 1 },
      { type: 'device', label: expect.stringMatching(/^device \S{6}$/), users: 2 },
      { type: 'attribute:email', label: expect.stringMatching(/^email \S{6}$/), users: 1 },
      { type: 'user', label: expect.stringMatching(/^user \S{6}$/), confirmed_fraud: true },
    ]);
    const [ann, device, email, bob] = nodes.map(({ id }) => id);
    expect(edges).toEqual([
      { from: ann, to: device, sinceMs: NOW },
      { from: ann, to: email, sinceMs: NOW - 1000 },
      { from: bob, to: device, sinceMs: NOW - 2000 },
    ]);
    expect(truncated).toBe(false);
    const told = JSON.stringify({ nodes, edges });
    for (const secret of ['bob', 'carl', user('ann'), user('bob'), '1.d', '1.e']) expect(told).not.toContain(secret);
  });

  it('shows what a crowd shares, and does not walk through it', async () => {
    const { read, asked } = graphOf({
      seen: [
        ['ann', 'ip#1.office'],
        ['bob', 'ip#1.office'],
      ],
      crowds: ['ip#1.office'],
    });
    expect((await read()).nodes).toMatchObject([{ label: 'ann' }, { type: 'ip_address', users: CROWD_USERS + 1 }]);
    expect(asked).toEqual([]);
  });

  it('stops at 50 nodes, keeps those who share most, and says so', async () => {
    const many = Array.from({ length: 60 }, (_, at) => `user-${at}`);
    const { read } = graphOf({
      seen: [
        ...['a', 'b', 'c', 'd'].map((device) => ['ann', `device#1.${device}`] as const),
        ...many.map((name, at) => [name, `device#1.${'abcd'.charAt(at % 4)}`] as const),
        ['user-59', 'device#1.a'],
      ],
    });
    const { nodes, edges, truncated } = await read();
    expect(nodes).toHaveLength(50);
    expect(truncated).toBe(true);
    const ids = new Set(nodes.map(({ id }) => id));
    expect(edges.every(({ from, to }) => ids.has(from) && ids.has(to))).toBe(true);
    // The one who shares two devices is first among the others.
    const first = nodes.find(({ type, label }) => type === 'user' && label !== 'ann');
    expect(edges.filter(({ from }) => from === first?.id)).toHaveLength(2);
  });

  it('says when older screenings were not read, and 404 for a user who was never seen', async () => {
    expect(await graphOf({ seen: [['ann', 'device#1.d']], isCut: true }).read()).toMatchObject({ truncated: true });
    await expect(graphOf({ seen: [] }).read('nobody')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('user risk profile', () => {
  const NOW = Date.UTC(2026, 2, 1, 12);
  const HOUR = 3_600_000;
  const caller = callerOf('acc_1');

  async function world(lived: readonly Partial<Attempt>[]) {
    const table = memoryTable();
    const ref = entityNames('acc_1', PUBLIC_PSEUDONYMS).user('ann');
    for (const [i, change] of lived.entries()) {
      const common = {
        attempt_id: `txn_${i}`,
        at_ms: NOW,
        user_id: 'ann',
        device: 'phone',
        country: 'DE',
        network: 'other',
      };
      const payment = { action: 'transaction', outcome: 'succeeded', amount: 10, currency: 'EUR', amount_usd: 11 };
      const attempt = { ...common, ...payment, ip: '91.0.0.1', ...change } as Attempt;
      const { history } = await table.entities.recordAttempt('acc_1', ref, attempt);
      const earning = earningOf(attempt, history, undefined, []);
      if (earning) await table.entities.earn('acc_1', ref, { attempt, earning });
    }
    const stop = (automated_decision: 'review' | 'block') =>
      table.entities
        .of('acc_1')
        .stop(screened(NOW, { automated_decision, entities: [ref.key], stopped: 'mark', amount: 11, currency: 'USD' }));
    const deps = {
      clock: { now: () => NOW },
      pseudonyms: () => PUBLIC_PSEUDONYMS,
      entities: table.entities,
      books: memoryRules(),
    };
    return { table, ref, deps, stop };
  }

  it('tells what the user has done, in one read', async () => {
    const { table, ref, deps, stop } = await world([
      { at_ms: NOW - 3 * HOUR },
      { at_ms: NOW - 2 * HOUR, amount: 15, device: 'laptop', country: 'FR' },
      { at_ms: NOW - HOUR, action: 'password_change', amount: undefined as never },
    ]);
    stop('review');
    const label = { label: 'fraud', known_at_ms: NOW } as const;
    table.entities.of('acc_1').label(ref.key, { record: screened(NOW), label, previousLabel: undefined }, NOW);
    expect(riskProfileAnswer(await userRiskProfile(deps, caller, 'ann'))).toMatchObject({
      user_id: 'ann',
      first_seen_at: new Date(NOW - 3 * HOUR).toISOString(),
      last_seen_at: new Date(NOW - HOUR).toISOString(),
      transactions: { count: 2, allowed: 1, reviewed: 1, blocked: 0, last_24h: 2, amount_by_currency: { EUR: 25 } },
      events: { count: 1, by_type: { password_change: 1 } },
      devices: { count: 2 },
      ip_addresses: { count: 1, countries: ['DE', 'FR'] },
      outcomes: { confirmed_fraud: 1, confirmed_legitimate: 0 },
      recent_activity: {
        transactions: {
          last_1h: { count: 0 }, // What was stopped was not spent.
          last_24h: { count: 2, amount_usd: 11 },
        },
        last_changes: [{ event_type: 'password_change', at: new Date(NOW - HOUR).toISOString() }],
      },
    });
  });

  it('never shows less than nothing, although compensation may come before what it takes back', async () => {
    const { deps, stop } = await world([{}]);
    stop('block');
    stop('block');
    expect(riskProfileAnswer(await userRiskProfile(deps, caller, 'ann'))).toMatchObject({
      transactions: { count: 1, allowed: 0, blocked: 2 },
    });
  });

  it('knows no user that was never seen, nor one of another account', async () => {
    const { deps } = await world([{}]);
    await expect(userRiskProfile(deps, caller, 'bob')).rejects.toMatchObject({ code: 'not_found' });
    await expect(userRiskProfile(deps, callerOf('acc_2'), 'ann')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('does not take a user for seen because a decision was counted first', async () => {
    const { deps, stop } = await world([]);
    stop('block');
    await expect(userRiskProfile(deps, caller, 'ann')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('does not take a table that is out of reach for an unknown user', async () => {
    const { table, deps } = await world([{}]);
    const down = {
      ...deps,
      entities: interpose(
        table.entities,
        failing(() => 'before'),
      ),
    };
    await expect(userRiskProfile(down, caller, 'ann')).rejects.toMatchObject({ code: 'unavailable' });
  });
});
