import type { TypedEntry } from '../api/list-routes';

const DAY_MS = 86_400_000;

/** What was typed into the form: many values, and what applies to all of them. */
export interface TypedEntries {
  readonly text: string;
  /** Days until they expire; 0: never. */
  readonly days: number;
  readonly reason: string;
}

/** One value per line; empty lines do not count. */
export function typedEntries({ text, days, reason }: TypedEntries, nowMs: number): TypedEntry[] {
  const rest = {
    ...(days > 0 ? { expires_at: new Date(nowMs + days * DAY_MS).toISOString() } : {}),
    ...(reason ? { reason } : {}),
  };
  const values = text.split('\n').map((line) => line.trim());
  return values.filter((value) => value !== '').map((value) => ({ value, ...rest }));
}
