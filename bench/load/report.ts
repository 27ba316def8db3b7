import { US_EAST_1 } from '../../lib/prices';
import { type Inventory, type Measured, monthlyBill, totalOf } from '../cost/monthly-bill';
import { markdownSections, type Section, textSections } from '../support/report';
import { type CapacityMeter, growsWithTraffic, hottest, PARTITION_LIMIT, totalUnits } from './capacity-meter';
import type { LoadSummary } from './measure';

export const EXTRAPOLATED_PER_SECOND = 10_000;
const HOT_KEYS = 8;

export interface LoadResult {
  readonly provenance: string;
  readonly command: string;
  readonly wanted: number;
  readonly elapsedMs: number;
  readonly summary: LoadSummary;
  /** Only of a stack on this machine. */
  readonly capacity?: {
    readonly meter: CapacityMeter;
    readonly measured: Measured;
    readonly stack: Inventory;
  };
}

const one = (value: number): string => value.toFixed(1);
const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

const readable = (key: string): string =>
  key
    .replace(/acc_[0-9A-Z]{26}/, 'account')
    .replace(/#[\w-]{22}$/, '#…')
    .replace(/#[0-9A-Z]{26}$/, '#…');

function overview({ wanted, elapsedMs, summary }: LoadResult): Section {
  const { requests, screened, all, decisions } = summary;
  const share = (decision: string): string =>
    `${decision} ${percent((decisions[decision] ?? 0) / Math.max(1, screened))}`;
  return {
    title: 'Overview',
    lines: [
      `${requests} requests in ${one(elapsedMs / 1000)} s: ${one(requests / (elapsedMs / 1000))} per second (target ${wanted}).`,
      `${screened} screenings, ${percent(summary.firsts / Math.max(1, screened))} of users who were new: ${['allow', 'review', 'block'].map(share).join(', ')}.`,
      `Latency overall: p50 ${one(all.p50)}, p95 ${one(all.p95)}, p99 ${one(all.p99)} ms.`,
    ],
  };
}

function routes({ summary }: LoadResult): Section {
  const rows = summary.routes.map(({ route, count, p50, p95, p99, max }) => [
    route,
    String(count),
    ...[p50, p95, p99, max].map(one),
  ]);
  return { title: 'Latency by route, ms', table: [['route', 'requests', 'p50', 'p95', 'p99', 'max'], ...rows] };
}

function errors({ summary }: LoadResult): Section {
  if (summary.errors.length === 0) return { title: 'Errors', lines: ['None.'] };
  const rows = summary.errors.map(({ name, count }) => [...name.split(' '), String(count)]);
  return { title: 'Errors', table: [['route', 'status (0: no response)', 'count'], ...rows] };
}

function capacityOf(meter: CapacityMeter, measured: Measured, screened: number): Section {
  const callers = new Map<string, { calls: number; writeUnits: number; readUnits: number }>();
  for (const [name, use] of meter.uses) {
    const caller = name.split(' ')[0] ?? '';
    const known = callers.get(caller) ?? { calls: 0, writeUnits: 0, readUnits: 0 };
    callers.set(caller, {
      calls: known.calls + use.calls,
      writeUnits: known.writeUnits + use.writeUnits,
      readUnits: known.readUnits + use.readUnits,
    });
  }
  const rows = [...callers]
    .sort(([, a], [, b]) => b.writeUnits - a.writeUnits)
    .map(([caller, use]) => [caller, String(use.calls), String(use.writeUnits), String(use.readUnits)]);
  const all = [...callers.values()].reduce((sum, use) => sum + use.writeUnits, 0);
  return {
    title: 'DynamoDB capacity',
    lines: [
      `${measured.screeningWriteUnits.toFixed(2)} write units per screening (histories and result), ` +
        `${one(measured.firstScreeningWriteUnits)} more for a user's first, ` +
        `${one(measured.caseOpenedWriteUnits)} more when a case opens, ${one(measured.caseResolvedWriteUnits)} to resolve one; ` +
        `${one(measured.authorizedWriteUnits)} to record that a payment was authorized, ${one(measured.declinedWriteUnits)} for a decline; ` +
        `${(all / Math.max(1, screened)).toFixed(2)} per screening in total.`,
    ],
    table: [['function', 'calls', 'write units', 'read units'], ...rows],
  };
}

function keysOf(meter: CapacityMeter, screened: number): Section[] {
  const writes = totalUnits(meter.byKey) + totalUnits(meter.byIndexKey);
  const section = (title: string, units: ReadonlyMap<string, number>, total: number, limit: number): Section => ({
    title,
    table: [
      ['key', 'share', `units/s at ${EXTRAPOLATED_PER_SECOND} screenings/s`, `of a partition’s ${limit}`],
      ...hottest(units, total)
        .filter(growsWithTraffic)
        .slice(0, HOT_KEYS)
        .map(({ key, share, units: used }) => {
          const perSecond = (used / Math.max(1, screened)) * EXTRAPOLATED_PER_SECOND;
          return [readable(key), percent(share), String(Math.round(perSecond)), `${(perSecond / limit).toFixed(2)} ×`];
        }),
    ],
  });
  return [
    section('Hottest keys, writes', meter.byKey, writes, PARTITION_LIMIT.writeUnits),
    section('Hottest index keys, writes', meter.byIndexKey, writes, PARTITION_LIMIT.writeUnits),
    section('Hottest keys, reads', meter.readsByKey, totalUnits(meter.readsByKey), PARTITION_LIMIT.readUnits),
  ];
}

function costOf(measured: Measured, stack: Inventory, summary: LoadSummary): Section {
  const { screened, firsts, resolved, decisions, requests } = summary;
  const cases = decisions.review ?? 0;
  const workload = {
    screenings: 1e6,
    caseRate: cases / screened,
    resolvedRate: cases > 0 ? resolved / cases : 0,
    idempotencyRate: 0.5,
    screeningsPerUser: screened / Math.max(1, firsts),
    readsPerScreening: (requests - screened - resolved) / screened,
    webhooksPerScreening: 0,
    accounts: 5,
    screeningMs: 25,
    receiverMs: 200,
  };
  const lines = monthlyBill(workload, measured, stack, { ...US_EAST_1, allowances: {} }).filter(
    ({ usd }) => usd >= 0.05,
  );
  const rows = lines.map(({ service, what, usd }) => [`${service}, ${what}`, usd.toFixed(2)]);
  return {
    title: 'Cost of a million screenings of this mix, USD (us-east-1; see npm run cost)',
    table: [['line', 'USD'], ...rows, ['total', totalOf(lines).toFixed(2)]],
  };
}

function sectionsOf(result: LoadResult): Section[] {
  const { summary, capacity } = result;
  const seen = [overview(result), routes(result), errors(result)];
  if (!capacity)
    return [...seen, { title: 'DynamoDB capacity', lines: ['Not measured: available for a local stack only.'] }];
  const { meter, measured, stack } = capacity;
  return [
    ...seen,
    capacityOf(meter, measured, summary.screened),
    ...keysOf(meter, summary.screened),
    costOf(measured, stack, summary),
  ];
}

export const textReport = (result: LoadResult): string => textSections(sectionsOf(result));

export const markdownReport = (result: LoadResult): string =>
  [`\`${result.command}\`: ${result.provenance}.`, ...markdownSections(sectionsOf(result))].join('\n\n');
