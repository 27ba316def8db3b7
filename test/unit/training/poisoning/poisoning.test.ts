import { join } from 'node:path';
import { inAThread } from '../../../support/machine/in-a-thread';
import { IS_FULL } from '../../../support/sized';
import type { Honest, Poison, Poisoning, Scene } from './poisoned-world';

/*
 * One account labels to harm the others: its own custom attribute, ordinary attempts, everything turned round, or false
 * labels among true ones. What the others get is compared with what they would get without it.
 */
const poisoning = (scene: Scene): Promise<Poisoning> =>
  inAThread(join(__dirname, 'poisoned-world.ts'), 'poisoning', scene);

jest.setTimeout(900_000);

// The bound on an account is relative: more labels move nobody further, they only take longer to train on.
const SIZES = IS_FULL ? [660, 5_000, 50_000] : [660];
const POISONS: readonly Poison[] = ['rival', 'ordinary', 'turned', 'half_true', 'mostly_true', 'night', 'sleeper'];
const SCENES: ReadonlyArray<readonly [Honest, Poison]> = IS_FULL
  ? ([0, 1, 5] as const).flatMap((honest) => POISONS.map((poison) => [honest, poison] as const))
  : [[1, 'half_true']];

async function expectNobodyMoved(scene: Scene): Promise<void> {
  const found = await poisoning(scene);
  if (IS_FULL) process.stdout.write(`      ${JSON.stringify(found)}\n`);
  expect(found.points_moved).toBeLessThanOrEqual(3);
  // Neither anybody who was allowed nor anybody who was under review.
  expect(found.turned_to_block).toBe(0);
}

describe.each(SIZES)('%i labels of one account', (labels) => {
  it.each(SCENES)('move nobody else, where %i others label: %s', (honest, poison) =>
    expectNobodyMoved({ honest, poison, labels, rounds: IS_FULL ? 4 : 2 }),
  );

  // There is no champion yet, whose calibration limits how far a model moves: the first is trained without such an account.
  it.each(IS_FULL ? POISONS : (['mostly_true'] as const))('move nobody else from the first day on: %s', (poison) =>
    expectNobodyMoved({ honest: 5, poison, labels, rounds: IS_FULL ? 4 : 1, from_day_one: true }),
  );
});
