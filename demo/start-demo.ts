import { resolve } from 'node:path';
import { startStack } from '../bench/load/start-stack';
import { trustedCertificate } from '../local/listen/certificates';
import { startListener } from '../local/listen/start-listener';
import { constructEvent, FraudScreening } from '../sdk/client/src';
import { EVENT_TYPES } from '../shared/domain/webhooks/webhook-endpoint';
import { serveShop } from './serve-shop';
import { shop } from './shop';
import { type TrafficCounts, trafficCounts } from './traffic-counts';

export interface DemoOptions {
  readonly port: number;
  readonly shopPort: number;
  readonly dataDir?: string | undefined;
  readonly print: (line: string) => void;
}

/** The service, a shop that uses it, and a receiver of its webhooks, all on this machine. */
export interface Demo {
  readonly url: string;
  readonly shopUrl: string;
  readonly key: string;
  readonly logDir: string;
  readonly fraud: FraudScreening;
  readonly trafficCounts: TrafficCounts;
  stop(): Promise<void>;
}

/** Starts everything but the traffic. */
export async function startDemo({ port, shopPort, dataDir, print }: DemoOptions): Promise<Demo> {
  const counted = trafficCounts();
  const { run, accounts } = await startStack('demo', 1, {
    port,
    print,
    localWebhooks: true,
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
    return { url: run.url, shopUrl: page.url, key, logDir: run.logDir, fraud, trafficCounts: counted, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
