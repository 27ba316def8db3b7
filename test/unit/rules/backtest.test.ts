import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { type Declarations, NO_DECLARATIONS } from '../../../shared/domain/declarations/declaration';
import { pseudonymsBy } from '../../../shared/domain/entities/pseudonyms';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import { checkedTree } from '../../../shared/domain/rules/rule-faults';
import { type RuleTrial, tryRule } from '../../../shared/domain/rules/rule-trial';
import { packObserved, unpackObserved } from '../../../shared/domain/screening/attributes/observed-codec';
import { isSampled } from '../../../shared/domain/screening/subjects/record-members';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { newUlid } from '../../../shared/runtime/ids';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { toScreening } from '../../../shared/store/screening/screening-reader';
import { screeningItem } from '../../../shared/store/screening/screening-store';
import { addEntries } from '../../../shared/usecases/lists/manage-entries';
import { putList } from '../../../shared/usecases/lists/manage-lists';
import { testRule } from '../../../shared/usecases/rules/test-rule';
import { fixedRules, listFollower } from '../../../shared/usecases/screening/followers';
import { screenSubject } from '../../../shared/usecases/screening/screen-subject';
import { memoryTraffic } from '../../support/memory/memory-traffic';
import { HOUR, MINUTE, shopBySignals, shopInMemory } from '../../support/shop-in-memory';
import { callerOf } from '../../support/traffic/payment';
import { storedRule } from './stored-rule';

const PAGE = readFileSync(join(__dirname, '../../../docs/guide/rules.md'), 'utf8');
const [, RECIPES = ''] = PAGE.split('## Ten recipes');
const recipes = [...(RECIPES.split('\n## ')[0] ?? '').matchAll(/^\|[^|]+\| `([^`]+)` \|/gm)].map(
  ([, text = '']) => text,
);

/** Conditions of every kind that stored traffic can answer for. */
const TESTABLE = [
  ...recipes,
  'attr.category in ["gift_card", "VOUCHER"]',
  'attr.category != "gift_card"',
  '!(attr.category == "gift_card") && has(attr.category)',
  'has(attr.partner)',
  'ip.country == billing.country',
  'attr.card_country != ip.country',
  'ip.country in ["DE", "fr"] && billing.country == "DE"',
  'ip.asn == 3320 || ip.asn in [1, 2]',
  'billing.postal_code == "10115"',
  'payment_method != "card"',
  'device_fingerprint == "device-3"',
  'attr.card_fingerprint == "card-7"',
  'attr.email == "User2@shop.example"',
  'attr.email in lists.disposable || ip in lists.offices',
  'attr.items > 10',
  'attr.items <= 3 && attr.items != 2',
  'attr.weight < 2.5',
  'attr.gift',
  '!attr.gift && has(attr.gift)',
  'attr.tier == "3"',
  'attr.home == "DE"',
];

const DECLARED: Declarations = {
  ...NO_DECLARATIONS,
  attributes: (
    [
      ['items', 'number'],
      ['weight', 'number'],
      ['gift', 'boolean'],
      ['home', 'country'],
    ] as const
  ).map(([key, type]) => ({ key, type, entity: false, note: null, created_at: '', updated_at: '', updated_by: '' })),
};

const LISTS = [
  { name: 'vips', type: 'user_id', entries: ['user-1', 'user-5'] },
  { name: 'stolen-phones', type: 'device_fingerprint', entries: ['device-2'] },
  { name: 'disposable', type: 'email_domain', entries: ['mailinator.com'] },
  { name: 'offices', type: 'cidr', entries: ['91.0.7.0/24'] },
] as const;

const ADDRESSES = {
  '91.0.0.1': { country: 'DE', asn: 3320, network: 'other' },
  '91.0.7.7': { country: 'FR', asn: 3215, network: 'mobile' },
  '41.58.0.1': { country: 'NG', asn: 36_992, network: 'other' },
  '52.0.0.1': { country: 'US', asn: 16_509, network: 'hosting' },
} as const;

/** High thresholds: most of it is allowed, as in life, and only a sample of that is read. */
const caller = {
  ...callerOf('acc_1'),
  settings: { ...DEFAULT_SETTINGS, review_threshold: 85, block_threshold: 95 },
};
/** Entries of lists, which cannot be read for one request in ten. */
const unread =
  <Read extends (...args: never[]) => Promise<unknown>>(random: () => number, read: Read) =>
  (...args: Parameters<Read>) =>
    random() < 0.1 ? Promise.reject(new Error('too late')) : read(...args);
const ruleName = (at: number): string => `rule-${at}`;

/** Screens random requests by the use case itself, with every condition as a rule in shadow: what matched is the truth. */
async function month(requests: number, seed: number) {
  const random = seededRandom(seed);
  const oneOf = <Of>(values: readonly Of[]): Of => values[Math.floor(random() * values.length)] as Of;
  const maybe = (share: number, members: object): object => (random() < share ? members : {});
  const shop = shopBySignals();
  const { table } = shop;
  const admin = { ...shop.deps, lists: table.lists, entries: table.listEntries, pseudonyms: () => PUBLIC_PSEUDONYMS };
  for (const { name, type, entries } of LISTS) {
    await putList(admin as never, caller, name, { type, effect: 'none' } as never);
    await addEntries(admin as never, caller, name, { entries: entries.map((value) => ({ value })) } as never);
  }
  const trees = TESTABLE.map((expression) => {
    const tree = checkedTree(expression, undefined, DECLARED);
    if (typeof tree === 'string') throw new Error(`${expression}: ${tree}`);
    return tree;
  });
  const rules = trees.map((tree, at) => ({ ...storedRule(ruleName(at)), state: 'shadow' as const, tree }));
  const waiting = { clock: shop.deps.clock, budgetMs: (ms: number) => ms, onFailure: () => undefined };
  const follower = listFollower({ ...waiting, lists: table.lists, held: table.listEntries });
  const deps = {
    ...shop.deps,
    newUlid: (ms: number) => `${newUlid(ms).slice(0, 24)}00`,
    ips: { lookup: (ip: string) => ADDRESSES[ip as keyof typeof ADDRESSES] },
    rules: fixedRules(rules, DECLARED),
    // One in ten, as under load: decided without the lists.
    lists: { current: (id: string) => follower.current(id), flags: unread(random, table.listEntries.flags) },
  };
  const records: ScreeningRecord[] = [];
  for (let i = 0; i < requests; i++) {
    shop.pass(Math.ceil(random() * 2 * HOUR));
    const user = Math.floor(random() * 40);
    const isPayment = random() < 0.7;
    const subject = {
      ...(isPayment
        ? {
            subject_type: 'transaction',
            action: 'transaction',
            amount: Math.ceil(random() ** 4 * 1_500),
            currency: 'USD',
          }
        : { subject_type: 'event', action: oneOf(['signup', 'login', 'payout_change'] as const) }),
      outcome: 'succeeded',
      user_id: `user-${user}`,
      ...maybe(0.8, { ip_address: oneOf(['91.0.0.1', '91.0.0.1', '91.0.0.1', ...Object.keys(ADDRESSES)]) }),
      ...maybe(0.7, { device_fingerprint: `device-${random() < 0.9 ? user : 2}` }),
      ...(isPayment ? maybe(0.8, { payment_method: oneOf(['card', 'bank', 'crypto'] as const) }) : {}),
      ...(isPayment
        ? maybe(0.7, {
            billing_address: { country: oneOf(['DE', 'FR', 'NG']), postal_code: oneOf(['10115', '75001']) },
          })
        : {}),
      custom_attributes: {
        ...maybe(0.6, { category: oneOf(['gift_card', 'Gift_Card', ' GIFT_CARD', 'shoes', 'Voucher']) }),
        ...maybe(0.6, { card_bin: oneOf(['411111', '424242', '400000']) }),
        ...maybe(0.5, { partner: oneOf(['acme', 'ACME', 'other']) }),
        ...maybe(0.6, { card_country: oneOf(['DE', 'fr', 'US', 'Germany']) }),
        ...maybe(0.7, { card_fingerprint: `card-${user}` }),
        ...maybe(0.7, {
          email: oneOf([
            `user${user}@shop.example`,
            `user${user % 3}@shop.example`,
            'User2+a@shop.example',
            'x@mailinator.com',
          ]),
        }),
        ...maybe(0.7, { items: oneOf(['1', '2', '3', '10', '11', '40', '200']) }),
        ...maybe(0.7, { weight: (random() * 5).toFixed(3) }),
        ...maybe(0.6, { gift: oneOf(['true', 'false', 'TRUE', 'perhaps']) }),
        ...maybe(0.5, { tier: oneOf(['1', '2', '3']) }),
        ...maybe(0.5, { home: oneOf(['DE', 'de', 'FR', 'nowhere']) }),
      },
    } as const;
    const { record } = await screenSubject(deps as never, caller, subject as never);
    // As a test of a rule will read it from the table.
    records.push(toScreening(screeningItem('acc_1', record)));
  }
  const truth = TESTABLE.map(
    (_, at) => records.filter(({ shadow_rules = [] }) => shadow_rules.some(({ name }) => name === ruleName(at))).length,
  );
  return { shop, records, trees, truth };
}

const by = {
  accountId: 'acc_1',
  pseudonyms: PUBLIC_PSEUDONYMS,
  settings: DEFAULT_SETTINGS,
  typeOf: (key: string) => DECLARED.attributes.find((each) => each.key === key)?.type,
};

const covers = ({ interval: [low, high] }: RuleTrial, count: number): boolean => low <= count && count <= high;

describe('a backtest of what is stored by hash', () => {
  let traffic: Awaited<ReturnType<typeof month>>;
  beforeAll(async () => {
    traffic = await month(600, 1);
  });

  it('finds every request that the rule matched when it was screened', () => {
    const { records, trees, truth } = traffic;
    const allowed = records.filter((record) => isSampled(record)).length;
    const tried = trees.map((tree) =>
      tryRule(
        { action: 'block', tree },
        records.map((record) => ({ record })),
        { days: 1, allowed, unlisted: 0, by },
      ),
    );
    const found = tried.map(({ matched, not_testable }, at) => [TESTABLE[at], matched, not_testable]);
    // A weight of 2.497 is stored as 2.5.
    const rough = TESTABLE.indexOf('attr.weight < 2.5');
    expect(found.filter((_, at) => at !== rough)).toEqual(
      TESTABLE.map((expression, at) => [expression, truth[at], []]).filter((_, at) => at !== rough),
    );
    expect(covers(tried[rough] as RuleTrial, truth[rough] as number)).toBe(true);
    expect(Math.abs((found[rough]?.[1] as number) - (truth[rough] as number))).toBeLessThanOrEqual(3);
    // Nearly every condition was true somewhere and false somewhere; how many reach a score depends on the signals.
    const idle = truth.filter((count) => count === 0 || count === records.length);
    expect(idle.length).toBeLessThanOrEqual(TESTABLE.length / 10);
  });

  it('of the ten recipes all can be tested; of what was stored before, as many as before', () => {
    const { records, trees } = traffic;
    const unnamed = (rows: readonly ScreeningRecord[]) =>
      trees
        .slice(0, recipes.length)
        .map((tree) =>
          tryRule(
            { action: 'block', tree },
            rows.map((record) => ({ record })),
            { days: 1, allowed: 600, unlisted: 0, by },
          ),
        )
        .filter(({ not_testable }) => not_testable.length === 0).length;
    expect(recipes).toHaveLength(10);
    expect(unnamed(records)).toBe(10);
    // Without observed values only lists, devices and networks are left.
    expect(
      unnamed(records.map(({ observed, ...record }) => ({ ...record, observed: Buffer.from('an older form') }))),
    ).toBe(5);
  });

  it('holds the true number in its interval, with the sample that the table keeps', async () => {
    const { shop, records, truth } = traffic;
    const rules = { book: async () => ({ rules: [], declarations: DECLARED }) as never };
    const random = seededRandom(9);
    const letter = (): string => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[Math.floor(random() * 32)] ?? '0';
    let [held, all, rows] = [0, 0, 0];
    for (let draw = 0; draw < 20; draw++) {
      const { deps, add } = memoryTraffic(shop.now() + MINUTE);
      // By other ids, another part of the traffic is the sample.
      const drawn = records.map((record) => ({ ...record, ulid: record.ulid.slice(0, 24) + letter() + letter() }));
      for (const record of drawn) await add('acc_1', record);
      for (const [at, expression] of TESTABLE.entries()) {
        const tested = await testRule({ ...deps, rules }, caller, { expression, action: 'review', days: 90 });
        expect([expression, tested.not_testable]).toEqual([expression, []]);
        held += Number(covers(tested, truth[at] as number));
        all += 1;
        rows += tested.rows;
      }
    }
    expect(rows / all).toBeLessThan(records.length / 4);
    expect(held / all).toBeGreaterThanOrEqual(0.93);
  });

  const one = (change: Partial<ScreeningRecord>, record: ScreeningRecord) => [{ record: { ...record, ...change } }];
  const trial = (expression: string, rows: ReadonlyArray<{ record: ScreeningRecord }>, over: object = {}) => {
    const tree = checkedTree(expression, undefined, DECLARED);
    if (typeof tree === 'string') throw new Error(tree);
    return tryRule({ action: 'block', tree }, rows, { days: 1, allowed: 0, unlisted: 0, by: { ...by, ...over } });
  };
  const blocked = async (attributes: Readonly<Record<string, string>>) => {
    const shop = shopInMemory(caller);
    const record = await shop.pay('user-1', 25, { ip_address: '91.0.0.1', custom_attributes: attributes });
    return toScreening(screeningItem('acc_1', { ...record, automated_decision: 'block', risk_score: 90 }));
  };

  it('says what it cannot test: parts of texts, keys that are never stored, and what did not fit', async () => {
    const record = await blocked({ note: 'some text', items: '1234567', iban: 'DE00' });
    const open = (expression: string) => trial(expression, one({}, record));
    expect(open('attr.note.startsWith("some")')).toMatchObject({ interval: [0, 1], not_testable: ['attr.note'] });
    expect(open('attr.iban == "DE00"')).toMatchObject({ interval: [0, 1], not_testable: ['attr.iban'] });
    expect(open('attr.items > 5')).toMatchObject({ interval: [0, 1], not_testable: ['attr.items'] });
    expect(open('attr.items == 1234567')).toMatchObject({ interval: [1, 1], not_testable: [] });
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`attribute_${n}`, `value ${n}`]));
    const crowded = await blocked(many);
    const last = (expression: string) => trial(expression, one({}, crowded));
    expect(last('attr.attribute_1 == "value 1"')).toMatchObject({ interval: [1, 1], not_testable: [] });
    expect(last('attr.attribute_39 == "value 39"')).toMatchObject({
      interval: [0, 1],
      not_testable: ['attr.attribute_39'],
    });
  });

  it('a row from before the key was rotated knows its entities, and no other values', async () => {
    const record = await blocked({ category: 'gift_card', partner: 'acme' });
    const rotated = { pseudonyms: pseudonymsBy([new Uint8Array(32), new Uint8Array(32).fill(2)]) };
    expect(trial('attr.partner == "acme"', one({}, record))).toMatchObject({ interval: [1, 1] });
    expect(trial('attr.category == "gift_card"', one({}, record), rotated)).toMatchObject({ interval: [1, 1] });
    expect(trial('attr.partner == "acme"', one({}, record), rotated)).toMatchObject({
      interval: [0, 1],
      not_testable: ['attr.partner'],
    });
  });

  it('an attribute with thousands of values may share buckets, and the interval says so', async () => {
    const record = await blocked({ order: 'order 1' });
    const [order] = unpackObserved(record.observed as Uint8Array).slice(-1);
    const others = unpackObserved(record.observed as Uint8Array).slice(0, -1);
    const withBucket = (bucket: number) => ({
      record: { ...record, observed: packObserved([...others, { ...(order as NonNullable<typeof order>), bucket }]) },
    });
    const own = Array.from({ length: 4 }, () => ({ record }));
    const few = trial('attr.order == "order 1"', [...own, ...Array.from({ length: 100 }, (_, n) => withBucket(n))]);
    expect(few).toMatchObject({ matched: 4, interval: [4, 4] });
    const many = trial('attr.order == "order 1"', [...own, ...Array.from({ length: 6_000 }, (_, n) => withBucket(n))]);
    expect(many.matched).toBe(4);
    expect(many.interval[0]).toBeLessThan(4);
  });
});
