import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type LocalOptions, synthesize } from '../../../local/local-options';
import { type LocalRun, startLocal } from '../../../local/start-local';
import { localClient } from '../../../shared/runtime/admin-wiring';
import { patient } from '../patience';

const ROOT = join(__dirname, '..', '..', '..');

// jest takes `testTimeout` from the root of its configuration only, and a start needs seconds on a busy machine.
jest.setTimeout(patient(30_000));

/** A separate directory for one test, within that of the shared run, which goes when all tests have ended. */
export const temporaryDirectory = (): string =>
  mkdtempSync(join(process.env.LOCAL_RUN_DIR ?? tmpdir(), 'local-fixture-'));

function sourceHash(): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const directory of [__dirname, join(__dirname, 'handlers')]) {
    for (const name of readdirSync(directory).sort()) {
      if (name.endsWith('.ts')) hash.update(name).update(readFileSync(join(directory, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/** The synthesized fixture; synthesized once for all test files, again when its sources change. */
export async function fixtureAssembly(): Promise<string> {
  const assembly = join(tmpdir(), `local-fixture-assembly-${sourceHash()}`);
  if (existsSync(assembly)) return assembly;
  const outdir = temporaryDirectory();
  await synthesize({ app: join(__dirname, 'app.ts'), outdir, root: ROOT });
  try {
    renameSync(outdir, assembly);
  } catch {
    // Another test file was faster.
    rmSync(outdir, { recursive: true });
  }
  return assembly;
}

/** Starts the fixture on free ports with fresh data, unless told otherwise. */
export async function startFixture(options: Partial<LocalOptions> = {}): Promise<LocalRun> {
  const assembly = await fixtureAssembly();
  return startLocal({ assembly, stackName: 'Fixture-main', dataDir: temporaryDirectory(), port: 0, ...options });
}

/** A copy of the fixture with a changed main template. */
export async function changedAssembly(change: (template: string) => string): Promise<string> {
  const copy = temporaryDirectory();
  cpSync(await fixtureAssembly(), copy, { recursive: true });
  const path = join(copy, 'Fixture-main.template.json');
  writeFileSync(path, change(readFileSync(path, 'utf8')));
  return copy;
}

/** Polls until `read` gives something, and fails after the deadline. */
export async function eventually<T>(read: () => Promise<T | undefined>, withinMs = 10_000): Promise<T> {
  const deadline = Date.now() + patient(withinMs);
  while (true) {
    const value = await read();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error(`it did not happen within ${patient(withinMs)} ms`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** SDK clients of the administrator, for looking into tables and queues from outside. */
export function administrator(run: LocalRun) {
  const config = { ...localClient(run), region: run.region };
  const dynamodb = new DynamoDBClient(config);
  const sqs = new SQSClient(config);
  return {
    config,
    dynamodb,
    sqs,
    item: async (pk: string) => {
      const input = { TableName: run.outputs.TableName, Key: { pk: { S: pk } }, ConsistentRead: true };
      return (await dynamodb.send(new GetItemCommand(input))).Item;
    },
    /** Bodies of the messages that are in a queue now. */
    receive: async (QueueUrl: string | undefined): Promise<readonly string[]> => {
      const { Messages: messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
      );
      return messages.map(({ Body: body = '' }) => body);
    },
  };
}
