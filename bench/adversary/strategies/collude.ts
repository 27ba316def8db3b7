import type { Strategy } from '../play/strategy';
import { FARMED, farm } from './farm';

/** Many accounts, one device. */
export const collude: Strategy = {
  name: 'collude',
  does: 'signs up 20 accounts on one device, two minutes apart; each buys for 100 with the welcome voucher',
  goal: '2,000 with 20 accounts',
  budget: { attempts: 40, days: 1, money: 2_000 },
  victims: 0,
  isQuick: true,
  play: (world) =>
    farm(
      world,
      Array.from({ length: FARMED }, (_, number) => world.name(`account-${number}`)),
    ),
};
