import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../local/backends/start-backends';
import { FraudScreening } from '../../sdk/client/src';
import { signatureHeaders } from '../../shared/outbound/sign';
import { newAccount } from '../support/api';
import { localRun } from '../support/local-run';
import { packAndInstall } from '../support/packed-sdk';
import { patient } from '../support/patience';
import { type Sample, samplesOf } from '../support/readme-samples';
import { runSample, writeSample } from '../support/run-sample';

const ROOT = join(__dirname, '../..');
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

const samples = samplesOf(join(ROOT, 'sdk/client/README.md'), ['ts']);
/** A receiver waits for what is sent to it: it is driven by a test of its own. */
const isReceiver = ({ source }: Sample): boolean => source.includes('constructEvent(');

const body = JSON.stringify({ id: 'msg_1', type: 'case.resolved', data: { status: 'approved' } });
const signed = (secret = SECRET): Record<string, string> => ({
  ...signatureHeaders({
    secret,
    messageId: 'msg_1',
    body: Buffer.from(body),
    timestampSeconds: Math.floor(Date.now() / 1000),
  }),
});

describe('samples of the client’s guide, run against the local run with the packed package', () => {
  let consumer: string;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    ({ consumer } = packAndInstall('client'));
    const { key } = await newAccount();
    const baseUrl = localRun().url;
    env = { ...process.env, FRAUD_SCREENING_KEY: key, FRAUD_SCREENING_URL: baseUrl, WEBHOOK_SECRET: SECRET };
    // One case for the sample that resolves cases.
    const client = new FraudScreening({ apiKey: key, baseUrl });
    const origin = { user_id: 'mallory', ip_address: '52.94.76.1', device_fingerprint: 'bot' };
    await client.events.screen({ ...origin, event_type: 'signup' });
    await client.transactions.screen({ ...origin, amount: 1500, currency: 'USD' });
  }, patient(90_000));
  afterAll(() => rmSync(join(consumer, '..'), { recursive: true }));

  it.each(samples.filter((sample) => !isReceiver(sample)))('$heading', ({ source, prints }) => {
    expect(prints.length).toBeGreaterThan(0);
    expect(runSample(consumer, source, env)).toEqual(prints);
  });

  const [inNode, atTheEdge, ...others] = samples.filter(isReceiver);

  it('a receiver in Node', async () => {
    const file = writeSample(consumer, 'receiver', inNode?.source ?? '');
    const port = await freePort();
    const receiver: ChildProcess = spawn(process.execPath, [file], {
      cwd: consumer,
      env: { ...env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (!receiver.stdout) throw new Error('no stdout');
    const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]();
    try {
      expect((await lines.next()).value).toBe('listening');
      const post = async (headers: Record<string, string>) =>
        (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })).status;
      expect(await post(signed(`whsec_${Buffer.alloc(32, 2).toString('base64')}`))).toBe(400);
      expect(await post(signed())).toBe(204);
      expect((await lines.next()).value).toBe('ship the order');
    } finally {
      const exited = once(receiver, 'exit');
      receiver.kill();
      await exited;
    }
  });

  it('a receiver at the edge', () => {
    const edge = writeSample(consumer, 'edge', atTheEdge?.source ?? '');
    const request = JSON.stringify({ method: 'POST', headers: signed(), body });
    const drive = writeSample(
      consumer,
      'drive',
      `import worker from './${edge}';
      const answer = async (secret: string) => {
        const response = await worker.fetch(new Request('https://example.com', ${request}), { WEBHOOK_SECRET: secret });
        console.log(response.status, await response.text());
      };
      await answer('${SECRET}');
      await answer('whsec_AAAA');`,
    );
    const { stdout } = spawnSync(process.execPath, [drive], { cwd: consumer, encoding: 'utf8' });
    expect(stdout.trimEnd().split('\n')).toEqual(['200 {"received":"msg_1"}', '400']);
    expect(others).toEqual([]);
  });
});
