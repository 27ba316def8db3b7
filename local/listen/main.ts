import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { FraudScreening, FraudScreeningError } from '../../sdk/client/src';
import { EVENT_TYPES, type EventType } from '../../shared/domain/webhook-endpoint';
import { StartError } from '../start-error';
import { describeDelivery } from './describe-delivery';
import { findService, type LocalService } from './find-service';
import { startListener } from './start-listener';
import { trustedCertificate } from './trusted-certificate';

const ROOT = join(__dirname, '..', '..');

const HELP = `Receives the webhooks of the local run, verifies them and prints them.

  npm run listen -- [options]

  --events <a,b,c>        event types to subscribe to (default all: ${EVENT_TYPES.join(', ')})
  --stage <name>          sandbox (default) or production
  --data-dir <directory>  the local run's, when it is not .local/<stage>
  --port <number>         port of the receiver (default 8443; 0 takes any free one)
  --json                  print each verified body as it came, one a line
  --help                  this text

The receiver has a certificate of this machine's own making. A local run trusts it, and reaches this machine at all, only
when it was started with WEBHOOK_ALLOW_CIDRS and WEBHOOK_EXTRA_CA; the line to type is printed when it is needed.
`;

function readArguments() {
  try {
    return parseArgs({
      options: {
        events: { type: 'string', default: EVENT_TYPES.join(',') },
        stage: { type: 'string', default: 'sandbox' },
        'data-dir': { type: 'string' },
        port: { type: 'string', default: '8443' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new StartError(`${(error as Error).message}\nTry --help.`);
  }
}

function eventTypes(text: string): EventType[] {
  return text.split(',').map((name) => {
    const known = EVENT_TYPES.find((type) => type === name.trim());
    if (!known) throw new StartError(`${name} is not an event type: give some of ${EVENT_TYPES.join(', ')}.`);
    return known;
  });
}

async function listen(): Promise<void> {
  const { events, stage, port, json, help, ...values } = readArguments();
  if (help) return console.log(HELP);
  if (!/^\d{1,5}$/.test(port)) throw new StartError(`--port ${port} is not a port: give a number from 0 to 65535.`);
  const types = eventTypes(events);
  const dataDir = resolve(values['data-dir'] ?? join(ROOT, '.local', stage));
  const { certificate, authorityFile } = await trustedCertificate(join(ROOT, '.local', 'listen'), Date.now());

  let secret: string | undefined;
  const listener = await startListener(certificate, Number(port), async (request) => {
    if (secret === undefined) return 503;
    const { status, lines } = await describeDelivery(request, secret, Date.now());
    for (const line of json && status === 200 ? [request.body.toString()] : lines) console.log(line);
    return status;
  });
  const door = `WEBHOOK_ALLOW_CIDRS=127.0.0.0/8,::1/128 WEBHOOK_EXTRA_CA=${authorityFile} npm start`;
  const service = await findService(dataDir, () =>
    console.error(
      `Waiting for the local run. Start it in another terminal, with a door to this receiver:\n\n  ${door}\n`,
    ),
  );
  const client = new FraudScreening({ apiKey: service.key, baseUrl: service.url });
  const endpoint = await client.webhooks
    .create({ url: listener.url, events: types, label: 'npm run listen' })
    .catch((error: unknown) => {
      throw explained(error, door);
    });
  secret = endpoint.signing_secret;
  console.error(welcome(service, listener.url, endpoint.webhook_id));

  const stop = (): void => {
    // Whoever is gone cannot be reached: without this the service would knock for four days.
    client.webhooks.delete(endpoint.webhook_id, { timeoutMs: 3_000 }).then(
      () => process.exit(0),
      () => process.exit(0),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
}

function explained(error: unknown, door: string): unknown {
  if (!(error instanceof FraudScreeningError) || error.code !== 'invalid_request') return error;
  const faults = error.details.map(({ field, message }) => `${field} ${message}`).join('; ');
  const isShut = error.details.some(({ field }) => field === 'url');
  return new StartError(
    isShut
      ? `The local run may not reach this machine. Stop it, and start it with a door to this receiver:\n\n  ${door}\n`
      : `The local run refused the endpoint: ${faults || error.message}`,
  );
}

const welcome = ({ url, key }: LocalService, receiver: string, webhookId: string): string =>
  [
    `Listening at ${receiver} as ${webhookId}, for the demo account of ${url}. Ctrl-C stops, and removes the endpoint.`,
    '',
    'Make something happen:',
    '',
    `  curl -s ${url}/v1/transactions/screen -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"user_id":"user-1","amount":25,"currency":"EUR"}'`,
    '',
  ].join('\n');

listen().catch((error: unknown) => {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
});
