import type { IncomingMessage } from 'node:http';

/** At most this many bytes of a response are read; the connection is closed on a receiver that sends more. */
export const MAX_READ_BYTES = 4_096;
/** Bytes of a response that are kept for the merchant to look at. */
export const MAX_KEPT_BYTES = 1_024;

/**
 * How long a response body may take once its status is known. The status has decided by then, so a trickle is not
 * worth one of the endpoint's slots; with 10.0 s for the headers no delivery attempt takes more than 10.5 s.
 */
export const BODY_GRACE_MS = 300;

/** Reads the start of a body; stops at its end, at 4 KB, after the grace period or on a broken connection. */
export function readExcerpt(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (): void => {
      clearTimeout(grace);
      response.destroy();
      resolve(excerptOf(Buffer.concat(chunks)));
    };
    const grace = setTimeout(finish, BODY_GRACE_MS);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_READ_BYTES) finish();
    });
    response.on('end', finish);
    response.on('close', finish);
    // A connection that breaks in the body changes nothing: the status has arrived.
    response.on('error', finish);
  });
}

/** `stream` makes the decoder hold back a character that the cut has split, instead of emitting U+FFFD for it. */
const excerptOf = (body: Buffer): string =>
  new TextDecoder('utf-8').decode(body.subarray(0, MAX_KEPT_BYTES), { stream: true });
