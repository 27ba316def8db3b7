import { countsOnNetworks, countsOnPattern } from '../../../domain/entities/attempt-counts';
import { EMAIL_PATTERN } from '../../../domain/screening/subjects/attempt-of';
import { type Effect, NO_WRITES } from './effect';

/** Counts an attempt on its networks, and on the pattern of its email address, where it counts. One that is lost is one fewer in a crowd. */
export const networkEffect: Effect<object> = {
  name: 'networks',
  mayBeLost: true,
  write(_ports, { prepared: { attempt }, readings, facts: { user }, familiarity: { isStopped } }, limitMs) {
    const { readings: networks } = readings.networks;
    if (networks.length === 0) return NO_WRITES;
    const onNetworks = countsOnNetworks(attempt, { user, isStopped });
    const onPattern = countsOnPattern(attempt, user);
    return networks
      .filter(({ ref }) => (ref.name === EMAIL_PATTERN ? onPattern : onNetworks))
      .map((network) => network.record(limitMs));
  },
  standIn: {},
};
