import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod/mini';
import type { EventRecord, TransactionRecord } from '../../../../shared/domain/screening/subjects/screening-record';
import type { SecretEndpoint } from '../../../../shared/domain/webhooks/webhook-endpoint';
import { caseAnswer, caseListAnswer } from '../../../../shared/http/presenters/case-answer';
import { changeAnswer } from '../../../../shared/http/presenters/change-answer';
import { decisionAnswer } from '../../../../shared/http/presenters/decision-answer';
import { eventAnswer, transactionAnswer } from '../../../../shared/http/presenters/screening-answer';
import { createdWebhookAnswer, webhookListAnswer } from '../../../../shared/http/presenters/webhook-answer';
import { caseList, reviewCase } from '../../../../shared/schemas/case';
import { decision, screenedEvent, screenedTransaction } from '../../../../shared/schemas/screening';
import { createdWebhook, webhookList } from '../../../../shared/schemas/webhook';
import { openCase, screened } from '../../../support/changes';

const NOW = Date.parse('2026-11-14T12:00:00.000Z');
const PRESENTERS = join(__dirname, '../../../../shared/http/presenters');

const payment = screened(NOW, {
  automated_decision: 'review',
  contributions: [
    { signal: 'new_device', points: 20, detail: 'first' },
    { signal: 'trusted_history', points: -3, detail: 'known' },
  ],
  missing: ['device'],
}) as TransactionRecord;
const { amount: _amount, currency: _currency, ...rest } = payment;
const login: EventRecord = { ...rest, subject_type: 'event', event_type: 'login', missing: [] };
const review = { decision: 'block', analyst_id: 'ana', notes: null, reviewed_at: '2026-11-14T13:00:00.000Z' } as const;
const endpoint: SecretEndpoint = {
  webhook_id: 'wh_01J9Z3K8Q4V7W2X5Y6Z7A8B9C0',
  url: 'https://example.com',
  events: ['case.created'],
  label: null,
  status: 'disabled',
  created_at: '2026-11-14T12:00:00.000Z',
  disabled_at: '2026-11-14T12:00:01.000Z',
  disabled_reason: 'gone',
  signing_secret: 'whsec_AAAA',
};

/** Also at run time: formats of ids and times are in no type. */
it.each<[string, () => z.ZodMiniType, object]>([
  ['a transaction', screenedTransaction, transactionAnswer(payment)],
  ['an event', screenedEvent, eventAnswer(login)],
  ['a decision', decision, decisionAnswer(payment)],
  ['a reviewed decision on an event', decision, decisionAnswer({ ...login, review })],
  ['a case', reviewCase, caseAnswer(openCase(NOW), NOW)],
  [
    'a page of cases',
    caseList,
    caseListAnswer({ cases: [openCase(NOW)], total: 3, limit: 1, offset: 0, atMs: NOW + 1 }),
  ],
  ['a new endpoint', createdWebhook, createdWebhookAnswer(endpoint)],
  ['a list of endpoints', webhookList, webhookListAnswer([endpoint])],
])('%s is what its schema describes, and nothing more', (_what, schema, answer) => {
  expect(schema().parse(answer)).toEqual(answer);
});

it('only the answer to the registration of an endpoint shows its secret', () => {
  expect(JSON.stringify(createdWebhookAnswer(endpoint))).toContain(endpoint.signing_secret);
  expect(JSON.stringify(webhookListAnswer([endpoint]))).not.toContain(endpoint.signing_secret);
});

it('a screening names the signals that raised its score, and the histories it went without', () => {
  expect(transactionAnswer(payment)).toMatchObject({
    signals: ['new_device'],
    warnings: ['The device history could not be read in time; scored without it.'],
  });
  expect(eventAnswer(login)).not.toHaveProperty('warnings');
});

it('a screening in a currency without a rate says so', () => {
  expect(transactionAnswer({ ...payment, currency: 'DEM', missing: [] }).warnings).toEqual([
    'DEM has no exchange rate: the amount was not compared in US dollars.',
  ]);
});

it('a webhook message shows what GET shows', () => {
  const account_id = 'acc_1';
  const opened = openCase(NOW);
  expect(changeAnswer({ kind: 'screened', account_id, record: payment }, NOW)).toEqual(transactionAnswer(payment));
  expect(changeAnswer({ kind: 'screened', account_id, record: login }, NOW)).toEqual(eventAnswer(login));
  expect(changeAnswer({ kind: 'reviewed', account_id, record: payment }, NOW)).toEqual(decisionAnswer(payment));
  expect(changeAnswer({ kind: 'case_opened', account_id, reviewCase: opened }, NOW)).toEqual(caseAnswer(opened, NOW));
});

// Building the schema of an answer takes 5 ms of a cold start.
it.each(readdirSync(PRESENTERS))('%s takes types from schemas, and no code', (file) => {
  const imports = readFileSync(join(PRESENTERS, file), 'utf8').match(/^import .*schemas\/.*$/gm) ?? [];
  expect(imports.filter((line) => !line.startsWith('import type '))).toEqual([]);
});
