import type { RecentLabel, RecentLabels } from '../../domain/models/recent-label';
import type { StoredLabel } from '../../domain/models/stored-label';
import type { DecisionSpan } from '../../domain/screening/subjects/decision-span';
import { labelPk } from '../keys';
import type { Table } from '../sdk/client';
import { queryAll } from '../sdk/table-calls';
import { monthsOf } from './months-of';

type Item = {
  readonly sk: string;
  readonly label: StoredLabel['label'] | 'none';
  readonly source: StoredLabel['source'];
};

/** The newest labels of an account and its sample, without vectors, reading a limited number of items. */
export function recentLabelReader(table: Table) {
  return {
    async recent(accountId: string, span: DecisionSpan, limit: number): Promise<RecentLabels> {
      const labels = new Map<string, RecentLabel>();
      let left = limit;
      for (const month of monthsOf(span)) {
        const items = await queryAll(table, {
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :before',
          ExpressionAttributeValues: { ':pk': labelPk(accountId, month), ':from': span.from, ':before': span.before },
          ProjectionExpression: 'sk, #label, #source',
          ExpressionAttributeNames: { '#label': 'label', '#source': 'source' },
          ScanIndexForward: false,
          ConsistentRead: false,
          Limit: left,
        });
        for (const { sk, label, source } of items as Item[]) {
          const ulid = sk.slice(0, sk.indexOf('#'));
          // Backwards, so that a subject's first one here is the current one.
          const isGiven = label !== 'none' && source !== 'sample';
          if (!labels.has(ulid)) labels.set(ulid, { ulid, label: isGiven ? label : undefined });
        }
        left -= items.length;
        if (left <= 0) return { labels: [...labels.values()], isCut: true };
      }
      return { labels: [...labels.values()], isCut: false };
    },
  };
}
