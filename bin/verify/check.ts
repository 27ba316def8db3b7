import type { Provider } from '../../shared/domain/outcomes/processors/notification';
import type { Stage } from '../../shared/domain/stage';
import type { AdminWiring } from '../../shared/runtime/admin-wiring';
import { newId } from '../../shared/runtime/ids';
import { createAccount, createKey, removeAccount, revokeKey } from '../../shared/usecases/accounts/administer-accounts';
import type { Receiver } from './receiver';

export class CheckFailure extends Error {}

/** Requirements of a check: any URL and key, an account that it may administer, the operator's view, or AWS itself. */
export type Need = 'http' | 'admin' | 'operator' | 'aws';

/** Everything that checks can use; members that are missing make the checks that need them be skipped. */
export interface VerifyContext {
  readonly stage: Stage;
  readonly api: Api;
  readonly key: string;
  readonly consoleUrl: string | undefined;
  readonly account: ThrowAwayAccount | undefined;
  readonly operator: Operator | undefined;
  readonly receiver: Receiver | undefined;
  readonly token: string | undefined;
  /** URL that returns the `Authorization` header as an authorizer of API Gateway received it. */
  readonly authorizationProbe: string | undefined;
  readonly startedMs: number;
  readonly until: Until;
  readonly newName: (prefix: string) => string;
}

/** Calls `find` until it returns something; fails with `problem` when time is up. */
export type Until = <Found>(
  withinMs: number,
  find: () => Promise<Found | undefined>,
  problem: () => string,
) => Promise<Found>;

export interface Check {
  readonly name: string;
  readonly proves: string;
  readonly needs: Need;
  /** Throws a `CheckFailure` that says exactly what does not work; returns a remark, if any. */
  run(context: VerifyContext): Promise<string | undefined>;
}

export class CheckSkipped extends Error {}

export function must(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new CheckFailure(problem);
}

export const untilBy =
  (everyMs: number, now: () => number, wait: (ms: number) => Promise<unknown>): Until =>
  async (withinMs, find, problem) => {
    const deadline = now() + withinMs;
    for (;;) {
      const found = await find();
      if (found !== undefined) return found;
      if (now() >= deadline) throw new CheckFailure(problem());
      await wait(everyMs);
    }
  };

export interface SeenAlarm {
  readonly name: string;
  readonly state: string;
  readonly description: string;
}

export interface ScheduledRun {
  readonly name: string;
  readonly error: string | undefined;
}

export interface TestPage {
  readonly sent: boolean;
  /** Who gets it, or why it was not sent. */
  readonly detail: string;
}

export interface Operator {
  readonly where: 'AWS' | 'local run';
  readonly metricDelayMs: number;
  outputs(): Promise<Readonly<Record<string, string>>>;
  runSchedules(): Promise<readonly ScheduledRun[]>;
  metricsSince(names: readonly string[], sinceMs: number): Promise<ReadonlySet<string>>;
  /** How often each function of the stage was invoked since then; 0 for one that was not. */
  invocationsSince(sinceMs: number): Promise<ReadonlyMap<string, number>>;
  alarms(): Promise<readonly SeenAlarm[]>;
  /** Sets off one alarm that pages, as a test; undefined where notifications do not exist. */
  testPage(): Promise<TestPage | undefined>;
  /** Calls that IAM refused, where that can be known. */
  denials(): Promise<readonly string[]>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: checks read responses of every shape, also wrong ones.
  readonly json: any;
}

export interface RequestParts {
  readonly key?: string;
  /** Sent as JSON unless it is a string. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Api {
  /** Without a slash at its end. */
  readonly url: string;
  call(method: string, path: string, parts?: RequestParts): Promise<Reply>;
}

const TIMEOUT_MS = 30_000;

/** Calls a URL; a connection that fails is a finding like any other. */
export async function request(method: string, url: string, parts: RequestParts = {}): Promise<Reply> {
  const { key, body, headers = {} } = parts;
  const sent = {
    ...(key ? { Authorization: `Bearer ${key}` } : {}),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...headers,
  };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const init = { method, headers: sent, redirect: 'manual', signal } as const;
    const response = await fetch(url, body === undefined ? init : { ...init, body: text });
    const received = await response.text();
    return { status: response.status, headers: response.headers, text: received, json: parsed(received) };
  } catch (error) {
    const { message, cause } = error as Error;
    throw new CheckFailure(`${method} ${url} got no response: ${cause instanceof Error ? cause.message : message}`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function apiAt(url: string): Api {
  const base = url.replace(/\/+$/, '');
  return { url: base, call: (method, path, parts) => request(method, base + path, parts) };
}

export const described = ({ status, text }: Reply): string =>
  `${status}${text === '' ? ' without a body' : `: ${text.replace(/\s+/g, ' ').slice(0, 200)}`}`;

export interface ThrowAwayAccount {
  readonly accountId: string;
  readonly key: string;
  newKey(label: string): Promise<{ readonly key: string; readonly keyId: string }>;
  revoke(keyId: string): Promise<void>;
  newInbound(provider: Provider, secret: string): Promise<{ readonly id: string; remove(): Promise<void> }>;
  /** Removes the account and all its keys. Its screenings expire by themselves. */
  remove(): Promise<void>;
}

export async function throwAwayAccount(admin: AdminWiring, name: string): Promise<ThrowAwayAccount> {
  const { account_id: accountId } = await createAccount(admin, name);
  const newKey = async (label: string) => {
    const { key, record } = await createKey(admin, accountId, label);
    return { key, keyId: record.key_id };
  };
  return {
    accountId,
    key: (await newKey('verify')).key,
    newKey,
    revoke: async (keyId) => void (await revokeKey(admin, accountId, keyId)),
    async newInbound(provider, secret) {
      const nowMs = admin.clock.now();
      const id = newId('in', nowMs);
      const created_at = new Date(nowMs).toISOString();
      await admin.inbound.create({ inbound_id: id, account_id: accountId, provider, created_at }, secret);
      return { id, remove: async () => void (await admin.inbound.remove(accountId, id)) };
    },
    remove: () => removeAccount(admin, accountId),
  };
}
