import { type Effect, NO_WRITES } from './effect';

/** Brings items that have grown beyond their maximum size back to it. */
export const trimEffect: Effect<object> = {
  name: 'trims',
  mayBeLost: true,
  write(_ports, { readings }, limitMs) {
    let writes = NO_WRITES;
    for (const { trim } of readings.histories.recorded) if (trim) writes = [...writes, trim(limitMs)];
    return writes;
  },
  standIn: {},
};
