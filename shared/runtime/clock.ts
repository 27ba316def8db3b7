/** The only sources of time; everything else is handed one. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** An instant as it crosses the wire: ISO 8601 in UTC with milliseconds. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Milliseconds of a clock that never jumps, for how long something took. */
export const durationClock = (): number => performance.now();
