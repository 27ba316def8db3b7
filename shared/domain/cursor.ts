import { invalidRequest } from './errors';

/** Where a page of a list ended, as a text that callers only pass back. The first part names the list and its order. */
export const encodeCursor = (list: string, ...position: readonly string[]): string =>
  Buffer.from(JSON.stringify([list, ...position])).toString('base64url');

const badCursor = () =>
  invalidRequest([
    { field: 'cursor', message: 'must be the next_cursor of the page before, with the same parameters' },
  ]);

/** The position in a cursor of this list; @throws a fault for any other text. */
export function decodeCursor(cursor: string, list: string, parts: number): readonly string[] {
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw badCursor();
  }
  const isOurs =
    Array.isArray(decoded) &&
    decoded.length === parts + 1 &&
    decoded[0] === list &&
    decoded.every((part) => typeof part === 'string');
  if (!isOurs) throw badCursor();
  return (decoded as string[]).slice(1);
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** A ULID from a cursor: it becomes a bound of a query, so it must be one. */
export function cursorUlid(text: string | undefined): string {
  if (text === undefined || !ULID.test(text)) throw badCursor();
  return text;
}
