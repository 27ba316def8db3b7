import type { Strategy } from '../play/strategy';
import { FARMED, farm } from './farm';
import { collidingNames } from './public-hash';

/** The same farm as `collude`, with names that a count of distinct users takes for one. */
export const collideSketches: Strategy = {
  name: 'collide-sketches',
  does: 'as collude, with user IDs chosen offline so that the published hash puts all into one bucket',
  goal: '2,000 with 20 accounts',
  budget: { attempts: 40, days: 1, money: 2_000 },
  victims: 0,
  isQuick: true,
  play: (world) => farm(world, collidingNames('users', world.name('account'), FARMED)),
};
