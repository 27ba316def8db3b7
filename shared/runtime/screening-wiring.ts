import { setTimeout as delay } from 'node:timers/promises';
import { claimStore } from '../store/claim-store';
import { openOnceClient, openTable } from '../store/client';
import { entityStore } from '../store/entity-store';
import { screeningWriter } from '../store/screening-store';
import type { ScreenSubjectDeps } from '../usecases/screen-subject';
import { systemClock } from './clock';
import { config } from './config';
import { newUlid } from './ids';
import { loadIpTable } from './ip-table-file';
import { functionLogger, type Log } from './logger';
import { screeningMetrics } from './metrics';

/** Everything that both screening functions are made of. */
export function screeningWiring(operation: string, directory: string): ScreenSubjectDeps & { readonly log: Log } {
  const table = openTable(config.tableName());
  return {
    clock: systemClock,
    log: functionLogger(operation),
    newUlid,
    pause: (ms) => delay(ms),
    ips: loadIpTable(directory),
    entities: entityStore({ onceClient: openOnceClient(), name: table.name }),
    claims: claimStore(table),
    screenings: screeningWriter(table),
    observe: screeningMetrics(config.stage()),
  };
}
