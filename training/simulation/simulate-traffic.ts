import type { IpFacts } from '../../shared/domain/ip/ip-table';
import { FRAUD_PATTERNS } from './fraud-patterns';
import { honestPeople } from './honest-people';
import { randomDraws } from './random-draws';
import { newWorld, type SimulatedLine } from './world';

/** Three months of a fictional shop's traffic, in chronological order: honest populations and ten kinds of fraud. */
export function simulateTraffic(
  people: number,
  seed: number,
  ips: { lookup(ip: string): IpFacts | undefined },
): SimulatedLine[] {
  const world = newWorld(randomDraws(seed), ips);
  const honest = honestPeople(world, people);
  for (const [name, [pattern, perThousand]] of Object.entries(FRAUD_PATTERNS)) {
    const cases = Math.max(1, Math.round((perThousand * people) / 1000));
    for (let i = 0; i < cases; i++) pattern(world, honest, `${name}-${i}`);
  }
  return world.lines.sort((a, b) => a.t - b.t);
}
