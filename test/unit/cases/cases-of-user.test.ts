import { type AccountSettings, DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { CASE_CLASSES } from '../../../shared/domain/cases/case-tally';
import type { ReviewCase } from '../../../shared/domain/cases/review-case';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { casesOfUser } from '../../../shared/usecases/cases/cases-of-user';
import type { Walk } from '../../../shared/usecases/cases/walk-cases';
import { openCase, screened } from '../../support/changes';
import { interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 20, 10);
const AGES = [0, 1, 5, 30];

/** Ann and Bob have a case of each age; before `history_since_ms` nothing led from them to their screenings. */
async function world(settings: Partial<AccountSettings> = {}) {
  const { cases, screenings, decisions } = memoryTable();
  const made = AGES.flatMap((age) => ['ann', 'bob'].map((user_id) => openCase(NOW - age * DAY, { user_id })));
  for (const each of made) {
    cases.put('acc_1', each);
    const isListed = each.created_at_ms >= (settings.history_since_ms ?? 0) && settings.keep_history !== false;
    const { ulid, user_id } = each;
    await screenings.insert(
      'acc_1',
      screened(each.created_at_ms, {
        ...{ ulid, user_id, automated_decision: 'review' },
        entities: [entityNames('acc_1').user(user_id).key],
        ...(isListed ? {} : { unlisted: true }),
      }),
    );
  }
  const calls: string[] = [];
  const watched = interpose(cases, (call, apply) => {
    calls.push(call);
    return apply();
  });
  const caller = {
    ...({ account_id: 'acc_1', key_id: 'key_1', role: 'admin' } as const),
    settings: { ...DEFAULT_SETTINGS, ...settings },
  };
  const found = async (walk?: Walk): Promise<ReviewCase[]> => {
    const selection = { fromMs: NOW - 90 * DAY, toMs: NOW + 1, classes: CASE_CLASSES, user_id: 'ann' };
    const all: ReviewCase[] = [];
    for await (const chunk of casesOfUser({ cases: watched, decisions }, caller, selection, walk)) all.push(...chunk);
    return all;
  };
  return { ofAnn: made.filter(({ user_id }) => user_id === 'ann'), made, found, calls };
}

it('finds them in the history of the user, newest or oldest first, and walks through no day', async () => {
  const { ofAnn, found, calls } = await world();
  expect(await found()).toEqual(ofAnn);
  expect(await found({ isOldestFirst: true })).toEqual(ofAnn.toReversed());
  expect(new Set(calls)).toEqual(new Set(['findAll']));
});

it('goes on beyond a case, in either direction', async () => {
  const { ofAnn, found } = await world();
  const beyond = ofAnn[1]?.ulid;
  expect(await found({ beyond })).toEqual(ofAnn.slice(2));
  expect(await found({ beyond, isOldestFirst: true })).toEqual(ofAnn.slice(0, 1));
});

it('walks through everybody’s cases of the time before the account kept a history', async () => {
  const { ofAnn, made, found } = await world({ history_since_ms: NOW - 3 * DAY });
  const before = made.filter(({ created_at_ms }) => created_at_ms < NOW - 3 * DAY);
  const expected = [...ofAnn.slice(0, 2), ...before];
  const ulids = (cases: readonly ReviewCase[]): string[] => cases.map(({ ulid }) => ulid);
  expect(ulids(await found()).sort()).toEqual(ulids(expected).sort());
  expect((await found()).slice(0, 2)).toEqual(ofAnn.slice(0, 2));
  expect((await found({ isOldestFirst: true })).slice(-2)).toEqual(ofAnn.slice(0, 2).reverse());
});

it('walks through all of them where no history is kept', async () => {
  const { made, found, calls } = await world({ keep_history: false });
  expect((await found()).length).toBe(made.length);
  expect(calls).not.toContain('findAll');
});
