import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Subject } from '../shared/domain/screening/subjects/attempt-of';
import { newUlid } from '../shared/runtime/ids';
import { SCREENING_STAND_INS } from '../shared/runtime/stand-ins/screening-stand-ins';
import { caseOpener } from '../shared/store/cases/case-opener';
import { entityStore } from '../shared/store/entities/entity-store';
import { claimStore } from '../shared/store/screening/claim-store';
import { screeningWriter } from '../shared/store/screening/screening-store';
import { speakPlainly } from '../shared/store/sdk/plain-protocol';
import { type ScreenSubjectDeps, screenSubject } from '../shared/usecases/screening/screen-subject';
import { startLocalTable } from './support/local-table';
import { AT_ONCE, inParallel, type Measurement } from './support/measurement';
import { caller, subject } from './support/ordinary-screening';

const TABLE = 'throughput';
const CUSTOMERS = 300;
const TURNS = 5;
const A_TURN = 400;
/** A screening's own writes: four entities and its result. */
const WRITES = 5;

/** Customers with their own user, device, IP and card. */
const customer = (n: number): Subject => ({
  ...subject,
  user_id: `user-${n}`,
  ip_address: `91.0.${n >> 8}.${n & 255}`,
  device_fingerprint: `fp_${n}`,
  custom_attributes: { card_fingerprint: `card_${n}` },
});

export async function run(): Promise<Measurement[]> {
  const { client, newClient, stop } = await startLocalTable(TABLE);
  try {
    const table = { client: DynamoDBDocumentClient.from(client), name: TABLE };
    const deps: ScreenSubjectDeps = {
      ...SCREENING_STAND_INS,
      clock: { now: () => Date.now() },
      newUlid,
      ips: { lookup: () => ({ country: 'DE', network: 'other' }) },
      entities: entityStore({ onceClient: speakPlainly(newClient()), name: TABLE }),
      claims: claimStore(table),
      screenings: { ...screeningWriter(table), ...caseOpener(table) },
    };
    const screenOne = (index: number) => screenSubject(deps, caller, customer(index % CUSTOMERS));
    const filler = { S: 'x'.repeat(700) };
    const putOne = () =>
      client.send(new PutItemCommand({ TableName: TABLE, Item: { pk: { S: newUlid(0) }, sk: { S: 'x' }, filler } }));
    let [screeningMs, putMs] = [0, 0];
    // In turns, so that a noisy minute affects both alike; the first ones warm up.
    for (let turn = -2; turn < TURNS; turn++) {
      const [screened, put] = [await inParallel(A_TURN, screenOne), await inParallel(A_TURN * WRITES, putOne)];
      if (turn < 0) continue;
      screeningMs += screened;
      putMs += put;
    }
    const perSecond = (1000 * TURNS * A_TURN) / screeningMs;
    const ratio = screeningMs / putMs;
    console.log(
      `${perSecond.toFixed(0)} screenings per second, ${AT_ONCE} concurrent; ${ratio.toFixed(2)} × the time of ${WRITES} plain puts`,
    );
    return [
      { what: 'screenings per second with DynamoDB Local', found: perSecond.toFixed(0) },
      { what: `a screening × ${WRITES} plain puts, with DynamoDB Local`, found: ratio.toFixed(2) },
    ];
  } finally {
    await stop();
  }
}
