/** Whether an event passes a filter pattern. */
export type Filter = (event: unknown) => boolean;

type Test = (value: unknown) => boolean;
type Pattern = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Pattern =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';

const COMPARISONS: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '=': (left, right) => left === right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

function numeric(terms: unknown): Test {
  if (!Array.isArray(terms) || terms.length === 0 || terms.length % 2 !== 0)
    throw new Error('numeric needs pairs of operator and number');
  const tests = Array.from({ length: terms.length / 2 }, (_none, index) => {
    const compare = COMPARISONS[String(terms[2 * index])];
    const limit: unknown = terms[2 * index + 1];
    if (!compare || typeof limit !== 'number') throw new Error(`numeric does not know ${JSON.stringify(terms)}`);
    return (value: number) => compare(value, limit);
  });
  // DynamoDB writes its numbers as strings, and Lambda compares them as numbers all the same.
  return (value) => {
    const number = isText(value) && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && tests.every((test) => test(number));
  };
}

function anythingBut(argument: unknown): Test {
  if (isObject(argument)) {
    const test = matcher(argument);
    return (value) => value !== undefined && !test(value);
  }
  const excluded: readonly unknown[] = Array.isArray(argument) ? argument : [argument];
  return (value) => value !== undefined && !excluded.includes(value);
}

const text = (argument: unknown, name: string): string => {
  if (!isText(argument)) throw new Error(`${name} needs a string`);
  return argument;
};

function matcher(pattern: unknown): Test {
  if (!isObject(pattern)) return (value) => value === pattern;
  const [name, argument] = Object.entries(pattern)[0] ?? [];
  switch (Object.keys(pattern).length === 1 ? name : undefined) {
    case 'prefix': {
      const prefix = text(argument, 'prefix');
      return (value) => isText(value) && value.startsWith(prefix);
    }
    case 'suffix': {
      const suffix = text(argument, 'suffix');
      return (value) => isText(value) && value.endsWith(suffix);
    }
    case 'equals-ignore-case': {
      const wanted = text(argument, 'equals-ignore-case').toLowerCase();
      return (value) => isText(value) && value.toLowerCase() === wanted;
    }
    case 'anything-but':
      return anythingBut(argument);
    case 'exists':
      return (value) => (value !== undefined) === (argument === true);
    case 'numeric':
      return numeric(argument);
    default:
      throw new Error(`the filter ${JSON.stringify(pattern)} is not known`);
  }
}

function anyOf(patterns: readonly unknown[]): Test {
  const tests = patterns.map(matcher);
  return (value) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.some((member) => tests.some((test) => test(member)));
  };
}

function compileObject(pattern: Pattern): Test {
  const tests = Object.entries(pattern).map(([key, part]): Test => {
    if (key === '$or' && Array.isArray(part)) {
      const choices = part.map((choice) => compileObject(choice as Pattern));
      return (value) => choices.some((choice) => choice(value));
    }
    const test = Array.isArray(part) ? anyOf(part) : isObject(part) ? compileObject(part) : undefined;
    if (!test) throw new Error(`the filter at ${key} must be a list or an object`);
    return (value) => test(isObject(value) ? value[key] : undefined);
  });
  return (value) => tests.every((test) => test(value));
}

interface FilterCriteria {
  readonly Filters?: readonly { readonly Pattern?: string }[];
}

/** The filters of an event source mapping (one of them must match); throws on a matcher it does not know. */
export function compileFilters(criteria: FilterCriteria | undefined): Filter {
  const filters = (criteria?.Filters ?? []).map(({ Pattern: source = '{}' }) =>
    compileObject(JSON.parse(source) as Pattern),
  );
  return filters.length === 0 ? () => true : (event) => filters.some((filter) => filter(event));
}

/** SQS bodies are text: a pattern on their members needs them parsed, and a body that is not JSON is compared as text. */
export function filterableMessage<T extends { readonly body: string }>(record: T): unknown {
  try {
    return { ...record, body: JSON.parse(record.body) as unknown };
  } catch {
    return record;
  }
}
