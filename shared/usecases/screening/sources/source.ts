import type { ScreeningRecord } from '../../../domain/screening/subjects/screening-record';
import type { Prepared } from '../prepare';

/** The result of a source, as far as it could be read. */
export interface Reading {
  /** Names of the parts that could not be read. */
  readonly missing: readonly string[];
}

export const NOTHING_MISSING: readonly string[] = [];

/**
 * Something that a screening knows after its first trip. All sources start at once; one that rejects or throws is missing,
 * and the screening does without it. `Ports` are the dependencies that it adds to those of a screening.
 */
export interface Source<Name extends string, Ports, Read extends Reading> {
  readonly name: Name;
  read(ports: Ports, prepared: Prepared, limitMs: number): Read | Promise<Read>;
  without(prepared: Prepared, error: unknown): Read;
  /**
   * Takes back what this request wrote while reading, as far as it did. `stored` is the result of an earlier request with
   * the same `Idempotency-Key`: what that one relied on stays. Never rejects.
   */
  undo?(ports: Ports, prepared: Prepared, reading: Read, stored?: ScreeningRecord): Promise<void>;
  /** Ports that know nothing, for replays and tests that do without this source. */
  readonly standIn: Ports;
}

/** All ports together, of sources or effects that each name their own. */
export type AllPorts<Each extends { readonly standIn: unknown }> = (
  Each extends unknown
    ? (ports: Each['standIn']) => void
    : never
) extends (ports: infer All) => void
  ? All
  : never;
