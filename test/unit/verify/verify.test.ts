import { type AwsOperatorDeps, awsOperator, SCHEDULED_ALIAS } from '../../../bin/verify/aws-operator';
import { apiAt, type Check, CheckFailure, CheckSkipped, untilBy, type VerifyContext } from '../../../bin/verify/check';
import { signedAuthorization } from '../../../bin/verify/checks/gateway';
import { alarms, testPage } from '../../../bin/verify/checks/operations';
import { webhooks } from '../../../bin/verify/checks/webhooks';
import { type Arrival, queueReceiver } from '../../../bin/verify/receiver';
import { reportText, runChecks } from '../../../bin/verify/run-checks';
import { localOperator, stageAt } from '../../../bin/verify/subject';
import { verifyContext } from '../../../bin/verify/verify-stack';
import { signatureHeaders } from '../../../shared/outbound/sign';
import { errorStep, type Seen, type Step, scriptedServer } from '../../support/machine/scripted-server';

describe('aws operator', () => {
  type Answers = Readonly<Record<string, (input: Record<string, unknown>) => object>>;

  /** AWS as far as the operator asks it: answers by command, and everything that was asked. */
  function cloud(answers: Answers) {
    const asked: [string, Record<string, unknown>][] = [];
    const send = async (command: { constructor: { name: string }; input: Record<string, unknown> }) => {
      const name = command.constructor.name.replace(/Command$/, '');
      asked.push([name, command.input]);
      const answer = answers[name];
      if (!answer) throw new Error(`${name} was not expected`);
      return answer(command.input);
    };
    const client = { send } as unknown as AwsOperatorDeps['cloudWatch'] &
      AwsOperatorDeps['lambda'] &
      AwsOperatorDeps['sns'] &
      AwsOperatorDeps['cloudFormation'];
    let nowMs = 1_000_000;
    const until = untilBy(
      1_000,
      () => nowMs,
      async (ms) => {
        nowMs += ms;
      },
    );
    const operator = awsOperator({
      ...{ stage: 'sandbox', until, now: () => nowMs, outputs: { PagesTopicArn: 'arn:pages' } },
      ...{ cloudFormation: client, cloudWatch: client, lambda: client, sns: client },
    });
    return { operator, asked };
  }

  describe('schedules', () => {
    const resources = (...ids: string[]) =>
      ids.map((LogicalResourceId) => ({
        ResourceType: 'AWS::Lambda::Alias',
        LogicalResourceId,
        PhysicalResourceId: `arn:${LogicalResourceId}`,
      }));

    it('calls the live version of every scheduled function, on all pages, and reports what failed', async () => {
      const { operator, asked } = cloud({
        ListStackResources: ({ NextToken }) =>
          NextToken
            ? { StackResourceSummaries: resources('ModelTrainingTrainModelLive394EA4BD') }
            : {
                StackResourceSummaries: resources('SweepsSweepCasesLive720E82AB', 'ScreenEventLive8230F9DD'),
                NextToken: 'more',
              },
        Invoke: ({ FunctionName }) =>
          String(FunctionName).includes('Train')
            ? { FunctionError: 'Unhandled', Payload: Buffer.from('{"errorMessage":"AccessDenied"}') }
            : { Payload: Buffer.from('null') },
      });
      expect(await operator.runSchedules()).toEqual([
        { name: 'SweepsSweepCases', error: undefined },
        { name: 'ModelTrainingTrainModel', error: 'Unhandled: {"errorMessage":"AccessDenied"}' },
      ]);
      expect(asked.filter(([name]) => name === 'Invoke')).toHaveLength(2);
    });

    it('knows none but scheduled functions', () => {
      expect(SCHEDULED_ALIAS.test('DeliveryDeliverWebhookLive2CD878D7')).toBe(false);
      expect(SCHEDULED_ALIAS.test('DeliverySweepDeliveriesLive1A60757C')).toBe(true);
    });
  });

  it('metrics: those with values, by name, from the minute in which the run began', async () => {
    const { operator, asked } = cloud({
      GetMetricData: () => ({
        MetricDataResults: [
          { Id: 'm0', Values: [3] },
          { Id: 'm1', Values: [] },
        ],
      }),
    });
    expect(await operator.metricsSince(['Decisions', 'RiskScore'], 930_000)).toEqual(new Set(['Decisions']));
    expect(asked[0]?.[1]).toMatchObject({
      StartTime: new Date(900_000),
      MetricDataQueries: [
        { MetricStat: { Metric: { MetricName: 'Decisions', Dimensions: [{ Name: 'stage', Value: 'sandbox' }] } } },
        {},
      ],
    });
  });

  it('invocations: of every function, also of nested stacks, and none of CDK’s own', async () => {
    const summary = (ResourceType: string, LogicalResourceId: string, PhysicalResourceId: string) => ({
      ...{ ResourceType, LogicalResourceId, PhysicalResourceId },
    });
    const { operator } = cloud({
      ListStackResources: ({ StackName }) => ({
        StackResourceSummaries:
          StackName === 'arn:nested'
            ? [summary('AWS::Lambda::Function', 'Afd', 'afd-1'), summary('AWS::Lambda::Function', 'Rules', 'rules-1')]
            : [
                summary('AWS::CloudFormation::Stack', 'Functions', 'arn:nested'),
                summary('AWS::Lambda::Function', 'CustomCDKBucketDeployment8693', 'cdk-1'),
              ],
      }),
      GetMetricData: () => ({ MetricDataResults: [{ Id: 'm0', Values: [2, 3] }] }),
    });
    expect([...(await operator.invocationsSince(0))]).toEqual([
      ['afd-1', 5],
      ['rules-1', 0],
    ]);
  });

  it('alarms: metric and composite ones of this stage, on all pages', async () => {
    const { operator, asked } = cloud({
      DescribeAlarms: ({ NextToken }) =>
        NextToken
          ? {
              CompositeAlarms: [
                {
                  AlarmName: 'fraud-screening-sandbox-b',
                  StateValue: 'ALARM',
                  AlarmDescription: 'Part of another alarm',
                },
              ],
            }
          : { MetricAlarms: [{ AlarmName: 'fraud-screening-sandbox-a', StateValue: 'OK' }], NextToken: 'more' },
    });
    expect(await operator.alarms()).toEqual([
      { name: 'fraud-screening-sandbox-a', state: 'OK', description: '' },
      { name: 'fraud-screening-sandbox-b', state: 'ALARM', description: 'Part of another alarm' },
    ]);
    expect(asked[0]?.[1]).toMatchObject({ AlarmNamePrefix: 'fraud-screening-sandbox-' });
  });

  describe('a test page', () => {
    const history = (...summaries: string[]) => ({
      AlarmHistoryItems: summaries.map((HistorySummary) => ({ HistorySummary })),
    });
    const subscriptions = (...arns: string[]) => ({
      Subscriptions: arns.map((SubscriptionArn) => ({ SubscriptionArn })),
    });
    const states = (asked: readonly [string, Record<string, unknown>][]) =>
      asked.filter(([name]) => name === 'SetAlarmState').map(([, { StateValue }]) => StateValue);

    it('sets an alarm off, waits for its notification, and sets it back', async () => {
      let looks = 0;
      const { operator, asked } = cloud({
        SetAlarmState: () => ({}),
        DescribeAlarmHistory: () =>
          ++looks < 3 ? history() : history('Successfully executed action arn:pages', 'of another arn'),
        ListSubscriptionsByTopic: () => subscriptions('arn:1', 'PendingConfirmation'),
      });
      expect(await operator.testPage()).toEqual({ sent: true, detail: '1 subscribed, 1 not confirmed yet' });
      expect(states(asked)).toEqual(['ALARM', 'OK']);
    });

    it('says that nobody gets it', async () => {
      const { operator } = cloud({
        SetAlarmState: () => ({}),
        DescribeAlarmHistory: () => history('Successfully executed action arn:pages'),
        ListSubscriptionsByTopic: () => subscriptions(),
      });
      expect(await operator.testPage()).toEqual({ sent: true, detail: 'NOBODY has confirmed a subscription' });
    });

    it('says when CloudWatch may not publish, and sets the alarm back all the same', async () => {
      const { operator, asked } = cloud({
        SetAlarmState: () => ({}),
        DescribeAlarmHistory: () => history('Failed to execute action arn:pages. KMS access denied'),
      });
      expect(await operator.testPage()).toEqual({ sent: false, detail: expect.stringContaining('KMS access denied') });
      expect(states(asked)).toEqual(['ALARM', 'OK']);
    });

    it('fails when nothing is reported within a minute', async () => {
      const { operator, asked } = cloud({ SetAlarmState: () => ({}), DescribeAlarmHistory: () => history() });
      await expect(operator.testPage()).rejects.toThrow('no notification to arn:pages within 60 s');
      expect(states(asked)).toEqual(['ALARM', 'OK']);
    });
  });
});

describe('run checks', () => {
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

    it('a red alarm fails, and none without data hides it; part of another alarm may be red', async () => {
      const context = (states: Readonly<Record<string, string>>) => {
        const all = Object.entries(states).map(([name, state]) => {
          const description = name === 'part' ? 'Part of another alarm' : '';
          return { name: `fraud-screening-sandbox-${name}`, state, description };
        });
        const until: VerifyContext['until'] = async (_ms, find, problem) => {
          const found = await find();
          if (found === undefined) throw new CheckFailure(problem());
          return found;
        };
        return { operator: { metricDelayMs: 0, alarms: async () => all }, until } as unknown as VerifyContext;
      };
      const well = { a: 'OK', b: 'OK', c: 'OK', part: 'ALARM' };
      expect(await alarms.run(context(well))).toBe('4 alarms, none red');
      await expect(alarms.run(context({ ...well, b: 'ALARM' }))).rejects.toThrow('Red, 1 alarm: b.');
      await expect(alarms.run(context({ ...well, b: 'ALARM', c: 'INSUFFICIENT_DATA' }))).rejects.toThrow(
        'Red, 1 alarm: b. See docs/runbook.md. No data (INSUFFICIENT_DATA), 1 alarm: c.',
      );
      await expect(alarms.run(context({ ...well, d: 'INSUFFICIENT_DATA' }))).rejects.toThrow('No data');
    });
  });

  describe('the receiver’s stack', () => {
    it('is deployed where and with what the stage was: account, region and bootstrap qualifier', () => {
      const kept = {
        '@aws-cdk/core:bootstrapQualifier': 'acme1',
        sandboxDomain: 'api.example.com',
        region: 'eu-west-1',
      };
      expect(verifyContext(JSON.stringify(kept), ['foo=bar']).join(' ')).toBe(
        '-c verifyReceiver=on -c region=eu-west-1 -c @aws-cdk/core:bootstrapQualifier=acme1 -c foo=bar',
      );
    });
  });
});

describe('subject', () => {
  it('says in one sentence that nothing runs at a URL', async () => {
    // Nothing listens on port 1, which only root may open.
    const looking = stageAt('http://127.0.0.1:1', 'sandbox', undefined);
    await expect(looking).rejects.toThrow(/^GET http:\/\/127\.0\.0\.1:1\/_local\/run got no response: .*Is it running/);
  });

  it('says in one sentence that something is not a URL', async () => {
    await expect(stageAt('localhost', 'sandbox', undefined)).rejects.toThrow('--url localhost is not a URL');
  });

  it('says why a scheduled function failed in its own words, without the stack', async () => {
    const error = { errorType: 'DomainError', errorMessage: 'Try again.', trace: ['DomainError: Try again.', 'at x'] };
    const { url, close } = await scriptedServer(({ method }) => ({
      ...{ status: 200, body: method === 'POST' ? [{ ok: false, error }] : ['sweep'] },
    }));
    expect(await localOperator(url).runSchedules()).toEqual([{ name: 'sweep', error: 'Try again.' }]);
    await close();
  });
});

describe('webhooks', () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

  function arrival(messageId: string, signedWith = secret): Arrival {
    const body = Buffer.from(JSON.stringify({ id: messageId, type: 'transaction.screened', data: {} }));
    const timestampSeconds = Math.floor(Date.now() / 1000);
    return { headers: { ...signatureHeaders({ secret: signedWith, messageId, body, timestampSeconds }) }, body };
  }

  const delivery = (delivery_id: string, message_id: string, redelivery_of: string | null = null) => ({
    ...{ delivery_id, message_id, redelivery_of, status: 'delivered' },
    attempts: [{ outcome: 'delivered', status_code: 200, error: null }],
  });

  /** Runs the check against a service that lists these deliveries, and a receiver that got these. */
  async function verify(listed: readonly object[], arrivals: readonly Arrival[]): Promise<string | undefined> {
    const answer = ({ method, path }: Seen): Step => {
      if (path === '/v1/transactions/screen') return { status: 200, body: {} };
      if (path === '/v1/webhooks') return { status: 201, body: { webhook_id: 'wh_1', signing_secret: secret } };
      if (path.endsWith('/redeliver')) return { status: 202, body: {} };
      return method === 'DELETE' ? { status: 204 } : { status: 200, body: { deliveries: listed } };
    };
    const server = await scriptedServer(answer);
    let nowMs = 0;
    const wait = async (ms: number) => {
      nowMs += ms;
    };
    const receiver = { url: 'https://receiver.example', arrivals: async () => arrivals, close: async () => undefined };
    const until = untilBy(1_000, () => nowMs, wait);
    const context = { api: apiAt(server.url), key: 'key', receiver, until, newName: (prefix: string) => prefix };
    try {
      return await webhooks.run(context as unknown as VerifyContext);
    } finally {
      await server.close();
    }
  }

  const OURS = delivery('del_1', 'msg_1');
  const REPEATED = delivery('del_2', 'msg_1', 'del_1');

  it('passes although an event of an earlier check comes between a message and its redelivery', async () => {
    const late = delivery('del_3', 'msg_2');
    const arrivals = [arrival('msg_1'), arrival('msg_2'), arrival('msg_1')];
    expect(await verify([OURS, REPEATED, late], arrivals)).toBeUndefined();
  });

  it('fails if the redelivery comes under another name, or with a wrong signature', async () => {
    await expect(verify([OURS, REPEATED], [arrival('msg_1'), arrival('msg_9')])).rejects.toThrow(
      'The receiver got 1 of 2 deliveries with webhook-id msg_1 within 60 s (2 deliveries in all).',
    );
    const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
    await expect(verify([OURS, REPEATED], [arrival('msg_1'), arrival('msg_1', other)])).rejects.toThrow(
      'A delivery arrived, but its signature is wrong',
    );
  });
});
