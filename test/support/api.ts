import type { Stage } from '../../shared/domain/stage';
import { type AdminWiring, adminWiring, localClient, stageAddress } from '../../shared/runtime/admin-wiring';
import { createAccount, createKey } from '../../shared/usecases/accounts/administer-accounts';
import { localRun } from './local-run';

/** The administrator's rights on the run under test. */
export function admin(stage: Stage = 'sandbox'): AdminWiring {
  const { outputs } = localRun();
  return adminWiring(stage, stageAddress(outputs, localClient(localRun())));
}

/** An account of the test's own: no test sees another's data. */
export async function newAccount(name = 'test'): Promise<{ account_id: string; key: string; key_id: string }> {
  const { account_id } = await createAccount(admin(), name);
  const { key, record } = await createKey(admin(), account_id, null);
  return { account_id, key, key_id: record.key_id };
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly json: any;
}

/** One call over real HTTP. A body that is not a string is sent as JSON. */
export async function call(
  method: string,
  path: string,
  options: { key?: string | undefined; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const { key, body, headers = {} } = options;
  const response = await fetch(localRun().url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}
