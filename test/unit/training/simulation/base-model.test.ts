import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ModelArtefact } from '../../../../shared/domain/models/model-artefact';
import { loadBaseModel } from '../../../../shared/runtime/base-model-file';
import { historyBuilder } from '../../../../training/replay/history';
import { FRAUDS } from '../../../../training/simulation/frauds';
import { simulateTraffic } from '../../../../training/simulation/simulate-traffic';
import { inAThread } from '../../../support/machine/in-a-thread';
import { patient } from '../../../support/patience';
import { sized } from '../../../support/sized';
import { botShop } from '../../../support/traffic/bot-shop';
import { busyRegistrations } from '../../../support/traffic/busy-registrations';
import { categoryCards } from '../../../support/traffic/category-cards';
import type { TrafficLine } from '../../../support/traffic/random-traffic';
import { terminalCards } from '../../../support/traffic/terminal-cards';
import { ips } from './unlabelled-ranking';

jest.setTimeout(patient(150_000));

const base = loadBaseModel(join(__dirname, '../../../../shared/runtime')) as ModelArtefact;
const ranking = (lines: readonly TrafficLine[], model: ModelArtefact | undefined): Promise<number> =>
  inAThread(join(__dirname, 'unlabelled-ranking.ts'), 'unlabelledRanking', lines, model);

describe('the model that ships', () => {
  it('is small, was made from simulated traffic, and only nudges', () => {
    expect(base.version).toMatch(/^base-[0-9a-f]{10}$/);
    expect(base.card.source).toBe('simulation');
    expect(base.calibration.role).toBe('nudge');
    expect(readFileSync(join(__dirname, '../../../../shared/runtime/base-model.bin')).length).toBeLessThan(40_000);
  });

  it('moves each of its features in one direction only', () => {
    expect(base.forest.featureNames.filter((name) => base.card.monotone[name] === undefined)).toEqual([]);
  });

  // One kind, half of it, shows that it still nudges the right way; all of them by `npm run test:soak`.
  const unseen: readonly (readonly [string, () => TrafficLine[]])[] = [
    ['cards with categories', () => categoryCards(sized(40, 20), 60)],
    ['registrations where signals mislead', () => busyRegistrations(1_500)],
    ['terminal cards', () => terminalCards(60, 80, 40)],
    ['a shop with a bot wave', () => botShop(1_000, 100)],
  ];
  it.each(unseen.slice(0, sized(4, 1)))(
    'ranks %s, which it was not made for, at least as well as signals alone',
    async (_, make) => {
      const lines = make();
      expect(await ranking(lines, base)).toBeGreaterThanOrEqual((await ranking(lines, undefined)) - 0.001);
    },
  );

  const sample = process.env.HISTORY_SAMPLE ?? '';
  (existsSync(sample) ? it : it.skip)('and a public history, where HISTORY_SAMPLE names one (.jsonl.gz)', async () => {
    const lines = gunzipSync(readFileSync(sample)).toString().trim().split('\n').slice(0, 40_000);
    const judged = lines.map((line) => JSON.parse(line) as TrafficLine);
    expect(await ranking(judged, base)).toBeGreaterThanOrEqual((await ranking(judged, undefined)) - 0.001);
  });
});

describe('simulated traffic', () => {
  const lines = simulateTraffic(60, 3, ips);

  it('is the same for a seed, in the order of time, and has every kind of fraud', () => {
    expect(simulateTraffic(60, 3, ips)).toEqual(lines);
    expect(lines.map(({ t }) => t)).toEqual(lines.map(({ t }) => t).sort((a, b) => a - b));
    expect(Object.keys(FRAUDS).length).toBeGreaterThanOrEqual(8);
    const fraud = lines.filter(({ label }) => label === 1).length;
    expect(fraud / lines.length).toBeGreaterThan(0.01);
    expect(simulateTraffic(60, 4, ips)).not.toEqual(lines);
  });

  it('can be screened as it is', () => {
    const builder = historyBuilder();
    lines.forEach((line, i) => {
      builder.add(i, line);
    });
    expect(builder.finish().length).toBe(lines.length);
  });
});
