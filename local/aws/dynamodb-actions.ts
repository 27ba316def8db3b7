import type { AccessRequest, RequestContext } from '../iam/roles';
import { AwsError, type Input } from './call';

type AttributeValue = Readonly<Record<string, unknown>>;
type Attributes = Readonly<Record<string, AttributeValue>>;

export interface ExpressionInput {
  readonly Item?: Attributes;
  readonly Key?: Attributes;
  readonly IndexName?: string;
  readonly AttributesToGet?: readonly string[];
  readonly KeyConditionExpression?: string;
  readonly ProjectionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly FilterExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Attributes;
}

export interface TableKeys {
  readonly partitionKey: string;
  readonly indexes: Readonly<Record<string, string>>;
}

const text = (value: AttributeValue | undefined): string | undefined => {
  const [scalar] = Object.values(value ?? {});
  return scalar === undefined ? undefined : String(scalar);
};

/** Value of `dynamodb:LeadingKeys`: the partition keys a request names; undefined when it names none (a scan). */
export function leadingKeysOf(input: ExpressionInput, keys: TableKeys | undefined): readonly string[] | undefined {
  if (!keys) return undefined;
  const attribute = input.IndexName ? keys.indexes[input.IndexName] : keys.partitionKey;
  if (!attribute) return undefined;
  const direct = text((input.Item ?? input.Key)?.[attribute]);
  if (direct !== undefined) return [direct];
  for (const [, name = '', value = ''] of (input.KeyConditionExpression ?? '').matchAll(/([#\w.-]+)\s*=\s*(:\w+)/g)) {
    if ((input.ExpressionAttributeNames?.[name] ?? name) !== attribute) continue;
    const found = text(input.ExpressionAttributeValues?.[value]);
    return found === undefined ? undefined : [found];
  }
  return undefined;
}

const WORDS: ReadonlySet<string> = new Set(
  'SET REMOVE ADD DELETE AND OR NOT BETWEEN IN if_not_exists list_append attribute_exists attribute_not_exists attribute_type begins_with contains size'
    .split(' ')
    .flatMap((word) => [word, word.toLowerCase()]),
);

function namesIn(expression: string | undefined, names: Readonly<Record<string, string>>): readonly string[] {
  // A name is the first part of a document path: `#a.b[0]` is the attribute behind `#a`.
  const tokens = expression?.match(/(?<![\w.:#])#?[A-Za-z_]\w*/g) ?? [];
  return tokens.filter((token) => !WORDS.has(token)).map((token) => names[token] ?? token);
}

/** Value of `dynamodb:Attributes`: the top-level attributes a request names anywhere. */
export function attributesOf(input: ExpressionInput): readonly string[] | undefined {
  const names = input.ExpressionAttributeNames ?? {};
  const all = [
    ...Object.keys(input.Item ?? {}),
    ...Object.keys(input.Key ?? {}),
    ...(input.AttributesToGet ?? []),
    ...[
      input.KeyConditionExpression,
      input.ProjectionExpression,
      input.UpdateExpression,
      input.ConditionExpression,
      input.FilterExpression,
    ].flatMap((expression) => namesIn(expression, names)),
  ];
  return all.length > 0 ? [...new Set(all)] : undefined;
}

interface TableFacts {
  readonly arnOf: (tableName: string) => string;
  readonly keysOf: (tableName: string) => TableKeys | undefined;
}

interface Item extends ExpressionInput {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly Select?: string;
  readonly ReturnValues?: string;
}

const TRANSACT_WRITE = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
} as const;

/** Operations that change items: a stream may have something new after one. */
export const WRITES: ReadonlySet<string> = new Set([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
]);

const PARTIQL: ReadonlySet<string> = new Set(['ExecuteStatement', 'BatchExecuteStatement', 'ExecuteTransaction']);

const single = (value: string | undefined): readonly string[] | undefined =>
  value === undefined ? undefined : [value];

function request(tableFacts: TableFacts, operation: string, item: Item, enclosing?: string): AccessRequest {
  const name = String(item.TableName ?? '');
  const table = name.startsWith('arn:') ? name : tableFacts.arnOf(name);
  const context = (): RequestContext => {
    const keys = tableFacts.keysOf(name);
    const values = {
      'dynamodb:leadingkeys': leadingKeysOf(item, keys),
      'dynamodb:attributes': attributesOf(item),
      'dynamodb:select': single(item.Select),
      'dynamodb:returnvalues': single(item.ReturnValues),
      'dynamodb:enclosingoperation': single(enclosing),
    };
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as RequestContext;
  };
  const resource = item.IndexName ? `${table}/index/${item.IndexName}` : table;
  return { action: `dynamodb:${operation}`, resource, context };
}

function transaction(tableFacts: TableFacts, input: Input, enclosing: string): readonly AccessRequest[] {
  const items = (input.TransactItems ?? []) as readonly Readonly<Record<string, Item>>[];
  return items.flatMap((entry) =>
    Object.entries(entry).map(([kind, item]) => {
      const action = enclosing === 'TransactGetItems' ? 'GetItem' : TRANSACT_WRITE[kind as keyof typeof TRANSACT_WRITE];
      return request(tableFacts, action ?? kind, item, enclosing);
    }),
  );
}

function batchWrite(tableFacts: TableFacts, input: Input): readonly AccessRequest[] {
  const tables = (input.RequestItems ?? {}) as Readonly<Record<string, readonly Readonly<Record<string, Item>>[]>>;
  return Object.entries(tables).flatMap(([TableName, writes]) =>
    writes.flatMap((write) =>
      Object.values(write).map((item) =>
        request(tableFacts, 'BatchWriteItem', { ...item, TableName }, 'BatchWriteItem'),
      ),
    ),
  );
}

function batchGet(tableFacts: TableFacts, input: Input): readonly AccessRequest[] {
  const tables = (input.RequestItems ?? {}) as Readonly<Record<string, Item & { Keys?: readonly Item['Key'][] }>>;
  return Object.entries(tables).flatMap(([TableName, { Keys: keys = [], ...read }]) =>
    keys.map((Key) =>
      request(tableFacts, 'BatchGetItem', { ...read, TableName, ...(Key ? { Key } : {}) }, 'BatchGetItem'),
    ),
  );
}

/**
 * The permissions AWS asks for a DynamoDB call: a transaction needs those of its parts and none besides, a batch needs
 * the batch action on each table it names, and a read of an index is a read of `table/…/index/…`.
 */
export function dynamodbAccess(tableFacts: TableFacts, operation: string, input: Input): readonly AccessRequest[] {
  if (PARTIQL.has(operation)) {
    throw new AwsError('ValidationException', `${operation}: PartiQL is not authorized by the local run, use items.`);
  }
  switch (operation) {
    case 'TransactWriteItems':
    case 'TransactGetItems':
      return transaction(tableFacts, input, operation);
    case 'BatchWriteItem':
      return batchWrite(tableFacts, input);
    case 'BatchGetItem':
      return batchGet(tableFacts, input);
    case 'ListTables':
    case 'ListStreams':
    case 'DescribeEndpoints':
    case 'DescribeLimits':
      return [{ action: `dynamodb:${operation}`, resource: '*' }];
    default:
      return [request(tableFacts, operation, input as Item)];
  }
}

/** The tables that a call accesses, for waking the stream pollers. */
export function tablesOf(operation: string, input: Input): readonly string[] {
  if (operation === 'BatchWriteItem') return Object.keys((input.RequestItems ?? {}) as object);
  if (operation !== 'TransactWriteItems') return [String(input.TableName)];
  const items = (input.TransactItems ?? []) as readonly Readonly<Record<string, Item>>[];
  return [...new Set(items.flatMap((entry) => Object.values(entry).map(({ TableName }) => String(TableName))))];
}
