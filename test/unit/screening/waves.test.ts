import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import { screen } from '../../../shared/domain/screening/screen';
import type { Subject } from '../../../shared/domain/screening/subjects/attempt-of';
import { newUlid } from '../../../shared/runtime/ids';
import { SCREENING_STAND_INS, standInIntelligence } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { memoryStore } from '../../../shared/store/memory/memory-store';
import { type ScreenSubjectDeps, screenSubject } from '../../../shared/usecases/screening/screen-subject';
import { historyBuilder } from '../../../training/replay/history';
import { type ReplayedLine, replay } from '../../../training/replay/replay';
import { memoryTable } from '../../support/memory/memory-table';
import { history, NOW_MS, purchase } from '../../support/screening/build-history';
import { emailWave } from '../../support/traffic/email-wave';
import { callerOf, payment } from '../../support/traffic/payment';

describe('bot wave', () => {
  const crowd = (others: number, days: number) =>
    history(
      days,
      { within24h: others },
      { distinct: { users: others + 1, devices: 1, ips: 1 }, seen: { users: true } },
    );

  /** A shop's first purchases: signed up a while ago, some in a household with a shared device or an office. */
  function honest(next: () => number) {
    const sinceSignupMs = 40_000 * Math.exp(next() * 12);
    const others = next() < 0.1 ? 1 + Math.floor(next() * 2) : 0;
    const office = next() < 0.1 ? Math.floor(next() * 30) : 0;
    const user = history(
      sinceSignupMs / 86_400_000,
      {},
      {
        last_event_ms: { signup: NOW_MS - sinceSignupMs },
        distinct: { devices: 1, ips: 1 },
        seen: { devices: next() < 0.7, ips: next() < 0.5 },
      },
    );
    return purchase({ user, device: crowd(others, 20), ip_history: crowd(office, 60) }, { amount: 9 + 140 * next() });
  }

  /** Buys within seconds of signing up; the first on a device has no company yet. */
  function bot(next: () => number) {
    const others = Math.floor(next() * 15);
    const signup = NOW_MS - 1000 - Math.floor(next() * 3) * 1000;
    const user = history(0, {}, { last_event_ms: { signup }, seen: { devices: true, ips: true } });
    return purchase({ user, device: crowd(others, 3), ip_history: crowd(others, 3) }, { amount: 9 + 140 * next() });
  }

  /** The chance that a bot scores above an honest buyer, ties counting half. */
  function auc(bots: readonly number[], people: readonly number[]): number {
    let wins = 0;
    for (const b of bots) for (const p of people) wins += b > p ? 1 : b === p ? 0.5 : 0;
    return wins / (bots.length * people.length);
  }

  describe('a wave of bots', () => {
    const next = seededRandom(11);
    const score = (facts: ReturnType<typeof bot>) => screen(facts, DEFAULT_SETTINGS).risk_score;
    const bots = Array.from({ length: 300 }, () => score(bot(next)));
    const people = Array.from({ length: 1500 }, () => score(honest(next)));

    it('ranks above honest first purchases by signals alone', () => {
      expect(auc(bots, people)).toBeGreaterThan(0.99);
    });

    it('is stopped from the third on a device, and honest people are not', () => {
      expect(bots.filter((value) => value >= 60).length / bots.length).toBeGreaterThan(0.8);
      expect(people.filter((value) => value >= 60).length / people.length).toBeLessThan(0.005);
      expect(people.filter((value) => value < 30).length / people.length).toBeGreaterThan(0.95);
    });
  });
});

describe('email wave', () => {
  const ips = { lookup: () => ({ country: 'DE', network: 'other' }) as const };

  async function replayed(lines: ReturnType<typeof emailWave>): Promise<readonly ReplayedLine[]> {
    const builder = historyBuilder();
    lines.forEach((line, i) => {
      builder.add(i, line);
    });
    const told: ReplayedLine[] = [];
    await replay(builder.finish().lines(), { ips, store: memoryStore() }, (line) => told.push(line));
    return told;
  }

  const stopped = (lines: readonly ReplayedLine[]) => lines.filter(({ decision }) => decision !== 'allow').length;

  describe('a wave of accounts with a device and a network each, under numbered email addresses', () => {
    it('is stopped from its third purchase on, without a label, and ordinary names are not', async () => {
      const told = await replayed(emailWave(60, 2));
      const purchases = told.filter(({ kind, label }) => kind === 'transaction' && label === 1);
      expect(purchases.length).toBeGreaterThan(19);
      expect(stopped(purchases)).toBe(purchases.length - 4);
      expect(stopped(told.filter(({ label }) => label === 0))).toBe(0);
      const late = told.filter(({ kind, label }) => kind === 'signup' && label === 1).slice(-3);
      for (const { signals } of late) expect(signals).toContain('new_account_burst');
    });

    it('is not what a shop makes that numbers its own guests, day after day', async () => {
      const guest = (i: number): ReturnType<typeof emailWave> => {
        // One every two hours, and four in the last one: no more than any day brings.
        const at = Date.UTC(2025, 0, 6) + (i < 120 ? i * 7_200_000 : 119 * 7_200_000 + (i - 119) * 600_000);
        const body = {
          user_id: `guest-${i}`,
          ip_address: `91.${i % 250}.7.1`,
          device_fingerprint: `device-${i}`,
          custom_attributes: { email: `guest${i}@shop.example` },
        };
        const line = (kind: string, t: number, more: object = {}) => ({
          ...{ t: new Date(t).toISOString(), kind, body: { ...body, ...more } },
          ...{ label: 0 as const, split: 'test' as const },
        });
        return [line('signup', at), line('transaction', at + 30_000, { amount: 30, currency: 'USD' })];
      };
      const told = await replayed(Array.from({ length: 124 }, (_, i) => i).flatMap(guest));
      expect(told.filter(({ signals }) => signals.includes('new_account_burst'))).toEqual([]);
    });
  });
});

describe('password spray', () => {
  const ACCOUNT = 'acc_1';
  const SECOND_MS = 1_000;
  const MINUTE_MS = 60_000;
  const DAY_MS = 86_400_000;
  const caller = callerOf(ACCOUNT);

  /** Screenings in order, with their own clock. */
  function world(network: 'other' | 'mobile' | 'hosting' = 'other') {
    const table = memoryTable();
    let nowMs = Date.UTC(2026, 2, 2, 9);
    const deps: ScreenSubjectDeps = {
      ...SCREENING_STAND_INS,
      clock: { now: () => nowMs },
      newUlid,
      intelligence: standInIntelligence({ lookup: () => ({ country: 'DE', asn: 3320, network }) }),
      entities: table.entities,
      networks: table.networks,
      claims: table.claims,
      screenings: table.screenings,
    };
    const pass = (ms: number): void => {
      nowMs += ms;
    };
    const screened = async (subject: Subject) => {
      const { record } = await screenSubject(deps, caller, subject);
      const signals = record.contributions.filter(({ points }) => points > 0).map(({ signal }) => signal);
      return { score: record.risk_score, decision: record.automated_decision, signals };
    };
    const { amount, currency, custom_attributes, ...person } = payment();
    return {
      pass,
      pay: (change: Partial<Subject>) => screened({ ...payment(), custom_attributes: {}, ...change }),
      signup: (change: Partial<Subject>) =>
        screened({ ...person, subject_type: 'event', action: 'signup', outcome: 'succeeded', ...change }),
      login: (outcome: 'succeeded' | 'failed', change: Partial<Subject>) =>
        screened({ ...person, subject_type: 'event', action: 'login', outcome, ...change }),
    };
  }

  type World = ReturnType<typeof world>;
  type From = (n: number) => Partial<Subject>;

  /** So many users fail, ten seconds apart; the answers in order. */
  async function spray({ login, pass }: World, users: number, from: From) {
    const answers: Awaited<ReturnType<World['login']>>[] = [];
    for (let n = 0; n < users; n++) {
      answers.push(await login('failed', { user_id: `victim-${n}`, ...from(n) }));
      pass(10 * SECOND_MS);
    }
    return answers;
  }

  const sameIp: From = (n) => ({ ip_address: '203.0.113.9', device_fingerprint: `phone-${n}` });
  const sameDevice: From = (n) => ({ ip_address: `198.${n}.100.1`, device_fingerprint: 'bot' });
  const inSlash24: From = (n) => ({ ip_address: `203.0.113.${n + 1}`, device_fingerprint: `phone-${n}` });
  const inSlash48: From = (n) => ({ ip_address: `2003:a:b:${n + 1}::1`, device_fingerprint: `phone-${n}` });

  it('a connection that signs up 24 accounts from as many addresses of its /48 is noticed, before any of them buys', async () => {
    const scores = async (network: 'other' | 'mobile', from: From) => {
      const { signup, pass } = world(network);
      const made: number[] = [];
      for (let n = 0; n < 24; n++) {
        made.push((await signup({ user_id: `account-${n}`, ...from(n) })).score);
        pass(MINUTE_MS);
      }
      return made;
    };
    const wave = await scores('other', inSlash48);
    expect(wave.slice(0, 5).every((score) => score === wave[0])).toBe(true);
    expect(wave.at(-1)).toBeGreaterThanOrEqual(35);
    expect(Math.max(...wave)).toBeLessThan(60);
    // Behind a carrier there are always others.
    expect(new Set(await scores('mobile', inSlash48)).size).toBe(1);
  });

  describe('a password spray', () => {
    it.each([
      ['one IP address', sameIp],
      ['one device', sameDevice],
      ['a /24', inSlash24],
      ['a /48', inSlash48],
    ])('from %s is seen at the 15th user, and what then succeeds from there is stopped', async (_origin, from) => {
      const here = world();
      const answers = await spray(here, 16, from);
      const fired = answers.map(({ signals }) => signals.includes('password_spray'));
      expect(fired).toEqual([...Array(14).fill(false), true, true]);
      // Logins that failed need no analyst, unless one device has too many users anyway.
      if (from !== sameDevice) expect(answers.map(({ decision }) => decision)).toEqual(Array(16).fill('allow'));
      const success = await here.login('succeeded', { user_id: 'victim-7', ...from(40) });
      expect(success.signals).toContain('success_after_spray');
      expect(success.decision).not.toBe('allow');
      // Having got in does not make the thief at home there.
      const next = await here.pay({ user_id: 'victim-7', ...from(40) });
      expect(next.signals).toContain('success_after_spray');
      expect(next.decision).not.toBe('allow');
      here.pass(40 * MINUTE_MS);
      const purchase = await here.pay({ user_id: 'victim-3', ...from(41) });
      expect(purchase.signals).toContain('success_after_spray');
      expect(purchase.decision).not.toBe('allow');
      here.pass(25 * MINUTE_MS);
      expect((await here.pay({ user_id: 'victim-5', ...from(42) })).signals).not.toContain('success_after_spray');
    });

    it('is not made by 15 users in ten minutes, nor by one user who fails fifty times', async () => {
      const slow = world();
      for (let n = 0; n < 15; n++) {
        const { signals } = await slow.login('failed', { user_id: `user-${n}`, ...sameIp(n) });
        expect(signals).not.toContain('password_spray');
        slow.pass(40 * SECOND_MS);
      }
      const forgetful = world();
      for (let n = 0; n < 50; n++) {
        const { signals } = await forgetful.login('failed', { user_id: 'ann', ...sameIp(0) });
        expect(signals).not.toContain('password_spray');
        forgetful.pass(SECOND_MS);
      }
    });

    it('costs those who were tried nothing when they come from where they always come from', async () => {
      const here = world();
      const home = { user_id: 'victim-7', ip_address: '91.0.0.1', device_fingerprint: 'laptop' };
      for (let week = 0; week < 4; week++) {
        await here.login('succeeded', home);
        await here.pay(home);
        here.pass(7 * DAY_MS);
      }
      const before = await here.pay(home);
      await spray(here, 40, sameIp);
      const after = await here.pay(home);
      expect(after.signals).toEqual(before.signals);
      expect(after.score).toBe(before.score);
    });

    it('is not forgiven on a device that the user has had since this morning', async () => {
      const here = world();
      const home = { user_id: 'victim-7', ip_address: '91.0.0.1', device_fingerprint: 'laptop' };
      for (let week = 0; week < 4; week++) {
        await here.login('succeeded', home);
        here.pass(7 * DAY_MS);
      }
      await spray(here, 20, sameIp);
      const thief = { user_id: 'victim-7', ...sameIp(99) };
      expect((await here.login('succeeded', thief)).decision).not.toBe('allow');
      here.pass(MINUTE_MS);
      expect((await here.pay(thief)).decision).not.toBe('allow');
    });

    it('hardly touches an office whose people are known there: Monday, everybody has a new password', async () => {
      const here = world();
      const colleague = (n: number) => ({
        user_id: `clerk-${n}`,
        ip_address: '91.0.0.1',
        device_fingerprint: `pc-${n}`,
      });
      for (let n = 0; n < 30; n++) {
        await here.login('succeeded', colleague(n));
        here.pass(10 * MINUTE_MS);
      }
      here.pass(7 * DAY_MS);
      for (let n = 0; n < 30; n++) {
        expect((await here.login('failed', colleague(n))).decision).toBe('allow');
        here.pass(5 * SECOND_MS);
      }
      for (let n = 0; n < 30; n++) {
        const { decision, score } = await here.login('succeeded', colleague(n));
        expect({ decision, isLow: score < 30 }).toEqual({ decision: 'allow', isLow: true });
        here.pass(5 * SECOND_MS);
      }
    });
  });

  describe('a crowd of new users', () => {
    const crowd = async (here: World, from: From): Promise<number> => {
      let last = 0;
      for (let n = 0; n < 20; n++) {
        const { device_fingerprint: _, ...where } = from(n);
        last = (await here.pay({ user_id: `new-${n}`, ...where, device_fingerprint: undefined })).score;
        here.pass(20 * SECOND_MS);
      }
      return last;
    };

    it('scores no lower when it changes its IP address within a /24 or a /48', async () => {
      const still = await crowd(world(), sameIp);
      expect(still).toBeGreaterThanOrEqual(28);
      expect(await crowd(world(), inSlash24)).toBeGreaterThanOrEqual(28);
      expect(await crowd(world(), inSlash48)).toBeGreaterThanOrEqual(28);
    });

    it('is what a phone network looks like all day', async () => {
      expect(await crowd(world('mobile'), inSlash24)).toBeLessThan(10);
    });

    it('does not count against regular customers of the same network', async () => {
      const here = world();
      const home = { user_id: 'regular', ip_address: '203.0.113.200', device_fingerprint: 'laptop' };
      for (let week = 0; week < 4; week++) {
        await here.pay(home);
        here.pass(7 * DAY_MS);
      }
      const before = (await here.pay(home)).score;
      await crowd(here, inSlash24);
      expect((await here.pay(home)).score).toBeLessThanOrEqual(before);
      expect((await here.pay({ ...home, ip_address: '203.0.113.201' })).signals).not.toContain('velocity_spike');
    });
  });
});
