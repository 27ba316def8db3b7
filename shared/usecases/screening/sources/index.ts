import type { ScreeningRecord } from '../../../domain/screening/subjects/screening-record';
import type { Prepared } from '../prepare';
import { claimSource } from './claim';
import { counterSource } from './counters';
import { historySource } from './histories';
import { listSource } from './lists';
import { modelSource } from './models';
import { networkSource } from './networks';
import { ruleSource } from './rules';
import type { AllPorts } from './source';

/** Everything that a screening reads in its first trip; a record names what was missing in this order. */
export const SOURCES = [
  claimSource,
  historySource,
  networkSource,
  listSource,
  ruleSource,
  counterSource,
  modelSource,
] as const;

type AnySource = (typeof SOURCES)[number];

/** Dependencies of all sources. */
export type SourcePorts = AllPorts<AnySource>;

/** The readings of all sources, by their names. */
export type Readings = { readonly [Each in AnySource as Each['name']]: ReturnType<Each['without']> };

const TRIP_LIMIT_MS = 800;

/** The first trip: every source at once. A source that fails is missing; this is the only place that says so. */
export async function readSources(ports: SourcePorts, prepared: Prepared): Promise<Readings> {
  const pending = SOURCES.map((source) => start(source, ports, prepared));
  const readings: Record<string, Readings[keyof Readings]> = {};
  // All are in progress, and none can reject: awaiting them one after another takes no longer than the slowest.
  for (let at = 0; at < SOURCES.length; at++) {
    const reading = pending[at];
    const { name } = SOURCES[at] as AnySource;
    readings[name] = (reading instanceof Promise ? await reading : reading) as Readings[keyof Readings];
  }
  return readings as Readings;
}

function start(source: AnySource, ports: SourcePorts, prepared: Prepared) {
  try {
    const reading = source.read(ports, prepared, TRIP_LIMIT_MS);
    return reading instanceof Promise ? reading.catch((error) => source.without(prepared, error)) : reading;
  } catch (error) {
    return source.without(prepared, error);
  }
}

/** The names of everything that could not be read. */
export function missingOf(readings: Readings): readonly string[] {
  const missing: string[] = [];
  for (const { name } of SOURCES) for (const each of readings[name].missing) missing.push(each);
  return missing;
}

/** Takes back what sources wrote for a request that leaves no result: none at all, or only that of an earlier one. */
export async function undoSources(
  ports: SourcePorts,
  prepared: Prepared,
  readings: Readings,
  stored?: ScreeningRecord,
): Promise<void> {
  await Promise.all(SOURCES.map((source) => source.undo?.(ports, prepared, readings[source.name] as never, stored)));
}
