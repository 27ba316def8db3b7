import type { ReviewCase } from '../cases/review-case';
import type { LinkGraph } from '../entities/entity-links';
import type { ListEntry } from '../lists/list-entry';
import type { KeptSubject } from '../outcomes/kept-subject';
import type { RiskProfile } from '../screening/risk-profile';
import type { Evidence } from '../screening/subjects/evidence';
import type { ScreeningRecord } from '../screening/subjects/screening-record';

/** An entry of a list that stands for a user, or for something that they were seen with. */
export interface NamingEntry extends ListEntry {
  readonly list: string;
  readonly entity: string;
}

/** Everything held about a user, or the next part of it; profile and links come with the first part. */
export interface UserExport {
  readonly user_id: string;
  readonly atMs: number;
  readonly profile: RiskProfile | undefined;
  readonly decisions: readonly ScreeningRecord[];
  readonly kept: ReadonlyMap<string, KeptSubject>;
  /** Evidence of the decisions that keep it, by ULID. */
  readonly evidence: ReadonlyMap<string, Evidence>;
  readonly cases: readonly ReviewCase[];
  readonly comments: ReadonlyArray<{
    readonly ulid: string;
    readonly at: string;
    readonly actor: string;
    readonly text: string;
  }>;
  readonly links: LinkGraph | undefined;
  /** Values of the counters by the user alone, by name; with the first part. */
  readonly counters: Readonly<Record<string, number>>;
  /** Entries of lists that name the user, or things nobody else was seen with: those that an erasure removes. */
  readonly listEntries: readonly NamingEntry[];
  readonly nextCursor: string | null;
  readonly isListing: boolean;
}
