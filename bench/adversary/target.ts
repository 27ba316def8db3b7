import type { DeclineReason } from '../../shared/domain/outcomes/processor-word';
import type { Decision } from '../../shared/domain/screening/decide';
import type { Attempt } from '../../training/simulation/world';

/** The content of an answer; an attacker with an account sees the same. */
export interface Answer {
  readonly decision_id: string;
  readonly score: number;
  readonly decision: Decision;
  readonly signals: readonly string[];
}

export type Shop = 'shop' | 'rival';

export interface Target {
  now(): number;
  moveTo(atMs: number): Promise<void>;
  screen(shop: Shop, attempt: Attempt): Promise<Answer>;
  review(shop: Shop, decisionId: string, decision: 'allow' | 'block'): Promise<void>;
  /** The bank's answer to a payment that was allowed: the reason for a decline, or none. */
  say(shop: Shop, decisionId: string, word: DeclineReason | 'authorized'): Promise<void>;
  /** Runs the scheduled training once; says how it ended. Absent where it cannot be run. */
  readonly train?: () => Promise<string>;
}

export const isStopped = ({ decision }: Answer): boolean => decision !== 'allow';
