import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { serialiseMessage } from '../../../shared/domain/webhooks/webhook-message';
import { signatureHeaders } from '../../../shared/outbound/sign';

const SAMPLES = join(__dirname, '../../../docs/samples/webhooks');
const GUIDE = join(__dirname, '../../../docs/webhook-verification.md');
const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`;
const ID = 'msg_01J9Z3K8Q4V7W2X5Y6Z7A8B9C0';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const samples = readdirSync(SAMPLES).filter((file) => file !== 'biome.json');

const message = serialiseMessage({
  id: ID,
  type: 'transaction.screened',
  created_at: '2026-11-14T12:00:00.000Z',
  api_version: '2026-11-14',
  livemode: false,
  data: { name: 'Zoë \uffff 🦊' },
});
if (message.kind !== 'message') throw new Error(message.kind);
const body = Buffer.from(message.bytes);

const nowSeconds = (): number => Math.floor(Date.now() / 1000);
const signed = (timestampSeconds = nowSeconds(), secret = SECRET): Record<string, string> => ({
  ...signatureHeaders({ secret, messageId: ID, body, timestampSeconds }),
});

it('there is a sample for each way that the guide names', () => {
  const guide = readFileSync(GUIDE, 'utf8');

  expect(samples.toSorted()).toEqual([
    'node-crypto.mjs',
    'standardwebhooks.mjs',
    'stripe.mjs',
    'svix.mjs',
    'verify.py',
  ]);
  for (const file of samples) expect(guide).toContain(`samples/webhooks/${file}`);
});

const runs = samples.filter((file) => !file.endsWith('.py') || hasPython);
if (!hasPython) it.skip('verify.py, run as a merchant would: needs python3', () => undefined);

describe.each(runs)('%s, run as a merchant would', (file) => {
  let receiver: ChildProcess;
  let url: string;
  const printed: string[] = [];

  /** The receiver answers before what it printed has come through the pipe. */
  const untilPrinted = async (line: string): Promise<void> => {
    const deadline = Date.now() + 10_000;
    while (!printed.includes(line) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(printed).toContain(line);
  };

  beforeAll(async () => {
    const command = file.endsWith('.py') ? 'python3' : process.execPath;
    receiver = spawn(command, [join(SAMPLES, file)], {
      env: { ...process.env, PORT: '0', WEBHOOK_SECRET: SECRET },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (!receiver.stdout) throw new Error('no stdout');
    const lines = createInterface(receiver.stdout).on('line', (line) => printed.push(line));
    const [listening] = (await once(lines, 'line')) as [string];
    url = `http://127.0.0.1:${listening.replace('listening on ', '')}/`;
  });
  afterAll(async () => {
    const exited = once(receiver, 'exit');
    receiver.kill();
    await exited;
  });

  const status = async (headers: Record<string, string>, sent = body): Promise<number> =>
    (await fetch(url, { method: 'POST', headers, body: sent })).status;

  it('accepts a delivery', async () => {
    expect(await status(signed())).toBe(204);
    await untilPrinted(`verified ${ID} transaction.screened`);
  });

  it('refuses one whose body, signature, secret or time is wrong', async () => {
    const tampered = Buffer.from(body.toString().replace('Zoë', 'Zoe'));
    expect(await status(signed(), tampered)).toBe(400);
    expect(await status(signed(nowSeconds(), `whsec_${Buffer.alloc(32).toString('base64')}`))).toBe(400);
    expect(await status(signed(nowSeconds() - 310))).toBe(400);
    const forged = Object.fromEntries(
      Object.entries(signed()).map(([name, value]) => [name, value.replace('v1', 'v0')]),
    );
    expect(await status(forged)).toBe(400);
    expect(await status({})).toBe(400);
    // Still there after all that.
    expect(await status(signed())).toBe(204);
  });

  if (file !== 'stripe.mjs') {
    it('refuses another id, and a time to come (which stripe’s library does not look at)', async () => {
      expect(await status({ ...signed(), 'webhook-id': 'msg_01J9Z3K8Q4V7W2X5Y6Z7A8B9C1' })).toBe(400);
      expect(await status(signed(nowSeconds() + 310))).toBe(400);
    });
  }
});
