import { type AccountSettings, DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { MAX_DECLARED } from '../../../shared/domain/declarations/declaration';
import { attributeWarnings, readAttribute } from '../../../shared/domain/declarations/read-attribute';
import { compileRules } from '../../../shared/domain/rules/rule-set';
import {
  type CounterRequest,
  deleteAttribute,
  deleteDeclared,
  listAttributes,
  listDeclared,
  putAttribute,
  putCounter,
  putEventType,
} from '../../../shared/usecases/declarations/manage-declarations';
import { putRule } from '../../../shared/usecases/rules/manage-rules';
import { memoryRules } from '../../support/memory/memory-rules';
import { callerOf } from '../../support/traffic/payment';
import { ruleFacts as facts, NOW } from './stored-rule';

const ana = { ...callerOf('acc_1'), person: 'ana.silva' };
const perUser: CounterRequest = { of: ['transaction'], count: 'attempts', by: ['user_id'], window: '1h' };

function world() {
  let now = NOW;
  let settings: AccountSettings = DEFAULT_SETTINGS;
  const rules = memoryRules();
  const deps = {
    clock: { now: () => (now += 1_000) },
    rules: {
      ...rules,
      async save(...[accountId, after, beside]: Parameters<typeof rules.save>) {
        const saved = await rules.save(accountId, after, beside);
        if (saved && beside.tracked) settings = { ...settings, tracked_attributes: beside.tracked.after };
        return saved;
      },
    },
    accounts: { account: async () => ({ settings, created_at: '2026-11-01T00:00:00.000Z' }) },
  };
  const rule = (name: string, expression: string, applies_to?: readonly string[]) =>
    putRule(deps, ana, name, { request: { expression, action: 'review', ...(applies_to ? { applies_to } : {}) } });
  return {
    deps,
    rule,
    tracked: () => settings.tracked_attributes,
    declared: async () => (await rules.book('acc_1')).declarations,
  };
}

describe('attributes with a type', () => {
  it('are created, changed and deleted, and sent again they stay as they are', async () => {
    const { deps } = world();
    const first = await putAttribute(deps, ana, 'items', { type: 'number', note: 'in the basket' });
    expect(first).toMatchObject({
      isNew: true,
      declared: { key: 'items', type: 'number', entity: false, updated_by: 'ana.silva' },
    });
    const again = await putAttribute(deps, ana, 'items', { type: 'number', note: 'in the basket' });
    expect(again).toMatchObject({ isNew: false, declared: { updated_at: first.declared.updated_at } });
    const changed = await putAttribute(deps, ana, 'items', { type: 'text' });
    expect(changed.declared).toMatchObject({ type: 'text', note: null, created_at: first.declared.created_at });
    await deleteAttribute(deps, ana, 'items');
    await expect(deleteAttribute(deps, ana, 'items')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('and the setting tracked_attributes are one thing with two doors', async () => {
    const { deps, tracked } = world();
    await putAttribute(deps, ana, 'loyalty_id', { type: 'text', entity: true });
    expect(tracked()).toEqual([...DEFAULT_SETTINGS.tracked_attributes, 'loyalty_id']);
    const shown = (await listAttributes(deps, ana)).filter(({ entity }) => entity).map(({ key }) => key);
    expect(shown).toEqual([...tracked()].sort());
    const { untracked } = await putAttribute(deps, ana, 'email', { type: 'email' });
    expect([untracked, tracked().includes('email')]).toEqual([true, false]);
    await deleteAttribute(deps, ana, 'loyalty_id');
    expect(tracked()).not.toContain('loyalty_id');
    for (let n = tracked().length; n < 12; n++) await putAttribute(deps, ana, `k${n}`, { type: 'text', entity: true });
    await expect(putAttribute(deps, ana, 'more', { type: 'text', entity: true })).rejects.toMatchObject({
      details: [{ field: 'entity' }],
    });
  });

  it('let rules compare numbers and ask booleans, and name the PUT that declares one', async () => {
    const { deps, rule, declared } = world();
    await expect(rule('many', 'attr.items > 10')).rejects.toMatchObject({
      code: 'invalid_request',
      details: [
        { field: 'expression', message: expect.stringContaining('PUT /v1/attributes/items {"type":"number"}') },
      ],
    });
    await putAttribute(deps, ana, 'items', { type: 'number' });
    await putAttribute(deps, ana, 'gift', { type: 'boolean' });
    const { rule: stored } = await rule('many', 'attr.items > 10 && attr.gift');
    const { attributes } = await declared();
    const tree = (await deps.rules.book('acc_1')).rules[0]?.tree as never;
    const run = compileRules(
      [{ ...stored, tree, state: 'active' }],
      (key) => attributes.find((each) => each.key === key)?.type,
    );
    const matches = (custom_attributes: Record<string, string>) => {
      const given = facts;
      return run({ ...given, subject: { ...given.subject, custom_attributes } }, NOW).matched.length === 1;
    };
    expect(matches({ items: '10.5', gift: 'true' })).toBe(true);
    expect(matches({ items: '9', gift: 'true' })).toBe(false);
    expect(matches({ items: '11', gift: 'false' })).toBe(false);
    expect(matches({ items: 'eleven', gift: 'true' })).toBe(false);
    expect(matches({ gift: 'true' })).toBe(false);
  });

  it('that a rule or counter needs cannot change: the answer names them', async () => {
    const { deps, rule } = world();
    await putAttribute(deps, ana, 'items', { type: 'number' });
    await rule('many', 'attr.items > 10');
    await putCounter(deps, ana, 'total', { ...perUser, count: 'sum', value: 'attr.items' });
    const refused = { code: 'in_use', message: expect.stringMatching(/rule many and counter total/) };
    await expect(putAttribute(deps, ana, 'items', { type: 'text' })).rejects.toMatchObject(refused);
    await expect(deleteAttribute(deps, ana, 'items')).rejects.toMatchObject(refused);
    await rule('plain', 'attr.gift == "true"');
    await expect(putAttribute(deps, ana, 'gift', { type: 'boolean' })).rejects.toMatchObject({ code: 'in_use' });
    expect((await putAttribute(deps, ana, 'gift', { type: 'text' })).isNew).toBe(true);
  });

  it('read what they can, and say what they cannot', () => {
    expect(readAttribute('number', ' 12.5 ', undefined)).toBe(12.5);
    expect(['1e3', '', 'x', '1,5', 'Infinity', '0x10'].map((each) => readAttribute('number', each, undefined))).toEqual(
      Array(6).fill(undefined),
    );
    expect(readAttribute('email', 'A.b+c@Gmail.com', undefined)).toBe('ab@gmail.com');
    expect(readAttribute('phone', '0170 1234567', 'DE')).toBe('491701234567');
    expect(readAttribute('ip_address', '::ffff:1.2.3.4', undefined)).toBe('1.2.3.4');
    expect(readAttribute('country', 'de', undefined)).toBe('DE');
    const attributes = [
      { key: 'items', type: 'number' as const, note: null, created_at: '', updated_at: '', updated_by: '' },
    ];
    expect(attributeWarnings({ attributes }, { items: 'many' })).toEqual([
      expect.stringContaining('custom_attributes.items'),
    ]);
    expect(attributeWarnings({ attributes }, { items: '3', other: 'x' })).toEqual([]);
  });

  it.each([
    ['event types', 50, putEventType, {}],
    ['counters', 20, putCounter, perUser],
  ] as const)('and %s have a limit of %i', async (kind, limit, put, request) => {
    const { deps } = world();
    const putOne = put as (...of: [typeof deps, typeof ana, string, object]) => Promise<{ readonly isNew: boolean }>;
    for (let n = 0; n < limit; n++) await putOne(deps, ana, `k${n}`, request);
    const message = `the account already has ${limit} ${kind}, which is the limit; delete one first`;
    const fault = { code: 'invalid_request', details: [{ field: 'name', message }] };
    await expect(putOne(deps, ana, 'more', request)).rejects.toMatchObject(fault);
    expect((await putOne(deps, ana, 'k7', { ...request, note: 'x' })).isNew).toBe(false);
  });

  it('are at most a hundred', async () => {
    const { deps } = world();
    for (let n = 0; n < MAX_DECLARED.attributes; n++) await putAttribute(deps, ana, `k${n}`, { type: 'text' });
    await expect(putAttribute(deps, ana, 'more', { type: 'text' })).rejects.toMatchObject({ code: 'invalid_request' });
    expect((await putAttribute(deps, ana, 'k7', { type: 'email' })).isNew).toBe(false);
  });
});

describe('event types of an account', () => {
  it('have defaults, and numbers that are never given twice', async () => {
    const { deps, declared } = world();
    const bet = await putEventType(deps, ana, 'bet', {});
    expect(bet.declared).toMatchObject({ amount: 'none', required: [], review_threshold: null, number: 1 });
    await deleteDeclared(deps, ana, 'event_types', 'bet');
    await putEventType(deps, ana, 'bet', { amount: 'required', required: ['odds'] });
    expect((await declared()).event_types).toMatchObject([{ name: 'bet', number: 2, required: ['odds'] }]);
    await expect(putEventType(deps, ana, 'login', {})).rejects.toMatchObject({ code: 'built_in' });
    await expect(putEventType(deps, ana, 'Bet', {})).rejects.toMatchObject({ details: [{ field: 'name' }] });
  });

  it('cannot be deleted while a rule or counter names them', async () => {
    const { deps, rule } = world();
    await expect(rule('bets', 'amount > 5', ['bet'])).rejects.toMatchObject({ details: [{ field: 'applies_to' }] });
    await putEventType(deps, ana, 'bet', {});
    await rule('bets', 'amount > 5', ['bet', 'login']);
    await rule('either', 'event_type in ["bet", "login"]');
    await putCounter(deps, ana, 'bets_per_user', { ...perUser, of: ['bet'] });
    await expect(deleteDeclared(deps, ana, 'event_types', 'bet')).rejects.toMatchObject({
      code: 'in_use',
      details: [{ field: 'rules.bets' }, { field: 'rules.either' }, { field: 'counters.bets_per_user' }],
    });
  });
});

describe('counters of an account', () => {
  it('start from zero when they count something else, and only then', async () => {
    const { deps } = world();
    const first = (await putCounter(deps, ana, 'tries', perUser)).declared;
    expect(first).toMatchObject({ version: 1, value: null, where: null, since: first.created_at });
    const noted = (await putCounter(deps, ana, 'tries', { ...perUser, note: 'per user' })).declared;
    expect(noted).toMatchObject({ version: 2, since: first.since, number: first.number });
    const changed = (await putCounter(deps, ana, 'tries', { ...perUser, window: '24h' })).declared;
    expect(changed.version).toBe(3);
    expect(changed.since > first.since && changed.number > first.number).toBe(true);
    expect((await putCounter(deps, ana, 'tries', { ...perUser, window: '24h' })).declared.version).toBe(3);
  });

  it('name all their faults at once', async () => {
    const { deps } = world();
    const faulty: CounterRequest = { ...perUser, of: ['bet'], count: 'sum', value: 'attr.items', where: 'score > 5' };
    await expect(putCounter(deps, ana, 'tries', faulty)).rejects.toMatchObject({
      details: [
        { field: 'of' },
        { field: 'value', message: expect.stringContaining('PUT /v1/attributes/items') },
        { field: 'where' },
      ],
    });
    for (const [change, field] of [
      [{ value: 'user_id' }, 'value'],
      [{ count: 'distinct' }, 'value'],
      [{ count: 'distinct', value: 'amount' }, 'value'],
      [{ by: ['user_id', 'user_id'] }, 'by'],
      [{ where: 'counters.tries > 1' }, 'where'],
    ] as const) {
      await expect(putCounter(deps, ana, 'tries', { ...perUser, ...change })).rejects.toMatchObject({
        details: [{ field }],
      });
    }
  });

  it('are read by rules once they are declared, and not deleted before the rule', async () => {
    const { deps, rule } = world();
    await expect(rule('busy', 'counters.tries > 3')).rejects.toMatchObject({
      details: [{ message: expect.stringContaining('PUT /v1/counters/tries') }],
    });
    await putCounter(deps, ana, 'tries', { ...perUser, where: 'amount < 5 && attr.channel == "web"' });
    await rule('busy', 'counters.tries > 3');
    await expect(deleteDeclared(deps, ana, 'counters', 'tries')).rejects.toMatchObject({
      code: 'in_use',
      details: [{ field: 'rules.busy' }],
    });
    expect(await listDeclared(deps, callerOf('acc_2'), 'counters')).toEqual([]);
  });
});
