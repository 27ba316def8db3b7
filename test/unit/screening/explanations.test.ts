import { type AccountSettings, DEFAULT_SETTINGS, settingsFaults } from '../../../shared/domain/accounts/account';
import { NO_DECLARATIONS } from '../../../shared/domain/declarations/declaration';
import { EVENT_ACTIONS } from '../../../shared/domain/entities/entity-history';
import { NO_COUNTERS } from '../../../shared/domain/rules/compile-counters';
import { customerExplanation } from '../../../shared/domain/screening/customer-explanation';
import { featurePhrase } from '../../../shared/domain/screening/feature-words';
import { explainedSignal, FEATURE_NAMES, FEATURES } from '../../../shared/domain/screening/features';
import { ordinal, percent, perDay, price } from '../../../shared/domain/screening/sentence';
import { SIGNALS } from '../../../shared/domain/screening/signals';
import type { Subject } from '../../../shared/domain/screening/subjects/attempt-of';
import { displayedAttributes } from '../../../shared/domain/screening/subjects/record-members';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { transactionAnswer } from '../../../shared/http/presenters/screening-answer';
import { fixedKnown } from '../../../shared/usecases/screening/followers';
import { screenSubject } from '../../../shared/usecases/screening/screen-subject';
import { countingUlids } from '../../../training/replay/counting-ulids';
import explained from '../../fixtures/explained-signals.json';
import { DAY, HOUR, IP, MINUTE, regularCustomer, shopInMemory, THIEF, VICTIM } from '../../support/shop-in-memory';
import { sized } from '../../support/sized';
import { callerOf, payment } from '../../support/traffic/payment';
import { type Draws, draws } from '../../support/traffic/random-traffic';
import { screened } from '../../support/webhooks/changes';

describe('customer explanation', () => {
  const DECISIONS = ['allow', 'challenge', 'review', 'block'] as const;
  const review = { analyst_id: 'ana', notes: 'stolen', reviewed_at: '2026-03-01T00:00:00.000Z' };
  const because = (...signals: string[]) => ({
    contributions: signals.map((signal) => ({ signal, points: 30, detail: 'First use of this device' })),
  });

  describe('what the person concerned may read', () => {
    it('says what was decided, by whom, and what they can do', () => {
      const blocked = screened(0, { automated_decision: 'block', ...because('amount_anomaly') });
      expect(customerExplanation(blocked)).toBe(
        'This payment was declined by an automated check. It compares every payment with earlier activity; what mattered most here was the details of the payment. If you think this is wrong, contact us: a person will look at it.',
      );
      expect(customerExplanation({ ...blocked, review: { decision: 'allow', ...review } })).toBe(
        'A member of our team looked at this payment and approved it.',
      );
      const held = screened(0, {
        automated_decision: 'review',
        ...because('new_device', 'amount_anomaly', 'shared_ip'),
      });
      expect(customerExplanation(held)).toContain('what mattered most here was recent activity.');
      const event = { ...held, subject_type: 'event' } as const;
      for (const [event_type, name] of [
        ['email_change', 'change to your account'],
        ['refund_request', 'request'],
      ] as const)
        expect(customerExplanation({ ...event, event_type })).toContain(
          `is checking this ${name} before it goes ahead.`,
        );
    });

    it('has no word of any signal, rule, list, score or person, whatever the decision was', () => {
      const hints =
        /device|\bip\b|address|network|velocity|score|rule|list|threshold|model|ana|stolen|limit|times|hour/i;
      const names = SIGNALS.map(({ name }) => name);
      for (const automated_decision of DECISIONS) {
        for (const event_type of [undefined, ...EVENT_ACTIONS]) {
          const subject = event_type === undefined ? {} : { subject_type: 'event' as const, event_type };
          const record = screened(0, { automated_decision, ...subject, ...because(...names, 'rule:gift-cards') });
          for (const each of [null, { decision: 'block', ...review }, { decision: 'allow', ...review }] as const) {
            const text = customerExplanation({ ...record, review: each });
            expect(text).not.toMatch(hints);
            for (const name of names) expect(text).not.toContain(name.replaceAll('_', ' '));
          }
        }
      }
    });
  });

  describe('attributes that analysts see', () => {
    const custom_attributes = { order_id: 'order-1001', card: '4242 4242 4242 4242', email: 'ann@shop.example' };

    it('are those that the account names, never a whole card number, and nothing without its word', () => {
      expect(displayedAttributes({}, { custom_attributes })).toEqual({});
      const displayed_attributes = ['order_id', 'card', 'missing', 'toString'];
      expect(displayedAttributes({ displayed_attributes }, { custom_attributes })).toEqual({
        displayed: { order_id: 'order-1001', card: '•••• 4242' },
      });
      expect(displayedAttributes({ displayed_attributes }, { custom_attributes: undefined })).toEqual({});
    });

    it('must not be secrets, twice the same, or too many', () => {
      const faults = (displayed_attributes: string[]) =>
        settingsFaults({ ...DEFAULT_SETTINGS, displayed_attributes }).map(({ message }) => message);
      expect(faults(['order_id', 'email', 'company', 'shipping'])).toEqual([]);
      expect(faults(['card_cvv'])).toEqual(['must not name a secret such as a password or card code']);
      expect(faults(['a', 'a'])).toEqual(['has a duplicate key']);
      expect(faults(Array.from({ length: 9 }, (_, i) => `k${i}`))).toEqual(['must have at most 8 keys']);
    });
  });
});

describe('explained signals', () => {
  /*
   * Which signal a model's part is shown under, of the 277 features of version 4: part of every explanation, so that a
   * change must be meant. A new feature need not be listed.
   */
  it.each(Object.entries(explained))('%s', (signal, features) => {
    const found = features.map((name) => [name, explainedSignal(name) ?? 'none']);
    expect(found).toEqual(features.map((name) => [name, signal]));
  });

  it('a feature explains a signal that exists', () => {
    const names = new Set(SIGNALS.map(({ name }) => name));
    const unknown = FEATURES.filter(({ explains }) => explains !== undefined && !names.has(explains));
    expect(unknown.map(({ name, explains }) => `${name}: ${explains}`)).toEqual([]);
  });

  it('what is no feature of ours explains none: the sum of the rules, and attributes that a model has learnt', () => {
    expect(['rules_log_odds', 'basket_amount_rate'].map(explainedSignal)).toEqual([undefined, undefined]);
  });
});

describe('sentence', () => {
  const USD_1200 = Math.log(1_200);

  describe('amounts', () => {
    it.each([
      [{ amount: 990, currency: 'EUR' }, '€990 (about $1,200)'],
      [{ amount: 1_200.5, currency: 'USD' }, '$1,200.50'],
      [{ amount: 1_100, currency: 'CHF' }, '1,100 CHF (about $1,200)'],
      [{}, 'about $1,200'],
    ])('%j', (attempt, words) => {
      expect(price(attempt, USD_1200)).toBe(words);
    });

    it('without a rate are not compared in dollars', () => {
      expect(price({ amount: 990, currency: 'DEM' }, Number.NaN)).toBe('990 DEM');
    });
  });

  it('counts as people do', () => {
    expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111].map(ordinal)).toEqual([
      '1st',
      '2nd',
      '3rd',
      '4th',
      '11th',
      '12th',
      '13th',
      '21st',
      '22nd',
      '103rd',
      '111th',
    ]);
    expect([4, 3 / 7, 1 / 30].map(perDay)).toEqual(['4 per day', '3 per week', '1 per month']);
    expect([0.034, 0.62].map(percent)).toEqual(['3.4%', '62%']);
  });

  describe('a feature in words', () => {
    it.each([
      ['device_age_days', 0.00000339, 'device first seen moments ago'],
      ['device_age_days', 3 / 1440, 'device first seen 3 minutes ago'],
      ['ip_hosting', 1, 'data-centre IP'],
      ['ip_amount_24h_usd', 1_234, 'about $1,200 in 24 hours (IP address)'],
      ['card_fingerprint_users', 3, '3 users (card)'],
      ['attribute_tx_10m', 4, '4 transactions in 10 minutes (tracked attribute)'],
      ['user_tx_10m', 7, '7 transactions in 10 minutes (user)'],
      ['merchant_id_fraud_rate_7d', 0.12, 'about 12% fraud in 7 days (merchant)'],
      ['ip_fraud_freshness', 0.5, 'fraud first confirmed 24 hours ago (IP address)'],
      ['user_device_seen', 0, 'new device for this user'],
      ['device_cards', Number.NaN, 'no data on cards (device)'],
      ['device_age_days', Number.NaN, 'no device data'],
      ['asn_age_days', Number.NaN, 'unknown internet provider'],
      ['user_card_seen', Number.NaN, 'no card data'],
      ['user_country_seen', Number.NaN, 'unknown country'],
      ['paid_by_card', Number.NaN, 'unknown payment method'],
      ['since_signup_s', 4, 'signed up moments ago'],
      ['product_category_rate', 0.02, 'about 2% fraud for this product category'],
      ['attr_basket_size_number', 12, 'basket size 12'],
      ['attr_basket_size_number_2', 12, 'basket size 12'],
    ])('%s %d', (name, value, words) => {
      expect(featurePhrase(name, value)).toBe(words);
    });

    it('is there for every feature and any value', () => {
      const said = FEATURE_NAMES.flatMap((name) =>
        [0, 0.5, 1, 3, 40, Number.NaN].map((value) => [name, value, featurePhrase(name, value)] as const),
      );
      expect(said.filter(([, , words]) => /_|NaN|undefined|Infinity|\bin \(| {2}/.test(words))).toEqual([]);
    });

    it('claims of no missing value that it was not sent: its history may have been out of reach', () => {
      expect(
        FEATURE_NAMES.map((name) => featurePhrase(name, Number.NaN)).filter((words) => /sent/.test(words)),
      ).toEqual([]);
    });
  });
});

describe('screening what if', () => {
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
      { ...shop.deps, rules: fixedKnown({ rules, declarations: NO_DECLARATIONS, counters: NO_COUNTERS }) },
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
});
