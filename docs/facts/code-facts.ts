import { caller, subject } from '../../bench/support/ordinary-payment';
import { MAX_CONSOLE_BYTES_GZIPPED } from '../../lib/bundling/bundle-console';
import { MAX_BUNDLE_BYTES } from '../../lib/bundling/bundle-functions';
import { type PriceName, US_EAST_1 } from '../../lib/prices';
import { DEFAULT_LABEL_WINDOW_DAYS, MAX_LABEL_WINDOW_DAYS } from '../../shared/domain/accounts/account';
import { CASE_LIFE_MS } from '../../shared/domain/cases/review-case';
import { entityNames } from '../../shared/domain/entities/entity-ref';
import { ENTITY_LIFE_MS } from '../../shared/domain/entities/kind-spec';
import { IDEMPOTENCY_WINDOW_MS } from '../../shared/domain/idempotency';
import { FEATURES } from '../../shared/domain/screening/features';
import { BASE_SCORE, logOddsOf, PROBABILITY_SHIFT } from '../../shared/domain/screening/score';
import { SIGNALS } from '../../shared/domain/screening/signals';
import { partiesOf } from '../../shared/domain/screening/subjects/attempt-of';
import { RETENTION_MS } from '../../shared/domain/screening/subjects/screening-record';
import { FAILURES_TO_OPEN, TIMEOUTS_TO_OPEN } from '../../shared/domain/webhooks/breaker';
import { DELIVERY_RETENTION_MS } from '../../shared/domain/webhooks/delivery';
import { DISABLE_AFTER_FAILURES, DISABLE_AFTER_MS } from '../../shared/domain/webhooks/disable-rule';
import { MAX_IN_FLIGHT } from '../../shared/domain/webhooks/endpoint-state';
import { MAX_DELIVERY_ATTEMPTS, OVERLOAD_FLOOR_MS, RETRY_DELAYS_MS } from '../../shared/domain/webhooks/retry-schedule';
import { MAX_ENDPOINTS_PER_ACCOUNT } from '../../shared/domain/webhooks/webhook-endpoint';
import { MAX_BODY_BYTES, MAX_DEPTH, MAX_KEYS } from '../../shared/http/fenced-body';
import { MAX_KEPT_BYTES, MAX_READ_BYTES } from '../../shared/outbound/answer-excerpt';
import { DEADLINE_MS } from '../../shared/outbound/guarded-client';
import { duration, type Fact, grouped, inWords } from './fact';

const kilobytes = (bytes: number): string => `${bytes / 1024} KB`;
const perMillion = (price: PriceName): string => `$${((US_EAST_1[price].tiers[0]?.usd ?? 0) * 1e6).toFixed(2)}`;
const oneDecimal = (value: number): string => (value === 0 ? '0' : value.toFixed(1).replace('-', '−'));

/** Write units of a screening: every entity that takes part, what the user earned, the result, and its history. */
function writeUnits(): number {
  return partiesOf(entityNames(caller.account_id), subject, undefined, caller.settings).refs.length + 3;
}

/** The log-odds of a score, and the probability of fraud that a trained model means by it. */
const SCORES = [1, 5, 15, 30, 50, 60, 70, 85, 95];
const probability = (score: number): number => 1 / (1 + Math.exp(PROBABILITY_SHIFT - logOddsOf(score)));
const percent = (share: number): string =>
  `${share < 0.01 ? Number((100 * share).toPrecision(1)) : Math.round(100 * share)}%`;
const ABOVE_BASE = [1, 5, 30, 50, 60, 85, 95, 99].map((score) => oneDecimal(logOddsOf(score) - logOddsOf(BASE_SCORE)));

/** What documents say that constants and lists in the code know. */
export const codeFacts = (): Fact[] => [
  { page: 'docs/score.md', says: /^ +(\d+) numbers +\d+ readings/m, value: `${FEATURES.length}` },
  { page: 'docs/score.md', says: /^ +\d+ numbers +(\d+) readings/m, value: `${SIGNALS.length}` },
  { page: 'docs/score.md', says: /base of (\S+), which is score \d+/, value: oneDecimal(logOddsOf(BASE_SCORE)) },
  { page: 'docs/score.md', says: /base of \S+, which is score (\d+)/, value: `${BASE_SCORE}` },
  {
    page: 'docs/score.md',
    says: /^\| Log-odds above the base \|(.*) \|$/m,
    value: ABOVE_BASE.map((text, at) => ` ${text.padEnd([4, 3, 3, 3, 3, 3, 4, 4][at] ?? 0)}`).join(' |'),
  },
  {
    page: 'docs/model.md',
    says: /^\| Probability of fraud \| (.*) \|$/m,
    value: SCORES.map((score) => percent(probability(score))).join(' | '),
  },
  { page: 'docs/runbook.md', says: /flat at the base of (\d+)/, value: `${BASE_SCORE}` },
  { page: 'docs/guide/migration.md', says: /one model and (\d+) signals/, value: `${SIGNALS.length}` },
  { page: 'README.md', says: /DynamoDB trips and (\d+) write units/, value: `${writeUnits()}` },
  { page: 'README.md', says: /about (\$[\d.]+) per million requests for the gateway/, value: perMillion('apiRequest') },
  { page: 'README.md', says: /gateway, (\$[\d.]+) per million plus duration/, value: perMillion('lambdaRequest') },
  { page: 'SECURITY.md', says: /consumption \| (\d+ KB), \d+ levels/, value: kilobytes(MAX_BODY_BYTES) },
  { page: 'SECURITY.md', says: /consumption \| \d+ KB, (\d+) levels/, value: `${MAX_DEPTH}` },
  { page: 'SECURITY.md', says: /levels, ([\d,]+) members/, value: grouped(MAX_KEYS) },
  { page: 'SECURITY.md', says: /(\d+) endpoints per account/, value: `${MAX_ENDPOINTS_PER_ACCOUNT}` },
  { page: 'SECURITY.md', says: /response is read up to (\d+ KB)/, value: kilobytes(MAX_READ_BYTES) },
  { page: 'SECURITY.md', says: /`SUBJECT…` \| clear \(KMS at rest\) \| (\d+ days)/, value: duration(RETENTION_MS) },
  { page: 'SECURITY.md', says: /`SUBJECT…`, `CASES…` \| clear \| (\d+ days)/, value: duration(RETENTION_MS) },
  { page: 'SECURITY.md', says: /132 bits \| (\d+ days) after/, value: duration(ENTITY_LIFE_MS) },
  { page: 'SECURITY.md', says: /of their pseudonyms \| (\d+ days) after/, value: duration(ENTITY_LIFE_MS) },
  { page: 'SECURITY.md', says: /from the screening: (\d+), at most/, value: `${DEFAULT_LABEL_WINDOW_DAYS}` },
  { page: 'SECURITY.md', says: /from the screening: \d+, at most (\d+)/, value: `${MAX_LABEL_WINDOW_DAYS}` },
  {
    page: 'SECURITY.md',
    says: /`MESSAGE…` \| clear; compressed in a delivery \| (\d+ days)/,
    value: duration(DELIVERY_RETENTION_MS),
  },
  { page: 'docs/guide/faq.md', says: /decisions and cases for (\d+ days)/, value: duration(RETENTION_MS) },
  { page: 'docs/guide/faq.md', says: /keys for (\d+ hours)/, value: `${IDEMPOTENCY_WINDOW_MS / 3_600_000} hours` },
  { page: 'docs/guide/faq.md', says: /deliveries for (\d+ days)/, value: duration(DELIVERY_RETENTION_MS) },
  { page: 'docs/guide/faq.md', says: /response after more than (\d+ seconds)/, value: duration(DEADLINE_MS) },
  { page: 'docs/guide/faq.md', says: /410 or (\w+) days of failures/, value: inWords(DISABLE_AFTER_MS / 86_400_000) },
  { page: 'docs/guide/integration.md', says: /After (\d+ days) a case is `expired`/, value: duration(CASE_LIFE_MS) },
  { page: 'docs/guide/integration.md', says: /responds within (\d+ seconds)/, value: duration(DEADLINE_MS) },
  { page: 'docs/webhook-verification.md', says: /json`, at most (\d+ KB)/, value: kilobytes(MAX_BODY_BYTES) },
  { page: 'docs/webhook-verification.md', says: /2xx within (\d+ seconds)/, value: duration(DEADLINE_MS) },
  { page: 'docs/webhook-verification.md', says: /keep the first (\d+ KB)/, value: kilobytes(MAX_KEPT_BYTES) },
  {
    page: 'docs/webhook-verification.md',
    says: /^\| Wait after the previous failure \(±20%\) \| none \| (.*) \|$/m,
    value: RETRY_DELAYS_MS.slice(1).map(waitText).join(' | '),
  },
  { page: 'docs/webhook-verification.md', says: /wait at least (\d+) seconds/, value: `${OVERLOAD_FLOOR_MS / 1_000}` },
  { page: 'docs/webhook-verification.md', says: /fails (\d+) times or/, value: `${FAILURES_TO_OPEN}` },
  { page: 'docs/webhook-verification.md', says: /times out (\d+) times in a row/, value: `${TIMEOUTS_TO_OPEN}` },
  { page: 'docs/webhook-verification.md', says: /single 2xx in (\d+ days)/, value: duration(DISABLE_AFTER_MS) },
  {
    page: 'docs/webhook-verification.md',
    says: /at least (\d+) delivery attempts/,
    value: `${DISABLE_AFTER_FAILURES}`,
  },
  { page: 'docs/promises.md', says: /\| (\d+) delivery attempts, each gap/, value: `${MAX_DELIVERY_ATTEMPTS}` },
  { page: 'docs/promises.md', says: /at most (\d+) in flight/, value: `${MAX_IN_FLIGHT}` },
  {
    page: 'docs/adr/0005-bundles-and-dependencies.md',
    says: /above (\d+ kB) per function/,
    value: `${MAX_BUNDLE_BYTES / 1_000} kB`,
  },
  { page: 'console/README.md', says: /above (\d+ kB) gzipped/, value: `${MAX_CONSOLE_BYTES_GZIPPED / 1_000} kB` },
];

function waitText(ms: number): string {
  if (ms < 60_000) return `${ms / 1_000} s`;
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
}
