import type { IpFacts } from '../../../../shared/domain/ip/ip-table';
import { auc } from '../../../../shared/domain/models/evaluation/ranking-curve';
import type { ModelArtefact } from '../../../../shared/domain/models/model-artefact';
import { memoryStore } from '../../../../shared/store/memory/memory-store';
import { historyBuilder } from '../../../../training/replay/history';
import { type ReplayedLine, replay } from '../../../../training/replay/replay';
import type { TrafficLine } from '../../../support/traffic/random-traffic';

/** Addresses of every kind, by their first number: what the simulation needs to find some of each. */
export const ips = {
  lookup(ip: string): IpFacts {
    const first = Number(ip.slice(0, ip.indexOf('.')));
    const country = ['DE', 'FR', 'GB', 'US', 'ES', 'PL'][first % 6] as string;
    return { country, network: first % 10 === 0 ? 'hosting' : first % 4 === 0 ? 'mobile' : 'other' };
  },
};

/** AUC of all lines by a model, with no label ever told. */
export async function unlabelledRanking(
  lines: readonly TrafficLine[],
  model: ModelArtefact | undefined,
): Promise<number> {
  const builder = historyBuilder();
  lines.forEach((line, i) => {
    builder.add(i, { ...line, label: null });
  });
  const told: ReplayedLine[] = [];
  await replay(builder.finish().lines(), { ips, store: memoryStore(), model }, (line) => told.push(line));
  return auc(
    told.map(({ risk_score }) => risk_score),
    Uint8Array.from(told, ({ i }) => lines[i]?.label as number),
  );
}
