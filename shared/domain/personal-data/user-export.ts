import type { ReviewCase } from '../cases/review-case';
import type { LinkGraph } from '../entities/entity-links';
import type { KeptSubject } from '../outcomes/kept-subject';
import type { RiskProfile } from '../screening/risk-profile';
import type { ScreeningRecord } from '../screening/subjects/screening-record';

/** Everything held about a user, or the next part of it; profile and links come with the first part. */
export interface UserExport {
  readonly user_id: string;
  readonly atMs: number;
  readonly profile: RiskProfile | undefined;
  readonly decisions: readonly ScreeningRecord[];
  /** Outcomes from outside, of the decisions that have any. */
  readonly kept: ReadonlyMap<string, KeptSubject>;
  readonly cases: readonly ReviewCase[];
  readonly comments: ReadonlyArray<{
    readonly ulid: string;
    readonly at: string;
    readonly actor: string;
    readonly text: string;
  }>;
  readonly links: LinkGraph | undefined;
  readonly nextCursor: string | null;
  readonly isListing: boolean;
}
