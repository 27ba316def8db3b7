import * as z from 'zod/mini';

/** A string of bounded length. DynamoDB and logs accept any text except a lone surrogate, which has no UTF-8 form. */
export const text = (min: number, max: number) =>
  z.string().check(
    z.minLength(min),
    z.maxLength(max),
    z.refine((value) => value.isWellFormed(), 'must be well-formed Unicode'),
  );

/** An instant in a response: ISO 8601 in UTC with milliseconds. */
export const timestamp = () => z.iso.datetime({ precision: 3 });

export const id = (prefix: string) => z.string().check(z.regex(new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`)));

/**
 * The ID of one of our resources in a path. What cannot be one is answered with 404 "No such <noun>" and never reaches
 * the table, whose keys take 1,024 bytes.
 */
export const resourceId = (noun: string, ...prefixes: readonly string[]) =>
  z.string().check(z.regex(new RegExp(`^(${prefixes.join('|')})_[0-9A-HJKMNP-TV-Z]{26}$`), noun));

/** A name that a caller chose, in a path: what no body accepts cannot be found either, and is a 404 "No such <noun>". */
export const chosenId = (noun: string, max = 128) =>
  z.string().check(
    z.minLength(1, noun),
    z.maxLength(max, noun),
    z.refine((value) => value.isWellFormed(), noun),
  );

/** Date.parse makes 2 March of 30 February, and the next day of 24:00. */
function isOfCalendar(value: string): boolean {
  const ms = Date.parse(value);
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === value.slice(0, 10);
}

const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|\+00:00))?$/;
/** An instant in a request: ISO 8601 in UTC, a date, or a date and time with optional fraction and `Z` or `+00:00`. */
export const instant = () =>
  z.string().check(
    z.maxLength(40),
    z.refine(
      (value) => INSTANT.test(value) && isOfCalendar(value),
      'must be an ISO 8601 time in UTC such as 2026-11-14T00:00:00Z',
    ),
  );

export const reference = () => text(1, 128);

const MAX_REFERENCES = 4;

export const references = () => z.array(reference()).check(z.maxLength(MAX_REFERENCES));
