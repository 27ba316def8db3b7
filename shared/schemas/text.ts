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

/** One of our ids: a prefix and a time-sortable ULID. */
export const id = (prefix: string) => z.string().check(z.regex(new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`)));

const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|\+00:00))?$/;
/** An instant in a request: ISO 8601 in UTC, a date, or a date and time with optional fraction and `Z` or `+00:00`. */
export const instant = z.string().check(
  z.maxLength(40),
  z.refine(
    (value) => INSTANT.test(value) && !Number.isNaN(Date.parse(value)),
    'must be an ISO 8601 time in UTC such as 2026-11-14T00:00:00Z',
  ),
);
