import { callRecord } from '../../../local/aws/call';
import { denialList, sentenceOf } from '../../../local/aws/describe-call';
import { canaries } from '../../../local/cloudwatch/aws-metrics';
import { errorCache } from '../../../local/gateway/gateway-responses';
import { usagePlans } from '../../../local/gateway/handle-request';
import { asAWhole, compilePolicy, evaluate } from '../../../local/iam/roles';
import {
  asynchronousInvocations,
  type InvocationOutcome,
  type LambdaFunction,
} from '../../../local/lambda/lambda-function';
import { errorText, lineageText, nextLineage, parseLineage } from '../../../local/lambda/logs';
import { serviceGrants } from '../../../local/lambda/permissions';
import { nodeProblem } from '../../../local/node-version';
import type { StackResource, Stacks } from '../../../local/template/resolve-stack';

const TABLE = 'arn:aws:dynamodb:r:a:table/t';
const leadingKeys = (...keys: string[]) => ({
  Effect: 'Allow' as const,
  Action: 'dynamodb:PutItem',
  Resource: TABLE,
  Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } },
});
const put = (...keys: string[]) => ({
  action: 'dynamodb:PutItem',
  resource: TABLE,
  context: () => ({ 'dynamodb:leadingkeys': keys }),
});

describe('a call of several items', () => {
  const decide = (statements: Parameters<typeof compilePolicy>[0]['Statement']) => {
    const compiled = compilePolicy({ Statement: statements });
    return asAWhole([put('SUBJECT#a'), put('CASES#a')]).map((access) => evaluate(compiled, access));
  };

  it('is asked for item by item and as a whole: two statements hold only under one reading', () => {
    expect(decide([leadingKeys('SUBJECT#*'), leadingKeys('CASES#*')])).toEqual(['allowed', 'allowed', 'not allowed']);
  });

  it('holds under both with one statement for all partitions of the action', () => {
    expect(decide([leadingKeys('SUBJECT#*', 'CASES#*')])).toEqual(['allowed', 'allowed', 'allowed']);
  });
});

describe('a refusal', () => {
  it('names function, action, partition and the grant that is missing, and no key of anybody', () => {
    const printed: string[] = [];
    const denials = denialList((line) => printed.push(line));
    const denial = denials.record('ScreenEvent', put('LABEL#acc_1#2026-01', 'LABEL#acc_1#2026-02'));
    expect(denial).toMatchObject({ partitions: ['LABEL'], missing: "{ actions: ['PutItem'], partitions: ['LABEL'] }" });
    expect(sentenceOf(denial)).toBe(
      `ScreenEvent is not authorized to perform dynamodb:PutItem on ${TABLE} of LABEL. Missing grant: { actions: ['PutItem'], partitions: ['LABEL'] }`,
    );
    expect(printed.join()).not.toContain('acc_1');
  });

  it('of a log line is one too: the line is lost, as in AWS, but not silently', () => {
    const [denials, calls] = [denialList(() => undefined), callRecord()];
    const config = { name: 'GetCase', logGroupArn: 'arn:aws:logs:r:a:log-group:g' };
    const grants = serviceGrants(config, () => 'not allowed', denials, calls);
    expect([grants.mayLog(), grants.mayLog()]).toEqual([false, false]);
    expect(denials.list().map(({ action }) => action)).toEqual(['logs:CreateLogStream']);
    const granted = serviceGrants(config, () => 'allowed', denials, calls);
    expect(granted.mayLog()).toBe(true);
    expect(calls.list().map(({ action }) => action)).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
  });
});

describe('lineage', () => {
  it('travels in the trace header and counts invocations of each function; of a batch the longest way counts', () => {
    const [first, second] = [
      nextLineage('a', []),
      nextLineage('a', [
        new Map([['a', 3]]),
        new Map([
          ['a', 1],
          ['b', 2],
        ]),
      ]),
    ];
    expect([...first]).toEqual([['a', 1]]);
    expect(Object.fromEntries(second)).toEqual({ a: 4, b: 2 });
    expect(parseLineage(`Root=1-2-3;Parent=4;Sampled=0${lineageText(second)}`)).toEqual(second);
    expect(parseLineage('Root=1-2-3;Sampled=0').size).toBe(0);
  });
});

describe('an asynchronous invocation', () => {
  const failed: InvocationOutcome = { ok: false, error: { errorType: 'Error', errorMessage: 'no' } };
  /** How often a function that always fails is invoked, and what was waited for in between. */
  const invocations = async (configs: readonly object[], arn = 'arn:aws:lambda:r:a:function:f:live') => {
    let count = 0;
    const waits: number[] = [];
    const target = {
      config: { name: 'f', functionName: 'f', arn: 'arn:aws:lambda:r:a:function:f' },
      invoke: async () => {
        count += 1;
        return failed;
      },
    } as unknown as LambdaFunction;
    let ended: () => void = () => undefined;
    const invoke = asynchronousInvocations(
      configs.map((properties) => ({ properties }) as unknown as StackResource),
      async (ms) => {
        waits.push(ms);
        return true;
      },
      () => ended(),
    );
    await invoke(target, arn, {});
    // Retries follow in microtasks, as nothing really waits here.
    await new Promise((resolve) => {
      ended = () => undefined;
      setImmediate(resolve);
    });
    return { count, waits };
  };

  it('that fails is tried twice more, after one minute and after two', async () => {
    expect(await invocations([])).toEqual({ count: 3, waits: [60_000, 120_000] });
  });

  it('is tried as often as its configuration says, for the alias that is called', async () => {
    const none = { FunctionName: 'f', Qualifier: 'live', MaximumRetryAttempts: 0 };
    expect((await invocations([none])).count).toBe(1);
    expect((await invocations([{ ...none, Qualifier: '$LATEST' }])).count).toBe(3);
  });
});

describe('errors behind the distribution', () => {
  const failing = (status: number, headers = {}) => ({ status, headers, body: Buffer.from(String(status)) });
  const ask = async (config: Parameters<typeof errorCache>[0], answers: ReturnType<typeof failing>[]) => {
    const cache = errorCache(config, () => 0);
    const seen: number[] = [];
    for (const answer of answers) seen.push((await cache('GET', '/v1/cases', async () => answer)).status);
    return seen;
  };

  it('are kept for ten seconds by default, whoever asks, and whatever no-store says of a 5xx', async () => {
    expect(await ask({}, [failing(503, { 'Cache-Control': 'no-store' }), failing(200)])).toEqual([503, 503]);
  });

  it('are not kept where the distribution says so, nor a 404 that says no-store, nor a 401', async () => {
    const none = { CustomErrorResponses: [{ ErrorCode: 503, ErrorCachingMinTTL: 0 }] };
    expect(await ask(none, [failing(503), failing(200)])).toEqual([503, 200]);
    expect(await ask({}, [failing(404, { 'cache-control': 'no-store' }), failing(200)])).toEqual([404, 200]);
    expect(await ask({}, [failing(401), failing(200)])).toEqual([401, 200]);
  });
});

describe('a daily quota', () => {
  it('ends with the day', () => {
    let now = Date.parse('2026-01-01T23:59:00Z');
    const plan = {
      logicalId: 'Plan',
      ref: 'plan',
      properties: { Quota: { Limit: 2, Period: 'DAY' }, ApiStages: [{ ApiId: 'api', Stage: 's' }] },
    } as unknown as StackResource;
    const keys = { find: () => ({ key: { id: 'k', value: 'v' }, planIds: ['plan'] }) };
    const api = { apiId: 'api', stage: 's', region: 'r', account: 'a' };
    const meter = usagePlans([plan], keys as unknown as Parameters<typeof usagePlans>[1], api, () => now);
    const errors = () => meter('v', '/v1', 'GET').error;
    expect([errors(), errors(), errors()]).toEqual([undefined, undefined, 'QUOTA_EXCEEDED']);
    now += 120_000;
    expect(errors()).toBeUndefined();
  });
});

describe('a canary', () => {
  const group = (Enabled: boolean) => ({
    name: 'screen-event',
    properties: { AlarmConfiguration: { Enabled, Alarms: [{ Name: 'crash-screen-event' }, { Name: 'latency' }] } },
  });
  const verdict = (isWatched: boolean) =>
    canaries({ ofType: () => [group(isWatched)] } as unknown as Stacks, () => [
      { name: 'crash-screen-event', arn: '', description: '', state: 'ALARM' },
      { name: 'latency', arn: '', description: '', state: 'OK' },
    ])();

  it('stops while the live version fails; without a canary a fix still ships', () => {
    expect(verdict(true)).toEqual([{ name: 'screen-event', verdict: 'stopped', red: ['crash-screen-event'] }]);
    expect(verdict(false)).toEqual([{ name: 'screen-event', verdict: 'shifts', red: [] }]);
  });
});

describe('for the person at the terminal', () => {
  it('an error of a function is one short line', () => {
    const error = { name: 'TimeoutError', message: 'no answer\nafter 800 ms', stack: 'x'.repeat(2_500) };
    const line = JSON.stringify({ level: 'ERROR', message: 'dependency failed', error, request_id: 'r-1' });
    expect(errorText(line)).toBe('dependency failed: TimeoutError: no answer after 800 ms (request r-1).');
    const uncaught = { message: 'Invoke Error', errorType: 'TypeError', errorMessage: 'x is null', trace: ['…'] };
    expect(errorText(JSON.stringify(uncaught))).toBe('Invoke Error: TypeError: x is null.');
    const refused = { message: 'dependency failed', error: { name: 'DomainError', message: 'No answer. Try again.' } };
    expect(errorText(JSON.stringify(refused))).toBe('dependency failed: DomainError: No answer. Try again.');
    expect(errorText('x'.repeat(2_500)).length).toBeLessThan(320);
  });

  it('a Node that is too old is named before anything else fails', () => {
    expect(nodeProblem('v18.20.1', '>=20')).toContain('Node 20 or newer');
    expect([nodeProblem('v20.0.0', '>=20'), nodeProblem('v24.1.0', '>=20')]).toEqual([undefined, undefined]);
  });
});
