/** One line of the table that a run of all benchmarks ends with. */
export interface Measurement {
  readonly what: string;
  readonly found: string;
  /** The value we want; a measurement without a target is for information. */
  readonly aim?: string;
}
