import { count, duration, percent } from '../sentence';

/** A feature in words: what is unknown if the value is missing, what a value says, with its unit, and what a missing one. */
export type Words = readonly [label: string, says: (value: number) => string, missing?: string];

/** The same for a feature of several kinds of entity, which are named in the sentence. */
export type EntityWords = readonly [
  label: string,
  says: (value: number, entity: string) => string,
  missing?: (entity: string) => string,
];

const MOMENT_SECONDS = 60;

/** `3 minutes ago`. */
export const ago = (seconds: number): string => (seconds < MOMENT_SECONDS ? 'moments ago' : `${duration(seconds)} ago`);

/** Of a feature that is 1 or 0. */
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
export const known = (counterpart: string, missing = `no ${counterpart} sent`): EntityWords => [
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
