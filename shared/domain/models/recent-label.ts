import type { Label } from '../cases/outcome';

/** A screening that is in the sample or has a label; without one if nobody gave any, or it was withdrawn. */
export interface RecentLabel {
  readonly ulid: string;
  readonly label: Label | undefined;
}

/** Newest first; `isCut` if there may be more. */
export interface RecentLabels {
  readonly labels: readonly RecentLabel[];
  readonly isCut: boolean;
}
