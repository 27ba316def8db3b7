import { type EntityKind, type EntityProfile, EVENT_ACTIONS } from '../../domain/entities/entity-history';
import { KIND } from '../../domain/entities/kind-spec';
import { type EntityItem, membersOf } from '../sdk/attribute-value';
import { SET_KINDS } from './distinct-sets';
import { DEVICE_SLOTS, EVENT_GROUPS } from './entity-attributes';
import { type ItemReading, readItem, SLOT } from './item-reading';
import { unpackQuarters } from './packed-number';
import { historyOf } from './read-history';
import { recentDevice } from './recent-device';

function readEvents({ values }: ItemReading): EntityProfile['events'] {
  const counts = EVENT_GROUPS.flatMap((_, group) => unpackQuarters(values[SLOT.events + group]));
  const seen = EVENT_ACTIONS.flatMap((action, at) => (counts[at] ? [[action, counts[at]] as const] : []));
  return { total: seen.reduce((sum, [, count]) => sum + count, 0), by_type: Object.fromEntries(seen) };
}

function readCountries({ values }: ItemReading): readonly string[] {
  const slot = SLOT.sets + 2 * SET_KINDS.indexOf('countries');
  return [...new Set([...membersOf(values[slot]), ...membersOf(values[slot + 1])])].sort();
}

function readDevices({ values }: ItemReading): EntityProfile['recent_devices'] {
  return DEVICE_SLOTS.flatMap((_, at) => recentDevice(values[SLOT.devices + at]) ?? []).sort(
    (a, b) => b.last_seen_ms - a.last_seen_ms,
  );
}

/** An entity's history up to a time, with details that only people ask for. */
export function readProfile(kind: EntityKind, item: EntityItem, atMs: number): EntityProfile {
  const reading = readItem(item, atMs);
  return {
    ...historyOf(kind, reading, atMs, undefined),
    events: readEvents(reading),
    countries: readCountries(reading),
    recent_devices: KIND[kind].person ? readDevices(reading) : [],
  };
}
