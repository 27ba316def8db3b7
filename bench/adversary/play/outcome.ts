/** What a strategy achieved. */
export interface Outcome {
  readonly strategy: string;
  readonly aim: 'money' | 'people';
  readonly attempts: number;
  /** Attempts and days until a prize was allowed; null if none ever was. */
  readonly first_allow: { readonly attempts: number; readonly days: number } | null;
  readonly prizes: { readonly tried: number; readonly allowed: number };
  /** Everything that was paid out, prizes and preparations. */
  readonly money_out: number;
  /** Honest people who were stopped because of it, of those whom it was aimed at. */
  readonly hurt: number;
  readonly aimed_at: number;
  /** Points by which the score of honest people rose on average; null if it was not measured. */
  readonly shift: number | null;
  /** Scores of the first and of the mildest prize. */
  readonly scores: { readonly first: number; readonly lowest: number } | null;
}

/** What happened to honest people. */
export interface HonestOutcome {
  readonly people: number;
  readonly attempts: number;
  readonly stopped: number;
  readonly people_stopped: number;
  /** Stopped attempts by kind of person. */
  readonly by_kind: Readonly<Record<string, { readonly attempts: number; readonly stopped: number }>>;
}

/** A whole run. */
export interface RunResult {
  readonly honest: HonestOutcome;
  readonly outcomes: readonly Outcome[];
}
