/*
 * Stands in for `zod/mini` in bundles (lib/bundling): the schemas of requests, with the same results and issues, for a tenth of the
 * code and of the time that a start takes. What only responses have is never called in a function.
 */

/** What is wrong with a value; checks that follow still run if it `goesOn`. */
interface Issue {
  readonly code: string;
  readonly path: PropertyKey[];
  readonly message: string;
  readonly goesOn?: true;
}

type Read = (value: unknown, issues: Issue[]) => unknown;

interface Check {
  /** A length is checked of whatever has one. */
  readonly isOfAny?: true;
  readonly maximum?: number;
  readonly run: Read;
}

interface Definition {
  readonly type: string;
  readonly shape?: Shape;
  readonly element?: Schema;
  readonly innerType?: Schema;
}

const INVALID = 'Invalid input';

const issue = (code: string, more: object, message = INVALID): Issue => ({ code, path: [], message, ...more });

const wrongType = (expected: string): Issue => issue('invalid_type', { expected });

class Schema {
  constructor(
    private readonly def: Definition,
    private readonly read: Read,
    readonly isOptional = false,
    private readonly checks: readonly Check[] = [],
  ) {}

  get _zod(): { readonly def: Definition } {
    return { def: this.def };
  }

  check(...checks: readonly Check[]): Schema {
    return new Schema(this.def, this.read, this.isOptional, [...this.checks, ...checks]);
  }

  /** A list that is too long is refused before its entries are read. */
  private lengthFault(value: unknown): Check | undefined {
    if (!this.def.element || !Array.isArray(value)) return undefined;
    const end = this.checks.findIndex(({ isOfAny }) => !isOfAny);
    const leading = end === -1 ? this.checks : this.checks.slice(0, end);
    return leading.find(({ maximum = Number.POSITIVE_INFINITY }) => value.length > maximum);
  }

  run(value: unknown, issues: Issue[]): unknown {
    const fault = this.lengthFault(value);
    if (fault) return fault.run(value, issues);
    let seen = issues.length;
    let result = this.read(value, issues);
    let isSound = true;
    for (const { isOfAny, run } of this.checks) {
      for (; seen < issues.length; seen++) isSound &&= issues[seen]?.goesOn === true;
      if (isSound || isOfAny) result = run(result, issues);
    }
    return result;
  }

  /** The value of a member or an entry, whose name comes first in the path of what is wrong with it. */
  runAt(name: PropertyKey, value: unknown, issues: Issue[]): unknown {
    const from = issues.length;
    const result = this.run(value, issues);
    for (let at = from; at < issues.length; at++) issues[at]?.path.unshift(name);
    return result;
  }

  safeParse(value: unknown) {
    const issues: Issue[] = [];
    const data = this.run(value, issues);
    return issues.length === 0 ? { success: true, data } : { success: false, error: { issues } };
  }
}

type Shape = Readonly<Record<string, Schema>>;

const testing =
  (holds: (value: never) => boolean, code: string, more: object = {}, message?: string): Read =>
  (value, issues) => {
    if (!holds(value as never)) issues.push(issue(code, { ...more, goesOn: true }, message));
    return value;
  };

const typed = (type: string, holds: (value: unknown) => boolean) => (): Schema =>
  new Schema({ type }, (value, issues) => {
    if (!holds(value)) issues.push(wrongType(type));
    return value;
  });

export const string = typed('string', (value) => typeof value === 'string');
export const number = typed('number', Number.isFinite);
export const boolean = typed('boolean', (value) => typeof value === 'boolean');
export const any = typed('any', () => true);

export const int = (): Schema =>
  number().check({
    run: (value, issues) => {
      if (!Number.isInteger(value)) issues.push(wrongType('int'));
      else if (!Number.isSafeInteger(value)) {
        const [code, bound] = (value as number) > 0 ? ['too_big', 'maximum'] : ['too_small', 'minimum'];
        const most = { [bound as string]: Math.sign(value as number) * Number.MAX_SAFE_INTEGER };
        issues.push(issue(code as string, { origin: 'int', ...most, inclusive: true, goesOn: true }));
      }
      return value;
    },
  });

const oneOf = (type: string, values: readonly unknown[]): Schema =>
  new Schema({ type }, (value, issues) => {
    if (!values.includes(value)) issues.push(issue('invalid_value', { values }));
    return value;
  });

const enumOf = (values: readonly string[]): Schema => oneOf('enum', values);

export { enumOf as enum };
export const literal = (value: unknown): Schema => oneOf('literal', [value]);

export const optional = (innerType: Schema): Schema =>
  new Schema(
    { type: 'optional', innerType },
    (value, issues) => (value === undefined ? value : innerType.run(value, issues)),
    true,
  );

export const nullable = (innerType: Schema): Schema =>
  new Schema(
    { type: 'nullable', innerType },
    (value, issues) => (value === null ? value : innerType.run(value, issues)),
    innerType.isOptional,
  );

export const nullish = (innerType: Schema): Schema => optional(nullable(innerType));

export const array = (element: Schema): Schema =>
  new Schema({ type: 'array', element }, (value, issues) => {
    if (Array.isArray(value)) return value.map((entry, at) => element.runAt(at, entry, issues));
    issues.push(wrongType('array'));
    return value;
  });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readMembers(shape: Shape, input: Record<string, unknown>, issues: Issue[]): Record<string, unknown> {
  const output: Record<string, unknown> = {};
  for (const name in shape) {
    const member = shape[name] as Schema;
    const isSent = name in input;
    if (!isSent && member.isOptional) continue;
    const value = member.runAt(name, input[name], issues);
    if (isSent) output[name] = value;
  }
  return output;
}

const objectOf = (shape: Shape, isLoose: boolean): Schema =>
  new Schema({ type: 'object', shape }, (value, issues) => {
    if (!isObject(value)) {
      issues.push(wrongType('object'));
      return value;
    }
    const output = readMembers(shape, value, issues);
    if (isLoose)
      for (const name of Object.keys(value))
        if (name !== '__proto__' && !Object.hasOwn(shape, name)) output[name] = value[name];
    return output;
  });

export const object = (shape: Shape): Schema => objectOf(shape, false);
export const looseObject = (shape: Shape): Schema => objectOf(shape, true);
export const extend = ({ _zod: { def } }: Schema, shape: Shape): Schema => object({ ...def.shape, ...shape });

export const record = (keys: Schema, values: Schema): Schema =>
  new Schema({ type: 'record' }, (value, issues) => {
    if (!isObject(value)) {
      issues.push(wrongType('record'));
      return value;
    }
    const output: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      if (name === '__proto__') continue;
      const wrong: Issue[] = [];
      keys.run(name, wrong);
      if (wrong.length > 0) issues.push(issue('invalid_key', { path: [name], issues: wrong }));
      else output[name] = values.runAt(name, value[name], issues);
    }
    return output;
  });

export const refine = (holds: (value: never) => boolean, message?: string): Check => ({
  run: testing(holds, 'custom', {}, message),
});
export const regex = (pattern: RegExp, message?: string): Check => ({
  run: testing((text: string) => pattern.test(text), 'invalid_format', {}, message),
});
export const toUpperCase = (): Check => ({ run: (text) => (text as string).toUpperCase() });

export const gt = (minimum: number): Check => ({
  run: testing((value: number) => value > minimum, 'too_small', { minimum, inclusive: false }),
});
export const gte = (minimum: number): Check => ({
  run: testing((value: number) => value >= minimum, 'too_small', { minimum, inclusive: true }),
});
export const lte = (maximum: number): Check => ({
  run: testing((value: number) => value <= maximum, 'too_big', { maximum, inclusive: true }),
});

/** Characters, not halves of pairs of them. */
const lengthOf = (value: string | readonly unknown[]): number =>
  typeof value === 'string' && /[\ud800-\udbff]/.test(value) ? [...value].length : value.length;

const lengthCheck = (
  holds: (length: number) => boolean,
  code: string,
  bound: { maximum?: number },
  message?: string,
) => ({
  ...bound,
  isOfAny: true as const,
  run: (value: unknown, issues: Issue[]): unknown => {
    const measured = value as string | readonly unknown[] | null | undefined;
    if (measured?.length === undefined || holds(lengthOf(measured))) return value;
    const origin = Array.isArray(value) ? 'array' : typeof value === 'string' ? 'string' : 'unknown';
    issues.push(issue(code, { ...bound, origin, inclusive: true, goesOn: true }, message));
    return value;
  },
});
export const minLength = (minimum: number, message?: string): Check =>
  lengthCheck((length) => length >= minimum, 'too_small', { minimum } as object, message);
export const maxLength = (maximum: number, message?: string): Check =>
  lengthCheck((length) => length <= maximum, 'too_big', { maximum }, message);

const ofResponses = (): never => {
  throw new Error('a function never builds the schema of its response');
};
export const omit = ofResponses;
export const iso = { datetime: ofResponses };
