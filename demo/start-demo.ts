import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { startStack, warehouseQuery } from '../bench/load/start-stack';
import { refuseStrangers } from '../local/data-directory';
import { trustedCertificate } from '../local/listen/certificates';
import { startListener } from '../local/listen/start-listener';
import { StartError } from '../local/start-error';
import { constructEvent, FraudScreening } from '../sdk/client/src';
import { EVENT_TYPES } from '../shared/domain/webhooks/webhook-endpoint';
import { purchaseOf, type Shop, shop } from './shop';
import { type TrafficCounts, trafficCounts } from './traffic-counts';

const PAGE = join(__dirname, 'page');
const TOKENS = join(__dirname, '../console/src/style/tokens.css');
const MAX_BODY_BYTES = 4_096;
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
}

const json = (status: number, body: unknown): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

/** The page's script with the device SDK in it, as a bundler would build it. */
function pageScript(): Uint8Array {
  const { outputFiles } = buildSync({
    entryPoints: [join(PAGE, 'shop.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}

export async function serveShop(counter: Shop, port: number): Promise<{ url: string; close(): Promise<void> }> {
  const files: Readonly<Record<string, Answer>> = {
    '/': { status: 200, type: 'text/html; charset=utf-8', body: readFileSync(join(PAGE, 'index.html')) },
    '/shop.js': { status: 200, type: 'text/javascript; charset=utf-8', body: pageScript() },
    '/shop.css': {
      status: 200,
      type: 'text/css; charset=utf-8',
      body: `${readFileSync(TOKENS, 'utf8')}\n${readFileSync(join(PAGE, 'shop.css'), 'utf8')}`,
    },
  };

  async function answerTo(request: IncomingMessage): Promise<Answer> {
    const path = request.url ?? '/';
    if (request.method === 'POST' && path === '/orders') {
      const purchase = purchaseOf(await bodyOf(request));
      return purchase ? json(200, await counter.buy(purchase)) : json(400, { message: 'Not a valid purchase.' });
    }
    request.resume();
    const [, id] = /^\/orders\/(\d{1,9})$/.exec(path) ?? [];
    const order = id === undefined ? undefined : counter.order(Number(id));
    if (order) return json(200, order);
    return files[path] ?? json(404, { message: 'Page not found.' });
  }

  const server = createServer((request, response) => {
    if (refuseStrangers(request, response)) return;
    void answerTo(request)
      // The shop keeps running when a purchase fails; the page shows the failure.
      .catch((error: Error) => json(500, { message: error.message }))
      .then(({ status, type, body }) => {
        response.writeHead(status, {
          'content-type': type,
          'content-security-policy': POLICY,
          'cache-control': 'no-store',
        });
        response.end(body);
      });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`Cannot open port ${port} (${error.code}). Choose another with --shop-port.`);
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface DemoOptions {
  readonly port: number;
  readonly shopPort: number;
  readonly dataDir?: string | undefined;
  readonly hasWarehouse?: boolean;
  readonly print: (line: string) => void;
}

export interface Demo {
  readonly url: string;
  readonly shopUrl: string;
  readonly key: string;
  readonly logDir: string;
  readonly fraud: FraudScreening;
  /** Asks the files of `--warehouse`. */
  readonly query: ReturnType<typeof warehouseQuery>;
  readonly trafficCounts: TrafficCounts;
  stop(): Promise<void>;
}

export async function startDemo({ port, shopPort, dataDir, hasWarehouse = false, print }: DemoOptions): Promise<Demo> {
  const counted = trafficCounts();
  const { run, accounts, assembly } = await startStack('demo', 1, {
    port,
    print,
    localWebhooks: true,
    ...(hasWarehouse ? { context: { warehouse: 'on' } } : {}),
    // Absolute: a function's thread resolves its bundle from a different directory.
    ...(dataDir === undefined ? {} : { dataDir: resolve(dataDir) }),
  });
  const undo: (() => Promise<unknown>)[] = [run.stop];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const key = accounts[0]?.key ?? '';
    // Generous timeouts: functions start cold, and a busy laptop is slow.
    const patience = { timeoutMs: 90_000, attemptTimeoutMs: 20_000, maxRetries: 10 };
    const fraud = new FraudScreening({ apiKey: key, baseUrl: run.url, ...patience });
    const counter = shop(fraud, `${run.url}/console/`);

    print('Starting the shop and its webhook receiver');
    let secret = '';
    const receiver = await startListener(await trustedCertificate(Date.now()), 0, async ({ headers, body }) => {
      const event = await constructEvent(body, headers, secret).catch(() => undefined);
      if (!event) {
        counted.seen.refusedWebhooks += 1;
        return 401;
      }
      counted.onEvent(event.type);
      if (event.type === 'case.resolved') counter.resolved(event.data);
      return 204;
    });
    undo.push(receiver.close);
    const endpoint = await fraud.webhooks.create({ url: receiver.url, events: [...EVENT_TYPES], label: 'demo shop' });
    secret = endpoint.signing_secret;
    const page = await serveShop(counter, shopPort);
    undo.push(page.close);
    await counter.welcomeEmma();
    const query = warehouseQuery({ run, assembly });
    return { url: run.url, shopUrl: page.url, key, logDir: run.logDir, fraud, query, trafficCounts: counted, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
