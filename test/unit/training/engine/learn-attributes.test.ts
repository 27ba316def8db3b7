import fc from 'fast-check';
import { attributeReader } from '../../../../shared/domain/models/attribute-schema';
import { accountScope } from '../../../../shared/domain/models/scoring-model';
import { seededRandom } from '../../../../shared/domain/models/seeded-random';
import type { TrainingRow } from '../../../../shared/domain/models/training-row';
import type { ObservedAttribute } from '../../../../shared/domain/screening/attributes/observed-attribute';
import { packObserved } from '../../../../shared/domain/screening/attributes/observed-codec';
import { featureSlot } from '../../../../shared/domain/screening/features';
import { packVector } from '../../../../shared/domain/screening/subjects/feature-vector-codec';
import { learnAttributes } from '../../../../training/engine/learn/learn-attributes';

const HOUR_MS = 3_600_000;
const vector = packVector(new Float32Array(3));
const row = (hour: number, label: 0 | 1, observed: readonly ObservedAttribute[], knownAfter = 7 * 24): TrainingRow => ({
  vector,
  observed: packObserved(observed),
  label,
  screened_at_ms: hour * HOUR_MS,
  labeled_at_ms: (hour + knownAfter) * HOUR_MS,
});
const of = (name: string, bucket: number, number = Number.NaN): ObservedAttribute => ({
  name: `attributes.${name}`,
  bucket,
  number,
});
const random = seededRandom(4);
const colours = [11, 22, 33];
/** Colour 33 is fraud half of the time, the others hardly ever; the order number is new every time. */
const rows = Array.from({ length: 1_000 }, (_, hour) => {
  const colour = colours[Math.floor(random() * 3)] as number;
  const label = random() < (colour === 33 ? 0.5 : 0.02) ? 1 : 0;
  const order = Math.floor(random() * 60_000);
  return row(hour, label, [
    of('colour', colour),
    of('basket', Math.floor(random() * 500), 3 * random()),
    of('order', order),
  ]);
});

describe('what attributes are', () => {
  const { schema, findings, values } = learnAttributes(rows);
  const column = (feature: string) => schema.columns.findIndex((known) => known.feature === feature);

  it('is found out: numbers are numbers, few values are categories, identifiers are nothing', () => {
    expect(findings).toEqual([
      { name: 'attributes.basket', rows: 1000, values: expect.any(Number), made: 'number' },
      { name: 'attributes.colour', rows: 1000, values: 3, made: 'category' },
      { name: 'attributes.order', rows: 1000, values: expect.any(Number), made: 'nothing' },
    ]);
    expect(schema.columns.map(({ feature }) => feature)).toEqual([
      'attr_basket_number',
      'attr_colour_rate',
      'attr_colour_rank',
    ]);
  });

  it.each([
    [true, ['attr_category_rank']],
    [false, ['attr_category_rate', 'attr_category_rank']],
  ])('have no share of fraud of their own where a history has it, up to date: tracked %s', (isTracked, expected) => {
    const seen = new Float32Array(featureSlot('category_tx_24h') + 1).fill(Number.NaN);
    if (isTracked) seen[featureSlot('category_tx_24h')] = 0;
    const sent = rows.map(({ label }, hour) => ({
      ...row(hour, label, [of('category', hour % 3)]),
      vector: packVector(seen),
    }));
    expect(learnAttributes(sent).schema.columns.map(({ feature }) => feature)).toEqual(expected);
  });

  it.each([
    [32, ['attr_shop_rate', 'attr_shop_rank']],
    [33, ['attr_shop_rate']],
  ])(
    'of %i values, tells each apart only where they are few: which were bad once is learned by heart',
    (shops, made) => {
      const visits = rows.map((_, hour) => row(hour, hour % 9 === 0 ? 1 : 0, [of('shop', 100 + (hour % shops))]));
      expect(learnAttributes(visits).schema.columns.map(({ feature }) => feature)).toEqual(made);
    },
  );

  it('goes into the schema as it stands at the end, and a value never seen is missing', () => {
    const into = new Float32Array(3);
    const read = (observed: ObservedAttribute[]) => {
      attributeReader(schema)(observed, into, { lnUsd: Number.NaN });
      return [...into];
    };
    const [, good] = read([of('colour', 11)]);
    const [, bad] = read([of('colour', 33)]);
    expect(bad).toBeGreaterThan(0.4);
    expect(good).toBeLessThan(0.08);
    expect(read([of('colour', 44), of('basket', 1, 2.5)])).toEqual([2.5, Number.NaN, Number.NaN]);
    expect(read([])).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });

  it('knows for each row only the labels that were known when it was screened', () => {
    const rates = values[column('attr_colour_rate')] as Float32Array;
    // No label for a week: every colour has the share that is assumed of all.
    expect(new Set(rates.slice(0, 24 * 7)).size).toBe(1);
    const share = (colour: number, until: number) => {
      const known = rows.slice(0, until - 7 * 24).filter(({ observed }) => observed?.includes(colour));
      return known.reduce((sum, { label }) => sum + label, 0) / known.length;
    };
    const late = rows.findIndex(({ observed }, at) => at > 900 && observed?.includes(33) === true);
    expect(rates[late]).toBeCloseTo(share(33, late), 1);
  });

  it('does not change for earlier rows when later labels change', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 999 }), (cut) => {
        const until = cut * HOUR_MS;
        const changed = rows.map((known) =>
          known.labeled_at_ms > until ? { ...known, label: (1 - known.label) as 0 | 1 } : known,
        );
        const after = learnAttributes(changed);
        after.values.forEach((column, i) => {
          expect(column.slice(0, cut)).toEqual(values[i]?.slice(0, cut));
        });
      }),
      { numRuns: 15 },
    );
  });

  it('gives names that no two attributes share and that LightGBM takes', () => {
    const odd = ['a b', 'a-b', 'ä"b', '日本'];
    const named = learnAttributes(
      Array.from({ length: 200 }, (_, i) =>
        row(
          i,
          i % 5 === 0 ? 1 : 0,
          odd.map((key) => of(key, i % 3)),
        ),
      ),
    );
    const names = named.schema.columns.map(({ feature }) => feature);
    expect(new Set(names).size).toBe(8);
    expect(names.every((name) => /^\w+$/.test(name))).toBe(true);
  });

  it('learns what is usually paid with each value: little can be as unusual as much', () => {
    const AMOUNT = featureSlot('amount_ln_usd');
    const paying = (usd: number) => packVector(new Float32Array(AMOUNT + 1).fill(Math.log(usd), AMOUNT));
    const [FUEL, SHOP] = [1, 2];
    const priced = Array.from({ length: 400 }, (_, i) => ({
      ...row(i, 0, [of('category', i % 2 === 0 ? FUEL : SHOP)]),
      vector: paying(i % 2 === 0 ? 60 + (i % 10) : 10 ** (1 + (i % 21) / 10)),
    }));
    const learned = learnAttributes(priced);
    const at = learned.schema.columns.findIndex(({ kind }) => kind === 'amount');
    const into = new Float32Array(learned.schema.columns.length);
    const read = (bucket: number, usd: number) => {
      attributeReader(learned.schema)([of('category', bucket)], into, { lnUsd: Math.log(usd) });
      return into[at] as number;
    };
    expect(read(FUEL, 10)).toBeLessThan(-5);
    expect(Math.abs(read(SHOP, 10))).toBeLessThan(2);
    expect(Math.abs(read(SHOP, 600))).toBeLessThan(2);
    expect(read(FUEL, 600)).toBeGreaterThan(5);
    expect(read(3, 600)).toBeNaN();
    // Training reads it as a screening does.
    expect(learned.values[at]?.[0]).toBeCloseTo(read(FUEL, 60), 3);
  });

  it('is not led astray by keys that are made up per request', () => {
    const noise = Array.from({ length: 3_000 }, (_, i) => row(i, 0, [of(`key-${i}`, 1), of('colour', i % 2)]));
    expect(learnAttributes(noise).findings.map(({ name }) => name)).toEqual(['attributes.colour']);
  });
});

describe('custom attributes of several accounts', () => {
  const ownRow = (
    account_id: string,
    i: number,
    label: 0 | 1,
    observed: readonly ObservedAttribute[],
  ): TrainingRow => ({
    ...row(i, label, observed),
    account_id,
  });
  const honest = Array.from({ length: 300 }, (_, i) =>
    ownRow('acc_a', i, i % 10 === 0 ? 1 : 0, [of('app', i % 2, Number.NaN), of('size', 1, i % 7)]),
  );
  /** Another account says that the same values are fraud, any number of times. */
  const rival = (count: number, label: 0 | 1) =>
    Array.from({ length: count }, (_, i) =>
      ownRow('acc_b', i, i % 3 === 0 ? 0 : label, [of('app', i % 2), of('size', 1, 3)]),
    );

  const readBy = (rows: readonly TrainingRow[], account_id: string, observed: readonly ObservedAttribute[]) => {
    const { schema } = learnAttributes(rows);
    const into = new Float32Array(schema.columns.length);
    attributeReader(schema)(observed, into, { scope: accountScope(account_id), lnUsd: Number.NaN });
    return Object.fromEntries(schema.columns.map(({ feature }, i) => [feature, into[i]]));
  };

  it('are learnt by each account from its own labels: those of others change nothing', () => {
    const sent = [of('app', 1), of('size', 1, 3)];
    const { attr_app_rate: alone } = readBy(honest, 'acc_a', sent);
    for (const count of [60, 600]) {
      const { attr_app_rate: together } = readBy([...honest, ...rival(count, 1)], 'acc_a', sent);
      expect(together).toBe(alone);
    }
    expect(readBy([...honest, ...rival(600, 1)], 'acc_b', sent).attr_app_rate).toBeGreaterThan(0.5);
  });

  it('say nothing about an account that did not teach them', () => {
    const read = readBy([...honest, ...rival(600, 1)], 'acc_new', [of('app', 1), of('size', 1, 3)]);
    expect(new Set(Object.values(read))).toEqual(new Set([Number.NaN]));
    expect(Object.keys(read)).toEqual(expect.arrayContaining(['attr_app_rate', 'attr_size_number']));
  });
});
