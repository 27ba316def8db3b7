import type { AwsCall } from '../../../local/aws/call';
import type { Denial } from '../../../local/aws/describe-call';
import type { Intercept } from '../../../local/aws/front';
import type { LocalRun } from '../../../local/start-local';
import { startFixture } from '../../support/local-fixture/fixture';

let run: LocalRun;
let fault: ((call: AwsCall) => boolean) | undefined;
let wrap: Intercept | undefined;
beforeAll(async () => {
  run = await startFixture({
    inMemory: true,
    intercept: async (call, proceed) =>
      fault?.(call)
        ? { status: 400, body: '{"__type":"x#ProvisionedThroughputExceededException","message":"injected"}' }
        : wrap?.(call, proceed),
  });
});
afterAll(() => run?.stop());

const json = async <T>(path: string): Promise<T> => (await (await fetch(`${run.url}${path}`)).json()) as T;
const overreach = (call: string) => json<{ name: string; message: string }>(`/v1/overreach?call=${call}`);

describe('grants', () => {
  it.each([
    ['delete', 'AccessDeniedException', 'dynamodb:DeleteItem', /:table\//],
    ['transact', 'AccessDeniedException', 'dynamodb:ConditionCheckItem', /:table\//],
    ['foreign-key', 'AccessDeniedException', 'dynamodb:PutItem', /:table\//],
    ['s3', 'AccessDenied', 's3:GetObject', /^arn:aws:s3:::.+\/models\/champion$/],
    ['sqs', 'AccessDeniedException', 'sqs:SendMessage', /:sqs:/],
  ])('a call without one is refused: %s', async (call, name, action, resource) => {
    const answer = await overreach(call);
    expect(answer.name).toBe(name);
    expect(answer.message).toContain(`Overreach is not authorized to perform ${action} on `);
    const denials = await json<Denial[]>('/_local/denials');
    expect(denials.at(-1)).toEqual({
      function: 'Overreach',
      action,
      resource: expect.stringMatching(resource),
      partitions: expect.any(Array),
      missing: expect.stringContaining(action.split(':')[1] ?? ''),
      time: expect.stringMatching(/^\d{4}-/),
    });
    expect(run.denials()).toEqual(denials);
  });

  it('a call with one passes, also inside a transaction and bound to a leading key', async () => {
    expect(await overreach('own-key')).toEqual({ allowed: true });
  });

  it('a request that nobody signed is refused', async () => {
    const headers = { 'x-amz-target': 'DynamoDB_20120810.ListTables', 'content-type': 'application/x-amz-json-1.0' };
    const response = await fetch(run.awsEndpoint, { method: 'POST', headers, body: '{}' });
    expect([response.status, ((await response.json()) as { __type: string }).__type]).toEqual([
      400,
      'com.amazon.coral.service#UnrecognizedClientException',
    ]);
  });
});

describe('objects and secrets', () => {
  it('are reached across stacks by the names in the environment', async () => {
    const missing = await fetch(`${run.url}/v1/storage`);
    expect(missing.status).toBe(502);
    expect((await fetch(`${run.url}/v1/storage`, { method: 'PUT', body: 'tree' })).status).toBe(204);
    const stored = await json<{ object: string; type: string; secret: string }>('/v1/storage');
    expect(stored).toMatchObject({ object: 'tree', type: 'text/plain' });
    expect(JSON.parse(stored.secret)).toEqual({ version: 1, key: expect.stringMatching(/^[A-Za-z0-9]{40}$/) });
  });
});

describe('fault injection', () => {
  it('stands in for the emulator', async () => {
    fault = ({ service, operation }) => service === 'dynamodb' && operation === 'PutItem';
    const refused = await fetch(`${run.url}/v1/items/1`, { method: 'PUT', body: '{"kind":"x"}' });
    fault = undefined;
    const accepted = await fetch(`${run.url}/v1/items/1`, { method: 'PUT', body: '{"kind":"x"}' });
    expect([refused.status, accepted.status]).toEqual([502, 201]);
  });

  const put = (id: string) => fetch(`${run.url}/v1/items/${id}`, { method: 'PUT', body: '{"kind":"x"}' });
  const through = async (intercept: Intercept, id: string) => {
    wrap = async (call, proceed) => (call.operation === 'PutItem' ? intercept(call, proceed) : undefined);
    const { status } = await put(id);
    wrap = undefined;
    return [status, (await fetch(`${run.url}/v1/items/${id}`)).status];
  };

  it('may carry a call out and look at its answer', async () => {
    let units: number | undefined;
    const seen = await through(async ({ input }, proceed) => {
      const answer = await proceed({ ...input, ReturnConsumedCapacity: 'TOTAL' });
      units = JSON.parse(String(answer.body)).ConsumedCapacity.CapacityUnits;
      return answer;
    }, 'metered');
    // One for the table, one for its index.
    expect([seen, units]).toEqual([[201, 200], 2]);
  });

  it('may lose the answer of a call that was carried out', async () => {
    let calls = 0;
    const seen = await through(async (_call, proceed) => {
      calls++;
      await proceed();
      return 'reset';
    }, 'lost');
    expect(seen).toEqual([502, 200]);
    expect(calls).toBeGreaterThan(0);
  });
});
