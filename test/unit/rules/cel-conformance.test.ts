import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import { compileTree, type Value } from '../../../shared/domain/rules/compile-tree';
import { check, type ValueType } from '../../../shared/domain/rules/language/check';
import { ExpressionError } from '../../../shared/domain/rules/language/expression-error';

/* The cases of the CEL specification: what our subset accepts must mean the same, the rest must be refused clearly. */

interface Case {
  readonly original: {
    readonly name: string;
    readonly expr: string;
    readonly value?: Readonly<Record<string, unknown>>;
    readonly evalError?: unknown;
    readonly typedResult?: { readonly result?: Readonly<Record<string, unknown>> };
    /** A package to look names up in, which rules do not have. */
    readonly container?: string;
    readonly bindings?: Readonly<Record<string, { readonly value?: Readonly<Record<string, unknown>> }>>;
  };
}
interface Suite {
  readonly name: string;
  readonly tests?: readonly Case[];
  readonly suites?: readonly Suite[];
}

const casesOf = ({ name, tests: own = [], suites = [] }: Suite): { readonly path: string; readonly each: Case }[] => [
  ...own.map((each) => ({ path: `${name}/${each.original.name}`, each })),
  ...suites.flatMap((suite) => casesOf(suite).map(({ path, each }) => ({ path: `${name}/${path}`, each }))),
];

const TYPES: Readonly<Record<string, ValueType>> = {
  int64Value: 'int',
  doubleValue: 'double',
  stringValue: 'string',
  boolValue: 'bool',
};

/** A value of the test data as ours; undefined for types that rules do not have. */
function plain(value: Readonly<Record<string, unknown>> | undefined): { type: ValueType; value: Value } | undefined {
  const [[kind = '', raw] = []] = Object.entries(value ?? {});
  const type = TYPES[kind];
  if (type === undefined) return undefined;
  return { type, value: type === 'int' || type === 'double' ? Number(raw) : (raw as Value) };
}

function outcomeOf({ original }: Case): 'agrees' | 'differs' | 'refused' | 'crashed' {
  const { expr, value, evalError, typedResult, bindings = {}, container } = original;
  const known = new Map(
    Object.entries(container === undefined ? bindings : {}).flatMap(([name, bound]) => {
      const found = plain(bound.value);
      return found === undefined ? [] : [[name, found] as const];
    }),
  );
  try {
    const { tree } = check(expr, { typeOf: (path) => known.get(path.join('.'))?.type, known: () => known.keys() });
    const got = compileTree<null>(tree, {
      read: (name) => () => known.get(name)?.value,
      inList: () => () => false,
    })(null);
    // Where CEL has an error, ours is a missing value.
    if (evalError !== undefined) return got === undefined || Number.isNaN(got) ? 'agrees' : 'differs';
    // A case that says nothing else expects `true`; one about types only says nothing about the value.
    if (typedResult !== undefined && typedResult.result === undefined) return 'agrees';
    const expected = plain(value ?? typedResult?.result ?? { boolValue: true });
    if (expected === undefined) return 'differs';
    return Object.is(got, expected.value) || got === expected.value ? 'agrees' : 'differs';
  } catch (error) {
    const isClear = error instanceof ExpressionError && /^at position \d+.*: \S.{10,}/.test(error.message);
    return isClear ? 'refused' : 'crashed';
  }
}

describe('the cases of the CEL specification', () => {
  const all = casesOf(tests as unknown as Suite);
  const outcomes = all.map(({ path, each }) => ({ path, expr: each.original.expr, outcome: outcomeOf(each) }));
  const count = (wanted: string) => outcomes.filter(({ outcome }) => outcome === wanted).length;

  it('agree where the subset accepts them, and are refused with a position and a reason elsewhere', () => {
    expect(outcomes.filter(({ outcome }) => outcome === 'differs' || outcome === 'crashed')).toEqual([]);
    process.stdout.write(
      `CEL conformance: ${count('agrees')} of ${all.length} cases agree, ${count('refused')} refused\n`,
    );
    expect(all.length).toBeGreaterThan(2_000);
    expect(count('agrees')).toBeGreaterThan(250);
  });
});
