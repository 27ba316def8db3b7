import type { Attempt, EntityHistory } from '../../entities/entity-history';
import type { EntityRef } from '../../entities/entity-ref';
import { exposuresOf, usdOf } from '../exposure';
import type { Exposure, ScreeningFacts } from '../screening-facts';
import { count, duration, percent } from '../sentence';

/** A missing feature: every condition on it is false, and a tree has a branch for it. */
export const MISSING = Number.NaN;

/** Values of one attempt that several features need, computed once. */
export interface AttemptContext {
  readonly facts: ScreeningFacts;
  readonly attempt: Attempt;
  /** 1 for a transaction, 0 for an event: how much this attempt adds to a count of transactions. */
  readonly one: 0 | 1;
  /** Missing for events. */
  readonly amount_usd: number;
  readonly ln_usd: number;
  readonly exposures: readonly Exposure[];
}

/** One slot of the vector that is read from the attempt and its facts. */
export interface AttemptFeature {
  readonly description: string;
  readonly words: Words;
  /** The signal about the same thing, which shows the model's share of this feature. @default only a model uses it */
  readonly explains?: string | undefined;
  read(context: AttemptContext): number;
}

/** One slot of the vector, read from one entity's history. */
export interface EntityFeature {
  /** Ends a sentence that begins with the entity: "transactions in 10 minutes, this one included". */
  readonly description: string;
  readonly words: EntityWords;
  /** As for an attempt; per kind of entity if the signal differs. */
  readonly explains?: string | Readonly<Partial<Record<EntityRef['kind'], string>>> | undefined;
  read(history: EntityHistory, context: AttemptContext): number;
}

/** The signal explained by a feature of this kind of entity. */
export const explainedOf = ({ explains }: EntityFeature, kind: EntityRef['kind']): string | undefined =>
  typeof explains === 'string' ? explains : explains?.[kind];

export function attemptContext(facts: ScreeningFacts): AttemptContext {
  const { attempt } = facts;
  const one = attempt.action === 'transaction' ? 1 : 0;
  const amount_usd = usdOf(attempt) ?? MISSING;
  const exposures = facts.exposures ?? exposuresOf(facts);
  return { facts, attempt, one, amount_usd, ln_usd: Math.log(amount_usd), exposures };
}

/** 1, 0, or missing for undefined. */
export const flag = (value: boolean | undefined): number => (value === undefined ? MISSING : value ? 1 : 0);

/**
 * A feature in words: its label if the value is missing, the phrase for a value, and for a missing one: true both of what
 * was not sent and of what could not be read in time.
 */
export type Words = readonly [label: string, says: (value: number) => string, missing?: string];

/** The words of a feature of several kinds of entity, which the sentence names. */
export type EntityWords = readonly [
  label: string,
  says: (value: number, entity: string) => string,
  missing?: (entity: string) => string,
];

const MOMENT_SECONDS = 60;

/** `3 minutes ago`. */
export const ago = (seconds: number): string => (seconds < MOMENT_SECONDS ? 'moments ago' : `${duration(seconds)} ago`);

/** The words of a feature that is 1 or 0. */
export const either = (label: string, yes: string, no: string): Words => [label, (value) => (value >= 0.5 ? yes : no)];

/** `7 transactions in 10 minutes (user)`. */
export const counted = (singular: string, after = '', plural = `${singular}s`): EntityWords => [
  plural,
  (value, entity) => `${count(value, singular, plural)}${after} (${entity})`,
];

/** `about 12% fraud in 7 days (merchant)`. */
export const share = (label: string, of: string): EntityWords => [
  label,
  (value, entity) => `about ${percent(value)} ${of} (${entity})`,
];

/** `new device for this user`. */
export const known = (counterpart: string, missing = `no ${counterpart} data`): EntityWords => [
  `known ${counterpart}`,
  (value, entity) => `${value >= 0.5 ? 'known' : 'new'} ${counterpart} for this ${entity}`,
  () => missing,
];

/** Standard deviations as people would put them. */
export function surprise(value: number): string {
  if (Math.abs(value) < 1) return 'usual amount';
  return value > 0 ? 'unusually high amount' : 'unusually low amount';
}

/** Compares the amount with those seen with an entity. */
export const surprising: EntityWords = ['usual amounts', (value, entity) => `${surprise(value)} for this ${entity}`];

/** The words of an entity's feature, for one kind of entity. */
export function wordsOf({ words }: { readonly words: EntityWords }, entity: string): Words {
  const [label, says, missing = () => `no data on ${label} (${entity})`] = words;
  return [`${label} (${entity})`, (value) => says(value, entity), missing(entity)];
}
