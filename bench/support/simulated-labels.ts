import { seededRandom } from '../../shared/domain/models/seeded-random';
import type { StoredLabel } from '../../shared/domain/models/stored-label';
import { packObserved } from '../../shared/domain/screening/attributes/observed-codec';
import { FEATURE_NAMES, featureSlot } from '../../shared/domain/screening/features';
import { packVector } from '../../shared/domain/screening/subjects/feature-vector-codec';
import { subjectId } from '../../shared/domain/screening/subjects/subject-id';
import { countingUlids } from '../../training/replay/counting-ulids';

/** How many labels all months have together. */
export const SIMULATED_LABELS = 1_000_000;
/** The account they are of, and the time they are read at. */
export const ACCOUNT = 'acc_1';
export const NOW_MS = Date.UTC(2026, 10, 14);

const DAY_MS = 86_400_000;
const PAGE = 700;
const TELLING = ['user_tx_10m', 'device_tx_1h', 'amount_ln_usd', 'hour_utc', 'ip_tx_1h'] as const;

/**
 * Labels as the table's pages bring them, made one page at a time: two of three slots missing, 0 or 1; fraud in 3 of 100.
 * The same month always has the same labels, so that an export can be continued after any of them.
 */
export async function* simulatedPages(_account: string, month: string, after = ''): AsyncGenerator<StoredLabel[]> {
  const random = seededRandom(Date.parse(`${month}-01`) / DAY_MS);
  const newUlid = countingUlids();
  const slots = TELLING.map(featureSlot);
  const from = Math.max(Date.parse(`${month}-01`), NOW_MS - 175 * DAY_MS);
  const end = new Date(from);
  end.setUTCMonth(end.getUTCMonth() + 1, 1);
  const until = Math.min(end.getTime(), NOW_MS - DAY_MS);
  const rows = Math.max(0, Math.round((SIMULATED_LABELS * (until - from)) / (174 * DAY_MS)));
  let page: StoredLabel[] = [];
  for (let i = 0; i < rows; i++) {
    const vector = Float32Array.from(FEATURE_NAMES, () => {
      const draw = random();
      return draw < 0.4 ? Number.NaN : draw < 0.65 ? Math.round(random()) : Math.fround(10 * random());
    });
    let sum = 0;
    for (const slot of slots) {
      vector[slot] = 10 * random();
      sum += vector[slot] as number;
    }
    const screened_at_ms = Math.round(from + ((until - from) * i) / rows);
    const ulid = newUlid(screened_at_ms);
    const label = sum > 7.2 * slots.length || random() < 0.01 ? 'fraud' : 'legitimate';
    const observed = packObserved([
      { name: 'currency', bucket: Math.floor(5 * random()), number: Number.NaN },
      { name: 'attributes.channel', bucket: Math.floor(12 * random()), number: Number.NaN },
    ]);
    if (ulid <= after) continue;
    page.push({
      subject_id: subjectId('transaction', ulid),
      label,
      source: 'case',
      analyst_id: null,
      labeled_at: new Date(screened_at_ms + DAY_MS).toISOString(),
      screened_at_ms,
      risk_score: 5,
      model_version: 'rules-1',
      feature_version: 6,
      vector: packVector(vector),
      observed,
    });
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}
