import { readdirSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Linux counts CPU time in ticks of 10 ms. */
const TICK_MS = 10;

interface ProcessStat {
  readonly parent: number;
  readonly cpuMs: number;
}

/** Of `/proc/<pid>/stat`: the parent, and the CPU time of all its threads. A name in brackets may contain anything. */
export function parseStat(text: string): ProcessStat {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), cpuMs: TICK_MS * (Number(fields[11]) + Number(fields[12])) };
}

function statOf(pid: number): ProcessStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // It has ended since the directory was listed.
    return undefined;
  }
}

/** CPU milliseconds that a process and its children have used so far; Linux only. */
export function treeCpuMs(root = process.pid): number {
  const all = new Map<number, ProcessStat>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    if (stat) all.set(Number(name), stat);
  }
  const isOurs = (pid: number): boolean => {
    for (let at = pid; at > 1; at = all.get(at)?.parent ?? 0) if (at === root) return true;
    return false;
  };
  return [...all].reduce((sum, [pid, { cpuMs }]) => sum + (isOurs(pid) ? cpuMs : 0), 0);
}

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
