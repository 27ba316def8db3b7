import type { IncomingHttpHeaders } from 'node:http';
import { constructEvent } from '../../sdk/client/src';

/** A request as it reached the listener, not yet verified. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What to answer, and what to print. */
export interface DeliveryReport {
  readonly status: number;
  readonly lines: readonly string[];
}

/** Verifies a delivery as a merchant's receiver should, and describes it for a person. */
export async function describeDelivery(
  { headers, body }: ReceivedRequest,
  secret: string,
  nowMs: number,
): Promise<DeliveryReport> {
  const time = new Date(nowMs).toISOString().slice(11, 23);
  try {
    const event = await constructEvent(body, headers, secret, { nowSeconds: Math.floor(nowMs / 1_000) });
    const attempt = String(headers['x-service-attempt'] ?? '?');
    const summary = summaryOf(event.data);
    const lines = [
      `${time}  verified  ${event.type.padEnd(26)}  ${event.id}  attempt ${attempt}`,
      ...(summary === '' ? [] : [`              ${summary}`]),
    ];
    return { status: 200, lines };
  } catch (error) {
    // 401, so that the sender retries: a mixed-up secret can be fixed in the meantime.
    return { status: 401, lines: [`${time}  REFUSED   ${(error as Error).message}`] };
  }
}

const SHOWN = ['transaction_id', 'event_id', 'case_id', 'webhook_id', 'status', 'decision', 'risk_score', 'signals'];

/** The members that tell one event from the next. */
function summaryOf(data: object): string {
  const members = new Map<string, unknown>(Object.entries(data));
  return SHOWN.flatMap((name) => {
    const value = members.get(name);
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return [];
    return [`${name} ${Array.isArray(value) ? value.join(', ') : String(value)}`];
  }).join('   ');
}
