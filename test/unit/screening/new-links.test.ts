import { CROWD_USERS } from '../../../shared/domain/entities/entity-links';
import { linkedEntities } from '../../../shared/domain/screening/subjects/new-links';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { DAY, HOUR, shopInMemory } from '../../support/shop-in-memory';

const OFFICE = { ip_address: '91.64.0.2' };

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
