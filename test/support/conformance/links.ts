import type { Attempt } from '../../../shared/domain/entities/entity-history';
import { entityNames, pseudonymOf } from '../../../shared/domain/entities/entity-ref';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import type { EntitiesPort } from '../memory/memory-entities';
import type { LinksPort } from '../memory/memory-links';
import type { ScreeningsPort } from '../memory/memory-screenings';
import { screened } from '../webhooks/changes';
import { freshAccount, type MakePort, PATIENT_MS, START_MS } from './fresh-account';

/** Links, with the screenings and the entities that they are drawn from. */
export interface LinksWorld {
  readonly links: LinksPort;
  readonly screenings: ScreeningsPort;
  readonly entities: EntitiesPort;
}

const MINUTE = 60_000;

/** Tests that every store of links must pass. */
export function describeLinksConformance(name: string, makePort: MakePort<LinksWorld>): void {
  describe(`links in ${name}`, () => {
    let world: LinksWorld;
    let account: string;
    beforeEach(async () => {
      world = await makePort();
      account = freshAccount();
    });
    const link = (user: string, since_ms: number, entity = 'device#1.d') =>
      world.links.put({ account_id: account, entity, user, since_ms });
    const screen = (atMs: number, entities: readonly string[], change: Partial<ScreeningRecord> = {}) =>
      world.screenings.insert(account, screened(atMs, { entities: [...entities], ...change }), PATIENT_MS);

    it('keeps one link per user and entity, with its beginning', async () => {
      await link('1.bob', START_MS + MINUTE);
      await link('1.ann', START_MS);
      await link('1.bob', START_MS + 2 * MINUTE);
      await link('1.carl', START_MS, 'device#1.other');
      const [ann, bob] = [
        { account_id: account, entity: 'device#1.d', user: '1.ann', since_ms: START_MS },
        { account_id: account, entity: 'device#1.d', user: '1.bob', since_ms: START_MS + MINUTE },
      ];
      expect(await world.links.usersOf(account, 'device#1.d', 10)).toEqual([ann, bob]);
      expect(await world.links.usersOf(account, 'device#1.d', 1)).toEqual([ann]);
      expect(await world.links.usersOf(account, 'device#1', 10)).toEqual([]);
      expect(await world.links.usersOf(freshAccount(), 'device#1.d', 10)).toEqual([]);
    });

    it('knows which screenings are still stored', async () => {
      const record = screened(START_MS, { entities: ['user#1.ann', 'device#1.d'] });
      await world.screenings.insert(account, record, PATIENT_MS);
      const of = (account_id: string, ulid: string) => ({ account_id, ulid, links: [] });
      const asked = [
        of(account, record.ulid),
        of(account, screened(START_MS, {}).ulid),
        of(freshAccount(), record.ulid),
      ];
      expect(asked.map(await world.links.stored(asked))).toEqual([true, false, false]);
    });

    it('tells what a user was last seen with, and since when, but not with whom', async () => {
      await screen(START_MS, ['user#1.ann', 'device#1.old']);
      await screen(START_MS + MINUTE, ['user#1.ann', 'device#1.d', 'ip#1.home']);
      await screen(START_MS + 2 * MINUTE, ['user#1.ann', 'device#1.d']);
      await screen(START_MS + 3 * MINUTE, ['user#1.bob', 'device#1.bobs']);
      await screen(START_MS + 4 * MINUTE, ['user#1.ann', 'device#1.hidden'], { unlisted: true });
      const { since, isCut } = await world.links.entitiesOf(account, '1.ann', 10);
      expect(Object.fromEntries(since)).toEqual({
        'device#1.d': START_MS + MINUTE,
        'ip#1.home': START_MS + MINUTE,
        'device#1.old': START_MS,
      });
      expect(isCut).toBe(false);
      const latest = await world.links.entitiesOf(account, '1.ann', 2);
      expect([...latest.since.keys()].sort()).toEqual(['device#1.d', 'ip#1.home']);
      expect(latest.isCut).toBe(true);
      expect((await world.links.entitiesOf(freshAccount(), '1.ann', 10)).since.size).toBe(0);
    });

    it('reads what is known of entities, and leaves out what is not', async () => {
      const names = entityNames(account, PUBLIC_PSEUDONYMS);
      const [ann, phone] = [names.user('ann'), names.device('phone')];
      if (!phone) throw new Error('a device has a name');
      for (const [at, user_id] of ['ann', 'bob'].entries()) {
        const attempt: Attempt = {
          ...{ attempt_id: `txn_${at}`, at_ms: START_MS + at, action: 'transaction', outcome: 'succeeded' },
          ...{ user_id, device: 'phone', amount: 5, currency: 'EUR', amount_usd: 5 },
        };
        await world.entities.recordAttempt(account, names.user(user_id), attempt, PATIENT_MS);
        await world.entities.recordAttempt(account, phone, attempt, PATIENT_MS);
      }
      const keys = [phone.key, ann.key, `device#${pseudonymOf(ann)}`];
      const profiles = await world.links.profiles(account, keys, START_MS + MINUTE);
      expect([...profiles.keys()]).toEqual([phone.key, ann.key]);
      expect(profiles.get(phone.key)).toMatchObject({ distinct: { users: 2 }, labels: { fraud: 0 } });
      expect(profiles.get(ann.key)).toMatchObject({ transactions: { total: 1 } });
      expect((await world.links.profiles(account, [], START_MS)).size).toBe(0);
      expect((await world.links.profiles(freshAccount(), keys, START_MS)).size).toBe(0);
    });
  });
}
