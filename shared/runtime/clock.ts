/** The only sources of time; all other code has one injected. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Milliseconds of a monotonic clock, for measuring how long something took. */
export const durationClock = (): number => performance.now();
