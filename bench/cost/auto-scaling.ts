import { seededRandom } from '../../shared/domain/models/seeded-random';

/**
 * How auto scaling follows traffic, minute by minute, as AWS documents it
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/AutoScaling.html): up after two minutes above its aim,
 * down after a quarter of an hour at 20 points below, at most four times per day and once more for each hour without. What was
 * not used in the last five minutes is there for a burst. A change works after four minutes: two until CloudWatch has the values, two for DynamoDB.
 */
const MINUTES = { up: 2, down: 15, change: 4, burst: 5, hour: 60, day: 1_440 } as const;
const BELOW = 0.2;
const DECREASES = 4;

export const AIM = 0.7;

/** Units per second in each minute of some days: busiest at 20:00, nine times as busy as at 8:00, and 10% to either side by chance. */
export function days(count: number, mean: number, random = seededRandom(1)): number[] {
  return Array.from({ length: count * MINUTES.day }, (_, minute) => {
    const hourly = 1 + 0.8 * Math.cos(2 * Math.PI * (minute / MINUTES.day - 20 / 24));
    return mean * hourly * (0.9 + 0.2 * random());
  });
}

/** The share of provisioned units that was used, and the share of all units that was refused. */
export interface Followed {
  readonly utilization: number;
  readonly refused: number;
}

export function autoScaled(demand: readonly number[], aim = AIM): Followed {
  let provisioned = (demand[0] ?? 0) / aim;
  let [saved, above, below, decreases, lastDecrease] = [0, 0, 0, 0, Number.NEGATIVE_INFINITY];
  let [used, offered, refused] = [0, 0, 0];
  let change: { readonly at: number; readonly to: number } | undefined;
  for (const [minute, wanted] of demand.entries()) {
    if (minute % MINUTES.day === 0) decreases = 0;
    if (change?.at === minute) {
      provisioned = change.to;
      change = undefined;
    }
    const taken = Math.min(wanted, provisioned + saved);
    saved = Math.min(MINUTES.burst * provisioned, provisioned + saved - taken);
    used += taken;
    offered += provisioned;
    refused += wanted - taken;
    above = taken > aim * provisioned ? above + 1 : 0;
    below = taken < (aim - BELOW) * provisioned ? below + 1 : 0;
    const mayDecrease = decreases < DECREASES || minute - lastDecrease >= MINUTES.hour;
    if (change || (above < MINUTES.up && !(below >= MINUTES.down && mayDecrease))) continue;
    if (above === 0) {
      decreases += 1;
      lastDecrease = minute;
    }
    change = { at: minute + MINUTES.change, to: taken / aim };
    [above, below] = [0, 0];
  }
  return { utilization: used / offered, refused: refused / (used + refused) };
}
