import { join, resolve } from 'node:path';
import { type CreatedWebhook, FraudScreening, FraudScreeningError } from '../../sdk/client/src';
import { type CommandLine, printFailure, readCommandLine } from '../../shared/cli/command-line';
import { EVENT_TYPES, type EventType } from '../../shared/domain/webhooks/webhook-endpoint';
import { StartError } from '../start-error';
import { trustedCertificate } from './certificates';
import { describeDelivery, findService, forwardDelivery, type LocalService, startListener } from './start-listener';

const ROOT = join(__dirname, '..', '..');

const START = 'npm start -- --local-webhooks';

const COMMAND_LINE = {
  usage: 'npm run listen -- [options]',
  about: 'Receives the webhooks of the local run, verifies them and prints them.',
  options: {
    events: { value: 'a,b,c', does: 'event types to subscribe to', default: EVENT_TYPES.join(',') },
    stage: { value: 'name', does: 'sandbox or production', default: 'sandbox' },
    'data-dir': { value: 'directory', does: "the local run's, when it is not .local/<stage>" },
    'forward-to': {
      value: 'url',
      does: 'forward each verified delivery unchanged to your own receiver and return its response',
    },
    port: { value: 'number', does: 'port of this listener; 0 picks any free port', default: '8443' },
    json: { does: 'print each verified body unchanged, one per line' },
  },
  notes: [
    'This listener uses a self-signed certificate. A local run trusts it, and can reach this machine at all, only when it was started with --local-webhooks.',
    'Receivers that ship, to forward to: docs/samples/webhooks (node-crypto.mjs, stripe.mjs, svix.mjs, verify.py).',
  ].join('\n'),
  next: 'screen a payment, and watch it arrive: docs/guide/quickstart.md.',
} as const satisfies CommandLine;

function eventTypes(text: string): EventType[] {
  return text.split(',').map((name) => {
    const known = EVENT_TYPES.find((type) => type === name.trim());
    if (!known) throw new StartError(`${name} is not an event type. Choose from ${EVENT_TYPES.join(', ')}.`);
    return known;
  });
}

async function listen(): Promise<void> {
  const given = readCommandLine(COMMAND_LINE);
  if (!given) return;
  const { events = '', stage = '', port = '', 'data-dir': directory, 'forward-to': forward } = given.texts;
  const json = given.flags.has('json');
  if (!/^\d{1,5}$/.test(port))
    throw new StartError(`--port ${port} is not a valid port. Use a number from 0 to 65535.`);
  const types = eventTypes(events);
  const dataDir = resolve(directory ?? join(ROOT, '.local', stage));
  const forwardTo = receiverUrl(forward);
  const certificate = await trustedCertificate(Date.now());

  let secret: string | undefined;
  const listener = await startListener(certificate, Number(port), async (request) => {
    if (secret === undefined) return 503;
    const { status, lines } = await describeDelivery(request, secret, Date.now());
    for (const line of json && status === 200 ? [request.body.toString()] : lines) console.log(line);
    if (status !== 200 || forwardTo === undefined) return status;
    const answer = await forwardDelivery(request, forwardTo);
    if (!json) console.log(`              ${answer.said}`);
    return answer.status;
  });
  const service = await findService(dataDir, () =>
    console.error(
      `Waiting for a local run. Start it in another terminal so that deliveries can reach this listener:\n\n  ${START}\n`,
    ),
  );
  const client = new FraudScreening({ apiKey: service.key, baseUrl: service.url });
  const endpoint = await client.webhooks
    .create({ url: listener.url, events: types, label: 'npm run listen' })
    .catch((error: unknown) => {
      throw explained(error);
    });
  secret = endpoint.signing_secret;
  console.error(welcome(service, listener.url, endpoint, forwardTo));

  const stop = (): void => {
    // Once stopped we cannot be reached: without this the service would keep retrying for four days.
    client.webhooks.delete(endpoint.webhook_id, { timeoutMs: 3_000 }).then(
      () => process.exit(0),
      () => process.exit(0),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
}

function explained(error: unknown): unknown {
  if (!(error instanceof FraudScreeningError) || error.code !== 'invalid_request') return error;
  const faults = error.details.map(({ field, message }) => `${field} ${message}`).join('; ');
  const isShut = error.details.some(({ field }) => field === 'url');
  return new StartError(
    isShut
      ? `Restart the local run with --local-webhooks so that deliveries can reach this listener:\n\n  ${START}\n`
      : `The local run refused the endpoint: ${faults || error.message}`,
  );
}

function receiverUrl(text: string | undefined): string | undefined {
  if (text === undefined || /^https?:\/\/./.test(text)) return text;
  throw new StartError(`--forward-to ${text} is not a URL. Use one like http://localhost:4000/hooks.`);
}

const welcome = (
  { url, key }: LocalService,
  receiver: string,
  { webhook_id, signing_secret }: CreatedWebhook,
  forwardTo: string | undefined,
): string =>
  [
    `Listening at ${receiver} as ${webhook_id}, for the demo account at ${url}. Ctrl-C stops and removes the endpoint.`,
    ...(forwardTo ? [`Forwarding to ${forwardTo}. Signing secret: ${signing_secret}`] : []),
    '',
    'Trigger an event:',
    '',
    `  curl -s ${url}/v1/transactions/screen -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"user_id":"user-1","amount":25,"currency":"EUR"}'`,
    '',
  ].join('\n');

listen().catch((error: unknown) => {
  printFailure(error);
  process.exit(1);
});
