import { userOf } from '../../../shared/domain/entities/entity-ref';
import { ClaimTaken } from '../../../shared/domain/idempotency';
import type { KeptChange } from '../../../shared/domain/outcomes/kept-change';
import type { KeptSubject } from '../../../shared/domain/outcomes/kept-subject';
import { isApplied, type OutcomeType, type StoredOutcome } from '../../../shared/domain/outcomes/outside-outcome';
import { type ProcessorTally, TALLY_STEP_MS, type TalliedWord } from '../../../shared/domain/outcomes/shared-rise';
import type { GivenOrNone } from '../../../shared/store/models/label-store';
import { outcomeLabelItem } from '../../../shared/store/outcomes/outcome-label-item';
import type { SweepHeldDeps } from '../../../shared/usecases/outcomes/apply-held-outcomes';
import type {
  Commit,
  OutcomeCommit,
  OutsideOutcomesPort,
} from '../../../shared/usecases/outcomes/outside-outcomes-port';
import type { MemoryAnswers } from './memory-answers';
import type { MemoryKept } from './memory-kept';
import type { MemoryLabels } from './memory-labels';
import type { MemoryReferences } from './memory-references';
import type { MemoryScreenings } from './memory-screenings';

export type OutsidePort = OutsideOutcomesPort & SweepHeldDeps['held'];

interface Parts {
  readonly answers: MemoryAnswers;
  readonly keptSubjects: MemoryKept;
  readonly labels: MemoryLabels;
  readonly references: MemoryReferences;
  readonly screenings: MemoryScreenings;
}

const heldOf = (text: string) => {
  const [type, source = ''] = text.split(' ');
  return { type: type as OutcomeType, source };
};

/** References and outcomes from outside in memory: conditions first, then everything at once. */
export function memoryOutsideOutcomes({ answers, keptSubjects, labels, references, screenings }: Parts) {
  const outcomes = new Map<string, StoredOutcome>();
  const tallies = new Map<string, ProcessorTally>();
  const keyOf = (accountId: string, { source, type }: Pick<StoredOutcome, 'source' | 'type'>): string =>
    `${accountId}/${source}/${type}`;

  function claim(accountId: string, { nowMs, answer }: Commit): void {
    if (answer && !answers.isFree(accountId, answer.scope, nowMs)) throw new ClaimTaken();
  }
  function record(accountId: string, { nowMs, answer }: Commit): void {
    if (answer) answers.put(accountId, answer, nowMs);
  }

  function canKeep(accountId: string, kept: KeptSubject, { label_changes }: KeptSubject): boolean {
    if (!keptSubjects.isNext(accountId, kept)) return false;
    const stored = kept.version > 0 ? undefined : screenings.get(accountId, kept.screening.ulid);
    return kept.version > 0 || (stored?.review_count === label_changes && stored.kept_until_ms === undefined);
  }
  function keep(accountId: string, kept: KeptSubject): void {
    const stored = kept.version > 0 ? undefined : screenings.get(accountId, kept.screening.ulid);
    if (stored) screenings.replace(accountId, { ...stored, kept_until_ms: kept.kept_until_ms });
    keptSubjects.put(accountId, kept);
  }

  return {
    ofSource: async (accountId: string, source: string) =>
      [...outcomes].flatMap(([key, outcome]) => (key.startsWith(`${accountId}/${source}/`) ? [outcome] : [])),
    async reference(accountId: string, name: string, nowMs: number) {
      const found = references.find(accountId, name, nowMs);
      return found && { ...found, held: found.held.map(heldOf) };
    },
    kept: async (accountId: string, ulid: string) => keptSubjects.get(accountId, ulid),
    async keep(accountId: string, kept: KeptSubject) {
      if (!canKeep(accountId, kept, kept)) return false;
      keep(accountId, kept);
      return true;
    },
    async link(accountId: string, names: readonly string[], kept: KeptSubject, commit: Commit) {
      claim(accountId, commit);
      const { kept_until_ms, screening } = kept;
      const linked = { ulid: screening.ulid, user: userOf(screening), atMs: commit.nowMs, kept_until_ms };
      const taken = references.taken(accountId, names, linked);
      if (taken.length > 0) return taken;
      record(accountId, commit);
      references.link(accountId, names, linked);
      return [];
    },
    async hold(accountId: string, outcome: StoredOutcome, names: readonly string[], commit: Commit) {
      claim(accountId, commit);
      const known = outcomes.get(keyOf(accountId, outcome));
      if (known && !((known.held_until_ms ?? Number.POSITIVE_INFINITY) <= commit.nowMs)) return false;
      if (names.some((name) => references.find(accountId, name, commit.nowMs)?.ulid !== undefined)) return false;
      record(accountId, commit);
      outcomes.set(keyOf(accountId, outcome), outcome);
      const text = `${outcome.type} ${outcome.source}`;
      for (const name of names) references.hold(accountId, name, text, outcome.held_until_ms ?? commit.nowMs);
      return true;
    },
    async apply(accountId: string, outcome: StoredOutcome, change: KeptChange, commit: OutcomeCommit) {
      claim(accountId, commit);
      const known = outcomes.get(keyOf(accountId, outcome));
      if (known && (isApplied(known) || commit.isNew)) return false;
      const { before, after, move } = change;
      if (!canKeep(accountId, after, before)) return false;
      record(accountId, commit);
      outcomes.set(keyOf(accountId, outcome), outcome);
      keep(accountId, after);
      const label = outcomeLabelItem(accountId, outcome, change) as GivenOrNone | undefined;
      if (label) {
        const span = { number: after.label_changes, endMs: after.kept_until_ms };
        const { source, analyst_id, labeled_at, key_id } = label;
        const given = {
          label: label.label,
          source,
          analyst_id,
          labeled_at,
          ...(key_id === undefined ? {} : { key_id }),
        };
        labels.put(accountId, after.screening, given, span);
      }
      keptSubjects.move(accountId, after.screening, move, commit.nowMs);
      keptSubjects.decline(accountId, after.screening, change.declined, commit.nowMs);
      return true;
    },
    tally: async (accountId: string) => tallies.get(accountId) ?? new Map(),
    async addToTally(accountId: string, { is_declined, is_known }: TalliedWord, nowMs: number) {
      const steps = new Map(tallies.get(accountId));
      const step = Math.floor(nowMs / TALLY_STEP_MS);
      const kind = is_known ? 'known' : 'others';
      const none = { all: 0, declined: 0 };
      const counts = steps.get(step) ?? { known: none, others: none };
      const { all, declined } = counts[kind];
      const more = { all: all + 1, declined: declined + Number(is_declined) };
      tallies.set(accountId, steps.set(step, { ...counts, [kind]: more }));
    },
    async release(accountId: string, name: string, nowMs: number) {
      references.release(accountId, name, nowMs);
    },
    due: async (shard: number, nowMs: number) => (shard === 0 ? references.due(nowMs) : []),
  } satisfies OutsidePort;
}
