import HmacValidator from '@adyen/api-library/lib/src/utils/hmacValidator';
import Stripe from 'stripe';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { referenceNames } from '../../../shared/domain/entities/pseudonyms';
import type { DeclineReason } from '../../../shared/domain/outcomes/processor-word';
import { isSharedRise, TALLY_STEP_MS, type TallyStep } from '../../../shared/domain/outcomes/shared-rise';
import { type FeatureName, featureSlot } from '../../../shared/domain/screening/features';
import { unpackVector } from '../../../shared/domain/screening/subjects/feature-vector-codec';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { newUlid } from '../../../shared/runtime/ids';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { applyHeldOutcomes } from '../../../shared/usecases/outcomes/apply-held-outcomes';
import { type Notification, receiveNotification } from '../../../shared/usecases/outcomes/receive-notification';
import { type ArrivingOutcome, recordOutsideOutcome } from '../../../shared/usecases/outcomes/record-outside-outcome';
import {
  HOUR,
  MINUTE,
  namesOf,
  regularCustomer,
  shopBySignals,
  shopInMemory,
  VICTIM,
} from '../../support/shop-in-memory';
import { callerOf } from '../../support/traffic/payment';

const caller = callerOf('acc_1');
const isStopped = ({ automated_decision }: ScreeningRecord): boolean => automated_decision !== 'allow';
const feature = ({ vector }: ScreeningRecord, name: FeatureName) => unpackVector(vector)[featureSlot(name)];

/** A notification as its processor's own library signs it. */
type Signed = Pick<Notification, 'provider' | 'body' | 'signature'>;
const SECRETS = { stripe: 'whsec_0123456789abcdef', adyen: '44782DEF547AAA06'.repeat(4) } as const;
const { webhooks } = new Stripe(['sk', 'test', 'x'].join('_'));

const stripeDecline =
  (fingerprint: (attempt: number) => string | null) =>
  ({ now }: { readonly now: () => number }, attempt: number): Signed => {
    const timestamp = Math.floor(now() / 1000);
    const charge = { id: `ch_${attempt}`, payment_intent: `payment ${attempt}`, created: timestamp };
    const card = { brand: 'visa', fingerprint: fingerprint(attempt), wallet: { type: 'google_pay' } };
    const refused = { failure_code: 'card_declined', outcome: { reason: 'do_not_honor' } };
    const object = { ...charge, ...refused, amount: 3000, currency: 'eur', payment_method_details: { card } };
    const body = JSON.stringify({ id: `evt_${attempt}`, type: 'charge.failed', created: timestamp, data: { object } });
    const signature = webhooks.generateTestHeaderString({ payload: body, secret: SECRETS.stripe, timestamp });
    return { provider: 'stripe', body, signature };
  };

const adyenDecline =
  (additionalData: object) =>
  ({ now }: { readonly now: () => number }, attempt: number): Signed => {
    const item = {
      ...{ pspReference: `PSP${attempt}`, merchantReference: `payment ${attempt}`, merchantAccountCode: 'M' },
      ...{ eventCode: 'AUTHORISATION', success: 'false', reason: 'Refused', paymentMethod: 'visa_googlepay' },
      ...{ amount: { currency: 'EUR', value: 3000 }, eventDate: new Date(now()).toISOString() },
    };
    const hmacSignature = new HmacValidator().calculateHmac(item as never, SECRETS.adyen);
    const items = [{ NotificationRequestItem: { ...item, additionalData: { ...additionalData, hmacSignature } } }];
    const body = JSON.stringify({ live: 'false', notificationItems: items });
    return { provider: 'adyen', body, signature: undefined };
  };

/** A shop whose processor reports what banks say. */
function payingShop(shop = shopInMemory()) {
  const { table } = shop;
  const deps = {
    clock: { now: shop.now },
    newUlid,
    pseudonyms: () => PUBLIC_PSEUDONYMS,
    outside: table.outsideOutcomes,
    screenings: table.screenings,
  };
  let charges = 0;
  const said = ({ ulid }: ScreeningRecord, more: Partial<ArrivingOutcome>) =>
    recordOutsideOutcome(deps, caller, {
      ...{ type: 'declined', source_id: `ch_${charges++}`, subject_id: `txn_${ulid}` },
      ...{ occurred_at: new Date(shop.now()).toISOString(), ...more },
    });
  const inbound_id = `in_${'0'.repeat(26)}`;
  const notified = (sent: Signed) =>
    receiveNotification(
      {
        ...deps,
        inbound: {
          find: async () => {
            const provider = sent.provider as keyof typeof SECRETS;
            return { inbound_id, account_id: 'acc_1', provider, secret: SECRETS[provider] };
          },
          setAside: async (_, { reason }) => Promise.reject(new Error(reason)),
        },
      },
      { ...sent, inbound_id },
    );
  return {
    ...shop,
    said,
    notified,
    reached: (reference: string) =>
      applyHeldOutcomes(deps, 'acc_1', referenceNames(PUBLIC_PSEUDONYMS, 'acc_1', [reference])[0] as string),
    declined: (record: ScreeningRecord, decline_reason: DeclineReason) => said(record, { decline_reason }),
    authorized: (record: ScreeningRecord) => said(record, { type: 'authorized' }),
    buy: (user: string, card: string, what: object = {}, amount = 30) =>
      shop.pay(user, amount, {
        ...{ device_fingerprint: `device of ${user}`, ip_address: '91.0.0.1', billing_address: { country: 'DE' } },
        payment_method: 'card',
        custom_attributes: { card_fingerprint: card },
        ...what,
      }),
    profile: async (user: string) =>
      table.entities.profile('acc_1', 'user', entityNames('acc_1', PUBLIC_PSEUDONYMS).user(user).key, shop.now()),
  };
}

describe('testing cards slowly', () => {
  async function cards(reason?: DeclineReason) {
    const shop = payingShop();
    const made: ScreeningRecord[] = [];
    for (const card of ['card 1', 'card 2', 'card 3', 'card 4']) {
      const record = await shop.buy('mallory', card);
      made.push(record);
      if (reason !== undefined && !isStopped(record)) await shop.declined(record, reason);
      shop.pass(25 * MINUTE);
    }
    return made;
  }

  it('is invisible without the processor’s word', async () => {
    expect((await cards()).map(isStopped)).toEqual([false, false, false, false]);
  });

  it.each([
    'incorrect_cvc',
    'incorrect_number',
    'expired_card',
    'lost_or_stolen',
    'suspected_fraud',
    'do_not_honor',
  ] as const)('is stopped at the fourth card by three declines: %s', async (reason) => {
    const made = await cards(reason);
    expect(made.map(isStopped)).toEqual([false, false, false, true]);
    expect(namesOf(made[3] as ScreeningRecord)).toContain('declined_cards');
  });

  it.each(['insufficient_funds', 'processor_error', 'other'] as const)('is not seen by %s', async (reason) => {
    const made = await cards(reason);
    expect(made.map(isStopped)).toEqual([false, false, false, false]);
    expect(feature(made[3] as ScreeningRecord, 'user_declines_24h')).toBe(0);
  });
});

describe('a decline', () => {
  it('counts in its windows, on everything that took part, and once however often it is reported', async () => {
    const shop = payingShop();
    const first = await shop.buy('ann', 'card 1');
    for (let times = 0; times < 3; times++)
      await shop.said(first, { source_id: 'ch', decline_reason: 'do_not_honor', cvc_check: 'pass' });
    shop.pass(5 * MINUTE);
    await shop.declined(await shop.buy('ann', 'card 2'), 'incorrect_cvc');
    shop.pass(MINUTE);
    const soon = await shop.buy('ann', 'card 2');
    for (const entity of ['user', 'device', 'ip'] as const) {
      expect(feature(soon, `${entity}_declines_10m`)).toBe(2);
      expect(feature(soon, `${entity}_declines_24h`)).toBe(2);
      expect(feature(soon, `${entity}_declined_cards_24h`)).toBe(2);
    }
    expect(feature(soon, 'card_fingerprint_declines_1h')).toBe(1);
    expect(feature(soon, 'card_fingerprint_wrong_cvcs_24h')).toBe(1);
    shop.pass(10 * MINUTE);
    const later = await shop.buy('ann', 'card 2');
    expect(feature(later, 'user_declines_10m')).toBe(0);
    expect(feature(later, 'user_declines_1h')).toBe(2);
    shop.pass(HOUR);
    expect(feature(await shop.buy('ann', 'card 2'), 'user_declines_1h')).toBe(0);
    shop.pass(23 * HOUR);
    expect(feature(await shop.buy('ann', 'card 2'), 'user_declines_24h')).toBe(0);
  });

  it('never labels', async () => {
    const shop = payingShop();
    const { label, label_in_force } = await shop.declined(await shop.buy('ann', 'card 1'), 'suspected_fraud');
    expect([label, label_in_force]).toEqual(['none', null]);
    expect((await shop.profile('ann'))?.labels).toEqual({ fraud: 0, legitimate: 0 });
  });

  it('takes back what its payment earned, until the bank authorizes it after all', async () => {
    const shop = payingShop();
    const earned = async () => (await shop.profile('ann'))?.earned;
    const amounts = async () => (await shop.profile('ann'))?.amounts_usd.count;
    const record = await shop.buy('ann', 'card 1');
    expect(await earned()).toEqual({ devices: 1, cards: 1 });
    await shop.declined(record, 'insufficient_funds');
    expect(await earned()).toEqual({ devices: 1, cards: 1 });
    shop.pass(MINUTE);
    await shop.declined(record, 'incorrect_cvc');
    expect([await earned(), await amounts()]).toEqual([{ devices: 0, cards: 0 }, 0]);
    shop.pass(MINUTE);
    await shop.declined(record, 'incorrect_cvc');
    expect([await earned(), await amounts()]).toEqual([{ devices: 0, cards: 0 }, 0]);
    shop.pass(MINUTE);
    await shop.authorized(record);
    expect([await earned(), await amounts()]).toEqual([{ devices: 1, cards: 1 }, 1]);
  });

  it.each(['insufficient_funds', 'do_not_honor'] as const)('was not spent, whatever its reason: %s', async (reason) => {
    const shop = payingShop();
    const spent = async () => {
      const { windows } = (await shop.profile('ann'))?.transactions ?? {};
      return [windows?.['24h'].count, windows?.['24h'].amount_usd, windows?.['30d'].amount_usd];
    };
    const [one, two] = [await shop.buy('ann', 'card 1', {}, 100), await shop.buy('ann', 'card 1', {}, 100)];
    const [, usd = 0] = await spent();
    await shop.declined(one, reason);
    expect(await spent()).toEqual([2, usd / 2, usd / 2]);
    shop.pass(MINUTE);
    await shop.authorized(one);
    expect(await spent()).toEqual([2, usd, usd]);
    // When the day no longer holds it, the month still does.
    shop.pass(30 * HOUR);
    await shop.declined(two, reason);
    expect(await spent()).toEqual([0, 0, usd / 2]);
  });

  it('and a person’s decision take back nothing twice', async () => {
    const shop = payingShop();
    const record = await shop.buy('ann', 'card 1');
    await shop.declined(record, 'do_not_honor');
    await shop.review(record, 'block');
    expect((await shop.profile('ann'))?.amounts_usd.count).toBe(0);
    await shop.review(record, 'allow');
    expect((await shop.profile('ann'))?.amounts_usd.count).toBe(1);
    expect((await shop.profile('ann'))?.earned).toEqual({ devices: 1, cards: 1 });
  });
});

describe('honest people', () => {
  it('on a familiar device with a familiar card keep buying after an ordinary decline or two', async () => {
    const shop = payingShop();
    const own = { ...VICTIM, payment_method: 'card' as const, custom_attributes: { card_fingerprint: 'own card' } };
    await regularCustomer(shop, 'ann');
    await shop.pay('ann', 25, own);
    shop.pass(2 * HOUR);
    for (let times = 0; times < 3; times++) {
      const record = await shop.pay('ann', 25, own);
      expect(isStopped(record)).toBe(false);
      await shop.declined(record, times === 0 ? 'do_not_honor' : 'incorrect_cvc');
      shop.pass(3 * MINUTE);
    }
  });

  it('who try again after a decline are not taken for somebody who pays in pieces', async () => {
    const retries = async (reason: DeclineReason | undefined): Promise<readonly string[]> => {
      const shop = payingShop();
      const stopped: string[] = [];
      for (let attempt = 0; attempt < 4; attempt++) {
        const record = await shop.buy('ann', 'own card', {}, 900);
        if (isStopped(record)) stopped.push(...namesOf(record));
        else if (reason !== undefined) await shop.declined(record, reason);
        shop.pass(5 * MINUTE);
      }
      return stopped;
    };
    expect(await retries(undefined)).toContain('split_payments');
    expect(await retries('insufficient_funds')).toEqual([]);
  });

  /** A wallet that makes a token per attempt: how many cards banks have declined by each attempt, and whether it is stopped. */
  async function tokens(
    notify: (shop: ReturnType<typeof payingShop>, attempt: number) => Signed,
    sent: Readonly<Record<string, string>> = {},
    isFaster = false,
  ) {
    const shop = payingShop();
    const seen: (readonly [cards: number | undefined, isStopped: boolean])[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      const custom_attributes = { card_fingerprint: `token ${attempt}`, ...sent };
      const references = [`payment ${attempt}`];
      if (isFaster) expect(await shop.notified(notify(shop, attempt))).toMatchObject({ held: 1 });
      const record = await shop.buy('ann', '', { payment_method: 'wallet', references, custom_attributes });
      seen.push([feature(record, 'user_declined_cards_24h'), isStopped(record)]);
      // Processors repeat themselves.
      if (!isStopped(record)) for (let times = 0; times < 2; times++) await shop.notified(notify(shop, attempt));
      if (isFaster) await shop.reached(`payment ${attempt}`);
      shop.pass(25 * MINUTE);
    }
    return seen;
  }
  const ONE_CARD = [0, 1, 1, 1].map((cards) => [cards, false]);
  const PAR = { payment_account_reference: 'Jj3gVfMpPcpKzmHrHmpxqgfsvGaVa' };

  it.each([
    ['Stripe’s fingerprint', stripeDecline(() => 'Xt5EWLLDS7FJjR1c'), {}],
    ['Adyen’s payment account reference', adyenDecline({ PaymentAccountReference: 'Jj3gVfMp', alias: '' }), {}],
    ['Adyen’s alias', adyenDecline({ alias: 'F758505419855455' }), {}],
    ['the reference that the merchant sent', stripeDecline((attempt) => `device ${attempt}`), PAR],
    ['the reference that the merchant sent, and nothing else', stripeDecline(() => null), PAR],
  ])('whose wallet makes a token per attempt have one card, by %s', async (_, notify, sent) => {
    expect(await tokens(notify, sent)).toEqual(ONE_CARD);
  });

  it('have one card even if the processor is faster than the merchant', async () => {
    expect(await tokens(adyenDecline({ PaymentAccountReference: 'Jj3gVfMp' }), {}, true)).toEqual(ONE_CARD);
  });

  it('are told from somebody with many cards by nothing but that', async () => {
    const strangers = await tokens(stripeDecline(() => null));
    expect(strangers).toEqual([0, 1, 2, 3].map((cards) => [cards, cards === 3]));
    expect(await tokens(stripeDecline((attempt) => `card ${attempt}`))).toEqual(strangers);
  });

  it('on payday’s eve, most of them without money on two cards, are not stopped', async () => {
    const shop = payingShop();
    const stopped: string[] = [];
    for (let person = 0; person < 150; person++) {
      for (let card = 0; card < 3; card++) {
        const what = { ip_address: `91.${person}.3.9` };
        const record = await shop.buy(`person ${person}`, `card ${person}-${card}`, what, 25 + (person % 30));
        if (isStopped(record)) stopped.push(`person ${person}: ${namesOf(record)}`);
        if (card < 2 && person % 5 !== 0) await shop.declined(record, 'insufficient_funds');
        else await shop.authorized(record);
        shop.pass(20_000);
      }
    }
    expect(stopped).toEqual([]);
  });

  it('2,000 of them in an outage, 40% declined for an hour: nobody is stopped because of it', async () => {
    const shop = payingShop();
    let seed = 7;
    const draw = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const stopped: string[] = [];
    const blamed: string[] = [];
    const beginMs = shop.now();
    const people = 2_000;
    const due = Array.from({ length: people }, (_, person) => ({
      atMs: beginMs + (HOUR / people) * person,
      person,
      card: 0,
    }));
    for (let next = due.shift(); next !== undefined; next = due.shift()) {
      const { atMs, person, card } = next;
      shop.pass(Math.max(0, Math.round(atMs) - shop.now()));
      const what = { ip_address: `91.${person % 200}.${Math.floor(person / 200)}.9` };
      const record = await shop.buy(`person ${person}`, `card ${person}-${card}`, what, 20 + 60 * draw());
      if (isStopped(record)) stopped.push(`person ${person}: ${namesOf(record)}`);
      if (namesOf(record).includes('declined_cards')) blamed.push(`person ${person}`);
      if (draw() >= 0.4) {
        await shop.authorized(record);
        continue;
      }
      await shop.declined(record, 'do_not_honor');
      // A minute later, another card: a second one, a third, and a fourth.
      const again = { atMs: atMs + MINUTE, person, card: card + 1 };
      if (card < 3) due.splice(due.findIndex((other) => other.atMs > again.atMs) >>> 0, 0, again);
    }
    expect(blamed).toEqual([]);
    expect(stopped).toEqual([]);
  }, 120_000);
});

describe('guessing the CVC of a card', () => {
  it('is stopped, whoever tries', async () => {
    const shop = payingShop(shopBySignals());
    const allowed: boolean[] = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      const record = await shop.buy(`guest ${attempt}`, 'the card', { ip_address: `91.7.${attempt}.1` });
      allowed.push(!isStopped(record));
      if (!isStopped(record)) await shop.declined(record, 'incorrect_cvc');
      shop.pass(20 * MINUTE);
    }
    expect(allowed.filter(Boolean).length).toBeLessThanOrEqual(4);
  });
});

describe('a rise that everybody shares', () => {
  const NOW_MS = Date.UTC(2026, 2, 2, 12);
  const step = (ago: number, declined: number, all: number, isKnown = false): [number, TallyStep] => {
    const none = { all: 0, declined: 0 };
    const counts = { all, declined };
    const at = Math.floor(NOW_MS / TALLY_STEP_MS) - ago;
    return [at, isKnown ? { known: counts, others: none } : { known: none, others: counts }];
  };

  it('is found within minutes', () => {
    expect(isSharedRise(new Map([step(20, 5, 100), step(0, 5, 12)]), NOW_MS)).toBe(true);
  });

  it('is not a few people, nor a usual day of a shop whose customers are declined often', () => {
    expect(isSharedRise(new Map([step(0, 6, 9)]), NOW_MS)).toBe(false);
    expect(isSharedRise(new Map([step(0, 10, 100)]), NOW_MS)).toBe(false);
    expect(isSharedRise(new Map([step(20, 300, 1000), step(0, 30, 100)]), NOW_MS)).toBe(false);
  });

  it('is not made by strangers while the customers of the shop pay as ever', () => {
    const [at, { others }] = step(0, 90, 100);
    expect(isSharedRise(new Map([[at, { others, known: { all: 40, declined: 2 } }]]), NOW_MS)).toBe(false);
  });
});
