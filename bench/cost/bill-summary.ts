import { readFileSync } from 'node:fs';
import { FRAUD_DETECTOR_PREDICTION, type Price, type PriceList, priceOf, US_EAST_1 } from '../../lib/prices';
import { UsageError } from '../../shared/cli/command-line';
import { type BillLine, totalOf } from './monthly-bill';

const BAR_WIDTH = 40;

const SMALLEST_SHARE = 0.01;

const dollars = (usd: number): string =>
  `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

/** The parts of a bill by service, largest first; tiny ones are summed up at the end. */
export function partsOf(lines: readonly BillLine[]): ReadonlyArray<readonly [service: string, usd: number]> {
  const total = totalOf(lines);
  const sums = new Map<string, number>();
  for (const { service, usd } of lines) sums.set(service, (sums.get(service) ?? 0) + usd);
  const parts = [...sums].filter(([, usd]) => usd >= SMALLEST_SHARE * total).sort(([, a], [, b]) => b - a);
  const rest = total - parts.reduce((sum, [, usd]) => sum + usd, 0);
  return rest > 0.005 ? [...parts, ['other', rest]] : parts;
}

/**
 * The end of the bill: its parts as bars, the total, with and without what AWS gives every account, and what Amazon Fraud
 * Detector charged for as many predictions.
 */
export function billSummary(lines: readonly BillLine[], screenings: number, undiscounted = totalOf(lines)): string {
  const parts = partsOf(lines);
  const total = totalOf(lines);
  const most = Math.max(...parts.map(([, usd]) => usd));
  const widest = Math.max(...parts.map(([service]) => service.length));
  const bars = parts.map(([service, usd]) => {
    const bar = '█'.repeat(Math.max(1, Math.round((BAR_WIDTH * usd) / most)));
    return `${service.padEnd(widest)}  ${bar.padEnd(BAR_WIDTH)}  ${dollars(usd).padStart(10)}`;
  });
  const theirs = priceOf(FRAUD_DETECTOR_PREDICTION, screenings);
  return [
    ...bars,
    '',
    `total          ${dollars(total)} per month`,
    ...(undiscounted > total + 0.005
      ? [`list price     ${dollars(undiscounted)}, without AWS’s monthly allowances`]
      : []),
    ...(screenings > 0
      ? [
          `per million    ${dollars((total / screenings) * 1e6)}`,
          `Amazon Fraud Detector, ${dollars(FRAUD_DETECTOR_PREDICTION.tiers[0]?.usd ?? 0)} per prediction: ${dollars(theirs)}, ${Math.round(theirs / total)} times as much`,
        ]
      : []),
  ].join('\n');
}

export function pricesOf(file: string | undefined): PriceList {
  if (file === undefined) return US_EAST_1;
  const text = readFileSync(file, 'utf8');
  let own: Record<string, unknown>;
  try {
    own = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--prices ${file} is not JSON: ${(error as Error).message}`);
  }
  const prices: Record<string, Price> = { ...US_EAST_1 };
  for (const [name, usd] of Object.entries(own)) {
    const known = prices[name];
    if (!known) throw new UsageError(`--prices ${file}: unknown price ${name}. Known prices: ${Object.keys(prices)}`);
    if (typeof usd !== 'number' || !(usd >= 0))
      throw new UsageError(`--prices ${file}: ${name} must be a price in dollars per ${known.unit}.`);
    prices[name] = { ...known, tiers: [{ from: 0, usd }], source: file };
  }
  return prices as PriceList;
}
