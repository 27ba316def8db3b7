import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { changedAssembly, eventually, fixtureAssembly, temporaryDirectory } from '../../support/local-fixture/fixture';

const ROOT = join(__dirname, '..', '..', '..');

interface Command {
  readonly child: ChildProcess;
  output(): string;
  readonly exited: Promise<number | null>;
}

const started: ChildProcess[] = [];
// A failed expectation must not leave its process behind.
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function command(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Command {
  const child = spawn(process.execPath, ['--import', 'tsx', ...args], { cwd: ROOT, env });
  started.push(child);
  let output = '';
  const listen = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  return { child, output: () => output, exited: once(child, 'exit').then(([code]) => code as number | null) };
}

const fixture = async (dataDir: string, port = '0', stack = 'Fixture-main') =>
  command([join('test', 'support', 'local-fixture', 'run.ts'), await fixtureAssembly(), dataDir, port, stack]);

/** Processes of the database in a data directory. */
const databases = (dataDir: string): readonly string[] =>
  execFileSync('ps', ['-eo', 'pid,args'])
    .toString()
    .split('\n')
    .filter((line) => line.includes('DynamoDBLocal.jar') && line.includes(dataDir));

const ready = (run: Command) =>
  eventually(async () => (run.output().includes(' is running at ') ? true : undefined), 30_000);
const gone = (dataDir: string) => eventually(async () => (databases(dataDir).length === 0 ? true : undefined));

async function stopsOn(signal: 'SIGINT' | 'SIGTERM', run: Command, dataDir: string): Promise<void> {
  await ready(run);
  expect(run.output()).toMatch(/Fixture-main is running at http:\/\/localhost:\d+/);
  expect(databases(dataDir)).not.toHaveLength(0);
  run.child.kill(signal);
  expect(await run.exited).toBe(0);
  expect(databases(dataDir)).toHaveLength(0);
  expect(existsSync(join(dataDir, 'run.json'))).toBe(false);
}

describe('the command line', () => {
  it('stops everything on SIGINT and exits with 0', async () => {
    const dataDir = temporaryDirectory();
    await stopsOn('SIGINT', await fixture(dataDir), dataDir);
  });

  it('leaves no database behind when it is killed, starts again after it, and stops everything on SIGTERM', async () => {
    const dataDir = temporaryDirectory();
    const run = await fixture(dataDir);
    await ready(run);
    run.child.kill('SIGKILL');
    await run.exited;
    await gone(dataDir);
    await stopsOn('SIGTERM', await fixture(dataDir), dataDir);
  });

  it('says in one sentence that the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const run = await fixture(temporaryDirectory(), String(port));
    expect(await run.exited).toBe(1);
    expect(run.output().trim()).toBe(
      `Port ${port} is in use. Stop the other process or choose another port with --port.`,
    );
    other.close();
  });

  it('says in one sentence which resource it does not know, before it starts a database', async () => {
    const dataDir = temporaryDirectory();
    const run = await fixture(dataDir, '0', 'Fixture-unknown');
    expect(await run.exited).toBe(1);
    expect(run.output().trim().split('\n').at(-1)).toMatch(
      /^Oddity in Fixture-unknown is of type AWS::Kinesis::Stream, which/,
    );
    expect(run.output()).not.toContain('Starting DynamoDB Local');
    await gone(dataDir);
  });

  it('says in one sentence that an event source may not be polled', async () => {
    const assembly = await changedAssembly((template) =>
      template.replaceAll('dynamodb:GetRecords', 'dynamodb:ListTables'),
    );
    const run = command([
      join('test', 'support', 'local-fixture', 'run.ts'),
      assembly,
      temporaryDirectory(),
      '--in-memory',
    ]);
    expect(await run.exited).toBe(1);
    expect(run.output()).toMatch(/cannot poll: Relay is not authorized to perform dynamodb:GetRecords on arn:/);
  });

  it('says in one sentence that Java is missing', async () => {
    const run = command(
      [join('test', 'support', 'local-fixture', 'run.ts'), await fixtureAssembly(), temporaryDirectory()],
      { ...process.env, PATH: temporaryDirectory() },
    );
    expect(await run.exited).toBe(1);
    expect(run.output().trim().split('\n').at(-1)).toMatch(
      /^DynamoDB Local needs Java, but none was found: install Java 17/,
    );
  });

  it('refuses a wrong option in one sentence', async () => {
    const run = command([join('local', 'main.ts'), '--port', 'http']);
    expect(await run.exited).toBe(1);
    expect(run.output()).toContain('--port http is not a valid port. Use a number from 0 to 65535.');
    expect(run.output()).not.toContain('    at ');
  });

  it('explains itself', async () => {
    const run = command([join('local', 'main.ts'), '--help']);
    expect(await run.exited).toBe(0);
    for (const option of ['--port', '--stage', '--reset', '--data-dir', '--verbose', '--endpoint-url']) {
      expect(run.output()).toContain(option);
    }
  });
});
