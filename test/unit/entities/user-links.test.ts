import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { CROWD_USERS } from '../../../shared/domain/entities/entity-links';
import { entityNames, pseudonymOf } from '../../../shared/domain/entities/entity-ref';
import type { EntityLink } from '../../../shared/domain/entities/seen-with';
import { userLinks } from '../../../shared/usecases/entities/user-links';

const NOW = Date.UTC(2026, 2, 20, 10);
const caller = { account_id: 'acc_1', key_id: 'key_1', role: 'admin', settings: DEFAULT_SETTINGS } as const;
const names = entityNames('acc_1');
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
    ([name, entity], at): EntityLink => ({ account_id: 'acc_1', entity, user: user(name), since_ms: NOW - at * 1000 }),
  );
  const asked: string[] = [];
  const profile = (key: string) => ({
    labels: { fraud: frauds.includes(key) ? 1 : 0, legitimate: 0 },
    distinct: { users: crowds.includes(key) ? CROWD_USERS + 1 : links.filter(({ entity }) => entity === key).length },
  });
  const deps = {
    clock: { now: () => NOW },
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
