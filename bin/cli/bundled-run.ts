/** What `bin/run-bundled.ts` hands to the `main` of a file beside its arguments. */
export interface BundledRun {
  /** Where the IP ranges and the base model lie, as beside a function. */
  readonly directory: string;
  readonly nowMs: number;
}
