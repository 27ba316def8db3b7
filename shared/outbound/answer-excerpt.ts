import type { IncomingMessage } from 'node:http';

/** Bytes of an answer that are read at most; a receiver that says more is cut off. */
export const MAX_READ_BYTES = 4_096;
/** Bytes of an answer that are kept for the merchant to look at. */
export const MAX_KEPT_BYTES = 1_024;

/**
 * How long an answer's body may take once its status is known. The status has decided by then, so a trickle is not
 * worth a place among the attempts in flight; with 10.0 s for the headers no attempt holds more than 10.5 s.
 */
export const BODY_GRACE_MS = 300;

/** Reads the beginning of an answer; ends at the end of the body, at 4 KB, after the grace or when it breaks off. */
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
    // A connection that breaks in the body takes nothing back: the status has been seen.
    response.on('error', finish);
  });
}

/** `stream` makes the decoder hold back a character that the cut has split, instead of writing U+FFFD for it. */
const excerptOf = (body: Buffer): string =>
  new TextDecoder('utf-8').decode(body.subarray(0, MAX_KEPT_BYTES), { stream: true });
