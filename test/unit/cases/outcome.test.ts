import { outcomeChange } from '../../../shared/domain/cases/outcome';
import type { Review, ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';

const AT = '2026-03-01T10:00:00.000Z';

const review = (decision: Review['decision'], reviewed_at: string): Review => ({
  decision,
  analyst_id: null,
  notes: null,
  reviewed_at,
});

const record = (earlier: Review | null): ScreeningRecord => ({
  ulid: '01J9Z3K8Q4V7W2X5Y6Z7A8B9C0',
  subject_type: 'transaction',
  user_id: 'ann',
  risk_score: 40,
  risk_level: 'low',
  automated_decision: 'allow',
  base: 5,
  contributions: [],
  model_version: 'rules-1',
  feature_version: 2,
  vector: new Uint8Array(),
  entities: [],
  missing: [],
  screened_at_ms: Date.parse(AT) - 1_000,
  review: earlier,
  review_count: earlier ? 1 : 0,
});

const labelsOf = (earlier: Review | null, now: Review) => {
  const state = { record: record(earlier), reviewCase: undefined };
  const origin = { source: 'decision_review', keyId: 'key_1' } as const;
  const { label, move } = outcomeChange(state, now, origin, Date.parse(now.reviewed_at));
  return { label, previous: move.from };
};

test('a review labels its subject from its own time on, and replaces the label of the review before', () => {
  const first = review('block', AT);
  expect(labelsOf(null, first)).toEqual({
    label: { label: 'fraud', known_at_ms: Date.parse(AT) },
    previous: null,
  });
  expect(labelsOf(first, review('allow', '2026-03-09T10:00:00.000Z'))).toEqual({
    label: { label: 'legitimate', known_at_ms: Date.UTC(2026, 2, 9, 10) },
    previous: { label: 'fraud', known_at_ms: Date.parse(AT), source: 'review' },
  });
});
