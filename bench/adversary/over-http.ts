import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Shop, Target } from './target';

const MOST_TRIES = 5;
const PARALLEL_MS = 15 * 60_000;

/** A service behind an address, with one key per account that takes part. */
export interface Behind {
  readonly url: string;
  readonly keys: Readonly<Partial<Record<Shop, string>>>;
  readonly close?: () => Promise<void>;
}

/**
 * A running stack. Days pass only where `POST /_local/clock/<ms>` moves its clock: in a local run that was started with
 * `--virtual-clock`.
 */
export async function overHttp({ url, keys, close = async () => undefined }: Behind): Promise<Target> {
  const base = url.replace(/\/+$/, '');
  let offsetMs = 0;
  const now = () => Date.now() + offsetMs;
  const moveClock = (ms: number) => fetch(`${base}/_local/clock/${Math.round(ms)}?schedules=off`, { method: 'POST' });
  const moved = await moveClock(0).catch(() => undefined);
  const canWait = moved?.ok === true;
  if (canWait) offsetMs = Date.parse(((await moved.json()) as { now: string }).now) - Date.now();

  /** Retries retryable responses; with a key, a repeat counts once. */
  async function post(shop: Shop, path: string, body: object, idempotencyKey?: string): Promise<Response> {
    for (let tries = 1; ; tries++) {
      const response = await fetch(`${base}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${keys[shop] ?? ''}`,
          'content-type': 'application/json',
          ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
        },
        body: JSON.stringify(body),
      });
      if (response.ok) return response;
      const said = await response.text();
      // The attempt before may have been given up as too slow while it still runs.
      const mayPass = response.status === 429 || response.status >= 500 || said.includes('idempotency_in_progress');
      if (!mayPass || tries === MOST_TRIES) throw new Error(`${path}: ${response.status} ${said.slice(0, 300)}`);
      await delay(1000 * Math.max(1, Number(response.headers.get('retry-after')) || 1));
    }
  }

  let requests = 0;
  const run = Date.now().toString(36);
  return {
    name: base,
    canWait,
    parallelMs: PARALLEL_MS,
    now,
    async moveTo(atMs) {
      const ms = Math.round(atMs - now());
      if (ms <= 0) return;
      if (!canWait) throw new Error('This stack has a clock that cannot be moved');
      const response = await moveClock(ms);
      if (!response.ok) throw new Error(`The clock does not move: ${response.status}`);
      offsetMs += ms;
    },
    async screen(shop, { kind, body }): Promise<Answer> {
      const path = kind === 'payment' ? '/v1/transactions/screen' : '/v1/events';
      const response = await post(shop, path, body, `adversary-${run}-${requests++}`);
      const answer = (await response.json()) as {
        readonly decision_id: string;
        readonly risk_score: number;
        readonly decision: Answer['decision'];
        readonly signals: readonly string[];
      };
      const { decision_id, risk_score: score, decision, signals } = answer;
      return { decision_id, score, decision, signals };
    },
    async review(shop, decisionId, decision) {
      await post(shop, `/v1/decisions/${decisionId}/review`, { decision, analyst_id: `analyst-of-${shop}` });
    },
    async say(shop, decisionId, word) {
      const said = word === 'authorized' ? { type: word } : { type: 'declined', decline_reason: word };
      await post(shop, '/v1/outcomes', {
        ...{ subject_id: decisionId, source_id: `charge of ${decisionId}`, ...said },
        occurred_at: new Date(now()).toISOString(),
      });
    },
    close,
  };
}
