import { join } from 'node:path';
import { inAThread } from '../../../support/in-a-thread';
import { IS_FULL } from '../../../support/sized';
import type { Honest, Poison, Poisoning, Scene } from './poisoned-world';

/*
 * One account labels to harm the others: its own custom attribute, ordinary attempts, everything turned round, or false
 * labels among true ones. What the others get is compared with what they would get without it.
 */
const poisoning = (scene: Scene): Promise<Poisoning> =>
  inAThread(join(__dirname, 'poisoned-world.ts'), 'poisoning', scene);

jest.setTimeout(900_000);

// What bounds an account is relative: more labels move nobody further, they only take longer to train on.
const SIZES = IS_FULL ? [660, 5_000, 50_000] : [660];
const POISONS: readonly Poison[] = ['rival', 'ordinary', 'turned', 'half_true', 'mostly_true', 'night', 'sleeper'];
const SCENES: ReadonlyArray<readonly [Honest, Poison]> = IS_FULL
  ? ([0, 1, 5] as const).flatMap((honest) => POISONS.map((poison) => [honest, poison] as const))
  : [[1, 'half_true']];

describe.each(SIZES)('%i labels of one account', (labels) => {
  it.each(SCENES)('move nobody else, where %i others label: %s', async (honest, poison) => {
    const found = await poisoning({ honest, poison, labels, rounds: IS_FULL ? 4 : 2 });
    if (IS_FULL) process.stdout.write(`      ${JSON.stringify(found)}\n`);
    expect(found.points_moved).toBeLessThanOrEqual(3);
    // Neither anybody who was allowed nor anybody who was under review.
    expect(found.turned_to_block).toBe(0);
  });
});
