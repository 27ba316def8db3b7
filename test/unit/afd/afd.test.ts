import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { AfdFault, afdBody } from '../../../shared/domain/afd/afd-body';
import { currentPolicy, ownRules, thresholdRules } from '../../../shared/domain/afd/afd-catalogue';
import { afdClaim } from '../../../shared/domain/afd/afd-event';
import {
  type AfdMapping,
  completeMapping,
  DEFAULT_MAPPING,
  kindOfType,
  labelOfName,
} from '../../../shared/domain/afd/afd-mapping';
import { insightScore, insightScoreAt, riskScoreReaching } from '../../../shared/domain/afd/afd-score';
import {
  attributeTypeOfVariable,
  keptUnder,
  NO_AFD_TYPES,
  pageOf,
  withType,
} from '../../../shared/domain/afd/afd-types';
import { FALSE_POSITIVE_RATES } from '../../../shared/domain/afd/false-positive-rates';
import { planVariables } from '../../../shared/domain/afd/plan-variables';
import { observationOf } from '../../../shared/domain/screening/attributes/observe-attributes';
import { parseAfdMapping } from '../../../shared/schemas/afd-mapping';
import { changeAfdMapping } from '../../../shared/usecases/afd/administer-afd-mapping';
import { findAfdEvent } from '../../../shared/usecases/afd/find-afd-event';
import { labelAfdEvent } from '../../../shared/usecases/afd/label-afd-event';
import { predictAfdEvent } from '../../../shared/usecases/afd/predict-afd-event';
import { memoryAccounts } from '../../support/memory/memory-accounts';
import { DAY } from '../../support/shop-in-memory';
import { callerOf } from '../../support/traffic/payment';
import { afdShop, anEvent, CALLER } from './an-event';

describe('administer afd mapping', () => {
  it('stores the mapping of an account that exists, and takes it back', async () => {
    const accounts = memoryAccounts();
    await accounts.insertAccount({
      ...{ account_id: 'acc_1', name: 'Shop', created_at: '2026-03-01T00:00:00.000Z', settings: DEFAULT_SETTINGS },
      ...{ rate_limit_key: 'rate', rate_limit_key_id: 'id' },
    });
    const held = new Map<string, AfdMapping>();
    const mappings = {
      find: async (accountId: string) => held.get(accountId),
      save: async (accountId: string, mapping: AfdMapping) => void held.set(accountId, mapping),
      remove: async (accountId: string) => void held.delete(accountId),
    };
    const deps = { stage: 'sandbox', accounts, mappings } as const;
    await changeAfdMapping(deps, 'acc_1', DEFAULT_MAPPING);
    expect(held.get('acc_1')).toBe(DEFAULT_MAPPING);
    await changeAfdMapping(deps, 'acc_1', undefined);
    expect(held.size).toBe(0);
    await expect(changeAfdMapping(deps, 'acc_2', DEFAULT_MAPPING)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('afd events', () => {
  const bodyOf = (variables: Record<string, string>, mapping = DEFAULT_MAPPING, entityId: string | undefined = 'c-1') =>
    afdBody({ variables, entityId, fallbackId: 'event-1' }, planVariables(Object.keys(variables), mapping), mapping);

  describe('variables', () => {
    it('go to the fields of a payment, and to attributes where there is no field', () => {
      const { kind, body } = bodyOf({
        order_price: '1,049.90',
        payment_currency: 'eur',
        billing_city: 'Ulm',
        shoes: '44',
      });
      expect(kind).toBe('transaction');
      expect(body).toEqual({
        user_id: 'c-1',
        amount: 1049.9,
        currency: 'EUR',
        billing_address: { city: 'Ulm' },
        custom_attributes: { shoes: '44' },
      });
    });

    it('that want the same place: the first gets it, the other keeps its name', () => {
      const plan = planVariables(['order_price', 'price', 'email', 'customer_email'], DEFAULT_MAPPING);
      expect(plan.map(({ target }) => target)).toEqual([
        'amount',
        'custom_attributes.price',
        'custom_attributes.email',
        'custom_attributes.customer_email',
      ]);
      expect(plan[1]?.why).toBe('amount is taken from order_price');
    });

    it('name the user where no entity does; an event about nobody is somebody of its own', () => {
      expect(bodyOf({ email: 'a@mail.example' }, DEFAULT_MAPPING, 'unknown').body.user_id).toBe('a@mail.example');
      const nobody = bodyOf({ shoes: '44' }, DEFAULT_MAPPING, '');
      expect(nobody.body.user_id).toBe('event-1');
      expect(nobody.assumed).toContainEqual({ what: 'entity', from: 'the event itself' });
    });

    it('of users with long names do not make them the same', () => {
      const [one, other] = ['a', 'b'].map((end) => bodyOf({}, DEFAULT_MAPPING, 'x'.repeat(200) + end).body.user_id);
      expect(one).toHaveLength(128);
      expect(one).not.toBe(other);
    });

    it('without a usable amount are no payment', () => {
      expect(() => bodyOf({ order_price: 'much' })).toThrow(AfdFault);
      expect(() => bodyOf({ order_price: '-1' })).toThrow('negative');
      expect(() => bodyOf({}, { ...DEFAULT_MAPPING, kind: 'transaction' })).toThrow('the amount is missing');
      expect(bodyOf({ order_price: '0' }).body.amount).toBe(0.01);
    });

    it('of an event keep what only a payment has a field for', () => {
      const { body } = bodyOf({ order_price: '5', billing_city: 'Ulm' }, { ...DEFAULT_MAPPING, kind: 'login' });
      expect(body.custom_attributes).toEqual({ amount: '5', billing_city: 'Ulm' });
    });

    it('of a card are categories: the number of a bank counts nothing', () => {
      expect(observationOf('card_bin')).toBe('category');
    });
  });

  describe('a mapping', () => {
    it('has a default for everything, and event types of their own', () => {
      const mapping = parseAfdMapping(
        '{"event_types":{"buy":{"kind":"transaction","columns":{"x":"amount"}}}}',
        'file',
      );
      expect(mapping).toMatchObject({ currency: 'USD', model: 'fraud_screening', outcomes: { block: 'block' } });
      expect(kindOfType('buy', mapping)).toBe('transaction');
      expect(() => parseAfdMapping('{"event_types":{"buy":{"kind":"sale"}}}', 'file')).toThrow(
        'event_types.buy.kind must be',
      );
    });

    it('reads labels whatever their case, and event types by their usual names only', () => {
      const mapping = completeMapping({ fraud_labels: ['Chargeback'] });
      expect(labelOfName(' CHARGEBACK', mapping)).toBe('fraud');
      expect(labelOfName('maybe', mapping)).toBeUndefined();
      expect(
        ['online_order', 'sample_registration', 'User-Login', 'order_cancelled', 'registration_of_claim'].map((name) =>
          kindOfType(name, mapping),
        ),
      ).toEqual(['transaction', 'signup', 'login', undefined, undefined]);
    });
  });

  describe("Amazon's types", () => {
    it.each([
      ['FLOAT', undefined, 'number'],
      ['INTEGER', 'CATEGORICAL', 'number'],
      ['BOOLEAN', undefined, 'boolean'],
      ['STRING', undefined, 'text'],
      ['STRING', 'FREE_FORM_TEXT', 'text'],
      ['STRING', 'EMAIL_ADDRESS', 'email'],
      ['STRING', 'PHONE_NUMBER', 'phone'],
      ['STRING', 'IP_ADDRESS', 'ip_address'],
      ['STRING', 'BILLING_COUNTRY', 'country'],
      ['DATETIME', undefined, 'text'],
    ])('a variable %s %s is read as %s', (dataType, variableType, type) => {
      expect(attributeTypeOfVariable({ dataType, variableType })).toBe(type);
    });

    it('come in pages, in the order of their names', () => {
      const all = ['c', 'a', 'b'].map((name) => ({ name }));
      const first = pageOf('label', all, { maxResults: 2 });
      expect(first.page).toEqual([{ name: 'a' }, { name: 'b' }]);
      expect(pageOf('label', all, { maxResults: 2, nextToken: first.nextToken })).toEqual({ page: [{ name: 'c' }] });
      expect(() => pageOf('label', all, { name: 'd' })).toThrow('No such label: d.');
    });

    it('of different names do not become one of ours', () => {
      const stamps = { createdTime: '', lastUpdatedTime: '' };
      const rest = { eventVariables: [], entityTypes: [], eventIngestion: 'ENABLED', ...stamps };
      const types = withType(NO_AFD_TYPES, 'event-type', 'gift-card', { name: 'gift-card', ...rest });
      expect(keptUnder(types, 'event-type', 'Gift-Card')?.name).toBe('gift-card');
      expect(() => keptUnder(types, 'event-type', 'gift_card')).toThrow('means the same here as');
    });

    it('that take an amount have it from the variable that is one; a type without keeps it as an attribute', () => {
      const variables = { order_price: '12', currency: 'EUR' };
      const mapping = { ...DEFAULT_MAPPING, kind: 'claim' };
      const plan = planVariables(Object.keys(variables), mapping);
      const facts = { variables, entityId: 'c-1', fallbackId: 'event-1' };
      expect(afdBody(facts, plan, mapping, true).body).toEqual({
        ...{ user_id: 'c-1', amount: 12, currency: 'EUR', custom_attributes: {} },
      });
      expect(afdBody(facts, plan, mapping).body).toEqual({
        user_id: 'c-1',
        custom_attributes: { amount: '12', currency: 'EUR' },
      });
    });
  });

  describe("Amazon's score", () => {
    it('is 600 where one in ten legitimate events scores as high, and 900 where one in fifty does', () => {
      expect(insightScoreAt(1)).toBeCloseTo(0);
      expect(insightScoreAt(0.1)).toBeCloseTo(600);
      expect(insightScoreAt(0.02)).toBeCloseTo(900);
      expect(insightScoreAt(0)).toBe(1000);
    });

    it('comes from a measured share for every risk score, which only falls', () => {
      expect(FALSE_POSITIVE_RATES).toHaveLength(101);
      for (let score = 1; score <= 100; score++) {
        expect(FALSE_POSITIVE_RATES[score]).toBeLessThanOrEqual(FALSE_POSITIVE_RATES[score - 1] as number);
        expect(insightScore(score)).toBeGreaterThanOrEqual(insightScore(score - 1));
      }
      expect(insightScore(0)).toBe(0);
      expect(insightScore(100)).toBe(1000);
    });

    it('leads back to the lowest risk score that reaches it', () => {
      for (const wanted of [1, 500, 600, 900, 990]) {
        const score = riskScoreReaching(wanted);
        expect(insightScore(score)).toBeGreaterThanOrEqual(wanted);
        expect(insightScore(score - 1)).toBeLessThan(wanted);
      }
      expect(riskScoreReaching(1001)).toBe(101);
    });

    it('makes rules of the rules and lists in force, in the order in which they decide', () => {
      const list = { note: null, effect: 'block' } as const;
      const kept = { version: 3, note: null, state: 'active', expires_at: null } as const;
      const rule = { ...kept, expression: 'amount > 500', action: 'block', points: null, priority: 500 } as const;
      const nowMs = Date.parse('2026-11-16T12:00:00Z');
      const policy = currentPolicy(
        {
          lists: [
            { ...list, name: 'bins', type: 'attribute:card_bin' },
            { ...list, name: 'vips', type: 'user_id', effect: 'none' },
          ],
          rules: [
            { ...rule, name: 'doubtful', action: 'points', points: 20 },
            { ...rule, name: 'expensive' },
            { ...rule, name: 'regulars', action: 'allow', note: 'known for years' },
            { ...rule, name: 'first', priority: 1 },
            { ...rule, name: 'shadow', state: 'shadow' },
            { ...rule, name: 'expired', expires_at: '2026-11-16T12:00:00Z' },
          ],
        },
        nowMs,
      );
      const rules = ownRules(DEFAULT_MAPPING, policy);
      expect(rules.map(({ ruleId, outcomes }) => [ruleId, ...outcomes])).toEqual([
        ['regulars', 'allow'],
        ['bins', 'block'],
        ['first', 'block'],
        ['expensive', 'block'],
        ['doubtful'],
      ]);
      expect(rules.filter(({ ruleId }) => ['bins', 'regulars', 'doubtful'].includes(ruleId))).toEqual([
        {
          ...{ ruleId: 'regulars', ruleVersion: '3', expression: 'amount > 500', outcomes: ['allow'] },
          description: 'known for years',
        },
        {
          ...{ ruleId: 'bins', ruleVersion: '1', expression: '$card_bin in @bins', outcomes: ['block'] },
          description: 'list of attribute:card_bin',
        },
        {
          ...{ ruleId: 'doubtful', ruleVersion: '3', expression: 'amount > 500', outcomes: [] },
          description: 'adds 20 points to the risk_score',
        },
      ]);
    });

    it('makes rules of the thresholds', () => {
      const rules = thresholdRules(DEFAULT_MAPPING, { review_threshold: 11, block_threshold: 85 });
      expect(rules.map(({ ruleId, expression }) => [ruleId, expression])).toEqual([
        ['score_block', '$fraud_screening_insightscore >= 1000'],
        ['score_review', `$fraud_screening_insightscore >= ${insightScore(11)}`],
        ['score_allow', `$fraud_screening_insightscore < ${insightScore(11)}`],
      ]);
    });
  });

  it('the claim of an event does not depend on when it was sent', () => {
    const content = {
      eventId: 'e-1',
      eventTypeName: 'buy',
      entities: [{ entityType: 'customer', entityId: 'c-1' }],
      eventVariables: { a: '1', b: '2' },
    };
    expect(afdClaim({ ...content, eventVariables: { b: '2', a: '1' } })).toEqual(afdClaim(content));
    expect(afdClaim({ ...content, eventTypeName: 'sell' }).scope).not.toBe(afdClaim(content).scope);
    expect(afdClaim({ ...content, eventVariables: { a: '2' } })).toEqual({
      scope: afdClaim(content).scope,
      body_hash: expect.not.stringMatching(afdClaim(content).body_hash),
    });
  });
});

describe('find afd event', () => {
  const NAME = { eventId: 'order-1', eventTypeName: 'purchase' };

  it('finds an event with its screening for 90 days, for its own account', async () => {
    const { shop, deps } = afdShop();
    const { record } = await predictAfdEvent(deps, CALLER, anEvent());
    expect(await findAfdEvent(deps, CALLER, NAME)).toMatchObject({
      record,
      event: { ulid: record.ulid, entity_type: 'customer', amount_from: 'order_price' },
    });
    const missing = { code: 'not_found' };
    await expect(findAfdEvent(deps, callerOf('acc_2'), NAME)).rejects.toMatchObject(missing);
    await expect(findAfdEvent(deps, CALLER, { ...NAME, eventTypeName: 'login' })).rejects.toMatchObject(missing);
    shop.pass(90 * DAY);
    await expect(findAfdEvent(deps, CALLER, NAME)).rejects.toMatchObject(missing);
  });
});

describe('label afd event', () => {
  const NAME = { eventId: 'order-1', eventTypeName: 'purchase' };

  it('labels an event as a review does; the same label again changes nothing', async () => {
    const { shop, deps } = afdShop();
    await predictAfdEvent(deps, CALLER, anEvent());
    const labelled = await labelAfdEvent(deps, CALLER, NAME, { label: 'fraud', name: 'fraud' });
    expect(labelled.review).toMatchObject({ decision: 'block', analyst_id: 'UpdateEventLabel' });
    expect(await labelAfdEvent(deps, CALLER, NAME, { label: 'fraud', name: 'fraud' })).toEqual(labelled);
    await labelAfdEvent(deps, CALLER, NAME, { label: 'fraud', name: 'yes' });
    expect((await findAfdEvent(deps, CALLER, NAME)).event.label_name).toBe('yes');
    expect(shop.table.outcomes.audits).toHaveLength(1);
    const corrected = await labelAfdEvent(deps, CALLER, NAME, { label: 'legitimate', name: 'ok' });
    expect(corrected).toMatchObject({ review: { decision: 'allow' }, review_count: 2 });
  });

  it('does not know an event that was never sent', async () => {
    await expect(labelAfdEvent(afdShop().deps, CALLER, NAME, { label: 'fraud', name: 'fraud' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('predict afd event', () => {
  it('screens an event once, however often it is sent', async () => {
    const { shop, deps } = afdShop();
    const first = await predictAfdEvent(deps, CALLER, anEvent());
    shop.pass(60_000);
    const later = anEvent();
    const again = await predictAfdEvent(deps, CALLER, {
      ...later,
      note: { ...later.note, event_timestamp: '2026-03-02T12:01:00Z' },
    });
    expect(again).toEqual({ record: first.record, replayed: true });
    expect(shop.table.screenings.all()).toHaveLength(1);
  });

  it('refuses other content under the same name, and screens another name', async () => {
    const { deps, shop } = afdShop();
    await predictAfdEvent(deps, CALLER, anEvent(25));
    await expect(predictAfdEvent(deps, CALLER, anEvent(250))).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    await predictAfdEvent(deps, CALLER, anEvent(250, 'order-2'));
    expect(shop.table.screenings.all()).toHaveLength(2);
  });
});
