/** What `bin/run-bundled.ts` passes to the `main` of a file besides its arguments. */
export interface BundledRun {
  /** The directory of the IP ranges and the base model, as next to a deployed function. */
  readonly directory: string;
  readonly nowMs: number;
}
