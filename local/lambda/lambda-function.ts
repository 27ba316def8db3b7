import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { StackResource } from '../template/resolve-stack';
import type { FunctionConfig } from './function-config';
import { type Lineage, lineageText, nextLineage } from './logs';

export interface FunctionFailure {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

export type InvocationOutcome =
  | { readonly ok: true; readonly payload: string }
  | { readonly ok: false; readonly error: FunctionFailure };

export interface Invocation {
  readonly event: string;
  readonly requestId: string;
  readonly traceId: string;
}

interface Message {
  readonly log?: string;
  readonly ready?: true;
  readonly result?: string;
  readonly failure?: FunctionFailure;
  readonly fatal?: FunctionFailure;
}

/** One execution environment: a thread that holds the loaded bundle. */
export interface Environment {
  /** False once the thread has died or is being killed: it must not be used again. */
  alive(): boolean;
  invoke(invocation: Invocation): Promise<InvocationOutcome>;
  stop(): Promise<void>;
}

export interface EnvironmentListener {
  onOutput(text: string): void;
  /** An invocation ended; its time does not include loading the bundle, as Lambda's `Duration` does not. */
  onEnd?(durationMs: number, ok: boolean): void;
}

export function startEnvironment(config: FunctionConfig, { onOutput, onEnd }: EnvironmentListener): Environment {
  const worker = new Worker(join(__dirname, 'worker.cjs'), {
    execArgv: [],
    env: { ...config.environment },
    resourceLimits: { maxOldGenerationSizeMb: config.memoryMb },
    workerData: {
      taskRoot: config.taskRoot,
      handlerName: config.handler,
      clock: config.clock,
      context: {
        functionName: config.functionName,
        functionVersion: '$LATEST',
        invokedFunctionArn: config.arn,
        memoryLimitInMB: String(config.memoryMb),
        logGroupName: `/aws/lambda/${config.functionName}`,
        logStreamName: 'local',
      },
    },
  });
  let alive = true;
  let isReady = false;
  let fatal: FunctionFailure | undefined;
  let conclude: ((outcome: InvocationOutcome) => void) | undefined;
  let whenReady: (() => void) | undefined;

  const finish = (outcome: InvocationOutcome): void => {
    const waiting = conclude;
    conclude = undefined;
    waiting?.(outcome);
  };

  worker.on('message', (message: Message) => {
    if (message.log !== undefined) onOutput(message.log);
    else if (message.ready) {
      isReady = true;
      whenReady?.();
    } else if (message.result !== undefined) finish({ ok: true, payload: message.result });
    else if (message.failure) {
      onOutput(`${JSON.stringify({ level: 'ERROR', message: 'Invoke Error', ...message.failure })}\n`);
      finish({ ok: false, error: message.failure });
    } else if (message.fatal) fatal = message.fatal;
  });
  worker.on('error', (error) => {
    fatal ??= { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
  });
  worker.on('exit', () => {
    alive = false;
    const error = fatal ?? { errorType: 'Runtime.ExitError', errorMessage: 'Runtime exited before it answered' };
    if (fatal || conclude) onOutput(`${JSON.stringify({ level: 'ERROR', message: 'the function died', ...error })}\n`);
    finish({ ok: false, error });
  });

  const expire = (seconds: number): void => {
    alive = false;
    const errorMessage = `Task timed out after ${seconds.toFixed(2)} seconds`;
    onOutput(`${JSON.stringify({ level: 'ERROR', message: errorMessage })}\n`);
    finish({ ok: false, error: { errorType: 'Sandbox.Timedout', errorMessage } });
    void worker.terminate();
  };

  return {
    alive: () => alive,
    invoke: (invocation) =>
      new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined;
        let startedAt: number | undefined;
        conclude = (outcome) => {
          clearTimeout(timer);
          onEnd?.(startedAt === undefined ? 0 : performance.now() - startedAt, outcome.ok);
          resolve(outcome);
        };
        // Loading the bundle has its own limit, as in Lambda; the function's time limit starts with the event.
        const begin = (): void => {
          clearTimeout(timer);
          startedAt = performance.now();
          const deadlineMs = Date.now() + config.stopAfterSeconds * 1_000;
          timer = setTimeout(() => expire(config.stopAfterSeconds), config.stopAfterSeconds * 1_000);
          worker.postMessage({ ...invocation, deadlineMs });
        };
        if (isReady) begin();
        else {
          timer = setTimeout(() => expire(config.initLimitMs / 1_000), config.initLimitMs);
          whenReady = begin;
        }
        if (!alive)
          finish({ ok: false, error: fatal ?? { errorType: 'Runtime.ExitError', errorMessage: 'Runtime exited' } });
      }),
    stop: async () => {
      alive = false;
      await worker.terminate();
    },
  };
}

/**
 * The clock that functions use, ahead of this machine's by an offset that a test can increase: a single request makes
 * seven days pass. One number in shared memory, so every environment of every function sees the same time at once.
 */
export interface FunctionClock {
  readonly shared: SharedArrayBuffer;
  now(): number;
  advance(ms: number): number;
}

export function functionClock(): FunctionClock {
  const shared = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  const offset = new Float64Array(shared);
  const now = (): number => Date.now() + (offset[0] ?? 0);
  return {
    shared,
    now,
    advance: (ms) => {
      offset[0] = (offset[0] ?? 0) + ms;
      return now();
    },
  };
}

export type Wait = (ms: number) => Promise<boolean>;

/** A function that can be invoked: environments start when needed and stay warm. */
export interface LambdaFunction {
  readonly config: FunctionConfig;
  readonly limit: number;
  /** `lineages`: those of the events that led here, where AWS tracks one. */
  invoke(event: unknown, lineages?: readonly Lineage[]): Promise<InvocationOutcome>;
  stop(): Promise<void>;
}

export const DEFAULT_CONCURRENCY = 6;

/** The seam for crashes: after how many milliseconds this run of a function is killed; undefined lets it live. */
export type Crash = (functionName: string) => number | undefined;

/** For a synchronous event, and for the function's response. */
const MAX_PAYLOAD_BYTES = 6 * 1_024 * 1_024;

const tooLarge = (errorType: string, what: string, bytes: number): InvocationOutcome => ({
  ok: false,
  error: { errorType, errorMessage: `${what} of ${bytes} bytes exceeds the ${MAX_PAYLOAD_BYTES} bytes of Lambda` },
});

const traceId = (): string => {
  const root = `1-${Math.floor(Date.now() / 1_000).toString(16)}-${randomBytes(12).toString('hex')}`;
  return `Root=${root};Parent=${randomBytes(8).toString('hex')};Sampled=0`;
};

/** At most `limit` environments, one invocation each at a time; further invocations wait their turn. */
export function lambdaFunction(
  config: FunctionConfig,
  listener: EnvironmentListener & { onStart?(running: number): void },
  limit = DEFAULT_CONCURRENCY,
  crash?: Crash,
): LambdaFunction {
  const idle: Environment[] = [];
  const all = new Set<Environment>();
  const waiting: ((environment: Environment) => void)[] = [];
  let stopped = false;
  let running = 0;

  const start = (): Environment => {
    const environment = startEnvironment(config, listener);
    all.add(environment);
    return environment;
  };

  const acquire = (): Environment | Promise<Environment> => {
    let candidate = idle.pop();
    while (candidate && !candidate.alive()) {
      all.delete(candidate);
      candidate = idle.pop();
    }
    if (candidate) return candidate;
    if (all.size < limit) return start();
    return new Promise((resolve) => waiting.push(resolve));
  };

  const release = (environment: Environment): void => {
    if (!environment.alive()) all.delete(environment);
    const next = waiting.shift();
    if (next) next(environment.alive() ? environment : start());
    else if (environment.alive()) idle.push(environment);
  };

  const run = async (invocation: Invocation): Promise<InvocationOutcome> => {
    const environment = await acquire();
    running += 1;
    listener.onStart?.(running);
    const fuseMs = crash?.(config.name);
    const fuse = fuseMs === undefined ? undefined : setTimeout(() => void environment.stop(), fuseMs);
    try {
      return await environment.invoke(invocation);
    } finally {
      clearTimeout(fuse);
      running -= 1;
      release(environment);
    }
  };

  return {
    config,
    limit,
    invoke: async (event, lineages = []) => {
      if (stopped) {
        return { ok: false, error: { errorType: 'Stopped', errorMessage: 'the local run is stopping' } };
      }
      const text = JSON.stringify(event);
      const size = Buffer.byteLength(text);
      if (size > MAX_PAYLOAD_BYTES) return tooLarge('RequestEntityTooLargeException', 'an event', size);
      const lineage = lineageText(nextLineage(config.name, lineages));
      const outcome = await run({ event: text, requestId: randomUUID(), traceId: `${traceId()}${lineage}` });
      const answered = outcome.ok ? Buffer.byteLength(outcome.payload) : 0;
      return answered > MAX_PAYLOAD_BYTES ? tooLarge('Function.ResponseSizeTooLarge', 'an answer', answered) : outcome;
    },
    stop: async () => {
      stopped = true;
      await Promise.all([...all].map((environment) => environment.stop()));
    },
  };
}

/** Waits that end with the run: true after the time, false if it was stopped before. */
export function stoppableWait(): { readonly wait: Wait; stop(): void } {
  const waiting = new Set<() => void>();
  let stopped = false;
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        if (stopped) return resolve(false);
        const conclude = (): void => {
          clearTimeout(timer);
          waiting.delete(conclude);
          resolve(!stopped);
        };
        const timer = setTimeout(conclude, ms);
        timer.unref();
        waiting.add(conclude);
      }),
    stop: () => {
      stopped = true;
      for (const conclude of [...waiting]) conclude();
    },
  };
}

/** Lambda retries an asynchronous event twice, after one minute and after two. */
const DEFAULT_RETRIES = 2;
const WAITS_MS = [60_000, 120_000] as const;

interface ConfigProperties {
  readonly FunctionName: string;
  readonly Qualifier: string;
  readonly MaximumRetryAttempts?: number;
}

/** Invokes as EventBridge does: the caller gets the outcome of the first try, and retries follow on their own. */
export type InvokeAsynchronously = (
  target: LambdaFunction,
  targetArn: string,
  event: unknown,
) => Promise<InvocationOutcome>;

/** `AWS::Lambda::EventInvokeConfig` says how often, for a function and the alias that is called. */
export function asynchronousInvocations(
  configs: readonly StackResource[],
  wait: Wait,
  report: (problem: string) => void,
): InvokeAsynchronously {
  const retriesOf = ({ config }: LambdaFunction, arn: string): number => {
    const qualifier = arn.split(':')[7] ?? '$LATEST';
    const found = configs
      .map(({ properties }) => properties as unknown as ConfigProperties)
      .find(
        (each) =>
          [config.functionName, config.arn].includes(each.FunctionName) &&
          each.Qualifier.split(':').at(-1) === qualifier,
      );
    return found?.MaximumRetryAttempts ?? DEFAULT_RETRIES;
  };
  return async (target, arn, event) => {
    const retries = retriesOf(target, arn);
    const attempt = async (number: number): Promise<InvocationOutcome> => {
      const outcome = await target.invoke(event);
      if (outcome.ok || number > retries) return outcome;
      const again = async (): Promise<void> => {
        report(`${target.config.name} failed (${outcome.error.errorMessage}): retry ${number} of ${retries} follows`);
        if (await wait(WAITS_MS[number - 1] ?? 0)) await attempt(number + 1);
      };
      void again();
      return outcome;
    };
    return attempt(1);
  };
}

/** All functions of the stack, found by any of the names AWS uses for them. */
export type Functions = ReadonlyMap<string, LambdaFunction>;

/** The function behind an ARN or a name (without alias or version: they are the same here), or an integration URI. */
export function functionOf(functions: Functions, reference: string): LambdaFunction | undefined {
  const [, inUri] = /\/functions\/(arn:.+)\/invocations$/.exec(reference) ?? [];
  const whole = inUri ?? reference;
  const parts = whole.split(':');
  const unqualified = parts[0] === 'arn' ? parts.slice(0, 7).join(':') : parts[0];
  return functions.get(whole) ?? functions.get(unqualified ?? '');
}
