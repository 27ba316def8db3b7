import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { joinStacks, type StackTemplates } from '../../../lib/stack-templates';
import { REPLACING, STATEFUL, templateChanges } from '../../../lib/template-changes';

const STACK = 'Shop';

/** A table, a queue with a fixed name, and a function with an alias that reads the table. */
const ONE: StackTemplates = {
  [STACK]: {
    Resources: {
      Table: {
        Type: 'AWS::DynamoDB::GlobalTable',
        Properties: { KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }], BillingMode: 'PAY_PER_REQUEST' },
        DeletionPolicy: 'Retain',
      },
      Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'orders', VisibilityTimeout: 30 } },
      Read: { Type: 'AWS::Lambda::Function', Properties: { Environment: { TABLE: { Ref: 'Table' } } } },
      Live: { Type: 'AWS::Lambda::Alias', Properties: { FunctionName: { Ref: 'Read' }, Name: 'live' } },
    },
  },
};

/** The same, with the function in a nested stack. */
const SPLIT: StackTemplates = {
  [STACK]: {
    Resources: {
      ...pick(ONE, 'Table', 'Queue'),
      Code: { Type: 'AWS::CloudFormation::Stack', Properties: { Parameters: { TableName: { Ref: 'Table' } } } },
      Live: {
        Type: 'AWS::Lambda::Alias',
        Properties: { FunctionName: { 'Fn::GetAtt': ['Code', 'Outputs.ReadName'] }, Name: 'live' },
      },
    },
  },
  [`${STACK}/Code`]: {
    Parameters: { TableName: {} },
    Resources: {
      Read: { Type: 'AWS::Lambda::Function', Properties: { Environment: { TABLE: { Ref: 'TableName' } } } },
    },
    Outputs: { ReadName: { Value: { Ref: 'Read' } } },
  },
};

function pick(templates: StackTemplates, ...ids: readonly string[]) {
  const resources = Object.entries(templates[STACK]?.Resources ?? {});
  return Object.fromEntries(resources.filter(([id]) => ids.includes(id)));
}

/** The one stack with some properties of one resource changed. */
const changed = (id: string, properties: Record<string, unknown>): StackTemplates => {
  const resources = ONE[STACK]?.Resources ?? {};
  const resource = resources[id] ?? { Type: '' };
  return {
    [STACK]: {
      Resources: { ...resources, [id]: { ...resource, Properties: { ...resource.Properties, ...properties } } },
    },
  };
};

const told = (before: StackTemplates, after: StackTemplates) =>
  templateChanges(before, after).map(({ stack, logicalId, kind, properties }) =>
    [kind, `${stack}/${logicalId}`, ...properties].join(' '),
  );

describe('what an update does', () => {
  it('nothing, where nothing differs but the order of members', () => {
    const turned = changed('Queue', {});
    expect(told(ONE, ONE)).toEqual([]);
    expect(
      told(ONE, {
        [STACK]: { Resources: Object.fromEntries(Object.entries(turned[STACK]?.Resources ?? {}).reverse()) },
      }),
    ).toEqual([]);
    expect(told(changed('Queue', { QueueName: 'orders', VisibilityTimeout: 30 }), ONE)).toEqual([]);
  });

  it('everything is added where nothing is deployed', () => {
    expect(told({}, ONE)).toEqual(['Table', 'Queue', 'Read', 'Live'].map((id) => `added ${STACK}/${id}`));
  });

  it('changes in place what can be, and replaces what cannot', () => {
    expect(told(ONE, changed('Queue', { VisibilityTimeout: 60 }))).toEqual([
      `changed ${STACK}/Queue VisibilityTimeout`,
    ]);
    expect(told(ONE, changed('Queue', { QueueName: 'other' }))).toEqual([`replaced ${STACK}/Queue QueueName`]);
  });

  it('whatever refers to a replaced resource changes too, or is replaced in turn', () => {
    expect(told(ONE, changed('Table', { KeySchema: [] }))).toEqual([
      `replaced ${STACK}/Table KeySchema`,
      `changed ${STACK}/Read Environment`,
    ]);
    expect(told(ONE, changed('Read', { FunctionName: 'read' }))).toEqual([
      `replaced ${STACK}/Read FunctionName`,
      `replaced ${STACK}/Live FunctionName`,
    ]);
  });

  it('a resource that moves into a nested stack is deleted here and made there', () => {
    expect(told(ONE, SPLIT)).toEqual([
      `added ${STACK}/Code`,
      `replaced ${STACK}/Live FunctionName`,
      `added ${STACK}/Code/Read`,
      `deleted ${STACK}/Read`,
    ]);
    expect(told(SPLIT, SPLIT)).toEqual([]);
  });

  it('what has a policy to be retained is kept, and tells that somebody would miss it', () => {
    const [kept, queue] = templateChanges(ONE, { [STACK]: { Resources: {} } });
    expect([kept?.kind, kept?.isStateful]).toEqual(['kept', true]);
    expect([queue?.kind, queue?.isStateful]).toEqual(['deleted', true]);
  });

  it('takes every change of an unknown type for a replacement', () => {
    const of = (size: number): StackTemplates => ({
      [STACK]: { Resources: { A: { Type: 'AWS::New::Thing', Properties: { size } } } },
    });
    expect(told(of(1), of(2))).toEqual([`replaced ${STACK}/A size`]);
  });
});

describe('stacks joined', () => {
  it('read as if they had never been apart', () => {
    const { Resources: joined = {} } = joinStacks(SPLIT);
    const { Code, ...rest } = joined;
    expect(Code?.Type).toBe('AWS::CloudFormation::Stack');
    expect(rest).toEqual(ONE[STACK]?.Resources);
  });

  it('refuse one name for two resources', () => {
    const twice = { ...SPLIT, [STACK]: { Resources: { ...SPLIT[STACK]?.Resources, ...pick(ONE, 'Read') } } };
    expect(() => joinStacks(twice)).toThrow('Read is in more than one');
  });
});

it('the table of replacements agrees with the one in the CDK command line', () => {
  interface Spec {
    readonly cloudFormationType: string;
    readonly properties: Readonly<Record<string, { readonly causesReplacement?: 'yes' | 'no' | 'maybe' }>>;
  }
  const file = readFileSync(join(require.resolve('aws-cdk/package.json'), '../db.json.gz'));
  const { schema } = JSON.parse(gunzipSync(file).toString()) as {
    schema: { resource: { entities: Record<string, Spec> } };
  };
  const theirs = new Map(
    Object.values(schema.resource.entities).map(({ cloudFormationType, properties }) => [
      cloudFormationType,
      Object.keys(properties).filter((name) => (properties[name]?.causesReplacement ?? 'no') !== 'no'),
    ]),
  );
  const ours = Object.entries(REPLACING).filter(([type]) => type.startsWith('AWS::') && type !== 'AWS::CDK::Metadata');
  expect(ours.map(([type, names]) => [type, [...names].sort()])).toEqual(
    ours.map(([type]) => [type, [...(theirs.get(type) ?? ['not known'])].sort()]),
  );
  expect([...STATEFUL].filter((type) => !(type in REPLACING))).toEqual([]);
});
