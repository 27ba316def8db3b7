import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { QueryCommand, TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { CASE_CLASSES } from '../../shared/domain/cases/case-tally';
import { CASE_LIFE_MS, type ReviewCase } from '../../shared/domain/cases/review-case';
import { DomainError } from '../../shared/domain/errors';
import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';
import { caseId, decisionId } from '../../shared/domain/screening/subjects/subject-id';
import { caseListAnswer } from '../../shared/http/presenters/case-answer';
import { newUlid } from '../../shared/runtime/ids';
import { ALL_SHARDS, BUSY_SHARDS, EXPIRY_SHARDS } from '../../shared/store/cases/case-index';
import { caseOpener } from '../../shared/store/cases/case-opener';
import { caseLister, caseReader, caseSweeper } from '../../shared/store/cases/case-store';
import { outcomeStore } from '../../shared/store/cases/outcome-store';
import { stepFolder, type TallyStep } from '../../shared/store/cases/step-folder';
import { tallyStepsPk } from '../../shared/store/keys';
import { screeningWriter } from '../../shared/store/screening/screening-store';
import type { Table } from '../../shared/store/sdk/client';
import { queryAll } from '../../shared/store/sdk/table-calls';
import { listCases } from '../../shared/usecases/cases/list-cases';
import { measureCases } from '../../shared/usecases/cases/measure-cases';
import { resolveCase, reviewDecision } from '../../shared/usecases/cases/record-outcome';
import { sweepCases } from '../../shared/usecases/cases/sweep-cases';
import { sized } from '../support/sized';
import { emptyTable } from '../support/stores/empty-table';
import { callerOf } from '../support/stores/screening-deps';
import { openCase, screened } from '../support/webhooks/changes';

// All thousand by `npm run test:soak`; in the first 30 of this seed analysts give every answer in every state of a case.
// The suite of cases in test/unit/conformance runs the same use cases on ports in memory.
const SEQUENCES = sized(1_000, 30);
// More than two batches of a sweep.
const BACKLOG = sized(450, 220);
const AT_ONCE = 8;
const SEED = 20262990;
const START_MS = Date.parse('2026-03-01T10:00:00.000Z');
const HOUR = 3_600_000;

type Status = ReviewCase['status'];
type Step =
  | { readonly do: 'open' }
  | { readonly do: 'resolve' | 'review'; readonly which: number; readonly fraud: boolean }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'sweep' }
  | { readonly do: 'fold'; readonly first: number }
  | {
      readonly do: 'list';
      readonly status: Status | undefined;
      readonly limit: number;
      readonly from: number | undefined;
      readonly to: number | undefined;
    };

const status = fc.constantFrom<Status>('open', 'approved', 'rejected', 'expired');
const bound = fc.option(fc.nat(40), { nil: undefined });
const passing = fc.constantFrom(0, 1, 999, 59_000, 61_000, HOUR, 26 * HOUR, CASE_LIFE_MS - 1, CASE_LIFE_MS);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Step>({ do: 'open' }) },
  { weight: 3, arbitrary: passing.map<Step>((ms) => ({ do: 'pass', ms })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom<'resolve' | 'review'>('resolve', 'review'), fc.nat(20), fc.boolean())
      .map<Step>(([act, which, fraud]) => ({ do: act, which, fraud })),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'sweep' }) },
  { weight: 1, arbitrary: fc.nat(4).map<Step>((first) => ({ do: 'fold', first })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.option(status, { nil: undefined }), fc.integer({ min: 1, max: 7 }), bound, bound)
      .map<Step>(([wanted, limit, from, to]) => ({ do: 'list', status: wanted, limit, from, to })),
  },
);

/** The simplest thing that could be right: an array. */
interface Known {
  readonly ulid: string;
  readonly createdMs: number;
  status: 'open' | 'approved' | 'rejected';
}
const statusAt = (known: Known, nowMs: number): Status =>
  known.status === 'open' && nowMs >= known.createdMs + CASE_LIFE_MS ? 'expired' : known.status;

// Its own table: the run's sweep goes by the real clock, to which every case here is long expired.
let table: Table;
beforeAll(async () => {
  table = await emptyTable();
  table.client.middlewareStack.add(
    (next) => (args) => {
      const refused = refusal(args.input as Partial<TransactWriteCommandInput>);
      return refused ? Promise.reject(refused) : next(args);
    },
    { step: 'initialize', name: 'rivals' },
  );
});

// Accounts with this in their ID have a rival on every tally: whatever counts itself there is refused.
const BUSY = 'busy';

/** Calls that DynamoDB would refuse alongside a rival transaction on the same tally; folds find a quiet moment. */
function refusal({ TransactItems: items = [] }: Partial<TransactWriteCommandInput>) {
  const isTally = (key: Record<string, unknown> | undefined): boolean => String(key?.pk).startsWith('TALLY#');
  const met = items.map(({ Update }) => {
    const pk = String(Update?.Key?.pk);
    return isTally(Update?.Key) && pk.includes(BUSY) && !pk.endsWith('#STEPS');
  });
  if (!met.some(Boolean) || items.some(({ Delete }) => isTally(Delete?.Key))) return undefined;
  const CancellationReasons = met.map((each) => ({ Code: each ? 'TransactionConflict' : 'None' }));
  return new TransactionCanceledException({ message: 'a rival', $metadata: {}, CancellationReasons });
}

/** The steps of an account that its tallies do not include yet, by partition. */
async function pendingSteps(accountId: string): Promise<TallyStep[][]> {
  const found = await Promise.all(
    [...ALL_SHARDS, ...BUSY_SHARDS].map((shard) =>
      queryAll(table, {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': tallyStepsPk(accountId, shard) },
      }),
    ),
  );
  return found as unknown as TallyStep[][];
}

function world(accountId: string) {
  const sweeper = caseSweeper(table);
  let nowMs = START_MS;
  const clock = { now: () => nowMs };
  return {
    clock,
    caller: callerOf(accountId),
    pass: (ms: number) => {
      nowMs += ms;
    },
    screenings: { ...screeningWriter(table), ...caseOpener(table) },
    outcomes: { clock, outcomes: outcomeStore(table) },
    lister: { clock, cases: caseLister(table) },
    reader: caseReader(table),
    // The index is everybody's, but each sequence has its own clock: it may expire its own cases only.
    sweeper: {
      clock,
      shards: EXPIRY_SHARDS,
      cases: {
        ...sweeper,
        due: async (shard: number, atMs: number) =>
          (await sweeper.due(shard, atMs, 100_000)).filter(({ pk }) => pk.includes(accountId)),
      },
    },
  };
}

const record = (ulid: string, atMs: number): ScreeningRecord =>
  screened(atMs, { ulid, automated_decision: 'review', risk_level: 'elevated', risk_score: 70 });

const codeOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'done',
    (error: unknown) => (error instanceof DomainError ? error.code : Promise.reject(error)),
  );

/** Which answers of an analyst met which states of a case, over all sequences. */
const met = new Set<string>();

async function runSequence(steps: readonly Step[], name: string): Promise<void> {
  const real = world(`acc_${name}_${randomUUID()}`);
  const { clock, caller } = real;
  const model: Known[] = [];
  for (const each of steps) {
    const nowMs = clock.now();
    if (each.do === 'pass') real.pass(each.ms);
    if (each.do === 'sweep') await sweepCases(real.sweeper, Number.MAX_SAFE_INTEGER);
    if (each.do === 'fold') {
      for (const pending of await pendingSteps(caller.account_id)) {
        const steps = pending.slice(0, each.first);
        // Records that the stream hands over again change nothing.
        await stepFolder(table).fold(steps);
        await stepFolder(table).fold(pending.slice(0, each.first + 1));
      }
    }
    if (each.do === 'open') {
      const ulid = newUlid(nowMs);
      await real.screenings.insertWithCase(caller.account_id, record(ulid, nowMs), opened(ulid, nowMs), 30_000);
      model.push({ ulid, createdMs: nowMs, status: 'open' });
    }
    if ((each.do === 'resolve' || each.do === 'review') && model.length > 0) {
      const known = model[each.which % model.length]!;
      met.add(`${each.do} ${each.fraud} ${statusAt(known, nowMs)}`);
      const wasOpen = statusAt(known, nowMs) === 'open';
      const decision = each.fraud ? 'block' : 'allow';
      const outcome =
        each.do === 'resolve'
          ? resolveCase(real.outcomes, caller, caseId(known.ulid), { decision })
          : reviewDecision(real.outcomes, caller, decisionId(known.ulid), { decision });
      expect(await codeOf(outcome)).toBe(each.do === 'review' || wasOpen ? 'done' : 'case_not_open');
      if (wasOpen) known.status = each.fraud ? 'rejected' : 'approved';
      const found = await real.reader.find(caller.account_id, known.ulid);
      expect(found && statusAt({ ...known, status: found.status === 'expired' ? 'open' : found.status }, nowMs)).toBe(
        statusAt(known, nowMs),
      );
    }
    if (each.do === 'list') {
      const at = (index: number | undefined) =>
        index === undefined ? undefined : model[index % (model.length || 1)]?.createdMs;
      const [startMs, endMs] = [at(each.from), at(each.to)];
      const expected = model
        .filter((known) => each.status === undefined || statusAt(known, nowMs) === each.status)
        .filter(
          ({ createdMs }) =>
            (startMs === undefined || createdMs >= startMs) && (endMs === undefined || createdMs < endMs),
        )
        .sort((a, b) => (a.ulid < b.ulid ? 1 : -1));
      const pages: string[] = [];
      for (let offset = 0; offset === 0 || offset < expected.length; offset += each.limit) {
        const filter = { status: each.status, limit: each.limit, offset, startMs, endMs };
        const page = caseListAnswer(await listCases(real.lister, caller, filter));
        expect([page.total, page.has_more]).toEqual([expected.length, offset + page.cases.length < expected.length]);
        pages.push(...page.cases.map((listed) => `${listed.case_id} ${listed.status}`));
      }
      expect(pages).toEqual(expected.map((known) => `${caseId(known.ulid)} ${statusAt(known, nowMs)}`));
    }
  }
}

const opened = (ulid: string, atMs: number): ReviewCase => openCase(atMs, { ulid });

describe('a walk through all pages', () => {
  it('has no gap and no duplicate while cases are being opened and resolved', async () => {
    const real = world(`acc_${randomUUID()}`);
    const { caller } = real;
    const open = async (atMs: number): Promise<string> => {
      const ulid = newUlid(atMs);
      await real.screenings.insertWithCase(caller.account_id, record(ulid, atMs), opened(ulid, atMs), 30_000);
      return ulid;
    };
    const before: string[] = [];
    for (let i = 0; i < 60; i++) before.push(await open(START_MS - 60_000 + i * 900));
    let isWalking = true;
    const rivals = async (): Promise<void> => {
      for (let i = 0; isWalking; i++) {
        await open(START_MS + i);
        const id = caseId(before[(i * 7) % before.length] ?? '');
        await codeOf(resolveCase(real.outcomes, caller, id, { decision: i % 2 ? 'block' : 'allow' }));
      }
    };
    const rivalry = rivals();
    for (let walk = 0; walk < sized(6, 1); walk++) {
      const seen: string[] = [];
      for (let offset = 0; offset < before.length; offset += 7) {
        const filter = { status: undefined, limit: 7, offset, endMs: START_MS };
        const page = caseListAnswer(await listCases(real.lister, caller, filter));
        expect(page.total).toBe(before.length);
        seen.push(...page.cases.map(({ case_id }) => case_id));
      }
      expect(seen).toEqual(before.map(caseId).reverse());
    }
    isWalking = false;
    await rivalry;
  });
});

describe('a case that is resolved while all cases are read', () => {
  it.each(['between the lists', 'before either'])('is listed once, if it happens %s', async (moment) => {
    const real = world(`acc_${randomUUID()}`);
    const { caller, clock } = real;
    const ulid = newUlid(START_MS);
    await real.screenings.insertWithCase(caller.account_id, record(ulid, START_MS), opened(ulid, START_MS), 30_000);
    let resolving: Promise<unknown> | undefined;
    const resolve = () => {
      resolving ??= resolveCase(real.outcomes, caller, caseId(ulid), { decision: 'block' });
      return resolving;
    };
    if (moment === 'before either') await resolve();
    const client = new Proxy(table.client, {
      get: (target, name) =>
        name !== 'send'
          ? Reflect.get(target, name)
          : async (command: QueryCommand) => {
              const answer = await target.send(command);
              const pk = String(command.input.ExpressionAttributeValues?.[':pk']);
              if (pk.endsWith('#unresolved') && answer.Items?.length) await resolve();
              return answer;
            },
    });
    const lister = { clock, cases: caseLister({ ...table, client }) };
    const { total, cases } = await listCases(lister, caller, { limit: 5, offset: 0 });
    expect([total, cases.map((each) => [each.ulid, each.status])]).toEqual([1, [[ulid, 'rejected']]]);
    const minute = { fromMs: START_MS, toMs: START_MS + 1, classes: CASE_CLASSES };
    expect(await lister.cases.count(caller.account_id, minute)).toBe(1);
  });
});

describe('an account that opens and resolves cases faster than a tally can take them', () => {
  it('is refused nothing, and its tallies say the same before, during and after the fold', async () => {
    const accountId = `acc_${BUSY}_${randomUUID()}`;
    const real = world(accountId);
    const ulids = Array.from({ length: 48 }, (_, i) => newUlid(START_MS + i));
    for (let at = 0; at < ulids.length; at += 15) {
      await Promise.all(
        ulids.slice(at, at + 15).map(async (ulid, i) => {
          const atMs = START_MS + at + i;
          await real.screenings.insertWithCase(accountId, record(ulid, atMs), opened(ulid, atMs), 30_000);
        }),
      );
    }
    real.pass(60_000);
    const half = ulids.slice(0, 24);
    await Promise.all(half.map((ulid) => resolveCase(real.outcomes, real.caller, caseId(ulid), { decision: 'allow' })));
    const totals = async (): Promise<number[]> =>
      Promise.all(
        [undefined, 'approved'].map(async (wanted) => {
          const filter = { status: wanted as Status | undefined, limit: 7, offset: 20 };
          const { total, cases } = await listCases(real.lister, real.caller, filter);
          return total * 100 + cases.length;
        }),
      );
    const expected = [4_807, 2_404];
    expect(await totals()).toEqual(expected);
    const pending = await pendingSteps(accountId);
    expect(pending.flat()).toHaveLength(72);
    expect(pending.filter(({ length }) => length > 0).length).toBeGreaterThan(1);
    const folds = Promise.all(pending.map((steps) => stepFolder(table).fold(steps)));
    for (let look = 0; look < 2; look++) expect(await totals()).toEqual(expected);
    await folds;
    expect((await pendingSteps(accountId)).flat()).toEqual([]);
    expect(await totals()).toEqual(expected);
  });
});

describe('a sweep', () => {
  it('works off a backlog in batches, two at once sharing it, and finds nothing the third time', async () => {
    const accountId = `acc_${randomUUID()}`;
    // Long before every other test's cases, so that only these are due.
    const bornMs = Date.parse('2020-01-01T00:00:00.000Z');
    const ulids = Array.from({ length: BACKLOG }, (_, i) => newUlid(bornMs + i));
    for (let at = 0; at < ulids.length; at += 15) {
      const batch = ulids.slice(at, at + 15).map((ulid, i) => {
        const atMs = bornMs + at + i;
        return caseOpener(table).insertWithCase(accountId, record(ulid, atMs), opened(ulid, atMs), 30_000);
      });
      await Promise.all(batch);
    }
    const deps = {
      clock: { now: () => bornMs + CASE_LIFE_MS + 5_000 },
      shards: EXPIRY_SHARDS,
      cases: caseSweeper(table),
    };
    const early = await measureCases({ ...deps, clock: { now: () => bornMs + 3_600_000 } });
    expect(early.oldestAgeMs).toBe(3_600_000);
    expect(early.open).toBeGreaterThanOrEqual(BACKLOG);
    const reports = await Promise.all([
      sweepCases(deps, Number.MAX_SAFE_INTEGER),
      sweepCases(deps, Number.MAX_SAFE_INTEGER),
    ]);
    expect(reports.reduce((sum, { swept }) => sum + swept, 0)).toBe(BACKLOG);
    expect(Math.max(...reports.map(({ backlogAgeMs }) => backlogAgeMs))).toBe(5_000);
    const third = await sweepCases(deps, Number.MAX_SAFE_INTEGER);
    expect(third).toEqual({ swept: 0, backlogAgeMs: 0, isUnfinished: false });
    expect(await sweepCases(deps, 0)).toMatchObject({ swept: 0, isUnfinished: true });
    const stored = await caseReader(table).find(accountId, ulids[77] ?? '');
    expect(stored?.status).toBe('expired');
  });
});

describe('cases against a model that is an array', () => {
  it(`agree in ${SEQUENCES} random sequences of open, resolve, review, time, sweep, fold and list, with and without rivals`, async () => {
    const sequences = fc.sample(fc.array(step, { minLength: 3, maxLength: 14 }), { numRuns: SEQUENCES, seed: SEED });
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let at = next++; at < sequences.length; at = next++) {
        await runSequence(sequences[at]!, at % 2 === 0 ? 'calm' : BUSY).catch((error: Error) => {
          throw new Error(`${error.message}\nin sequence ${at}: ${JSON.stringify(sequences[at])}`);
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect(next).toBeGreaterThanOrEqual(SEQUENCES);
    // Both ways to answer, both answers, four states.
    expect(met.size).toBe(2 * 2 * 4);
  }, 600_000);
});
