import { measured as before } from '../cost/measured';
import type { Measured } from '../cost/monthly-bill';
import { writeUnits } from '../support/wire-size';
import type { CapacityMeter } from './capacity-meter';
import type { ItemSizes } from './item-sizes';
import type { LoadSummary } from './observations';

const READERS = ['GetTransaction', 'GetDecision', 'GetCase', 'GetRiskProfile'];
const READ_ROUTES = ['get-transaction', 'get-decision', 'get-case', 'get-risk-profile'];

/** The quantities of the cost model, from a load; what the load did not exercise keeps its last value. */
export function measure(meter: CapacityMeter, summary: LoadSummary, sizes: ItemSizes): Measured {
  const sum = (field: 'writeUnits' | 'readUnits' | 'calls', matches: (use: string) => boolean): number =>
    [...meter.uses].reduce((total, [name, use]) => total + (matches(name) ? use[field] : 0), 0);
  const per = (units: number, times: number, otherwise: number): number => (times > 0 ? units / times : otherwise);
  const requestsOf = (names: readonly string[]): number =>
    summary.routes.reduce((total, { route, count }) => total + (names.includes(route) ? count : 0), 0);

  const isScreening = (name: string): boolean => /^Screen(Transaction|Event) /.test(name);
  const isClaim = (name: string): boolean => isScreening(name) && name.includes(' IDEMPOTENCY');
  const isOpening = (name: string): boolean => isScreening(name) && name.endsWith(' TransactWriteItems');
  const isResult = (name: string): boolean => isScreening(name) && name.endsWith(' PutItem SUBJECT/RESULT');
  const isResolving = (name: string): boolean => name.startsWith('ResolveCase ');
  const isResolution = (name: string): boolean => name === 'ResolveCase TransactWriteItems';
  // By what was written, not by what was returned: a screening that timed out on a busy machine was written anyway.
  const cases = sum('calls', isOpening);
  const screenings = sum('calls', isResult) + cases;
  const resolutions = sum('calls', isResolution);
  const resultUnits = writeUnits(sizes.get('SUBJECT/RESULT')?.bytes ?? 1);
  const plain = sum('writeUnits', (name) => isScreening(name) && !isClaim(name) && !isOpening(name));
  const caseBytes = (sizes.get('SUBJECT/CASE')?.bytes ?? 0) + 2 * (sizes.get('CASES')?.bytes ?? 0);

  return {
    ...before,
    screeningWriteUnits: per(plain + cases * resultUnits, screenings, before.screeningWriteUnits),
    claimWriteUnits: per(sum('writeUnits', isClaim), sum('calls', isClaim), before.claimWriteUnits),
    caseOpenedWriteUnits:
      per(sum('writeUnits', isOpening), cases, before.caseOpenedWriteUnits + resultUnits) - resultUnits,
    caseResolvedWriteUnits: per(sum('writeUnits', isResolving), resolutions, before.caseResolvedWriteUnits),
    caseResolvedReadUnits: per(sum('readUnits', isResolving), resolutions, before.caseResolvedReadUnits),
    readUnits: per(
      sum('readUnits', (name) => READERS.some((reader) => name.startsWith(`${reader} `))),
      requestsOf(READ_ROUTES),
      before.readUnits,
    ),
    caseListReadUnits: per(
      sum('readUnits', (name) => name.startsWith('ListCases ')),
      requestsOf(['list-cases']),
      before.caseListReadUnits,
    ),
    screeningItemBytes: sizes.get('SUBJECT/RESULT')?.bytes ?? before.screeningItemBytes,
    caseItemsBytes: caseBytes || before.caseItemsBytes,
    labelItemBytes: sizes.get('LABEL')?.bytes ?? before.labelItemBytes,
    entityItemBytes: sizes.get('ENTITY/ENTITY')?.bytes ?? before.entityItemBytes,
    logBytesPerRequest: summary.logBytesPerRequest,
    logLinesPerRequest: summary.logLinesPerRequest,
    answerBytes: summary.answerBytes,
  };
}
