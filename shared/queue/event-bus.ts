import { unavailable } from '../domain/errors';
import type { Stage } from '../domain/stage';
import { traceparentOf } from '../domain/traceparent';
import type { StoredMessage } from '../domain/webhooks/webhook-event';
import { jsonCalls, type ServiceAddress } from '../store/sdk/signed-requests';

/** The `source` that rules on the bus match. */
export const eventSource = (stage: Stage): string => `fraud-screening.${stage}`;

export interface BusEntry {
  readonly Source: string;
  readonly DetailType: string;
  /** The body of the webhook, with the account that it belongs to, and `traceparent` if there is one. */
  readonly Detail: string;
  /** In seconds. */
  readonly Time: number;
  readonly EventBusName: string;
}

/** A webhook message as an event of the bus. A bus is shared by all accounts of a stage, so that each event names its own. */
export function busEntry(message: StoredMessage, stage: Stage, busArn: string): BusEntry {
  const body = new TextDecoder().decode(message.body);
  const { account_id, trace } = message;
  const first = trace === undefined ? { account_id } : { account_id, traceparent: traceparentOf(trace) };
  return {
    Source: eventSource(stage),
    DetailType: message.event_type,
    Detail: `${JSON.stringify(first).slice(0, -1)},${body.slice(1)}`,
    Time: Date.parse(message.created_at) / 1000,
    EventBusName: busArn,
  };
}

/** EventBridge takes at most ten entries per call. */
const BATCH = 10;
const PATIENCE = { connectionTimeout: 1_000, requestTimeout: 5_000 };

interface PutAnswer {
  readonly FailedEntryCount?: number;
  readonly Entries?: ReadonlyArray<{ readonly ErrorCode?: string }>;
}

/** The region of a bus may differ from that of the service. */
const regionOf = (busArn: string): string => busArn.split(':')[3] ?? '';

/**
 * Puts messages on a bus. Events that the bus did not take throw `unavailable`: the relay's stream hands the change over again, with the same event ID.
 */
export function eventBus(
  { endpoint, credentials }: Pick<ServiceAddress, 'endpoint' | 'credentials'>,
  stage: Stage,
  busArn: string,
) {
  const address = { service: 'events', region: regionOf(busArn), endpoint, credentials };
  const call = jsonCalls(address, 'AWSEvents', PATIENCE);

  async function putBatch(entries: readonly BusEntry[]): Promise<void> {
    const answer = await call<PutAnswer>('PutEvents', { Entries: entries }).catch((error: unknown) => {
      throw unavailable(error);
    });
    const { FailedEntryCount: failed = 0, Entries: results = [] } = answer;
    const codes = results.flatMap(({ ErrorCode: code }) => code ?? []);
    if (failed > 0) throw unavailable(new Error(`PutEvents: ${failed} not taken (${codes.join(', ')})`));
  }

  return {
    async put(messages: readonly StoredMessage[]): Promise<void> {
      const entries = messages.map((message) => busEntry(message, stage, busArn));
      for (let from = 0; from < entries.length; from += BATCH) await putBatch(entries.slice(from, from + BATCH));
    },
  };
}
