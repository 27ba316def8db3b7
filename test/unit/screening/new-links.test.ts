import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { CROWD_USERS } from '../../../shared/domain/entities/entity-links';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import { linkedEntities, newLinks } from '../../../shared/domain/screening/subjects/record-members';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { DAY, HOUR, shopInMemory } from '../../support/shop-in-memory';

const OFFICE = { ip_address: '91.64.0.2' };

describe('what is new to a user', () => {
  const names = entityNames('acc_1');
  const refs = [names.user('ann'), names.exact('device', 'd'), names.exact('ip', 'i'), names.exact('ip', 'crowd')];
  const history = (users: number, seen: boolean) =>
    ({ first_seen_ms: 1, distinct: { users }, seen: { users: seen }, tried: { ips: seen } }) as never;
  const recorded = [
    { ref: refs[0] as never, history: history(0, true) },
    { ref: refs[1] as never, history: history(0, false) },
    { ref: refs[2] as never, history: history(3, true) },
    { ref: refs[3] as never, history: history(CROWD_USERS + 1, false) },
  ];

  it('is what was not seen with them, unless a crowd shares it', () => {
    expect(newLinks(DEFAULT_SETTINGS, { refs, recorded })).toEqual({ linked: '1' });
    expect(newLinks(DEFAULT_SETTINGS, { refs, recorded: recorded.slice(2) })).toEqual({});
  });

  it('is not kept by an account without history', () => {
    expect(newLinks({ keep_history: false }, { refs, recorded })).toEqual({});
  });
});

const linksIp = (record: ScreeningRecord): boolean => linkedEntities(record).some((key) => key.startsWith('ip#'));

it('links every new user with an address, although its 64 buckets take some of them for known', async () => {
  const shop = shopInMemory();
  const people = Array.from({ length: CROWD_USERS }, (_, at) => `user-${at}`);
  const missed: string[] = [];
  for (const person of people) {
    if (!linksIp(await shop.pay(person, 25, OFFICE))) missed.push(person);
    shop.pass(HOUR);
  }
  expect(missed).toEqual([]);
});

it('links a known user with an address they come from for the first time, and once', async () => {
  const shop = shopInMemory();
  for (let at = 0; at < CROWD_USERS - 2; at += 1) await shop.pay(`user-${at}`, 25, OFFICE);
  const home = { device_fingerprint: 'phone of ann', ip_address: '84.60.0.1' };
  const there = { ...home, ...OFFICE };
  const links: boolean[] = [];
  for (const from of [home, home, there, there, home]) {
    shop.pass(DAY);
    links.push(linksIp(await shop.pay('ann', 25, from)));
  }
  expect(links).toEqual([true, false, true, false, false]);
});

it('writes a link again for fewer than two screenings in a hundred', async () => {
  const shop = shopInMemory();
  const random = seededRandom(7);
  const below = (count: number) => Math.floor(random() * count);
  const known = new Set<string>();
  const total = 1_500;
  let again = 0;
  for (let at = 0; at < total; at += 1) {
    // A third of the time on the road, and now and then on a new device.
    const person = below(75);
    const ip_address = `91.64.${random() < 0.3 ? 1 + below(4) : 0}.${person}`;
    const device_fingerprint = random() < 0.05 ? `new-${at}` : `phone-${person}`;
    const record = await shop.pay(`user-${person}`, 10 + below(90), { device_fingerprint, ip_address });
    if (linksIp(record) && known.has(ip_address)) again += 1;
    known.add(ip_address);
    shop.pass(HOUR);
  }
  expect(known.size).toBeGreaterThan(200);
  expect(again / total).toBeLessThan(0.02);
});
