/** Passed by `bin/run-bundled.ts` to the `main` of a file, after its arguments. */
export interface BundledRun {
  /** The directory of the IP ranges and the base model, laid out as next to a deployed function. */
  readonly directory: string;
  readonly nowMs: number;
}
