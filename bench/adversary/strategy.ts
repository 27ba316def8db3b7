import type { DeclineReason } from '../../shared/domain/outcomes/processor-word';
import type { EventBody, Over, PaymentBody, Person, World } from '../../training/simulation/world';
import type { Answer } from './target';

/** What an attacker may spend before giving up; `money` is what they are after, in the currency of the victim. */
export interface Budget {
  readonly attempts: number;
  readonly days: number;
  readonly money: number;
}

/** What a strategy may achieve at most; a limit that is not named does not apply. */
export interface Bound {
  /** Prizes that are allowed. */
  readonly most_allowed?: number;
  readonly most_money?: number;
  /** No later prize scores lower than the first: for strategies that repeat the same request. */
  readonly is_never_milder?: boolean;
  /** Days until the first prize is allowed, if one ever is. */
  readonly least_days?: number;
  /** Honest people who are stopped because of it. */
  readonly most_hurt?: number;
  /** Points by which the score of honest people rises on average. */
  readonly most_shift?: number;
}

/** Whether a payment is what the attacker is after, or prepares it. What it brings in counts either way. */
export type Purpose = 'prize' | 'step';

/** What a strategy acts in. Everything an attacker learns is in the answers; an attempt beyond the budget ends the play. */
export interface Play extends World {
  /** Regular customers that this strategy has to itself. */
  readonly victims: readonly Person[];
  /** Names that no other strategy uses. */
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
  /** Notes by how many points the score of honest people rose on average. */
  noteShift(points: number): void;
  /** The attacker's own account with the same service, and the scheduled training. Absent on a stack with one key. */
  readonly rival?: Rival | undefined;
}

/** An account that belongs to the attacker. */
export interface Rival {
  pay(body: PaymentBody): Promise<Answer>;
  label(answer: Answer, decision: 'allow' | 'block'): Promise<void>;
  train(): Promise<string>;
}

/** One way to get around the service. */
export interface Strategy {
  readonly name: string;
  /** One sentence for the table: what the attacker does. */
  readonly does: string;
  /** What the attacker wants. */
  readonly goal: string;
  readonly budget: Budget;
  readonly bound: Bound;
  /** Whether it is after money, or after people who are stopped. @default money */
  readonly aim?: 'money' | 'people';
  /** How many regular customers it is about. */
  readonly victims: number;
  /** Whether it makes sense without days that pass: against a deployment whose clock is real. */
  readonly isQuick?: boolean;
  /** Whether it needs an account of its own and a training: played by itself, in this process only. */
  readonly needsRival?: boolean;
  play(world: Play): Promise<void>;
}
