import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { recompute } from '../../../shared/domain/models/recompute';
import { openModel } from '../../../shared/domain/models/scoring-model';
import { packObserved } from '../../../shared/domain/screening/attributes/observed-codec';
import { FEATURE_VERSION } from '../../../shared/domain/screening/features';
import { screen } from '../../../shared/domain/screening/screen';
import type { ScreeningFacts } from '../../../shared/domain/screening/screening-facts';
import { packVector } from '../../../shared/domain/screening/subjects/feature-vector-codec';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { sized } from '../../support/sized';
import { amountModel } from '../../support/stores/registry';
import { arbitraryFacts } from '../screening/arbitrary-facts';

const { text: _text, ...artefact } = amountModel(100);
const model = openModel(artefact);
const OWN = { ...DEFAULT_SETTINGS, review_threshold: 31, block_threshold: 62 };

/** The record of a screening, as the use case keeps it. */
function stored(facts: ScreeningFacts, settings = DEFAULT_SETTINGS): ScreeningRecord {
  const screening = screen(facts, settings, model);
  return {
    ulid: '01JCM0DE000000000000000000',
    subject_type: 'transaction',
    user_id: 'user-1',
    risk_score: screening.risk_score,
    risk_level: screening.risk_level,
    automated_decision: screening.decision,
    base: screening.explanation.base,
    contributions: screening.explanation.contributions,
    model_version: screening.model_version,
    feature_version: FEATURE_VERSION,
    vector: packVector(screening.vector),
    ...(facts.observed === undefined ? {} : { observed: packObserved(facts.observed) }),
    ...(settings === DEFAULT_SETTINGS ? {} : { thresholds: settings }),
    entities: [],
    missing: [],
    screened_at_ms: 0,
    review: null,
    review_count: 0,
  };
}

it('makes any decision once more, the same bit for bit, from what is stored of it', () => {
  fc.assert(
    fc.property(arbitraryFacts, fc.constantFrom(DEFAULT_SETTINGS, OWN), (facts, settings) => {
      expect(recompute(stored(facts, settings), artefact).differences).toEqual([]);
    }),
    { numRuns: sized(500, 125) },
  );
});

it('says what came out differently', () => {
  fc.assert(
    fc.property(arbitraryFacts, (facts) => {
      const record = stored(facts);
      expect(recompute({ ...record, risk_score: record.risk_score + 1 }, artefact).differences).toEqual([
        `risk_score: stored ${record.risk_score + 1}, now ${record.risk_score}`,
      ]);
    }),
    { numRuns: 50 },
  );
});

it('names the features that moved the model, with their values', () => {
  const [facts] = fc.sample(arbitraryFacts, { seed: 1, numRuns: 1 }) as [ScreeningFacts];
  const { features } = recompute(stored(facts), artefact);
  expect(features.map(({ name }) => name)).toEqual(['amount_ln_usd']);
});
