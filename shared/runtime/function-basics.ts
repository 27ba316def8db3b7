import { openTable } from '../store/sdk/client';
import { systemClock } from './clock';
import { config } from './config';
import { functionLogger } from './logger';

/** The clock, the log and the table of a function that answers requests. */
export const functionBasics = (name: string) => ({
  clock: systemClock,
  log: functionLogger(name),
  table: openTable(config.tableName()),
});
