import { type Pseudonyms, pseudonymsBy } from '../domain/entities/pseudonyms';
import { unavailable } from '../domain/errors';
import { within } from '../store/sdk/client';
import { identityKeys, parseStageSecret } from './stage-secret';

/** Dependencies of a stage's pseudonyms. */
export interface StagePseudonymsDeps {
  readonly clock: { now(): number };
  /** The text of the stage's secret. */
  readonly read: () => Promise<string>;
  readonly onFailure: (error: unknown) => void;
}

/*
 * A function reads the secret as it starts, beside everything else that it loads, and never waits for it again: every
 * five minutes it reads it beside a request, so that a rotated key is known to all soon after one another.
 */
const READ_EVERY_MS = 5 * 60_000;
/** After a failure, and for a read that never returned because the function was frozen in the middle of it. */
const TRY_AGAIN_MS = 2_000;
const WAIT_AT_MOST_MS = 800;

/** The pseudonyms of a stage; a promise only until the secret has been read once. */
export function stagePseudonyms(deps: StagePseudonymsDeps): () => Pseudonyms | Promise<Pseudonyms> {
  const { clock, read, onFailure } = deps;
  let known: { readonly text: string; readonly pseudonyms: Pseudonyms } | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let startedMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<Pseudonyms> | undefined;

  async function readNow(nowMs: number): Promise<Pseudonyms> {
    const text = await read();
    if (known?.text !== text) known = { text, pseudonyms: pseudonymsBy(identityKeys(parseStageSecret(text))) };
    readAtMs = nowMs;
    return known.pseudonyms;
  }

  function start(nowMs: number): Promise<Pseudonyms> {
    startedMs = nowMs;
    const started = readNow(nowMs);
    reading = started;
    started.catch((error) => {
      if (reading === started) reading = undefined;
      onFailure(error);
    });
    return started;
  }

  void start(clock.now());

  return () => {
    const nowMs = clock.now();
    const isLate = nowMs - startedMs >= TRY_AGAIN_MS;
    if (known !== undefined) {
      if (isLate && nowMs - readAtMs >= READ_EVERY_MS) void start(nowMs);
      return known.pseudonyms;
    }
    const pending = reading === undefined || isLate ? start(nowMs) : reading;
    return within(WAIT_AT_MOST_MS, pending).catch((error) => {
      throw unavailable(error);
    });
  };
}
