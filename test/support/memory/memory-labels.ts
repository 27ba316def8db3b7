import type { StoredLabel } from '../../../shared/domain/models/stored-label';
import type { LabelledScreening } from '../../../shared/domain/outcomes/kept-subject';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { subjectId } from '../../../shared/domain/screening/subjects/subject-id';
import type { GivenOrNone, LabelSpan } from '../../../shared/store/models/label-store';
import type { LabelPort } from '../../../shared/usecases/models/labelled-rows';
import type { ScreenSubjectDeps } from '../../../shared/usecases/screening/screen-subject';

/** Labels as training reads them, and the sample that screenings keep with them. */
export type LabelsPort = Pick<LabelPort, 'storedInMonth'> & NonNullable<ScreenSubjectDeps['samples']>;

type StoredOrNone = Omit<StoredLabel, 'label'> & Pick<GivenOrNone, 'label'>;

const NEVER = Number.MAX_SAFE_INTEGER;
const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

/** Labels in memory. */
export function memoryLabels() {
  /** Appended, never overwritten: of one subject the highest number holds. */
  const labels = new Map<string, Map<string, StoredOrNone>>();

  const put = (
    accountId: string,
    record: LabelledScreening,
    given: GivenOrNone,
    { number: sequence, endMs }: LabelSpan,
  ): void => {
    const { ulid, subject_type, screened_at_ms, risk_score, model_version, feature_version } = record;
    const scored = { screened_at_ms, risk_score, model_version, feature_version, vector: record.vector };
    const observed = record.observed === undefined ? {} : { observed: record.observed };
    const partition = `${accountId}/${monthOf(screened_at_ms)}`;
    const month = labels.get(partition) ?? new Map<string, StoredOrNone>();
    labels.set(partition, month);
    const number = String(sequence).padStart(6, '0');
    const label = { subject_id: subjectId(subject_type, ulid), ...given, ...scored, ...observed };
    month.set(`${ulid}#${number}`, { ...label, ttl: Math.ceil(endMs / 1000) });
  };

  return {
    put,
    /** Erases every label of a screening. */
    remove(accountId: string, { ulid, screened_at_ms }: Pick<ScreeningRecord, 'ulid' | 'screened_at_ms'>): void {
      const month = labels.get(`${accountId}/${monthOf(screened_at_ms)}`);
      for (const key of month?.keys() ?? []) if (key.startsWith(`${ulid}#`)) month?.delete(key);
    },
    async keep(accountId: string, record: ScreeningRecord, untilMs = NEVER) {
      const labeled_at = new Date(record.screened_at_ms).toISOString();
      put(
        accountId,
        record,
        { label: 'legitimate', source: 'sample', analyst_id: null, labeled_at },
        { number: 0, endMs: untilMs },
      );
    },
    async storedInMonth(accountId: string, month: string) {
      const inOrder = [...(labels.get(`${accountId}/${month}`) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
      const latest = new Map<string, StoredLabel>();
      const samples = new Map<string, StoredLabel>();
      for (const [, { label, ...stored }] of inOrder) {
        const sample = samples.get(stored.subject_id);
        if (label !== 'none') latest.set(stored.subject_id, { ...stored, label });
        else if (sample) latest.set(stored.subject_id, sample);
        else latest.delete(stored.subject_id);
        if (label !== 'none' && stored.source === 'sample') samples.set(stored.subject_id, { ...stored, label });
      }
      return [...latest.values()];
    },
  } satisfies LabelsPort & Record<string, unknown>;
}

export type MemoryLabels = ReturnType<typeof memoryLabels>;
