import { newApiKey } from '../../shared/domain/accounts/api-key';
import { ROUTES } from '../../shared/routes';
import type { Route } from '../../shared/routes/define-route';
import { randomBytes } from '../../shared/runtime/ids';
import { call, newAccount, type Reply } from '../support/api';

const from = { ip_address: '52.94.76.1', device_fingerprint: 'd' };

/** An account with one of everything that has an id. */
async function furnished() {
  const { key } = await newAccount('owner');
  await call('POST', '/v1/events', { key, body: { event_type: 'signup', user_id: 'hasty', ...from } });
  const body = { user_id: 'hasty', amount: 1500, currency: 'USD', ...from };
  const screened = (await call('POST', '/v1/transactions/screen', { key, body })).json;
  expect(screened.case_id).toMatch(/^case_/);
  const endpoint = { url: 'https://example.com/hooks', events: ['case.created'] };
  const { webhook_id } = (await call('POST', '/v1/webhooks', { key, body: endpoint })).json;
  const { transaction_id, decision_id, case_id } = screened;
  await call('PUT', '/v1/lists/vips', { key, body: { type: 'user_id', effect: 'none' } });
  await call('POST', '/v1/lists/vips/entries', { key, body: { entries: [{ value: 'hasty' }] } });
  await call('PUT', '/v1/rules/large', { key, body: { expression: 'amount > 100', action: 'review' } });
  const { erasure_id } = (await call('DELETE', '/v1/users/gone', { key })).json;
  const named = { user_id: 'hasty', list: 'vips', rule: 'large' };
  return { key, ids: { transaction_id, decision_id, case_id, webhook_id, erasure_id, ...named } };
}

type Ids = Awaited<ReturnType<typeof furnished>>['ids'];

/** Which id a route takes, by its path; a route whose ids are not known here fails the test that lists them. */
const idFor = (path: string, ids: Ids): string | undefined => {
  if (path.startsWith('/v1/transactions/{')) return ids.transaction_id;
  if (path.startsWith('/v1/decisions/{')) return ids.decision_id;
  if (path.startsWith('/v1/cases/{')) return ids.case_id;
  if (path.startsWith('/v1/webhooks/{')) return ids.webhook_id;
  if (path.startsWith('/v1/users/{')) return ids.user_id;
  if (path.startsWith('/v1/lists/{')) return ids.list;
  if (path.startsWith('/v1/rules/{')) return ids.rule;
  if (path.startsWith('/v1/erasures/{')) return ids.erasure_id;
  return undefined;
};
const UNKNOWN: Ids = {
  transaction_id: 'txn_00000000000000000000000000',
  decision_id: 'dec_00000000000000000000000000',
  case_id: 'case_00000000000000000000000000',
  webhook_id: 'wh_00000000000000000000000000',
  user_id: 'nobody-at-all',
  erasure_id: 'era_00000000000000000000000000',
  list: 'no-such-list',
  rule: 'no-such-rule',
};

/**
 * A PUT that creates what it does not find makes a thing of the caller's own. A payment processor has no key: whatever
 * the ID, it is refused without the signature.
 */
const withId = (ROUTES as readonly Route[]).filter(
  ({ path, success, public: isPublic }) => path.includes('{') && !success.created && !isPublic,
);
/** Erasing a user of whom nothing is known is no error: the answer tells nothing about them. */
const isSilent = ({ operation }: Route): boolean => operation === 'erase-user';
/** The first parameter is the foreign id; any behind it belongs to that thing. */
const pathOf = ({ path }: Route, ids: Ids): string =>
  path.replace(/\{\w+\}/, idFor(path, ids) ?? '').replace(/\{\w+\}/g, 'dlv_00000000000000000000000000');
const request = (route: Route, ids: Ids, key: string): Promise<Reply> =>
  call(route.method, pathOf(route, ids), { key, ...(route.body ? { body: route.requestExample ?? {} } : {}) });
const withoutRequestId = ({ status, json }: Reply) => ({ status, ...json.error, request_id: '' });

let owner: Awaited<ReturnType<typeof furnished>>;
let stranger: string;
beforeAll(async () => {
  owner = await furnished();
  stranger = (await newAccount('stranger')).key;
});

it('knows which id every route takes', () => {
  expect(withId.length).toBeGreaterThan(6);
  expect(withId.filter(({ path }) => idFor(path, UNKNOWN) === undefined)).toEqual([]);
});

describe.each(withId.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
  it('answers another account’s id as it answers an unknown one', async () => {
    const foreign = await request(route, owner.ids, stranger);
    const unknown = await request(route, UNKNOWN, stranger);
    if (isSilent(route)) {
      const told = [foreign, unknown].map(({ status, json }) => [status, Object.keys(json)]);
      return expect(told).toEqual([foreign, unknown].map(() => [202, ['erasure_id']]));
    }
    expect([foreign.status, foreign.json.error.code]).toEqual([404, 'not_found']);
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown));
  });

  it('answers a key of the other stage with 401, whatever the id', async () => {
    const reply = await request(route, owner.ids, newApiKey('production', randomBytes));
    expect([reply.status, reply.json.error.code]).toEqual([401, 'unauthorized']);
  });
});

it('nothing of this changed anything', async () => {
  const { key, ids } = owner;
  expect((await call('GET', `/v1/cases/${ids.case_id}`, { key })).json.status).toBe('open');
  expect((await call('GET', `/v1/decisions/${ids.decision_id}`, { key })).json.review).toBeNull();
  expect((await call('GET', '/v1/webhooks', { key })).json.webhooks).toHaveLength(1);
  expect((await call('GET', '/v1/lists/vips', { key })).json.entries).toBe(1);
  expect((await call('GET', '/v1/rules/large', { key })).json.version).toBe(1);
  expect((await call('GET', `/v1/users/${ids.user_id}/risk-profile`, { key })).status).toBe(200);
  for (const name of ['cases', 'webhooks', 'lists', 'rules']) {
    expect((await call('GET', `/v1/${name}`, { key: stranger })).json[name]).toEqual([]);
  }
});
