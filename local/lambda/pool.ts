import { randomBytes, randomUUID } from 'node:crypto';
import {
  type Environment,
  type EnvironmentListener,
  type Invocation,
  type InvocationOutcome,
  startEnvironment,
} from './environment';
import type { FunctionConfig } from './function-config';
import { type Lineage, lineageText, nextLineage } from './logs';

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
        const settle = (): void => {
          clearTimeout(timer);
          waiting.delete(settle);
          resolve(!stopped);
        };
        const timer = setTimeout(settle, ms);
        timer.unref();
        waiting.add(settle);
      }),
    stop: () => {
      stopped = true;
      for (const settle of [...waiting]) settle();
    },
  };
}
