import { newApiKey } from '../../shared/domain/accounts/api-key';
import { ROUTES } from '../../shared/routes';
import type { Route } from '../../shared/routes/define-route';
import { randomBytes } from '../../shared/runtime/random';
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
  return { key, ids: { transaction_id, decision_id, case_id, webhook_id, user_id: 'hasty', list: 'vips' } };
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
  return undefined;
};
const UNKNOWN: Ids = {
  transaction_id: 'txn_00000000000000000000000000',
  decision_id: 'dec_00000000000000000000000000',
  case_id: 'case_00000000000000000000000000',
  webhook_id: 'wh_00000000000000000000000000',
  user_id: 'nobody-at-all',
  list: 'no-such-list',
};

/** A PUT that creates what it does not find makes a thing of the caller's own. */
const withId = (ROUTES as readonly Route[]).filter(({ path, success }) => path.includes('{') && !success.created);
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
  for (const path of ['/v1/cases', '/v1/webhooks']) {
    const listed = (await call('GET', path, { key: stranger })).json;
    expect(listed.cases ?? listed.webhooks).toEqual([]);
  }
});
