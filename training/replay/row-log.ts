import type { StoredLabel } from '../../shared/domain/models/stored-label';
import type { TrainingRow } from '../../shared/domain/models/training-row';
import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';

const BLOCK_BYTES = 4 * 1024 * 1024;

/** A label of a replay: who gave it does not matter, and when it ends is the account's. */
export interface LoggedLabel {
  readonly account_id: string;
  readonly label: 0 | 1;
  readonly known_at_ms: number;
  /** Nobody gave it: it is in the sample of allowed traffic. @default false */
  readonly isSample?: boolean;
  readonly end_ms: number;
}

type LoggedScreening = Pick<ScreeningRecord, 'ulid' | 'vector' | 'observed' | 'screened_at_ms'>;

/** Labelled rows in a few large blocks: half a million small arrays would take more memory than their contents. */
export interface RowLog {
  /** A later label of the same screening replaces what was presumed. */
  add(screening: LoggedScreening, label: LoggedLabel): void;
  /** Labels by people. */
  readonly length: number;
  readonly fraud: number;
  rows(): TrainingRow[];
  /** Production's view: the labels of an account whose screening was in a month, samples among them. */
  storedInMonth(accountId: string, month: string): StoredLabel[];
}

interface Entry {
  readonly ulid: string;
  readonly block: number;
  readonly at: number;
  readonly vector: number;
  readonly observed: number;
  readonly screened_at_ms: number;
  readonly label: LoggedLabel;
}

const MONTH_CHARACTERS = 'yyyy-mm'.length;
const monthKey = (accountId: string, month: string): string => `${accountId} ${month}`;

export function rowLog(): RowLog {
  const entries: Entry[] = [];
  /** Which entries a month of an account has: a training asks for every month of every account. */
  const months = new Map<string, number[]>();
  const samples = new Map<string, number>();
  const replaced = new Set<number>();
  const blocks: Uint8Array[] = [];
  let used = BLOCK_BYTES;
  let [length, fraud] = [0, 0];

  const bytesOf = ({ block, at, vector, observed }: Entry) => {
    const bytes = blocks[block] as Uint8Array;
    return {
      vector: bytes.subarray(at, at + vector),
      observed: observed === 0 ? undefined : bytes.subarray(at + vector, at + vector + observed),
    };
  };

  return {
    add({ ulid, vector, observed, screened_at_ms }, label) {
      const bytes = vector.length + (observed?.length ?? 0);
      if (used + bytes > BLOCK_BYTES) {
        blocks.push(new Uint8Array(BLOCK_BYTES));
        used = 0;
      }
      const block = blocks.at(-1) as Uint8Array;
      block.set(vector, used);
      if (observed !== undefined) block.set(observed, used + vector.length);
      const sample = samples.get(ulid);
      if (sample !== undefined) replaced.add(sample);
      if (label.isSample) samples.set(ulid, entries.length);
      else {
        samples.delete(ulid);
        length++;
        fraud += label.label;
      }
      const month = new Date(screened_at_ms).toISOString().slice(0, MONTH_CHARACTERS);
      const where = { block: blocks.length - 1, at: used, vector: vector.length, observed: observed?.length ?? 0 };
      const inMonth = monthKey(label.account_id, month);
      const known = months.get(inMonth);
      if (known === undefined) months.set(inMonth, [entries.length]);
      else known.push(entries.length);
      entries.push({ ulid, ...where, screened_at_ms, label });
      used += bytes;
    },
    get length() {
      return length;
    },
    get fraud() {
      return fraud;
    },
    rows: () =>
      entries.flatMap((entry) => {
        const { label, isSample, known_at_ms } = entry.label;
        if (isSample) return [];
        return [{ label, screened_at_ms: entry.screened_at_ms, labeled_at_ms: known_at_ms, ...bytesOf(entry) }];
      }),
    storedInMonth: (accountId, month) =>
      (months.get(monthKey(accountId, month)) ?? []).flatMap((at): StoredLabel[] => {
        if (replaced.has(at)) return [];
        const entry = entries[at] as Entry;
        const { label, isSample, known_at_ms, end_ms } = entry.label;
        return [
          {
            subject_id: entry.ulid,
            label: label === 1 ? 'fraud' : 'legitimate',
            source: isSample ? 'sample' : 'decision_review',
            analyst_id: null,
            labeled_at: new Date(known_at_ms).toISOString(),
            screened_at_ms: entry.screened_at_ms,
            ...{ risk_score: 0, model_version: '', feature_version: 0 },
            ...bytesOf(entry),
            ttl: Math.ceil(end_ms / 1000),
          },
        ];
      }),
  };
}
