import type { IpFacts } from '../../shared/domain/ip/ip-table';
import { loadIntelligence } from '../../shared/runtime/intelligence-file';
import { randomDraws } from '../../training/simulation/random-draws';
import { addressBook, BY_NETWORK } from '../../training/simulation/world';
import { inProcess } from './in-process';
import type { RunResult } from './outcome';
import { type SimulateOptions, simulate } from './simulate';
import { STRATEGIES } from './strategies';
import type { Target } from './target';

export interface PlayOptions extends Pick<SimulateOptions, 'strategies' | 'people' | 'seed' | 'onStep'> {
  readonly ips: { lookup(ip: string): IpFacts | undefined };
  readonly target: Target;
  readonly directory: string;
}

export const playInProcess = (directory: string, people: number, seed: number): Promise<RunResult> =>
  playAll({
    ...{ directory, people, seed, strategies: STRATEGIES },
    target: inProcess(directory),
    ips: loadIntelligence(directory),
  });

/**
 * Plays all strategies among the same honest people; poisoning by itself and in this process, because a promoted model
 * would decide about everybody else.
 */
export async function playAll(options: PlayOptions): Promise<RunResult> {
  const { ips, directory, seed, strategies } = options;
  const addresses = addressBook(randomDraws(seed), ips, BY_NETWORK);
  const together = strategies.filter(({ needsRival }) => !needsRival);
  const { honest, outcomes } = await simulate({ ...options, addresses, strategies: together });
  const alone = strategies.filter(({ needsRival }) => needsRival);
  const others: RunResult[] = [];
  for (const strategy of alone) {
    others.push(await simulate({ target: inProcess(directory), addresses, strategies: [strategy], people: 0, seed }));
  }
  return { honest, outcomes: [...outcomes, ...others.flatMap((run) => run.outcomes)] };
}
