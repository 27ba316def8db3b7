/** One line of the table that a run of all benchmarks ends with. */
export interface Figure {
  readonly what: string;
  readonly found: string;
  /** What we want it to be; a figure without an aim is there to be known. */
  readonly aim?: string;
}
