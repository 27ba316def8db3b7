import { CASE_LIFE_MS, caseStatusAt } from '../../../shared/domain/cases/review-case';
import { RETENTION_MS } from '../../../shared/domain/screening/subjects/screening-record';
import { newUlid } from '../../../shared/runtime/ids';
import { getCase } from '../../../shared/usecases/cases/get-case';
import { openCase } from '../../support/changes';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';
import { callerOf } from '../../support/payment';

const BORN_MS = Date.UTC(2026, 2, 1);
const caller = callerOf('acc_1');

/** An open case of acc_1, read at an age of the test's choice. */
function world(ageMs = 60_000) {
  const table = memoryTable();
  const reviewCase = openCase(BORN_MS);
  table.cases.put('acc_1', reviewCase);
  const deps = { clock: { now: () => BORN_MS + ageMs }, cases: table.cases };
  return { table, deps, reviewCase, id: `case_${reviewCase.ulid}` };
}

it('returns the case as it is stored, and when it was read', async () => {
  const { deps, reviewCase, id } = world();
  expect(await getCase(deps, caller, id)).toEqual({ reviewCase, atMs: BORN_MS + 60_000 });
});

it('returns the instant by which an open case has expired, whether or not a sweep has run', async () => {
  const statusAtAge = async (ageMs: number): Promise<string> => {
    const { deps, id } = world(ageMs);
    const { reviewCase, atMs } = await getCase(deps, caller, id);
    expect(reviewCase.status).toBe('open');
    return caseStatusAt(reviewCase, atMs);
  };
  expect(await statusAtAge(CASE_LIFE_MS - 1)).toBe('open');
  expect(await statusAtAge(CASE_LIFE_MS)).toBe('expired');
});

it('returns a case for exactly as long as results are kept', async () => {
  const [last, over] = [world(RETENTION_MS - 1), world(RETENTION_MS)];
  expect((await getCase(last.deps, caller, last.id)).reviewCase).toEqual(last.reviewCase);
  await expect(getCase(over.deps, caller, over.id)).rejects.toMatchObject({ code: 'not_found' });
});

it('gives another account the same answer as for a case that never was', async () => {
  const { deps, id } = world();
  const refusal = (who: typeof caller, what: string) => getCase(deps, who, what).catch((error: Error) => error);
  const unknown = await refusal(caller, `case_${newUlid(BORN_MS)}`);
  expect(unknown).toMatchObject({ code: 'not_found' });
  expect(await refusal(callerOf('acc_2'), id)).toEqual(unknown);
});

it('does not even look up an id of another kind', async () => {
  const { deps, reviewCase } = world();
  const unread = {
    ...deps,
    cases: interpose(
      deps.cases,
      failing(() => 'before'),
    ),
  };
  const { ulid } = reviewCase;
  for (const id of [`txn_${ulid}`, `dec_${ulid}`, ulid, `case_${ulid}0`, `case_${ulid.toLowerCase()}`, ''])
    await expect(getCase(unread, caller, id)).rejects.toMatchObject({ code: 'not_found' });
});

it('does not take a table that is out of reach for a missing case', async () => {
  const { deps, id } = world();
  const down = {
    ...deps,
    cases: interpose(
      deps.cases,
      failing(() => 'before'),
    ),
  };
  await expect(getCase(down, caller, id)).rejects.toMatchObject({ code: 'unavailable' });
});
