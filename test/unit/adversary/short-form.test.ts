import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BOUNDS, falsePositives, faultsOf, MOST_FALSE_POSITIVES } from '../../../bench/adversary/bounds';
import type { RunResult } from '../../../bench/adversary/outcome';
import { STRATEGIES } from '../../../bench/adversary/strategies';
import { compileIntelligence } from '../../../lib/bundling/compile-intelligence';
import { BASE_MODEL_FILE } from '../../../shared/runtime/base-model-file';
import { INTELLIGENCE_FILE } from '../../../shared/runtime/intelligence-file';
import { inAThread } from '../../support/machine/in-a-thread';
import { patient } from '../../support/patience';
import { sized } from '../../support/sized';

jest.setTimeout(patient(150_000));

const ROOT = join(__dirname, '../../..');
// Attackers and their victims are the same in both forms; a tenth of the people still has every kind in it.
const PEOPLE = sized(3_000, 150);
const SEED = 1;

describe(`the adversary, beside ${PEOPLE} honest people`, () => {
  const directory = mkdtempSync(join(tmpdir(), 'adversary-'));
  let result: RunResult;

  beforeAll(async () => {
    compileIntelligence(join(directory, INTELLIGENCE_FILE));
    copyFileSync(join(ROOT, 'shared/runtime', BASE_MODEL_FILE), join(directory, BASE_MODEL_FILE));
    const file = join(ROOT, 'bench/adversary/play-all.ts');
    result = await inAThread<RunResult>(file, 'playInProcess', directory, PEOPLE, SEED);
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('played every strategy', () => {
    expect(result.outcomes.map(({ strategy }) => strategy)).toEqual(STRATEGIES.map(({ name }) => name));
    for (const { attempts } of result.outcomes) expect(attempts).toBeGreaterThan(0);
  });

  it.each(Object.keys(BOUNDS))('%s gets no more than its bound', (name) => {
    const outcome = result.outcomes.find(({ strategy }) => strategy === name);
    expect(outcome && faultsOf(outcome)).toEqual([]);
  });

  it(`stops at most ${100 * MOST_FALSE_POSITIVES}% of the honest attempts`, () => {
    expect(result.honest.people).toBeGreaterThan(PEOPLE);
    expect(falsePositives(result.honest)).toBeLessThanOrEqual(MOST_FALSE_POSITIVES);
  });
});
