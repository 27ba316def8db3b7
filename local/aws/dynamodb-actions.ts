import type { RequestContext } from '../iam/condition';
import type { AccessRequest } from '../iam/evaluate';
import { AwsError } from './call';
import { attributesOf, type ExpressionInput, leadingKeysOf, type TableKeys } from './dynamodb-condition-keys';

export type Input = Readonly<Record<string, unknown>>;

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
 * The permissions AWS asks for a DynamoDB call: a transaction needs those of its parts and none of its own, a batch needs
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
