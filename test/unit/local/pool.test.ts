import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LambdaFunction, lambdaFunction } from '../../../local/lambda/pool';

const HANDLER = `exports.handler = async ({ name }) => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return name;
};`;

let lambda: LambdaFunction;

beforeEach(() => {
  const taskRoot = mkdtempSync(join(tmpdir(), 'pool-'));
  writeFileSync(join(taskRoot, 'index.js'), HANDLER);
  const ids = { logicalId: 'Name', name: 'name', functionName: 'name', arn: 'arn', roleArn: 'role' };
  const config = { ...ids, taskRoot, handler: 'index.handler', timeoutSeconds: 5, memoryMb: 128, environment: {} };
  lambda = lambdaFunction(config, { onOutput: () => undefined }, 1);
});
afterEach(() => lambda.stop());

/** Asks for runs all at once; tells in which order they ended. */
async function order(asked: ReadonlyArray<readonly [source: string, name: string]>): Promise<string[]> {
  const ended: string[] = [];
  await Promise.all(
    asked.map(async ([source, name]) => {
      const outcome = await lambda.invoke({ name }, source);
      ended.push(outcome.ok ? JSON.parse(outcome.payload) : outcome.error.errorMessage);
    }),
  );
  return ended;
}

it('runs what one source asks for in its order', async () => {
  expect(await order([1, 2, 3, 4].map((n) => ['queue', `${n}`]))).toEqual(['1', '2', '3', '4']);
});

it('serves sources in turn, so that none waits for all that another has asked for', async () => {
  const storm = [1, 2, 3, 4, 5].map((n) => ['retries', `retry ${n}`] as const);
  const fresh = [1, 2].map((n) => ['fresh', `fresh ${n}`] as const);
  // The first is under way before anything else is asked for.
  expect(await order([...storm, ...fresh])).toEqual([
    'retry 1',
    'retry 2',
    'fresh 1',
    'retry 3',
    'fresh 2',
    'retry 4',
    'retry 5',
  ]);
});
