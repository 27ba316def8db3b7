import { memoryStore } from '../../../../shared/store/memory/memory-store';
import { historyBuilder } from '../../../../training/replay/history';
import { replay } from '../../../../training/replay/replay';
import { simulateTraffic } from '../../../../training/simulation/simulate-traffic';
import { checkStrengths } from '../../../../training/strengths/check-strengths';
import { ips } from '../simulation/unlabelled-ranking';

/** The strengths checked on simulated traffic as it is, and with its labels turned round, where every strength is wrong. */
export async function simulatedStrengths(people: number, seed: number) {
  const builder = historyBuilder();
  simulateTraffic(people, seed, ips).forEach((line, i) => {
    builder.add(i, line);
  });
  const { rows } = await replay(builder.finish().lines(), { ips, store: memoryStore(), isPast: true }, () => undefined);
  const turned = rows.map((row) => ({ ...row, label: (1 - row.label) as 0 | 1 }));
  return { asIs: checkStrengths(rows), turned: checkStrengths(turned) };
}
