import fc from 'fast-check';
import { seededRandom } from '../../../../shared/domain/models/seeded-random';
import type { StoredLabel } from '../../../../shared/domain/models/stored-label';
import { packObserved } from '../../../../shared/domain/screening/attributes/observed-codec';
import { extractFeatures, featureSlot } from '../../../../shared/domain/screening/features';
import { packVector } from '../../../../shared/domain/screening/subjects/feature-vector-codec';
import { subjectId } from '../../../../shared/domain/screening/subjects/subject-id';
import { countingUlids } from '../../../../training/replay/counting-ulids';
import { arbitraryFacts } from '../../screening/arbitrary-facts';

const DAY_MS = 86_400_000;
export const NOW_MS = Date.UTC(2026, 10, 14);

/** Labels from arbitrary facts of the last 100 days: fraud is what is paid high, and what comes in a red box. */
export function labelsToExport(count: number, seed: number): StoredLabel[] {
  const random = seededRandom(seed);
  const newUlid = countingUlids();
  return fc.sample(arbitraryFacts, { numRuns: count, seed }).map((facts, i): StoredLabel => {
    const vector = extractFeatures(facts);
    const red = random() < 0.15;
    const risk = ((vector[featureSlot('amount_ln_usd')] as number) > 6 ? 2 : 0) + (red ? 3.5 : 0) - 3.5;
    const screened_at_ms = NOW_MS - Math.round(((count - i) / count) * 100 * DAY_MS);
    const isSample = i % 40 === 7;
    return {
      subject_id: subjectId('transaction', newUlid(screened_at_ms)),
      label: !isSample && random() < 1 / (1 + Math.exp(-risk)) ? 'fraud' : 'legitimate',
      source: isSample ? 'sample' : 'case',
      analyst_id: isSample ? null : i % 50 === 3 ? 'careless' : 'ann',
      labeled_at: new Date(Math.min(NOW_MS, screened_at_ms + (isSample ? 0 : DAY_MS))).toISOString(),
      screened_at_ms,
      risk_score: 5,
      model_version: 'rules-1',
      feature_version: 6,
      vector: packVector(vector),
      observed: packObserved([
        { name: 'attributes.box', bucket: red ? 7 : 8 + Math.floor(3 * random()), number: Number.NaN },
        { name: 'currency', bucket: 1 + Math.floor(4 * random()), number: Number.NaN },
        { name: 'attributes.basket', bucket: i % 50, number: i % 50 },
      ]),
    };
  });
}

/** Where the labels of some accounts are read from, a few per page; `beforePage` may interrupt it. */
export function labelPages(
  labels: Readonly<Record<string, readonly StoredLabel[]>>,
  size: number,
  beforePage: () => void = () => undefined,
) {
  return {
    accounts: async () => Object.keys(labels),
    async *pagesInMonth(account: string, month: string, after?: string) {
      const inMonth = (labels[account] ?? []).filter(
        ({ screened_at_ms }) => new Date(screened_at_ms).toISOString().slice(0, 7) === month,
      );
      const rest = inMonth.filter(({ subject_id }) => after === undefined || subject_id.slice(4) > after);
      for (let at = 0; at < rest.length; at += size) {
        beforePage();
        yield rest.slice(at, at + size);
      }
    },
  };
}
