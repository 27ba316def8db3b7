import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SNSClient } from '@aws-sdk/client-sns';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { UsageError } from '../../shared/cli/command-line';
import type { Stage } from '../../shared/domain/stage';
import { type AdminWiring, adminWiring, localClient, stageAddress } from '../../shared/runtime/admin-wiring';
import { findAddress } from '../admin/target';
import { awsOperator } from './aws-operator';
import { CheckFailure, must, type Operator, request, type SeenAlarm, type Until, untilBy } from './check';

interface LocalRunFacts {
  readonly stackName: string;
  readonly dataDir: string;
  readonly outputs: Readonly<Record<string, string>>;
}

const METRIC_DELAY_MS = 20_000;

/** A local run's description of itself; undefined if the URL is not one. */
export async function localRunAt(url: string): Promise<LocalRunFacts | undefined> {
  const { status, json } = await request('GET', `${url}/_local/run`);
  return status === 200 && json?.dataDir ? (json as LocalRunFacts) : undefined;
}

export function localOperator(url: string): Operator {
  const read = async (path: string, method = 'GET') => {
    const { status, json, text } = await request(method, `${url}/_local/${path}`);
    must(status === 200 && json !== undefined, `/_local/${path} answered ${status}: ${text.slice(0, 200)}`);
    return json;
  };
  return {
    where: 'local run',
    metricDelayMs: METRIC_DELAY_MS,
    outputs: async () => (await read('run')).outputs,
    async runSchedules() {
      const names: string[] = await read('schedules');
      const runs = names.map(async (name) => {
        const outcomes: { ok: boolean; error?: { errorMessage: string } }[] = await read(
          `schedules/${encodeURIComponent(name)}`,
          'POST',
        );
        const failed = outcomes.find(({ ok }) => !ok);
        return { name, error: failed && (failed.error?.errorMessage ?? 'no reason given') };
      });
      return Promise.all(runs);
    },
    async metricsSince(names, sinceMs) {
      const counts: Record<string, number> = await read(`metrics?since=${sinceMs}`);
      return new Set(names.filter((name) => (counts[name] ?? 0) > 0));
    },
    async invocationsSince(sinceMs) {
      const counts: Record<string, number> = await read(`functions?since=${sinceMs}`);
      return new Map(Object.entries(counts));
    },
    alarms: async () =>
      (await read('alarms')).map(({ name, state, description }: SeenAlarm) => ({ name, state, description })),
    testPage: async () => undefined,
    async denials() {
      const all: { function: string; action: string; resource: string; missing: string }[] = await read('denials');
      return all.map(({ function: name, action, missing }) => `${name} may not ${action}. Missing grant: ${missing}`);
    },
  };
}

/** The stage under test, and the parts of it that are within reach. */
export interface Subject {
  readonly description: string;
  readonly url: string;
  readonly consoleUrl: string | undefined;
  readonly admin: AdminWiring | undefined;
  readonly operator: Operator | undefined;
  readonly until: Until;
}

const AWS_LOOK_MS = 2_000;
const LOCAL_LOOK_MS = 200;
/** Training may take a quarter of an hour. */
const LONGEST_FUNCTION_MS = 15 * 60_000;

const patiently = (everyMs: number): Until => untilBy(everyMs, Date.now, delay);

export async function stageInAws(stage: Stage): Promise<Subject> {
  const { description, outputs, ...address } = await findAddress(stage, true);
  const until = patiently(AWS_LOOK_MS);
  const requestHandler = new NodeHttpHandler({ requestTimeout: LONGEST_FUNCTION_MS });
  return {
    description,
    url: outputs.ApiUrl ?? '',
    consoleUrl: outputs.ConsoleUrl,
    admin: adminWiring(stage, address),
    operator: awsOperator({
      stage,
      outputs,
      until,
      now: Date.now,
      cloudFormation: new CloudFormationClient({}),
      cloudWatch: new CloudWatchClient({}),
      // A second invocation would only run the same sweep again, at the price of twice the wait.
      lambda: new LambdaClient({ requestHandler, maxAttempts: 1 }),
      sns: new SNSClient({}),
    }),
    until,
  };
}

function runFileIn(dataDir: string): Parameters<typeof localClient>[0] {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'));
  } catch (error) {
    throw new UsageError(`The local run's directory cannot be read: ${(error as Error).message}`);
  }
}

/** The stage at a URL; a local run offers the same as a stage in AWS. */
export async function stageAt(url: string, stage: Stage, consoleUrl: string | undefined): Promise<Subject> {
  if (!/^https?:\/\/./.test(url))
    throw new UsageError(`--url ${url} is not a URL: give one like http://localhost:3000.`);
  const base = url.replace(/\/+$/, '');
  const local = await localRunAt(base).catch((error: unknown) => {
    throw error instanceof CheckFailure
      ? new UsageError(`${error.message}. Is it running, and is --url right?`)
      : error;
  });
  if (!local) {
    const until = patiently(AWS_LOOK_MS);
    return { description: base, url: base, consoleUrl, admin: undefined, operator: undefined, until };
  }
  const hasConsole = local.outputs.ConsoleUrl !== undefined;
  return {
    description: `local run ${local.stackName} at ${base}`,
    url: base,
    consoleUrl: consoleUrl ?? (hasConsole ? `${base}/console/` : undefined),
    admin: adminWiring(stage, stageAddress(local.outputs, localClient(runFileIn(local.dataDir)))),
    operator: localOperator(base),
    until: patiently(LOCAL_LOOK_MS),
  };
}
