import { readdirSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { parseStat, treeCpuMs } from './tree-cpu';

/** CPU milliseconds by what used them. */
export interface CpuShares {
  /** DynamoDB Local, in Java. */
  readonly java: number;
  /** The functions: a thread for each execution environment. */
  readonly functions: number;
  /** SQS and S3. */
  readonly queues: number;
  /** The gateway, the front of the emulators, the pollers, and the bench itself. */
  readonly front: number;
  /** Compilers and garbage collectors of all threads of Node. */
  readonly helpers: number;
}

function cpuMsOf(thread: number): number {
  try {
    return parseStat(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')).cpuMs;
  } catch {
    // It has ended since the directory was listed.
    return 0;
  }
}

const threads = (): number[] =>
  readdirSync('/proc/self/task')
    .map(Number)
    .sort((a, b) => a - b);

/** What Node itself starts on demand, it starts now: every thread that appears later is one of the local run's. */
export async function threadsOfNode(): Promise<ReadonlySet<number>> {
  await Promise.all(Array.from({ length: 32 }, () => stat('/proc/self')));
  return new Set(threads());
}

/** Splits the CPU time so far; Linux only. The local run starts SQS first, then an execution environment when needed. */
export function cpuShares(ofNode: ReadonlySet<number>): CpuShares {
  const [queues = 0, ...functions] = threads().filter((thread) => !ofNode.has(thread));
  const sum = (ids: readonly number[]): number => ids.reduce((total, id) => total + cpuMsOf(id), 0);
  const all = treeCpuMs();
  const own = parseStat(readFileSync('/proc/self/stat', 'utf8')).cpuMs;
  return {
    java: all - own,
    functions: sum(functions),
    queues: cpuMsOf(queues),
    front: cpuMsOf(process.pid),
    helpers: sum([...ofNode].filter((thread) => thread !== process.pid)),
  };
}

/** What was used between two moments, less what idling takes in that time, per event. */
export function sharesBetween(before: CpuShares, after: CpuShares, idle: CpuShares, events: number): CpuShares {
  const each = (name: keyof CpuShares): number => (after[name] - before[name] - idle[name]) / events;
  return {
    java: each('java'),
    functions: each('functions'),
    queues: each('queues'),
    front: each('front'),
    helpers: each('helpers'),
  };
}
