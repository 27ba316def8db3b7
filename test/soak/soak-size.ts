import { percentile as nearestRank } from '../../bench/support/measurement';
import { localRun } from '../support/local-run';

export { IS_FULL, sized } from '../support/sized';

/** A figure for whoever reads the output; time is asserted in full runs only, on a machine that does nothing else. */
export const printMeasurement = (text: string): void => void process.stdout.write(`      ${text}\n`);

/** The value that a share of all values does not exceed. */
export const percentile = (values: readonly number[], share: number): number =>
  nearestRank(
    [...values].sort((a, b) => a - b),
    100 * share,
  );

export const spread = (values: readonly number[]): string =>
  [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${Math.round(percentile(values, share))} ms`).join(', ');

/** Calls `run` so many times a second; resolves with what every call gave. */
export async function atRate<T>(perSecond: number, count: number, run: (index: number) => Promise<T>): Promise<T[]> {
  const started = performance.now();
  const calls: Promise<T>[] = [];
  for (let index = 0; index < count; index++) {
    const early = (index * 1_000) / perSecond - (performance.now() - started);
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    calls.push(run(index));
  }
  return Promise.all(calls);
}

/** Fires a schedule of the stack now. */
export async function fire(schedule: string): Promise<void> {
  const response = await fetch(`${localRun().url}/_local/schedules/${encodeURIComponent(schedule)}`, {
    method: 'POST',
  });
  const [result] = (await response.json()) as { ok: boolean }[];
  if (!response.ok || !result?.ok) throw new Error(`${schedule} failed`);
}
