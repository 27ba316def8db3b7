import { setTimeout as delay } from 'node:timers/promises';
import { type Done, drive, driver } from '../bench/load/drive';
import type { Intent } from '../bench/load/traffic';
import { traffic } from '../bench/load/traffic';
import { type FraudScreening, FraudScreeningError } from '../sdk/client/src';
import type { TrafficCounts } from './traffic-counts';

const SEED = 7;
const CUSTOMERS = 300;
/** Far more than a real shop would see, and one of each kind from the start: a minute is enough to see them all. */
const ATTACKERS = { share: 0.3, atOnce: 4 };
/** A laptop that cannot keep up gets less traffic, not timeouts. */
const IN_FLIGHT = 3;
const BREATHER_MS = 1_000;
/** Cases that the simulated analyst leaves to the person watching. */
const LEFT_OPEN = 10;

export interface Traffic {
  readonly url: string;
  readonly key: string;
  readonly fraud: FraudScreening;
  readonly perSecond: number;
  readonly trafficCounts: TrafficCounts;
  readonly isOver: (elapsedMs: number) => boolean;
  readonly onTick: (elapsedMs: number) => void;
}

/** An analyst who is always right: rejects what an attacker did, approves the rest, oldest first. */
function analyst(fraud: FraudScreening) {
  const open: { readonly case_id: string; readonly isFraud: boolean }[] = [];
  return {
    hears({ intent, status, json }: Done): void {
      if (status === 200 && 'body' in intent && json.case_id) {
        open.push({ case_id: json.case_id, isFraud: intent.fraud !== undefined });
      }
    },
    async decides(): Promise<void> {
      if (open.length <= LEFT_OPEN) return;
      const { case_id, isFraud } = open.shift() as (typeof open)[number];
      const status = isFraud ? 'rejected' : 'approved';
      await fraud.cases.resolve(case_id, { status, analyst_id: 'sam (simulated)' }).catch((error: unknown) => {
        // The person watching was faster.
        if (!(error instanceof FraudScreeningError)) throw error;
      });
    },
  };
}

/** Honest customers and four kinds of attackers, over HTTP, until it is stopped. */
export async function playShopTraffic(demo: Traffic): Promise<void> {
  const sam = analyst(demo.fraud);
  const client = driver({
    url: demo.url,
    keys: [demo.key],
    onDone: (done) => {
      demo.trafficCounts.onDone(done);
      sam.hears(done);
    },
  });
  const make = async (intent: Intent): Promise<void> => {
    if (intent.kind === 'resolve-case' || intent.kind === 'review-decision') return sam.decides();
    const done = await client.make(intent);
    if (done && (done.status === 0 || done.status >= 500)) await delay(BREATHER_MS);
  };
  await drive(make, traffic(SEED, { accounts: 1, usersPerAccount: CUSTOMERS }, ATTACKERS), {
    perSecond: demo.perSecond,
    maxInFlight: IN_FLIGHT,
    isOver: (_started, elapsedMs) => demo.isOver(elapsedMs),
    onTick: ({ elapsedMs }) => demo.onTick(elapsedMs),
  });
  client.close();
}
