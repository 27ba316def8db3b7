import type { LabelGiven, StoredLabel } from '../../../shared/domain/models/stored-label';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { subjectId } from '../../../shared/domain/screening/subjects/subject-id';
import type { LabelPort } from '../../../shared/usecases/models/labelled-rows';
import type { ScreenSubjectDeps } from '../../../shared/usecases/screening/screen-subject';

/** Labels as training reads them, and the sample that screenings keep beside them. */
export type LabelsPort = Pick<LabelPort, 'storedInMonth'> & NonNullable<ScreenSubjectDeps['samples']>;

const NEVER = Number.MAX_SAFE_INTEGER;
const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

/** Labels in memory. */
export function memoryLabels() {
  /** Appended, never overwritten: of one subject the highest number holds. */
  const labels = new Map<string, Map<string, StoredLabel>>();

  const put = (accountId: string, record: ScreeningRecord, given: LabelGiven, endMs = NEVER): void => {
    const { ulid, subject_type, review_count, screened_at_ms, risk_score, model_version, feature_version } = record;
    const scored = { screened_at_ms, risk_score, model_version, feature_version, vector: record.vector };
    const observed = record.observed === undefined ? {} : { observed: record.observed };
    const partition = `${accountId}/${monthOf(screened_at_ms)}`;
    const month = labels.get(partition) ?? new Map<string, StoredLabel>();
    labels.set(partition, month);
    const number = String(review_count).padStart(6, '0');
    const label = { subject_id: subjectId(subject_type, ulid), ...given, ...scored, ...observed };
    month.set(`${ulid}#${number}`, { ...label, ttl: Math.ceil(endMs / 1000) });
  };

  return {
    put,
    async keep(accountId: string, record: ScreeningRecord, untilMs = NEVER) {
      const labeled_at = new Date(record.screened_at_ms).toISOString();
      put(accountId, record, { label: 'legitimate', source: 'sample', analyst_id: null, labeled_at }, untilMs);
    },
    async storedInMonth(accountId: string, month: string) {
      const inOrder = [...(labels.get(`${accountId}/${month}`) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
      return [...new Map(inOrder.map(([, label]) => [label.subject_id, label])).values()];
    },
  } satisfies LabelsPort & Record<string, unknown>;
}

export type MemoryLabels = ReturnType<typeof memoryLabels>;
