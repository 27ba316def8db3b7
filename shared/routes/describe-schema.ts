import fields from './field-descriptions.json';

type Json = Record<string, unknown>;

/**
 * The meaning of each field of the API: by its name, or by the name of the object around it and its own where that differs.
 * Apart from the schemas, so that no function carries the texts. A test names a field that is missing there.
 */
const DESCRIPTIONS: Readonly<Record<string, string>> = fields.descriptions;
/** Examples of fields that no example of an operation has. */
const EXAMPLES: Json = fields.examples;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const schemasIn = (value: unknown): Json => (isObject(value) ? value : {});

/** Fields that no schema checks, because whether they are looked at depends on what the account has declared. */
const CHECKED_LATER: Readonly<Record<string, Json>> = {
  amount: { type: 'number', exclusiveMinimum: 0, maximum: 1e12 },
  currency: { type: 'string' },
};

/** The description of a field: by the object around it and its own name, or by its name alone. */
const meaningOf = (name: string, around: string): string | undefined =>
  DESCRIPTIONS[`${around}.${name}`] ?? DESCRIPTIONS[name];

const rareExample = (name: string, around: string): unknown => {
  const own = `${around}.${name}`;
  return EXAMPLES[Object.hasOwn(EXAMPLES, own) ? own : name];
};

/**
 * The schema with a description and an example for every property. Examples are those of the operation, so that one test
 * holds both to what the service returns.
 */
export function describeSchema(schema: Json, around: string, example?: unknown): Json {
  const described = { ...schema };
  if (Array.isArray(schema.anyOf)) {
    described.anyOf = schema.anyOf.map((each) => describeSchema(schemasIn(each), around, example));
  }
  if (isObject(schema.items)) {
    const entries = Array.isArray(example) ? example.filter(isObject) : [];
    described.items = describeSchema(schema.items, around, Object.assign({}, ...entries.toReversed()));
  }
  if (isObject(schema.additionalProperties)) {
    const [first] = Object.values(schemasIn(example));
    described.additionalProperties = describeSchema(schema.additionalProperties, around, first);
  }
  if (isObject(schema.properties)) {
    const given = schemasIn(example);
    described.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, member]) => {
        const value = Object.hasOwn(given, name) ? given[name] : rareExample(name, around);
        const sent = schemasIn(member);
        const inner = describeSchema(
          Object.keys(sent).length === 0 ? (CHECKED_LATER[name] ?? sent) : sent,
          name,
          value,
        );
        const description = inner.description ?? meaningOf(name, around);
        const examples = value === undefined ? exampleIn(inner) : [value];
        return [name, { ...(description ? { description } : {}), ...inner, ...(examples ? { examples } : {}) }];
      }),
    );
  }
  return described;
}

/** An example for a field without one: the first of a few values. */
function exampleIn({ enum: values, const: value, type }: Json): unknown[] | undefined {
  if (Array.isArray(values)) return [values[0]];
  if (value !== undefined) return [value];
  return type === 'boolean' ? [false] : undefined;
}
