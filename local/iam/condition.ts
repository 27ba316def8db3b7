/** The request's condition keys with their values; a key that is absent from the request has no entry. */
export type RequestContext = Readonly<Record<string, readonly string[]>>;

export type PolicyCondition = (context: RequestContext) => boolean;

type Match = (actual: string, expected: string) => boolean;

const numeric =
  (compare: (left: number, right: number) => boolean): Match =>
  (actual, expected) =>
    compare(Number(actual), Number(expected));

const not =
  (match: Match): Match =>
  (actual, expected) =>
    !match(actual, expected);

const like: Match = (actual, expected) => wildcard(expected).test(actual);
const equal: Match = (actual, expected) => actual === expected;
const equalIgnoringCase: Match = (actual, expected) => actual.toLowerCase() === expected.toLowerCase();

const OPERATORS: Readonly<Record<string, Match>> = {
  StringEquals: equal,
  StringNotEquals: not(equal),
  StringEqualsIgnoreCase: equalIgnoringCase,
  StringNotEqualsIgnoreCase: not(equalIgnoringCase),
  StringLike: like,
  StringNotLike: not(like),
  ArnEquals: like,
  ArnLike: like,
  ArnNotEquals: not(like),
  ArnNotLike: not(like),
  Bool: equalIgnoringCase,
  NumericEquals: numeric((left, right) => left === right),
  NumericNotEquals: numeric((left, right) => left !== right),
  NumericLessThan: numeric((left, right) => left < right),
  NumericLessThanEquals: numeric((left, right) => left <= right),
  NumericGreaterThan: numeric((left, right) => left > right),
  NumericGreaterThanEquals: numeric((left, right) => left >= right),
};

/** The condition keys that the front fills in; the result of a policy with any other key would be a guess. */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  'dynamodb:leadingkeys',
  'dynamodb:attributes',
  'dynamodb:select',
  'dynamodb:returnvalues',
  'dynamodb:enclosingoperation',
  's3:prefix',
  'aws:securetransport',
  'aws:sourceaccount',
  'aws:principalaccount',
  'aws:resourceaccount',
]);

/** Keys with several values: they are compared with a set operator only. */
const MULTIVALUED: ReadonlySet<string> = new Set(['dynamodb:leadingkeys', 'dynamodb:attributes']);

const isNegated = (operator: string): boolean => operator.includes('Not');

function compileOperator(name: string, key: string, expected: readonly string[]): PolicyCondition {
  const lowerKey = key.toLowerCase();
  if (!KNOWN_KEYS.has(lowerKey)) throw new Error(`the condition key ${key} is not emulated`);
  const [, quantifier, base = '', ifExists] = /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/.exec(name) ?? [];
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
  if (MULTIVALUED.has(lowerKey) && !quantifier && base !== 'Null') {
    throw new Error(`${key} has several values, so ${name} needs ForAllValues: or ForAnyValue: before it`);
  }
  // `IfExists` holds without the key, `ForAnyValue` does not, and AWS does not say which of them wins.
  if (quantifier === 'ForAnyValue' && ifExists) throw new Error(`${name} contradicts itself where ${key} is absent`);
  if (base === 'Null') return (context) => String(context[lowerKey] === undefined) === expected[0];
  const match = OPERATORS[base];
  if (!match) throw new Error(`unknown condition operator ${name}`);
  // A negated operator must hold against every listed value, a positive one against any.
  const accepts = (actual: string): boolean =>
    isNegated(base) ? expected.every((value) => match(actual, value)) : expected.some((value) => match(actual, value));
  return (context) => {
    const actual = context[lowerKey];
    if (quantifier === 'ForAllValues') return (actual ?? []).every(accepts);
    if (actual === undefined) return ifExists !== undefined || (quantifier === undefined && isNegated(base));
    return quantifier === 'ForAnyValue' ? actual.some(accepts) : actual.length === 1 && accepts(actual[0] ?? '');
  };
}

const asStrings = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [value]).map(String);

/** A policy's condition block as one predicate (all operators and keys must hold); throws on what it does not support. */
export function compilePolicyCondition(
  block: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): PolicyCondition {
  const parts = Object.entries(block).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, expected]) => compileOperator(operator, key, asStrings(expected))),
  );
  return (context) => parts.every((holds) => holds(context));
}

/** IAM's wildcards: `*` any run of characters, `?` exactly one. */
export function wildcard(pattern: string, flags = ''): RegExp {
  const escaped = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${escaped}$`, `s${flags}`);
}
