import type { ReceivedRequest } from './describe-delivery';

/** The response of the merchant's own receiver, and a line about it. */
export interface ForwardedAnswer {
  readonly status: number;
  readonly said: string;
}

/** These belong to the connection on which the delivery arrived, not to the delivery. */
const OF_THE_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect'];

/** As long as the service itself would wait. */
const PATIENCE_MS = 10_000;

/** Forwards a delivery, byte for byte and with its signature, to a receiver without a certificate. */
export async function forwardDelivery({ headers, body }: ReceivedRequest, url: string): Promise<ForwardedAnswer> {
  const passedOn = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.includes(name));
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: passedOn.map(([name, value]) => [name, String(value)] as [string, string]),
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status, said: `${url} answered ${status}` };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
    // A failure, so that the service retries in 5 seconds: the receiver may be starting.
    return { status: 502, said: `${url} did not respond: ${cause?.code ?? message}` };
  }
}
