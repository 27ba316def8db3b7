import { measured as before } from '../cost/measured';
import type { Measured } from '../cost/monthly-bill';
import { writeUnits } from '../support/wire-size';
import { CASE_TRANSACTION, type CapacityMeter } from './capacity-meter';
import type { ItemSizes } from './item-sizes';
import type { LoadSummary } from './observations';

const READERS = ['GetTransaction', 'GetDecision', 'GetCase', 'GetRiskProfile'];
const READ_ROUTES = ['get-transaction', 'get-decision', 'get-case', 'get-risk-profile'];

type Uses = CapacityMeter['uses'];

const sumOf = (uses: Uses, field: 'writeUnits' | 'readUnits' | 'calls', matches: (use: string) => boolean): number =>
  [...uses].reduce((total, [name, use]) => total + (matches(name) ? use[field] : 0), 0);

const isScreening = (name: string): boolean => /^Screen(Transaction|Event) /.test(name);
const isClaim = (name: string): boolean => isScreening(name) && name.includes(' IDEMPOTENCY');
const isOpening = (name: string): boolean => isScreening(name) && name.endsWith(CASE_TRANSACTION);
/** Plain, or in a transaction with the mark that a blocked attempt leaves on its user. */
const isResult = (name: string): boolean =>
  isScreening(name) && / (PutItem SUBJECT\/RESULT|TransactWriteItems)$/.test(name);

/** What screenings wrote, without claims; a case's transaction counts as the plain result that it replaces. */
export interface ScreeningUse {
  readonly plainUnits: number;
  readonly screenings: number;
  readonly cases: number;
  /** Screenings of users who had not been screened before. */
  readonly firsts: number;
}

const NOTHING: ScreeningUse = { plainUnits: 0, screenings: 0, cases: 0, firsts: 0 };

/** By what was written, not by what was returned: a screening that timed out on a busy machine was written anyway. */
export function screeningUse(
  { uses }: Pick<CapacityMeter, 'uses'>,
  { firsts }: Pick<LoadSummary, 'firsts'>,
): ScreeningUse {
  const cases = sumOf(uses, 'calls', isOpening);
  return {
    plainUnits: sumOf(uses, 'writeUnits', (name) => isScreening(name) && !isClaim(name) && !isOpening(name)),
    screenings: sumOf(uses, 'calls', isResult) + cases,
    cases,
    firsts,
  };
}

/** The warm-up, in which nearly everybody is new, tells what a user's first screening writes more than another. */
function splitByFirst(early: ScreeningUse, late: ScreeningUse, resultUnits: number) {
  const mean = ({ plainUnits, cases, screenings }: ScreeningUse): number =>
    (plainUnits + cases * resultUnits) / Math.max(1, screenings);
  const share = ({ firsts, screenings }: ScreeningUse): number => firsts / Math.max(1, screenings);
  if (late.screenings === 0) return {};
  const difference = share(early) - share(late);
  const more = difference < 0.2 ? before.firstScreeningWriteUnits : (mean(early) - mean(late)) / difference;
  return { screeningWriteUnits: mean(late) - more * share(late), firstScreeningWriteUnits: more };
}

/** The quantities of the cost model, from a load; what the load did not exercise keeps its last value. */
export function measure(meter: CapacityMeter, summary: LoadSummary, sizes: ItemSizes, early = NOTHING): Measured {
  const sum = (field: 'writeUnits' | 'readUnits' | 'calls', matches: (use: string) => boolean): number =>
    sumOf(meter.uses, field, matches);
  const per = (units: number, times: number, otherwise: number): number => (times > 0 ? units / times : otherwise);
  const requestsOf = (names: readonly string[]): number =>
    summary.routes.reduce((total, { route, count }) => total + (names.includes(route) ? count : 0), 0);

  const isResolving = (name: string): boolean => name.startsWith('ResolveCase ');
  const isResolution = (name: string): boolean => name === `ResolveCase ${CASE_TRANSACTION}`;
  const late = screeningUse(meter, summary);
  const { screenings, cases } = late;
  const firsts = early.firsts + late.firsts;
  const resolutions = sum('calls', isResolution);
  const bytesOf = (kind: string): number | undefined => sizes.of.get(kind)?.bytes;
  const resultUnits = writeUnits(bytesOf('SUBJECT/RESULT') ?? 1);
  const caseBytes = (bytesOf('SUBJECT/CASE') ?? 0) + (bytesOf('CASES') ?? 0);

  return {
    ...before,
    ...splitByFirst(early, late, resultUnits),
    linksOfFirstScreening: per(sizes.links, firsts, before.linksOfFirstScreening),
    screeningReadUnits: per(sum('readUnits', isScreening), screenings, before.screeningReadUnits),
    relayReadUnits: per(
      sum('readUnits', (name) => name.startsWith('Delivery-RelayEvents ')),
      screenings,
      before.relayReadUnits,
    ),
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
    screeningItemBytes: bytesOf('SUBJECT/RESULT') ?? before.screeningItemBytes,
    historyEntryBytes: sizes.historyEntryBytes ?? before.historyEntryBytes,
    caseItemsBytes: caseBytes || before.caseItemsBytes,
    labelItemBytes: bytesOf('LABEL') ?? before.labelItemBytes,
    entityItemBytes: bytesOf('ENTITY/ENTITY') ?? before.entityItemBytes,
    logBytesPerRequest: summary.logBytesPerRequest,
    logLinesPerRequest: summary.logLinesPerRequest,
    answerBytes: summary.answerBytes,
  };
}
