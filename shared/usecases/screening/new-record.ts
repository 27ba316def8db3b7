import type { Caller } from '../../domain/accounts/account';
import { pseudonymOf } from '../../domain/entities/entity-ref';
import { type Pseudonyms, referenceNames } from '../../domain/entities/pseudonyms';
import { keptUntilMs } from '../../domain/outcomes/kept-subject';
import type { ObservedAttribute } from '../../domain/screening/attributes/observed-attribute';
import { packObserved } from '../../domain/screening/attributes/observed-codec';
import type { AppliedRule, PolicyDecision } from '../../domain/screening/decide-by-policy';
import { FEATURE_VERSION } from '../../domain/screening/features';
import type { Screening } from '../../domain/screening/screen';
import type { Subject } from '../../domain/screening/subjects/attempt-of';
import { sentEvidence } from '../../domain/screening/subjects/evidence';
import { packVector } from '../../domain/screening/subjects/feature-vector-codec';
import { displayedAttributes, newLinks, recordedSettings } from '../../domain/screening/subjects/record-members';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import type { Familiarity } from './familiarity';
import type { Prepared } from './prepare';
import { missingOf, type Readings } from './sources';
import type { RecordedEntity } from './sources/histories';

/** A decision by the score and the account's own rules and lists. */
export interface ScreeningDecision extends PolicyDecision {
  readonly shadow_rules?: readonly AppliedRule[] | undefined;
  /** Rules that threw and were skipped. @default none */
  readonly failed_rules?: readonly string[] | undefined;
}

/** A screening with its decision, and the changes that would have led to a milder one. */
export interface Decided {
  readonly screening: Screening;
  readonly decision: ScreeningDecision;
  readonly what_if?: ScreeningRecord['what_if'] | undefined;
}

type Draft = { -readonly [Member in keyof ScreeningRecord]: ScreeningRecord[Member] };

/** The stored form of a screening. */
export function newRecord(
  prepared: Prepared,
  readings: Readings,
  { screening, decision, what_if }: Decided,
  { observed, familiarity }: { readonly observed: readonly ObservedAttribute[]; readonly familiarity: Familiarity },
): ScreeningRecord {
  const { caller, subject, forced, attempt, refs, networks, names, pseudonyms } = prepared;
  const { amount, currency, action, agent } = subject;
  const { shadow } = screening;
  const { recorded } = readings.histories;
  const { settings } = caller;
  const record: Draft = {
    ulid: prepared.request.ulid,
    subject_type: subject.subject_type,
    user_id: subject.user_id,
    risk_score: decision.risk_score,
    risk_level: decision.risk_level,
    automated_decision: decision.decision,
    base: screening.explanation.base,
    contributions: decision.contributions,
    model_version: screening.model_version,
    feature_version: FEATURE_VERSION,
    intelligence: prepared.intelligence,
    vector: packVector(screening.vector),
    entities: refs.map(({ key }) => key),
    missing: missingOf(readings),
    screened_at_ms: attempt.at_ms,
    review: null,
    review_count: 0,
  };
  if (amount !== undefined) record.amount = amount;
  if (currency !== undefined) record.currency = currency;
  if (action !== 'transaction') record.event_type = action;
  if (action === 'transaction') Object.assign(record, declinedElsewhere(attempt, refs, networks));
  if (agent !== undefined) record.agent = agent;
  if (observed.length > 0) record.observed = packObserved(observed);
  if (what_if !== undefined) record.what_if = what_if;
  if (shadow !== undefined && shadow.risk_score !== null)
    record.shadow = { version: shadow.version, risk_score: shadow.risk_score };
  // Into one object: a copy of so many members for each of these would take longer than the scoring.
  return Object.assign(
    record,
    decisionMembers(decision),
    countedElsewhere(recorded, readings.counters),
    readings.counters.read && { counters: readings.counters.read },
    familiarity.kept,
    recordedSettings(settings),
    newLinks(settings, { refs, recorded }),
    screeningReferences(caller, subject, { pseudonyms, atMs: attempt.at_ms }),
    displayedAttributes(settings, subject),
    sentEvidence({ accountId: caller.account_id, ulid: record.ulid, pseudonyms }, settings, subject, prepared.ip),
    caller.trace && { trace: caller.trace },
    forced && { listed_user: pseudonymOf(names.user(subject.user_id)) },
  );
}

/** Facts that a decline needs besides the entities: the network, and a card that is not one of them. */
function declinedElsewhere(
  { card }: Prepared['attempt'],
  refs: Prepared['refs'],
  networks: Prepared['networks'],
): Pick<Draft, 'network' | 'card'> {
  const found: Pick<Draft, 'network' | 'card'> = {};
  const network = networks.find(({ name }) => name === 'network')?.key;
  if (network !== undefined) found.network = network;
  if (card !== undefined && !refs.some(({ key }) => key.endsWith(card))) found.card = card;
  return found;
}

type DecisionMembers = {
  -readonly [Member in 'decided_by' | 'rules' | 'lists' | 'shadow_rules']?: ScreeningRecord[Member];
};

/** A record's members about the account's own rules and lists; nothing for most, where only the score decided. */
export function decisionMembers({ decided_by, rules, lists, shadow_rules = [] }: ScreeningDecision): DecisionMembers {
  const members: DecisionMembers = {};
  if (decided_by.kind !== 'score') members.decided_by = decided_by;
  if (rules.length > 0) members.rules = rules;
  if (lists.length > 0) members.lists = lists;
  if (shadow_rules.length > 0) members.shadow_rules = shadow_rules;
  return members;
}

const isElsewhere = ({ counted_by }: { readonly counted_by?: string | undefined }): boolean => Boolean(counted_by);

/** Which entities another request with the same `Idempotency-Key` counted, and which one. */
function countedElsewhere(
  recorded: readonly RecordedEntity[],
  { planned, counted }: Readings['counters'],
): Pick<ScreeningRecord, 'counted_by'> {
  if (!recorded.some(isElsewhere) && !counted.some(isElsewhere)) return {};
  const others = recorded.flatMap(({ ref, counted_by }) => (counted_by ? [[ref.key, counted_by] as const] : []));
  const counters = counted.flatMap(({ name, counted_by }) => {
    const plan = planned.find((each) => each.name === name);
    return plan && counted_by ? [[plan.entity, counted_by] as const] : [];
  });
  return { counted_by: Object.fromEntries([...others, ...counters]) };
}

/** References are kept by their pseudonyms, and with them what labels from outside will need. */
export function screeningReferences(
  { account_id, settings }: Caller,
  { references = [] }: Subject,
  { pseudonyms, atMs }: { readonly pseudonyms: Pseudonyms; readonly atMs: number },
): Pick<ScreeningRecord, 'references' | 'kept_until_ms'> {
  if (references.length === 0) return {};
  return {
    references: referenceNames(pseudonyms, account_id, references),
    kept_until_ms: keptUntilMs(settings, { screened_at_ms: atMs }),
  };
}
