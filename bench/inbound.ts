import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { sampleNotification } from '../bin/notify/sample-notification';
import { DomainError } from '../shared/domain/errors';
import { newId, newUlid } from '../shared/runtime/ids';
import { PUBLIC_PSEUDONYMS, SCREENING_STAND_INS } from '../shared/runtime/stand-ins/screening-stand-ins';
import { caseOpener } from '../shared/store/cases/case-opener';
import { entityStore } from '../shared/store/entities/entity-store';
import { unsealed } from '../shared/store/idempotency-store';
import { inboundAdmin, inboundReceiver } from '../shared/store/outcomes/inbound-store';
import { outsideOutcomeStore } from '../shared/store/outcomes/outside-outcome-store';
import { claimStore } from '../shared/store/screening/claim-store';
import { screeningReader } from '../shared/store/screening/screening-reader';
import { screeningWriter } from '../shared/store/screening/screening-store';
import { speakPlainly } from '../shared/store/sdk/plain-protocol';
import { receiveNotification } from '../shared/usecases/outcomes/receive-notification';
import { type ScreenSubjectDeps, screenSubject } from '../shared/usecases/screening/screen-subject';
import { startLocalTable } from './support/local-table';
import { inParallel, type Measurement } from './support/measurement';
import { caller, subject } from './support/ordinary-screening';

/* Prints how many notifications of a payment processor are received per second: `npm run bench -- inbound`. */
const TABLE = 'inbound';
const TURNS = 4;
const A_TURN = 100;
/** A processor sends from a few connections. */
const AT_ONCE = 4;
const AIM = 100;
const MOST_TRIES = 20;
const SECRET = 'whsec_bench';

/** Tries again as a merchant and a processor would: on a busy machine the database may not respond in time. */
async function insist(call: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await call();
      return;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'unavailable') || tries >= MOST_TRIES) throw error;
    }
  }
}

export async function run(): Promise<Measurement[]> {
  const { client, newClient, stop } = await startLocalTable(TABLE);
  try {
    const table = { client: DynamoDBDocumentClient.from(client), name: TABLE };
    const clock = { now: () => Date.now() };
    const pseudonyms = () => PUBLIC_PSEUDONYMS;
    const screening: ScreenSubjectDeps = {
      ...SCREENING_STAND_INS,
      ...{ clock, newUlid },
      ips: { lookup: () => ({ country: 'DE', network: 'other' }) },
      entities: entityStore({ onceClient: speakPlainly(newClient()), name: TABLE }),
      claims: claimStore(table),
      screenings: { ...screeningWriter(table), ...caseOpener(table) },
    };
    const receiving = {
      ...{ clock, newUlid, pseudonyms },
      inbound: inboundReceiver(table, unsealed),
      outside: outsideOutcomeStore(table),
      screenings: screeningReader(table),
    };
    const inbound_id = newId('in', clock.now());
    const { account_id } = caller;
    const created_at = new Date(clock.now()).toISOString();
    await inboundAdmin(table, unsealed).create({ inbound_id, account_id, provider: 'stripe', created_at }, SECRET);

    const pay = (index: number) =>
      screenSubject(screening, caller, {
        ...subject,
        ...{
          user_id: `user-${index}`,
          device_fingerprint: `fp_${index}`,
          ip_address: `91.0.${index >> 8}.${index & 255}`,
        },
        custom_attributes: { card_fingerprint: `card_${index}` },
        references: [`pi_${index}`],
      });
    let applied = 0;
    const dispute = async (index: number) => {
      const nowMs = clock.now();
      const about = { kind: 'dispute', reference: `pi_${index}`, secret: SECRET, nowMs };
      const { body, headers } = sampleNotification({ provider: 'stripe', ...about });
      const signature = headers['Stripe-Signature'];
      const received = await receiveNotification(receiving, { provider: 'stripe', inbound_id, body, signature });
      applied += received.applied;
    };
    const filler = { S: 'x'.repeat(700) };
    const putOne = () =>
      client.send(new PutItemCommand({ TableName: TABLE, Item: { pk: { S: newUlid(0) }, sk: { S: 'x' }, filler } }));

    let [receivedMs, putMs, next] = [0, 0, 0];
    // In turns, so that a noisy minute affects both alike; the first one warms up.
    for (let turn = -1; turn < TURNS; turn++) {
      const from = next;
      next += A_TURN;
      await inParallel(A_TURN, (index) => insist(() => pay(from + index)), AT_ONCE);
      const received = await inParallel(A_TURN, (index) => insist(() => dispute(from + index)), AT_ONCE);
      const put = await inParallel(A_TURN, putOne, AT_ONCE);
      if (turn < 0) continue;
      receivedMs += received;
      putMs += put;
    }
    if (applied !== next) throw new Error(`${applied} of ${next} disputes were applied`);
    const perSecond = (1000 * TURNS * A_TURN) / receivedMs;
    const ratio = receivedMs / putMs;
    const puts = (1000 * TURNS * A_TURN) / putMs;
    console.log(
      `${perSecond.toFixed(0)} signed disputes per second, each applied to its payment; one takes as long as ${ratio.toFixed(1)} plain puts, of which the database takes ${puts.toFixed(0)} per second`,
    );
    return [
      {
        what: 'signed notifications per second with DynamoDB Local',
        found: perSecond.toFixed(0),
        aim: `≥ ${AIM}`,
      },
      { what: 'a notification × a plain put, with DynamoDB Local', found: ratio.toFixed(1) },
      { what: 'plain puts per second with DynamoDB Local, which bound it', found: puts.toFixed(0) },
    ];
  } finally {
    await stop();
  }
}
