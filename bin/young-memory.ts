/**
 * Node's option for processes that make much and keep little, such as test runs; workers inherit it. Collecting 64 MB of
 * young objects at a time instead of 16 took 124 instead of 140 CPU seconds for the unit tests.
 */
export const YOUNG_MEMORY = '--max-semi-space-size=64';
