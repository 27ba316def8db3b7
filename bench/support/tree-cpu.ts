import { readdirSync, readFileSync } from 'node:fs';

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
