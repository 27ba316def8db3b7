import { appendFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ROUTES } from '../../../shared/routes';
import type { Route } from '../../../shared/routes/define-route';
import type { RunFile } from '../local-run';
import { builtApi } from './built-functions';
import { casesOf, fuzz } from './fuzz-cases';

/** Input of the process, as JSON in its only argument. */
export interface FuzzOrder {
  readonly run: RunFile;
  readonly logDir: string;
  readonly assembly: string;
  readonly keys: readonly string[];
  readonly casesPerRoute: number;
  readonly seed: number;
}

/** One line of its output per route. */
export interface FuzzReport {
  readonly operation: string;
  /** Cases that reached the handler, the others being the gateway's. */
  readonly handled: number;
  /** Cases that it carried out. */
  readonly done: number;
  readonly wrong: readonly string[];
}

// A separate process: inside jest's sandbox the same takes several times as long.
const order = JSON.parse(process.argv[2] ?? '{}') as FuzzOrder;

/** The handlers' output is kept with the logs of the run, and looked through for leaks together with them. */
function keepLogs(file: string): void {
  const keep = (chunk: unknown): boolean => {
    appendFileSync(join(order.logDir, file), String(chunk));
    return true;
  };
  process.stdout.write = keep as typeof process.stdout.write;
  process.stderr.write = keep as typeof process.stderr.write;
}

async function fuzzRoute(api: ReturnType<typeof builtApi>, route: Route, callers: readonly object[]) {
  const cases = fc.sample(casesOf(route), { numRuns: order.casesPerRoute, seed: order.seed });
  const ofTurn = <Item>(items: readonly Item[], turn: number): Item => items[turn % items.length] as Item;
  let [handled, done] = [0, 0];
  const nobody = { status: 404, headers: new Headers(), text: '', json: undefined };
  const wrong = await fuzz(
    route,
    cases,
    async (each, turn) => {
      const caller = route.public ? undefined : (ofTurn(callers, turn) as Record<string, unknown>);
      const reply = await api.call(route.method, each, caller);
      if (reply) handled++;
      if (reply && reply.status < 300) done++;
      return reply ?? nobody;
    },
    // An account has few endpoints; over HTTP, since another function deletes them.
    (reply, turn) =>
      fetch(`${order.run.url}/v1/webhooks/${reply.json.webhook_id}`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${ofTurn(order.keys, turn)}` },
      }),
  );
  return { handled, done, wrong };
}

async function main(): Promise<void> {
  const api = builtApi(order.assembly, 'FraudScreening-sandbox', order.run);
  keepLogs('fuzzed.log');
  const callers = await Promise.all(order.keys.map((key) => api.authorize('GET', '/v1/webhooks', key)));
  for (const route of ROUTES as readonly Route[]) {
    const report: FuzzReport = { operation: route.operation, ...(await fuzzRoute(api, route, callers)) };
    writeSync(1, `${JSON.stringify(report)}\n`);
  }
}

void main();
