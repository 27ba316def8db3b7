import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROUTES } from '../../shared/routes';
import type { Route } from '../../shared/routes/define-route';
import { ERROR_DOCS } from '../../shared/routes/route-docs';
import { createKey } from '../../shared/usecases/accounts/administer-accounts';
import { admin, call, newAccount } from '../support/api';
import { localRun } from '../support/local-run';

const PAGE = readFileSync(join(__dirname, '../../docs/guide/api.md'), 'utf8');
const fences = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code);

/** Each call with its sample, its status and the answer that it shows. */
const calls = PAGE.split(/^### /m)
  .slice(1)
  .filter((section) => /^[A-Z]+ \/v1/.test(section))
  .map((section) => ({
    name: section.slice(0, section.indexOf('\n')),
    curl: fences(section, 'sh')[0] ?? '',
    status: /^\*\*(\d+)\*\*/m.exec(section)?.[1],
    example: fences(section, 'json')[0],
  }));

let key: string;
let account_id: string;
/** The reader's own ids, by those of the examples. */
const own: Record<string, string> = {};
const house = mkdtempSync(join(tmpdir(), 'reference-'));

let paid = 0;

/** A fresh signup that spends a lot at once, from its own address: held. */
async function heldPayment(): Promise<{ transaction_id: string; case_id: string }> {
  const name = `hasty-${++paid}`;
  const where = { user_id: name, ip_address: `52.94.76.${paid}`, device_fingerprint: name };
  await call('POST', '/v1/events', { key, body: { event_type: 'signup', ...where } });
  const body = { ...where, amount: 300, currency: 'USD' };
  const { json } = await call('POST', '/v1/transactions/screen', { key, body });
  expect(json).toMatchObject({ decision: 'review' });
  return json;
}

beforeAll(async () => {
  ({ account_id, key } = await newAccount());
  const [first, second, third] = [await heldPayment(), await heldPayment(), await heldPayment()];
  const endpoint = { url: 'https://example.com/hooks', events: ['case.created'] };
  const { json: webhook } = await call('POST', '/v1/webhooks', { key, body: endpoint });
  const { json: delivery } = await call('POST', `/v1/webhooks/${webhook.webhook_id}/test`, { key });
  for (const list of ['stolen-cards', 'spare']) {
    await call('PUT', `/v1/lists/${list}`, { key, body: { type: 'card_fingerprint', effect: 'none' } });
  }
  for (const rule of ['gift-cards', 'spare']) {
    await call('PUT', `/v1/rules/${rule}`, { key, body: { expression: 'amount > 1', action: 'review' } });
  }
  for (const item of ['items', 'spare']) await call('PUT', `/v1/attributes/${item}`, { key, body: { type: 'number' } });
  for (const type of ['gift_card_redeemed', 'spare']) await call('PUT', `/v1/event-types/${type}`, { key, body: {} });
  const counter = { of: ['transaction'], count: 'attempts', by: ['user_id'], window: '1h' };
  for (const name of ['cards_per_email', 'spare']) await call('PUT', `/v1/counters/${name}`, { key, body: counter });
  const said = { type: 'authorized', source_id: 'ch_1', occurred_at: '2026-11-14T09:00:00Z' };
  await call('POST', '/v1/outcomes', { key, body: { subject_id: first.transaction_id, ...said } });
  const { json: erasure } = await call('DELETE', '/v1/users/spare', { key });
  const spare = await call('POST', '/v1/webhooks', { key, body: endpoint });
  Object.assign(own, {
    txn_: first.transaction_id,
    dec_: first.transaction_id,
    case_: second.case_id,
    unresolved: third.case_id,
    wh_: webhook.webhook_id,
    dlv_: delivery.delivery_id,
    era_: erasure.erasure_id,
    spare: spare.json.webhook_id,
  });
  // How the status of every call is told, without a word of it in the samples.
  writeFileSync(join(house, '.curlrc'), 'write-out = "\\n%{http_code}"\n');
});
afterAll(() => rmSync(house, { recursive: true }));

it('has every call', () =>
  expect(calls.length).toBe((ROUTES as readonly Route[]).filter((route) => !route.public).length));

// Only a warehouse has tests to fetch: e2e/every-grant fetches one.
const here = calls.filter(({ name }) => !name.includes('/v1/rule-tests/'));

it.each(here)('$name: its sample gives what it shows', ({ name, curl, status, example }) => {
  const isGone = name.startsWith('DELETE');
  const spared = isGone ? { ...own, wh_: own.spare ?? '' } : own;
  // The one before was resolved by the sample above: this one is still open.
  const ids = /\/cases\/\{id\}\/(claim|comments)/.test(name) ? { ...spared, case_: own.unresolved ?? '' } : spared;
  const kept = curl.replace(/\b([a-z]+_)01K9ZC\w{20}/g, (id, prefix: string) => ids[prefix] ?? id);
  // No sample deletes anything that a later one uses.
  const command = isGone
    ? kept.replace(/\/(gift-cards|stolen-cards|user-42|items|gift_card_redeemed|cards_per_email)(?= )/, '/spare')
    : kept;
  const env = { ...process.env, API: localRun().url, KEY: key, CURL_HOME: house };
  const once = (): RegExpExecArray | null =>
    /^([\s\S]*)\n(\d{3})$/.exec(execFileSync('bash', ['-c', command], { env, encoding: 'utf8' }));
  const [, body = '', answered] = once() ?? [];
  expect([answered, body]).toEqual([status, expect.anything()]);
  if (example === undefined) expect(body).toBe('');
  else expect(Object.keys(JSON.parse(body)).sort()).toEqual(Object.keys(JSON.parse(example)).sort());
});

describe('errors are word for word what the reference shows', () => {
  const provoked = {
    invalid_request: () =>
      call('POST', '/v1/transactions/screen', { key, body: { user_id: '', amount: -1, currency: 'EUR' } }),
    unsupported_api_version: () => call('GET', '/v1/cases', { key, headers: { 'X-Api-Version': '1' } }),
    unauthorized: () => call('GET', '/v1/cases'),
    forbidden: async () => {
      const { key: reader } = await createKey(admin(), account_id, null, { role: 'readonly' });
      return call('POST', '/v1/webhooks', { key: reader, body: {} });
    },
    not_found: () => call('GET', '/v1/cases/case_nobody', { key }),
    method_not_allowed: () => call('DELETE', `/v1/cases/${own.case_}`, { key }),
    list_type_fixed: async () => {
      const put = (type: string) => call('PUT', '/v1/lists/vips', { key, body: { type, effect: 'none' } });
      await put('user_id');
      return put('email');
    },
    case_not_open: async () => {
      const { case_id } = await heldPayment();
      const resolve = () => call('PUT', `/v1/cases/${case_id}`, { key, body: { status: 'rejected' } });
      await resolve();
      return resolve();
    },
    payload_too_large: () => call('POST', '/v1/events', { key, body: { user_id: 'x'.repeat(70_000) } }),
    unsupported_media_type: () =>
      call('POST', '/v1/events', { key, body: 'user_id=1', headers: { 'Content-Type': 'text/plain' } }),
    idempotency_mismatch: async () => {
      const screen = (user_id: string) =>
        call('POST', '/v1/events', {
          key,
          body: { event_type: 'login', user_id },
          headers: { 'Idempotency-Key': 'twice' },
        });
      await screen('one');
      return screen('two');
    },
  } as const;

  it.each(Object.entries(provoked))('%s', async (code, provoke) => {
    const { json } = await provoke();
    const { request_id: _ours, ...error } = json.error;
    const { when: _when, ...documented } = ERROR_DOCS[code as keyof typeof provoked];
    expect(error).toEqual({ code, ...documented });
    expect(PAGE).toContain(`### ${code}\n`);
  });
});
