import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { DECIDED_PK, DUE_INDEX, HISTORY_INDEX, HISTORY_PK, PARTITION } from '../../shared/store/keys';
import type { ServiceFunction } from './service-function';

type ItemAction = 'GetItem' | 'BatchGetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'ConditionCheckItem';

/** What a function may do with which kinds of items. A DynamoDB transaction needs the actions of its parts. */
export interface TableAccess {
  readonly actions: readonly ItemAction[];
  readonly partitions: ReadonlyArray<keyof typeof PARTITION>;
}

/** Lets a function query the `due` index for one kind. */
export function bindDueIndex(
  { lambda }: ServiceFunction,
  table: TableV2,
  kind: 'case' | 'delivery' | 'list' | 'outcome' | 'erasure',
): void {
  lambda.addToRolePolicy(
    new PolicyStatement({
      actions: ['dynamodb:Query'],
      resources: [`${table.tableArn}/index/${DUE_INDEX}`],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`DUE#${kind}#*`] } },
    }),
  );
}

/** The lists that a function may read, by what their index and its partitions are called. */
const LISTS = {
  history: { index: HISTORY_INDEX, leadingKey: `${HISTORY_PK}#*` },
  decided: { index: DUE_INDEX, leadingKey: `${DECIDED_PK}#*` },
} as const;

export type ListAccess = keyof typeof LISTS;

/** Lets a function query lists of screenings. */
export function bindLists({ lambda }: ServiceFunction, table: TableV2, lists: readonly ListAccess[]): void {
  for (const { index, leadingKey: key } of lists.map((list) => LISTS[list])) {
    lambda.addToRolePolicy(
      new PolicyStatement({
        actions: ['dynamodb:Query'],
        resources: [`${table.tableArn}/index/${index}`],
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [key] } },
      }),
    );
  }
}

/** The directory of accounts is one partition; every other kind has one or more per account. */
const leadingKey = (partition: keyof typeof PARTITION): string =>
  partition === 'accounts' ? PARTITION.accounts : `${PARTITION[partition]}#*`;

/**
 * Gives a function the table: name and grants in one call, so that they cannot drift apart. One statement per action with
 * all of its partitions works whether AWS checks a DynamoDB transaction's keys item by item or all at once.
 */
export function bindTable({ lambda }: ServiceFunction, table: TableV2, accesses: readonly TableAccess[]): void {
  lambda.addEnvironment('TABLE_NAME', table.tableName);
  const byAction = new Map<ItemAction, Set<string>>();
  for (const { actions, partitions } of accesses) {
    for (const action of actions) {
      byAction.set(action, new Set([...(byAction.get(action) ?? []), ...partitions.map(leadingKey)]));
    }
  }
  for (const [action, keys] of byAction) {
    lambda.addToRolePolicy(
      new PolicyStatement({
        actions: [`dynamodb:${action}`],
        resources: [table.tableArn],
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...keys].sort() } },
      }),
    );
  }
}
