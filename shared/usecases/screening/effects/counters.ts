import { type Effect, NO_WRITES } from './effect';

/** Brings counters that have grown beyond their maximum size back to it. */
export const counterEffect: Effect<object> = {
  name: 'counters',
  mayBeLost: true,
  write(_ports, { readings }, limitMs) {
    let writes = NO_WRITES;
    for (const { trim } of readings.counters.counted) if (trim) writes = [...writes, trim(limitMs)];
    return writes;
  },
  standIn: {},
};
