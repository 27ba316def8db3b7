import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Intent, Operation } from './traffic';

export interface Done {
  readonly intent: Intent;
  /** 0 if no response arrived at all. */
  readonly status: number;
  readonly ms: number;
  readonly bytes: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every route.
  readonly json: any;
  readonly replayed: boolean;
}

export interface DriverOptions {
  readonly url: string;
  readonly keys: readonly string[];
  readonly onDone: (done: Done) => void;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

const MEMORY = 200;
const TIMEOUT_MS = 30_000;

function recent(most = MEMORY) {
  const ids: string[] = [];
  return {
    add: (id: string): void => {
      ids.unshift(id);
      ids.length = Math.min(ids.length, most);
    },
    at: (age: number): string | undefined => ids[Math.floor(age * ids.length)],
    take: (): string | undefined => ids.pop(),
    forget: (): void => void ids.splice(0),
  };
}

export function driver({ url, keys, onDone }: DriverOptions) {
  const base = new URL(url);
  const isSecure = base.protocol === 'https:';
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 256 });
  const transactions = keys.map(() => recent());
  const unreported = keys.map(() => recent(Number.POSITIVE_INFINITY));
  const openCases = keys.map(() => recent());
  const cases = keys.map(() => recent());
  const users = keys.map(() => recent());

  function callFor(intent: Intent): Call | undefined {
    const { account, kind } = intent;
    const withId = (id: string | undefined, call: (id: string) => Call): Call | undefined =>
      id ? call(id) : undefined;
    switch (kind) {
      case 'screen-transaction':
        return { method: 'POST', path: '/v1/transactions/screen', body: intent.body };
      case 'screen-event':
        return { method: 'POST', path: '/v1/events', body: intent.body };
      case 'report-outcome':
        return withId(intent.subject_id ?? unreported[account]?.take(), (subject_id) => ({
          ...{ method: 'POST', path: '/v1/outcomes', body: { ...intent.said, subject_id } },
        }));
      case 'get-risk-profile':
        return withId(users[account]?.at(intent.age), (id) => ({
          method: 'GET',
          path: `/v1/users/${id}/risk-profile`,
        }));
      case 'list-cases':
        return { method: 'GET', path: `/v1/cases${intent.status ? `?status=${intent.status}` : ''}` };
      case 'list-webhooks':
        return { method: 'GET', path: '/v1/webhooks' };
      case 'resolve-case':
        return withId(openCases[account]?.take(), (id) => ({
          method: 'PUT',
          path: `/v1/cases/${id}`,
          body: { status: intent.status, analyst_id: 'load' },
        }));
      case 'get-case':
        return withId(cases[account]?.at(intent.age), (id) => ({ method: 'GET', path: `/v1/cases/${id}` }));
      case 'get-transaction':
      case 'get-decision':
      case 'review-decision':
        return withId(transactions[account]?.at(intent.age), (id) => referring(kind, id));
    }
  }

  const referring = (kind: Operation, id: string): Call => {
    if (kind === 'get-transaction') return { method: 'GET', path: `/v1/transactions/${id}` };
    if (kind === 'get-decision') return { method: 'GET', path: `/v1/decisions/${id}` };
    return { method: 'POST', path: `/v1/decisions/${id}/review`, body: { decision: 'allow', analyst_id: 'load' } };
  };

  function remember({ intent: { account, kind }, status, json }: Done): void {
    if (status !== 200 || (kind !== 'screen-transaction' && kind !== 'screen-event')) return;
    users[account]?.add(json.user_id);
    if (json.transaction_id) transactions[account]?.add(json.transaction_id);
    if (json.transaction_id) unreported[account]?.add(json.transaction_id);
    if (!json.case_id) return;
    openCases[account]?.add(json.case_id);
    cases[account]?.add(json.case_id);
  }

  const send = ({ method, path, body }: Call, key: string, idempotencyKey: string | undefined) =>
    new Promise<{ response: IncomingMessage; text: string }>((resolve, reject) => {
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${key}`,
        ...(payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      };
      const target = new URL(base.pathname.replace(/\/$/, '') + path, base);
      const sent = (isSecure ? httpsRequest : httpRequest)(
        target,
        { method, headers, agent, timeout: TIMEOUT_MS },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => resolve({ response, text }));
          response.on('error', reject);
        },
      );
      sent.on('timeout', () => sent.destroy(new Error('no answer')));
      sent.on('error', reject);
      sent.end(payload);
    });

  return {
    /** Sends the request of an intent; does nothing if there is nothing to refer to yet. */
    async make(intent: Intent): Promise<Done | undefined> {
      const call = callFor(intent);
      if (!call) return undefined;
      const started = performance.now();
      const idempotencyKey = 'idempotencyKey' in intent ? intent.idempotencyKey : undefined;
      const done = await send(call, keys[intent.account] ?? '', idempotencyKey).then(
        ({ response, text }): Done => ({
          intent,
          status: response.statusCode ?? 0,
          ms: performance.now() - started,
          bytes: text.length + response.rawHeaders.reduce((sum, part) => sum + part.length + 2, 0),
          text,
          json: text === '' ? undefined : JSON.parse(text),
          replayed: response.headers['idempotent-replayed'] === 'true',
        }),
        (): Done => ({
          intent,
          status: 0,
          ms: performance.now() - started,
          bytes: 0,
          text: '',
          json: undefined,
          replayed: false,
        }),
      );
      remember(done);
      onDone(done);
      return done;
    },
    forgetSubjects: (): void => {
      for (const ids of [transactions, openCases, cases, users].flat()) ids.forget();
    },
    close: () => agent.destroy(),
  };
}

export type Driver = ReturnType<typeof driver>;

export interface Pace {
  readonly perSecond: number;
  readonly maxInFlight: number;
  readonly isOver: (started: number, elapsedMs: number) => boolean;
  readonly onTick?: (state: {
    readonly started: number;
    readonly inFlight: number;
    readonly elapsedMs: number;
  }) => void;
}

const TICK_MS = 5;

/**
 * Starts requests when they are due, whether or not earlier ones have ended (an open loop: a slow server does not slow
 * down its callers), up to a maximum in flight; then waits for the last.
 */
export async function drive(make: (intent: Intent) => Promise<unknown>, intents: Iterator<Intent>, pace: Pace) {
  const begun = performance.now();
  const inFlight = new Set<Promise<unknown>>();
  let started = 0;
  let elapsedMs = 0;
  for (; !pace.isOver(started, elapsedMs); elapsedMs = performance.now() - begun) {
    const due = Math.floor((elapsedMs / 1000) * pace.perSecond) + 1;
    while (started < due && inFlight.size < pace.maxInFlight && !pace.isOver(started, elapsedMs)) {
      const task: Promise<unknown> = make(intents.next().value).finally(() => inFlight.delete(task));
      inFlight.add(task);
      started += 1;
    }
    pace.onTick?.({ started, inFlight: inFlight.size, elapsedMs });
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  await Promise.all(inFlight);
  return { started, elapsedMs: performance.now() - begun };
}
