import { hash32 } from '../../../shared/domain/entities/counterpart-hashes';
import { pseudonymsBy } from '../../../shared/domain/entities/pseudonyms';
import type { Subject } from '../../../shared/domain/screening/subjects/attempt-of';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { riskProfileAnswer } from '../../../shared/http/presenters/risk-profile-answer';
import { newUlid } from '../../../shared/runtime/ids';
import { SCREENING_STAND_INS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { userRiskProfile } from '../../../shared/usecases/entities/user-risk-profile';
import { screenSubject } from '../../../shared/usecases/screening/screen-subject';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryRules } from '../../support/memory/memory-rules';
import { memoryTable } from '../../support/memory/memory-table';
import {
  DAY,
  HOUR,
  IP,
  MINUTE,
  namesOf,
  regularCustomer,
  type Shop,
  shopInMemory,
  THIEF,
  VICTIM,
} from '../../support/shop-in-memory';
import { callerOf } from '../../support/traffic/payment';

describe('screening familiarity', () => {
  /** A shop whose regular customer is about to be robbed. */
  async function robbedShop(): Promise<Shop> {
    const shop = shopInMemory();
    await regularCustomer(shop);
    return shop;
  }

  async function takeOver({ act, pass }: Shop): Promise<void> {
    for (let tries = 0; tries < 6; tries++) await act('login', 'victim', { ...THIEF, outcome: 'failed' });
    await act('password_reset', 'victim', THIEF);
    pass(5 * MINUTE);
  }

  /** The same purchase ten times in a few minutes, then after 1, 6 and 26 hours and 3 days. */
  async function retry({ pay, pass }: Shop, amount: number, what: object = THIEF): Promise<ScreeningRecord[]> {
    const made: ScreeningRecord[] = [];
    for (const waitMs of [...Array(10).fill(20_000), HOUR, 5 * HOUR, 20 * HOUR, 46 * HOUR]) {
      pass(waitMs);
      made.push(await pay('victim', amount, what));
    }
    return made;
  }

  const scoresOf = (records: readonly ScreeningRecord[]): number[] => records.map(({ risk_score }) => risk_score);

  describe('a purchase that was stopped', () => {
    it('never scores lower on a retry: 900 EUR', async () => {
      const shop = await robbedShop();
      const first = await shop.pay('victim', 900, THIEF);
      expect(first.automated_decision).toBe('review');
      const again = await retry(shop, 900);
      expect(Math.min(...scoresOf(again))).toBeGreaterThanOrEqual(first.risk_score);
      for (const record of again) expect(namesOf(record)).toContain('repeats_stopped_attempt');
    });

    it('never scores lower on a retry: 900 EUR where nobody sends a billing address', async () => {
      const shop = shopInMemory();
      const nowhere = { billing_address: undefined };
      for (let i = 0; i < 12; i++) {
        await shop.pay('victim', 20 + ((i * 5) % 15), { ...VICTIM, ...nowhere });
        shop.pass(3 * DAY);
      }
      const first = await shop.pay('victim', 900, { ...THIEF, ...nowhere });
      expect(first.automated_decision).toBe('review');
      expect(namesOf(first)).toContain('new_country');
      const again = await retry(shop, 900, { ...THIEF, ...nowhere });
      expect(Math.min(...scoresOf(again))).toBeGreaterThanOrEqual(first.risk_score);
    });

    it('never scores lower on a retry: a takeover with 4,000 EUR stays blocked', async () => {
      const shop = await robbedShop();
      await takeOver(shop);
      const first = await shop.pay('victim', 4_000, THIEF);
      expect(first.automated_decision).toBe('block');
      expect(Math.min(...scoresOf(await retry(shop, 4_000)))).toBeGreaterThanOrEqual(first.risk_score);
      // Until somebody has looked at it, or for thirty days.
      shop.pass(24 * DAY);
      expect((await shop.pay('victim', 4_000, THIEF)).automated_decision).toBe('block');
    });

    it.each([
      [
        'on the same device with another card and address',
        { ip_address: IP.farAway, custom_attributes: { card_fingerprint: 'other' } },
      ],
      ['with the same card on another device', { device_fingerprint: 'second' }],
      [
        'from the same address with another device and card',
        { device_fingerprint: 'second', custom_attributes: { card_fingerprint: 'other' } },
      ],
    ])('is repeated by a smaller one %s', async (_how, change) => {
      const shop = await robbedShop();
      const stolen = { ...THIEF, custom_attributes: { card_fingerprint: 'stolen' } };
      const first = await shop.pay('victim', 900, stolen);
      expect(first.automated_decision).toBe('review');
      shop.pass(HOUR);
      const second = await shop.pay('victim', 40, { ...stolen, ...change });
      expect(second.risk_score).toBeGreaterThanOrEqual(first.risk_score);
    });

    it('is not held against its victim, on the own device or at the address where the thief was', async () => {
      const shop = await robbedShop();
      await takeOver(shop);
      await shop.pay('victim', 4_000, { ...THIEF, ip_address: IP.cafe });
      await retry(shop, 900);
      const own = await shop.pay('victim', 30, VICTIM);
      expect(own.risk_score).toBeLessThan(15);
      const besideTheThief = await shop.pay('victim', 30, { ...VICTIM, ip_address: IP.cafe });
      expect(besideTheThief.automated_decision).toBe('allow');
      expect(namesOf(besideTheThief)).not.toContain('repeats_stopped_attempt');
    });

    it('makes familiar what it used as soon as its case is approved', async () => {
      const shop = await robbedShop();
      const first = await shop.pay('victim', 900, THIEF);
      shop.pass(MINUTE);
      await shop.pay('victim', 900, THIEF);
      shop.pass(MINUTE);
      await shop.resolve(first, 'allow');
      const second = await shop.pay('victim', 100, THIEF);
      expect(second.automated_decision).toBe('allow');
      expect(namesOf(second)).not.toContain('new_device');
      expect(namesOf(second)).not.toContain('repeats_stopped_attempt');
    });

    it('stays in force for good when its case is rejected, although the device was earned before', async () => {
      const shop = await robbedShop();
      expect((await shop.pay('victim', 5, THIEF)).automated_decision).toBe('allow');
      shop.pass(DAY);
      const first = await shop.pay('victim', 900, THIEF);
      expect(first.automated_decision).toBe('review');
      await shop.resolve(first, 'block');
      shop.pass(60 * DAY);
      const later = await shop.pay('victim', 900, THIEF);
      expect(later.risk_score).toBeGreaterThanOrEqual(first.risk_score);
      expect(namesOf(later)).toEqual(expect.arrayContaining(['repeats_stopped_attempt', 'new_device']));
    });

    it('is forgotten a month later if nobody decided, but nothing it used has become familiar', async () => {
      const shop = await robbedShop();
      await shop.pay('victim', 900, THIEF);
      shop.pass(31 * DAY);
      const later = await shop.pay('victim', 30, THIEF);
      expect(namesOf(later)).not.toContain('repeats_stopped_attempt');
      expect(namesOf(later)).toContain('new_device');
    });
  });

  describe('an attempt that was allowed', () => {
    it('does not prepare the ground for a large one on the same new device', async () => {
      const untouched = await robbedShop();
      const direct = await untouched.pay('victim', 900, THIEF);
      const shop = await robbedShop();
      for (let purchases = 0; purchases < 3; purchases++) {
        expect((await shop.pay('victim', 5, THIEF)).automated_decision).toBe('allow');
        shop.pass(15 * MINUTE);
      }
      const prepared = await shop.pay('victim', 900, THIEF);
      expect(prepared.automated_decision).toBe('review');
      expect(prepared.risk_score).toBeGreaterThanOrEqual(direct.risk_score - 2);
    });

    it('loses what it earned when it turns out to be fraud', async () => {
      const shop = await robbedShop();
      const first = await shop.pay('victim', 20, { ...VICTIM, device_fingerprint: 'skimmer' });
      expect(first.automated_decision).toBe('allow');
      shop.pass(9 * DAY);
      const before = await shop.pay('victim', 21, { ...VICTIM, device_fingerprint: 'skimmer' });
      expect(namesOf(before)).not.toContain('new_device');
      await shop.review(first, 'block');
      const after = await shop.pay('victim', 22, { ...VICTIM, device_fingerprint: 'skimmer' });
      expect(namesOf(after)).toContain('new_device');
    });

    it('is familiar without waiting when a person confirms it, and is not when the person takes that back', async () => {
      const shop = await robbedShop();
      const phone = { ...VICTIM, device_fingerprint: 'new-phone', ip_address: IP.farAway };
      const first = await shop.pay('victim', 25, phone);
      expect(first.automated_decision).toBe('allow');
      await shop.review(first, 'allow');
      shop.pass(HOUR);
      expect(namesOf(await shop.pay('victim', 26, phone))).not.toContain('new_device');
      await shop.review(first, 'block');
      expect(namesOf(await shop.pay('victim', 27, phone))).toContain('new_device');
    });

    it('earns nothing if its result could not be stored', async () => {
      const shop = await robbedShop();
      const tablet = { ...VICTIM, device_fingerprint: 'tablet' };
      const { screenings } = shop.deps;
      const broken = interpose(
        screenings,
        failing((call) => (call === 'insert' ? 'before' : undefined)),
      );
      Object.assign(shop.deps, { screenings: broken });
      await expect(shop.pay('victim', 25, tablet)).rejects.toMatchObject({ code: 'unavailable' });
      Object.assign(shop.deps, { screenings });
      expect(namesOf(await shop.pay('victim', 25, tablet))).toContain('new_device');
    });
  });

  describe('smearing an innocent', () => {
    it('with their fingerprint on twelve new accounts costs those accounts, not the innocent', async () => {
      const shop = await robbedShop();
      const scores: number[] = [];
      for (let i = 0; i < 12; i++) {
        shop.pass(MINUTE);
        const signup = await shop.act('signup', `mule-${i}`, { device_fingerprint: 'laptop', ip_address: IP.abroad });
        scores.push(signup.risk_score);
      }
      expect(Math.max(...scores)).toBeGreaterThan(60);
      for (const made of [await shop.pay('victim', 30, VICTIM), await shop.act('login', 'victim', VICTIM)]) {
        expect(made.risk_score).toBeLessThan(15);
        expect(namesOf(made)).not.toContain('shared_device');
      }
    });

    it('with card tests on their fingerprint costs whoever made them', async () => {
      const shop = await robbedShop();
      const scores: number[] = [];
      for (let i = 0; i < 14; i++) {
        shop.pass(20_000);
        const custom_attributes = { card_fingerprint: `stolen-${i}` };
        const made = await shop.pay('tester', 1, {
          device_fingerprint: 'laptop',
          ip_address: IP.abroad,
          custom_attributes,
        });
        scores.push(made.risk_score);
      }
      expect(Math.max(...scores)).toBeGreaterThan(60);
      expect((await shop.pay('victim', 30, VICTIM)).risk_score).toBeLessThan(15);
    });

    it('with thirty failed logins costs the device and the address they came from', async () => {
      const shop = await robbedShop();
      for (let i = 0; i < 30; i++) {
        shop.pass(20_000);
        await shop.act('login', 'victim', { ...THIEF, outcome: 'failed' });
      }
      const own = [await shop.act('login', 'victim', VICTIM), await shop.pay('victim', 30, VICTIM)];
      for (const made of own) {
        expect(made.risk_score).toBeLessThan(10);
        expect(namesOf(made)).not.toContain('failed_login_burst');
      }
      const theirs = await shop.act('login', 'victim', THIEF);
      expect(namesOf(theirs)).toContain('failed_login_burst');
      const nextVictim = await shop.act('login', 'somebody', { ...THIEF, outcome: 'failed' });
      expect(namesOf(nextVictim)).toContain('failed_login_burst');
    });

    it('does not help a farm: a device’s crowd counts against everyone who came into it', async () => {
      const shop = shopInMemory();
      for (let i = 0; i < 12; i++) {
        await shop.act('signup', `mule-${i}`, { device_fingerprint: 'farm', ip_address: IP.abroad });
        shop.pass(HOUR);
      }
      shop.pass(10 * DAY);
      const last = await shop.pay('mule-11', 60, { device_fingerprint: 'farm', ip_address: IP.abroad });
      expect(namesOf(last)).toContain('shared_device');
      expect(last.automated_decision).not.toBe('allow');
    });
  });

  it('a history that could not be read earns nothing and is not remembered as new', async () => {
    const shop = await robbedShop();
    const strict = { ...callerOf('acc_1'), settings: { ...callerOf('acc_1').settings, review_threshold: 0 } };
    const { entities } = shop.deps;
    const deaf: typeof entities = {
      ...entities,
      recordAttempt: (account, ref, attempt, limitMs) =>
        ref.kind === 'user'
          ? Promise.reject(new Error('throttled'))
          : entities.recordAttempt(account, ref, attempt, limitMs),
    };
    Object.assign(shop.deps, { entities: deaf });
    const blind = await shop.pay('victim', 30, VICTIM, strict);
    Object.assign(shop.deps, { entities });
    expect(blind).toMatchObject({ missing: ['user'], automated_decision: 'review' });
    expect(blind.earning).toBeUndefined();
    shop.pass(HOUR);
    // The device is the victim's own: another purchase on it repeats nothing.
    expect(namesOf(await shop.pay('victim', 10, VICTIM))).not.toContain('repeats_stopped_attempt');
  });
});

describe('chosen collisions', () => {
  const caller = callerOf('acc_1');
  const pseudonyms = pseudonymsBy([new Uint8Array(32).fill(3)]);

  /** Ids that an attacker found at home: for the unkeyed hash, all are in the same bucket of 4,096. */
  function colliding(count: number, salt: number): string[] {
    const found: string[] = [];
    for (let n = 0; found.length < count; n++) if ((hash32(`id-${n}`, salt) & 4095) === 42) found.push(`id-${n}`);
    return found;
  }
  const honest = (count: number): string[] => Array.from({ length: count }, (_, n) => `honest-${n}`);

  function world() {
    const table = memoryTable();
    let nowMs = Date.UTC(2026, 2, 1, 12);
    const deps = {
      ...SCREENING_STAND_INS,
      clock: { now: () => nowMs },
      newUlid,
      ips: { lookup: () => ({ country: 'DE', network: 'other' as const }) },
      pseudonyms: () => pseudonyms,
      entities: table.entities,
      claims: table.claims,
      screenings: table.screenings,
    };
    return {
      deps,
      /** The score of one more event, a minute after the last. */
      async screen(over: Partial<Subject>): Promise<number> {
        nowMs += 60_000;
        const subject: Subject = {
          subject_type: 'event',
          action: 'signup',
          outcome: 'succeeded',
          user_id: 'u',
          ...over,
        };
        return (await screenSubject(deps, caller, subject)).record.risk_score;
      },
    };
  }

  async function signUpOnOneDevice(users: readonly string[]): Promise<number> {
    const { screen } = world();
    let last = 0;
    for (const user_id of users) last = await screen({ user_id, device_fingerprint: 'shared' });
    return last;
  }

  describe('ids chosen offline to collide in sketches', () => {
    it('do not hide twenty signups on one device', async () => {
      const [chosen, counted] = [await signUpOnOneDevice(colliding(20, 11)), await signUpOnOneDevice(honest(20))];
      expect(counted).toBeGreaterThanOrEqual(60);
      expect(chosen).toBeGreaterThanOrEqual(counted);
    });

    it('do not make fourteen devices of a user look like one', async () => {
      const { deps, screen } = world();
      for (const device_fingerprint of colliding(14, 23)) await screen({ action: 'login', device_fingerprint });
      const profile = riskProfileAnswer(await userRiskProfile({ ...deps, books: memoryRules() }, caller, 'u'));
      expect(profile.devices.count).toBe(14);
    });
  });

  describe('the same thing, written differently', () => {
    it.each<[string, Partial<Subject>]>([
      ['a user with a trailing space', { user_id: 'u ' }],
      ['a user with a zero-width character', { user_id: '\u200bu' }],
      ['a device in full width', { device_fingerprint: '\uff46\uff50' }],
      ['an e-mail with a tag and in upper case', { custom_attributes: { email: 'ANN+shop@Gmail.com' } }],
      ['a phone in another format', { custom_attributes: { phone: '0049 170 1234567' } }],
      ['an address of the same /64', { ip_address: '2001:db8::ffff' }],
    ])('%s is the same entity, and answers echo what was sent', async (_, over) => {
      const { deps, screen } = world();
      const usual = {
        device_fingerprint: 'fp',
        ip_address: '2001:db8::1',
        custom_attributes: { email: 'a.nn@gmail.com', phone: '+49 (0)170 1234567' },
      };
      await screen(usual);
      const again: Subject = {
        ...{ subject_type: 'event', action: 'signup', outcome: 'succeeded', user_id: 'u', ...usual },
        ...over,
        custom_attributes: { ...usual.custom_attributes, ...over.custom_attributes },
      };
      const { record } = await screenSubject(deps, caller, again);
      expect(record.user_id).toBe(again.user_id);
      const seen = await Promise.all(
        record.entities.map((key) => deps.entities.profile(caller.account_id, 'user', key, deps.clock.now())),
      );
      expect(seen.map((profile) => profile?.events.total)).toEqual([2, 2, 2, 2, 2]);
      const { user_id, events } = riskProfileAnswer(
        await userRiskProfile({ ...deps, books: memoryRules() }, caller, ' u\u200b'),
      );
      expect([user_id, events.count]).toEqual([' u\u200b', 2]);
    });

    it('a device or attribute of which nothing is left is ignored', async () => {
      const { deps } = world();
      const { record } = await screenSubject(deps, caller, {
        ...{ subject_type: 'event', action: 'login', outcome: 'succeeded', user_id: 'u' },
        device_fingerprint: '\u200b',
        custom_attributes: { email: ' ' },
      });
      expect(record.entities).toHaveLength(1);
    });
  });
});
