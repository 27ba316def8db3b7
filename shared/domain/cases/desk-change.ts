import type { ReviewCase } from './review-case';

/** An action on a case that does not decide it. */
export interface DeskEntry {
  readonly ulid: string;
  readonly kind: 'claimed' | 'released' | 'assigned' | 'commented' | 'viewed';
  readonly actor: string;
  readonly key_id: string;
  /** The actor is the person whose key was used, not just a name in the request. */
  readonly proven: boolean;
  readonly at: string;
  /** The comment, or the person it was assigned to. */
  readonly text?: string;
}

/** Everything that must commit together when a case changes hands or gets a comment. */
export interface DeskChange {
  readonly before: ReviewCase;
  readonly after: ReviewCase;
  /** Undefined if there is nothing to record, as when a claim is merely renewed. */
  readonly entry: DeskEntry | undefined;
}

/** The next state of a case. Every change of a case that is not a resolution goes through here. */
export const revised = (before: ReviewCase, change: Partial<ReviewCase>): ReviewCase => ({
  ...before,
  comments: before.comments ?? 0,
  ...change,
  revision: (before.revision ?? 0) + 1,
});

/** The case without its claim. */
export function unclaimed({ claim: _ended, ...rest }: ReviewCase): ReviewCase {
  return rest;
}
