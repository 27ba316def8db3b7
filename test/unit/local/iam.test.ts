import { compilePolicy, evaluate, evaluator, type StatementDocument } from '../../../local/iam/roles';

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/T';

const decide = (
  statements: readonly StatementDocument[],
  action: string,
  resource: string,
  context: Record<string, readonly string[]> = {},
) => evaluate(compilePolicy({ Statement: statements }), { action, resource, context: () => context });

const allow = (Action: string | string[], Resource: string | string[], Condition?: StatementDocument['Condition']) =>
  ({ Effect: 'Allow', Action, Resource, ...(Condition ? { Condition } : {}) }) as StatementDocument;
const deny = (Action: string, Resource: string): StatementDocument => ({ Effect: 'Deny', Action, Resource });

describe('IAM evaluation', () => {
  it.each([
    ['nothing is allowed by default', [], ['dynamodb:GetItem', TABLE], 'not allowed'],
    ['an exact grant', [allow('dynamodb:GetItem', TABLE)], ['dynamodb:GetItem', TABLE], 'allowed'],
    ['actions ignore case', [allow('dynamodb:getitem', TABLE)], ['dynamodb:GetItem', TABLE], 'allowed'],
    ['resources do not', [allow('dynamodb:*', TABLE.toLowerCase())], ['dynamodb:GetItem', TABLE], 'not allowed'],
    ['another action', [allow('dynamodb:GetItem', TABLE)], ['dynamodb:PutItem', TABLE], 'not allowed'],
    ['a wildcard action', [allow('dynamodb:Get*', TABLE)], ['dynamodb:GetItem', TABLE], 'allowed'],
    ['one-letter wildcards', [allow('dynamodb:?etItem', TABLE)], ['dynamodb:GetItem', TABLE], 'allowed'],
    [
      'the table is not its index',
      [allow('dynamodb:Query', TABLE)],
      ['dynamodb:Query', `${TABLE}/index/i`],
      'not allowed',
    ],
    [
      'a wildcard over indexes',
      [allow('dynamodb:Query', `${TABLE}/index/*`)],
      ['dynamodb:Query', `${TABLE}/index/i`],
      'allowed',
    ],
    [
      'dots are no wildcards',
      [allow('s3:GetObject', 'arn:aws:s3:::a.b/*')],
      ['s3:GetObject', 'arn:aws:s3:::axb/k'],
      'not allowed',
    ],
    [
      'deny wins over allow',
      [allow('*', '*'), deny('dynamodb:DeleteItem', TABLE)],
      ['dynamodb:DeleteItem', TABLE],
      'explicitly denied',
    ],
    [
      'any of several lists',
      [allow(['sqs:SendMessage', 's3:PutObject'], ['a', 'b'])],
      ['s3:PutObject', 'b'],
      'allowed',
    ],
  ] as const)('%s', (_name, statements, [action, resource], expected) => {
    expect(decide(statements as unknown as StatementDocument[], action, resource)).toBe(expected);
  });

  it('grants everything but the exceptions of NotAction and NotResource', () => {
    const statements: StatementDocument[] = [{ Effect: 'Allow', NotAction: 'iam:*', NotResource: 'secret' }];
    expect(decide(statements, 's3:GetObject', 'open')).toBe('allowed');
    expect(decide(statements, 'iam:PassRole', 'open')).toBe('not allowed');
    expect(decide(statements, 's3:GetObject', 'secret')).toBe('not allowed');
  });

  it.each([
    ['ForAllValues:StringLike', ['t#1', 't#1#a'], true],
    ['ForAllValues:StringLike', ['t#1', 't#2'], false],
    ['ForAllValues:StringLike', undefined, true],
    ['ForAnyValue:StringLike', ['t#2', 't#1'], true],
    ['ForAnyValue:StringLike', ['t#2'], false],
    ['ForAnyValue:StringLike', undefined, false],
    ['StringLike', ['t#1'], true],
    ['StringLike', undefined, false],
    ['StringLikeIfExists', undefined, true],
    ['StringNotLike', ['t#2'], true],
    ['StringNotLike', ['t#1'], false],
    ['StringNotLike', undefined, true],
  ] as const)('%s on %j: %s', (operator, values, expected) => {
    const key = operator.startsWith('For') ? 'dynamodb:LeadingKeys' : 's3:prefix';
    const statement = allow('dynamodb:PutItem', TABLE, { [operator]: { [key]: ['t#1*'] } });
    const context: Record<string, readonly string[]> = values ? { [key.toLowerCase()]: values } : {};
    expect(decide([statement], 'dynamodb:PutItem', TABLE, context)).toBe(expected ? 'allowed' : 'not allowed');
  });

  it('needs every operator and every key of a condition', () => {
    const both = { StringEquals: { 'dynamodb:Select': 'COUNT', 'dynamodb:ReturnValues': ['NONE', 'ALL_OLD'] } };
    const statement = allow('*', '*', { ...both, Bool: { 'aws:SecureTransport': 'true' } });
    const context = { 'dynamodb:select': ['COUNT'], 'dynamodb:returnvalues': ['ALL_OLD'] };
    expect(decide([statement], 'a:b', 'c', context)).toBe('allowed');
    expect(decide([statement], 'a:b', 'c', { ...context, 'dynamodb:select': ['ALL'] })).toBe('not allowed');
  });

  it.each([
    [{ DateGreaterThan: { 'dynamodb:Select': '2026' } }, 'unknown condition operator DateGreaterThan'],
    [{ StringEquals: { 'aws:PrincipalTag/team': 'x' } }, 'the condition key aws:PrincipalTag/team is not emulated'],
    [{ StringLike: { 'dynamodb:LeadingKeys': 'x' } }, 'needs ForAllValues: or ForAnyValue:'],
    [{ 'ForAnyValue:StringLikeIfExists': { 'dynamodb:LeadingKeys': 'x' } }, 'contradicts itself'],
  ])('refuses a condition it would have to guess: %j', (Condition, message) => {
    expect(() => compilePolicy({ Statement: allow('*', '*', Condition as StatementDocument['Condition']) })).toThrow(
      message,
    );
  });

  it('remembers unconditional answers without mixing them up', () => {
    const may = evaluator(compilePolicy({ Statement: [allow('s3:GetObject', 'a')] }));
    for (const _again of [1, 2]) {
      expect(may({ action: 's3:GetObject', resource: 'a' })).toBe('allowed');
      expect(may({ action: 's3:GetObject', resource: 'b' })).toBe('not allowed');
      expect(may({ action: 's3:PutObject', resource: 'a' })).toBe('not allowed');
    }
  });
});
