import { aesSealer } from '../secrets/aes-sealer';
import { secretsManagerDataKeys } from '../secrets/data-keys';
import { keyLister } from '../store/accounts/key-list';
import { idempotencyStore } from '../store/idempotency-store';
import { entryRemover } from '../store/lists/entry-remover';
import { entryStore } from '../store/lists/entry-store';
import { listReader, listWriter } from '../store/lists/list-store';
import { openPatientTable } from '../store/sdk/client';
import { systemClock } from './clock';
import { config } from './config';
import { newUlid, randomBytes } from './ids';
import type { Log } from './logger';
import { pseudonymWiring } from './pseudonym-wiring';

export function listWiring(log: Log) {
  // One that is sent a thousand entries has more time than a screening.
  const table = openPatientTable(config.tableName());
  const sealer = aesSealer(secretsManagerDataKeys(config.dataKeySecretId(), systemClock), randomBytes);
  return {
    clock: systemClock,
    log,
    newUlid,
    pseudonyms: pseudonymWiring(log),
    lists: { ...listReader(table), ...listWriter(table) },
    entries: { ...entryStore(table, sealer), ...entryRemover(table) },
    keys: keyLister(table),
    answers: idempotencyStore(table, sealer),
  };
}
