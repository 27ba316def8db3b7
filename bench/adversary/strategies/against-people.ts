import { DAY_MS, eventBy, HOUR_MS, MINUTE_MS, newPerson, paymentBy } from '../../../training/simulation/world';
import type { Play, Rival, Strategy } from '../strategy';
import { elsewhere, invented } from './moves';

const SIGNUPS = 12;

/** A fingerprint can be copied from any page that the victim visits. */
const smearDevice: Strategy = {
  name: 'smear-device',
  does: "signs up 12 accounts with the victim's device fingerprint; then the victim signs in and buys as usual",
  goal: 'eight customers stopped',
  aim: 'people',
  budget: { attempts: 8 * SIGNUPS, days: 2, money: 0 },
  bound: { most_hurt: 0, most_shift: 10 },
  victims: 8,
  async play(world) {
    const { victims } = world;
    let rise = 0;
    for (const [number, victim] of victims.entries()) {
      const [device_fingerprint = ''] = victim.devices;
      const from = { ...elsewhere(world, number), device_fingerprint };
      const before = await world.asUsual(victim);
      await world.wait(HOUR_MS);
      for (let i = 0; i < SIGNUPS; i++) {
        await world.act(eventBy(world, invented(world, number * SIGNUPS + i), 'signup', from));
        await world.wait(3 * MINUTE_MS);
      }
      await world.wait(HOUR_MS);
      rise += (await world.asUsual(victim)).score - before.score;
    }
    world.noteShift(rise / victims.length);
  },
};

const LOGINS = 30;

/** Anyone can get somebody else's password wrong. */
const smearLogins: Strategy = {
  name: 'smear-logins',
  does: 'fails to sign in as the victim 30 times from elsewhere; then the victim signs in at home and buys as usual',
  goal: 'eight customers stopped',
  aim: 'people',
  budget: { attempts: 8 * LOGINS, days: 2, money: 0 },
  bound: { most_hurt: 0, most_shift: 10 },
  victims: 8,
  async play(world) {
    const { victims } = world;
    let rise = 0;
    for (const [number, victim] of victims.entries()) {
      const from = elsewhere(world, number);
      const before = await world.asUsual(victim);
      await world.wait(HOUR_MS);
      for (let i = 0; i < LOGINS; i++) {
        await world.act(eventBy(world, victim, 'login', { ...from, outcome: 'failed' }));
        await world.wait(30_000);
      }
      await world.wait(5 * MINUTE_MS);
      rise += (await world.asUsual(victim)).score - before.score;
    }
    world.noteShift(rise / victims.length);
  },
};

const NEWCOMERS = 30;
const FIRST_LABELS = 660;
const LATER_LABELS = 220;

/** Payments of the attacker's own account; every other one comes from the rival's app and is "fraud". */
async function teach(world: Play, rival: Rival, from: number, count: number): Promise<void> {
  for (let i = from; i < from + count; i++) {
    const isRival = i % 2 === 0;
    const person = newPerson(world, world.name(`own-${i}`));
    const answer = await rival.pay(paymentBy(world, person, { attributes: { app: isRival ? 'rival' : 'house' } }));
    await rival.label(answer, isRival ? 'block' : 'allow');
    await world.wait(20 * MINUTE_MS);
  }
}

/** Newcomers to the other shop, each with the app that the labels are about; the mean score of their purchases. */
async function newcomers(world: Play, from: number): Promise<number> {
  let sum = 0;
  for (let number = from; number < from + NEWCOMERS; number++) {
    sum += (await world.asUsual(invented(world, number), { attributes: { app: 'rival' } })).score;
    await world.wait(HOUR_MS);
  }
  return sum / NEWCOMERS;
}

/** One account's labels must not decide about another's customers. */
const poisonLabels: Strategy = {
  name: 'poison-labels',
  does: 'labels 880 payments of its own account, fraud where app=rival; then newcomers with that app buy in another shop',
  goal: "a competitor's customers stopped",
  aim: 'people',
  budget: { attempts: FIRST_LABELS + LATER_LABELS, days: 40, money: 0 },
  bound: { most_hurt: 0, most_shift: 3 },
  needsRival: true,
  async play(world) {
    const { rival } = world;
    if (rival === undefined) throw new Error('Poisoning needs its own account and a training');
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

/** Nothing to gain except honest people being stopped. */
export const AGAINST_PEOPLE: readonly Strategy[] = [smearDevice, smearLogins, poisonLabels];
