import type { Caller } from '../../domain/accounts/account';
import { entityNames } from '../../domain/entities/entity-ref';
import { referenceNames, sourceName } from '../../domain/entities/pseudonyms';
import { invalidRequest, notFound, unavailable } from '../../domain/errors';
import type { IdempotencyRecord } from '../../domain/idempotency';
import { MAX_STATEMENTS, outcomeOnSubject } from '../../domain/outcomes/kept-change';
import type { KeptSubject } from '../../domain/outcomes/kept-subject';
import {
  HELD_MS,
  isApplied,
  labelOfOutcome,
  type StatedOutcome,
  type StoredOutcome,
} from '../../domain/outcomes/outside-outcome';
import { isCountedDecline, processorWord } from '../../domain/outcomes/processor-word';
import type { ReportedCard } from '../../domain/outcomes/processors/notification';
import { isSharedRise, type ProcessorTally, talliedWord } from '../../domain/outcomes/shared-rise';
import { isDecisionOf } from '../../domain/screening/subjects/screening-record';
import { subjectId, ulidOf } from '../../domain/screening/subjects/subject-id';
import type { OutsideOutcomesDeps } from './outside-outcomes-port';
import { findSubject, MAX_ROUNDS } from './reach-subject';

/** An outcome as it arrives: of a subject, or of any of these references. */
export interface ArrivingOutcome extends StatedOutcome {
  readonly subject_id?: string | undefined;
  readonly references?: readonly string[] | undefined;
  /** The source's ID for it: the same again has no second effect. */
  readonly source_id: string;
  readonly card?: ReportedCard | undefined;
  /** With an `Idempotency-Key`, the record of the response, which commits with the effect. */
  readonly recordOf?: ((outcome: StoredOutcome) => IdempotencyRecord) | undefined;
}

const isLive = (outcome: StoredOutcome, nowMs: number): boolean =>
  isApplied(outcome) || nowMs < (outcome.held_until_ms ?? 0);

/**
 * Records an outcome from outside, exactly once per source and type: what it says is decided together with everything
 * that was said before, and commits with the counters it moves. An unknown reference holds it for a week.
 */
export async function recordOutsideOutcome(
  deps: OutsideOutcomesDeps,
  caller: Caller,
  arriving: ArrivingOutcome,
): Promise<StoredOutcome> {
  const { account_id: accountId } = caller;
  const pseudonyms = await deps.pseudonyms();
  const source = sourceName(pseudonyms, accountId, arriving.source_id);
  const names = referenceNames(pseudonyms, accountId, arriving.references ?? []);
  const target = { id: arriving.subject_id, names };
  const { recordOf } = arriving;
  const card = arriving.card && entityNames(accountId, pseudonyms).attribute(...arriving.card)?.key;
  // A processor mostly reports something new about a payment of which nobody has said anything. Then nothing that the
  // source said before can matter, unless it is this very outcome; the write is refused if it is.
  let isMaybeNew = arriving.subject_id === undefined;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const nowMs = deps.clock.now();
    const fresh = () => newOutcome(arriving, { ulid: deps.newUlid(nowMs), source, caller, nowMs, card });
    const early = isMaybeNew ? { subject: await subjectOf(deps, caller, target, nowMs) } : undefined;
    if (isUntouched(early?.subject)) {
      isMaybeNew = false;
      const first = { outcome: fresh(), subject: early.subject, said: [], recordOf, isNew: true };
      const done = await applyOutcome(deps, accountId, first, nowMs);
      if (done) return done;
      continue;
    }
    const said = await deps.outside.ofSource(accountId, source);
    const known = said.find((each) => each.type === arriving.type && isLive(each, nowMs));
    if (known && isApplied(known)) return known;
    const outcome = known ?? fresh();
    const subject = early ? early.subject : await subjectOf(deps, caller, target, nowMs);
    if (subject) {
      const done = await applyOutcome(deps, accountId, { outcome, subject, said, recordOf }, nowMs);
      if (done) return done;
      continue;
    }
    if (arriving.subject_id !== undefined) throw notFound('transaction, event or decision');
    if (known) return known;
    const held = { ...outcome, held_until_ms: nowMs + HELD_MS };
    if (await deps.outside.hold(accountId, held, names, { nowMs, answer: recordOf?.(held) })) return held;
  }
  throw unavailable(new Error(`The subject changed ${MAX_ROUNDS} times while its outcome was being recorded`));
}

const isUntouched = (subject: KeptSubject | undefined): subject is KeptSubject =>
  subject !== undefined && Object.keys(subject.statements).length === 0;

function newOutcome(
  { type, reason_code, network, amount, currency, occurred_at, ...word }: ArrivingOutcome,
  {
    caller,
    nowMs,
    ...by
  }: Pick<StoredOutcome, 'ulid' | 'source' | 'card'> & {
    readonly caller: Caller;
    readonly nowMs: number;
  },
): StoredOutcome {
  const stated = { type, reason_code, network, amount, currency, occurred_at, ...processorWord(word) };
  return {
    ...stated,
    ...by,
    key_id: caller.key_id,
    label: labelOfOutcome(stated),
    recorded_at_ms: nowMs,
    subject_id: null,
    label_in_force: null,
  };
}

/** The subject of an outcome: by its ID, or by the first of its references that has one. */
async function subjectOf(
  deps: OutsideOutcomesDeps,
  caller: Caller,
  { id, names }: { readonly id: string | undefined; readonly names: readonly string[] },
  nowMs: number,
): Promise<KeptSubject | undefined> {
  if (id !== undefined) {
    const ulid = ulidOf(id, 'txn', 'evt', 'dec');
    const found = ulid && (await findSubject(deps, caller, ulid, nowMs));
    return found && isDecisionOf(found.screening, id) ? found : undefined;
  }
  const references = await Promise.all(names.map((name) => deps.outside.reference(caller.account_id, name, nowMs)));
  const ulid = references.find((each) => each?.ulid !== undefined)?.ulid;
  return ulid === undefined ? undefined : findSubject(deps, caller, ulid, nowMs);
}

interface Applied {
  readonly outcome: StoredOutcome;
  readonly subject: KeptSubject;
  readonly said: readonly StoredOutcome[];
  readonly recordOf?: ArrivingOutcome['recordOf'];
  /** The source's earlier outcomes were not read: refuse this one if it is stored already. */
  readonly isNew?: boolean;
}

/** Applies an outcome to its subject; undefined if something changed in the meantime. */
export async function applyOutcome(
  { outside }: { readonly outside: Pick<OutsideOutcomesDeps['outside'], 'tally' | 'apply' | 'addToTally'> },
  accountId: string,
  { outcome, subject, said: before, recordOf, isNew = false }: Applied,
  nowMs: number,
): Promise<StoredOutcome | undefined> {
  if (Object.keys(subject.statements).length >= MAX_STATEMENTS) {
    throw invalidRequest([{ field: 'source_id', message: `the subject has ${MAX_STATEMENTS} outcomes already` }]);
  }
  const siblings = before.map(({ ulid }) => ulid).filter((ulid) => ulid !== outcome.ulid);
  const isDecline = isCountedDecline(outcome) && subject.screening.subject_type === 'transaction';
  // Without the tally the decline counts, as on any quiet day.
  const isShared = isDecline && isSharedRise(await outside.tally(accountId, nowMs).catch(() => NO_TALLY), nowMs);
  const said: StoredOutcome = isShared ? { ...outcome, is_shared: true } : outcome;
  const change = outcomeOnSubject(subject, said, siblings, nowMs);
  const { ulid, subject_type } = subject.screening;
  const { held_until_ms: _, card: __, ...rest } = said;
  const applied: StoredOutcome = {
    ...rest,
    subject_id: subjectId(subject_type, ulid),
    label_in_force: change.after.in_force?.label ?? null,
  };
  const commit = { nowMs, answer: recordOf?.(applied), isNew };
  if (!(await outside.apply(accountId, applied, change, commit))) return undefined;
  const word = isDecline || outcome.type === 'authorized' ? talliedWord(subject.screening, isDecline) : undefined;
  // One that is lost is one fewer in a crowd.
  if (word) await outside.addToTally(accountId, word, nowMs).catch(() => undefined);
  return applied;
}

const NO_TALLY: ProcessorTally = new Map();
