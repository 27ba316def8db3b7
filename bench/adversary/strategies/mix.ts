import { MINUTE_MS } from '../../../training/simulation/world';
import type { Play, Strategy } from '../strategy';
import { type Answer, isStopped } from '../target';

const EXPLORES = 0.2;
const PACE_MS = 15 * MINUTE_MS;
/** So many stops in a row, and a way begins again with other users, devices and cards, for as long as there are some. */
const PATIENCE = 3;
const IDENTITIES = 5;

/** One of the strategies, walked step by step: others take their steps while it waits. All use the same names, and one victim. */
function wayOf(world: Play, { name, play }: Strategy, now: () => number) {
  const brought = { attempts: 0, money: 0 };
  let [life, stops, readyMs] = [0, 0, 0];
  let playing: Promise<void> | undefined;
  let resume: () => void = () => undefined;
  let parked: () => void = () => undefined;

  async function tried(asked: Promise<Answer>, amount = 0): Promise<Answer> {
    const answer = await asked;
    brought.attempts += 1;
    stops = isStopped(answer) ? stops + 1 : 0;
    if (!isStopped(answer)) brought.money += amount;
    return answer;
  }
  function beginAgain(): void {
    playing = undefined;
    life += 1;
    stops = 0;
    readyMs = life < IDENTITIES ? now() + PACE_MS : Number.POSITIVE_INFINITY;
  }
  const own: Play = {
    ...world,
    name: (what) => world.name(`${life}-${what}`),
    pay: (body) => tried(world.pay(body), body.amount),
    act: (body) => tried(world.act(body)),
    wait: (ms) =>
      new Promise((resolve) => {
        readyMs = now() + ms;
        resume = resolve;
        parked();
      }),
  };
  return {
    name,
    brought,
    readyMs: () => readyMs,
    /** Money per attempt; a strategy that nobody has tried yet comes first. */
    worth: () => (brought.attempts === 0 ? Number.POSITIVE_INFINITY : brought.money / brought.attempts),
    async step(): Promise<void> {
      const untilParked = new Promise<void>((resolve) => {
        parked = resolve;
      });
      if (playing !== undefined) resume();
      else playing = play(own).then(beginAgain);
      await Promise.race([untilParked, playing]);
      if (stops >= PATIENCE) beginAgain();
    },
  };
}

/** A bandit: takes the next step of the strategy that has brought most per attempt so far, and sometimes of another. */
export const mixOf = (strategies: readonly Strategy[]): Strategy => ({
  name: 'mix',
  does: 'takes, step by step, whichever of all strategies for money has brought most so far, on one victim and with five sets of users, devices and cards, the next one after three stops in a row',
  goal: 'as much as possible in a week',
  budget: { attempts: 400, days: 7, money: 0 },
  bound: { most_money: 20_000 },
  victims: 1,
  async play(world) {
    const { draws } = world;
    let passedMs = 0;
    const pass = async (ms: number): Promise<void> => {
      await world.wait(ms);
      passedMs += ms;
    };
    const able = strategies.filter(({ aim = 'money', victims = 0, needsRival }) => {
      return aim === 'money' && victims <= 1 && !needsRival;
    });
    const ways = able.map((strategy) => wayOf(world, strategy, () => passedMs));
    for (;;) {
      const ready = ways.filter((way) => way.readyMs() <= passedMs);
      const [first] = ready;
      if (first === undefined && ways.every((way) => way.readyMs() === Number.POSITIVE_INFINITY)) return;
      if (first === undefined) {
        await pass(Math.min(...ways.map((way) => way.readyMs())) - passedMs);
        continue;
      }
      const best = ready.reduce((most, way) => (way.worth() > most.worth() ? way : most), first);
      const chosen = draws.chance(EXPLORES) ? draws.pick(ready) : best;
      await chosen.step().finally(() => world.noteBrought(chosen.name, chosen.brought));
      await pass(Math.min(PACE_MS, Math.max(1_000, chosen.readyMs() - passedMs)));
    }
  },
});
