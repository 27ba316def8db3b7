import { listReader } from '../store/lists/list-store';
import { overviewReader } from '../store/overview/overview-store';
import { ruleStore } from '../store/rules/rule-store';
import { openTable } from '../store/sdk/client';
import { systemClock } from './clock';
import { config } from './config';
import type { Log } from './logger';

/** Everything that the function of the rules is made of. */
export function ruleWiring(log: Log) {
  const table = openTable(config.tableName());
  return {
    clock: systemClock,
    log,
    rules: ruleStore(table),
    lists: listReader(table),
    counts: overviewReader(table),
  };
}
