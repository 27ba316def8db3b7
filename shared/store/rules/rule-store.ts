import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Declarations, NO_DECLARATIONS } from '../../domain/declarations/declaration';
import type { StoredRule } from '../../domain/rules/rule';
import type { RuleBook, RuleVersion } from '../../domain/rules/rule-book';
import { accountKey, ruleBookKey, rulesPk, ruleVersionKey, ruleVersionPrefix } from '../keys';
import { abortAfter, reach, type Table } from '../sdk/client';
import { queryPrefix } from '../sdk/table-calls';
import { type TransactItem, transact } from '../sdk/transact';

export function toVersion(item: Record<string, unknown>): RuleVersion {
  const { pk, sk, entity, account_id, ...version } = item;
  return version as unknown as RuleVersion;
}

const LOOK_LIMIT_MS = 2_000;

/** The book as it lies in the table: its rules are parsed only where this revision is not known yet. */
export interface PackedBook {
  readonly revision: number;
  rules(): readonly StoredRule[];
  declarations(): Declarations;
}

interface Tracked {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export function ruleBookReader(table: Table) {
  return {
    /** `isRecent`: with every change that was ever confirmed; otherwise it may be a second old. */
    async book(accountId: string, isRecent: boolean, limitMs = LOOK_LIMIT_MS): Promise<PackedBook> {
      const Key = ruleBookKey(accountId);
      const command = new GetCommand({ TableName: table.name, Key, ConsistentRead: isRecent });
      const { Item: item } = await reach(() => abortAfter(limitMs, (options) => table.client.send(command, options)));
      if (!item) return { revision: 0, rules: () => [], declarations: () => NO_DECLARATIONS };
      return {
        revision: item.revision as number,
        rules: () => JSON.parse(item.rules as string) as StoredRule[],
        declarations: () =>
          item.declarations === undefined ? NO_DECLARATIONS : (JSON.parse(item.declarations) as Declarations),
      };
    },
  };
}

export function ruleStore(table: Table) {
  const reader = ruleBookReader(table);
  const newVersion = (accountId: string, version: RuleVersion): TransactItem => ({
    Put: {
      Item: {
        ...ruleVersionKey(accountId, version.name, version.version),
        entity: 'rule-version',
        account_id: accountId,
        ...version,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  });
  const newTracked = (accountId: string, { before, after }: Tracked): TransactItem => ({
    Update: {
      Key: accountKey(accountId),
      UpdateExpression: 'SET settings.tracked_attributes = :after',
      ConditionExpression: 'settings.tracked_attributes = :before',
      ExpressionAttributeValues: { ':before': before, ':after': after },
    },
  });
  return {
    async book(accountId: string): Promise<RuleBook> {
      const { revision, rules, declarations } = await reader.book(accountId, true);
      return { revision, rules: rules(), declarations: declarations() };
    },

    /** False if somebody else has changed the book meanwhile. */
    async save(
      accountId: string,
      { revision, rules, declarations }: RuleBook,
      { version, tracked }: { readonly version?: RuleVersion | undefined; readonly tracked?: Tracked | undefined },
    ): Promise<boolean> {
      const before = revision - 1;
      const declared = declarations === NO_DECLARATIONS ? {} : { declarations: JSON.stringify(declarations) };
      const others: TransactItem[] = [];
      if (version) others.push(newVersion(accountId, version));
      if (tracked) others.push(newTracked(accountId, tracked));
      const { committed } = await transact(table, [
        {
          Put: {
            Item: {
              ...ruleBookKey(accountId),
              entity: 'rule-book',
              revision,
              rules: JSON.stringify(rules),
              ...declared,
            },
            ConditionExpression: before === 0 ? 'attribute_not_exists(pk)' : '#revision = :before',
            ...(before === 0
              ? {}
              : {
                  ExpressionAttributeNames: { '#revision': 'revision' },
                  ExpressionAttributeValues: { ':before': before },
                }),
          },
        },
        ...others,
      ]);
      return committed;
    },

    /** Newest first. */
    async versions(accountId: string, name: string): Promise<RuleVersion[]> {
      const items = await queryPrefix(table, rulesPk(accountId), ruleVersionPrefix(name), { ScanIndexForward: false });
      return items.map(toVersion);
    },
  };
}
