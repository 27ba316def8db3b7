import { buildSync } from 'esbuild';
import fc from 'fast-check';
import type { parseInput as parse } from '../../../shared/http/parse-input';
import type { ROUTES as Routes } from '../../../shared/routes';
import { sized } from '../../support/sized';

const ROOT = `${__dirname}/../../..`;
const RUNS = sized(2_000, 150);

interface Schema {
  readonly _zod: { readonly def: Readonly<Record<string, unknown>> };
  safeParse(value: unknown): { readonly data?: unknown; readonly error?: { readonly issues: readonly object[] } };
}

interface Loaded {
  readonly ROUTES: typeof Routes;
  readonly parseInput: typeof parse;
  readonly afd: Readonly<Record<string, Schema>>;
  readonly screenedSubject: (kind: string, body: object, type?: object) => { readonly issues?: readonly object[] };
  readonly schemaFault: (issue: object, value: unknown, rootName: string) => object;
}

/** What functions do with schemas, on top of the package or of what stands in for it in bundles. */
function load(alias: Record<string, string>): Loaded {
  const contents = `
    export { ROUTES } from './shared/routes';
    export { parseInput } from './shared/http/parse-input';
    export { schemaFault } from './shared/http/faults';
    export { screenedSubject } from './shared/schemas/screened-subject';
    export * as afd from './shared/schemas/afd';`;
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    ...{ bundle: true, platform: 'node', format: 'cjs', write: false, alias },
  });
  const module = { exports: {} };
  new Function('module', 'exports', 'require', outputFiles[0]?.text ?? '')(module, module.exports, require);
  return module.exports as Loaded;
}

const theirs = load({});
const ours = load({ 'zod/mini': `${ROOT}/shared/runtime/stand-ins/zod-mini.ts` });

const LENGTHS = [1, 63, 64, 65, 128, 129, 256, 257, 512, 513, 2_001, 4_001];
const TEXTS = [
  ...[
    'USD',
    'eur',
    'ZZZ',
    'de',
    '1.2.3.4',
    '::1',
    '300.1.1.1',
    '2026-11-14',
    '2026-02-30',
    '2026-11-14T00:00:00Z',
    '7',
  ],
  ...['card_fingerprint', 'attribute:x', 'attr.x', 'user_id', 'txn_01JCKZ3V5M0000000000000000', 'name-1', '\u200b', ''],
  ...LENGTHS.flatMap((length) => ['x'.repeat(length), '😀'.repeat(length)]),
  ...['\ud800', '__proto__', 'constructor', '12'],
];
const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string());
const figure = fc.oneof(
  fc.integer({ min: -2, max: 101 }),
  fc.double({ noNaN: true }),
  fc.constantFrom(2 ** 60, -(2 ** 60)),
);
const junk = fc.oneof(text, figure, fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 3 }), fc.object());

/** Values that a schema takes, nearly takes, or has never seen. */
function near({ _zod: { def } }: Schema): fc.Arbitrary<unknown> {
  const likely = (): fc.Arbitrary<unknown> => {
    const { shape, element, innerType, entries, valueType } = def as {
      readonly shape: Readonly<Record<string, Schema>>;
      readonly element: Schema;
      readonly innerType: Schema;
      readonly valueType: Schema;
      readonly entries: Readonly<Record<string, string>>;
    };
    switch (def.type) {
      case 'object': {
        const members = Object.entries(shape).map(([name, member]) => [name, near(member)]);
        const known = fc.record(Object.fromEntries(members), { requiredKeys: [] });
        const whole = fc.record(Object.fromEntries(members));
        const other = fc.dictionary(fc.oneof(text, fc.constantFrom('userid', 'Amount')), junk, { maxKeys: 2 });
        return fc.tuple(fc.oneof(whole, known), other).map(([one, more]) => ({ ...more, ...one }));
      }
      case 'array':
        return fc.array(near(element), { maxLength: 5 });
      case 'optional':
      case 'nullable':
        return fc.oneof({ weight: 6, arbitrary: near(innerType) }, fc.constantFrom(null, undefined));
      case 'record':
        return fc.dictionary(text, near(valueType), { maxKeys: 60 });
      case 'enum':
        return fc.constantFrom(...Object.values(entries));
      case 'boolean':
        return fc.boolean();
      case 'number':
        return figure;
      default:
        return text;
    }
  };
  return fc.oneof({ weight: 12, arbitrary: likely() }, { weight: 1, arbitrary: junk });
}

/** As a request has it: without what JSON cannot say. */
const sent = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

function outcome(run: () => unknown): string {
  try {
    return JSON.stringify(run());
  } catch (error) {
    const { code, message, details } = error as { code?: string; message: string; details?: object };
    return JSON.stringify({ code, message, details });
  }
}

const same = (arbitrary: fc.Arbitrary<unknown>, run: (loaded: Loaded, value: never) => unknown): void =>
  fc.assert(
    fc.property(arbitrary, (value) => {
      const plain = sent(value) as never;
      expect(outcome(() => run(ours, plain))).toBe(outcome(() => run(theirs, plain)));
    }),
    { numRuns: RUNS },
  );

const parts = theirs.ROUTES.flatMap((route, at) =>
  (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = (route as unknown as Readonly<Record<string, unknown>>)[part] as Schema | undefined;
    return schema ? [[`${part} of ${route.operation}`, at, part, schema] as const] : [];
  }),
);

describe('schemas of the bundles', () => {
  it.each(parts)('%s: the same input, faults and warnings', (_name, at, part, schema) => {
    same(near(schema), ({ ROUTES, parseInput }, value) => {
      const route = ROUTES[at] as (typeof ROUTES)[number];
      const texts = Object.fromEntries(Object.entries(value ?? {}).map(([name, each]) => [name, String(each)]));
      const path = route.path.replace(/\{(\w+)\}/g, (_, name) =>
        encodeURIComponent((texts[name] ?? 'x').toWellFormed()),
      );
      const event = {
        path: part === 'params' ? path : route.path,
        queryStringParameters: part === 'query' ? texts : null,
        body: part === 'body' ? value : {},
      };
      const only = { ...route, params: undefined, query: undefined, body: undefined, [part]: (route as never)[part] };
      return parseInput(only as never, event as never);
    });
  });

  it.each(Object.keys(theirs.afd))('%s of the other API: the same input and faults', (name) => {
    same(near(theirs.afd[name] as Schema), ({ afd, schemaFault }, value) => {
      const { data, error } = (afd[name] as Schema).safeParse(value);
      return error ? error.issues.map((issue) => schemaFault(issue, value, 'body')) : data;
    });
  });

  it.each(['transaction', 'login', 'unheard_of'])(
    'a line of a history of kind %s: the same subject or faults',
    (kind) => {
      const body = theirs.ROUTES.find(({ operation }) => operation === 'screen-transaction') as unknown as {
        body: Schema;
      };
      same(near(body.body), ({ screenedSubject, schemaFault }, value) => {
        if (typeof value !== 'object' || value === null) return undefined;
        const { issues, ...subject } = screenedSubject(kind, value);
        return issues ? issues.map((issue) => schemaFault(issue, value, 'body')) : subject;
      });
    },
  );
});
