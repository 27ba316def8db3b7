import fc from 'fast-check';
import { earningOf, earningText, parseEarning, sinceOf, sinceText } from '../../../shared/domain/entities/earning';
import type { Attempt, EntityHistory } from '../../../shared/domain/entities/entity-history';
import { markedScore, repeatedScore, stoppedMark } from '../../../shared/domain/entities/stopped-mark';
import { NEVER_SEEN, NOW_MS } from '../../support/screening/build-history';

describe('earning', () => {
  const DAY = 86_400_000;
  const attempt: Attempt = {
    ...{ attempt_id: 'txn_1', at_ms: NOW_MS, action: 'transaction', outcome: 'succeeded', user_id: 'ann' },
    ...{ device: 'phone', ip: '91.0.0.1', country: 'DE', card: 'card-1', amount: 10, currency: 'EUR', amount_usd: 11 },
  };
  const regular: EntityHistory = {
    ...NEVER_SEEN,
    trusted_since_ms: NOW_MS - 40 * DAY,
    earned: { devices: 1, cards: 1 },
  };
  const ofUser = (user: EntityHistory, change: Partial<Attempt> = {}) =>
    earningOf({ ...attempt, ...change }, user, undefined, [0, 2]);

  it('time and crowd come back from three characters, never older than they were, to six hours', () => {
    fc.assert(
      fc.property(fc.nat(360 * DAY), fc.nat(200), fc.nat(30 * DAY), (agoMs, crowd, laterMs) => {
        const atMs = NOW_MS + laterMs;
        const back = sinceOf(sinceText(NOW_MS - agoMs, NOW_MS, crowd), atMs);
        expect(back?.crowd).toBe(Math.min(63, crowd));
        const late = (back?.since_ms ?? 0) - (NOW_MS - agoMs);
        expect(late).toBeGreaterThanOrEqual(0);
        expect(late).toBeLessThanOrEqual(6 * 3_600_000);
      }),
    );
    expect(sinceOf('', NOW_MS)).toBeUndefined();
  });

  it('a device that stays in use never grows young again, however long, and keeps its text from month to month', () => {
    let text = sinceText(NOW_MS, NOW_MS, 1);
    const texts = new Set([text]);
    for (let day = 8; day < 3_000; day += 5) {
      const at_ms = NOW_MS + day * DAY;
      const back = sinceOf(text, at_ms);
      expect(at_ms - (back?.since_ms ?? at_ms)).toBeGreaterThanOrEqual(7 * DAY);
      const own_device = { text, since_ms: back?.since_ms ?? at_ms, crowd: 1 };
      text = ofUser({ ...regular, own_device }, { at_ms })?.members.devices?.since ?? '';
      texts.add(text);
    }
    expect(texts.size).toBeLessThan(80);
  });

  it.each<[string, Partial<Attempt>]>([
    ['a failed login', { action: 'login', outcome: 'failed' }],
    ['a password reset', { action: 'password_reset' }],
  ])('%s earns nothing, whatever becomes of it', (_what, change) => {
    expect(ofUser(NEVER_SEEN, change)).toBeUndefined();
  });

  it.each<[string, boolean, EntityHistory, Partial<Attempt>]>([
    ['a newcomer', true, NEVER_SEEN, {}],
    ['a regular on a new device at a new address', false, regular, {}],
    ['a regular on a new device at home', true, { ...regular, seen: { ips: true, countries: true } }, {}],
    [
      'a regular whose address is known, but not its country',
      false,
      { ...regular, seen: { ips: true, countries: false } },
      {},
    ],
    ['a regular who sends no device this time', false, regular, { device: undefined as never }],
    [
      'a regular who never sends one',
      true,
      { ...regular, earned: { devices: 0, cards: 0 }, seen: { ...regular.seen, devices: undefined } },
      { device: undefined as never },
    ],
    [
      'a regular on the own device',
      true,
      { ...regular, own_device: { text: 'AAA', since_ms: NOW_MS - 8 * DAY, crowd: 1 } },
      {},
    ],
  ])('%s earns everything: %s', (_who, isFull, user, change) => {
    const { device, ...rest } = { ...attempt, ...change };
    const earning = earningOf(device === undefined ? rest : { ...rest, device }, user, undefined, [0, 2]);
    expect(earning).toMatchObject({ isFull, trusts: isFull ? [0, 2] : [] });
  });

  it('a screening keeps what was new as a short text without any value, and reads it back', () => {
    for (const user of [NEVER_SEEN, regular]) {
      const earning = ofUser(user);
      if (earning === undefined) throw new Error('it earns');
      const text = earningText(earning);
      expect(parseEarning(text)).toEqual(earning);
      expect(text.length).toBeLessThan(40);
      for (const value of ['phone', '91.0', 'card-1']) expect(text).not.toContain(value);
    }
    const own_device = { text: 'AAA', since_ms: NOW_MS - 8 * DAY, crowd: 1 };
    const seen = { devices: true, ips: true, countries: true, cards: true };
    const largest_day = { usual_usd: 900, member: 'AAd', step: 29 };
    const usual = earningOf(attempt, { ...regular, own_device, seen, largest_day }, undefined, []);
    expect(usual && earningText(usual)).toBe('*');
    expect(parseEarning('*')).toEqual({ members: {}, isFull: true, trusts: [] });
  });
});

describe('stopped mark', () => {
  const DAY = 86_400_000;
  const attempt: Attempt = {
    ...{ attempt_id: 'txn_1', at_ms: NOW_MS, action: 'transaction', outcome: 'succeeded', user_id: 'ann' },
    ...{
      device: 'phone',
      ip: '91.0.0.1',
      country: 'DE',
      card: 'card-1',
      amount: 100,
      currency: 'EUR',
      amount_usd: 110,
    },
  };
  const refs = [{ key: 'user#ann' }, { key: 'device#phone' }];
  const FAMILIAR = { text: 'AAA', since_ms: NOW_MS - 40 * DAY, crowd: 1 };
  const known: EntityHistory = { ...NEVER_SEEN, seen: { devices: true, ips: true, cards: true }, own_device: FAMILIAR };
  const stranger: EntityHistory = { ...NEVER_SEEN, seen: { devices: false, ips: false, cards: false } };

  const after = (user: EntityHistory, mark: string, isRejected = false): EntityHistory => ({
    ...user,
    stopped_marks: isRejected ? { undecided: [], rejected: [mark] } : { undecided: [mark], rejected: [] },
  });

  it('says the score and about when, in fifteen characters', () => {
    for (const score of [0, 61, 100]) {
      const mark = stoppedMark({ attempt, refs }, stranger, score);
      expect(mark).toHaveLength(15);
      expect(markedScore(mark).risk_score).toBe(score);
      expect(NOW_MS - markedScore(mark).at_ms).toBeLessThan(4 * 3_600_000);
    }
  });

  it('nothing is repeated where nothing was stopped, or where the user is not known', () => {
    expect(repeatedScore({ attempt, refs }, stranger)).toBe(0);
    expect(repeatedScore({ attempt, refs }, undefined)).toBe(0);
  });

  it('on familiar ground only the like is a repeat: the same entities and at least half the amount', () => {
    const user = after(known, stoppedMark({ attempt, refs }, known, 70));
    const made = (change: Partial<Attempt>, also = refs) =>
      repeatedScore({ attempt: { ...attempt, ...change }, refs: also }, user);
    expect(made({})).toBe(70);
    expect(made({ amount: 60, amount_usd: 66 })).toBe(70);
    expect(made({ amount: 20, amount_usd: 22 })).toBe(0);
    expect(made({}, [...refs, { key: 'attribute.merchant_id#other' }])).toBe(0);
    expect(made({ action: 'login' })).toBe(0);
  });

  it('without a history at the time, what was used does not count as new', () => {
    const user = after(stranger, stoppedMark({ attempt, refs }, undefined, 70));
    expect(repeatedScore({ attempt, refs }, user)).toBe(70);
    expect(repeatedScore({ attempt, refs: [{ key: 'user#ann' }] }, user)).toBe(0);
  });

  it('an attempt without device, card and address repeats only what nobody has decided yet', () => {
    const { device: _d, card: _c, ip: _i, ...bare } = attempt;
    const made = { attempt: bare, refs: [{ key: 'user#ann' }, { key: 'attribute.merchant_id#x' }] };
    const mark = stoppedMark(made, NEVER_SEEN, 70);
    const nobody = { ...NEVER_SEEN, seen: {} };
    expect(repeatedScore(made, after(nobody, stoppedMark(made, nobody, 70)))).toBe(70);
    expect(repeatedScore(made, after(nobody, mark, true))).toBe(0);
  });

  it('the highest of several counts; after thirty days only a rejected one does', () => {
    const marks = [90, 64, 71].map((score) => stoppedMark({ attempt, refs }, stranger, score));
    const user = { ...stranger, stopped_marks: { undecided: marks, rejected: [marks[1] as string] } };
    const at = (days: number) => repeatedScore({ attempt: { ...attempt, at_ms: NOW_MS + days * DAY }, refs }, user);
    expect([at(0), at(29), at(31), at(170)]).toEqual([90, 90, 64, 64]);
  });

  it('time does not make a device familiar on which an attempt was stopped, a person does', () => {
    const mark = stoppedMark({ attempt, refs }, { ...stranger, own_device: { ...FAMILIAR, since_ms: NOW_MS } }, 70);
    const later = { attempt: { ...attempt, at_ms: NOW_MS + 10 * DAY }, refs };
    expect(repeatedScore(later, after({ ...known, own_device: { ...FAMILIAR, since_ms: NOW_MS } }, mark))).toBe(70);
    expect(repeatedScore(later, after(known, mark))).toBe(0);
  });
});
