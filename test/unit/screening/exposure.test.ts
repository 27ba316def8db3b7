import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import type { EntityHistory, Window } from '../../../shared/domain/entities/entity-history';
import {
  compileChangedSignals,
  compileStoredSignals,
  type FiredSignal,
  featuresOf,
} from '../../../shared/domain/screening/compile-signals';
import { isStopped } from '../../../shared/domain/screening/decide';
import { extractFeatures, featureSlot, isOfAmount, otherAmountVector } from '../../../shared/domain/screening/features';
import type { ModelOpinion } from '../../../shared/domain/screening/score';
import { screen } from '../../../shared/domain/screening/screen';
import type { ScreeningFacts } from '../../../shared/domain/screening/screening-facts';
import { SIGNALS } from '../../../shared/domain/screening/signals';
import { history, NOW_MS } from '../../support/screening/build-history';
import { DAY, HOUR, IP, MINUTE, namesOf, type Shop, shopInMemory, THIEF, VICTIM } from '../../support/shop-in-memory';
import { sized } from '../../support/sized';
import { arbitraryFacts } from './arbitrary-facts';

/** Pays the same until the number is reached; what came out, and how often it was allowed. */
async function inPieces(
  shop: Shop,
  pieces: number,
  { user, amount, everyMs, of }: { user: string; amount: number; everyMs: number; of: (piece: number) => object },
) {
  let allowed = 0;
  for (let piece = 0; piece < pieces; piece++) {
    if ((await shop.pay(user, amount, of(piece))).automated_decision === 'allow') allowed += 1;
    shop.pass(everyMs);
  }
  return { allowed, out: allowed * amount };
}

const CARD = { custom_attributes: { card_fingerprint: 'own-card', email: 'victim@mail.example' } };
const AT_HOME = { ...VICTIM, ...CARD };

/** A regular customer with their own card and email address. */
async function regular(shop = shopInMemory(), without: readonly string[] = []) {
  for (let i = 0; i < 12; i++) {
    const sent = Object.fromEntries(Object.entries(AT_HOME).filter(([key]) => !without.includes(key)));
    await shop.pay('victim', 20 + ((i * 5) % 15), sent);
    shop.pass(3 * DAY);
  }
  return shop;
}

describe('pieces never score below the whole', () => {
  it('n payments of a/n within a day are no milder than one of a that would be stopped', () => {
    /** The facts of the last piece: the others were allowed earlier today. */
    const lastPiece = (facts: ScreeningFacts, pieces: number, usd: number): ScreeningFacts => {
      const paid = (of: EntityHistory | undefined): EntityHistory | undefined => {
        if (of === undefined) return undefined;
        const spent = Object.entries(of.transactions.windows).map(([window, { count, amount_usd }]) => {
          const isWithin = window !== '10m' && window !== '1h';
          const [more, sum] = isWithin ? [pieces - 1, usd - usd / pieces] : [0, 0];
          return [window, { count: count + more, amount_usd: amount_usd + sum }] as const;
        });
        const windows = Object.fromEntries(spent) as Record<Window, { count: number; amount_usd: number }>;
        return { ...of, transactions: { ...of.transactions, windows } };
      };
      return {
        ...facts,
        user: paid(facts.user),
        device: paid(facts.device),
        ip_history: paid(facts.ip_history),
        attributes: facts.attributes.map(({ key, history }) => ({ key, history: paid(history) })),
        attempt: paying(facts, usd / pieces),
      };
    };
    const paying = ({ attempt }: ScreeningFacts, usd: number) => ({
      ...attempt,
      action: 'transaction' as const,
      amount: usd,
      amount_usd: usd,
      currency: 'USD',
    });
    fc.assert(
      fc.property(
        arbitraryFacts,
        fc.integer({ min: 2, max: 200 }),
        fc.double({ min: 150, max: 200_000, noNaN: true }),
        (facts, pieces, usd) => {
          const user = facts.user ?? history(30, { within30d: 5 });
          const atOnce = screen({ ...facts, user, attempt: paying(facts, usd) }, DEFAULT_SETTINGS);
          fc.pre(isStopped(atOnce.decision) && usd / pieces > 20);
          const last = screen(lastPiece({ ...facts, user }, pieces, usd), DEFAULT_SETTINGS);
          expect(last.risk_score).toBeGreaterThanOrEqual(atOnce.risk_score);
        },
      ),
      { numRuns: sized(600, 150) },
    );
  });

  it('reads every feature again that changes with the amount', () => {
    fc.assert(
      fc.property(arbitraryFacts, fc.double({ min: 0.01, max: 200_000, noNaN: true }), (facts, usd) => {
        const whole = { ...facts, attempt: { ...facts.attempt, amount: usd, amount_usd: usd } };
        expect(otherAmountVector()(extractFeatures(facts), whole)).toEqual(extractFeatures(whole));
      }),
      { numRuns: sized(600, 150) },
    );
  });

  it('the signals of the whole are read again only where the amount matters, with the same result', () => {
    const readAll = compileStoredSignals(SIGNALS);
    const readAgain = compileChangedSignals(SIGNALS, isOfAmount);
    const read = new Set(SIGNALS.flatMap(featuresOf));
    const forSignals = otherAmountVector((feature) => read.has(feature));
    const byName = (fired: readonly FiredSignal[]) => new Map(fired.map(({ name, ...rest }) => [name, rest]));
    fc.assert(
      fc.property(arbitraryFacts, fc.double({ min: 0.01, max: 200_000, noNaN: true }), (facts, usd) => {
        const vector = extractFeatures(facts);
        const whole = { ...facts, attempt: { ...facts.attempt, amount: usd, amount_usd: usd } };
        const again = readAgain(forSignals(vector, whole), readAll(vector));
        expect(byName(again)).toEqual(byName(readAll(extractFeatures(whole))));
      }),
      { numRuns: 300 },
    );
  });

  describe('where a model has learned from labels', () => {
    const paid = { action: 'transaction', outcome: 'succeeded', amount: 40, amount_usd: 40, currency: 'USD' } as const;
    const attempt = { attempt_id: 'txn_1', at_ms: NOW_MS, user_id: 'u', ...paid };
    const usual = history(300, { within24h: 6, within30d: 60, eachUsd: 80, earlier: 300 });
    const screened = (change: Partial<EntityHistory>, said: Partial<ModelOpinion>, log_odds = (_usd: number) => 0) => {
      const facts = { attempt, user: { ...usual, ...change }, attributes: [], has_billing_address: false };
      const opinion = { version: 'model-1', base_log_odds: -4, log_odds: 0, parts: [], detail: '', ...said };
      const usd = (vector: Float32Array) => Math.exp(vector[featureSlot('amount_ln_usd')] as number);
      return screen(facts, DEFAULT_SETTINGS, {
        opinion: (vector) => ({ ...opinion, log_odds: log_odds(usd(vector)) }),
      });
    };

    it('it is not asked about a sum that it has never seen as a payment', () => {
      const { decision, signals } = screened({}, {}, (usd) => (usd > 300 ? 12 : 0));
      expect(decision).toBe('allow');
      expect(signals).not.toContain('split_payments');
    });

    it('more evidence never lowers a score, wherever the lift to the score of the sum ends', () => {
      const { windows } = usual.transactions;
      const day = { count: 9, amount_usd: 9_000 };
      const thief = { transactions: { ...usual.transactions, windows: { ...windows, '24h': day, '7d': day } } };
      for (const count of [50, 500, 5_000]) {
        const trust = { judged: { split_payments: Array(8).fill(count) } };
        let before = 0;
        for (let evidence = -3; evidence < 6; evidence += 0.02) {
          const { probability } = screened(thief, { base_log_odds: -2, trust }, () => evidence);
          expect(probability).toBeGreaterThanOrEqual(before);
          before = probability;
        }
      }
    });

    it('signals still speak of the sum, until labels have judged such pieces', () => {
      const { windows } = usual.transactions;
      const spent = { '24h': { count: 9, amount_usd: 9_000 }, '7d': { count: 9, amount_usd: 9_000 } };
      const thief = { transactions: { ...usual.transactions, windows: { ...windows, ...spent } } };
      const judgedBy = (count: number) =>
        screened(thief, { base_log_odds: -2, trust: { judged: { split_payments: Array(8).fill(count) } } });
      expect(judgedBy(0).signals).toContain('split_payments');
      expect(judgedBy(0).decision).not.toBe('allow');
      expect(judgedBy(5_000).decision).toBe('allow');
    });
  });

  it.each([
    ['150 × 210 within five minutes', 150, 210, 2_000],
    ['24 × 400, one per hour', 24, 400, HOUR],
    ['40 × 95, every half hour', 40, 95, 30 * MINUTE],
  ])('somebody new gets no more than 2,000 in a day: %s', async (_what, pieces, amount, everyMs) => {
    const of = () => ({
      device_fingerprint: 'phone',
      ip_address: IP.home,
      custom_attributes: { card_fingerprint: 'c' },
    });
    const { out } = await inPieces(shopInMemory(), pieces, { user: 'new', amount, everyMs, of });
    expect(out).toBeGreaterThan(0);
    expect(out).toBeLessThanOrEqual(2_000);
  });

  it('nor at the ends of buckets, from where windows forget hours early', async () => {
    const FIFTH = DAY / 5;
    const shop = shopInMemory();
    const of = () => ({ device_fingerprint: 'phone', ip_address: IP.home });
    await shop.act('signup', 'new', of());
    shop.pass(3 * DAY);
    shop.pass(FIFTH - (shop.now() % FIFTH) - 10 * MINUTE);
    const first = await inPieces(shop, 10, { user: 'new', amount: 210, everyMs: MINUTE, of });
    shop.pass(4 * FIFTH);
    const rest = await inPieces(shop, 45, { user: 'new', amount: 210, everyMs: 6 * MINUTE, of });
    expect(first.out).toBeGreaterThan(0);
    expect(first.out + rest.out).toBeLessThanOrEqual(2_000);
  });

  it('a large payment from somebody new is followed by no other of its size on that day', async () => {
    const of = () => ({ device_fingerprint: 'phone', ip_address: IP.home });
    const { allowed } = await inPieces(shopInMemory(), 8, { user: 'new', amount: 2_400, everyMs: 3 * HOUR, of });
    expect(allowed).toBe(1);
  });

  describe('somebody new who has spent as much on earlier days of the week', () => {
    const own = { ...THIEF, ip_address: IP.home, device_fingerprint: 'phone' };
    const SENT = { ...own, custom_attributes: { card_fingerprint: 'c', email: 'new@mail.example' } };
    /** Days of 1,500, thirty hours apart; then as much as is allowed. */
    const afterDays = async (days: number, change: object) => {
      const shop = shopInMemory();
      for (let day = 0; day < days; day++) {
        const { allowed } = await inPieces(shop, 5, { user: 'new', amount: 300, everyMs: HOUR, of: () => SENT });
        expect(allowed).toBe(5);
        shop.pass(25 * HOUR);
      }
      const of = () => ({ ...SENT, ...change });
      return (await inPieces(shop, 20, { user: 'new', amount: 300, everyMs: 30 * MINUTE, of })).out;
    };

    it('may spend that in a day, and no more', async () => {
      expect(await afterDays(1, {})).toBeLessThanOrEqual(2_000);
      expect(await afterDays(2, {})).toBeGreaterThanOrEqual(2_400);
      expect(await afterDays(2, {})).toBeLessThanOrEqual(3_000);
      expect(await afterDays(3, {})).toBeLessThanOrEqual(4_500);
    });

    it.each([
      ['another card', { custom_attributes: { card_fingerprint: 'stolen', email: 'new@mail.example' } }],
      ['no card', { custom_attributes: { email: 'new@mail.example' } }],
      ['another email', { custom_attributes: { card_fingerprint: 'c', email: 'another@mail.example' } }],
      ['another device', { device_fingerprint: 'another' }],
      ['no device', { device_fingerprint: undefined }],
    ])('not with %s', async (_what, change) => {
      expect(await afterDays(3, change)).toBeLessThanOrEqual(2_000);
    });

    it('not on a device of a day ago on which next to nothing was paid', async () => {
      const shop = shopInMemory();
      const thief = { ...SENT, device_fingerprint: 'thief', ip_address: IP.cafe };
      await shop.pay('new', 20, thief);
      shop.pass(2 * HOUR);
      for (let day = 0; day < 2; day++) {
        await inPieces(shop, 5, { user: 'new', amount: 300, everyMs: HOUR, of: () => SENT });
        shop.pass(25 * HOUR);
      }
      const { out } = await inPieces(shop, 20, { user: 'new', amount: 300, everyMs: 30 * MINUTE, of: () => thief });
      expect(out).toBeLessThanOrEqual(2_000);
    });

    it('not as another user of the same device and card', async () => {
      const shop = shopInMemory();
      const of = () => SENT;
      let total = 0;
      for (let day = 0; day < 4; day++) {
        for (const user of ['one', 'two'])
          total += (await inPieces(shop, 5, { user, amount: 300, everyMs: HOUR, of })).out;
        shop.pass(20 * HOUR);
      }
      const { out } = await inPieces(shop, 20, { user: 'three', amount: 300, everyMs: 30 * MINUTE, of });
      expect(total).toBeGreaterThan(0);
      expect(out).toBeLessThanOrEqual(2_000);
    });
  });

  it('a mule with another card for every payment gets no more than 2,000', async () => {
    const shop = await regular();
    const of = (piece: number) => ({ ...VICTIM, custom_attributes: { card_fingerprint: `stolen-${piece}` } });
    const { out } = await inPieces(shop, 40, { user: 'victim', amount: 400, everyMs: HOUR, of });
    expect(out).toBeLessThanOrEqual(2_000);
  });

  it('a takeover on a new device abroad gets no more than 1,000', async () => {
    const shop = await regular();
    const of = () => ({ ...THIEF, ...CARD });
    const { out } = await inPieces(shop, 40, { user: 'victim', amount: 300, everyMs: HOUR, of });
    expect(out).toBeLessThanOrEqual(1_000);
  });

  it.each([95, 150, 250])('nor from a café in the same country, by %i', async (amount) => {
    const shop = await regular();
    const of = () => ({ ...AT_HOME, device_fingerprint: 'thief', ip_address: IP.cafe });
    const { out } = await inPieces(shop, 30, { user: 'victim', amount, everyMs: HOUR, of });
    expect(out).toBeLessThanOrEqual(1_000);
  });

  it('what was stopped was not spent: the day continues as usual, and so does the next', async () => {
    const shop = await regular();
    expect((await shop.pay('victim', 4_000, AT_HOME)).automated_decision).toBe('review');
    shop.pass(HOUR);
    expect((await shop.pay('victim', 30, AT_HOME)).automated_decision).toBe('allow');
    const bought = shopInMemory();
    const of = () => ({ device_fingerprint: 'phone', ip_address: IP.home });
    await inPieces(bought, 12, { user: 'new', amount: 300, everyMs: HOUR, of });
    bought.pass(DAY);
    expect((await bought.pay('new', 300, of())).automated_decision).toBe('allow');
  });

  it('a customer who buys twice the usual, all day long, is not stopped', async () => {
    const shop = await regular();
    const { allowed } = await inPieces(shop, 6, {
      user: 'victim',
      amount: 55,
      everyMs: 90 * MINUTE,
      of: () => AT_HOME,
    });
    expect(allowed).toBe(6);
  });
});

describe('what is usual above', () => {
  it.each([
    ['three of 1', [1, 1, 1], 4_000],
    ['a cent', [0.01], 4_000],
    ['three cents', [0.01, 0.01, 0.01], 50_000],
    ['coins of all sizes', [0.01, 0.5, 2, 4, 8], 4_000],
  ])('%s do not make an amount usual', async (_what, small, amount) => {
    const shop = await regular();
    for (const each of small) {
      expect((await shop.pay('victim', each, AT_HOME)).automated_decision).toBe('allow');
      shop.pass(10 * MINUTE);
    }
    expect((await shop.pay('victim', amount, AT_HOME)).automated_decision).not.toBe('allow');
  });

  it('is what a person approved, at once; and what was paid long ago', async () => {
    const shop = await regular();
    const first = await shop.pay('victim', 4_000, AT_HOME);
    expect(first.automated_decision).toBe('review');
    await shop.resolve(first, 'allow');
    shop.pass(2 * DAY);
    expect((await shop.pay('victim', 4_000, AT_HOME)).automated_decision).toBe('allow');
    shop.pass(70 * DAY);
    await shop.pay('victim', 30, AT_HOME);
    shop.pass(20 * DAY);
    expect((await shop.pay('victim', 4_000, AT_HOME)).automated_decision).toBe('allow');
  });

  it('what turned out to be fraud does not become usual', async () => {
    const shop = await regular();
    const stolen = await shop.pay('victim', 700, AT_HOME);
    expect(stolen.automated_decision).toBe('allow');
    await shop.review(stolen, 'block');
    const { deps } = shop;
    shop.pass(9 * DAY);
    const ref = stolen.entities.find((key) => key.startsWith('user#')) ?? '';
    const entity = await deps.entities.recordAttempt(
      'acc_1',
      { kind: 'user', key: ref } as never,
      {
        ...{ attempt_id: 'txn_x', at_ms: shop.now(), action: 'transaction', outcome: 'succeeded', user_id: 'x' },
      } as never,
      1_000,
    );
    expect(entity.history.largest_day?.usual_usd ?? 0).toBeLessThan(100);
  });
});

describe('absence is information', () => {
  const WITHOUT_DEVICE = { ip_address: IP.abroad, billing_address: { country: 'DE' }, ...CARD };
  const WITHOUT_BOTH = { billing_address: { country: 'DE' }, ...CARD };

  it.each([
    ['a device', 20, WITHOUT_DEVICE],
    ['a device and an address', 12, WITHOUT_BOTH],
  ])('leaving out %s does not beat a new one', async (_what, pieces, sent) => {
    const shop = await regular();
    const { allowed } = await inPieces(shop, pieces, { user: 'victim', amount: 900, everyMs: HOUR, of: () => sent });
    expect(allowed).toBeLessThanOrEqual(1);
  });

  it('never gives a milder decision than a new device, address or card, whatever is paid and whenever', async () => {
    const NEW = {
      device: { device_fingerprint: 'new' },
      address: { ip_address: IP.cafe },
      card: { card_fingerprint: 'new-card' },
    };
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: Math.log(1), max: Math.log(30_000), noNaN: true }),
        fc.subarray(['device', 'address', 'card'] as const, { minLength: 1 }),
        fc.nat(24),
        async (logAmount, changed, hours) => {
          const paid = async (isNew: boolean) => {
            const shop = await regular();
            shop.pass(hours * HOUR);
            const { device_fingerprint, ip_address, custom_attributes, ...rest } = AT_HOME;
            const { card_fingerprint, ...attributes } = custom_attributes;
            const of = (what: keyof typeof NEW, known: object) =>
              changed.includes(what) ? (isNew ? NEW[what] : {}) : known;
            return shop.pay('victim', Math.exp(logAmount), {
              ...rest,
              ...of('device', { device_fingerprint }),
              ...of('address', { ip_address }),
              custom_attributes: { ...attributes, ...of('card', { card_fingerprint }) },
            });
          };
          const [added, leftOut] = [await paid(true), await paid(false)];
          const rank = ({ automated_decision }: typeof added) =>
            ['allow', 'challenge', 'review', 'block'].indexOf(automated_decision);
          expect([rank(leftOut) >= rank(added), added.risk_score, leftOut.risk_score]).toEqual([
            true,
            added.risk_score,
            leftOut.risk_score,
          ]);
        },
      ),
      // Each run plays two customers over five weeks; where it fails at all, it fails for many amounts.
      { numRuns: sized(400, 40) },
    );
  });

  it('is shown like a new device', async () => {
    const shop = await regular();
    expect(namesOf(await shop.pay('victim', 600, WITHOUT_DEVICE))).toContain('new_device');
  });

  it('a phone order of the usual amount is allowed, and after a week it is familiar', async () => {
    const shop = await regular();
    for (let week = 0; week < 3; week++) {
      const order = await shop.pay('victim', 35, WITHOUT_BOTH);
      expect(order.automated_decision).toBe('allow');
      if (week > 1) expect(namesOf(order)).not.toContain('new_device');
      shop.pass(8 * DAY);
    }
  });

  it('says nothing about a user who never sends one', async () => {
    const shop = await regular(shopInMemory(), ['device_fingerprint', 'ip_address']);
    const { device_fingerprint: _device, ip_address: _ip, ...sent } = AT_HOME;
    const paid = await shop.pay('victim', 30, sent);
    expect(namesOf(paid).filter((name) => name !== 'model_risk')).toEqual([]);
    expect(paid.automated_decision).toBe('allow');
  });
});

describe('what is typed is not proven', () => {
  const PHONE = { custom_attributes: { ...CARD.custom_attributes, phone: '+491705551234' } };

  it.each(['email', 'phone'] as const)(
    'a disputed payment under a %s hurts strangers, not its owner',
    async (typed) => {
      const shop = shopInMemory();
      const attributes = { ...PHONE.custom_attributes };
      for (let i = 0; i < 12; i++) {
        await shop.pay('victim', 30, { ...VICTIM, custom_attributes: attributes });
        shop.pass(3 * DAY);
      }
      const before = await shop.pay('victim', 30, { ...VICTIM, custom_attributes: attributes });
      const guest = await shop.pay('guest', 25, {
        device_fingerprint: 'guest',
        ip_address: IP.cafe,
        custom_attributes: { card_fingerprint: 'guests-own', [typed]: attributes[typed] },
      });
      shop.pass(HOUR);
      await shop.review(guest, 'block');
      shop.pass(HOUR);
      const after = await shop.pay('victim', 30, { ...VICTIM, custom_attributes: attributes });
      expect(after.automated_decision).toBe('allow');
      expect(after.risk_score - before.risk_score).toBeLessThanOrEqual(10);
      const stranger = await shop.pay('stranger', 25, {
        device_fingerprint: 'another',
        ip_address: IP.cafe,
        custom_attributes: { card_fingerprint: 'another', [typed]: attributes[typed] },
      });
      expect(stranger.automated_decision).not.toBe('allow');
    },
  );

  it('cards keep their weight', async () => {
    const shop = await regular();
    const guest = await shop.pay('guest', 25, { device_fingerprint: 'guest', ip_address: IP.cafe, ...CARD });
    await shop.review(guest, 'block');
    shop.pass(HOUR);
    expect((await shop.pay('victim', 30, AT_HOME)).automated_decision).not.toBe('allow');
  });
});

describe('a card has one owner, sometimes a family', () => {
  const shared = (number: number) => ({
    device_fingerprint: `device-${number}`,
    ip_address: `91.1.${number}.1`,
    custom_attributes: { card_fingerprint: 'one-card' },
  });

  it('60 users with a device and an address each pay with it at most five times', async () => {
    const shop = shopInMemory();
    let allowed = 0;
    for (let number = 0; number < 60; number++) {
      if ((await shop.pay(`user-${number}`, 40, shared(number))).automated_decision === 'allow') allowed += 1;
      shop.pass(20 * MINUTE);
    }
    expect(allowed).toBeLessThanOrEqual(5);
  });

  it('a family of four is not stopped', async () => {
    const shop = shopInMemory();
    for (let week = 0; week < 4; week++) {
      for (let number = 0; number < 4; number++) {
        const at = { ...shared(number), ip_address: IP.home };
        expect((await shop.pay(`user-${number}`, 60, at)).automated_decision).toBe('allow');
        shop.pass(DAY);
      }
    }
  });
});
