import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FunctionConfig } from './function-config';

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
  let settle: ((outcome: InvocationOutcome) => void) | undefined;
  let whenReady: (() => void) | undefined;

  const finish = (outcome: InvocationOutcome): void => {
    const waiting = settle;
    settle = undefined;
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
    if (fatal || settle) onOutput(`${JSON.stringify({ level: 'ERROR', message: 'the function died', ...error })}\n`);
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
        settle = (outcome) => {
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
