import { strategyRows } from '../../bench/adversary/report';
import { STRATEGIES } from '../../bench/adversary/strategies';
import { measured, measuredWhen, monthlyBill, totalOf, type Workload } from '../../bench/cost/monthly-bill';
import { inventoryOf } from '../../bench/cost/stack-inventory';
import { caller, subject } from '../../bench/support/ordinary-screening';
import { packageGzipBytes } from '../../bin/sdk/build-package';
import { MAX_CONSOLE_BYTES_GZIPPED } from '../../lib/bundling/bundle-console';
import { MAX_BUNDLE_BYTES } from '../../lib/bundling/bundle-functions';
import { compileIntelligence } from '../../lib/bundling/compile-intelligence';
import { US_EAST_1 } from '../../lib/prices';
import { markdownTable } from '../../shared/cli/text-table';
import { entityNames } from '../../shared/domain/entities/entity-ref';
import { openIntelligence } from '../../shared/domain/intelligence/intelligence-table';
import type { ValueType } from '../../shared/domain/rules/language/check';
import { FEATURE, SIGNAL } from '../../shared/domain/rules/rule-facts';
import { REQUEST_NAMES, RULE_NAMES, type RuleName } from '../../shared/domain/rules/rule-names';
import { FEATURES } from '../../shared/domain/screening/features';
import { BASE_SCORE, logOddsOf, PROBABILITY_SHIFT } from '../../shared/domain/screening/score';
import { SIGNALS } from '../../shared/domain/screening/signals';
import { partiesOf } from '../../shared/domain/screening/subjects/attempt-of';
import { RETRY_DELAYS_MS } from '../../shared/domain/webhooks/retry-schedule';
import { PUBLIC_PSEUDONYMS } from '../../shared/runtime/stand-ins/screening-stand-ins';
import { retentionTable } from './retention-table';

type Sections = Readonly<Record<string, string>>;

const code = (text: string): string => `\`${text}\``;
const kilobytes = (bytes: number): string => `${Math.round(bytes / 1_000)} kB`;

/** Write units of an ordinary payment: every entity that takes part, what the user earned, the result, and its history. */
const writeUnits = (): number =>
  partiesOf(entityNames(caller.account_id, PUBLIC_PSEUDONYMS), subject, undefined, caller.settings).refs.length + 3;

/** Numbers that documents would otherwise repeat, and get wrong. */
const counted = (): string =>
  markdownTable([
    ['', ''],
    [
      'write units per screening of an ordinary payment, without networks, counters and what follows',
      `${writeUnits()}`,
    ],
    ['features', `${FEATURES.length}`],
    ['signals', `${SIGNALS.length}`],
    ['score without any signal', `${BASE_SCORE}`],
    ['largest bundle of a function, above which the build fails', kilobytes(MAX_BUNDLE_BYTES)],
    ['largest console, gzipped, above which the build fails', kilobytes(MAX_CONSOLE_BYTES_GZIPPED)],
    ['TypeScript client, gzipped', kilobytes(packageGzipBytes('client'))],
    ['device SDK, gzipped', kilobytes(packageGzipBytes('device'))],
  ]);

/** Words for `measured`: `screeningWriteUnits` is "screening write units". */
const spaced = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const capacity = (): string =>
  `${measuredWhen}.\n\n${markdownTable([['quantity', 'measured'], ...Object.entries(measured).map(([name, value]) => [spaced(name), `${value}`])])}`;

const signals = (): string =>
  markdownTable([
    ['Signal', 'Family', 'Applies to', 'Meaning'],
    ...SIGNALS.map(({ name, family, applies_to = 'both', summary, forces_review }) => [
      code(name),
      family,
      applies_to,
      forces_review === undefined ? summary : `${summary}; forces a review`,
    ]),
  ]);

const features = (): string =>
  markdownTable([
    ['#', 'Feature', 'Meaning'],
    ...FEATURES.map(({ name, description }, slot) => [`${slot}`, code(name), description]),
  ]);

const oneDecimal = (value: number): string => (value === 0 ? '0' : value.toFixed(1).replace('-', '−'));
const LADDER = [1, 5, 30, 50, 60, 85, 95, 99];
const ladder = (): string =>
  markdownTable([
    ['Score', ...LADDER.map(String)],
    ['Log-odds above the base', ...LADDER.map((score) => oneDecimal(logOddsOf(score) - logOddsOf(BASE_SCORE)))],
  ]);

/** The probability of fraud that a trained model means by a score. */
const SCORES = [1, 5, 15, 30, 50, 60, 70, 85, 95];
const probability = (score: number): number => 1 / (1 + Math.exp(PROBABILITY_SHIFT - logOddsOf(score)));
const percent = (share: number): string =>
  `${share < 0.01 ? Number((100 * share).toPrecision(1)) : Math.round(100 * share)}%`;
const probabilities = (): string =>
  markdownTable([
    ['Score', ...SCORES.map(String)],
    ['Probability of fraud', ...SCORES.map((score) => percent(probability(score)))],
  ]);

function waitText(ms: number): string {
  if (ms === 0) return 'none';
  if (ms < 60_000) return `${ms / 1_000} s`;
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
}
const retries = (): string =>
  markdownTable([
    ['Delivery attempt', ...RETRY_DELAYS_MS.map((_, at) => `${at + 1}`)],
    ['Wait after the previous failure (±20%)', ...RETRY_DELAYS_MS.map(waitText)],
  ]);

const TYPES: Readonly<Record<ValueType, string>> = {
  bool: 'yes or no',
  int: 'number',
  double: 'number',
  string: 'text',
};
const names = (chosen: readonly RuleName[]): string =>
  markdownTable([
    ['Name', 'Type', 'Meaning', 'Example'],
    ...chosen.map(({ name, type, description, example }) => [code(name), TYPES[type], description, code(example)]),
  ]);
const group = (prefix: string): readonly RuleName[] => RULE_NAMES.filter(({ name }) => name.startsWith(prefix));

/** The sources that ship, with the names that their licences ask for. */
function intelligenceSources(): Sections {
  const { sources } = openIntelligence(compileIntelligence()).description;
  const attributions = [...new Set(sources.flatMap(({ attribution }) => attribution ?? []))];
  return {
    sources: markdownTable([
      ['Kind', 'Source', 'Date', 'Entries', 'Licence'],
      ...sources.map(({ kind, name, date, entries, licence }) => [
        ...[kind, code(name), date, entries.toLocaleString('en-US'), licence],
      ]),
    ]),
    attribution: attributions.map((each) => `- ${each}`).join('\n'),
  };
}

/** The sections that `npm run generate` writes, page by page; a test fails when one is stale. */
export const GENERATED: Readonly<Record<string, () => Sections>> = {
  'docs/measurements.md': () => ({ counted: counted(), capacity: capacity() }),
  'docs/score.md': () => ({ ladder: ladder(), signals: signals(), features: features() }),
  'docs/model.md': () => ({ probabilities: probabilities() }),
  'docs/webhook-verification.md': () => ({ retries: retries() }),
  'docs/guide/rule-names.md': () => ({
    request: names(REQUEST_NAMES),
    signals: names(group(SIGNAL)),
    features: names(group(FEATURE)),
  }),
  'docs/guide/personal-data.md': () => ({ retention: retentionTable() }),
  'docs/ip-intelligence.md': intelligenceSources,
  'docs/adversary.md': () => ({ strategies: markdownTable(strategyRows(STRATEGIES)) }),
};

const IDLE: Workload = {
  screenings: 0,
  caseRate: 0,
  resolvedRate: 0,
  idempotencyRate: 0,
  screeningsPerUser: 1,
  readsPerScreening: 0,
  webhooksPerScreening: 0,
  accounts: 0,
  screeningMs: 0,
  receiverMs: 0,
};

/** The page that says what an idle stage costs. */
export const COST_PAGE = 'docs/cost.md';

/** Dollars per month of a stage without any traffic, by its template. */
export const idleDollars = (resources: Parameters<typeof inventoryOf>[0]): number =>
  totalOf(monthlyBill(IDLE, measured, inventoryOf(resources), US_EAST_1));

/** The section of one stage in `COST_PAGE`. */
export const idleSection = (stage: string, resources: Parameters<typeof inventoryOf>[0]): Sections => ({
  [`idle-${stage}`]: `An idle ${stage} stage costs $${idleDollars(resources).toFixed(2)} per month.`,
});
