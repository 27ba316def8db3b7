import type { Attempt, EntityHistory } from '../../entities/entity-history';
import type { EntityRef } from '../../entities/entity-ref';
import { toUsd } from '../currency-rates';
import type { ScreeningFacts } from '../screening-facts';
import type { EntityWords, Words } from './feature-words';

/** A missing feature: every condition on it is false, and a tree sends it its own way. */
export const MISSING = Number.NaN;

/** What several features need from one attempt, computed once. */
export interface AttemptContext {
  readonly facts: ScreeningFacts;
  readonly attempt: Attempt;
  /** 1 for a transaction, 0 for an event: how much this attempt adds to a count of transactions. */
  readonly one: 0 | 1;
  /** Missing for events. */
  readonly amount_usd: number;
  readonly ln_usd: number;
}

/** One slot of the vector that is read from the attempt and its facts. */
export interface AttemptFeature {
  readonly description: string;
  /** For the sentence of a model. */
  readonly words: Words;
  /** The signal about the same thing, which shows the model's share of this feature. @default only a model uses it */
  readonly explains?: string | undefined;
  read(context: AttemptContext): number;
}

/** One slot of the vector that is read from one entity's history. */
export interface EntityFeature {
  /** Ends a sentence that begins with the entity: "transactions in 10 minutes, this one included". */
  readonly description: string;
  readonly words: EntityWords;
  /** As for an attempt; by kind of entity if the signal differs. */
  readonly explains?: string | Readonly<Partial<Record<EntityRef['kind'], string>>> | undefined;
  read(history: EntityHistory, context: AttemptContext): number;
}

/** The signal explained by a feature of this kind of entity. */
export const explainedOf = ({ explains }: EntityFeature, kind: EntityRef['kind']): string | undefined =>
  typeof explains === 'string' ? explains : explains?.[kind];

export function attemptContext(facts: ScreeningFacts): AttemptContext {
  const { attempt } = facts;
  const one = attempt.action === 'transaction' ? 1 : 0;
  const usd = attempt.amount_usd ?? (attempt.amount === undefined ? undefined : convert(attempt));
  const amount_usd = one === 0 || usd === undefined ? MISSING : usd;
  return { facts, attempt, one, amount_usd, ln_usd: Math.log(amount_usd) };
}

function convert({ amount = MISSING, currency = 'USD' }: Attempt): number | undefined {
  return toUsd(amount, currency);
}

/** 1, 0, or missing for undefined. */
export const flag = (value: boolean | undefined): number => (value === undefined ? MISSING : value ? 1 : 0);
