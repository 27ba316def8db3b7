import { DAY_MS, HOUR_MS, MINUTE_MS, newPerson } from '../people/person';
import type { Rival, Strategy, World } from '../play/strategy';
import { invented, paymentAs } from './moves';

const NEWCOMERS = 30;
const FIRST_LABELS = 660;
const LATER_LABELS = 220;

/** Payments of the attacker's own account; every other one comes from the rival's app and is "fraud". */
async function teach(world: World, rival: Rival, from: number, count: number): Promise<void> {
  const { draws, addresses } = world;
  for (let i = from; i < from + count; i++) {
    const isRival = i % 2 === 0;
    const person = newPerson(world.name(`own-${i}`), draws, addresses);
    const answer = await rival.pay(paymentAs(world, person, { attributes: { app: isRival ? 'rival' : 'house' } }));
    await rival.label(answer, isRival ? 'block' : 'allow');
    await world.wait(20 * MINUTE_MS);
  }
}

/** Newcomers to the other shop, each with the app that the labels are about; the mean score of their purchases. */
async function newcomers(world: World, from: number): Promise<number> {
  let sum = 0;
  for (let number = from; number < from + NEWCOMERS; number++) {
    sum += (await world.asUsual(invented(world, number), { attributes: { app: 'rival' } })).score;
    await world.wait(HOUR_MS);
  }
  return sum / NEWCOMERS;
}

/** One account's labels must not decide about another's customers. */
export const poisonLabels: Strategy = {
  name: 'poison-labels',
  does: 'labels 880 payments of its own account, fraud where app=rival; then newcomers with that app buy in another shop',
  goal: "a competitor's customers stopped",
  aim: 'people',
  budget: { attempts: FIRST_LABELS + LATER_LABELS, days: 40, money: 0 },
  victims: 0,
  needsRival: true,
  async play(world) {
    const { rival } = world;
    if (rival === undefined) throw new Error('Poisoning needs an account of its own and a training');
    const before = await newcomers(world, 0);
    await teach(world, rival, 0, FIRST_LABELS);
    await rival.train();
    await world.wait(DAY_MS);
    await teach(world, rival, FIRST_LABELS, LATER_LABELS);
    await world.wait(2 * HOUR_MS);
    await rival.train();
    world.noteShift((await newcomers(world, NEWCOMERS)) - before);
  },
};
