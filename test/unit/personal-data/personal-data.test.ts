import { marshall } from '@aws-sdk/util-dynamodb';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { type CounterDeclaration, NO_DECLARATIONS } from '../../../shared/domain/declarations/declaration';
import { entityNames, pseudonymOf } from '../../../shared/domain/entities/entity-ref';
import { type Pseudonyms, pseudonymsBy } from '../../../shared/domain/entities/pseudonyms';
import {
  type ErasedPerson,
  type Erasure,
  erasureMark,
  MAX_ERASURES_PER_DAY,
  mayReadAnyCopy,
  type Trace,
} from '../../../shared/domain/personal-data/erasure';
import { countersOfUser, type PlannedCount } from '../../../shared/domain/rules/compile-counters';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { erasureAnswer } from '../../../shared/http/presenters/personal-data-answer';
import { newId } from '../../../shared/runtime/ids';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { memoryCounters } from '../../../shared/store/memory/memory-counters';
import { lookupOf, pointerOf, traceFinder } from '../../../shared/store/personal-data/find-traces';
import { screeningItem } from '../../../shared/store/screening/screening-store';
import { packMessage } from '../../../shared/store/webhooks/packed-message';
import { exportUser } from '../../../shared/usecases/personal-data/export-user';
import { forgetLabels } from '../../../shared/usecases/personal-data/forget-labels';
import { type ErasureLookup, replayErasures } from '../../../shared/usecases/personal-data/replay-erasures';
import {
  getErasure,
  type RequestErasureDeps,
  requestErasure,
} from '../../../shared/usecases/personal-data/request-erasure';
import { type RunErasuresDeps, runErasures } from '../../../shared/usecases/personal-data/run-erasures';
import { memoryErasures } from '../../support/memory/memory-erasures';
import { memoryRules } from '../../support/memory/memory-rules';
import { memoryTable } from '../../support/memory/memory-table';
import { openCase, screened } from '../../support/webhooks/changes';

describe('export user', () => {
  const NOW = Date.UTC(2026, 2, 20, 10);
  const caller = { account_id: 'acc', key_id: 'key_1', role: 'admin', settings: DEFAULT_SETTINGS } as const;
  const names = entityNames('acc', PUBLIC_PSEUDONYMS);
  const [ann, bob] = [names.user('ann'), names.user('bob')];
  const [phone, office] = [names.exact('device', 'phone'), names.exact('ip', '192.0.2.1')];

  const entry = (list: string, value: string, entity: string) => ({
    ...{
      list,
      value,
      entity,
      reason: null,
      expires_at: null,
      added_at: new Date(NOW).toISOString(),
      added_by: 'key_1',
    },
  });
  const LISTED = [
    entry('vips', 'ann', ann.key),
    entry('vips', 'bob', bob.key),
    entry('trusted', 'phone', phone.key),
    entry('offices', '192.0.2.1', office.key),
  ];

  async function world() {
    const table = memoryTable();
    const allowed = screened(NOW - 1000, { user_id: 'ann', entities: [ann.key, phone.key, office.key] });
    const held = screened(NOW - 2000, { user_id: 'ann', entities: [ann.key], automated_decision: 'review' });
    const reviewCase = openCase(NOW - 2000, { ulid: held.ulid, user_id: 'ann' });
    await table.screenings.insert('acc', allowed);
    await table.screenings.insertWithCase('acc', held, reviewCase);
    await table.screenings.insert('acc', screened(NOW, { user_id: 'bob', entities: [bob.key] }));
    const step = { ulid: 'x', actor: 'ana', key_id: 'k', proven: true, at: new Date(NOW).toISOString() };
    const deps = {
      clock: { now: () => NOW },
      pseudonyms: () => PUBLIC_PSEUDONYMS,
      decisions: table.decisions,
      cases: table.cases,
      entities: table.entities,
      naming: {
        entries: async (_account: string, entities: readonly string[]) =>
          LISTED.filter(({ entity }) => entities.includes(entity)),
      },
      links: {
        entitiesOf: async () => ({ since: new Map(), isCut: false }),
        usersOf: async (account_id: string, entity: string) =>
          entity === office.key
            ? [ann, bob].map((user) => ({ account_id, entity, user: pseudonymOf(user), since_ms: NOW }))
            : [{ account_id, entity, user: pseudonymOf(ann), since_ms: NOW }],
        profiles: async () => new Map(),
      },
      desk: {
        history: async (_account: string, ulid: string) => ({
          record: held,
          reviewCase: ulid === held.ulid ? reviewCase : undefined,
          audits: [],
          desk: [
            { ...step, kind: 'claimed' as const },
            { ...step, kind: 'commented' as const, text: 'Called them.' },
          ],
        }),
      },
    };
    const counters = memoryCounters();
    return { deps: { ...deps, counters, books: memoryRules() }, allowed, held, reviewCase };
  }

  it("has a user's decisions, cases and comments, and nobody else's", async () => {
    const { deps, allowed, held, reviewCase } = await world();
    expect(await exportUser(deps, caller, 'ann', undefined)).toMatchObject({
      user_id: 'ann',
      atMs: NOW,
      profile: undefined,
      decisions: [allowed, held],
      cases: [reviewCase],
      comments: [{ ulid: held.ulid, actor: 'ana', text: 'Called them.' }],
      nextCursor: null,
    });
  });

  it('has what counters by the user alone have counted', async () => {
    const { deps } = await world();
    const tries: CounterDeclaration = {
      ...{ number: 1, name: 'tries', of: ['transaction'], value: null, by: ['user_id'] },
      ...({ count: 'attempts', window: '1h' } as const),
      ...{ where: null, tree: null, note: null, created_at: '', updated_at: '', updated_by: '', since: '', version: 1 },
    };
    const shared = { ...tries, number: 2, name: 'shared', by: ['user_id', 'ip_address'] };
    const declarations = { ...NO_DECLARATIONS, counters: [tries, shared] };
    const [plan] = countersOfUser(declarations, { accountId: 'acc', pseudonyms: PUBLIC_PSEUDONYMS }, 'ann');
    const attempt = {
      attempt_id: 'txn_1',
      at_ms: NOW,
      action: 'transaction',
      outcome: 'succeeded',
      user_id: 'ann',
    } as const;
    await deps.counters.count('acc', { ...(plan as PlannedCount), adds: 1 }, attempt, 1_000);
    const books = { book: async () => ({ declarations }) };
    expect((await exportUser({ ...deps, books }, caller, 'ann', undefined)).counters).toEqual({ tries: 1 });
  });

  it('is a 404 for somebody of whom nothing is held', async () => {
    const { deps } = await world();
    await expect(exportUser(deps, caller, 'carl', undefined)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('has the entries of lists that name the user, and of what nobody else was seen with', async () => {
    const { deps } = await world();
    const { listEntries } = await exportUser(deps, caller, 'ann', undefined);
    expect(listEntries.map(({ list, value }) => [list, value])).toEqual([
      ['vips', 'ann'],
      ['trusted', 'phone'],
    ]);
  });

  it('is not a 404 for somebody who is only on a list', async () => {
    const { deps } = await world();
    const carl = entry('vips', 'carl', names.user('carl').key);
    const naming = { entries: async () => [carl] };
    expect(await exportUser({ ...deps, naming }, caller, 'carl', undefined)).toMatchObject({ listEntries: [carl] });
  });
});

describe('find traces', () => {
  const NOW = Date.UTC(2026, 2, 20, 10);
  const names = entityNames('acc', PUBLIC_PSEUDONYMS);
  const ann = names.user('Ann');
  const person = { erasure_id: 'era_1', account_id: 'acc', user: ann.key, requested_at_ms: NOW };
  const find = traceFinder(lookupOf([person], PUBLIC_PSEUDONYMS), PUBLIC_PSEUDONYMS, NOW);
  const traceOf = (item: object) => find(marshall(item, { removeUndefinedValues: true }) as Parameters<typeof find>[0]);

  const message = (user_id: string) => ({
    pk: 'MESSAGE#acc#msg_1',
    sk: 'MESSAGE',
    created_at: new Date(NOW - 1).toISOString(),
    body: new TextEncoder().encode(JSON.stringify({ data: { user_id } })),
  });

  const delivery = (user_id: string, atMs = NOW - 1) => ({
    pk: 'DELIVERIES#acc#wh_1#0',
    sk: '1',
    message_id: newId('msg', atMs),
    packed: packMessage({ body: Buffer.from(JSON.stringify({ data: { user_id } })) }),
  });

  it.each([
    ['a result', screeningItem('acc', screened(NOW, { entities: [ann.key, 'device#1.d'] })), 'result'],
    ['a case', { pk: 'SUBJECT#acc#01', sk: 'CASE', ...openCase(NOW, { user_id: ' Ann' }) }, 'result'],
    [
      'an entry of a list of cases',
      { pk: 'CASES#acc#d#0#all', sk: 'x', ...openCase(NOW, { user_id: 'Ann' }) },
      'case_entry',
    ],
    ['a link', { pk: 'LINKS#acc#device#1.d', sk: pseudonymOf(ann), since_ms: NOW }, 'link'],
    ['a profile', { pk: `ENTITY#acc#${ann.key}`, sk: 'ENTITY', b: 1, l: NOW }, 'profile'],
    ['an entry of a list', { pk: 'LISTENTRY#acc#1', sk: ann.key }, 'list_entry'],
    ['a message to a merchant', message('Ann​'), 'message'],
    ['a message that is stored with its delivery', delivery('Ann'), 'message'],
    ['a recorded response', { pk: 'IDEMPOTENCY#acc#s', sk: 'IDEMPOTENCY', answer: '{"user_id":"Ann"}' }, 'response'],
  ])('recognises %s', (_name, item, kind) => {
    expect(traceOf(item)).toMatchObject({ erasure_id: 'era_1', kind, account_id: 'acc' });
  });

  it('names the entities to look at in the end', () => {
    const entities = [ann.key, 'device#1.d', 'attribute.email#1.e'];
    expect(traceOf(screeningItem('acc', screened(NOW, { entities })))?.entities).toEqual(entities.slice(1));
    expect(traceOf({ pk: 'LINKS#acc#device#1.d', sk: pseudonymOf(ann), since_ms: 1 })?.entities).toEqual([
      'device#1.d',
    ]);
  });

  it.each([
    ['of another user', screeningItem('acc', screened(NOW, { entities: [names.user('bob').key] }))],
    ['of another account', screeningItem('acc2', screened(NOW, { entities: [ann.key] }))],
    ['that came after the request', screeningItem('acc', screened(NOW + 1, { entities: [ann.key] }))],
    ['that is a profile seen again', { pk: `ENTITY#acc#${ann.key}`, sk: 'ENTITY', b: 1, l: NOW + 1 }],
    ['that is a device', { pk: 'ENTITY#acc#device#1.d', sk: 'ENTITY', l: 1 }],
    ['of nobody', { pk: 'TALLY#acc#0', sk: 'DAY#2026-03-20', u1: 3 }],
    ['that is sealed', { pk: 'IDEMPOTENCY#acc#s', sk: 'IDEMPOTENCY', answer: 'v1:sealed' }],
    ['about somebody else', message('Bob')],
    ['about somebody else, with its delivery', delivery('Bob')],
    ['with its delivery, and came after the request', delivery('Ann', NOW + 1)],
    ['a delivery of a message that has an item of its own', { ...delivery('Ann'), packed: undefined }],
  ])('leaves what is %s', (_name, item) => {
    expect(traceOf(item)).toBeUndefined();
  });

  const ULID = '01JCP2Q8Z3X6T7V9B1N4M5K6H7';

  it.each([
    ['a reference', { pk: 'REFERENCE#acc#1.r', sk: 'REFERENCE', ulid: ULID }, 'reference'],
    ['an outcome', { pk: 'SOURCE#acc#1.s', sk: 'chargeback', subject_id: `txn_${ULID}` }, 'outcome'],
    ['an event of Amazon’s client', { pk: 'AFD#acc#scope', sk: 'EVENT', ulid: ULID }, 'client_event'],
  ])('knows the screening that %s leads to', (_name, item, kind) => {
    expect(pointerOf(marshall(item) as Parameters<typeof pointerOf>[0])).toEqual({
      ...{ kind, account_id: 'acc', ulid: ULID },
      key: { pk: item.pk, sk: item.sk },
    });
  });

  it.each([
    ['a reference that waits for its payment', { pk: 'REFERENCE#acc#1.r', sk: 'REFERENCE' }],
    ['an outcome that waits for its reference', { pk: 'SOURCE#acc#1.s', sk: 'chargeback', subject_id: null }],
    ['how events are read', { pk: 'AFD#acc', sk: 'MAPPING' }],
    ['a result', { pk: `SUBJECT#acc#${ULID}`, sk: 'RESULT', ulid: ULID }],
  ])('%s leads nowhere', (_name, item) => {
    expect(pointerOf(marshall(item) as Parameters<typeof pointerOf>[0])).toBeUndefined();
  });
});

describe('forget labels', () => {
  const NOW = Date.UTC(2026, 2, 20, 10);
  const caller = {
    account_id: 'acc',
    key_id: 'key_1',
    person: 'ana',
    role: 'admin',
    settings: DEFAULT_SETTINGS,
  } as const;
  const ann = entityNames('acc', PUBLIC_PSEUDONYMS).user('ann');

  async function forget(records: readonly Partial<ScreeningRecord>[], known: (key: string) => boolean = () => true) {
    const { screenings, decisions, cases } = memoryTable();
    for (const [at, record] of records.entries()) {
      const entities = [ann.key, ...(record.entities ?? [])];
      await screenings.insert('acc', screened(NOW - at * 1000, { user_id: 'ann', ...record, entities }));
    }
    const forgotten: string[] = [];
    const entries: object[] = [];
    const deps = {
      clock: { now: () => NOW },
      pseudonyms: () => PUBLIC_PSEUDONYMS,
      newUlid: () => 'ulid',
      decisions,
      cases,
      labels: {
        forget: async (_account: string, key: string) => {
          if (known(key)) forgotten.push(key);
          return known(key);
        },
      },
      erasures: { insertForgotten: async (_account: string, _ulid: string, entry: object) => void entries.push(entry) },
    };
    return { counts: await forgetLabels(deps, caller, 'ann', 'taken over'), forgotten, entries };
  }

  const review = (decision: 'allow' | 'block'): Partial<ScreeningRecord> => ({
    review: { decision, analyst_id: null, notes: null, reviewed_at: new Date(NOW).toISOString() },
    review_count: 1,
  });

  it('clears the victim, and leaves what only the thief used', async () => {
    const { counts, forgotten, entries } = await forget([
      { entities: ['device#1.own', 'attribute.card_fingerprint#1.card', 'ip#1.home'] },
      { entities: ['device#1.thief', 'attribute.card_fingerprint#1.card'], ...review('block') },
      { entities: ['device#1.held'], automated_decision: 'review' },
      { entities: ['device#1.blocked'], automated_decision: 'block' },
    ]);
    expect(forgotten).toEqual([ann.key, 'device#1.own', 'attribute.card_fingerprint#1.card']);
    expect(counts).toEqual({ users: 1, devices: 1, cards: 1, atMs: NOW });
    expect(entries).toEqual([
      {
        reason: 'taken over',
        at: '2026-03-20T10:00:00.000Z',
        actor: 'ana',
        key_id: 'key_1',
        users: 1,
        devices: 1,
        cards: 1,
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain('ann');
  });

  it('is a 404 for a user who was never seen', async () => {
    await expect(forget([], () => false)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('replay erasures', () => {
  const NOW = Date.UTC(2026, 2, 20, 10);
  const ann = entityNames('acc', PUBLIC_PSEUDONYMS).user('ann').key;

  const traceOf = (pk: string, entities: readonly string[]): Trace => ({
    erasure_id: 'era_1',
    kind: 'link',
    account_id: 'acc',
    key: { pk, sk: '' },
    entities,
  });

  function world(marks: readonly string[]) {
    const erased: string[] = [];
    const deps = {
      clock: { now: () => NOW },
      pseudonyms: () => PUBLIC_PSEUDONYMS,
      async *remembered() {
        for (const mark of marks) yield { erasure_id: 'era_1', account_id: 'acc', mark, requested_at_ms: NOW };
      },
      async *pages(lookup: ErasureLookup) {
        const isErased = (user: string) => lookup('acc', user) !== undefined;
        yield isErased(ann) ? [traceOf('a', ['device#own', 'ip#shared'])] : [];
        yield isErased('user#1.bob') ? [traceOf('b', [])] : [];
      },
      erase: async ({ key }: Trace) => void erased.push(key.pk),
      eraseIfAlone: async (_account: string, entity: string) => {
        if (entity !== 'device#own') return false;
        erased.push(entity);
        return true;
      },
    };
    return { erased, replay: () => replayErasures(deps) };
  }

  it('erases whom an erasure remembers by a mark, and what was theirs alone', async () => {
    const { erased, replay } = world([erasureMark('acc', ann)]);
    expect(await replay()).toEqual({ erasures: 1, erased: 2 });
    expect(erased).toEqual(['a', 'device#own']);
  });

  it('recognises nobody by the mark of another account', async () => {
    expect(await world([erasureMark('other', ann)]).replay()).toEqual({ erasures: 1, erased: 0 });
  });

  it('does nothing if nobody was erased', async () => {
    expect(await world([]).replay()).toEqual({ erasures: 0, erased: 0 });
  });

  it('remembers no keyed hash', () => {
    expect(erasureMark('acc', ann)).not.toContain(ann.slice(-22));
  });
});

describe('request erasure', () => {
  const NOW = Date.UTC(2026, 2, 20, 10);
  const callerOf = (account_id: string, settings = {}) =>
    ({ account_id, key_id: 'key_1', role: 'admin', settings: { ...DEFAULT_SETTINGS, ...settings } }) as const;

  /** A stage that knows somebody by their profile, their history or an entry on a list, or not at all. */
  function stage(known?: 'profile' | 'history' | 'entry', pseudonyms: Pseudonyms = PUBLIC_PSEUDONYMS) {
    const steps: unknown[] = [];
    const erasures = memoryErasures();
    const clock = { ms: NOW };
    const one = (by: typeof known) => (known === by ? ['1'] : []);
    const deps = {
      clock: { now: () => clock.ms },
      newUlid: () => '01JCP2Q8Z3X6T7V9B1N4M5K6H7',
      pseudonyms: () => pseudonyms,
      decisions: { ofUser: async () => ({ ulids: one('history'), next: undefined }) },
      links: { profiles: async () => new Map(one('profile').map((key) => [key, {}])) },
      naming: { entries: async () => one('entry') },
      erasures: {
        ...erasures,
        insert: async (erasure: Erasure, user: string) => {
          steps.push(user);
          await erasures.insert(erasure, user);
        },
      },
      traces: { eraseProfile: async (...given: unknown[]) => void steps.push(given) },
    };
    return { deps: deps as unknown as RequestErasureDeps & { erasures: typeof erasures }, steps, clock };
  }

  it('records whom to erase before the profile goes, and answers without naming them', async () => {
    const { deps, steps } = stage('profile');
    const erasure = await requestErasure(deps, callerOf('acc'), ' Ann​');
    const { key } = entityNames('acc', PUBLIC_PSEUDONYMS).user('Ann');
    const until = Date.UTC(2026, 8, 16, 10);
    expect(steps).toEqual([key, ['acc', key, NOW, until]]);
    expect(erasure).toEqual({
      erasure_id: 'era_01JCP2Q8Z3X6T7V9B1N4M5K6H7',
      account_id: 'acc',
      status: 'pending',
      requested_at: '2026-03-20T10:00:00.000Z',
      requested_by: 'key_1',
      completed_at: null,
      evidence_until: new Date(until).toISOString(),
      looked_at: 0,
      erased: {},
    });
    const { account_id: _own, looked_at: items_checked, evidence_until: _until, ...shown } = erasure;
    const { erasure_id } = erasure;
    const answer = { ...shown, items_checked, keeps_fraud_evidence: true };
    expect(erasureAnswer(await getErasure(deps, callerOf('acc'), erasure_id))).toEqual(answer);
    await expect(getErasure(deps, callerOf('other'), erasure_id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('keeps evidence of fraud as long as labels, unless everything goes', async () => {
    const { deps, steps } = stage('profile');
    const { evidence_until } = await requestErasure(deps, callerOf('acc', { label_window_days: 7 }), 'ann');
    expect(evidence_until).toBe('2026-03-27T10:00:00.000Z');
    const all = await requestErasure(deps, callerOf('acc'), 'ann', true);
    expect([all.evidence_until, erasureAnswer(all).keeps_fraud_evidence]).toEqual([null, false]);
    expect(steps.at(-1)).toEqual(['acc', entityNames('acc', PUBLIC_PSEUDONYMS).user('ann').key, NOW, undefined]);
  });

  it('is done at once for somebody who is not known: nobody walks for them', async () => {
    const { deps, steps } = stage();
    const { status, completed_at } = await requestErasure(deps, callerOf('acc'), 'nobody');
    expect([status, completed_at]).toEqual(['completed', '2026-03-20T10:00:00.000Z']);
    expect(steps).toHaveLength(1);
    expect(await deps.erasures.pending()).toEqual([]);
  });

  const twoKeys = pseudonymsBy([Buffer.alloc(32, 1), Buffer.alloc(32, 2)]);

  it.each([
    ['by the history', stage('history'), {}],
    ['by an entry on a list', stage('entry'), {}],
    ['perhaps: the account keeps no history', stage(), { keep_history: false }],
    ['perhaps: labels outlive profiles', stage(), { label_window_days: 181 }],
    ['perhaps: under the identity key before', stage(undefined, twoKeys), {}],
  ])('looks for somebody who is known %s', async (_how, { deps }, settings) => {
    expect((await requestErasure(deps, callerOf('acc', settings), 'ann')).status).toBe('pending');
    expect(await deps.erasures.pending()).toHaveLength(1);
  });

  it('refuses more than the limit of a day, and says until when; other accounts have their own', async () => {
    const { deps, clock } = stage();
    const ask = (account: string) => requestErasure(deps, callerOf(account), 'nobody');
    for (let asked = 0; asked < MAX_ERASURES_PER_DAY; asked++) await ask('acc');
    await expect(ask('acc')).rejects.toMatchObject({
      code: 'rate_limited',
      message: 'An account may erase 1,000 users per day (UTC). Erase the others tomorrow.',
      retryAfterSeconds: 14 * 3_600,
    });
    await ask('other');
    clock.ms = Date.UTC(2026, 2, 21);
    await ask('acc');
  });
});

describe('run erasures', () => {
  const NOW = Date.UTC(2026, 2, 20, 10);
  const HOUR = 3_600_000;

  interface Stored {
    readonly key: string;
    readonly user: string;
    readonly entities?: readonly string[];
    /** Whether a key leads to it, or only a walk. */
    readonly byKey?: true;
  }

  const userOf = (name: string): string => entityNames('acc', PUBLIC_PSEUDONYMS).user(name).key;

  /** A table of items that belong to users, two per page; every call takes a second. */
  function world(items: readonly Stored[], shared: readonly string[] = []) {
    const clock = { ms: NOW };
    const erasures = memoryErasures();
    let table = [...items];
    let [walks, callsLeft] = [0, Number.POSITIVE_INFINITY];
    const gone: string[] = [];
    const keyedFor: string[] = [];
    const traceOf = (item: Stored, person: ErasedPerson): Trace => ({
      erasure_id: person.erasure_id,
      account_id: person.account_id,
      kind: item.byKey ? 'result' : 'message',
      key: { pk: item.key, sk: '' },
      entities: item.entities ?? [],
    });
    const traces: RunErasuresDeps['traces'] = {
      async ofPerson(person) {
        clock.ms += 1000;
        keyedFor.push(person.account_id);
        const found = table.filter(({ user, byKey }) => byKey && userOf(user) === person.user);
        const part = found.slice(0, 2).map((item) => traceOf(item, person));
        return { traces: part, count: part.length, next: found.length > 2 ? 'more' : undefined };
      },
      async page(people, _pseudonyms, position) {
        clock.ms += 1000;
        const start = Number(position ?? 0);
        if (start === 0) walks += 1;
        const part = items.slice(start, start + 2);
        const found = part
          .filter((item) => table.includes(item))
          .flatMap((item) =>
            people.filter(({ user }) => user === userOf(item.user)).map((person) => traceOf(item, person)),
          );
        return { traces: found, count: part.length, next: start + 2 < items.length ? String(start + 2) : undefined };
      },
      async erase({ key }) {
        table = table.filter((item) => item.key !== key.pk);
      },
      eraseLink: async () => false,
      async eraseIfAlone(_account, entity) {
        if (shared.includes(entity) || gone.includes(entity)) return false;
        gone.push(entity);
        return true;
      },
    };
    /** A function that dies at any call dies before or after it did its work. */
    const mortal = <Port extends object>(port: Port): Port =>
      Object.fromEntries(
        Object.entries(port).map(([name, call]) => [
          name,
          async (...given: unknown[]) => {
            callsLeft -= 0.5;
            if (callsLeft < 0) throw new Error('the function died');
            const answer = await (call as (...args: unknown[]) => unknown)(...given);
            callsLeft -= 0.5;
            if (callsLeft < 0) throw new Error('the function died');
            return answer;
          },
        ]),
      ) as Port;
    const deps: RunErasuresDeps = {
      clock: { now: () => clock.ms },
      pseudonyms: () => PUBLIC_PSEUDONYMS,
      erasures: mortal(erasures),
      traces: mortal(traces),
    };
    return {
      ...{ clock, gone, keyedFor },
      left: () => table.map(({ key }) => key),
      walks: () => walks,
      ask: (name: string, account_id = 'acc') =>
        erasures.insert(
          {
            ...{ erasure_id: `era_${name}`, account_id, status: 'pending', requested_by: 'ana', completed_at: null },
            ...{ requested_at: new Date(clock.ms).toISOString(), evidence_until: null, looked_at: 0, erased: {} },
          },
          userOf(name),
        ),
      of: (name: string, account = 'acc') => erasures.find(account, `era_${name}`),
      dieAfter: (calls: number) => {
        callsLeft = calls;
      },
      run: (deadlineMs = Number.POSITIVE_INFINITY) => runErasures(deps, deadlineMs),
    };
  }

  const ITEMS: readonly Stored[] = [
    { key: '1', user: 'ann', byKey: true, entities: ['device#own', 'ip#office'] },
    { key: '2', user: 'bob' },
    { key: '3', user: 'carl', byKey: true },
    { key: '4', user: 'ann' },
    { key: '5', user: 'bob', entities: ['device#bob'] },
  ];

  it('erases what keys lead to, the rest of everybody in one walk, and what nobody else shares', async () => {
    const { ask, run, left, of, gone, walks } = world(ITEMS, ['ip#office']);
    await ask('ann');
    await ask('bob');
    expect(await run()).toEqual({ completed: 2, pending: 2, looked_at: 6 });
    expect([left(), gone, walks()]).toEqual([['3'], ['device#own', 'device#bob'], 1]);
    const erased = { result: 1, message: 1, entity: 1 };
    expect(await of('ann')).toMatchObject({ status: 'completed', looked_at: 6, erased });
    expect(await run()).toEqual({ completed: 0, pending: 0, looked_at: 0 });
  });

  it('continues where time ran out', async () => {
    const { ask, run, left, clock, walks } = world(ITEMS);
    await ask('bob');
    expect(await run(clock.ms + 2_001)).toMatchObject({ completed: 0 });
    expect(left()).toEqual(['1', '3', '4', '5']);
    expect(await run()).toMatchObject({ completed: 1 });
    expect([left(), walks()]).toEqual([['1', '3', '4'], 1]);
  });

  it('who asks while a walk is on gets a whole walk of their own', async () => {
    const { ask, run, left, clock } = world(ITEMS);
    await ask('ann');
    await run(clock.ms + 2_001);
    await ask('bob');
    expect(await run()).toMatchObject({ completed: 1, pending: 2 });
    expect(await run()).toMatchObject({ completed: 1, pending: 1 });
    expect(left()).toEqual(['3']);
  });

  it('loses nothing, wherever a run dies', async () => {
    for (let calls = 0; ; calls += 0.5) {
      const { ask, run, left, gone, dieAfter, of } = world(ITEMS);
      await ask('ann');
      await ask('bob');
      dieAfter(calls);
      const isWhole = await run().then(
        () => true,
        () => false,
      );
      dieAfter(Number.POSITIVE_INFINITY);
      await run();
      expect({ calls, left: left(), gone: gone.toSorted() }).toEqual({
        ...{ calls, left: ['3'], gone: ['device#bob', 'device#own', 'ip#office'] },
      });
      expect([(await of('ann'))?.status, (await of('bob'))?.status]).toEqual(['completed', 'completed']);
      if (isWhole) return expect(calls).toBeGreaterThan(15);
    }
  });

  it('1,000 erasures of one account do not delay the one of another: it is done in the same walk', async () => {
    const people = Array.from({ length: 1_000 }, (_, at): Stored => ({ key: `${at}`, user: `u${at}`, byKey: true }));
    const late: Stored[] = Array.from({ length: 5 }, (_, at) => ({ key: `late-${at}`, user: 'late', byKey: true }));
    const { ask, run, left, of, keyedFor, walks } = world([...people, ...late, { key: 'message', user: 'late' }]);
    for (const { user } of people) await ask(user);
    await ask('late', 'other');
    expect(await run()).toMatchObject({ completed: 1_001, pending: 1_001 });
    expect([left(), walks(), (await of('late', 'other'))?.status]).toEqual([[], 1, 'completed']);
    // By turns of the accounts, although the others asked first.
    expect(keyedFor.lastIndexOf('other')).toBe(5);
  });

  it('somebody with very many payments does not keep others from the walk', async () => {
    const many: Stored[] = Array.from({ length: 60 }, (_, at) => ({ key: `${at}`, user: 'bot', byKey: true }));
    const { ask, run, of, clock, left } = world([...many, { key: 'message', user: 'ann' }]);
    await ask('bot', 'large');
    await ask('ann', 'small');
    await run(clock.ms + 40_000);
    await run(clock.ms + 70_000);
    expect((await of('ann', 'small'))?.status).toBe('completed');
    clock.ms += 6 * HOUR;
    await run();
    expect([(await of('bot', 'large'))?.status, left()]).toEqual(['completed', []]);
  });

  it('walks at most three times at once, and then every six hours, however many ask', async () => {
    const { ask, run, clock, walks } = world(ITEMS);
    const walked: number[] = [];
    for (let quarter = 0; quarter < 96; quarter++) {
      await ask(`nobody-${quarter}`);
      const before = walks();
      await run();
      if (walks() > before) walked.push(quarter / 4);
      clock.ms = NOW + (quarter + 1) * 0.25 * HOUR;
    }
    expect(walked).toEqual([0, 0.25, 0.5, 6, 12, 18]);
  });

  it('reads any copy of the table only for people who asked a minute ago or earlier', () => {
    const asked = (secondsAgo: number) => ({
      erasure_id: 'era_1',
      account_id: 'acc',
      user: userOf('ann'),
      requested_at_ms: NOW - 1000 * secondsAgo,
    });
    expect([[60], [3600, 60], [3600, 59], [0]].map((ago) => mayReadAnyCopy(ago.map(asked), NOW))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
