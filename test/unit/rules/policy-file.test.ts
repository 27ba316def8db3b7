import { type Listed, planPolicy } from '../../../bin/rules/plan-policy';
import { type Policy, readPolicyFile, SECTION_NAMES } from '../../../shared/cli/policy-file';

const RULES = `
rules:
  gift-cards: { expression: 'amount > 200', action: review, state: active }
  vips: { expression: 'user_id.startsWith("vip")', action: allow }
`;

const ALL = `
attributes:
  items: { type: number, note: Items in the basket }
  gift: { type: boolean }
event_types:
  gift_card_bought: { amount: required, required: [items] }
counters:
  gift_cards_per_user: { of: [gift_card_bought], count: attempts, by: [user_id], window: 24h, where: 'attr.items > 1' }
lists:
  vips: { type: user_id, effect: none }
rules:
  many-gift-cards:
    expression: counters.gift_cards_per_user > 3 && attr.items > 10 && attr.gift && !(user_id in lists.vips)
    action: review
    applies_to: [gift_card_bought]
`;

async function policyOf(text: string): Promise<Policy> {
  const read = await readPolicyFile(text);
  if ('faults' in read) throw new Error(read.faults.join('\n'));
  return read.policy;
}

const faultsOf = async (text: string): Promise<string> => {
  const read = await readPolicyFile(text);
  return 'faults' in read ? read.faults.join('\n') : 'accepted';
};

/** The policies that the API would list after the file was applied. */
const listed = ({ sections }: Policy, section: keyof Policy['sections'], change: object = {}): Listed[] =>
  [...(sections[section] ?? [])].map(([name, body]) => ({ name, version: 3, updated_by: 'ana', ...body, ...change }));

const account = (policy: Policy) =>
  Object.fromEntries(SECTION_NAMES.map((section) => [section, listed(policy, section)]));

describe('a file with rules alone', () => {
  it('is compared with the rules of the account and nothing else, in the order of their names', async () => {
    const policy = await policyOf(RULES);
    const [gift] = listed(policy, 'rules', { state: 'shadow' });
    const existing = { rules: [gift as Listed, { ...gift, name: 'old' }], counters: [{ name: 'cards' }] };
    const plan = planPolicy(policy.sections, existing);
    expect(plan.lines).toEqual([
      '~ gift-cards',
      '    state: "shadow" -> "active"',
      '- old',
      '+ vips: allow (draft) if user_id.startsWith("vip")',
    ]);
    expect(plan.steps.map(({ name, body, ifVersion }) => [name, body !== undefined, ifVersion])).toEqual([
      ['gift-cards', true, 3],
      ['vips', true, undefined],
      ['old', false, 3],
    ]);
  });
});

describe('a file with every section', () => {
  it('says which attributes are entities then, besides those of a new account', async () => {
    const { tracked } = await policyOf('attributes: { iban: { type: text, entity: true }, email: { type: email } }');
    expect(tracked).toContain('iban');
    expect(tracked).toContain('phone');
    expect(tracked).not.toContain('email');
  });

  it('differs in nothing once applied', async () => {
    const policy = await policyOf(ALL);
    expect(planPolicy(policy.sections, account(policy))).toEqual({ steps: [], lines: [] });
  });

  it('declares in the order of its sections, and deletes in the opposite one', async () => {
    const policy = await policyOf(ALL);
    const order = ['attributes', 'attributes', 'event_types', 'counters', 'lists', 'rules'];
    expect(planPolicy(policy.sections, {}).steps.map(({ section }) => section)).toEqual(order);
    const empty = Object.fromEntries(SECTION_NAMES.map((section) => [section, new Map()]));
    const removed = planPolicy(empty, account(policy)).steps;
    expect(removed.map(({ section }) => section)).toEqual(order.toReversed());
    expect(removed.every(({ body }) => body === undefined)).toBe(true);
  });

  it('never deletes what is built in or only a setting, and says when a counter starts again', async () => {
    const policy = await policyOf(ALL);
    const plan = planPolicy(policy.sections, {
      ...account(policy),
      attributes: [
        ...listed(policy, 'attributes'),
        { key: 'email', type: 'email', entity: true, updated_by: 'settings' },
      ],
      event_types: [...listed(policy, 'event_types'), { name: 'login', built_in: true }],
      counters: listed(policy, 'counters', { window: '1h' }),
    });
    expect(plan.lines).toEqual([
      '~ counters.gift_cards_per_user',
      '    window: "1h" -> "24h"',
      '    starts to count from zero',
    ]);
  });

  it('declares an attribute that was only tracked, which looks the same', async () => {
    const { sections } = await policyOf('attributes: { email: { type: email, entity: true } }');
    const tracked = { key: 'email', type: 'email', entity: true, note: null, updated_by: 'settings' };
    expect(planPolicy(sections, { attributes: [tracked] }).lines).toEqual([
      '+ attributes.email: {"type":"email","entity":true}',
    ]);
  });

  it('leaves sections that it does not have to the account, whose words its rules may use', async () => {
    const text = `rules: { big: { expression: 'attr.items > 10', action: review } }`;
    expect(await faultsOf(text)).toContain('PUT /v1/attributes/items');
    const { sections } = await policyOf(ALL);
    expect(await readPolicyFile(text, sections)).toHaveProperty('policy');
  });
});

it.each([
  ['rules: []', 'must be a map `rules`'],
  ['[]', 'at least one of the maps'],
  ['rulez: {}', 'rulez: is not a section'],
  ['rules: { Bad: { expression: "true", action: allow } }', 'rules.Bad.name: must start with'],
  ['rules: { a: { expression: "amuont > 1", action: allow } }', 'a.expression: at position 1: Unknown name amuont'],
  ['rules: { a: { expression: "true", action: points } }', 'a.points: is required'],
  ['rules: { a: { expression: "true", action: allow, prio: 1 } }', 'prio: is not a member of a rule'],
  ['rules: [', 'must'],
  ['rules: { a: { expression: "true", action: blok } }', 'a.action: must be one of allow, block'],
  ['attributes: { items: { type: whole } }', 'attributes.items.type'],
  ['event_types: { login: {} }', 'event_types.login.name: login is built in'],
  [
    'counters: { a: { of: [nothing], count: attempts, by: [user_id], window: 1h } }',
    'counters.a.of: each must be one of',
  ],
  ['counters: { a: { of: [login], count: sum, value: attr.items, by: [user_id], window: 1h } }', 'counters.a.value'],
  [
    'counters: { a: { of: [login], count: attempts, by: [user_id], window: 1h, where: score > 1 } }',
    'counters.a.where: at position 1: Unknown name score; counters know the request',
  ],
  ['lists: { vips: { type: user_id, effect: allow, entries: [ann] } }', 'entries: is not a member of a list'],
  [
    'lists: {}\nrules: { a: { expression: "user_id in lists.vips", action: allow } }',
    'rules.a.expression: at position',
  ],
])('%s is refused', async (text, reason) => {
  expect(await faultsOf(text)).toContain(reason);
});
