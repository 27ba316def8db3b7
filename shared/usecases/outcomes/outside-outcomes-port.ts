import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import type { IdempotencyRecord } from '../../domain/idempotency';
import type { KeptChange } from '../../domain/outcomes/kept-change';
import type { KeptSubject } from '../../domain/outcomes/kept-subject';
import type { OutcomeType, StoredOutcome } from '../../domain/outcomes/outside-outcome';
import type { ProcessorTally, TalliedWord } from '../../domain/outcomes/shared-rise';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';

/** An outcome that waits for a reference. */
export interface HeldOutcome {
  readonly type: OutcomeType;
  readonly source: string;
}

/** A reference: whose it is, and which outcomes wait for it. */
export interface Reference {
  /** Undefined as long as no subject has named it. */
  readonly ulid: string | undefined;
  /** Since when it has that subject. */
  readonly at_ms: number | undefined;
  readonly held: readonly HeldOutcome[];
}

/** When something commits, and the recorded response that commits with it. */
export interface Commit {
  readonly nowMs: number;
  readonly answer?: IdempotencyRecord | undefined;
}

/** When an outcome commits. */
export interface OutcomeCommit extends Commit {
  /** Nothing of this source and type may be stored, not even one that waits. @default one that waits is applied */
  readonly isNew?: boolean | undefined;
}

/** References, outcomes from outside and what is kept for them. References and sources go by their pseudonyms. */
export interface OutsideOutcomesPort {
  ofSource(accountId: string, source: string): Promise<readonly StoredOutcome[]>;
  /** A reference whose subject is no longer kept has none. */
  reference(accountId: string, name: string, nowMs: number): Promise<Reference | undefined>;
  kept(accountId: string, ulid: string): Promise<KeptSubject | undefined>;
  /** Keeps a subject from now on; false if its review changed in the meantime, or if it is kept already. */
  keep(accountId: string, kept: KeptSubject): Promise<boolean>;
  /**
   * Gives references a subject, unless some belong to another user's, which it returns; throws `ClaimTaken` if the response
   * is recorded already, as do the two below.
   */
  link(accountId: string, names: readonly string[], kept: KeptSubject, commit: Commit): Promise<readonly string[]>;
  /** Lets an outcome wait for any of these references; false if one of them has a subject by now. */
  hold(accountId: string, outcome: StoredOutcome, names: readonly string[], commit: Commit): Promise<boolean>;
  /** Records an outcome on its subject, kept from now on, and moves its label; false if something changed in the meantime. */
  apply(accountId: string, outcome: StoredOutcome, change: KeptChange, commit: OutcomeCommit): Promise<boolean>;
  /** Processors' recent reports on the account's payments. */
  tally(accountId: string, nowMs: number): Promise<ProcessorTally>;
  addToTally(accountId: string, word: TalliedWord, nowMs: number): Promise<void>;
  /** Nothing waits for this reference any more, unless something new does. */
  release(accountId: string, name: string, nowMs: number): Promise<void>;
}

/** Dependencies of everything that outcomes from outside do. */
export interface OutsideOutcomesDeps {
  readonly clock: { now(): number };
  readonly newUlid: (nowMs: number) => string;
  readonly pseudonyms: () => Pseudonyms | Promise<Pseudonyms>;
  readonly outside: OutsideOutcomesPort;
  readonly screenings: { find(accountId: string, ulid: string): Promise<ScreeningRecord | undefined> };
}
