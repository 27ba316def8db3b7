import fc from 'fast-check';

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema is whatever the document says.
type Schema = any;

/** Values that hurt, by the architecture's list of traps and years of bug reports. */
const TRAPS: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e-300,
  2 ** 60,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\uffff',
  '𝕏'.repeat(200),
  'a'.repeat(3000),
  "'; DROP TABLE x; --",
  '{{7*7}}',
  '../../etc/passwd',
  '__proto__',
  [],
  {},
  [[[[[]]]]],
  { constructor: 1 },
  { a: { b: { c: {} } } },
];

/** A value of a JSON Schema, as far as our own schemas go. */
export function valid(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valid));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'string':
      return schema.examples ? fc.oneof(fc.constantFrom(...schema.examples), text(schema)) : text(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1) });
    case 'number':
      return fc.double({
        min: schema.exclusiveMinimum ?? schema.minimum ?? 0.01,
        max: schema.maximum ?? 1e6,
        noNaN: true,
      });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valid(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 8 });
    case 'object':
      return schema.properties ? object(schema) : fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.string());
    default:
      return fc.jsonValue();
  }
}

/** Of a name that never resolves: what is registered is delivered to, and nobody else's server is ours to test. */
const nobodysUrl = fc
  .webUrl({ validSchemes: ['https'], withQueryParameters: true })
  .map((url) => url.replace(/^https:\/\/[^/?#]+/, 'https://receiver.example'));

function text({ minLength = 0, maxLength = 60, pattern }: Schema): fc.Arbitrary<string> {
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  const plain = fc.string({ minLength, maxLength: Math.min(maxLength, 60) });
  const unicode = fc.string({ minLength, maxLength: Math.min(maxLength, 40), unit: 'grapheme' });
  return fc.oneof(nobodysUrl, plain, unicode);
}

/** Values that must be more than their schema can say: without these nothing that names an address would ever be screened. */
const BY_NAME: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  ip_address: fc.oneof(fc.ipV4(), fc.ipV6()),
  currency: fc.constantFrom('EUR', 'USD', 'JPY', 'KWD'),
  country: fc.constantFrom('DE', 'US', 'BR', 'IN'),
};

function object({ properties, required = [] }: Schema): fc.Arbitrary<object> {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, BY_NAME[name] ?? valid(member)]),
  );
  return fc.record(members, { requiredKeys: required });
}

/** Something close to a valid value, or nowhere near it. */
export function broken(schema: Schema): fc.Arbitrary<unknown> {
  const trap = fc.constantFrom(...TRAPS);
  const names = Object.keys(schema.properties ?? {});
  if (names.length === 0) return fc.oneof(trap, fc.jsonValue());
  const name = fc.constantFrom(...names);
  const base = object(schema) as fc.Arbitrary<Record<string, unknown>>;
  return fc.oneof(
    fc.tuple(base, name, fc.oneof(trap, fc.jsonValue())).map(([value, key, wrong]) => ({ ...value, [key]: wrong })),
    fc.tuple(base, name).map(([value, key]) => Object.fromEntries(Object.entries(value).filter(([k]) => k !== key))),
    fc.tuple(base, fc.string(), fc.jsonValue()).map(([value, key, extra]) => ({ ...value, [`x${key}`]: extra })),
    trap,
    fc.jsonValue(),
  );
}
