import { NEVER_SEEN, NOW_MS } from '../../../bench/support/build-history';
import type { Attempt, EntityHistory } from '../../../shared/domain/entities/entity-history';
import { markedScore, repeatedScore, stoppedMark } from '../../../shared/domain/entities/stopped-mark';

const DAY = 86_400_000;
const attempt: Attempt = {
  ...{ attempt_id: 'txn_1', at_ms: NOW_MS, action: 'transaction', outcome: 'succeeded', user_id: 'ann' },
  ...{ device: 'phone', ip: '91.0.0.1', country: 'DE', card: 'card-1', amount: 100, currency: 'EUR', amount_usd: 110 },
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
