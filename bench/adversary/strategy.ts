import type { DeclineReason } from '../../shared/domain/outcomes/processor-word';
import type { EventBody, Over, PaymentBody, Person, World } from '../../training/simulation/world';
import type { Answer } from './target';

/** The limits at which an attacker gives up; `money` is the prize, in the victim's currency. */
export interface Budget {
  readonly attempts: number;
  readonly days: number;
  readonly money: number;
}

/** The most a strategy may achieve; an unset limit does not apply. */
export interface Bound {
  readonly most_allowed?: number;
  readonly most_money?: number;
  /** No later prize scores lower than the first: for strategies that repeat the same request. */
  readonly is_never_milder?: boolean;
  readonly least_days?: number;
  readonly most_hurt?: number;
  readonly most_shift?: number;
}

/** Whether a payment is the attacker's goal or prepares it. Its money counts either way. */
export type Purpose = 'prize' | 'step';

/** The world a strategy acts in. An attacker learns only from answers; an attempt beyond the budget ends the play. */
export interface Play extends World {
  /** Regular customers that this strategy has to itself. */
  readonly victims: readonly Person[];
  name(what: string): string;
  pay(body: PaymentBody, purpose?: Purpose): Promise<Answer>;
  act(body: EventBody): Promise<Answer>;
  wait(ms: number): Promise<void>;
  /** The bank declines a payment that was allowed, and the processor says so. */
  decline(answer: Answer, reason: DeclineReason): Promise<void>;
  /** The shop finds out: an analyst or the bank says that it was fraud. */
  reject(answer: Answer): Promise<void>;
  /** An honest person does what they always do: signs in at home and buys. Anyone who is stopped is hurt. */
  asUsual(person: Person, over?: Over): Promise<Answer>;
  noteShift(points: number): void;
  /** The attacker's own account with the same service, and the scheduled training. Absent on a stack with one key. */
  readonly rival?: Rival | undefined;
  /** Notes what one of several strategies has brought so far, for one who mixes them. */
  noteBrought(strategy: string, brought: Brought): void;
}

/** Attempts of a strategy, and the money that they brought. */
export interface Brought {
  readonly attempts: number;
  readonly money: number;
}

export interface Rival {
  pay(body: PaymentBody): Promise<Answer>;
  label(answer: Answer, decision: 'allow' | 'block'): Promise<void>;
  train(): Promise<string>;
}

export interface Strategy {
  readonly name: string;
  readonly does: string;
  readonly goal: string;
  readonly budget: Budget;
  readonly bound: Bound;
  /** Whether it is after money, or after people who are stopped. @default money */
  readonly aim?: 'money' | 'people';
  /** Regular customers that it needs. @default none */
  readonly victims?: number;
  /** Whether it needs an account and training for itself: played alone, in this process only. */
  readonly needsRival?: boolean;
  play(world: Play): Promise<void>;
}
