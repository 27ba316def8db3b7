/** A span of a list of decisions, by ULID: from the first (included) up to the one that it comes before. */
export interface DecisionSpan {
  readonly from: string;
  readonly before: string;
}

/** A slice of a list of decisions, newest first, and where to continue; undefined at its end. */
export interface DecisionSlice {
  readonly ulids: readonly string[];
  readonly next: string | undefined;
}
