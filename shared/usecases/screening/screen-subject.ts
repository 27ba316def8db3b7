import type { Caller } from '../../domain/accounts/account';
import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import { unavailable } from '../../domain/errors';
import type { IdempotencyClaim } from '../../domain/idempotency';
import type { ShadowOpinion } from '../../domain/screening/screen';
import type { Subject } from '../../domain/screening/subjects/attempt-of';
import {
  ReferencesTaken,
  type ScreeningRecord,
  withoutReferences,
} from '../../domain/screening/subjects/screening-record';
import { decideScreening, type Screened } from './decide-screening';
import { type EffectPorts, undoEffects, type Written, writeEffects } from './effects';
import { resultEffect } from './effects/result';
import { type PreparePorts, prepare, type ScreeningRequest } from './prepare';
import { findRepeat, type RepeatPorts, releaseClaim } from './repeats';
import { readSources, type SourcePorts, undoSources } from './sources';

/** Dependencies of a screening: its own, and those of its sources and effects. */
export type ScreenSubjectDeps = PreparePorts & SourcePorts & EffectPorts & RepeatPorts & OwnPorts;

/** Histories of entities, as a screening needs them. Of what is written in the second trip, anything may be lost. */
export type EntityPort = ScreenSubjectDeps['entities'];

interface OwnPorts {
  readonly newUlid: (nowMs: number) => string;
  readonly pseudonyms: () => Pseudonyms | Promise<Pseudonyms>;
  /** Called for every screening; drops what it cannot send. */
  readonly observe: (screened: ScreeningObservation) => void;
}

/** Facts about a screening for on-call; nothing of its content. */
export interface ScreeningObservation {
  readonly record: ScreeningRecord;
  readonly probability: number;
  readonly failed_signals: readonly string[];
  readonly failed_rules?: readonly string[] | undefined;
  readonly shadow?: ShadowOpinion | undefined;
}

/** A screening, and whether an earlier request with the same `Idempotency-Key` made it. */
export interface ScreenedSubject {
  readonly record: ScreeningRecord;
  readonly replayed: boolean;
}

/** Screens in two sequential trips: every source is read at once, then the result and every effect are written at once. */
export function screenSubject(
  deps: ScreenSubjectDeps,
  caller: Caller,
  subject: Subject,
  claim?: IdempotencyClaim,
): Promise<ScreenedSubject> {
  const atMs = deps.clock.now();
  return screenAs(deps, caller, subject, { ulid: deps.newUlid(atMs), atMs, claim, isClaimed: false });
}

async function screenAs(
  deps: ScreenSubjectDeps,
  caller: Caller,
  subject: Subject,
  request: ScreeningRequest,
): Promise<ScreenedSubject> {
  const known = deps.pseudonyms();
  // Known already, except to an environment that has just started.
  const pseudonyms = known instanceof Promise ? await known : known;
  const prepared = prepare(deps, { caller, pseudonyms }, subject, request);
  const readings = await readSources(deps, prepared);
  const repeat = request.claim && (await findRepeat(deps, prepared, readings));
  if (repeat)
    return 'record' in repeat ? { ...repeat, replayed: true } : screenAs(deps, caller, subject, repeat.request);
  const screened = decideScreening(prepared, readings);
  const written = await writeEffects(deps, screened);
  const stored = written.error === undefined ? screened : await ensureStored(deps, screened, written);
  deps.observe(observationOf(stored));
  return { record: stored.record, replayed: false };
}

const LOOK_LIMIT_MS = 150;

/**
 * Stores a result again without references that belong to others. Undoes a screening whose result was not stored, and
 * throws why. With all trips, a request ends in under two seconds.
 */
async function ensureStored(deps: ScreenSubjectDeps, screened: Screened, written: Written): Promise<Screened> {
  const { prepared, readings, record } = screened;
  if (written.error instanceof ReferencesTaken) {
    const left = { ...screened, record: withoutReferences(record, written.error.names) };
    const { error } = await writeEffects(deps, left, [resultEffect]);
    return error === undefined ? left : ensureStored(deps, left, { ...written, error });
  }
  const { account_id } = prepared.caller;
  // The write may have succeeded although no response came: one read decides whether anything must be undone.
  const stored = await deps.screenings.find(account_id, record.ulid, LOOK_LIMIT_MS).catch(() => 'unknown' as const);
  if (stored === 'unknown') throw unavailable(written.error);
  if (stored) return { ...screened, record: stored };
  // With a key, the count stays: it belongs to the key, and other requests with the same key may already rely on it.
  const undoing = prepared.request.claim ? releaseClaim(deps, prepared) : undoSources(deps, prepared, readings);
  await Promise.all([undoing, undoEffects(deps, screened, written)]);
  throw written.error;
}

const observationOf = ({ record, screening, decision }: Screened): ScreeningObservation => ({
  record,
  probability: screening.probability,
  failed_signals: screening.failed_signals,
  failed_rules: decision.failed_rules,
  shadow: screening.shadow,
});
