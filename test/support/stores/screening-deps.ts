import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { localClient } from '../../../shared/runtime/admin-wiring';
import { newUlid } from '../../../shared/runtime/ids';
import { SCREENING_STAND_INS, standInIntelligence } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { caseOpener } from '../../../shared/store/cases/case-opener';
import { entityStore } from '../../../shared/store/entities/entity-store';
import { claimStore } from '../../../shared/store/screening/claim-store';
import { screeningWriter } from '../../../shared/store/screening/screening-store';
import type { ScreenSubjectDeps } from '../../../shared/usecases/screening/screen-subject';
import { admin } from '../api';
import { localRun } from '../local-run';

export { callerOf, payment } from '../traffic/payment';

const PATIENT_MS = 30_000;

/** The screening use case on the real stores of the run under test, without HTTP in between. */
export function screeningDeps(clock = { now: () => Date.now() }): ScreenSubjectDeps {
  const { outputs } = localRun();
  const base = new DynamoDBClient(localClient(localRun()));
  const table = { client: DynamoDBDocumentClient.from(base), name: outputs.TableName ?? '' };
  const onceClient = new DynamoDBClient(localClient(localRun()));
  const pseudonyms = admin().identity.pseudonyms();
  const entities = entityStore({ onceClient, name: table.name });
  const screenings = { ...screeningWriter(table), ...caseOpener(table) };
  return {
    ...SCREENING_STAND_INS,
    clock,
    newUlid,
    pause: (ms) => delay(ms),
    intelligence: standInIntelligence({ lookup: () => ({ country: 'DE', network: 'other' }) }),
    pseudonyms: () => pseudonyms,
    // How long a trip may take is not what these tests are about, and machines are noisy.
    entities: {
      ...entities,
      recordAttempt: (account, ref, attempt) => entities.recordAttempt(account, ref, attempt, PATIENT_MS),
    },
    claims: claimStore(table),
    screenings: {
      ...screenings,
      insert: (account, record) => screenings.insert(account, record, PATIENT_MS),
      insertWithCase: (account, record, opened) => screenings.insertWithCase(account, record, opened, PATIENT_MS),
    },
  };
}
