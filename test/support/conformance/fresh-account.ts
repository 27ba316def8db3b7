import { randomUUID } from 'node:crypto';

/** An account that nobody else has: suites share a table. */
export const freshAccount = (): string => `acc_${randomUUID()}`;

/** A time from which tests count, early enough for no function of a run to be at work on what is written at it. */
export const START_MS = Date.UTC(2026, 2, 1, 10);

/** Longer than any call takes: how quickly a port gives up is not what these suites are about. */
export const PATIENT_MS = 30_000;

/** Makes a port, empty or used by other accounts only. */
export type MakePort<Port> = () => Port | Promise<Port>;
