import type { LocalRun } from '../../../local/start-local';
import { administrator, changedAssembly, eventually, startFixture } from '../../support/local-fixture/fixture';
import { patient } from '../../support/patience';

const MAX_HOPS = 16;

// Each test starts its own run.
jest.setTimeout(patient(90_000));

/** Runs the fixture with a changed template. */
async function changed(change: (template: string) => string, print: (line: string) => void = () => undefined) {
  return startFixture({ assembly: await changedAssembly(change), inMemory: true, print });
}

const ofType = (template: string, type: string) =>
  Object.entries((JSON.parse(template) as { Resources: Record<string, { Type: string }> }).Resources).flatMap(
    ([id, resource]) => (resource.Type === type ? [id] : []),
  );

/** A template with one property of a resource set. */
const withProperty = (id: (template: string) => string | undefined, name: string, value: unknown) => (text: string) => {
  const template = JSON.parse(text);
  template.Resources[id(text) ?? ''].Properties[name] = value;
  return JSON.stringify(template);
};

describe('a template that AWS would not run as it is meant', () => {
  it.each([
    [
      'a visibility timeout below the function’s timeout',
      withProperty(
        (text) => ofType(text, 'AWS::SQS::Queue').find((id) => id.startsWith('Work')),
        'VisibilityTimeout',
        0,
      ),
      "the queue's visibility timeout of 0 s is shorter than the function's timeout of 1 s",
    ],
    [
      'settings for a method ANY',
      withProperty((text) => ofType(text, 'AWS::ApiGateway::Stage')[0], 'MethodSettings', [
        { HttpMethod: 'ANY', ResourcePath: '/~1v1~1echo~1{name}', ThrottlingRateLimit: 1 },
      ]),
      'MethodSettings ANY /v1/echo/{name}',
    ],
    [
      'settings for a route that is not there',
      withProperty((text) => ofType(text, 'AWS::ApiGateway::Stage')[0], 'MethodSettings', [
        { HttpMethod: 'GET', ResourcePath: '/~1v1~1nowhere', ThrottlingRateLimit: 1 },
      ]),
      'the API has no such method',
    ],
  ])('does not start: %s', async (_what, change, sentence) => {
    await expect(changed(change)).rejects.toThrow(sentence);
  });
});

describe('a run', () => {
  let run: LocalRun | undefined;
  afterEach(async () => {
    await run?.stop();
    run = undefined;
  });

  it('loses the log lines of a function that may not write them, and says whose grant is missing', async () => {
    run = await changed((text) =>
      text.replaceAll('service-role/AWSLambdaBasicExecutionRole', 'service-role/AWSCodeDeployRoleForLambdaLimited'),
    );
    const lines: string[] = [];
    run.onLog(({ line }) => lines.push(line));
    await fetch(`${run.url}/v1/guarded`, { headers: { Authorization: 'Bearer allow-me' } });
    expect(lines).toEqual([]);
    expect(run.denials().map(({ function: name, action }) => [name, action])).toContainEqual([
      'Authorizer',
      'logs:CreateLogStream',
    ]);
  });

  it('does not fire a schedule that is disabled', async () => {
    run = await changed(withProperty((text) => ofType(text, 'AWS::Events::Rule')[0], 'State', 'DISABLED'));
    await expect(run.fireSchedule('EveryMinute')).rejects.toThrow('DISABLED');
  });

  const isWork = (text: string) => ofType(text, 'AWS::SQS::Queue').find((id) => id.startsWith('Work'));
  const isWorker = (text: string) => ofType(text, 'AWS::Lambda::Function').find((id) => id.startsWith('Worker'));
  // Time enough on any machine: a message that came back meanwhile would be another round.
  const unhurried = (text: string) =>
    withProperty(isWork, 'VisibilityTimeout', 60)(withProperty(isWorker, 'Timeout', 30)(text));

  const loopedThrough = async (change: (text: string) => string): Promise<{ said: string[]; attempts: number }> => {
    const said: string[] = [];
    run = await changed(
      (text) => unhurried(change(text)),
      (line) => said.push(line),
    );
    const admin = administrator(run);
    const attempts = async () => Number((await admin.item('job#round'))?.attempts?.N ?? 0);
    await fetch(`${run.url}/v1/storage`, { method: 'POST', body: JSON.stringify({ job: 'round', loop: true }) });
    await eventually(async () => {
      const stopped = said.some((line) => line.startsWith('LOOP STOPPED'));
      return stopped || (await attempts()) > MAX_HOPS + 4 ? true : undefined;
    }, patient(30_000));
    return { said, attempts: await attempts() };
  };

  it('stops a function that keeps calling itself through a queue, as Lambda does', async () => {
    const { said, attempts } = await loopedThrough((text) => text);
    expect(attempts).toBe(MAX_HOPS);
    expect(said.find((line) => line.startsWith('LOOP STOPPED'))).toContain('Worker');
  });

  it('lets it go on where the template says that this is meant', async () => {
    const { said, attempts } = await loopedThrough(withProperty(isWorker, 'RecursiveLoop', 'Allow'));
    expect(attempts).toBeGreaterThan(MAX_HOPS);
    expect(said.filter((line) => line.startsWith('LOOP STOPPED'))).toEqual([]);
  });

  it('lists every permission that was used, and by whom', async () => {
    run = await startFixture({ inMemory: true });
    await fetch(`${run.url}/v1/items/one`, { method: 'PUT', body: '{"kind":"order"}' });
    const used = run.calls().map(({ function: name, action, partition }) => [name, action, partition]);
    expect(used).toContainEqual(['Items', 'dynamodb:PutItem', 'one']);
    expect(used).toContainEqual(['Worker', 'sqs:ReceiveMessage', undefined]);
    expect(await (await fetch(`${run.url}/_local/calls`)).json()).toEqual(JSON.parse(JSON.stringify(run.calls())));
  });
});
