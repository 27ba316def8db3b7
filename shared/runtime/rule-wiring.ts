import type { IdempotencyRecord } from '../domain/idempotency';
import { caseLister } from '../store/cases/case-store';
import { idempotencyStore, recordAnswer, unsealed } from '../store/idempotency-store';
import { listReader } from '../store/lists/list-store';
import { recentLabelReader } from '../store/models/recent-labels';
import { overviewReader } from '../store/overview/overview-store';
import { ruleStore } from '../store/rules/rule-store';
import { decisionLists } from '../store/screening/decision-lists';
import { openTable } from '../store/sdk/client';
import { athenaQueries } from '../store/warehouse/warehouse-files';
import { systemClock } from './clock';
import { config } from './config';
import { newToken } from './ids';
import type { Log } from './logger';
import { pseudonymWiring } from './pseudonym-wiring';

export function ruleWiring(log: Log) {
  const table = openTable(config.tableName());
  const warehouse = config.warehouse();
  return {
    clock: systemClock,
    log,
    pseudonyms: pseudonymWiring(log),
    warehouse: warehouse && athenaQueries(warehouse, newToken),
    rules: ruleStore(table),
    lists: listReader(table),
    counts: overviewReader(table),
    labels: recentLabelReader(table),
    decisions: decisionLists(table),
    cases: caseLister(table),
    answers: idempotencyStore(table, unsealed),
    recordAnswer: (accountId: string, record: IdempotencyRecord, nowMs: number) =>
      recordAnswer({ table, sealer: unsealed }, accountId, record, nowMs),
  };
}
