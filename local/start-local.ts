import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { LOCAL_ADMIN } from '../shared/runtime/local-credentials';
import { apiKeys } from './aws/api-gateway-keys';
import { athena } from './aws/athena';
import { type CallRecord, callRecord, type SeenCall } from './aws/call';
import { type Denial, denialList } from './aws/describe-call';
import { firehose } from './aws/firehose';
import { ADMIN, type CallingRole, listenFront } from './aws/front';
import { s3Conditions, s3Mirror } from './aws/s3-actions';
import { secretsManager } from './aws/secrets-manager';
import { warehouseBucket } from './aws/warehouse-bucket';
import { type Backends, startBackends } from './backends/start-backends';
import { type AwsMetrics, meterTableCalls, watchQueues } from './cloudwatch/aws-metrics';
import { cloudWatch } from './cloudwatch/cloudwatch';
import { type DataDirectory, openDataDirectory, writeJsonFile } from './data-directory';
import { eventSourceMapping, type Mapping, shareOut } from './events/mapping';
import { startQueuePoller } from './events/queue-poller';
import { type Schedules, schedules } from './events/schedules';
import { type Poller, startStreamPoller } from './events/stream-poller';
import { checkpoints, streamReader, type Waker, waker } from './events/stream-reader';
import { BUCKET_DEPLOYMENT, BUCKET_EMPTYING, consoleSite, distributionConfig } from './gateway/console-site';
import { errorCache } from './gateway/gateway-responses';
import { requestHandler } from './gateway/handle-request';
import { docsPages, get, json, type LocalPage } from './gateway/local-pages';
import { restApi } from './gateway/rest-api';
import { listenGateway } from './gateway/server';
import { type Roles, rolesOf } from './iam/roles';
import { functionConfig } from './lambda/function-config';
import {
  asynchronousInvocations,
  type FunctionClock,
  type Functions,
  functionClock,
  type InvocationOutcome,
  lambdaFunction,
  stoppableWait,
} from './lambda/lambda-function';
import { type LogListener, logs } from './lambda/logs';
import { serviceGrants } from './lambda/permissions';
import { localDoor } from './listen/certificates';
import type { LocalOptions } from './local-options';
import { type Provisioned, provision, saveMessages, tableKeys } from './provision/provision';
import { StartError } from './start-error';
import { loadAssembly } from './template/load-assembly';
import { resolveStacks, type Stacks } from './template/resolve-stack';

export interface PollerDeps {
  readonly stacks: Stacks;
  readonly functions: Functions;
  readonly roles: Roles;
  readonly backends: Backends;
  readonly data: DataDirectory;
  readonly provisioned: Provisioned;
  readonly metrics: Pick<AwsMetrics, 'iteratorAge'>;
  readonly calls: CallRecord;
  report(problem: string): void;
}

export interface Pollers extends Poller {
  wake(tableName: string): void;
}

export async function startPollers(deps: PollerDeps): Promise<Pollers> {
  const { stacks, functions, roles, backends, data, provisioned, report } = deps;
  const { region } = stacks.main;
  const urlOf = (arn: string): string | undefined => provisioned.queueUrls.get(arn.split(':').at(-1) ?? '');
  const wakers = new Map<string, Waker[]>();

  const sendToQueue = async (arn: string, body: string): Promise<void> => {
    await backends.fauxqs.call('AmazonSQS.SendMessage', { QueueUrl: urlOf(arn), MessageBody: body });
  };

  const stream = async (mapping: Mapping): Promise<Poller> => {
    const table = /:table\/([^/]+)\//.exec(mapping.sourceArn)?.[1] ?? '';
    const reader = await streamReader(backends.dynamodb, table, mapping.sourceArn, region);
    const own = waker();
    wakers.set(table, [...(wakers.get(table) ?? []), own]);
    return startStreamPoller({
      mapping,
      reader,
      checkpoints: checkpoints(data.checkpoints && join(data.checkpoints, `${mapping.id}.json`), reader.streamArn),
      waker: own,
      tableIsOld: provisioned.oldTables.has(table),
      sendToQueue,
      onBatch: (ageMs) => deps.metrics.iteratorAge(mapping.target.config.functionName, ageMs),
      report,
    });
  };

  const queues = stacks.ofType('AWS::SQS::Queue');
  const deadLettersOf = (arn: string): string | undefined => {
    const redrive = queues.find((queue) => queue.attribute('Arn') === arn)?.properties.RedrivePolicy;
    return (redrive as { readonly deadLetterTargetArn?: string } | undefined)?.deadLetterTargetArn;
  };
  const mappings = shareOut(
    stacks
      .ofType('AWS::Lambda::EventSourceMapping')
      .flatMap((resource) => eventSourceMapping(resource, { functions, roles, queues, calls: deps.calls }) ?? []),
  );
  const pollers: Poller[] = [];
  for (const mapping of mappings) {
    const queueUrl = urlOf(mapping.sourceArn);
    pollers.push(
      queueUrl
        ? startQueuePoller({
            mapping,
            client: backends.fauxqs,
            queueUrl,
            deadLettersUrl: urlOf(deadLettersOf(mapping.sourceArn) ?? ''),
            region,
            report,
          })
        : await stream(mapping),
    );
  }
  return {
    wake: (table) => {
      for (const own of wakers.get(table) ?? []) own.wake();
    },
    stop: async () => {
      await Promise.all(pollers.map((poller) => poller.stop()));
    },
  };
}

export interface LocalRun {
  readonly url: string;
  readonly awsEndpoint: string;
  /** The secret that callers of `awsEndpoint` derive their credentials from; new for each run. */
  readonly secret: string;
  readonly region: string;
  readonly stackName: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly dataDir: string;
  readonly logDir: string;
  readonly schedules: readonly string[];
  denials(): readonly Denial[];
  calls(): readonly SeenCall[];
  /** Calls back for every line the functions print; returns a function that stops it. */
  onLog(listener: LogListener): () => void;
  fireSchedule(name: string): Promise<readonly InvocationOutcome[]>;
  stop(): Promise<void>;
}

/**
 * `POST /_local/clock/86400000`: a day passes for every function, and the schedules that became due run before it answers.
 * With `?schedules=off` they miss that time, for who fires them one by one.
 */
const clockPage = (clock: FunctionClock, rules: Schedules): LocalPage => ({
  method: 'POST',
  path: /^clock\/(\d+)$/,
  answer: async ([ms], query) => {
    const nowMs = clock.advance(Number(ms));
    if (query.get('schedules') === 'off') rules.skip();
    else await rules.catchUp();
    return json({ now: new Date(nowMs).toISOString() });
  },
});

const STOP_GRACE_MS = 2_000;
const TABLES = ['AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table'] as const;

/** Undo steps, newest first: everything started is stopped, even if a later step of the start fails. */
function cleanup() {
  const steps: (() => Promise<void> | void)[] = [];
  let done: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    for (const step of steps.reverse()) await step();
  };
  return {
    add: (step: () => Promise<void> | void) => steps.push(step),
    run: (): Promise<void> => {
      done ??= run();
      return done;
    },
  };
}

/** Runs the synthesized stack on this machine; everything it starts is stopped by `stop()`. */
export async function startLocal(options: LocalOptions): Promise<LocalRun> {
  const undo = cleanup();
  try {
    return await start(options, undo);
  } catch (error) {
    await undo.run();
    throw error;
  }
}

async function start(options: LocalOptions, undo: ReturnType<typeof cleanup>): Promise<LocalRun> {
  const print = options.print ?? (() => undefined);
  const gateway = await listenGateway(options.port);
  undo.add(gateway.close);
  const data = openDataDirectory(options);
  undo.add(data.release);
  const front = await listenFront();
  const secret = randomBytes(32).toString('hex');
  undo.add(front.close);

  const readStacks = () => resolveStacks(loadAssembly(options.assembly, options.stackName), front.url);
  // A template that is already there and has a mistake is refused before anything slow starts.
  const known = options.synthesize ? undefined : readStacks();

  print(options.endpointUrl ? `Using ${options.endpointUrl}` : 'Starting DynamoDB Local and fauxqs');
  // Emulators need no template, so they start while the application is synthesized.
  const starting = startBackends(data, options);
  undo.add(() =>
    starting.then(
      (started) => started.stop(),
      () => undefined,
    ),
  );
  if (options.synthesize) {
    print('Synthesizing the application');
    await Promise.race([options.synthesize(), starting.then(() => new Promise<never>(() => undefined))]);
  }
  const stacks = known ?? readStacks();
  const { main } = stacks;
  const backends = (await starting).connect(main.region);

  const roles = rolesOf(stacks);
  const clock = options.virtualClock ? functionClock() : undefined;
  const output = logs(data.logs, print, options.verbose ?? false);
  undo.add(output.close);
  const watch = cloudWatch(stacks, clock?.now ?? Date.now, print);
  output.listen(watch.collect);
  // The local run itself does the work of these functions.
  const replaced = new Set(
    stacks.ofType(BUCKET_DEPLOYMENT, BUCKET_EMPTYING).map(({ properties }) => properties.ServiceToken),
  );
  const door = options.localWebhooks ? await localDoor(Date.now()) : {};
  const denials = denialList(print);
  const calls = callRecord();
  const callers = new Map<string, CallingRole>([[LOCAL_ADMIN, ADMIN]]);
  const functions = stacks.all.flatMap((stack) =>
    stack.resources
      .filter(({ type, attribute }) => type === 'AWS::Lambda::Function' && !replaced.has(attribute('Arn')))
      .map((resource) => {
        const plain = functionConfig(stack, resource, { awsEndpoint: front.url, secret }, data.inlineCode);
        const config = { ...plain, environment: { ...plain.environment, ...door }, clock: clock?.shared };
        const may = roles.get(config.roleArn);
        if (!may)
          throw new StartError(`${config.logicalId} (AWS::Lambda::Function) has a role that is not in the template.`);
        const grants = serviceGrants(config, may, denials, calls);
        callers.set(config.logicalId, { name: config.name, may });
        const write = output.sink(config.name);
        const onOutput = (text: string): void => {
          if (grants.mayLog()) write(text);
        };
        const measured = watch.listener(config.functionName);
        const onStart = (running: number): void => {
          // Lambda writes its own lines for every invocation, regardless of the function's output.
          grants.mayLog();
          measured.onStart(running);
        };
        const listener = { onOutput, ...measured, onStart };
        return lambdaFunction(config, listener, options.concurrencyPerFunction, options.crash);
      }),
  );
  const byReference = new Map(
    functions.flatMap(
      (lambda) =>
        [
          [lambda.config.arn, lambda],
          [lambda.config.functionName, lambda],
        ] as const,
    ),
  );
  const stopFunctions = async (): Promise<void> => {
    await Promise.all(functions.map((lambda) => lambda.stop()));
  };
  undo.add(stopFunctions);

  print('Creating tables, queues, buckets and secrets');
  const secrets = secretsManager(data.secrets);
  const planIds = new Set(stacks.ofType('AWS::ApiGateway::UsagePlan').map(({ ref }) => ref));
  const keys = apiKeys(data.apiKeys, (planId) => planIds.has(planId));
  const mirror = backends.ours ? s3Mirror(data.objects, backends.fauxqs) : undefined;
  const provisioned = await provision({ stacks, backends, secrets, keys, mirror, data });
  const { queueUrls } = provisioned;
  if (backends.ours) undo.add(() => saveMessages(backends.fauxqs, queueUrls.keys(), data.messages));

  const keysByTable = new Map(stacks.ofType(...TABLES).map((table) => [table.ref, tableKeys(table)]));
  const patience = stoppableWait();
  undo.add(patience.stop);
  const invokeLater = asynchronousInvocations(stacks.ofType('AWS::Lambda::EventInvokeConfig'), patience.wait, print);
  const rules = schedules(stacks, byReference, invokeLater, { report: print, now: clock?.now ?? Date.now });
  const api = restApi(stacks, byReference, clock?.now ?? Date.now, { file: data.deployment, print });
  const pollers = await startPollers({
    stacks,
    functions: byReference,
    roles,
    backends,
    data,
    provisioned,
    metrics: watch.metrics,
    calls,
    report: print,
  });
  const warehouse = firehose(stacks, data.warehouse, clock?.now ?? Date.now);
  undo.add(warehouse.stop);
  const bucketOfWarehouse = main.outputs.WarehouseBucket;
  front.serve({
    region: main.region,
    account: main.account,
    secrets,
    keys,
    firehose: warehouse,
    athena: athena(stacks, data.warehouse, (name, part) => `arn:aws:${name}:${main.region}:${main.account}:${part}`),
    warehouse: bucketOfWarehouse ? { bucket: bucketOfWarehouse, answer: warehouseBucket(data.warehouse) } : undefined,
    denials,
    calls,
    callers,
    secret,
    mirror,
    whenConditionHolds: s3Conditions(backends.fauxqs),
    intercept: meterTableCalls(watch.metrics, options.intercept),
    backends: { dynamodb: backends.dynamodb, sqs: backends.fauxqs, s3: backends.fauxqs },
    keysOf: (table) => keysByTable.get(table),
    queueUrls,
    onWrite: pollers.wake,
  });
  undo.add(watchQueues(backends.fauxqs, queueUrls, watch.metrics));

  undo.add(async () => {
    rules.stop();
    // A batch in flight may finish; one that hangs is killed with its function and repeated at the next start.
    const ended = pollers.stop();
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, STOP_GRACE_MS).unref())]);
    await stopFunctions();
    await ended;
  });

  const pages: readonly LocalPage[] = [
    get(/^health$/, () => json({ status: 'ok', stack: main.stackName, pid: process.pid })),
    // Not the secret that run.json holds: that is for those who may read the directory.
    get(/^run$/, () => json({ stackName: main.stackName, dataDir: data.root, outputs: main.outputs })),
    get(/^denials$/, () => json(denials.list())),
    get(/^calls$/, () => json(calls.list())),
    ...(clock ? [clockPage(clock, rules)] : []),
    ...watch.pages,
    ...docsPages(),
    get(/^schedules$/, () => json(rules.names)),
    {
      method: 'POST',
      path: /^schedules\/(.+)$/,
      answer: async ([name = '']) => {
        try {
          const outcomes = await rules.fire(name);
          return outcomes ? json(outcomes) : json({ message: `No such schedule: ${name}`, known: rules.names }, 404);
        } catch (error) {
          return json({ message: (error as Error).message }, 409);
        }
      },
    },
  ];
  const noApi = async () => ({ status: 404, headers: {}, body: Buffer.from('This stack has no REST API.\n') });
  gateway.serve({
    api: watch.timed(api ? requestHandler(api, stacks, keys) : noApi),
    pages,
    site: consoleSite(stacks),
    // As CloudFront stands between the page and the API.
    throughDistribution: errorCache(distributionConfig(stacks)),
  });
  rules.start();

  const run: LocalRun = {
    url: gateway.url,
    awsEndpoint: front.url,
    secret,
    region: main.region,
    stackName: main.stackName,
    outputs: main.outputs,
    dataDir: data.root,
    logDir: data.logs,
    schedules: rules.names,
    denials: denials.list,
    calls: calls.list,
    onLog: output.listen,
    fireSchedule: (name) => rules.fire(name) ?? Promise.reject(new Error(`no such schedule: ${name}`)),
    stop: undo.run,
  };
  writeJsonFile(data.run, {
    url: run.url,
    awsEndpoint: run.awsEndpoint,
    secret,
    region: run.region,
    stackName: run.stackName,
    tableName: stacks.ofType(...TABLES)[0]?.ref,
    usagePlanId: [...planIds][0],
    outputs: run.outputs,
    pid: process.pid,
    startedAt: new Date().toISOString(),
  });
  return run;
}
