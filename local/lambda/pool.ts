import { randomBytes, randomUUID } from 'node:crypto';
import {
  type Environment,
  type EnvironmentListener,
  type Invocation,
  type Outcome,
  startEnvironment,
} from './environment';
import type { FunctionConfig } from './function-config';

/** A function that can be invoked: environments start when needed and stay warm. */
export interface LambdaFunction {
  readonly config: FunctionConfig;
  /** Where more is asked of it than it can do at once, `source`s take turns: in AWS each has environments of its own. */
  invoke(event: unknown, source?: string): Promise<Outcome>;
  stop(): Promise<void>;
}

export const DEFAULT_CONCURRENCY = 6;

/** The seam for crashes: after how many milliseconds this run of a function is killed; undefined lets it live. */
export type Crash = (functionName: string) => number | undefined;

const traceId = (): string => {
  const root = `1-${Math.floor(Date.now() / 1_000).toString(16)}-${randomBytes(12).toString('hex')}`;
  return `Root=${root};Parent=${randomBytes(8).toString('hex')};Sampled=0`;
};

/** Lines that are served in turn, each in its own order. */
function turns<Waiting>() {
  const lines = new Map<string, Waiting[]>();
  return {
    add(source: string, one: Waiting): void {
      lines.set(source, [...(lines.get(source) ?? []), one]);
    },
    next(): Waiting | undefined {
      const [served] = lines;
      if (!served) return undefined;
      const [source, [first, ...others]] = served;
      // A map keeps the order in which its keys came: this line is the last one now.
      lines.delete(source);
      if (others.length > 0) lines.set(source, others);
      return first;
    },
  };
}

/** At most `limit` environments, one invocation each at a time; further invocations wait their turn. */
export function lambdaFunction(
  config: FunctionConfig,
  listener: EnvironmentListener & { onStart?(running: number): void },
  limit = DEFAULT_CONCURRENCY,
  crash?: Crash,
): LambdaFunction {
  const idle: Environment[] = [];
  const all = new Set<Environment>();
  const waiting = turns<(environment: Environment) => void>();
  let stopped = false;
  let running = 0;

  const start = (): Environment => {
    const environment = startEnvironment(config, listener);
    all.add(environment);
    return environment;
  };

  const acquire = (source: string): Environment | Promise<Environment> => {
    let candidate = idle.pop();
    while (candidate && !candidate.alive()) {
      all.delete(candidate);
      candidate = idle.pop();
    }
    if (candidate) return candidate;
    if (all.size < limit) return start();
    return new Promise((resolve) => waiting.add(source, resolve));
  };

  const release = (environment: Environment): void => {
    if (!environment.alive()) all.delete(environment);
    const next = waiting.next();
    if (next) next(environment.alive() ? environment : start());
    else if (environment.alive()) idle.push(environment);
  };

  const run = async (invocation: Invocation, source: string): Promise<Outcome> => {
    const environment = await acquire(source);
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
    invoke: (event, source = '') => {
      if (stopped) {
        return Promise.resolve({
          ok: false,
          error: { errorType: 'Stopped', errorMessage: 'the local run is stopping' },
        });
      }
      return run({ event: JSON.stringify(event), requestId: randomUUID(), traceId: traceId() }, source);
    },
    stop: async () => {
      stopped = true;
      await Promise.all([...all].map((environment) => environment.stop()));
    },
  };
}
