import { apiAt } from '../../../bin/verify/api';
import { type Check, CheckSkipped, untilBy, type VerifyContext } from '../../../bin/verify/check';
import { CheckFailure } from '../../../bin/verify/check-failure';
import { signedAuthorization } from '../../../bin/verify/checks/gateway';
import { testPage } from '../../../bin/verify/checks/operations';
import { queueReceiver } from '../../../bin/verify/receiver';
import { reportText, runChecks } from '../../../bin/verify/run-checks';
import { verifyContext } from '../../../bin/verify/verify-stack';
import { errorStep, type Seen, type Step, scriptedServer } from '../../support/scripted-server';

const check = (name: string, needs: Check['needs'], run: Check['run']): Check => ({
  name,
  proves: `${name} works`,
  needs,
  run,
});
const nothing = { operator: undefined, account: undefined } as unknown as VerifyContext;
const options = { only: [], skip: [], now: () => 0 };

it('goes through all checks: one that fails, cannot be made or breaks stops no other', async () => {
  const all = [
    check('good', 'http', async () => 'a remark'),
    check('bad', 'http', () => Promise.reject(new CheckFailure('The door is shut.'))),
    check('broken', 'http', () => Promise.reject(new TypeError('x is undefined'))),
    check('pointless', 'http', () => Promise.reject(new CheckSkipped('no door'))),
    check('private', 'admin', async () => undefined),
    check('cloudy', 'aws', async () => undefined),
  ];
  const results = await runChecks(all, nothing, options);
  expect(results.map(({ outcome, detail }) => [outcome, detail])).toEqual([
    ['passed', 'a remark'],
    ['failed', 'The door is shut.'],
    ['failed', 'unexpected: x is undefined'],
    ['skipped', 'no door'],
    ['skipped', expect.stringContaining('administer accounts')],
    ['skipped', expect.stringContaining('only with --aws')],
  ]);
  const report = reportText('a house', results, ['account removed']);
  expect(report).toContain('2 of 6 checks failed.');
  expect(report).toContain('bad: The door is shut.\n    It should prove that bad works.');
  expect(report).toContain('Not checked: pointless, private, cloudy');
  expect(report).toMatch(/Clean-up: account removed$/);
});

it('runs only what is asked for', async () => {
  const all = ['a', 'b', 'c'].map((name) => check(name, 'http', async () => undefined));
  const names = async (choice: object) =>
    (await runChecks(all, nothing, { ...options, ...choice })).map(({ name }) => name);
  expect(await names({ only: ['b'] })).toEqual(['b']);
  expect(await names({ skip: ['b'] })).toEqual(['a', 'c']);
});

it('waits until something is found, and not a moment longer', async () => {
  let nowMs = 0;
  const until = untilBy(
    10,
    () => nowMs,
    async (ms) => {
      nowMs += ms;
    },
  );
  let looks = 0;
  const third = async () => (++looks === 3 ? 'found' : undefined);
  expect([await until(100, third, () => 'never'), nowMs]).toEqual(['found', 20]);
  await expect(
    until(
      50,
      async () => undefined,
      () => 'It never came.',
    ),
  ).rejects.toThrow('It never came.');
  expect(nowMs).toBe(70);
});

it('reads what arrived from the queue of the receiver, once', async () => {
  const batches = [[{ Body: JSON.stringify({ headers: { a: 'b' }, body: 'aGk=' }), ReceiptHandle: 'r1' }], []];
  const deleted: unknown[] = [];
  const send = async (command: { constructor: { name: string }; input: { ReceiptHandle?: string } }) => {
    if (command.constructor.name === 'ReceiveMessageCommand') return { Messages: batches.shift() ?? [] };
    deleted.push(command.input.ReceiptHandle);
    return {};
  };
  const receiver = queueReceiver('https://receiver', 'queue', { send } as never);
  const arrived = [{ headers: { a: 'b' }, body: Buffer.from('hi') }];
  expect(await receiver.arrivals?.()).toEqual(arrived);
  expect([await receiver.arrivals?.(), deleted]).toEqual([arrived, ['r1']]);
});

describe('checks that only AWS can make', () => {
  async function signed(probe: (seen: Seen) => Step): Promise<string | undefined> {
    const refusing = await scriptedServer(() => errorStep(401, 'unauthorized', { 'X-Api-Version': '1' }));
    const probing = await scriptedServer(probe);
    try {
      const context = { api: apiAt(refusing.url), authorizationProbe: probing.url } as unknown as VerifyContext;
      return await signedAuthorization.run(context);
    } finally {
      await Promise.all([refusing.close(), probing.close()]);
    }
  }
  const seeing = (change: (header: string) => string) => (seen: Seen) => ({
    status: 200,
    body: { seen: Buffer.from(change(seen.headers.authorization ?? '')).toString('base64') },
  });

  it('the signed header arrives unchanged, or the message says what arrived', async () => {
    expect(await signed(seeing((header) => header))).toBeUndefined();
    await expect(signed(seeing((header) => header.replace('AWS4', 'aws4')))).rejects.toThrow(
      'received another header than was sent: aws4-HMAC',
    );
    const refused = { status: 403, body: { message: 'IncompleteSignatureException' } };
    await expect(signed(() => refused)).rejects.toThrow('was not asked: 403');
  });

  it('a page that was not sent fails, with CloudWatch’s own words', async () => {
    const operator = (page: object) => ({ operator: { testPage: async () => page } }) as unknown as VerifyContext;
    expect(await testPage.run(operator({ sent: true, detail: '2 subscribed' }))).toBe('2 subscribed');
    await expect(testPage.run(operator({ sent: false, detail: 'Failed to execute action' }))).rejects.toThrow(
      'not sent: Failed to execute action',
    );
  });
});

describe('the receiver’s stack', () => {
  it('is deployed where and with what the stage was: account, region and bootstrap qualifier', () => {
    const kept = { '@aws-cdk/core:bootstrapQualifier': 'acme1', sandboxDomain: 'api.example.com', region: 'eu-west-1' };
    expect(verifyContext(JSON.stringify(kept), ['foo=bar']).join(' ')).toBe(
      '-c verifyReceiver=on -c region=eu-west-1 -c @aws-cdk/core:bootstrapQualifier=acme1 -c foo=bar',
    );
  });
});
