import { type Caller, labelEndMs } from '../../domain/accounts/account';
import type { ReviewCase } from '../../domain/cases/review-case';
import { entityNames, pseudonymOf } from '../../domain/entities/entity-ref';
import { type Pseudonyms, PUBLIC_PSEUDONYMS } from '../../domain/entities/pseudonyms';
import { DomainError, unavailable } from '../../domain/errors';
import type { ClaimHolder, IdempotencyClaim } from '../../domain/idempotency';
import type { IpFacts } from '../../domain/ip/ip-table';
import { observeAttributes } from '../../domain/screening/attributes/observe-attributes';
import { isStopped } from '../../domain/screening/decide';
import { forcedScreening, sandboxDecision, withoutSandboxAttribute } from '../../domain/screening/sandbox-decision';
import { rescreen, type ShadowOpinion, screen } from '../../domain/screening/screen';
import { attemptOf, type Parties, partiesOf, type Subject } from '../../domain/screening/subjects/attempt-of';
import { displayedAttributes } from '../../domain/screening/subjects/displayed-attributes';
import { emailPatternOf } from '../../domain/screening/subjects/email-pattern-of';
import { networksOf } from '../../domain/screening/subjects/networks-of';
import { newLinks } from '../../domain/screening/subjects/new-links';
import { recordedSettings } from '../../domain/screening/subjects/recorded-settings';
import { isForced, type ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { isSampled } from '../../domain/screening/subjects/traffic-sample';
import type { Supposed } from '../../domain/screening/what-if';
import type { Stage } from '../../domain/stage';
import { ulidTimeMs } from '../../domain/ulid';
import { gatherFacts } from './gather-facts';
import { type Judged, newRecord } from './new-record';
import { openCase } from './screening-case';
import {
  compensate,
  type EntityPort,
  namesWithout,
  type RecordedEntity,
  type Recording,
  takeBackRepeat,
} from './screening-compensation';
import { earn, type Standing, settle, standingOf, unearn } from './screening-familiarity';
import { type JudgedScreening, judgeScreening, readRules, type ScreeningRules } from './screening-judgement';
import { readLists, type ScreeningLists } from './screening-lists';
import type { ScreeningModels } from './screening-models';
import { type NetworkPort, readNetworks, recordOnNetworks } from './screening-networks';
import { screeningReferences } from './screening-references';
import { supposedLists, supposedSubject, whatIfOf } from './screening-what-if';

/** Dependencies of a screening. */
export interface ScreenSubjectDeps {
  readonly clock: { now(): number };
  /** In the sandbox, a request may force its decision. @default production */
  readonly stage?: Stage | undefined;
  readonly newUlid: (nowMs: number) => string;
  readonly pause: (ms: number) => Promise<void>;
  readonly ips: { lookup(ip: string): IpFacts | undefined };
  /** How this stage names what it must not store. @default by the public key, for replays and tests */
  readonly pseudonyms?: (() => Pseudonyms | Promise<Pseudonyms>) | undefined;
  readonly entities: EntityPort;
  /** The networks around IP addresses. @default none are known */
  readonly networks?: NetworkPort | undefined;
  readonly claims: {
    /** Claims the key for a screening; resolves with its holder if somebody else has it. */
    claim(
      accountId: string,
      claim: IdempotencyClaim,
      by: { readonly ulid: string; readonly nowMs: number; readonly limitMs: number },
    ): Promise<ClaimHolder | undefined>;
    takeOver(
      accountId: string,
      claim: IdempotencyClaim,
      from: ClaimHolder,
      at: { readonly nowMs: number; readonly limitMs: number },
    ): Promise<boolean>;
    release(accountId: string, claim: IdempotencyClaim, ulid: string, limitMs: number): Promise<void>;
  };
  readonly screenings: {
    find(accountId: string, ulid: string, limitMs?: number): Promise<ScreeningRecord | undefined>;
    /** Stores a screening; with it, of one that was stopped, what the user's history remembers. */
    insert(accountId: string, record: ScreeningRecord, limitMs: number): Promise<void>;
    insertWithCase(accountId: string, record: ScreeningRecord, reviewCase: ReviewCase, limitMs: number): Promise<void>;
  };
  /** Keeps a sample of the traffic for training. @default nothing is kept */
  readonly samples?:
    | { keep(accountId: string, record: ScreeningRecord, untilMs: number, limitMs: number): Promise<void> }
    | undefined;
  /** The account's own rules. @default it has none */
  readonly rules?: ScreeningRules | undefined;
  /** The account's own lists. @default it has none */
  readonly lists?: ScreeningLists | undefined;
  /** Called for every screening; drops what it cannot send. */
  readonly observe: (screened: ScreeningObservation) => void;
  /** Where the models come from; without it, the signals decide alone. */
  readonly models?: ScreeningModels | undefined;
}

/** What on-call wants to know about a screening; nothing of its content. */
export interface ScreeningObservation {
  readonly record: ScreeningRecord;
  /** The probability of fraud that the score stands for. */
  readonly probability: number;
  readonly failed_signals: readonly string[];
  /** Rules that were skipped because they threw. @default none */
  readonly failed_rules?: readonly string[] | undefined;
  readonly shadow?: ShadowOpinion | undefined;
}

/** A screening, and whether an earlier request with the same `Idempotency-Key` made it. */
export interface ScreenedSubject {
  readonly record: ScreeningRecord;
  readonly replayed: boolean;
}

// Each of the two trips may take this long: a slower history is left out, a slower write is a 503. With the lookup and
// the compensation that may follow a failed write, a request ends in under two seconds whatever hangs.
const TRIP_LIMIT_MS = 800;
const LOOK_LIMIT_MS = 150;
// A claim without a result lives longer than any request can run; after that it is dead.
const CLAIM_LIFE_MS = 10_000;
const WAITS_MS = [25, 50, 100, 200, 300, 300];

/**
 * Screens in two sequential trips. First, every entity records the attempt and returns its history, alongside the claim of
 * the `Idempotency-Key` and a read of the networks. Then the result is written, with its case, and counted on networks.
 */
export async function screenSubject(
  deps: ScreenSubjectDeps,
  caller: Caller,
  subject: Subject,
  claim?: IdempotencyClaim,
): Promise<ScreenedSubject> {
  const atMs = deps.clock.now();
  return run(deps, caller, subject, { ulid: deps.newUlid(atMs), atMs, claim, isClaimed: false });
}

/** How a call ended; a failure is a result, too. */
type Ended<Value> = { readonly value: Value } | { readonly error: unknown };

const ended = <Value>(call: Promise<Value>): Promise<Ended<Value>> =>
  call.then(
    (value) => ({ value }),
    (error) => ({ error }),
  );

const UNCLAIMED: Ended<undefined> = { value: undefined };

interface Run {
  readonly ulid: string;
  readonly atMs: number;
  readonly claim: IdempotencyClaim | undefined;
  /** The key was taken over from a request that died: it does not have to be claimed again. */
  readonly isClaimed: boolean;
}

async function run(deps: ScreenSubjectDeps, caller: Caller, sent: Subject, at: Run): Promise<ScreenedSubject> {
  const { account_id, settings } = caller;
  const forced = sandboxDecision(deps.stage, sent.custom_attributes);
  const subject = withoutSandboxAttribute(sent);
  const { ulid, atMs, claim } = at;
  const ip = subject.ip_address === undefined ? undefined : deps.ips.lookup(subject.ip_address);
  const refresh = deps.models?.refresh();
  const refreshing = refresh && ended(refresh);
  // Known already, except to an environment that has just started: then it waits, beside the models.
  const pseudonyms = (await deps.pseudonyms?.()) ?? PUBLIC_PSEUDONYMS;
  const names = entityNames(account_id, pseudonyms);
  // A forced decision has no history: nobody took part.
  const parties = forced ? NOBODY : partiesOf(names, subject, ip, settings);
  const attempt = attemptOf(subject, at, ip, parties);
  const { refs } = parties;

  const claiming =
    claim && !at.isClaimed
      ? ended(deps.claims.claim(account_id, claim, { ulid, nowMs: atMs, limitMs: TRIP_LIMIT_MS }))
      : UNCLAIMED;
  const recordings = refs.map((ref) => ended(deps.entities.recordAttempt(account_id, ref, attempt, TRIP_LIMIT_MS)));
  const around = { attempt, refs: forced ? [] : networksOf(names, subject.ip_address, ip) };
  if (!forced) around.refs.push(...emailPatternOf(names, subject, settings));
  const readingNetworks = readNetworks(deps.networks, account_id, around, TRIP_LIMIT_MS);
  const readingRules = readRules(deps.rules, account_id);
  const readingLists = readLists(
    forced ? undefined : deps.lists,
    account_id,
    { subject, names, ip, refs },
    TRIP_LIMIT_MS,
  );
  // All are in progress, and none can reject: awaiting them one after another takes no longer than the slowest.
  const claimed = await claiming;
  await refreshing;
  const recorded: RecordedEntity[] = [];
  for (const pending of recordings) {
    const end = await pending;
    if ('value' in end) recorded.push(end.value);
  }
  const networks = await readingNetworks;
  const lists = await readingLists;
  const recording = { attempt, refs, recorded };
  const release = () => claim && deps.claims.release(account_id, claim, ulid, LOOK_LIMIT_MS).catch(() => undefined);

  if ('error' in claimed) {
    // The claim may have been written although no response came: releasing it saves the next try the wait for its end.
    await release();
    throw claimed.error;
  }
  if (claim && claimed.value) return replay(deps, caller, { subject: sent, claim, recording }, claimed.value);

  const { never_observed } = settings;
  const observed = forced ? [] : observeAttributes(subject, atMs, ip, { pseudonyms, never_observed });
  const facts = gatherFacts(subject, ip, { account_id, observed, networks: networks.facts }, recording);
  const { champion, shadow } = deps.models?.inForce() ?? {};
  const { rules, missing: unread } = await readingRules;
  const listed = lists.matches(recorded, atMs).matched;
  const scored = (): Judged => {
    const screening = screen(facts, settings, champion, shadow);
    const judgement = judgeScreening({ subject, facts, screening }, caller, rules, listed);
    const supposing = (supposed: Supposed) => {
      const again = rescreen(supposed.facts, settings, champion, supposed.without);
      const other = { subject: supposedSubject(subject, supposed), facts: supposed.facts, screening: again };
      return judgeScreening(other, caller, rules, supposedLists(listed, supposed));
    };
    return { screening, judgement, what_if: whatIfOf(facts, refs, judgement, supposing) };
  };
  const judged: Judged = forced ? forcedScreening(forced, settings) : scored();
  const { screening, judgement } = judged;
  const standing = standingOf(recording, judgement);
  // Into one object: a copy of so many members for each of these would take longer than the scoring.
  const record: ScreeningRecord = Object.assign(
    newRecord(subject, judged, { ulid, observed }, recording),
    standing.kept,
    recordedSettings(settings),
    newLinks(settings, recording),
    screeningReferences(caller, subject, { pseudonyms, atMs }),
    displayedAttributes(settings, subject),
    caller.trace && { trace: caller.trace },
    forced && { listed_user: pseudonymOf(names.user(subject.user_id)) },
    { missing: [...namesWithout(refs, recorded), ...networks.missing, ...lists.missing, ...unread] },
  );
  const circumstances = { user: facts.user, isStopped: isStopped(record.automated_decision) };
  const countingOnNetworks = recordOnNetworks(networks, attempt, circumstances, TRIP_LIMIT_MS);
  const { error, isEarned } = await commit(deps, caller, record, { attempt, refs, recorded, standing });
  if (error !== undefined) {
    // The write may have succeeded although no response came: one read decides whether anything must be undone.
    const landed = await deps.screenings.find(account_id, ulid, LOOK_LIMIT_MS).catch(() => 'unknown' as const);
    if (landed === 'unknown') throw unavailable(error);
    if (!landed) {
      // With a key, the count stays: it belongs to the key, and other requests with the same key may already rely on it.
      const undone = claim ? release() : compensate(deps, account_id, recording);
      await Promise.all([undone, isEarned && unearn(deps, account_id, recording, record)]);
      throw error;
    }
  }
  await countingOnNetworks;
  const { probability, failed_signals } = screening;
  const { failed_rules }: JudgedScreening = judgement;
  deps.observe({ record, probability, failed_signals, failed_rules, shadow: screening.shadow });
  return { record, replayed: false };
}

/** How the second trip ended. */
interface Committed {
  /** Why the result may not have been stored. */
  readonly error?: unknown;
  /** Whether what the attempt made familiar was written. */
  readonly isEarned: boolean;
}

/** The second trip: the result (with its case), and alongside it what may be lost without harm. */
async function commit(
  deps: ScreenSubjectDeps,
  { account_id: accountId, settings }: Caller,
  record: ScreeningRecord,
  judged: Recording & { readonly standing: Standing },
): Promise<Committed> {
  const limitMs = TRIP_LIMIT_MS;
  const write =
    record.automated_decision === 'review'
      ? deps.screenings.insertWithCase(accountId, record, openCase(record), limitMs)
      : deps.screenings.insert(accountId, record, limitMs);
  const earned = earn(deps, accountId, judged, limitMs);
  const beside: Array<Promise<unknown> | undefined> = [write, earned, ...settle(deps, accountId, judged, limitMs)];
  if (isSampled(record) && !isForced(record))
    beside.push(deps.samples?.keep(accountId, record, labelEndMs(settings, record), limitMs));
  for (const { trim } of judged.recorded) if (trim) beside.push(trim(limitMs));
  const [written, earning] = await Promise.allSettled(beside);
  const isEarned = earned !== undefined && earning?.status === 'fulfilled';
  return written?.status === 'rejected' ? { error: written.reason, isEarned } : { isEarned };
}

interface Repeat {
  readonly subject: Subject;
  readonly claim: IdempotencyClaim;
  readonly recording: Recording;
}

/** Answers a repeat from what the first request stored, or resumes where it died. */
async function replay(
  deps: ScreenSubjectDeps,
  caller: Caller,
  { subject, claim, recording }: Repeat,
  holder: ClaimHolder,
): Promise<ScreenedSubject> {
  if (holder.body_hash !== claim.body_hash) {
    await compensate(deps, caller.account_id, recording);
    throw new DomainError(
      'idempotency_mismatch',
      'This Idempotency-Key was used with a different body in the last 24 hours. Use a new key for a new request.',
    );
  }
  for (const waitMs of [0, ...WAITS_MS]) {
    await deps.pause(waitMs);
    const record = await deps.screenings.find(caller.account_id, holder.ulid);
    if (record) {
      await takeBackRepeat(deps, caller.account_id, recording, record);
      return { record, replayed: true };
    }
    if (deps.clock.now() - holder.claimed_at_ms >= CLAIM_LIFE_MS) break;
  }
  const nowMs = deps.clock.now();
  const isDead = nowMs - holder.claimed_at_ms >= CLAIM_LIFE_MS;
  if (isDead && (await deps.claims.takeOver(caller.account_id, claim, holder, { nowMs, limitMs: TRIP_LIMIT_MS }))) {
    // With its original time, too: cases are listed and counted by the time in their id.
    return run(deps, caller, subject, { ulid: holder.ulid, atMs: ulidTimeMs(holder.ulid), claim, isClaimed: true });
  }
  const message = 'A request with this Idempotency-Key is still running. Try again in a second.';
  throw new DomainError('idempotency_in_progress', message, [], { retryAfterSeconds: 1 });
}

const NOBODY: Parties = { refs: [], card: undefined };
