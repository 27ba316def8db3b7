import type { LogListener } from '../../local/lambda/logs';
import { measured as before, type Measured } from '../cost/monthly-bill';
import { summary } from '../support/measurement';
import { writeUnits } from '../support/wire-size';
import { CASE_TRANSACTION, type CapacityMeter, type ItemSizes, OUTCOME_TRANSACTION } from './capacity-meter';
import type { Done } from './drive';
import type { Operation } from './traffic';

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

/** Write units of screenings, without claims; a case's transaction counts as the plain result that it replaces. */
export interface ScreeningUse {
  readonly plainUnits: number;
  readonly screenings: number;
  readonly cases: number;
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

/** From the warm-up, where nearly everybody is new: how much more a user's first screening writes than a later one. */
function splitByFirst(early: ScreeningUse, late: ScreeningUse, resultUnits: number) {
  const mean = ({ plainUnits, cases, screenings }: ScreeningUse): number =>
    (plainUnits + cases * resultUnits) / Math.max(1, screenings);
  const share = ({ firsts, screenings }: ScreeningUse): number => firsts / Math.max(1, screenings);
  if (late.screenings === 0) return {};
  const difference = share(early) - share(late);
  const more = difference < 0.2 ? before.firstScreeningWriteUnits : (mean(early) - mean(late)) / difference;
  return { screeningWriteUnits: mean(late) - more * share(late), firstScreeningWriteUnits: more };
}

/** Write units of what a processor says, all that follows from it included. */
function outcomeUnits({ uses }: Pick<CapacityMeter, 'uses'>) {
  const own = (name: string): boolean => name.startsWith('Outcomes ');
  const [declined, other] = [OUTCOME_TRANSACTION.declined, OUTCOME_TRANSACTION.other].map((transaction) => {
    const is = (name: string): boolean => own(name) && name.endsWith(transaction);
    return { calls: sumOf(uses, 'calls', is), units: sumOf(uses, 'writeUnits', is) };
  }) as [{ calls: number; units: number }, { calls: number; units: number }];
  const besides = sumOf(uses, 'writeUnits', own) - declined.units - other.units;
  const each = besides / Math.max(1, declined.calls + other.calls);
  return {
    ...(declined.calls > 0 ? { declinedWriteUnits: declined.units / declined.calls + each } : {}),
    ...(other.calls > 0 ? { authorizedWriteUnits: other.units / other.calls + each } : {}),
  };
}

/** The quantities of the cost model, from a load; anything it did not exercise keeps its last value. */
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
    ...outcomeUnits(meter),
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

/** Observations of a load: latencies, responses, and what the functions printed. `users`: those seen before it. */
export function observations(users: Set<string> = new Set()) {
  const latencies = new Map<Operation, number[]>();
  const statuses = new Map<string, number>();
  const decisions = new Map<string, number>();
  const metrics = new Set<string>();
  let [answers, answerBytes, logBytes, logLines, screened, firsts, resolved] = [0, 0, 0, 0, 0, 0, 0];

  const add = (to: Map<string, number>, name: string): void => {
    to.set(name, (to.get(name) ?? 0) + 1);
  };

  return {
    onDone({ intent: { account, kind }, status, ms, bytes, json, replayed }: Done): void {
      const known = latencies.get(kind) ?? [];
      known.push(ms);
      latencies.set(kind, known);
      add(statuses, `${kind} ${status}`);
      answers += 1;
      answerBytes += bytes;
      const isScreening = kind === 'screen-transaction' || kind === 'screen-event';
      if (isScreening && status === 200 && !replayed) {
        screened += 1;
        add(decisions, json.decision);
        const user = `${account} ${json.user_id}`;
        if (!users.has(user)) firsts += 1;
        users.add(user);
      }
      if (kind === 'resolve-case' && status === 200) resolved += 1;
    },

    onLog: (({ line }) => {
      logBytes += Buffer.byteLength(line);
      logLines += 1;
      if (!line.includes('"_aws"')) return;
      const printed = JSON.parse(line);
      for (const { Namespace, Dimensions, Metrics } of printed._aws?.CloudWatchMetrics ?? []) {
        for (const names of Dimensions as string[][]) {
          const values = names.map((name) => `${name}=${printed[name]}`).join();
          for (const { Name } of Metrics) metrics.add(`${Namespace} ${Name} ${values}`);
        }
      }
    }) satisfies LogListener,

    summary() {
      const routes = [...latencies].map(([route, values]) => ({ route, ...summary(values) }));
      const errors = [...statuses].filter(([name]) => /( 0| 4\d\d| 5\d\d)$/.test(name));
      return {
        routes: routes.sort((a, b) => b.count - a.count),
        all: summary([...latencies.values()].flat()),
        errors: errors.map(([name, count]) => ({ name, count })),
        decisions: Object.fromEntries(decisions),
        screened,
        firsts,
        resolved,
        requests: answers,
        answerBytes: answerBytes / Math.max(1, answers),
        logBytesPerRequest: logBytes / Math.max(1, answers),
        logLinesPerRequest: logLines / Math.max(1, answers),
        customMetrics: metrics.size,
      };
    },
    requests: () => answers,
    failures: () => [...statuses].reduce((sum, [name, count]) => sum + (/( 0| 5\d\d)$/.test(name) ? count : 0), 0),
  };
}

export type LoadSummary = ReturnType<ReturnType<typeof observations>['summary']>;
