import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod/mini';
import {
  addCounters,
  type Counters,
  labelledCounters,
  screenedCounters,
} from '../../../../shared/domain/overview/overview-counters';
import { overviewSpan } from '../../../../shared/domain/overview/overview-span';
import type { EventRecord, TransactionRecord } from '../../../../shared/domain/screening/subjects/screening-record';
import type { SecretEndpoint } from '../../../../shared/domain/webhooks/webhook-endpoint';
import { caseAnswer, caseListAnswer } from '../../../../shared/http/presenters/case-answer';
import { decisionAnswer } from '../../../../shared/http/presenters/decision-answer';
import { changeAnswer } from '../../../../shared/http/presenters/desk-answer';
import { overviewAnswer } from '../../../../shared/http/presenters/overview-answer';
import { eventAnswer, transactionAnswer } from '../../../../shared/http/presenters/screening-answer';
import { createdWebhookAnswer, webhookListAnswer } from '../../../../shared/http/presenters/webhook-answer';
import { caseList, reviewCase } from '../../../../shared/schemas/case';
import { decision, screenedEvent, screenedTransaction } from '../../../../shared/schemas/screening';
import { createdWebhook, webhookList } from '../../../../shared/schemas/webhook';
import { openCase, screened } from '../../../support/webhooks/changes';

describe('presenters', () => {
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
  const review = {
    decision: 'block',
    analyst_id: 'ana',
    notes: null,
    reviewed_at: '2026-11-14T13:00:00.000Z',
  } as const;
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

  it('a screening is the same text, whatever the order of members in which it was stored', () => {
    const stored: TransactionRecord = {
      ...payment,
      decided_by: { kind: 'sandbox', name: null },
      what_if: [{ change: 'amount', at_most: 20, decision: 'allow' }],
    };
    const reversed = JSON.parse(JSON.stringify(stored), (_key, value) =>
      value === null || typeof value !== 'object' || Array.isArray(value)
        ? value
        : Object.fromEntries(Object.entries(value).reverse()),
    );
    expect(JSON.stringify(transactionAnswer(reversed))).toBe(JSON.stringify(transactionAnswer(stored)));
  });

  it('a screening in a currency without a rate says so', () => {
    expect(transactionAnswer({ ...payment, currency: 'ZWD', missing: [] }).warnings).toEqual([
      'ZWD has no exchange rate: the amount counts as the most that it may be in US dollars.',
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
});

describe('overview answer', () => {
  const HOUR = 3_600_000;
  const DAY = 24 * HOUR;
  const NOW = Date.parse('2026-11-14T12:34:56Z');

  const record = (risk_score: number, automated_decision: 'allow' | 'review' | 'block', ...signals: string[]) => ({
    subject_type: 'transaction' as const,
    automated_decision,
    risk_score,
    contributions: signals.map((signal, i) => ({
      signal,
      points: signal === 'trusted_history' ? -3 : 10 + i,
      detail: '',
    })),
  });
  const NO_CASES = { opened: 0, open: 0, approved: 0, rejected: 0, expired: 0 };
  const answerOf = (...parts: Counters[]) => {
    const span = overviewSpan(NOW - 2 * HOUR, NOW, NOW);
    return overviewAnswer({
      span,
      parts: new Map(parts.map((part, i) => [span.fromMs + i * HOUR, part])),
      cases: NO_CASES,
      ...{ desk: new Map(), before: undefined },
    });
  };

  describe('the figures of an account', () => {
    it('are by decision, kind, score and signal, and by hour without gaps', () => {
      const answer = answerOf(
        addCounters(
          screenedCounters(record(62, 'review', 'velocity_spike', 'new_device')),
          screenedCounters(record(100, 'block', 'velocity_spike', 'trusted_history')),
        ),
        screenedCounters({ ...record(3, 'allow'), subject_type: 'event' }),
      );
      expect(answer).toMatchObject({
        start_date: '2026-11-14T10:00:00.000Z',
        end_date: '2026-11-14T13:00:00.000Z',
        interval: 'hour',
        screenings: { total: 3, transactions: 2, events: 1, allow: 1, review: 1, block: 1 },
        decisions: [
          { at: '2026-11-14T10:00:00.000Z', allow: 0, challenge: 0, review: 1, block: 1 },
          { at: '2026-11-14T11:00:00.000Z', allow: 1, challenge: 0, review: 0, block: 0 },
          { at: '2026-11-14T12:00:00.000Z', allow: 0, challenge: 0, review: 0, block: 0 },
        ],
      });
      expect(answer.scores).toHaveLength(20);
      expect(answer.scores[12]).toMatchObject({ from: 60, to: 64, review: 1 });
      expect(answer.scores[19]).toMatchObject({ from: 95, to: 100, block: 1 });
      expect(answer.signals).toEqual([
        { signal: 'velocity_spike', count: 2, confirmed_fraud: 0, confirmed_legitimate: 0 },
        { signal: 'new_device', count: 1, confirmed_fraud: 0, confirmed_legitimate: 0 },
      ]);
    });

    it('follow the latest label: a second one takes the first back', () => {
      const flagged = record(62, 'review', 'velocity_spike');
      const first = labelledCounters(flagged, undefined, 'fraud');
      const second = labelledCounters(flagged, 'fraud', 'legitimate');
      const answer = answerOf(addCounters(screenedCounters(flagged), first, second));
      expect(answer.outcomes.review).toEqual({ confirmed_fraud: 0, confirmed_legitimate: 1 });
      expect(answer.scores[12]).toMatchObject({ confirmed_fraud: 0, confirmed_legitimate: 1 });
      expect(answer.signals[0]).toMatchObject({ confirmed_fraud: 0, confirmed_legitimate: 1 });
      expect(labelledCounters(flagged, 'fraud', 'fraud').size).toBe(0);
    });

    it('give precision as the share of resolved cases that were rejected', () => {
      const span = overviewSpan(NOW - HOUR, NOW, NOW);
      const of = (approved: number, rejected: number) =>
        overviewAnswer({
          ...{ span, parts: new Map(), cases: { ...NO_CASES, approved, rejected } },
          ...{ desk: new Map(), before: undefined },
        });
      expect([of(0, 0), of(1, 2), of(3, 0)].map(({ review_precision }) => review_precision)).toEqual([null, 0.6667, 0]);
    });

    it.each([
      [NOW - DAY, NOW, { interval: 'hour', from: '2026-11-13T12:00:00.000Z', to: '2026-11-14T13:00:00.000Z' }],
      [NOW - 7 * DAY, NOW, { interval: 'hour', from: '2026-11-07T12:00:00.000Z', to: '2026-11-14T13:00:00.000Z' }],
      [NOW - 30 * DAY, NOW, { interval: 'day', from: '2026-10-15T00:00:00.000Z', to: '2026-11-15T00:00:00.000Z' }],
      [
        NOW - 30 * DAY,
        NOW - 29 * DAY,
        { interval: 'day', from: '2026-10-15T00:00:00.000Z', to: '2026-10-17T00:00:00.000Z' },
      ],
      [NOW, NOW, { interval: 'hour', from: '2026-11-14T12:00:00.000Z', to: '2026-11-14T13:00:00.000Z' }],
    ])('cover whole hours or days: %d to %d is %j', (start, end, expected) => {
      const span = overviewSpan(start, end, NOW);
      const [from, to] = [span.fromMs, span.toMs].map((ms) => new Date(ms).toISOString());
      expect({ interval: span.interval, from, to }).toEqual(expected);
    });
  });
});
