import type { AccountSettings } from '../../../shared/domain/accounts/account';
import type { Subject } from '../../../shared/domain/screening/subjects/attempt-of';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { transactionAnswer } from '../../../shared/http/presenters/screening-answer';
import { screenSubject } from '../../../shared/usecases/screening/screen-subject';
import { countingUlids } from '../../../training/replay/counting-ulids';
import { callerOf, payment } from '../../support/payment';
import { DAY, HOUR, IP, MINUTE, regularCustomer, shopInMemory, THIEF, VICTIM } from '../../support/shop-in-memory';
import { sized } from '../../support/sized';
import { type Draws, draws } from '../../support/traffic/random-traffic';

/** Milder first. */
const SEVERITY = ['allow', 'challenge', 'review', 'block'];
const severityOf = ({ automated_decision }: ScreeningRecord): number => SEVERITY.indexOf(automated_decision);

interface Story {
  readonly settings: AccountSettings;
  readonly attempts: ReadonlyArray<{ readonly afterMs: number; readonly subject: Subject }>;
}

const CURRENCIES = ['EUR', 'EUR', 'USD', 'JPY', 'KWD'];
const DIGITS: Readonly<Record<string, number>> = { JPY: 0, KWD: 3 };
const rounded = (amount: number, currency: string): number => Number(amount.toFixed(DIGITS[currency] ?? 2));

/** A few customers, and then somebody who tries more and more. */
function randomStory(draw: Draws): Story {
  const { review_threshold, block_threshold } = draw.pick([
    { review_threshold: 60, block_threshold: 85 },
    { review_threshold: 40, block_threshold: 70 },
    { review_threshold: 20, block_threshold: 101 },
  ]);
  const challenge = draw.chance(0.3) ? { challenge_threshold: review_threshold - 10 } : {};
  const settings = { ...callerOf('acc_1').settings, review_threshold, block_threshold, ...challenge };
  const currency = draw.pick(CURRENCIES);
  const usual = currency === 'JPY' ? 4_000 : 30;
  const pay = (user: number, middle: number, what: Partial<Subject>): Subject =>
    payment({
      user_id: `user-${user}`,
      amount: Math.max(1, rounded(draw.amount(middle, 0.4), currency)),
      currency,
      custom_attributes: {},
      ...what,
    });
  const attempts = Array.from({ length: draw.below(12) }, () => ({
    afterMs: draw.exponential(2 * DAY),
    subject: pay(draw.below(2), usual, { device_fingerprint: 'laptop', ip_address: IP.home }),
  }));
  const suspects = Array.from({ length: 1 + draw.below(8) }, () => ({
    afterMs: draw.exponential(draw.pick([MINUTE, HOUR, DAY])),
    subject: pay(draw.below(4), usual * draw.pick([1, 10, 40, 200, 2_000]), {
      device_fingerprint: draw.pick(['laptop', 'other', `new-${draw.below(3)}`]),
      ip_address: draw.pick([IP.home, IP.abroad, IP.farAway]),
      billing_address: { country: 'DE' },
    }),
  }));
  return { settings, attempts: [...attempts, ...suspects] };
}

/** Lives through the story up to an attempt, which has another amount if one is given. */
async function liveThrough({ settings, attempts }: Story, upTo: number, amount?: number): Promise<ScreeningRecord[]> {
  const caller = { ...callerOf('acc_1'), settings };
  const shop = shopInMemory(caller);
  const deps = { ...shop.deps, newUlid: countingUlids() };
  const records: ScreeningRecord[] = [];
  for (const [at, { afterMs, subject }] of attempts.slice(0, upTo + 1).entries()) {
    shop.pass(Math.round(afterMs));
    const given = at === upTo && amount !== undefined ? { ...subject, amount } : subject;
    records.push((await screenSubject(deps, caller, given)).record);
  }
  return records;
}

it('names an amount that is tight: at most that much has the decision, one percent more does not', async () => {
  const wanted = sized(1_000, 30);
  let checked = 0;
  for (let seed = 1; checked < wanted; seed++) {
    const story = randomStory(draws(seed));
    const records = await liveThrough(story, story.attempts.length - 1);
    const at = records.findIndex(({ what_if = [] }) => what_if.some(({ change }) => change === 'amount'));
    if (at < 0) continue;
    const record = records[at] as ScreeningRecord;
    const { at_most = 0, decision } = record.what_if?.find(({ change }) => change === 'amount') ?? {};
    expect(at_most).toBe(rounded(at_most, record.currency ?? ''));
    expect(at_most).toBeLessThan(record.amount ?? 0);
    const [same, more] = await Promise.all(
      [at_most, at_most * 1.01].map(async (amount) => (await liveThrough(story, at, amount)).at(-1)),
    );
    expect([seed, same?.automated_decision]).toEqual([seed, decision]);
    expect(SEVERITY.indexOf(decision ?? '')).toBeLessThan(severityOf(record));
    expect([seed, more?.automated_decision]).not.toEqual([seed, decision]);
    checked++;
  }
}, 600_000);

it('names no amount that is not the limit of anything, such as one that a rule is about exactly', async () => {
  const exactly = { name: 'exactly', version: 1, action: 'challenge', priority: 500 } as const;
  const shop = shopInMemory();
  const rules = (read: { readonly subject: { readonly amount?: number | undefined } }) => ({
    matched: read.subject.amount === 35 ? [exactly] : [],
    shadow: [],
    failed: [],
  });
  const paid = await screenSubject(
    { ...shop.deps, rules: { current: () => ({ rules }) } },
    callerOf('acc_1'),
    payment({ amount: 35 }),
  );
  expect(paid.record.automated_decision).toBe('challenge');
  expect(paid.record.what_if ?? []).toEqual([]);
});

describe('a customer whose account was taken over', () => {
  const taken = async () => {
    const shop = shopInMemory();
    await regularCustomer(shop);
    await shop.act('password_reset', 'victim', THIEF);
    shop.pass(5 * MINUTE);
    return { shop, record: await shop.pay('victim', 900, THIEF) };
  };

  it('would have been let through on the device they know, or from where they were', async () => {
    const { record } = await taken();
    expect(record.automated_decision).not.toBe('allow');
    const milder = record.what_if?.map(({ change }) => change) ?? [];
    expect(milder.length).toBeGreaterThan(0);
    expect(milder.length).toBeLessThanOrEqual(3);
    for (const { decision } of record.what_if ?? [])
      expect(SEVERITY.indexOf(decision)).toBeLessThan(severityOf(record));
  });

  it('is told so in the answer, and an allowed payment has nothing to tell', async () => {
    const { shop, record } = await taken();
    const answer = transactionAnswer(record as Parameters<typeof transactionAnswer>[0]);
    expect(answer.explanation.what_if).toEqual(record.what_if);
    const allowed = await shop.pay('somebody', 10, VICTIM);
    expect(transactionAnswer(allowed as Parameters<typeof transactionAnswer>[0]).explanation).not.toHaveProperty(
      'what_if',
    );
  });
});

it('names a signal without which the decision would have been milder', async () => {
  const shop = shopInMemory();
  const first = await shop.pay('thief', 5, { device_fingerprint: 'bad', ip_address: IP.home });
  await shop.review(first, 'block');
  const next = await shop.pay('another', 5, { device_fingerprint: 'bad', ip_address: IP.abroad });
  expect(next.automated_decision).toBe('review');
  expect(next.what_if).toContainEqual({ change: 'without_signal', signal: 'known_fraud_device', decision: 'allow' });
});
