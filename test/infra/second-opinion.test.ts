import { runSimulation } from '@cloud-copilot/iam-simulate';
import fc from 'fast-check';
import {
  type AccessDecision,
  compilePolicy,
  evaluate,
  type PolicyDocument,
  type RequestContext,
  type StatementDocument,
} from '../../local/iam/roles';
import { loadAssembly } from '../../local/template/load-assembly';
import { resolveStacks } from '../../local/template/resolve-stack';
import { patient } from '../support/patience';
import { assemblyUnderTest } from '../support/synthesize-once';

/*
 * Our own evaluation of policies, which every local run enforces, next to another implementation of IAM's rules. It is used
 * here and nowhere else: its licence (AGPL) does not reach what we ship.
 */
jest.setTimeout(patient(60_000));

const ACCOUNT = '000000000000';
const OPINIONS: Readonly<Record<string, AccessDecision>> = {
  Allowed: 'allowed',
  ImplicitlyDenied: 'not allowed',
  ExplicitlyDenied: 'explicitly denied',
};

interface Asked {
  readonly action: string;
  readonly resource: string;
  readonly context: RequestContext;
}

const ours = (document: PolicyDocument, { action, resource, context }: Asked): AccessDecision =>
  evaluate(compilePolicy(document), { action, resource, context: () => lowerCased(context) });

const lowerCased = (context: RequestContext): RequestContext =>
  Object.fromEntries(Object.entries(context).map(([key, values]) => [key.toLowerCase(), values]));

async function theirs(
  document: PolicyDocument,
  { action, resource, context }: Asked,
): Promise<AccessDecision | string> {
  const single = Object.entries({ 'aws:SecureTransport': ['true'], ...context }).map(([key, values]) => [
    key,
    MULTIPLE.has(key) ? [...values] : values[0],
  ]);
  const answer = await runSimulation(
    {
      request: {
        principal: `arn:aws:iam::${ACCOUNT}:role/function`,
        action,
        resource: { resource, accountId: ACCOUNT },
        contextVariables: Object.fromEntries(single),
      },
      identityPolicies: [{ name: 'policy', policy: { Version: '2012-10-17', ...document } }],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  );
  if (answer.resultType === 'error') return JSON.stringify(answer.errors);
  return OPINIONS[answer.overallResult] ?? answer.overallResult;
}

/** Keys with several values; the rest have one. */
const MULTIPLE: ReadonlySet<string> = new Set(['dynamodb:LeadingKeys', 'dynamodb:Attributes']);
const list = <T>(value: T | readonly T[] | undefined): readonly T[] => [value ?? []].flat() as T[];
/** Something that a pattern stands for. */
const example = (pattern: string): string =>
  pattern
    .replace(/(:log-group:.*):\*$/, '$1:log-stream:a1')
    .replaceAll('*', 'a1')
    .replaceAll('?', 'b');

/** Questions about a statement: what it grants, with every kind of key, and what is next to it. */
function questionsAbout(statement: StatementDocument): readonly Asked[] {
  const keys = Object.values(statement.Condition ?? {}).flatMap((block) =>
    list(block['dynamodb:LeadingKeys'] as string[]),
  );
  const prefixes = Object.values(statement.Condition ?? {}).flatMap((block) => list(block['s3:prefix'] as string[]));
  const contexts: readonly RequestContext[] = [
    {},
    ...keys.map((key) => ({ 'dynamodb:LeadingKeys': [example(key)] })),
    ...(keys.length > 0
      ? [
          { 'dynamodb:LeadingKeys': keys.map(example) },
          { 'dynamodb:LeadingKeys': ['OTHER#1'] },
          { 'dynamodb:LeadingKeys': [example(keys[0] ?? ''), 'OTHER#1'] },
        ]
      : []),
    ...prefixes.flatMap((prefix) => [{ 's3:prefix': [example(prefix)] }, { 's3:prefix': ['elsewhere/'] }]),
  ];
  // The other one takes ListStreams on `*` only. AWS's own policy for Lambda names the stream:
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/iam-policy-example-lamda-process-dynamodb-streams.html
  const actions = list(statement.Action).filter((action) => action !== 'dynamodb:ListStreams');
  return actions.flatMap((action) =>
    list(statement.Resource).flatMap((resource) =>
      contexts.flatMap((context) => [
        { action: example(action), resource: resource === '*' ? resource : example(resource), context },
        ...(resource === '*' ? [] : [{ action: example(action), resource: `${example(resource)}x`, context }]),
      ]),
    ),
  );
}

describe('two implementations of IAM', () => {
  const stacks = resolveStacks(loadAssembly(assemblyUnderTest(), 'FraudScreening-sandbox'), 'http://localhost:1');
  const policies = stacks
    .ofType('AWS::IAM::Policy', 'AWS::IAM::Role')
    .filter(({ name }) => !/^Custom/.test(name))
    .flatMap(({ logicalId, properties }) => {
      const inline = (properties.Policies ?? [properties]) as readonly { PolicyDocument?: PolicyDocument }[];
      return inline.flatMap(({ PolicyDocument: document }) => (document ? [{ logicalId, document }] : []));
    });

  it('decide alike about every policy of our templates', async () => {
    let asked = 0;
    const apart: unknown[] = [];
    for (const { logicalId, document } of policies) {
      for (const question of list(document.Statement).flatMap((statement) =>
        questionsAbout(statement as StatementDocument),
      )) {
        const [one, other] = [ours(document, question), await theirs(document, question)];
        asked += 1;
        if (one !== other) apart.push({ logicalId, ...question, one, other });
      }
    }
    expect(apart).toEqual([]);
    expect(asked).toBeGreaterThan(300);
  });

  const TABLE = `arn:aws:dynamodb:us-east-1:${ACCOUNT}:table/`;
  const text = fc.constantFrom('a', 'A', 'ab', 'a*', '*', 'a?', '?b', '', 'a.b', '1', '10', '2.5', 'true', 'false');
  const base = fc.constantFrom(
    ...['StringEquals', 'StringEqualsIgnoreCase', 'StringLike'].flatMap((name) => [
      name,
      name.replace('String', 'StringNot'),
    ]),
  );
  const ending = fc.constantFrom('', 'IfExists');
  const texts = fc.array(text, { minLength: 1, maxLength: 3 });
  const ofSeveral = fc
    .tuple(fc.constantFrom('ForAllValues:', 'ForAnyValue:'), base, texts)
    .map(([quantifier, name, values]) => [`${quantifier}${name}`, { 'dynamodb:LeadingKeys': values }] as const);
  const ofOne = fc
    .tuple(base, ending, texts)
    .map(([name, end, values]) => [`${name}${end}`, { 'aws:SourceAccount': values }] as const);
  const condition = fc.array(fc.oneof(ofSeveral, ofOne), { maxLength: 2 }).map((parts) => Object.fromEntries(parts));
  const statement = fc.record({
    Effect: fc.constantFrom('Allow' as const, 'Deny' as const),
    Action: fc.subarray(
      ['dynamodb:GetItem', 'dynamodb:Get*', 'dynamodb:*', 'DynamoDB:putitem', 'dynamodb:?etItem', '*'],
      { minLength: 1 },
    ),
    Resource: fc.subarray([`${TABLE}one`, `${TABLE}o*`, `${TABLE}???`, `${TABLE}*`, '*'], { minLength: 1 }),
    Condition: condition,
  });
  const question = fc.record({
    action: fc.constantFrom('dynamodb:GetItem', 'dynamodb:PutItem'),
    resource: fc.constantFrom(`${TABLE}one`, `${TABLE}two`, `${TABLE}three`),
    context: fc.record(
      { 'dynamodb:LeadingKeys': texts, 'aws:SourceAccount': text.map((each) => [each]) },
      { requiredKeys: [] },
    ),
  });

  it('decide alike about any policy', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { minLength: 1, maxLength: 3 }), question, async (Statement, asked) => {
        expect(await theirs({ Statement }, asked)).toBe(ours({ Statement }, asked));
      }),
      { numRuns: 500 },
    );
  });
});
