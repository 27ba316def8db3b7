import type { Stage } from '../../shared/domain/stage';
import type { Api } from './api';
import { CheckFailure } from './check-failure';
import type { Operator } from './operator';
import type { Receiver } from './receiver';
import type { ThrowAwayAccount } from './throw-away-account';

/** What a check needs: any URL and key, an account that it may administer, the operator's view, or AWS itself. */
export type Need = 'http' | 'admin' | 'operator' | 'aws';

/** Everything that checks can use; members that are missing make the checks that need them be skipped. */
export interface VerifyContext {
  readonly stage: Stage;
  readonly api: Api;
  /** The key of the account that the checks use. */
  readonly key: string;
  /** URL of the review console, ending in a slash. */
  readonly consoleUrl: string | undefined;
  readonly account: ThrowAwayAccount | undefined;
  readonly operator: Operator | undefined;
  readonly receiver: Receiver | undefined;
  /** A token of a person who signed in by OpenID Connect. */
  readonly token: string | undefined;
  /** URL that returns the `Authorization` header as an authorizer of API Gateway received it. */
  readonly authorizationProbe: string | undefined;
  /** When the run began; metrics before that prove nothing. */
  readonly startedMs: number;
  readonly until: Until;
  /** A name that no earlier run has used. */
  readonly newName: (prefix: string) => string;
}

/** Calls `find` until it returns something; fails with `problem` when time is up. */
export type Until = <Found>(
  withinMs: number,
  find: () => Promise<Found | undefined>,
  problem: () => string,
) => Promise<Found>;

/** One thing that must work. */
export interface Check {
  readonly name: string;
  /** What it proves, in a few words. */
  readonly proves: string;
  readonly needs: Need;
  /** Throws a `CheckFailure` that says exactly what does not work; returns what is worth a remark. */
  run(context: VerifyContext): Promise<string | undefined>;
}

/** Why a check cannot be made here. */
export class CheckSkipped extends Error {}

export function must(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new CheckFailure(problem);
}

/** Waits as a patient person would: looks again and again until time is up. */
export const untilBy =
  (everyMs: number, now: () => number, wait: (ms: number) => Promise<unknown>): Until =>
  async (withinMs, find, problem) => {
    const deadline = now() + withinMs;
    for (;;) {
      const found = await find();
      if (found !== undefined) return found;
      if (now() >= deadline) throw new CheckFailure(problem());
      await wait(everyMs);
    }
  };
