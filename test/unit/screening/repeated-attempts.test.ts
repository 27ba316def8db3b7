import fc from 'fast-check';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { callerOf } from '../../support/payment';
import { DAY, HOUR, IP, MINUTE, type Shop, shopBySignals, shopInMemory, VICTIM } from '../../support/shop-in-memory';
import { sized } from '../../support/sized';

/*
 * Two shops live through the same honest days. In one of them attempts are stopped in between, whatever their score, as
 * by an account that reviews or blocks everything. Then both see the same attempt: where attempts were stopped, it never
 * scores lower, and never lower than the same attempt did when it was stopped.
 */
const anyAttempt = fc.record({
  user: fc.constantFrom('ann', 'ann', 'bob'),
  amount: fc.constantFrom(5, 40, 300, 900, 5_000),
  event: fc.constantFrom(undefined, undefined, undefined, 'login', 'signup', 'password_reset'),
  device: fc.constantFrom('laptop', 'thief', 'second', undefined),
  ip: fc.constantFrom(IP.home, IP.abroad, IP.farAway, undefined),
  card: fc.constantFrom('own', 'stolen', undefined),
  billing: fc.constantFrom('DE', undefined),
});
type AnyAttempt = typeof anyAttempt extends fc.Arbitrary<infer Made> ? Made : never;

const anyWait = fc.constantFrom(10_000, 5 * MINUTE, HOUR, 7 * HOUR, 26 * HOUR, 3 * DAY);

const settings = { ...callerOf('acc_1').settings, review_threshold: 0 };
const REVIEWS_ALL = { ...callerOf('acc_1'), settings: { ...settings, block_threshold: 101 } };
const BLOCKS_ALL = { ...callerOf('acc_1'), settings: { ...settings, block_threshold: 0 } };

function make(shop: Shop, { user, amount, event, device, ip, card, billing }: AnyAttempt, as = callerOf('acc_1')) {
  const what = {
    ...(device === undefined ? {} : { device_fingerprint: device }),
    ...(ip === undefined ? {} : { ip_address: ip }),
    ...(card === undefined ? {} : { custom_attributes: { card_fingerprint: card } }),
    ...(billing === undefined ? {} : { billing_address: { country: billing } }),
  };
  return event === undefined ? shop.pay(user, amount, what, as) : shop.act(event as 'login', user, what, as);
}

async function honestDays(shop: Shop, purchases: number): Promise<void> {
  for (let i = 0; i < purchases; i++) {
    await shop.pay('ann', 20 + ((i * 7) % 15), { ...VICTIM, custom_attributes: { card_fingerprint: 'own' } });
    shop.pass(2 * DAY);
  }
}

const plan = fc.record({
  purchases: fc.constantFrom(0, 1, 5, 12),
  stopped: fc.array(fc.record({ attempt: anyAttempt, waitMs: anyWait, isBlocked: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  }),
  last: fc.nat(),
});

type Plan = typeof plan extends fc.Arbitrary<infer Made> ? Made : never;

const repeatedIn = ({ stopped, last }: Plan): AnyAttempt =>
  (stopped[last % stopped.length] as Plan['stopped'][number]).attempt;

/** What the repeated attempt scored each time it was stopped, and what it scores in the end. */
async function liveThrough(shop: Shop, made: Plan) {
  const repeated = repeatedIn(made);
  await honestDays(shop, made.purchases);
  const scores: number[] = [];
  for (const { attempt, waitMs, isBlocked } of made.stopped) {
    const record: ScreeningRecord = await make(shop, attempt, isBlocked ? BLOCKS_ALL : REVIEWS_ALL);
    expect(record.automated_decision).not.toBe('allow');
    if (attempt === repeated) scores.push(record.risk_score);
    shop.pass(waitMs);
  }
  return { scores, last: (await make(shop, repeated)).risk_score };
}

async function liveQuietly(shop: Shop, made: Plan): Promise<number> {
  await honestDays(shop, made.purchases);
  for (const { waitMs } of made.stopped) shop.pass(waitMs);
  return (await make(shop, repeatedIn(made))).risk_score;
}

it.each([
  ['with the model that ships', () => shopInMemory()],
  ['by signals alone', shopBySignals],
])('no sequence of stopped attempts lowers the score of the next one, %s', async (_, openShop) => {
  await fc.assert(
    fc.asyncProperty(plan, async (made) => {
      const { last } = await liveThrough(openShop(), made);
      expect(last).toBeGreaterThanOrEqual(await liveQuietly(openShop(), made));
    }),
    { numRuns: sized(5_000, 60) },
  );
});

it('a password reset that was stopped long ago does not lower a score, with the model that ships', async () => {
  const login = {
    user: 'ann',
    amount: 5,
    event: 'login',
    device: undefined,
    ip: undefined,
    card: 'stolen',
    billing: 'DE',
  } as const;
  const stopped = (event: 'signup' | 'password_reset' | 'login', waitMs: number) => ({
    attempt: { ...login, event },
    waitMs,
    isBlocked: false,
  });
  const made: Plan = { purchases: 0, stopped: [stopped('password_reset', 3 * DAY), stopped('login', 10_000)], last: 1 };
  const { last } = await liveThrough(shopInMemory(), made);
  expect(last).toBeGreaterThanOrEqual(await liveQuietly(shopInMemory(), made));
});

it('no attempt scores lower than it did when it was stopped, with the model that ships', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (made) => {
      // As many as a user's history keeps marks of; of more, those with the highest scores count.
      const { scores, last } = await liveThrough(shopInMemory(), { ...made, stopped: made.stopped.slice(0, 4) });
      expect(last).toBeGreaterThanOrEqual(Math.max(...scores));
    }),
    { numRuns: sized(2_000, 80) },
  );
});
