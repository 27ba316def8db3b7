import { join } from 'node:path';
import type { PriceList } from '../../lib/prices';
import { serviceAssembly } from '../../local/local-options';
import { type Given, numberOf, readCommandLine, runCommand, stageOf } from '../../shared/cli/command-line';
import { textTable } from '../../shared/cli/text-table';
import { billSummary, pricesOf } from './bill-summary';
import {
  ALLOWANCES,
  ASSUMPTIONS,
  type BillLine,
  measured,
  measuredWhen,
  monthlyBill,
  SECONDS_PER_MONTH,
  totalOf,
  type Workload,
} from './monthly-bill';
import { inventoryOf, resourcesIn } from './stack-inventory';

const ROOT = join(__dirname, '../..');

const OPTIONS = {
  stage: { value: 'name', does: 'sandbox (essential monitoring) or production (full)', default: 'sandbox' },
  screenings: { value: 'number', does: 'payments and events screened per month, e.g. 5e6', default: '1e6' },
  'case-rate': { value: 'share', does: 'screenings that end in review', default: '0.02' },
  'resolved-rate': { value: 'share', does: 'cases that are resolved', default: '0.9' },
  'idempotency-rate': { value: 'share', does: 'screenings with an Idempotency-Key', default: '1' },
  'screenings-per-user': {
    value: 'number',
    does: 'in the year that a user is a customer, logins included; 1: guests only',
    default: '30',
  },
  'reads-per-screening': { value: 'number', does: 'reads of results, profiles, decisions, cases', default: '0.1' },
  'webhooks-per-screening': { value: 'number', does: 'deliveries, e.g. 1 for transaction.screened', default: '0.1' },
  'outcomes-per-screening': { value: 'number', does: 'authorized or declined, as the processor says', default: '0' },
  'counters-per-screening': { value: 'number', does: 'own counters that a screening adds to', default: '0' },
  erasures: { value: 'number', does: 'users erased per month', default: '10' },
  accounts: { value: 'number', does: 'accounts active at any time', default: '5' },
  'screening-ms': { value: 'ms', does: 'duration of a screening in Lambda', default: '25' },
  'receiver-ms': { value: 'ms', does: 'response time of webhook receivers', default: '200' },
  'provisioned-for': {
    value: 'number',
    does: 'screenings per second, as -c provisionedFor; 0: paid per request',
    default: '0',
  },
  prices: { value: 'file', does: 'JSON with prices of another region, by name: {"tableWrite": 7.1e-7}' },
  json: { does: 'print bill, quantities, prices and assumptions as JSON' },
} as const;

function workloadOf(given: Given): Workload {
  const share = (name: string): number => numberOf(given, name, { max: 1 });
  return {
    screenings: numberOf(given, 'screenings'),
    caseRate: share('case-rate'),
    resolvedRate: share('resolved-rate'),
    idempotencyRate: share('idempotency-rate'),
    screeningsPerUser: numberOf(given, 'screenings-per-user', { min: 1 }),
    readsPerScreening: numberOf(given, 'reads-per-screening'),
    webhooksPerScreening: numberOf(given, 'webhooks-per-screening'),
    outcomesPerScreening: numberOf(given, 'outcomes-per-screening'),
    countersPerScreening: numberOf(given, 'counters-per-screening', { max: 20 }),
    erasures: numberOf(given, 'erasures'),
    accounts: numberOf(given, 'accounts'),
    screeningMs: numberOf(given, 'screening-ms'),
    receiverMs: numberOf(given, 'receiver-ms'),
  };
}

const count = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
const priceText = (usd: number, unit: string): string =>
  usd > 0 && usd < 0.001 ? `$${count(usd * 1e6)} per million: ${unit}` : `$${usd} per ${unit}`;
const dollars = (usd: number): string => usd.toFixed(2);

function printBill(stage: string, load: Workload, lines: readonly BillLine[], prices: PriceList): void {
  const total = totalOf(lines);
  const rows = lines.map(({ service, what, quantity, price, usd, basis }) => [
    service,
    what,
    count(quantity),
    load.screenings > 0 ? count(quantity / load.screenings) : '',
    prices[price].unit,
    dollars(usd),
    `${((100 * usd) / total).toFixed(1)}%`,
    basis,
  ]);
  const average = load.screenings / SECONDS_PER_MONTH;
  console.log(
    `\nA month with ${count(load.screenings)} screenings (${count(average)} per second on average), ${stage}, us-east-1\n`,
  );
  console.log(textTable([['SERVICE', 'LINE', 'QUANTITY', 'PER SCREENING', 'UNIT', 'USD', 'SHARE', 'BASIS'], ...rows]));
}

function printBasis(load: Workload, prices: PriceList): void {
  const listed = (values: object): string =>
    Object.entries(values)
      .map(([name, value]) => `  ${name.padEnd(28)} ${count(Number(value))}`)
      .join('\n');
  const priced = Object.entries(prices).map(
    ([name, { unit, tiers, source, asOf }]) =>
      `  ${name.padEnd(28)} ${priceText(tiers[0]?.usd ?? 0, unit)}  (${source}, ${asOf})`,
  );
  console.log(`Workload, from your options\n${listed(load)}`);
  console.log(`\nMeasured quantities (${measuredWhen})\n${listed(measured)}`);
  console.log(`\nAssumptions (sources in bench/cost/monthly-bill.ts)\n${listed(ASSUMPTIONS)}`);
  console.log(`\nAlways-free allowances that are taken off\n${listed(ALLOWANCES)}`);
  console.log(
    `\nOther prices before free tiers and discounts; the first tier where there are several\n${priced.join('\n')}`,
  );
}

runCommand(async () => {
  const given = readCommandLine({
    usage: 'npm run cost -- [options]',
    about: 'Prints the monthly AWS bill of one stage, line by line, from measured quantities and list prices.',
    options: OPTIONS,
    next: 'docs/cost.md explains every line.',
  });
  if (!given) return;
  const load = workloadOf(given);
  const prices = pricesOf(given.texts.prices);
  console.error('Counting the resources in the template (takes a few seconds)');
  const stage = stageOf(given);
  const perSecond = numberOf(given, 'provisioned-for');
  const context = {
    monitoring: stage === 'production' ? 'full' : 'essential',
    ...(perSecond > 0 ? { provisionedFor: String(perSecond) } : {}),
  };
  const { assembly, synthesize } = serviceAssembly(join(ROOT, '.local', 'cost-assembly'), context);
  await synthesize?.();
  const stack = inventoryOf(resourcesIn(assembly, `FraudScreening-${stage}`));
  const lines = monthlyBill(load, measured, stack, prices);
  if (given.flags.has('json')) {
    const bill = { currency: 'USD', region: 'us-east-1', total: totalOf(lines), lines };
    console.log(
      JSON.stringify({ ...bill, workload: load, measured, stack, assumptions: ASSUMPTIONS, prices }, null, 2),
    );
    return;
  }
  printBasis(load, prices);
  printBill(stage, load, lines, prices);
  const undiscounted = totalOf(monthlyBill(load, measured, stack, { ...prices, allowances: {} }));
  console.log(`\n${billSummary(lines, load.screenings, undiscounted)}`);
});
